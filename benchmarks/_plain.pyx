"""Two plain searches, for comparison and as an oracle; nothing in the library uses them.

``Plain`` is the yardstick: what one writes in an afternoon. Questions "is it worth
at least v?", the state copied at every node, one table of 16-byte entries keyed by
hands, leader, closer, exchange and question, with point dominance in the entry;
marriages and unbeatable cards led first; two cheap bounds in the strict phase; 66
called when reached and never wrongly, a marriage declared when one of its cards is
led. It is right under the preset ``santase`` (and rules that score like it).

``minimax`` knows nothing at all: every legal action, wrong calls too, no table, no
ordering, no bounds but alpha and beta. It is right under all rules.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from santase._core cimport Position
from santase._rules cimport (
    CALL, CARD_POINTS, CLOSE, EXCHANGE, MARRIAGE, NO_CARD, NO_SUIT, NOBODY, Hand, Rules,
    above, act, bit, highest, legal_actions, lowest, marriage_mask, marriages, points_of, suit_mask,
    talon_open, to_move, value_for,
)

from santase.actions import ACTIONS


cdef int minimax_value(const Hand* h, const Rules* r, int alpha, int beta) noexcept nogil:
    """The value for the player to move, exact between alpha and beta."""
    cdef uint32_t actions = legal_actions(h, r)
    cdef int player = to_move(h), best = -100, value, low
    cdef Hand after
    while actions:
        after = h[0]
        act(&after, r, lowest(actions))
        actions &= actions - 1
        low = max(alpha, best)
        if after.over:
            value = value_for(&after, player)
        elif to_move(&after) == player:
            value = minimax_value(&after, r, low, beta)
        else:
            value = -minimax_value(&after, r, -beta, -low)
        if value > best:
            best = value
            if best >= beta:
                break
    return best


def minimax(Position position not None):
    """``{action: value}`` for the player to move, by plain minimax."""
    cdef const Hand* h = &position.s.hand
    cdef const Rules* r = &position.ruleset.c
    cdef uint32_t actions = legal_actions(h, r)
    cdef int action, value
    cdef Hand after
    found = {}
    while actions:
        action = lowest(actions)
        actions &= actions - 1
        with nogil:
            after = h[0]
            act(&after, r, action)
            if after.over:
                value = value_for(&after, to_move(h))
            else:
                value = minimax_value(&after, r, -100, 100)
                if to_move(&after) != to_move(h):
                    value = -value
        found[ACTIONS[action]] = value
    return found


cdef struct Entry:
    uint64_t key
    uint8_t yes[2]          # attacker's points from, defender's up to
    uint8_t no[2]           # attacker's points up to, defender's from
    uint8_t answered
    uint8_t spare[3]


cdef struct State:
    Entry* table
    int shift
    uint64_t root           # told apart from other roots
    Rules rules
    int attacker, level
    uint64_t nodes


cdef class Plain:
    """The plain search with a table of ``1 << bits`` entries of 16 bytes."""

    cdef State state

    def __cinit__(self, int bits=20):
        self.state.table = <Entry*>calloc(<size_t>1 << bits, sizeof(Entry))
        if self.state.table == NULL:
            raise MemoryError
        self.state.shift = 64 - bits

    def __dealloc__(self):
        free(self.state.table)

    @property
    def nodes(self):
        return self.state.nodes

    def value(self, Position position not None):
        """The value for the player to move."""
        cdef State* s = &self.state
        cdef const Hand* h = &position.s.hand
        cdef int player = to_move(h), value = 1
        s.rules = position.ruleset.c
        s.root += 1
        with nogil:
            if holds(s, h, player, 1):
                while value < 3 and holds(s, h, player, value + 1):
                    value += 1
            elif s.rules.tie_void and not holds(s, h, 1 - player, 1):
                value = 0
            else:
                while value < 3 and holds(s, h, 1 - player, value + 1):
                    value += 1
                value = -value
        return value


cdef bint holds(State* s, const Hand* h, int attacker, int level) noexcept nogil:
    s.attacker = attacker
    s.level = level
    return at_least(s, h)


cdef bint at_least(State* s, const Hand* h) noexcept nogil:
    if h.over:
        return value_for(h, s.attacker) >= s.level
    return lead_node(s, h) if h.led == NO_CARD else reply_node(s, h)


cdef bint reply_node(State* s, const Hand* h) noexcept nogil:
    cdef uint32_t actions = legal_actions(h, &s.rules)
    cdef bint attacks = 1 - h.leader == s.attacker
    cdef Hand after
    cdef uint32_t winning = actions & (above(h.led) | (suit_mask(h.trump) if h.led // 6 != h.trump else 0))
    cdef int card
    s.nodes += 1
    actions &= ~winning
    while winning | actions:
        # who can take the trick does, with the highest card; else the lowest
        if winning:
            card = highest(winning)
            winning ^= bit(card)
        else:
            card = cheapest(actions)
            actions ^= bit(card)
        after = h[0]
        act(&after, &s.rules, card)
        if at_least(s, &after) == attacks:
            return attacks
    return not attacks


cdef inline int cheapest(uint32_t cards) noexcept nogil:
    """The card of the lowest rank."""
    cdef int rank
    for rank in range(6):
        if cards & 0x041041 << rank:
            return lowest(cards & 0x041041 << rank)
    return -1


cdef bint after_action(State* s, const Hand* h, int action, int then) noexcept nogil:
    cdef Hand after = h[0]
    act(&after, &s.rules, action)
    if then >= 0 and not after.over:
        act(&after, &s.rules, then)
    return at_least(s, &after)


cdef uint64_t key_of(const State* s, const Hand* h) noexcept nogil:
    cdef uint64_t key = <uint64_t>h.hand[0] | <uint64_t>h.hand[1] << 24
    cdef uint64_t rest = (
        h.leader | h.closer << 1 | (h.turned % 6 == s.rules.exchange_rank) << 3 | s.attacker << 4 | s.level << 5
        | (h.tricks[0] != 0) << 8 | (h.tricks[1] != 0) << 9 | h.pending[0] // 20 << 10 | h.pending[1] // 20 << 12
        | talon_open(h) << 14 | <uint64_t>h.facedown << 15 | s.root << 20)
    key ^= rest * <uint64_t>0x9E3779B97F4A7C15
    key ^= key >> 29
    key *= <uint64_t>0xBF58476D1CE4E5B9
    key ^= key >> 32
    return key * <uint64_t>0x94D049BB133111EB


cdef bint lead_node(State* s, const Hand* h) noexcept nogil:
    cdef const Rules* r = &s.rules
    cdef int leader = h.leader, a = s.attacker, d = 1 - a, suit, card
    cdef bint attacks = leader == a, strict = not talon_open(h), answer = not attacks
    cdef uint32_t actions, declarable, pair, first, other = h.hand[1 - leader]
    cdef int mine = h.points[a], theirs = h.points[d], left, cash
    cdef uint64_t key
    cdef Entry* e
    s.nodes += h.declared == NO_SUIT
    if h.declared != NO_SUIT:
        actions = legal_actions(h, r) & ~bit(CALL)
        if h.points[leader] >= r.target:
            return after_action(s, h, CALL, -1)
        while actions:
            if after_action(s, h, lowest(actions), -1) == attacks:
                return attacks
            actions &= actions - 1
        return not attacks
    if h.points[leader] >= r.target:
        return after_action(s, h, CALL, -1)
    if strict:
        # neither can come to more than all that is left
        left = points_of(h.hand[0] | h.hand[1]) + (r.last_trick_bonus if h.closer == NOBODY else 0)
        if h.closer != d and mine + h.pending[a] + left + all_marriages(h, a) < r.target - (h.closer == NOBODY):
            return False
        if h.closer == d and s.level <= r.closer_fails and theirs + h.pending[d] + left + all_marriages(h, d) < r.target:
            return True
        # the leader's trumps above all of the other's are his tricks
        card = 6 * h.trump + 5
        cash = 0
        while card >= 6 * h.trump and not other & bit(card):
            if h.hand[leader] & bit(card):
                cash += CARD_POINTS[card]
            card -= 1
        if attacks and s.level == 1 and mine + cash >= r.target:
            return True
        if not attacks and theirs + cash >= r.target:
            return False
    key = key_of(s, h)
    e = &s.table[key >> s.shift]
    if e.key == key:
        if e.answered & 1 and mine >= e.yes[0] and theirs <= e.yes[1]:
            return True
        if e.answered & 2 and mine <= e.no[0] and theirs >= e.no[1]:
            return False
    actions = legal_actions(h, r) & ~bit(CALL)
    declarable = actions >> MARRIAGE & 15
    while True:
        if actions & bit(EXCHANGE) and after_action(s, h, EXCHANGE, -1) == attacks:
            answer = attacks
            break
        if actions & bit(CLOSE) and after_action(s, h, CLOSE, -1) == attacks:
            answer = attacks
            break
        first = declarable
        while first:
            suit = lowest(first)
            first &= first - 1
            actions &= ~marriage_mask(suit)
            if after_action(s, h, MARRIAGE + suit, -1) == attacks:
                answer = attacks
                break
        if answer == attacks:
            break
        actions &= 0xFFFFFF
        # unbeatable ones first
        pair = actions
        first = 0
        while pair:
            card = lowest(pair)
            pair &= pair - 1
            if not other & above(card) and (card // 6 == h.trump or not other & suit_mask(h.trump) or
                                            (strict and other & suit_mask(card // 6))):
                first |= bit(card)
        actions &= ~first
        while first:
            card = highest(first)
            if after_action(s, h, card, -1) == attacks:
                answer = attacks
                break
            first ^= bit(card)
        if answer == attacks:
            break
        while actions:
            card = cheapest(actions)
            if after_action(s, h, card, -1) == attacks:
                answer = attacks
                break
            actions ^= bit(card)
        break
    if e.key != key:
        e.key = key
        e.answered = 0
    if answer:
        e.answered |= 1
        e.yes[0] = <uint8_t>mine
        e.yes[1] = <uint8_t>theirs
    else:
        e.answered |= 2
        e.no[0] = <uint8_t>mine
        e.no[1] = <uint8_t>theirs
    return answer


cdef inline int all_marriages(const Hand* h, int player) noexcept nogil:
    cdef int suit, value = 0
    for suit in range(4):
        if marriage_mask(suit) & ~h.hand[player] == 0:
            value += 40 if suit == h.trump else 20
    return value
