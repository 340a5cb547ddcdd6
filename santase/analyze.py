"""What to play, knowing only what one player sees.

How an answer is found depends on what is hidden, and is chosen in ``analyze``:

* nothing that matters: the exact solver;
* otherwise, without time: the learned policy alone;
* under a closing: one plan for all hands that the other may hold (``_closing.pyx``);
* where the talon may be closed: the same for ``close``, rollouts for the rest;
* otherwise, with time: rollouts of the learned policy in sampled worlds, with
  exact endings (``_rollout.pyx``).
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

from santase._belief import Belief
from santase._closing import ClosedPlans, plans_apply
from santase._core import Outcome, Position, seed_state
from santase._network import shipped_network
from santase._rollout import Rollouts
from santase._sampling import count_worlds, sample_worlds
from santase._solver import Solver
from santase.actions import ACTIONS, Action
from santase.errors import HiddenCardsError, SantaseError
from santase.match import result_equities
from santase.solve import solve

CALL = ACTIONS[30]
CLOSE = ACTIONS[29]

_SLICE = 0.02  # seconds between two looks at signals
_UNLIMITED = 1 << 62
_WORLDS_A_PART = 250
_MOST_PARTS = 8
_MOST_THREADS = 1024
_EXACT_TABLE = 1 << 20  # bytes; what is solved here has at most six tricks to go
_ENOUGH_FOR_A_CALL = 20  # worlds that all else must have been tried in before a wrong call is made
_SCORES = range(-9, 10)
# What follows is measured in docs/closing.md.
_OPEN_CARDS = 0.3  # share of the value with open cards in what an action under a closing is chosen by
_CLOSING_OPEN_CARDS = 0.5  # the same for the closing itself, which is weighed against rollouts
_CLOSING_SHARE = 0.3  # of the time, for the closing while the talon is open
_CLOSING_WORK = 2000  # the same for each world of the rest
_CLOSED_WORK = 6000  # under a closing, for each world asked for: about the time of a rollout
_WEIGHED_A_WORLD = 6  # actions of the other in a world that are judged before a plan, for each world asked for
_WORLDS_A_SECOND = 5000


class Estimate(NamedTuple):
    """What an action is worth, for the player to move."""

    mean: float
    """Expected game points; NaN where nothing was tried."""
    stderr: float
    """Standard error of the mean; 0 where nothing was sampled, infinite where too little was tried."""
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


def analyze(
    view: Position,
    time: float | None = None,
    *,
    worlds: int | None = None,
    seed: int = 0,
    threads: int = 1,
    match: tuple[int, int] | None = None,
    history: Iterable[tuple[Position, Action | str]] = (),
    mistrust: float = 0.1,
    plans: bool = True,
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
    ``_belief.pyx``). ``mistrust`` is the share of the other's decisions, 0 to 1, that is taken to say nothing.

    ``match`` is the score of a match, the game points of the player to move
    first: then ``best`` is for the chance to win the match, not for game points.

    ``best`` is the action tried most; which one is tried next depends on the
    means so far and on the policy, so that ``best`` need not have the highest
    mean among actions whose errors overlap. Plans are compared by their mean and
    the value with open cards together, so there too a lower mean may be ``best``.

    Raises ``HiddenCardsError`` when the hand of the player to move is not whole,
    ``SantaseError`` when the hand is over or a parameter makes no sense.
    """
    if not isinstance(view, Position):
        raise TypeError(f"a Position is needed, not {type(view).__name__}")
    seconds = _checked_time(time, worlds)
    most = _UNLIMITED if worlds is None else _checked_number("worlds", worlds, _UNLIMITED)
    _checked_number("threads", threads, _MOST_THREADS)
    if not isinstance(mistrust, (int, float)) or not 0 <= mistrust <= 1:
        raise SantaseError(f"mistrust: a number from 0 to 1 is needed, not {mistrust!r}")
    first_seed = seed_state(seed)
    equities = None
    if match is not None:
        equities = result_equities(match, view.rules)
    shipped_network()  # reading the weights, once in a process, is not counted
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
    number = threads if worlds is None else max(1, min(_MOST_PARTS, most // _WORLDS_A_PART))
    utility = None if equities is None else _utility(equities)
    belief = Belief(seen, history, shipped_network(), mistrust=mistrust)
    end = started + seconds
    closed = None
    if plans and seconds > 0 and plans_apply(seen):
        closed = _search_plans(seen, utility, belief, first_seed, end, worlds)
        if closed is not None and seen.phase == "closed":
            return _planned(seen, closed, started, equities, utility)
    parts = [
        Rollouts(
            seen,
            shipped_network(),
            seed=(first_seed + index * 0x9E3779B97F4A7C15) % 2**64,
            utility=utility,
            belief=belief,
            without=() if closed is None else (CLOSE,),
        )
        for index in range(number)
    ]
    if seconds > 0:
        _run(parts, most, end, threads)
    return _gather(seen, parts, started, equities, closed, utility)


def best_move(
    view: Position,
    time: float | None = None,
    *,
    worlds: int | None = None,
    seed: int = 0,
    threads: int = 1,
    match: tuple[int, int] | None = None,
    history: Iterable[tuple[Position, Action | str]] = (),
    mistrust: float = 0.1,
    plans: bool = True,
) -> Action:
    """The action to choose in a view: ``analyze(...).best``, with the same parameters.

    Takes no time where there is nothing to choose.
    """
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


# ---------------------------------------------------------------- parameters


def _checked_time(time: float | None, worlds: int | None) -> float:
    if time is None:
        return 1.0 if worlds is None else math.inf
    if not isinstance(time, (int, float)) or isinstance(time, bool) or not 0 <= time < math.inf:
        raise SantaseError(f"time: seconds, 0 or more, are needed, not {time!r}")
    return float(time)


def _checked_number(name: str, number: int, most: int) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= most:
        raise SantaseError(f"{name}: a whole number from 1 to {most} is needed, not {number!r}")
    return number


# ---------------------------------------------------------------- matches


def _utility(equities: Mapping[int, float]) -> list[float]:
    """The chances to win the match brought to the range of game points, -3 to 3."""
    low, high = equities[-3], equities[3]
    return [6 * (equities[points] - low) / (high - low) - 3 for points in _SCORES]


# ---------------------------------------------------------------- exact


def _exact(
    seen: Position, started: float, seconds: float, equities: Mapping[int, float] | None
) -> Analysis | None:
    """The exact answer where both hands are known and no card of unknown place will be drawn;
    ``None`` if that takes longer than it may, as it can under house rules with many cards a hand."""
    (world,) = sample_worlds(seen, 1)
    limit = None if seconds == math.inf else max(seconds, _SLICE)
    solution = solve(world, solver=Solver(_EXACT_TABLE), time=limit)
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
    seen: Position,
    utility: list[float] | None,
    belief: Belief,
    seed: int,
    end: float,
    worlds: int | None,
) -> ClosedPlans | None:
    """What can be made sure of under a closing; ``None`` where the time did not allow any answer."""
    closed = ClosedPlans(seen, utility=utility)
    left = end - clock.perf_counter()
    affordable = left * _WORLDS_A_SECOND if worlds is None else worlds
    if closed.number * belief.size <= affordable * _WEIGHED_A_WORLD:
        closed.believe(belief, seed=seed)
    is_closed = seen.phase == "closed"
    work = 0
    if worlds is not None:
        work = min(worlds * (_CLOSED_WORK if is_closed else _CLOSING_WORK), _UNLIMITED)
    left = end - clock.perf_counter()
    if left <= 0:
        return None
    if left == math.inf:
        closed.run(work=work)
    else:
        closed.run(work=work, seconds=left if is_closed else left * _CLOSING_SHARE)
    return closed if closed.decisions else None


def _worth(
    found: tuple[list[float], list[float]], utility: list[float] | None, open_cards: float
) -> float:
    """What an action under a closing is chosen by, in the range of game points."""
    plan, opened = (
        sum(chance * worth for chance, worth in zip(chances, utility or _SCORES, strict=True))
        for chances in found
    )
    return (1 - open_cards) * plan + open_cards * opened


def _plan_estimate(
    closed: ClosedPlans,
    found: tuple[list[float], list[float]],
    policy: float,
    equities: Mapping[int, float] | None,
) -> Estimate:
    chances, opened = found
    pairs = list(zip(_SCORES, chances, strict=True))
    return Estimate(
        sum(points * chance for points, chance in pairs),
        0.0,
        sum(chance for points, chance in pairs if points > 0),
        closed.number,
        policy,
        {points: chance for points, chance in pairs if chance},
        math.nan
        if equities is None
        else sum(equities[points] * chance for points, chance in pairs if chance),
        "at least" if closed.complete else "ahead",
        sum(points * chance for points, chance in zip(_SCORES, opened, strict=True)),
    )


def _planned(
    seen: Position,
    closed: ClosedPlans,
    started: float,
    equities: Mapping[int, float] | None,
    utility: list[float] | None,
) -> Analysis:
    """The answer once the talon is closed."""
    policy, _value = shipped_network().policy(seen)
    found = closed.found()
    estimates = {
        action: _certain(_points(seen.play(action).outcome, seen.to_move), equities)
        if action == CALL
        else _plan_estimate(closed, found[action], policy.get(action, 0.0), equities)
        for action in seen.legal_actions()
    }
    if CALL in estimates and estimates[CALL].mean > 0:
        best = CALL
    else:
        best = max(
            found,
            key=lambda action: (
                round(_worth(found[action], utility, _OPEN_CARDS), 9),
                policy.get(action, 0.0),
            ),
        )
        # a wrong call only where it costs less than the rest would even with open cards
        if CALL in estimates and estimates[CALL].mean > max(estimates[action].opened for action in found):
            best = CALL
    return Analysis(
        position=seen,
        best=best,
        actions=estimates,
        worlds=closed.number,
        exact=False,
        elapsed=clock.perf_counter() - started,
        consistent=closed.number,
    )


# ---------------------------------------------------------------- rollouts


def _run(parts: list[Rollouts], most: int, end: float, threads: int) -> None:
    """Run every part to its share of the worlds or to the end of time."""
    shares = [most // len(parts) + (index < most % len(parts)) for index in range(len(parts))]

    def run(part: Rollouts, share: int) -> None:
        while not part.stopped and part.rollouts < share and (left := end - clock.perf_counter()) > 0:
            # short slices, so that an interrupt is seen soon
            part.run(share - part.rollouts, min(left, _SLICE))

    if threads == 1 or len(parts) == 1:
        for part, share in zip(parts, shares, strict=True):
            run(part, share)
        return
    with ThreadPoolExecutor(threads) as pool:
        try:
            for done in [pool.submit(run, *job) for job in zip(parts, shares, strict=True)]:
                done.result()
        finally:
            for part in parts:
                part.stopped = True


def _gather(
    seen: Position,
    parts: list[Rollouts],
    started: float,
    equities: Mapping[int, float] | None,
    closed: ClosedPlans | None,
    utility: list[float] | None,
) -> Analysis:
    """Add up what the parts found, and decide; ``closed`` is what was found for the closing."""
    found = [part.found() for part in parts]
    policy = {action: prior for action, (prior, _) in found[0].items()}
    estimates: dict[Action, Estimate] = {}
    for action in seen.legal_actions():
        if action == CALL:
            # the call ends the hand here and now
            estimates[action] = _certain(_points(seen.play(action).outcome, seen.to_move), equities)
            continue
        if action == CLOSE and closed is not None:
            estimates[action] = _plan_estimate(closed, closed.found()[CLOSE], policy.get(CLOSE, 0.0), equities)
            continue
        results = [sum(counts) for counts in zip(*(part[action][1] for part in found), strict=True)]
        estimates[action] = _estimate(results, policy[action], equities)
    tried = sum(part.rollouts for part in parts)
    if CALL in estimates and estimates[CALL].mean > 0:
        best = CALL  # playing on can only lose some of it
    else:
        best = max(
            (action for action in estimates if action != CALL and (action != CLOSE or closed is None)),
            key=lambda action: (estimates[action].worlds, policy[action]),
        )
        chosen = estimates[best]
        if closed is not None and chosen.worlds:
            rest = sum((utility or _SCORES)[points + 9] * share for points, share in chosen.distribution.items())
            if _worth(closed.found()[CLOSE], utility, _CLOSING_OPEN_CARDS) > rest:
                best = CLOSE
                chosen = estimates[best]
        # where a closing is lost, some rules make a wrong call the cheaper way out
        sure = chosen.worlds >= _ENOUGH_FOR_A_CALL
        if sure and CALL in estimates and estimates[CALL].mean > chosen.mean + 2 * chosen.stderr:
            best = CALL
        elif not tried:
            estimates[best] = chosen._replace(mean=parts[0].value)
    return Analysis(
        position=seen,
        best=best,
        actions=estimates,
        worlds=tried,
        exact=False,
        elapsed=clock.perf_counter() - started,
        consistent=count_worlds(seen),
    )


def _points(outcome: Outcome | None, player: int) -> int:
    assert outcome is not None
    return outcome.game_points if outcome.winner == player else -outcome.game_points


def _estimate(results: list[int], policy: float, equities: Mapping[int, float] | None) -> Estimate:
    """An estimate from how often each of ``_SCORES`` came out."""
    number = sum(results)
    if number == 0:
        return Estimate(math.nan, math.inf, math.nan, 0, policy, kind="none")
    pairs = list(zip(_SCORES, results, strict=True))
    mean = sum(points * times for points, times in pairs) / number
    variance = sum((points - mean) ** 2 * times for points, times in pairs) / number
    return Estimate(
        mean,
        math.sqrt(variance / (number - 1)) if number > 1 else math.inf,
        sum(times for points, times in pairs if points > 0) / number,
        number,
        policy,
        {points: times / number for points, times in pairs if times},
        math.nan if equities is None else sum(equities[points] * times for points, times in pairs) / number,
    )
