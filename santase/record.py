"""The record of a hand or a match as text.

A person can read it and write it in an editor::

    santase record 1
    rules: santase
    play: match to 11
    seed: 167
    player 0: Ana
    player 1: Boris

    hand 1: 1 deals
    deal: santase KQ.A.K9.Q TJ.Q.A.K9 9HKHJDACTCJCJHASTD9STH QD ... 0 0/0 0/0 0/0 -
     1. 0: marriage-S QS   1: QH   0 takes: 26/0
     2. 0: exchange marriage-D call
    result: 0 wins 3 (call)
    score: 3-0

A trick is a line: its number, the leader and all that the leader does, the
other player and the reply, who takes it and the points that count then.
From ``#`` to the end of a line is a comment; comments are not kept. Whoever
writes a record by hand may leave out who takes a trick, results, scores and
with a seed the deals; what is there must agree with the actions. Records in
which cards are unknown are described in ``santase.memory``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from santase._core import Outcome, Position, hand_seed
from santase.actions import Action
from santase.errors import RecordError, SantaseError
from santase.rules import Rules, rules_of

if TYPE_CHECKING:
    from santase.game import Game

_FIRST_LINE = "santase record 1"
_MAX_LINE = 4000
_MAX_NAME = 60


def checked_names(players: tuple[str, str] | None) -> tuple[str, str] | None:
    """The players' names, if they are such as a record can hold; raises ``SantaseError``."""
    if players is None:
        return None
    names = tuple(players)
    if isinstance(players, str) or len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise SantaseError(f"players: two names are needed, not {players!r}")
    for name in names:
        # what a line of the record holds and gives back as it was
        if not name.isprintable() or name != name.strip() or not name or "#" in name or len(name) > _MAX_NAME:
            raise SantaseError(
                f"players: a name is of 1 to {_MAX_NAME} printing characters, no # and no blank at an end,"
                f" not {_shorten(name)}"
            )
    return names[0], names[1]


def _shorten(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


# ---------------------------------------------------------------- writing


def write_record(
    *,
    rules: Rules,
    match: bool,
    seed: int | None,
    players: tuple[str, str] | None,
    hands: Sequence[tuple[Sequence[Position], Sequence[Action]]],
) -> str:
    """The text of a record; a hand is its positions, the deal first, and the actions between them."""
    lines = [_FIRST_LINE, f"rules: {rules}"]
    lines.append(f"play: match to {rules.match_target}" if match else "play: hand")
    if seed is not None:
        lines.append(f"seed: {seed}")
    if players is not None:
        lines.extend(f"player {player}: {name}" for player, name in enumerate(players))
    score = [0, 0]
    for number, (positions, actions) in enumerate(hands, 1):
        lines += ["", f"hand {number}: {1 - positions[0].leader} deals", f"deal: {positions[0]}"]
        lines += _trick_lines(positions, actions)
        outcome = positions[-1].outcome
        if outcome is not None:
            if outcome.winner is not None:
                score[outcome.winner] += outcome.game_points
            lines += [f"result: {_result_text(outcome)}", f"score: {score[0]}-{score[1]}"]
    return "\n".join(lines) + "\n"


def _trick_lines(positions: Sequence[Position], actions: Sequence[Action]) -> list[str]:
    """The lines of a hand's tricks, the columns below one another."""
    tricks: list[tuple[str, str, str]] = []
    lead: list[str] = []
    for before, action, after in zip(positions, actions, positions[1:], strict=False):
        if not lead:
            lead = [f"{sum(before.tricks) + 1:>2}. {before.leader}:"]
        if before.led is None:
            lead.append(action)
            continue
        taken = f"{after.leader} takes: {after.points[0]}/{after.points[1]}"
        tricks.append((" ".join(lead), f"{1 - before.leader}: {action}", taken))
        lead = []
    if lead:
        tricks.append((" ".join(lead), "", ""))
    width = max((len(led) for led, reply, _ in tricks if reply), default=0)
    return [f"{led:<{width}}   {reply}   {taken}".rstrip() for led, reply, taken in tricks]


def _result_text(outcome: Outcome) -> str:
    if outcome.winner is None:
        return outcome.reason
    return f"{outcome.winner} wins {outcome.game_points} ({outcome.reason})"


# ---------------------------------------------------------------- reading

_TRICK = re.compile(r"([0-9]{1,3})\.(?:\s+(.*))?")
_HAND = re.compile(r"hand ([0-9]{1,6})")
_MATCH = re.compile(r"match(?: to ([0-9]{1,3}))?")


def trick_words(text: str) -> list[str]:
    """The words of a trick's line, ``0:`` and ``1:`` words of their own."""
    return re.sub(r"(?<!\S)([01]):", r"\1: ", text).split()


def read_record(text: str, game_class: type[Game]) -> Game:
    """Read a record into a game; raises ``RecordError``."""
    return _Reader(game_class).read(text)


class LineReader:
    """Reads a record line by line; what becomes of a hand is left to those that derive from it."""

    def __init__(self) -> None:
        self.header: dict[str, str] = {}
        self.begun = False
        """A hand has been announced."""

    def read_lines(self, text: str) -> None:
        """Read all of a record; raises ``RecordError``."""
        if not isinstance(text, str):
            raise TypeError(f"a record is text, not {type(text).__name__}")
        number = 0
        begun = False
        for number, whole in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), 1):
            try:
                if len(whole) > _MAX_LINE:
                    raise SantaseError(f"{len(whole)} characters are too long for a line")
                line = whole.partition("#")[0].strip()
                if not line:
                    continue
                if begun:
                    self.read_line(line, number)
                elif line == _FIRST_LINE:
                    begun = True
                else:
                    raise SantaseError(f"a record begins with {_FIRST_LINE!r}, this with {_shorten(line)}")
            except RecordError:
                raise
            except SantaseError as error:
                raise RecordError(str(error), number) from None
        try:
            if not begun:
                raise SantaseError(f"a record begins with {_FIRST_LINE!r}, this is empty")
            if not self.begun:
                raise SantaseError("there is no hand in this record")
            self.finish(number)
        except RecordError:
            raise
        except SantaseError as error:
            raise RecordError(str(error), number) from None

    def read_line(self, line: str, number: int) -> None:
        trick = _TRICK.fullmatch(line)
        if trick:
            self.read_trick(int(trick[1]), trick[2] or "", number)
            return
        key, colon, value = line.partition(":")
        key, value = key.strip(), value.strip()
        hand = _HAND.fullmatch(key)
        if not colon:
            raise SantaseError(f"{_shorten(line)} is neither 'name: value' nor a trick")
        if hand:
            if value != "0 deals" and value != "1 deals":
                raise SantaseError(f"hand {hand[1]}: it is '0 deals' or '1 deals', not {_shorten(value)}")
            if not self.begun:
                self.check_header()
            self.read_hand(int(hand[1]), int(value[0]), number)
            self.begun = True
        elif key == "deal":
            self.read_deal(value)
        elif key == "result" or key == "score":
            self.read_result(key, value)
        elif key in ("rules", "play", "seed", "player 0", "player 1"):
            self.read_header(key, value)
        else:
            raise SantaseError(f"a record has no {_shorten(key)}")

    def read_header(self, key: str, value: str) -> None:
        if self.begun:
            raise SantaseError(f"{key} stands before the first hand")
        if key in self.header:
            raise SantaseError(f"{key} is there twice")
        if key == "rules":
            rules_of(value)
        elif key == "seed":
            if not (value.isascii() and value.isdigit() and len(value) <= 20):
                raise SantaseError(f"seed: {_shorten(value)} is no whole number")
            hand_seed(int(value), 1)
        elif key == "play":
            if value != "hand" and not _MATCH.fullmatch(value):
                raise SantaseError(f"play: it is 'hand' or 'match', not {_shorten(value)}")
        else:
            checked_names((value, value))
        self.header[key] = value

    def check_header(self) -> None:
        if "rules" not in self.header:
            raise SantaseError("rules: the record must say them before the first hand")
        if ("player 0" in self.header) != ("player 1" in self.header):
            raise SantaseError("both players have a name or neither")
        target = _MATCH.fullmatch(self.header.get("play", ""))
        wanted = self.rules.match_target
        if target and target[1] and int(target[1]) != wanted:
            raise SantaseError(f"play: by these rules a match is to {wanted}, not {target[1]}")

    @property
    def rules(self) -> Rules:
        return rules_of(self.header["rules"])

    @property
    def seed(self) -> int | None:
        seed = self.header.get("seed")
        return None if seed is None else int(seed)

    @property
    def match(self) -> bool:
        return self.header.get("play", "hand") != "hand"

    @property
    def players(self) -> tuple[str, str] | None:
        names = self.header.get("player 0"), self.header.get("player 1")
        return None if names[0] is None or names[1] is None else (names[0], names[1])

    def read_hand(self, hand: int, dealer: int, number: int) -> None:
        raise NotImplementedError

    def read_deal(self, value: str) -> None:
        raise NotImplementedError

    def read_trick(self, trick: int, text: str, number: int) -> None:
        raise NotImplementedError

    def read_result(self, key: str, value: str) -> None:
        raise NotImplementedError

    def finish(self, number: int) -> None:
        """The record has ended, with this line."""
        raise NotImplementedError


class _Reader(LineReader):
    """Reads a record into a game."""

    def __init__(self, game_class: type[Game]) -> None:
        super().__init__()
        self.game_class = game_class
        self.game: Game | None = None
        self.dealer: int | None = None
        """The dealer of a hand whose deal has not been read."""
        self.trick_begun = False
        """The last trick of the hand on the table has no reply."""
        self.closed: set[str] = set()
        """Which of result and score the hand on the table has had."""

    def read(self, text: str) -> Game:
        self.read_lines(text)
        return self.on_table()

    def finish(self, number: int) -> None:
        self.on_table()

    def read_hand(self, hand: int, dealer: int, number: int) -> None:
        expected = 1
        if self.begun:
            game = self.on_table()
            outcome = game.position.outcome
            expected = game.hand_number + 1
            if outcome is None:
                raise SantaseError(f"hand {game.hand_number} is not over, so no other begins")
            if not game.is_match:
                raise SantaseError("this is the record of one hand, there is no other")
            if game.is_over:
                raise SantaseError(f"player {game.winner} has won the match, there is no other hand")
            right = game.dealer if outcome.winner is None else outcome.winner
            if dealer != right:
                raise SantaseError(f"hand {hand}: player {right} deals this one")
        if hand != expected:
            raise SantaseError(f"hand {hand}: this is hand {expected}")
        self.dealer = dealer
        self.trick_begun = False
        self.closed = set()

    def read_deal(self, value: str) -> None:
        if self.dealer is None:
            raise SantaseError("deal: it stands right after the line that begins a hand")
        self.start(Position.parse(value))

    def start(self, given: Position | None) -> Game:
        """Deal the hand that has been announced."""
        dealer, self.dealer = self.dealer, None
        if self.game is not None:
            self.game.next_hand(given)
            return self.game
        if self.seed is None and given is None:
            raise SantaseError("deal: hand 1 must be given, for there is no seed")
        self.game = self.game_class(
            self.rules,
            seed=self.seed,
            deal=given,
            match=self.match,
            dealer=dealer,
            players=self.players,
        )
        return self.game

    def on_table(self) -> Game:
        """The game, with the hand that has been announced."""
        if self.dealer is not None:
            return self.start(None)
        if self.game is None:
            raise SantaseError("no hand has begun")
        return self.game

    def read_trick(self, trick: int, text: str, number: int) -> None:
        game = self.on_table()
        position = game.position
        tricks, done = sum(position.tricks), len(game.actions)
        if position.is_over:
            raise SantaseError("the hand is over, there is no other trick")
        if self.trick_begun:
            raise SantaseError(f"trick {tricks + 1} has begun on an earlier line: write it on one")
        if trick != tricks + 1:
            raise SantaseError(f"this is trick {tricks + 1}, not {trick}")
        words = trick_words(text)
        taken: list[str] = []
        for word in ("takes", "takes:"):
            if word in words:
                at = max(words.index(word) - 1, 0)
                words, taken = words[:at], words[at:]
        marked: int | None = None
        for word in words:
            if word in ("0:", "1:"):
                marked = int(word[0])
                continue
            action = Action(word)
            if position.is_over:
                raise SantaseError(f"{action}: the hand is over")
            if sum(position.tricks) != tricks:
                raise SantaseError(f"{action}: trick {trick} is complete, the next is a line of its own")
            if marked != position.to_move:
                raise SantaseError(
                    f"{action}: player {position.to_move} is to move, not {marked}"
                    if marked is not None
                    else f"{action}: it does not say who does it"
                )
            position = game.play(action)
        if len(game.actions) == done:
            raise SantaseError(f"nothing is done in trick {trick}")
        self.trick_begun = sum(position.tricks) == tricks
        if taken:
            self.check_taken(position, tricks, taken)

    @staticmethod
    def check_taken(position: Position, tricks: int, taken: list[str]) -> None:
        if sum(position.tricks) == tricks:
            raise SantaseError("nobody takes the trick, for it has no reply")
        points = f"{position.points[0]}/{position.points[1]}"
        right = [str(position.leader), "takes:", points]
        if taken != right and taken != [str(position.leader), "takes"]:
            raise SantaseError(f"it is {' '.join(right)!r} by the actions, not {_shorten(' '.join(taken))}")

    def read_result(self, key: str, value: str) -> None:
        game = self.on_table()
        outcome = game.position.outcome
        if outcome is None:
            raise SantaseError(f"{key}: hand {game.hand_number} is not over")
        if key in self.closed:
            raise SantaseError(f"{key} is there twice")
        right = _result_text(outcome) if key == "result" else f"{game.score[0]}-{game.score[1]}"
        if " ".join(value.split()) != right:
            raise SantaseError(f"{key}: it is {right!r} by the actions, not {_shorten(value)}")
        self.closed.add(key)
