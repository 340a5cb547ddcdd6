"""What stands on the page's table, as a position, and back.

The page keeps a *draft*: where each card lies, and numbers that were typed. It
becomes a line of the notation, which ``Position.parse`` judges. What was not
typed is found by asking ``Position`` as well: of the numbers of hidden cards
and of cards in the talon, those that it does not object to; of the points,
those that the tricks taken and the marriages make.

A draft, as JSON::

    rules       the notation of the rules
    me          the player who sits below, 0 or 1
    places      {card: place}; mine, other: the hands; turned; led; talon; tricks taken
                by either (won, lost), or by nobody knows whom (gone)
    talon       the cards of place ``talon``, the next to be drawn first
    trump       a suit, where the turned card has been drawn; else null
    leader      who is on lead, or led: 0 or 1
    declared    the suit of a marriage declared just now, or null
    marriages   the points of marriages that each player has declared: [20, 0]
    closer      who closed the talon, or null
    closing     [points, tricks] of the other player then, or null
    hidden, facedown, tricks, points, pending
                numbers and pairs that were typed, or null to find them
    known       the twelfth field of the notation, or null
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from santase._core import Outcome, Position, card_points
from santase.cards import CARDS, SUITS
from santase.errors import HiddenCardsError, NotationError, SantaseError
from santase.language import _
from santase.reasons import problem_for
from santase.rules import RULES, Rules

PLACES = ("mine", "other", "turned", "led", "talon", "won", "lost", "gone")

_MARRIAGES = (0, 20, 40, 60, 80, 100)
_MOST_TEXT = 400  # characters of rules or knowledge
_MOST_OFFERS = 6

Pair = tuple[int, int]


@dataclass
class Draft:
    """See the module; raises ``SantaseError`` for what is no draft."""

    rules: str = "santase"
    me: int = 0
    places: dict[str, str] = field(default_factory=dict)
    talon: list[str] = field(default_factory=list)
    trump: str | None = None
    leader: int = 0
    declared: str | None = None
    marriages: Pair = (0, 0)
    closer: int | None = None
    closing: Pair | None = None
    hidden: int | None = None
    facedown: int | None = None
    tricks: Pair | None = None
    points: Pair | None = None
    pending: Pair | None = None
    known: str | None = None

    def cards(self, place: str) -> list[str]:
        return [card for card in CARDS if self.places.get(card) == place]

    @classmethod
    def read(cls, given: object) -> Draft:
        """The draft that the page has sent; raises ``SantaseError``."""
        if not isinstance(given, dict):
            raise SantaseError("draft: an object is needed")
        kinds = {name: _READERS[name] for name in cls.__dataclass_fields__}
        unknown = given.keys() - kinds.keys()
        if unknown:
            raise SantaseError(f"draft: there is no {min(unknown)[:40]!r}")
        draft = cls(**{name: kinds[name](name, value) for name, value in given.items()})
        if sorted(draft.talon) != sorted(draft.cards("talon")):
            raise SantaseError("draft: talon and places differ")
        return draft

    @classmethod
    def of(cls, position: Position) -> Draft:
        """The draft of a position; below sits whose hand is whole, else the player to move."""
        me = position.to_move
        if position.hidden[me]:
            me = 1 - me
        other = 1 - me
        places = dict.fromkeys(position.hands[me], "mine") | dict.fromkeys(position.hands[other], "other")
        places |= dict.fromkeys(position.played, "gone") | dict.fromkeys(position.talon or (), "talon")
        if position.turned is not None:
            places[position.turned] = "turned"
        if position.led is not None:
            places[position.led] = "led"
        fields = str(position).split()
        parts = fields[10].split(":")
        return cls(
            rules=fields[0],
            me=me,
            places=places,
            talon=list(position.talon or ()),
            trump=None if position.turned else position.trump,
            leader=position.leader,
            declared=position.declared,
            closer=position.closer,
            closing=(int(parts[1]), int(parts[2])) if len(parts) == 3 else None,
            hidden=position.hidden[other],
            facedown=position.facedown,
            tricks=position.tricks,
            points=position.points,
            pending=position.pending,
            known=fields[11] if len(fields) == 12 else None,
        )

    def to_json(self) -> dict[str, Any]:
        return dict(vars(self))


# ---------------------------------------------------------------- reading a draft


def _text(name: str, value: object) -> str:
    if not isinstance(value, str) or len(value) > _MOST_TEXT or not value.isprintable():
        raise SantaseError(f"draft: {name} is a text of up to {_MOST_TEXT} characters")
    return value


def _number(name: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 250:
        raise SantaseError(f"draft: {name}: numbers from 0 to 250")
    return value


def _player(name: str, value: object) -> int:
    if value not in (0, 1) or not isinstance(value, int) or isinstance(value, bool):
        raise SantaseError(f"draft: {name} is 0 or 1")
    return value


def _pair(name: str, value: object) -> Pair:
    if not isinstance(value, list) or len(value) != 2:
        raise SantaseError(f"draft: {name} are two numbers")
    return _number(name, value[0]), _number(name, value[1])


def _suit(name: str, value: object) -> str:
    if not isinstance(value, str) or value not in tuple(SUITS):
        raise SantaseError(f"draft: {name} is a suit")
    return value


def _places(name: str, value: object) -> dict[str, str]:
    if not isinstance(value, dict) or any(
        card not in CARDS or place not in PLACES for card, place in value.items()
    ):
        raise SantaseError(f"draft: {name} are cards and where they lie")
    return value


def _cards(name: str, value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(card, str) and card in CARDS for card in value):
        raise SantaseError(f"draft: {name} are cards")
    return value


def _or_none(read: Any) -> Any:
    return lambda name, value: None if value is None else read(name, value)


_READERS: dict[str, Any] = {
    "rules": _text,
    "me": _player,
    "places": _places,
    "talon": _cards,
    "trump": _or_none(_suit),
    "leader": _player,
    "declared": _or_none(_suit),
    "marriages": _pair,
    "closer": _or_none(_player),
    "closing": _or_none(_pair),
    "hidden": _or_none(_number),
    "facedown": _or_none(_number),
    "tricks": _or_none(_pair),
    "points": _or_none(_pair),
    "pending": _or_none(_pair),
    "known": _or_none(_text),
}


# ---------------------------------------------------------------- checking


@dataclass
class _Try:
    """A line that was tried, and what came of it."""

    line: str
    values: dict[str, Any]
    position: Position | None
    field: str | None = None
    error: NotationError | None = None


def check(draft: Draft) -> dict[str, Any]:
    """What the draft comes to: the position, or the error with its field, and the values found.

    ``values`` are the numbers used, ``offers`` other marriages that would make
    sense of the cards, where points are what is wrong.
    """
    missing = _missing(draft)
    if missing is not None:
        return {"error": {"field": missing[0], "message": missing[1]}, "values": {}, "offers": []}
    best = _best(draft, draft.marriages)
    answer: dict[str, Any] = {"values": best.values, "offers": [], "line": best.line}
    if best.error is not None:
        answer["error"] = {"field": best.field, "message": problem_for(best.error)}
        if best.field in ("points", "pending"):
            answer["offers"] = list(_offers(draft))
    if best.position is not None:
        answer["line"] = str(best.position)
        answer["position"] = position_json(best.position, draft.me)
    return answer


def _missing(draft: Draft) -> tuple[str, str] | None:
    """What must be chosen before there is a line at all, and its field."""
    turned, led = draft.cards("turned"), draft.cards("led")
    if len(turned) > 1:
        return "turned", _("only one card is turned up")
    if not turned and draft.trump is None:
        return "turned", _("choose the turned card, or the trump suit once it has been drawn")
    if len(led) > 1:
        return "turn", _("only one card has been led")
    if led and draft.declared is not None:
        return "turn", _("a marriage was declared and a card led: take one of them off")
    if draft.tricks is None:
        if draft.cards("gone"):
            return "tricks", _("say who took the cards played, or type the tricks")
        for place in ("won", "lost"):
            if len(draft.cards(place)) % 2:
                return "tricks", _("a trick has two cards, but an odd number lies there")
    if draft.points is None and draft.cards("gone"):
        return "points", _("say who took the cards played, or type the points")
    return None


def _best(draft: Draft, marriages: Pair) -> _Try:
    """The first line that makes a position, else the one that comes nearest to it."""
    nearest: _Try | None = None
    for values in _values(draft, marriages):
        tried = _try(draft, values)
        if tried.position is not None:
            return tried
        if nearest is None or _depth(tried, draft) > _depth(nearest, draft):
            nearest = tried
    assert nearest is not None
    return nearest


def _depth(tried: _Try, draft: Draft) -> int:
    """How far checking got: numbers that are found first are blamed last."""
    other = f"hand{1 - draft.me}"
    order = {"talon": 0, other: 1, f"hand{draft.me}": 1, "pending": 2}
    return order.get(tried.field or "", 3)


def _values(draft: Draft, marriages: Pair) -> Iterator[dict[str, Any]]:
    """The numbers to try: as typed, else all that might be."""
    me = draft.me
    won, lost = draft.cards("won"), draft.cards("lost")
    taken = (won, lost) if me == 0 else (lost, won)
    tricks = draft.tricks or (len(taken[0]) // 2, len(taken[1]) // 2)
    pairs: list[tuple[Pair, Pair]] = []
    sums = [sum(map(card_points, cards)) for cards in taken]
    # marriages count, or are pending: the line says which it can be
    for counting in product((True, False), repeat=2):
        points = tuple(sums[p] + marriages[p] * counting[p] for p in range(2))
        pending = tuple(marriages[p] * (not counting[p]) for p in range(2))
        pair = (draft.points or points, draft.pending or pending)
        if pair not in pairs:
            pairs.append(pair)  # type: ignore[arg-type]
    for facedown in _facedown(draft, tricks):
        for hidden in _hidden(draft, tricks, facedown):
            for points, pending in pairs:
                yield {
                    "tricks": tricks,
                    "points": points,
                    "pending": pending,
                    "facedown": facedown,
                    "hidden": hidden,
                }


def _facedown(draft: Draft, tricks: Pair) -> list[int]:
    """The numbers of face-down cards that fit the tricks and the closing."""
    if draft.facedown is not None:
        return [draft.facedown]
    if draft.talon:
        return [len(draft.talon)]
    values = {"tricks": tricks, "points": (0, 0), "pending": (0, 0), "hidden": 0}
    fitting = [n for n in range(11, -1, -1) if _try(draft, values | {"facedown": n}).field != "talon"]
    return fitting or [0]


def _hidden(draft: Draft, tricks: Pair, facedown: int) -> list[int]:
    """The numbers of hidden cards with which the sizes of both hands are right; else one guess."""
    if draft.hidden is not None:
        return [draft.hidden]
    hands = f"hand{draft.me}", f"hand{1 - draft.me}"
    values = {"tricks": tricks, "points": (0, 0), "pending": (0, 0), "facedown": facedown}
    fitting = [n for n in range(13) if _try(draft, values | {"hidden": n}).field not in hands]
    return fitting or [max(0, len(draft.cards("mine")) - len(draft.cards("other")))]


def _offers(draft: Draft) -> Iterator[dict[str, Any]]:
    """Marriages with which the cards taken make a position, few before many, whatever was typed."""
    if draft.cards("gone"):
        return
    draft = replace(draft, points=None, pending=None)
    found = 0
    for mine, theirs in sorted(product(_MARRIAGES, repeat=2), key=sum):
        marriages = (mine, theirs)
        tried = _best(draft, marriages)
        if tried.position is not None:
            yield {
                "marriages": marriages,
                "points": tried.values["points"],
                "pending": tried.values["pending"],
            }
            found += 1
            if found == _MOST_OFFERS:
                return


def _try(draft: Draft, values: dict[str, Any]) -> _Try:
    line = _line(draft, values)
    try:
        return _Try(line, values, Position.parse(line))
    except NotationError as error:
        return _Try(line, values, None, error.field, error)


def _line(draft: Draft, values: dict[str, Any]) -> str:
    hands = ["", ""]
    hands[draft.me] = _hand(draft.cards("mine"))
    known, hidden = draft.cards("other"), values["hidden"]
    hands[1 - draft.me] = (_hand(known) if known or not hidden else "") + (f"+{hidden}" if hidden else "")
    talon = f"?{values['facedown']}" if values["facedown"] else "-"
    if draft.talon:
        talon = "".join(draft.talon)
    turned = draft.cards("turned")
    turn = str(draft.leader)
    if draft.declared is not None:
        turn += f":marriage-{draft.declared}"
    for led in draft.cards("led"):
        turn += f":{led}"
    closed = "-" if draft.closer is None else str(draft.closer)
    if draft.closer is not None and draft.closing is not None:
        closed += f":{draft.closing[0]}:{draft.closing[1]}"
    played = draft.cards("won") + draft.cards("lost") + draft.cards("gone")
    fields = [
        "".join(draft.rules.split()) or "santase",
        *hands,
        talon,
        turned[0] if turned else draft.trump or "",
        _hand(played),
        turn,
        *("/".join(map(str, values[name])) for name in ("points", "tricks", "pending")),
        closed,
    ]
    known_field = "".join((draft.known or "").split())
    return " ".join(fields + ([known_field] if known_field else []))


def _hand(cards: list[str]) -> str:
    """Cards as the notation writes a hand."""
    return ".".join(
        "".join(card[0] for card in reversed(CARDS) if card[1] == suit and card in cards)
        for suit in reversed(SUITS)
    )


# ---------------------------------------------------------------- showing


def position_json(position: Position, me: int) -> dict[str, Any]:
    """A position for the page, with what is legal where the mover's hand is known."""
    try:
        legal: list[str] | None = list(position.legal_actions())
    except HiddenCardsError:
        legal = None
    outcome = position.outcome
    return {
        "line": str(position),
        "rules": str(position.rules),
        "target": position.rules.target,
        "me": me,
        "toMove": position.to_move,
        "leader": position.leader,
        "led": position.led,
        "declared": position.declared,
        "hands": position.hands,
        "hidden": position.hidden,
        "facedown": position.facedown,
        "talon": position.talon,
        "turned": position.turned,
        "trump": position.trump,
        "played": position.played,
        "points": position.points,
        "tricks": position.tricks,
        "pending": position.pending,
        "closer": position.closer,
        "phase": position.phase,
        "full": position.is_full,
        "legal": legal,
        "marriages": {action: _worth(position, action) for action in legal or () if "-" in action},
        "callIsWrong": legal is not None and "call" in legal and _loses(position),
        "over": position.is_over,
        "outcome": outcome_json(outcome),
    }


def _worth(position: Position, action: str) -> int:
    """The points of a marriage that may be declared, whether they count yet or not."""
    player, after = position.to_move, position.play(action)
    return after.points[player] + after.pending[player] - position.points[player] - position.pending[player]


def _loses(position: Position) -> bool:
    """Whether calling now would be wrong."""
    outcome = position.play("call").outcome
    return outcome is not None and outcome.winner != position.to_move


def outcome_json(outcome: Outcome | None) -> dict[str, Any] | None:
    return None if outcome is None else outcome._asdict()


def rules_json() -> list[dict[str, Any]]:
    """The presets, with what the page must know of them to draw the table."""
    return [
        {"name": name, "cards": _deck(rules), "matchTarget": rules.match_target, "target": rules.target,
         "keepsClosing": rules.score_at_closing or rules.trickless == "other"}
        for name, rules in RULES.items()
    ]  # fmt: skip


def _deck(rules: Rules) -> list[str]:
    return [card for card in CARDS if card[0] in rules.ranks and card[1] in rules.suits]
