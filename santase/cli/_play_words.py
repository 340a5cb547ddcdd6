"""What a person types at the table, read as forgivingly as it can be without guessing.

Every word is understood in English and in the language of the context: the
words of a language are in its catalogue, under the context "words".
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from santase._core import Position
from santase.actions import Action
from santase.cards import SUITS
from santase.cli._show import card_face, suit_sign
from santase.errors import NotationError, SantaseError
from santase.language import NP_, _, pgettext

# Translators: under "words" are the words that a player may type, with blanks between them.
_ORDERS: Mapping[str, str] = MappingProxyType(
    {
        "hint": NP_("words", "hint advice"),
        "undo": NP_("words", "undo back"),
        "save": NP_("words", "save"),
        "quit": NP_("words", "quit exit bye"),
        "help": NP_("words", "help ?"),
        "table": NP_("words", "table show"),
        "tricks": NP_("words", "tricks last"),
        "score": NP_("words", "score"),
        "next": NP_("words", "next deal"),
        "yes": NP_("words", "yes y"),
        "no": NP_("words", "no n"),
        "marriage": NP_("words", "marriage declare m"),
        "exchange": NP_("words", "exchange swap x"),
        "close": NP_("words", "close"),
        "call": NP_("words", "call"),
    }
)
_RANKS: Mapping[str, str] = MappingProxyType(
    {
        "9": NP_("words", "nine 9"),
        "J": NP_("words", "jack j"),
        "Q": NP_("words", "queen q"),
        "K": NP_("words", "king k"),
        "T": NP_("words", "ten 10 t"),
        "A": NP_("words", "ace a"),
    }
)
_SUITS: Mapping[str, str] = MappingProxyType(
    {
        "C": NP_("words", "clubs club c ♣ ♧"),
        "D": NP_("words", "diamonds diamond d ♦ ♢"),
        "H": NP_("words", "hearts heart h ♥ ♡"),
        "S": NP_("words", "spades spade s ♠ ♤"),
    }
)
_FILLERS = NP_("words", "of the in for")
# Translators: verbs before a card, as in "play the king of hearts"
_VERBS = NP_("words", "play lead")
# Translators: what may stand after "close" and "call"
_OBJECTS = NP_("words", "talon 66")
# Translators: the call itself, with hyphens for blanks
_TARGET = NP_("words", "sixty-six")
# what cannot be taken back, or needs more, is written in full
_WHOLE = frozenset({"marriage", "save", "exchange", "close", "call"})
_MOST_TYPED = 200
_MOST_NUMBER = 8  # 9 and 10 are ranks


@dataclass(frozen=True)
class Order:
    """What the person wants: an action, or one of the other words."""

    kind: str
    """``action`` or one of ``_ORDERS``."""
    action: Action | None = None
    file: str = ""
    """What stands after ``save``."""


class NotUnderstoodError(SantaseError):
    """What was typed is no order; the message, in the language of the context, says why."""


def read_order(typed: str, view: Position, seat: int) -> Order:
    """The order that was typed at this view of the table; whether it is legal is asked later.

    Cards may be written in full ("king of spades"), in the notation (``KS``, ``K♠``, ``10h``), by their
    number in the hand, or by the rank alone where that leaves one. Nothing typed is ``table``.
    Raises ``NotUnderstoodError``.
    """
    if len(typed) > _MOST_TYPED:
        raise NotUnderstoodError(_("That is too long to be a card."))
    bare = typed.replace("\ufe0f", "").strip()
    text = " ".join(bare.casefold().split())
    if not text:
        return Order("table")
    first, _blank, rest = text.partition(" ")
    kind = _words_of(_ORDERS).get(first)
    if kind == "save":
        return Order("save", file=bare.partition(" ")[2].strip())
    if kind == "marriage" or (kind == "call" and rest.split(" ")[0] in ("20", "40")):
        points = [word for word in rest.split() if word in ("20", "40")]
        named = " ".join(word for word in rest.split() if word not in points)
        return Order("action", _marriage(named, view, seat, in_trumps="40" in points if points else None))
    if kind is not None and _says_no_more(kind, rest, view):
        return _plain_order(kind)
    if first in ("20", "40"):
        return Order("action", _marriage(rest, view, seat, in_trumps=first == "40"))
    if text == str(view.rules.target) or text.replace(" ", "-") in _either(_TARGET):
        return Order("action", Action("call"))
    if first in _either(_VERBS) and rest:
        return read_order(rest, view, seat)
    try:
        # the notation itself; a lone rank is no card in it
        return Order("action", Action(text.replace(" ", "")))
    except NotationError:
        pass
    card = _card(text, view, seat)
    if card is not None:
        return Order("action", card)
    return _nearly(first, rest, text)


def _plain_order(kind: str) -> Order:
    return Order("action", Action(kind)) if kind in ("exchange", "close", "call") else Order(kind)


def _says_no_more(kind: str, rest: str, view: Position) -> bool:
    """What follows an order belongs to it: "close the talon", "exchange for the Q♠"."""
    words = [word for word in rest.split() if word not in _either(_FILLERS)]
    if kind in ("close", "call"):
        words = [word for word in words if word not in (*_either(_OBJECTS), str(view.rules.target))]
    if kind == "exchange" and words:
        try:
            return Action("".join(words)).kind == "play"
        except NotationError:
            return False
    return not words


def _either(english: str) -> set[str]:
    """Words in English and in the language of the context."""
    return {*english.split(), *pgettext("words", english).casefold().split()}


def _words_of(table: Mapping[str, str]) -> dict[str, str]:
    """What each word stands for, in English and in the language of the context."""
    words = {}
    for meaning, english in table.items():
        for word in (*english.split(), *pgettext("words", english).casefold().split()):
            words[word] = meaning
    return words


def _nearly(first: str, rest: str, text: str) -> Order:
    """A word that is nearly one of ours: begun, when it can be only one; else say what was meant perhaps."""
    words = _words_of(_ORDERS)
    begun = {kind for word, kind in words.items() if len(first) > 1 and word.startswith(first)}
    if len(begun) == 1 and not rest and not begun & _WHOLE:
        return _plain_order(begun.pop())
    shown = _shown(text)
    near = difflib.get_close_matches(first, words, 1)
    if near:
        raise NotUnderstoodError(
            _("I do not understand {text}. Did you mean {word}?").format(text=shown, word=near[0])
        )
    raise NotUnderstoodError(
        _("I do not understand {text}. Type a card as in KS, or help.").format(text=shown)
    )


def _shown(text: str) -> str:
    text = "".join(c if c.isprintable() else "·" for c in text)
    return repr(text if len(text) <= 30 else text[:29] + "…")


# ---------------------------------------------------------------- cards


def _card(text: str, view: Position, seat: int) -> Action | None:
    """The card that is named; ``None`` where no card is."""
    hand = view.hands[seat]
    if text.isdecimal() and text.isascii() and 1 <= int(text) <= _MOST_NUMBER:
        number = int(text)
        if number > len(hand):
            raise NotUnderstoodError(
                _("There is no card {number}, you hold {count}.").format(number=number, count=len(hand))
            )
        return Action(hand[number - 1])
    joined = "".join(word for word in re.split(r"[\s\-_.,]+", text) if word not in _either(_FILLERS))
    ranks, suits = _words_of(_RANKS), _words_of(_SUITS)
    if joined in ranks:
        return _only(ranks[joined], "", view, seat)
    if joined in suits and not joined.isascii() and len(joined) == 1:
        return _only("", suits[joined], view, seat)  # a sign; a letter may be a slip
    found = {
        rank + suit
        for rank_word, rank in ranks.items()
        for suit_word, suit in suits.items()
        if joined in (rank_word + suit_word, suit_word + rank_word if not suit_word.isalnum() else "")
    }
    return Action(found.pop()) if len(found) == 1 else None


def _only(rank: str, suit: str, view: Position, seat: int) -> Action:
    """The one card of this rank, or of this suit, that may be meant."""
    held = [card for card in view.hands[seat] if card[0] == rank or card[1] == suit]
    if not held:
        raise NotUnderstoodError(
            _("You hold no {rank}.").format(rank=_rank_sign(rank))
            if rank
            else _("You hold no {suit}.").format(suit=suit_sign(suit))
        )
    if len(held) > 1:
        legal = set(view.legal_actions())
        allowed = [card for card in held if card in legal]
        if len(allowed) != 1:
            faces = ", ".join(map(card_face, held))
            raise NotUnderstoodError(_("Which one: {cards}?").format(cards=faces))
        held = allowed
    return Action(held[0])


def _rank_sign(rank: str) -> str:
    return "10" if rank == "T" else rank


def _marriage(suit_text: str, view: Position, seat: int, in_trumps: bool | None = None) -> Action:
    """The marriage that is meant: of the suit, or the only one there is."""
    suits = _words_of(_SUITS)
    word = "".join(part for part in suit_text.split() if part not in _either(_FILLERS))
    if word:
        if word not in suits:
            raise NotUnderstoodError(_("{text} is no suit.").format(text=_shown(word)))
        return Action(f"marriage-{suits[word]}")
    if in_trumps:
        return Action(f"marriage-{view.trump}")
    hand = view.hands[seat]
    held = [suit for suit in reversed(SUITS) if f"K{suit}" in hand and f"Q{suit}" in hand]
    if in_trumps is False:
        held = [suit for suit in held if suit != view.trump]
    if not held:
        raise NotUnderstoodError(_("You hold no king and queen of one suit."))
    if len(held) > 1:
        signs = ", ".join(map(suit_sign, held))
        raise NotUnderstoodError(_("In which suit: {suits}?").format(suits=signs))
    return Action(f"marriage-{held[0]}")
