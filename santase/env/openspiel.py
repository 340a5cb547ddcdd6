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
from typing import Any, Final

import numpy as np

try:
    import pyspiel
    from open_spiel.python import policy
except ImportError as error:
    raise ImportError('santase.env.openspiel needs OpenSpiel: pip install "santase[openspiel]"') from error

from santase._core import Position
from santase.actions import ACTIONS, Action
from santase.cards import CARDS
from santase.env import LAYOUT, OBSERVATION_SIZE, observe
from santase.env._table import Setup, Table, deal_outcomes, imagined_cards, replaced
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
        rules = rules_of(text)
        self.rules: Final = rules
        self.setup: Final = Setup.of(rules)
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


class SantaseState(pyspiel.State):
    """A state of the game."""

    def __init__(self, game: SantaseGame) -> None:
        super().__init__(game)
        self._setup = game.setup
        self._deal: tuple[int, ...] = ()
        self._table: Table | None = None

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
            return deal_outcomes(self._setup, self._deal)
        cards = self._table.outcomes()
        return [(card, 1 / len(cards)) for card in cards]

    def _apply_action(self, action: int) -> None:
        if self._table is None:
            self._deal = (*self._deal, action)
            if len(self._deal) == 2 * self._setup.rules.hand_size + 1:
                self._table = Table.of_deal(self._setup, self._deal)
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
        imagined = imagined_cards(table, self._setup, other, sampler)
        size = self._setup.rules.hand_size
        dealt = replaced(table.dealt, other, tuple(sorted(imagined[:size])))
        coming = [iter(draws) for draws in replaced(table.draws, other, tuple(imagined[size:]))]
        actions = iter(table.moves)
        state: SantaseState = self.get_game().new_initial_state()
        for card in (*dealt[0], *dealt[1], table.turned):
            state.apply_action(card)
        for _ in range(len(self.history()) - len(state.history())):
            now = state._table
            assert now is not None
            state.apply_action(next(actions).action if now.reply is None else next(coming[now.drawer]))
        return state


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
        fields = [field for field in LAYOUT if (public if field.public else private)]
        super().__init__([("player", (2,)), *((field.name, (field.size,)) for field in fields)])
        if public and private:
            # the fields lie in the tensor as in the array, which is filled in there
            self._array, self._copied = self.tensor[2:], []
        else:
            self._array, self._copied = np.zeros(OBSERVATION_SIZE, np.float32), fields

    def set_from(self, state: SantaseState, player: int) -> None:
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        position = state.position
        if position is not None:
            observe(position, player, self._array)
            for field in self._copied:
                self.dict[field.name][:] = self._array[field.start : field.start + field.size]
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
        if state._table is not None:
            return _information(state._table, player, self._public, self._private)
        return f"{player} {_text(_dealt_to(state, player))}" if self._private else str(player)


def _information(table: Table, player: int, public: bool = True, private: bool = True) -> str:
    """A player's information state: number, dealt cards, draws, turned card, actions."""
    pieces = [str(player)]
    if private:
        pieces.append(f"{_text(table.dealt[player])}+{_text(table.draws[player])}")
    if public:
        pieces.append(CARDS[table.turned])
        pieces += [ACTIONS[move.action] for move in table.moves]
    return " ".join(pieces)


def _text(cards: tuple[int, ...]) -> str:
    return "".join(CARDS[card] for card in cards)


def _dealt_to(state: SantaseState, player: int) -> tuple[int, ...]:
    size = state._setup.rules.hand_size
    return state._deal[player * size : (player + 1) * size]


# ---------------------------------------------------------------- players and whole trees


Choice = Action | str | Mapping[Action, float]
"""What a player does in a view: an action, or actions with their probabilities."""


class ViewPolicy(policy.Policy):
    """A player that decides by its view, as a policy of OpenSpiel.

    ``choose`` is given a view and answers with an action, or with actions and
    their probabilities. It is asked once for each view.
    """

    def __init__(self, game: SantaseGame, choose: Callable[[Position], Choice]) -> None:
        super().__init__(game, [0, 1])
        self._choose = choose
        self._chosen: dict[Position, list[tuple[int, float]]] = {}

    def action_probabilities(self, state: SantaseState, player_id: int | None = None) -> dict[int, float]:
        """Probabilities by action number, of the player to move."""
        position = state.position
        if position is None:
            raise SantaseError("nobody has anything to decide during the deal")
        view = position.view()
        if view not in self._chosen:
            self._chosen[view] = _probabilities(view, self._choose(view))
        return dict(self._chosen[view])


def _probabilities(view: Position, choice: Choice) -> list[tuple[int, float]]:
    """A probability for each legal action, by number."""
    chances = {Action(choice): 1.0} if isinstance(choice, str) else choice
    legal = view.legal_actions()
    if illegal := chances.keys() - set(legal):
        raise SantaseError(f"{min(illegal)} is not legal in {view}")
    if not math.isclose(sum(chances.values()), 1.0, abs_tol=1e-6):
        raise SantaseError(f"the probabilities in {view} add up to {sum(chances.values())}, not to 1")
    return [(action.number, chances.get(action, 0.0)) for action in legal]


class ExtensiveForm:
    """The whole tree of a small game, in the form that OpenSpiel's C++ algorithms walk fast.

    ``game`` is an OpenSpiel game read from Gambit's format; its information sets
    are those of ``SantaseGame``, its actions have numbers of their own. ``views`` has
    the view of the player to move for each of its information state strings. Raises
    ``SantaseError`` when the tree has more than ``most`` nodes.
    """

    def __init__(self, rules: Rules | str, most: int = 5_000_000) -> None:
        self.rules: Final = rules_of(rules)
        self._setup = Setup.of(self.rules)
        self.views: Final[dict[str, Position]] = {}
        self.nodes = 0
        """Number of nodes: of chance, of decisions and ends."""
        self._most = most
        self._lines = [f'EFG 2 R "{self.rules}" {{ "0" "1" }}']
        self._numbers: tuple[dict[str, int], dict[str, int]] = {}, {}
        # OpenSpiel numbers the actions as it meets them, and sorts those of a node
        self._actions: dict[int, int] = {}
        self._write_deal(())
        self.game: Final = pyspiel.load_efg_game("\n".join(self._lines) + "\n")
        self._lines.clear()

    def policy(self, choose: Callable[[Position], Choice]) -> Any:
        """A player that decides by its view, as OpenSpiel's tabular policy for ``game``."""
        chosen: dict[Position, list[tuple[int, float]]] = {}
        table: dict[str, list[tuple[int, float]]] = {}
        for key, view in self.views.items():
            if view not in chosen:
                chances = _probabilities(view, choose(view))
                numbers = sorted(self._actions[action] for action, _ in chances)
                chosen[view] = [
                    (number, chance) for number, (_, chance) in zip(numbers, chances, strict=True)
                ]
            table[key] = chosen[view]
        return pyspiel.TabularPolicy(table)

    def choice(self, tabular: Any, key: str) -> dict[Action, float]:
        """What a tabular policy for ``game`` does at an information state string of ``views``."""
        legal = self.views[key].legal_actions()
        numbers = sorted(self._actions[action.number] for action in legal)
        chances = dict(tabular.action_probabilities(key))
        return {action: chances[number] for action, number in zip(legal, numbers, strict=True)}

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self._most:
            raise SantaseError(f"the tree of {self.rules} has more than {self._most} nodes")

    def _write_chance(self, outcomes: list[tuple[int, float]]) -> None:
        self._count()
        text = " ".join(f'"{CARDS[card]}" {chance:.17g}' for card, chance in outcomes)
        self._lines.append(f'c "" {self.nodes} "" {{ {text} }} 0')

    def _write_deal(self, dealt: tuple[int, ...]) -> None:
        if len(dealt) == 2 * self.rules.hand_size + 1:
            self._write(Table.of_deal(self._setup, dealt))
            return
        outcomes = deal_outcomes(self._setup, dealt)
        self._write_chance(outcomes)
        for card, _ in outcomes:
            self._write_deal((*dealt, card))

    def _write(self, table: Table) -> None:
        if table.reply is not None:
            cards = table.outcomes()
            self._write_chance([(card, 1 / len(cards)) for card in cards])
            for card in cards:
                self._write(table.draw(card))
            return
        self._count()
        position = table.position
        outcome = position.outcome
        if outcome is not None:
            points = outcome.game_points if outcome.winner == 0 else -outcome.game_points
            self._lines.append(f't "" {self.nodes} "" {{ {points} {-points} }}')
            return
        player = position.to_move
        name = _information(table, player)
        number = self._numbers[player].setdefault(name, len(self._numbers[player]) + 1)
        legal = position.legal_actions()
        for action in legal:
            self._actions.setdefault(action.number, len(self._actions))
        self.views.setdefault(f"{player}-{player}-{number}-{name}", position.view())
        text = " ".join(f'"{action}"' for action in legal)
        self._lines.append(f'p "" {player + 1} {number} "{name}" {{ {text} }} 0')
        for action in legal:
            self._write(table.act(action.number))


pyspiel.register_game(_GAME_TYPE, SantaseGame)
