"""Hands by the thousand for the trainer: self-play, matches, and the sparse layer.

Floating-point twins of the network in ``santase._network``: what is trained
here is rounded to whole numbers only when it is shipped. Endings without
hidden cards are not the network's business and are settled exactly. A call is
no decision either: 66 is called when it has been reached, and only then.

All functions release the GIL and keep to the arrays that they are given, so
that several threads can work at once.
"""

from libc.math cimport expf, logf
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from santase._core cimport Position, deal_hand
from santase._features cimport (
    FEATURES, MAX_ACTIVE, MOVES, Suits, action_of, encode, move_of, moves_to_canonical, to_canonical,
)
from santase._random cimport next64, pick
from santase._rules cimport (
    CALL, CLOSE, EXCHANGE, MARRIAGE, NO_CARD, NO_SUIT, NOBODY, Hand, Knowledge, Rules,
    above, act, act_known, bit, declare, end_called, highest, lead, legal_actions, lowest,
    marriage_mask, marriages, popcount, reply, reply_wins, strict_replies, suit_mask, talon_open,
    to_move, value_for,
)
from santase._ruleset cimport RuleSet

from santase._ruleset import ruleset_of
from santase.actions import ACTIONS
from santase.errors import IllegalActionError
from santase.rules import rules_of

cdef extern from "_kernels.h" nogil:
    void sum_rows(const float* table, const float* bias, int width, const uint16_t* inputs, int n, float* out)
    void dense(const float* w, const float* bias, int n, int width, const float* x, float* out)
    void sum_rows_many(const float* table, const float* bias, int width, const uint16_t** inputs, const int* n,
                       int count, float* out)
    void add_to_rows_many(float* table, const float* g, int width, const uint16_t** inputs, const int* n, int count)
    void dense_many(const float* w, const float* bias, int n, int width, const float* x, int count, float* out)
    void dense_backward_many(const float* w, float* gw, int n, int width, const float* x, const float* dz,
                             int count, float* dx)
    void add_many(float* to, const float* x, int width, int count)


cdef enum:
    CHUNK = 32                           # decisions that are differentiated together, as in _kernels.h
    NEXT_CARDS = 4                       # of the talon, that the critic sees in order
    HIDDEN = 24 + 24 * NEXT_CARDS        # the critic's further inputs
    MAX_WIDTH = 1024
    HEAD = 32                            # 30 logits, the value, nothing
    MAX_DECISIONS = 64                   # in one hand
    MAX_PRESETS = 8
    FORGOTTEN = -6                       # log-probability under which a closing is not pushed further down

INPUTS = FEATURES
CRITIC_INPUTS = FEATURES + HIDDEN
LONGEST = MAX_DECISIONS


# ---------------------------------------------------------------- the exact ending

cdef int ending(const Hand* h, const Rules* r, int alpha, int beta) noexcept nogil:
    """The value for the leader of an exhausted hand, exact between ``alpha`` and ``beta``."""
    cdef Hand after
    cdef int p = h.leader
    cdef int o = 1 - p
    cdef int hi, lo, v, card
    cdef uint32_t suits, cards, sure, rest, theirs
    if not r.automatic and h.points[p] >= r.target:
        after = h[0]
        end_called(&after, r)
        return value_for(&after, p)
    hi = 3 if h.tricks[o] == 0 else 2 if h.points[o] < r.schneider else 1
    lo = -3 if h.tricks[p] == 0 else -2 if h.points[p] < r.schneider else -1
    if hi <= alpha:
        return hi
    if lo >= beta:
        return lo
    if beta > hi:
        beta = hi
    rest = h.hand[p]
    suits = marriages(h, r)
    # the trump marriage first
    while suits:
        v = h.trump if suits >> h.trump & 1 else lowest(suits)
        suits &= ~(<uint32_t>1 << v)
        rest &= ~marriage_mask(v)
        after = h[0]
        declare(&after, r, v)
        if after.over:
            v = value_for(&after, p)
        elif not r.automatic and after.points[p] >= r.target:
            end_called(&after, r)
            v = value_for(&after, p)
        else:
            cards = marriage_mask(v)
            card = lowest(cards)
            v = answer(&after, r, card, alpha, beta)
            if v < beta:
                if v > alpha:
                    alpha = v
                hi = answer(&after, r, card + 1, alpha, beta)
                if hi > v:
                    v = hi
        if v >= beta:
            return v
        if v > alpha:
            alpha = v
    theirs = h.hand[o]
    sure = 0
    cards = rest
    while cards:
        card = highest(cards)
        cards &= ~bit(card)
        if not theirs & above(card) and (
                not theirs & suit_mask(h.trump) or theirs & suit_mask(card // 6)):
            sure |= bit(card)
    rest &= ~sure
    while sure | rest:
        if sure:
            card = highest(sure)
            sure &= ~bit(card)
        else:
            card = lowest(rest)
            rest &= ~bit(card)
        v = answer(h, r, card, alpha, beta)
        if v >= beta:
            return v
        if v > alpha:
            alpha = v
    return alpha


cdef int answer(const Hand* before, const Rules* r, int led, int alpha, int beta) noexcept nogil:
    """The value for the leader of leading ``led``."""
    cdef Hand h = before[0]
    cdef Hand after
    cdef int p = h.leader
    cdef int v, card
    cdef uint32_t cards
    lead(&h, led)
    cards = strict_replies(h.hand[1 - p], led, h.trump)
    while cards:
        card = highest(cards)
        if not reply_wins(led, card, h.trump):
            card = lowest(cards)
        cards &= ~bit(card)
        after = h
        reply(&after, r, card)
        if after.over:
            v = value_for(&after, p)
        elif after.leader == p:
            v = ending(&after, r, alpha, beta)
        else:
            v = -ending(&after, r, -beta, -alpha)
        if v <= alpha:
            return v
        if v < beta:
            beta = v
    return beta


# ---------------------------------------------------------------- networks

cdef struct Net:
    const float* w1
    const float* b1
    const float* w2
    const float* b2
    const float* w3
    const float* b3
    int h1
    int h2
    int out


cdef void forward(const Net* net, const uint16_t* inputs, int n, float* out) noexcept nogil:
    cdef float first[MAX_WIDTH]
    cdef float second[MAX_WIDTH]
    sum_rows(net.w1, net.b1, net.h1, inputs, n, first)
    dense(net.w2, net.b2, net.h1, net.h2, first, second)
    dense(net.w3, net.b3, net.h2, net.out, second, out)


cdef class Weights:
    """A network's arrays, kept alive: w1 (inputs, h1), b1, w2 (h1, h2), b2, w3 (h2, out), b3; float32."""
    cdef Net net
    cdef readonly tuple arrays

    def __init__(self, const float[:, ::1] w1, const float[::1] b1, const float[:, ::1] w2,
                 const float[::1] b2, const float[:, ::1] w3, const float[::1] b3):
        self.arrays = (w1, b1, w2, b2, w3, b3)
        self.net.w1 = &w1[0, 0]
        self.net.b1 = &b1[0]
        self.net.w2 = &w2[0, 0]
        self.net.b2 = &b2[0]
        self.net.w3 = &w3[0, 0]
        self.net.b3 = &b3[0]
        self.net.h1 = w1.shape[1]
        self.net.h2 = w2.shape[1]
        self.net.out = w3.shape[1]
        if (self.net.h1 % 32 or self.net.h2 % 32 or self.net.out != HEAD):
            raise ValueError("widths are multiples of 32, and there are 32 outputs")
        if (w2.shape[0] != self.net.h1 or w3.shape[0] != self.net.h2 or self.net.h1 > MAX_WIDTH
                or self.net.h2 > MAX_WIDTH or self.net.out > HEAD):
            raise ValueError("the shapes of the arrays do not fit")


# ---------------------------------------------------------------- moves from logits

cdef inline float uniform(uint64_t* state) noexcept nogil:
    return (next64(state) >> 40) * <float>(1.0 / 16777216.0)


cdef inline float log_softmax(float* logits, uint32_t moves) noexcept nogil:
    """Turn the logits of ``moves`` into log-probabilities; returns their entropy."""
    cdef float top = -1e30, total = 0, entropy = 0
    cdef uint32_t left = moves
    cdef int m
    while left:
        m = lowest(left)
        left &= left - 1
        if logits[m] > top:
            top = logits[m]
    left = moves
    while left:
        m = lowest(left)
        left &= left - 1
        total += expf(logits[m] - top)
    total = top + logf(total)
    left = moves
    while left:
        m = lowest(left)
        left &= left - 1
        logits[m] -= total
        entropy -= logits[m] * expf(logits[m])
    return entropy


cdef inline int sample(const float* logp, uint32_t moves, uint64_t* state) noexcept nogil:
    cdef float u = uniform(state)
    cdef int m = 0
    while moves:
        m = lowest(moves)
        moves &= moves - 1
        u -= expf(logp[m])
        if u < 0:
            break
    return m


cdef inline int most_likely(const float* logits, uint32_t moves) noexcept nogil:
    cdef int best = lowest(moves), m
    while moves:
        m = lowest(moves)
        moves &= moves - 1
        if logits[m] > logits[best]:
            best = m
    return best


# ---------------------------------------------------------------- hands in play

cdef struct Table:
    # A hand in play, what is publicly known, and how the player to move sees it.
    Hand hand
    Knowledge known
    const Rules* rules
    uint32_t moves                       # legal, in canonical suits, the call left out
    Suits suits
    int count                            # inputs


cdef inline void deal(Table* t, const Rules* r, uint64_t* state, int leader) noexcept nogil:
    t.rules = r
    deal_hand(&t.hand, r, state, leader)
    memset(&t.known, 0, sizeof(Knowledge))


cdef inline void look(Table* t, uint16_t* inputs) noexcept nogil:
    """Write the network's inputs, and find the moves."""
    cdef int other = 1 - to_move(&t.hand)
    t.count = encode(&t.hand, &t.known, t.rules, t.known.holds[other], inputs, &t.suits)
    t.moves = moves_to_canonical(legal_actions(&t.hand, t.rules), &t.suits)


cdef inline void play_move(Table* t, int move) noexcept nogil:
    act_known(&t.hand, t.rules, &t.known, action_of(move, &t.suits))


cdef class Mix:
    """Rules and how likely each is dealt: presets by name, or house rules in the notation."""
    cdef Rules rules[MAX_PRESETS]
    cdef float upto[MAX_PRESETS]
    cdef int n
    cdef list rulesets

    def __init__(self, mix):
        total = sum(mix.values())
        upto = 0.0
        if not 0 < len(mix) <= MAX_PRESETS:
            raise ValueError("one to eight rules")
        self.rulesets = [ruleset_of(rules_of(name)) for name in mix]
        for ruleset, share in zip(self.rulesets, mix.values()):
            upto += share / total
            self.rules[self.n] = (<RuleSet>ruleset).c
            self.upto[self.n] = upto
            self.n += 1

    cdef const Rules* draw(self, uint64_t* state) noexcept nogil:
        cdef float u = uniform(state)
        cdef int i = 0
        while i < self.n - 1 and u >= self.upto[i]:
            i += 1
        return &self.rules[i]

    cdef Position position(self, const Table* t):
        """The full position on a table whose rules are of this mix."""
        cdef Position position = Position.__new__(Position)
        position.s.hand = t.hand
        position.s.known = t.known
        position.ruleset = self.rulesets[t.rules - &self.rules[0]]
        return position


# ---------------------------------------------------------------- who plays

cdef class Actor:
    """One who decides in hands that are played here."""

    cdef int begin(self, uint64_t seed, int seat) except -1 nogil:
        """A hand begins."""
        return 0

    cdef int choose(self, Table* t, uint64_t* state) except -1 nogil:
        """A move, or ``CALL``, for the player to move; sets ``suits`` of the table."""
        return 0

    cdef int note(self, const Table* before, int action) except -1 nogil:
        """The player to move, this one or the other, is about to do ``action``."""
        return 0


cdef class RandomActor(Actor):
    """Any move, all equally likely."""

    cdef int choose(self, Table* t, uint64_t* state) except -1 nogil:
        cdef uint16_t inputs[MAX_ACTIVE]
        look(t, inputs)
        return pick(state, t.moves, popcount(t.moves))


cdef class NetworkActor(Actor):
    """A network without search: its most likely move, or where it is ``sampled`` a move by its probabilities."""
    cdef readonly Weights weights
    cdef readonly bint sampled

    def __init__(self, Weights weights not None, bint sampled=False):
        self.weights = weights
        self.sampled = sampled

    cdef int choose(self, Table* t, uint64_t* state) except -1 nogil:
        cdef uint16_t inputs[MAX_ACTIVE]
        cdef float out[HEAD]
        look(t, inputs)
        forward(&self.weights.net, inputs, t.count, out)
        if not self.sampled:
            return most_likely(out, t.moves)
        log_softmax(out, t.moves)
        return sample(out, t.moves, state)


cdef class OutsideActor(Actor):
    """A ``santase.players.Player``, called with the GIL where there is more than one thing to do.

    It sits at one seat at a time, and is told of all actions, forced ones included.
    """
    cdef object player
    cdef Mix mix
    cdef int seat

    def __init__(self, player, Mix mix not None):
        self.player = player
        self.mix = mix

    cdef int begin(self, uint64_t seed, int seat) except -1 nogil:
        self.seat = seat
        with gil:
            self.player.begin(seed, seat)
        return 0

    cdef int choose(self, Table* t, uint64_t* state) except -1 nogil:
        cdef uint16_t inputs[MAX_ACTIVE]
        look(t, inputs)
        with gil:
            return self.ask(t)

    cdef int note(self, const Table* before, int action) except -1 nogil:
        with gil:
            self.player.note(to_move(&before.hand), ACTIONS[action], self.seen(before))
        return 0

    cdef Position seen(self, const Table* t):
        position = self.mix.position(t)
        return position if self.player.sees_all else position.view(self.seat)

    cdef int ask(self, const Table* t) except -1:
        position = self.seen(t)
        action = self.player.choose(position)
        if action not in position.legal_actions():
            raise IllegalActionError(f"{action} is not legal in {position}")
        return CALL if action == ACTIONS[CALL] else move_of(action.number, t.suits.place)


cdef inline int settled(Table* t, int* value, Actor a, Actor b) except -1 nogil:
    """Go on to the next decision of the open or closed phase; if there is none
    the hand is worth ``value`` to player 0. ``a`` and ``b``, or ``None``, are told of what is done on the way."""
    cdef Hand* h = &t.hand
    cdef const Rules* r = t.rules
    cdef uint32_t actions
    cdef int action
    while not h.over:
        if h.led == NO_CARD:
            if not r.automatic and h.points[h.leader] >= r.target:
                end_called(h, r)
                break
            if h.facedown == 0 and h.closer == NOBODY:
                value[0] = ending(h, r, -3, 3)
                if h.leader:
                    value[0] = -value[0]
                return True
        actions = legal_actions(h, r) & ~bit(CALL)
        if actions & (actions - 1):
            return False
        action = lowest(actions)
        if a is not None:
            a.note(t, action)
        if b is not None:
            b.note(t, action)
        act_known(h, r, &t.known, action)
    value[0] = value_for(h, 0)
    return True


# ---------------------------------------------------------------- batches to learn from

cdef inline int put_hidden(const Hand* h, const Suits* suits, uint16_t* inputs, int n) noexcept nogil:
    """The critic's further inputs: the other's hand and the next cards of the talon."""
    cdef uint32_t cards = to_canonical(h.hand[1 - to_move(h)], suits)
    cdef uint64_t talon = h.talon
    cdef int i
    while cards:
        inputs[n] = <uint16_t>(FEATURES + lowest(cards))
        cards &= cards - 1
        n += 1
    if h.closer == NOBODY:
        for i in range(NEXT_CARDS if h.facedown > NEXT_CARDS else h.facedown):
            inputs[n] = <uint16_t>(FEATURES + 24 + 24 * i + lowest(to_canonical(bit(<int>(talon & 31)), suits)))
            talon >>= 5
            n += 1
    return n


cdef class Batch:
    """The decisions of a batch of hands, arrays of ``capacity`` rows of which ``n`` are filled.

    Row i: inputs ``inputs[start[i]:seen[i]]`` of the view, up to ``end[i]`` with the
    critic's; ``moves`` legal, ``move`` taken, ``logp`` of it; ``old`` log-probabilities
    of all moves by the policy or its magnet; ``advantage`` and ``target`` for the
    player to move, in thirds of game points.
    """
    cdef readonly object inputs, start, seen, end, moves, move, logp, old, advantage, target, result
    cdef readonly Py_ssize_t capacity
    cdef readonly Py_ssize_t n
    cdef readonly Py_ssize_t hands
    cdef readonly object stats

    def __init__(self, Py_ssize_t capacity):
        import numpy as np

        self.capacity = capacity
        self.inputs = np.zeros(capacity * 64 + MAX_ACTIVE + HIDDEN, dtype=np.uint16)
        self.start = np.zeros(capacity, dtype=np.int32)
        self.seen = np.zeros(capacity, dtype=np.int32)
        self.end = np.zeros(capacity, dtype=np.int32)
        self.moves = np.zeros(capacity, dtype=np.uint32)
        self.move = np.zeros(capacity, dtype=np.uint8)
        self.logp = np.zeros(capacity, dtype=np.float32)
        self.old = np.zeros((capacity, MOVES), dtype=np.float32)
        self.advantage = np.zeros(capacity, dtype=np.float32)
        self.target = np.zeros(capacity, dtype=np.float32)
        self.result = np.zeros(capacity, dtype=np.float32)
        self.stats = np.zeros(8, dtype=np.float64)

    def play(self, Weights policy, Weights critic, Actor other, Weights magnet, Mix mix,
             uint64_t seed, float trust, float closings, float spared):
        """Fill the batch with hands of ``policy`` against itself, or against ``other``
        where that is given (then ``policy``'s decisions alone are looked at, its
        seat changing from hand to hand).

        ``critic`` sees all cards; without one the policy's own value is the
        baseline. ``trust`` is lambda: 1 for plain results, less to believe the
        critic's next values. ``magnet``'s log-probabilities go to ``old``.

        ``closings`` is the chance that the talon is closed, where it may be,
        whatever the policy says: a network that has learned that its closings
        fail would otherwise never find out that it has come to play them
        better. The forced closing itself is learned from as if it had been
        chosen, save that a policy which hardly ever closes there is not pushed
        further from it; decisions before it are credited with the critic's
        value of the moment, not with what came of it.

        ``spared`` is the share of decisions left out of those that were as good
        as certain (98 %): there is next to nothing to learn from them.
        """
        cdef uint16_t[::1] inputs = self.inputs
        cdef int32_t[::1] start = self.start, seen = self.seen, end = self.end
        cdef uint32_t[::1] moves = self.moves
        cdef uint8_t[::1] move = self.move
        cdef float[::1] logp = self.logp, advantage = self.advantage, target = self.target
        cdef float[::1] result = self.result
        cdef float[:, ::1] old = self.old
        cdef double[::1] stats = self.stats
        cdef const Rules* r
        cdef Table t
        cdef float out[HEAD]
        cdef float pull[HEAD]
        cdef float worth[HEAD]
        cdef float values[MAX_DECISIONS]      # to player 0
        cdef int32_t rows[MAX_DECISIONS]
        cdef int8_t who[MAX_DECISIONS]
        cdef int8_t forced[MAX_DECISIONS]
        cdef uint16_t* row
        cdef float G, entropy
        cdef Py_ssize_t n = 0, at = 0, hands = 0
        cdef int decisions, all, seat, player, m, i, value = 0, sign
        cdef uint64_t state = seed
        cdef bint recorded
        self.stats[:] = 0
        with nogil:
            while n + MAX_DECISIONS <= self.capacity and at + MAX_DECISIONS * 64 < inputs.shape[0]:
                r = mix.draw(&state)
                deal(&t, r, &state, <int>(next64(&state) >> 63))
                seat = <int>(next64(&state) >> 63)
                if other is not None:
                    other.begin(next64(&state), 1 - seat)
                decisions = 0
                hands += 1
                while decisions < MAX_DECISIONS and not settled(&t, &value, other, None):
                    player = to_move(&t.hand)
                    if other is not None and player != seat:
                        m = other.choose(&t, &state)
                        other.note(&t, action_of(m, &t.suits))
                        play_move(&t, m)
                        continue
                    recorded = True
                    row = &inputs[at]
                    look(&t, row)
                    forward(&policy.net, row, t.count, out)
                    entropy = log_softmax(out, t.moves)
                    m = sample(out, t.moves, &state)
                    forced[decisions] = 0
                    if t.moves & bit(CLOSE):
                        stats[1] += 1
                        stats[2] += m == CLOSE
                        if closings > 0 and uniform(&state) < closings and m != CLOSE:
                            m = CLOSE
                            forced[decisions] = 1 if out[CLOSE] > FORGOTTEN else 2
                    if spared > 0 and expf(out[m]) > 0.98 and uniform(&state) < spared:
                        recorded = False
                    all = t.count
                    values[decisions] = out[MOVES]
                    if critic is not None:
                        all = put_hidden(&t.hand, &t.suits, row, t.count)
                        forward(&critic.net, row, all, worth)
                        values[decisions] = worth[0]
                    if player:
                        values[decisions] = -values[decisions]
                    rows[decisions] = -1
                    who[decisions] = <int8_t>player
                    if recorded:
                        rows[decisions] = <int32_t>n
                        start[n] = <int32_t>at
                        seen[n] = <int32_t>(at + t.count)
                        end[n] = <int32_t>(at + all)
                        moves[n] = t.moves
                        move[n] = <uint8_t>m
                        logp[n] = out[m]
                        stats[0] += entropy
                        if magnet is not None:
                            forward(&magnet.net, row, t.count, pull)
                            log_softmax(pull, t.moves)
                            for i in range(MOVES):
                                old[n, i] = pull[i]
                        n += 1
                        at += all
                    decisions += 1
                    if other is not None:
                        other.note(&t, action_of(m, &t.suits))
                    play_move(&t, m)
                G = value * <float>(1.0 / 3.0)
                stats[3] += value * value
                for i in range(decisions - 1, -1, -1):
                    sign = -1 if who[i] else 1
                    if rows[i] >= 0:
                        advantage[rows[i]] = sign * (G - values[i])
                        target[rows[i]] = sign * G
                        if forced[i]:
                            target[rows[i]] = sign * values[i]
                            if forced[i] == 2 and advantage[rows[i]] < 0:
                                advantage[rows[i]] = 0
                        result[rows[i]] = sign * value * <float>(1.0 / 3.0)
                        stats[4] += (value * <float>(1.0 / 3.0) - values[i]) * (value * <float>(1.0 / 3.0) - values[i])
                    if forced[i]:
                        G = values[i]
                    elif critic is not None:
                        G = values[i] + trust * (G - values[i])
            self.n = n
            self.hands = hands


def play_match(Actor a not None, Actor b not None, Mix mix not None, uint64_t seed, Py_ssize_t deals):
    """Mirrored deals of ``a`` against ``b``; float64 array of ``a``'s game points a
    hand, the mean of the two hands of each deal.

    The deals hang on the seed alone, not on who plays.
    """
    import numpy as np

    cdef double[::1] scores
    cdef Table t
    cdef const Rules* r
    cdef uint64_t state = seed, chance = seed ^ <uint64_t>0x5851F42D4C957F2DULL, dealt, deal_state
    cdef Py_ssize_t i
    cdef int seat, move, value = 0
    results = np.zeros(deals)
    scores = results
    with nogil:
        for i in range(deals):
            r = mix.draw(&state)
            dealt = next64(&state)
            for seat in range(2):
                deal_state = dealt
                deal(&t, r, &deal_state, 0)
                a.begin(next64(&chance), seat)
                b.begin(next64(&chance), 1 - seat)
                while not settled(&t, &value, a, b):
                    move = a.choose(&t, &chance) if to_move(&t.hand) == seat else b.choose(&t, &chance)
                    a.note(&t, action_of(move, &t.suits))
                    b.note(&t, action_of(move, &t.suits))
                    play_move(&t, move)
                scores[i] += 0.5 * (value if seat == 0 else -value)
    return results


def best_ending(Position position not None):
    """The number of a best action in an exhausted hand, all of whose cards are known."""
    cdef Hand* h = &position.s.hand
    cdef const Rules* r = &position.ruleset.c
    cdef uint32_t actions = legal_actions(h, r)
    cdef int player = to_move(h)
    cdef int best = -1, best_value = -9, action, value
    cdef Hand after
    if actions & bit(CALL):
        if h.points[h.leader] >= r.target:
            return CALL
        actions ^= bit(CALL)
    while actions:
        action = highest(actions)
        actions ^= bit(action)
        after = h[0]
        act(&after, r, action)
        if after.over:
            value = value_for(&after, player)
        elif after.led != NO_CARD:
            # back to the lead, since endings begin there
            value = answer(h, r, action, -3, 3)
        elif after.declared != NO_SUIT:
            action = lowest(marriage_mask(after.declared))
            value = max(answer(&after, r, action, -3, 3), answer(&after, r, action + 1, -3, 3))
            action = MARRIAGE + after.declared
            if not r.automatic and after.points[player] >= r.target:
                end_called(&after, r)
                value = value_for(&after, player)
        else:
            value = ending(&after, r, -3, 3)
            if after.leader != player:
                value = -value
        if value > best_value:
            best_value = value
            best = action
    return best


def time_endings(Mix mix, uint64_t seed, Py_ssize_t hands):
    """Play ``hands`` at random as far as the exhausted talon and settle them; how many were."""
    cdef Table t
    cdef uint64_t state = seed
    cdef uint32_t legal
    cdef Py_ssize_t i, ended = 0
    cdef int value = 0
    with nogil:
        for i in range(hands):
            deal(&t, mix.draw(&state), &state, 0)
            while not settled(&t, &value, None, None):
                legal = legal_actions(&t.hand, t.rules) & ~(bit(CALL) | bit(CLOSE))
                act_known(&t.hand, t.rules, &t.known, pick(&state, legal, popcount(legal)))
            ended += t.hand.over == 0
    return ended


# ---------------------------------------------------------------- learning

cdef class Gradient:
    """Sums of gradients, arrays of the shapes of ``Weights``."""
    cdef float[:, ::1] w1, w2, w3
    cdef float[::1] b1, b2, b3
    cdef readonly dict arrays

    def __init__(self, dict like):
        import numpy as np

        self.arrays = {name: np.zeros_like(array) for name, array in like.items()}
        self.w1, self.b1 = self.arrays["w1"], self.arrays["b1"]
        self.w2, self.b2 = self.arrays["w2"], self.arrays["b2"]
        self.w3, self.b3 = self.arrays["w3"], self.arrays["b3"]

    def clear(self):
        for array in self.arrays.values():
            array[...] = 0

    cdef void step(self, const Net* net, const uint16_t** inputs, const int* n, int count, const float* first,
                   const float* second, const float* d_out) noexcept nogil:
        """Add the gradient of ``count`` decisions, given that of their outputs."""
        cdef float d_first[CHUNK * MAX_WIDTH]
        cdef float d_second[CHUNK * MAX_WIDTH]
        dense_backward_many(net.w3, &self.w3[0, 0], net.h2, net.out, second, d_out, count, d_second)
        dense_backward_many(net.w2, &self.w2[0, 0], net.h1, net.h2, first, d_second, count, d_first)
        add_many(&self.b3[0], d_out, net.out, count)
        add_many(&self.b2[0], d_second, net.h2, count)
        add_many(&self.b1[0], d_first, net.h1, count)
        add_to_rows_many(&self.w1[0, 0], d_first, net.h1, inputs, n, count)


def bring_up_to_date(Weights policy, dict data):
    """Make up for a batch having been played by slightly older weights.

    Writes ``policy``'s own log-probabilities to ``data["logp"]``, so that a step is
    held close to the policy it starts from, and weighs each advantage by how
    much likelier the move has become, at most twice (decoupled PPO, Hilton,
    Cobbe and Schulman, 2022).
    """
    cdef const uint16_t[::1] inputs = data["inputs"]
    cdef const int32_t[::1] start = data["start"], seen = data["seen"]
    cdef const uint32_t[::1] moves = data["moves"]
    cdef const uint8_t[::1] move = data["move"]
    cdef float[::1] logp = data["logp"], advantage = data["advantage"]
    cdef float out[HEAD]
    cdef float ratio
    cdef Py_ssize_t i
    with nogil:
        for i in range(logp.shape[0]):
            forward(&policy.net, &inputs[start[i]], seen[i] - start[i], out)
            log_softmax(out, moves[i])
            ratio = expf(out[move[i]] - logp[i])
            advantage[i] *= ratio if ratio < 2 else 2
            logp[i] = out[move[i]]


def differentiate(Weights policy, Weights critic, Gradient to_policy, Gradient to_critic, dict data,
                  const int32_t[::1] which, float share, float clip, float entropy_weight, float value_weight,
                  float magnet):
    """Add to the gradients the loss of some decisions of a batch, each counting ``share``.

    The loss is PPO's clipped one, less ``entropy_weight`` times the entropy, plus
    ``value_weight`` times the policy's and once the critic's squared error, plus
    ``magnet`` times the divergence from ``data["old"]``. Returns sums of: gain,
    the two squared errors, squared moves of log-probability, decisions clipped.
    """
    cdef const uint16_t[::1] inputs = data["inputs"]
    cdef const int32_t[::1] start = data["start"], seen = data["seen"], end = data["end"]
    cdef const uint32_t[::1] moves = data["moves"]
    cdef const uint8_t[::1] move = data["move"]
    cdef const float[::1] old_logp = data["logp"], advantage = data["advantage"], target = data["target"]
    cdef const float[:, ::1] old = data["old"]
    cdef const Net* net = &policy.net
    cdef float first[CHUNK * MAX_WIDTH]
    cdef float second[CHUNK * MAX_WIDTH]
    cdef float outs[CHUNK * HEAD]
    cdef float d_outs[CHUNK * HEAD]
    cdef const uint16_t* given[CHUNK]
    cdef int n[CHUNK]
    cdef float* out
    cdef float* d_out
    cdef double gain = 0, value_loss = 0, critic_loss = 0, moved = 0, outside = 0
    cdef float entropy, pull, ratio, A, push, p, error
    cdef uint32_t legal, left
    cdef Py_ssize_t chunk, at, row
    cdef int m, j, i, count
    with nogil:
        for chunk in range((which.shape[0] + CHUNK - 1) // CHUNK):
            at = chunk * CHUNK
            count = <int>(which.shape[0] - at) if which.shape[0] - at < CHUNK else CHUNK
            for i in range(count):
                row = which[at + i]
                given[i] = &inputs[start[row]]
                n[i] = seen[row] - start[row]
            sum_rows_many(net.w1, net.b1, net.h1, given, n, count, first)
            dense_many(net.w2, net.b2, net.h1, net.h2, first, count, second)
            dense_many(net.w3, net.b3, net.h2, net.out, second, count, outs)
            memset(d_outs, 0, sizeof(d_outs))
            for i in range(count):
                row = which[at + i]
                out = outs + HEAD * i
                d_out = d_outs + HEAD * i
                legal = moves[row]
                entropy = log_softmax(out, legal)
                j = move[row]
                A = advantage[row]
                ratio = expf(out[j] - old_logp[row])
                push = ratio * A
                if (A > 0 and ratio > 1 + clip) or (A < 0 and ratio < 1 - clip):
                    push = 0
                gain += (1 + clip) * A if push == 0 and A > 0 else (1 - clip) * A if push == 0 else push
                moved += (out[j] - old_logp[row]) * (out[j] - old_logp[row])
                outside += ratio > 1 + clip or ratio < 1 - clip
                pull = 0
                if magnet > 0:
                    left = legal
                    while left:
                        m = lowest(left)
                        left &= left - 1
                        pull += expf(out[m]) * (out[m] - old[row, m])
                left = legal
                while left:
                    m = lowest(left)
                    left &= left - 1
                    p = expf(out[m])
                    d_out[m] = push * p + entropy_weight * p * (out[m] + entropy)
                    if magnet > 0:
                        d_out[m] += magnet * p * (out[m] - old[row, m] - pull)
                d_out[j] -= push
                error = out[MOVES] - target[row]
                value_loss += error * error
                d_out[MOVES] = 2 * value_weight * error
                for m in range(MOVES + 1):
                    d_out[m] *= share
            to_policy.step(net, given, n, count, first, second, d_outs)
            if critic is None:
                continue
            for i in range(count):
                row = which[at + i]
                n[i] = end[row] - start[row]
            sum_rows_many(critic.net.w1, critic.net.b1, critic.net.h1, given, n, count, first)
            dense_many(critic.net.w2, critic.net.b2, critic.net.h1, critic.net.h2, first, count, second)
            dense_many(critic.net.w3, critic.net.b3, critic.net.h2, critic.net.out, second, count, outs)
            memset(d_outs, 0, sizeof(d_outs))
            for i in range(count):
                error = outs[HEAD * i] - target[which[at + i]]
                critic_loss += error * error
                d_outs[HEAD * i] = 2 * error * share
            to_critic.step(&critic.net, given, n, count, first, second, d_outs)
    return gain, value_loss, critic_loss, moved, outside
