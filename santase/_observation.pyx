"""A view as a dense array, for learners.

The array says what the view says, no more and no less: a view can be read back
from it. That sets it apart from the inputs of a network that plays, which are
chosen to play well: those leave things out, work things out, and put the suits
in an order of their own.
"""

from libc.stdint cimport int8_t, uint32_t
from libc.string cimport memset

from santase._core cimport Position
from santase._rules cimport (
    ACTIONS, NO_CARD, NO_SUIT, NOBODY, Rules, Seen, hide, is_full, legal_actions, lowest, popcount,
)
from santase._rules cimport to_move as player_to_move

from typing import NamedTuple

import numpy

from santase.errors import HiddenCardsError, SantaseError


cdef enum:
    # the first place of each field; sets of cards have 24 places in the order of
    # the card numbers, pairs are the player's own and then the other's
    OWN = 0
    OTHER = 24
    OWN_SHOWN = 48
    OTHER_SHOWN = 72
    OWN_LACKS = 96
    OTHER_LACKS = 120
    PLAYED = 144
    LED = 168
    TURNED = 192
    TRUMP = 216
    DECLARED = 220
    TO_MOVE = 224
    LEADER = 225
    CLOSED = 226
    POINTS = 228
    TRICKS = 230
    PENDING = 232
    CARDS_HELD = 234
    FACEDOWN = 236
    CLOSING_POINTS = 237
    CLOSING_TRICKS = 238
    SIZE = 239


class Field(NamedTuple):
    """A part of the observation array: its name, first index, number of entries, whether both
    players know it, and what it means."""

    name: str
    start: int
    size: int
    public: bool
    meaning: str


LAYOUT = (
    Field("own", OWN, 24, False, "cards in the player's hand"),
    Field("other", OTHER, 24, False, "cards that the player knows in the other's hand, counting included"),
    Field("own_shown", OWN_SHOWN, 24, True, "own cards that the other has been shown"),
    Field("other_shown", OTHER_SHOWN, 24, True, "cards in the other's hand that have been shown"),
    Field("own_lacks", OWN_LACKS, 24, True, "cards that the player has shown to lack"),
    Field("other_lacks", OTHER_LACKS, 24, True, "cards that the other has shown to lack"),
    Field("played", PLAYED, 24, True, "cards in taken tricks"),
    Field("led", LED, 24, True, "the card on the table that is to be replied to"),
    Field("turned", TURNED, 24, True, "the turned card; none once it has been drawn"),
    Field("trump", TRUMP, 4, True, "the trump suit"),
    Field("declared", DECLARED, 4, True, "the suit of the marriage declared on this lead"),
    Field("to_move", TO_MOVE, 1, True, "1 when the player is to move"),
    Field("leader", LEADER, 1, True, "1 when the player is on lead or has led to the trick on the table"),
    Field("closed", CLOSED, 2, True, "who has closed: the player, the other"),
    Field("points", POINTS, 2, True, "card points that count, own and the other's; 1 is the target"),
    Field("tricks", TRICKS, 2, True, "tricks taken, own and the other's; 1 is all there are"),
    Field("pending", PENDING, 2, True, "pending marriage points, own and the other's; 1 is 40"),
    Field("cards", CARDS_HELD, 2, True, "cards held, own and the other's; 1 is a hand as dealt"),
    Field("facedown", FACEDOWN, 1, True, "face-down cards; 1 is eleven"),
    Field("closing_points", CLOSING_POINTS, 1, True,
          "the closer's opponent's points at the closing, under rules that score by them; 1 is the target"),
    Field("closing_tricks", CLOSING_TRICKS, 1, True,
          "the same player's tricks at the closing; 1 is all there are"),
)


cdef inline void put(float* out, int start, uint32_t cards) noexcept nogil:
    while cards:
        out[start + lowest(cards)] = 1
        cards &= cards - 1


cdef void fill(const Seen* s, const Rules* r, int player, float* out) noexcept nogil:
    """Write what ``player``, whose view ``s`` is, knows."""
    cdef int other = 1 - player
    cdef float point = 1.0 / r.target
    cdef float trick = 2.0 / popcount(r.deck)
    cdef float held = 1.0 / r.hand_size
    cdef int i, seat
    memset(out, 0, SIZE * sizeof(float))
    put(out, OWN, s.hand.hand[player])
    put(out, OTHER, s.hand.hand[other])
    put(out, OWN_SHOWN, s.known.holds[player])
    put(out, OTHER_SHOWN, s.known.holds[other])
    put(out, OWN_LACKS, s.known.lacks[player])
    put(out, OTHER_LACKS, s.known.lacks[other])
    put(out, PLAYED, s.hand.played)
    if s.hand.led != NO_CARD:
        out[LED + s.hand.led] = 1
    if s.hand.turned != NO_CARD:
        out[TURNED + s.hand.turned] = 1
    out[TRUMP + s.hand.trump] = 1
    if s.hand.declared != NO_SUIT:
        out[DECLARED + s.hand.declared] = 1
    out[TO_MOVE] = player_to_move(&s.hand) == player and not s.hand.over
    out[LEADER] = s.hand.leader == player
    if s.hand.closer != NOBODY:
        out[CLOSED + (s.hand.closer != player)] = 1
    for i in range(2):
        seat = player if i == 0 else other
        out[POINTS + i] = point * s.hand.points[seat]
        out[TRICKS + i] = trick * s.hand.tricks[seat]
        out[PENDING + i] = s.hand.pending[seat] / <float>40
        out[CARDS_HELD + i] = held * (popcount(s.hand.hand[seat]) + s.hidden[seat])
    out[FACEDOWN] = s.hand.facedown / <float>11
    out[CLOSING_POINTS] = point * s.hand.closing_points
    out[CLOSING_TRICKS] = trick * s.hand.closing_tricks


def observe(Position position not None, player=None, out=None):
    """What a player, by default the one to move, knows, as a float32 array of shape (239,).

    ``LAYOUT`` says what each entry means; a full position is reduced to the
    player's view first. ``out``, a contiguous float32 array of that shape, is
    filled and returned instead of a new one. Raises ``HiddenCardsError`` for a
    view of the other player.
    """
    cdef Seen seen = position.s
    cdef int viewer
    cdef float[::1] filled
    if player is None:
        viewer = player_to_move(&seen.hand)
    elif player == 0 or player == 1:
        viewer = player
    else:
        raise SantaseError(f"player: 0 or 1 is needed, not {player!r}")
    if seen.hidden[viewer]:
        raise HiddenCardsError(f"the hand of player {viewer} is hidden in this view")
    if is_full(&seen):
        hide(&seen, &position.ruleset.c, viewer)
    if out is None:
        out = numpy.empty(SIZE, dtype=numpy.float32)
    filled = out
    if filled.shape[0] != SIZE:
        raise SantaseError(f"out: an array of {SIZE} entries is needed, not of {filled.shape[0]}")
    fill(&seen, &position.ruleset.c, viewer, &filled[0])
    return out


def action_mask(Position position not None):
    """The legal actions as an int8 array of shape (31,): 1 at the number of each, all 0
    when the hand is over. Raises ``HiddenCardsError`` when the mover's hand is hidden."""
    cdef int player = player_to_move(&position.s.hand)
    cdef uint32_t actions
    cdef int8_t[::1] filled
    if position.s.hidden[player]:
        raise HiddenCardsError(f"player {player} is to move, whose hand is hidden in this view")
    mask = numpy.zeros(ACTIONS, dtype=numpy.int8)
    filled = mask
    actions = legal_actions(&position.s.hand, &position.ruleset.c)
    while actions:
        filled[lowest(actions)] = 1
        actions &= actions - 1
    return mask
