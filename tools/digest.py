"""One line for each kind of answer that a seed decides: equal lines, equal answers.

    python tools/digest.py > here.txt        # then the same elsewhere, and diff

For comparing builds, versions of Python, systems and processors (docs/determinism.md). Takes a few
seconds; needs NumPy, and SciPy for the arena.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator

import santase
from santase.arena import arena

SEEDS = (0, 1, 7, 2**63, 2**64 - 1)


def deals() -> Iterator[object]:
    for rules in santase.RULES:
        for seed in SEEDS:
            yield santase.deal(seed, rules)
        yield santase.deal_many(500, 3, rules).tobytes()


def seeds() -> Iterator[object]:
    for seed in SEEDS:
        yield [santase.hand_seed(seed, number) for number in range(1, 20)]


def worlds() -> Iterator[object]:
    for rules in santase.RULES:
        for seed in SEEDS:
            yield [
                str(world) for world in santase.sample_worlds(santase.deal(seed, rules).view(), 20, seed=seed)
            ]


def playouts() -> Iterator[object]:
    for rules in santase.RULES:
        yield santase.random_playouts(5000, seed=11, rules=rules).tobytes()


def values() -> Iterator[object]:
    for rules in santase.RULES:
        positions = [santase.deal(seed, rules) for seed in range(30)]
        yield santase.solve_many(positions, threads=2).tolist()
        solution = santase.solve(positions[0])
        yield solution.value, [*map(str, solution.line)], {str(a): v for a, v in solution.actions.items()}


def policies() -> Iterator[object]:
    from santase._network import shipped_network

    for rules in santase.RULES:
        for seed in SEEDS:
            chances, value = shipped_network().policy(santase.deal(seed, rules))
            yield {str(a): c.hex() for a, c in chances.items()}, float(value).hex()


def analyses() -> Iterator[object]:
    for rules in santase.RULES:
        for seed in SEEDS:
            found = santase.analyze(santase.deal(seed, rules), worlds=600, seed=seed, threads=2)
            yield str(found.best), found.worlds
            for action, estimate in found.actions.items():
                yield str(action), estimate.worlds, float(estimate.mean).hex(), float(estimate.stderr).hex()
        found = santase.analyze(santase.deal(5, rules), worlds=300, match=(3, 5))
        yield str(found.best), [float(estimate.match).hex() for estimate in found.actions.values()]


def arenas() -> Iterator[object]:
    for a, b in (("greedy:noise=0.2", "random"), ("santase:worlds=40", "pimc:worlds=4")):
        for jobs in (1, 2):
            result = arena(a, b, deals=10, seed=21, jobs=jobs)
            yield result.points, result.hands, float(result.mean).hex()


def main() -> int:
    kinds: tuple[Callable[[], Iterator[object]], ...] = (
        deals, seeds, worlds, playouts, values, policies, analyses, arenas,
    )  # fmt: skip
    for kind in kinds:
        digest = hashlib.sha256()
        for part in kind():
            digest.update(part if isinstance(part, bytes) else repr(str(part)).encode())
        print(f"{kind.__name__:9} {digest.hexdigest()[:32]}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
