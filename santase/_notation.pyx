"""A position as a line of text, read and written.

``rules hand0 hand1 talon turned played turn points tricks pending closed [known]``
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from santase._check cimport check_seen
from santase._rules cimport (
    MAX_FACEDOWN, NO_CARD, NO_SUIT, NOBODY, RIGHT_CALL, CARD_SUIT, Hand, Seen, bit,
)
from santase._ruleset cimport RuleSet

from santase._ruleset import ruleset_of
from santase.cards import CARDS, RANK_NUMBER, RANKS, SUITS, parse_card, parse_suit
from santase.errors import NotationError, RulesError
from santase.rules import Rules

_MAX_LINE = 2000
# The cards of one suit, strongest first, by their six bits.
_HOLDINGS = tuple(
    "".join([RANKS[rank] for rank in range(5, -1, -1) if holding >> rank & 1]) for holding in range(64)
)


# ---------------------------------------------------------------- reading

cdef RuleSet read_position(str line, Seen* s):
    """Read a line into ``s``; raises ``NotationError``."""
    cdef Hand* h = &s.hand
    cdef RuleSet ruleset
    cdef list fields
    if len(line) > _MAX_LINE:
        raise NotationError(f"a line of {len(line)} characters is no position")
    fields = line.split()
    if len(fields) != 11 and len(fields) != 12:
        raise NotationError(f"a position has 11 or 12 fields, this line has {len(fields)}")
    memset(s, 0, sizeof(Seen))
    try:
        ruleset = ruleset_of(Rules.parse(fields[0]))
    except RulesError as error:
        raise NotationError(str(error).removeprefix("rules: "), "rules") from None
    h.hand[0] = read_hand(fields[1], "hand0", &s.hidden[0])
    h.hand[1] = read_hand(fields[2], "hand1", &s.hidden[1])
    read_talon(fields[3], s)
    read_turned(fields[4], h)
    h.played = read_hand(fields[5], "played", NULL)
    read_turn(fields[6], h)
    read_pair(fields[7], "points", h.points)
    read_pair(fields[8], "tricks", h.tricks)
    read_pair(fields[9], "pending", h.pending)
    read_closed(fields[10], h, ruleset)
    if len(fields) == 12:
        read_known(fields[11], s)
    check_seen(s, ruleset)
    return ruleset


cdef uint32_t read_hand(str text, str field, uint8_t* hidden) except? 0xFFFFFFFF:
    """A set of cards such as ``AK.T9..QJ``, with ``+n`` for hidden ones where
    there may be any (``hidden`` is not NULL)."""
    cdef uint32_t cards = 0, card
    cdef int suit = 4
    cdef str shown, plus, number, holding, rank, rest
    shown, plus, number = text.partition("+")
    if plus:
        if hidden is NULL:
            raise NotationError(f"{text!r}: no cards are hidden here", field)
        hidden[0] = <uint8_t>read_number(number, field, 24)
        if hidden[0] == 0:
            raise NotationError("+0 hides nothing: leave it out", field)
        if not shown:
            return 0
    holdings = shown.split(".")
    if len(holdings) != 4:
        raise NotationError(
            f"{shorten(text)} has {len(holdings)} suits, not four between three dots", field)
    for holding in holdings:
        suit -= 1
        rest = holding.replace("10", "T")
        for rank in rest:
            if rank not in RANK_NUMBER:
                raise NotationError(f"{rank!r} is no rank", field)
            card = bit(6 * suit + <int>RANK_NUMBER[rank])
            if cards & card:
                raise NotationError(f"{rank.upper()}{SUITS[suit]} stands there twice", field)
            cards |= card
    return cards


cdef int read_talon(str text, Seen* s) except -1:
    cdef Hand* h = &s.hand
    cdef int at = 0, width, card
    if text == "-":
        return 0
    if text.startswith("?"):
        h.facedown = <uint8_t>read_number(text[1:], "talon", MAX_FACEDOWN)
        if h.facedown == 0:
            raise NotationError("write - when no card lies face down", "talon")
        s.talon_hidden = 1
        return 0
    while at < len(text):
        width = 3 if text.startswith("10", at) else 2
        if text[at + width:at + width + 1] == "\ufe0f":
            width += 1
        card = read_card(text[at:at + width], "talon")
        if h.facedown == MAX_FACEDOWN:
            raise NotationError(f"more than {MAX_FACEDOWN} cards", "talon")
        h.talon |= <uint64_t>card << (5 * h.facedown)
        h.facedown += 1
        at += width
    return 0


cdef int read_turned(str text, Hand* h) except -1:
    try:
        h.trump = <uint8_t><int>parse_suit(text)
        h.turned = NO_CARD
        return 0
    except NotationError:
        pass
    try:
        h.turned = <uint8_t><int>parse_card(text)
    except NotationError:
        raise NotationError(f"{shorten(text)} is neither a card nor a suit", "turned") from None
    h.trump = CARD_SUIT[h.turned]
    return 0


cdef int read_turn(str text, Hand* h) except -1:
    cdef str player, colon, rest
    player, colon, rest = text.partition(":")
    h.leader = <uint8_t>read_player(player, "turn")
    h.led = NO_CARD
    h.declared = NO_SUIT
    if not colon:
        return 0
    word = rest.lower()
    if word == "call":
        h.over = RIGHT_CALL
    elif word.startswith("marriage-"):
        try:
            h.declared = <uint8_t><int>parse_suit(rest[len("marriage-"):])
        except NotationError as error:
            raise NotationError(error.reason, "turn") from None
    else:
        h.led = <uint8_t>read_card(rest, "turn")
    return 0


cdef int read_closed(str text, Hand* h, RuleSet ruleset) except -1:
    cdef bint kept = ruleset.c.score_at_closing or ruleset.c.trickless_other
    h.closer = NOBODY
    if text == "-":
        return 0
    parts = text.split(":")
    if len(parts) != (3 if kept else 1):
        form = "closer:points:tricks (the other's at the closing)" if kept else "the closer alone"
        raise NotationError(f"{shorten(text)}: these rules want - or {form}", "closed")
    h.closer = <uint8_t>read_player(parts[0], "closed")
    if kept:
        h.closing_points = <uint8_t>read_number(parts[1], "closed", 250)
        h.closing_tricks = <uint8_t>read_number(parts[2], "closed", 24)
    return 0


cdef int read_known(str text, Seen* s) except -1:
    parts = text.split("/")
    if len(parts) != 4:
        raise NotationError(f"{shorten(text)} has {len(parts)} hands, not holds0/lacks0/holds1/lacks1", "known")
    s.known.holds[0] = read_hand(parts[0], "known", NULL)
    s.known.lacks[0] = read_hand(parts[1], "known", NULL)
    s.known.holds[1] = read_hand(parts[2], "known", NULL)
    s.known.lacks[1] = read_hand(parts[3], "known", NULL)
    return 0


cdef int read_pair(str text, str field, uint8_t* pair) except -1:
    cdef str first, slash, second
    first, slash, second = text.partition("/")
    if not slash:
        raise NotationError(f"{shorten(text)} is not of the form player 0/player 1", field)
    pair[0] = <uint8_t>read_number(first, field, 250)
    pair[1] = <uint8_t>read_number(second, field, 250)
    return 0


cdef int read_number(str text, str field, int most) except -1:
    cdef int number
    if not (text.isascii() and text.isdigit()) or len(text) > 3:
        raise NotationError(f"{shorten(text)} is no number", field)
    number = int(text)
    if number > most:
        raise NotationError(f"{number} is more than {most}", field)
    return number


cdef int read_player(str text, str field) except -1:
    if text != "0" and text != "1":
        raise NotationError(f"{shorten(text)} is no player: 0 or 1", field)
    return text == "1"


cdef int read_card(str text, str field) except -1:
    try:
        return parse_card(text)
    except NotationError as error:
        raise NotationError(error.reason, field) from None


cdef str shorten(str text):
    return repr(text if len(text) <= 40 else text[:37] + "...")


# ---------------------------------------------------------------- writing

cdef str write_hand(uint32_t cards):
    return (f"{_HOLDINGS[cards >> 18 & 63]}.{_HOLDINGS[cards >> 12 & 63]}"
            f".{_HOLDINGS[cards >> 6 & 63]}.{_HOLDINGS[cards & 63]}")


cdef str write_seen_hand(uint32_t cards, int hidden):
    if not hidden:
        return write_hand(cards)
    return f"{write_hand(cards) if cards else ''}+{hidden}"


cdef str write_talon(const Seen* s):
    cdef const Hand* h = &s.hand
    cdef int i
    if h.facedown == 0:
        return "-"
    if s.talon_hidden:
        return f"?{h.facedown}"
    return "".join([CARDS[<int>(h.talon >> (5 * i) & 31)] for i in range(h.facedown)])


cdef str write_turn(const Seen* s, RuleSet ruleset):
    cdef const Hand* h = &s.hand
    if h.led != NO_CARD:
        return f"{h.leader}:{CARDS[h.led]}"
    if h.declared != NO_SUIT:
        return f"{h.leader}:marriage-{SUITS[h.declared]}"
    # where a call is needed, only a call ends a hand with cards left
    if h.over and not ruleset.c.automatic and (h.hand[0] or h.hand[1] or s.hidden[0] or s.hidden[1]):
        return f"{h.leader}:call"
    return f"{h.leader}"


cdef str write_closed(const Hand* h, RuleSet ruleset):
    if h.closer == NOBODY:
        return "-"
    if ruleset.c.score_at_closing or ruleset.c.trickless_other:
        return f"{h.closer}:{h.closing_points}:{h.closing_tricks}"
    return f"{h.closer}"


cdef str write_position(const Seen* s, RuleSet ruleset):
    """The line of a position; what ``read_position`` reads back as equal."""
    cdef const Hand* h = &s.hand
    line = (
        f"{ruleset.text} {write_seen_hand(h.hand[0], s.hidden[0])} {write_seen_hand(h.hand[1], s.hidden[1])}"
        f" {write_talon(s)} {SUITS[h.trump] if h.turned == NO_CARD else CARDS[h.turned]}"
        f" {write_hand(h.played)} {write_turn(s, ruleset)} {h.points[0]}/{h.points[1]}"
        f" {h.tricks[0]}/{h.tricks[1]} {h.pending[0]}/{h.pending[1]} {write_closed(h, ruleset)}"
    )
    if s.known.holds[0] or s.known.lacks[0] or s.known.holds[1] or s.known.lacks[1]:
        line += (f" {write_hand(s.known.holds[0])}/{write_hand(s.known.lacks[0])}"
                 f"/{write_hand(s.known.holds[1])}/{write_hand(s.known.lacks[1])}")
    return line
