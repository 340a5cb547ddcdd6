"""What to play, knowing only what one player sees."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from santase._core import Position
from santase._ismcts import Tree
from santase._sampling import sample_worlds
from santase._solver import Solver
from santase.actions import ACTIONS, Action
from santase.errors import HiddenCardsError, SantaseError
from santase.solve import solve

CALL = ACTIONS[30]

_SLICE = 0.02  # seconds between two looks at signals
_UNLIMITED = 1 << 62
_WORLDS_A_TREE = 2_000
_MOST_TREES = 8
_EXACT_TABLE = 1 << 20  # bytes; what is solved here has at most six tricks to go
_FEWEST_WORLDS = 64  # what an answer in no time is made of


class Estimate(NamedTuple):
    """What an action is worth, for the player to move."""

    mean: float
    """Expected game points."""
    stderr: float
    """Standard error of the mean; 0 where it is exact."""
    win: float
    """Chance to win the hand."""
    worlds: int
    """Number of worlds that it was tried in."""


@dataclass(frozen=True)
class Analysis:
    """What to play in a view; all values are game points for the player to move."""

    position: Position
    """The view that was analysed."""
    best: Action
    """The action to choose."""
    actions: Mapping[Action, Estimate]
    """An estimate for each legal action, in the order of their numbers."""
    worlds: int
    """Number of worlds sampled in all."""
    exact: bool
    """The values are exact: nothing that matters is hidden."""
    elapsed: float
    """Seconds taken."""


def analyze(
    view: Position,
    time: float | None = None,
    *,
    worlds: int | None = None,
    seed: int = 0,
    threads: int = 1,
) -> Analysis:
    """Find what to play knowing only ``view``; a full position is seen through its mover's eyes.

    Where nothing that matters is hidden any more the answer is exact and takes
    no time. Otherwise samples worlds and searches them by information-set Monte Carlo tree search
    until ``worlds`` are done or ``time`` seconds have passed (one second if
    neither is given). Equal ``worlds`` and ``seed`` without a time give equal
    answers for any number of ``threads``.

    Raises ``HiddenCardsError`` when the hand of the player to move is not whole,
    ``SantaseError`` when the hand is over or a parameter makes no sense.
    """
    started = clock.perf_counter()
    if time is None:
        time = 1.0 if worlds is None else math.inf
    seconds = _checked_time(time)
    if worlds is not None and worlds < 1:
        raise SantaseError(f"worlds: 1 or more are needed, not {worlds}")
    if threads < 1:
        raise SantaseError(f"threads: 1 or more are needed, not {threads}")
    seen = view.view()
    if seen.is_over:
        raise SantaseError("the hand is over, there is nothing to play")
    if seen.hidden[seen.to_move]:
        raise HiddenCardsError(f"player {seen.to_move} is to move, whose hand is hidden in this view")
    if not any(seen.hidden) and (seen.is_full or seen.phase == "closed"):
        return _exact(seen, started)
    wanted = _UNLIMITED if worlds is None else worlds
    # The number of trees must not depend on the threads where the answer must not.
    number = threads if worlds is None else max(1, min(_MOST_TREES, worlds // _WORLDS_A_TREE))
    trees = [Tree(seen, seed=(seed + index * 0x9E3779B97F4A7C15) % 2**64) for index in range(number)]
    shares = [wanted // number + (index < wanted % number) for index in range(number)]
    _grow(trees, shares, started + seconds, threads)
    return _gather(seen, trees, clock.perf_counter() - started)


def best_move(
    view: Position,
    time: float | None = None,
    *,
    worlds: int | None = None,
    seed: int = 0,
    threads: int = 1,
) -> Action:
    """The action to choose in a view: ``analyze(...).best``, with the same parameters."""
    return analyze(view, time, worlds=worlds, seed=seed, threads=threads).best


def _exact(seen: Position, started: float) -> Analysis:
    """The exact answer where both hands are known and no card of unknown place will be drawn."""
    (world,) = sample_worlds(seen, 1)
    solution = solve(world, solver=Solver(_EXACT_TABLE))
    assert solution.best is not None
    return Analysis(
        position=seen,
        best=solution.best,
        actions={
            action: Estimate(float(solution.actions[action]), 0.0, float(solution.actions[action] > 0), 1)
            for action in seen.legal_actions()
        },
        worlds=1,
        exact=True,
        elapsed=clock.perf_counter() - started,
    )


def _checked_time(time: float) -> float:
    if not isinstance(time, (int, float)) or isinstance(time, bool) or math.isnan(time) or time < 0:
        raise SantaseError(f"time: seconds, 0 or more, are needed, not {time!r}")
    return float(time)


def _grow(trees: list[Tree], shares: list[int], end: float, threads: int) -> None:
    """Run every tree to its share of worlds or to the end of time."""

    def grow(tree: Tree, share: int) -> None:
        tree.run(min(share, _FEWEST_WORLDS), math.inf)
        while not tree.stopped and tree.iterations < share:
            left = end - clock.perf_counter()
            before = tree.iterations
            if left <= 0:
                return
            # short slices, so that an interrupt is seen soon
            tree.run(share - before, min(left, _SLICE))
            if tree.iterations == before:
                return

    if threads == 1 or len(trees) == 1:
        for tree, share in zip(trees, shares, strict=True):
            grow(tree, share)
        return
    with ThreadPoolExecutor(threads) as pool:
        try:
            for done in [pool.submit(grow, *job) for job in zip(trees, shares, strict=True)]:
                done.result()
        finally:
            for tree in trees:
                tree.stopped = True


def _gather(seen: Position, trees: list[Tree], elapsed: float) -> Analysis:
    """Add up what the trees found."""
    estimates: dict[Action, Estimate] = {}
    best, most = None, -1
    totals = [tree.results() for tree in trees]
    for action in seen.legal_actions():
        if action not in totals[0]:
            # a wrong call ends the hand here and now
            outcome = seen.play(action).outcome
            assert outcome is not None
            value = outcome.game_points if outcome.winner == seen.to_move else -outcome.game_points
            estimates[action] = Estimate(float(value), 0.0, float(value > 0), 0)
            continue
        number, total, squares, wins = (sum(part) for part in zip(*(t[action] for t in totals), strict=True))
        if number == 0:
            estimates[action] = Estimate(0.0, math.inf, 0.0, 0)
        else:
            mean = total / number
            variance = max(squares / number - mean * mean, 0.0)
            stderr = math.sqrt(variance / (number - 1)) if number > 1 else math.inf
            estimates[action] = Estimate(mean, stderr, wins / number, number)
        if number > most:
            best, most = action, number
    if CALL in totals[0]:
        # 66 has been reached: playing on gains nothing
        outcome = seen.play(CALL).outcome
        assert outcome is not None
        estimates[CALL] = Estimate(float(outcome.game_points), 0.0, 1.0, 0)
        best = CALL
    assert best is not None
    return Analysis(
        position=seen,
        best=best,
        actions=estimates,
        worlds=sum(tree.iterations for tree in trees),
        exact=False,
        elapsed=elapsed,
    )
