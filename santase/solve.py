"""Exact solving: ``solve`` and ``solve_many``.

A value is always game points for the player to move.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

from santase._arrays import by_rules, check_hands, flat_hands, hand_dtype
from santase._core import Position
from santase._ruleset import RuleSet, ruleset_of
from santase._solver import TABLE_BYTES, Solver, solve_rows
from santase.actions import Action
from santase.executors import ExecutorOrFactory, Places, Progress, checked_chunk, checked_threads, run_rows
from santase.rules import Rules, rules_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
__all__ = ["Solution", "Solver", "solve", "solve_many"]


@dataclass(frozen=True)
class Solution:
    """What ``solve`` has found; all values are game points for the player to move."""

    value: int | None
    """The exact value; ``None`` when a limit was reached before it was known."""
    bounds: tuple[int, int]
    """The value lies between these, both included; equal when it is known."""
    best: Action | None
    """An action worth ``value``; ``None`` once the hand is over, or when a limit came before one was known.
    Of several: a right call, marriage, exchange, the lowest card number, close, a wrong call."""
    actions: dict[Action, int]
    """The value of every legal action, best first; those not found within the limits are missing."""
    line: list[Action]
    """Best play of both players to the end, beginning with ``best``; empty when a limit was reached."""
    nodes: int
    """Lead and reply positions looked at."""

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.value is not None

    def _repr_html_(self) -> str:
        # imported when a notebook asks: drawing is a layer above
        from santase.notebook import solution_html

        return solution_html(self)


def solve(
    position: Position,
    *,
    nodes: SupportsIndex | None = None,
    time: float | None = None,
    table_bytes: SupportsIndex = TABLE_BYTES,
    solver: Solver | None = None,
) -> Solution:
    """Solve a full position exactly: its value, every action's value and best play to the end.

    ``nodes`` and ``time`` (seconds) limit the search; the answer then says what is known by
    then. ``solver`` keeps its table from one call to the next, which helps with positions of
    one deal; otherwise a table of ``table_bytes`` serves this call alone. Ctrl-C stops it.

    Raises ``HiddenCardsError`` for a view, ``SantaseError`` for limits that make no sense.
    """
    if not isinstance(position, Position):
        raise TypeError(f"solve takes a Position, not {type(position).__name__}")
    if solver is None:
        solver = Solver(table_bytes)
    elif not isinstance(solver, Solver):
        raise TypeError(f"solver is a Solver, not {type(solver).__name__}")
    low, high, found, line, visited = solver.search_position(position, nodes=nodes, time=time)
    kinds = ["marriage", "exchange", "play", "close"]
    kinds.insert(0 if line and line[0] == "call" else len(kinds), "call")
    ranked = sorted(found, key=lambda action: (-found[action], kinds.index(action.kind), action.number))
    actions = {action: found[action] for action in ranked}
    value = low if low == high else None
    best = line[0] if line else None
    if best is None and value is not None:
        best = next((action for action, worth in actions.items() if worth == value), None)
    return Solution(value, (low, high), best, actions, line or [], visited)


def solve_many(
    positions: Iterable[Position] | npt.NDArray[np.void],
    *,
    rules: Rules | str = "santase",
    threads: SupportsIndex | None = None,
    table_bytes: SupportsIndex = TABLE_BYTES,
    progress: Progress | None = None,
    executor: ExecutorOrFactory | None = None,
    chunk: SupportsIndex | None = None,
) -> npt.NDArray[np.int8]:
    """The exact values of many full positions, in order, for each one's player to move.

    ``positions`` are ``Position`` objects, of any rules, or an array made by ``santase.pack``
    under ``rules``, of any shape. The work is shared out to ``threads`` threads, by default
    as many as there are usable processors, each with a table of ``table_bytes``. The answer
    does not depend on their number, on the order, or on the table. Ctrl-C stops it.

    ``progress`` is called in the calling thread with the number of positions done, at most ten
    times a second, and at the end with all; what it raises stops the work and goes up.

    ``executor`` is any executor in the manner of ``concurrent.futures``, or a function that makes
    one; its workers are given ``chunk`` positions at a time, which they solve with one thread unless
    ``threads`` says more, and chunks of workers that die are done again (docs/arrays.md).

    Of a packed hand it is checked that it is safe to search and that its cards are as many as
    the rules and the tricks want; ``unpack`` checks everything. Raises ``SantaseError``,
    ``HiddenCardsError`` for a view.
    """
    import numpy as np

    each = checked_threads(threads, executor)
    size = Solver(table_bytes).table_bytes  # which refuses what is no size, or too much
    packed: Any = positions
    shape = packed.shape if hasattr(packed, "dtype") else None
    if shape is not None:
        ruleset = ruleset_of(rules_of(rules))
        rows = flat_hands(packed)
        groups: list[tuple[RuleSet, Places, Any]] = [(ruleset, slice(0, len(rows)), rows)]
    else:
        groups = list(by_rules(positions, hand_dtype()))
    values = np.empty(sum(len(rows) for _, _, rows in groups), dtype=np.int8)
    rows_a_chunk = checked_chunk(chunk, len(values), 8, 256)
    if executor is None:
        before = 0
        for ruleset, places, rows in groups:
            values[places] = solve_rows(rows, ruleset, each, size, progress, before)
            before += len(rows)
    else:
        for ruleset, _, rows in groups:
            check_hands(rows, ruleset)
        run_rows(
            executor,
            _solve_chunk,
            [(places, (rows,), (ruleset.text, each, size)) for ruleset, places, rows in groups],
            values,
            rows_a_chunk,
            progress,
        )
    return values if shape is None else values.reshape(shape)


def _solve_chunk(
    rows: npt.NDArray[np.void], rules: str, threads: int, table_bytes: int
) -> npt.NDArray[np.int8]:
    """What a worker of an executor does."""
    return solve_rows(rows, ruleset_of(rules_of(rules)), threads, table_bytes)
