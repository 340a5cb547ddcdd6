"""The luck of the draw: what the cards drawn from the talon were worth, beyond what was to be expected.

A control variate in the manner of AIVAT (Burch, Schmid, Moravcik, Morrill and
Bowling, "AIVAT: a new variance reduction technique for agent evaluation in
imperfect information games", 2018). Let v be any fixed function of a hand at
one moment. Each draw adds v after it, less the mean of v over the draws that
were possible: the face-down cards are in any order with equal chance whatever
has been played, since nobody has seen them. So the sum has mean 0, and taking
it from the result leaves the mean of that as it is, whatever v and whoever
plays; it cuts the variance as far as v tells good draws from bad. It does not
hold for players who see the talon.

v is linear: it weighs what player 0 holds less what player 1 holds of each
feature, with weights fitted by ``benchmarks/fit_luck.py`` to 24,000 hands of
``ismcts:worlds=300`` against itself (preset ``santase``). A feature being a function of one player's own cards, its mean is one
over the face-down cards, for the one who draws second as for the first.
"""

from libc.string cimport memset
from libc.stdint cimport uint32_t

from santase._core cimport Position
from santase._rules cimport (
    NO_CARD, RANK_K, RANK_Q, Hand, Rules, act, bit, facedown_mask, legal_actions, lowest, popcount,
    suit_mask, talon_open,
)

from santase.actions import Action
from santase.errors import HiddenCardsError, IllegalActionError


cdef enum:
    # a feature of plain suits, then the same of trumps
    RANKS = 0           # cards of each of the six ranks
    PAIRS = 6           # K and Q of one suit
    HALVES = 7          # K or Q whose other half may still come
    KINDS = 8
    FEATURES = 16

cdef extern from *:
    """
    static const double santase_luck_weights[16] = {
        -0.276, -0.299, -0.281, -0.239, -0.145, 0.047, 0.619, 0.167,
        0.182, 0.009, 0.083, 0.152, 0.309, 0.459, 0.859, 0.193,
    };
    """
    const double WEIGHTS "santase_luck_weights"[16]

FEATURE_NAMES = tuple(
    f"{suits} {name}" for suits in ("plain", "trump") for name in (*"9JQKTA", "marriage", "half marriage")
)


cdef void add_features(double* sums, double factor, uint32_t hand, uint32_t played, int trump) noexcept nogil:
    cdef int suit, kind, card, both
    cdef uint32_t cards
    for suit in range(4):
        kind = KINDS if suit == trump else 0
        cards = (hand >> (6 * suit)) & 63
        both = (cards >> RANK_Q) & 3
        if both == 3:
            sums[kind + PAIRS] += factor
        elif both and not (played >> (6 * suit + RANK_Q)) & (3 ^ both):
            sums[kind + HALVES] += factor
        while cards:
            sums[kind + RANKS + lowest(cards)] += factor
            cards &= cards - 1


cdef void add_draw(double* sums, const Hand* before, const Hand* after) noexcept nogil:
    """Enter a draw: ``before`` the trick's reply and ``after`` it."""
    cdef uint32_t cards = facedown_mask(before)
    cdef uint32_t kept, left
    cdef int player, number = popcount(cards)
    cdef double sign
    if number < 2:
        return      # the last draw is settled: one takes the face-down card, one the turned card
    for player in range(2):
        sign = 1 - 2 * player
        kept = after.hand[player] & ~cards
        add_features(sums, sign, after.hand[player], after.played, after.trump)
        left = cards
        while left:
            add_features(sums, -sign / number, kept | bit(lowest(left)), after.played, after.trump)
            left &= left - 1


cdef int replay(double* sums, Position deal, actions) except -1:
    cdef Hand before = deal.s.hand
    cdef Hand after
    cdef int number
    if deal.hidden != (0, 0) or deal.talon is None:
        raise HiddenCardsError("a full position is needed")
    for action in actions:
        number = Action(action).number
        if not legal_actions(&before, &deal.ruleset.c) & bit(number):
            raise IllegalActionError(f"{action}: not legal in its turn")
        after = before
        act(&after, &deal.ruleset.c, number)
        if after.facedown != before.facedown:
            add_draw(sums, &before, &after)
        before = after
    return 0


def draw_features(Position deal not None, actions):
    """For a full position and the actions played from it: of each of ``FEATURE_NAMES`` what the draws gave
    player 0 more than was to be expected, less the same of player 1."""
    cdef double[16] sums
    memset(sums, 0, sizeof(sums))
    replay(sums, deal, actions)
    return [sums[i] for i in range(FEATURES)]


def draw_luck(Position deal not None, actions):
    """The luck of player 0 in the draws of a hand, in game points: a number with mean 0."""
    cdef double[16] sums
    cdef double luck = 0
    cdef int i
    memset(sums, 0, sizeof(sums))
    replay(sums, deal, actions)
    for i in range(FEATURES):
        luck += WEIGHTS[i] * sums[i]
    return luck
