"""Actions: what a player may do, as text that knows its number, kind and card."""

from __future__ import annotations

from types import MappingProxyType

from santase.cards import CARDS, SUITS, parse_card, parse_suit
from santase.errors import NotationError


class Action(str):
    """An action, equal to its text: ``Action("KS") == "KS"``.

    There are 31, the same objects always: ``Action(text)`` reads any spelling
    of the notation (``ks``, ``10C``, ``K♠``, ``marriage-♠``) and raises
    ``NotationError`` for anything else.
    """

    number: int
    """0-23 plays, 24-27 marriages in C D H S, 28 exchange, 29 close, 30 call."""
    kind: str
    """``play``, ``marriage``, ``exchange``, ``close`` or ``call``."""
    card: str | None
    """The card of a play, else ``None``."""
    suit: str | None
    """The suit of a play or a marriage, else ``None``."""

    def __new__(cls, text: str) -> Action:
        return _BY_TEXT[text] if text in _BY_TEXT else _read(text)

    def __reduce__(self) -> tuple[type[Action], tuple[str]]:
        return Action, (str(self),)

    def __copy__(self) -> Action:
        return self

    def __deepcopy__(self, memo: object) -> Action:
        return self

    def __repr__(self) -> str:
        return f"Action({str(self)!r})"


def _make(number: int, text: str, kind: str, card: str | None, suit: str | None) -> Action:
    action = str.__new__(Action, text)
    action.number, action.kind, action.card, action.suit = number, kind, card, suit
    return action


ACTIONS: tuple[Action, ...] = (
    *(_make(number, card, "play", card, card[1]) for number, card in enumerate(CARDS)),
    *(_make(24 + number, f"marriage-{suit}", "marriage", None, suit) for number, suit in enumerate(SUITS)),
    _make(28, "exchange", "exchange", None, None),
    _make(29, "close", "close", None, None),
    _make(30, "call", "call", None, None),
)
"""All actions by number."""

_BY_TEXT = MappingProxyType({str(action): action for action in ACTIONS})
ACTION_NUMBER = MappingProxyType({str(action): action.number for action in ACTIONS})
"""The number of an action by its text."""


def _read(text: object) -> Action:
    if not isinstance(text, str):
        raise NotationError(f"an action is text, not {type(text).__name__}")
    bare = text.strip()
    word, dash, suit = bare.partition("-")
    try:
        if word.lower() == "marriage" and dash:
            return ACTIONS[24 + parse_suit(suit)]
        if bare.lower() in _BY_TEXT:
            return _BY_TEXT[bare.lower()]
        return ACTIONS[parse_card(bare)]
    except NotationError:
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise NotationError(f"{shown!r} is no action") from None
