"""The exact search: what a hand is worth when all cards are known.

The value is found by questions "is it worth at least v to this player?", v from
1 up, to either side: the extreme ones first, for they are cheap, and one that
is answered yes saves the rest. A question goes through the open phase trick by
trick and ends in races (``_strict``) when the talon is exhausted or somebody
closes it.

Never wrong under regular rules, and so not searched: a player with 66 calls at
once; who leads the king or queen of a marriage declares it. A wrong call costs
what the rules say and is considered only where it costs less than the question
is about. Rules are irregular when waiting may pay, as when a failed closing
costs *less* if the closer has no trick; hands under such rules are searched
plainly, which takes a long time for many cards.

Every answer knows for what points it holds (``attacker_bound``,
``defender_bound``). It is monotonic: more points for the attacker and fewer for
the defender never turn a yes into a no. There is one exception (``touchy``):
where 66 ends the hand by itself and a closing is worth more than that, a card or
a marriage too many can end the hand before the attacker has closed. While the
talon is open such an answer holds for just these points of the attacker, of
like cards none is left out, and a marriage may go undeclared.
"""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memset

from santase._rules cimport (
    CALL, CARD_POINTS, CARD_SUIT, EXCHANGE, MARRIAGE, NO_CARD, NO_SUIT, NOBODY, Hand, Rules,
    above, act, highest, legal_actions, lowest, marriage_mask, popcount, reply_wins, talon_open, to_move, value_for,
)
from santase._strict cimport (
    ANY, ATTACKER_LEADS, END_BONUS, END_HIGH, END_LAST, END_LEADER, END_OTHER, LATE_ZERO,
    LEADER_PENDING, OTHER_PENDING, TRICKLESS, UNKNOWN, Entry, Strict, lead_race, reply_race,
)


cdef extern from "_clock.h" nogil:
    double santase_seconds()


cdef enum:
    TRUMP = 3
    TRUMPS = 0xFC0000
    QUEENS = 0x104104
    BY_HAND = 3             # of a race: its rare circumstances must be played out
    NODES_A_LOOK = 2048     # between two looks at the clock, about 0.1 ms
    NOTHING = 31            # no action


# ---------------------------------------------------------------- memory

cdef int log2_of(size_t entries) noexcept nogil:
    cdef int bits = 0
    while entries >> (bits + 1):
        bits += 1
    return bits


cdef int search_open(Search* s, size_t bytes) noexcept nogil:
    """0, or -1 when there is not so much memory.

    Half of it is for each of the two tables, or less, down to a power of two of
    entries. More than fits into the processor's second cache does not pay.
    """
    cdef int bits
    memset(s, 0, sizeof(Search))
    s.strict.look = look
    s.strict.owner = s
    s.talon_size = -1
    if bytes < 1024:
        return 0
    bits = log2_of(bytes // 2 // sizeof(Entry))
    s.strict.table = <Entry*>calloc(<size_t>1 << bits, sizeof(Entry))
    s.strict.table_shift = 64 - bits
    bits = log2_of(bytes // 2 // sizeof(OpenEntry))
    s.table = <OpenEntry*>calloc(<size_t>1 << bits, sizeof(OpenEntry))
    s.table_shift = 64 - bits
    if s.strict.table == NULL or s.table == NULL:
        search_close(s)
        return -1
    return 0


cdef void search_close(Search* s) noexcept nogil:
    free(s.strict.table)
    free(s.table)
    s.strict.table = NULL
    s.table = NULL


cdef void search_clear(Search* s) noexcept nogil:
    """Forget everything."""
    if s.table != NULL:
        memset(s.strict.table, 0, sizeof(Entry) << (64 - s.strict.table_shift))
        memset(s.table, 0, sizeof(OpenEntry) << (64 - s.table_shift))
    s.talon_number = 0
    s.talon_size = -1


cdef bint search_regular(const Rules* rules) noexcept nogil:
    """Whether waiting never pays, see above."""
    return (
        rules.closer_under_33 <= 3
        and rules.closer_fails_trickless >= rules.closer_fails
        and rules.wrong_call_trickless >= rules.wrong_call
    )


cdef void search_rules(Search* s, const Rules* rules) noexcept nogil:
    cdef int most = 3
    if s.highest and memcmp(&s.rules, rules, sizeof(Rules)) == 0:
        return
    if s.highest:
        search_clear(s)
    s.talon_size = -1
    s.rules = rules[0]
    s.strict.bonus = rules.last_trick_bonus
    s.strict.first_marriage = rules.marriage_before_first_trick
    s.early_end = rules.automatic and rules.closer_under_33 > 2
    s.irregular = not search_regular(rules)
    most = max(most, <int>rules.closer_under_33)
    most = max(most, <int>rules.closer_fails)
    most = max(most, <int>rules.closer_fails_trickless)
    if not rules.automatic:
        most = max(most, <int>rules.wrong_call)
        most = max(most, <int>rules.wrong_call_trickless)
    s.highest = most


# ---------------------------------------------------------------- limits

cdef int look(Strict* strict) noexcept nogil:
    """Every so many nodes: have a limit or a signal come?"""
    cdef Search* s = <Search*>strict
    cdef double now
    if strict.stop:
        return 1
    if s.node_limit and strict.nodes >= s.node_limit:
        strict.stop = NODE_LIMIT
    elif s.deadline != 0 or s.interrupted != NULL:
        now = santase_seconds()
        if s.deadline != 0 and now >= s.deadline:
            strict.stop = TIME_LIMIT
        elif s.interrupted != NULL and now >= s.next_signal:
            s.next_signal = now + 0.02
            if s.interrupted(s.owner):
                strict.stop = INTERRUPTED
    if strict.stop:
        strict.look_at = 0
        return 1
    next_look(s)
    return 0


cdef inline void next_look(Search* s) noexcept nogil:
    s.strict.look_at = s.strict.nodes + NODES_A_LOOK
    if s.node_limit and s.strict.look_at > s.node_limit:
        s.strict.look_at = s.node_limit


cdef void search_limits(Search* s, uint64_t nodes, double seconds) noexcept nogil:
    """Limits from now on, 0 for none; also takes back an earlier stop."""
    s.strict.stop = 0
    s.node_limit = s.strict.nodes + nodes if nodes else 0
    s.deadline = santase_seconds() + seconds if seconds != 0 else 0
    if s.deadline == 0 and nodes == 0 and s.interrupted == NULL:
        s.strict.look_at = ~<uint64_t>0
    else:
        next_look(s)
        if s.deadline != 0:
            s.strict.look_at = s.strict.nodes + 1


# ---------------------------------------------------------------- from points to races

cdef struct Lead:
    # A player on lead, in either phase. Trumps are spades.
    uint32_t hand[2]
    int points[2]
    int pending[2]
    bint tricks[2]          # has taken one
    int leader
    int drawn               # open: cards drawn so far from the search's talon
    int turned
    bint exchanged          # open: the turned card is the one that is exchanged for
    int closer
    int closing_points
    int closing_tricks


cdef inline int answer(Search* s, bint yes, int attacker_bound, int defender_bound) noexcept nogil:
    s.attacker_bound = attacker_bound
    s.defender_bound = defender_bound
    return yes


cdef inline int wrong_call_cost(const Rules* r, const Lead* o, int caller) noexcept nogil:
    cdef bint tricks
    if not r.trickless_other:
        tricks = o.tricks[caller]
    elif o.closer == caller:
        tricks = o.closing_tricks != 0
    else:
        tricks = o.tricks[1 - caller]
    return r.wrong_call if tricks else r.wrong_call_trickless


cdef int race(Search* s, const Lead* o, int led) noexcept nogil:
    """The question where no more cards are drawn; ``led`` (in the hand still) or NO_CARD.

    1, 0, UNKNOWN after a quick look only, or BY_HAND.
    """
    cdef const Rules* r = &s.rules
    cdef int a = s.attacker, d = 1 - a
    cdef int level = s.level
    cdef int leader = o.leader
    cdef int mine = o.points[a], theirs = o.points[d]
    cdef bint defender_tricks = o.tricks[d]
    cdef bint attacker_past, defender_past
    cdef bint high = False          # the defender must stay under something other than 66
    cdef bint zero = False          # the defender's need is 0 by circumstances, not by his points
    cdef int base = r.target        # the defender's need is base less his points
    cdef int most = ANY             # a bound on the defender's points for a yes
    cdef int end, cost, trickless_cost, saves
    cdef int need, other_need, result, leader_bound, other_bound, bound, defender_bound
    cdef uint32_t kind
    if o.closer == NOBODY:
        end = END_BONUS if r.tie_void and not r.last_trick_wins else END_LAST
        if level == 2:
            if defender_tricks and theirs >= r.schneider:
                return answer(s, False, ANY, r.schneider)
            base = min(r.schneider, r.target)
            high = True
        elif level == 3:
            if defender_tricks:
                return answer(s, False, ANY, 0)
            base = 0
            high = True
        elif level > 3:
            return answer(s, False, ANY, 0)
        if high:
            end = END_HIGH
    elif o.closer == a:
        end = END_OTHER             # from the attacker: the cards run out for him
        if r.score_at_closing:
            if o.closing_tricks == 0:
                cost = 3
            elif o.closing_points < r.schneider:
                cost = r.closer_under_33
            else:
                cost = 1
            if level > cost:
                return answer(s, False, ANY, theirs)
            if level > 1 and o.closing_tricks and o.closing_points == theirs:
                most = r.schneider - 1
        elif level > 1:
            high = True
            if level <= r.closer_under_33:
                if defender_tricks and theirs >= r.schneider:
                    return answer(s, False, ANY, r.schneider)
                base = min(r.schneider, r.target)
            elif level <= 3:
                base = 0
                if defender_tricks:
                    return answer(s, False, ANY, 0)
            else:
                return answer(s, False, ANY, 0)
    else:
        end = END_LEADER
        if r.trickless_other:
            if level > (r.closer_fails if o.closing_tricks else r.closer_fails_trickless):
                return answer(s, False, ANY, 0)
        elif level > r.closer_fails:
            if level > r.closer_fails_trickless or defender_tricks:
                return answer(s, False, ANY, 0)
            base = 0
            high = True
    need = r.target - mine
    other_need = base - theirs
    if high and other_need < 0:
        other_need = 0
    attacker_past = mine >= r.target
    defender_past = theirs >= r.target
    saves = 0                       # 1: by a wrong call whenever he leads; 2: once the attacker,
    if not r.automatic:             # 3: once he himself has a trick
        if led == NO_CARD:
            if leader == a and attacker_past:
                return answer(s, True, r.target, min(theirs, most))
            if leader == d and defender_past:
                return answer(s, False, ANY, r.target)
            if leader == d and wrong_call_cost(r, o, d) < level:
                return answer(s, False, ANY, 0)
        if not (high and other_need == 0):
            cost = r.wrong_call
            trickless_cost = r.wrong_call_trickless
            if not r.trickless_other:
                if cost < level:
                    saves = 3 if leader == d and not defender_tricks else 1
            elif o.closer == d:
                if (cost if o.closing_tricks else trickless_cost) < level:
                    saves = 1
            elif o.tricks[a]:
                if cost < level:
                    saves = 1
            elif trickless_cost < level:
                saves = 1
            elif cost < level:
                saves = 2
    if attacker_past or defender_past:
        return BY_HAND
    kind = 0
    if saves:
        # A closer who cannot stop the other from leading has lost the question:
        # the other's need is 0. (Should it be the last trick, the closing fails.)
        if o.closer != a:
            return BY_HAND
        if saves == 2:
            kind = LATE_ZERO | (ATTACKER_LEADS if leader == a else 0)
        elif leader == a:
            other_need = 0
            zero = True
        else:
            return BY_HAND
    if not o.tricks[leader]:
        kind |= TRICKLESS | (o.pending[leader] // 20) * LEADER_PENDING
    if not o.tricks[1 - leader]:
        kind |= (o.pending[1 - leader] // 20) * OTHER_PENDING
    if leader == a:
        kind |= end
        if end == END_BONUS or end == END_HIGH:
            kind |= ATTACKER_LEADS
    else:
        need, other_need = other_need, need
        if end == END_LEADER:
            end = END_OTHER
        elif end == END_OTHER:
            end = END_LEADER
        kind |= end
    if led == NO_CARD:
        result = lead_race(&s.strict, o.hand[leader], o.hand[1 - leader], need, other_need, kind)
    else:
        result = reply_race(&s.strict, o.hand[leader], o.hand[1 - leader], led, need, other_need, kind)
    if result == UNKNOWN:
        return UNKNOWN
    leader_bound = s.strict.leader_bound
    other_bound = s.strict.other_bound
    if leader != a:
        result = not result
        leader_bound, other_bound = other_bound, leader_bound
    # now the attacker's and the defender's
    if result:
        bound = 0 if leader_bound >= ANY else max(0, r.target - leader_bound)
        if high and (base == 0 or not defender_tricks):
            defender_bound = ANY
        elif zero:
            defender_bound = r.target - 1
        else:
            defender_bound = min(base - max(other_bound, 1), r.target - 1)
        return answer(s, True, bound, min(defender_bound, most))
    bound = r.target - max(leader_bound, 1)
    if zero:
        defender_bound = theirs
    elif other_bound >= ANY:
        defender_bound = 0
    else:
        defender_bound = max(0, base - other_bound)
    return answer(s, False, bound, defender_bound)


# ---------------------------------------------------------------- the open phase

cdef inline int won_score(const Rules* r, const Lead* o, int winner, bint closed) noexcept nogil:
    """Game points of a right call, the caller having closed or nobody."""
    if not o.tricks[1 - winner]:
        return 3
    if o.points[1 - winner] < r.schneider:
        return r.closer_under_33 if closed else 2
    return 1


cdef inline bint touchy(const Search* s) noexcept nogil:
    """More points may be worse for the attacker while the talon is open: see the top."""
    return s.early_end and s.level > 2


cdef inline int called(Search* s, const Lead* o, int points) noexcept nogil:
    """The attacker's right call is worth the level, and would be with ``points``."""
    return answer(s, True, points, s.rules.schneider - 1 if s.level > 1 and o.tricks[1 - s.attacker] else ANY)


cdef inline int lead(Search* s, const Lead* o) noexcept nogil:
    """The question for a lead just reached by a trick, or the root's."""
    cdef const Rules* r = &s.rules
    cdef int leader = o.leader
    cdef int left = s.talon_size - o.drawn
    cdef int result
    if o.points[leader] >= r.target:
        if leader != s.attacker:
            return answer(s, False, ANY, r.target)
        if won_score(r, o, leader, False) >= s.level:
            return called(s, o, r.target)
        # who has not been called yet may close first where that is worth more
        if not r.automatic and left > 0 and left >= r.close_min_talon and won_score(r, o, leader, True) >= s.level:
            return called(s, o, r.target)
        return answer(s, False, o.points[leader], o.points[1 - leader])
    if left > 0:
        return open_lead(s, o)
    result = race(s, o, NO_CARD)
    if result == BY_HAND:
        return UNKNOWN if s.strict.quick else race_by_hand(s, o)
    return result


cdef inline void play_trick(const Search* s, const Lead* o, Lead* n, int led, int reply, int marriage) noexcept nogil:
    cdef int leader = o.leader
    cdef int winner = leader
    n[0] = o[0]
    if reply_wins(led, reply, TRUMP):
        winner = 1 - leader
    n.hand[leader] ^= <uint32_t>1 << led
    n.hand[1 - leader] ^= <uint32_t>1 << reply
    if marriage:
        if n.tricks[leader]:
            n.points[leader] += marriage
        else:
            n.pending[leader] += marriage
    n.points[winner] += CARD_POINTS[led] + CARD_POINTS[reply] + n.pending[winner]
    n.pending[winner] = 0
    n.tricks[winner] = True
    n.leader = winner
    n.hand[winner] |= <uint32_t>1 << s.talon[o.drawn]
    if o.drawn + 1 == s.talon_size:
        n.hand[1 - winner] |= <uint32_t>1 << o.turned
        n.turned = NO_CARD
        n.drawn = o.drawn + 1
    else:
        n.hand[1 - winner] |= <uint32_t>1 << s.talon[o.drawn + 1]
        n.drawn = o.drawn + 2


cdef inline uint32_t face_down(const Search* s, const Lead* o) noexcept nogil:
    """The cards still to be drawn, the turned one too."""
    cdef uint32_t cards = <uint32_t>1 << o.turned
    cdef int i
    for i in range(o.drawn, s.talon_size):
        cards |= <uint32_t>1 << s.talon[i]
    return cards


cdef inline uint32_t pairable(uint32_t cards) noexcept nogil:
    """The kings and queens whose partners are among the cards too."""
    cdef uint32_t pairs = cards & (cards >> 1) & QUEENS
    return pairs | pairs << 1


cdef inline uint32_t unlike(uint32_t cards, uint32_t elsewhere, uint32_t special, uint32_t exchange, bint low) noexcept nogil:
    """Of the cards of a choice with nothing from elsewhere between them the
    lowest or highest; marriage cards and the exchange card all stay."""
    cdef uint32_t chosen = 0, b, between
    cdef int card, before = -1
    cdef bint have = False
    while cards:
        card = lowest(cards) if low else highest(cards)
        b = <uint32_t>1 << card
        cards ^= b
        if b & exchange:
            chosen |= b
            before = -1
            continue
        between = 0
        if before >= 0:
            between = b - (<uint32_t>2 << before) if low else (<uint32_t>1 << before) - (b << 1)
        if before >= 0 and CARD_SUIT[before] == CARD_SUIT[card] and elsewhere & between == 0:
            if special & b:
                chosen |= b
            elif not have:
                chosen |= b
                have = True
        else:
            chosen |= b
            have = special & b == 0
        before = card
    return chosen


cdef inline void seen_from(Search* s, const Lead* before, const Lead* after) noexcept nogil:
    """Turn the bounds of a position after a trick into those before it."""
    cdef int a = s.attacker
    if s.attacker_bound < ANY:
        s.attacker_bound = max(0, s.attacker_bound - (after.points[a] - before.points[a]))
    if s.defender_bound < ANY:
        s.defender_bound = max(0, s.defender_bound - (after.points[1 - a] - before.points[1 - a]))


cdef int open_reply(Search* s, const Lead* o, int led, int marriage) noexcept nogil:
    """The question with ``led`` (in the hand still) led in the open phase."""
    cdef int leader = o.leader
    cdef bint attacks = 1 - leader == s.attacker
    cdef uint32_t hand = o.hand[1 - leader]
    cdef uint32_t winning, losing, elsewhere, special, exchange
    cdef int order[12]
    cdef int weight[12]
    cdef int number = 0, i, j, card, w, result, killer
    cdef int attacker_bound, defender_bound
    cdef Lead after
    s.strict.nodes += 1
    winning = hand & above(led)
    if CARD_SUIT[led] != TRUMP:
        winning |= hand & TRUMPS
    losing = hand & ~winning
    special = face_down(s, o)
    elsewhere = special | (o.hand[leader] & ~(<uint32_t>1 << led))
    special = pairable(special | hand)
    exchange = <uint32_t>1 << (6 * TRUMP + s.rules.exchange_rank)
    if not touchy(s):
        winning = unlike(winning, elsewhere, special, exchange, False)
        losing = unlike(losing, elsewhere, special, exchange, True)
    # the suit from the highest, trumps from the lowest, then the cheapest loser;
    # before all the reply that last decided against this lead at this trick
    killer = s.killer_reply[o.drawn][leader][led]
    while winning | losing:
        if winning:
            card = highest(winning)
            winning ^= <uint32_t>1 << card
            w = 200 + card if CARD_SUIT[card] == CARD_SUIT[led] else 150 - card
        else:
            card = lowest(losing)
            losing ^= <uint32_t>1 << card
            w = 100 - CARD_POINTS[card] - (6 if CARD_SUIT[card] == TRUMP else 0)
        if card == killer:
            w = 1000
        j = number
        number += 1
        while j > 0 and weight[j - 1] < w:
            weight[j] = weight[j - 1]
            order[j] = order[j - 1]
            j -= 1
        weight[j] = w
        order[j] = card
    if number > 1:
        # what the table, or for the last open trick the bounds, know already
        if s.talon_size - o.drawn <= 2:
            s.strict.quick = True
            for i in range(number):
                play_trick(s, o, &after, led, order[i], marriage)
                result = lead(s, &after)
                if result == attacks:
                    s.strict.quick = False
                    seen_from(s, o, &after)
                    return result
            s.strict.quick = False
        else:
            for i in range(number):
                play_trick(s, o, &after, led, order[i], marriage)
                if after.points[after.leader] < s.rules.target and probe(s, &after) == attacks:
                    seen_from(s, o, &after)
                    return attacks
    attacker_bound = ANY if attacks else 0
    defender_bound = 0 if attacks else ANY
    for i in range(number):
        play_trick(s, o, &after, led, order[i], marriage)
        result = lead(s, &after)
        if s.strict.stop:
            return 0
        seen_from(s, o, &after)
        if result == attacks:
            s.killer_reply[o.drawn][leader][led] = <uint8_t>order[i]
            return result
        if attacks:
            attacker_bound = min(attacker_bound, s.attacker_bound)
            defender_bound = max(defender_bound, s.defender_bound)
        else:
            attacker_bound = max(attacker_bound, s.attacker_bound)
            defender_bound = min(defender_bound, s.defender_bound)
    return answer(s, not attacks, attacker_bound, defender_bound)


cdef inline uint64_t open_key(const Search* s, const Lead* o) noexcept nogil:
    #   bits  60 ... 57 | 56   | 55 ... 52 | 51 50 | 49     | 48     | 47 ... 24 | 23 ... 0
    #         drawn     | a's  | level     | tricks| exch.  | leader | hand 1    | hand 0
    # and 62, 61: pending / 20 of the one without a trick
    cdef uint64_t pending = (o.pending[0] + o.pending[1]) // 20
    return (<uint64_t>o.hand[0] | <uint64_t>o.hand[1] << 24 | <uint64_t>o.leader << 48
            | <uint64_t>o.exchanged << 49 | <uint64_t>o.tricks[0] << 50 | <uint64_t>o.tricks[1] << 51
            | <uint64_t>s.level << 52 | <uint64_t>s.attacker << 56 | <uint64_t>o.drawn << 57
            | pending << 61)


cdef inline OpenEntry* open_entry(const Search* s, uint64_t key, bint* found) noexcept nogil:
    """The entry of a key, or the one to put it into."""
    cdef uint64_t mixed = key * <uint64_t>0x9E3779B97F4A7C15
    cdef OpenEntry* e
    cdef OpenEntry* f
    mixed ^= mixed >> 32
    mixed = mixed * <uint64_t>0xD6E8FEB86659FD93 >> s.table_shift
    e = &s.table[mixed]
    found[0] = True
    if e.key == key and e.talon == s.talon_number:
        return e
    f = &s.table[mixed ^ 1]
    if f.key == key and f.talon == s.talon_number:
        return f
    found[0] = False
    # the entry nearer to the first trick stays
    if e.talon == s.talon_number and <int>(e.key >> 57 & 15) < <int>(key >> 57 & 15):
        return f
    return e


cdef inline int known(Search* s, const OpenEntry* e, const Lead* o) noexcept nogil:
    cdef int mine = o.points[s.attacker], theirs = o.points[1 - s.attacker]
    if touchy(s):
        if e.answered & 1 and mine == e.yes[0] and theirs <= e.yes[1]:
            return answer(s, True, mine, e.yes[1])
        if e.answered & 2 and mine == e.no[0] and theirs >= e.no[1]:
            return answer(s, False, mine, e.no[1])
        return UNKNOWN
    if e.answered & 1 and mine >= e.yes[0] and theirs <= e.yes[1]:
        return answer(s, True, e.yes[0], e.yes[1])
    if e.answered & 2 and mine <= e.no[0] and theirs >= e.no[1]:
        return answer(s, False, e.no[0], e.no[1])
    return UNKNOWN


cdef inline int probe(Search* s, const Lead* o) noexcept nogil:
    cdef bint found
    cdef OpenEntry* e
    if s.table == NULL:
        return UNKNOWN
    e = open_entry(s, open_key(s, o), &found)
    return known(s, e, o) if found else UNKNOWN


cdef inline void gather(Search* s, bint attacks, int* attacker_bound, int* defender_bound) noexcept nogil:
    """Add the bounds of one more action that did not help the player to move."""
    if attacks:
        attacker_bound[0] = min(attacker_bound[0], s.attacker_bound)
        defender_bound[0] = max(defender_bound[0], s.defender_bound)
    else:
        attacker_bound[0] = max(attacker_bound[0], s.attacker_bound)
        defender_bound[0] = min(defender_bound[0], s.defender_bound)


cdef int open_lead(Search* s, const Lead* o) noexcept nogil:
    """The question for a player on lead, the talon open, who has not 66."""
    cdef const Rules* r = &s.rules
    cdef int leader = o.leader, a = s.attacker, d = 1 - a, level = s.level
    cdef bint attacks = leader == a
    cdef int left = s.talon_size - o.drawn
    cdef int mine = o.points[a], theirs = o.points[d]
    cdef bint any_trick = o.tricks[0] or o.tricks[1]
    cdef int attacker_bound, defender_bound, result, best = NOTHING, tried = NOTHING
    cdef int i, j, card, w, marriage, number = 0, difference, low_card
    cdef int order[12]
    cdef int weight[12]
    cdef int lead_attacker[12]
    cdef int lead_defender[12]
    cdef uint32_t hand = o.hand[leader], other = o.hand[1 - leader]
    cdef uint32_t queens, pairs, special, elsewhere, left_cards, b
    cdef uint64_t key = 0
    cdef OpenEntry* e = NULL
    cdef bint found = False, skip
    cdef Lead after
    s.strict.nodes += 1
    if s.strict.nodes >= s.strict.look_at and look(&s.strict):
        return 0
    if not attacks and not r.automatic and wrong_call_cost(r, o, d) < level:
        return answer(s, False, ANY, 0)
    # what cannot be worth the level any more; the defender need not close
    if o.tricks[d]:
        if level > max(2, <int>r.closer_under_33):
            return answer(s, False, ANY, 0)
        if level > 1 and theirs >= r.schneider:
            return answer(s, False, ANY, r.schneider)
    elif level > 3:
        return answer(s, False, ANY, 0)
    if s.table != NULL:
        key = open_key(s, o)
        e = open_entry(s, key, &found)
        if found:
            result = known(s, e, o)
            if result != UNKNOWN:
                return result
            tried = e.best

    attacker_bound = r.target - 1 if attacks else 0
    defender_bound = 0 if attacks else r.target - 1
    result = attacks
    while True:     # left by break with an action that decides
        if left >= r.close_min_talon and (any_trick or r.close_before_first_trick):
            after = o[0]
            after.closer = leader
            after.closing_points = o.points[1 - leader]
            after.closing_tricks = o.tricks[1 - leader]
            i = race(s, &after, NO_CARD)
            if i == BY_HAND:
                i = race_by_hand(s, &after)
            if s.strict.stop:
                return 0
            if i == attacks:
                break
            gather(s, attacks, &attacker_bound, &defender_bound)
        low_card = 6 * TRUMP + r.exchange_rank
        if left >= r.exchange_min_talon and hand >> low_card & 1 and (o.tricks[leader] or not r.exchange_needs_trick):
            after = o[0]
            after.hand[leader] ^= <uint32_t>1 << low_card | <uint32_t>1 << o.turned
            after.turned = low_card
            after.exchanged = True
            i = open_lead(s, &after)
            if s.strict.stop:
                return 0
            if i == attacks:
                break
            gather(s, attacks, &attacker_bound, &defender_bound)
        # marriages: who has 66 by one calls at once
        queens = 0
        if any_trick or r.marriage_before_first_trick:
            queens = hand & (hand >> 1) & QUEENS
        pairs = queens | queens << 1
        i = UNKNOWN
        while queens and o.tricks[leader]:
            card = lowest(queens)
            queens &= queens - 1
            marriage = 40 if CARD_SUIT[card] == TRUMP else 20
            if o.points[leader] + marriage >= r.target:
                if not attacks:
                    i = answer(s, False, ANY, r.target - marriage)
                    best = card
                    break
                if won_score(r, o, leader, False) >= level:
                    i = called(s, o, r.target - marriage)
                    best = card
                    break
            elif attacks:
                attacker_bound = min(attacker_bound, r.target - marriage - 1)
            else:
                defender_bound = min(defender_bound, r.target - marriage - 1)
        if i == attacks:
            break
        # leads: marriages, unbeatable cards, then the cheapest; killers before
        left_cards = face_down(s, o)
        elsewhere = other | left_cards
        special = pairable(hand | left_cards) | <uint32_t>1 << low_card
        while hand:
            card = lowest(hand)
            b = <uint32_t>1 << card
            hand ^= b
            w = CARD_POINTS[card]
            if pairs & b:
                w = 100
            elif not (other & above(card) or (CARD_SUIT[card] != TRUMP and other & TRUMPS)):
                w += 60
            elif not other & above(card):
                w = 20 - w
            else:
                w = 10 - w
            if CARD_SUIT[card] == TRUMP:
                w -= 4
            if s.killer[o.drawn][leader] == card:
                w += 100
            elif s.killer2[o.drawn][leader] == card:
                w += 50
            if card == tried:
                w = 1000
            j = number
            number += 1
            while j > 0 and weight[j - 1] < w:
                weight[j] = weight[j - 1]
                order[j] = order[j - 1]
                j -= 1
            weight[j] = w
            order[j] = card
        for i in range(number):
            card = order[i]
            b = <uint32_t>1 << card
            marriage = 0
            lead_attacker[i] = -1
            if pairs & b:
                marriage = 40 if CARD_SUIT[card] == TRUMP else 20
                if o.tricks[leader] and o.points[leader] + marriage >= r.target and (not attacks or r.automatic):
                    if not (attacks and touchy(s)):
                        continue    # has been called
                    marriage = 0    # it would end the hand too early
            elif special & b == 0 and not touchy(s):
                # A like card has failed by more than the difference between the two.
                skip = False
                for j in range(i):
                    if lead_attacker[j] < 0 or CARD_SUIT[order[j]] != CARD_SUIT[card]:
                        continue
                    if order[j] < card:
                        if elsewhere & (b - (<uint32_t>2 << order[j])):
                            continue
                    elif elsewhere & ((<uint32_t>1 << order[j]) - (b << 1)):
                        continue
                    difference = abs(<int>CARD_POINTS[card] - <int>CARD_POINTS[order[j]])
                    if attacks:
                        skip = lead_attacker[j] >= mine + difference and lead_defender[j] <= theirs - difference
                    else:
                        skip = lead_attacker[j] <= mine - difference and lead_defender[j] >= theirs + difference
                        difference = -difference
                    if skip:
                        s.attacker_bound = max(0, lead_attacker[j] - difference)
                        s.defender_bound = min(<int>ANY, lead_defender[j] + difference)
                        gather(s, attacks, &attacker_bound, &defender_bound)
                        break
                if skip:
                    continue
            j = open_reply(s, o, card, marriage)
            if marriage and attacks and touchy(s) and not j and not s.strict.stop:
                gather(s, attacks, &attacker_bound, &defender_bound)
                j = open_reply(s, o, card, 0)
            if s.strict.stop:
                return 0
            if j == attacks:
                best = card
                if s.killer[o.drawn][leader] != card:
                    s.killer2[o.drawn][leader] = s.killer[o.drawn][leader]
                    s.killer[o.drawn][leader] = <uint8_t>card
                break
            if special & b == 0:
                lead_attacker[i] = s.attacker_bound
                lead_defender[i] = s.defender_bound
            gather(s, attacks, &attacker_bound, &defender_bound)
        else:
            # nothing helps; an attacker short of a marriage that would not do either keeps his points
            if attacks and attacker_bound < mine:
                attacker_bound = mine
            result = not attacks
            s.attacker_bound = attacker_bound
            s.defender_bound = defender_bound
        break
    if touchy(s):
        s.attacker_bound = mine
    if e != NULL:
        if e.key != key or e.talon != s.talon_number:
            e.key = key
            e.talon = s.talon_number
            e.answered = 0
            e.best = NOTHING
        if best < 24:
            e.best = <uint8_t>best
        if result:
            e.answered |= 1
            e.yes[0] = <uint8_t>min(s.attacker_bound, <int>ANY)
            e.yes[1] = <uint8_t>min(s.defender_bound, <int>ANY)
        else:
            e.answered |= 2
            e.no[0] = <uint8_t>min(s.attacker_bound, <int>ANY)
            e.no[1] = <uint8_t>min(s.defender_bound, <int>ANY)
    return result


# ---------------------------------------------------------------- what is rare, played out by the rules

cdef int race_by_hand(Search* s, const Lead* o) noexcept nogil:
    """A race with somebody past 66 who has not called, or with wrong calls that
    save game points: no table, no bounds, the rules themselves."""
    cdef Hand h
    cdef int i
    memset(&h, 0, sizeof(Hand))
    for i in range(2):
        h.hand[i] = o.hand[i]
        h.points[i] = <uint8_t>o.points[i]
        h.pending[i] = <uint8_t>o.pending[i]
        h.tricks[i] = o.tricks[i]
    h.leader = <uint8_t>o.leader
    h.led = NO_CARD
    h.declared = NO_SUIT
    h.trump = TRUMP
    h.turned = NO_CARD
    h.closer = <uint8_t>o.closer
    h.closing_points = <uint8_t>o.closing_points
    h.closing_tricks = <uint8_t>o.closing_tricks
    h.winner = NOBODY
    i = ask(s, &h)
    # no proof is known to hold for other points
    return answer(s, i, o.points[s.attacker], o.points[1 - s.attacker])


cdef int by_hand(Search* s, const Hand* h) noexcept nogil:
    """Every legal action in turn."""
    cdef uint32_t actions = legal_actions(h, &s.rules)
    cdef int action
    cdef bint attacks = to_move(h) == s.attacker
    cdef Hand after
    s.strict.nodes += 1
    if s.strict.nodes >= s.strict.look_at and look(&s.strict):
        return 0
    while actions:
        # from the highest: calls and declarations first
        action = highest(actions)
        actions ^= <uint32_t>1 << action
        after = h[0]
        act(&after, &s.rules, action)
        if ask(s, &after) == attacks:
            return attacks
        if s.strict.stop:
            return 0
    return not attacks


cdef int ask(Search* s, const Hand* h) noexcept nogil:
    """The question for any position with trumps turned into spades."""
    cdef Lead o
    cdef int i, result
    cdef bint open_talon = talon_open(h)
    if h.over:
        return value_for(h, s.attacker) >= s.level
    if s.irregular or h.declared != NO_SUIT:
        return by_hand(s, h)
    for i in range(2):
        o.hand[i] = h.hand[i]
        o.points[i] = h.points[i]
        o.pending[i] = h.pending[i]
        o.tricks[i] = h.tricks[i] != 0
    o.leader = h.leader
    o.drawn = s.talon_size - h.facedown if open_talon else s.talon_size
    o.turned = h.turned
    o.exchanged = h.turned == 6 * TRUMP + s.rules.exchange_rank
    o.closer = h.closer
    o.closing_points = h.closing_points
    o.closing_tricks = h.closing_tricks
    if h.led != NO_CARD:
        o.hand[h.leader] |= <uint32_t>1 << h.led
        if open_talon:
            return open_reply(s, &o, h.led, 0)
        result = race(s, &o, h.led)
    elif open_talon:
        return lead(s, &o)
    else:
        result = race(s, &o, NO_CARD)
    return by_hand(s, h) if result == BY_HAND else result


# ---------------------------------------------------------------- values

cdef inline uint32_t swapped(uint32_t cards, int suit) noexcept nogil:
    """The cards with ``suit`` and spades exchanged."""
    cdef uint32_t low
    if suit == TRUMP:
        return cards
    low = cards >> (6 * suit) & 63
    return (cards & ~(<uint32_t>63 << (6 * suit)) & 0x3FFFF) | cards >> 18 << (6 * suit) | low << 18


cdef inline int swapped_card(int card, int suit) noexcept nogil:
    if card >= 24 or suit == TRUMP:
        return card
    if CARD_SUIT[card] == suit:
        return card - 6 * suit + 18
    return card - 18 + 6 * suit if CARD_SUIT[card] == TRUMP else card


cdef inline int swapped_suit(int suit, int trump) noexcept nogil:
    if suit == trump:
        return TRUMP
    return trump if suit == TRUMP else suit


cdef int swapped_action(int action, int trump) noexcept nogil:
    if action < 24:
        return swapped_card(action, trump)
    if action < 28:
        return 24 + swapped_suit(action - 24, trump)
    return action


cdef void begin(Search* s, const Hand* h, Hand* turned) noexcept nogil:
    """Turn trumps into spades, and see whether the open table's talon is this one's."""
    cdef uint8_t talon[12]
    cdef int size = 0, i, card
    cdef uint32_t exchange = 6 * TRUMP + s.rules.exchange_rank
    cdef bint same
    turned[0] = h[0]
    if h.trump != TRUMP:
        turned.hand[0] = swapped(h.hand[0], h.trump)
        turned.hand[1] = swapped(h.hand[1], h.trump)
        turned.played = swapped(h.played, h.trump)
        turned.turned = <uint8_t>swapped_card(h.turned, h.trump)
        turned.led = <uint8_t>swapped_card(h.led, h.trump)
        if h.declared != NO_SUIT:
            turned.declared = <uint8_t>swapped_suit(h.declared, h.trump)
        turned.trump = TRUMP
        turned.talon = 0
        for i in range(h.facedown):
            turned.talon |= <uint64_t>swapped_card(<int>(h.talon >> (5 * i) & 31), h.trump) << (5 * i)
    if not talon_open(h):
        if s.talon_size < 0:
            s.talon_size = 0
        return
    size = turned.facedown
    for i in range(size):
        talon[i] = <uint8_t>(turned.talon >> (5 * i) & 31)
    # the end of the same talon will do: entries count the cards drawn
    same = size <= s.talon_size and s.trump == h.trump
    if same:
        for i in range(size):
            same = same and talon[i] == s.talon[s.talon_size - size + i]
        if turned.turned != s.turned and turned.turned != exchange:
            same = False
    if same:
        return
    s.talon_number += 1
    if s.talon_number == 0:
        if s.table != NULL:
            memset(s.table, 0, sizeof(OpenEntry) << (64 - s.table_shift))
        s.talon_number = 1
    s.talon_size = size
    s.turned = turned.turned
    s.trump = h.trump
    for i in range(size):
        s.talon[i] = talon[i]
    memset(s.killer, NOTHING, sizeof(s.killer))
    memset(s.killer2, NOTHING, sizeof(s.killer2))
    memset(s.killer_reply, NOTHING, sizeof(s.killer_reply))


cdef int at_least(Search* s, const Hand* h, int player, int value) noexcept nogil:
    """Is it worth ``value`` or more to ``player``? Trumps turned into spades."""
    if value > 0:
        s.attacker = player
        s.level = value
        return ask(s, h)
    s.attacker = 1 - player
    s.level = 1 - value
    return not ask(s, h)


cdef int plain(Search* s, const Hand* h, int alpha, int beta) noexcept nogil:
    """The value for the player to move by alpha-beta over every action: for irregular rules."""
    cdef uint32_t actions = legal_actions(h, &s.rules)
    cdef int player = to_move(h), best = -<int>HIGHEST - 1, value, action
    cdef Hand after
    s.strict.nodes += 1
    if s.strict.nodes >= s.strict.look_at and look(&s.strict):
        return 0
    while actions:
        action = highest(actions)
        actions ^= <uint32_t>1 << action
        after = h[0]
        act(&after, &s.rules, action)
        if after.over:
            value = value_for(&after, player)
        elif to_move(&after) == player:
            value = plain(s, &after, max(alpha, best), beta)
        else:
            value = -plain(s, &after, -beta, -max(alpha, best))
        if s.strict.stop:
            return 0
        if value > best:
            best = value
            if best >= beta:
                break
    return best


cdef void narrow(Search* s, const Hand* h, int player, int* low, int* high) noexcept nogil:
    """Bring two bounds on the value for ``player`` together, or as near as the limits allow.

    Extreme questions first: they are nearly free, and a yes saves the dear one
    in the middle.
    """
    cdef int level, i, value
    cdef bint no_zero = not s.rules.tie_void or s.rules.last_trick_wins
    if h.over:
        low[0] = high[0] = value_for(h, player)
        return
    if s.irregular:
        value = plain(s, h, -<int>HIGHEST, HIGHEST)
        if not s.strict.stop:
            low[0] = high[0] = value if to_move(h) == player else -value
        return
    for level in range(s.highest, 0, -1):
        for i in range(2):
            value = level if i == 0 else 1 - level
            if no_zero and value == 0 and high[0] == 0:
                high[0] = -1
            if low[0] >= high[0]:
                return
            if low[0] < value <= high[0]:
                if at_least(s, h, player, value):
                    if s.strict.stop:
                        return
                    low[0] = value
                else:
                    if s.strict.stop:
                        return
                    high[0] = value - 1
    if no_zero and high[0] == 0 and low[0] < 0:
        high[0] = -1


cdef int search_value_between(Search* s, const Hand* h, int* low, int* high) noexcept nogil:
    """Bounds on the value for the player to move, equal unless a limit was reached."""
    cdef Hand turned
    low[0] = -s.highest
    high[0] = s.highest
    if h.over:
        low[0] = high[0] = value_for(h, to_move(h))
        return low[0]
    begin(s, h, &turned)
    narrow(s, &turned, to_move(h), low, high)
    return low[0] if low[0] == high[0] else UNSOLVED


cdef int search_value(Search* s, const Hand* h) noexcept nogil:
    """The value in game points for the player to move, or UNSOLVED."""
    cdef int low, high
    return search_value_between(s, h, &low, &high)


cdef int search_at_least(Search* s, const Hand* h, int player, int value) noexcept nogil:
    """Is the hand worth ``value`` or more to ``player``? Means nothing once ``stop`` is set."""
    cdef Hand turned
    cdef int low
    begin(s, h, &turned)
    if s.irregular:
        low = plain(s, &turned, -<int>HIGHEST, HIGHEST)
        return (low if to_move(h) == player else -low) >= value
    return at_least(s, &turned, player, value)


cdef int search_actions(Search* s, const Hand* h, int value, int8_t* values) noexcept nogil:
    """The value of every legal action for the player to move, who has ``value`` in all.

    ``values`` has room for all action numbers; those that are not legal, and
    those not found within the limits, get UNSOLVED. 0, or -1 at a limit.
    """
    cdef Hand turned, after
    cdef uint32_t actions
    cdef int action, low, high
    cdef int player = to_move(h)
    memset(values, UNSOLVED, 31)
    begin(s, h, &turned)
    actions = legal_actions(&turned, &s.rules)
    while actions:
        action = lowest(actions)
        actions &= actions - 1
        after = turned
        act(&after, &s.rules, action)
        low = -s.highest
        high = value
        if not after.over and not s.irregular and low < value:
            # the best ones have mostly been found already, and most others are refuted by the table
            if at_least(s, &after, player, value):
                low = value
            else:
                high = value - 1
        if not s.strict.stop:
            narrow(s, &after, player, &low, &high)
        if s.strict.stop:
            return -1
        values[swapped_action(action, h.trump)] = <int8_t>low
    return 0


cdef int search_line(Search* s, const Hand* h, int value, uint8_t* line) noexcept nogil:
    """Best play of both to the end from a hand worth ``value`` to the player to move.

    Of equally good actions: a right call, marriage, exchange, the lowest card
    number, close, a wrong call. ``line`` has room for MOST_ACTIONS; their number, or -1 at a limit.
    """
    cdef Hand now, after
    cdef uint32_t actions
    cdef int action = 0, player = to_move(h), number = 0
    begin(s, h, &now)
    while not now.over:
        if to_move(&now) != player:
            player = 1 - player
            value = -value
        actions = legal_actions(&now, &s.rules)
        while actions:
            action = preferred(actions, now.points[player] >= s.rules.target, h.trump)
            actions ^= <uint32_t>1 << action
            after = now
            act(&after, &s.rules, action)
            if actions == 0:
                break               # nothing else is left, so it is this one
            if after.over:
                if value_for(&after, player) >= value:
                    break
            elif at_least(s, &after, player, value):
                break
            if s.strict.stop:
                return -1
        if s.strict.stop:
            return -1
        line[number] = <uint8_t>swapped_action(action, h.trump)
        number += 1
        now = after
    return number


cdef int preferred(uint32_t actions, bint right_call, int trump) noexcept nogil:
    """The first of some actions in the order given above, card numbers being the hand's own."""
    cdef int action
    if actions >> CALL and right_call:
        return CALL
    if actions >> MARRIAGE & 15:
        for action in range(MARRIAGE, MARRIAGE + 4):
            if actions >> swapped_action(action, trump) & 1:
                return swapped_action(action, trump)
    if actions >> EXCHANGE & 1:
        return EXCHANGE
    for action in range(24):
        if actions >> swapped_action(action, trump) & 1:
            return swapped_action(action, trump)
    return lowest(actions)


cdef bint search_sound(const Hand* h, const Rules* r) noexcept nogil:
    """Whether a hand from outside is fit to be searched: its cards are there once,
    its numbers within their ranges. That it can come about is another matter."""
    cdef uint32_t seen = h.hand[0] | h.hand[1]
    cdef uint32_t cards
    cdef int i, held
    if h.over:
        return h.winner <= NOBODY and h.game_points <= HIGHEST and h.leader < 2 and (h.led == NO_CARD or h.led < 24)
    if h.leader > 1 or h.trump > 3 or h.declared > NO_SUIT or h.closer > NOBODY:
        return False
    if h.hand[0] & h.hand[1] or seen & h.played or (seen | h.played) & ~r.deck:
        return False
    held = popcount(h.hand[0]) - popcount(h.hand[1])
    if h.led != NO_CARD:
        if h.led > 23 or (seen | h.played) >> h.led & 1 or h.declared != NO_SUIT:
            return False
        seen |= <uint32_t>1 << h.led
        held += 1 if h.leader == 0 else -1
    elif h.hand[h.leader] == 0:
        return False
    if held != 0 or popcount(seen) > 22:
        return False
    if h.declared != NO_SUIT and marriage_mask(h.declared) & ~h.hand[h.leader]:
        return False
    if h.facedown:
        if h.facedown > 11 or h.facedown % 2 == 0 or h.turned > 23:
            return False
        cards = <uint32_t>1 << h.turned
        for i in range(h.facedown):
            held = <int>(h.talon >> (5 * i) & 31)
            if held > 23 or cards >> held & 1:
                return False
            cards |= <uint32_t>1 << held
        if cards & (seen | h.played) or cards & ~r.deck or h.turned // 6 != h.trump:
            return False
    elif h.closer != NOBODY or h.turned != NO_CARD:
        return False
    for i in range(2):
        if h.points[i] > 250 or h.pending[i] > 40 or h.pending[i] % 20 or (h.pending[i] and h.tricks[i]):
            return False
    if h.pending[0] and h.pending[1]:
        return False
    if h.tricks[h.leader] == 0 and h.tricks[1 - h.leader] != 0:
        return False
    return not (r.automatic and (h.points[0] >= r.target or h.points[1] >= r.target))
