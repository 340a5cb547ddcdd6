"""The generator behind every seed: SplitMix64, with unbiased numbers below a bound.

The state is one 64-bit number, at first the seed; each step adds
0x9E3779B97F4A7C15 and mixes (Steele, Lea and Flood, "Fast splittable
pseudorandom number generators", 2014). A number below n is the high half of
the 64-bit product of n and the step's upper 32 bits, drawn again in the few
cases that would favour some numbers (Lemire, "Fast random integer generation
in an interval", 2019). It never changes: a seed means the same for ever.
"""

from libc.stdint cimport uint32_t, uint64_t

from santase._rules cimport lowest


cdef extern from *:
    const uint64_t GAMMA "0x9E3779B97F4A7C15ULL"


cdef inline uint64_t next64(uint64_t* state) noexcept nogil:
    cdef uint64_t z
    state[0] += GAMMA
    z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EBULL
    return z ^ (z >> 31)


cdef inline uint32_t below(uint64_t* state, uint32_t n) noexcept nogil:
    """A number from 0 to n - 1, n > 0."""
    cdef uint64_t product = (next64(state) >> 32) * n
    cdef uint32_t biased
    if <uint32_t>product < n:
        biased = (0 - n) % n
        while <uint32_t>product < biased:
            product = (next64(state) >> 32) * n
    return <uint32_t>(product >> 32)


cdef inline int pick(uint64_t* state, uint32_t members, int count) noexcept nogil:
    """One of the ``count`` members of a set that is not empty."""
    cdef uint32_t n = below(state, count)
    while n:
        members &= members - 1
        n -= 1
    return lowest(members)
