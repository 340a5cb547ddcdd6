"""A match of a person against the computer: who sits where, and the file that it is kept in.

The file is a record (``santase.record``) with one comment more, which says what a
record does not::

    santase record 1
    # santase play: seat 0, level strong
    rules: santase
    ...

It is written after every action, so that whatever happens the match goes on from
there.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from santase._core import Position
from santase._players import mix_seed
from santase.actions import Action
from santase.error_words import os_error_text
from santase.errors import SantaseError
from santase.files import replace_file
from santase.game import Game
from santase.language import _
from santase.players import LEVELS, Player, PlayerError, make_player

SUFFIX = ".santase"
LAST = "last"
"""What ``--resume`` takes for the match that was played last and is not over."""

_COMMENT = re.compile(r"^#\s*santase play: seat ([01]), level (.+?)\s*$", re.M)
_MOST_BYTES = 10_000_000  # a match of 2,000 hands has less


@dataclass(frozen=True)
class Scene:
    """What the person sees, and nothing else: it is all that is drawn while a hand is played."""

    view: Position
    past: tuple[tuple[Position, Action], ...]
    """Each action of the hand so far, and what the person saw before it."""
    seat: int
    names: tuple[str, str] | None
    """The names of player 0 and player 1, if they have any."""
    level: str
    is_match: bool
    hand_number: int
    score: tuple[int, int]


@dataclass
class Session:
    """A game between the person at ``seat`` and the computer, kept in the file ``path``."""

    game: Game
    seat: int
    level: str
    path: Path
    unsaved: str = ""
    """Why the file could not be written the last time, or empty."""
    _written: bytes | None = field(default=None, repr=False)
    """What this session knows to be in the file; ``None`` for a file that is not to be there yet."""

    def __post_init__(self) -> None:
        self._computer = level_player(self.level)

    # ------------------------------------------------ what there is

    @property
    def computer(self) -> int:
        return 1 - self.seat

    @property
    def awaits_person(self) -> bool:
        return not self.game.position.is_over and self.game.position.to_move == self.seat

    def scene(self) -> Scene:
        position = self.game.deal
        past = []
        for action in self.game.actions:
            past.append((position.view(self.seat), action))
            position = position.play(action)
        return Scene(
            position.view(self.seat),
            tuple(past),
            self.seat,
            self.game.players,
            self.level,
            self.game.is_match,
            self.game.hand_number,
            self.game.score,
        )

    # ------------------------------------------------ what is done

    def play(self, action: Action) -> None:
        """Do an action for the player to move, and save; raises ``IllegalActionError``."""
        self.game.play(action)
        self.save()

    def choose(self) -> Action:
        """What the computer does, which sees its own view. The same game, the same choice, unless its
        level goes by time."""
        view = self.game.view(self.computer)
        actions = view.legal_actions()
        if len(actions) == 1:
            return actions[0]
        mine, theirs = self.game.score[self.computer], self.game.score[self.seat]
        # afresh for every move: nothing but what is in the record counts, also after undo and resume
        seed = mix_seed(self.game.seed or 0, self.game.hand_number, len(self.game.actions))
        self._computer.begin(seed, self.computer, (mine, theirs) if self.game.is_match else None)
        position = self.game.deal
        for action in self.game.actions:
            self._computer.note(position.to_move, action, position.view(self.computer))
            position = position.play(action)
        return self._computer.choose(view)

    @property
    def can_undo(self) -> bool:
        """The person has decided something in this hand, and has not been shown both hands since."""
        return not self.game.position.is_over and any(
            view.to_move == self.seat for view, _action in self.scene().past
        )

    def undo(self) -> None:
        """Back to the person's last decision in this hand, and save; raises ``SantaseError``."""
        if not self.can_undo:
            raise SantaseError("there is nothing to take back")
        self.game.undo()
        while self.game.position.to_move != self.seat:
            self.game.undo()
        self.save()

    def next_hand(self) -> None:
        self.game.next_hand()
        self.save()

    # ------------------------------------------------ the file

    def text(self) -> str:
        first, rest = self.game.dumps().split("\n", 1)
        return f"{first}\n# santase play: seat {self.seat}, level {self.level}\n{rest}"

    def save(self) -> None:
        """Write the file. Where that fails, ``unsaved`` says why, and the game goes on.

        Nobody else's writing is lost: if the file has been changed meanwhile, this
        game goes on in one beside it.
        """
        data = self.text().encode()
        try:
            if _content(self.path) != self._written:
                self.path = _free(self.path)
            replace_file(str(self.path), data)
        except OSError as error:
            self.unsaved = os_error_text(error, self.path)
            return
        self._written = data
        self.unsaved = ""

    def save_copy(self, path: Path) -> None:
        """Write the record to another file, which must not be there.

        Raises ``SantaseError`` and ``OSError``.
        """
        if path.exists() and not (self._written is not None and path.resolve() == self.path.resolve()):
            raise SantaseError(_("{file} is there already").format(file=path))
        replace_file(str(path), self.text().encode())


def level_player(level: str) -> Player:
    """The player of a level, or of any specification of a player that does not see the other's cards."""
    try:
        player = make_player(LEVELS.get(level, level))
    except PlayerError as error:
        if level.partition(":")[0].isidentifier() and ":" not in level:
            text = _("--level: no level is called {level}; there are {levels}")
            raise SantaseError(text.format(level=repr(level), levels=", ".join(LEVELS))) from None
        raise SantaseError(f"--level: {error}") from None
    if player.sees_all:
        player.finish()
        raise SantaseError(_("--level: {level} sees all cards").format(level=level))
    return player


def seat_in(text: str) -> int | None:
    """Which player the person was, in a record that ``santase play`` has written."""
    said = _COMMENT.search(text)
    return int(said[1]) if said else None


# ---------------------------------------------------------------- files


def folder() -> Path:
    """Where matches are kept when no other file is named."""
    from platformdirs import user_data_path

    return user_data_path("santase", appauthor=False) / "play"


def new_path(game: Game) -> Path:
    """A file for a new game in the usual folder, which is made; raises ``OSError``."""
    from datetime import datetime

    folder().mkdir(parents=True, exist_ok=True)
    return _free(folder() / f"{datetime.now():%Y-%m-%d-%H%M%S}-{game.seed}{SUFFIX}")


def load(path: Path, *, seat: int | None = None, level: str | None = None) -> Session:
    """The session that a file holds; ``seat`` and ``level`` count instead of what it says of them.

    Raises ``RecordError``, ``SantaseError`` and ``OSError``.
    """
    data = _content(path, must_be_there=True)
    assert data is not None
    if len(data) > _MOST_BYTES:
        raise SantaseError(_("--resume: {file} is too large for a record").format(file=path))
    try:
        text = data.decode("utf-8-sig")
        game = Game.loads(text)
    except UnicodeDecodeError:
        raise SantaseError(_("--resume: {file}: not text in UTF-8").format(file=path)) from None
    except SantaseError as error:
        raise SantaseError(f"--resume: {path}: {error}") from None
    said = _COMMENT.search(text)
    if seat is None:
        seat = int(said[1]) if said else 0
    if level is None:
        level = str(said[2]) if said else "full"
    return Session(game, seat, level, path, _written=data)


def unfinished() -> Iterator[tuple[Path, Session]]:
    """The matches in the usual folder that are not over, the last played first."""
    for path in _by_time(folder()):
        # what cannot be read is left where it is
        with contextlib.suppress(SantaseError, OSError):
            session = load(path)
            if not session.game.is_over:
                yield path, session


def _by_time(place: Path) -> list[Path]:
    times = []
    with contextlib.suppress(OSError):
        for path in place.glob(f"*{SUFFIX}"):
            with contextlib.suppress(OSError):
                times.append((path.stat().st_mtime_ns, path.name, path))
    return [path for _time, _name, path in sorted(times, reverse=True)]


def _content(path: Path, *, must_be_there: bool = False) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        if must_be_there:
            raise
        return None


def _free(path: Path) -> Path:
    """The path, or one like it that is free."""
    number = 1
    found = path
    while os.path.lexists(found):
        number += 1
        found = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return found
