"""What threads may share, and what refuses to be shared."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import santase
from santase._ismcts import Tree

THREADS = 8


def at_once(work: Callable[[int], object]) -> list[object]:
    """What ``work`` returns in each of several threads that begin together."""
    start = threading.Barrier(THREADS)

    def begin(number: int) -> object:
        start.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


def test_positions_are_shared() -> None:
    """One position read, hashed, written, played on and solved by all threads."""
    position = santase.deal(seed=7)
    after = position.play("TH").play("AH")

    def use(number: int) -> object:
        seen = set()
        for _ in range(200):
            played = position.play("TH").play("AH")
            seen.add((hash(position), str(position), str(played.view()), played == after))
        return seen, santase.best_move(after, worlds=300, seed=1)

    assert all(result == use(0) for result in at_once(use))


def test_rules_are_made_at_once() -> None:
    """House rules are no preset's: each thread parses them anew, with equal results."""
    line = str(santase.deal(seed=3, rules="santase+match_target=7"))
    assert len(set(at_once(lambda number: hash(santase.Position.parse(line))))) == 1


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_values_do_not_depend_on_threads(threads: int) -> None:
    positions = []
    for seed in range(40):
        position = santase.deal(seed=seed)
        while not position.is_over and position.phase == "open":
            plays = [action for action in position.legal_actions() if action.kind == "play"]
            position = position.play(plays[0])
        positions.append(position)
    expected = [santase.solve(position).value for position in positions]
    assert santase.solve_many(positions, threads=threads, table_bytes=1 << 20).tolist() == expected


def test_a_solver_answers_right_or_refuses() -> None:
    """One solver, asked by all at once: the right value, or an error that says that it is busy."""
    position = santase.deal(seed=7).play("TH").play("AH").play("JD").play("9D")
    expected = santase.solve(position).value
    solver = santase.Solver()

    def ask(number: int) -> object:
        try:
            return solver.value(position)
        except santase.SantaseError as error:
            assert "one thread at a time" in str(error)
            return None

    answers = at_once(ask)
    assert expected in answers
    assert set(answers) <= {expected, None}
    assert solver.value(position) == expected


def test_a_tree_refuses_a_second_thread() -> None:
    tree = Tree(santase.deal(seed=7).view(), seed=1)
    thread = threading.Thread(target=tree.run, args=(1 << 60, 60.0))
    thread.start()
    while not tree.iterations:
        time.sleep(0.001)
    try:
        with pytest.raises(santase.SantaseError, match="in use"):
            tree.run(1, math.inf)
    finally:
        tree.stopped = True
        thread.join()
    assert sum(visits for visits, *_ in tree.results().values()) == tree.iterations
