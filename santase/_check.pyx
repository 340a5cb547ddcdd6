"""Whether a position can come about under its rules.

One function, used for lines, packed arrays and whatever else comes from
outside: it refuses what cannot be, names the field of the notation that is
wrong, puts in place what counting tells, and finds out whether the hand is over.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from santase._rules cimport (
    CARD_POINTS, NO_CARD, NO_SUIT, NOBODY, REACHED, Hand, Rules, Seen,
    any_trick, bit, candidates, count_cards, end_called, end_played_out, end_won, facedown_mask,
    marriage_mask, points_of, popcount, unseen,
)
from santase._ruleset cimport RuleSet

from santase.cards import CARDS, SUITS
from santase.errors import NotationError

_HAND = ("hand0", "hand1")


cdef str many(int number, str thing):
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


cdef str text_of(uint32_t cards):
    return " ".join([CARDS[c] for c in range(24) if cards & bit(c)])


cdef int check_seen(Seen* s, RuleSet ruleset) except -1:
    """Check a position and complete it; raises ``NotationError``.

    On entry ``hand.over`` is ``RIGHT_CALL`` where the hand has been ended by a
    call of the leader, otherwise 0; on return it, ``winner`` and
    ``game_points`` say how the hand has ended, if it has.
    """
    cdef Hand* h = &s.hand
    cdef Rules* r = &ruleset.c
    check_sizes(s, r, ruleset.rules.facedown)
    check_cards(s, r)
    check_turn(s, r)
    check_closing(h, r, ruleset.rules.facedown)
    check_knowledge(s, r)
    check_points(s, r)
    count_cards(s, r)
    check_end(h, r)
    return 0


cdef int check_cards(Seen* s, Rules* r) except -1:
    """Every card once, and one of the deck."""
    cdef Hand* h = &s.hand
    cdef uint32_t used = 0, more
    for field, cards in (
        ("hand0", h.hand[0]), ("hand1", h.hand[1]), ("talon", 0 if s.talon_hidden else facedown_mask(h)),
        ("turned", bit(h.turned) if h.turned != NO_CARD else 0), ("played", h.played),
        ("turn", bit(h.led) if h.led != NO_CARD else 0),
    ):
        more = cards
        if more & ~r.deck:
            raise NotationError(f"{text_of(more & ~r.deck)} not in the deck of these rules", field)
        if more & used:
            raise NotationError(f"{text_of(more & used)} stands in an earlier field too", field)
        used |= more
    if not s.talon_hidden and popcount(facedown_mask(h)) != h.facedown:
        raise NotationError("a card stands there twice", "talon")
    if h.trump >= 4 or not r.deck & (<uint32_t>0x3F << (6 * h.trump)):
        raise NotationError("the trump suit is not in the deck of these rules", "turned")
    return 0


cdef int check_sizes(Seen* s, Rules* r, int dealt) except -1:
    """The numbers of cards fit the tricks, the turn and the closing.

    ``dealt`` is the number of face-down cards after the deal.
    """
    cdef Hand* h = &s.hand
    cdef int tricks = h.tricks[0] + h.tricks[1]
    cdef int draws_in_all = (dealt + 1) // 2
    cdef int draws, left, held, player, cards
    if tricks > r.hand_size + draws_in_all:
        raise NotationError(f"{tricks} tricks are more than the cards give", "tricks")
    if popcount(h.played) != 2 * tricks:
        raise NotationError(
            f"{many(popcount(h.played), 'card')} for {many(tricks, 'trick')}, not {2 * tricks}", "played")
    if h.closer == NOBODY:
        draws = min(tricks, draws_in_all)
        left = max(dealt - 2 * tricks, 0)
        if h.facedown != left:
            raise NotationError(
                f"{h.facedown} face down, but after {many(tricks, 'trick')} there are {left}", "talon")
    else:
        if h.facedown > dealt or h.facedown % 2 == 0:
            raise NotationError(
                f"{h.facedown} face down: after a closing there is an odd number up to {dealt}",
                "talon")
        draws = (dealt - h.facedown) // 2
        if draws > tricks:
            raise NotationError(
                f"{h.facedown} face down, but for that {many(draws, 'trick')} must have been played",
                "talon")
    if h.facedown == 0 and h.turned != NO_CARD:
        raise NotationError("the talon is exhausted, so the card has been drawn: give the suit alone", "turned")
    if h.facedown != 0 and h.turned == NO_CARD:
        raise NotationError("cards lie face down, so the turned card is there: give the card", "turned")
    for player in range(2):
        held = r.hand_size + draws - tricks
        if h.led != NO_CARD and h.leader == player:
            held -= 1
        cards = popcount(h.hand[player]) + s.hidden[player]
        if held < 0:
            raise NotationError("all cards have been played, so none can be led", "turn")
        if cards != held:
            raise NotationError(
                f"{many(cards, 'card')}, but after {many(tricks, 'trick')} player {player} holds {held}", _HAND[player])
    if s.hidden[0] and s.hidden[1]:
        raise NotationError("one of the two hands must be given whole", "hand1")
    return 0


cdef int check_turn(Seen* s, Rules* r) except -1:
    cdef Hand* h = &s.hand
    cdef int p = h.leader
    cdef uint32_t missing
    if any_trick(h) and not h.tricks[p]:
        raise NotationError(f"player {p} is on lead but has taken no trick", "turn")
    if h.declared != NO_SUIT:
        if h.led != NO_CARD or h.over:
            raise NotationError("a declared marriage stands there only before the lead", "turn")
        if not any_trick(h) and not r.marriage_before_first_trick:
            raise NotationError("these rules allow no marriage before a trick has been played", "turn")
        missing = marriage_mask(h.declared) & ~h.hand[p]
        if missing & ~(candidates(s, r, p) if s.hidden[p] else 0):
            raise NotationError(f"player {p} has declared {SUITS[h.declared]} without K and Q of it", "turn")
    if h.over and r.automatic:
        raise NotationError("there is no call under these rules", "turn")
    if h.over and h.led != NO_CARD:
        raise NotationError("who has led a card does not call", "turn")
    return 0


cdef int check_closing(Hand* h, Rules* r, int dealt) except -1:
    """A closing that the rules allow, with tricks and points at that moment
    that lead to those of now."""
    cdef int c = h.closer
    cdef int other, at, since, least, most
    cdef bint kept = r.score_at_closing or r.trickless_other
    if c == NOBODY:
        return 0
    other = 1 - c
    at = (dealt - h.facedown) // 2              # tricks played at the closing
    since = h.tricks[0] + h.tricks[1] - at
    if h.facedown < r.close_min_talon:
        raise NotationError(
            f"closing takes {many(r.close_min_talon, 'card')} face down, there are {h.facedown}", "closed")
    if at == 0 and not r.close_before_first_trick:
        raise NotationError("these rules allow no closing before a trick has been played", "closed")
    # the closer was on lead, so had the last trick before, and leads the first after
    if since == 0 and h.leader != c:
        raise NotationError(f"player {c} cannot have closed: player {h.leader} is on lead", "closed")
    least = max(0, at - h.tricks[c], h.tricks[other] - since)
    most = min(<int>h.tricks[other], at - 1 if at else 0)
    if least > most:
        raise NotationError(f"the tricks do not allow that player {c} was on lead to close", "closed")
    if not kept:
        return 0
    if not least <= h.closing_tricks <= most:
        raise NotationError(
            f"player {other} cannot have had {many(h.closing_tricks, 'trick')} at the closing", "closed")
    if (h.closing_points > h.points[other]
            or (h.closing_tricks == 0 and h.closing_points != 0)
            or (h.closing_tricks == h.tricks[other] and h.closing_points != h.points[other])):
        raise NotationError(
            f"player {other} cannot have had {h.closing_points} points at the closing", "closed")
    return 0


cdef int check_knowledge(Seen* s, Rules* r) except -1:
    """What is known of a hand may be so; shown cards of a hidden hand are known."""
    cdef Hand* h = &s.hand
    cdef uint32_t held, free
    cdef int p
    for p in range(2):
        if (s.known.holds[p] | s.known.lacks[p]) & ~r.deck:
            raise NotationError("a card is not in the deck of these rules", "known")
        if s.known.holds[p] & s.known.lacks[p]:
            raise NotationError(f"player {p} both holds and lacks {text_of(s.known.holds[p] & s.known.lacks[p])}", "known")
        if s.known.lacks[p] & h.hand[p]:
            raise NotationError(f"player {p} holds {text_of(s.known.lacks[p] & h.hand[p])}", "known")
        if s.known.lacks[p] and h.closer == NOBODY:
            raise NotationError("only under a closing does play show what a player lacks", "known")
        held = s.known.holds[p] & ~h.hand[p]
        free = unseen(s, r)
        if held & ~free or popcount(held) > s.hidden[p]:
            raise NotationError(f"player {p} cannot hold {text_of(held)}", "known")
        if s.hidden[p]:
            h.hand[p] |= held
            s.hidden[p] -= <uint8_t>popcount(held)
            s.known.holds[p] = h.hand[p]
        if s.hidden[p] > popcount(candidates(s, r, p)):
            raise NotationError(f"no cards are left that player {p} may hold", "known")
    return 0


cdef bint sums_to(uint32_t cards, int number, int points) noexcept:
    """Whether some ``number`` of the cards have just that many card points."""
    # low[n], high[n]: the 128-bit set of sums that n of the cards can have
    cdef uint64_t low[25]
    cdef uint64_t high[25]
    cdef int card, n, p, seen = 0
    if points < 0 or points > 120:
        return False
    for n in range(25):
        low[n] = 0
        high[n] = 0
    low[0] = 1
    for card in range(24):
        if not cards & bit(card):
            continue
        p = CARD_POINTS[card]
        for n in range(seen, -1, -1):
            if p:
                high[n + 1] |= (high[n] << p) | (low[n] >> (64 - p))
                low[n + 1] |= low[n] << p
            else:
                high[n + 1] |= high[n]
                low[n + 1] |= low[n]
        seen += 1
    if points < 64:
        return (low[number] >> points) & 1
    return (high[number] >> (points - 64)) & 1


cdef bint may_have_declared(Seen* s, Rules* r, int player, int suit) noexcept:
    """Whether a player may have declared a marriage by now, going by the cards."""
    cdef Hand* h = &s.hand
    cdef uint32_t pair = marriage_mask(suit)
    cdef uint32_t gone = h.played | (bit(h.led) if h.led != NO_CARD else 0)
    cdef uint32_t rest = pair & ~gone
    if pair & ~r.deck:
        return False
    if rest & ~(h.hand[player] | (candidates(s, r, player) if s.hidden[player] else 0)):
        return False
    # one of the two is led at once, or the hand is ended by a call
    return rest != pair or (h.leader == player and (h.declared == suit or h.over))


cdef int check_points(Seen* s, Rules* r) except -1:
    """Points that the played cards, marriages and the last trick can give.

    A card that must be in a hidden hand, since no other marriages would give
    the points, is put there.
    """
    cdef Hand* h = &s.hand
    cdef int hider = 0 if s.hidden[0] else 1
    cdef uint32_t gone = h.played | (bit(h.led) if h.led != NO_CARD else 0)
    cdef uint32_t shown, always = 0xFFFFFFFF
    cdef int assigned, suit, who, code, player, in_cards
    cdef int card_points[2]
    cdef int marriage_points[2]
    cdef bint fits, played_out = h.hand[0] == 0 and h.hand[1] == 0 and s.hidden[0] == 0 and s.hidden[1] == 0 and h.led == NO_CARD
    cdef bint sum_seen = False
    for player in range(2):
        if h.points[player] and not h.tricks[player]:
            raise NotationError(f"player {player} has points without a trick", "points")
        if h.pending[player]:
            if h.tricks[player]:
                raise NotationError(f"player {player} has a trick, so nothing is pending", "pending")
            if h.pending[player] != 20 and h.pending[player] != 40:
                raise NotationError("a marriage is worth 20 or 40", "pending")
            if not r.marriage_before_first_trick:
                raise NotationError("these rules allow no marriage before a trick has been played", "pending")
            if not any_trick(h) and h.leader != player:
                raise NotationError(f"player {player} has not been on lead", "pending")
    if h.pending[0] and h.pending[1]:
        raise NotationError("only the first leader's marriage can be pending", "pending")
    in_cards = points_of(h.played)
    for assigned in range(81):
        fits = True
        code = assigned
        marriage_points[0] = marriage_points[1] = 0
        shown = 0
        for suit in range(4):
            who = code % 3
            code //= 3
            if who == 2:
                fits = fits and h.declared != suit
                continue
            fits = fits and may_have_declared(s, r, who, suit) and not (h.declared == suit and h.leader != who)
            marriage_points[who] += 40 if suit == h.trump else 20
            if who == hider:
                shown |= marriage_mask(suit) & ~(gone | h.hand[who])
        if not fits or popcount(shown) > s.hidden[hider]:
            continue
        for player in range(2):
            card_points[player] = h.points[player]
            if h.tricks[player]:
                card_points[player] -= marriage_points[player]
            elif marriage_points[player] != h.pending[player]:
                fits = False
            if played_out and h.closer == NOBODY and h.leader == player:
                card_points[player] -= r.last_trick_bonus
        if not fits or card_points[0] + card_points[1] != in_cards:
            continue
        sum_seen = True
        if sums_to(h.played, 2 * h.tricks[0], card_points[0]):
            always &= shown
            if always == 0:
                return 0
    if always != 0xFFFFFFFF:
        h.hand[hider] |= always
        s.known.holds[hider] |= always
        s.hidden[hider] -= <uint8_t>popcount(always)
        return 0
    if sum_seen:
        raise NotationError("the tricks taken cannot share out the points of the played cards so", "points")
    if h.pending[0] or h.pending[1] or h.declared != NO_SUIT:
        raise NotationError(
            f"with {in_cards} in the played cards, no marriages that the cards allow make points and pending so",
            "pending")
    raise NotationError(
        f"with {in_cards} in the played cards, no marriages that the cards allow make"
        f" {h.points[0]}/{h.points[1]}", "points")


cdef int check_end(Hand* h, Rules* r) except -1:
    """Find out whether the hand is over, and how."""
    cdef bint called = h.over
    cdef int p
    h.over = 0
    h.winner = NOBODY
    h.game_points = 0
    if h.hand[0] == 0 and h.hand[1] == 0 and h.led == NO_CARD:
        if called:
            raise NotationError("all cards have been played, nobody calls any more", "turn")
        end_played_out(h, r)
    elif called:
        end_called(h, r)
    elif r.automatic:
        for p in range(2):
            if h.points[p] >= r.target and (p != h.leader or h.led != NO_CARD):
                raise NotationError(
                    f"player {p} has {h.points[p]}: the hand would have ended before", "points")
        if h.points[h.leader] >= r.target:
            end_won(h, r, h.leader, REACHED)
    return 0
