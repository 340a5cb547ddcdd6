"""What to play, knowing only what one player sees.

How an answer is found depends on what is hidden, and is chosen in ``analyze``:

* nothing that matters: the exact solver;
* otherwise, without time: the learned policy alone;
* with time, under a closing: one plan for all hands that the other may hold (``_closing.pyx``);
  the same for ``close`` where the talon may be closed, and rollouts for the rest;
* otherwise, with time: rollouts of the learned policy in sampled worlds, with
  exact endings (``_rollout.pyx``).
"""

from __future__ import annotations

import functools
import math
import threading
import time as clock
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

from santase._analyses import analysis_dtype, analyze_rows
from santase._arrays import by_rules, need_moves, row_seeds, view_dtype, views_of
from santase._belief import Belief
from santase._closing import ClosedPlans, plans_apply
from santase._core import Position, seed_state
from santase._network import shipped_network
from santase._rollout import Rollouts, gather
from santase._ruleset import RuleSet, ruleset_of
from santase._sampling import count_worlds, sample_worlds
from santase._solver import Solver
from santase.actions import Action
from santase.errors import HiddenCardsError, SantaseError
from santase.executors import ExecutorOrFactory, Places, Progress, checked_chunk, checked_threads, run_rows
from santase.match import result_equities
from santase.quantities import real, whole
from santase.rules import Rules, rules_of
from santase.solve import solve

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
_SLICE = 0.02  # seconds between two looks at signals
_ROUND = 0.1  # seconds between two reports of progress
_UNLIMITED = 1 << 62
_MOST_COUNTED = (1 << 32) - 1  # worlds of one action that a row has room for
_WORLDS_A_PART = 250
_MOST_PARTS = 8
_MOST_THREADS = 1024
_EXACT_NODES = 100_000_000  # where no time says how long: a few seconds, and the same everywhere
_EXACT_TABLE = 1 << 20  # bytes; what is solved here has at most six tricks to go
_SCORES = range(-9, 10)
_LEAST_AT_STAKE = 1e-9  # of the chance to win a match
# hands of the other are weighed before a plan if that takes about a third of the time
_WEIGHED_A_WORLD = 6  # actions of the other that are judged, for each world asked for
_WORLDS_A_SECOND = 5000


class Estimate(NamedTuple):
    """What an action is worth, for the player to move."""

    mean: float
    """Expected game points; NaN where nothing was tried."""
    stderr: float
    """Standard error of the mean; 0 where nothing was sampled (and where all of few samples were
    equal), infinite where too little was tried."""
    win: float
    """Chance to win the hand; NaN where nothing was tried."""
    worlds: int = 0
    """Number of worlds that it was tried in."""
    policy: float = math.nan
    """Probability that the learned policy gives it, before any search; NaN in an exact answer."""
    distribution: Mapping[int, float] = {}
    """Chance of each result in game points, those with none left out."""
    match: float = math.nan
    """Chance to win the match; NaN where no match was asked for, or nothing tried."""
    kind: str = "sampled"
    """What kind of value this is: ``"exact"``; ``"sampled"``, the mean of rollouts; ``"at least"``, what
    one plan makes sure of in the mean over all hands that the other may hold, even if it saw
    all cards; ``"ahead"``, the same where time ended the search early, so that the cards are taken to be
    open after the first own moves: neither sure nor too low; ``"none"``, nothing was tried."""
    opened: float = math.nan
    """Mean if both saw all cards from here on, over the same hands, for ``"at least"`` and ``"ahead"``: what
    a plan could make sure of at most. Else NaN."""


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
    """Number of worlds tried in all, of which some may be the same; under a closing, the number of
    hands that the other may hold, each of them tried."""
    exact: bool
    """The values are exact: nothing that matters is hidden."""
    elapsed: float
    """Seconds taken."""
    consistent: int = field(default=1)
    """How many worlds there are that agree with the view."""

    def _repr_html_(self) -> str:
        # imported when a notebook asks: drawing is a layer above
        from santase.notebook import analysis_html

        return analysis_html(self)


def analyze(
    view: Position,
    time: float | None = None,
    *,
    worlds: SupportsIndex | None = None,
    seed: SupportsIndex = 0,
    threads: SupportsIndex = 1,
    match: tuple[SupportsIndex, SupportsIndex] | None = None,
    history: Iterable[tuple[Position, Action | str]] = (),
    mistrust: float = 0.1,
    plans: bool = True,
    progress: Callable[[Analysis], object] | None = None,
) -> Analysis:
    """Find what to play knowing only ``view``; a full position is seen through its mover's eyes.

    Where nothing that matters is hidden any more the answer is exact and takes
    no time. Otherwise each legal action is tried in sampled worlds, all of them
    equally likely, and the hand played on with the learned policy for both
    sides, until ``worlds`` have been tried in all or ``time`` seconds have
    passed (one second if neither is given). ``time=0`` asks the policy alone.

    Once the talon is closed, and for the action ``close``, every hand that the other may hold
    is looked at instead, and one plan for all of them is searched (``ClosedPlans``): the
    values are what it makes sure of. ``plans=False`` leaves that out.

    Equal ``worlds`` and ``seed`` without a time give equal answers for any
    number of ``threads``.

    ``history`` is what the other player has done in this hand, as pairs of what the player to move
    saw before it and the action (``Game.history`` makes them): then worlds are drawn in proportion to
    how likely the learned policy was to act so in them, instead of uniformly (``Belief`` in
    ``_belief.pyx``). ``mistrust`` is the share of the other's decisions, 0 to 1, that is taken to say
    nothing.

    ``match`` is the score of a match, the game points of the player to move
    first: then ``best`` is for the chance to win the match, not for game points.

    ``progress`` is called in the caller's thread with the answer so far, about ten
    times a second while worlds are tried; what it raises ends the analysis.

    ``best`` is the action tried most, the policy's certainty of an action counting like 16 tries, so
    that few worlds do not outweigh it; which one is tried next depends on the
    means so far and on the policy, so that ``best`` need not have the highest
    mean among actions whose errors overlap. Plans are compared by their mean and
    the value with open cards together, so there too a lower mean may be ``best``.

    Raises ``HiddenCardsError`` when the hand of the player to move is not whole,
    ``SantaseError`` when the hand is over or a parameter makes no sense.
    """
    if not isinstance(view, Position):
        raise TypeError(f"a Position is needed, not {type(view).__name__}")
    seconds = _checked_time(time, worlds)
    most = _UNLIMITED if worlds is None else checked_number("worlds", worlds, _UNLIMITED)
    threads = checked_number("threads", threads, _MOST_THREADS)
    distrust = real(mistrust)
    if distrust is None or not 0 <= distrust <= 1:
        raise SantaseError(f"mistrust: a number from 0 to 1 is needed, not {mistrust!r}")
    if not isinstance(plans, bool):
        raise SantaseError(f"plans: True or False is needed, not {plans!r}")
    first_seed = seed_state(seed)
    equities = None
    if match is not None:
        equities = result_equities(match, view.rules)
    network = shipped_network(view.rules)  # reading the weights, once in a process, is not counted
    started = clock.perf_counter()
    seen = view.view()
    if seen.is_over:
        raise SantaseError("the hand is over, there is nothing to play")
    if seen.hidden[seen.to_move]:
        raise HiddenCardsError(f"player {seen.to_move} is to move, whose hand is hidden in this view")
    if not any(seen.hidden) and (seen.is_full or seen.phase == "closed"):
        answer = _exact(seen, started, seconds, equities)
        if answer is not None:
            return answer
    # The number of parts must not depend on the threads where the answer must not.
    number = threads if worlds is None else _parts(most)
    utility = None if equities is None else _utility(equities)
    belief = Belief(seen, history, network, mistrust=distrust)
    end = started + seconds
    closed = None
    if plans and seconds > 0 and plans_apply(seen):
        closed = _search_plans(seen, utility, belief, first_seed, end, most)
    parts = [
        Rollouts(
            seen,
            network,
            seed=(first_seed + index * 0x9E3779B97F4A7C15) % 2**64,
            utility=utility,
            belief=belief,
            plans=closed,
        )
        for index in range(number)
    ]
    if seconds > 0 and not (closed is not None and seen.phase == "closed"):
        report = None
        if progress is not None:
            report = functools.partial(_report, progress, seen, parts, closed, started, equities)
        _run(parts, most, end, threads, report)
    return _gather(seen, parts, closed, started, equities)


def best_move(
    view: Position,
    time: float | None = None,
    *,
    worlds: SupportsIndex | None = None,
    seed: SupportsIndex = 0,
    threads: SupportsIndex = 1,
    match: tuple[SupportsIndex, SupportsIndex] | None = None,
    history: Iterable[tuple[Position, Action | str]] = (),
    mistrust: float = 0.1,
    plans: bool = True,
) -> Action:
    """The action to choose in a view: ``analyze(...).best``, with the same parameters.

    Takes no time where there is nothing to choose.
    """
    _checked_time(time, worlds)
    if worlds is not None:
        checked_number("worlds", worlds, _UNLIMITED)
    only = view.view().legal_actions() if isinstance(view, Position) and not view.is_over else []
    if len(only) == 1:
        time, worlds = 0, None
    return analyze(
        view,
        time,
        worlds=worlds,
        seed=seed,
        threads=threads,
        match=match,
        history=history,
        mistrust=mistrust,
        plans=plans,
    ).best


def analyze_many(
    positions: Iterable[Position] | npt.NDArray[np.void],
    time: float | None = None,
    *,
    worlds: SupportsIndex | None = None,
    seed: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    match: tuple[SupportsIndex, SupportsIndex] | None = None,
    rules: Rules | str = "santase",
    progress: Progress | None = None,
    executor: ExecutorOrFactory | None = None,
    chunk: SupportsIndex | None = None,
) -> npt.NDArray[np.void]:
    """What to play in each of many views: an array of ``analysis_dtype()``, in order.

    ``positions`` are ``Position`` objects, of any rules, or an array made by ``santase.pack_views``
    or ``santase.pack`` under ``rules``, of any shape; full positions are seen through their movers'
    eyes, and with rows of ``pack`` nothing is known of a hand beyond counting.

    ``time`` is in seconds for each position, and ``worlds`` in each; what they mean, and ``match``, is
    told at ``analyze``. All worlds are equally likely: there is no ``history`` here. Position ``i``
    has the seed ``hand_seed(seed, i + 1)``: without a time its row is what ``analyze`` answers with
    that seed, whatever the number of ``threads`` (by default as many as there are usable processors)
    and whoever does the work. Each position is one thread's. Ctrl-C stops it.

    ``progress`` is called in the calling thread with the number of positions done, at most ten
    times a second, and at the end with all; what it raises stops the work and goes up.

    ``executor`` is any executor in the manner of ``concurrent.futures``, or a function that makes
    one; its workers are given ``chunk`` positions at a time, which they analyse with one thread
    unless ``threads`` says more, and chunks of workers that die are done again (docs/arrays.md).

    Raises ``SantaseError`` for a hand that is over, a row that is no position or a parameter that
    makes no sense, ``HiddenCardsError`` where the hand of the player to move is not whole.
    """
    import numpy as np

    seconds = _checked_time(time, worlds)
    most = _UNLIMITED if worlds is None else checked_number("worlds", worlds, _MOST_COUNTED)
    each = checked_threads(threads, executor)
    seed_state(seed)
    packed: Any = positions
    shape = packed.shape if hasattr(packed, "dtype") else None
    if shape is not None:
        ruleset = ruleset_of(rules_of(rules))
        rows = views_of(packed, ruleset)
        need_moves(rows)
        groups: list[tuple[RuleSet, Places, Any]] = [(ruleset, slice(0, len(rows)), rows)]
    else:
        groups = []
        for ruleset, items, rows in by_rules(positions, view_dtype()):
            need_moves(rows, items)
            groups.append((ruleset, items, rows))
    number = sum(len(rows) for _, _, rows in groups)
    size = checked_chunk(chunk, number, 1, 64)
    seeds = row_seeds(seed, number)
    jobs: list[tuple[Places, tuple[Any, Any], tuple[_Settings]]] = []
    for ruleset, places, rows in groups:
        equities = None if match is None else list(result_equities(match, ruleset.rules).values())
        settings = _Settings(ruleset.text, most, seconds, equities, each)
        jobs.append((places, (rows, seeds[places]), (settings,)))
    if executor is not None:
        answers = np.zeros(number, dtype=analysis_dtype())
        run_rows(executor, _analyze_chunk, jobs, answers, size, progress)
    elif len(jobs) == 1:
        # all under the same rules, so in their places: not a second time in memory, they are large
        ((_, (rows, its_seeds), (settings,)),) = jobs
        answers = _analyze_chunk(rows, its_seeds, settings, progress)
    else:
        answers = np.zeros(number, dtype=analysis_dtype())
        before = 0
        for places, (rows, its_seeds), (settings,) in jobs:
            answers[places] = _analyze_chunk(rows, its_seeds, settings, progress, before)
            before += len(rows)
    return answers if shape is None else answers.reshape(shape)


class _Settings(NamedTuple):
    """What is the same for all views under the same rules."""

    rules: str
    worlds: int
    seconds: float
    equities: list[float] | None
    threads: int


def _analyze_chunk(
    views: npt.NDArray[np.void],
    seeds: npt.NDArray[np.uint64],
    settings: _Settings,
    progress: Progress | None = None,
    before: int = 0,
) -> npt.NDArray[np.void]:
    """Rows for views, here or in a worker of an executor."""
    equities = settings.equities
    rules = rules_of(settings.rules)
    return analyze_rows(
        views,
        seeds,
        ruleset_of(rules),
        shipped_network(rules),
        worlds=settings.worlds,
        parts=1 if settings.worlds == _UNLIMITED else _parts(settings.worlds),
        seconds=settings.seconds,
        equities=equities,
        utility=None if equities is None else _utility(dict(zip(_SCORES, equities, strict=True))),
        threads=settings.threads,
        progress=progress,
        before=before,
    )


# ---------------------------------------------------------------- parameters


def _checked_time(time: float | None, worlds: SupportsIndex | None) -> float:
    if time is None:
        return 1.0 if worlds is None else math.inf
    seconds = real(time)
    if seconds is None or not 0 <= seconds < math.inf:
        raise SantaseError(f"time: seconds, 0 or more, are needed, not {time!r}")
    return seconds


def _parts(worlds: int) -> int:
    """How many independent samples the worlds come from."""
    return max(1, min(_MOST_PARTS, worlds // _WORLDS_A_PART))


def checked_number(name: str, number: SupportsIndex, most: int) -> int:
    """A parameter that is a whole number from 1 to ``most``; raises ``SantaseError``."""
    value = whole(number)
    if value is None or not 1 <= value <= most:
        raise SantaseError(f"{name}: a whole number from 1 to {most} is needed, not {number!r}")
    return value


# ---------------------------------------------------------------- matches


def _utility(equities: Mapping[int, float]) -> list[float]:
    """The chances to win the match brought to the range of game points, -3 to 3; game points themselves
    where no more than rounding is left of the chances, far behind or ahead in a long match."""
    low, high = equities[-3], equities[3]
    if high - low < _LEAST_AT_STAKE:
        return [float(points) for points in _SCORES]
    return [6 * (equities[points] - low) / (high - low) - 3 for points in _SCORES]


# ---------------------------------------------------------------- exact


def _exact(
    seen: Position, started: float, seconds: float, equities: Mapping[int, float] | None
) -> Analysis | None:
    """The exact answer where both hands are known and no card of unknown place will be drawn;
    ``None`` if that takes longer than it may, as it can under house rules: with many cards a hand,
    or such as make waiting pay."""
    (world,) = sample_worlds(seen, 1)
    timed = seconds < math.inf
    solution = solve(
        world,
        solver=Solver(_EXACT_TABLE),
        time=max(seconds, _SLICE) if timed else None,
        nodes=None if timed else _EXACT_NODES,
    )
    if solution.best is None or len(solution.actions) < len(seen.legal_actions()):
        return None
    return Analysis(
        position=seen,
        best=solution.best,
        actions={action: _certain(solution.actions[action], equities) for action in seen.legal_actions()},
        worlds=1,
        exact=True,
        elapsed=clock.perf_counter() - started,
    )


def _certain(points: int, equities: Mapping[int, float] | None) -> Estimate:
    match = math.nan if equities is None else equities[points]
    return Estimate(
        float(points), 0.0, float(points > 0), 1, distribution={points: 1.0}, match=match, kind="exact"
    )


# ---------------------------------------------------------------- under a closing


def _search_plans(
    seen: Position, utility: list[float] | None, belief: Belief, seed: int, end: float, worlds: int
) -> ClosedPlans | None:
    """What can be made sure of under a closing; ``None`` where the time did not allow any answer."""
    closed = ClosedPlans(seen, utility=utility)
    affordable = min(float(worlds), (end - clock.perf_counter()) * _WORLDS_A_SECOND)
    if closed.number * belief.size <= affordable * _WEIGHED_A_WORLD:
        closed.believe(belief, seed=seed)
    closed.analyse(worlds, max(0.0, end - clock.perf_counter()))
    return closed if closed.decisions else None


# ---------------------------------------------------------------- rollouts


def _report(
    progress: Callable[[Analysis], object],
    seen: Position,
    parts: list[Rollouts],
    closed: ClosedPlans | None,
    started: float,
    equities: Mapping[int, float] | None,
) -> None:
    progress(_gather(seen, parts, closed, started, equities))


def _run(
    parts: list[Rollouts], most: int, end: float, threads: int, report: Callable[[], None] | None
) -> None:
    """Run every part to its share of the worlds or to the end of time.

    With ``report`` this goes in rounds, between which no part runs and ``report`` is called.
    """
    shares = [most // len(parts) + (index < most % len(parts)) for index in range(len(parts))]

    def run(part: Rollouts, share: int, until: float) -> None:
        while not part.stopped and part.rollouts < share and (left := until - clock.perf_counter()) > 0:
            # short slices, so that an interrupt is seen soon
            part.run(share - part.rollouts, min(left, _SLICE))

    single = threads == 1 or len(parts) == 1
    while True:
        until = end if report is None else min(end, clock.perf_counter() + _ROUND)
        jobs = [(part, share, until) for part, share in zip(parts, shares, strict=True)]
        if single:
            for job in jobs:
                run(*job)
        else:
            try:
                _in_threads(run, jobs, min(threads, len(jobs)))
            except BaseException:
                for part in parts:
                    part.stopped = True
                raise
        if clock.perf_counter() >= end or all(part.rollouts >= share for part, share, _ in jobs):
            return
        if report is not None:
            report()


def _in_threads(work: Callable[..., None], jobs: list[tuple[Any, ...]], threads: int) -> None:
    """Do the jobs in so many threads; what one raises is raised here.

    Not those of an executor: at its end Python waits for these, however long they have to go.
    """
    import queue  # only when it is wanted: it takes long

    waiting: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
    for job in jobs:
        waiting.put(job)
    results: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()

    def take() -> None:
        try:
            while True:
                work(*waiting.get_nowait())
        except queue.Empty:
            results.put(None)
        except BaseException as error:
            results.put(error)

    try:
        for _ in range(threads):
            threading.Thread(target=take, daemon=True).start()
    except RuntimeError as error:
        raise SantaseError(f"threads: the system does not give {threads} ({error})") from None
    for _ in range(threads):
        raised = results.get()
        if raised is not None:
            raise raised


def _gather(
    seen: Position,
    parts: list[Rollouts],
    closed: ClosedPlans | None,
    started: float,
    equities: Mapping[int, float] | None,
) -> Analysis:
    """Add up what the parts and the plans found, and decide."""
    chances = None if equities is None else [equities[points] for points in _SCORES]
    best, tried, found = gather(parts, chances, closed)
    return Analysis(
        position=seen,
        best=best,
        actions={action: Estimate(*values) for action, values in found.items()},
        worlds=tried,
        exact=False,
        elapsed=clock.perf_counter() - started,
        consistent=count_worlds(seen),
    )
