"""The rules of a game as one small immutable object, and the presets.

A ``Rules`` object holds settings only; what they mean is done by the compiled
core. In the notation rules are a preset's name, or for house rules the name of
the nearest preset and what differs from it::

    santase
    santase+hand_size=4+ranks=QKTA
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from santase.errors import RulesError

_RANKS = "9JQKTA"
_SUITS = "CDHS"
_MAX_FACEDOWN = 11
_TRICKLESS = ("failed", "other")


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of one game; ``dataclasses.replace`` makes house rules of a preset.

    Equality and hash are those of the settings; ``name`` is a label and does
    not count. Raises ``RulesError`` for settings that make no game.
    """

    name: str = dataclasses.field(default="santase", compare=False)
    ranks: str = "9JQKTA"
    """The ranks played with, weakest first: some of ``9JQKTA``."""
    suits: str = "CDHS"
    """The suits played with: some of ``CDHS``, in that order."""
    hand_size: int = 6
    """Cards dealt to each player; at most eleven cards may then lie face down."""
    automatic: bool = False
    """66 ends the hand by itself; otherwise it is called."""
    exchange_rank: str = "9"
    """The trump that may be exchanged for the turned card."""
    exchange_needs_trick: bool = True
    """Only a player who has taken a trick may exchange."""
    exchange_min_talon: int = 3
    """Face-down cards that must be left for an exchange."""
    close_before_first_trick: bool = False
    """Closing is allowed at the very first lead."""
    close_min_talon: int = 1
    """Face-down cards that must be left for closing."""
    marriage_before_first_trick: bool = True
    """A marriage may be declared at the very first lead (its points are pending)."""
    last_trick_bonus: int = 10
    """Card points for the last trick when the talon is exhausted."""
    last_trick_wins: bool = False
    """With the talon exhausted and no call, the last trick's winner wins the hand."""
    tie_void: bool = False
    """All cards played and nobody has 66: the hand is void (otherwise the last trick's winner scores 1)."""
    closer_under_33: int = 2
    """Game points of a successful closer whose opponent has a trick, but not 33."""
    score_at_closing: bool = False
    """A closer's score goes by the opponent's points and tricks at the closing, not at the end."""
    closer_fails: int = 2
    """Game points of the other player when a closing fails."""
    closer_fails_trickless: int = 3
    """The same when the player named by ``trickless`` has no trick."""
    wrong_call: int = 2
    """Game points of the other player after a wrong call."""
    wrong_call_trickless: int = 3
    """The same when the player named by ``trickless`` has no trick."""
    trickless: str = "failed"
    """Whose lack of tricks raises these two: ``"failed"``, the closer's or caller's own, or
    ``"other"``, the other player's: at the closing, for a failed closing and for the closer's own
    wrong call; for any other wrong call, now."""
    target: int = 66
    """The points to reach."""
    schneider: int = 33
    """A loser with fewer points than this loses 2."""
    match_target: int = 11
    """Game points that win a match."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            wanted = {"str": str, "bool": bool, "int": int}[str(field.type)]
            if type(value) is not wanted:
                name = {str: "a text", bool: "True or False", int: "a whole number"}[wanted]
                raise RulesError(f"rules: {field.name} takes {name}, not {value!r}")
        _check_subset("ranks", self.ranks, _RANKS)
        _check_subset("suits", self.suits, _SUITS)
        if self.exchange_rank not in _RANKS or len(self.exchange_rank) != 1:
            raise RulesError(f"rules: exchange_rank is one of {_RANKS}, not {self.exchange_rank!r}")
        if self.trickless not in _TRICKLESS:
            raise RulesError(f"rules: trickless is 'failed' or 'other', not {self.trickless!r}")
        for name, low, high in _BOUNDS:
            if not low <= getattr(self, name) <= high:
                raise RulesError(f"rules: {name} is {low} to {high}, not {getattr(self, name)}")
        facedown = self.facedown
        if facedown < 1:
            raise RulesError(
                f"rules: hand_size {self.hand_size} leaves no talon of the {self.deck_size} cards"
            )
        if facedown % 2 == 0:
            raise RulesError(
                f"rules: the talon of {facedown + 1} cards must be even, so that it is drawn in pairs"
            )
        if facedown > _MAX_FACEDOWN:
            raise RulesError(
                f"rules: hand_size {self.hand_size} leaves {facedown} cards face down,"
                f" more than {_MAX_FACEDOWN}"
            )

    def __deepcopy__(self, memo: object) -> Rules:
        return self

    @property
    def deck_size(self) -> int:
        """Number of cards in the game."""
        return len(self.ranks) * len(self.suits)

    @property
    def facedown(self) -> int:
        """Face-down cards after the deal: the talon less the turned card."""
        return self.deck_size - 2 * self.hand_size - 1

    @property
    def nearest_preset(self) -> str:
        """The name of the preset that fewest settings differ from; its own for a preset."""
        return _nearest_preset(self)

    def __str__(self) -> str:
        """The rules as the first field of a position's line; equal rules, equal text."""
        base, changes = "", None
        for name, preset in RULES.items():
            differing = [
                f"+{field.name}={_setting_text(getattr(self, field.name))}"
                for field in dataclasses.fields(self)
                if field.compare and getattr(self, field.name) != getattr(preset, field.name)
            ]
            if changes is None or len(differing) < len(changes):
                base, changes = name, differing
        return base + "".join(changes or ())

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read a preset's name or ``preset+setting=value+…``; raises ``RulesError``."""
        if not isinstance(text, str):
            raise TypeError(f"the notation of rules is text, not {type(text).__name__}")
        known = RULES.get(text)
        if known is not None:
            return known
        base, *changes = text.split("+")
        if base not in RULES:
            raise RulesError(f"rules: no preset is called {base!r}; there are {', '.join(RULES)}")
        settings: dict[str, Any] = {}
        kinds = {field.name: str(field.type) for field in dataclasses.fields(cls) if field.compare}
        for change in changes:
            name, equals, value = change.partition("=")
            if not equals or name not in kinds:
                raise RulesError(f"rules: {change!r} is no setting=value of a known setting")
            if name in settings:
                raise RulesError(f"rules: {name} is set twice")
            settings[name] = _read_setting(name, kinds[name], value)
        return dataclasses.replace(RULES[base], **settings)


# it is asked for with every analysis, and finding it takes as long as many moves of the policy
@lru_cache(maxsize=64)
def _nearest_preset(rules: Rules) -> str:
    return str(rules).partition("+")[0]


_BOUNDS = (
    ("hand_size", 1, 11),
    ("exchange_min_talon", 1, 11),
    ("close_min_talon", 1, 11),
    ("last_trick_bonus", 0, 30),
    ("closer_under_33", 1, 9),
    ("closer_fails", 1, 9),
    ("closer_fails_trickless", 1, 9),
    ("wrong_call", 1, 9),
    ("wrong_call_trickless", 1, 9),
    ("target", 1, 250),
    ("schneider", 0, 250),
    ("match_target", 1, 250),
)


def _check_subset(name: str, given: str, whole: str) -> None:
    if not given or given != "".join(c for c in whole if c in given):
        raise RulesError(f"rules: {name} are some of {whole} in that order, not {given!r}")


def _setting_text(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _read_setting(name: str, kind: str, value: str) -> Any:
    if kind == "bool":
        if value not in ("yes", "no"):
            raise RulesError(f"rules: {name} is yes or no, not {value!r}")
        return value == "yes"
    if kind == "int":
        if not (value.isascii() and value.isdigit() and len(value) <= 4):
            raise RulesError(f"rules: {name} is a number, not {value!r}")
        return int(value)
    return value


def _presets() -> dict[str, Rules]:
    santase = Rules(name="santase")
    bulgarian = dataclasses.replace(
        santase,
        name="santase-bg",
        automatic=True,
        exchange_min_talon=2,
        close_min_talon=2,
        marriage_before_first_trick=False,
        tie_void=True,
        closer_under_33=3,
        closer_fails=3,
    )
    international = dataclasses.replace(
        santase,
        exchange_min_talon=1,
        close_before_first_trick=True,
        score_at_closing=True,
        trickless="other",
        match_target=7,
    )
    presets = (
        santase,
        bulgarian,
        dataclasses.replace(bulgarian, name="santase-engine", closer_under_33=2),
        dataclasses.replace(
            international,
            name="schnapsen",
            ranks="JQKTA",
            hand_size=5,
            exchange_rank="J",
            exchange_needs_trick=False,
            last_trick_bonus=0,
            last_trick_wins=True,
        ),
        dataclasses.replace(international, name="sixty-six", tie_void=True),
    )
    return {preset.name: preset for preset in presets}


RULES: MappingProxyType[str, Rules] = MappingProxyType(_presets())
"""The presets by name: ``santase`` (the default), ``santase-bg``, ``santase-engine``, ``schnapsen``
and ``sixty-six``."""


def rules_of(rules: Rules | str) -> Rules:
    """A ``Rules`` object from itself, a preset's name or the notation of house rules."""
    if isinstance(rules, Rules):
        return rules
    if not isinstance(rules, str):
        raise TypeError(f"rules are a Rules object or text, not {type(rules).__name__}")
    return Rules.parse(rules)
