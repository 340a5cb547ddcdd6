"""Under a closed talon: every hand the other may hold, and one plan against all of them."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t, uint64_t

from santase._rules cimport Hand, Rules, Seen
from santase._search cimport Search


cdef enum:
    MOST_HANDS = 12376      # 6 of 17 cards; no closing of a game with 24 cards leaves more
    MOST_PLIES = 48         # eleven tricks of a marriage, a lead and a reply, and more
    MOST_MOVES = 16         # own actions at one moment: eleven cards, four marriages, the call

cdef struct Level:
    # The worlds that look alike at one moment of a plan; arrays of as many as there are in all.
    uint32_t* hands         # the other's
    int32_t* weights        # how likely each is
    int32_t* places         # where each stands a ply above
    uint32_t* legal         # the other's actions
    int8_t* caps            # what can be had at most, game points
    int8_t* values          # what the plan found makes sure of
    int8_t* opened          # for each own action: what it brings with open cards, or the cap
    int kept                # how many were handed on to the ply below

cdef struct Plans:
    Search search
    Rules rules
    int player              # whose plan it is
    int64_t utility[19]     # what -9 to 9 game points are worth
    Level levels[MOST_PLIES]
    void* memory
    int most                # worlds
    uint64_t handled        # worlds looked at in all moments
    bint cut                # somewhere the own moves ended before the hand did
    uint64_t limit          # of the work, 0 for none
    double deadline         # of santase_seconds, 0 for none
    uint64_t look_at        # work at which to look at limit and clock
    bint (*interrupted)(void*) noexcept nogil   # NULL, or asked every 20 ms
    double next_signal
    void* owner
    bint stop               # set: the answer means nothing


cdef int hands_possible(const Seen* s, const Rules* r, int player, uint32_t* hands) noexcept nogil
cdef int plans_open(Plans* p, const Rules* rules, int player, int most) noexcept nogil
cdef void plans_close(Plans* p) noexcept nogil
cdef int64_t plan(Plans* p, const Hand* h, int ply, int n, int64_t budget, int decisions) noexcept nogil


cdef bint may_plan(const Seen* s, const Rules* r) noexcept nogil


cdef class ClosedPlans:
    cdef Plans p
    cdef bint opened
    cdef Seen seen
    cdef double utility[19]
    cdef uint32_t tried             # the actions that it is about
    cdef readonly int number        # hands that the other may hold
    cdef readonly int decisions     # own moves looked ahead before the cards are taken to be open; 0: no answer yet
    cdef readonly bint complete     # the own moves were searched to the end: the values are made sure of
    # chances of -9 to 9 game points, of each action
    cdef double opened_chances[31][19]
    cdef double chances[31][19]
    cdef double searching[31][19]
    cdef object error

    cdef bint begin(self, const Seen* seen, const Rules* rules, const double* utility) noexcept nogil
    cdef void go(self, uint64_t work, double seconds, int decisions) noexcept nogil
    cdef void spend(self, int64_t worlds, double seconds) noexcept nogil
    cdef double worth(self, int action) noexcept nogil
    cdef int least(self) noexcept nogil
    cdef void gather(self, int move, const int8_t* values, double (*chances)[19]) noexcept nogil
    cdef bint look_ahead(self, int decisions) noexcept nogil
    cdef int open_value(self, int i, int most, int least) noexcept nogil
    cdef int raise_kept(self) except -1
