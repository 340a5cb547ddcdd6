"""The record of a hand or a match: play, undo, save and load.

The deals
    A game that has a seed deals from it: hand 1 is ``deal(seed)``, and hand n
    ``deal(hand_seed(seed, n))``, a void hand counting as one. The non-dealer
    leads. So a record with a seed replays exactly. Without a seed every deal
    is given.

The text of a record
    A person can read it and write it in an editor::

        santase record 1
        rules: santase
        play: match to 11
        seed: 7
        player 0: Ana
        player 1: Boris

        hand 1: 1 deals
        deal: santase T.TQJ.T.K K9.AK.AJ. JC9DQCACQDTCAS9HJS9CKD QS ... 0 0/0 0/0 0/0 -
        1. 0: TH   1: AH   1 takes: 0/21
        2. 1: close marriage-S KS   0: TS   0 takes: 14/21
        ...
        result: 0 wins 2 (closing failed)
        score: 2-0

    A trick is a line: its number, the leader and all that the leader does, the
    other player and the reply, who takes it and the points that count then.
    From ``#`` to the end of a line is a comment; comments are not kept. Whoever
    writes a record by hand may leave out who takes a trick, results, scores and
    with a seed the deals; what is there must agree with the actions.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from santase._core import Outcome, Position, deal, hand_seed
from santase.actions import Action
from santase.errors import IllegalActionError, RecordError, SantaseError
from santase.rules import Rules, rules_of

_FIRST_LINE = "santase record 1"
_MAX_LINE = 4000
_MAX_NAME = 60


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
        given = Position.parse(deal) if isinstance(deal, str) else deal
        if rules is None:
            rules = given.rules if given is not None else "santase"
        if dealer is None:
            dealer = 1 if given is None else 1 - given.leader
        elif dealer != 0 and dealer != 1:
            raise SantaseError(f"dealer: player 0 or 1 is needed, not {dealer!r}")
        if seed is None and given is None:
            seed = secrets.randbits(32)
        self._rules = rules_of(rules)
        self._seed = None if seed is None else hand_seed(seed, 1)
        self._match = bool(match)
        self._players = _checked_names(players)
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
            _check_deal(dealt, self._rules, dealer)
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
        self._begin(dealer, Position.parse(deal) if isinstance(deal, str) else deal)
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
        lines = [_FIRST_LINE, f"rules: {self._rules}"]
        lines.append(f"play: match to {self._rules.match_target}" if self._match else "play: hand")
        if self._seed is not None:
            lines.append(f"seed: {self._seed}")
        if self._players is not None:
            lines.extend(f"player {player}: {name}" for player, name in enumerate(self._players))
        score = [0, 0]
        for number, hand in enumerate(self._hands, 1):
            dealt = hand.positions[0]
            lines += ["", f"hand {number}: {1 - dealt.leader} deals", f"deal: {dealt}"]
            lines += _trick_lines(hand)
            outcome = hand.positions[-1].outcome
            if outcome is not None:
                if outcome.winner is not None:
                    score[outcome.winner] += outcome.game_points
                lines += [f"result: {_result_text(outcome)}", f"score: {score[0]}-{score[1]}"]
        return "\n".join(lines) + "\n"

    @classmethod
    def loads(cls, text: str) -> Game:
        """Read a record, checking all that it says against the rules.

        Raises ``RecordError``, which names the line and says why.
        """
        return _Reader(cls).read(text)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, in UTF-8.

        The file is replaced as a whole once the new one is safely on the disk:
        whatever happens meanwhile, the old record or the new one is there.
        Raises ``OSError``.
        """
        _replace_file(os.path.realpath(path), self.dumps().encode())

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

    def __repr__(self) -> str:
        kind = f"match, {self.score[0]}-{self.score[1]}" if self._match else "hand"
        return f"<Game of {self._rules}: {kind}, hand {self.hand_number}, {len(self.actions)} actions>"


# ---------------------------------------------------------------- checks


def _check_deal(dealt: Position, rules: Rules, dealer: int) -> None:
    if dealt.rules != rules:
        raise SantaseError(f"deal: it is of {dealt.rules}, the game is of {rules}")
    if not dealt.is_full:
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


def _checked_names(players: tuple[str, str] | None) -> tuple[str, str] | None:
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


def _trick_lines(hand: _Hand) -> list[str]:
    """The lines of a hand's tricks, the columns below one another."""
    tricks: list[tuple[str, str, str]] = []
    lead: list[str] = []
    for before, action, after in zip(hand.positions, hand.actions, hand.positions[1:], strict=False):
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


def _replace_file(path: str, data: bytes) -> None:
    """Write a file to the side and put it in the place of ``path`` in one step."""
    aside = f"{path}.{secrets.token_hex(6)}.tmp"
    try:
        with open(aside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            os.chmod(aside, os.stat(path).st_mode & 0o7777)
        os.replace(aside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        raise
    # the new name too must last; not every system opens directories
    with contextlib.suppress(OSError):
        directory = os.open(os.path.dirname(path), os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


# ---------------------------------------------------------------- reading

_TRICK = re.compile(r"([0-9]{1,3})\.(?:\s+(.*))?")
_HAND = re.compile(r"hand ([0-9]{1,6})")
_MATCH = re.compile(r"match(?: to ([0-9]{1,3}))?")


class _Reader:
    """Reads a record line by line; holds what has been read so far."""

    def __init__(self, game_class: type[Game]) -> None:
        self.game_class = game_class
        self.game: Game | None = None
        self.header: dict[str, str] = {}
        self.dealer: int | None = None
        """The dealer of a hand whose deal has not been read."""
        self.closed: set[str] = set()
        """Which of result and score the hand on the table has had."""

    def read(self, text: str) -> Game:
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
                    self.read_line(line)
                elif line == _FIRST_LINE:
                    begun = True
                else:
                    raise SantaseError(f"a record begins with {_FIRST_LINE!r}, this with {_shorten(line)}")
            except SantaseError as error:
                raise RecordError(str(error), number) from None
        try:
            if not begun:
                raise SantaseError(f"a record begins with {_FIRST_LINE!r}, this is empty")
            if self.game is None and self.dealer is None:
                raise SantaseError("there is no hand in this record")
            return self.on_table()
        except SantaseError as error:
            raise RecordError(str(error), number) from None

    def read_line(self, line: str) -> None:
        trick = _TRICK.fullmatch(line)
        if trick:
            self.read_trick(int(trick[1]), trick[2] or "")
            return
        key, colon, value = line.partition(":")
        key, value = key.strip(), value.strip()
        hand = _HAND.fullmatch(key)
        if not colon:
            raise SantaseError(f"{_shorten(line)} is neither 'name: value' nor a trick")
        if hand:
            self.read_hand(int(hand[1]), value)
        elif key == "deal":
            self.read_deal(value)
        elif key == "result" or key == "score":
            self.read_result(key, value)
        elif key in ("rules", "play", "seed", "player 0", "player 1"):
            self.read_header(key, value)
        else:
            raise SantaseError(f"a record has no {_shorten(key)}")

    def read_header(self, key: str, value: str) -> None:
        if self.game is not None or self.dealer is not None:
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
            _checked_names((value, value))
        self.header[key] = value

    def read_hand(self, number: int, value: str) -> None:
        if value != "0 deals" and value != "1 deals":
            raise SantaseError(f"hand {number}: it is '0 deals' or '1 deals', not {_shorten(value)}")
        dealer = int(value[0])
        expected = 1
        if self.game is not None or self.dealer is not None:
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
                raise SantaseError(f"hand {number}: player {right} deals this one")
        else:
            self.check_header()
        if number != expected:
            raise SantaseError(f"hand {number}: this is hand {expected}")
        self.dealer = dealer
        self.closed = set()

    def check_header(self) -> None:
        if "rules" not in self.header:
            raise SantaseError("rules: the record must say them before the first hand")
        if ("player 0" in self.header) != ("player 1" in self.header):
            raise SantaseError("both players have a name or neither")
        target = _MATCH.fullmatch(self.header.get("play", ""))
        wanted = rules_of(self.header["rules"]).match_target
        if target and target[1] and int(target[1]) != wanted:
            raise SantaseError(f"play: by these rules a match is to {wanted}, not {target[1]}")

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
        names = self.header.get("player 0"), self.header.get("player 1")
        seed = self.header.get("seed")
        if seed is None and given is None:
            raise SantaseError("deal: hand 1 must be given, for there is no seed")
        self.game = self.game_class(
            self.header["rules"],
            seed=None if seed is None else int(seed),
            deal=given,
            match=self.header.get("play", "hand") != "hand",
            dealer=dealer,
            players=None if names[0] is None or names[1] is None else (names[0], names[1]),
        )
        return self.game

    def on_table(self) -> Game:
        """The game, with the hand that has been announced."""
        if self.dealer is not None:
            return self.start(None)
        if self.game is None:
            raise SantaseError("no hand has begun")
        return self.game

    def read_trick(self, number: int, text: str) -> None:
        game = self.on_table()
        position = game.position
        tricks, done = sum(position.tricks), len(game.actions)
        if position.is_over:
            raise SantaseError("the hand is over, there is no other trick")
        if done and sum(game._hands[-1].positions[-2].tricks) == tricks:
            raise SantaseError(f"trick {tricks + 1} has begun on an earlier line: write it on one")
        if number != tricks + 1:
            raise SantaseError(f"this is trick {tricks + 1}, not {number}")
        words = re.sub(r"(?<!\S)([01]):", r"\1: ", text).split()
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
                raise SantaseError(f"{action}: trick {number} is complete, the next is a line of its own")
            if marked != position.to_move:
                raise SantaseError(
                    f"{action}: player {position.to_move} is to move, not {marked}"
                    if marked is not None
                    else f"{action}: it does not say who does it"
                )
            position = game.play(action)
        if len(game.actions) == done:
            raise SantaseError(f"nothing is done in trick {number}")
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
