"""Whether a position can come about under its rules."""

from santase._rules cimport (
    CARD_SUIT, MAX_FACEDOWN, NO_CARD, NO_SUIT, NOBODY, VOID, Hand, Rules, Seen, popcount,
)
from santase._ruleset cimport RuleSet


cdef int check_seen(Seen* s, RuleSet ruleset) except -1


cdef inline bint fields_fit(const Hand* h, const Rules* r) noexcept nogil:
    """Every field of a hand from outside is one of its possible values, and what means nothing is 0,
    so that equal positions have equal bytes."""
    return (fields_in_range(h)
            and h.talon >> (5 * h.facedown) == 0
            and (h.turned == NO_CARD or CARD_SUIT[h.turned] == h.trump)
            and ((h.closing_points == 0 and h.closing_tricks == 0)
                 or (h.closer != NOBODY and (r.score_at_closing or r.trickless_other))))


cdef inline bint fields_in_range(const Hand* h) noexcept nogil:
    return (h.leader <= 1 and h.trump < 4 and h.declared <= NO_SUIT and h.closer <= NOBODY
            and (h.led < 24 or h.led == NO_CARD) and (h.turned < 24 or h.turned == NO_CARD)
            and h.facedown <= MAX_FACEDOWN and h.over <= VOID and h.winner <= NOBODY and h.game_points <= 9
            and h.spare[0] == 0 and h.spare[1] == 0)


cdef inline bint sizes_fit(const Hand* h, const Rules* r) noexcept nogil:
    """The numbers of cards in the hands, in the talon and played fit the rules and the tricks;
    a quick part of what ``check_seen`` asks, for hands by the million."""
    cdef int dealt = popcount(r.deck) - 2 * r.hand_size - 1
    cdef int tricks = h.tricks[0] + h.tricks[1]
    cdef int draws = (dealt - h.facedown) // 2 if h.facedown else (dealt + 1) // 2
    cdef int held
    if h.facedown > dealt or (h.facedown and h.facedown % 2 == 0) or popcount(h.played) != 2 * tricks:
        return False
    if draws > tricks or (h.closer == NOBODY and h.facedown and draws != tricks):
        return False
    if (h.turned == NO_CARD) != (h.facedown == 0):
        return False
    held = r.hand_size + draws - tricks
    return (popcount(h.hand[h.leader]) == held - (h.led != NO_CARD)
            and popcount(h.hand[1 - h.leader]) == held)
