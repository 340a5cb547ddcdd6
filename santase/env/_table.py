"""A hand in play whose cards are dealt and drawn by chance, one by one.

What OpenSpiel's states and trees are made of; no rule of the game is in here,
only when chance decides what, and what one player may imagine of the other's cards.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from santase._core import Position
from santase.actions import ACTIONS, Action
from santase.cards import CARDS, RANKS, SUITS
from santase.rules import Rules

Pair = tuple[tuple[int, ...], tuple[int, ...]]
"""Card numbers for player 0 and for player 1."""


class Setup(NamedTuple):
    """What the deals of one game need, made once."""

    rules: Rules
    text: str
    """The rules in the notation."""
    deck: tuple[int, ...]
    """The cards played with."""

    def __deepcopy__(self, memo: object) -> Setup:
        return self

    @staticmethod
    def of(rules: Rules) -> Setup:
        deck = [n for n, card in enumerate(CARDS) if card[0] in rules.ranks and card[1] in rules.suits]
        return Setup(rules, str(rules), tuple(deck))


class Move(NamedTuple):
    """An action of a player who had drawn ``time`` face-down cards by then."""

    player: int
    action: int
    time: int


class Table(NamedTuple):
    """A hand in play.

    The order of the face-down cards that ``position`` holds is a placeholder:
    what is drawn is decided by chance, and nothing else depends on it.
    """

    position: Position
    dealt: tuple[tuple[int, ...], tuple[int, ...]]
    turned: int
    """The card turned up in the deal."""
    moves: tuple[Move, ...] = ()
    """The actions of both players, all of which both have seen."""
    draws: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """What each player has drawn from the face-down cards."""
    reply: int | None = None
    """The reply after which cards are yet to be drawn."""
    winner: int = 0
    """Who draws first after it."""
    drawn: int | None = None
    """What the winner has drawn."""

    def __deepcopy__(self, memo: object) -> Table:
        return self

    @staticmethod
    def of_deal(setup: Setup, cards: tuple[int, ...]) -> Table:
        size = setup.rules.hand_size
        dealt = cards[:size], cards[size : 2 * size]
        facedown = "".join([CARDS[card] for card in setup.deck if card not in cards])
        line = (
            f"{setup.text} {_hand_text(dealt[0])} {_hand_text(dealt[1])} {facedown} {CARDS[cards[-1]]}"
            " ... 0 0/0 0/0 0/0 -"
        )
        return Table(Position.parse(line), dealt, cards[-1])

    @property
    def drawer(self) -> int:
        """Who draws the next card."""
        return self.winner if self.drawn is None else 1 - self.winner

    def outcomes(self) -> list[int]:
        """The cards that may be drawn next, each as likely as any other."""
        lying = self.position.talon
        assert lying is not None
        return sorted(number for number in map(CARDS.index, lying) if number != self.drawn)

    def act(self, action: int) -> Table:
        position = self.position
        after = position.play(ACTIONS[action])
        player = position.to_move
        moves = (*self.moves, Move(player, action, len(self.draws[player])))
        if position.led is None or position.phase != "open" or after.is_over:
            return self._replace(position=after, moves=moves)
        winner = after.leader
        if position.facedown > 1:
            return self._replace(moves=moves, reply=action, winner=winner)
        assert position.talon is not None
        last = CARDS.index(position.talon[0])
        return self._replace(position=after, moves=moves, draws=_with(self.draws, winner, last))

    def draw(self, card: int) -> Table:
        draws = _with(self.draws, self.drawer, card)
        if self.drawn is None:
            return self._replace(drawn=card, draws=draws)
        assert self.reply is not None and self.position.talon is not None
        first = CARDS[self.drawn], CARDS[card]
        rest = [other for other in self.position.talon if other not in first]
        after = self.position.with_talon((*first, *rest)).play(ACTIONS[self.reply])
        return self._replace(position=after, draws=draws, reply=None, drawn=None)


def imagined_cards(table: Table, setup: Setup, player: int, sampler: Callable[[], float]) -> list[int]:
    """Cards that ``player`` may have been dealt and have drawn, in that order, as
    far as the other player can tell.

    Each card has come to a place of its own: one of the hand as dealt, or a draw.
    A card that the player has shown must have come before it was shown; the
    rest are any cards that the other has not seen elsewhere and that the player has
    not shown to lack. Places are given out by who had to be there first, so
    that the choices left to each card do not depend on those made before,
    and all ways to give them out are equally likely.
    """
    places = [0] * setup.rules.hand_size + list(range(1, len(table.draws[player]) + 1))
    elsewhere = {table.turned, *table.dealt[1 - player], *table.draws[1 - player]}
    trump = 6 * (table.turned // 6)
    shown: dict[int, int] = {}
    for move in table.moves:
        if move.player == player:
            for card in _shown_by(ACTIONS[move.action], trump + RANKS.index(setup.rules.exchange_rank)):
                if card not in elsewhere:
                    shown.setdefault(card, move.time)
    lacks = {CARDS.index(card) for card in table.position.known[2 * player + 1]}
    pool = sorted(set(setup.deck) - elsewhere - shown.keys() - lacks)
    free = list(range(len(places)))
    cards = [0] * len(places)
    for card, time in sorted(shown.items(), key=lambda item: item[1]):
        early = [place for place in free if places[place] <= time]
        place = early[_below(sampler, len(early))]
        free.remove(place)
        cards[place] = card
    for place in free:
        cards[place] = pool.pop(_below(sampler, len(pool)))
    return cards


def _shown_by(action: Action, exchanged: int) -> tuple[int, ...]:
    """The cards that an action shows in the player's hand."""
    if action.kind == "play":
        return (action.number,)
    if action.kind == "marriage":
        return CARDS.index(f"Q{action.suit}"), CARDS.index(f"K{action.suit}")
    return (exchanged,) if action.kind == "exchange" else ()


def _below(sampler: Callable[[], float], n: int) -> int:
    return min(int(sampler() * n), n - 1)


def replaced(pair: Pair, player: int, cards: tuple[int, ...]) -> Pair:
    return (cards, pair[1]) if player == 0 else (pair[0], cards)


def _with(pair: Pair, player: int, card: int) -> Pair:
    return replaced(pair, player, (*pair[player], card))


def deal_outcomes(setup: Setup, dealt: tuple[int, ...]) -> list[tuple[int, float]]:
    """The cards that may be dealt next, with their chances.

    A hand is dealt in rising order, so a card comes next when it is the lowest
    of those still to come: in as many ways as the others can be chosen above it.
    """
    size = setup.rules.hand_size
    place = len(dealt) % size
    turning = len(dealt) == 2 * size
    above = dealt[-1] if place and not turning else -1
    left = [card for card in setup.deck if card > above and card not in dealt]
    others = 0 if turning else size - place - 1
    ways = math.comb(len(left), others + 1)
    last = len(left) - others
    return [(left[i], math.comb(len(left) - i - 1, others) / ways) for i in range(last)]


def _hand_text(cards: tuple[int, ...]) -> str:
    return ".".join(
        "".join(CARDS[card][0] for card in sorted(cards, reverse=True) if CARDS[card][1] == suit)
        for suit in reversed(SUITS)
    )
