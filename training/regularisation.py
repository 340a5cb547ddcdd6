"""Does what should keep self-play from going round in circles make the player better?

    python -m training.regularisation --start santase/data/network.npz --out runs/regularisation

Trains further from the same weights for the same number of hands, with the
same seed and schedules, once as it is and once with each kind of regularisation.
Then they meet each other without search, and a best response is trained
against each for the same number of hands. Prints tables in Markdown; a run that
is stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import itertools
import json
from pathlib import Path
from typing import Any

from training import _selfplay, best_response, train
from training.compare import mean_of
from training.model import read_weights, weights_of

VARIANTS = {
    "plain": [],
    "magnet 0.02": ["--magnet", "0.02"],
    "magnet 0.1": ["--magnet", "0.1"],
    "pool": ["--pool", "0.25"],
}
# those of the last part of a whole run
SCHEDULE = [
    "--minibatch", "2048", "--trust", "0.95", "--rate", "3e-4", "3e-5", "--entropy", "0.005", "0.0015",
    "--closings", "0.01", "0.005",
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--start", type=Path, required=True, help="weights, or better a state.pt")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    parser.add_argument("--hands", type=float, default=1e6, help="of further training")
    parser.add_argument("--response-hands", type=float, default=1e6)
    parser.add_argument("--deals", type=int, default=40000, help="of each meeting")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    h1, h2 = (str(width) for width in read_weights(options.start)["w2"].shape)
    ends, results = {"start": options.start}, []
    for variant in options.variants:
        out = options.out / variant.replace(" ", "-")
        ends[variant] = out / "state.pt"
        words = [
            "--out", str(out), "--start", str(options.start), "--seed", str(options.seed),
            "--hands", str(options.hands), "--h1", h1, "--h2", h2, "--keep", str(options.hands / 10),
        ]  # fmt: skip
        train.main([*words, *SCHEDULE, *VARIANTS[variant]])
    arrays = {name: read_weights(path) for name, path in ends.items()}
    for sampled in (False, True):
        players = {name: _selfplay.NetworkActor(weights_of(found), sampled) for name, found in arrays.items()}
        mix = _selfplay.Mix({"santase": 1.0})
        print(f"\n{options.deals} deals, {'sampled' if sampled else 'most likely'} actions:")
        for one, other in itertools.combinations(players, 2):
            mean, error = mean_of(
                _selfplay.play_match(players[other], players[one], mix, options.seed, options.deals)
            )
            print(f"  {other} - {one}: {mean:+.4f} ± {error:.4f}", flush=True)
            results.append({"a": other, "b": one, "sampled": sampled, "mean": mean, "error": error})
    responses = {name: respond(options, name, ends[name]) for name in options.variants}
    print("\n| weights | response to the most likely action | the same against sampled actions |")
    print("|---|---|---|")
    for name, report in responses.items():
        wins = {row["frozen_sampled"]: row for row in report["results"] if not row["response_sampled"]}
        cells = [f"{wins[sampled]['mean']:+.4f} ± {wins[sampled]['error']:.4f}" for sampled in (False, True)]
        print(f"| {name} | {cells[0]} | {cells[1]} |")
    text = json.dumps({"meetings": results, "responses": responses}, indent=1)
    (options.out / "regularisation.json").write_text(text + "\n", encoding="utf-8")


def respond(options: argparse.Namespace, name: str, state: Path) -> dict[str, Any]:
    """Train a best response to the averaged weights of a state, begun from it, its critic included."""
    out = options.out / f"{name}-response".replace(" ", "-")
    return best_response.main(
        ["--against", str(state), "--start", str(state), "--out", str(out), "--seed", str(options.seed),
         "--hands", str(options.response_hands), "--keep", str(options.response_hands / 8)]
    )  # fmt: skip


if __name__ == "__main__":
    main()
