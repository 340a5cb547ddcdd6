"""Is the arena fair? A player against itself, many times over.

    python benchmarks/check_arena.py [--player greedy:noise=0.1] [--repetitions 1000] [--deals 50] \
        [--rules santase] [--matches]

Every repetition is an arena of its own, with a seed of its own. In about 95 %
of them 0 must lie in the 95 % interval, for the game points as scored and for
those less the luck of the draw; and the mean over all must be 0 within its
standard error. Also prints by what factor taking the luck off
cuts the variance.
"""

from __future__ import annotations

import argparse
import math

import numpy as np
from scipy import stats

from santase.arena import ArenaResult, arena


def covered(result: ArenaResult, mean: float, stderr: float) -> bool:
    half = stats.t.ppf(0.975, result.deals - 1) * stderr
    return bool(abs(mean) <= half)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--player", default="greedy:noise=0.1")
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--rules", default="santase")
    parser.add_argument("--matches", action="store_true")
    options = parser.parse_args()
    results = [
        arena(
            options.player,
            options.player,
            deals=options.deals,
            seed=seed,
            rules=options.rules,
            matches=options.matches,
        )
        for seed in range(options.repetitions)
    ]
    print(
        f"{options.player} against itself, {options.rules}, {len(results)} arenas of {options.deals} mirrored"
        f" {'matches' if options.matches else 'hands'}"
    )
    for name, means, errors in (
        ("as scored", [r.plain_mean for r in results], [r.plain_stderr for r in results]),
        ("less luck", [r.mean for r in results], [r.stderr for r in results]),
    ):
        inside = sum(covered(*found) for found in zip(results, means, errors, strict=True))
        whole = stats.binomtest(inside, len(results), 0.95)
        print(
            f"{name}: mean {np.mean(means):+.5f} ± {np.std(means) / math.sqrt(len(means)):.5f},"
            f" 0 in the interval {inside} times ({100 * inside / len(results):.1f} %,"
            f" p {whole.pvalue:.2f} for 95 %)"
        )
    plain = np.mean([r.plain_stderr**2 for r in results])
    less = np.mean([r.stderr**2 for r in results])
    print(f"factor in variance of the luck of the draw: {plain / less:.3f}")


if __name__ == "__main__":
    main()
