"""Information-set Monte Carlo tree search: the plain player, and the yardstick.

Single-observer ISMCTS (Cowling, Powley and Whitehouse, "Information set Monte
Carlo tree search", 2012): every iteration samples a world from what the player
sees, goes down one tree of action sequences among the actions that this world
allows, adds a node, plays out at random and enters the result. A node is
chosen by UCB1 with the number of times it was available in place of its
parent's visits.

Decisions that are never wrong are not searched: 66 is called as soon as it is
reached and not before, and a king or queen of a marriage that may be declared
is not led without declaring it. At the root every legal action is answered for,
unless ``all_actions`` is false.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport log, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc

from santase._core cimport Position
from santase._random cimport next64, pick
from santase._rules cimport (
    ACTIONS, CALL, CLOSE, EXCHANGE, MARRIAGE, NO_CARD, NO_SUIT, Hand, Rules, Seen, act, bit,
    legal_actions, lowest, marriage_mask, popcount, to_move, value_for,
)
from santase._sampling cimport sample_world

from santase._core import seed_state
from santase.actions import ACTIONS as ACTION_OBJECTS
from santase.errors import HiddenCardsError, SantaseError


cdef extern from "_clock.h" nogil:
    double santase_seconds()


cdef extern from *:
    const double SIGNALS_EVERY "0.05"   # seconds

cdef enum:
    MAX_DEPTH = 64          # plies of a hand, declarations and all, are fewer
    ITERATIONS_A_LOOK = 32  # between two looks at the clock


cdef struct Node:
    int32_t first_child     # 0 for none: node 0 is the root, nobody's child
    int32_t next_sibling
    uint32_t visits
    uint32_t available
    int64_t total           # game points for the player who chose this node
    uint8_t action


cdef inline uint32_t sensible_actions(const Hand* h, const Rules* r) noexcept nogil:
    """The legal actions without those that are never better than another."""
    cdef uint32_t actions = legal_actions(h, r)
    cdef uint32_t declarable
    cdef int suit
    if h.led == NO_CARD:
        if actions & bit(CALL):
            if h.points[h.leader] >= r.target:
                return bit(CALL)
            actions ^= bit(CALL)
        declarable = (actions >> MARRIAGE) & 15
        while declarable:
            suit = lowest(declarable)
            actions &= ~marriage_mask(suit)
            declarable &= declarable - 1
    return actions


cdef class Tree:
    """One search tree for the player to move in a view; it grows in one thread at a time.

    ``exploration`` is UCB1's constant, for results on a scale of game points / 3.
    With ``all_actions`` false the root, like every other node, leaves out what is
    never better than another action, so that no iteration is spent on it.
    """

    cdef Seen seen
    cdef Rules rules
    cdef uint64_t state
    cdef Node* nodes
    cdef int32_t size, room, most
    cdef double exploration
    cdef public bint stopped
    cdef bint running
    cdef readonly int64_t iterations
    cdef uint32_t root_actions
    cdef double sums[31]
    cdef double squares[31]
    cdef int64_t wins[31]
    cdef int64_t counts[31]

    def __init__(self, Position view not None, *, seed=0, double exploration=0.7,
                 Py_ssize_t max_nodes=4_000_000, bint all_actions=True):
        if view.s.hidden[to_move(&view.s.hand)]:
            raise HiddenCardsError(f"player {view.to_move} is to move, whose hand is hidden in this view")
        if view.is_over:
            raise SantaseError("the hand is over, there is nothing to play")
        self.seen = view.s
        self.rules = view.ruleset.c
        self.state = seed_state(seed)
        if not 1 <= max_nodes < 1 << 31:
            raise SantaseError(f"max_nodes: a number from 1 to {(1 << 31) - 1} is needed, not {max_nodes}")
        self.most = <int32_t>max_nodes
        self.exploration = exploration
        self.root_actions = legal_actions(&self.seen.hand, &self.rules)
        if self.rules.automatic == 0 and self.seen.hand.led == NO_CARD \
                and self.seen.hand.points[self.seen.hand.leader] < self.rules.target:
            self.root_actions &= ~bit(CALL)     # a wrong call needs no search
        if not all_actions:
            self.root_actions = sensible_actions(&self.seen.hand, &self.rules)
        if self.size == 0:
            self.new_node(0)
            if self.size == 0:
                raise MemoryError("a search tree")

    def __dealloc__(self):
        free(self.nodes)

    cdef int32_t new_node(self, int action) noexcept nogil:
        """Its number, or 0 when there is no room (the root was first)."""
        cdef Node* moved
        cdef int32_t room
        if self.size == self.room:
            room = min(self.most, max(1024, 2 * self.room))
            if room <= self.room:
                return 0
            moved = <Node*>realloc(self.nodes, room * sizeof(Node))
            if moved is NULL:
                return 0
            self.nodes = moved
            self.room = room
        self.nodes[self.size].first_child = 0
        self.nodes[self.size].next_sibling = 0
        self.nodes[self.size].visits = 0
        self.nodes[self.size].available = 0
        self.nodes[self.size].total = 0
        self.nodes[self.size].action = <uint8_t>action
        self.size += 1
        return self.size - 1

    cdef void iterate(self) noexcept nogil:
        cdef Hand h
        cdef int32_t path[MAX_DEPTH]
        cdef uint8_t mover[MAX_DEPTH]
        cdef int depth = 0, i, value, root_action, root_player = to_move(&self.seen.hand)
        cdef int32_t at = 0, child, best, added
        cdef uint32_t actions, untried
        cdef double score, best_score
        cdef Node* node
        sample_world(&self.seen, &self.rules, &self.state, &h)
        actions = self.root_actions
        while not h.over:
            if depth:
                actions = sensible_actions(&h, &self.rules)
            untried = actions
            best = 0
            best_score = -1e30
            child = self.nodes[at].first_child
            while child:
                node = &self.nodes[child]
                if actions & bit(node.action):
                    untried &= ~bit(node.action)
                    node.available += 1
                    score = (<double>node.total / (3.0 * node.visits)
                             + self.exploration * sqrt(log(<double>node.available) / node.visits))
                    if score > best_score:
                        best_score = score
                        best = child
                child = node.next_sibling
            added = 0
            if untried:
                added = self.new_node(pick(&self.state, untried, popcount(untried)))
                if added:
                    self.nodes[added].next_sibling = self.nodes[at].first_child
                    self.nodes[at].first_child = added
                    self.nodes[added].available = 1
                    best = added
            if not best:
                break
            mover[depth] = <uint8_t>to_move(&h)
            path[depth] = best
            depth += 1
            at = best
            act(&h, &self.rules, self.nodes[best].action)
            if added:
                break
        while not h.over:
            actions = sensible_actions(&h, &self.rules)
            act(&h, &self.rules, pick(&self.state, actions, popcount(actions)))
        for i in range(depth):
            node = &self.nodes[path[i]]
            node.visits += 1
            node.total += value_for(&h, mover[i])
        self.iterations += 1
        if depth:
            value = value_for(&h, root_player)
            root_action = self.nodes[path[0]].action
            self.counts[root_action] += 1
            self.sums[root_action] += value
            self.squares[root_action] += value * value
            self.wins[root_action] += value > 0

    def run(self, int64_t iterations, double seconds):
        """Add up to so many iterations within so many seconds, without the GIL. Ctrl-C stops it.

        Raises ``SantaseError`` while another thread is at it.
        """
        cdef double end = santase_seconds() + seconds, look, now
        cdef int64_t done = 0
        cdef bint running
        if not self.root_actions:
            return
        with cython.critical_section(self):     # tested and set at once where there is no GIL
            running = self.running
            self.running = True
        if running:
            raise SantaseError("this tree is in use: it grows in one thread at a time")
        try:
            now = santase_seconds()
            while done < iterations and not self.stopped and (now < end or not done):
                look = min(end, now + SIGNALS_EVERY)
                with nogil:
                    while done < iterations and not self.stopped:
                        self.iterate()
                        done += 1
                        if done % ITERATIONS_A_LOOK == 0:
                            now = santase_seconds()
                            if now >= look:
                                break
                PyErr_CheckSignals()
        finally:
            self.running = False

    def results(self):
        """Of each action searched: ``{Action: (visits, sum, sum of squares, wins)}`` of its game
        points for the player to move."""
        return {
            ACTION_OBJECTS[a]: (self.counts[a], self.sums[a], self.squares[a], self.wins[a])
            for a in range(ACTIONS) if self.root_actions & bit(a)
        }
