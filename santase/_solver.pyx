"""Solvers for Python: one hand with everything about it, or many values at once."""

import itertools
import math
import threading
import time

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc

from santase._check cimport check_seen, fields_fit, sizes_fit
from santase._core cimport Position
from santase._ruleset cimport RuleSet
from santase._rules cimport NOBODY, Hand, Rules, Seen, to_move
from santase._search cimport (
    MOST_ACTIONS, NODE_LIMIT, TIME_LIMIT, UNSOLVED, Search,
    search_actions, search_close, search_line, search_limits, search_open, search_rules, search_sound,
    search_value, search_value_between,
)
from libc.string cimport memset

from santase.actions import ACTIONS
from santase.errors import HiddenCardsError, NotationError, SantaseError
from santase._ruleset import ruleset_of
from santase.rules import rules_of

TABLE_BYTES = 512 << 10     # what stays in the processor's second cache; more is slower (docs/solver.md)

def hand_dtype():
    """The NumPy dtype of a packed position, a record of 40 bytes; ``pack`` explains the fields."""
    # here and below NumPy is imported only when it is wanted: it takes longer than the rest of the library
    import numpy as np

    dtype = np.dtype([
        ("talon", np.uint64),
        ("hand", np.uint32, (2,)),
        ("played", np.uint32),
        ("facedown", np.uint8),
        ("turned", np.uint8),
        ("trump", np.uint8),
        ("leader", np.uint8),
        ("led", np.uint8),
        ("declared", np.uint8),
        ("points", np.uint8, (2,)),
        ("tricks", np.uint8, (2,)),
        ("pending", np.uint8, (2,)),
        ("closer", np.uint8),
        ("closing_points", np.uint8),
        ("closing_tricks", np.uint8),
        ("over", np.uint8),
        ("winner", np.uint8),
        ("game_points", np.uint8),
        ("spare", np.uint8, (2,)),
    ])
    assert dtype.itemsize == sizeof(Hand)
    return dtype


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


cdef const Hand* full_hand(Position position) except NULL:
    cdef const Seen* s = &position.s
    if s.hidden[0] or s.hidden[1] or s.talon_hidden:
        raise HiddenCardsError("solving takes a full position, and cards are hidden in this one")
    return &position.s.hand


cdef uint64_t node_limit(nodes) except? 0:
    if nodes is None:
        return 0
    if not isinstance(nodes, int) or isinstance(nodes, bool) or not 0 < nodes < 1 << 63:
        raise SantaseError(f"nodes is a whole number from 1 to {(1 << 63) - 1}, not {nodes!r}")
    return nodes


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
        if not isinstance(table_bytes, int) or isinstance(table_bytes, bool) or table_bytes < 0:
            raise SantaseError(f"table_bytes is a number of bytes, not {table_bytes!r}")
        if table_bytes >= 1 << 48:
            raise MemoryError(f"a table of {table_bytes} bytes")
        if self.busy:
            raise SantaseError("this solver is in use")
        if self.opened:
            search_close(&self.search)
            self.opened = False
        if search_open(&self.search, table_bytes) < 0:
            raise MemoryError(f"a table of {table_bytes} bytes")
        self.opened = True
        self.table_bytes = table_bytes

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

cdef class _Batch:
    """Hands under one set of rules that several threads take from, a chunk at a time."""

    cdef const Hand* hands
    cdef int8_t* values
    cdef const Py_ssize_t* places       # of each hand in the answer, NULL for the same order
    cdef Py_ssize_t number, chunk
    cdef Rules rules
    cdef int stop
    cdef int active, ended              # threads at work, and done with it
    cdef bint closed                    # no thread may begin any more
    cdef object counter, lock, wake, failure

    cdef Py_ssize_t next_start(self):
        with self.lock:
            return next(self.counter) * self.chunk

    def work(self, Py_ssize_t table_bytes, bint watches_signals):
        """One thread's share."""
        cdef Search search
        cdef Solver watcher = None
        cdef Py_ssize_t start, i
        if search_open(&search, table_bytes) < 0:
            self.stop = 1
            self.failure = MemoryError(f"a table of {table_bytes} bytes")
            return
        try:
            if watches_signals:
                watcher = Solver.__new__(Solver)
                search.interrupted = signals_came
                search.owner = <void*>watcher
            else:
                search.interrupted = told_to_stop
                search.owner = &self.stop
            search_rules(&search, &self.rules)
            search_limits(&search, 0, 0)
            while not self.stop:
                start = self.next_start()
                if start >= self.number:
                    break
                with nogil:
                    for i in range(start, min(start + self.chunk, self.number)):
                        self.values[self.places[i] if self.places != NULL else i] = <int8_t>search_value(&search, &self.hands[i])
                        if search.strict.stop:
                            break
                if watches_signals:
                    signals_came(<void*>watcher)
                    if watcher.error is not None:
                        raise watcher.error
        finally:
            search_close(&search)


    def run(self, Py_ssize_t table_bytes):
        """What each of several threads does."""
        with self.lock:
            if self.closed:
                return
            self.active += 1
        try:
            self.work(table_bytes, False)
        except BaseException as error:
            self.failure = error
            self.stop = 1
        finally:
            with self.lock:
                self.active -= 1
                self.ended += 1
            self.wake.set()


cdef int run_batch(_Batch batch, int threads, Py_ssize_t table_bytes) except -1:
    batch.lock = threading.Lock()
    batch.wake = threading.Event()
    batch.counter = itertools.count()
    batch.chunk = max(1, min(256, batch.number // (16 * threads)))
    threads = min(threads, (batch.number + batch.chunk - 1) // batch.chunk)
    if threads <= 1:
        batch.work(table_bytes, True)
    else:
        try:
            for _ in range(threads):
                threading.Thread(target=batch.run, args=(table_bytes,), daemon=True).start()
            while batch.ended < threads:
                batch.wake.wait(0.02)
                batch.wake.clear()
        finally:
            # Nothing may touch the hands after this. Whether a thread is alive must not be asked of
            # Thread: an interrupt in its join makes it say no of one that is running (CPython 3.11).
            leave(batch)
    if batch.failure is not None:
        raise batch.failure
    return 0


cdef void leave(_Batch batch):
    """Stop the threads of a batch and wait for them, whatever interrupts come meanwhile."""
    while True:
        batch.stop = 1
        try:
            with batch.lock:
                batch.closed = True
            while batch.active:
                time.sleep(0.001)
            return
        except BaseException:
            continue


def solve_positions(list positions, int threads, Py_ssize_t table_bytes):
    """The values of a list of full positions, grouped by their rules."""
    cdef Py_ssize_t number = len(positions), i, j
    cdef Position position
    cdef _Batch batch
    cdef Hand* hands
    cdef Py_ssize_t* places
    cdef int8_t[::1] view
    import numpy as np

    answer = np.empty(number, dtype=np.int8)
    groups = {}
    for i in range(number):
        item = positions[i]
        if not isinstance(item, Position):
            raise TypeError(f"solve_many takes positions, not {type(item).__name__} (item {i})")
        position = item
        full_hand(position)
        groups.setdefault(position.ruleset, []).append(i)
    if number == 0:
        return answer
    view = answer
    hands = <Hand*>malloc(number * sizeof(Hand))
    places = <Py_ssize_t*>malloc(number * sizeof(Py_ssize_t))
    try:
        if hands == NULL or places == NULL:
            raise MemoryError
        for ruleset, members in groups.items():
            for j, i in enumerate(members):
                position = positions[i]
                hands[j] = position.s.hand
                places[j] = i
            batch = _Batch.__new__(_Batch)
            batch.hands = hands
            batch.values = &view[0]
            batch.places = places
            batch.number = len(members)
            batch.rules = (<RuleSet>ruleset).c
            run_batch(batch, threads, table_bytes)
    finally:
        free(hands)
        free(places)
    return answer


def solve_array(array, rules, int threads, Py_ssize_t table_bytes):
    """The values of packed hands under one set of rules."""
    cdef RuleSet ruleset = ruleset_of(rules_of(rules))
    cdef _Batch batch = _Batch.__new__(_Batch)
    cdef const uint8_t[::1] data
    cdef int8_t[::1] view
    cdef Py_ssize_t i, number
    cdef const Hand* hands
    import numpy as np

    if not isinstance(array, np.ndarray):
        raise TypeError(f"packed positions are a NumPy array, not {type(array).__name__}")
    if array.dtype != hand_dtype():
        raise SantaseError(f"packed positions have the dtype santase.hand_dtype(), not {array.dtype}")
    packed = np.ascontiguousarray(array).reshape(-1)
    number = len(packed)
    answer = np.empty(number, dtype=np.int8)
    if number == 0:
        return answer.reshape(array.shape)
    data = packed.view(np.uint8)
    hands = <const Hand*>&data[0]
    for i in range(number):
        if not (fields_fit(&hands[i]) and sizes_fit(&hands[i], &ruleset.c)
                and search_sound(&hands[i], &ruleset.c)):
            raise SantaseError(f"row {i} is no position under the rules {ruleset.text}")
    view = answer
    batch.hands = hands
    batch.values = &view[0]
    batch.places = NULL
    batch.number = number
    batch.rules = ruleset.c
    run_batch(batch, threads, table_bytes)
    return answer.reshape(array.shape)


# ---------------------------------------------------------------- packing

def pack(positions):
    """Full positions as a NumPy array of ``hand_dtype()``, 40 bytes each.

    ``positions`` is any iterable; its rules are not stored, so they are all the
    same and are given again to ``unpack`` and ``solve_many``. Nor is what is
    publicly known beyond counting. Raises ``HiddenCardsError`` for a view and
    ``SantaseError`` for mixed rules.

    Sets of cards are masks with bit ``6 * suit + rank``, suits in the order
    C D H S, ranks 9 J Q K T A; a card is the number of its bit, no card 31, no
    suit 4, nobody 2. ``talon`` holds the face-down cards in draw order, five bits
    each, the next in the lowest bits. Fields that are pairs are player 0's and 1's.
    ``over`` is 0 while the hand goes on.
    """
    cdef list items = list(positions)
    cdef Py_ssize_t i
    cdef Position position
    cdef RuleSet first = None
    cdef uint8_t[::1] data
    import numpy as np

    packed = np.zeros(len(items), dtype=hand_dtype())
    if not items:
        return packed
    data = packed.view(np.uint8)
    for i in range(len(items)):
        position = <Position?>items[i]
        full_hand(position)
        if first is None:
            first = position.ruleset
        elif position.ruleset is not first and position.ruleset != first:
            raise SantaseError(f"positions to pack have the same rules; item {i} has {position.ruleset.text}, the first {first.text}")
        (<Hand*>&data[i * sizeof(Hand)])[0] = position.s.hand
    return packed


def unpack(array, rules="santase"):
    """The positions of a packed array, checked as ``Position.parse`` checks a line.

    Raises ``NotationError`` for the first that cannot come about.
    """
    cdef RuleSet ruleset = ruleset_of(rules_of(rules))
    cdef const uint8_t[::1] data
    cdef Py_ssize_t i
    cdef Position position
    cdef const Hand* h
    cdef Hand sent
    cdef list positions = []
    import numpy as np

    if not isinstance(array, np.ndarray):
        raise TypeError(f"packed positions are a NumPy array, not {type(array).__name__}")
    if array.dtype != hand_dtype():
        raise SantaseError(f"packed positions have the dtype santase.hand_dtype(), not {array.dtype}")
    packed = np.ascontiguousarray(array).reshape(-1)
    if not len(packed):
        return positions
    data = packed.view(np.uint8)
    for i in range(len(packed)):
        h = <const Hand*>&data[i * sizeof(Hand)]
        if not fields_fit(h) or not (h.over or search_sound(h, &ruleset.c)):
            raise NotationError(f"row {i} is no position under the rules {ruleset.text}")
        position = Position.__new__(Position)
        memset(&position.s, 0, sizeof(Seen))
        position.ruleset = ruleset
        position.s.hand = h[0]
        positions.append(position)
        check_packed(position, i)
    return positions


cdef int check_packed(Position position, Py_ssize_t row) except -1:
    cdef Hand sent = position.s.hand
    cdef Hand* h = &position.s.hand
    # how a hand has ended is found again, and must be what was packed
    h.over = 1 if sent.over == 1 or sent.over == 2 else 0
    h.winner = NOBODY
    h.game_points = 0
    try:
        check_seen(&position.s, position.ruleset)
    except NotationError as error:
        raise NotationError(f"row {row}: {error}") from None
    if h.over != sent.over or h.winner != sent.winner or h.game_points != sent.game_points:
        raise NotationError(f"row {row}: the hand does not end like that")
    return 0
