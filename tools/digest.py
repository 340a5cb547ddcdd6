"""One line for each kind of answer that a seed decides: equal lines, equal answers.

    python tools/digest.py > here.txt        # then the same elsewhere, and diff
    python tools/digest.py --threads 8       # the same lines, whatever the number

For comparing builds, versions of Python, systems and processors (docs/determinism.md). Takes about
ten seconds; needs NumPy, and SciPy for the arena.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Callable, Iterator

import santase
from santase.arena import arena
from santase.compare import compare

SEEDS = (0, 1, 7, 2**63, 2**64 - 1)


def deals(threads: int) -> Iterator[object]:
    for rules in santase.RULES:
        for seed in SEEDS:
            yield santase.deal(seed, rules)
        yield santase.deal_many(500, 3, rules).tobytes()


def seeds(threads: int) -> Iterator[object]:
    for seed in SEEDS:
        yield [santase.hand_seed(seed, number) for number in range(1, 20)]


def worlds(threads: int) -> Iterator[object]:
    for rules in santase.RULES:
        for seed in SEEDS:
            yield [
                str(world) for world in santase.sample_worlds(santase.deal(seed, rules).view(), 20, seed=seed)
            ]


def playouts(threads: int) -> Iterator[object]:
    for rules in santase.RULES:
        yield santase.random_playouts(5000, seed=11, rules=rules).tobytes()


def values(threads: int) -> Iterator[object]:
    for rules in santase.RULES:
        positions = [santase.deal(seed, rules) for seed in range(30)]
        yield santase.solve_many(positions, threads=threads).tolist()
        solution = santase.solve(positions[0])
        yield solution.value, [*map(str, solution.line)], {str(a): v for a, v in solution.actions.items()}


def policies(threads: int) -> Iterator[object]:
    from santase._network import shipped_network

    for rules in santase.RULES:
        for seed in SEEDS:
            chances, value = shipped_network().policy(santase.deal(seed, rules))
            yield {str(a): c.hex() for a, c in chances.items()}, float(value).hex()


def analyses(threads: int) -> Iterator[object]:
    for rules in santase.RULES:
        for seed in SEEDS:
            found = santase.analyze(santase.deal(seed, rules), worlds=600, seed=seed, threads=threads)
            yield str(found.best), found.worlds
            for action, estimate in found.actions.items():
                yield str(action), estimate.worlds, float(estimate.mean).hex(), float(estimate.stderr).hex()
        found = santase.analyze(santase.deal(5, rules), worlds=900, match=(3, 5), threads=threads)
        yield str(found.best), [float(estimate.match).hex() for estimate in found.actions.values()]
        many = [santase.deal(seed, rules) for seed in range(10)]
        yield santase.analyze_many(many, worlds=300, seed=3, threads=threads).tobytes()


def late(rules: str, seed: int) -> santase.Game:
    """A hand in which two tricks have been played and the talon may be closed."""
    game = santase.Game(rules, seed=seed)
    while sum(game.position.tricks) < 2 or game.position.led is not None:
        plays = [action for action in game.legal_actions() if action.kind == "play"]
        game.play(plays[seed % len(plays)])
        if game.position.is_over:
            game.undo()
            break
    return game


def closings(threads: int) -> Iterator[object]:
    """Plans for all hands: of who might close, and of both players once it is closed."""
    for rules in santase.RULES:
        for seed in SEEDS:
            position = late(rules, seed).position
            for _ in range(3):
                if position.is_over:
                    break
                for match in (None, (3, 5)):
                    found = santase.analyze(position, worlds=600, seed=seed, threads=threads, match=match)
                    yield str(found.best), found.worlds
                    for action, e in found.actions.items():
                        yield str(action), e.kind, e.worlds, float(e.mean).hex(), float(e.opened).hex()
                position = position.play(
                    "close" if "close" in position.legal_actions() else position.legal_actions()[0]
                )


def histories(threads: int) -> Iterator[object]:
    """Worlds weighed by what the other did, and two actions compared in them."""
    for rules in santase.RULES:
        for seed in SEEDS:
            game = late(rules, seed)
            view, past = game.view(), game.history()
            found = santase.analyze(view, worlds=600, seed=seed, history=past, threads=threads)
            yield str(found.best), [float(estimate.mean).hex() for estimate in found.actions.values()]
            first, second = view.legal_actions()[:2]
            gap = compare(view, first, second, worlds=100, seed=seed, history=past)
            yield float(gap.difference).hex(), float(gap.stderr).hex()


def arenas(threads: int) -> Iterator[object]:
    for a, b in (("greedy:noise=0.2", "random"), ("santase:worlds=40", "pimc:worlds=4")):
        for jobs in (1, min(2, threads)):
            result = arena(a, b, deals=10, seed=21, jobs=jobs)
            yield result.points, result.hands, float(result.mean).hex()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    threads = parser.parse_args().threads
    kinds: tuple[Callable[[int], Iterator[object]], ...] = (
        deals, seeds, worlds, playouts, values, policies, analyses, closings, histories, arenas,
    )  # fmt: skip
    for kind in kinds:
        digest = hashlib.sha256()
        for part in kind(threads):
            digest.update(part if isinstance(part, bytes) else repr(str(part)).encode())
        print(f"{kind.__name__:9} {digest.hexdigest()[:32]}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
