"""What deals are worth when all cards are known: ``python benchmarks/deal_statistics.py``.

Solves deals of the seeds 0, 1, 2, ... exactly and counts the values for the
first leader, by the trumps and by the aces in that hand; for the first of them
it also asks whether closing at the first chance is best. Prints the tables of
``docs/deals.md`` and draws its plot.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import santase

CHUNK = 2_000


def solve_deals(number: int, rules: str, threads: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values for the first leader, and the trumps and aces in that hand."""
    values = np.empty(number, dtype=np.int8)
    trumps = np.empty(number, dtype=np.int8)
    aces = np.empty(number, dtype=np.int8)
    for start in range(0, number, CHUNK):
        deals = [santase.deal(seed, rules) for seed in range(start, min(start + CHUNK, number))]
        stop = start + len(deals)
        values[start:stop] = santase.solve_many(deals, threads=threads)
        trumps[start:stop] = [sum(card[1] == deal.trump for card in deal.hands[0]) for deal in deals]
        aces[start:stop] = [sum(card[0] == "A" for card in deal.hands[0]) for deal in deals]
        print(f"\r{stop:,} of {number:,} deals", end="", flush=True)
    print()
    return values, trumps, aces


def closings(number: int, rules: str) -> tuple[int, int, int, int]:
    """Over the first deals, played best to the first lead at which closing is allowed: how many came
    to it, and in how many closing is among the best actions, is better than every other, wins."""
    solver = santase.Solver()
    came = among = alone = wins = 0
    for seed in range(number):
        position = santase.deal(seed, rules)
        for action in santase.solve(position, solver=solver).line:
            if "close" in position.legal_actions():
                break
            position = position.play(action)
        if position.is_over:
            continue
        came += 1
        solution = santase.solve(position, solver=solver)
        close = solution.actions[santase.Action("close")]
        others = [value for action, value in solution.actions.items() if action != "close"]
        among += close == solution.value
        alone += close > max(others)
        wins += close > 0
    return came, among, alone, wins


def table(name: str, groups: np.ndarray, values: np.ndarray) -> str:
    """A Markdown table of the values by group, in per cent, with the mean and its standard error."""
    scores = range(int(values.min()), int(values.max()) + 1)
    lines = [
        f"| {name} | deals | " + " | ".join(f"{score:+d}" for score in scores) + " | mean |",
        "|---" * (len(scores) + 3) + "|",
    ]
    for group in [None, *np.unique(groups)]:
        chosen = values if group is None else values[groups == group]
        shares = (100 * np.mean(chosen == score) for score in scores)
        error = chosen.std() / np.sqrt(len(chosen))
        lines.append(
            f"| {'all' if group is None else group} | {len(chosen):,} | "
            + " | ".join(f"{share:.1f}" for share in shares)
            + f" | {chosen.mean():+.3f} ± {error:.3f} |"
        )
    return "\n".join(lines)


def plot(path: Path, values: np.ndarray, trumps: np.ndarray, aces: np.ndarray) -> None:
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained", sharey=True)
    scores = [score for score in range(-3, 4) if np.any(values == score)]
    colours = pyplot.get_cmap("RdYlGn")(np.linspace(0.05, 0.95, len(scores)))
    for axis, name, groups in ((axes[0], "trumps", trumps), (axes[1], "aces", aces)):
        kinds = np.unique(groups)
        bottom = np.zeros(len(kinds))
        for score, colour in zip(scores, colours, strict=True):
            shares = np.array([100 * np.mean(values[groups == kind] == score) for kind in kinds])
            axis.bar(kinds, shares, bottom=bottom, color=colour, label=f"{score:+d}")
            bottom += shares
        axis.set(xlabel=f"{name} in the first leader's hand", xticks=kinds)
    axes[0].set_ylabel("per cent of the deals")
    handles, labels = axes[1].get_legend_handles_labels()
    axes[1].legend(handles[::-1], labels[::-1], title="game points", loc="upper left", bbox_to_anchor=(1, 1))
    figure.savefig(path, dpi=100)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--closings", type=int, default=10_000, help="deals asked for the closing")
    parser.add_argument("--rules", default="santase")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    start = time.perf_counter()
    values, trumps, aces = solve_deals(options.deals, options.rules, options.threads)
    print(f"{time.perf_counter() - start:.0f} s\n")
    print(table("trumps", trumps, values), table("aces", aces, values), sep="\n\n")
    if options.closings:
        came, among, alone, wins = closings(options.closings, options.rules)
        print(
            f"\n{options.closings:,} deals played best to the first chance to close; {came:,} came to it:"
            f" closing is among the best actions in {100 * among / came:.1f} %, better than every other in"
            f" {100 * alone / came:.1f} %, and wins in {100 * wins / came:.1f} %"
        )
    if options.plot:
        plot(options.plot, values, trumps, aces)


if __name__ == "__main__":
    main()
