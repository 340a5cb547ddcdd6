"""Solvers for Python: one hand with everything about it, or many values at once."""

import math

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, uint8_t, uint64_t

from santase._arrays cimport checked_hands, full_hand
from santase._batch cimport Batch, run_batch
from santase._core cimport Position
from santase._ruleset cimport RuleSet
from santase._rules cimport Hand, Rules
from santase._search cimport (
    MOST_ACTIONS, UNSOLVED, Search,
    search_actions, search_close, search_line, search_limits, search_open, search_rules,
    search_value, search_value_between,
)
from libc.string cimport memset

from santase._arrays import flat_hands
from santase.actions import ACTIONS
from santase.errors import SantaseError
from santase.quantities import whole

TABLE_BYTES = 512 << 10     # what stays in the processor's second cache; more is slower (docs/solver.md)


cdef bint signals_came(void* owner) noexcept nogil:
    """Let Python handle signals; an exception of a handler stops the search and is kept."""
    with gil:
        try:
            PyErr_CheckSignals()
        except BaseException as error:
            (<Solver>owner).error = error
            return True
    return False


cdef bint told_to_stop(void* flag) noexcept nogil:
    return (<int*>flag)[0]


cdef uint64_t node_limit(nodes) except? 0:
    if nodes is None:
        return 0
    number = whole(nodes)
    if number is None or not 0 < number < 1 << 63:
        raise SantaseError(f"nodes is a whole number from 1 to {(1 << 63) - 1}, not {nodes!r}")
    return number


cdef double time_limit(time) except? 0:
    cdef double seconds
    if time is None:
        return 0
    if isinstance(time, bool):
        raise SantaseError(f"time is a number of seconds, not {time!r}")
    try:
        seconds = time
    except (TypeError, OverflowError):
        raise SantaseError(f"time is a number of seconds, not {time!r}") from None
    if math.isnan(seconds) or seconds <= 0:
        raise SantaseError(f"time is more than 0 seconds, not {time!r}")
    return min(seconds, 1e9)


cdef class Solver:
    """A table and a search; solve as many positions with it as you like.

    ``table_bytes`` is the memory of the table, 0 for none. What is in the table
    never changes an answer, only the time. One solver serves one thread at a
    time; a second call while one is running raises ``SantaseError``.
    """

    cdef Search search
    cdef object error
    cdef bint busy
    cdef bint opened
    cdef readonly Py_ssize_t table_bytes

    def __cinit__(self):
        self.opened = False

    def __init__(self, table_bytes=TABLE_BYTES):
        size = whole(table_bytes)
        if size is None or size < 0:
            raise SantaseError(f"table_bytes is a number of bytes, not {table_bytes!r}")
        if size >= 1 << 48:
            raise MemoryError(f"a table of {size} bytes")
        if self.busy:
            raise SantaseError("this solver is in use")
        if self.opened:
            search_close(&self.search)
            self.opened = False
        if search_open(&self.search, size) < 0:
            raise MemoryError(f"a table of {size} bytes")
        self.opened = True
        self.table_bytes = size

    def __dealloc__(self):
        if self.opened:
            search_close(&self.search)

    cdef int begin(self, RuleSet ruleset, uint64_t nodes, double seconds) except -1:
        cdef bint busy
        if not self.opened:
            raise SantaseError("this solver has not been initialised")
        with cython.critical_section(self):     # tested and set at once where there is no GIL
            busy = self.busy
            self.busy = True
        if busy:
            raise SantaseError("this solver is in use: one solver serves one thread at a time")
        self.error = None
        self.search.owner = <void*>self
        self.search.interrupted = signals_came
        self.search.next_signal = 0
        search_rules(&self.search, &ruleset.c)
        search_limits(&self.search, nodes, seconds)
        return 0

    cdef int end(self) except -1:
        self.busy = False
        error = self.error
        if error is not None:
            self.error = None
            raise error
        return 0

    def value(self, Position position not None, *, nodes=None, time=None):
        """The exact value in game points for the player to move; ``None`` when a
        limit (``nodes``, or ``time`` in seconds) was reached before it was found."""
        cdef const Hand* h = full_hand(position)
        cdef uint64_t most = node_limit(nodes)
        cdef double seconds = time_limit(time)
        cdef int value
        self.begin(position.ruleset, most, seconds)
        with nogil:
            value = search_value(&self.search, h)
        self.end()
        return None if value == UNSOLVED else value

    def search_position(self, Position position not None, *, nodes=None, time=None):
        """``(low, high, actions, line, nodes)`` for ``santase.solve``.

        ``actions`` maps each action to its value as far as found, ``line`` is
        ``None`` when a limit was reached before it was complete.
        """
        cdef const Hand* h = full_hand(position)
        cdef uint64_t most = node_limit(nodes)
        cdef double seconds = time_limit(time)
        cdef int8_t values[31]
        cdef uint8_t line[MOST_ACTIONS]
        cdef int low, high, length = -1, i
        cdef uint64_t before
        memset(values, UNSOLVED, 31)
        self.begin(position.ruleset, most, seconds)
        before = self.search.strict.nodes
        with nogil:
            if search_value_between(&self.search, h, &low, &high) != UNSOLVED and not h.over:
                if search_actions(&self.search, h, low, values) == 0:
                    length = search_line(&self.search, h, low, line)
        self.end()
        found = {ACTIONS[i]: <int>values[i] for i in range(31) if values[i] != UNSOLVED}
        moves = None if length < 0 else [ACTIONS[line[i]] for i in range(length)]
        if h.over:
            moves = []
        return low, high, found, moves, self.search.strict.nodes - before

    @property
    def nodes(self):
        """Lead and reply positions looked at since the solver was made."""
        return self.search.strict.nodes


# ---------------------------------------------------------------- many at once

cdef class _Values(Batch):
    """Hands to be solved."""

    cdef const Hand* hands
    cdef int8_t* values
    cdef Rules rules
    cdef Py_ssize_t table_bytes

    def work(self, bint alone):
        cdef Search search
        cdef Solver watcher = None
        cdef Py_ssize_t start, end, i
        if search_open(&search, self.table_bytes) < 0:
            raise MemoryError(f"a table of {self.table_bytes} bytes")
        try:
            if alone:
                watcher = Solver.__new__(Solver)
                search.interrupted = signals_came
                search.owner = <void*>watcher
            else:
                search.interrupted = told_to_stop
                search.owner = &self.stop
            search_rules(&search, &self.rules)
            search_limits(&search, 0, 0)
            while self.next_rows(&start, &end):
                with nogil:
                    for i in range(start, end):
                        self.values[i] = <int8_t>search_value(&search, &self.hands[i])
                        if search.strict.stop:
                            break
                if alone:
                    signals_came(<void*>watcher)
                    if watcher.error is not None:
                        raise watcher.error
                if not search.strict.stop:
                    self.finished(end - start, alone)
        finally:
            search_close(&search)


def solve_rows(array, RuleSet ruleset not None, int threads, Py_ssize_t table_bytes, progress=None,
               Py_ssize_t before=0):
    """The values of packed hands under one set of rules; ``progress`` counts on from ``before``."""
    import numpy as np

    cdef _Values batch = _Values.__new__(_Values)
    cdef const Hand* hands
    cdef int8_t[::1] values
    packed = flat_hands(array)
    answer = np.empty(len(packed), dtype=np.int8)
    if len(packed):
        values = answer
        batch.hands = checked_hands(packed, ruleset)
        batch.values = &values[0]
        batch.number = len(packed)
        batch.rules = ruleset.c
        batch.table_bytes = table_bytes
        batch.progress = progress
        batch.before = before
        # fewer a time where somebody wants to hear of it
        run_batch(batch, threads, 256 if progress is None else 32, True)
    return answer.reshape(np.shape(array))
