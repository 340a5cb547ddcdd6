"""Train the network by self-play, reproducibly.

    python -m training.train --out runs/first --seed 1 --hands 10000000

Proximal policy optimization (Schulman et al., 2017) in self-play: both seats
are played by the same network, each on its own view. What differs from the
textbook: the baseline is a critic that sees all the cards (it is thrown away
afterwards), and the policy may be pulled towards a slowly moving average of
itself (magnetic mirror descent, Sokota et al., 2023). Each iteration is logged
as one JSON line; the state is written to the side and renamed, so that a run
that is killed goes on where it was with the same command (the batch that was
being played is then played with newer weights than it would have been).
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training import _selfplay
from training.model import MOVES, SparseNet, read_weights, weights_of

COLUMNS = (
    "start", "seen", "end", "moves", "move", "logp", "old", "advantage", "target", "result",
)  # fmt: skip
MIX = {"santase": 0.64, "santase-bg": 0.08, "santase-engine": 0.10, "schnapsen": 0.10, "sixty-six": 0.08}


def learning_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of any run that learns."""
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hands", type=float, default=10e6, help="in all; the schedules end there")
    parser.add_argument("--batch", type=int, default=65536, help="decisions an iteration")
    parser.add_argument("--minibatch", type=int, default=8192)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--h1", type=int, default=256)
    parser.add_argument("--h2", type=int, default=128)
    parser.add_argument("--rate", type=float, nargs=2, default=(1e-3, 5e-5))
    parser.add_argument("--entropy", type=float, nargs=2, default=(0.02, 0.002))
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--trust", type=float, default=0.9, help="lambda of the advantages")
    parser.add_argument(
        "--closings", type=float, nargs=2, default=(0.03, 0.01), help="chance of forced closings"
    )
    parser.add_argument("--spared", type=float, default=0.75, help="share of near-certain decisions left out")
    parser.add_argument("--plain", action="store_true", help="no critic that sees all cards")
    parser.add_argument("--magnet", type=float, default=0.0, help="weight of the pull")
    parser.add_argument("--magnet-decay", type=float, default=0.98)
    parser.add_argument("--average", type=float, default=0.995, help="decay of the averaged weights")
    parser.add_argument("--keep", type=float, default=0.5e6, help="hands between kept weights")
    parser.add_argument("--mix", type=json.loads, default=MIX, help="rules and their shares, JSON")
    parser.add_argument("--warm", type=float, default=0, help="hands from which the critic alone learns")
    parser.add_argument("--minutes", type=float, default=1e9, help="stop, resumable, after so long")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch")


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    learning_options(parser)
    parser.add_argument("--pool", type=float, default=0.0, help="share of batches against past selves")
    parser.add_argument("--start", type=Path, help="weights to begin with: a state.pt, or an .npz file")
    return parser.parse_args(words)


def between(ends: tuple[float, float], progress: float) -> float:
    """From one end to the other in equal ratios."""
    return float(ends[0] * (ends[1] / ends[0]) ** min(1.0, progress))


class Trainer:
    """Self-play; what a run against somebody else does differently is in ``opponent`` and ``keep``."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.o = options
        torch.manual_seed(options.seed)
        torch.set_num_threads(options.threads)
        self.policy = SparseNet(_selfplay.INPUTS, options.h1, options.h2, MOVES + 1)
        self.critic = None if options.plain else SparseNet(_selfplay.CRITIC_INPUTS, 128, 32, 1)
        if self.critic is not None:
            with torch.no_grad():
                self.critic.w3.mul_(0.1)
        parameters = [*self.policy.parameters(), *(self.critic.parameters() if self.critic else [])]
        self.optimizer = torch.optim.Adam(parameters, lr=options.rate[0], eps=1e-6)
        self.average = self.policy.arrays()
        self.magnet = self.policy.arrays()
        self.hands = 0
        self.iteration = 0
        self.seconds = 0.0
        self.kept = 0
        self.mix = _selfplay.Mix(options.mix)
        self.batches = [_selfplay.Batch(options.batch) for _ in range(2)]
        self.worker = ThreadPoolExecutor(1)
        self.started = 0
        self.next: Future[tuple[dict[str, np.ndarray], dict[str, float]]] | None = None
        self.gradients = tuple(
            _selfplay.Gradient(net.arrays()) if net is not None else None
            for net in (self.policy, self.critic)
        )
        self.pool: list[dict[str, np.ndarray]] = []

    # ---------------------------------------------------------------- state

    def save(self) -> None:
        state = {
            "policy": self.policy.state_dict(),
            "critic": self.critic.state_dict() if self.critic else None,
            "optimizer": self.optimizer.state_dict(),
            "average": self.average, "magnet": self.magnet, "pool": self.pool,
            "hands": self.hands, "iteration": self.iteration, "seconds": self.seconds, "kept": self.kept,
            "options": plain(self.o),
        }  # fmt: skip
        side = self.o.out / "state.pt.new"
        torch.save(state, side)
        os.replace(side, self.o.out / "state.pt")

    def load(self, path: Path) -> None:
        """Go on from a state."""
        state = torch.load(path, weights_only=False)
        self.policy.load_state_dict(state["policy"])
        if self.critic and state["critic"]:
            self.critic.load_state_dict(state["critic"])
        self.average, self.magnet, self.pool = state["average"], state["magnet"], state["pool"]
        self.optimizer.load_state_dict(state["optimizer"])
        for name in ("hands", "iteration", "seconds", "kept"):
            setattr(self, name, state[name])
        self.started = self.iteration

    def begin(self, path: Path) -> None:
        """Begin with the weights of a state, its critic's included, or of an ``.npz`` file."""
        if path.suffix != ".pt":
            self.policy.put(read_weights(path))
        else:
            state = torch.load(path, weights_only=False)
            begun = SparseNet(_selfplay.INPUTS, *state["policy"]["w2"].shape, MOVES + 1)
            begun.load_state_dict(state["policy"])
            if begun.w2.shape == self.policy.w2.shape:
                self.policy.load_state_dict(state["policy"])
            else:
                self.policy.put(begun.arrays())
            if self.critic and state["critic"]:
                self.critic.load_state_dict(state["critic"])
        self.average, self.magnet = self.policy.arrays(), self.policy.arrays()

    def write_weights(self) -> list[Path]:
        """Write the weights of this moment, as they are and averaged."""
        paths = []
        for kind, arrays in (("now", self.policy.arrays()), ("average", self.average)):
            paths.append(self.o.out / f"{kind}-{self.hands / 1e6:06.2f}M.npz")
            np.savez(paths[-1], **arrays, hands=self.hands, seconds=self.seconds)
        return paths

    def keep(self) -> dict[str, float]:
        """Keep the weights of this moment; returns what the log is to say of them."""
        self.write_weights()
        if self.o.pool:
            self.pool.append(self.policy.arrays())
        now, nobody = _selfplay.NetworkActor(self.policy.weights()), _selfplay.RandomActor()
        return {"random": float(_selfplay.play_match(now, nobody, self.mix, 5, 500).mean())}

    # ---------------------------------------------------------------- one iteration

    def opponent(self, rng: np.random.Generator) -> _selfplay.Actor | None:
        """Who the next batch is played against; ``None`` for the learner itself."""
        if self.pool and rng.random() < self.o.pool:
            return _selfplay.NetworkActor(weights_of(self.pool[rng.integers(len(self.pool))]), sampled=True)
        return None

    def play(self) -> Future[tuple[dict[str, np.ndarray], dict[str, float]]]:
        """Begin, on the other thread, to play a batch with the weights as they are now."""
        policy = self.policy.weights()
        critic = self.critic.weights() if self.critic else None
        magnet = weights_of(self.magnet) if self.o.magnet else None
        rng = np.random.default_rng([self.o.seed, self.started])
        other = self.opponent(rng)
        seed = int(rng.integers(1 << 63))
        trust = 1.0 if self.o.plain else self.o.trust
        closings = between(self.o.closings, self.hands / self.o.hands)
        batch = self.batches[self.started % 2]
        self.started += 1

        def work() -> tuple[dict[str, np.ndarray], dict[str, float]]:
            batch.play(policy, critic, other, magnet, self.mix, seed, trust, closings, self.o.spared)
            n, hands, stats = batch.n, batch.hands, batch.stats
            data = {"inputs": batch.inputs} | {name: getattr(batch, name)[:n] for name in COLUMNS}
            return data, {
                "batch_hands": hands,
                "decisions": n,
                "entropy": stats[0] / n,
                "close": stats[2] / max(1.0, stats[1]),
                "closed": stats[2] / hands,
                "spread": float(np.sqrt(stats[3] / hands)),
                "missed": float(stats[4] / n / np.mean(data["result"] ** 2)),
                "advantage": float(data["advantage"].std()),
            }

        return self.worker.submit(work)

    def minibatches(self, n: int) -> Iterator[np.ndarray]:
        rng = np.random.default_rng([self.o.seed, self.iteration, 7])
        for _ in range(self.o.epochs):
            order = rng.permutation(n).astype(np.int32)
            # whole minibatches only, but at least one
            for at in range(0, max(n - self.o.minibatch, 0) + 1, self.o.minibatch):
                yield np.sort(order[at : at + self.o.minibatch])

    def learn(self, data: dict[str, np.ndarray], rate: float, entropy_weight: float) -> dict[str, float]:
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        sums = np.zeros(6)
        _selfplay.bring_up_to_date(self.policy.weights(), data)
        for which in self.minibatches(len(data["move"])):
            sums += [1, *self.differentiate(data, which, entropy_weight)]
            if self.hands <= self.o.warm:
                self.policy.zero_grad()  # without gradients the optimizer leaves it alone
            torch.nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
            self.optimizer.step()
        names = ("gain", "value_loss", "critic_loss", "moved", "outside")
        return {"steps": sums[0]} | {name: sums[i + 1] / sums[0] for i, name in enumerate(names)}

    def differentiate(
        self, data: dict[str, np.ndarray], which: np.ndarray, entropy_weight: float
    ) -> np.ndarray:
        """Set the gradients of a minibatch; returns the means of what the loss is made of."""
        for gradient in self.gradients:
            if gradient is not None:
                gradient.clear()
        sums = _selfplay.differentiate(
            self.policy.weights(), self.critic.weights() if self.critic else None, *self.gradients, data,
            which, 1 / len(which), self.o.clip, entropy_weight, 0.25, self.o.magnet,
        )  # fmt: skip
        for net, gradient in zip((self.policy, self.critic), self.gradients, strict=True):
            if net is not None:
                net.take(gradient.arrays)
        return np.array(sums) / len(which)

    def iterate(self) -> dict[str, Any]:
        began = time.perf_counter()
        progress = self.hands / self.o.hands
        rate, entropy_weight = between(self.o.rate, progress), between(self.o.entropy, progress)
        data, line = (self.next or self.play()).result()
        self.hands += int(line["batch_hands"])
        # the next batch is played while this one is learned from, so it is one step behind
        self.next = self.play()
        played = time.perf_counter()
        line |= self.learn(data, rate, entropy_weight)
        now = self.policy.arrays()
        decay = min(self.o.average, self.iteration / (self.iteration + 10))
        for name, value in now.items():
            self.average[name] += (1 - decay) * (value - self.average[name])
            self.magnet[name] += (1 - self.o.magnet_decay) * (value - self.magnet[name])
        self.iteration += 1
        took = time.perf_counter() - began
        self.seconds += took
        return {
            "iteration": self.iteration, "hands": self.hands, "seconds": round(self.seconds, 1),
            "play": round(played - began, 2), "learn": round(took + began - played, 2),
            "rate": rate, "entropy_weight": entropy_weight, **line,
        }  # fmt: skip

    def run(self) -> None:
        began = time.monotonic()
        with open(self.o.out / "log.jsonl", "a", encoding="utf-8") as log:
            while self.hands < self.o.hands and time.monotonic() - began < 60 * self.o.minutes:
                line = self.iterate()
                if self.hands // self.o.keep > self.kept:
                    self.kept = int(self.hands // self.o.keep)
                    line |= self.keep()
                if self.iteration % 20 == 0:
                    self.save()
                log.write(
                    json.dumps({k: round(v, 6) if isinstance(v, float) else v for k, v in line.items()})
                )
                log.write("\n")
                log.flush()
        self.write_weights()
        self.save()


def plain(options: argparse.Namespace) -> dict[str, Any]:
    """Options as JSON can say them."""
    return {name: str(value) if isinstance(value, Path) else value for name, value in vars(options).items()}


def write_config(options: argparse.Namespace) -> None:
    """Write into the folder of a run its options, and with what it was made."""
    told = plain(options) | {"command": command(), "commit": commit()}
    (options.out / "config.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def command() -> str:
    """What this process was started with."""
    words = sys.orig_argv[1:]
    return shlex.join(["python", *words])


def commit() -> str:
    """The commit of the checkout, with a plus sign where files differ from it; empty outside of one."""
    here = Path(__file__).parent

    def git(*words: str) -> str:
        return subprocess.run(("git", *words), cwd=here, capture_output=True, text=True, check=True).stdout

    try:
        return git("rev-parse", "HEAD").strip() + "+" * bool(git("status", "--porcelain", "-uno"))
    except (OSError, subprocess.CalledProcessError):
        return ""


def run(trainer: Trainer) -> None:
    """Begin, or go on where the run in its folder was, to the end."""
    options = trainer.o
    options.out.mkdir(parents=True, exist_ok=True)
    if (options.out / "state.pt").exists():
        trainer.load(options.out / "state.pt")
    elif options.start:
        trainer.begin(options.start)
    write_config(options)
    trainer.run()


def main(words: Sequence[str] | None = None) -> None:
    run(Trainer(arguments(words)))


if __name__ == "__main__":
    main()
