"""What opponents that are not like it win against the library's player.

    python benchmarks/opponents.py
    python benchmarks/opponents.py --players santase:worlds=50 --pairs 100
    python benchmarks/opponents.py --also policy:weights=runs/response/response.npz --logs runs/opponents

Holds an arena of mirrored deals between each opponent and each of the players,
and prints a table in Markdown of what the opponents win. With ``--logs`` a run
that was stopped goes on where it was. No player here has a limit of time, so
the table is the same wherever it is made. Needs the extra ``arena``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from santase.arena import ArenaResult, arena

OPPONENTS = {
    "random": "any legal action",
    "greedy": "rules of thumb",
    "closer": "the same, closing whenever it may",
    "never-closes": "the same, never closing",
    "policy:closes=always": "the learned policy, closing whenever it may",
    "policy:closes=no": "the learned policy, never closing",
    "policy:temperature=1": "the learned policy, drawn by its probabilities",
    "ismcts:worlds=2000": "plain tree search",
}
PLAYERS = {"policy": 2000, "santase:worlds=200": 200}


def cell(result: ArenaResult) -> str:
    """What the opponent wins; the arena's A is the opponent."""
    opponent, _ = result.sides
    closings = f"{opponent.closings} closings, {opponent.closings_won} won" if opponent.closings else "–"
    return f"{result.mean:+.3f} ± {result.stderr:.3f} | {closings}".replace("-", "−")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", nargs="+", default=list(PLAYERS), help="whom they play")
    parser.add_argument("--pairs", type=int, help="mirrored pairs each; 2,000 for the policy, 200 for others")
    parser.add_argument("--also", nargs="*", default=[], help="further opponents")
    parser.add_argument("--rules", default="santase")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--logs", type=Path, help="folder for the arenas' logs")
    parser.add_argument("--save", type=Path, help="write all results as lines of JSON")
    options = parser.parse_args()
    if options.logs:
        options.logs.mkdir(parents=True, exist_ok=True)
    pairs = {player: options.pairs or PLAYERS.get(player, 200) for player in options.players}
    shown = [f"against `{player}`, {pairs[player]:,} pairs | it closed" for player in options.players]
    print(f"| opponent | plays | {' | '.join(shown)} |")
    print("|---|---|" + "---|---|" * len(shown), flush=True)
    lines = []
    for opponent in [*OPPONENTS, *options.also]:
        results = []
        for player in options.players:
            name = f"{opponent}--{player}.jsonl".replace("/", "_").replace(":", "_")
            results.append(
                arena(
                    opponent, player, rules=options.rules, deals=pairs[player], seed=options.seed,
                    jobs=options.jobs, log=options.logs / name if options.logs else None,
                )
            )  # fmt: skip
        lines += [json.dumps(result.to_json()) + "\n" for result in results]
        print(
            f"| `{opponent}` | {OPPONENTS.get(opponent, '')} | {' | '.join(map(cell, results))} |", flush=True
        )
    if options.save:
        options.save.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
