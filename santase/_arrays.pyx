"""Positions as rows of NumPy arrays: packed and unpacked, dealt, and played out by the million.

A row is the core's own struct, so packing is copying: a ``Hand`` for a full
position, a ``Seen`` for a view. Whatever comes from outside is checked before
anything is done with it.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, uint8_t, uint64_t
from libc.string cimport memset

from santase._batch cimport Batch, run_batch
from santase._check cimport check_seen, fields_fit, sizes_fit
from santase._core cimport Position, deal_hand, random_playout
from santase._random cimport GAMMA, next64
from santase._rules cimport CARD_SUIT, NO_CARD, NOBODY, Hand, Rules, Seen, hide, is_full, to_move, value_for
from santase._ruleset cimport RuleSet
from santase._search cimport search_sound

from santase._core import checked_leader, seed_state
from santase._ruleset import ruleset_of
from santase.errors import HiddenCardsError, NotationError, SantaseError
from santase.executors import checked_threads
from santase.quantities import whole
from santase.rules import rules_of


cdef enum:
    DEALS_A_CHUNK = 1 << 14         # some milliseconds
    PLAYOUTS_A_CHUNK = 1 << 13

_HAND = (
    ("talon", "u8"), ("hand", "u4", (2,)), ("played", "u4"), ("facedown", "u1"), ("turned", "u1"), ("trump", "u1"),
    ("leader", "u1"), ("led", "u1"), ("declared", "u1"), ("points", "u1", (2,)), ("tricks", "u1", (2,)),
    ("pending", "u1", (2,)), ("closer", "u1"), ("closing_points", "u1"), ("closing_tricks", "u1"),
    ("over", "u1"), ("winner", "u1"), ("game_points", "u1"), ("spare", "u1", (2,)),
)
_VIEW = (
    *_HAND, ("holds", "u4", (2,)), ("lacks", "u4", (2,)), ("hidden", "u1", (2,)), ("talon_hidden", "u1"),
    ("view_spare", "u1", (5,)),
)


def hand_dtype():
    """The NumPy dtype of a packed full position, a record of 40 bytes; ``pack`` explains the fields.

    NumPy is imported here and below only when it is wanted: it takes longer
    than the rest of the library.
    """
    import numpy as np

    dtype = np.dtype(list(_HAND))
    assert dtype.itemsize == sizeof(Hand)
    return dtype


def view_dtype():
    """The NumPy dtype of a packed view, a record of 64 bytes; ``pack_views`` explains the fields."""
    import numpy as np

    dtype = np.dtype(list(_VIEW))
    assert dtype.itemsize == sizeof(Seen)
    return dtype


# ---------------------------------------------------------------- packing

cdef const Hand* full_hand(Position position) except NULL:
    if not is_full(&position.s):
        raise HiddenCardsError("solving takes a full position, and cards are hidden in this one")
    return &position.s.hand


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
    items = list(positions)
    return rows_of(items, one_ruleset(items), hand_dtype())


def pack_views(positions):
    """What the player to move knows, as a NumPy array of ``view_dtype()``, 64 bytes each.

    ``positions`` is any iterable of positions under the same rules, which are
    not stored; full ones are seen through the eyes of the player to move.

    The first fields are those of ``pack``: ``hand`` holds the cards known to be
    there, ``talon`` is 0 while ``talon_hidden`` is 1. Then come the sets of cards
    that the other player knows each player to hold (``holds``) and to lack
    (``lacks``) beyond counting, and how many further cards of each hand are
    hidden (``hidden``). Raises ``HiddenCardsError`` where the hand of the player
    to move is hidden and ``SantaseError`` for mixed rules.
    """
    items = list(positions)
    return rows_of(items, one_ruleset(items), view_dtype())


cdef RuleSet one_ruleset(list items):
    """The rules of all the positions; None for no positions."""
    cdef RuleSet first = None, ruleset
    cdef Py_ssize_t i
    for i in range(len(items)):
        ruleset = position_at(items, i).ruleset
        if first is None:
            first = ruleset
        elif ruleset is not first and ruleset != first:
            raise SantaseError(f"positions to pack have the same rules; item {i} has {ruleset.text}, the first {first.text}")
    return first


cdef Position position_at(list items, Py_ssize_t i):
    item = items[i]
    if not isinstance(item, Position):
        raise TypeError(f"positions are needed, not {type(item).__name__} (item {i})")
    return item


cdef rows_of(list items, RuleSet ruleset, dtype, places=None):
    """Positions of one set of rules as rows of either dtype; errors number them by ``places``."""
    import numpy as np

    cdef Py_ssize_t i, size = dtype.itemsize
    cdef Position position
    cdef Seen seen
    cdef uint8_t[::1] data
    packed = np.zeros(len(items), dtype=dtype)
    if items:
        data = packed.view(np.uint8)
    for i in range(len(items)):
        position = items[i]
        try:
            if size == sizeof(Hand):
                (<Hand*>&data[i * size])[0] = full_hand(position)[0]
            else:
                seen = position.s
                see(&seen, ruleset)
                (<Seen*>&data[i * size])[0] = seen
        except HiddenCardsError as error:
            raise HiddenCardsError(f"item {i if places is None else places[i]}: {error}") from None
    return packed


def by_rules(positions, dtype):
    """Positions of any rules as rows: a list of ``(ruleset, places, rows)``, the places in the order given."""
    import numpy as np

    cdef list items = list(positions)
    cdef Py_ssize_t i
    groups = {}
    for i in range(len(items)):
        groups.setdefault(position_at(items, i).ruleset, []).append(i)
    return [
        (ruleset, np.array(places), rows_of([items[i] for i in places], ruleset, dtype, places))
        for ruleset, places in groups.items()
    ]


cdef int see(Seen* s, RuleSet ruleset) except -1:
    """Reduce a position to what the player to move knows."""
    cdef int player = to_move(&s.hand)
    if s.hidden[player]:
        raise HiddenCardsError(f"player {player} is to move, whose hand is hidden in this view")
    if is_full(s):
        hide(s, &ruleset.c, player)
    return 0


# ---------------------------------------------------------------- what comes from outside

cdef flat(array):
    """An array of either dtype, or one of its rows, as contiguous rows."""
    import numpy as np

    if isinstance(array, np.ma.MaskedArray):
        raise TypeError("packed positions are a NumPy array without a mask: those of array.compressed(), for instance")
    if isinstance(array, np.void):
        array = np.asarray(array)
    if not isinstance(array, np.ndarray):
        raise TypeError(f"packed positions are a NumPy array, not {type(array).__name__}")
    if not array.dtype.isnative:  # from a file of another machine
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype != hand_dtype() and array.dtype != view_dtype():
        raise SantaseError(
            f"packed positions have the dtype santase.hand_dtype() or santase.view_dtype(), not {array.dtype}")
    return aligned(np.ascontiguousarray(array).reshape(-1))


def aligned(rows):
    """The same contiguous rows at an address that is a multiple of eight, which those from files and from
    other processes need not have, and which their dtype does not ask for."""
    return rows.copy() if rows.__array_interface__["data"][0] % 8 else rows


def flat_hands(array):
    """An array of full positions as contiguous rows."""
    rows = flat(array)
    if rows.dtype != hand_dtype():
        raise HiddenCardsError("full positions are needed, of the dtype santase.hand_dtype(), and these are views")
    return rows


cdef const Hand* checked_hands(packed, RuleSet ruleset) except? NULL:
    """The hands of contiguous rows, found safe to search; NULL if there are none."""
    import numpy as np

    cdef const uint8_t[::1] data
    cdef const Hand* hands
    cdef Py_ssize_t i, wrong = -1, number = len(packed)
    if number == 0:
        return NULL
    data = packed.view(np.uint8)
    hands = <const Hand*>&data[0]
    with nogil:
        for i in range(number):
            if not (fields_fit(&hands[i], &ruleset.c) and sizes_fit(&hands[i], &ruleset.c)
                    and search_sound(&hands[i], &ruleset.c)):
                wrong = i
                break
    if wrong >= 0:
        raise NotationError(f"row {wrong} is no position under the rules {ruleset.text}")
    return hands


def check_hands(packed, RuleSet ruleset not None):
    """Raise ``NotationError`` unless all rows are safe to search."""
    checked_hands(packed, ruleset)


cdef const Seen* seen_rows(packed) except? NULL:
    """The rows of a contiguous array of ``view_dtype()``; NULL if there are none."""
    import numpy as np

    cdef const uint8_t[::1] data
    if len(packed) == 0:
        return NULL
    data = packed.view(np.uint8)
    return <const Seen*>&data[0]


cdef seen_of(array, RuleSet ruleset):
    """Packed positions, full or views, checked as a line is, as an array of ``view_dtype()``."""
    import numpy as np

    cdef const uint8_t[::1] data
    cdef Py_ssize_t i, size
    cdef Seen* seen
    rows = flat(array)
    checked = np.zeros(len(rows), dtype=view_dtype())
    if not len(rows):
        return checked
    size = rows.dtype.itemsize
    data = rows.view(np.uint8)
    seen = <Seen*>seen_rows(checked)
    for i in range(len(rows)):
        if size == sizeof(Seen):
            seen[i] = (<const Seen*>&data[i * size])[0]
        else:
            seen[i].hand = (<const Hand*>&data[i * size])[0]
        check_row(&seen[i], ruleset, i)
    return checked


cdef int check_row(Seen* s, RuleSet ruleset, Py_ssize_t row) except -1:
    """Check a position as ``Position.parse`` does; raises ``NotationError``."""
    cdef Hand* h = &s.hand
    cdef Hand sent = s.hand
    cdef int i
    cdef bint fits = (fields_fit(h, &ruleset.c) and s.talon_hidden <= 1 and (h.talon == 0 or not s.talon_hidden))
    for i in range(5):
        fits = fits and s.spare[i] == 0
    if is_full(s):
        fits = fits and (h.over or search_sound(h, &ruleset.c))
    if not fits:
        raise NotationError(f"row {row} is no position under the rules {ruleset.text}")
    # how a hand has ended is found again, and must be what was packed
    h.over = 1 if sent.over == 1 or sent.over == 2 else 0
    h.winner = NOBODY
    h.game_points = 0
    try:
        check_seen(s, ruleset)
    except NotationError as error:
        raise NotationError(f"row {row}: {error}") from None
    if h.over != sent.over or h.winner != sent.winner or h.game_points != sent.game_points:
        raise NotationError(f"row {row}: the hand does not end like that")
    return 0


def unpack(array, rules="santase"):
    """The positions of a packed array, full or views, checked as ``Position.parse`` checks a line.

    Raises ``NotationError`` for the first that cannot come about.
    """
    cdef RuleSet ruleset = ruleset_of(rules_of(rules))
    cdef Py_ssize_t i
    cdef Position position
    cdef list positions = []
    checked = seen_of(array, ruleset)
    cdef const Seen* seen = seen_rows(checked)
    for i in range(len(checked)):
        position = Position.__new__(Position)
        position.ruleset = ruleset
        position.s = seen[i]
        positions.append(position)
    return positions


def views_of(array, RuleSet ruleset not None):
    """Packed positions as what the players to move know: checked, contiguous, an array of their own."""
    cdef Py_ssize_t i
    checked = seen_of(array, ruleset)
    cdef Seen* seen = <Seen*>seen_rows(checked)
    for i in range(len(checked)):
        try:
            see(&seen[i], ruleset)
        except HiddenCardsError as error:
            raise HiddenCardsError(f"row {i}: {error}") from None
    return checked


def need_moves(views, places=None):
    """Raise ``SantaseError`` where a hand is over; it numbers the rows, or the items that ``places`` says they are."""
    over = views["over"].nonzero()[0]
    if len(over):
        where = f"row {over[0]}" if places is None else f"item {places[over[0]]}"
        raise SantaseError(f"{where}: the hand is over, there is nothing to play")


# ---------------------------------------------------------------- by the million

def row_seeds(seed, Py_ssize_t number):
    """The seeds of so many rows, uint64: ``hand_seed(seed, 1)``, ``hand_seed(seed, 2)``, ..."""
    import numpy as np

    cdef uint64_t state = seed_state(seed)
    cdef uint64_t[::1] filled
    cdef Py_ssize_t i
    seeds = np.empty(number, dtype=np.uint64)
    filled = seeds
    if number:
        filled[0] = state
    for i in range(1, number):
        filled[i] = next64(&state)
    return seeds


@cython.auto_pickle(False)
cdef class _RowByRow(Batch):
    """Rows of hands that are each done in no time, without the GIL."""

    cdef Rules rules

    def work(self, bint alone):
        cdef Py_ssize_t start, end
        while self.next_rows(&start, &end):
            with nogil:
                self.do_rows(start, end)
            if alone:
                PyErr_CheckSignals()
            self.finished(end - start, alone)

    cdef void do_rows(self, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
        pass

    cdef int share_out(self, RuleSet ruleset, threads, progress, Py_ssize_t chunk) except -1:
        """Do all rows; threads of their own are begun only for many."""
        cdef Py_ssize_t most = 1 + self.number // chunk
        self.rules = ruleset.c
        self.progress = progress
        run_batch(self, min(<Py_ssize_t>threads, most), chunk, True)
        return 0


@cython.auto_pickle(False)
cdef class _Deals(_RowByRow):
    cdef Hand* hands
    cdef uint64_t first
    cdef int leads

    cdef void do_rows(self, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
        cdef Py_ssize_t i
        cdef uint64_t state
        for i in range(start, end):
            state = self.first + <uint64_t>i
            deal_hand(&self.hands[i], &self.rules, &state, self.leads)


@cython.auto_pickle(False)
cdef class _Playouts(_RowByRow):
    cdef const Hand* hands
    cdef int8_t* points
    cdef uint64_t seed

    cdef void do_rows(self, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
        cdef Py_ssize_t i
        cdef uint64_t state
        cdef Hand h
        cdef int player
        for i in range(start, end):
            state = self.seed if i == 0 else hand_seed_after(self.seed, i)
            h = self.hands[i]
            player = to_move(&h)
            random_playout(&h, &self.rules, &state)
            self.points[i] = <int8_t>value_for(&h, player)


def deal_many(number, seed, rules="santase", *, leader=0, threads=None, progress=None):
    """Fresh deals as an array of ``hand_dtype()``: row ``i`` is ``deal(seed + i, rules, leader=leader)``.

    Seeds go on at 0 after 2**64 - 1. ``threads`` and ``progress`` are as in ``solve_many``; Ctrl-C
    stops it. Raises ``SantaseError``.
    """
    import numpy as np

    cdef RuleSet ruleset = ruleset_of(rules_of(rules))
    cdef _Deals batch = _Deals.__new__(_Deals)
    cdef uint8_t[::1] data
    batch.first = seed_state(seed)
    batch.number = checked_count(number)
    batch.leads = checked_leader(leader)
    threads = checked_threads(threads)
    dealt = np.empty(batch.number, dtype=hand_dtype())
    if batch.number:
        data = dealt.view(np.uint8)
        batch.hands = <Hand*>&data[0]
        batch.share_out(ruleset, threads, progress, DEALS_A_CHUNK)
    return dealt


def playout_many(array, seed=0, rules="santase", *, threads=None, progress=None):
    """Play packed full positions to the end at random: an int8 array of game points, in the array's shape.

    The points are for the player to move in the row. Every legal action is as
    likely as any other, but 66 is called when, and only when, it has been
    reached. Row ``i`` has the seed ``hand_seed(seed, i + 1)``, so that equal
    arguments give equal answers. A hand that is over gives what it ended with.
    ``threads`` and ``progress`` are as in ``solve_many``; Ctrl-C stops it.
    Rows are checked as ``solve_many`` checks them. Raises ``SantaseError``.
    """
    import numpy as np

    cdef RuleSet ruleset = ruleset_of(rules_of(rules))
    cdef _Playouts batch = _Playouts.__new__(_Playouts)
    cdef int8_t[::1] points
    batch.seed = seed_state(seed)
    threads = checked_threads(threads)
    rows = flat_hands(array)
    batch.number = len(rows)
    results = np.empty(batch.number, dtype=np.int8)
    if batch.number:
        batch.hands = checked_hands(rows, ruleset)
        points = results
        batch.points = &points[0]
        batch.share_out(ruleset, threads, progress, PLAYOUTS_A_CHUNK)
    return results.reshape(np.shape(array))


cdef inline uint64_t hand_seed_after(uint64_t seed, Py_ssize_t i) noexcept nogil:
    """``hand_seed(seed, i + 1)`` for i > 0."""
    cdef uint64_t state = seed + <uint64_t>(i - 1) * GAMMA
    return next64(&state)


cdef Py_ssize_t checked_count(number) except -1:
    count = whole(number)
    if count is None:
        raise SantaseError(f"number: a whole number is needed, not {number!r}")
    if not 0 <= count < 1 << 40:
        raise SantaseError(f"number: 0 or more are needed, and fewer than 2**40, not {count}")
    return count
