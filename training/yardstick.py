"""Mirrored deals of a network without search against plain ISMCTS.

    python -m training.yardstick santase/data/network.npz --iterations 2000 --deals 200

The network plays its most likely action, and exactly once the talon is
exhausted. The tree search is given iterations, not time, so that the result
does not hang on what else the machine is doing.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import numpy as np

import santase
from santase._ismcts import Tree
from santase._network import Network, load_network
from santase.actions import ACTIONS, Action
from training import _selfplay
from training.ship import rounded


class Searcher:
    """The yardstick: the most visited action of a tree."""

    def __init__(self, iterations: int, seed: int) -> None:
        self.iterations, self.seed = iterations, seed
        self.seconds, self.moves = 0.0, 0

    def move(self, position: santase.Position) -> Action:
        legal = position.legal_actions()
        if "call" in legal and position.points[position.to_move] >= position.rules.target:
            return ACTIONS[30]
        if len([action for action in legal if action != "call"]) == 1:
            return legal[0]
        self.seed += 1
        began = time.process_time()
        tree = Tree(position.view(), seed=self.seed)
        tree.run(self.iterations, math.inf)
        results = tree.results()
        self.seconds += time.process_time() - began
        self.moves += 1
        return max(results, key=lambda action: results[action][0])


def network_move(network: Network, position: santase.Position) -> Action:
    if position.phase == "exhausted":
        return ACTIONS[_selfplay.best_ending(position)]
    chances, _ = network.policy(position)
    return max(chances, key=lambda action: chances[action])


def load(path: Path) -> Network:
    """A shipped file, or float weights of a run, which are rounded."""
    with np.load(path) as stored:
        if "about" in stored:
            return load_network(path)
        return Network(rounded(dict(stored)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--rules", default="santase")
    parser.add_argument("--seed", type=int, default=1000)
    options = parser.parse_args()
    network = load(options.weights)
    searcher = Searcher(options.iterations, options.seed << 20)
    scores, closings = [], [0, 0]
    for number in range(options.deals):
        total = 0.0
        for seat in range(2):
            position = santase.deal(options.seed + number, rules=options.rules)
            while not position.is_over:
                ours = position.to_move == seat
                action = network_move(network, position) if ours else searcher.move(position)
                closings[ours] += action == "close"
                position = position.play(action)
            outcome = position.outcome
            if outcome is not None and outcome.winner is not None:
                total += outcome.game_points * (1 if outcome.winner == seat else -1)
        scores.append(total / 2)
        if number + 1 in (50, options.deals) or (number + 1) % 100 == 0:
            error = np.std(scores, ddof=1) / len(scores) ** 0.5
            print(
                f"{options.weights} - ismcts {options.iterations}: {np.mean(scores):+.3f} ± {error:.3f}"
                f" ({options.rules}, {number + 1} deals), closings {closings[1]} - {closings[0]},"
                f" {1000 * searcher.seconds / max(1, searcher.moves):.1f} ms of search a move",
                flush=True,
            )


if __name__ == "__main__":
    main()
