"""Players against one another: mirrored deals, their statistics, and a log that can be resumed.

The unit is a mirrored pair: the same cards are played twice, the players having
changed seats, so that most of the luck of the deal cancels. A unit is played
from the arena's seed and its own number alone; so it does not matter which
process plays it, nor when.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import math
import multiprocessing
import multiprocessing.connection
import os
import signal
import stat
import threading
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, closing
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any

from santase._luck import draw_luck
from santase._players import mix_seed
from santase.errors import IllegalActionError, SantaseError
from santase.game import Game
from santase.players import CALL, Player, PlayerError, make_player
from santase.rules import Rules, rules_of

PlayerLike = str | Callable[[], Player]
"""A player's specification, or something that can be pickled and makes the player when called."""

Unit = dict[str, Any]
"""The record of one mirrored pair, as it stands in the log."""

_LOG_VERSION = 1
_CHUNK_SECONDS = 0.2  # of play between two returns of a process
_SYNC_SECONDS = 1.0  # between two syncs of the log to the disk
_MOST_LINE = 1 << 22  # bytes; a match of 200 hands has a fiftieth of it
_MOST_FAILURES = 3  # of a process in the same chunk
_FEWEST_FOR_SPRT = 16  # units, before which the variance is not trusted
_MOST_LUCK = 1000.0  # of a hand, far more than there can be
_MOST_COUNT = 1e15  # of anything in a unit


class ArenaError(SantaseError):
    """An arena that cannot be held, or whose log is of no use."""


# ---------------------------------------------------------------- play


@dataclass
class Side:
    """What one player did in some hands, and how it fared."""

    moves: int = 0
    seconds: float = 0.0
    """Thinking time in all."""
    slowest: float = 0.0
    """Seconds of its longest move."""
    closings: int = 0
    closings_won: int = 0
    closing_points: int = 0
    """Its game points in the hands that it closed."""
    exchanges: int = 0
    marriages: int = 0
    calls: int = 0
    """Right calls."""
    wrong_calls: int = 0

    def add(self, counts: Mapping[str, Any]) -> None:
        """Add the counts of a hand, as the log has them."""
        for name, value in counts.items():
            if name == "slowest":
                self.slowest = max(self.slowest, value)
            else:
                setattr(self, name, getattr(self, name) + value)


_COUNTS = frozenset(vars(Side()))
_COUNTED = {"close": "closings", "exchange": "exchanges", "marriage": "marriages"}


def play_hand(
    game: Game,
    players: tuple[Player, Player],
    seeds: tuple[int, int],
    names: tuple[str, str] = ("player 0", "player 1"),
) -> tuple[Side, Side]:
    """Play the hand on the table of ``game`` to its end; returns what each seat did.

    ``players``, their ``seeds`` and their ``names`` for messages are by seat.
    Raises ``PlayerError`` when a player does what it may not.
    """
    sides = Side(), Side()
    score = game.score
    for seat, player in enumerate(players):
        player.begin(seeds[seat], seat, (score[seat], score[1 - seat]) if game.is_match else None)
    position = game.position
    called = False
    while not position.is_over:
        seat = position.to_move
        player, side = players[seat], sides[seat]
        shown = position if player.sees_all else position.view()
        started = time.perf_counter()
        try:
            action = player.choose(shown)
            took = time.perf_counter() - started
            before, position = position, game.play(action)
        except IllegalActionError as error:
            raise PlayerError(f"{names[seat]}: not legal in {shown}: {error}") from error
        except SantaseError as error:
            raise PlayerError(f"{names[seat]}: {error}") from error
        called = action == CALL
        side.moves += 1
        side.seconds += took
        side.slowest = max(side.slowest, took)
        if action.kind in _COUNTED:
            setattr(side, _COUNTED[action.kind], getattr(side, _COUNTED[action.kind]) + 1)
        for place, player in enumerate(players):
            player.note(seat, action, before if player.sees_all else before.view(place))
    outcome = position.outcome
    assert outcome is not None
    if outcome.reason == "wrong call":
        sides[position.to_move].wrong_calls += 1
    elif called:
        sides[position.to_move].calls += 1
    if position.closer is not None:
        closer = sides[position.closer]
        closer.closings_won = int(outcome.winner == position.closer)
        closer.closing_points = outcome.game_points if closer.closings_won else -outcome.game_points
    return sides


@dataclass(frozen=True)
class _Job:
    """What a process must know to play a unit."""

    a: PlayerLike
    b: PlayerLike
    rules: Rules
    seed: int
    matches: bool


def _play_game(job: _Job, players: tuple[Player, Player], number: int, mirrored: bool) -> dict[str, Any]:
    """One game of a unit, a hand or a match; A sits at seat 0, or at 1 where it is mirrored."""
    seat_of_a = int(mirrored)
    seated = (players[1], players[0]) if mirrored else players
    game = Game(job.rules, seed=_deal_seed(job.seed, number), match=job.matches)
    hands: list[dict[str, Any]] = []
    while True:
        # A's and B's seeds differ from game to game: else equal players would
        # play the mirrored game move for move, and their match be no test
        seeds = [mix_seed(job.seed, number, 1 + 2 * seat_of_a + player, len(hands)) for player in (0, 1)]
        sides = play_hand(
            game,
            seated,
            (seeds[seat_of_a], seeds[1 - seat_of_a]),
            ("B", "A") if mirrored else ("A", "B"),
        )
        outcome = game.position.outcome
        assert outcome is not None
        hands.append(
            {
                "leader": "A" if game.deal.leader == seat_of_a else "B",
                "points": outcome.game_points if outcome.winner == seat_of_a else -outcome.game_points,
                "luck": round(draw_luck(game.deal, game.actions) * (1 - 2 * seat_of_a), 6),
                "reason": outcome.reason,
                "actions": " ".join(game.actions),
                "A": _compact(sides[seat_of_a]),
                "B": _compact(sides[1 - seat_of_a]),
            }
        )
        if game.is_over:
            won = {"won": game.winner == seat_of_a} if job.matches else {}
            return {**won, "hands": hands}
        game.next_hand()


def _deal_seed(seed: int, number: int) -> int:
    """The seed that both games of a unit are dealt from."""
    return mix_seed(seed, number, 0)


def _compact(side: Side) -> dict[str, Any]:
    """A side's counts that are not 0, for the log."""
    return {
        name: round(value, 7) if isinstance(value, float) else value
        for name, value in vars(side).items()
        if value
    }


def _play_unit(job: _Job, players: tuple[Player, Player], number: int) -> Unit:
    try:
        return {
            "deal": number,
            "seed": _deal_seed(job.seed, number),
            "games": [_play_game(job, players, number, mirrored) for mirrored in (False, True)],
        }
    except SantaseError as error:
        raise PlayerError(f"deal {number}: {error}") from error


def _make_players(job: _Job) -> tuple[Player, Player]:
    made: list[Player] = []
    try:
        for like in (job.a, job.b):
            made.append(make_player(like) if isinstance(like, str) else like())
    except BaseException:
        for player in made:
            player.finish()
        raise
    return made[0], made[1]


def _start_worker(alive: Connection) -> None:
    """Let a worker process end with its arena, however that ends, and leave Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        # the arena holds the other end and never writes to it
        multiprocessing.connection.wait([alive])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@functools.lru_cache(maxsize=1)
def _worker_players(job: _Job) -> tuple[Player, Player]:
    # in a worker process, which lives for one arena: programs and networks are
    # not started anew for every chunk
    return _make_players(job)


def _play_chunk(job: _Job, numbers: list[int]) -> tuple[list[Unit], float]:
    """Run in a worker process: the units, and the seconds they took."""
    players = _worker_players(job)
    started = time.perf_counter()
    try:
        units = [_play_unit(job, players, number) for number in numbers]
    except BaseException:
        # whatever state they are in, nobody plays on with them
        _worker_players.cache_clear()
        for player in players:
            player.finish()
        raise
    return units, time.perf_counter() - started


def _units_here(job: _Job, numbers: Iterable[int]) -> Generator[list[Unit], None, None]:
    """Play in this process, one unit after another."""
    players = _make_players(job)
    try:
        for number in numbers:
            yield [_play_unit(job, players, number)]
    finally:
        for player in players:
            player.finish()


def _units_in_processes(job: _Job, numbers: Iterable[int], jobs: int) -> Generator[list[Unit], None, None]:
    """Play in so many processes; the units come as they are done.

    A chunk whose process dies is given to another, and the arena ends with an
    error only when that has happened to the same chunk three times.
    """
    left = iter(numbers)
    again: list[list[int]] = []
    failures: dict[int, int] = {}
    size = 1
    context = multiprocessing.get_context("spawn")  # the same on every system, and safe beside threads
    while True:
        broken = False
        alive, arena_end = context.Pipe(duplex=False)
        pool = ProcessPoolExecutor(jobs, context, _start_worker, (alive,))
        running: dict[Future[tuple[list[Unit], float]], list[int]] = {}
        try:
            while True:
                while not broken and len(running) < 2 * jobs:
                    chunk = again.pop() if again else list(itertools.islice(left, size))
                    if not chunk:
                        break
                    try:
                        running[pool.submit(_play_chunk, job, chunk)] = chunk
                    except BrokenProcessPool:
                        again.append(chunk)
                        broken = True
                if not running:
                    break
                done = wait(running, return_when=FIRST_COMPLETED).done
                for future in sorted(done, key=lambda future: running[future]):
                    chunk = running.pop(future)
                    try:
                        units, seconds = future.result()
                    except BrokenProcessPool:
                        broken = True
                        failures[chunk[0]] = failures.get(chunk[0], 0) + 1
                        if failures[chunk[0]] >= _MOST_FAILURES:
                            raise ArenaError(
                                f"deal {chunk[0]} or a later one: its process has died {_MOST_FAILURES} times"
                            ) from None
                        again.append(chunk)
                        continue
                    pace = seconds / len(units)
                    size = max(1, min(2 * size, int(_CHUNK_SECONDS / pace) if pace else 2 * size))
                    yield units
        finally:
            if running:
                arena_end.close()  # what they play is not wanted any more
            pool.shutdown(wait=True, cancel_futures=True)
            arena_end.close()
            alive.close()
        if not broken and not again:
            return


# ---------------------------------------------------------------- the log


class ResultLog(AbstractContextManager["ResultLog"]):
    """A file of JSON lines: what is played, then a line for each unit that has been.

    Opening it reads the units that are there, so that a run which was killed
    goes on. A last line that was cut off is removed and its unit played again.
    Raises ``ArenaError`` when the file holds something else, or the results of
    another arena.
    """

    def __init__(self, path: str | os.PathLike[str], header: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self.units: dict[int, Unit] = {}
        self._synced = time.monotonic()
        try:
            self._file = open(self.path, "a+b")  # noqa: SIM115 closed by __exit__
        except OSError as error:
            raise ArenaError(f"log {self.path}: {error.strerror}") from None
        try:
            self._lock()
            self._read(dict(header))
        except BaseException:
            with contextlib.suppress(OSError):  # it tries once more to write what could not be written
                self._file.close()
            raise

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:
            return  # a system without: there the user must see to it
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ArenaError(f"log {self.path}: another arena is writing to it") from None

    def _unlock(self) -> None:
        # said, and not left to the closing: a process that another thread is just starting has the
        # file open, too, for a moment, and would keep the lock
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_UN)

    def _read(self, header: dict[str, Any]) -> None:
        if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
            raise ArenaError(f"log {self.path}: it is no ordinary file")
        first = json.dumps(header).encode()
        self._file.seek(0)
        whole = 0
        for number, line in enumerate(iter(lambda: self._file.readline(_MOST_LINE), b""), 1):
            if not line.endswith(b"\n"):
                if len(line) == _MOST_LINE or (number == 1 and not first.startswith(line)):
                    raise ArenaError(f"log {self.path}, line {number}: it is no line of an arena's log")
                break  # cut off by the end of a run
            self._read_line(line, number, header)
            whole += len(line)
        self._file.truncate(whole)
        if whole == 0:
            self._write(first + b"\n", sync=True)

    def _read_line(self, line: bytes, number: int, header: dict[str, Any]) -> None:
        try:
            record = json.loads(line)
            if number == 1:
                self._compare(record, header)
                return
            _check_unit(record)
            for game in record["games"]:
                for hand in game["hands"]:
                    del hand["actions"]  # the greater part, and of no use here
            # the same unit twice would count twice
            self.units.setdefault(record["deal"], record)
        except ArenaError:
            raise
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            raise ArenaError(f"log {self.path}, line {number}: it is no line of an arena's log") from None

    def _compare(self, found: dict[str, Any], header: dict[str, Any]) -> None:
        if found.get("arena") != header["arena"]:
            raise ArenaError(f"log {self.path}: it is no log of an arena, or of another version")
        for key, value in header.items():
            if found.get(key) != value:
                raise ArenaError(
                    f"log {self.path}: it holds another arena: {key} is {found.get(key)!r} there,"
                    f" {value!r} here"
                )

    def append(self, units: Iterable[Unit]) -> None:
        """Add units; they outlive the process from here on, and within a second the machine."""
        lines = b"".join(json.dumps(unit, separators=(",", ":")).encode() + b"\n" for unit in units)
        now = time.monotonic()
        self._write(lines, sync=now - self._synced >= _SYNC_SECONDS)

    def _write(self, data: bytes, sync: bool) -> None:
        try:
            self._file.write(data)
            self._file.flush()
            if sync:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()
                if not os.path.samestat(os.fstat(self._file.fileno()), os.stat(self.path)):
                    raise ArenaError(f"log {self.path}: the file has been replaced by another")
        except OSError as error:
            raise ArenaError(f"log {self.path}: {error.strerror}") from None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self._write(b"", sync=True)
        except ArenaError:
            if error is None:
                raise
        finally:
            with contextlib.suppress(OSError):  # of which _write has told
                self._unlock()
                self._file.close()


def _check_unit(record: Any) -> None:
    """Raise one of several errors unless this, read from a log, is the record of a unit."""
    if type(record["deal"]) is not int or record["deal"] < 0:
        raise ValueError("deal")
    for game in record["games"]:
        if "won" in game and not isinstance(game["won"], bool):
            raise ValueError("won")
        for hand in game["hands"]:
            if type(hand["points"]) is not int or not -9 <= hand["points"] <= 9:
                raise ValueError("points")
            if not abs(float(hand["luck"])) < _MOST_LUCK or not isinstance(hand["actions"], str):
                raise ValueError("luck")
            for counts in (hand["A"], hand["B"]):
                for name, value in counts.items():
                    if name not in _COUNTS or type(value) not in (int, float) or not abs(value) < _MOST_COUNT:
                        raise ValueError(name)


# ---------------------------------------------------------------- statistics


class _Ratio:
    """The mean of something a hand, from its sums over units and their numbers of hands.

    A ratio of sums, since matches differ in length (Cochran, "Sampling
    Techniques", section 6.4); with two hands a unit it is the usual mean and
    standard error.
    """

    def __init__(self) -> None:
        self._units = 0
        self._x = self._h = 0.0
        self._xx = self._xh = self._hh = 0.0

    def add(self, x: float, hands: int) -> None:
        self._units += 1
        self._x += x
        self._h += hands
        self._xx += x * x
        self._xh += x * hands
        self._hh += hands * hands

    @property
    def mean(self) -> float:
        return self._x / self._h if self._h else 0.0

    @property
    def stderr(self) -> float:
        if self._units < 2:
            return math.inf
        mean = self.mean
        squares = max(self._xx - 2 * mean * self._xh + mean * mean * self._hh, 0.0)
        return math.sqrt(squares * self._units / (self._units - 1)) / self._h


class Tally:
    """The sums over units that the result is made of, for A.

    ``adjusted`` says that the luck of the draw is taken off the results.
    """

    def __init__(self, adjusted: bool = True) -> None:
        self.adjusted = adjusted
        self.units = 0
        self.hands = 0
        self.points = 0
        self.won = self.lost = 0
        self.matches = self.matches_won = 0
        self.sides = Side(), Side()
        self._plain = _Ratio()
        self._less_luck = _Ratio()

    def add(self, unit: Unit) -> None:
        points = hands = 0
        luck = 0.0
        for game in unit["games"]:
            for hand in game["hands"]:
                points += hand["points"]
                luck += hand["luck"]
                hands += 1
                self.won += hand["points"] > 0
                self.lost += hand["points"] < 0
                self.sides[0].add(hand["A"])
                self.sides[1].add(hand["B"])
            if "won" in game:
                self.matches += 1
                self.matches_won += game["won"]
        self.units += 1
        self.hands += hands
        self.points += points
        self._plain.add(points, hands)
        self._less_luck.add(points - luck, hands)

    @property
    def mean(self) -> float:
        """Game points a hand."""
        return self._less_luck.mean if self.adjusted else self._plain.mean

    @property
    def stderr(self) -> float:
        """Standard error of the mean."""
        return self._less_luck.stderr if self.adjusted else self._plain.stderr

    @property
    def plain_mean(self) -> float:
        """Game points a hand as they were scored."""
        return self._plain.mean

    @property
    def plain_stderr(self) -> float:
        """Standard error of that."""
        return self._plain.stderr


@dataclass(frozen=True)
class Sprt:
    """A sequential test of the mean against two hypotheses.

    A generalised sequential probability ratio test in the normal approximation,
    the variance being that of the units so far: accept ``high`` when the log
    likelihood ratio reaches log((1 - beta) / alpha), ``low`` when it falls to
    log(beta / (1 - alpha)). Raises ``ArenaError`` for bounds out of order.
    """

    low: float
    """Mean of A's game points a hand under the first hypothesis."""
    high: float
    """The same under the second."""
    alpha: float = 0.05
    """Chance to accept ``high`` where ``low`` is true."""
    beta: float = 0.05
    """Chance to accept ``low`` where ``high`` is true."""

    def __post_init__(self) -> None:
        if not -9 <= self.low < self.high <= 9:
            raise ArenaError(
                f"sprt: two bounds in game points are needed, the lower first, not {self.low},{self.high}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ArenaError(
                f"sprt: alpha and beta are above 0 and under 0.5, not {self.alpha} and {self.beta}"
            )

    def report(self, tally: Tally) -> dict[str, Any]:
        """The test and where it stands, for a JSON object."""
        return {**asdict(self), "log_ratio": self.log_ratio(tally), "verdict": self.verdict(tally)}

    def log_ratio(self, tally: Tally) -> float:
        """The log likelihood ratio of ``high`` to ``low``; 0 while there are too few units."""
        variance = tally.stderr**2
        if tally.units < _FEWEST_FOR_SPRT or variance == 0:
            return 0.0
        return (self.high - self.low) * (tally.mean - (self.low + self.high) / 2) / variance

    def verdict(self, tally: Tally) -> str | None:
        """``high`` or ``low`` once one is accepted, else ``None``."""
        ratio = self.log_ratio(tally)
        if ratio >= math.log((1 - self.beta) / self.alpha):
            return "high"
        if ratio <= math.log(self.beta / (1 - self.alpha)):
            return "low"
        return None


@dataclass(frozen=True)
class ArenaResult:
    """How A fared against B; game points are A's, less B's."""

    a: str
    b: str
    rules: str
    seed: int
    deals: int
    """Mirrored pairs that count."""
    hands: int
    points: int
    """Game points as they were scored, in all."""
    mean: float
    """Game points a hand; where ``adjusted``, less the luck of the draw."""
    stderr: float
    """Standard error of the mean."""
    adjusted: bool
    """False where a player sees the talon, whose draws are no luck then."""
    plain_mean: float
    """Game points a hand as they were scored."""
    plain_stderr: float
    interval: tuple[float, float]
    """Confidence interval of the mean, by Student's t over the pairs."""
    confidence: float
    hands_won: int
    hands_lost: int
    matches: int
    """0 where hands were played."""
    matches_won: int
    matches_interval: tuple[float, float] | None
    """Wilson's interval of A's chance to win a match."""
    sprt: dict[str, Any] | None
    """``low``, ``high``, ``log_ratio`` and ``verdict`` (``low``, ``high`` or ``None``)."""
    sides: tuple[Side, Side] = field(repr=False)
    """What A and B did."""

    def to_json(self) -> dict[str, Any]:
        """The result as one JSON object."""
        return asdict(self)


def _statistics() -> Any:
    try:
        from scipy import stats
    except ImportError:
        raise ArenaError(
            "the confidence intervals need SciPy, which is not installed: pip install 'santase[arena]'"
        ) from None
    return stats


def _interval(tally: Tally, confidence: float) -> tuple[float, float]:
    if tally.units < 2:
        return -math.inf, math.inf
    if tally.stderr == 0:
        return tally.mean, tally.mean
    half = float(_statistics().t.ppf((1 + confidence) / 2, tally.units - 1)) * tally.stderr
    return tally.mean - half, tally.mean + half


def _matches_interval(tally: Tally, confidence: float) -> tuple[float, float] | None:
    if not tally.matches:
        return None
    test = _statistics().binomtest(tally.matches_won, tally.matches)
    found = test.proportion_ci(confidence_level=confidence, method="wilson")
    return float(found.low), float(found.high)


# ---------------------------------------------------------------- the whole


def arena(
    a: PlayerLike,
    b: PlayerLike,
    *,
    deals: int = 1_000,
    rules: Rules | str = "santase",
    matches: bool = False,
    seed: int = 0,
    jobs: int = 1,
    log: str | os.PathLike[str] | None = None,
    sprt: Sprt | None = None,
    confidence: float = 0.95,
    progress: Callable[[Tally], None] | None = None,
) -> ArenaResult:
    """Let A and B play ``deals`` mirrored pairs of hands, or of matches to the rules' target.

    ``jobs`` processes share the work; the result does not depend on their
    number where the players' does not depend on time. With ``log`` every pair
    is appended to that file, and those that are there already are not played
    again. With ``sprt`` the arena ends at the first pair, in their order, that
    decides it. ``progress`` is called with the sums so far.

    Raises ``PlayerError`` and ``ArenaError``, both ``SantaseError``.
    """
    if deals < 1:
        raise ArenaError(f"deals: 1 or more are needed, not {deals}")
    if jobs < 1:
        raise ArenaError(f"jobs: 1 or more are needed, not {jobs}")
    if not 0 < confidence < 1:
        raise ArenaError(f"confidence: between 0 and 1, not {confidence}")
    _statistics()  # an hour of play should not end in its absence
    job = _Job(a, b, rules_of(rules), seed, matches)
    mix_seed(seed)
    adjusted = True
    for player in _make_players(job):
        adjusted = adjusted and not player.sees_all
        player.finish()
    header = {
        "arena": _LOG_VERSION,
        "a": _name(a),
        "b": _name(b),
        "rules": str(job.rules),
        "matches": matches,
        "seed": seed,
    }
    tally = Tally(adjusted)
    if log is None:
        _run(job, deals, jobs, {}, None, sprt, tally, progress)
    else:
        with ResultLog(log, header) as kept:
            _run(job, deals, jobs, kept.units, kept, sprt, tally, progress)
    return ArenaResult(
        a=_name(a),
        b=_name(b),
        rules=str(job.rules),
        seed=seed,
        deals=tally.units,
        hands=tally.hands,
        points=tally.points,
        mean=tally.mean,
        stderr=tally.stderr,
        adjusted=tally.adjusted,
        plain_mean=tally.plain_mean,
        plain_stderr=tally.plain_stderr,
        interval=_interval(tally, confidence),
        confidence=confidence,
        hands_won=tally.won,
        hands_lost=tally.lost,
        matches=tally.matches,
        matches_won=tally.matches_won,
        matches_interval=_matches_interval(tally, confidence),
        sprt=None if sprt is None else sprt.report(tally),
        sides=tally.sides,
    )


def _name(player: PlayerLike) -> str:
    return player if isinstance(player, str) else str(player)


def _run(
    job: _Job,
    deals: int,
    jobs: int,
    units: dict[int, Unit],
    log: ResultLog | None,
    sprt: Sprt | None,
    tally: Tally,
    progress: Callable[[Tally], None] | None,
) -> None:
    """Count the units in the order of their numbers, playing those that are missing."""
    ready = units
    there = set(units)

    def count() -> bool:
        """Whether that is all."""
        while tally.units < deals and tally.units in ready:
            tally.add(ready.pop(tally.units))
            if sprt is not None and sprt.verdict(tally) is not None:
                return True
        return tally.units == deals

    done = count()
    if progress is not None:
        progress(tally)
    if done:
        return
    missing = (number for number in range(tally.units, deals) if number not in there)
    with closing(
        _units_here(job, missing) if jobs == 1 else _units_in_processes(job, missing, jobs)
    ) as played:
        for new in played:
            if log is not None:
                log.append(new)
            ready.update((unit["deal"], unit) for unit in new)
            done = count()
            if progress is not None:
                progress(tally)
            if done:
                return
    raise AssertionError(f"{tally.units} of {deals} deals were played")
