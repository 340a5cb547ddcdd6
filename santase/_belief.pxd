"""How well a world explains what the other player has done, for compiled code."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from santase._network cimport Network
from santase._rules cimport Hand, Knowledge, Rules


cdef enum:
    MOST_PAST = 64


cdef struct Past:
    Hand hand               # as the viewer saw it before the action
    Knowledge known
    uint32_t certain        # cards that the other held then, as the viewer knew
    uint32_t gone           # what the action took out of its hand
    uint32_t come           # what has come into its hand since, for all to see
    uint8_t drawn           # cards that it has drawn unseen since
    uint8_t action


cdef class Belief:
    cdef Network network
    cdef Rules rules
    cdef readonly int other     # the player whose actions these are
    cdef readonly int size      # how many
    cdef readonly double mistrust
    cdef Past past[MOST_PAST]

    cdef double weigh(self, uint32_t cards, uint64_t* state) noexcept nogil
