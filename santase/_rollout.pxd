"""What actions are worth by rollouts, for compiled code.

A ``Rollouts`` made by ``rollouts_of`` serves any number of views under one set of
rules, one after another::

    rollouts = rollouts_of(network, ruleset, NULL)
    rollouts.begin(&seen, seed)
    rollouts.go(1000, end, NULL)
    rollouts.add_to(results)
    conclude(...)

Actions that ``ClosedPlans`` has valued are left out of the rollouts by
``rollouts.without(plans)`` after ``begin``.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from santase._belief cimport Belief
from santase._closing cimport ClosedPlans
from santase._network cimport Network
from santase._rules cimport Hand, Knowledge, Rules, Seen
from santase._ruleset cimport RuleSet
from santase._search cimport Search


cdef enum:
    # what kind of value it is
    EXACT = 0
    SAMPLED = 1
    AT_LEAST = 2
    AHEAD = 3
    NOT_TRIED = 4


cdef struct Estimated:
    # of one action, for the player to move; see santase.Estimate
    double mean
    double error            # standard error
    double win
    double policy
    double match
    double opened           # with open cards, where there is a plan
    int64_t worlds
    int kind


cdef struct Finding:
    # what is found about a view
    uint32_t legal          # actions
    int best
    int64_t worlds          # tried in all
    Estimated actions[31]   # those that are legal


cdef class Rollouts:
    cdef Network network
    cdef Belief belief
    cdef uint32_t* hands            # candidates for the other's hand
    cdef double* sums_of_weights    # of the candidates up to each
    cdef int weighed
    cdef Seen seen
    cdef Rules rules
    cdef Search search
    cdef bint opened
    cdef uint64_t seed
    cdef double exploration, least
    cdef double utility[19]
    cdef uint32_t tried
    cdef double priors[31]
    cdef readonly double value      # the network's own, game points for the player to move
    cdef readonly int64_t rollouts
    cdef public bint stopped
    cdef bint running
    cdef int64_t counts[31]
    cdef double sums[31]
    cdef int64_t results[31][19]    # how often each result from -9 to 9
    cdef int64_t pairs[19][19]      # the same for two actions in the same worlds
    cdef readonly int64_t compared  # in how many

    cdef void begin(self, const Seen* seen, uint64_t seed) noexcept nogil
    cdef void without(self, ClosedPlans plans) noexcept nogil
    cdef void go(self, int64_t rollouts, double end, const int* stop) noexcept nogil
    cdef void add_to(self, int64_t (*results)[19]) noexcept nogil
    cdef int take(self) except -1
    cdef void weigh_up_to(self, int number) noexcept nogil
    cdef void choose_world(self, int64_t n, uint64_t* state, Hand* world) noexcept nogil
    cdef int next_action(self) noexcept nogil
    cdef bint can_solve(self) noexcept nogil
    cdef int play_out(self, Hand* h, Knowledge* k, uint64_t* state, int player) noexcept nogil
    cdef int result(self, int action, int64_t number) noexcept nogil
    cdef void roll(self) noexcept nogil


cdef Rollouts rollouts_of(Network network, RuleSet ruleset, const double* utility)
cdef void certain(int points, const double* equities, Estimated* out) noexcept nogil
cdef void conclude(Rollouts first, const int64_t (*results)[19], ClosedPlans plans, const double* equities,
                   Finding* out) noexcept nogil
