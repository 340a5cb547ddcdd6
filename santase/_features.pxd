"""What the player to move knows of a hand, as a sparse list of inputs of the network.

Nothing is read that this player may not know: of the other's hand only the
cards known to be there (and how many there are), of the talon only how many
cards lie in it. Suits are brought into a canonical order, trumps first, so
that positions that differ by a renaming of suits have the same inputs; the
actions of the network are in that order too, and ``Suits`` takes them back.

Each input is one or zero, and the list holds the numbers of those that are
one. Points are given by one input for each distance to 66: a table is as cheap
as a number here, and the network need not build steps out of a slope.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from santase._rules cimport (
    CARD_SUIT, EXCHANGE, MARRIAGE, NO_CARD, NO_SUIT, NOBODY, Hand, Knowledge, Rules,
    above, bit, lowest, marriages, may_close, may_exchange, popcount, publicly_seen, suit_mask,
    talon_open, to_move,
)


cdef enum:
    # the first input of each group and, in brackets, how many there are
    OWN = 0                  # [24] the player's cards
    KNOWN = 24               # [24] cards known to be in the other's hand
    PLAYED = 48              # [24]
    LED = 72                 # [24] the card to reply to
    SHOWN = 96               # [24] own cards that the other knows of
    LACKS = 120              # [24] cards that the other has shown to lack
    MASTERS = 144            # [24] own cards above which the other can hold none of the suit
    WINNERS = 168            # [24] own cards that win the trick on the table
    TURNED = 192             # [6] rank of the turned card
    DECLARED = 198           # [4] the suit declared on this lead
    MAY = 202                # [6] marriages, exchange and closing that are legal now
    POINTS = 208             # [67] how far the player is from the target, 0 to 66
    THEIR_POINTS = 275       # [67]
    PENDING = 342            # [3] marriage points that do not count yet: 20, 40, more
    THEIR_PENDING = 345      # [3]
    TRICKS = 348             # [7] tricks taken, 0 to 6 and more
    THEIR_TRICKS = 355       # [7]
    FACEDOWN = 362           # [12] cards lying face down
    CLOSED = 374             # [2] by the player, by the other
    AT_CLOSING = 376         # [2] the score rests on the closing: without a trick, under 33
    TRUMPS = 378             # [7] own trumps, 0 to 6
    TRUMPS_OUT = 385         # [7] trumps that the other can hold, 0 to 6
    ON_LEAD = 392            # [1]
    UNDER = 393              # [2] the player, the other has fewer than 33
    SETTINGS = 395           # [17] the rules
    FEATURES = 412
    MAX_ACTIVE = 160         # no position has as many

cdef enum:
    # the network's actions: plays and marriages in canonical suits, exchange, close
    MOVES = 30


cdef struct Suits:
    uint8_t place[4]         # the canonical place of each suit
    uint8_t read[4]          # whose actions stand for the suit: its place, or the
                             # first place of the suits that look just like it


cdef inline uint32_t to_canonical(uint32_t cards, const Suits* suits) noexcept nogil:
    return ((cards & 63) << (6 * suits.place[0])
            | (cards >> 6 & 63) << (6 * suits.place[1])
            | (cards >> 12 & 63) << (6 * suits.place[2])
            | (cards >> 18 & 63) << (6 * suits.place[3]))


cdef inline uint32_t moves_to_canonical(uint32_t actions, const Suits* suits) noexcept nogil:
    """A set of actions, the call left out, in canonical suits."""
    cdef uint32_t moves = to_canonical(actions & 0xFFFFFF, suits) | actions & (<uint32_t>3 << EXCHANGE)
    cdef int s
    for s in range(4):
        moves |= (actions >> (MARRIAGE + s) & 1) << (MARRIAGE + suits.place[s])
    return moves


cdef inline int move_of(int action, const uint8_t* place) noexcept nogil:
    """The network's number of an action other than the call; ``place`` of
    ``Suits`` to record it, ``read`` to look up its logit."""
    if action < MARRIAGE:
        return 6 * place[CARD_SUIT[action]] + action - 6 * CARD_SUIT[action]
    if action < EXCHANGE:
        return MARRIAGE + place[action - MARRIAGE]
    return action


cdef inline int action_of(int move, const Suits* suits) noexcept nogil:
    """The action that the network calls ``move``."""
    cdef int place = move // 6 if move < MARRIAGE else move - MARRIAGE
    cdef int s = 0
    if move >= EXCHANGE:
        return move
    while suits.place[s] != place:
        s += 1
    return 6 * s + move % 6 if move < MARRIAGE else MARRIAGE + s


cdef inline uint32_t known_of_other(const Hand* h, const Knowledge* k, const Rules* r,
                                    uint32_t shown) noexcept nogil:
    """The cards that the player to move knows in the other's hand: ``shown``
    and, where no other cards are left for it, the rest."""
    cdef int player = to_move(h)
    cdef int other = 1 - player
    cdef int cards = popcount(h.hand[player]) - (h.led != NO_CARD)
    cdef uint32_t possible = (r.deck & ~(publicly_seen(h) | h.hand[player] | k.lacks[other])) | shown
    return possible if popcount(possible) == cards else shown


cdef inline void order_suits(const Hand* h, const Knowledge* k, uint32_t known, Suits* suits) noexcept nogil:
    """Trumps first, the plain suits by what the player to move sees of each."""
    cdef int player = to_move(h)
    cdef uint64_t keys[4]
    cdef uint32_t led = bit(h.led) if h.led != NO_CARD else 0
    cdef uint32_t lacks = k.lacks[1 - player] & ~h.hand[player]
    cdef int s, t, place, first
    for s in range(4):
        keys[s] = (<uint64_t>(h.hand[player] >> 6 * s & 63) << 40
                   | <uint64_t>(led >> 6 * s & 63) << 34
                   | <uint64_t>(known >> 6 * s & 63) << 28
                   | <uint64_t>(h.played >> 6 * s & 63) << 22
                   | (k.holds[player] >> 6 * s & 63) << 16
                   | (lacks >> 6 * s & 63) << 10
                   | <uint64_t>(h.declared == s))
    keys[h.trump] = <uint64_t>1 << 50
    for s in range(4):
        place = 0
        first = 0
        for t in range(4):
            if keys[t] > keys[s]:
                place += 1
                first += 1
            elif keys[t] == keys[s] and t < s:
                place += 1
        suits.place[s] = <uint8_t>place
        suits.read[s] = <uint8_t>first


cdef inline int put_set(uint16_t* inputs, int n, int group, uint32_t members) noexcept nogil:
    while members:
        inputs[n] = <uint16_t>(group + lowest(members))
        members &= members - 1
        n += 1
    return n


cdef inline uint32_t winning(uint32_t hand, int led, int trump) noexcept nogil:
    """The cards of a hand that win against the led card."""
    cdef uint32_t cards = above(led)
    if CARD_SUIT[led] != trump:
        cards |= suit_mask(trump)
    return hand & cards


cdef inline uint32_t settings(const Rules* r) noexcept nogil:
    """The rules as bits."""
    return (<uint32_t>(popcount(r.deck) < 24)
            | <uint32_t>(r.hand_size < 6) << 1
            | <uint32_t>(r.automatic != 0) << 2
            | <uint32_t>(r.exchange_needs_trick != 0) << 3
            | <uint32_t>(r.exchange_min_talon > 1) << 4
            | <uint32_t>(r.exchange_min_talon > 2) << 5
            | <uint32_t>(r.close_min_talon > 1) << 6
            | <uint32_t>(r.close_before_first_trick != 0) << 7
            | <uint32_t>(r.marriage_before_first_trick != 0) << 8
            | <uint32_t>(r.last_trick_bonus != 0) << 9
            | <uint32_t>(r.last_trick_wins != 0) << 10
            | <uint32_t>(r.tie_void != 0) << 11
            | <uint32_t>(r.closer_under_33 > 2) << 12
            | <uint32_t>(r.score_at_closing != 0) << 13
            | <uint32_t>(r.closer_fails > 2) << 14
            | <uint32_t>(r.closer_fails_trickless > 2) << 15
            | <uint32_t>(r.trickless_other != 0) << 16)


cdef inline int encode(const Hand* h, const Knowledge* k, const Rules* r, uint32_t shown,
                       uint16_t* inputs, Suits* suits) noexcept nogil:
    """Write the inputs that are one, at most ``MAX_ACTIVE``; returns how many.

    The hand is not over. ``shown`` are the cards that the player to move has
    been shown in the other's hand: ``k.holds`` of the other where ``h`` is a
    full hand, the other's hand itself where ``h`` is the player's own view.
    """
    cdef int player = to_move(h)
    cdef int other = 1 - player
    cdef uint32_t own = h.hand[player]
    cdef uint32_t known = known_of_other(h, k, r, shown)
    cdef uint32_t possible = known | (r.deck & ~(publicly_seen(h) | own | k.lacks[other]))
    cdef uint32_t trumps = suit_mask(h.trump)
    cdef uint32_t cards, masters
    cdef uint32_t may = 0
    cdef int card, left, n = 0
    order_suits(h, k, known, suits)

    n = put_set(inputs, n, OWN, to_canonical(own, suits))
    n = put_set(inputs, n, KNOWN, to_canonical(known, suits))
    n = put_set(inputs, n, PLAYED, to_canonical(h.played, suits))
    n = put_set(inputs, n, SHOWN, to_canonical(k.holds[player] & own, suits))
    n = put_set(inputs, n, LACKS, to_canonical(k.lacks[other] & ~own, suits))
    masters = 0
    cards = own
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if not possible & above(card):
            masters |= bit(card)
    n = put_set(inputs, n, MASTERS, to_canonical(masters, suits))
    if h.led != NO_CARD:
        n = put_set(inputs, n, LED, to_canonical(bit(h.led), suits))
        n = put_set(inputs, n, WINNERS, to_canonical(winning(own, h.led, h.trump), suits))
    else:
        inputs[n] = ON_LEAD
        n += 1
        if h.declared != NO_SUIT:
            inputs[n] = <uint16_t>(DECLARED + suits.place[h.declared])
            n += 1
        else:
            may = marriages(h, r) << MARRIAGE
            if may_exchange(h, r):
                may |= bit(EXCHANGE)
            if may_close(h, r):
                may |= bit(EXCHANGE + 1)
            n = put_set(inputs, n, MAY, moves_to_canonical(may, suits) >> MARRIAGE)
    if h.turned != NO_CARD:
        inputs[n] = <uint16_t>(TURNED + h.turned - 6 * h.trump)
        n += 1

    left = r.target - h.points[player]
    inputs[n] = <uint16_t>(POINTS + (0 if left < 0 else 66 if left > 66 else left))
    left = r.target - h.points[other]
    inputs[n + 1] = <uint16_t>(THEIR_POINTS + (0 if left < 0 else 66 if left > 66 else left))
    inputs[n + 2] = <uint16_t>(TRICKS + (h.tricks[player] if h.tricks[player] < 6 else 6))
    inputs[n + 3] = <uint16_t>(THEIR_TRICKS + (h.tricks[other] if h.tricks[other] < 6 else 6))
    inputs[n + 4] = <uint16_t>(FACEDOWN + h.facedown)
    left = popcount(own & trumps)
    inputs[n + 5] = <uint16_t>(TRUMPS + left)
    left = popcount(possible & trumps)
    inputs[n + 6] = <uint16_t>(TRUMPS_OUT + left)
    n += 7
    if h.pending[player]:
        inputs[n] = <uint16_t>(PENDING + (0 if h.pending[player] == 20 else 1 if h.pending[player] == 40 else 2))
        n += 1
    if h.pending[other]:
        inputs[n] = <uint16_t>(THEIR_PENDING + (0 if h.pending[other] == 20 else 1 if h.pending[other] == 40 else 2))
        n += 1
    if h.points[player] < r.schneider:
        inputs[n] = UNDER
        n += 1
    if h.points[other] < r.schneider:
        inputs[n] = UNDER + 1
        n += 1
    if h.closer != NOBODY:
        inputs[n] = <uint16_t>(CLOSED + (h.closer == other))
        n += 1
        if r.score_at_closing or r.trickless_other:
            if h.closing_tricks == 0:
                inputs[n] = AT_CLOSING
                n += 1
            if h.closing_points < r.schneider:
                inputs[n] = AT_CLOSING + 1
                n += 1
    return put_set(inputs, n, SETTINGS, settings(r))
