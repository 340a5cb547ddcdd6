"""What is fuzzed: each target takes any bytes and fails unless the library does as documented.

A target returns whether the input was taken (parsed, solved, read); it raises when something other
than the documented errors comes out, or when what was taken contradicts itself.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import io
import json
import math
import os
import pickle
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import santase
from santase import Action, Game, HiddenCardsError, NotationError, Position, RecordError, Rules, SantaseError
from santase._network import load_network, shipped_network
from santase._observation import action_mask, observe
from santase.arena import ArenaError, ResultLog, Tally
from santase.cli import best as best_command
from santase.cli import review as review_command
from santase.cli import solve as solve_command
from santase.cli._lines import answer_all
from santase.compare import compare
from santase.memory import recall
from santase.review import review as review_record
from santase.review_page import page as review_page
from santase.web.app import App
from santase.web.opponent import Table
from santase.web.think import BusyError, Thinking

NODES = 300  # of a solve; what it has found by then must fit together all the same

_solver = santase.Solver(1 << 16)
_SCRATCH = "/dev/shm" if os.path.isdir("/dev/shm") else tempfile.gettempdir()


def text_of(data: bytes) -> str:
    """Bytes as text, every byte string a text of its own."""
    return data.decode("utf-8", "surrogateescape")


# ---------------------------------------------------------------- positions


def position(data: bytes) -> bool:
    """``Position.parse``: a position that is written as it was read, or ``NotationError``."""
    try:
        found = Position.parse(text_of(data))
    except NotationError as error:
        assert str(error)
        return False
    line = str(found)
    again = Position.parse(line)
    assert again == found and hash(again) == hash(found) and str(again) == line
    return True


def continuations(data: bytes) -> bool:
    """A position that parses, used in every way and played to its end."""
    try:
        found = Position.parse(text_of(data))
    except NotationError:
        return False
    play_on(found, random.Random(data))
    return True


def play_on(found: Position, rng: random.Random) -> None:
    """Check a position, and those of a way of playing it to the end."""
    sampled = False
    for _ in range(64):
        check_position(found, rng, sampled)
        if found.is_over:
            return
        try:
            actions = found.legal_actions()
            assert actions
            hasty = rng.random() < 0.1
            calm = [action for action in actions if action.kind not in ("call", "close")]
            found = found.play(rng.choice(actions if hasty or not calm else calm))
        except HiddenCardsError:
            # somebody else's turn, or cards are drawn that this view does not show
            found = santase.sample_worlds(found, 1, seed=rng.getrandbits(64))[0]
            sampled = True
    raise AssertionError(f"a hand of more than 64 actions: {found}")


def check_position(found: Position, rng: random.Random, sampled: bool) -> None:
    """All that can be asked of a position.

    ``sampled``: it comes of a world, which need not agree with points of which a view written by hand
    does not tell the marriages.
    """
    line = str(found)
    assert copy.copy(found) == found and repr(found) == f"Position.parse({line!r})"
    if not sampled:
        assert Position.parse(line) == found and pickle.loads(pickle.dumps(found)) == found
    for name in ("rules", "leader", "led", "declared", "talon", "facedown", "turned", "trump", "played", "points",
                 "tricks", "pending", "closer", "phase", "known", "hands", "hidden"):  # fmt: skip
        getattr(found, name)
    assert found.is_over == (found.outcome is not None)
    views = []
    for player in (0, 1):
        with contextlib.suppress(HiddenCardsError):
            views.append((player, found.view(player)))
    for viewer, view in views:
        assert view.view(viewer) == view and not view.hidden[viewer]
        santase.count_worlds(view)
        for world in santase.sample_worlds(view, 2, seed=rng.getrandbits(64)):
            assert world.is_full
            for player in (0, 1):
                assert set(view.hands[player]) <= set(world.hands[player])
    if found.is_full:
        check_full(found, sampled)
    mover = found.to_move
    if found.hidden[mover]:
        for refused in (
            found.legal_actions,
            lambda: santase.analyze(found, time=0),
            lambda: observe(found, mover),
        ):
            try:
                refused()
            except HiddenCardsError:
                continue
            raise AssertionError(f"{refused} answers for a hidden hand: {line}")
        return
    observe(found, mover)
    actions = found.legal_actions()
    assert [action.number for action in actions] == list(np.flatnonzero(action_mask(found)))
    if found.is_over:
        assert not actions
        return
    analysis = santase.analyze(found, time=0)
    assert analysis.best in actions and list(analysis.actions) == actions
    assert santase.best_move(found, time=0) in actions
    chances, value = shipped_network().policy(found)
    assert abs(sum(chances.values()) - 1) < 1e-9 and set(chances) <= set(actions) and value == value
    if rng.random() < 0.02:
        analysis = santase.analyze(found, worlds=4, time=0.05, seed=rng.getrandbits(64))
        assert analysis.best in actions and list(analysis.actions) == actions
    for action in actions:
        with contextlib.suppress(HiddenCardsError):
            found.play(action)


def check_full(found: Position, sampled: bool) -> None:
    """What only a position with nothing hidden can do."""
    rows = santase.pack([found])
    if not sampled:
        (unpacked,) = santase.unpack(rows, found.rules)
        assert str(unpacked).split()[:11] == str(found).split()[:11]
    solution = santase.solve(found, nodes=NODES, solver=_solver)
    low, high = solution.bounds
    assert -9 <= low <= high <= 9
    if found.is_over:
        outcome = found.outcome
        assert outcome is not None and low == high
        sign = 0 if outcome.winner is None else 1 if outcome.winner == found.to_move else -1
        assert low == sign * outcome.game_points
        return
    assert set(solution.actions) <= set(found.legal_actions())
    if solution.value is not None and len(solution.actions) == len(found.legal_actions()):
        assert max(solution.actions.values()) == solution.value
        if solution.line:
            end = found
            for action in solution.line:
                end = end.play(action)
            assert end.is_over
            check = santase.solve(end)
            assert check.value is not None
            assert solution.value == (check.value if end.to_move == found.to_move else -check.value)


# ---------------------------------------------------------------- analyses


def plans(data: bytes) -> bool:
    """Analyses of a view by worlds, with and without plans for closings, for the hand and for a match, and
    play to the end by what they say."""
    try:
        found = Position.parse(text_of(data)).view()
    except SantaseError:
        return False
    rng = random.Random(data)
    target = found.rules.match_target
    played = 0
    while not found.is_over and played < 4:
        try:
            analysis = check_analysis(found, rng, (rng.randrange(target), rng.randrange(target)))
        except HiddenCardsError:
            return played > 0
        found = santase.sample_worlds(found, 1, seed=rng.getrandbits(64))[0]
        close = santase.ACTIONS[29]
        may_close = close in analysis.actions and rng.random() < 0.7
        found = found.play(close if may_close else analysis.best).view()
        played += 1
    return True


def check_analysis(
    found: Position, rng: random.Random, score: tuple[int, int], history: Any = (), worlds: int = 6
) -> santase.Analysis:
    """An analysis that does not contradict itself, and is the same in two threads."""
    asked: dict[str, Any] = {
        "worlds": rng.randrange(1, worlds),
        "seed": rng.getrandbits(64),
        "match": score if rng.random() < 0.3 else None,
        "history": history,
        "mistrust": rng.choice((0, 0.1, 1)),
        "plans": rng.random() < 0.8,
    }
    analysis = santase.analyze(found, **asked)
    legal = found.legal_actions()
    assert analysis.best in legal and list(analysis.actions) == legal
    for estimate in analysis.actions.values():
        if estimate.kind == "none":
            assert math.isnan(estimate.mean) and math.isnan(estimate.win)
            continue
        assert estimate.kind in ("exact", "sampled", "at least", "ahead")
        assert estimate.worlds >= 1 and abs(estimate.mean) <= 9 and estimate.stderr >= 0
        assert 0 <= estimate.win <= 1 + 1e-9 and abs(sum(estimate.distribution.values()) - 1) < 1e-9
        mean = sum(points * share for points, share in estimate.distribution.items())
        assert abs(mean - estimate.mean) < 1e-6
        assert math.isnan(estimate.match) == (asked["match"] is None)
        assert math.isnan(estimate.match) or -1e-9 <= estimate.match <= 1 + 1e-9
    if rng.random() < 0.1:
        again = santase.analyze(found, threads=2, **asked)
        assert again.best == analysis.best and repr(again.actions) == repr(analysis.actions)
    if rng.random() < 0.1:
        first, second = rng.choice(legal), rng.choice(legal)
        comparison = compare(found, first, second, worlds=3, history=history)
        assert abs(comparison.difference) <= 18 and (first != second or comparison.difference == 0)
    return analysis


def history(data: bytes) -> bool:
    """What the other has done in a record, true and changed, as an analysis weighs it."""
    try:
        game = Game.loads(text_of(data))
    except RecordError:
        return False
    rng = random.Random(data)
    for _ in range(rng.randrange(6) + game.position.is_over):
        with contextlib.suppress(SantaseError):
            game.undo()
    if game.position.is_over:
        return False
    view, past = game.view(), game.history()
    score = game.score if game.is_match and not game.is_over else (0, 0)
    check_analysis(view, rng, (score[view.to_move], score[1 - view.to_move]), past, 4)
    other = santase.deal(rng.getrandbits(64), game.rules)
    for changed in (
        past[1:],
        past[::-1],
        past + past[:1],
        [(position, rng.choice(santase.ACTIONS)) for position, _ in past],
        [(other, action) for _, action in past],
        [(position if rng.random() < 0.5 else view, action) for position, action in past],
        game.history(1 - view.to_move),
    ):
        with contextlib.suppress(SantaseError):
            check_analysis(view, rng, (0, 0), changed, 3)
    return True


def review(data: bytes) -> bool:
    """A record gone over, cards unknown or not: as an object, in the terminal, as JSON, as a page."""
    text = text_of(data)
    try:
        recollection = recall(text)
    except RecordError:
        return False
    # the first tricks take long to solve: of what is longer one player's, and with few worlds
    steps = sum(len(hand.steps) for hand in recollection.hands)
    if steps > 40:
        return False
    found = review_record(recollection, worlds=2, player=None if steps < 20 else len(data) % 2)
    stdout = sys.stdout
    sys.stdout = io.StringIO()
    try:
        review_command._emit(found)
        answers = sys.stdout.getvalue().split("\n")[:-1]
        sys.stdout = io.StringIO()
        review_command._show(found, None)
    finally:
        sys.stdout = stdout
    assert len(answers) == len(found.decisions) + 1
    for answer in answers:
        json.loads(answer)
    html = review_page(found)
    assert html.startswith("<!") and html.count("<script") == 1
    for name in recollection.players or ():
        assert "<" not in name or name not in html
    return True


# ---------------------------------------------------------------- actions


@dataclasses.dataclass(frozen=True)
class _Stage:
    lines: tuple[str, ...] = (
        "santase T.TQJ.T.K K9.AK.AJ. JC9DQCACQDTCAS9HJS9CKD QS ... 0 0/0 0/0 0/0 -",
        "santase T.QJ.T9.K KQ.K.AJ.J QCACQDTCAS9HJS9CKD 9S .AT.. 1 0/21 0/1 0/0 - .../.../Q.../...",
        "santase +6 K9.K.AJ.J ?9 QS .AT.. 1 0/21 0/1 0/0 -",
        "santase KQ.Q.AT.J ATJ.TJ..A 9SQD9D9CAHQCTCKH9HKCKD JD ... 0:marriage-S 0/0 0/0 20/0 -",
        "santase T9.J.Q.9 KQ.K9.K.J THKCAC AH AJ.Q.TJ9.TQ 0:AD 15/26 2/2 0/0 0",
    )


def action(data: bytes) -> bool:
    """``Action`` and ``Position.play``: an action, or ``NotationError`` and its family."""
    text = text_of(data)
    try:
        found = Action(text)
    except NotationError:
        return False
    assert found is Action(str(found)) and santase.ACTIONS[found.number] is found
    for line in _Stage().lines:
        before = Position.parse(line)
        with contextlib.suppress(SantaseError):
            before.play(text)
        assert str(before) == line
    return True


# ---------------------------------------------------------------- records


def record(data: bytes) -> bool:
    """``Game.loads``: a game whose record is read back as equal, or ``RecordError``."""
    text = text_of(data)
    try:
        game = Game.loads(text)
    except RecordError as error:
        assert 1 <= error.line <= text.count("\n") + text.count("\r") + 1
        return False
    dumped = game.dumps()
    assert Game.loads(dumped) == game and Game.loads(dumped).dumps() == dumped
    assert game.is_over == (game.winner is not None) or not game.is_match
    for hand in game.hands:
        assert list(hand.positions())[-1].outcome == hand.outcome
    repr(game)
    return True


def memory(data: bytes) -> bool:
    """``recall``: what a record in which cards may be unknown tells, or ``RecordError``."""
    text = text_of(data)
    try:
        found = recall(text)
    except RecordError as error:
        assert 1 <= error.line <= text.count("\n") + text.count("\r") + 1
        return False
    assert len(found.score) == 2
    for hand in found.hands:
        for index, step in enumerate(hand.steps):
            if step.view is not None and step.action is not None:
                assert step.view.to_move == step.player and step.action in step.view.legal_actions()
            for player, view in enumerate(step.views):
                if view is not None:
                    assert Position.parse(str(view)) == view and view.hidden[player] == 0
            if step.full is not None:
                assert step.full.is_full
            history = hand.history(index)
            if history is not None and step.view is not None:
                assert santase.analyze(step.view, time=0, history=history).best in step.view.legal_actions()
    return True


# ---------------------------------------------------------------- packed arrays

_PACKED_RULES = (
    "santase", "santase-bg", "santase-engine", "schnapsen", "sixty-six", "santase+hand_size=3+ranks=QKTA",
    "santase+suits=CD+hand_size=3+target=20", "sixty-six+ranks=KTA+hand_size=2",
)  # fmt: skip


def packed(data: bytes) -> bool:
    """``unpack``, ``solve_many`` and ``analyze_many``: positions and values, or ``SantaseError``.

    The first byte says which rules, and whether the rows are of full positions or of views.
    """
    first = data[0] if data else 0
    rules = _PACKED_RULES[first % len(_PACKED_RULES)]
    dtype = santase.view_dtype() if first & 128 else santase.hand_dtype()
    size = dtype.itemsize
    rest = data[1 : 1 + 2 * size]
    rows = np.frombuffer(rest.ljust((len(rest) + size - 1) // size * size, b"\0"), dtype=dtype)
    values: list[santase.Solution] = []
    try:
        positions = santase.unpack(rows, rules)
    except SantaseError:
        taken = False
    else:
        taken = True
        for found in positions:
            assert Position.parse(str(found)) == found
        if first & 128:
            with contextlib.suppress(HiddenCardsError):  # what is the other player's view
                again = santase.unpack(santase.pack_views(positions), rules)
                assert again == [found.view() for found in positions]
        else:
            assert santase.pack(positions).tobytes() == rows.tobytes()
            values = [santase.solve(found, nodes=20_000, solver=_solver) for found in positions]
    try:
        found_many = santase.analyze_many(rows, time=0, rules=rules, threads=1)
    except SantaseError:
        pass
    else:
        assert taken
        for found, row in zip(positions, found_many, strict=True):
            assert santase.ACTIONS[int(row["best"])] in found.legal_actions()
    # early positions take long: only what is solved in a moment
    late = [row for row in rows if bin(int(row["hand"][0]) & 0xFFFFFF).count("1") + int(row["facedown"]) <= 8]
    if len(late) == len(rows) and not first & 128:
        try:
            many = santase.solve_many(rows, rules=rules, threads=1, table_bytes=1 << 14)
        except SantaseError:
            assert not taken
        else:
            assert all(-9 <= value <= 9 for value in many)
            if taken:
                for value, solution in zip(many, values, strict=True):
                    assert solution.bounds[0] <= value <= solution.bounds[1]
    return taken


# ---------------------------------------------------------------- rules

_ODD = (0, -1, 1, 2, 11, 12, 250, 251, 255, 256, 2**31, 2**63, 2**64, 10**400, -(10**400), 1.5, float("nan"), True,
        False, None, "", "9", "A", "9JQKTA", "AT", "CDHS", "S", "failed", "other", "x" * 5000, "\0", b"9", [], ())  # fmt: skip


def rules(data: bytes) -> bool:
    """``Rules.parse`` and ``Rules``: rules under which hands are dealt and played, or ``RulesError``."""
    if data[:1] == b"\0":
        rng = random.Random(data)
        fields = [field.name for field in dataclasses.fields(Rules) if field.compare]
        changes: dict[str, Any] = {rng.choice(fields): rng.choice(_ODD) for _ in range(rng.randrange(1, 4))}
        try:
            found = dataclasses.replace(santase.RULES[rng.choice(list(santase.RULES))], **changes)
        except santase.RulesError:
            return False
    else:
        try:
            found = Rules.parse(text_of(data))
        except santase.RulesError:
            return False
    assert Rules.parse(str(found)) == found
    rng = random.Random(str(found))
    dealt = santase.deal(rng.getrandbits(64), found, leader=rng.randrange(2))
    play_on(dealt, rng)
    play_on(dealt.view(), rng)
    equity = santase.match_equity(0, 0, leads=True, rules=found)
    assert 0 <= equity <= 1
    return True


# ---------------------------------------------------------------- the line interface


def lines(data: bytes) -> bool:
    """``santase best -`` and ``santase solve -``: a line for each line of standard input."""
    as_json = len(data) % 2 == 0
    solving = len(data) % 4 < 2
    stdin, stdout, stderr = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
    try:
        if solving:
            status = answer_all(["-"], as_json=as_json, answer=_solve, to_json=solve_command._to_json,
                                to_line=solve_command._to_line, show=solve_command._show)  # fmt: skip
        else:
            status = answer_all(["-"], as_json=as_json, answer=_analyze, to_json=best_command._to_json,
                                to_line=best_command._to_line, show=best_command._show)  # fmt: skip
        said, complaints = sys.stdout.getvalue(), sys.stderr.getvalue()
    finally:
        sys.stdin, sys.stdout, sys.stderr = stdin, stdout, stderr
    asked = data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
    answers = said.split("\n")[:-1]
    assert len(answers) == asked, (asked, answers)
    wrong = 0
    for number, answer in enumerate(answers, 1):
        if as_json:
            given = json.loads(answer)
            if "error" in given:
                assert given["line"] == number
                wrong += 1
        elif not answer:
            wrong += 1
    assert status == (2 if wrong else 0)
    assert complaints.count("\n") == (0 if as_json else wrong)
    return wrong < asked


def _solve(found: Position) -> Any:
    if not found.is_full:
        raise HiddenCardsError("a full position is needed")
    return solve_command._Solved(found, santase.solve(found, nodes=NODES, solver=_solver), 0.0)


def _analyze(found: Position) -> Any:
    return santase.analyze(found, time=0)


def printed(data: bytes) -> bool:
    """What people are shown of a position, in both commands."""
    text = text_of(data)
    stdout = sys.stdout
    sys.stdout = io.StringIO()
    try:
        for answer, command in ((_solve, solve_command), (_analyze, best_command)):
            with contextlib.suppress(SantaseError):
                answer_all([text], as_json=False, answer=answer, to_json=command._to_json,
                           to_line=command._to_line, show=command._show)  # fmt: skip
        said = sys.stdout.getvalue()
    finally:
        sys.stdout = stdout
    return bool(said)


# ---------------------------------------------------------------- the local page

_KEY = bytes(32)
_HOST = "127.0.0.1:8066"


class _Hasty(Thinking):
    """Thinks as the page's does, but not for long."""

    def analyze(
        self, view: Position, seconds: float, match: Any, report: Callable[[Any], object], history: Any = ()
    ) -> None:
        super().analyze(view, min(seconds, 0.002), match, report, history)

    def solve(self, position: Position) -> dict[str, Any]:
        if sum(map(len, position.hands)) + position.facedown > 12:
            raise BusyError("early positions take long")
        return super().solve(position)


_app = App(8066, _Hasty(1 << 20), _KEY)


def page(data: bytes) -> bool:
    """A request to the page: the first line is the path, the rest what is asked.

    ``"@"`` as the state is that of a game that comes of the input. An answer is of one of the documented
    kinds, an error is told as JSON, and "something went wrong here" is a failure.
    """
    first, _, body = data.partition(b"\n")
    path = first.decode("latin-1")
    if b'"@"' in body:
        body = body.replace(b'"@"', json.dumps(_some_state(random.Random(body))).encode())
    asks = path.startswith("/api/")
    environ = {"PATH_INFO": path, "REQUEST_METHOD": "POST" if asks else "GET", "HTTP_HOST": _HOST,
               "HTTP_X_SANTASE": ("en", "bg")[len(data) % 2], "CONTENT_TYPE": "application/json",
               "wsgi.input": io.BytesIO(body)}  # fmt: skip
    started: list[tuple[str, list[tuple[str, str]]]] = []
    written: list[bytes] = []

    def start_response(status: str, headers: list[tuple[str, str]]) -> Callable[[bytes], object]:
        started.append((status, headers))
        return written.append

    answer = b"".join([*_app(environ, start_response)])
    ((status, headers),) = started
    assert status[:3] in ("200", "400", "404", "405", "503"), status
    names = {name.lower() for name, _ in headers}
    assert {"content-type", "content-security-policy", "x-content-type-options"} <= names
    if asks:
        parts = [json.loads(part) for part in (answer + b"".join(written)).split(b"\n") if part]
        assert parts and all(isinstance(part, dict) for part in parts)
        if status[0] != "2":
            assert isinstance(parts[0]["error"], str) and parts[0]["error"]
        if "line" in parts[0] and "position" in parts[0]:
            assert str(Position.parse(parts[0]["line"])) == parts[0]["line"]
    return status[0] == "2"


def _some_state(rng: random.Random) -> str:
    """The state of a game against the quickest of the computer's levels, as the server signs it."""
    rules = rng.choice(list(santase.RULES))
    table = Table(
        rules, rng.random() < 0.5, "beginner", rng.randrange(2), f"{rng.getrandbits(96):024X}", [[]]
    )
    game = table.game(_KEY)
    for _ in range(rng.randrange(40)):
        if game.position.is_over:
            if not game.is_match or game.is_over:
                break
            game.next_hand()
            table.hands.append([])
        table.hands[-1].append(rng.choice(game.legal_actions()))
        game.play(table.hands[-1][-1])
    return table.sealed(_KEY)


# ---------------------------------------------------------------- matches


def match(data: bytes) -> bool:
    """``match_equity`` and ``analyze(match=)`` with numbers of any size: chances, or ``SantaseError``."""
    rng = random.Random(data)
    values = [rng.choice((*_ODD, *range(15))) for _ in range(3)]
    numbers = [int.from_bytes(data[i::3][:40], "little", signed=True) for i in range(3)]
    mine, theirs, leads = (rng.choice(pair) for pair in zip(values, numbers, strict=True))
    name = rng.choice((*santase.RULES, f"santase+match_target={rng.randrange(1, 251)}"))
    try:
        equity = santase.match_equity(mine, theirs, leads=rng.choice((True, False, leads)), rules=name)
    except SantaseError:
        return False
    assert 0 <= equity <= 1
    deal = santase.deal(rng.getrandbits(64), name)
    try:
        analysis = santase.analyze(deal, time=0, match=(mine, theirs))
    except SantaseError:
        return True
    assert analysis.best in deal.legal_actions()
    return True


# ---------------------------------------------------------------- files

LOG_HEADER = {"arena": 1, "a": "greedy", "b": "random", "rules": "santase", "matches": False, "seed": 0}


@contextlib.contextmanager
def scratch(data: bytes, name: str) -> Iterator[Path]:
    """A file with these bytes, in memory where that is possible."""
    path = Path(_SCRATCH, f"santase-fuzz-{os.getpid()}-{name}")
    path.write_bytes(data)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def log(data: bytes) -> bool:
    """An arena's log: opened, with all whole lines that were there, or ``ArenaError`` and not touched."""
    with scratch(data, "log") as path:
        try:
            with ResultLog(path, LOG_HEADER) as opened:
                units = dict(opened.units)
        except ArenaError:
            assert path.read_bytes() == data
            return False
        kept = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        assert kept == whole or (not whole and kept.count(b"\n") == 1)
        tally = Tally()
        for unit in units.values():
            tally.add(unit)
        assert tally.hands >= 0 and tally.mean == tally.mean and abs(tally.mean) <= 1e3
    return True


def network(data: bytes) -> bool:
    """A file of weights: a network that answers, or ``SantaseError``."""
    try:
        found = load_network(io.BytesIO(data))
    except SantaseError:
        return False
    dealt = santase.deal(len(data))
    chances, _ = found.policy(dealt)
    assert abs(sum(chances.values()) - 1) < 1e-9
    return True


TARGETS: dict[str, Callable[[bytes], bool]] = {
    target.__name__: target
    for target in (
        position,
        continuations,
        plans,
        action,
        record,
        memory,
        history,
        review,
        packed,
        rules,
        lines,
        printed,
        page,
        match,
        log,
        network,
    )
}
