"""A position as a line of text."""

from santase._rules cimport Seen
from santase._ruleset cimport RuleSet


cdef RuleSet read_position(str line, Seen* s)
cdef str write_position(const Seen* s, RuleSet ruleset)
