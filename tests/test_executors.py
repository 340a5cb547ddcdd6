"""Work shared out to executors: every answer there once and in its place, whoever dies meanwhile."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

import santase
from santase.executors import run_chunks

np = pytest.importorskip("numpy")

pytestmark = pytest.mark.thread_unsafe(reason="pools of processes, and a cluster")
needs_kill = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills a worker")

PRESETS = list(santase.RULES)


def solve(**settings: Any) -> Any:
    return santase.solve_many(santase.deal_many(48, 1), **settings)


def solve_objects(**settings: Any) -> Any:
    return santase.solve_many([santase.deal(seed, PRESETS[seed % 5]) for seed in range(40)], **settings)


def analyse(**settings: Any) -> Any:
    return santase.analyze_many(santase.deal_many(48, 1).reshape(6, 8), worlds=20, seed=4, **settings)


def analyse_objects(**settings: Any) -> Any:
    positions = [santase.deal(seed, PRESETS[seed % 5]) for seed in range(40)]
    return santase.analyze_many(positions, worlds=15, seed=4, match=(5, 6), **settings)


@pytest.mark.parametrize("work", [solve, solve_objects, analyse, analyse_objects])
@pytest.mark.parametrize("chunk", [None, 7])
def test_a_pool_of_threads(work: Callable[..., Any], chunk: int | None) -> None:
    expected = work(threads=1)
    told: list[int] = []
    with ThreadPoolExecutor(3) as pool:
        answers = work(executor=pool, chunk=chunk, progress=told.append)
        assert answers.tobytes() == expected.tobytes() and answers.shape == expected.shape
        assert told == sorted(told) and told[-1] == expected.size
        assert pool.submit(int, 3).result() == 3  # it is the caller's, and still open


def test_pools_of_processes() -> None:
    with ProcessPoolExecutor(2) as pool:
        for work in (solve, solve_objects, analyse, analyse_objects):
            assert work(executor=pool, chunk=5).tobytes() == work().tobytes()


def test_a_function_that_makes_a_pool() -> None:
    """It is called once, and what it made is shut down."""
    made: list[ThreadPoolExecutor] = []

    def make() -> ThreadPoolExecutor:
        made.append(ThreadPoolExecutor(2))
        return made[-1]

    assert np.array_equal(solve(executor=make), solve())
    assert len(made) == 1
    with pytest.raises(RuntimeError, match="shutdown"):
        made[0].submit(int)
    assert np.array_equal(solve(executor=ThreadPoolExecutor), solve())
    assert solve_nothing(make) == 0 and len(made) == 1


def solve_nothing(executor: Callable[[], Executor]) -> int:
    return len(santase.solve_many([], executor=executor))


class Killing(ProcessPoolExecutor):
    """Of two workers one is killed once ten chunks have been handed out, unless ``spare``."""

    def __init__(self, spare: bool = False) -> None:
        super().__init__(2)
        self.left = 0 if spare else 10

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = super().submit(fn, *args, **kwargs)
        self.left -= 1
        if self.left == 0:
            os.kill(next(iter(self._processes)), signal.SIGKILL)
        return future


@needs_kill
@pytest.mark.parametrize("work", [solve, analyse])
def test_workers_that_are_killed(work: Callable[..., Any]) -> None:
    """Twice a process of the pool is killed; the pool breaks, another is made, and nothing is lost."""
    pools: list[Killing] = []
    told: list[int] = []

    def make() -> Killing:
        pools.append(Killing(spare=len(pools) == 2))
        return pools[-1]

    answers = work(executor=make, chunk=1, progress=told.append)
    assert answers.tobytes() == work().tobytes()
    assert len(pools) == 3
    assert told == sorted(told) and told[-1] == answers.size


@needs_kill
def test_a_pool_that_broke_is_not_replaced_by_itself() -> None:
    with Killing() as pool, pytest.raises(BrokenProcessPool) as raised:
        solve(executor=pool, chunk=1)
    assert "a function that makes one" in raised.value.__notes__[0]


# ---------------------------------------------------------------- executors that fail as told


class Failing(Executor):
    """Does the work in the calling thread, or fails with what ``plan`` gives for the n-th submission."""

    def __init__(self, plan: Callable[[int], BaseException | None], counter: list[int] | None = None) -> None:
        self.plan = plan
        self.submitted = [0] if counter is None else counter

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.submitted[0] += 1
        future: Future[Any] = Future()
        error = self.plan(self.submitted[0])
        if error is None:
            future.set_result(fn(*args, **kwargs))
        elif isinstance(error, BrokenExecutor) and "submit" in str(error):
            raise error
        else:
            future.set_exception(error)
        return future


def square(number: int) -> int:
    if number < 0:
        raise santase.SantaseError("negative")
    return number * number


def squares(executor: Executor | Callable[[], Executor], numbers: list[int]) -> dict[int, int]:
    """What ``run_chunks`` stores; each just once."""
    stored: dict[int, int] = {}

    def store(number: int, result: int) -> int:
        assert number not in stored
        stored[number] = result
        return 1

    told: list[int] = []
    run_chunks(executor, square, [(number,) for number in numbers], store, told.append)
    assert told[-1] == len(numbers)
    return stored


NUMBERS = list(range(20))
SQUARES = {number: number * number for number in NUMBERS}


@pytest.mark.parametrize("error", [ConnectionResetError("gone"), EOFError(), RuntimeError("KilledWorker")])
def test_a_chunk_is_handed_out_again(error: Exception) -> None:
    executor = Failing(lambda number: error if number % 3 == 0 else None)
    assert squares(executor, NUMBERS) == SQUARES
    assert executor.submitted[0] == 29  # every third is lost, of 20 and of those that follow from it


def test_a_chunk_that_never_comes() -> None:
    executor = Failing(lambda number: ConnectionError("gone") if number >= 20 else None)
    with pytest.raises(ConnectionError):
        squares(executor, NUMBERS)
    assert executor.submitted[0] == 20 + 3


@pytest.mark.parametrize(
    "error", [ModuleNotFoundError("No module named 'santase'"), TypeError("cannot pickle")]
)
def test_what_would_fail_again_is_not_tried_again(error: Exception) -> None:
    executor = Failing(lambda number: error if number == 20 else None)
    with pytest.raises(type(error)) as raised:
        squares(executor, NUMBERS)
    assert executor.submitted[0] == 20
    assert "import this same santase" in raised.value.__notes__[0]


def test_what_the_work_raises_goes_up_at_once() -> None:
    executor = Failing(lambda number: None)
    with pytest.raises(santase.SantaseError, match="negative"):
        squares(executor, [1, 2, -1, 3])
    assert executor.submitted[0] == 4
    with ProcessPoolExecutor(1) as pool, pytest.raises(santase.SantaseError, match="negative"):
        squares(pool, [1, 2, -1, 3])


@pytest.mark.parametrize("text", ["broken", "refused by submit"])
def test_broken_executors_are_replaced(text: str) -> None:
    count = [0]
    made = []

    def make() -> Executor:
        made.append(Failing(lambda number: BrokenExecutor(text) if number % 7 == 0 else None, count))
        return made[-1]

    assert squares(make, NUMBERS) == SQUARES
    assert len(made) > 2


def test_executors_that_always_break() -> None:
    made = []

    def make() -> Executor:
        made.append(Failing(lambda number: BrokenExecutor("broken")))
        return made[-1]

    with pytest.raises(BrokenExecutor):
        squares(make, NUMBERS)
    assert len(made) == 4


def test_a_chunk_that_breaks_every_executor() -> None:
    """All the others are done before it is given up."""
    stored: list[int] = []

    def make() -> Executor:
        return Poisoned()

    class Poisoned(Executor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            if args[1] == (5,):
                future.set_exception(BrokenExecutor("broken"))
            else:
                future.set_result(fn(*args, **kwargs))
            return future

    with pytest.raises(BrokenExecutor):
        run_chunks(make, square, [(number,) for number in NUMBERS], lambda n, r: stored.append(n) or 1)
    assert sorted(stored) == [number for number in NUMBERS if number != 5]


def test_a_result_that_comes_late_is_not_counted_again() -> None:
    """A future of an executor that has broken since is fulfilled after its chunk has been done elsewhere."""
    late: list[Future[Any]] = []

    class First(Executor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            late.append(Future())
            if len(late) == len(NUMBERS):
                late[0].set_exception(BrokenExecutor("broken"))
            return late[-1]

    class Second(Executor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            for old in late[1:]:
                if not old.done():
                    old.set_result((-1, None))
            future.set_result(fn(*args, **kwargs))
            return future

    executors: Iterator[Executor] = iter([First(), Second()])
    assert squares(lambda: next(executors), NUMBERS) == SQUARES


def test_a_cancelled_chunk_is_done_again() -> None:
    class Cancelling(Failing):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future = super().submit(fn, *args, **kwargs)
            if self.submitted[0] == 3:
                future = Future()
                future.cancel()
            return future

    assert squares(Cancelling(lambda number: None), NUMBERS) == SQUARES


def test_an_exception_in_progress_takes_the_rest_back() -> None:
    begun = Counter[str]()
    gate = threading.Event()

    def wait(number: int) -> int:
        begun["all"] += 1
        if number:
            gate.wait(10)
        return number

    def progress(done: int) -> None:
        raise KeyError("enough")

    class Stamped(ThreadPoolExecutor):
        futures: list[Future[Any]]

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            future = super().submit(fn, *args, **kwargs)
            self.futures.append(future)
            return future

    with Stamped(1) as pool:
        pool.futures = []
        with pytest.raises(KeyError):
            run_chunks(
                pool, wait, [(number,) for number in range(50)], lambda n, r: time.sleep(0.2) or 1, progress
            )
        cancelled = sum(future.cancelled() for future in pool.futures)
        gate.set()
    assert begun["all"] <= 2 and cancelled >= 48


class Direct:
    """Quite like an executor, and no more than is needed: not even to be shut down."""

    answer: Any = None

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        if self.answer is not None:
            return self.answer
        future: Future[Any] = Future()
        future.set_result(fn(*args))
        return future


def test_something_quite_like_an_executor() -> None:
    for executor in (Direct, Direct()):
        assert np.array_equal(solve(executor=executor, chunk=5), solve())


def given(value: object) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_result(value)
    return future


@pytest.mark.parametrize(
    "answer", [5, given(5), given(b"ab"), given((1, 2, 3)), given([1])], ids=list("abcde")
)
def test_an_executor_that_answers_something_else(answer: Any) -> None:
    class Odd(Direct):
        pass

    Odd.answer = answer
    with pytest.raises(TypeError, match=r"executor: .* gave"):
        solve(executor=Odd, chunk=5)


def test_what_is_no_executor() -> None:
    with pytest.raises(TypeError, match=r"executor: .*not int"):
        solve(executor=3)
    closed = ThreadPoolExecutor(1)
    closed.shutdown()
    with pytest.raises(RuntimeError, match="shutdown"):
        solve(executor=closed)
    for chunk in (0, -1, 1.5, True):
        with pytest.raises(santase.SantaseError, match="chunk"):
            solve(executor=ThreadPoolExecutor, chunk=chunk)


def test_positions_are_checked_before_they_are_sent() -> None:
    rows = santase.deal_many(300, 1)
    rows["trump"][280] = 7
    with pytest.raises(santase.SantaseError, match="row 280"):
        santase.solve_many(rows, executor=ThreadPoolExecutor)
    with pytest.raises(santase.SantaseError, match="row 280"):
        santase.analyze_many(rows, executor=ThreadPoolExecutor)


# ---------------------------------------------------------------- a cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="needs Dask: pip install 'santase[cluster]'")
    with (
        distributed.LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as local,
        distributed.Client(local) as client,
    ):
        yield client


def test_a_dask_cluster(cluster: Any) -> None:
    for work in (solve, solve_objects, analyse, analyse_objects):
        assert work(executor=cluster.get_executor(), chunk=3).tobytes() == work().tobytes()


@needs_kill
@pytest.mark.parametrize("work", [solve, analyse])
def test_a_dask_worker_that_is_killed(cluster: Any, work: Callable[..., Any]) -> None:
    """One of three is killed in mid-run, while it has work."""
    expected = work()
    told: list[int] = []
    killed: list[int] = []

    def progress(done: int) -> None:
        told.append(done)
        if not killed:
            busy = [address for address, tasks in cluster.processing().items() if tasks]
            if busy:
                killed.append(cluster.run(os.getpid, workers=busy[:1])[busy[0]])
                os.kill(killed[0], signal.SIGKILL)

    answers = work(executor=cluster.get_executor(), chunk=1, progress=progress)
    assert killed and told[0] < expected.size
    assert answers.tobytes() == expected.tobytes()
    assert told == sorted(told) and told[-1] == expected.size
