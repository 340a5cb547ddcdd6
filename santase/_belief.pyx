"""What the other player's play tells of its cards.

A world says which cards the other holds now. Going back through the hand, the
cards that it has played return to it and those that it has drawn leave it; which
these were is drawn at random, all possible ways being equally likely. So before
each of its actions its whole hand is there, and the learned policy says how
likely it was to act as it did. The product over all its actions is the world's
likelihood; worlds drawn in proportion to it are drawn by Bayes' rule.

The other may play by another policy than the learned one: in a share ``mistrust`` of
its decisions it is taken to have done anything.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from santase._core cimport Position
from santase._network cimport Network, Opinion
from santase._random cimport pick
from santase._rules cimport (
    ACTIONS, CALL, CLOSE, EXCHANGE, MARRIAGE, NO_CARD, NO_SUIT, NOBODY, bit, marriage_mask, popcount, to_move,
)

from santase.actions import Action
from santase.errors import SantaseError


cdef bint may_follow(const Hand* before, int action, const Hand* after, int other, const Rules* r) noexcept nogil:
    """Whether what all see of closings, exchanges and marriages can have come of the ``other``'s action
    and what its opponent did until ``after``."""
    cdef bint closed = after.closer == other and before.closer != other
    cdef int lowest_trump = 6 * before.trump + r.exchange_rank
    if action == CALL or closed != (action == CLOSE):
        return False
    if before.closer != NOBODY and after.closer != before.closer:
        return False
    if action >= MARRIAGE and to_move(after) != other:
        return False            # it is on lead still
    if action == EXCHANGE:
        return after.turned == lowest_trump
    if action == CLOSE:
        return after.turned == before.turned
    if action >= MARRIAGE:
        return after.declared == action - MARRIAGE and after.turned == before.turned
    if before.declared != NO_SUIT and not marriage_mask(before.declared) & bit(action):
        return False
    # a turned card that was taken by exchange went to the opponent: the other's is an action of its own
    return not (after.turned != before.turned and after.turned != NO_CARD
                and (after.turned != lowest_trump or after.hand[other] & bit(before.turned)))


cdef class Belief:
    """Of ``history``, pairs ``(view, action)``: what the player to move in ``view`` saw
    before each action of the other in this hand, in order, and that action.

    The history may begin late, but leaves nothing out from there to ``view``.
    Raises ``SantaseError`` where it cannot be how ``view`` came about.
    """

    def __init__(self, Position view not None, history, Network network not None, *, double mistrust=0.1):
        cdef Position seen, after
        cdef Past* p
        cdef int viewer = to_move(&view.s.hand)
        cdef int number, action, drawn, tricks, i
        self.network = network
        self.rules = view.ruleset.c
        self.other = 1 - viewer
        self.mistrust = mistrust
        pairs = []
        for pair in history:
            try:
                past, act = pair
            except (TypeError, ValueError):
                raise SantaseError(
                    f"history: pairs of a view and an action are needed, not {type(pair).__name__}") from None
            pairs.append((past, Action(act)))
        if len(pairs) > MOST_PAST:
            raise SantaseError(f"history: {len(pairs)} actions of the other player, at most {MOST_PAST} are taken")
        self.size = len(pairs)
        for i in range(self.size):
            number = i + 1
            if not isinstance(pairs[i][0], Position):
                raise TypeError(f"history: a Position is needed before action {number}, not {type(pairs[i][0]).__name__}")
            seen = pairs[i][0]
            if seen.rules != view.rules or seen.is_over or to_move(&seen.s.hand) != self.other:
                raise SantaseError(f"history: before action {number} player {self.other} is to move under {view.rules}")
            pairs[i] = (seen.view(viewer), pairs[i][1])
        for i in range(self.size):
            number = i + 1
            seen = pairs[i][0]
            after = pairs[i + 1][0] if i + 1 < self.size else view
            action = pairs[i][1].number
            p = &self.past[i]
            memset(p, 0, sizeof(Past))
            p.hand = seen.s.hand
            p.known = seen.s.known
            p.action = action
            p.certain = seen.s.hand.hand[self.other]
            p.known.holds[self.other] |= p.certain
            if action < MARRIAGE:
                p.gone = bit(action)
            elif action == EXCHANGE and seen.s.hand.turned != NO_CARD:
                p.gone = bit(6 * seen.s.hand.trump + self.rules.exchange_rank)
                p.come = bit(seen.s.hand.turned)
            # the last card of an open talon is the turned one, which all see drawn
            if (seen.s.hand.turned != NO_CARD and after.s.hand.turned == NO_CARD
                    and after.s.hand.hand[self.other] & bit(seen.s.hand.turned)):
                p.come |= bit(seen.s.hand.turned)
            drawn = (popcount(after.s.hand.hand[self.other]) + after.s.hidden[self.other]
                     - popcount(seen.s.hand.hand[self.other]) - seen.s.hidden[self.other]
                     + popcount(p.gone) - popcount(p.come))
            tricks = (after.s.hand.tricks[0] + after.s.hand.tricks[1]
                      - seen.s.hand.tricks[0] - seen.s.hand.tricks[1])
            if (not 0 <= drawn <= tricks or tricks > (action < MARRIAGE) or seen.s.hand.trump != after.s.hand.trump
                    or seen.s.hand.played & ~after.s.hand.played
                    or (p.gone if action < MARRIAGE else 0) & ~(after.s.hand.played | (
                        bit(after.s.hand.led) if after.s.hand.led != NO_CARD else 0))
                    or seen.s.hand.played & p.gone
                    or (p.certain & ~(p.gone | after.s.hand.hand[self.other]))
                    or not may_follow(&seen.s.hand, action, &after.s.hand, self.other, &self.rules)
                    or action < MARRIAGE and i > 0 and seen.s.hand.declared != NO_SUIT
                    and pairs[i - 1][1].number != MARRIAGE + seen.s.hand.declared):
                raise SantaseError(f"history: {pairs[i][1]}, action {number}, does not lead to {after}")
            p.drawn = drawn

    cdef double weigh(self, uint32_t cards, uint64_t* state) noexcept nogil:
        """The likelihood of the other's actions if it holds ``cards`` now, for one way in
        which it may have drawn them."""
        cdef Opinion opinion
        cdef uint32_t weights[ACTIONS]
        cdef uint32_t free
        cdef uint64_t total
        cdef double product = 1, chance
        cdef int i, number
        cdef Past* p
        cdef Hand h
        for i in range(self.size - 1, -1, -1):
            p = &self.past[i]
            cards &= ~p.come
            if p.drawn:
                free = cards & ~p.certain
                if free == 0:
                    return 0
                cards &= ~bit(pick(state, free, popcount(free)))
            cards |= p.gone
            h = p.hand
            h.hand[self.other] = cards
            self.network.judge(&h, &p.known, &self.rules, p.known.holds[1 - self.other], &opinion)
            number = popcount(opinion.actions)
            if number > 1:
                chance = 0
                if opinion.actions & bit(p.action):
                    total = self.network.weigh(&opinion, weights)
                    chance = <double>weights[p.action] / <double>total
                product *= (1 - self.mistrust) * chance + self.mistrust / number
            elif not opinion.actions & bit(p.action):
                product *= self.mistrust
        return product

    def likelihood(self, Position world not None, *, uint64_t seed=0):
        """The likelihood of the other's actions in a full position that agrees with the view, for one
        random way in which it may have drawn its cards."""
        return self.weigh(world.s.hand.hand[self.other], &seed)
