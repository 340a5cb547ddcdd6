"""How much better one action is than another, knowing only what one player sees.

``analyze`` spends its worlds on finding the best action, so it tries a poor one
seldom and says little about how poor it is. ``compare`` tries just two, each in
the same worlds: their difference then has far less noise than either value
(common random numbers: Glasserman and Yao, "Some guidelines and guarantees for
common random numbers", Management Science 38, 1992).
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import SupportsIndex

from santase._belief import Belief
from santase._core import Position, seed_state
from santase._network import shipped_network
from santase._rollout import Rollouts
from santase.actions import Action
from santase.analyze import Estimate, analyze, checked_number
from santase.errors import IllegalActionError, SantaseError
from santase.quantities import real

_SLICE = 0.02  # seconds between two looks at signals
_SCORES = range(-9, 10)
_MOST_WORLDS = 1 << 60


@dataclass(frozen=True)
class Comparison:
    """Two actions in the same worlds; all values are game points for the player to move."""

    first: Estimate
    second: Estimate
    difference: float
    """Mean of the first less mean of the second; NaN where nothing was tried."""
    stderr: float
    """Standard error of the difference; 0 where it is exact, infinite where too little was tried."""
    worlds: int
    """Number of worlds that both were tried in."""
    exact: bool
    """The values are exact: nothing that matters is hidden."""


def compare(
    view: Position,
    first: Action | str,
    second: Action | str,
    time: float | None = None,
    *,
    worlds: SupportsIndex | None = None,
    seed: SupportsIndex = 0,
    history: Iterable[tuple[Position, Action | str]] = (),
    mistrust: float = 0.1,
) -> Comparison:
    """Find how much better ``first`` is than ``second``, knowing only ``view``.

    Both are tried in each world, up to ``worlds`` of them or until ``time``
    seconds have passed (one second if neither is given), and the hand played on
    as in ``analyze``, which says what ``history`` and ``mistrust`` are. A full
    position is seen through its mover's eyes. For a fair answer about what an
    analysis has found best, take another seed than the analysis had: what did
    best in some worlds did so partly by luck.

    Raises ``IllegalActionError`` for an action that the rules do not allow, and
    what ``analyze`` raises.
    """
    if not isinstance(view, Position):
        raise TypeError(f"a Position is needed, not {type(view).__name__}")
    most = _MOST_WORLDS if worlds is None else checked_number("worlds", worlds, _MOST_WORLDS)
    limit = real(1.0 if time is None else time)
    if limit is None or not 0 < limit < math.inf:
        raise SantaseError(f"time: seconds, more than 0, are needed, not {time!r}")
    one, other = Action(first), Action(second)
    # reads what is exact off, and checks the view
    past = list(history)
    quick = analyze(view, 0, history=past, mistrust=mistrust)
    for action in (one, other):
        if action not in quick.actions:
            raise IllegalActionError(f"{action}: it is not legal here")
    if quick.exact:
        return _exact(quick.actions[one], quick.actions[other])
    seconds = math.inf if time is None and worlds is not None else limit
    end = clock.perf_counter() + seconds
    network = shipped_network(view.rules)
    belief = Belief(quick.position, past, network, mistrust=mistrust)
    rollouts = Rollouts(quick.position, network, seed=seed_state(seed), belief=belief)
    pairs: list[list[int]] = []
    while not pairs or (rollouts.compared < most and clock.perf_counter() < end):
        # short slices, so that an interrupt is seen soon
        left = max(min(end - clock.perf_counter(), _SLICE), 0.0)
        pairs = rollouts.compare(one, other, most - rollouts.compared, left)
    return _gather(pairs)


def _exact(first: Estimate, second: Estimate) -> Comparison:
    return Comparison(first, second, first.mean - second.mean, 0.0, 1, True)


def _gather(pairs: Sequence[Sequence[int]]) -> Comparison:
    """The comparison from how often each pair of ``_SCORES`` came out."""
    rows = [sum(row) for row in pairs]
    columns = [sum(column) for column in zip(*pairs, strict=True)]
    gaps: dict[int, int] = {}
    for mine, row in zip(_SCORES, pairs, strict=True):
        for theirs, times in zip(_SCORES, row, strict=True):
            if times:
                gaps[mine - theirs] = gaps.get(mine - theirs, 0) + times
    mean, stderr = _mean_of(gaps)
    return Comparison(_estimate(rows), _estimate(columns), mean, stderr, sum(rows), False)


def _mean_of(counts: dict[int, int]) -> tuple[float, float]:
    """The mean of what was counted, and its standard error."""
    number = sum(counts.values())
    mean = sum(value * times for value, times in counts.items()) / number
    if number < 2:
        return mean, math.inf
    # fsum, since sum() rounds otherwise from Python 3.12 on
    variance = math.fsum((value - mean) ** 2 * times for value, times in counts.items()) / number
    return mean, math.sqrt(variance / (number - 1))


def _estimate(results: Sequence[int]) -> Estimate:
    counts = {points: times for points, times in zip(_SCORES, results, strict=True) if times}
    number = sum(results)
    mean, stderr = _mean_of(counts)
    wins = sum(times for points, times in counts.items() if points > 0) / number
    return Estimate(
        mean, stderr, wins, number, distribution={points: n / number for points, n in counts.items()}
    )
