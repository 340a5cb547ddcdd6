"""Worlds: the full hands that agree with what one player sees.

A world gives every hidden card a place: the opponent's hidden cards are some of
those that it may hold, and the rest lie face down. All worlds are equally
likely; what the opponent's plays say about its cards is left to the caller.
"""

from libc.stdint cimport uint32_t, uint64_t

from math import comb, factorial

from santase._core cimport Position
from santase._random cimport below
from santase._rules cimport (
    NOBODY, Hand, Rules, Seen, bit, candidates, lowest, popcount, unseen,
)

from santase._core import seed_state
from santase.errors import SantaseError
from santase.quantities import whole


cdef inline void shuffle(int* cards, int size, int first, uint64_t* state) noexcept nogil:
    """Put a random choice of the cards, in random order, into the first places."""
    cdef int i, j, card
    for i in range(first):
        j = i + below(state, size - i)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


cdef void sample_world(const Seen* s, const Rules* r, uint64_t* state, Hand* world) noexcept nogil:
    """Fill in the hidden cards at random, every world being equally likely.

    Under a closing the face-down cards are never drawn, so there a world is the
    opponent's hand and the talon is left in the order of the card numbers.
    """
    cdef int cards[24]
    cdef int size, i
    cdef int player = 0 if s.hidden[0] else 1
    cdef uint32_t left = unseen(s, r)
    cdef uint32_t free, chosen = 0
    world[0] = s.hand
    if s.hidden[player]:
        free = left & ~s.known.lacks[player]
        size = 0
        while free:
            cards[size] = lowest(free)
            free &= free - 1
            size += 1
        shuffle(cards, size, s.hidden[player], state)
        for i in range(s.hidden[player]):
            chosen |= bit(cards[i])
        world.hand[player] |= chosen
        left &= ~chosen
    if s.talon_hidden:
        size = 0
        while left:
            cards[size] = lowest(left)
            left &= left - 1
            size += 1
        if s.hand.closer == NOBODY:
            shuffle(cards, size, size - 1, state)
        for i in range(size):
            world.talon |= <uint64_t>cards[i] << (5 * i)


def count_worlds(Position view not None):
    """How many worlds agree with a view: the opponent's possible hands, times the
    possible orders of the face-down cards while they will be drawn. A full position is one.

    What is known of single cards is what the view's fields say of them; which marriages the points
    would need is not gone into."""
    cdef Seen* s = &view.s
    cdef int player = 0 if s.hidden[0] else 1
    worlds = 1
    if s.hidden[player]:
        worlds = comb(popcount(candidates(s, &view.ruleset.c, player)), s.hidden[player])
    if s.talon_hidden and s.hand.closer == NOBODY:
        worlds *= factorial(s.hand.facedown)
    return worlds


def sample_worlds(Position view not None, number, *, seed=0):
    """A list of ``number`` full positions that agree with a view, each drawn
    uniformly and independently; the same seed gives the same list."""
    cdef Position world
    cdef uint64_t state = seed_state(seed)
    count = whole(number)
    if count is None or not 0 <= count < 1 << 60:
        raise SantaseError(f"number: 0 or more are needed, not {number!r}")
    worlds = []
    for _ in range(count):
        world = Position.__new__(Position)
        world.s = view.s
        world.ruleset = view.ruleset
        sample_world(&view.s, &view.ruleset.c, &state, &world.s.hand)
        world.s.hidden[0] = world.s.hidden[1] = world.s.talon_hidden = 0
        worlds.append(world)
    return worlds
