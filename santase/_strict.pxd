"""The strict phase as a race between two known hands, for the open search above it."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t


cdef enum:
    # What a search answers: the leader's side loses or wins the race, or, where
    # only a quick look was asked for, it is not known.
    LOST = 0
    WON = 1
    UNKNOWN = 2

cdef enum:
    ANY = 255               # a bound that nothing can break

cdef enum:
    # The kind of a race, seen from the leader. Bits 0-2: who wins it if the
    # cards run out before anybody has reached his need.
    END_LAST = 0            # who took the last trick
    END_LEADER = 1          # the leader's side
    END_OTHER = 2           # the other's
    END_BONUS = 3           # who reaches his need with the last trick's bonus, else the defender
    END_HIGH = 4            # the attacker, if he reaches his need with the bonus, else the defender
    END_MASK = 7
    ATTACKER_LEADS = 8      # told apart where it matters: END_BONUS, END_HIGH, LATE_ZERO
    OTHER_PENDING = 16      # times 1 or 2: 20 or 40 points that the other's first trick makes count
    LEADER_PENDING = 64     # the same for a leader who has no trick
    TRICKLESS = 256         # the leader has no trick: what he declares is pending
    LATE_ZERO = 512         # the attacker's first trick makes the defender's need 0
    RARE = 0x3F0            # any of the last four

cdef struct Entry:
    # A hand against a hand, with proven bounds on the needs: won for a leader's
    # need <= corner[0] and an other's >= corner[1], or [2] and [3]; lost for a
    # leader's need >= corner[4] and an other's <= corner[5], or [6] and [7].
    #
    #   key   62 ... 53 | 52 ... 29 | 28 ... 5 | 4 ... 0
    #         kind      | other     | leader   | best lead, 31 none     (+ 1 << 5)
    uint64_t key
    uint8_t corner[8]

cdef struct Strict:
    Entry* table            # NULL for none
    int table_shift         # 64 - log2(entries)
    uint64_t nodes          # lead and reply positions looked at
    uint64_t look_at        # nodes at which to call look
    int (*look)(Strict*) noexcept nogil     # whether to stop
    void* owner             # for look
    int stop                # set: every search returns at once, its answer means nothing
    bint quick              # bounds and table only, else UNKNOWN
    int leader_bound        # of the last answer: what it holds for. Won: leader's needs up to
    int other_bound         # leader_bound, other's from other_bound; lost: from and up to.
    uint8_t bonus           # for the last trick of an exhausted talon
    bint first_marriage     # a marriage may be declared before the first trick


cdef int lead_race(Strict* s, uint32_t leader, uint32_t other, int need, int other_need, uint32_t kind) noexcept nogil
cdef int reply_race(Strict* s, uint32_t leader, uint32_t other, int led, int need, int other_need, uint32_t kind) noexcept nogil
