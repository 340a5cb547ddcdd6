"""Worlds: the full hands that agree with what one player sees."""

from libc.stdint cimport uint64_t

from santase._rules cimport Hand, Rules, Seen


cdef void sample_world(const Seen* s, const Rules* r, uint64_t* state, Hand* world) noexcept nogil
