"""Work on many rows, shared out to threads that take a chunk at a time."""


cdef class Batch:
    cdef Py_ssize_t number, chunk
    cdef Py_ssize_t done                # rows that have their answer
    cdef Py_ssize_t before              # rows done before this batch, for ``progress``
    cdef object progress                # None, or called with the number of rows done
    cdef int stop                       # set when the threads are to end
    cdef int active, ended              # threads at work, and done with it
    cdef bint closed                    # no thread may begin any more
    cdef double told                    # when ``progress`` was last called
    cdef object counter, lock, wake, failure

    cdef bint next_rows(self, Py_ssize_t* start, Py_ssize_t* end) except -1
    cdef int finished(self, Py_ssize_t rows, bint alone) except -1
    cdef int tell(self) except -1


cdef int run_batch(Batch batch, int threads, Py_ssize_t chunk, bint may_stay) except -1
