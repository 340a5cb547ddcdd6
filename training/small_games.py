"""Does the trainer find the equilibrium of games that are small enough to know?

    python -m training.small_games --out runs/small

House rules make the game small enough for OpenSpiel to walk its whole tree and
to say exactly what a best response wins: the exploitability, in game points a
hand, averaged over both seats; 0 is an equilibrium. The trainer learns such a
game as it learns the full one, with and without what may keep it from going
round in circles, and is measured on the way: the weights of the moment and the
averaged ones, drawn by their probabilities, and their most likely action.

Needs the extras ``train`` and ``openspiel``. A run that is stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyspiel

import santase
from santase._network import Network
from santase.env.openspiel import ExtensiveForm
from training import train
from training.ship import rounded

GAMES = {
    "two cards each": "santase+ranks=QKA+suits=CD+hand_size=2+close_before_first_trick=yes"
    "+target=20+schneider=10",
    "three cards each": "santase+ranks=QKTA+suits=CD+hand_size=3+close_before_first_trick=yes+automatic=yes"
    "+target=33+schneider=16",
}
VARIANTS = {
    "plain": [],
    "magnet 0.02": ["--magnet", "0.02"],
    "magnet 0.1": ["--magnet", "0.1"],
    "pool": ["--pool", "0.5"],
}
# a network as small as the games; entropy that fades, as in the run behind the shipped weights
SETTINGS = [
    "--h1", "64", "--h2", "32", "--batch", "4096", "--minibatch", "512", "--trust", "0.95", "--spared", "0",
    "--rate", "1e-3", "3e-5", "--entropy", "0.02", "0.0015", "--closings", "0.03", "0.005",
    "--average", "0.98", "--magnet-decay", "0.95",
]  # fmt: skip

Chances = dict[santase.Action, float]


class SmallGame:
    """The tree of a game, and how far a network's policy is from its equilibrium."""

    def __init__(self, rules: str) -> None:
        self.tree = ExtensiveForm(rules)
        # endings are played exactly, as by the trainer and by the player
        self.exact: dict[santase.Position, santase.Action] = {}
        for view in set(self.tree.views.values()):
            if view.phase == "exhausted":
                self.exact[view] = santase.analyze(view, 0).best

    def exploitability(self, choose: Callable[[santase.Position], Chances]) -> float:
        def with_endings(view: santase.Position) -> Chances:
            return {self.exact[view]: 1.0} if view in self.exact else choose(view)

        return float(pyspiel.exploitability(self.tree.game, self.tree.policy(with_endings)))

    def measure(self, arrays: dict[str, np.ndarray]) -> tuple[float, float]:
        """Exploitability of a policy drawn by its probabilities, and of its most likely action."""
        network = Network(rounded(arrays))

        def likeliest(view: santase.Position) -> Chances:
            chances, _ = network.policy(view)
            return {max(chances, key=lambda action: chances[action]): 1.0}

        return self.exploitability(lambda view: network.policy(view)[0]), self.exploitability(likeliest)


class Watched(train.Trainer):
    """A trainer that is measured whenever it keeps its weights."""

    game: SmallGame

    def keep(self) -> dict[str, float]:
        super().keep()
        found = {}
        for kind, arrays in (("now", self.policy.arrays()), ("average", self.average)):
            found[kind], found[f"{kind}_likeliest"] = self.game.measure(arrays)
        return found


def equilibrium(game: SmallGame, iterations: int) -> float:
    """What CFR+ comes to in so many iterations: the least that there is to be expected."""
    solver = pyspiel.CFRPlusSolver(game.tree.game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return float(pyspiel.exploitability(game.tree.game, solver.average_policy()))


def run(game: SmallGame, words: list[str]) -> list[dict[str, float]]:
    """Train, or go on; returns the lines of the log on which it was measured."""
    options = train.arguments(words)
    trainer = Watched(options)
    trainer.game = game
    train.run(trainer)
    lines = (options.out / "log.jsonl").read_text("utf-8").splitlines()
    return [line for line in map(json.loads, lines) if "now" in line]


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    parser.add_argument("--hands", type=float, default=1e6)
    parser.add_argument("--measured", type=int, default=8, help="times")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--iterations", type=int, default=20, help="of CFR+, to compare with")
    options = parser.parse_args(words)
    options.out.mkdir(parents=True, exist_ok=True)
    results = []
    for name in options.games:
        game = SmallGame(GAMES[name])
        print(f"\n{name}: `{game.tree.rules}`")
        print(f"{game.tree.nodes:,} nodes, {len(game.tree.views):,} information sets;", end=" ")
        began = time.process_time()
        print(f"CFR+, {options.iterations} iterations: {equilibrium(game, options.iterations):.4f}", end=" ")
        print(f"({time.process_time() - began:.0f} s)\n", flush=True)
        for variant in options.variants:
            out = options.out / f"{name}--{variant}--{options.seed}".replace(" ", "-")
            measured = run(
                game,
                ["--out", str(out), "--seed", str(options.seed), "--hands", str(options.hands),
                 "--keep", str(options.hands / options.measured), "--mix", json.dumps({GAMES[name]: 1.0}),
                 *SETTINGS, *VARIANTS[variant]],
            )  # fmt: skip
            if variant == options.variants[0]:
                heads = [f"{line['hands'] / 1e6:.2f} M" for line in measured]
                print(f"| | weights | {' | '.join(heads)} |\n|---|---|{'---|' * len(heads)}")
            for kind in ("now", "average", "average_likeliest"):
                shown = " | ".join(f"{line[kind]:.3f}" for line in measured)
                print(f"| {variant} | {kind.replace('_', ', ')} | {shown} |", flush=True)
            results.append({"game": name, "variant": variant, "seed": options.seed, "measured": measured})
    (options.out / "small_games.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
