"""Positions, for the compiled modules that search and sample them."""

from santase._rules cimport Hand, Rules, Seen
from libc.stdint cimport uint64_t
from santase._ruleset cimport RuleSet


cdef class Position:
    cdef Seen s
    cdef RuleSet ruleset


cdef void deal_hand(Hand* h, const Rules* r, uint64_t* state, int leader) noexcept nogil
cdef int random_playout(Hand* h, const Rules* r, uint64_t* state) noexcept nogil
