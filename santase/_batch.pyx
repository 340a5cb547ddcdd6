"""Work on many rows, shared out to threads that take a chunk at a time."""

import itertools
import threading
import time

cimport cython

from santase.errors import SantaseError


cdef extern from "_clock.h" nogil:
    double santase_seconds()


cdef enum:
    TELLS_A_SECOND = 10     # calls of ``progress`` at the most, but for the last


@cython.auto_pickle(False)
cdef class Batch:
    """Rows under one set of rules and what is done with them; ``work`` is for the subclass to write.

    It takes chunks with ``next_rows`` until there are none or ``stop`` is set,
    without the GIL, and reports each with ``finished``.
    """

    def work(self, bint alone):
        """One thread's share. ``alone``: in the calling thread, so signals are to be watched here."""
        raise NotImplementedError

    cdef bint next_rows(self, Py_ssize_t* start, Py_ssize_t* end) except -1:
        """The next chunk, from ``start`` to before ``end``; false when there is none, or ``stop`` is set."""
        if self.stop:
            return False
        with self.lock:
            start[0] = next(self.counter) * self.chunk
        end[0] = min(start[0] + self.chunk, self.number)
        return start[0] < self.number

    cdef int finished(self, Py_ssize_t rows, bint alone) except -1:
        with self.lock:
            self.done += rows
        if alone:
            self.tell()
        return 0

    cdef int tell(self) except -1:
        """Call ``progress`` if it is time to; an exception of its own goes up."""
        cdef double now
        if self.progress is not None and self.done < self.number:
            now = santase_seconds()
            if self.done and now - self.told >= 1.0 / TELLS_A_SECOND:
                self.told = now
                self.progress(self.before + self.done)
        return 0

    def run(self):
        """What each of several threads does."""
        with self.lock:
            if self.closed:
                return
            self.active += 1
        try:
            self.work(False)
        except BaseException as error:
            self.failure = error
            self.stop = 1
        finally:
            with self.lock:
                self.active -= 1
                self.ended += 1
            self.wake.set()


cdef int run_batch(Batch batch, int threads, Py_ssize_t chunk, bint may_stay) except -1:
    """Do all rows, up to ``chunk`` at a time. With ``may_stay`` one thread's work is done in the calling thread."""
    batch.lock = threading.Lock()
    batch.wake = threading.Event()
    batch.counter = itertools.count()
    batch.chunk = max(1, min(chunk, batch.number // (16 * threads)))
    batch.told = santase_seconds()
    threads = min(threads, (batch.number + batch.chunk - 1) // batch.chunk)
    if threads <= 1 and may_stay:
        batch.work(True)
    else:
        try:
            for started in range(threads):
                try:
                    threading.Thread(target=batch.run, daemon=True).start()
                except RuntimeError as error:
                    # the system gives no more: those that there are do the work
                    if not started:
                        raise SantaseError(f"threads: the system gives none ({error})") from None
                    threads = started
                    break
            while batch.ended < threads:
                batch.wake.wait(0.02)
                batch.wake.clear()
                batch.tell()
        finally:
            # Nothing may touch the rows after this. Whether a thread is alive must not be asked of
            # Thread: an interrupt in its join makes it say no of one that is running (CPython 3.11).
            leave(batch)
    if batch.failure is not None:
        raise batch.failure
    if batch.progress is not None:
        batch.progress(batch.before + batch.number)
    return 0


cdef void leave(Batch batch):
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
