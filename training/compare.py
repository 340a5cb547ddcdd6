"""Mirrored matches between weights, kept or shipped, floating-point, without search; or against ``random``.

python -m training.compare runs/a/now-001.00M.npz runs/b/now-001.00M.npz --deals 4000 --rules santase
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from training import _selfplay
from training.model import read_weights, weights_of


def mean_of(scores: np.ndarray) -> tuple[float, float]:
    """The mean of independent scores, and its standard error."""
    return float(scores.mean()), float(scores.std(ddof=1) / len(scores) ** 0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "weights", type=Path, nargs="+", help="the first plays each of the others, files or random"
    )
    parser.add_argument("--deals", type=int, default=4000)
    parser.add_argument("--rules", default="santase")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument(
        "--sample", action="store_true", help="both sample instead of taking the most likely move"
    )
    options = parser.parse_args()
    mix = _selfplay.Mix({options.rules: 1.0})

    def actor(path: Path) -> _selfplay.Actor:
        if str(path) == "random":
            return _selfplay.RandomActor()
        return _selfplay.NetworkActor(weights_of(read_weights(path)), options.sample)

    first, *others = options.weights
    for other in others:
        mean, error = mean_of(
            _selfplay.play_match(actor(first), actor(other), mix, options.seed, options.deals)
        )
        print(f"{first} - {other}: {mean:+.3f} ± {error:.3f} ({options.rules}, {options.deals} deals)")


if __name__ == "__main__":
    main()
