"""The exact search, for the compiled modules that sample positions and solve them.

A ``Search`` belongs to one thread at a time. Give it memory with
``search_open``, rules with ``search_rules`` and then as many hands as you like::

    cdef Search search
    if search_open(&search, 1 << 20) < 0: raise MemoryError
    search_rules(&search, &rules)
    value = search_value(&search, &hand)      # for the player to move
    search_close(&search)

The memory is the table's; 0 is allowed and slow. What is in it never changes
an answer.
"""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t

from santase._rules cimport Hand, Rules
from santase._strict cimport Strict


cdef enum:
    HIGHEST = 9             # no rules give more game points than this
    UNSOLVED = 127          # in the place of a value: a limit was reached
    MOST_ACTIONS = 64       # of a hand, declarations and all, are fewer

cdef enum:
    # why a search has stopped
    NODE_LIMIT = 1
    TIME_LIMIT = 2
    INTERRUPTED = 3

cdef struct OpenEntry:
    # A lead of the open phase with a question, and for what points it is
    # answered: yes for attacker's points >= yes[0] and defender's <= yes[1], no for
    # attacker's <= no[0] and defender's >= no[1].
    uint64_t key
    uint8_t yes[2]
    uint8_t no[2]
    uint8_t answered        # 1 yes, 2 no is there
    uint8_t best            # action
    uint16_t talon          # number of the talon it belongs to

cdef struct Search:
    Strict strict           # first: a pointer to it is one to the Search
    OpenEntry* table
    int table_shift         # 64 - log2(entries)
    uint16_t talon_number   # of the talon below; another talon is another number
    Rules rules
    bint early_end          # rules under which reaching the target ends the hand where a closing is worth more
    bint irregular          # rules under which waiting may pay, see _search.pyx
    int highest             # game points that a hand under these rules can be worth
    # the question: is it worth at least ``level`` to ``attacker``?
    int attacker
    int level
    int attacker_bound      # for what points the last answer holds, as in OpenEntry
    int defender_bound
    # the talon, trumps turned into spades
    uint8_t talon[12]
    int talon_size
    int turned
    int trump
    # killers: at each trick the last leads, and to each lead the reply, that decided
    uint8_t killer[12][2]
    uint8_t killer2[12][2]
    uint8_t killer_reply[12][2][24]
    uint64_t node_limit     # 0 for none
    double deadline         # of santase_seconds, 0 for none
    double next_signal      # when to ask for signals next
    bint (*interrupted)(void*) noexcept nogil   # NULL, or asked every 20 ms
    void* owner


cdef int search_open(Search* s, size_t bytes) noexcept nogil
cdef void search_close(Search* s) noexcept nogil
cdef void search_clear(Search* s) noexcept nogil
cdef bint search_regular(const Rules* rules) noexcept nogil
cdef void search_rules(Search* s, const Rules* rules) noexcept nogil
cdef void search_limits(Search* s, uint64_t nodes, double seconds) noexcept nogil
cdef int search_value(Search* s, const Hand* h) noexcept nogil
cdef int search_value_between(Search* s, const Hand* h, int* low, int* high) noexcept nogil
cdef int search_at_least(Search* s, const Hand* h, int player, int value) noexcept nogil
cdef int search_actions(Search* s, const Hand* h, int value, int8_t* values) noexcept nogil
cdef int search_line(Search* s, const Hand* h, int value, uint8_t* line) noexcept nogil
cdef bint search_sound(const Hand* h, const Rules* r) noexcept nogil
