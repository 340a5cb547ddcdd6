"""Heavy use of the library from Python: many threads at once, and memory over a million calls.

    python tools/hammer.py threads --jobs 5000     # mixed jobs in eight threads, each answer compared
    python tools/hammer.py memory --calls 1000000  # solves, analyses and parses; resident memory as it goes

``tools/hammer_page.py`` does the same to the local page. Exit status 1 when an answer differs, or when
memory has grown.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import santase
from santase import Position, SantaseError, Solver
from santase._ismcts import Tree
from santase._network import shipped_network
from santase._rollout import Rollouts

THREADS = 8


def some_positions(number: int, seed: int) -> list[Position]:
    """Positions of all presets and phases, by random play."""
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < number:
        position = santase.deal(rng.getrandbits(64), rng.choice(list(santase.RULES)))
        for _ in range(rng.randrange(4, 24)):
            if position.is_over:
                break
            actions = [action for action in position.legal_actions() if action != "call"]
            position = position.play(rng.choice(actions or position.legal_actions()))
        if not position.is_over:
            found.append(position)
    return found


def some_game(seed: int) -> santase.Game:
    """The record of a match that is in the middle of its second hand or so."""
    rng = random.Random(seed)
    game = santase.Game("santase", seed=seed, match=True)
    for _ in range(rng.randrange(30, 38)):
        if game.position.is_over:
            game.next_hand()
        actions = [action for action in game.legal_actions() if action.kind not in ("close", "call")]
        game.play(rng.choice(actions or game.legal_actions()))
    while game.position.is_over:
        game.next_hand()
    return game


# ---------------------------------------------------------------- threads


class Shared:
    """What all threads use at once: a solver, a tree and rollouts that serve one thread at a time."""

    def __init__(self, positions: list[Position]) -> None:
        self.positions = positions
        self.views = [position.view() for position in positions]
        self.solver = Solver()
        self.tree = Tree(self.views[0], seed=1)
        self.rollouts = Rollouts(self.views[0], shipped_network(), seed=1)
        self.packed = {
            name: santase.pack([position for position in positions if position.rules.name == name])
            for name in santase.RULES
        }
        self.refused = 0


def jobs_of(shared: Shared) -> list[Callable[[int], object]]:
    """Jobs by number of the position; each gives the same answer whenever it is done."""
    local = threading.local()

    def own_solver(n: int) -> object:
        if not hasattr(local, "solver"):
            local.solver = Solver(1 << 16)
        return santase.solve(shared.positions[n], solver=local.solver).actions

    def shared_solver(n: int) -> object:
        while True:
            try:
                return shared.solver.value(shared.positions[n])
            except SantaseError:
                shared.refused += 1
                time.sleep(0)

    def shared_tree(n: int) -> object:
        try:
            shared.tree.run(20, 1.0)
        except SantaseError:
            shared.refused += 1
        return None

    def shared_rollouts(n: int) -> object:
        try:
            shared.rollouts.run(8, 1.0)
        except SantaseError:
            shared.refused += 1
        return None

    def analysis(n: int) -> object:
        found = santase.analyze(shared.views[n], worlds=24, seed=n, threads=1 + n % 3)
        return found.best, found.worlds, str(dict(found.actions))

    def policy(n: int) -> object:
        return shipped_network().policy(shared.positions[n])

    def many(n: int) -> object:
        name = list(santase.RULES)[n % len(santase.RULES)]
        return santase.solve_many(shared.packed[name], rules=name, threads=1 + n % 4).tolist()

    def texts(n: int) -> object:
        position = shared.positions[n]
        line = str(position)
        return (
            line,
            hash(position),
            hash(Position.parse(line)),
            str(position.view()),
            position.legal_actions(),
        )

    return [
        own_solver,
        shared_solver,
        shared_tree,
        shared_rollouts,
        analysis,
        policy,
        many,
        texts,
        texts,
        own_solver,
    ]


def hammer_threads(jobs: int, seed: int = 0) -> tuple[int, int]:
    """So many mixed jobs in eight threads; how many answers differed, and how many calls were refused."""
    shared = Shared(some_positions(40, seed))
    kinds = jobs_of(shared)
    expected: dict[tuple[int, int], object] = {}
    for kind, job in enumerate(kinds):
        for n in range(len(shared.positions)):
            expected[kind, n] = job(n)
    shared.refused = 0
    rng = random.Random(seed)
    work = [(rng.randrange(len(kinds)), rng.randrange(len(shared.positions))) for _ in range(jobs)]

    def differs(item: tuple[int, int]) -> bool:
        return kinds[item[0]](item[1]) != expected[item]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            wrong = sum(pool.map(differs, work))
    finally:
        sys.setswitchinterval(interval)
    return wrong, shared.refused


# ---------------------------------------------------------------- memory


def resident() -> int:
    """Resident memory of this process in KiB; 0 where the system does not say."""
    try:
        with open("/proc/self/status", encoding="ascii") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
    except OSError:
        return 0


def hammer_memory(calls: int) -> Iterator[tuple[str, int, int, int]]:
    """Of each kind of call: its name, how many, and resident memory after a tenth of them and at the end."""
    positions = some_positions(200, 5)
    lines = [str(position) for position in positions]
    bad = [line[:-7] + "x" for line in lines]
    solver = Solver()
    rules = [f"santase+target={target}" for target in range(1, 251)]
    closing = [position for position in positions if "close" in position.legal_actions()]
    closed = [position.play("close").view() for position in closing]
    games = [some_game(seed) for seed in range(20)]
    records = [game.dumps() for game in games]

    def parse(n: int) -> None:
        Position.parse(lines[n % 200])

    def refuse(n: int) -> None:
        with contextlib.suppress(SantaseError):
            Position.parse(bad[n % 200])

    def house(n: int) -> None:
        santase.deal(n, rules[n % 250])

    def solve(n: int) -> None:
        santase.solve(positions[n % 200], solver=solver)

    def fresh(n: int) -> None:
        solver = Solver(1 << 12)
        solver.value(positions[n % 200])

    def analyze(n: int) -> None:
        santase.analyze(positions[n % 200], time=0)

    def worlds(n: int) -> None:
        santase.analyze(positions[n % 200], worlds=4, seed=n)

    def plans(n: int) -> None:
        santase.analyze(closed[n % len(closed)], worlds=20, seed=n)

    def record(n: int) -> None:
        santase.Game.loads(records[n % 20])

    def history(n: int) -> None:
        game = games[n % 20]
        santase.analyze(game.view(), worlds=2, seed=n, history=game.history())

    for call, share in (
        (parse, 1),
        (refuse, 1),
        (house, 10),
        (solve, 1),
        (fresh, 10),
        (analyze, 1),
        (worlds, 10),
        (plans, 100),
        (record, 100),
        (history, 100),
    ):
        number = calls // share
        before = 0
        # each of the positions once, since a table is as large as the largest of them
        for n in range(200):
            call(n)
        for n in range(number):
            call(n)
            if n == number // 10:
                gc.collect()
                before = resident()
        gc.collect()
        yield call.__name__, number + 200, before, resident()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=("threads", "memory"))
    parser.add_argument("--jobs", type=int, default=5000)
    parser.add_argument("--calls", type=int, default=1_000_000)
    options = parser.parse_args()
    started = time.perf_counter()
    if options.what == "threads":
        wrong, refused = hammer_threads(options.jobs)
        print(
            f"{options.jobs:,} jobs in {THREADS} threads, {wrong} answers differ, {refused:,} calls refused"
            f" (one thread at a time), {time.perf_counter() - started:.0f} s"
        )
        return int(wrong != 0)
    grown = False
    for name, number, before, after in hammer_memory(options.calls):
        print(f"{name:8} {number:10,} calls, {before:,} KiB after a tenth, {after:,} at the end", flush=True)
        grown = grown or after > before + 2048
    return int(grown)


if __name__ == "__main__":
    sys.exit(main())
