"""The strict phase as a race: the engine below every ending and every closing.

With the talon exhausted or closed, both hands known and a question "is it worth
v to this player?", all that is left is who comes first: one side needs so many
more points, the other so many. Whoever takes a trick or declares and has what he
needs wins the race at once (a need of 0 is "takes any trick"). If the cards run
out first, the race's kind says who has won. Exhausted and closed endings, and
all levels of the score, are races that differ by needs and kind only, so that
one table serves them all.

Trumps are spades here; the caller swaps the suits. Searches are from the
leader's side: his hand, the other's, his need, the other's.

Every answer comes with what it holds for: ``leader_bound`` and ``other_bound``,
the weakest needs for which the same proof would do. They make table entries
that answer many more questions than the one asked.

What is cut, and why it is right:

- *Cashing.* A leader with more points in tricks that cannot be lost, taken from
  the top without letting the other in, than he needs, has won.
- *The other's sure tricks.* If the other holds the highest trump he will be in,
  and can then cash the same way; what the leader has before that is bounded by
  what he can cash himself.
- *Like cards.* Two cards of a hand with none of the other's between them win
  and lose the same tricks; they differ by their points. Of such cards the
  higher is the one to win a trick with, and the lower the one to lose: any play
  with the wrong one is answered by the same play with the two exchanged, in
  which at every moment this side has as many points or more, and the other as
  many or fewer. The king and queen of a marriage are exempt.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from santase._rules cimport CARD_POINTS, CARD_SUIT, highest, lowest, suit_mask


cdef enum:
    TRUMP = 3
    TRUMPS = 0xFC0000
    QUEENS = 0x104104
    NINES = 0x041041
    TABLE_CARDS = 3         # cards a hand from which on the table is used


# ---------------------------------------------------------------- one suit of both hands

cdef struct Pair:
    # The cards of one suit in a hand and in the opponent's, looked up by
    # hand << 6 | opponent's. "Safe" tricks are led by the hand while the opponent
    # still has trumps: as many from the top as he must follow to. "Run" tricks are
    # led when he has none, or are the trumps themselves.
    uint8_t own             # number of cards
    uint8_t facing          # number of the opponent's
    uint8_t masters         # cards above all of the opponent's
    uint8_t safe            # tricks, and the least they bring
    uint8_t safe_points
    uint8_t run
    uint8_t run_points
    uint8_t all_fall        # the masters are as many as the opponent's cards: he is left with none
    uint8_t safe_king       # a king or queen is among the cards led
    uint8_t run_king
    uint8_t pulls           # trumps only: draws all of the opponent's even after having had to ruff once
    uint8_t entry_points    # trumps only: the least that the masters and what they draw bring then
    uint8_t points          # of all cards of both hands
    uint8_t spare[3]


# Filled once at import and never changed.
cdef Pair PAIRS[4096]


cdef int rank_points(int rank):
    return CARD_POINTS[rank]


cdef int sum_top(int cards, int number, bint* king):
    """The points of the highest ``number`` cards of one suit; is K or Q among them?"""
    cdef int rank, total = 0
    king[0] = False
    for rank in range(5, -1, -1):
        if number and cards >> rank & 1:
            number -= 1
            total += rank_points(rank)
            if rank == 2 or rank == 3:
                king[0] = True
    return total


cdef int sum_low(int cards, int number):
    cdef int rank, total = 0
    for rank in range(6):
        if number and cards >> rank & 1:
            number -= 1
            total += rank_points(rank)
    return total


cdef void fill_pairs():
    cdef int hand, facing, rank, drawn
    cdef bint king
    cdef Pair* p
    memset(PAIRS, 0, sizeof(PAIRS))
    for hand in range(64):
        for facing in range(64):
            if hand & facing:
                continue
            p = &PAIRS[hand << 6 | facing]
            for rank in range(6):
                p.own += hand >> rank & 1
                p.facing += facing >> rank & 1
            for rank in range(5, -1, -1):
                if facing >> rank & 1:
                    break
                p.masters += hand >> rank & 1
            p.points = <uint8_t>(sum_low(hand, 6) + sum_low(facing, 6))
            p.safe = min(p.masters, p.facing)
            p.safe_points = <uint8_t>(sum_top(hand, p.safe, &king) + sum_low(facing, p.safe))
            p.safe_king = king
            p.all_fall = p.masters >= p.facing
            if p.all_fall:
                p.run = p.own
                p.run_points = p.points
                p.run_king = 1
            else:
                p.run = p.masters
                p.run_points = <uint8_t>(sum_top(hand, p.run, &king) + sum_low(facing, p.run))
                p.run_king = king
            # having ruffed with the lowest trump, or with a master if all are
            drawn = p.masters if p.own > p.masters else p.masters - 1
            p.pulls = p.facing == 0 or drawn >= p.facing
            if p.pulls:
                p.entry_points = p.points
            else:
                p.entry_points = <uint8_t>(
                    sum_top(hand, p.masters, &king) + sum_low(facing, max(0, min(drawn, <int>p.facing))))


fill_pairs()


cdef inline const Pair* pair(uint32_t hand, uint32_t other, int suit) noexcept nogil:
    return &PAIRS[((hand >> (6 * suit)) & 63) << 6 | ((other >> (6 * suit)) & 63)]


# ---------------------------------------------------------------- answers

cdef inline int won(Strict* s, int leader_bound, int other_bound) noexcept nogil:
    s.leader_bound = leader_bound
    s.other_bound = other_bound
    return WON


cdef inline int lost(Strict* s, int leader_bound, int other_bound) noexcept nogil:
    s.leader_bound = leader_bound
    s.other_bound = other_bound
    return LOST


cdef inline uint32_t turned_round(uint32_t kind) noexcept nogil:
    """The kind as the other sees it when he is on lead."""
    cdef uint32_t end = kind & END_MASK
    if end == END_LEADER or end == END_OTHER:
        kind ^= END_LEADER | END_OTHER
        if kind & LATE_ZERO:
            kind ^= ATTACKER_LEADS
    elif end != END_LAST or kind & LATE_ZERO:
        kind ^= ATTACKER_LEADS
    return kind


cdef inline int settle(Strict* s, uint32_t kind, bint mine, int points, int need, int other_need) noexcept nogil:
    """All that is left falls to one side, ``mine`` the leader's, with the last trick."""
    cdef uint32_t end = kind & END_MASK
    cdef bint attacks = kind & ATTACKER_LEADS != 0
    cdef int with_bonus
    if mine:
        if need <= points:
            return won(s, points, 0)
    elif other_need <= points:
        return lost(s, 0, points)
    if end == END_LAST:
        return won(s, ANY, 0) if mine else lost(s, 0, ANY)
    if end == END_LEADER:
        return won(s, ANY, 0 if mine else points + 1)
    if end == END_OTHER:
        return lost(s, points + 1 if mine else 0, ANY)
    with_bonus = points + s.bonus
    if mine:
        if end == END_HIGH and not attacks:
            return won(s, ANY, 0)
        if need <= with_bonus:
            return won(s, with_bonus, 0)
        return lost(s, with_bonus + 1, ANY) if attacks else won(s, ANY, 0)
    if end == END_HIGH and attacks:
        return lost(s, 0, ANY)
    if other_need <= with_bonus:
        return lost(s, 0, with_bonus)
    return lost(s, 0, ANY) if attacks else won(s, ANY, with_bonus + 1)


# ---------------------------------------------------------------- which cards to try

cdef inline uint32_t cheapest(uint32_t cards, uint32_t hand, uint32_t other) noexcept nogil:
    """Of like cards in a losing choice the one with the fewest points."""
    cdef uint32_t chosen = 0, b
    cdef uint32_t pairs = hand & (hand >> 1) & QUEENS
    cdef int card, before = -1
    cdef bint have = False
    pairs |= pairs << 1
    while cards:
        card = lowest(cards)
        b = <uint32_t>1 << card
        cards ^= b
        if before >= 0 and CARD_SUIT[before] == CARD_SUIT[card] and other & (b - (<uint32_t>2 << before)) == 0:
            # like the one before; of a marriage only if nothing lower was there
            if not have and pairs & b == 0:
                chosen |= b
                have = True
        else:
            chosen |= b
            have = pairs & b == 0
        before = card
    return chosen


cdef inline uint32_t dearest(uint32_t cards, uint32_t hand, uint32_t other) noexcept nogil:
    """Of like cards in a winning choice the one with the most points."""
    cdef uint32_t chosen = 0, b
    cdef uint32_t pairs = hand & (hand >> 1) & QUEENS
    cdef int card, before = -1
    cdef bint have = False
    pairs |= pairs << 1
    while cards:
        card = highest(cards)
        b = <uint32_t>1 << card
        cards ^= b
        if before >= 0 and CARD_SUIT[before] == CARD_SUIT[card] \
                and other & ((<uint32_t>1 << before) - (b << 1)) == 0:
            if not have and pairs & b == 0:
                chosen |= b
                have = True
        else:
            chosen |= b
            have = pairs & b == 0
        before = card
    return chosen


cdef inline uint32_t below_or_at(uint32_t cards) noexcept nogil:
    """The cards, and all lower ones of their suits."""
    cards |= (cards >> 1) & 0x7DF7DF
    cards |= (cards >> 2) & 0x3CF3CF
    cards |= (cards >> 3) & 0x1C71C7
    return cards


cdef inline int value_of_marriages(uint32_t queens) noexcept nogil:
    cdef int value = 20 if queens & TRUMPS else 0
    while queens:
        value += 20
        queens &= queens - 1
    return value


# ---------------------------------------------------------------- the last two tricks

cdef inline int last_trick(Strict* s, int led, int reply, int need, int other_need, uint32_t kind) noexcept nogil:
    cdef bint taken
    if CARD_SUIT[led] == CARD_SUIT[reply]:
        taken = reply > led
    else:
        taken = CARD_SUIT[reply] == TRUMP
    return settle(s, kind, not taken, CARD_POINTS[led] + CARD_POINTS[reply], need, other_need)


cdef int last_two(Strict* s, uint32_t leader, uint32_t other, int need, int other_need, uint32_t kind, int marriage) noexcept nogil:
    """Two cards each and nothing rare: every line, without nodes or table."""
    cdef int lost_leader = marriage + 1 if marriage else 0
    cdef int lost_other = ANY
    cdef int won_leader, won_other, led, kept, card, left, points, z, i
    cdef uint32_t replies
    cdef bint taken, good
    need -= marriage
    for i in range(2):
        led = lowest(leader) if i else highest(leader)
        kept = highest(leader) if i else lowest(leader)
        replies = replies_to(other, led)
        won_leader = ANY
        won_other = 0
        good = True
        while replies:
            card = highest(replies)
            replies ^= <uint32_t>1 << card
            left = lowest(other ^ (<uint32_t>1 << card))
            points = CARD_POINTS[led] + CARD_POINTS[card]
            taken = card > led if CARD_SUIT[led] == CARD_SUIT[card] else CARD_SUIT[card] == TRUMP
            if not taken:
                if need <= points:
                    won_leader = min(won_leader, points + marriage)
                elif last_trick(s, kept, left, need - points, other_need, kind):
                    won_leader = min(won_leader, s.leader_bound + points + marriage)
                    won_other = max(won_other, s.other_bound)
                else:
                    z = max(s.leader_bound, 1) + points + marriage
                    lost_leader = max(lost_leader, z)
                    lost_other = min(lost_other, s.other_bound)
                    good = False
                    break
            elif other_need <= points:
                lost_leader = max(lost_leader, marriage + 1)
                lost_other = min(lost_other, points)
                good = False
                break
            elif last_trick(s, left, kept, other_need - points, need, turned_round(kind)):
                lost_leader = max(lost_leader, s.other_bound + marriage)
                lost_other = min(lost_other, s.leader_bound + points)
                good = False
                break
            else:
                won_other = max(won_other, max(s.leader_bound, 1) + points)
                won_leader = min(won_leader, s.other_bound + marriage)
        if good:
            return won(s, min(won_leader, <int>ANY), won_other)
    return lost(s, lost_leader, min(lost_other, <int>ANY))


# ---------------------------------------------------------------- the search

cdef inline uint32_t replies_to(uint32_t hand, int led) noexcept nogil:
    cdef uint32_t cards = hand & suit_mask(CARD_SUIT[led])
    cdef uint32_t higher
    if cards:
        higher = cards & ~((<uint32_t>2 << led) - 1)
        return higher if higher else cards
    cards = hand & TRUMPS
    return cards if cards else hand


cdef int reply_race(Strict* s, uint32_t leader, uint32_t other, int led, int need, int other_need, uint32_t kind) noexcept nogil:
    """``led``, which ``leader`` still holds, has been led: does the leader's side win?"""
    if leader & (leader - 1) == 0:
        return lead_race(s, leader, other, need, other_need, kind)     # the last trick, all forced
    return after_lead(s, leader, other, led, need, other_need, kind, 0)


cdef int after_lead(Strict* s, uint32_t leader, uint32_t other, int led, int need, int other_need, uint32_t kind, int marriage) noexcept nogil:
    """A marriage worth ``marriage`` has been declared with this lead, its points not yet taken off."""
    cdef uint32_t replies, turned
    cdef int points = CARD_POINTS[led]
    cdef int gain = marriage        # the leader's besides the cards
    cdef int won_leader = ANY, won_other = 0
    cdef int card, trick, a, b, pending
    cdef bint zero = False          # the other's (or leader's) need has become 0, whatever it was
    s.nodes += 1
    leader ^= <uint32_t>1 << led
    replies = replies_to(other, led)
    card = lowest(replies)
    # in the strict phase all legal replies take the trick or none does
    if not (card > led if CARD_SUIT[card] == CARD_SUIT[led] else CARD_SUIT[card] == TRUMP):
        if kind & RARE:
            if kind & TRICKLESS:
                gain += 20 * ((kind // LEADER_PENDING) & 3)
                kind &= ~<uint32_t>(TRICKLESS | 3 * LEADER_PENDING)
            if kind & LATE_ZERO and kind & ATTACKER_LEADS:
                other_need = 0
                zero = True
                kind &= ~<uint32_t>(LATE_ZERO | ATTACKER_LEADS)
        replies = cheapest(replies, other, leader)
        while replies:
            card = lowest(replies)
            replies &= replies - 1
            trick = points + CARD_POINTS[card] + gain
            if need <= trick:
                if trick < won_leader:
                    won_leader = trick
            elif lead_race(s, leader, other ^ (<uint32_t>1 << card), need - trick, other_need, kind):
                if s.leader_bound + trick < won_leader:
                    won_leader = s.leader_bound + trick
                if s.other_bound > won_other:
                    won_other = s.other_bound
            else:
                return lost(s, max(s.leader_bound, 1) + trick, ANY if zero else s.other_bound)
        return won(s, won_leader, 0 if zero else won_other)

    turned = turned_round(kind)
    if kind & RARE:
        points += 20 * ((kind // OTHER_PENDING) & 3)
        turned &= ~<uint32_t>(TRICKLESS | 3 * LEADER_PENDING | 3 * OTHER_PENDING)
        if kind & TRICKLESS:
            pending = (kind // LEADER_PENDING & 3) + marriage // 20
            turned |= pending * OTHER_PENDING
            gain = 0
        if kind & LATE_ZERO and not kind & ATTACKER_LEADS:
            need = 0
            gain = 0
            zero = True
            turned &= ~<uint32_t>(LATE_ZERO | ATTACKER_LEADS)
    need -= gain
    replies = dearest(replies, other, leader)
    while replies:
        card = highest(replies)
        replies ^= <uint32_t>1 << card
        trick = points + CARD_POINTS[card]
        if other_need <= trick:
            return lost(s, 0 if zero else gain + 1, trick)
        if lead_race(s, other ^ (<uint32_t>1 << card), leader, other_need - trick, need, turned):
            a = s.leader_bound
            b = s.other_bound
            return lost(s, 0 if zero else b + gain, min(a + trick, <int>ANY))
        a = max(s.leader_bound, 1) + trick
        if a > won_other:
            won_other = a
        if s.other_bound + gain < won_leader:
            won_leader = s.other_bound + gain
    return won(s, <int>ANY if zero else won_leader, won_other)


cdef inline int cashed(uint32_t queens, const Pair* t, const Pair* a, const Pair* b, const Pair* c) noexcept nogil:
    """What the marriages bring to a leader who cashes: all those whose king or
    queen is led in doing so, and one more at the end."""
    cdef int value = 0, more = 0
    if queens & (queens - 1) == 0:
        return 40 if queens & TRUMPS else 20
    if queens & TRUMPS:
        if t.run_king:
            value += 40
        else:
            more = 40
    if queens & 0x4:
        if a.run_king if t.all_fall else a.safe_king:
            value += 20
        elif more == 0:
            more = 20
    if queens & 0x100:
        if b.run_king if t.all_fall else b.safe_king:
            value += 20
        elif more == 0:
            more = 20
    if queens & 0x4000:
        if c.run_king if t.all_fall else c.safe_king:
            value += 20
        elif more == 0:
            more = 20
    return value + more


cdef int lead_race(Strict* s, uint32_t leader, uint32_t other, int need, int other_need, uint32_t kind) noexcept nogil:
    """Does the leader's side win the race?

    Needs are at least 1, or 0 for "any trick". Sets the bounds of the answer.
    UNKNOWN only when ``quick`` is set; anything once ``stop`` is.
    """
    cdef const Pair* t
    cdef const Pair* a
    cdef const Pair* b
    cdef const Pair* c
    cdef const Pair* u
    cdef const Pair* x
    cdef const Pair* y
    cdef const Pair* z
    cdef int cards, tricks, sure, points, left, before, marriage = 0, card, worth, answer
    cdef int bound, other_bound, best = 31, tried = 31
    cdef uint32_t queens, reach, takes, winners, losers, m, q
    cdef uint64_t key = 0, mixed
    cdef Entry* e = NULL
    cdef Entry* table
    cdef uint8_t* corner
    cdef int i

    s.nodes += 1
    if s.nodes >= s.look_at and s.look(s):
        return LOST
    if leader & (leader - 1) == 0:
        card = lowest(leader)
        i = lowest(other)
        points = CARD_POINTS[card] + CARD_POINTS[i]
        answer = not (i > card if CARD_SUIT[i] == CARD_SUIT[card] else CARD_SUIT[i] == TRUMP)
        if kind & RARE:
            if not answer:
                points += 20 * ((kind // OTHER_PENDING) & 3)
            elif kind & TRICKLESS:
                points += 20 * ((kind // LEADER_PENDING) & 3)
        return settle(s, kind, answer, points, need, other_need)

    t = pair(leader, other, 3)
    a = pair(leader, other, 0)
    b = pair(leader, other, 1)
    c = pair(leader, other, 2)
    cards = t.own + a.own + b.own + c.own
    queens = leader & (leader >> 1) & QUEENS
    if kind & TRICKLESS:
        if not s.first_marriage:
            queens = 0
    elif queens:
        marriage = 40 if queens & TRUMPS else 20
        if need <= marriage:
            return won(s, marriage, 0)

    if not kind & (TRICKLESS | LATE_ZERO):
        if t.all_fall:
            tricks = t.run + a.run + b.run + c.run
            sure = t.run_points + a.run_points + b.run_points + c.run_points
        else:
            tricks = t.run + a.safe + b.safe + c.safe
            sure = t.run_points + a.safe_points + b.safe_points + c.safe_points
        points = sure
        if queens:
            points += cashed(queens, t, a, b, c)
        if need <= points:
            return won(s, points, 0)
        left = t.points + a.points + b.points + c.points
        if kind & END_MASK == END_LEADER:
            # the other cannot get what he needs, and loses if the cards run out
            m = other & (other >> 1) & QUEENS
            before = left - sure + value_of_marriages(m) + 20 * ((kind // OTHER_PENDING) & 3)
            if before < other_need:
                return won(s, ANY, before + 1)
        if tricks >= cards:
            return settle(s, kind, True, left + points - sure, need, other_need)
        # what the other is sure of once he is in, and the most the leader has before
        u = pair(other, leader, 3)
        answer = -1
        if u.masters:
            x = pair(other, leader, 0)
            y = pair(other, leader, 1)
            z = pair(other, leader, 2)
            if u.pulls:
                answer = u.entry_points + x.run_points + y.run_points + z.run_points
            else:
                answer = u.entry_points + x.safe_points + y.safe_points + z.safe_points
            before = a.safe_points + b.safe_points + c.safe_points
        elif (leader | other) & TRUMPS == 0 and a.run <= a.facing and b.run <= b.facing and c.run <= c.facing:
            # he follows to all that the leader can cash, and so keeps his own masters
            x = pair(other, leader, 0)
            y = pair(other, leader, 1)
            z = pair(other, leader, 2)
            answer = x.run_points + y.run_points + z.run_points
            before = sure
        if answer >= 0:
            i = value_of_marriages(queens)
            before += i
            if before < need and other_need <= answer:
                return lost(s, before + 1, answer)
            if kind & END_MASK == END_OTHER and left + i - answer < need:
                return lost(s, left + i - answer + 1, ANY)

    if cards == 2 and not kind & RARE:
        return last_two(s, leader, other, need, other_need, kind, marriage)

    if cards >= TABLE_CARDS and s.table != NULL:
        key = (<uint64_t>leader | <uint64_t>other << 24 | <uint64_t>kind << 48) + 1
        mixed = key * <uint64_t>0x9E3779B97F4A7C15 >> s.table_shift
        table = &s.table[mixed & ~<uint64_t>1]
        i = <int>mixed & 1
        e = &table[i]
        if e.key >> 5 != key:
            if table[i ^ 1].key >> 5 == key:
                e = &table[i ^ 1]
            elif e.key != 0:
                # the entry with fewer cards gives way
                m = <uint32_t>((e.key >> 5) - 1) & 0xFFFFFF
                if number_of(m) > cards:
                    e = &table[i ^ 1]
        if e.key >> 5 == key:
            corner = e.corner
            for i in range(0, 4, 2):
                if need <= corner[i] and other_need >= corner[i + 1]:
                    return won(s, corner[i], corner[i + 1])
            for i in range(4, 8, 2):
                if need >= corner[i] and other_need <= corner[i + 1]:
                    return lost(s, corner[i], corner[i + 1])
            tried = <int>(e.key & 31)
    if s.quick:
        return UNKNOWN

    # what wins the trick: above all of the other's in the suit, or he is void and has no trump
    reach = below_or_at(other)
    winners = leader & ~reach
    if other & TRUMPS:
        winners &= ((reach & NINES) * 63) | TRUMPS
    takes = winners
    winners = dearest(takes, leader, other)
    losers = cheapest(leader & ~takes, leader, other)
    # of a marriage the king to win the trick, the queen to lose it
    m = queens
    while m:
        q = m & (~m + 1)
        m ^= q
        if takes & q:
            winners = (winners & ~(q | q << 1)) | q << 1
        else:
            losers = (losers & ~(q | q << 1)) | q
    bound = marriage + 1 if marriage else 0
    other_bound = ANY
    queens |= queens << 1
    answer = LOST
    if tried < 24 and not (winners | losers) >> tried & 1:
        tried = 31
    while True:
        # the table's lead, winners from the highest, trumps first, losers from the lowest
        if tried < 24:
            card = tried
            tried = 31
        elif winners & TRUMPS:
            card = highest(winners & TRUMPS)
        elif winners:
            card = highest(winners)
        elif losers & ~<uint32_t>TRUMPS:
            card = lowest(losers & ~<uint32_t>TRUMPS)
        elif losers:
            card = lowest(losers)
        else:
            break
        q = <uint32_t>1 << card
        winners &= ~q
        losers &= ~q
        worth = 0
        if queens & q:
            worth = 40 if q & TRUMPS else 20
        if after_lead(s, leader, other, card, need, other_need, kind, worth):
            answer = WON
            bound = s.leader_bound
            other_bound = s.other_bound
            best = card
            break
        if s.leader_bound > bound:
            bound = s.leader_bound
        if s.other_bound < other_bound:
            other_bound = s.other_bound
    if s.stop:
        return LOST
    if bound > ANY:
        bound = ANY
    if other_bound > ANY:
        other_bound = ANY
    if e != NULL:
        store(e, key, best, answer, bound, other_bound)
    s.leader_bound = bound
    s.other_bound = other_bound
    return answer


cdef inline int number_of(uint32_t cards) noexcept nogil:
    cards = cards - ((cards >> 1) & 0x55555555)
    cards = (cards & 0x33333333) + ((cards >> 2) & 0x33333333)
    cards = (cards + (cards >> 4)) & 0x0F0F0F0F
    return <int>((cards * 0x01010101) >> 24)


cdef inline void store(Entry* e, uint64_t key, int best, int answer, int bound, int other_bound) noexcept nogil:
    cdef uint8_t* c = e.corner
    if e.key >> 5 != key:   # new, or the search below has put another position there
        c[0] = c[2] = 0
        c[1] = c[3] = ANY
        c[4] = c[6] = ANY
        c[5] = c[7] = 0
        e.key = key << 5 | <uint64_t>31
    if answer:
        e.key = key << 5 | <uint64_t>best
        if bound >= c[2] and other_bound <= c[3] and not (bound >= c[0] and other_bound <= c[1]):
            c[2] = <uint8_t>bound
            c[3] = <uint8_t>other_bound
            return
        if not (bound >= c[0] and other_bound <= c[1]):
            c[2] = c[0]
            c[3] = c[1]
        c[0] = <uint8_t>bound
        c[1] = <uint8_t>other_bound
    else:
        c += 4
        if bound <= c[2] and other_bound >= c[3] and not (bound <= c[0] and other_bound >= c[1]):
            c[2] = <uint8_t>bound
            c[3] = <uint8_t>other_bound
            return
        if not (bound <= c[0] and other_bound >= c[1]):
            c[2] = c[0]
            c[3] = c[1]
        c[0] = <uint8_t>bound
        c[1] = <uint8_t>other_bound
