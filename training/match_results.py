"""Count how hands between equals end: ``python -m training.match_results``.

Plays hands of the shipped policy against itself, drawing actions from it, with
endings solved exactly, and writes how often the first leader scored what, in
every preset, to ``santase/data/results.json``. ``santase.match`` makes the
chances to win a match of it.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from pathlib import Path

import santase
from santase._network import shipped_network


def drawn(policy: dict[santase.Action, float], at: float) -> santase.Action:
    """The action at a place from 0 to 1 of the policy's probabilities, one after another."""
    left = at * math.fsum(policy.values())
    for action, chance in policy.items():
        left -= chance
        if left < 0:
            return action
    return max(policy, key=lambda action: policy[action])


def play_hand(position: santase.Position, solver: santase.Solver, seed: int) -> int:
    """Game points of the first leader, player 0."""
    network = shipped_network(position.rules)
    step = 1
    while not position.is_over:
        view = position.view()
        if view.is_full:
            value = solver.value(position)
            assert value is not None
            return value if position.to_move == 0 else -value
        policy, _ = network.policy(view)
        step += 1
        position = position.play(drawn(policy, santase.hand_seed(seed, step) / 2**64))
    outcome = position.outcome
    assert outcome is not None
    return outcome.game_points if outcome.winner == 0 else -outcome.game_points


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts = {}
    for name in santase.RULES:
        solver = santase.Solver(1 << 20)
        results = Counter(
            play_hand(santase.deal(hand, name), solver, hand)
            for hand in (santase.hand_seed(options.seed, n) for n in range(2, options.hands + 2))
        )
        counts[name] = {str(points): results[points] for points in sorted(results)}
        print(name, counts[name], flush=True)
    about = {
        "command": f"python -m training.match_results --hands {options.hands} --seed {options.seed}",
        "networks": {name: shipped_network(rules).about for name, rules in santase.RULES.items()},
    }
    path = Path(santase.__file__).parent / "data" / "results.json"
    path.write_text(json.dumps({"about": about, "counts": counts}, indent=1) + "\n")


if __name__ == "__main__":
    main()
