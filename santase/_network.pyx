"""The learned player: a small network over what a player knows, in whole numbers.

Sparse inputs (``_features.pxd``) - h1 - h2 - thirty logits and a value,
rectified, so that

* the first layer is a sum of table rows, one for each input that is one;
* all weights and activations are 16-bit and all sums 32-bit integers, which
  makes the answer the same on every machine (the weights are checked, when they
  are loaded, against any overflow);
* probabilities are integers too, by shifts and a table of powers of two.

How the weights were made is told in ``Network.about`` and ``training/README.md``.
"""

import functools
import io
import math

from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t

from santase._core cimport Position
from santase._features cimport FEATURES, MAX_ACTIVE, MOVES, Suits, encode, move_of
from santase._random cimport next64
from santase._rules cimport CALL, NO_CARD, bit, is_full, legal_actions, to_move

from santase.actions import ACTIONS as ALL_ACTIONS
from santase.errors import HiddenCardsError, SantaseError

cdef extern from "_kernels.h" nogil:
    int santase_processor()
    void santase_sum_rows(int processor, const int16_t* table, const int16_t* bias, int width,
                          const uint16_t* inputs, int n, int16_t* out)
    void santase_dots(int processor, const int16_t* rows, int count, int width, const int16_t* x, int32_t* out)

# How many inputs of each group can be one at once, for the check against overflow.
_GROUPS = (
    (24, 11), (24, 11), (24, 22), (24, 1), (24, 11), (24, 22), (24, 11), (24, 11),
    (6, 1), (4, 1), (6, 6), (67, 1), (67, 1), (3, 1), (3, 1), (7, 1), (7, 1), (12, 1), (2, 1),
    (2, 2), (7, 1), (7, 1), (1, 1), (2, 2), (17, 17),
)


_ARRAYS = ("w1", "b1", "w2", "b2", "w3", "b3", "first_scale", "second_scale", "third_scale", "about")


def _need_fit(fits, what):
    if not fits:
        raise SantaseError(f"weights: {what}")


cdef class Network:
    """A player's policy and value; immutable, to be shared by any number of threads.

    Made of arrays ``w1`` (412, h1), ``b1`` (h1), ``w2`` (h2, h1), ``w3`` (31, h2) of int16 and ``b2``, ``b3`` of
    int32: real weights times powers of two, ``first_scale`` for the first layer and the activations,
    ``second_scale`` for w2, ``third_scale`` for w3 (the exponents). Raises ``SantaseError`` for weights that could
    overflow. ``processor`` is how much of the processor may be used, 0 to 2 (``_kernels.h``); the answers are
    the same.
    """

    def __init__(self, arrays, about=None, *, int processor=2):
        cdef const int16_t[:, ::1] w1, w2, w3
        cdef const int16_t[::1] b1
        cdef const int32_t[::1] b2, b3
        cdef int i
        cdef object root
        w1 = arrays["w1"]
        b1 = arrays["b1"]
        w2 = arrays["w2"]
        b2 = arrays["b2"]
        w3 = arrays["w3"]
        b3 = arrays["b3"]
        self.about = dict(about or {})
        self.arrays = (w1, b1, w2, b2, w3, b3)
        self.h1 = w1.shape[1]
        self.h2 = w2.shape[0]
        _need_fit(
            w1.shape[0] == FEATURES and 0 < self.h1 <= MAX_WIDTH and 0 < self.h2 <= MAX_WIDTH
            and b1.shape[0] == self.h1 and w2.shape[1] == self.h1 and b2.shape[0] == self.h2
            and w3.shape[0] == MOVES + 1 and w3.shape[1] == self.h2 and b3.shape[0] == MOVES + 1,
            "the shapes of the arrays do not fit",
        )
        self.first_scale = int(arrays["first_scale"])
        self.second_scale = int(arrays["second_scale"])
        self.scale = self.first_scale + int(arrays["third_scale"])
        _need_fit(0 <= self.first_scale <= 14 and 0 <= self.second_scale <= 15 and 0 <= self.scale <= 24,
                  "a scale is out of range")
        self._check_overflow()
        self.processor = max(0, min(processor, santase_processor()))
        self.w1 = &w1[0, 0]
        self.b1 = &b1[0]
        self.w2 = &w2[0, 0]
        self.b2 = &b2[0]
        self.w3 = &w3[0, 0]
        self.b3 = &b3[0]
        for i in range(256):
            # floor(2 ** (24 - i / 256)) by whole numbers: the 256th root of a power of two
            root = pow(2, 256 * 24 - i)
            for _ in range(8):
                root = math.isqrt(root)
            self.powers[i] = root

    def _check_overflow(self):
        """No input, whatever it is, may take a sum out of its type."""
        import numpy as np

        w1, b1, w2, b2, w3, b3 = (np.asarray(a).astype(np.int64) for a in self.arrays)
        reach, at = abs(b1), 0
        for size, most in _GROUPS:
            group = np.sort(abs(w1[at : at + size]), axis=0)[::-1]
            reach = reach + group[:most].sum(0)
            at += size
        _need_fit(at == FEATURES and reach.max() < 1 << 15, "a sum of the first layer can overflow")
        reach = abs(w2) @ reach + abs(b2) + (1 << self.second_scale)
        _need_fit(reach.max() < 1 << 31, "a sum of the second layer can overflow")
        reach = np.minimum(reach >> self.second_scale, (1 << 15) - 1)
        _need_fit((abs(w3) @ reach + abs(b3)).max() < 1 << 30, "a sum of the third layer can overflow")

    cdef int need_weights(self) except -1:
        """Raise ``SantaseError`` for a network made by ``__new__`` alone."""
        _need_fit(self.b3 != NULL, "this network has none")
        return 0

    # ---------------------------------------------------------------- evaluation

    cdef void evaluate(self, const uint16_t* inputs, int n, int32_t* out) noexcept nogil:
        """The ``MOVES`` logits and the value of a list of inputs."""
        cdef int16_t first[MAX_WIDTH]
        cdef int16_t second[MAX_WIDTH]
        cdef int32_t sums[MAX_WIDTH]
        cdef int shift = self.second_scale
        cdef int32_t total
        cdef int i
        santase_sum_rows(self.processor, self.w1, self.b1, self.h1, inputs, n, first)
        santase_dots(self.processor, self.w2, self.h2, self.h1, first, sums)
        for i in range(self.h2):
            total = sums[i] + self.b2[i] + ((<int32_t>1 << shift) >> 1)
            total = total >> shift if total > 0 else 0
            second[i] = <int16_t>(total if total < 32767 else 32767)
        santase_dots(self.processor, self.w3, MOVES + 1, self.h2, second, out)
        for i in range(MOVES + 1):
            out[i] += self.b3[i]

    cdef void judge(self, const Hand* h, const Knowledge* k, const Rules* r, uint32_t shown,
                    Opinion* opinion) noexcept nogil:
        """What the player to move thinks; the hand is not over."""
        cdef uint16_t inputs[MAX_ACTIVE]
        cdef int32_t out[MOVES + 1]
        cdef Suits suits
        cdef uint32_t left = legal_actions(h, r)
        cdef int n = encode(h, k, r, shown, inputs, &suits)
        cdef int action
        self.evaluate(inputs, n, out)
        opinion.value = out[MOVES]
        if left & bit(CALL):
            left = bit(CALL) if h.points[h.leader] >= r.target else left & ~bit(CALL)
        opinion.actions = left
        if left == bit(CALL):
            opinion.logits[CALL] = 0
            return
        while left:
            action = lowest(left)
            left &= left - 1
            opinion.logits[action] = out[move_of(action, suits.read)]

    cdef void judge_seen(self, const Seen* s, const Rules* r, Opinion* opinion) noexcept nogil:
        """The same for a view, or for a full hand through the eyes of the player to move."""
        self.judge(&s.hand, &s.known, r, shown_to_mover(s), opinion)

    cdef uint64_t weigh(self, const Opinion* opinion, uint32_t* weights) noexcept nogil:
        """Each considered action's share of the returned sum; at least 1, so that none is impossible."""
        cdef int32_t top = opinion.logits[likeliest(opinion)]
        cdef uint32_t left = opinion.actions, weight
        cdef uint64_t total = 0, exponent
        cdef int action
        while left:
            action = lowest(left)
            left &= left - 1
            # the difference in 256ths of a power of two: times 256 / ln 2 = 369.3299
            exponent = (<uint64_t>(<int64_t>top - opinion.logits[action]) * 3693299) // 10000 >> self.scale
            weight = 0
            if exponent < 24 * 256:
                weight = self.powers[exponent & 255] >> (exponent >> 8)
            weights[action] = weight if weight else 1
            total += weights[action]
        return total

    cdef int draw(self, const Opinion* opinion, uint64_t* state) noexcept nogil:
        """An action at random, by the policy."""
        cdef uint32_t weights[ACTIONS]
        cdef uint64_t total = self.weigh(opinion, weights)
        cdef uint64_t at
        cdef uint32_t left = opinion.actions
        cdef int action = lowest(left)
        if left & (left - 1) == 0:
            return action
        at = ((next64(state) >> 32) * total) >> 32
        while left:
            action = lowest(left)
            left &= left - 1
            if at < weights[action]:
                break
            at -= weights[action]
        return action

    # ---------------------------------------------------------------- from Python

    def inputs(self, Position position not None):
        """The numbers of the inputs that are one for the player to move, in no particular order."""
        cdef uint16_t inputs[MAX_ACTIVE]
        cdef Suits suits
        cdef int n
        need_move(position)
        n = encode(&position.s.hand, &position.s.known, &position.ruleset.c, shown_to_mover(&position.s), inputs,
                   &suits)
        return [inputs[i] for i in range(n)]

    def logits(self, inputs):
        """The ``MOVES`` logits and the value, as integers, of a list of inputs that are one."""
        cdef uint16_t given[MAX_ACTIVE]
        cdef int32_t out[MOVES + 1]
        cdef int i
        self.need_weights()
        _need_fit(len(inputs) <= MAX_ACTIVE and all(0 <= x < FEATURES for x in inputs), "no such inputs")
        for i in range(len(inputs)):
            given[i] = inputs[i]
        self.evaluate(given, len(inputs), out)
        return [out[i] for i in range(MOVES + 1)]

    def policy(self, Position position not None):
        """The chance of each action that the player considers, ``{Action: probability}``, and the value.

        The value is in game points for the player to move. A full position is
        seen through the eyes of that player. Raises ``HiddenCardsError`` when
        the mover's hand is hidden, ``SantaseError`` when the hand is over.
        """
        cdef Opinion opinion
        cdef uint32_t weights[ACTIONS]
        cdef uint64_t total
        self.need_weights()
        need_move(position)
        self.judge_seen(&position.s, &position.ruleset.c, &opinion)
        total = self.weigh(&opinion, weights)
        chances = {
            ALL_ACTIONS[action]: <double>weights[action] / <double>total
            for action in range(ACTIONS) if opinion.actions & bit(action)
        }
        return chances, 3.0 * opinion.value / (1 << self.scale)


cdef uint32_t shown_to_mover(const Seen* s) noexcept nogil:
    """The cards of the other's hand that the player to move has been shown."""
    cdef int other = 1 - to_move(&s.hand)
    return s.known.holds[other] if is_full(s) else s.hand.hand[other]


cdef int need_move(Position position) except -1:
    cdef int player = to_move(&position.s.hand)
    if position.s.hand.over:
        raise SantaseError("the hand is over: there is no move to think about")
    if position.s.hidden[player]:
        raise HiddenCardsError(f"player {player} is to move, whose hand is hidden in this view")
    return 0


def load_network(file):
    """A ``Network`` from an ``.npz`` file as ``training/ship.py`` writes it: a path, or a file open for reading.

    Reads no more than the weights can be, whatever the file says of itself. Raises ``SantaseError`` for a file
    that holds no such weights, ``OSError`` for one that cannot be opened.
    """
    if hasattr(file, "read"):
        return _read_network(file)
    with open(file, "rb") as opened:
        return _read_network(opened)


def _read_network(file):
    # with the import of the package these would cost more than all its own modules
    import json
    import zipfile

    import numpy as np

    most = 2 * MAX_WIDTH * max(FEATURES, MAX_WIDTH) + 1024
    arrays = {}
    try:
        with zipfile.ZipFile(file) as stored:
            for name in _ARRAYS:
                member = stored.getinfo(f"{name}.npy")
                _need_fit(member.file_size <= most, f"{name} is larger than any weights")
                data = io.BytesIO(stored.read(member))
                _need_fit(np.lib.format.read_magic(data) == (1, 0), f"{name} is of another version")
                shape, _, kind = np.lib.format.read_array_header_1_0(data)
                # before so much memory is asked for
                _need_fit(math.prod(shape) * kind.itemsize <= member.file_size, f"{name} is cut off")
                data.seek(0)
                arrays[name] = np.lib.format.read_array(data, allow_pickle=False)
        about = json.loads(str(arrays.pop("about")))
        return Network(arrays, about)
    except (SantaseError, MemoryError):
        raise
    except Exception as error:
        # what comes out of broken archives, headers and arrays is of many kinds
        raise SantaseError(f"weights: not a file of weights: {error or type(error).__name__}") from error


@functools.cache
def _shipped(str name):
    """The network of a file of the package; ``None`` where there is no such file."""
    from importlib.resources import files

    file = files("santase") / "data" / name
    if not file.is_file():
        return None
    with file.open("rb") as stored:
        return load_network(stored)


def shipped_network(rules=None):
    """The network that comes with the package for these rules, loaded when it is first asked for.

    A preset may have one of its own, which serves the house rules nearest to it too; the rest
    share one, which is also the answer for ``None``.
    """
    own = None if rules is None else _shipped(f"network-{rules.nearest_preset}.npz")
    return _shipped("network.npz") if own is None else own
