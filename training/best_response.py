"""Train a best response to a frozen player, and say what it wins.

    python -m training.best_response --against santase/data/network.npz --out runs/response
    python -m training.best_response --against santase/data/network.npz --out runs/scratch --start scratch
    python -m training.best_response --against santase/data/network.npz --out runs/wide --h1 512 --h2 256
    python -m training.best_response --against santase:worlds=8 --out runs/search --hands 2e5

The frozen player is a network without search, or any player of the arena. The
response learns as the player itself did, but against it alone. What it wins is
a lower bound on what can be won against the frozen player (Lockhart and
others, "Computing Approximate Equilibria in Sequential Adversarial Games by
Exploitability Descent", 2019, call it approximate exploitability).

Of the weights kept on the way, as they are and averaged, those are chosen that
win most on some mirrored deals; what is reported is what they win on others.
The same command goes on with a run that was stopped; of one that has ended it
makes the report again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from santase.errors import SantaseError
from santase.players import make_player
from training import _selfplay, train
from training.compare import mean_of
from training.model import read_weights, weights_of
from training.ship import ship

# from scratch as the player itself has learned, from weights as at the end of that
SCHEDULES = {
    "rate": ((1e-3, 3e-5), (3e-4, 2e-5)),
    "entropy": ((0.02, 0.0015), (0.002, 0.0005)),
    "closings": ((0.03, 0.005), (0.005, 0.002)),
}


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    train.learning_options(parser)
    parser.set_defaults(hands=4e6, minibatch=2048, trust=0.95, keep=0.25e6, mix={"santase": 1.0})
    parser.set_defaults(h1=None, h2=None, rate=None, entropy=None, closings=None, warm=None)
    parser.add_argument("--against", required=True, help="weights, or a player of the arena")
    parser.add_argument("--sampled", action="store_true", help="weights are played by their probabilities")
    parser.add_argument(
        "--start", help="weights, a state.pt, or scratch; the frozen weights if nothing is said"
    )
    parser.add_argument("--choice-deals", type=int, default=20000, help="that the kept weights are judged by")
    parser.add_argument("--report-deals", type=int, default=20000)
    options = parser.parse_args(words)
    options.frozen = Path(options.against) if os.path.exists(options.against) else None
    if options.frozen is None and options.sampled:
        parser.error("--sampled is for weights")
    if options.start is None:
        options.start = options.frozen or parser.error("--start is needed against a player of the arena")
    options.start = None if str(options.start) == "scratch" else Path(options.start)
    try:
        h1, h2 = read_weights(options.start)["w2"].shape if options.start else (256, 128)
        if options.frozen is None:
            make_player(options.against).finish()
        else:
            read_weights(options.frozen)
    except (OSError, SantaseError) as error:
        parser.error(str(error))
    options.h1, options.h2 = options.h1 or h1, options.h2 or h2
    if options.start and (options.h1 < h1 or options.h2 < h2):
        parser.error(f"--h1, --h2: narrower than the {h1} and {h2} of {options.start}")
    if options.warm is None:
        # a new critic beside weights that know how to play would make them forget it
        options.warm = 0.1e6 if options.start and options.start.suffix != ".pt" else 0.0
    for name, (fresh, learned) in SCHEDULES.items():
        if getattr(options, name) is None:
            setattr(options, name, learned if options.start else fresh)
    options.digest = hashlib.sha256(options.frozen.read_bytes()).hexdigest() if options.frozen else None
    refuse_another_run(parser, options)
    return options


def refuse_another_run(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """What is in the folder must be a run against the same player, judged by the same deals."""
    config = options.out / "config.json"
    found = json.loads(config.read_text("utf-8")) if config.exists() else {}
    for name in ("digest", "against", "sampled", "mix", "seed", "choice_deals", "h1", "h2"):
        here = getattr(options, name)
        if found.get(name, here) != here:
            parser.error(f"{options.out} holds another run: {name} is {found[name]} there, {here} here")


class Responder(train.Trainer):
    """A learner against one frozen player."""

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(options)
        # one for the batches, which are played in another thread, and one for judging
        self.frozen, self.judge = self.frozen_player(options.sampled), self.frozen_player(options.sampled)

    def frozen_player(self, sampled: bool) -> _selfplay.Actor:
        if self.o.frozen is None:
            return _selfplay.OutsideActor(make_player(self.o.against), self.mix)
        return _selfplay.NetworkActor(weights_of(read_weights(self.o.frozen)), sampled)

    def opponent(self, rng: np.random.Generator) -> _selfplay.Actor:
        return self.frozen

    def run(self) -> None:
        if self.hands == 0:
            self.keep()  # what it begins with is a candidate too
        super().run()

    def keep(self) -> dict[str, float]:
        found = [self.judged(path) for path in self.write_weights()]
        return {"now": found[0][0], "average": found[1][0]}

    # ---------------------------------------------------------------- judging

    def seed(self, use: int) -> int:
        """A seed of deals for one use: 1 to choose by, 2 to report."""
        return int(np.random.SeedSequence([self.o.seed, use]).generate_state(1, np.uint64)[0])

    def judged(self, path: Path) -> tuple[float, float]:
        """What weights win on the deals to choose by, with its error; played once, then remembered."""
        book = self.o.out / "choice.json"
        known = json.loads(book.read_text("utf-8")) if book.exists() else {}
        arrays = read_weights(path)
        name = f"{path.stem} {arrays['hands']}"
        if name not in known:
            actor = _selfplay.NetworkActor(weights_of(arrays))
            known[name] = mean_of(
                _selfplay.play_match(actor, self.judge, self.mix, self.seed(1), self.o.choice_deals)
            )
            side = book.with_name("choice.json.new")
            side.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
            os.replace(side, book)
        mean, error = known[name]
        return mean, error

    def report(self) -> dict[str, Any]:
        """Choose among all kept weights, and measure the choice on fresh deals."""
        kept = sorted(path for kind in ("now", "average") for path in self.o.out.glob(f"{kind}-*M.npz"))
        chosen = max(kept, key=lambda path: self.judged(path)[0])
        arrays = read_weights(chosen)
        results = []
        for frozen_sampled in (False, True) if self.o.frozen else (False,):
            for sampled in (False, True):
                mean, error = mean_of(
                    _selfplay.play_match(
                        _selfplay.NetworkActor(weights_of(arrays), sampled),
                        self.frozen_player(frozen_sampled), self.mix, self.seed(2), self.o.report_deals,
                    )
                )  # fmt: skip
                how = {"response_sampled": sampled, "frozen_sampled": frozen_sampled}
                results.append(how | {"mean": mean, "error": error})
        about = {
            "against": self.o.against,
            "trained_against": "sampled" if self.o.sampled else "most likely",
            "start": str(self.o.start or "scratch"),
            "widths": [self.o.h1, self.o.h2],
            "rules": self.o.mix,
            "seed": self.o.seed,
            "hands": self.hands,
            "machine_hours": round(self.seconds / 3600, 2),
            "chosen": chosen.stem,
            "chosen_by": dict(zip(("mean", "error"), self.judged(chosen), strict=True)),
            "candidates": len(kept),
            "choice_deals": self.o.choice_deals,
            "report_deals": self.o.report_deals,
        }
        report = about | {"results": results}
        (self.o.out / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
        ship(arrays, about, self.o.out / "response.npz")
        return report


def show(report: dict[str, Any]) -> None:
    h1, h2 = report["widths"]
    print(
        f"best response to {report['against']} ({report['trained_against']}), from {report['start']},"
        f" {h1}-{h2}, {report['hands'] / 1e6:.2f} M hands:\n{report['chosen']}, the best of"
        f" {report['candidates']} on {report['choice_deals']} deals; on {report['report_deals']} others:"
    )
    words = {False: "most likely", True: "sampled"}
    for row in report["results"]:
        print(
            f"  response {words[row['response_sampled']]:<11}  frozen {words[row['frozen_sampled']]:<11}"
            f"  {row['mean']:+.4f} ± {row['error']:.4f} game points a hand"
        )


def main(words: Sequence[str] | None = None) -> dict[str, Any]:
    options = arguments(words)
    responder = Responder(options)
    train.run(responder)
    if responder.hands < options.hands:
        print(f"stopped after {responder.hands / 1e6:.2f} M of {options.hands / 1e6:.2f} M hands")
    report = responder.report()
    show(report)
    return report


if __name__ == "__main__":
    main()
