"""Steps a second of the learners' interfaces beside other libraries' card games, in one run.

A step is one decision of a player, taken at random among the legal actions, with
everything that a learner reads before it: the legal actions and the observation
(for OpenSpiel its observation tensor, for games without one its information
state tensor, or nothing for games without either). Chance is counted in: the time
is that of whole games. Every
contestant plays in turn, several rounds of it; the table has the median round,
by CPU time. Needs the extras ``pettingzoo`` and ``openspiel``, and ``rlcard``
where it is to be compared. Run:

    python benchmarks/bench_envs.py [--seconds 2] [--rounds 3]
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

import numpy as np

import santase
from santase.env import action_mask, observe

Play = Callable[[random.Random], int]
"""Plays one game; answers with how many decisions it took."""

OPENSPIEL_GAMES = (
    "gin_rummy",
    "crazy_eights",
    "euchre",
    "oh_hell",
    "skat",
    "tarok",
    "bridge",
    "leduc_poker",
    "python_liars_poker",
)
RLCARD_GAMES = ("gin-rummy", "doudizhu", "bridge", "uno", "limit-holdem", "leduc-holdem")


def play_position(chance: random.Random) -> int:
    position = santase.deal(chance.getrandbits(64))
    steps = 0
    while not position.is_over:
        position = position.play(chance.choice(position.legal_actions()))
        steps += 1
    return steps


def play_observed(chance: random.Random) -> int:
    position = santase.deal(chance.getrandbits(64))
    steps = 0
    while not position.is_over:
        observe(position)
        number = chance.choice(np.flatnonzero(action_mask(position)).tolist())
        position = position.play(santase.ACTIONS[number])
        steps += 1
    return steps


def aec(environment: object) -> Play:
    def play(chance: random.Random) -> int:
        environment.reset(seed=chance.getrandbits(32))
        steps = 0
        for _ in environment.agent_iter():
            seen, _, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                environment.step(None)
                continue
            environment.step(chance.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            steps += 1
        return steps

    return play


def openspiel(name: str) -> Play:
    import pyspiel

    game = pyspiel.load_game(name)
    kind = game.get_type()

    def play(chance: random.Random) -> int:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                cards, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(cards, chances)[0])
                continue
            if kind.provides_observation_tensor:
                state.observation_tensor()
            elif kind.provides_information_state_tensor:
                state.information_state_tensor()
            state.apply_action(chance.choice(state.legal_actions()))
            steps += 1
        return steps

    return play


def rlcard(name: str) -> Play:
    import rlcard

    environment = rlcard.make(name, config={"seed": 1})

    def play(chance: random.Random) -> int:
        state, _ = environment.reset()
        steps = 0
        while not environment.is_over():
            state, _ = environment.step(chance.choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return play


def contestants() -> dict[str, Play]:
    import santase.env.openspiel
    from santase.env.pettingzoo import env, raw_env

    found: dict[str, Play] = {
        "santase: Position alone, nothing observed": play_position,
        "santase: Position, observe and action_mask": play_observed,
        "santase: PettingZoo, raw_env": aec(raw_env()),
        "santase: PettingZoo, env (with its wrappers)": aec(env()),
        "santase: OpenSpiel (Python)": openspiel("santase"),
        "schnapsen: OpenSpiel (Python)": openspiel(santase.env.openspiel.game_string("schnapsen")),
    }
    sources = [("OpenSpiel", openspiel, OPENSPIEL_GAMES), ("RLCard", rlcard, RLCARD_GAMES)]
    for library, make, games in sources:
        for name in games:
            try:
                found[f"{name}: {library}"] = make(name)
            except Exception as error:  # a game that this version does not have
                print(f"left out: {library} {name}: {str(error).splitlines()[0]}")
    return found


def measure(play: Play, chance: random.Random, seconds: float) -> tuple[float, float]:
    """Steps a second, and steps a game."""
    games = steps = 0
    started = time.process_time()
    while (taken := time.process_time() - started) < seconds:
        steps += play(chance)
        games += 1
    return steps / taken, steps / games


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=2.0, help="of CPU time, a contestant and round")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    chance = random.Random(1)
    results: dict[str, list[tuple[float, float]]] = {}
    players = contestants()
    for _ in range(options.rounds):
        for name, play in players.items():
            results.setdefault(name, []).append(measure(play, chance, options.seconds))
    print("| game | steps a second | steps a game |\n|---|---|---|")
    for name, rounds in results.items():
        speed, length = (statistics.median(column) for column in zip(*rounds, strict=True))
        print(f"| {name} | {speed:,.0f} | {length:.1f} |")


if __name__ == "__main__":
    main()
