"""Positions as rows of NumPy arrays, for the compiled modules that work on them."""

from santase._core cimport Position
from santase._rules cimport Hand, Seen
from santase._ruleset cimport RuleSet


cdef const Hand* full_hand(Position position) except NULL
cdef const Hand* checked_hands(packed, RuleSet ruleset) except? NULL
cdef const Seen* seen_rows(packed) except? NULL
