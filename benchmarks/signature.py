"""The node-count signature of the exact search over a fixed set of positions.

A change that should not change how the search goes must leave these numbers
alone; a test compares them with ``signature.json``. A change that should writes
new ones::

    python benchmarks/signature.py --write

Node counts depend on nothing but the code: each phase is solved by a solver of
its own, in order.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import random

import santase

FILE = pathlib.Path(__file__).with_name("signature.json")

PHASES = {
    "0 tricks": (0, 5),
    "2 tricks": (2, 10),
    "4 tricks": (4, 30),
    "exhausted": (None, 200),
    "closed": (-1, 200),
}
"""Tricks played (``None``: until the talon is exhausted, -1: one to three, then closed) and positions."""


def position_after(seed: int, tricks: int | None, rules: str) -> santase.Position | None:
    """A position by random play without closing or calling, ``None`` if the hand ended before."""
    # only random() itself is promised to stay the same from one Python to the next
    rng = random.Random(seed)
    position = santase.deal(seed=seed, rules=rules)
    closes = tricks == -1
    if closes:
        tricks = 1 + int(3 * rng.random())
    while not position.is_over:
        there = position.facedown == 0 if tricks is None else sum(position.tricks) == tricks
        if there and position.led is None and position.declared is None:
            if not closes:
                return position
            return position.play("close") if "close" in position.legal_actions() else None
        actions = [action for action in position.legal_actions() if action.kind not in ("close", "call")]
        position = position.play(actions[int(len(actions) * rng.random())])
    return None


def positions(tricks: int | None, number: int, rules: str) -> list[santase.Position]:
    found: list[santase.Position] = []
    seed = 0
    while len(found) < number:
        position = position_after(seed, tricks, rules)
        seed += 1
        if position is not None:
            found.append(position)
    return found


def signature() -> dict[str, dict[str, int]]:
    """Nodes by preset and phase, and the sum of all values, which is no count but must stay too."""
    found: dict[str, dict[str, int]] = {}
    for rules in santase.RULES:
        found[rules] = {}
        total = 0
        for phase, (tricks, number) in PHASES.items():
            solver = santase.Solver()
            for position in positions(tricks, number, rules):
                solution = santase.solve(position, solver=solver)
                total += solution.bounds[0] + sum(solution.actions.values())
            found[rules][phase] = solver.nodes
        found[rules]["sum of values"] = total
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="record it")
    found = signature()
    text = json.dumps(found, indent=2) + "\n"
    if parser.parse_args().write:
        FILE.write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
