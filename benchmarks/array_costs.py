"""What arrays cost beside objects: ``python benchmarks/array_costs.py``.

Processor time on one thread, the least of five rounds; the table of docs/arrays.md.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import santase

ROUNDS = 5


def least(work: Callable[[], object]) -> float:
    """Seconds of processor time, the least of the rounds."""
    taken = []
    for _ in range(ROUNDS):
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return min(taken)


def row(name: str, number: int, objects: Callable[[], object], arrays: Callable[[], object]) -> None:
    one, other = (1e6 * least(work) / number for work in (objects, arrays))
    print(f"| {name} | {one:,.2f} | {other:,.2f} |", flush=True)


def middle(number: int) -> list[santase.Position]:
    """Positions with six cards a hand and none to draw, made by playing random cards."""
    found = []
    for seed in range(number):
        chance, position = random.Random(seed), santase.deal(seed)
        while position.phase == "open" or position.led is not None:
            position = position.play(chance.choice([a for a in position.legal_actions() if a.kind == "play"]))
        found.append(position)
    return found


def play_out(position: santase.Position) -> santase.Position:
    """Random legal actions to the end, in Python."""
    while not position.is_over:
        actions = position.legal_actions()
        position = position.play(random.choice(actions[:-1] if actions[-1] == "call" else actions))
    return position


def main() -> None:
    deals = [santase.deal(seed) for seed in range(2000)]
    rows = santase.pack(deals)
    views = [position.view() for position in deals]
    seen = santase.pack_views(views)
    ends = middle(2000)
    packed_ends = santase.pack(ends)
    santase.analyze(deals[0], worlds=1)  # the weights are read once

    def solve(positions: object) -> object:
        return santase.solve_many(positions, threads=1)  # type: ignore[arg-type]

    def analyse(worlds: int, few: int) -> None:
        row(
            f"analyse a deal, {worlds} worlds",
            few,
            lambda: [santase.analyze(view, worlds=worlds) for view in views[:few]],
            lambda: santase.analyze_many(seen[:few], worlds=worlds, threads=1),
        )

    print("| microseconds a position | objects | arrays |\n|---|---|---|")
    row("deal", 2000, lambda: [santase.deal(s) for s in range(2000)], lambda: santase.deal_many(2000, 0))
    row(
        "play a deal out at random", 2000, lambda: [*map(play_out, deals)], lambda: santase.playout_many(rows)
    )
    row("solve the last six tricks", 2000, lambda: solve(ends), lambda: solve(packed_ends))
    row("solve a deal", 300, lambda: solve(deals[:300]), lambda: solve(rows[:300]))
    row(
        "the policy alone",
        2000,
        lambda: [santase.analyze(view, 0) for view in views],
        lambda: santase.analyze_many(seen, 0, threads=1),
    )
    analyse(20, 100)
    analyse(1000, 4)
    for name, work in (
        ("pack", lambda: santase.pack(deals)),
        ("pack_views", lambda: santase.pack_views(views)),
        ("unpack", lambda: santase.unpack(rows)),
        ("unpack views", lambda: santase.unpack(seen)),
    ):
        print(f"{name}: {1e6 * least(work) / 2000:.2f} µs a position", flush=True)


if __name__ == "__main__":
    main()
