"""What a played hand or match teaches: every decision, what was best, and what the choice cost.

A decision is judged by what its player knew (``Step.view`` and what the other
had done), never by cards that came to light later: ``analyze`` finds the best
action, and ``compare`` tries it and the one that was chosen in the same worlds,
which are other worlds than those in which it was found best. So the cost is an
honest estimate: on the mean it is what the choice lost against the best action
of the analysis, and where the two are worth the same it is 0 but for its
standard error.

Apart from that, with all cards open, ``solve`` says what could have been.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import SupportsIndex

from santase._core import Position, seed_state
from santase._solver import Solver
from santase.actions import Action
from santase.analyze import Analysis, Estimate, analyze
from santase.compare import Comparison, compare
from santase.errors import SantaseError
from santase.game import Game
from santase.memory import Recollection, RememberedHand, Step, recall
from santase.quantities import real, whole
from santase.solve import Solution, solve

NOISE = 3.0
"""A cost under this many standard errors is not told from chance. Of thirty decisions between actions
of equal worth one is called a mistake in one review of twenty-five."""

VERDICTS = ("best", "even", "mistake", "forced", "unknown")
PHASES = ("open", "closed", "exhausted")

_PART = 0.5  # of the time or the worlds of a decision, for finding what is best


@dataclass(frozen=True)
class Decision:
    """One decision of a hand; values are game points for the player who made it."""

    hand: int
    """The number of the hand."""
    number: int
    """The number of the decision in its hand, the first being 1."""
    step: Step
    analysis: Analysis | None
    """What was best on what the player knew; ``None`` where the record does not tell what that was."""
    comparison: Comparison | None
    """The best action and the chosen one in the same worlds; ``None`` where they are the same, or
    either is unknown."""
    solution: Solution | None
    """The exact values with all cards open; ``None`` where the record does not tell all cards."""

    @property
    def player(self) -> int:
        return self.step.player

    @property
    def action(self) -> Action | None:
        """What was chosen; ``None`` for a card that is not known."""
        return self.step.action

    @property
    def phase(self) -> str | None:
        """``open``, ``closed`` or ``exhausted``; ``None`` where the record does not tell."""
        seen = next((view for view in (*self.step.views, self.step.full) if view is not None), None)
        return None if seen is None else seen.phase

    @property
    def best(self) -> Action | None:
        """The action that was best on what the player knew."""
        return None if self.analysis is None else self.analysis.best

    @property
    def cost(self) -> float:
        """Expected game points that the choice lost; NaN where that is unknown."""
        if self.comparison is not None:
            return self.comparison.difference
        return 0.0 if self.action is not None and self.action == self.best else math.nan

    @property
    def stderr(self) -> float:
        """Standard error of ``cost``; 0 where that is exact, NaN where it is unknown."""
        if self.comparison is not None:
            return self.comparison.stderr
        return 0.0 if self.action is not None and self.action == self.best else math.nan

    @property
    def verdict(self) -> str:
        """One of ``VERDICTS``: ``best``; ``mistake`` where the cost is more than ``NOISE`` standard errors;
        ``even`` where it is not; ``forced`` where there was no other action; ``unknown``."""
        if self.analysis is not None and len(self.analysis.actions) == 1:
            return "forced"
        if self.analysis is None or self.action is None:
            return "unknown"
        if self.action == self.best:
            return "best"
        return "mistake" if self.cost > NOISE * self.stderr and self.cost > 0 else "even"

    @property
    def expected(self) -> Estimate | None:
        """What the best action was worth on what the player knew."""
        return None if self.analysis is None else self.estimates[self.analysis.best]

    @property
    def expected_chosen(self) -> Estimate | None:
        """What the chosen action was worth on what the player knew."""
        return None if self.action is None else self.estimates.get(self.action)

    @property
    def estimates(self) -> dict[Action, Estimate]:
        """What each action was worth on what the player knew, in the order of their numbers: the best and
        the chosen one as they came out when they were compared, the others as the analysis found them."""
        if self.analysis is None:
            return {}
        found = dict(self.analysis.actions)
        if self.comparison is not None and self.action is not None:
            found[self.analysis.best], found[self.action] = self.comparison.first, self.comparison.second
        return found

    @property
    def open_value(self) -> int | None:
        """The exact value of the position with all cards open."""
        return None if self.solution is None else self.solution.value

    @property
    def open_chosen(self) -> int | None:
        """The exact value of the chosen action with all cards open."""
        return (
            None if self.solution is None or self.action is None else self.solution.actions.get(self.action)
        )


@dataclass(frozen=True)
class Tally:
    """The decisions of a player in a phase, or some of them, added up."""

    decisions: int
    judged: int
    """Those between two or more actions of which all that is needed was known."""
    best: int
    even: int
    mistakes: int
    cost: float
    """Expected game points lost in all judged decisions, not only in those called mistakes."""
    stderr: float
    """Standard error of ``cost``."""


@dataclass(frozen=True)
class Review:
    """All decisions of a record, in order."""

    recollection: Recollection
    decisions: tuple[Decision, ...]

    @property
    def players(self) -> tuple[str, str] | None:
        return self.recollection.players

    def of_hand(self, number: int) -> tuple[Decision, ...]:
        return tuple(decision for decision in self.decisions if decision.hand == number)

    def mistakes(self, player: int | None = None, most: int | None = None) -> list[Decision]:
        """The mistakes, of one player or of both, the costliest first."""
        found = [
            decision
            for decision in self.decisions
            if decision.verdict == "mistake" and player in (None, decision.player)
        ]
        return sorted(found, key=lambda decision: -decision.cost)[:most]

    def tally(self, player: int | None = None, phase: str | None = None) -> Tally:
        """The decisions of a player (or both) in a phase (or all) added up."""
        some = [
            decision
            for decision in self.decisions
            if player in (None, decision.player) and phase in (None, decision.phase)
        ]
        verdicts = [decision.verdict for decision in some]
        judged = [decision for decision in some if decision.verdict in ("best", "even", "mistake")]
        return Tally(
            decisions=len(some),
            judged=len(judged),
            best=verdicts.count("best"),
            even=verdicts.count("even"),
            mistakes=verdicts.count("mistake"),
            # fsum, since sum() rounds otherwise from Python 3.12 on
            cost=math.fsum(decision.cost for decision in judged),
            stderr=math.sqrt(math.fsum(decision.stderr**2 for decision in judged)),
        )


def review(
    record: Recollection | Game | str,
    time: float | None = None,
    *,
    worlds: SupportsIndex | None = None,
    seed: SupportsIndex = 0,
    player: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Review:
    """Judge every decision of a record: a ``Game``, a record's text, or what ``recall`` makes of one.

    ``time`` in seconds (half a second if nothing is said) or ``worlds`` are for
    each decision, half to find what was best and half to compare it with what
    was chosen. Equal ``worlds`` and ``seed`` give equal reviews. ``player``: only
    that player's decisions. ``progress`` is called with the number of decisions
    done and that of all.

    Raises ``SantaseError`` for parameters that make no sense and ``RecordError`` for a
    record that cannot be read.
    """
    recollection = record if isinstance(record, Recollection) else recall(record)
    if player not in (None, 0, 1):
        raise SantaseError(f"player: 0 or 1 is needed, not {player!r}")
    seconds = real(0.5 if time is None else time)
    if seconds is None or not 0 < seconds < math.inf:
        raise SantaseError(f"time: seconds, more than 0, are needed, not {time!r}")
    number = whole(2 if worlds is None else worlds)
    if number is None or number < 2:
        raise SantaseError(f"worlds: a whole number, 2 or more, is needed, not {worlds!r}")
    timed = time is not None or worlds is None
    effort = _Effort(
        seconds * _PART if timed else None, None if worlds is None else number // 2, seed_state(seed)
    )
    jobs = [
        (hand, index)
        for hand in recollection.hands
        for index, step in enumerate(hand.steps)
        if player in (None, step.player)
    ]
    solver = Solver()
    decisions = []
    for done, (hand, index) in enumerate(jobs):
        if progress is not None:
            progress(done, len(jobs))
        decisions.append(_judge(hand, index, effort, solver))
    if progress is not None:
        progress(len(jobs), len(jobs))
    return Review(recollection, tuple(decisions))


@dataclass(frozen=True)
class _Effort:
    """What a half of a decision may take."""

    time: float | None
    worlds: int | None
    seed: int

    @property
    def other_seed(self) -> int:
        """For the comparison, in worlds of its own."""
        return (self.seed + 1) % 2**64


def _judge(hand: RememberedHand, index: int, effort: _Effort, solver: Solver) -> Decision:
    step = hand.steps[index]
    found = None if step.view is None else _analyse(step.view, hand.history(index) or [], step.action, effort)
    solution = None if step.full is None else solve(step.full, solver=solver)
    analysis, comparison = found if found is not None else (None, None)
    return Decision(hand.number, index + 1, step, analysis, comparison, solution)


def _analyse(
    view: Position, history: list[tuple[Position, Action]], action: Action | None, effort: _Effort
) -> tuple[Analysis, Comparison | None]:
    if len(view.legal_actions()) == 1:
        return analyze(view, 0, history=history), None
    analysis = analyze(view, effort.time, worlds=effort.worlds, seed=effort.seed, history=history)
    if action is None or action == analysis.best:
        return analysis, None
    return analysis, compare(
        view,
        analysis.best,
        action,
        effort.time,
        worlds=effort.worlds,
        seed=effort.other_seed,
        history=history,
    )


def expectations(decisions: tuple[Decision, ...], player: int = 0) -> Iterator[tuple[float, float]]:
    """For each decision the value before it for one player: on what the mover knew, and with all cards
    open; NaN where either is unknown."""
    for decision in decisions:
        sign = 1 if decision.player == player else -1
        known = math.nan if decision.expected is None else sign * decision.expected.mean
        opened = math.nan if decision.open_value is None else float(sign * decision.open_value)
        yield known, opened
