"""What actions are worth when both players then follow the learned policy.

For each world drawn from what the player sees, one action is done and the hand
played on: either player by the network's policy on its own view, a tracked
``Knowledge`` telling what that is. Once the talon is exhausted the hands are
known by counting, so the rest is solved exactly. Unlike a search tree shared by
worlds, neither side ever acts on cards it does not see, so the mean of an
action is an honest estimate of its worth between players of this policy
(rollouts: Tesauro and Galperin, "On-line policy improvement using Monte-Carlo
search", 1996).

The worlds are the same for all actions, so that their differences have less
noise than their values. The next action to try is the one with the highest
mean so far plus a bonus that the policy's probability makes and that fades with
the action's own rollouts (PUCT: Silver et al., "Mastering the game of Go without
human knowledge", 2017), but no action is left out altogether.
"""

from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from santase._belief cimport Belief
from santase._core cimport Position
from santase._network cimport Network, Opinion
from santase._random cimport next64
from santase._rules cimport (
    ACTIONS, CALL, NOBODY, Hand, Knowledge, Rules, Seen, act_known, bit, legal_actions, lowest,
    popcount, to_move, value_for,
)
from santase._sampling cimport sample_world
from santase._search cimport Search, search_close, search_open, search_rules, search_value

from santase._core import seed_state
from santase.actions import ACTIONS as ACTION_OBJECTS
from santase.errors import HiddenCardsError, SantaseError


cdef extern from "_clock.h" nogil:
    double santase_seconds()


cdef enum:
    TABLE = 1 << 18         # bytes
    MOST_SOLVED = 7         # cards a hand: house rules with longer endings are played by the policy
    ROLLOUTS_A_LOOK = 4     # between two looks at the clock
    # hands of the other that are weighed before the first world is chosen, for each
    # further world, and in all
    FIRST_WEIGHED = 32
    WEIGHED_A_WORLD = 2
    MOST_WEIGHED = 4096


cdef class Rollouts:
    """Estimates for the legal actions in a view, but for the call, which needs none.

    ``exploration`` weighs the policy's prior against what the rollouts say;
    every action gets ``least`` of the rollouts at the least. ``utility`` are 19
    numbers that results from -9 to 9 game points are worth to the player to
    move, in a range of game points; by default those themselves. With a ``belief``
    worlds are drawn in proportion to their likelihoods, from a growing number of
    candidates (sampling importance resampling: Rubin, 1987). The actions in
    ``without`` are not tried.
    """

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
    cdef int64_t counts[31]
    cdef double sums[31]
    cdef int64_t results[31][19]    # how often each result from -9 to 9

    def __init__(self, Position view not None, Network network not None, *, seed=0,
                 double exploration=1.0, double least=0.01, utility=None, Belief belief=None, without=()):
        cdef Opinion opinion
        cdef uint32_t left
        cdef uint32_t weights[ACTIONS]
        cdef uint64_t total
        cdef int action
        if view.s.hidden[to_move(&view.s.hand)]:
            raise HiddenCardsError(f"player {view.to_move} is to move, whose hand is hidden in this view")
        if view.is_over:
            raise SantaseError("the hand is over, there is nothing to play")
        if belief is not None and belief.size and view.s.hidden[belief.other]:
            self.belief = belief
            self.hands = <uint32_t*>malloc(MOST_WEIGHED * sizeof(uint32_t))
            self.sums_of_weights = <double*>malloc(MOST_WEIGHED * sizeof(double))
            if self.hands == NULL or self.sums_of_weights == NULL:
                raise MemoryError
        self.network = network
        self.seen = view.s
        self.rules = view.ruleset.c
        self.seed = seed_state(seed)
        self.exploration = exploration
        self.least = least
        for action in range(19):
            self.utility[action] = action - 9 if utility is None else utility[action]
        network.judge_seen(&self.seen, &self.rules, &opinion)
        total = network.weigh(&opinion, weights)
        self.value = 3.0 * opinion.value / (1 << network.scale)
        left = opinion.actions
        while left:
            action = lowest(left)
            left &= left - 1
            self.priors[action] = <double>weights[action] / total
        self.tried = legal_actions(&self.seen.hand, &self.rules) & ~bit(CALL)
        for item in without:
            self.tried &= ~bit(item.number)

    def __dealloc__(self):
        if self.opened:
            search_close(&self.search)
        free(self.hands)
        free(self.sums_of_weights)

    cdef void weigh_up_to(self, int number) noexcept nogil:
        """Have that many candidates weighed; the n-th depends on the seed and n alone."""
        cdef Hand h
        cdef uint64_t state
        cdef double weight
        cdef int other = self.belief.other
        while self.weighed < number:
            state = self.seed ^ <uint64_t>0x9E6C63D0876A9A47ULL
            state += <uint64_t>self.weighed * <uint64_t>0xD1342543DE82EF95ULL
            next64(&state)
            sample_world(&self.seen, &self.rules, &state, &h)
            # never 0, so that something is left where nothing explains the play
            weight = self.belief.weigh(h.hand[other], &state) + 1e-30
            if self.weighed:
                weight += self.sums_of_weights[self.weighed - 1]
            self.hands[self.weighed] = h.hand[other]
            self.sums_of_weights[self.weighed] = weight
            self.weighed += 1

    cdef void choose_world(self, int64_t n, uint64_t* state, Hand* world) noexcept nogil:
        """The n-th world of the actions."""
        cdef Seen seen
        cdef double at
        cdef int low = 0, high, middle
        if self.belief is None:
            sample_world(&self.seen, &self.rules, state, world)
            return
        high = MOST_WEIGHED
        if n < (MOST_WEIGHED - FIRST_WEIGHED) // WEIGHED_A_WORLD:
            high = FIRST_WEIGHED + WEIGHED_A_WORLD * <int>n
        self.weigh_up_to(high)
        at = self.sums_of_weights[high - 1] * ((next64(state) >> 11) * (1.0 / 9007199254740992.0))
        while low < high - 1:
            middle = (low + high - 1) // 2
            if self.sums_of_weights[middle] > at:
                high = middle + 1
            else:
                low = middle + 1
        seen = self.seen
        seen.hand.hand[self.belief.other] = self.hands[low]
        seen.hidden[self.belief.other] = 0
        sample_world(&seen, &self.rules, state, world)

    cdef int next_action(self) noexcept nogil:
        """The action to try next."""
        cdef uint32_t left = self.tried
        cdef int action, best = lowest(left)
        cdef double score, best_score = -1e30, spread = sqrt(<double>self.rollouts + 1)
        while left:
            action = lowest(left)
            left &= left - 1
            if self.counts[action] < self.least * self.rollouts or self.counts[action] == 0:
                return action
            score = self.exploration * self.priors[action] * spread / (1 + self.counts[action])
            score += self.sums[action] / self.counts[action]
            if score > best_score:
                best_score = score
                best = action
        return best

    cdef bint can_solve(self) noexcept nogil:
        """Whether the solver is ready; made when it is first wanted, which without rollouts it never is."""
        if not self.opened and search_open(&self.search, TABLE) == 0:
            search_rules(&self.search, &self.rules)
            self.opened = True
        return self.opened

    cdef int play_out(self, Hand* h, Knowledge* k, uint64_t* state, int player) noexcept nogil:
        """Game points for ``player`` when both follow the policy to the exhausted talon."""
        cdef Opinion opinion
        cdef int value
        while not h.over:
            if (h.facedown == 0 and h.closer == NOBODY and popcount(h.hand[0]) <= MOST_SOLVED
                    and self.can_solve()):
                value = search_value(&self.search, h)
                return value if to_move(h) == player else -value
            self.network.judge(h, k, &self.rules, k.holds[1 - to_move(h)], &opinion)
            act_known(h, &self.rules, k, self.network.draw(&opinion, state))
        return value_for(h, player)

    cdef void roll(self) noexcept nogil:
        """One rollout of one action."""
        cdef int action = self.next_action(), player = to_move(&self.seen.hand), value
        # world and play of an action's n-th rollout depend on n alone
        cdef uint64_t state = self.seed + <uint64_t>self.counts[action] * <uint64_t>0xD1342543DE82EF95ULL
        cdef Hand h
        cdef Knowledge k = self.seen.known
        next64(&state)
        self.choose_world(self.counts[action], &state, &h)
        act_known(&h, &self.rules, &k, action)
        value = self.play_out(&h, &k, &state, player)
        self.rollouts += 1
        self.counts[action] += 1
        self.sums[action] += self.utility[value + 9]
        self.results[action][value + 9] += 1

    def run(self, int64_t rollouts, double seconds):
        """Add up to so many rollouts within so many seconds, without the GIL."""
        cdef double end
        cdef int64_t done = 0
        with nogil:
            end = santase_seconds() + seconds
            while done < rollouts and self.tried and not self.stopped:
                self.roll()
                done += 1
                if done % ROLLOUTS_A_LOOK == 0 and santase_seconds() >= end:
                    break

    def found(self):
        """Of each action: ``{Action: (prior, results)}``, the policy's probability and how many
        rollouts gave the player to move -9, ..., 9 game points."""
        return {
            ACTION_OBJECTS[a]: (self.priors[a], [self.results[a][i] for i in range(19)])
            for a in range(ACTIONS) if self.tried & bit(a) or self.priors[a] > 0
        }
