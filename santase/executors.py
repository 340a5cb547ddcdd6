"""Chunks of work for the workers of any ``concurrent.futures`` executor.

A worker may die: its process is killed, its machine goes away. Whatever the
work itself raises comes back as a value and is raised at once; any exception of
a future is therefore the worker's or the way's to it, and its chunk is handed
out again. Results are stored the first time they arrive, and only then.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, cast

from santase.errors import SantaseError
from santase.quantities import whole

# This and others are imported when they are wanted: each takes longer than this module.
if TYPE_CHECKING:
    import queue
    from concurrent.futures import BrokenExecutor, Executor, Future

    import numpy.typing as npt

__all__ = ["ExecutorOrFactory", "Progress", "run_chunks", "run_rows"]

ExecutorOrFactory: TypeAlias = "Executor | Callable[[], Executor]"
Progress = Callable[[int], object]
Places: TypeAlias = Any  # a slice, or an array of whole numbers

_RETRIES = 3  # how often a chunk is handed out again
_MOST_WAITING = 4096  # chunks handed out at a time
_TELLING = 0.1  # seconds between two calls of ``progress``
_MOST_THREADS = 1024


def run_rows(
    executor: ExecutorOrFactory,
    work: Callable[..., Any],
    groups: Sequence[tuple[Places, tuple[Any, ...], tuple[Any, ...]]],
    answers: npt.NDArray[Any],
    size: int,
    progress: Progress | None = None,
) -> None:
    """Fill ``answers`` by ``work(*columns, *settings)``, ``size`` rows at a time.

    A group is where its answers go, the arrays whose rows belong together, and
    what is the same for all of them. See ``run_chunks``.
    """
    chunks: list[tuple[Any, ...]] = []
    places: list[Places] = []
    for place, columns, settings in groups:
        for start in range(0, len(columns[0]), size):
            part = slice(start, start + size)
            chunks.append((*(column[part] for column in columns), *settings))
            places.append(part if isinstance(place, slice) else place[part])

    def store(number: int, result: Any) -> int:
        answers[places[number]] = result
        return len(result)

    run_chunks(executor, work, chunks, store, progress)


def run_chunks(
    executor: ExecutorOrFactory,
    work: Callable[..., Any],
    chunks: Sequence[tuple[Any, ...]],
    store: Callable[[int, Any], int],
    progress: Progress | None = None,
) -> None:
    """Have ``work(*chunk)`` done for every chunk, by the workers of ``executor``.

    ``store(number, result)`` is called once for each, in the calling thread and
    in any order, and says how many rows that was; ``progress`` is called with
    the rows done so far, at most ten times a second, and at the end.

    ``executor`` is an executor, which stays the caller's, or a function without
    parameters that makes one, such as ``ProcessPoolExecutor``: that one is shut
    down in the end, and replaced when it breaks. A chunk whose worker died is
    handed out again, up to three times; a broken executor up to three times in
    a row without any result between. After that, the last error is raised.
    """
    _Run(executor, work, chunks, store, progress).run()


def _attempt(work: Callable[..., Any], chunk: tuple[Any, ...]) -> tuple[Any, Exception | None]:
    """What a worker does: the result, or what the work raised."""
    try:
        return work(*chunk), None
    except Exception as error:
        return None, error


def _queue() -> queue.SimpleQueue[Future[Any]]:
    import queue

    return queue.SimpleQueue()


def _is_hopeless(error: BaseException) -> bool:
    """It would be the same again on every worker."""
    from pickle import PickleError

    return isinstance(error, (ImportError, AttributeError, TypeError, PickleError))


class _Run:
    """One call of ``run_chunks``."""

    def __init__(
        self,
        executor: ExecutorOrFactory,
        work: Callable[..., Any],
        chunks: Sequence[tuple[Any, ...]],
        store: Callable[[int, Any], int],
        progress: Progress | None,
    ) -> None:
        self.factory: Callable[[], Executor] | None = None
        self.executor: Executor | None = None
        if not isinstance(executor, type) and hasattr(executor, "submit"):
            self.executor = cast("Executor", executor)  # or something quite like one
        elif callable(executor):
            self.factory = cast("Callable[[], Executor]", executor)
        else:
            raise TypeError(
                f"executor: an executor or a function that makes one is needed, not {type(executor).__name__}"
            )
        self.work, self.chunks, self.store, self.progress = work, chunks, store, progress
        self.waiting = deque(range(len(chunks)))
        self.failures = [0] * len(chunks)
        self.breaks = 0  # in a row, without a result between
        self.pending: dict[Future[Any], int] = {}
        self.arrived = _queue()
        self.rows = 0
        self.told = time.monotonic()

    def run(self) -> None:
        from queue import Empty

        try:
            while self.waiting or self.pending:
                self.hand_out()
                try:
                    # not for ever: on Windows nothing interrupts that
                    future = self.arrived.get(timeout=0.5)
                except Empty:
                    continue
                if future in self.pending:  # else one that a broken executor left
                    self.take(future, self.pending.pop(future))
        finally:
            for future in list(self.pending):
                future.cancel()
            self.leave()
        if self.progress is not None and self.rows:
            self.progress(self.rows)

    def hand_out(self) -> None:
        from concurrent.futures import BrokenExecutor

        while self.waiting and len(self.pending) < _MOST_WAITING:
            if self.executor is None:
                factory = self.factory
                assert factory is not None
                made = factory()
                if not hasattr(made, "submit"):
                    raise TypeError(f"executor: the function made no executor, but {type(made).__name__}")
                self.executor = made
            number = self.waiting.popleft()
            try:
                future = self.executor.submit(_attempt, self.work, self.chunks[number])
            except BrokenExecutor as error:
                self.waiting.appendleft(number)
                self.broke(error)
                continue
            if not hasattr(future, "add_done_callback"):
                raise TypeError(f"executor: submit gave no future, but {type(future).__name__}")
            self.pending[future] = number
            future.add_done_callback(self.arrived.put)

    def take(self, future: Future[Any], number: int) -> None:
        """Store what has come, or see that it comes after all."""
        from concurrent.futures import BrokenExecutor

        if future.cancelled():
            error: BaseException | None = RuntimeError("a chunk was cancelled, not by santase")
        else:
            error = future.exception()
        if error is None:
            answer = future.result()
            if not isinstance(answer, tuple) or len(answer) != 2:
                raise TypeError(f"executor: a future gave {type(answer).__name__}, not what was to be done")
            result, raised = answer
            if raised is not None:
                raise raised
            self.breaks = 0
            self.rows += self.store(number, result)
            now = time.monotonic()
            if self.progress is not None and (self.waiting or self.pending) and now - self.told >= _TELLING:
                self.told = now
                self.progress(self.rows)
        elif isinstance(error, BrokenExecutor):
            self.waiting.append(number)
            self.broke(error)
        else:
            self.failures[number] += 1
            hopeless = _is_hopeless(error)
            if hopeless:
                error.add_note("the workers must be able to import this same santase")
            if self.failures[number] > _RETRIES or hopeless:
                raise error
            self.waiting.append(number)

    def broke(self, error: BrokenExecutor) -> None:
        """The executor is of no more use: take back what it had, and have another made."""
        self.breaks += 1
        if self.factory is None:
            error.add_note(
                "a broken executor cannot be used again; with a function that makes one, as in"
                " executor=ProcessPoolExecutor or executor=lambda: ProcessPoolExecutor(8),"
                " it is replaced and nothing is lost"
            )
            raise error
        if self.breaks > _RETRIES:
            raise error
        for future, number in list(self.pending.items()):
            if future.done() and not future.cancelled() and future.exception() is None:
                continue  # has its result, and stands in the queue
            self.waiting.append(number)
            del self.pending[future]
        self.leave()

    def leave(self) -> None:
        """Shut down an executor that was made here."""
        if self.factory is not None and self.executor is not None:
            made, self.executor = self.executor, None
            if hasattr(made, "shutdown"):  # else there is nothing to it
                made.shutdown(wait=True)


# ---------------------------------------------------------------- parameters


def checked_threads(threads: SupportsIndex | None, executor: ExecutorOrFactory | None = None) -> int:
    """The number of threads: as many as usable processors, but one in each worker of an executor."""
    if threads is None:
        if executor is not None:
            return 1
        threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    number = whole(threads)
    if number is None or number < 1:
        raise SantaseError(f"threads is a positive whole number, not {threads!r}")
    return min(number, _MOST_THREADS)


def checked_chunk(chunk: SupportsIndex | None, rows: int, least: int, most: int) -> int:
    """How many rows make a chunk: what the caller says, else some four thousand chunks within bounds."""
    if chunk is None:
        return max(least, min(most, rows // _MOST_WAITING))
    number = whole(chunk)
    if number is None or number < 1:
        raise SantaseError(f"chunk: a positive whole number of positions is needed, not {chunk!r}")
    return number
