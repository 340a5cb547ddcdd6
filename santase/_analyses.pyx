"""Analyses of many views as rows of a NumPy array, by several threads without the GIL.

For each view the same is done as in ``santase.analyze``, which a test compares
row by row: the exact solver where both hands are known and nothing of unknown
place will be drawn, else rollouts.
"""

from libc.math cimport INFINITY, NAN
from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from santase._arrays cimport seen_rows
from santase._batch cimport Batch, run_batch
from santase._closing cimport ClosedPlans, may_plan
from santase._network cimport Network
from santase._rollout cimport Finding, Rollouts, certain, conclude, rollouts_of
from santase._rules cimport ACTIONS, NOBODY, Hand, Seen, bit, is_full, legal_actions, lowest
from santase._ruleset cimport RuleSet
from santase._sampling cimport sample_world
from santase._search cimport (
    MOST_ACTIONS, UNSOLVED, Search,
    search_actions, search_close, search_limits, search_line, search_open, search_rules, search_value_between,
)


from santase._arrays import aligned


cdef extern from "_clock.h" nogil:
    double santase_seconds()


cdef enum:
    EXACT_TABLE = 1 << 20           # bytes; what is solved here has at most six tricks to go
    EXACT_NODES = 100000000         # of what is solved where no time says how long, as in analyze.py

cdef extern from *:
    const double SLICE "0.02"       # seconds that solving may take at least


cdef struct Row:
    # analysis_dtype(), which is aligned like this struct
    int64_t worlds
    uint32_t legal
    int8_t best
    uint8_t exact
    int8_t kind[31]
    float mean[31]
    float error[31]
    float win[31]
    float policy[31]
    float match[31]
    float opened[31]
    uint32_t tried[31]


def analysis_dtype():
    """The NumPy dtype of what ``analyze_many`` gives for a position, a record of 920 bytes.

    ``best`` is the number of the action to choose, ``legal`` the legal actions as
    a mask with bit ``n`` for action ``n``, ``exact`` whether nothing that matters
    is hidden, and ``worlds`` how many have been tried in all. The others have an entry
    for each action number: ``mean``, ``stderr``, ``win``, ``policy`` and ``match`` are what
    ``Estimate`` has under these names, for the player to move and rounded to single
    precision, ``tried`` is its ``worlds``. Of an action that is not legal they are NaN, and
    ``tried`` is 0.
    """
    import numpy as np

    columns = [(name, np.float32, (ACTIONS,)) for name in ("mean", "stderr", "win", "policy", "match", "opened")]
    dtype = np.dtype(
        [("worlds", np.int64), ("legal", np.uint32), ("best", np.int8), ("exact", np.bool_),
         ("kind", np.int8, (ACTIONS,)), *columns, ("tried", np.uint32, (ACTIONS,))],
        align=True,
    )
    assert dtype.itemsize == sizeof(Row)
    return dtype


cdef bint told_to_stop(void* flag) noexcept nogil:
    return (<int*>flag)[0]


cdef class _Analyses(Batch):
    """Views to be analysed."""

    cdef const Seen* seen
    cdef const uint64_t* seeds
    cdef Row* rows
    cdef RuleSet ruleset
    cdef Network network
    cdef int64_t worlds
    cdef int parts
    cdef double seconds
    cdef bint matched
    cdef double equities[19]
    cdef double utility[19]

    def work(self, bint alone):
        cdef Rollouts rollouts = rollouts_of(self.network, self.ruleset, self.utility if self.matched else NULL)
        cdef ClosedPlans plans = ClosedPlans.__new__(ClosedPlans)
        cdef Search search
        cdef Py_ssize_t start, end, i
        if search_open(&search, EXACT_TABLE) < 0:
            raise MemoryError("a table of the solver")
        try:
            search.interrupted = told_to_stop
            search.owner = &self.stop
            search_rules(&search, &self.ruleset.c)
            while self.next_rows(&start, &end):
                with nogil:
                    for i in range(start, end):
                        self.analyse(i, rollouts, plans, &search)
                        if self.stop:
                            break
                if not self.stop:
                    self.finished(end - start, alone)
        finally:
            search_close(&search)

    cdef void analyse(self, Py_ssize_t i, Rollouts rollouts, ClosedPlans plans, Search* search) noexcept nogil:
        """Fill row ``i``; it means nothing once ``stop`` is set."""
        cdef const Seen* seen = &self.seen[i]
        cdef const double* equities = self.equities if self.matched else NULL
        cdef double finish = santase_seconds() + self.seconds
        cdef Finding found
        cdef int64_t results[31][19]
        cdef int part
        cdef bint planned = False
        memset(results, 0, sizeof(results))
        if not seen.hidden[0] and not seen.hidden[1] and (is_full(seen) or seen.hand.closer != NOBODY):
            if self.solve(seen, search, equities, &found):
                write(&found, True, &self.rows[i])
                return
        if self.seconds > 0 and may_plan(seen, &self.ruleset.c):
            if plans.begin(seen, &self.ruleset.c, self.utility if self.matched else NULL):
                plans.p.interrupted = told_to_stop
                plans.p.owner = &self.stop
                plans.spend(self.worlds, finish - santase_seconds())
                planned = plans.decisions > 0
        for part in range(self.parts):
            rollouts.begin(seen, self.seeds[i] + <uint64_t>part * <uint64_t>0x9E3779B97F4A7C15ULL)
            if planned:
                rollouts.without(plans)
            if self.seconds > 0 and santase_seconds() < finish:
                rollouts.go(self.worlds // self.parts + (part < self.worlds % self.parts), finish, &self.stop)
                rollouts.add_to(results)
        if planned:
            conclude(rollouts, results, plans, equities, &found)
        else:
            conclude(rollouts, results, None, equities, &found)
        write(&found, False, &self.rows[i])

    cdef bint solve(self, const Seen* seen, Search* search, const double* equities, Finding* found) noexcept nogil:
        """The exact answer, or no if that takes too long."""
        cdef uint64_t state = 0
        cdef Hand world
        cdef int8_t values[31]
        cdef uint8_t line[MOST_ACTIONS]
        cdef int low, high, action
        cdef uint32_t left
        sample_world(seen, &self.ruleset.c, &state, &world)
        if self.seconds == INFINITY:
            search_limits(search, EXACT_NODES, 0)
        else:
            search_limits(search, 0, max(self.seconds, SLICE))
        if (search_value_between(search, &world, &low, &high) == UNSOLVED
                or search_actions(search, &world, low, values) < 0
                or search_line(search, &world, low, line) < 0):
            return False
        found.legal = left = legal_actions(&world, &self.ruleset.c)
        found.best = line[0]
        found.worlds = 1
        while left:
            action = lowest(left)
            left &= left - 1
            certain(values[action], equities, &found.actions[action])
        return True


cdef void write(const Finding* found, bint exact, Row* row) noexcept nogil:
    cdef int action
    row.worlds = found.worlds
    row.legal = found.legal
    row.best = <int8_t>found.best
    row.exact = exact
    for action in range(ACTIONS):
        if found.legal & bit(action):
            row.mean[action] = <float>found.actions[action].mean
            row.error[action] = <float>found.actions[action].error
            row.win[action] = <float>found.actions[action].win
            row.policy[action] = <float>found.actions[action].policy
            row.match[action] = <float>found.actions[action].match
            row.opened[action] = <float>found.actions[action].opened
            row.kind[action] = <int8_t>found.actions[action].kind
            row.tried[action] = <uint32_t>found.actions[action].worlds
        else:
            row.mean[action] = row.error[action] = row.win[action] = <float>NAN
            row.policy[action] = row.match[action] = row.opened[action] = <float>NAN
            row.kind[action] = -1
            row.tried[action] = 0


def analyze_rows(views, seeds, RuleSet ruleset not None, Network network not None, *, worlds, parts, seconds,
                 equities, utility, threads, progress=None, before=0):
    """A row of ``analysis_dtype()`` for each of the views under one set of rules.

    ``views`` are rows that ``views_of`` or ``pack_views`` has made; they are not checked again.
    ``seeds`` are the rows' own; ``worlds`` come from ``parts`` independent samples
    and end after ``seconds`` a row. ``equities`` and ``utility`` are 19 numbers each, or
    None. ``progress`` counts on from ``before``.
    """
    import numpy as np

    cdef _Analyses batch = _Analyses.__new__(_Analyses)
    cdef const uint64_t[::1] given
    cdef uint8_t[::1] written
    cdef int i
    answers = np.zeros(len(views), dtype=analysis_dtype())
    if not len(views):
        return answers
    views = aligned(views)
    given = aligned(seeds)
    assert given.shape[0] == len(views)
    written = answers.view(np.uint8)
    batch.seen = seen_rows(views)
    batch.seeds = &given[0]
    batch.rows = <Row*>&written[0]
    batch.number = len(views)
    batch.ruleset = ruleset
    batch.network = network
    batch.worlds = worlds
    batch.parts = parts
    batch.seconds = seconds
    batch.matched = equities is not None
    if batch.matched:
        for i in range(19):
            batch.equities[i] = equities[i]
            batch.utility[i] = utility[i]
    batch.progress = progress
    batch.before = before
    # a chunk takes some hundredths of a second at the most, or is a single row
    run_batch(batch, threads, 64 if seconds == 0 else max(1, min(64, 200 // worlds)), False)
    return answers
