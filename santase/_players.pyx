"""The two plain players without search, and the seeds of the arena.

``greedy`` plays by rules of thumb that a careful beginner is taught:

* 66 is called when reached, the trump nine always exchanged, marriages always
  declared, trumps first;
* it closes when the tricks it is certain of on a simple count reach 66: trumps
  that no unseen trump beats; once these outnumber the trumps the other may be
  expected to hold, its other trumps and the unbeaten cards of other suits as
  well; one marriage; and a little for the cards the other throws on them;
* on lead it plays what costs least if lost: low cards of plain suits, no ten
  whose ace is out, no half of a marriage that can still come, no trumps; but
  when a certain trick reaches 66, that one, and in the strict phase all its
  certain tricks, trumps first;
* in reply it takes tricks in the led suit with the ten if it can, else as
  cheaply as possible and never with an ace what is worth less than a queen;
  trumps tens and aces, and anything that brings it to 66; otherwise throws the
  cheapest card.
"""

from libc.stdint cimport uint32_t, uint64_t

from santase._core cimport Position
from santase._random cimport next64, pick
from santase._rules cimport (
    CALL, CARD_POINTS, CARD_SUIT, CLOSE, EXCHANGE, MARRIAGE, NO_CARD, NO_SUIT, NOBODY, RANK_K,
    RANK_Q, Hand, Rules, Seen, above, bit, candidates, highest, legal_actions, lowest,
    marriage_mask, points_of, popcount, reply_wins, suit_mask, talon_open, to_move,
)

from santase._core import seed_state
from santase.actions import ACTIONS
from santase.errors import HiddenCardsError, SantaseError


cdef enum:
    TEN = 4
    ACE = 5
    THROWN = 3          # card points expected of the other on a trick it cannot win; 2 to 4 play alike


def mix_seed(seed, *numbers):
    """A seed for one use of many: from a seed and what the use is numbered by.

    The seed is passed through one step of SplitMix64; each number in turn is
    then combined by exclusive or and passed through another. All are 0 to
    2**64 - 1; raises ``SantaseError``.
    """
    cdef uint64_t state = seed_state(seed)
    state = next64(&state)
    for number in numbers:
        state ^= <uint64_t>seed_state(number)
        state = next64(&state)
    return state


cdef int need_move(const Seen* s) except -1:
    if s.hand.over:
        raise SantaseError("the hand is over, there is nothing to play")
    if s.hidden[to_move(&s.hand)]:
        raise HiddenCardsError(f"player {to_move(&s.hand)} is to move, whose hand is hidden in this view")
    return 0


def random_action(Position view not None, seed):
    """One of the legal actions, all equally likely, but 66 is called when, and only when, it has been reached."""
    cdef uint64_t state = seed_state(seed)
    cdef uint32_t actions
    need_move(&view.s)
    actions = legal_actions(&view.s.hand, &view.ruleset.c)
    if actions & bit(CALL):
        if view.s.hand.points[view.s.hand.leader] >= view.ruleset.c.target:
            return ACTIONS[CALL]
        actions ^= bit(CALL)
    return ACTIONS[pick(&state, actions, popcount(actions))]


def greedy_action(Position view not None):
    """What the rules of thumb at the top of this module play."""
    need_move(&view.s)
    return ACTIONS[greedy(&view.s, &view.ruleset.c)]


def greedy_without_closing(Position view not None):
    """The same for a player that never closes."""
    cdef Rules rules = view.ruleset.c
    need_move(&view.s)
    rules.close_min_talon = 255
    return ACTIONS[greedy(&view.s, &rules)]


# ---------------------------------------------------------------- what it counts

cdef inline uint32_t unbeaten(uint32_t cards, uint32_t theirs) noexcept nogil:
    """The cards of one suit that no card of theirs in it beats."""
    return cards & above(highest(theirs)) if theirs else cards


cdef inline uint32_t certain_leads(uint32_t hand, uint32_t theirs, int hidden, int trump) noexcept nogil:
    """The cards that win when led in the strict phase, whatever the other holds of ``theirs``.

    Where ``hidden`` cards are unknown a plain suit counts as certain to be
    followed when three or more of its cards may be there.
    """
    cdef uint32_t found = 0
    cdef uint32_t suit, there
    cdef int s
    for s in range(4):
        suit = suit_mask(s)
        there = theirs & suit
        if s == trump or not theirs & suit_mask(trump) or popcount(there) >= (3 if hidden else 1):
            found |= unbeaten(hand & suit, there)
    return found


cdef int closing_points(const Seen* s, const Rules* r, uint32_t theirs) noexcept nogil:
    """The points that the player on lead counts on if it closes now."""
    cdef int player = s.hand.leader
    cdef uint32_t hand = s.hand.hand[player]
    cdef int number = popcount(s.hand.hand[1 - player]) + s.hidden[1 - player]
    cdef uint32_t trumps = suit_mask(s.hand.trump)
    cdef uint32_t sure = unbeaten(hand & trumps, theirs & trumps)
    cdef int places = popcount(theirs)
    # rounded up: one trump too many is the safe mistake
    cdef int expected = (popcount(theirs & trumps) * number + places - 1) // places if places else 0
    cdef int suit, best = 0
    cdef uint32_t pair
    if popcount(sure) >= expected:
        sure |= hand & trumps
        for suit in range(4):
            if suit != s.hand.trump:
                sure |= unbeaten(hand & suit_mask(suit), theirs & suit_mask(suit))
    if sure or s.hand.tricks[player]:
        for suit in range(4):
            pair = marriage_mask(suit)
            if hand & pair == pair:
                best = max(best, 40 if suit == s.hand.trump else 20)
    return (s.hand.points[player] + (s.hand.pending[player] if sure else 0)
            + points_of(sure) + THROWN * popcount(sure) + best)


cdef inline int worth_keeping(int card, uint32_t hand, uint32_t theirs, int trump) noexcept nogil:
    """What it costs to give a card away, in card points or so."""
    cdef int suit = CARD_SUIT[card]
    cdef int rank = card - 6 * suit
    cdef int cost = 2 * CARD_POINTS[card]
    cdef int partner
    if suit == trump:
        cost += 20
    if rank == RANK_K or rank == RANK_Q:
        partner = card + (1 if rank == RANK_Q else -1)
        if (hand | theirs) & bit(partner):
            # it may still make a marriage, here or there
            cost += 16 if suit == trump else 8
    return cost


cdef int cheapest(uint32_t cards, uint32_t hand, uint32_t theirs, int trump) noexcept nogil:
    cdef int best = 0, least = 1 << 20
    cdef int card, cost
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        cost = worth_keeping(card, hand, theirs, trump)
        if cost < least:
            least = cost
            best = card
    return best


cdef inline int dearest(uint32_t cards) noexcept nogil:
    """The card with the most points."""
    cdef int best = lowest(cards)
    while cards:
        if CARD_POINTS[lowest(cards)] > CARD_POINTS[best]:
            best = lowest(cards)
        cards &= cards - 1
    return best


# ---------------------------------------------------------------- what it plays

cdef int lead_card(const Seen* s, const Rules* r, uint32_t cards, uint32_t theirs) noexcept nogil:
    """Which of ``cards`` to lead."""
    cdef int player = s.hand.leader
    cdef int trump = s.hand.trump
    cdef uint32_t trumps = suit_mask(trump)
    cdef uint32_t hand = s.hand.hand[player]
    cdef uint32_t sure
    cdef int missing = r.target - s.hand.points[player] - s.hand.pending[player]
    if talon_open(&s.hand):
        sure = unbeaten(cards & trumps, theirs & trumps)
        if not theirs & trumps:
            sure = certain_leads(cards, theirs, s.hidden[1 - player], trump)
        if sure and CARD_POINTS[dearest(sure)] >= missing:
            return dearest(sure)
        return cheapest(cards, hand, theirs, trump)
    sure = certain_leads(cards, theirs, s.hidden[1 - player], trump)
    if sure:
        if CARD_POINTS[dearest(sure)] >= missing:
            return dearest(sure)
        if sure & trumps and theirs & trumps:
            return highest(sure & trumps)
        return dearest(sure & ~trumps if sure & ~trumps else sure)
    return cheapest(cards, hand, theirs, trump)


cdef int reply_card(const Seen* s, const Rules* r, uint32_t cards, uint32_t theirs) noexcept nogil:
    """Which of ``cards`` to answer the led card with."""
    cdef int player = 1 - s.hand.leader
    cdef int trump = s.hand.trump
    cdef int led = s.hand.led
    cdef uint32_t suit = suit_mask(CARD_SUIT[led])
    cdef uint32_t hand = s.hand.hand[player]
    cdef uint32_t winners = cards & above(led)
    cdef uint32_t ruffs = 0
    cdef int card, missing
    missing = (r.target - s.hand.points[player] - s.hand.pending[player] - CARD_POINTS[led])
    if CARD_SUIT[led] != trump:
        ruffs = cards & suit_mask(trump)
    if winners | ruffs and CARD_POINTS[dearest(winners | ruffs)] >= missing:
        return dearest(winners | ruffs)
    if not talon_open(&s.hand):
        if winners:
            card = 6 * CARD_SUIT[led] + TEN
            return card if winners & bit(card) else lowest(winners)
        if ruffs:
            return cheapest(ruffs, hand, theirs, trump)
        return cheapest(cards, hand, theirs, trump)
    if winners and CARD_SUIT[led] != trump:
        card = 6 * CARD_SUIT[led] + TEN
        if winners & bit(card):
            return card
        card = cheapest(winners, hand, theirs, trump)
        if card - 6 * CARD_SUIT[led] != ACE or CARD_POINTS[led] >= 3:
            return card
    elif winners and CARD_POINTS[led] >= 3:
        return cheapest(winners, hand, theirs, trump)
    if ruffs and CARD_POINTS[led] >= 10:
        return cheapest(ruffs, hand, theirs, trump)
    return cheapest(cards, hand, theirs, trump)


cdef int greedy(const Seen* s, const Rules* r) noexcept nogil:
    cdef const Hand* h = &s.hand
    cdef uint32_t actions = legal_actions(h, r)
    cdef uint32_t cards = actions & (bit(MARRIAGE) - 1)
    cdef uint32_t theirs
    cdef int player = to_move(h)
    cdef uint32_t suits = (actions >> MARRIAGE) & 15
    theirs = h.hand[1 - player] | candidates(s, r, 1 - player)
    if h.led != NO_CARD:
        return reply_card(s, r, cards, theirs)
    if actions & bit(CALL) and h.points[player] >= r.target:
        return CALL
    if actions & bit(EXCHANGE):
        return EXCHANGE
    if actions & bit(CLOSE) and closing_points(s, r, theirs) >= r.target:
        return CLOSE
    if suits:
        return MARRIAGE + (h.trump if suits & bit(h.trump) else lowest(suits))
    return lead_card(s, r, cards, theirs)
