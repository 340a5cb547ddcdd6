"""One hand as a PettingZoo environment in which the agents act in turn.

The agents are ``player_0`` and ``player_1``. An action is its number, 0-30. An
observation is a dictionary: ``observation``, the player's view as the array
described by ``santase.env.LAYOUT``, and ``action_mask``, its legal actions, all
zero for the player who is not to move. Rewards are the hand's game points, given
to both when it ends; a void hand gives 0.

Needs the extra ``pettingzoo``.
"""

from __future__ import annotations

import operator
from typing import Any, Final, SupportsIndex

import numpy as np
import numpy.typing as npt

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.env import AECEnv
except ImportError as error:
    raise ImportError('santase.env.pettingzoo needs PettingZoo: pip install "santase[pettingzoo]"') from error

from santase._core import Position, deal, seed_state
from santase.actions import ACTIONS
from santase.cards import SUIT_SIGNS, SUITS
from santase.env import LAYOUT, OBSERVATION_SIZE, action_mask, observe
from santase.errors import HiddenCardsError, IllegalActionError, SantaseError
from santase.rules import Rules, rules_of

AGENTS: Final = ("player_0", "player_1")

_MOST_POINTS = 250


def env(
    rules: Rules | str = "santase", render_mode: str | None = None
) -> AECEnv[str, dict[str, npt.NDArray[Any]], int | None]:
    """The environment as learners expect it, of the arguments of ``raw_env``.

    An illegal action ends the hand: its player gets -3 game points, the worst
    there is, and the other 0. Acting before ``reset`` and actions outside the
    action space are errors.
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(rules, render_mode), illegal_reward=-3)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv, EzPickle):  # pyright: ignore[reportGeneralTypeIssues]
    """The environment without wrappers: an illegal action raises ``IllegalActionError``.

    ``rules`` is a ``Rules`` object, a preset's name or the notation of house rules.
    ``render_mode`` is ``"ansi"``, where ``render`` returns the table as text, or
    ``"human"``, where it is printed after every action.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as AECEnv declares it
        "name": "santase_v0",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
    }

    position: Position
    """The full position; not for players."""

    def __init__(self, rules: Rules | str = "santase", render_mode: str | None = None) -> None:
        EzPickle.__init__(self, rules=rules, render_mode=render_mode)
        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise SantaseError(f"render_mode: 'ansi' or 'human' is needed, not {render_mode!r}")
        self.rules = rules_of(rules)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces = {agent: _observation_space(self.rules) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(len(ACTIONS)) for agent in AGENTS}
        self._deals: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: SupportsIndex | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a hand: ``santase.deal(seed)``, then without a seed deals that follow from it.

        ``options`` may give ``leader``, who leads first (0, the default, or 1),
        or ``position``, a full position of the same rules to begin from. Others are
        ignored, as PettingZoo asks.
        """
        chosen = options or {}
        first = None if seed is None else seed_state(seed)
        if first is not None or self._deals is None:
            self._deals = np.random.default_rng(first)
        if "position" in chosen:
            self.position = self._checked(chosen["position"])
        else:
            number = int(self._deals.integers(2**64, dtype=np.uint64)) if first is None else first
            self.position = deal(number, self.rules, leader=chosen.get("leader", 0))
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.position.to_move]
        self._skip_agent_selection = None

    def _checked(self, position: object) -> Position:
        if not isinstance(position, Position):
            raise SantaseError(f"options: position is a Position, not {position!r}")
        if not position.is_full:
            raise HiddenCardsError("options: position is a view; a full position is needed to play on")
        if position.is_over:
            raise SantaseError("options: in that position the hand is over")
        if position.rules != self.rules:
            raise SantaseError(f"options: position has the rules {position.rules}, not {self.rules}")
        return position

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """The agent's view and, if it is to move, its legal actions."""
        player = AGENTS.index(agent)
        # a hand that is over has nobody to move, an agent that acted illegally too
        moving = player == self.position.to_move and not self.terminations.get(agent, True)  # pyright: ignore
        return {
            "observation": observe(self.position, player),
            "action_mask": action_mask(self.position) if moving else np.zeros(len(ACTIONS), np.int8),
        }

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Do an action, given by its number; ``None`` for an agent whose hand has ended."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:  # pyright: ignore[reportArgumentType]
            self._was_dead_step(action)
            return
        try:
            number = operator.index(action)  # type: ignore[arg-type]
        except TypeError:
            raise IllegalActionError(f"an action is a number, not {action!r}") from None
        if not 0 <= number < len(ACTIONS):
            raise IllegalActionError(f"an action is a number from 0 to {len(ACTIONS) - 1}, not {number}")
        self.position = self.position.play(ACTIONS[number])
        self._cumulative_rewards[agent] = 0.0  # pyright: ignore[reportArgumentType]
        outcome = self.position.outcome
        if outcome is not None:
            for player, name in enumerate(AGENTS):
                sign = 0 if outcome.winner is None else 1 if outcome.winner == player else -1
                self.rewards[name] = float(sign * outcome.game_points)
            self.terminations = dict.fromkeys(AGENTS, True)
            self._accumulate_rewards()
        self.agent_selection = AGENTS[self.position.to_move]
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The table with all cards open: returned in the mode ``ansi``, printed in the mode ``human``."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode: 'ansi' or 'human'")
            return None
        text = _table(self.position)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing to release."""


def _observation_space(rules: Rules) -> spaces.Dict:
    high = np.ones(OBSERVATION_SIZE, np.float32)
    for field in LAYOUT:
        if field.name in ("points", "closing_points"):
            high[field.start : field.start + field.size] = max(1.0, _MOST_POINTS / rules.target)
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros_like(high), high, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (len(ACTIONS),), np.int8),
        }
    )


def _signed(card: str) -> str:
    return card[0] + SUIT_SIGNS[SUITS.index(card[1])]


def _table(position: Position) -> str:
    """The whole table as lines of text."""
    turned = _signed(position.turned) if position.turned else "drawn"
    lines = [
        f"trump {SUIT_SIGNS[SUITS.index(position.trump)]}, turned {turned}, {position.facedown} face down"
    ]
    if position.closer is not None:
        lines[0] += f", closed by {AGENTS[position.closer]}"
    for player, agent in enumerate(AGENTS):
        cards = " ".join(map(_signed, position.hands[player]))
        pending = f" (+{position.pending[player]})" if position.pending[player] else ""
        points, tricks = position.points[player], position.tricks[player]
        lines.append(f"{agent}: {points}{pending} points, {tricks} tricks | {cards}")
    if position.outcome is not None:
        winner = position.outcome.winner
        won = "nobody" if winner is None else AGENTS[winner]
        lines.append(f"{won} scores {position.outcome.game_points}: {position.outcome.reason}")
    elif position.led is not None:
        lines.append(f"{AGENTS[position.to_move]} replies to {_signed(position.led)}")
    elif position.declared is not None:
        lines.append(f"{AGENTS[position.to_move]} has declared {SUIT_SIGNS[SUITS.index(position.declared)]}")
    else:
        lines.append(f"{AGENTS[position.to_move]} leads")
    return "\n".join(lines)
