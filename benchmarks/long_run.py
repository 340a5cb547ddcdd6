"""The long run: an arena of many hands and a million solves, every hundredth answer found a second time.

    nice -n 19 python benchmarks/long_run.py --out build/long-run     # goes on where an earlier run ended
    python benchmarks/long_run.py --out build/long-run --table        # what it has come to

Every hundredth hand of the arena is played again by the literal engine of the tests, action by action:
the line, the legal actions and both views of every position, and the result. Every hundredth solve is
compared, action by action, with the literal engine's minimax (up to eight cards left) or the plain
minimax of ``_plain.pyx``, which knows no cut-offs but alpha and beta (up to sixteen), and by value with
its plain search beyond that (under the presets for which that is right: of the others no position with
more cards is taken for a check). A difference is written down and ends the run.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from literal import PRESETS, LiteralHand, action_values  # noqa: E402

import santase  # noqa: E402
from santase._plain import Plain, minimax  # noqa: E402
from santase.arena import arena  # noqa: E402
from santase.files import replace_file  # noqa: E402

PAIRS = (("santase:time=0", "greedy"), ("greedy:noise=0.1", "random"))
BLOCK = 10_000  # solves between two notes of what has been done
EVERY = 100
FEW, SOME = 8, 16  # cards left for the literal engine, and for the plain minimax
BY_PLAIN = ("santase", "santase-bg", "santase-engine")


def cards_left(position: santase.Position) -> int:
    """The cards that can still be played."""
    return sum(map(len, position.hands)) + (position.facedown + 1 if position.phase == "open" else 0)


# ---------------------------------------------------------------- the arena


def replay(deal: santase.Position, actions: list[str]) -> santase.Position:
    """Play a hand in both engines and compare all that they say."""
    position = deal
    twin = LiteralHand.from_line(PRESETS, str(deal))
    for action in [*actions, None]:
        assert str(position) == twin.line()
        assert [str(legal) for legal in position.legal_actions()] == list(twin.legal_actions())
        for player in (0, 1):
            assert twin.over or str(position.view(player)) == twin.view(player)
        if action is not None:
            position, twin = position.play(action), twin.play(action)
    outcome = position.outcome
    assert outcome is not None and twin.over
    assert (outcome.winner, outcome.game_points) == (twin.winner, twin.game_points)
    return position


def check_log(path: Path, rules: str) -> tuple[int, int]:
    """Replay every hundredth hand of an arena's log; returns hands and hands checked."""
    hands = checked = 0
    with path.open(encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            unit = json.loads(line)
            for mirrored, game in enumerate(unit["games"]):
                for hand in game["hands"]:
                    if hands % EVERY == 0:
                        record = santase.Game(rules, seed=unit["seed"])
                        end = replay(record.deal, hand["actions"].split())
                        assert end.outcome is not None
                        won = (
                            end.outcome.game_points
                            if end.outcome.winner == mirrored
                            else -end.outcome.game_points
                        )
                        assert won == hand["points"], line
                        checked += 1
                    hands += 1
    return hands, checked


def run_arenas(out: Path, hands: int) -> Iterator[dict[str, Any]]:
    pairs = -(-hands // (2 * len(PRESETS) * len(PAIRS)))
    for rules in PRESETS:
        for number, (a, b) in enumerate(PAIRS):
            log = out / f"arena-{rules}-{number}.log"
            started = time.process_time()
            result = arena(a, b, deals=pairs, rules=rules, seed=20_261_129, log=log)
            played, checked = check_log(log, rules)
            yield {
                "what": f"arena {a} – {b}", "rules": rules, "number": played, "checked": checked,
                "mean": round(result.mean, 4), "seconds": time.process_time() - started,
            }  # fmt: skip


# ---------------------------------------------------------------- solves


def positions(rules: str, seed: int) -> Iterator[santase.Position]:
    """Every position of hands played at random, over and over."""
    rng = random.Random(f"{rules} {seed}")
    while True:
        position = santase.deal(rng.getrandbits(64), rules, leader=rng.randrange(2))
        bold = rng.random() < 0.3
        while not position.is_over:
            yield position
            actions = position.legal_actions()
            if bold and "close" in actions and rng.random() < 0.3:
                position = position.play("close")
                continue
            right = position.points[position.to_move] >= position.rules.target
            rest = [action for action in actions if action != "close" and (action != "call" or right)]
            position = position.play(rng.choice(rest))


def check_solve(position: santase.Position, value: int, plain: Plain, solver: santase.Solver) -> str | None:
    """By what the answer was found a second time; ``None`` when there are too many cards for that."""
    cards, rules = cards_left(position), position.rules.name
    if cards > SOME:
        if rules not in BY_PLAIN:
            return None
        assert plain.value(position) == value, str(position)
        return "plain search"
    if cards > FEW:
        expected, by = dict(minimax(position)), "plain minimax"
    else:
        expected, by = action_values(LiteralHand.from_line(PRESETS, str(position))), "literal engine"
    solution = santase.solve(position, solver=solver)
    assert solution.actions == expected and solution.value == value == max(expected.values()), str(position)
    return by


def run_block(rules: str, number: int) -> dict[str, Any]:
    """Solve a block of positions, one by one in the order they come, and check every hundredth."""
    solver, plain = santase.Solver(), Plain()
    checks: dict[str, int] = {}
    total = 0
    due = False
    source = positions(rules, number)
    for count in range(1, BLOCK + 1):
        position = next(source)
        value = solver.value(position)
        assert value is not None
        total += value
        due = due or count % EVERY == 0
        if due and (by := check_solve(position, value, plain, solver)) is not None:
            checks[by] = checks.get(by, 0) + 1
            due = False
    return {"rules": rules, "block": number, "number": BLOCK, "checks": checks, "sum": total}


# ---------------------------------------------------------------- the whole


def table(out: Path) -> str:
    """What has been done, as the table of docs/robustness.md."""
    rows = ["| what | rules | number | checked | differences |", "|---|---|---|---|---|"]
    done: list[dict[str, Any]] = []
    for path in sorted(out.glob("done-*.json")):
        done += json.loads(path.read_text(encoding="utf-8"))
    sums: dict[tuple[str, str], list[Any]] = {}
    for part in done:
        row = sums.setdefault((part.get("what", "solve"), part["rules"]), [0, {}])
        row[0] += part["number"]
        for by, count in part.get("checks", {"literal engine": part.get("checked", 0)}).items():
            row[1][by] = row[1].get(by, 0) + count
    for (what, rules), (number, checks) in sums.items():
        how = ", ".join(f"{count:,} by the {by}" for by, count in sorted(checks.items()))
        rows.append(f"| {what} | `{rules}` | {number:,} | {how} | 0 |")
    for kind, chosen in (("hands", "arena"), ("solves", "solve")):
        number = sum(row[0] for key, row in sums.items() if key[0].startswith(chosen))
        checked = sum(sum(row[1].values()) for key, row in sums.items() if key[0].startswith(chosen))
        rows.append(f"| **{kind} in all** | | {number:,} | {checked:,} | 0 |")
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--solves", type=int, default=1_000_000)
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if options.table:
        print(table(options.out))
        return 0
    options.out.mkdir(parents=True, exist_ok=True)
    notes = options.out / "done-solves.json"
    done: list[dict[str, Any]] = json.loads(notes.read_text(encoding="utf-8")) if notes.exists() else []
    blocks = -(-options.solves // BLOCK)
    for number in range(len(done), blocks):
        started = time.process_time()
        part = run_block(list(PRESETS)[number % len(PRESETS)], number)
        done.append({**part, "seconds": round(time.process_time() - started, 1)})
        replace_file(str(notes), json.dumps(done).encode())
        print(f"block {number + 1} of {blocks}: {done[-1]}", flush=True)
    arenas = []
    for part in run_arenas(options.out, options.hands):
        arenas.append(part)
        replace_file(str(options.out / "done-arenas.json"), json.dumps(arenas).encode())
        print(part, flush=True)
    print(table(options.out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
