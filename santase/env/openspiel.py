"""The game for OpenSpiel: one hand, with chance nodes where cards become known.

Importing this module registers the game ``santase``; its one parameter is the
rules, with a colon for each ``=`` of the notation, which OpenSpiel's own game
strings do not allow::

    pyspiel.load_game("santase")
    pyspiel.load_game("santase(rules=santase+suits:CD+ranks:QKTA+hand_size:2)")

Player 0 leads first. Returns are game points.

Chance nodes
    The deal: player 0's cards one by one, lowest number first, so that each hand
    comes about in one way only; player 1's likewise; the turned card. In the
    open phase, after each trick, the card that the winner draws and the card
    that the loser draws. The last face-down card leaves nothing to chance and
    has no node. The order of the talon is not decided before it is drawn, and
    not at all after a closing.

Information states
    Perfect recall: the player's dealt cards and draws, the turned card and all
    actions of both players, as text and as a tensor. Observations are the
    player's view: its line, and the array of ``santase.env.LAYOUT``; at the
    chance nodes of the draws they are still those before the reply.

Needs the extra ``openspiel``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import pyspiel
from open_spiel.python import policy

from santase._core import Position
from santase.actions import ACTIONS, Action
from santase.cards import CARDS, RANKS, SUITS
from santase.env import LAYOUT, OBSERVATION_SIZE, observe
from santase.errors import SantaseError
from santase.rules import Rules, rules_of

_CARDS = len(CARDS)

_GAME_TYPE = pyspiel.GameType(
    short_name="santase",
    long_name="Santase",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": "santase"},
    default_loadable=True,
)


def game_string(rules: Rules | str = "santase") -> str:
    """What ``pyspiel.load_game`` takes for the game under these rules."""
    return f"{_GAME_TYPE.short_name}(rules={str(rules_of(rules)).replace('=', ':')})"


class SantaseGame(pyspiel.Game):
    """One hand under the rules given by the parameter ``rules``."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        text = str((params or {}).get("rules", "santase")).replace(":", "=")
        self.rules: Final = rules_of(text)
        rules = self.rules
        most = max(
            3,
            rules.closer_under_33,
            rules.closer_fails,
            rules.closer_fails_trickless,
            rules.wrong_call,
            rules.wrong_call_trickless,
        )
        marriages = len(rules.suits) if {"K", "Q"} <= set(rules.ranks) else 0
        # each card, each marriage, an exchange, a closing and a call
        self.longest: Final = rules.deck_size + marriages + 3
        self.draws: Final = rules.facedown - 1
        info = pyspiel.GameInfo(
            num_distinct_actions=len(ACTIONS),
            max_chance_outcomes=_CARDS,
            num_players=2,
            min_utility=-float(most),
            max_utility=float(most),
            utility_sum=0.0,
            max_game_length=self.longest,
        )
        super().__init__(_GAME_TYPE, info, {"rules": str(rules).replace("=", ":")})

    def new_initial_state(self) -> SantaseState:
        """The state before the deal."""
        return SantaseState(self)

    def max_chance_nodes_in_history(self) -> int:
        return 2 * self.rules.hand_size + 1 + self.draws

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> _Observer | _InformationState:
        """The observer behind the strings and tensors of the states."""
        if params:
            raise SantaseError(f"an observer takes no parameters, not {dict(params)}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise SantaseError("an observer sees one player's cards or none")
        private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if kind.perfect_recall:
            return _InformationState(self, kind.public_info, private)
        return _Observer(kind.public_info, private)


class _Move(NamedTuple):
    """An action of a player who had drawn ``time`` face-down cards by then."""

    player: int
    action: int
    time: int


class _Table(NamedTuple):
    """A hand in play.

    The order of the face-down cards that ``position`` holds is a placeholder:
    what is drawn is decided by chance, and nothing else depends on it.
    """

    position: Position
    dealt: tuple[tuple[int, ...], tuple[int, ...]]
    turned: int
    """The card turned up in the deal."""
    moves: tuple[_Move, ...] = ()
    """The actions of both players, all of which both have seen."""
    draws: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """What each player has drawn from the face-down cards."""
    reply: int | None = None
    """The reply after which cards are yet to be drawn."""
    winner: int = 0
    """Who draws first after it."""
    drawn: int | None = None
    """What the winner has drawn."""

    def __deepcopy__(self, memo: object) -> _Table:
        return self

    @staticmethod
    def of_deal(rules: Rules, cards: tuple[int, ...]) -> _Table:
        size = rules.hand_size
        dealt = cards[:size], cards[size : 2 * size]
        facedown = "".join(CARDS[card] for card in _deck(rules) if card not in cards)
        line = (
            f"{rules} {_hand_text(dealt[0])} {_hand_text(dealt[1])} {facedown} {CARDS[cards[-1]]}"
            " ... 0 0/0 0/0 0/0 -"
        )
        return _Table(Position.parse(line), dealt, cards[-1])

    @property
    def drawer(self) -> int:
        """Who draws the next card."""
        return self.winner if self.drawn is None else 1 - self.winner

    def outcomes(self) -> list[int]:
        """The cards that may be drawn next, each as likely as any other."""
        lying = self.position.talon
        assert lying is not None
        return sorted(number for number in map(CARDS.index, lying) if number != self.drawn)

    def act(self, action: int) -> _Table:
        position = self.position
        after = position.play(ACTIONS[action])
        player = position.to_move
        moves = (*self.moves, _Move(player, action, len(self.draws[player])))
        if position.led is None or position.phase != "open" or after.is_over:
            return self._replace(position=after, moves=moves)
        winner = after.leader
        if position.facedown > 1:
            return self._replace(moves=moves, reply=action, winner=winner)
        assert position.talon is not None
        last = CARDS.index(position.talon[0])
        return self._replace(position=after, moves=moves, draws=_with(self.draws, winner, last))

    def draw(self, card: int) -> _Table:
        draws = _with(self.draws, self.drawer, card)
        if self.drawn is None:
            return self._replace(drawn=card, draws=draws)
        assert self.reply is not None and self.position.talon is not None
        first = CARDS[self.drawn], CARDS[card]
        rest = [other for other in self.position.talon if other not in first]
        after = self.position.with_talon((*first, *rest)).play(ACTIONS[self.reply])
        return self._replace(position=after, draws=draws, reply=None, drawn=None)


class SantaseState(pyspiel.State):
    """A state of the game."""

    def __init__(self, game: SantaseGame) -> None:
        super().__init__(game)
        self._rules = game.rules
        self._deal: tuple[int, ...] = ()
        self._table: _Table | None = None

    @property
    def position(self) -> Position | None:
        """The full position; ``None`` during the deal.

        The order of its face-down cards means nothing, since chance decides what
        is drawn. While cards are being drawn it is that before the reply.
        """
        return None if self._table is None else self._table.position

    def current_player(self) -> int:
        if self._table is None or self._table.reply is not None:
            return int(pyspiel.PlayerId.CHANCE)
        if self._table.position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return self._table.position.to_move

    def is_terminal(self) -> bool:
        return self._table is not None and self._table.reply is None and self._table.position.is_over

    def _legal_actions(self, player: int) -> list[int]:
        assert self._table is not None
        return [action.number for action in self._table.position.legal_actions()]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The numbers of the cards that may be dealt or drawn, with their chances."""
        if self._table is None:
            return _deal_outcomes(self._rules, self._deal)
        cards = self._table.outcomes()
        return [(card, 1 / len(cards)) for card in cards]

    def _apply_action(self, action: int) -> None:
        if self._table is None:
            self._deal = (*self._deal, action)
            if len(self._deal) == 2 * self._rules.hand_size + 1:
                self._table = _Table.of_deal(self._rules, self._deal)
        elif self._table.reply is not None:
            self._table = self._table.draw(action)
        else:
            self._table = self._table.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {CARDS[action]}"
        return str(ACTIONS[action])

    def returns(self) -> list[float]:
        """Game points of both players; 0 until the hand has ended."""
        outcome = self._table.position.outcome if self._table is not None else None
        if outcome is None or outcome.winner is None:
            return [0.0, 0.0]
        points = float(outcome.game_points)
        return [points, -points] if outcome.winner == 0 else [-points, points]

    def __str__(self) -> str:
        if self._table is None:
            return "deal " + " ".join(CARDS[card] for card in self._deal)
        text = str(self._table.position)
        if self._table.reply is not None:
            text += f" {ACTIONS[self._table.reply]} draw"
            if self._table.drawn is not None:
                text += f" {CARDS[self._table.drawn]}"
        return text

    def resample_from_infostate(self, player_id: int, sampler: Callable[[], float]) -> SantaseState:
        """A state that ``player_id`` cannot tell from this one, its history included.

        The other's cards, and when it got each of them, are drawn anew: each
        deal and each order of draws that agrees with all that the player has
        seen is as likely as any other. What the other's plays say about its cards
        beyond that is left out. ``sampler`` gives numbers from 0 up to 1.
        Raises ``SantaseError`` during the deal.
        """
        table = self._table
        if table is None:
            raise SantaseError("the deal is not over: nobody has anything to decide yet")
        other = 1 - player_id
        imagined = _imagined_cards(table, self._rules, other, sampler)
        size = self._rules.hand_size
        dealt = _replaced(table.dealt, other, tuple(sorted(imagined[:size])))
        coming = [iter(draws) for draws in _replaced(table.draws, other, tuple(imagined[size:]))]
        actions = iter(table.moves)
        state: SantaseState = self.get_game().new_initial_state()
        for card in (*dealt[0], *dealt[1], table.turned):
            state.apply_action(card)
        for _ in range(len(self.history()) - len(state.history())):
            now = state._table
            assert now is not None
            state.apply_action(next(actions).action if now.reply is None else next(coming[now.drawer]))
        return state


def _imagined_cards(
    table: _Table, rules: Rules, player: int, sampler: Callable[[], float]
) -> list[int]:
    """Cards that ``player`` may have been dealt and have drawn, in that order, as
    far as the other player can tell.

    Each card has come to a place of its own: one of the hand as dealt, or a draw.
    A card that the player has shown must have come before it was shown; the
    rest are any cards that the other has not seen elsewhere and that the player has
    not shown to lack. Places are given out by who had to be there first, so
    that the choices left to each card do not depend on those made before,
    and all ways to give them out are equally likely.
    """
    places = [0] * rules.hand_size + list(range(1, len(table.draws[player]) + 1))
    elsewhere = {table.turned, *table.dealt[1 - player], *table.draws[1 - player]}
    trump = 6 * (table.turned // 6)
    shown: dict[int, int] = {}
    for move in table.moves:
        if move.player == player:
            for card in _shown_by(ACTIONS[move.action], trump + RANKS.index(rules.exchange_rank)):
                if card not in elsewhere:
                    shown.setdefault(card, move.time)
    lacks = {CARDS.index(card) for card in table.position.known[2 * player + 1]}
    pool = [card for card in _deck(rules) if card not in elsewhere and card not in shown and card not in lacks]
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


_Pair = tuple[tuple[int, ...], tuple[int, ...]]


def _replaced(pair: _Pair, player: int, cards: tuple[int, ...]) -> _Pair:
    return (cards, pair[1]) if player == 0 else (pair[0], cards)


def _with(pair: _Pair, player: int, card: int) -> _Pair:
    return _replaced(pair, player, (*pair[player], card))


def _deal_outcomes(rules: Rules, dealt: tuple[int, ...]) -> list[tuple[int, float]]:
    """The cards that may be dealt next, with their chances.

    A hand is dealt in rising order, so a card comes next when it is the lowest
    of those still to come: in as many ways as the others can be chosen above it.
    """
    place = len(dealt) % rules.hand_size
    turning = len(dealt) == 2 * rules.hand_size
    above = dealt[-1] if place and not turning else -1
    left = [card for card in _deck(rules) if card > above and card not in dealt]
    wanted = 1 if turning else rules.hand_size - place
    ways = math.comb(len(left), wanted)
    return [
        (card, math.comb(len(left) - index - 1, wanted - 1) / ways)
        for index, card in enumerate(left)
        if len(left) - index >= wanted
    ]


def _deck(rules: Rules) -> list[int]:
    return [number for number, card in enumerate(CARDS) if card[0] in rules.ranks and card[1] in rules.suits]


def _hand_text(cards: tuple[int, ...]) -> str:
    return ".".join(
        "".join(CARDS[card][0] for card in sorted(cards, reverse=True) if CARDS[card][1] == suit)
        for suit in reversed(SUITS)
    )


# ---------------------------------------------------------------- what players see


class _Tensor:
    """A float32 array whose parts have names, in the form that OpenSpiel's observers have."""

    def __init__(self, parts: list[tuple[str, tuple[int, ...]]]) -> None:
        sizes = [math.prod(shape) for _, shape in parts]
        self.tensor = np.zeros(sum(sizes), np.float32)
        ends = np.cumsum(sizes)
        self.dict = {
            name: self.tensor[end - size : end].reshape(shape)
            for (name, shape), size, end in zip(parts, sizes, ends, strict=True)
        }


class _Observer(_Tensor):
    """What a player sees now: the view, or its public or private part alone."""

    def __init__(self, public: bool, private: bool) -> None:
        self._public, self._private = public, private
        self._fields = [field for field in LAYOUT if (public if field.public else private)]
        super().__init__([("player", (2,)), *((field.name, (field.size,)) for field in self._fields)])
        self._whole = np.zeros(OBSERVATION_SIZE, np.float32)

    def set_from(self, state: SantaseState, player: int) -> None:
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        position = state.position
        if position is not None:
            observe(position, player, self._whole)
            for field in self._fields:
                self.dict[field.name][:] = self._whole[field.start : field.start + field.size]
        elif self._private:
            self.dict["own"][list(_dealt_to(state, player))] = 1

    def string_from(self, state: SantaseState, player: int) -> str:
        position = state.position
        if position is None:
            cards = _text(_dealt_to(state, player)) if self._private else ""
            return f"{player} deal {cards}"
        if self._public and self._private:
            return f"{player} {position.view(player)}"
        if self._private:
            return f"{player} {' '.join(position.hands[player])}"
        return f"{player} {position.facedown} {' '.join(str(position.view(player)).split(' ')[4:])}"


class _InformationState(_Tensor):
    """All that a player has seen from the deal on."""

    def __init__(self, game: SantaseGame, public: bool, private: bool) -> None:
        self._public, self._private = public, private
        parts: list[tuple[str, tuple[int, ...]]] = [("player", (2,))]
        if private:
            draws = (game.rules.facedown + 1) // 2
            parts += [("hand", (_CARDS,)), ("draws", (draws, _CARDS))]
        if public:
            parts += [("turned", (_CARDS,)), ("actions", (game.longest, len(ACTIONS)))]
        super().__init__(parts)

    def set_from(self, state: SantaseState, player: int) -> None:
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        table = state._table
        if self._private:
            self.dict["hand"][list(_dealt_to(state, player))] = 1
            for place, card in enumerate(table.draws[player] if table else ()):
                self.dict["draws"][place, card] = 1
        if self._public and table is not None:
            self.dict["turned"][table.turned] = 1
            for place, move in enumerate(table.moves):
                self.dict["actions"][place, move.action] = 1

    def string_from(self, state: SantaseState, player: int) -> str:
        table = state._table
        pieces = [str(player)]
        if self._private:
            pieces.append(_text(_dealt_to(state, player)))
            pieces.append("+" + _text(table.draws[player] if table else ()))
        if self._public and table is not None:
            pieces.append(CARDS[table.turned])
            pieces.append(" ".join(ACTIONS[move.action] for move in table.moves))
        return " ".join(pieces)


def _text(cards: tuple[int, ...]) -> str:
    return "".join(CARDS[card] for card in cards)


def _dealt_to(state: SantaseState, player: int) -> tuple[int, ...]:
    size = state._rules.hand_size
    return state._deal[player * size : (player + 1) * size]


# ---------------------------------------------------------------- players of this library


class ViewPolicy(policy.Policy):
    """A player that decides by its view, as a policy of OpenSpiel.

    ``choose`` is given a view and answers with an action, or with actions and
    their probabilities. It is asked once for each view.
    """

    def __init__(
        self, game: SantaseGame, choose: Callable[[Position], Action | str | Mapping[Action, float]]
    ) -> None:
        super().__init__(game, [0, 1])
        self._choose = choose
        self._chosen: dict[Position, dict[int, float]] = {}

    def action_probabilities(self, state: SantaseState, player_id: int | None = None) -> dict[int, float]:
        """Probabilities by action number, of the player to move."""
        position = state.position
        if position is None:
            raise SantaseError("nobody has anything to decide during the deal")
        view = position.view()
        if view not in self._chosen:
            answer = self._choose(view)
            chances = {Action(answer): 1.0} if isinstance(answer, str) else answer
            self._chosen[view] = {action.number: chances.get(action, 0.0) for action in view.legal_actions()}
        return self._chosen[view]


pyspiel.register_game(_GAME_TYPE, SantaseGame)
