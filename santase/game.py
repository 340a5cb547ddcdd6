"""The record of a hand or a match: play, undo, save and load.

The deals
    A game that has a seed deals from it: hand 1 is ``deal(seed)``, and hand n
    ``deal(hand_seed(seed, n))``, a void hand counting as one. The non-dealer
    leads. So a record with a seed replays exactly. Without a seed every deal
    is given.

The text of a record is described in ``santase.record``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from santase._core import Outcome, Position, deal, hand_seed
from santase.actions import Action
from santase.errors import IllegalActionError, RecordError, SantaseError
from santase.files import replace_file
from santase.record import checked_names, read_record, write_record
from santase.rules import Rules, rules_of


@dataclass(frozen=True)
class PlayedHand:
    """A finished hand of a game."""

    deal: Position
    """The full position before the first lead."""
    actions: tuple[Action, ...]
    outcome: Outcome

    @property
    def dealer(self) -> int:
        """The player who dealt; the other one led."""
        return 1 - self.deal.leader

    def positions(self) -> Iterator[Position]:
        """The deal and the position after each action, the last one over."""
        position = self.deal
        yield position
        for action in self.actions:
            position = position.play(action)
            yield position


class _Hand:
    """A hand in play: its positions, the deal first, and the actions between them."""

    __slots__ = ("actions", "positions")

    def __init__(self, dealt: Position) -> None:
        self.positions = [dealt]
        self.actions: list[Action] = []


class Game:
    """The record of one hand or of a match, with the position that it has come to.

    In a match the winner of a hand deals the next one and a void hand is dealt
    again by the same dealer, until a player has ``rules.match_target`` game
    points. A finished hand stays in ``position``, to be looked at, until
    ``next_hand`` deals. The record of one hand is over with it, void or not.

    ``rules``
        a ``Rules`` object, a preset's name or the notation of house rules; by
        default those of ``deal``, else ``santase``.
    ``seed``
        0 to 2**64 - 1, from which every hand is dealt; chosen at random when
        neither a seed nor a deal is given.
    ``deal``
        the first hand, a full position (or its line) before the first lead.
    ``match``
        a match, else one hand.
    ``dealer``
        the first dealer, 0 or 1; by default the one of ``deal``, else 1.
    ``players``
        the names of player 0 and player 1, if they have any.

    Equal games have equal records. Raises ``SantaseError``.
    """

    def __init__(
        self,
        rules: Rules | str | None = None,
        *,
        seed: int | None = None,
        deal: Position | str | None = None,
        match: bool = False,
        dealer: int | None = None,
        players: tuple[str, str] | None = None,
    ) -> None:
        given = _read_deal(deal)
        if rules is None:
            rules = given.rules if given is not None else "santase"
        if dealer is None:
            dealer = 1 if given is None else 1 - given.leader
        elif type(dealer) is not int or not 0 <= dealer <= 1:
            raise SantaseError(f"dealer: player 0 or 1 is needed, not {dealer!r}")
        if not isinstance(match, bool):
            raise SantaseError(f"match: True or False is needed, not {match!r}")
        if seed is None and given is None:
            seed = int.from_bytes(os.urandom(4), "big")
        self._rules = rules_of(rules)
        self._seed = None if seed is None else hand_seed(seed, 1)
        self._match = match
        self._players = checked_names(players)
        self._hands: list[_Hand] = []
        self._begin(dealer, given)

    def _begin(self, dealer: int, given: Position | None) -> None:
        number = len(self._hands) + 1
        dealt = given
        if self._seed is not None:
            dealt = deal(hand_seed(self._seed, number), self._rules, leader=1 - dealer)
            if given is not None and given != dealt:
                raise SantaseError(f"deal: hand {number} of seed {self._seed} is {dealt}")
        elif dealt is None:
            raise SantaseError(f"deal: hand {number} must be given, for there is no seed")
        else:
            check_deal(dealt, self._rules, dealer)
        self._hands.append(_Hand(dealt))

    # ------------------------------------------------ what there is

    @property
    def rules(self) -> Rules:
        """The rules that are played by."""
        return self._rules

    @property
    def seed(self) -> int | None:
        """The seed of all deals, ``None`` where they were given."""
        return self._seed

    @property
    def is_match(self) -> bool:
        """A match, not one hand."""
        return self._match

    @property
    def players(self) -> tuple[str, str] | None:
        """The names of player 0 and player 1."""
        return self._players

    @property
    def hand_number(self) -> int:
        """The number of the hand on the table, the first being 1."""
        return len(self._hands)

    @property
    def dealer(self) -> int:
        """Who dealt the hand on the table."""
        return 1 - self.deal.leader

    @property
    def deal(self) -> Position:
        """The hand on the table before its first lead."""
        return self._hands[-1].positions[0]

    @property
    def actions(self) -> tuple[Action, ...]:
        """What has been done in the hand on the table."""
        return tuple(self._hands[-1].actions)

    @property
    def position(self) -> Position:
        """The full position that the hand on the table has come to."""
        return self._hands[-1].positions[-1]

    def view(self, player: int | None = None) -> Position:
        """What a player, by default the one to move, knows of the position."""
        return self.position.view(player)

    def history(self, player: int | None = None) -> list[tuple[Position, Action]]:
        """What the other player has done in the hand on the table, in order: pairs of what ``player``, by
        default the one to move, saw before the action, and the action. ``analyze`` takes it."""
        viewer = self.position.to_move if player is None else player
        hand = self._hands[-1]
        return [
            (before.view(viewer), action)
            for before, action in zip(hand.positions, hand.actions, strict=False)
            if before.to_move != viewer
        ]

    def legal_actions(self) -> list[Action]:
        """The legal actions of the player to move, by number; empty when the hand is over."""
        return self.position.legal_actions()

    @property
    def hands(self) -> tuple[PlayedHand, ...]:
        """The finished hands, the one on the table among them once it is over."""
        return tuple(
            PlayedHand(hand.positions[0], tuple(hand.actions), outcome)
            for hand in self._hands
            if (outcome := hand.positions[-1].outcome) is not None
        )

    @property
    def score(self) -> tuple[int, int]:
        """Game points of player 0 and player 1 in all finished hands."""
        score = [0, 0]
        for hand in self._hands:
            outcome = hand.positions[-1].outcome
            if outcome is not None and outcome.winner is not None:
                score[outcome.winner] += outcome.game_points
        return score[0], score[1]

    @property
    def is_over(self) -> bool:
        """The match is won; for one hand, the hand has ended."""
        if self._match:
            return max(self.score) >= self._rules.match_target
        return self.position.is_over

    @property
    def winner(self) -> int | None:
        """Who won the match or the one hand; ``None`` before the end, and for a void hand."""
        if not self.is_over:
            return None
        if self._match:
            return int(self.score[1] >= self._rules.match_target)
        outcome = self.position.outcome
        return None if outcome is None else outcome.winner

    # ------------------------------------------------ what is done

    def play(self, action: Action | str) -> Position:
        """Do an action in the hand on the table and return the new position.

        Raises ``IllegalActionError``, or ``NotationError`` for text that is no
        action; the game is then as it was.
        """
        hand = self._hands[-1]
        after = hand.positions[-1].play(action)
        hand.positions.append(after)
        hand.actions.append(Action(action))
        return after

    def next_hand(self, deal: Position | str | None = None) -> Position:
        """Deal the next hand of a match; ``deal`` gives it where there is no seed.

        Raises ``SantaseError`` when the hand on the table is not over, when
        there is no next one, or when the deal does not fit.
        """
        outcome = self.position.outcome
        if outcome is None:
            raise SantaseError(f"hand {self.hand_number} is not over")
        if not self._match:
            raise SantaseError("this is the record of one hand, there is no next one")
        if self.is_over:
            raise SantaseError(f"player {self.winner} has won the match, there is no next hand")
        dealer = self.dealer if outcome.winner is None else outcome.winner
        self._begin(dealer, _read_deal(deal))
        return self.position

    def undo(self) -> Action:
        """Take back the last action, and a deal after it, and return the action.

        Raises ``IllegalActionError`` when nothing has been done.
        """
        if not self._hands[-1].actions and len(self._hands) > 1:
            self._hands.pop()
        hand = self._hands[-1]
        if not hand.actions:
            raise IllegalActionError("there is nothing to take back")
        hand.positions.pop()
        return hand.actions.pop()

    # ------------------------------------------------ as text

    def dumps(self) -> str:
        """The record as text; ``loads`` makes an equal game of it."""
        return write_record(
            rules=self._rules,
            match=self._match,
            seed=self._seed,
            players=self._players,
            hands=[(hand.positions, hand.actions) for hand in self._hands],
        )

    @classmethod
    def loads(cls, text: str) -> Game:
        """Read a record, checking all that it says against the rules.

        Raises ``RecordError``, which names the line and says why.
        """
        return read_record(text, cls)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, in UTF-8.

        The file is replaced as a whole once the new one is safely on the disk:
        whatever happens meanwhile, the old record or the new one is there.
        Raises ``OSError``.
        """
        replace_file(os.path.realpath(path), self.dumps().encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Game:
        """Read a record from a file; raises ``RecordError`` and ``OSError``."""
        with open(path, "rb") as file:
            data = file.read()
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise RecordError("not text in UTF-8", line) from None
        return cls.loads(text)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (
            (self._rules, self._seed, self._match, self._players)
            == (other._rules, other._seed, other._match, other._players)
            and len(self._hands) == len(other._hands)
            and all(
                mine.positions[0] == theirs.positions[0] and mine.actions == theirs.actions
                for mine, theirs in zip(self._hands, other._hands, strict=True)
            )
        )

    __hash__ = None  # type: ignore[assignment]  # it changes

    def _repr_html_(self) -> str:
        # imported when a notebook asks: drawing is a layer above
        from santase.notebook import game_html

        return game_html(self)

    def __repr__(self) -> str:
        kind = f"match, {self.score[0]}-{self.score[1]}" if self._match else "hand"
        return f"<Game of {self._rules}: {kind}, hand {self.hand_number}, {len(self.actions)} actions>"


# ---------------------------------------------------------------- checks


def _read_deal(given: Position | str | None) -> Position | None:
    if given is None or isinstance(given, Position):
        return given
    if not isinstance(given, str):
        raise TypeError(f"a deal is a Position or its line, not {type(given).__name__}")
    return Position.parse(given)


def check_deal(dealt: Position, rules: Rules, dealer: int, *, hidden: bool = False) -> None:
    """Raise ``SantaseError`` unless this is a deal before the first lead; cards may be ``hidden`` or not."""
    if dealt.rules != rules:
        raise SantaseError(f"deal: it is of {dealt.rules}, the game is of {rules}")
    if not hidden and not dealt.is_full:
        raise SantaseError("deal: all cards must be given, these are hidden in part")
    # before the first trick an exchange leaves known cards and nothing else
    if (
        dealt.is_over
        or dealt.played
        or dealt.led is not None
        or dealt.declared is not None
        or dealt.closer is not None
        or any(dealt.pending)
        or any(dealt.known)
    ):
        raise SantaseError("deal: this is a position later than the first lead")
    if dealt.leader != 1 - dealer:
        raise SantaseError(f"deal: player {dealer} deals, so player {1 - dealer} leads")
