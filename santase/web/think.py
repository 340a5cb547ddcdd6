"""Analyses and exact values: so many at a time, so long at the most, ended when nobody waits."""

from __future__ import annotations

import contextlib
import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from santase._core import Position
from santase.actions import ACTIONS, Action
from santase.analyze import Analysis, analyze
from santase.errors import HiddenCardsError, IllegalActionError, SantaseError
from santase.language import _
from santase.reasons import reason_for
from santase.solve import Solver, solve

MOST_SECONDS = 20.0
"""The longest analysis."""
_SOLVE_SECONDS = 3.0
_SOLVE_TABLE = 1 << 24  # bytes
_REPORT = 0.25  # seconds between two reports of an analysis

CLOSE = ACTIONS[29]


class BusyError(SantaseError):
    """As many analyses as may run at once are running."""


class StoppedError(SantaseError):
    """The server is being closed."""


class Thinking:
    """Counts what is being thought about, and can stop it."""

    def __init__(self, most: int | None = None) -> None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.most = max(2, cores) if most is None else most
        """How many analyses may run at once."""
        self._places = threading.BoundedSemaphore(self.most)
        self._stopped = threading.Event()

    def stop(self) -> None:
        """End all that runs; nothing begins any more."""
        self._stopped.set()

    @contextlib.contextmanager
    def place(self) -> Iterator[None]:
        """A place to think in; raises ``BusyError`` at once when there is none."""
        if self._stopped.is_set():
            raise StoppedError(_("the server is being closed"))
        if not self._places.acquire(blocking=False):
            raise BusyError(_("other analyses are running; try again in a moment"))
        try:
            yield
        finally:
            self._places.release()

    def analyze(
        self,
        view: Position,
        seconds: float,
        match: tuple[int, int] | None,
        report: Callable[[dict[str, Any]], object],
        history: Sequence[tuple[Position, Action]] = (),
    ) -> None:
        """Analyse a view, reporting what is known so far and, last, the answer with ``final`` true.

        ``history`` is what the other has done in the hand, as ``analyze`` takes it.

        What ``report`` raises ends the analysis. Raises ``SantaseError``.
        """
        if not 0 <= seconds <= MOST_SECONDS:
            raise SantaseError(f"seconds: 0 to {MOST_SECONDS:.0f}, not {seconds}")
        closing = closing_facts(view.view())
        last = time.monotonic()

        def progress(analysis: Analysis) -> None:
            nonlocal last
            if self._stopped.is_set():
                raise StoppedError(_("the server is being closed"))
            if time.monotonic() - last >= _REPORT:
                last = time.monotonic()
                report(_analysis_json(analysis, closing, final=False))

        analysis = analyze(view, seconds, match=match, progress=progress, history=history)
        report(_analysis_json(analysis, closing, final=True))

    def solve(self, position: Position) -> dict[str, Any]:
        """The exact value of a full position, or that it was not found in time."""
        if not position.is_full:
            raise HiddenCardsError(_("exact values need all cards; some are hidden here"))
        started = time.perf_counter()
        solution = solve(position, time=_SOLVE_SECONDS, solver=Solver(_SOLVE_TABLE))
        steps = []
        for action in solution.line:
            steps.append({"player": position.to_move, "action": action, "lead": position.led is None})
            position = position.play(action)
        outcome = position.outcome
        return {
            "value": solution.value,
            "best": solution.best,
            "actions": [{"action": action, "value": value} for action, value in solution.actions.items()],
            "line": steps,
            "outcome": outcome and outcome._asdict() if solution.exact else None,
            "nodes": solution.nodes,
            "seconds": time.perf_counter() - started,
        }


def closing_facts(view: Position) -> dict[str, Any]:
    """Whether the player to move may close, and if not, why."""
    try:
        view.play(CLOSE)
    except IllegalActionError as error:
        return {"legal": False, "reason": reason_for(error, CLOSE)}
    return {"legal": True, "reason": None}


def _analysis_json(analysis: Analysis, closing: dict[str, Any], *, final: bool) -> dict[str, Any]:
    ranked = sorted(
        analysis.actions.items(),
        key=lambda item: (item[0] != analysis.best, -item[1].mean if math.isfinite(item[1].mean) else 99.0),
    )
    return {
        "final": final,
        "best": analysis.best,
        "player": analysis.position.to_move,
        "actions": [
            {
                "action": action,
                "mean": finite(found.mean),
                "stderr": finite(found.stderr),
                "win": finite(found.win),
                "match": finite(found.match),
                "policy": finite(found.policy),
                "worlds": found.worlds,
                "distribution": {str(points): share for points, share in found.distribution.items()},
            }
            for action, found in ranked
        ],
        "worlds": analysis.worlds,
        "consistent": analysis.consistent,
        "exact": analysis.exact,
        "seconds": analysis.elapsed,
        "closing": closing,
    }


def finite(number: float) -> float | None:
    """JSON knows no infinity."""
    return number if math.isfinite(number) else None
