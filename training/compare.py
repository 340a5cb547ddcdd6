"""Mirrored matches between kept weights, floating-point, without search.

python -m training.compare runs/a/now-001.00M.npz runs/b/now-001.00M.npz --deals 4000 --rules santase
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from training import _selfplay
from training.model import weights_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("weights", type=Path, nargs="+", help="the first plays each of the others")
    parser.add_argument("--deals", type=int, default=4000)
    parser.add_argument("--rules", default="santase")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument(
        "--sample", action="store_true", help="both sample instead of taking the most likely move"
    )
    options = parser.parse_args()
    mix = _selfplay.Mix({options.rules: 1.0})

    def load(path: Path) -> _selfplay.Weights | None:
        if str(path) == "random":
            return None
        with np.load(path) as arrays:
            return weights_of(dict(arrays))

    first, *others = options.weights
    for other in others:
        scores = _selfplay.play_match(
            load(first), load(other), mix, options.seed, options.deals, not options.sample, not options.sample
        )
        error = scores.std(ddof=1) / len(scores) ** 0.5
        print(
            f"{first} - {other}: {scores.mean():+.3f} ± {error:.3f} ({options.rules}, {options.deals} deals)"
        )


if __name__ == "__main__":
    main()
