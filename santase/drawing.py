"""Cards and tables as SVG, drawn for a page, a notebook or a file.

Every function returns a whole ``<svg>`` element as text that needs nothing from
outside: suit signs and court signs are paths, letters are in whatever
sans-serif the reader's system has, and all text is escaped. Colours are its
own, so that a drawing looks the same on a light and on a dark page; sizes come
from the ``viewBox`` and ``width``, and style sheets may set others.

A page with many tables says ``shared_cards()`` once in its body and gives
``shared=True`` to the rest: then each card is in the page once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from santase._core import Outcome, Position
from santase.actions import Action
from santase.cards import CARDS, SUIT_SIGNS, SUITS, parse_card
from santase.errors import require
from santase.language import N_, Number, _, ngettext
from santase.rules import Rules

__all__ = [
    "action_name",
    "action_sign",
    "back_svg",
    "card_name",
    "card_svg",
    "describe",
    "fan_svg",
    "outcome_in_words",
    "player_name",
    "shared_cards",
    "table_svg",
    "value_in_words",
]


# ---------------------------------------------------------------- in words


_RANKS = {
    "9": N_("nine"),
    "J": N_("jack"),
    "Q": N_("queen"),
    "K": N_("king"),
    "T": N_("ten"),
    "A": N_("ace"),
}
_SUITS = {
    "C": N_("clubs"),
    "D": N_("diamonds"),
    "H": N_("hearts"),
    "S": N_("spades"),
}


def _suit_name(suit: str) -> str:
    return _(_SUITS[suit])


def card_name(card: str) -> str:
    """``KS`` as ``king of spades``, in the language in use; raises ``NotationError``."""
    require(card, str)
    card = CARDS[parse_card(card)]
    return _("{rank} of {suit}").format(rank=_(_RANKS[card[0]]), suit=_suit_name(card[1]))


def action_name(action: Action | str, rules: Rules) -> str:
    """An action as one says it, a play being its card, in the language in use."""
    require(action, str)
    require(rules, Rules)
    action = Action(action)
    if action.card is not None:
        return card_name(action.card)
    if action.suit is not None:
        return _("declare the marriage in {suit}").format(suit=_suit_name(action.suit))
    if action.kind == "call":
        return _("call {points}").format(points=rules.target)
    return _("close the talon") if action.kind == "close" else _("exchange for the turned card")


def action_sign(action: Action) -> str:
    """An action, short: ``10♠``, and in words where it is not a card."""
    require(action, Action)
    if action.suit is None:
        return {"exchange": _("exchange"), "close": _("close"), "call": _("call")}[action.kind]
    sign = SUIT_SIGNS[SUITS.index(action.suit)]
    if action.card is None:
        return " ".join((_("marriage"), sign))
    return ("10" if action.card[0] == "T" else action.card[0]) + sign


def _cards_in_words(cards: Sequence[str], hidden: int = 0) -> str:
    words = [card_name(card) for card in cards]
    if hidden:
        words.append(ngettext("{number} hidden card", "{number} hidden cards", hidden).format(number=hidden))
    return ", ".join(words) or _("no cards")


def player_name(player: int, players: tuple[str, str] | None = None) -> str:
    """A player's name, or a word for one without."""
    require(player, int)
    return players[player] if players else _("player {number}").format(number=player)


def _stand_in_words(position: Position, player: int) -> str:
    points, tricks = position.points[player], position.tricks[player]
    words = [
        ngettext("{number} point", "{number} points", points).format(number=points),
        ngettext("{number} trick", "{number} tricks", tricks).format(number=tricks),
    ]
    if position.pending[player]:
        words.append(_("{points} pending").format(points=position.pending[player]))
    return ", ".join(words)


def _phase_in_words(position: Position, players: tuple[str, str] | None) -> str:
    if position.closer is not None:
        return _("closed by {player}").format(player=player_name(position.closer, players))
    return _("talon open") if position.facedown else _("talon exhausted")


def outcome_in_words(outcome: Outcome, players: tuple[str, str] | None = None) -> str:
    """How a hand ended, and who scores."""
    require(outcome, Outcome)
    if outcome.winner is None:
        return _("void, nobody scores")
    number = outcome.game_points
    return ngettext(
        "{player} scores {number} game point", "{player} scores {number} game points", number
    ).format(player=player_name(outcome.winner, players), number=number)


def _turn_in_words(position: Position, players: tuple[str, str] | None) -> str:
    if position.outcome is not None:
        return outcome_in_words(position.outcome, players)
    return _("{player} to move").format(player=player_name(position.to_move, players))


def describe(position: Position, players: tuple[str, str] | None = None) -> str:
    """The table in words, for whoever does not see the drawing."""
    require(position, Position)
    parts = [
        _("Trumps are {suit}").format(suit=_suit_name(position.trump)),
        _phase_in_words(position, players),
    ]
    if position.turned is not None:
        parts.append(_("turned card: {card}").format(card=card_name(position.turned)))
    if position.facedown:
        parts.append(
            ngettext("{number} card face down", "{number} cards face down", position.facedown).format(
                number=position.facedown
            )
        )
    for player in range(2):
        parts.append(
            _("{player}: {cards}; {stand}").format(
                player=player_name(player, players),
                cards=_cards_in_words(position.hands[player], position.hidden[player]),
                stand=_stand_in_words(position, player),
            )
        )
    if position.declared is not None:
        parts.append(_("marriage declared in {suit}").format(suit=_suit_name(position.declared)))
    if position.led is not None:
        parts.append(
            _("{player} has led the {card}").format(
                player=player_name(position.leader, players), card=card_name(position.led)
            )
        )
    parts.append(_turn_in_words(position, players))
    return ". ".join(parts) + "."


# ---------------------------------------------------------------- the cards

CARD_WIDTH, CARD_HEIGHT = 100, 140

_FOUR_COLOURS = {"C": "#14753a", "D": "#1558c0", "H": "#c4122f", "S": "#17191c"}
_TWO_COLOURS = {"C": "#17191c", "D": "#c4122f", "H": "#c4122f", "S": "#17191c"}

# each in a square of 20 about its middle
_SUIT_PATHS = {
    "C": "M0-10A4.7 4.7 0 0 1 3.6-2.2A4.7 4.7 0 1 1 1.2 4.9Q1.5 8.4 3.8 10H-3.8Q-1.5 8.4-1.2 4.9"
    "A4.7 4.7 0 1 1-3.6-2.2A4.7 4.7 0 0 1 0-10Z",
    "D": "M0-10Q3.4-4.4 8 0Q3.4 4.4 0 10Q-3.4 4.4-8 0Q-3.4-4.4 0-10Z",
    "H": "M0 9.6C-2.8 5.4-9.6 1.6-9.6-4A5 5 0 0 1 0-5.6A5 5 0 0 1 9.6-4C9.6 1.6 2.8 5.4 0 9.6Z",
    "S": "M0-10C2.8-5.8 9.6-2 9.6 3A4.8 4.8 0 0 1 1.2 5.9Q1.5 8.8 3.8 10H-3.8Q-1.5 8.8-1.2 5.9"
    "A4.8 4.8 0 0 1-9.6 3C-9.6-2-2.8-5.8 0-10Z",
}
# a crown, a coronet and a cap with a feather, each in a box of 44 by 30 about its middle
_COURT_PATHS = {
    "K": "M-20 14V-8L-9 2L0-14L9 2L20-8V14ZM-20-9.5a2.6 2.6 0 1 1 .01 0ZM20-9.5a2.6 2.6 0 1 1 .01 0Z"
    "M-1.6-15h3.2v-3h2.6v-3h-2.6v-3h-3.2v3h-2.6v3h2.6Z",
    "Q": "M-17 14L-20-4L-10 4L0-8L10 4L20-4L17 14ZM-20-5a3 3 0 1 1 .01 0ZM0-9a3.4 3.4 0 1 1 .01 0Z"
    "M20-5a3 3 0 1 1 .01 0Z",
    "J": "M-18 14Q-20 8-14 6Q-13-6 0-6Q13-6 14 6Q20 8 18 14ZM7-6Q8-20 22-20Q17-17 18-12Q15-6 7-6Z",
}
_INDEX = {"T": "10"}
_FONT = "font-family=\"system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif\""


def _number(value: float) -> str:
    """A coordinate without needless digits."""
    return f"{round(value, 2) + 0.0:g}"


def _suit_mark(suit: str, x: float, y: float, size: float, colour: str, *, upside_down: bool = False) -> str:
    turn = " rotate(180)" if upside_down else ""
    place = f"translate({_number(x)} {_number(y)}){turn} scale({_number(size / 20)})"
    return f'<path transform="{place}" fill="{colour}" d="{_SUIT_PATHS[suit]}"/>'


def _check_colours(colours: int) -> Mapping[str, str]:
    if colours == 4:
        return _FOUR_COLOURS
    if colours == 2:
        return _TWO_COLOURS
    raise ValueError(f"colours: cards have 2 or 4 colours, not {colours!r}")


def _face(card: str, colours: int) -> str:
    """The inside of a card, 100 by 140."""
    rank, suit = card[0], card[1]
    colour = _check_colours(colours)[suit]
    narrow = ' textLength="25" lengthAdjust="spacingAndGlyphs"' if rank == "T" else ""
    corner = (
        f'<text x="15.5" y="30" font-size="30" font-weight="700" text-anchor="middle" fill="{colour}"'
        f"{narrow}>{_INDEX.get(rank, rank)}</text>{_suit_mark(suit, 15.5, 44.5, 20, colour)}"
    )
    parts = [
        '<rect x="1" y="1" width="98" height="138" rx="9" fill="#fffdf8" stroke="#8b8f94" stroke-width="2"/>',
        f"<g>{corner}</g>",
        f'<g transform="rotate(180 50 70)">{corner}</g>',
    ]
    if rank == "A":
        parts.append(_suit_mark(suit, 50, 70, 56, colour))
    elif rank in _COURT_PATHS:
        parts.append(
            f'<path transform="translate(50 47) scale(0.95)" fill="{colour}" d="{_COURT_PATHS[rank]}"/>'
        )
        parts.append(_suit_mark(suit, 50, 91, 46, colour))
    else:
        pips = [(x, y) for y in (34.0, 58.0, 82.0, 106.0) for x in (40.0, 60.0)]
        pips += [(50.0, 70.0)] if rank == "9" else [(50.0, 46.0), (50.0, 94.0)]
        parts += [_suit_mark(suit, x, y, 17, colour, upside_down=y > 70) for x, y in pips]
    return "".join(parts)


def _back() -> str:
    """The inside of a card seen from behind, 100 by 140."""
    lattice = "".join(
        f"M{x - 9} {y}L{x} {y - 9}L{x + 9} {y}L{x} {y + 9}Z"
        for y in range(25, 120, 18)
        for x in (23, 41, 59, 77)
    )
    return (
        '<rect x="1" y="1" width="98" height="138" rx="9" fill="#fffdf8" stroke="#8b8f94" stroke-width="2"/>'
        '<rect x="8" y="8" width="84" height="124" rx="5" fill="#2d4f86"/>'
        f'<path d="{lattice}" fill="none" stroke="#a9bfe4" stroke-width="2.2"/>'
        '<rect x="8" y="8" width="84" height="124" rx="5" fill="none" stroke="#a9bfe4" stroke-width="2"/>'
    )


def _titled(title: str) -> str:
    return f"<title>{escape(title)}</title>"


def _svg(width: float, height: float, label: str, content: str, shown_width: float | None = None) -> str:
    """An SVG element of its own, that is one picture for a screen reader."""
    shown = width if shown_width is None else shown_width
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_number(width)} {_number(height)}"'
        f' width="{_number(shown)}" height="{_number(shown * height / width)}"'
        f' role="img" aria-label="{escape(label)}" {_FONT}>{content}</svg>'
    )


def card_svg(card: str, *, colours: int = 4, width: float = CARD_WIDTH) -> str:
    """The face of a card, in a colour for each suit or (``colours=2``) in red and black.

    ``width`` is in pixels; the height is 1.4 times that. Raises ``NotationError``.
    """
    require(card, str)
    card = CARDS[parse_card(card)]
    name = card_name(card)
    return _svg(CARD_WIDTH, CARD_HEIGHT, name, _titled(name) + _face(card, colours), width)


def back_svg(*, width: float = CARD_WIDTH) -> str:
    """A card that lies face down."""
    name = _("hidden card")
    return _svg(CARD_WIDTH, CARD_HEIGHT, name, _titled(name) + _back(), width)


def shared_cards(*, colours: int = 4) -> str:
    """All faces and the back, to stand once, unseen, in a page of drawings made with ``shared=True``."""
    symbols = [(card, _face(card, colours)) for card in CARDS] + [("back", _back())]
    content = "".join(
        f'<symbol id="santase-{name}" viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}">{drawn}</symbol>'
        for name, drawn in symbols
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" style="position:absolute"'
        f' aria-hidden="true" focusable="false" {_FONT}>{content}</svg>'
    )


class _Pen:
    """Places cards in a drawing: whole, or by reference to those of ``shared_cards``."""

    def __init__(self, *, colours: int, shared: bool) -> None:
        self.paint = _check_colours(colours)
        self.colours = colours
        self.shared = shared

    @staticmethod
    def place(x: float, y: float, width: float, turn: float) -> str:
        """Where a card lies, as an attribute; it is turned by degrees about its middle."""
        moved = f"translate({_number(x)} {_number(y)})"
        if turn:
            middle = x + width / 2, y + width * CARD_HEIGHT / CARD_WIDTH / 2
            moved = f"rotate({_number(turn)} {_number(middle[0])} {_number(middle[1])}) {moved}"
        return f'transform="{moved}"'

    def card(self, card: str | None, x: float, y: float, width: float, turn: float = 0) -> str:
        """A card, or for ``None`` a back."""
        scale = width / CARD_WIDTH
        height = CARD_HEIGHT * scale
        title = _titled(card_name(card) if card else _("hidden card"))
        if self.shared:
            drawn = (
                f'<use href="#santase-{card or "back"}" width="{_number(width)}" height="{_number(height)}"/>'
            )
        else:
            inside = _face(card, self.colours) if card else _back()
            drawn = f'<g transform="scale({_number(scale)})">{inside}</g>'
        return f"<g {self.place(x, y, width, turn)}>{title}{drawn}</g>"

    def frame(self, x: float, y: float, width: float, turn: float) -> str:
        """A golden frame around a card."""
        height = width * CARD_HEIGHT / CARD_WIDTH
        return (
            f'<rect {self.place(x, y, width, turn)} width="{_number(width)}" height="{_number(height)}"'
            f' rx="{_number(width * 0.09)}" fill="none" stroke="{_GOLD}" stroke-width="4"/>'
        )

    def fan(
        self, cards: Sequence[str | None], middle: float, y: float, width: float, room: float,
        *, framed: str | None = None, lifted: str | None = None,
    ) -> tuple[str, list[float]]:  # fmt: skip
        """Cards beside and over one another in a slight fan, one framed, one pulled out;
        also the middle of what is seen of each."""
        number = len(cards)
        if not number:
            return "", []
        step = min(width * 0.86, (room - width) / max(1, number - 1))
        begin = middle - (width + step * (number - 1)) / 2
        drawn, middles, frame = [], [], ""
        for index, card in enumerate(cards):
            off = index - (number - 1) / 2
            x, top = begin + step * index, y + 0.55 * off * off
            if card is not None and card == lifted:
                top -= _LIFT
            drawn.append(self.card(card, x, top, width, 1.6 * off))
            if card is not None and card == framed:
                # over all cards, for the next one lies on this
                frame = self.frame(x, top, width, 1.6 * off)
            middles.append(x + (step if index < number - 1 and step < width else width) / 2)
        return "".join(drawn) + frame, middles


_LIFT = 12.0


def _room_for_fan(number: int) -> float:
    """How far the outer cards of a fan sink, and stick out."""
    return 0.55 * ((number - 1) / 2) ** 2 + 5


def fan_svg(
    cards: Iterable[str],
    hidden: int = 0,
    *,
    colours: int = 4,
    shared: bool = False,
    width: float | None = None,
    label: str | None = None,
) -> str:
    """A hand: its known cards, then as many backs as are hidden.

    ``width`` is in pixels. ``label`` takes the place of the description for
    screen readers. Raises ``NotationError``.
    """
    require(cards, Iterable)
    cards = list(cards)
    for card in cards:
        require(card, str)
    known = [CARDS[parse_card(card)] for card in cards]
    held: list[str | None] = [*known, *[None] * hidden]
    size = 64.0
    room = min(size * (1 + 0.86 * max(0, len(held) - 1)), 396)
    pen = _Pen(colours=colours, shared=shared)
    margin = _room_for_fan(len(held))
    drawn, _middles = pen.fan(held, room / 2 + 8, margin, size, room)
    return _svg(room + 16, size * 1.4 + 2 * margin, label or _cards_in_words(known, hidden), drawn, width)


# ---------------------------------------------------------------- the table

_WIDTH = 420.0
_FELT, _INK, _SOFT = "#1d5a45", "#ffffff", "#c9e2d6"
_GOLD, _GOOD, _BAD = "#ffd24a", "#b7f0c0", "#ffc2b8"


def table_svg(
    position: Position,
    *,
    values: Mapping[Action, float] | None = None,
    best: Action | str | None = None,
    chosen: Action | str | None = None,
    players: tuple[str, str] | None = None,
    bottom: int | None = None,
    colours: int = 4,
    shared: bool = False,
    width: float | None = None,
) -> str:
    """The table of a position: both hands, talon, turned card, trick, points.

    Hidden cards are backs. ``values`` are game points for the player to move,
    written under that player's cards, and under the table for what is not
    playing a card; ``best`` is framed in gold, the card ``chosen`` is pulled
    out of the hand.
    ``bottom`` is the player who sits below: by default the one whose view it
    is, player 0 when nothing is hidden. ``width`` is in pixels.
    """
    require(position, Position)
    if values is not None:
        require(values, Mapping)
    pen = _Pen(colours=colours, shared=shared)
    if bottom is None:
        bottom = 1 if position.hidden[0] else 0
    best = None if best is None else Action(best)
    chosen = None if chosen is None else Action(chosen)
    values = values or {}
    label = describe(position, players)
    parts: list[str] = []
    y = 10.0
    for player in (1 - bottom, bottom):
        if player == bottom:
            middle, y = _middle_of_table(pen, position, y)
            parts.append(middle)
        parts.append(_name_line(position, player, players, y))
        if player == position.to_move and not position.is_over:
            hand, y = _hand(pen, position, player, y + 30, values, best, chosen)
        else:
            hand, y = _hand(pen, position, player, y + 30, {}, None, None)
        parts.append(hand)
    rest = _other_actions(position, values, best, chosen, y)
    parts.append(rest[0])
    played, y = _played_line(position, players, rest[1])
    parts.append(played)
    height = y + 10
    felt = f'<rect width="{_number(_WIDTH)}" height="{_number(height)}" rx="14" fill="{_FELT}"/>'
    return _svg(_WIDTH, height, label, felt + "".join(parts), width)


def _text(
    x: float,
    y: float,
    text: str,
    *,
    size: float = 15,
    fill: str = _INK,
    anchor: str = "start",
    bold: bool = False,
) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}" fill="{fill}"'
        f' text-anchor="{anchor}"{weight}>{escape(text)}</text>'
    )


def value_in_words(value: float) -> str:
    """A value with its sign, a real minus included; whole numbers (``int``) without decimals."""
    if not math.isfinite(value):
        return "?"
    digits = 0 if value == int(value) and abs(value) <= 9 and isinstance(value, int) else 2
    text = f"{Number(value):+.{digits}f}" if round(value, digits) else f"{Number(0):.{digits}f}"
    return text.replace("-", "−")


def _value_colour(value: float) -> str:
    return _INK if not math.isfinite(value) or value == 0 else _GOOD if value > 0 else _BAD


def _shorten(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _name_line(position: Position, player: int, players: tuple[str, str] | None, y: float) -> str:
    """Who sits here, whether to move, and what stands to the name."""
    name = _shorten(player_name(player, players), 18)
    to_move = not position.is_over and position.to_move == player
    marker = (
        f'<path transform="translate(14 {_number(y + 10)})" d="M0-6L9 0L0 6Z" fill="{_GOLD}"/>'
        if to_move
        else ""
    )
    return (
        marker
        + _text(28 if to_move else 14, y + 15.5, name, bold=True)
        + _text(_WIDTH - 14, y + 15.5, _stand_in_words(position, player), anchor="end", fill=_SOFT)
    )


def _hand(
    pen: _Pen, position: Position, player: int, y: float,
    values: Mapping[Action, float], best: Action | None, chosen: Action | None,
) -> tuple[str, float]:  # fmt: skip
    """A player's cards, and what they are worth; also where the next thing may begin."""
    held: list[str | None] = [*position.hands[player], *[None] * position.hidden[player]]
    if not held:
        return _text(_WIDTH / 2, y + 14, _("no cards"), anchor="middle", fill=_SOFT), y + 24
    size = 62.0
    lifted = None if chosen is None else chosen.card
    y += _LIFT if lifted else 0
    drawn, middles = pen.fan(
        held, _WIDTH / 2, y, size, _WIDTH - 40, framed=None if best is None else best.card, lifted=lifted
    )
    y += size * 1.4 + _room_for_fan(len(held))
    if values:
        small = 14.0 if len(held) < 9 else 11.0
        for card, middle in zip(held, middles, strict=True):
            if card is not None and Action(card) in values:
                action = Action(card)
                value = values[action]
                drawn += _text(
                    middle, y + 13, value_in_words(value), size=small, anchor="middle",
                    fill=_GOLD if action == best else _value_colour(value), bold=action == best,
                )  # fmt: skip
        y += 20
    return drawn, y + 4


def _middle_of_table(pen: _Pen, position: Position, y: float) -> tuple[str, float]:
    """Talon and turned card on the left, the trick and what is declared on the right."""
    size = 54.0
    height = size * 1.4
    y += 6
    parts: list[str] = []
    left = 22.0
    if position.facedown:
        closed = position.closer is not None
        turned = position.turned
        # crosswise under the talon while it may be drawn, face down on it once closed
        if not closed:
            parts.append(pen.card(turned, left + size * 0.9, y, size, 90))
        for layer in range(min(3, (position.facedown + 3) // 4)):
            parts.append(pen.card(None, left - 2 * layer, y - 2 * layer, size))
        if closed:
            parts.append(pen.card(None, left, y, size, 90))
        count = ngettext("{number} card", "{number} cards", position.facedown).format(
            number=position.facedown
        )
        parts.append(_text(left + size / 2, y + height + 17, count, size=13, anchor="middle", fill=_SOFT))
    suit = position.trump
    x = 186.0
    parts.append(
        f'<rect x="{_number(x - 17)}" y="{_number(y + 2)}" width="34" height="34" rx="8" fill="#fffdf8"/>'
        + _suit_mark(suit, x, y + 19, 23, pen.paint[suit])
        + _text(x, y + 51, _("trump"), size=13, anchor="middle", fill=_SOFT)
    )
    if position.closer is not None:
        parts.append(_text(x, y + 69, _("closed"), size=13, anchor="middle", fill=_GOLD, bold=True))
    elif not position.facedown:
        parts.append(_text(x, y + 69, _("exhausted"), size=13, anchor="middle", fill=_SOFT))
    right = 300.0
    outcome = position.outcome
    if outcome is not None:
        parts.append(_text(right, y + 30, _("hand over"), anchor="middle", bold=True))
        result = "0:0"
        if outcome.winner is not None:
            result = f"{outcome.game_points}:0" if outcome.winner == 0 else f"0:{outcome.game_points}"
        parts.append(_text(right, y + 60, result, size=26, anchor="middle", fill=_GOLD, bold=True))
    elif position.led is not None:
        parts.append(pen.card(position.led, right - size / 2, y, size))
        parts.append(_text(right, y + height + 17, _("led"), size=13, anchor="middle", fill=_SOFT))
    elif position.declared is not None:
        parts.append(_suit_mark(position.declared, right - 14, y + 26, 24, "#fffdf8"))
        parts.append(
            _text(right + 4, y + 34, "20" if position.declared != suit else "40", size=24, bold=True)
        )
        parts.append(_text(right, y + 58, _("marriage"), size=13, anchor="middle", fill=_SOFT))
    return "".join(parts), y + height + 32


def _other_actions(
    position: Position, values: Mapping[Action, float], best: Action | None, chosen: Action | None, y: float
) -> tuple[str, float]:
    """What is not playing a card, with its value, in a row that wraps."""
    rest = [action for action in values if action.card is None]
    if position.is_over:
        return "", y
    for marked in (best, chosen):
        if marked is not None and marked.card is None and marked not in rest:
            rest.append(marked)
    if not rest:
        return "", y
    parts: list[str] = []
    x = 14.0
    y += 6
    for action in rest:
        text = _short_name(action, position) + (
            f" {value_in_words(values[action])}" if action in values else ""
        )
        sign = 18.0 if action.suit else 0.0
        wide = 8.2 * len(text) + 18 + sign
        if x + wide > _WIDTH - 10 and x > 14:
            x, y = 14.0, y + 34
        edge = _GOLD if action == best else _INK if action == chosen else "#3f7d66"
        thick = 3 if edge != "#3f7d66" else 1.5
        parts.append(
            f'<g>{_titled(action_name(action, position.rules))}<rect x="{_number(x)}" y="{_number(y)}"'
            f' width="{_number(wide)}" height="27" rx="8" fill="#164635" stroke="{edge}"'
            f' stroke-width="{thick}"/>'
        )
        if action.suit:
            parts.append(_suit_mark(action.suit, x + 17, y + 13.5, 15, "#fffdf8"))
        parts.append(_text(x + sign + 9, y + 18.5, text, size=14) + "</g>")
        x += wide + 8
    return "".join(parts), y + 33


def _short_name(action: Action, position: Position) -> str:
    return {
        "marriage": _("marriage"),
        "exchange": _("exchange"),
        "close": _("close"),
        "call": _("call {points}").format(points=position.rules.target),
    }[action.kind]


def _played_line(position: Position, players: tuple[str, str] | None, y: float) -> tuple[str, float]:
    """The cards in taken tricks, small, by suits; and what a player is known to lack."""
    lines = [(_("played"), position.played)]
    for player in range(2):
        lines.append(
            (_("{player} lacks").format(player=player_name(player, players)), position.known[2 * player + 1])
        )
    parts: list[str] = []
    for title, cards in lines:
        if not cards:
            continue
        y += 4
        parts.append(_text(14, y + 14, title, size=13, fill=_SOFT))
        x = 24 + 7.2 * len(title)
        for suit in reversed(SUITS):
            ranks = " ".join(_INDEX.get(card[0], card[0]) for card in cards if card[1] == suit)
            if ranks:
                wide = 20 + 7.4 * len(ranks)
                if x + wide > _WIDTH - 8:
                    x, y = 24.0, y + 20
                parts.append(_suit_mark(suit, x + 6, y + 9.5, 13, "#fffdf8"))
                parts.append(_text(x + 16, y + 14, ranks, size=13))
                x += wide + 6
        y += 20
    return "".join(parts), y
