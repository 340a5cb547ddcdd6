"""How fast this machine solves: the benchmark behind ``santase bench``.

Every phase of the game is timed on random positions, one by one with a table
that is kept, beside the plain search of ``benchmarks/_plain.pyx`` on the same
positions in the same run, so that the ratio holds whatever else the machine is
doing. Node counts do not depend on the machine at all.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from santase._arrays import pack
from santase._core import Position, deal, hand_seed
from santase._plain import Plain
from santase._solver import TABLE_BYTES, Solver
from santase.errors import SantaseError
from santase.files import replace_file
from santase.rules import RULES, Rules, rules_of
from santase.solve import solve, solve_many

Progress = Callable[[str, int, int], None]
"""Called with the phase, the positions done and the positions in all."""

_BATCHES = 10  # the late phases are too quick to be timed on fewer positions


@dataclass(frozen=True)
class Phase:
    """A kind of position: so many tricks played at random, then closed or not."""

    name: str
    tricks: int
    closed: bool
    positions: int
    """How many are timed."""


@dataclass(frozen=True)
class Row:
    """What was measured of a phase; times are seconds a position."""

    phase: str
    rules: str
    positions: int
    mean: float
    median: float
    p99: float
    worst: float
    nodes: float
    """Mean number of lead and reply positions looked at."""
    nodes_a_second: float
    all_actions: float
    """Mean time of ``solve``, which values every action and finds the line of best play."""
    batch: float
    """Mean time in ``solve_many`` with ``threads`` threads."""
    threads: int
    table_bytes: int
    plain: float | None
    """Mean time of the plain search, on the first ``plain_positions`` of the positions."""
    plain_nodes: float | None
    plain_positions: int
    ratio: float | None
    """How many times faster than the plain search, on those positions."""
    seconds: list[float]
    """The time of each position."""
    node_counts: list[int]


def phases(rules: Rules, positions: int) -> list[Phase]:
    """The phases of a game: so many tricks played, up to an exhausted talon, and closed after one trick."""
    draws = (rules.facedown + 1) // 2
    found = []
    for tricks in range(draws + 1):
        name = f"{tricks} tricks" if tricks > 1 else "1 trick"
        if tricks == 0:
            name = "whole deal"
        elif tricks == draws:
            name = "exhausted"
        late = tricks >= draws - 1
        found.append(Phase(name, tricks, False, positions * (_BATCHES if late else 1)))
    if draws > 1:
        found.append(Phase("closed", 1, True, positions * _BATCHES))
    return found


def random_positions(phase: Phase, rules: Rules, seed: int = 0) -> list[Position]:
    """Positions of a phase: deals of successive seeds, played on at random (marriages and the
    exchange among the actions, calls and closings not); the same seed gives the same ones."""
    found: list[Position] = []
    number = 0
    while len(found) < phase.positions:
        number += 1
        start = hand_seed(seed, number)
        position = deal(start, rules)
        step = 1
        while not position.is_over and (sum(position.tricks) < phase.tricks or position.led is not None):
            actions = [action for action in position.legal_actions() if action.kind not in ("call", "close")]
            step += 1
            position = position.play(actions[hand_seed(start, step) % len(actions)])
        if phase.closed and not position.is_over and "close" in position.legal_actions():
            position = position.play("close")
        if not position.is_over and (position.closer is not None) == phase.closed:
            found.append(position)
    return found


def measure(
    phase: Phase,
    rules: Rules,
    *,
    seed: int = 0,
    threads: int = 1,
    table_bytes: int = TABLE_BYTES,
    plain_positions: int = 100,
    progress: Progress | None = None,
) -> Row:
    """Time one phase."""
    if rules not in RULES.values():
        plain_positions = 0  # the plain search is right for the presets only
    positions = random_positions(phase, rules, seed)
    solver = Solver(table_bytes)
    plain = Plain() if plain_positions else None
    seconds: list[float] = []
    nodes: list[int] = []
    plain_seconds: list[float] = []
    for number, position in enumerate(positions):
        before = solver.nodes
        start = time.perf_counter()
        value = solver.value(position)
        seconds.append(time.perf_counter() - start)
        nodes.append(solver.nodes - before)
        # alternately, so that a change in the machine's load hits both
        if plain is not None and number < plain_positions:
            start = time.perf_counter()
            plain_value = plain.value(position)
            plain_seconds.append(time.perf_counter() - start)
            # the plain search takes no wrong call to be right, which under these rules it can be
            if plain_value != value and rules.trickless != "other":
                raise AssertionError(f"{value} here, {plain_value} by the plain search: {position}")
        if progress is not None:
            progress(phase.name, number + 1, len(positions))
    few = positions[: max(1, len(positions) // 10)]
    start = time.perf_counter()
    for position in few:
        solve(position, solver=solver)
    all_actions = (time.perf_counter() - start) / len(few)
    packed = pack(positions)
    start = time.perf_counter()
    solve_many(packed, rules=rules, threads=threads, table_bytes=table_bytes)
    batch = (time.perf_counter() - start) / len(positions)
    compared = len(plain_seconds)
    return Row(
        phase=phase.name,
        rules=str(rules),
        positions=len(positions),
        mean=statistics.fmean(seconds),
        median=statistics.median(seconds),
        p99=sorted(seconds)[min(len(seconds) - 1, len(seconds) * 99 // 100)],
        worst=max(seconds),
        nodes=statistics.fmean(nodes),
        nodes_a_second=sum(nodes) / sum(seconds),
        all_actions=all_actions,
        batch=batch,
        threads=threads,
        table_bytes=table_bytes,
        plain=statistics.fmean(plain_seconds) if compared else None,
        plain_nodes=plain.nodes / compared if plain is not None and compared else None,
        plain_positions=compared,
        ratio=sum(plain_seconds) / sum(seconds[:compared]) if compared else None,
        seconds=seconds,
        node_counts=nodes,
    )


def bench(
    rules: Rules | str = "santase",
    *,
    positions: int = 100,
    seed: int = 0,
    threads: int = 1,
    table_bytes: int = TABLE_BYTES,
    plain_positions: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Row]:
    """Time every phase, a row at a time.

    ``positions`` of the early phases and ten times as many of the late ones;
    ``plain_positions`` of each are given to the plain search too (all of the
    early ones by default; none under house rules, for which it is not made).
    Raises ``SantaseError``.
    """
    if positions < 1:
        raise SantaseError(f"positions: 1 or more are needed, not {positions}")
    chosen = rules_of(rules)
    compared = positions if plain_positions is None else plain_positions
    for phase in phases(chosen, positions):
        yield measure(
            phase,
            chosen,
            seed=seed,
            threads=threads,
            table_bytes=table_bytes,
            plain_positions=compared,
            progress=progress,
        )


def save_rows(rows: Sequence[Row], path: str, about: dict[str, Any]) -> None:
    """Write the rows, with what they were measured on, as JSON; what the file held before is
    replaced only once the new text is safe."""
    text = json.dumps({"about": about, "rows": [asdict(row) for row in rows]}, indent=1)
    replace_file(path, (text + "\n").encode())


def plot_rows(rows: Sequence[Row], path: str) -> None:
    """Draw time and nodes against the tricks played, and the distribution for whole deals.

    Needs Matplotlib (the extra ``plot``); the ending of ``path`` chooses the
    format. Raises ``SantaseError`` when it is missing.
    """
    try:
        import matplotlib
    except ImportError:
        raise SantaseError("plot: Matplotlib is needed: pip install 'santase[plot]'") from None
    matplotlib.use("agg")
    from matplotlib import pyplot

    ordered = [row for row in rows if not row.phase.startswith("closed")]
    figure, (times, counts, spread) = pyplot.subplots(1, 3, figsize=(13, 4), layout="constrained")
    tricks = list(range(len(ordered)))
    for label, values in (
        ("mean", [row.mean for row in ordered]),
        ("median", [row.median for row in ordered]),
        ("99th percentile", [row.p99 for row in ordered]),
    ):
        times.plot(tricks, [1e3 * value for value in values], marker="o", label=label)
    if all(row.plain is not None for row in ordered):
        times.plot(
            tricks, [1e3 * (row.plain or 0) for row in ordered], "k:", marker="o", label="plain search, mean"
        )
        counts.plot(tricks, [row.plain_nodes or 0 for row in ordered], "k:", marker="o", label="plain search")
    times.set(yscale="log", xlabel="tricks played", ylabel="milliseconds a position", title="time")
    counts.plot(tricks, [row.nodes for row in ordered], marker="o", label="santase")
    counts.set(yscale="log", xlabel="tricks played", ylabel="mean nodes a position", title="nodes")
    times.legend()
    counts.legend()
    whole = [max(1e3 * value, 1e-3) for value in ordered[0].seconds]
    low, high = min(whole), max(whole)
    edges = [low * (high / low) ** (i / 30) for i in range(31)] if high > low else 30
    spread.hist(whole, bins=edges)
    spread.set(xscale="log", xlabel="milliseconds", ylabel="deals", title=f"{len(whole)} whole deals")
    figure.suptitle(f"{ordered[0].rules}: exact solving, one thread")
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
