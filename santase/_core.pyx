"""Positions: the core's structs as immutable Python objects, and the deal."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memset

from santase._notation cimport read_position, write_position
from santase._random cimport GAMMA, below, next64, pick
from santase._rules cimport (
    CALL, CARD_POINTS, CARD_SUIT, CLOSE, EXCHANGE, MARRIAGE, NO_CARD, NO_SUIT, NOBODY, VOID, Hand, Rules, Seen,
    act, act_known, any_trick, bit, count_cards, facedown_mask, hide, is_full, learn, lowest, popcount,
    strict_replies, talon_open, unseen, value_for,
)
from santase._rules cimport legal_actions as legal_mask
from santase._rules cimport to_move as player_to_move
from santase._ruleset cimport RuleSet

from typing import NamedTuple

from santase._ruleset import ruleset_of
from santase.actions import ACTION_NUMBER, ACTIONS, Action
from santase.cards import CARDS, SUITS, parse_card
from santase.errors import HiddenCardsError, IllegalActionError, SantaseError
from santase.quantities import whole
from santase.rules import RULES, rules_of

cdef enum:
    MAX_DEPTH = 64      # more plies than any hand has
    UNWATCHED = 8       # plies counted, and
    PLAYOUTS_A_LOOK = 1 << 16  # hands played out between two looks at signals

REASONS = (None, "call", "wrong call", "closing failed", "reached", "played out", "last trick", "void")


class Outcome(NamedTuple):
    """How a hand ended.

    ``winner`` is player 0 or 1, ``None`` in a void hand; ``game_points`` are what
    the winner scores, 0 in a void hand; ``reason`` is ``call``, ``wrong call``,
    ``closing failed``, ``reached`` (66 without a call), ``played out`` (all cards
    played, the winner has 66), ``last trick`` (it decided) or ``void``.
    """

    winner: int | None
    game_points: int
    reason: str


def card_points(card):
    """The card points of a card such as ``KS``; raises ``NotationError``."""
    cdef int number = parse_card(card)
    return CARD_POINTS[number]


# ---------------------------------------------------------------- the deal

cdef void deal_hand(Hand* h, const Rules* r, uint64_t* state, int leader) noexcept nogil:
    """Shuffle and deal, advancing the generator: a Fisher-Yates shuffle of the
    deck in the order of the card numbers, from the last place down; then player
    0's cards, player 1's, the turned card, the face-down cards in draw order."""
    cdef int cards[24]
    cdef int size = 0, i, j, card
    cdef uint32_t left = r.deck
    memset(h, 0, sizeof(Hand))
    while left:
        cards[size] = lowest(left)
        left &= left - 1
        size += 1
    for i in range(size - 1, 0, -1):
        j = below(state, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
    for i in range(r.hand_size):
        h.hand[0] |= bit(cards[i])
        h.hand[1] |= bit(cards[r.hand_size + i])
    i = 2 * r.hand_size
    h.turned = cards[i]
    h.trump = CARD_SUIT[cards[i]]
    h.facedown = size - i - 1
    for j in range(h.facedown):
        h.talon |= <uint64_t>cards[i + 1 + j] << (5 * j)
    h.leader = leader
    h.led = NO_CARD
    h.declared = NO_SUIT
    h.closer = NOBODY
    h.winner = NOBODY


def seed_state(seed):
    """A seed as the generator's first state."""
    number = whole(seed)
    if number is None:
        raise SantaseError(f"seed: a whole number is needed, not {seed!r}")
    if not 0 <= number < 1 << 64:
        raise SantaseError(f"seed: a number from 0 to 2**64 - 1 is needed, not {number}")
    return number


def checked_leader(leader):
    """Player 0 or 1 as an int; raises ``SantaseError`` for anything else."""
    try:
        number = leader.__index__()
    except (AttributeError, TypeError):
        number = -1
    if number != 0 and number != 1:
        raise SantaseError(f"leader: player 0 or 1 is needed, not {leader!r}")
    return number


def deal(seed, rules="santase", *, leader=0):
    """A fresh deal, before the first lead, with all cards known.

    The same ``seed`` (0 to 2**64 - 1), ``rules`` (a ``Rules`` object, a preset's
    name or the notation of house rules) and ``leader`` (0 or 1) give the same
    deal on every machine and in every version. Raises ``SantaseError``.
    """
    cdef Position position = Position.__new__(Position)
    cdef uint64_t state = seed_state(seed)
    cdef int leads = checked_leader(leader)
    position.ruleset = ruleset_of(rules_of(rules))
    deal_hand(&position.s.hand, &position.ruleset.c, &state, leads)
    return position


def hand_seed(seed, number):
    """The seed of hand ``number`` (1 for the first) of a match that has this seed.

    The first hand has the match's own; hand n the (n - 1)th number of the
    generator begun at it, so that the deals of a match are independent of one
    another. Raises ``SantaseError``.
    """
    cdef uint64_t state = seed_state(seed)
    which = whole(number)
    if which is None or not 1 <= which < 1 << 63:
        raise SantaseError(f"number: hands are counted from 1, not {number!r}")
    if which == 1:
        return state
    state += <uint64_t>(which - 2) * GAMMA
    return next64(&state)


# ---------------------------------------------------------------- the position

cdef tuple cards_of(uint32_t cards):
    """The cards of a set, strongest first, spades before hearts, diamonds, clubs."""
    return tuple([CARDS[card] for card in range(23, -1, -1) if cards & bit(card)])


cdef int need_mover(const Seen* s) except -1:
    """Raise ``HiddenCardsError`` unless the mover's hand is whole."""
    cdef int player = player_to_move(&s.hand)
    if s.hidden[player]:
        raise HiddenCardsError(f"player {player} is to move, whose hand is hidden in this view")
    return 0


cdef str why_not(const Hand* h, const Rules* r, int number):
    """Why an action is not legal, for the error message."""
    cdef int player = player_to_move(h)
    cdef int suit
    if h.over:
        return "the hand is over"
    if number < MARRIAGE:
        if not h.hand[player] & bit(number):
            return f"player {player} does not hold it"
        if h.led == NO_CARD:
            return f"after declaring {SUITS[h.declared]}, its K or Q is led"
        suit = CARD_SUIT[h.led]
        if not h.hand[player] & (<uint32_t>0x3F << (6 * suit)):
            return f"player {player} has no {SUITS[suit]} and must trump"
        if CARD_SUIT[number] != suit:
            return f"player {player} must follow suit to {CARDS[h.led]}"
        return f"player {player} must beat {CARDS[h.led]}"
    if h.led != NO_CARD:
        return f"player {player} is not on lead"
    if number == CALL:
        return "66 needs no call under these rules"
    if h.declared != NO_SUIT:
        return f"after declaring {SUITS[h.declared]}, its K or Q is led"
    if number < EXCHANGE:
        if not any_trick(h) and not r.marriage_before_first_trick:
            return "no marriage before a trick has been played"
        return f"player {player} does not hold both K and Q"
    if h.closer != NOBODY:
        return "the talon is closed"
    if h.facedown == 0:
        return "the talon is exhausted"
    if number == CLOSE:
        if h.facedown < r.close_min_talon:
            return f"closing takes {r.close_min_talon} cards face down"
        return "no closing before a trick has been played"
    if not h.hand[player] & bit(6 * h.trump + r.exchange_rank):
        return f"player {player} does not hold {CARDS[6 * h.trump + r.exchange_rank]}"
    if h.facedown < r.exchange_min_talon:
        return f"an exchange takes {r.exchange_min_talon} cards face down, there are {h.facedown}"
    return f"player {player} has taken no trick"


cdef RuleSet _NO_RULESET = ruleset_of(RULES["santase"])


cdef class Position:
    """A hand of the game at one moment: full, or a view with hidden cards.

    Immutable and hashable; equal positions have equal lines. Made by ``parse``,
    ``deal`` and ``play``. Players are 0 and 1. Cards are two-letter strings,
    hands are tuples of them, spades first and the strongest first in each suit.
    """

    def __cinit__(self):
        # A void hand, so that nothing made by __new__ alone can crash.
        self.ruleset = _NO_RULESET
        self.s.hand.turned = self.s.hand.led = NO_CARD
        self.s.hand.declared = NO_SUIT
        self.s.hand.closer = self.s.hand.winner = NOBODY
        self.s.hand.over = VOID

    def __init__(self):
        raise TypeError("make a position with Position.parse(line) or santase.deal(seed)")

    @staticmethod
    def parse(line):
        """Read a position's line, full or a view.

        Raises ``NotationError``, which names the field and says why, for a line
        that cannot be read or a position that cannot come about.
        """
        cdef Position position = Position.__new__(Position)
        if not isinstance(line, str):
            raise TypeError(f"a position's line is text, not {type(line).__name__}")
        position.ruleset = read_position(line, &position.s)
        return position

    def __str__(self):
        """The position's line."""
        return write_position(&self.s, self.ruleset)

    def __repr__(self):
        return f"Position.parse({write_position(&self.s, self.ruleset)!r})"

    def _repr_svg_(self):
        """The table, for notebooks."""
        # imported when it is asked for: drawing is a layer above, and costs nothing until then
        from santase.notebook import position_svg
        return position_svg(self)

    def __eq__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        return (memcmp(&self.s, &(<Position>other).s, sizeof(Seen)) == 0
                and self.ruleset == (<Position>other).ruleset)

    def __hash__(self):
        cdef const uint64_t* words = <const uint64_t*>&self.s
        cdef uint64_t mixed = 0
        cdef size_t i
        for i in range(sizeof(Seen) // 8):
            mixed = (mixed ^ words[i]) * <uint64_t>0x9E3779B97F4A7C15ULL
            mixed ^= mixed >> 29
        return <Py_ssize_t>(mixed >> 1)

    def __reduce__(self):
        return Position.parse, (write_position(&self.s, self.ruleset),)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    # ------------------------------------------------ what there is

    @property
    def rules(self):
        """The ``Rules`` that are played by."""
        return self.ruleset.rules

    @property
    def is_full(self):
        """Nothing is hidden."""
        return bool(is_full(&self.s))

    @property
    def is_over(self):
        """The hand has ended; ``outcome`` says how."""
        return self.s.hand.over != 0

    @property
    def outcome(self):
        """How the hand ended, an ``Outcome``; ``None`` while it goes on."""
        cdef const Hand* h = &self.s.hand
        if not h.over:
            return None
        return Outcome(None if h.winner == NOBODY else h.winner, h.game_points, REASONS[h.over])

    @property
    def to_move(self):
        """The player to act, 0 or 1; once the hand is over, who had the lead."""
        return player_to_move(&self.s.hand)

    @property
    def leader(self):
        """The player on lead, or who led to the trick on the table."""
        return self.s.hand.leader

    @property
    def led(self):
        """The led card while a reply is awaited, else ``None``."""
        return None if self.s.hand.led == NO_CARD else CARDS[self.s.hand.led]

    @property
    def declared(self):
        """The suit of the marriage declared on this lead, else ``None``."""
        return None if self.s.hand.declared == NO_SUIT else SUITS[self.s.hand.declared]

    @property
    def hands(self):
        """Both players' cards that are known, a pair of tuples."""
        return cards_of(self.s.hand.hand[0]), cards_of(self.s.hand.hand[1])

    @property
    def hidden(self):
        """How many cards of each hand are hidden, a pair."""
        return self.s.hidden[0], self.s.hidden[1]

    @property
    def talon(self):
        """The face-down cards in draw order; ``None`` when they are hidden."""
        cdef const Hand* h = &self.s.hand
        if self.s.talon_hidden:
            return None
        return tuple([CARDS[<int>(h.talon >> (5 * i) & 31)] for i in range(h.facedown)])

    @property
    def facedown(self):
        """How many cards lie face down, the turned card not counted."""
        return self.s.hand.facedown

    @property
    def turned(self):
        """The turned card, also after a closing; ``None`` once it has been drawn."""
        return None if self.s.hand.turned == NO_CARD else CARDS[self.s.hand.turned]

    @property
    def trump(self):
        """The trump suit, one of ``C D H S``."""
        return SUITS[self.s.hand.trump]

    @property
    def played(self):
        """The cards in taken tricks."""
        return cards_of(self.s.hand.played)

    @property
    def points(self):
        """Card points of each player that count so far, marriages included."""
        return self.s.hand.points[0], self.s.hand.points[1]

    @property
    def tricks(self):
        """Tricks taken by each player."""
        return self.s.hand.tricks[0], self.s.hand.tricks[1]

    @property
    def pending(self):
        """Marriage points of each player that do not count yet."""
        return self.s.hand.pending[0], self.s.hand.pending[1]

    @property
    def closer(self):
        """The player who has closed, else ``None``."""
        return None if self.s.hand.closer == NOBODY else self.s.hand.closer

    @property
    def phase(self):
        """``open``, ``closed`` or ``exhausted``."""
        if self.s.hand.closer != NOBODY:
            return "closed"
        return "open" if self.s.hand.facedown else "exhausted"

    @property
    def known(self):
        """What is publicly known beyond counting: cards that player 0 holds, lacks, and player 1
        holds, lacks; four tuples."""
        return (cards_of(self.s.known.holds[0]), cards_of(self.s.known.lacks[0]),
                cards_of(self.s.known.holds[1]), cards_of(self.s.known.lacks[1]))

    # ------------------------------------------------ what may be done

    def legal_actions(self):
        """The legal actions of the player to move, by number; empty when the hand is over.

        Raises ``HiddenCardsError`` when that player's hand is hidden.
        """
        cdef uint32_t actions
        cdef list found = []
        need_mover(&self.s)
        actions = legal_mask(&self.s.hand, &self.ruleset.c)
        while actions:
            found.append(ACTIONS[lowest(actions)])
            actions &= actions - 1
        return found

    def play(self, action):
        """The position after an action, given as ``Action`` or text.

        Raises ``IllegalActionError``; ``NotationError`` for text that is no
        action; ``HiddenCardsError`` when the mover's hand, or the cards that are
        drawn after the trick, are hidden.
        """
        cdef Position after
        cdef int number
        known = ACTION_NUMBER.get(action)
        number = Action(action).number if known is None else known
        need_mover(&self.s)
        if not legal_mask(&self.s.hand, &self.ruleset.c) & bit(number):
            raise IllegalActionError(f"{ACTIONS[number]}: {why_not(&self.s.hand, &self.ruleset.c, number)}")
        if self.s.talon_hidden and self.s.hand.led != NO_CARD and talon_open(&self.s.hand):
            raise HiddenCardsError(f"{ACTIONS[number]}: the cards that are drawn after this trick are hidden")
        after = Position.__new__(Position)
        after.s = self.s
        after.ruleset = self.ruleset
        if is_full(&after.s):
            act_known(&after.s.hand, &after.ruleset.c, &after.s.known, number)
        else:
            learn(&after.s.hand, &after.ruleset.c, &after.s.known, number)
            act(&after.s.hand, &after.ruleset.c, number)
            count_cards(&after.s, &after.ruleset.c)
        return after

    def view(self, player=None):
        """What a player, by default the one to move, knows of this position.

        The cards that the other player is known to hold stay (shown by a
        marriage or an exchange, or told by counting), and so does what play
        under a closing has shown. Raises ``HiddenCardsError`` for a view of the
        other player.
        """
        cdef Position seen
        cdef int viewer
        if player is None:
            viewer = player_to_move(&self.s.hand)
        elif type(player) is int and 0 <= player <= 1:
            viewer = player
        else:
            raise SantaseError(f"player: 0 or 1 is needed, not {player!r}")
        if self.s.hidden[viewer]:
            raise HiddenCardsError(f"the hand of player {viewer} is hidden in this view")
        if not is_full(&self.s):
            return self
        seen = Position.__new__(Position)
        seen.s = self.s
        seen.ruleset = self.ruleset
        hide(&seen.s, &seen.ruleset.c, viewer)
        return seen

    def with_talon(self, cards):
        """The same position with its face-down cards in another order, or with that order told.

        ``cards`` are all the face-down cards, the next to be drawn first. For
        whoever deals with chance by himself: a game tree in which each draw is
        a chance node, a talon that is decided as it is drawn. Raises
        ``HiddenCardsError`` for a view that hides cards of a hand,
        ``SantaseError`` when these are not the cards that lie face down.
        """
        cdef Position told
        cdef uint32_t lying, placed = 0
        cdef uint64_t talon = 0
        cdef int i = 0, card
        if self.s.hidden[0] or self.s.hidden[1]:
            raise HiddenCardsError("cards of a hand are hidden, so it is not known which lie face down")
        lying = unseen(&self.s, &self.ruleset.c) if self.s.talon_hidden else facedown_mask(&self.s.hand)
        for text in cards:
            if not isinstance(text, str):
                raise TypeError(f"talon: a card is text, not {type(text).__name__}")
            card = parse_card(text)
            if not lying & bit(card):
                raise SantaseError(f"talon: {CARDS[card]} does not lie face down")
            if placed & bit(card):
                raise SantaseError(f"talon: {CARDS[card]} stands there twice")
            placed |= bit(card)
            talon |= <uint64_t>card << (5 * i)
            i += 1
        if placed != lying:
            raise SantaseError(f"talon: {popcount(lying)} cards lie face down, not {i}")
        told = Position.__new__(Position)
        told.s = self.s
        told.ruleset = self.ruleset
        told.s.hand.talon = talon
        told.s.talon_hidden = 0
        return told


# ---------------------------------------------------------------- walking the tree

cdef uint64_t count_sequences(const Hand* h, const Rules* r, int depth) noexcept nogil:
    cdef uint32_t actions = legal_mask(h, r)
    cdef uint64_t found = 0
    cdef Hand after
    if depth == 1:
        return popcount(actions)
    while actions:
        after = h[0]
        act(&after, r, lowest(actions))
        found += count_sequences(&after, r, depth - 1)
        actions &= actions - 1
    return found


cdef int count_watching(const Hand* h, const Rules* r, int depth, uint64_t* found) except -1:
    """Add the sequences, letting Python handle signals now and then."""
    cdef uint32_t actions
    cdef uint64_t few
    cdef Hand after
    if depth <= UNWATCHED:
        with nogil:
            few = count_sequences(h, r, depth)
        found[0] += few
        PyErr_CheckSignals()
        return 0
    actions = legal_mask(h, r)
    while actions:
        after = h[0]
        act(&after, r, lowest(actions))
        count_watching(&after, r, depth - 1, found)
        actions &= actions - 1
    return 0


def perft(Position position not None, depth):
    """How many sequences of ``depth`` legal actions there are from a full position.

    A hand that ends has no continuation. Ctrl-C stops it. Raises ``HiddenCardsError`` for a view.
    """
    cdef uint64_t found = 0
    cdef int plies
    if not is_full(&position.s):
        raise HiddenCardsError("perft needs a full position")
    number = whole(depth)
    if number is None or not 0 <= number <= MAX_DEPTH:
        raise SantaseError(f"depth: a number from 0 to {MAX_DEPTH} is needed, not {depth!r}")
    plies = number
    if plies == 0:
        return 1
    count_watching(&position.s.hand, &position.ruleset.c, plies, &found)
    return found


cdef int random_playout(Hand* h, const Rules* r, uint64_t* state) noexcept nogil:
    """Play random legal actions to the end, 66 being called just when it is
    reached; returns the game points of player 0."""
    cdef uint32_t actions
    while not h.over:
        actions = legal_mask(h, r)
        if actions & bit(CALL):
            actions = bit(CALL) if h.points[h.leader] >= r.target else actions & ~bit(CALL)
        act(h, r, pick(state, actions, popcount(actions)))
    return value_for(h, 0)


def random_playouts(Py_ssize_t number, *, seed=0, rules="santase"):
    """Deal and play out hands at random: an int8 array of ``number`` game points for player 0, who leads first.

    Every legal action is as likely as any other, but 66 is called when, and
    only when, it has been reached. Raises ``SantaseError``.
    """
    import numpy

    cdef RuleSet ruleset = ruleset_of(rules_of(rules))
    cdef uint64_t state = seed_state(seed)
    cdef Hand h
    cdef Py_ssize_t i, done = 0
    cdef int8_t[::1] view
    if number < 0:
        raise SantaseError(f"number: 0 or more are needed, not {number}")
    results = numpy.empty(number, dtype=numpy.int8)
    view = results
    while done < number:
        with nogil:
            for i in range(done, min(done + PLAYOUTS_A_LOOK, number)):
                deal_hand(&h, &ruleset.c, &state, 0)
                view[i] = random_playout(&h, &ruleset.c, &state)
        done = min(done + PLAYOUTS_A_LOOK, number)
        PyErr_CheckSignals()
    return results
