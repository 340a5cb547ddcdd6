"""The learned player, for compiled code: what it thinks of the move before it.

    cdef Opinion opinion
    network.judge(&hand, &knowledge, rules, shown, &opinion)

``shown`` is what ``santase._features.encode`` takes. ``opinion.actions`` are the
actions that the player considers: the call alone once 66 has been reached, and
everything else that is legal before that.
"""

from libc.stdint cimport int16_t, int32_t, uint16_t, uint32_t, uint64_t

from santase._rules cimport ACTIONS, Hand, Knowledge, Rules, Seen, lowest


cdef enum:
    MAX_WIDTH = 1024


cdef struct Opinion:
    uint32_t actions            # the actions considered
    int32_t logits[ACTIONS]     # of each of them, in units of 2**-scale
    int32_t value               # for the player to move, in thirds of game points and the same units


cdef class Network:
    cdef readonly dict about    # how the weights were made
    cdef readonly tuple arrays  # the weights, kept alive: w1, b1, w2, b2, w3, b3
    cdef readonly int first_scale, second_scale, scale
    cdef readonly int h1, h2
    cdef readonly int processor     # 2, 1 or 0, as _kernels.h has it
    cdef const int16_t* w1      # [FEATURES][h1]
    cdef const int16_t* b1
    cdef const int16_t* w2      # [h2][h1]
    cdef const int32_t* b2
    cdef const int16_t* w3      # [MOVES + 1][h2]
    cdef const int32_t* b3
    cdef uint32_t powers[256]   # 2**(24 - i / 256)

    cdef int need_weights(self) except -1
    cdef void evaluate(self, const uint16_t* inputs, int n, int32_t* out) noexcept nogil
    cdef void judge(self, const Hand* h, const Knowledge* k, const Rules* r, uint32_t shown,
                    Opinion* opinion) noexcept nogil
    cdef void judge_seen(self, const Seen* s, const Rules* r, Opinion* opinion) noexcept nogil
    cdef uint64_t weigh(self, const Opinion* opinion, uint32_t* weights) noexcept nogil
    cdef int draw(self, const Opinion* opinion, uint64_t* state) noexcept nogil


cdef inline int likeliest(const Opinion* opinion) noexcept nogil:
    """The action with the greatest logit, the lowest of equal ones."""
    cdef uint32_t left = opinion.actions
    cdef int best = lowest(left), action
    while left:
        action = lowest(left)
        left &= left - 1
        if opinion.logits[action] > opinion.logits[best]:
            best = action
    return best
