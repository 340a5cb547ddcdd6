"""Under a closed talon: every hand the other may hold, and one plan against all of them.

Once the talon is closed its order does not matter, so a world is the other's
hand, and there are at most 12,376 of them (``MOST_HANDS``). ``hands_possible``
lists them.

``plan`` searches for what one player, who does not see the other's cards, can
make sure of. A plan says what to do at each moment for all worlds that look
alike until then; the other is taken to see everything, and to know the plan:
the "best defence" of Frank and Basin, "Search in games with incomplete
information: a case study using bridge card play", 1998. What a plan brings in
each world, the other doing there what hurts most, is a vector with a value for
each world; its mean is what the plan is worth at the least, whoever the other
is and whatever he does.

- Own move: one action for all worlds, the one whose vector has the greatest sum.
- The other's move: the worlds are sorted by what he does, as far as he can;
  each world gets the least of the values that his actions have there.

What an action is worth with open cards bounds from above what a plan can get
from it, in each world. These bounds (``caps``) order the actions, cut them, and
make the choice right more often: where the other can hold a world down by
another play, here or earlier, it does not count how much more would be made of
it now (the payoff reduction of Frank, Basin and Matsubara, "Finding optimal
strategies for imperfect information games", 1998). The best plan of all is not
always found, since what is best at one moment depends on choices at others; but
each value found is that of a plan, so it is never too high.

A search of few ``decisions`` looks so many own moves ahead and takes the cards
to be open after that; with one it is the average of open-card solutions.

Rules must be regular (``santase._search``).
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY
from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from santase._belief cimport Belief
from santase._core cimport Position
from santase._random cimport next64
from santase._rules cimport (
    CALL, CLOSE, MARRIAGE, NOBODY, RIGHT_CALL, Hand, Rules, Seen, act, bit, candidates, end_won,
    highest, legal_actions, lowest, marriage_mask, may_close, popcount, to_move, value_for, NO_CARD, NO_SUIT,
)
from santase._search cimport (
    Search, search_at_least, search_clear, search_close, search_limits, search_open, search_regular,
    search_rules,
)

from santase._core import seed_state
from santase.actions import ACTIONS as ACTION_OBJECTS
from santase.cards import CARDS
from santase.errors import HiddenCardsError, SantaseError


cdef extern from "_clock.h" nogil:
    double santase_seconds()


cdef enum:
    TABLE = 1 << 20         # bytes
    WORK_A_LOOK = 4096      # between two looks at the clock, a fraction of a millisecond
    UNIT = 1 << 12          # of a game point, in utilities
    HEAVIEST = 1 << 12      # weight of the likeliest hand
    DEEPEST = 99            # own moves: more than there are
    # what an analysis spends, measured in docs/closing.md
    CLOSED_WORK = 6000      # for each world that is asked for: about the time of a rollout
    CLOSING_WORK = 2000     # the same for a closing that is weighed against rollouts
    MOST_WORLDS = 1000000000

cdef extern from *:
    const double CLOSING_SHARE "0.3"        # of the time
    const double FIRST_SHARE "0.5"          # of the time under a closing, to come to any answer; else rollouts have the rest
    const double OPEN_CARDS "0.3"           # share of open cards in what an action is chosen by
    const double CLOSING_OPEN_CARDS "0.5"   # the same for the closing, which is weighed against rollouts

cdef int64_t NO_BUDGET = <int64_t>1 << 60


# ---------------------------------------------------------------- worlds

cdef int hands_possible(const Seen* s, const Rules* r, int player, uint32_t* hands) noexcept nogil:
    """All hands that ``player`` may hold, for which there is room for ``MOST_HANDS``; returns how many.

    Each is as likely as any other: it goes with as many orders of the other
    face-down cards.
    """
    cdef uint32_t cards[24]
    cdef uint32_t left = candidates(s, r, player)
    cdef int places[24]
    cdef int size = 0, k = s.hidden[player], number = 0, i
    cdef uint32_t hand
    while left:
        cards[size] = left & (~left + 1)
        left &= left - 1
        size += 1
    for i in range(k):
        places[i] = i
    while number < MOST_HANDS:
        hand = s.hand.hand[player]
        for i in range(k):
            hand |= cards[places[i]]
        hands[number] = hand
        number += 1
        # the next choice in lexical order
        i = k - 1
        while i >= 0 and places[i] == size - k + i:
            i -= 1
        if i < 0:
            break
        places[i] += 1
        for i in range(i + 1, k):
            places[i] = places[i - 1] + 1
    return number


# ---------------------------------------------------------------- memory and limits

cdef int plans_open(Plans* p, const Rules* rules, int player, int most) noexcept nogil:
    """0, or -1 when there is not so much memory: 34 bytes for each of ``most`` worlds and ply."""
    cdef int i
    cdef size_t room = (<size_t>most + 3) & ~<size_t>3
    cdef char* at
    memset(p, 0, sizeof(Plans))
    p.rules = rules[0]
    p.player = player
    p.most = most
    for i in range(19):
        p.utility[i] = <int64_t>(i - 9) * UNIT
    if search_open(&p.search, TABLE) < 0:
        return -1
    search_rules(&p.search, rules)
    # never touched where the plies are not needed
    p.memory = calloc(room * MOST_PLIES, 4 * 4 + 2 + MOST_MOVES)
    if p.memory == NULL:
        plans_close(p)
        return -1
    at = <char*>p.memory
    for i in range(MOST_PLIES):
        p.levels[i].hands = <uint32_t*>at
        p.levels[i].weights = <int32_t*>(at + 4 * room)
        p.levels[i].places = <int32_t*>(at + 8 * room)
        p.levels[i].legal = <uint32_t*>(at + 12 * room)
        p.levels[i].caps = <int8_t*>(at + 16 * room)
        p.levels[i].values = <int8_t*>(at + 17 * room)
        p.levels[i].opened = <int8_t*>(at + 18 * room)
        at += room * (18 + MOST_MOVES)
    return 0


cdef void plans_close(Plans* p) noexcept nogil:
    search_close(&p.search)
    free(p.memory)
    p.memory = NULL


cdef inline uint64_t work_done(const Plans* p) noexcept nogil:
    return p.search.strict.nodes + p.handled


cdef inline bint tick(Plans* p, int worlds) noexcept nogil:
    """Count so many worlds; whether to stop."""
    cdef double now
    p.handled += worlds
    if work_done(p) >= p.look_at:
        p.look_at = work_done(p) + WORK_A_LOOK
        if p.limit and work_done(p) >= p.limit:
            p.stop = True
        elif p.deadline != 0 or p.interrupted != NULL:
            now = santase_seconds()
            if p.deadline != 0 and now >= p.deadline:
                p.stop = True
            elif p.interrupted != NULL and now >= p.next_signal:
                p.next_signal = now + 0.02
                if p.interrupted(p.owner):
                    p.stop = True
    if p.search.strict.stop:
        p.stop = True
    return p.stop


# ---------------------------------------------------------------- bounds

cdef inline int best_possible(const Hand* h, const Rules* r, int player) noexcept nogil:
    """The most that ``player`` can still score: what it would be with 66 now, since the other's
    tricks and points only lower it."""
    cdef Hand end = h[0]
    end_won(&end, r, player, RIGHT_CALL)
    return value_for(&end, player)


cdef inline int with_open_cards(Plans* p, const Hand* h, int cap, int least) noexcept nogil:
    """What the hand is worth to the planning player when both see all cards, or ``cap`` if that is less."""
    cdef int value = cap
    if h.over:
        value = value_for(h, p.player)
        return value if value < cap else cap
    while value > least and not search_at_least(&p.search, h, p.player, value):
        value -= 1
    return value


cdef inline int64_t cost(const Plans* p, int weight, int cap, int value) noexcept nogil:
    return weight * (p.utility[cap + 9] - p.utility[value + 9])


cdef int64_t bound_of(Plans* p, const Hand* h, int ply, int n, int64_t budget, int least, int move, int slot) noexcept nogil:
    """What an own move loses against the caps if the cards are open after it.

    ``opened`` of the level gets what it brings; nothing of use once ``budget`` is used up.
    """
    cdef Level* level = &p.levels[ply]
    cdef int8_t* opened = level.opened + <size_t>slot * p.most
    cdef Hand after = h[0]
    cdef int i, value
    cdef int64_t bound = 0
    after.hand[1 - p.player] = level.hands[0]
    act(&after, &p.rules, move)
    for i in range(n):
        value = level.caps[i]
        if value > least:
            after.hand[1 - p.player] = level.hands[i]
            value = with_open_cards(p, &after, value, least)
            bound += cost(p, level.weights[i], level.caps[i], value)
            if bound >= budget or tick(p, 1):
                return budget
        opened[i] = <int8_t>value
    return bound


# ---------------------------------------------------------------- the search

cdef inline bint call_may_save(const Hand* h, const Rules* r, int least) noexcept nogil:
    """Whether a wrong call may cost the planner less than the worst that can come."""
    return not r.automatic and min(r.wrong_call, r.wrong_call_trickless) < -least


cdef inline uint32_t own_actions(const Hand* h, const Rules* r, int least) noexcept nogil:
    """The planner's legal actions, without those that are never better: a king or queen
    led without declaring. The right call alone where there is one; a wrong one if it may help."""
    cdef uint32_t actions = legal_actions(h, r)
    cdef int s
    if actions & bit(CALL):
        if h.points[h.leader] >= r.target:
            return bit(CALL)
        if not call_may_save(h, r, least):
            actions &= ~bit(CALL)
    for s in range(4):
        if actions & bit(MARRIAGE + s):
            actions &= ~marriage_mask(s)
    return actions


cdef int64_t plan(Plans* p, const Hand* h, int ply, int n, int64_t budget, int decisions) noexcept nogil:
    """What the best plan found loses, in all, against the caps of the ``n`` worlds of a level.

    ``h`` is the hand without the other's cards, which stand in the level's
    ``hands``. No cap is above what the world is worth with open cards. The
    values found are put into the level; but when all is lost that ``budget``
    allows, or more, the search ends there and they mean nothing.
    """
    cdef Level* level = &p.levels[ply]
    cdef int i, least, value
    cdef int64_t loss = 0
    cdef bint decided
    if tick(p, n):
        return budget
    if h.over:
        value = value_for(h, p.player)
        for i in range(n):
            if value < level.caps[i]:
                loss += cost(p, level.weights[i], level.caps[i], value)
                level.values[i] = <int8_t>value
            else:
                level.values[i] = level.caps[i]
        return loss
    least = -best_possible(h, &p.rules, 1 - p.player)
    # one world is as good as open, and so are all when nothing is left to decide
    decided = n == 1 or popcount(h.hand[p.player]) <= 1 and not call_may_save(h, &p.rules, least)
    if decided or decisions == 0 or ply >= MOST_PLIES - 2:
        if not decided:
            p.cut = True
        for i in range(n):
            level.values[i] = level.caps[i]
        return 0
    if to_move(h) == p.player:
        return own_move(p, h, ply, n, budget, decisions, least)
    return others_move(p, h, ply, n, budget, decisions, least)


cdef int64_t after_move(Plans* p, const Hand* h, int ply, int n, int64_t budget, int decisions, int least,
                        int move, int slot) noexcept nogil:
    """What is lost after an own move against what it brings with open cards."""
    cdef Level* level = &p.levels[ply]
    cdef Level* below = &p.levels[ply + 1]
    cdef const int8_t* opened = level.opened + <size_t>slot * p.most
    cdef Hand after = h[0]
    cdef int i, j = 0
    after.hand[1 - p.player] = level.hands[0]
    act(&after, &p.rules, move)
    for i in range(n):
        if opened[i] > least:
            below.hands[j] = level.hands[i]
            below.weights[j] = level.weights[i]
            below.places[j] = i
            below.caps[j] = opened[i]
            j += 1
    level.kept = j
    return plan(p, &after, ply + 1, j, budget, decisions) if j else 0


cdef void take_values(Plans* p, int ply, int n, int slot) noexcept nogil:
    """Make the values of the own move that ``after_move`` has just looked at those of the level."""
    cdef Level* level = &p.levels[ply]
    cdef Level* below = &p.levels[ply + 1]
    cdef const int8_t* opened = level.opened + <size_t>slot * p.most
    cdef int i
    for i in range(n):
        level.values[i] = opened[i]
    for i in range(level.kept):
        level.values[below.places[i]] = below.values[i]


cdef int64_t own_move(Plans* p, const Hand* h, int ply, int n, int64_t budget, int decisions, int least) noexcept nogil:
    cdef uint32_t actions = own_actions(h, &p.rules, least)
    cdef int moves[MOST_MOVES]
    cdef int64_t bounds[MOST_MOVES]
    cdef int64_t loss
    cdef int number = 0, i, m, k
    # the highest first: marriages, then high cards
    while actions:
        moves[number] = highest(actions)
        actions ^= bit(moves[number])
        number += 1
    if number > 1:
        decisions -= 1
    # what loses nothing with open cards is tried at once, for it mostly loses nothing at all
    for m in range(number):
        bounds[m] = bound_of(p, h, ply, n, budget, least, moves[m], m)
        if bounds[m] == 0 and budget > 0:
            loss = after_move(p, h, ply, n, budget, decisions, least, moves[m], m)
            if p.stop:
                return budget
            if loss < budget:
                budget = loss
                take_values(p, ply, n, m)
                if loss == 0:
                    return 0
            bounds[m] = NO_BUDGET
        if p.stop:
            return budget
    for k in range(number):
        m = 0
        for i in range(1, number):
            if bounds[i] < bounds[m]:
                m = i
        if bounds[m] >= budget:
            break
        loss = bounds[m] + after_move(p, h, ply, n, budget - bounds[m], decisions, least, moves[m], m)
        if p.stop:
            return budget
        if loss < budget:
            budget = loss
            take_values(p, ply, n, m)
        bounds[m] = NO_BUDGET
    return budget


cdef int64_t others_move(Plans* p, const Hand* h, int ply, int n, int64_t budget, int decisions, int least) noexcept nogil:
    cdef Level* level = &p.levels[ply]
    cdef Level* below = &p.levels[ply + 1]
    cdef uint32_t actions = 0, b
    cdef Hand after = h[0]
    cdef int i, j, action
    cdef int64_t loss = 0
    for i in range(n):
        after.hand[1 - p.player] = level.hands[i]
        # his calls are in the caps already
        level.legal[i] = legal_actions(&after, &p.rules) & ~bit(CALL)
        level.values[i] = level.caps[i]
        actions |= level.legal[i]
    while actions:
        action = highest(actions)
        b = bit(action)
        actions ^= b
        j = 0
        for i in range(n):
            if level.legal[i] & b and level.values[i] > least:
                below.hands[j] = level.hands[i] & ~b if action < MARRIAGE else level.hands[i]
                below.weights[j] = level.weights[i]
                below.places[j] = i
                below.caps[j] = level.values[i]
                j += 1
        if j == 0:
            continue
        after = h[0]
        after.hand[1 - p.player] = level.hands[below.places[0]]
        act(&after, &p.rules, action)
        loss += plan(p, &after, ply + 1, j, budget - loss, decisions)
        if p.stop or loss >= budget:
            return budget
        for i in range(j):
            level.values[below.places[i]] = below.values[i]
    return loss


# ---------------------------------------------------------------- from Python

cdef int need_whole_hand(const Seen* s) except -1:
    cdef int player = to_move(&s.hand)
    if s.hand.over:
        raise SantaseError("the hand is over, there is nothing to play")
    if s.hidden[player]:
        raise HiddenCardsError(f"player {player} is to move, whose hand is hidden in this view")
    return 0


def possible_hands(Position view not None):
    """All hands that the player who is not to move may hold, each as likely as any other: tuples of cards.

    There are at most 12,376. A full position has one. Raises
    ``HiddenCardsError`` when the hand of the player to move is hidden,
    ``SantaseError`` when the hand is over.
    """
    cdef int number, i, card
    cdef uint32_t hands[MOST_HANDS]
    need_whole_hand(&view.s)
    number = hands_possible(&view.s, &view.ruleset.c, 1 - to_move(&view.s.hand), hands)
    return [tuple([CARDS[card] for card in range(24) if hands[i] & bit(card)]) for i in range(number)]


def plans_apply(Position view not None):
    """Whether ``ClosedPlans`` has an answer for a view: the talon is closed or may be closed now, and
    the rules are regular."""
    return may_plan(&view.s, &view.ruleset.c)


cdef bint may_plan(const Seen* s, const Rules* r) noexcept nogil:
    """Whether there are plans in a view: the talon is closed or may be closed now, the mover's hand is
    whole and the other's is not, and the rules are regular."""
    cdef const Hand* h = &s.hand
    if h.over or s.hidden[to_move(h)] or not search_regular(r):
        return False
    return h.closer != NOBODY or (h.led == NO_CARD and h.declared == NO_SUIT and may_close(h, r))


cdef bint signals_came(void* owner) noexcept nogil:
    """Let Python handle signals; an exception of a handler stops the search and is kept."""
    with gil:
        try:
            PyErr_CheckSignals()
        except BaseException as error:
            (<ClosedPlans>owner).error = error
            return True
    return False


cdef class ClosedPlans:
    """What the actions are worth under a closing, over all hands that the other may hold.

    ``view`` is one in which the talon is closed, and the answers are for each
    action but the call; or one in which it may be closed, and the answer is for ``close``.

    ``utility`` are 19 numbers that -9 to 9 game points are worth to the player to
    move, not falling; by default those themselves. Raises ``HiddenCardsError``
    when the hand of that player is hidden, ``SantaseError`` when nothing can be
    closed, or the rules are irregular (``santase._search``). One thread at a time.
    """

    def __init__(self, Position view not None, *, utility=None):
        cdef double worth[19]
        cdef int i
        need_whole_hand(&view.s)
        if not search_regular(&view.ruleset.c):
            raise SantaseError(f"no plans under {view.rules}: there it may pay to put off a call")
        if not may_plan(&view.s, &view.ruleset.c):
            raise SantaseError("the talon is neither closed nor may it be closed now")
        for i in range(19):
            worth[i] = i - 9 if utility is None else utility[i]
        if not self.begin(&view.s, &view.ruleset.c, worth):
            raise MemoryError

    cdef bint begin(self, const Seen* seen, const Rules* rules, const double* utility) noexcept nogil:
        """Take up a view in which ``may_plan``; ``utility`` may be NULL. False if there is no memory."""
        cdef uint32_t hands[MOST_HANDS]
        cdef int player = to_move(&seen.hand), i
        self.seen = seen[0]
        self.number = hands_possible(seen, rules, 1 - player, hands)
        self.decisions = 0
        self.complete = False
        if self.opened and self.p.most >= self.number:
            # nothing that was searched before may change what a limit leaves undone
            search_clear(&self.p.search)
            search_rules(&self.p.search, rules)
            self.p.rules = rules[0]
            self.p.player = player
        else:
            if self.opened:
                plans_close(&self.p)
            self.opened = plans_open(&self.p, rules, player, self.number) == 0
            if not self.opened:
                return False
        for i in range(self.number):
            self.p.levels[0].hands[i] = hands[i]
            self.p.levels[0].weights[i] = 1
        for i in range(19):
            self.utility[i] = i - 9 if utility == NULL else utility[i]
            self.p.utility[i] = <int64_t>(UNIT * self.utility[i])
        if self.seen.hand.closer == NOBODY:
            self.tried = bit(CLOSE)
            act(&self.seen.hand, rules, CLOSE)
        else:
            self.tried = legal_actions(&self.seen.hand, rules) & ~bit(CALL)
        return True

    def __dealloc__(self):
        if self.opened:
            plans_close(&self.p)

    cdef int least(self) noexcept nogil:
        return -best_possible(&self.seen.hand, &self.p.rules, 1 - self.p.player)

    def believe(self, Belief belief not None, *, seed=0):
        """Weigh the hands by their likelihoods, which take some 10 microseconds for each action of the other."""
        cdef double* likelihoods
        cdef double most = 0
        cdef uint64_t state = seed_state(seed)
        cdef Level* level = &self.p.levels[0]
        cdef int i
        next64(&state)
        if belief.size == 0:
            return
        if belief.other == self.p.player:
            raise SantaseError("the belief is about the player to move")
        likelihoods = <double*>calloc(self.number, sizeof(double))
        if likelihoods == NULL:
            raise MemoryError
        try:
            with nogil:
                for i in range(self.number):
                    likelihoods[i] = belief.weigh(level.hands[i], &state)
                    most = max(most, likelihoods[i])
                for i in range(self.number):
                    level.weights[i] = 1 + <int32_t>((HEAVIEST - 1) * (likelihoods[i] / most if most > 0 else 1))
        finally:
            free(likelihoods)

    cdef void gather(self, int move, const int8_t* values, double (*chances)[19]) noexcept nogil:
        cdef Level* level = &self.p.levels[0]
        cdef double total = 0
        cdef int i
        memset(chances[move], 0, sizeof(double) * 19)
        for i in range(self.number):
            chances[move][values[i] + 9] += level.weights[i]
            total += level.weights[i]
        for i in range(19):
            chances[move][i] /= total

    cdef bint look_ahead(self, int decisions) noexcept nogil:
        """Search all actions so many own moves deep; whether it came to an end."""
        cdef Level* level = &self.p.levels[0]
        cdef uint32_t left = self.tried
        cdef const Hand* h = &self.seen.hand
        cdef int least = self.least(), most = best_possible(h, &self.p.rules, self.p.player)
        cdef int move, i
        self.p.cut = False
        while left:
            move = lowest(left)
            left &= left - 1
            for i in range(self.number):
                level.caps[i] = <int8_t>most
            if move == CLOSE:
                # what the position is worth with open cards, before any own move is chosen
                for i in range(self.number):
                    level.caps[i] = <int8_t>self.open_value(i, most, least)
                    if tick(&self.p, 1):
                        return False
                self.gather(CLOSE, level.caps, self.opened_chances)
                plan(&self.p, h, 0, self.number, NO_BUDGET, decisions)
            else:
                bound_of(&self.p, h, 0, self.number, NO_BUDGET, least, move, 0)
                if self.p.stop:
                    return False
                self.gather(move, level.opened, self.opened_chances)
                after_move(&self.p, h, 0, self.number, NO_BUDGET, decisions - 1, least, move, 0)
                if not self.p.stop:
                    take_values(&self.p, 0, self.number, 0)
            if self.p.stop or self.p.search.strict.stop:
                return False
            self.gather(move, level.values, self.searching)
        return True

    cdef int open_value(self, int i, int most, int least) noexcept nogil:
        cdef Hand world = self.seen.hand
        world.hand[1 - self.p.player] = self.p.levels[0].hands[i]
        return with_open_cards(&self.p, &world, most, least)

    cdef void go(self, uint64_t work, double seconds, int decisions) noexcept nogil:
        """``run`` for compiled code."""
        cdef bint done = True
        cdef int depth = self.decisions
        self.p.stop = False
        self.p.limit = work_done(&self.p) + work if work else 0
        self.p.deadline = santase_seconds() + seconds if seconds != 0 else 0
        self.p.look_at = 0
        search_limits(&self.p.search, work, seconds)
        while done and not self.complete and depth < decisions:
            # three are quick; what is more than that costs little more than the next would
            depth = depth + 1 if depth < 3 else decisions
            done = self.look_ahead(depth)
            if done:
                self.decisions = depth
                self.complete = not self.p.cut
                self.chances = self.searching

    cdef void spend(self, int64_t worlds, double seconds) noexcept nogil:
        """Search with what an analysis of so many worlds or so many seconds has for it, which is all under
        a closing and a part where the talon may be closed, or where half of it brings no answer. Without time
        the answer depends on ``worlds`` alone."""
        cdef bint part = self.tried == bit(CLOSE)
        cdef uint64_t work = 0, before = work_done(&self.p)
        cdef double started
        if seconds <= 0:
            return
        if worlds < MOST_WORLDS:
            work = <uint64_t>worlds * (CLOSING_WORK if part else CLOSED_WORK)
        if seconds == INFINITY:
            self.go(work, 0, DEEPEST)
        elif part:
            self.go(work, seconds * CLOSING_SHARE, DEEPEST)
        else:
            started = santase_seconds()
            self.go(work, seconds * FIRST_SHARE, 1)
            seconds -= santase_seconds() - started
            if work:
                work -= min(work - 1, work_done(&self.p) - before)      # never 0, which would be no limit
            if self.decisions and seconds > 0 and not self.p.stop:
                self.go(work, seconds, DEEPEST)

    def run(self, *, uint64_t work=0, double seconds=0, int decisions=DEEPEST):
        """Search one own move deeper at a time, on from what is known, up to so many, until the end, or within so
        many seconds or so much work (nodes of the solver and worlds looked at; 0 for no limit), without the GIL.

        What counts is the last depth that was searched to the end. Ctrl-C stops it.
        """
        self.p.interrupted = signals_came
        self.p.owner = <void*>self
        self.p.next_signal = 0
        with nogil:
            self.go(work, seconds, decisions)
        self.raise_kept()

    def analyse(self, int64_t worlds, double seconds):
        """Search with what an analysis of so many worlds within so many seconds (infinite: as long as
        they take) has for it, without the GIL. Ctrl-C stops it."""
        self.p.interrupted = signals_came
        self.p.owner = <void*>self
        self.p.next_signal = 0
        with nogil:
            self.spend(worlds, seconds)
        self.raise_kept()

    cdef int raise_kept(self) except -1:
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return 0

    cdef double worth(self, int action) noexcept nogil:
        """What an action is chosen by, in units of the utility."""
        cdef double plan = 0, opened = 0, share = CLOSING_OPEN_CARDS if action == CLOSE else OPEN_CARDS
        cdef int i
        for i in range(19):
            plan += self.chances[action][i] * self.utility[i]
            opened += self.opened_chances[action][i] * self.utility[i]
        return (1 - share) * plan + share * opened

    @property
    def work(self):
        """Nodes of the solver and worlds looked at, so far."""
        return work_done(&self.p)

    def found(self):
        """Of each action: ``{Action: (plan, opened)}``, the chances of -9, ..., 9 game points, each
        a list of 19: by the plan found, and with open cards. Empty before any search came to an end."""
        if self.decisions == 0:
            return {}
        return {
            ACTION_OBJECTS[a]: (
                [self.chances[a][i] for i in range(19)], [self.opened_chances[a][i] for i in range(19)]
            )
            for a in range(31) if self.tried & bit(a)
        }
