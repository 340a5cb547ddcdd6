"""Fit the weights of the luck of the draw to a log of the arena, and say how much variance they take away.

    python benchmarks/fit_luck.py LOG [LOG TO TEST ON]

Least squares of each hand's game points on what its draws gave beyond
expectation. A log of hands between equal players is wanted; it is split in
halves, one to fit and the other to test on, unless another log is given for that.
"""

from __future__ import annotations

import json
import sys

import numpy as np

from santase import deal, hand_seed
from santase._luck import FEATURE_NAMES, draw_features


def read(path: str) -> tuple[np.ndarray, np.ndarray]:
    """Of each hand, in mirrored pairs: the features and the game points, of A."""
    features, points = [], []
    with open(path, encoding="utf-8") as lines:
        rules = json.loads(next(lines))["rules"]
        for line in lines:
            unit = json.loads(line)
            start = deal(hand_seed(unit["seed"], 1), rules)
            for mirrored, game in enumerate(unit["games"]):
                hand = game["hands"][0]
                found = np.array(draw_features(start, hand["actions"].split()))
                features.append(-found if mirrored else found)
                points.append(hand["points"])
    return np.array(features), np.array(points, dtype=float)


def pairs(values: np.ndarray) -> np.ndarray:
    return values[0::2] + values[1::2]


def main(paths: list[str]) -> None:
    features, points = read(paths[0])
    if len(paths) > 1:
        test_features, test_points = read(paths[1])
    else:
        half = len(points) // 4 * 2
        test_features, test_points = features[half:], points[half:]
        features, points = features[:half], points[:half]
    weights = np.linalg.lstsq(features, points, rcond=None)[0]
    for name, weight in zip(FEATURE_NAMES, weights, strict=True):
        print(f"{name:20} {weight:+.3f}")
    print(", ".join(f"{weight:.3f}" for weight in weights))
    plain = pairs(test_points).var()
    print(f"{len(points)} hands to fit, {len(test_points)} to test on")
    print(f"variance of a hand over half that of a pair: {test_points.var() * 2 / plain:.2f}")
    left = pairs(test_points - test_features @ weights).var()
    print(f"variance of a pair without and with: {plain:.3f}, {left:.3f}; factor {plain / left:.3f}")


if __name__ == "__main__":
    main(sys.argv[1:])
