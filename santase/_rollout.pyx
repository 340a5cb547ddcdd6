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

import math

cimport cython
from libc.math cimport INFINITY, NAN, sqrt
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from santase._belief cimport Belief
from santase._closing cimport ClosedPlans
from santase._core cimport Position
from santase._network cimport Network, Opinion
from santase._random cimport next64
from santase._rules cimport (
    ACTIONS, CALL, CLOSE, NOBODY, Hand, Knowledge, Rules, Seen, act, act_known, bit, legal_actions, lowest,
    popcount, to_move, value_for,
)
from santase._ruleset cimport RuleSet
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
    BEFORE_ALL_TRIED = 1000 # above every score
    POLICY_WORTH = 16       # rollouts that the policy's certainty counts like in the choice
    ENOUGH_FOR_A_CALL = 20  # worlds that all else must have been tried in before a wrong call is made


cdef class Rollouts:
    """Estimates for the legal actions in a view, but for the call, which needs none.

    ``exploration`` weighs the policy's prior against what the rollouts say;
    every action gets ``least`` of the rollouts at the least. ``utility`` are 19
    numbers that results from -9 to 9 game points are worth to the player to
    move, in a range of game points; by default those themselves. With a ``belief``
    worlds are drawn in proportion to their likelihoods, from a growing number of
    candidates (sampling importance resampling: Rubin, 1987). What ``plans`` have an answer
    for is not tried.

    They are made in one thread at a time; a second call while one is running
    raises ``SantaseError``.
    """

    def __init__(self, Position view not None, Network network not None, *, seed=0,
                 double exploration=1.0, double least=0.01, utility=None, Belief belief=None,
                 ClosedPlans plans=None):
        cdef int i
        cdef uint64_t first = seed_state(seed)
        if view.s.hidden[to_move(&view.s.hand)]:
            raise HiddenCardsError(f"player {view.to_move} is to move, whose hand is hidden in this view")
        if view.is_over:
            raise SantaseError("the hand is over, there is nothing to play")
        network.need_weights()
        self.take()
        self.running = False
        if belief is not None and belief.size and view.s.hidden[belief.other]:
            self.belief = belief
            free(self.hands)
            free(self.sums_of_weights)
            self.hands = <uint32_t*>malloc(MOST_WEIGHED * sizeof(uint32_t))
            self.sums_of_weights = <double*>malloc(MOST_WEIGHED * sizeof(double))
            if self.hands == NULL or self.sums_of_weights == NULL:
                raise MemoryError
        self.network = network
        self.rules = view.ruleset.c
        self.exploration = exploration
        self.least = least
        for i in range(19):
            self.utility[i] = i - 9 if utility is None else utility[i]
        self.begin(&view.s, first)
        if plans is not None:
            self.without(plans)

    cdef void begin(self, const Seen* seen, uint64_t seed) noexcept nogil:
        """Forget what has been found, and take up this view."""
        cdef Opinion opinion
        cdef uint32_t weights[ACTIONS]
        cdef uint64_t total
        cdef uint32_t left
        cdef int action
        self.seen = seen[0]
        self.seed = seed
        self.rollouts = 0
        self.weighed = 0
        self.compared = 0
        memset(self.pairs, 0, sizeof(self.pairs))
        memset(self.counts, 0, sizeof(self.counts))
        memset(self.sums, 0, sizeof(self.sums))
        memset(self.results, 0, sizeof(self.results))
        memset(self.priors, 0, sizeof(self.priors))
        self.network.judge_seen(&self.seen, &self.rules, &opinion)
        total = self.network.weigh(&opinion, weights)
        self.value = 3.0 * opinion.value / (1 << self.network.scale)
        left = opinion.actions
        while left:
            action = lowest(left)
            left &= left - 1
            self.priors[action] = <double>weights[action] / total
        self.tried = legal_actions(&self.seen.hand, &self.rules) & ~bit(CALL)

    cdef void without(self, ClosedPlans plans) noexcept nogil:
        """Do not try what the plans have an answer for."""
        self.tried &= ~plans.tried

    def __dealloc__(self):
        if self.opened:
            search_close(&self.search)
        free(self.hands)
        free(self.sums_of_weights)

    cdef int take(self) except -1:
        """Hold them for one thread, until ``running`` is false again."""
        cdef bint running
        with cython.critical_section(self):     # tested and set at once where there is no GIL
            running = self.running
            self.running = True
        if running:
            raise SantaseError("these rollouts are in use: they are made in one thread at a time")
        return 0

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
        """The action to try next: first each once, the likeliest first."""
        cdef uint32_t left = self.tried
        cdef int action, best = lowest(left)
        cdef double score, best_score = -1e30, spread = sqrt(<double>self.rollouts + 1)
        while left:
            action = lowest(left)
            left &= left - 1
            if self.counts[action] == 0:
                score = BEFORE_ALL_TRIED + self.priors[action]
            elif self.counts[action] < self.least * self.rollouts:
                return action
            else:
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

    cdef int result(self, int action, int64_t number) noexcept nogil:
        """Game points for the player to move in an action's rollout of that number."""
        # world and play of an action's n-th rollout depend on n alone
        cdef uint64_t state = self.seed + <uint64_t>number * <uint64_t>0xD1342543DE82EF95ULL
        cdef int player = to_move(&self.seen.hand)
        cdef Hand h
        cdef Knowledge k = self.seen.known
        next64(&state)
        self.choose_world(number, &state, &h)
        act_known(&h, &self.rules, &k, action)
        return self.play_out(&h, &k, &state, player)

    cdef void roll(self) noexcept nogil:
        """One rollout of one action."""
        cdef int action = self.next_action()
        cdef int value = self.result(action, self.counts[action])
        self.rollouts += 1
        self.counts[action] += 1
        self.sums[action] += self.utility[value + 9]
        self.results[action][value + 9] += 1

    cdef void go(self, int64_t rollouts, double end, const int* stop) noexcept nogil:
        """Add up to so many rollouts until the time ``end`` of santase_seconds; ``stop`` may be NULL."""
        cdef int64_t done = 0
        if not self.tried:
            return      # nothing but a call, or made by __new__ alone
        while done < rollouts and not self.stopped and (stop == NULL or not stop[0]):
            self.roll()
            done += 1
            if done % ROLLOUTS_A_LOOK == 0 and santase_seconds() >= end:
                break

    def run(self, int64_t rollouts, double seconds):
        """Add up to so many rollouts within so many seconds, without the GIL."""
        self.take()
        with nogil:
            self.go(rollouts, santase_seconds() + seconds, NULL)
        self.running = False

    def compare(self, first, second, int64_t worlds, double seconds):
        """Try two legal actions in the same worlds, up to so many within so many seconds, without the GIL.

        Adds to what earlier calls with these actions have found and returns all
        of it: a 19 by 19 list of how often ``first`` gave -9, ..., 9 game points
        (the row) and ``second`` gave -9, ..., 9 in the same world.
        """
        cdef int one = first.number, other = second.number
        cdef double end
        cdef int64_t done = 0
        for action in (first, second):
            if not legal_actions(&self.seen.hand, &self.rules) & bit(action.number):
                raise SantaseError(f"{action}: it is not legal here")
        self.take()
        with nogil:
            end = santase_seconds() + seconds
            while done < worlds and not self.stopped:
                self.pairs[self.result(one, self.compared) + 9][self.result(other, self.compared) + 9] += 1
                self.compared += 1
                done += 1
                if done % ROLLOUTS_A_LOOK == 0 and santase_seconds() >= end:
                    break
        self.running = False
        return [[self.pairs[i][j] for j in range(19)] for i in range(19)]

    cdef void add_to(self, int64_t (*results)[19]) noexcept nogil:
        """Add how often each action had each result."""
        cdef int action, i
        for action in range(ACTIONS):
            for i in range(19):
                results[action][i] += self.results[action][i]


cdef Rollouts rollouts_of(Network network, RuleSet ruleset, const double* utility):
    """Rollouts under these rules, to be begun; ``utility`` may be NULL."""
    cdef Rollouts rollouts = Rollouts.__new__(Rollouts)
    cdef int i
    rollouts.network = network
    rollouts.rules = ruleset.c
    rollouts.exploration = 1.0
    rollouts.least = 0.01
    for i in range(19):
        rollouts.utility[i] = i - 9 if utility == NULL else utility[i]
    return rollouts


# ---------------------------------------------------------------- what they say

cdef void certain(int points, const double* equities, Estimated* out) noexcept nogil:
    """The estimate of an action whose result is known."""
    out.mean = points
    out.error = 0
    out.win = points > 0
    out.policy = NAN
    out.match = NAN if equities == NULL else equities[points + 9]
    out.opened = NAN
    out.worlds = 1
    out.kind = EXACT


cdef void estimate(const int64_t* results, double policy, const double* equities, Estimated* out) noexcept nogil:
    """An estimate from how often each result from -9 to 9 came out."""
    cdef int64_t number = 0, total = 0, won = 0
    cdef double variance = 0, match = 0
    cdef int i
    for i in range(19):
        number += results[i]
        total += (i - 9) * results[i]
        if i > 9:
            won += results[i]
    out.worlds = number
    out.policy = policy
    out.opened = NAN
    out.kind = SAMPLED if number else NOT_TRIED
    if number == 0:
        out.mean = out.win = out.match = NAN
        out.error = INFINITY
        return
    out.mean = <double>total / <double>number
    for i in range(19):
        variance += (i - 9 - out.mean) * (i - 9 - out.mean) * <double>results[i]
        if equities != NULL:
            match += equities[i] * <double>results[i]
    variance /= <double>number
    out.error = sqrt(variance / <double>(number - 1)) if number > 1 else INFINITY
    out.win = <double>won / <double>number
    out.match = NAN if equities == NULL else match / <double>number


cdef void planned(ClosedPlans plans, int action, double policy, const double* equities, Estimated* out) noexcept nogil:
    """The estimate of an action for which there is a plan."""
    cdef double chance
    cdef int i
    out.mean = out.win = out.match = out.opened = 0
    for i in range(19):
        chance = plans.chances[action][i]
        out.mean += (i - 9) * chance
        out.opened += (i - 9) * plans.opened_chances[action][i]
        if i > 9:
            out.win += chance
        if equities != NULL:
            out.match += equities[i] * chance
    if equities == NULL:
        out.match = NAN
    out.error = 0
    out.policy = policy
    out.worlds = plans.number
    out.kind = AT_LEAST if plans.complete else AHEAD


cdef double mean_utility(Rollouts first, const int64_t* results) noexcept nogil:
    cdef int64_t number = 0
    cdef double total = 0
    cdef int i
    for i in range(19):
        number += results[i]
        total += first.utility[i] * <double>results[i]
    return total / <double>number


cdef inline bint out_of_it(const Estimated* chosen, double call) noexcept nogil:
    """Whether a wrong call is surely worth more than the best action."""
    if chosen.kind == AT_LEAST or chosen.kind == AHEAD:
        return call > chosen.opened
    return chosen.worlds >= ENOUGH_FOR_A_CALL and call > chosen.mean + 2 * chosen.error


cdef void conclude(Rollouts first, const int64_t (*results)[19], ClosedPlans plans, const double* equities,
                   Finding* out) noexcept nogil:
    """The estimates, and what to do.

    ``results`` are those of one or more ``Rollouts`` in the same view, of which
    ``first`` is one; ``plans``, if not None, have an answer for some actions or for
    all; ``equities`` (or NULL) are the chances to win the match after
    each result from -9 to 9.
    """
    cdef double worth, best_worth = 0, tries, most_tries = 0
    cdef int best_plan = -1
    cdef uint32_t left = legal_actions(&first.seen.hand, &first.rules)
    cdef int player = to_move(&first.seen.hand), action, best = -1
    cdef Estimated* call = &out.actions[CALL]
    cdef Estimated* chosen
    cdef Hand called
    out.legal = left
    out.worlds = 0
    while left:
        action = lowest(left)
        left &= left - 1
        if action == CALL:
            called = first.seen.hand
            act(&called, &first.rules, CALL)    # ends the hand here and now
            certain(value_for(&called, player), equities, call)
            continue
        if plans is not None and plans.tried & bit(action):
            planned(plans, action, first.priors[action], equities, &out.actions[action])
            # equal but for rounding: the one that the policy prefers
            worth = plans.worth(action)
            if (best_plan < 0 or worth > best_worth + 1e-9
                    or (worth > best_worth - 1e-9 and first.priors[action] > first.priors[best_plan])):
                best_plan = action
                best_worth = worth
            continue
        estimate(results[action], first.priors[action], equities, &out.actions[action])
        out.worlds += out.actions[action].worlds
        # the action tried most, where the policy's word counts like some rollouts
        tries = out.actions[action].worlds + POLICY_WORTH * first.priors[action]
        if best < 0 or tries > most_tries:
            best = action
            most_tries = tries
    if best_plan >= 0 and (best < 0 or (
            best_worth > mean_utility(first, results[best]) if out.actions[best].worlds
            else first.priors[best_plan] > first.priors[best])):
        best = best_plan
    if best == best_plan and best != CLOSE:
        out.worlds = plans.number
    out.best = best
    chosen = &out.actions[best]
    if out.legal & bit(CALL) and call.mean > 0:
        out.best = CALL         # playing on can only lose some of it
    elif out.legal & bit(CALL) and out_of_it(chosen, call.mean):
        out.best = CALL         # where a closing is lost, some rules make a wrong call the cheaper way out
    elif chosen.kind == NOT_TRIED:
        chosen.mean = first.value


KINDS = ("exact", "sampled", "at least", "ahead", "none")


cdef inline object number(double x):
    """NaN as the one of ``math``, so that equal estimates compare equal."""
    return x if x == x else math.nan


def gather(list parts, equities=None, ClosedPlans plans=None):
    """What several ``Rollouts`` in the same view, and plans, found together: ``(best, worlds, actions)``.

    ``actions`` has the fields of an ``Estimate`` for each legal action, in the
    order of their numbers; ``equities`` are 19 chances to win the match.
    """
    cdef int64_t results[31][19]
    cdef double chances[19]
    cdef Finding found
    cdef Estimated* e
    cdef Rollouts part
    cdef uint32_t left
    cdef int action, i
    memset(results, 0, sizeof(results))
    for part in parts:
        part.add_to(results)
    if equities is not None:
        for i in range(19):
            chances[i] = equities[i]
    conclude(<Rollouts>parts[0], results, plans, NULL if equities is None else chances, &found)
    actions = {}
    left = found.legal
    while left:
        action = lowest(left)
        left &= left - 1
        e = &found.actions[action]
        if action == CALL:
            distribution = {<int>e.mean: 1.0}
        elif plans is not None and plans.tried & bit(action):
            distribution = {i - 9: plans.chances[action][i] for i in range(19) if plans.chances[action][i]}
        else:
            distribution = {i - 9: <double>results[action][i] / <double>e.worlds for i in range(19) if results[action][i]}
        actions[ACTION_OBJECTS[action]] = (
            number(e.mean), e.error, number(e.win), e.worlds, number(e.policy), distribution, number(e.match),
            KINDS[e.kind], number(e.opened))
    return ACTION_OBJECTS[found.best], found.worlds, actions
