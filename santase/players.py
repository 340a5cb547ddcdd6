"""Players by name, for the arena and for anyone who wants an opponent.

A specification is a name and, after a colon, parameters: ``greedy``,
``ismcts:time=0.02,exploration=0.7``, ``santase:worlds=500``; or ``program:``
and the command line of an external program. ``make_player`` makes the player.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import math
import queue
import re
import shlex
import subprocess
import threading
import zipfile
import zlib
from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Any

from santase._core import Position
from santase._ismcts import Tree
from santase._network import Network, load_network, shipped_network
from santase._players import greedy_action, greedy_without_closing, mix_seed, random_action
from santase._sampling import sample_worlds
from santase.actions import ACTIONS, Action
from santase.errors import SantaseError

CALL = ACTIONS[30]
CLOSE = ACTIONS[29]

_UNLIMITED = 1 << 62
_PATIENCE = 120.0  # seconds that an external program may think
_LONGEST_ANSWER = 1 << 20  # characters of its line
_MOST_UNREAD = 16  # lines


class PlayerError(SantaseError):
    """A player that cannot be made, or one that does what no player may do."""


class Player:
    """One who plays a seat of a hand.

    ``begin`` comes first, then ``choose`` whenever the player is to move and
    ``note`` after every action of either, which all see; ``finish`` when the
    player is needed no more. A player sees its own view unless ``sees_all``.
    """

    sees_all = False
    """The player is handed full positions: it cheats."""

    def begin(self, seed: int, seat: int, score: tuple[int, int] | None = None) -> None:
        """A hand begins: the player sits at ``seat``, 0 or 1. Everything random comes of ``seed``.

        ``score`` is the match so far, its own game points first; ``None`` when
        the hand stands for itself.
        """

    def choose(self, position: Position) -> Action:
        """The action to do: in the player's view, or in the full position for one who sees all."""
        raise NotImplementedError

    def note(self, player: int, action: Action, before: Position) -> None:
        """``player`` has done ``action``; ``before`` is what this one saw before it."""

    def finish(self) -> None:
        """No more hands."""


class _Seeded(Player):
    """A player with a seed for each of its moves."""

    _seed = 0
    _moves = 0

    def begin(self, seed: int, seat: int, score: tuple[int, int] | None = None) -> None:
        self._seed = seed
        self._moves = 0

    def _next_seed(self) -> int:
        self._moves += 1
        return mix_seed(self._seed, self._moves)


# ---------------------------------------------------------------- parameters


def _number(text: str, fits: Callable[[float], bool], wanted: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not fits(value):
        raise ValueError(wanted)
    return value


def _seconds(text: str) -> float:
    return _number(text, lambda value: 0 <= value < math.inf, "seconds, 0 or more")


def _temperature(text: str) -> float:
    return _number(text, lambda value: 0 <= value <= 100, "a number from 0 to 100")


def _count(text: str) -> int:
    if not re.fullmatch("[0-9]{1,18}", text) or int(text) < 1:
        raise ValueError("a whole number from 1 on")
    return int(text)


def _positive(text: str) -> float:
    return _number(text, lambda value: 0 < value < math.inf, "a number above 0")


def _share(text: str) -> float:
    return _number(text, lambda value: 0 <= value <= 1, "a number from 0 to 1")


def _yes(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError("yes or no")
    return text == "yes"


def _closes(text: str) -> str:
    if text not in ("yes", "no", "always"):
        raise ValueError("yes, no or always")
    return text


class _Closing:
    """What the parameter ``closes`` does: ``no`` never closes, ``always`` closes whenever it may."""

    def __init__(self, closes: str) -> None:
        self.never = closes == "no"
        self.always = closes == "always"

    def at_once(self, position: Position) -> bool:
        return self.always and CLOSE in position.legal_actions()


# ---------------------------------------------------------------- the players


class RandomPlayer(_Seeded):
    """Any legal action, all equally likely; but calls 66 when, and only when, it has it."""

    parameters: Mapping[str, Callable[[str], Any]] = MappingProxyType({})

    def choose(self, position: Position) -> Action:
        return random_action(position, self._next_seed())


class GreedyPlayer(_Seeded):
    """Rules of thumb, as ``santase/_players.pyx`` lists them.

    With ``noise`` it makes that share of its moves at random; otherwise there is
    nothing random in it.
    """

    parameters: Mapping[str, Callable[[str], Any]] = MappingProxyType({"closes": _closes, "noise": _share})

    def __init__(self, *, closes: str = "yes", noise: float = 0.0) -> None:
        self._closing = _Closing(closes)
        self._noise = noise

    def choose(self, position: Position) -> Action:
        if self._noise:
            seed = self._next_seed()
            if mix_seed(seed, 0) < self._noise * 2**64:
                return random_action(position, seed)
        if self._closing.at_once(position):
            return CLOSE
        return greedy_without_closing(position) if self._closing.never else greedy_action(position)


class IsmctsPlayer(_Seeded):
    """Plain information-set Monte Carlo tree search, the yardstick that does not change.

    Uniform worlds, random playouts, UCB1 with availability counts; the most
    visited action. 66 is called when reached, a marriage declared when its king
    or queen is led, and a single choice made without search. A tree of its own
    for every move.
    """

    parameters: Mapping[str, Callable[[str], Any]] = MappingProxyType(
        {"time": _seconds, "worlds": _count, "exploration": _positive, "closes": _closes}
    )

    def __init__(
        self,
        *,
        time: float | None = None,
        worlds: int | None = None,
        exploration: float = 0.7,
        closes: str = "yes",
    ) -> None:
        if time is None and worlds is None:
            time = 0.02
        self._time = math.inf if time is None else time
        self._worlds = _UNLIMITED if worlds is None else worlds
        self._exploration = exploration
        self._closing = _Closing(closes)

    def choose(self, position: Position) -> Action:
        seed = self._next_seed()
        actions = _worth_asking(position)
        if len(actions) == 1:
            return actions[0]
        if self._closing.at_once(position):
            return CLOSE
        tree = Tree(position, seed=seed, exploration=self._exploration, all_actions=False)
        tree.run(self._worlds, self._time)
        visits = {action: found[0] for action, found in tree.results().items()}
        if self._closing.never:
            visits.pop(CLOSE, None)
        return max(visits, key=lambda action: visits[action])


class PimcPlayer(_Seeded):
    """Perfect-information Monte Carlo: worlds sampled and solved exactly, the results averaged.

    The action with the highest mean; among equals the one with the lowest number.
    """

    parameters: Mapping[str, Callable[[str], Any]] = MappingProxyType({"worlds": _count, "closes": _closes})

    def __init__(self, *, worlds: int = 8, closes: str = "yes") -> None:
        self._solve = _solver("pimc")
        self._worlds = worlds
        self._closing = _Closing(closes)

    def choose(self, position: Position) -> Action:
        seed = self._next_seed()
        actions = _worth_asking(position)
        if len(actions) == 1:
            return actions[0]
        if self._closing.at_once(position):
            return CLOSE
        if self._closing.never and CLOSE in actions:
            actions.remove(CLOSE)
        totals = dict.fromkeys(actions, 0)
        for world in sample_worlds(position, 1 if position.is_full else self._worlds, seed=seed):
            values = self._solve(world).actions
            for action in actions:
                totals[action] += values[action]
        return max(totals, key=lambda action: totals[action])


class CheatPlayer(Player):
    """One who sees all the cards and plays exactly: what nobody can do better against another such.

    It does not give up: where a wrong call costs no more than the rest, it plays the rest.
    """

    sees_all = True
    parameters: Mapping[str, Callable[[str], Any]] = MappingProxyType({})

    def __init__(self) -> None:
        self._solve = _solver("cheat")

    def choose(self, position: Position) -> Action:
        actions = _worth_asking(position)
        if len(actions) == 1:
            return actions[0]
        solution = self._solve(position)
        best: Action = solution.best
        return best if best in actions else max(actions, key=lambda action: solution.actions[action])


class PolicyPlayer(_Seeded):
    """The learned policy alone, without looking ahead; made weaker, an opponent for learners.

    ``temperature`` 0 is its likeliest action; above that an action is drawn with
    its chance to the power of 1/temperature. ``mistakes`` is the share of moves
    made blindly: any card or marriage, all equally likely, but no closing and no
    exchange. Otherwise it plays exactly where nothing that matters is hidden, as
    ``santase`` does; 66 is called when reached, and never in error. ``weights`` is
    a file of other weights than those of the package, as ``training/ship.py``
    writes it.
    """

    parameters: Mapping[str, Callable[[str], Any]] = MappingProxyType(
        {"temperature": _temperature, "mistakes": _share, "weights": str, "closes": _closes}
    )

    def __init__(
        self,
        *,
        temperature: float = 0.0,
        mistakes: float = 0.0,
        weights: str | None = None,
        closes: str = "yes",
    ) -> None:
        self._network = None if weights is None else _network_of(weights)
        self._temperature = temperature
        self._mistakes = mistakes
        self._closing = _Closing(closes)

    def choose(self, position: Position) -> Action:
        from santase.analyze import analyze

        random = Random(self._next_seed())
        actions = _worth_asking(position)
        if len(actions) == 1:
            return actions[0]
        if self._closing.at_once(position):
            return CLOSE
        if random.random() < self._mistakes:
            return random.choice([action for action in actions if action.kind in ("play", "marriage")])
        answer = analyze(position, 0)
        if answer.exact:
            return answer.best
        network = self._network or shipped_network(position.rules)
        chances, _value = network.policy(position)
        if self._closing.never and len(chances) > 1:
            chances.pop(CLOSE, None)
        best = max(chances, key=lambda action: chances[action])
        if not self._temperature:
            return best
        # by the likeliest, so that no power of it underflows
        weights = [(chance / chances[best]) ** (1 / self._temperature) for chance in chances.values()]
        return random.choices(list(chances), weights)[0]


class SantasePlayer(_Seeded):
    """The library's own best move, ``santase.best_move``; in a match, the best for the match."""

    parameters: Mapping[str, Callable[[str], Any]] = MappingProxyType(
        {"time": _seconds, "worlds": _count, "closes": _closes, "mistrust": _share, "plans": _yes}
    )

    def __init__(
        self,
        *,
        time: float | None = None,
        worlds: int | None = None,
        closes: str = "yes",
        mistrust: float = 0.1,
        plans: bool = True,
    ) -> None:
        if time is None and worlds is None:
            time = 0.02
        self._time = time
        self._worlds = worlds
        self._closing = _Closing(closes)
        self._mistrust = mistrust
        self._plans = plans
        self._score: tuple[int, int] | None = None
        self._seat = 0
        self._history: list[tuple[Position, Action]] = []

    def begin(self, seed: int, seat: int, score: tuple[int, int] | None = None) -> None:
        super().begin(seed, seat, score)
        self._score = score
        self._seat = seat
        self._history = []

    def note(self, player: int, action: Action, before: Position) -> None:
        if player != self._seat:
            self._history.append((before, action))

    def choose(self, position: Position) -> Action:
        from santase.analyze import analyze

        seed = self._next_seed()
        if self._closing.at_once(position):
            return CLOSE
        analysis = analyze(
            position,
            self._time,
            worlds=self._worlds,
            seed=seed,
            match=self._score,
            history=self._history if self._mistrust < 1 else (),
            mistrust=self._mistrust,
            plans=self._plans,
        )
        if self._closing.never and analysis.best == CLOSE:
            others = {action: found for action, found in analysis.actions.items() if action != CLOSE}
            return max(others, key=lambda action: (others[action].worlds, others[action].policy))
        return analysis.best


class ProgramPlayer(Player):
    """An external program that answers each view with a line, as ``santase best --json -`` does.

    It is sent a view a line on standard input, and answers with a JSON object in
    which ``best`` is the action; whatever it says on standard error is shown.
    """

    def __init__(self, command: str) -> None:
        self._command = command
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise PlayerError(f"program: {command!r} is no command line: {error}") from None
        if not words:
            raise PlayerError("program: a command line is needed, as in 'program:santase best --json -'")
        try:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
            )
        except OSError as error:
            raise PlayerError(f"program: {words[0]!r} cannot be started: {error.strerror}") from None
        # short: who says more than it is asked for waits until that is read
        self._lines: queue.Queue[str | None] = queue.Queue(_MOST_UNREAD)
        # a thread, because not every system can wait for a pipe with a time limit
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            while line := self._process.stdout.readline(_LONGEST_ANSWER):
                self._lines.put(line)
        except ValueError:
            pass  # closed, or no UTF-8: either way nothing more will come
        self._lines.put(None)

    def choose(self, position: Position) -> Action:
        assert self._process.stdin is not None
        asked = str(position)
        try:
            self._process.stdin.write(asked + "\n")
            self._process.stdin.flush()
            answer = self._lines.get(timeout=_PATIENCE)
        except queue.Empty:
            raise self._error(f"no answer in {_PATIENCE:.0f} seconds to {asked}") from None
        except OSError:
            answer = None
        if answer is None:
            try:
                self._process.wait(2.0)
            except subprocess.TimeoutExpired:
                raise self._error(f"it closed its output before it answered {asked}") from None
            raise self._error(f"it ended (exit status {self._process.returncode}) before it answered {asked}")
        shown = answer.strip()[:200]
        try:
            best = json.loads(answer)["best"]
            action = Action(best)
        except (ValueError, TypeError, KeyError, RecursionError):
            raise self._error(f"to {asked} it answered {shown!r}, which names no action as 'best'") from None
        if action not in position.legal_actions():
            raise self._error(f"to {asked} it answered {action}, which is not legal")
        return action

    def _error(self, reason: str) -> PlayerError:
        return PlayerError(f"program {self._command!r}: {reason}")

    def finish(self) -> None:
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):  # it has gone already
                self._process.stdin.close()
        try:
            self._process.wait(2.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _worth_asking(position: Position) -> list[Action]:
    """The legal actions without those that are never better than another: the right call alone when
    there is one, no wrong call, no king or queen led without declaring the marriage."""
    actions = position.legal_actions()
    if CALL in actions:
        if position.points[position.to_move] >= position.rules.target:
            return [CALL]
        actions.remove(CALL)
    pairs = {rank + action.suit for action in actions if action.kind == "marriage" for rank in "KQ"}  # type: ignore[operator]
    return [action for action in actions if action not in pairs]


def _network_of(path: str) -> Network:
    """The network of a file of weights."""
    try:
        return load_network(path)
    except OSError as error:
        raise PlayerError(f"policy: weights {path}: {error.strerror or error}") from None
    except SantaseError as error:
        raise PlayerError(f"policy: weights {path}: {error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile, zlib.error):
        raise PlayerError(f"policy: weights {path}: not a file that training/ship.py wrote") from None


def _solver(name: str) -> Callable[[Position], Any]:
    """The exact solver with a table of its own, imported when a player needs it."""
    try:
        module = importlib.import_module("santase.solve")
    except ImportError:
        raise PlayerError(f"{name}: this build has no exact solver") from None
    solve: Callable[[Position], Any] = functools.partial(module.solve, solver=module.Solver())
    return solve


# ---------------------------------------------------------------- by name

PLAYERS: Mapping[str, tuple[type[Any], Mapping[str, str]]] = MappingProxyType(
    {
        "random": (RandomPlayer, {}),
        "greedy": (GreedyPlayer, {}),
        "closer": (GreedyPlayer, {"closes": "always"}),
        "never-closes": (GreedyPlayer, {"closes": "no"}),
        "ismcts": (IsmctsPlayer, {}),
        "pimc": (PimcPlayer, {}),
        "cheat": (CheatPlayer, {}),
        "policy": (PolicyPlayer, {}),
        "santase": (SantasePlayer, {}),
    }
)
"""The players by name, and the parameters that the name stands for."""

LEVELS: Mapping[str, str] = MappingProxyType(
    {
        "beginner": "policy:mistakes=0.6,temperature=3",
        "easy": "policy:mistakes=0.25,temperature=2",
        "medium": "policy:mistakes=0.08,temperature=1",
        "strong": "policy",
        "full": "santase:time=1",
    }
)
"""How strong an opponent of people plays, the weakest first, and the player that it is; docs/play.md
has what they win against one another."""


def make_player(specification: str) -> Player:
    """The player that a specification names.

    Raises ``PlayerError`` for a name or parameter that does not exist, a value
    that makes no sense, and a program that cannot be started.
    """
    name, _, rest = specification.partition(":")
    if name == "program":
        return ProgramPlayer(rest)
    if name not in PLAYERS:
        raise PlayerError(f"no player is called {name!r}; there are {', '.join(PLAYERS)}, program:COMMAND")
    kind, given = PLAYERS[name]
    texts = dict(given)
    for item in rest.split(",") if rest else ():
        key, equals, value = item.partition("=")
        if not equals or key not in kind.parameters or key in given:
            allowed = [key for key in kind.parameters if key not in given]
            takes = f"takes {', '.join(allowed)}" if allowed else "takes no parameters"
            raise PlayerError(f"{specification}: {item!r} is no parameter; {name} {takes}, as name=value")
        if key in texts:
            raise PlayerError(f"{specification}: {key} is given twice")
        texts[key] = value
    values: dict[str, Any] = {}
    for key, value in texts.items():
        try:
            values[key] = kind.parameters[key](value)
        except ValueError as error:
            reason = str(error)
            raise PlayerError(f"{specification}: {key}={value}: {reason}") from None
    player: Player = kind(**values)
    return player
