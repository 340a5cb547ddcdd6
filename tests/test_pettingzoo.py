"""The PettingZoo environment, by PettingZoo's own tests and by playing it."""

import pickle
import random
import warnings

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs the extra 'pettingzoo'")

from pettingzoo import test as conformance

import santase
from santase import ACTIONS, HiddenCardsError, IllegalActionError, SantaseError
from santase.env import observe
from santase.env.pettingzoo import env, raw_env

RULES = [*santase.RULES, "santase+suits=CD+ranks=QKTA+hand_size=2+target=20+schneider=10"]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array", "ignore:Observation space for each agent"
)
def test_api(rules):
    # the two warnings are about observations that are dictionaries with a mask
    conformance.api_test(env(rules=rules), num_cycles=500)


@pytest.mark.parametrize("rules", RULES)
def test_seeds(rules):
    conformance.seed_test(lambda: env(rules=rules), num_cycles=200)


def test_render(capsys):
    conformance.render_test(env)
    assert "player_0 leads" in capsys.readouterr().out


def play(environment, seed, chance):
    """A hand of random legal actions: the rewards of both and the actions."""
    environment.reset(seed=seed)
    rewards, actions = {}, []
    for agent in environment.agent_iter():
        seen, reward, terminated, truncated, _ = environment.last()
        assert environment.observation_space(agent).contains(seen)
        assert not truncated
        if terminated:
            assert not seen["action_mask"].any()
            rewards[agent] = reward
            environment.step(None)
        else:
            assert reward == 0
            action = chance.choice(np.flatnonzero(seen["action_mask"]).tolist())
            actions.append(action)
            environment.step(action)
    return rewards, actions


@pytest.mark.parametrize("rules", RULES)
def test_plays_the_game(rules):
    environment = env(rules=rules)
    chance = random.Random(5)
    for seed in range(30):
        rewards, actions = play(environment, seed, chance)
        position = santase.deal(seed, rules)
        for action in actions:
            position = position.play(ACTIONS[action])
        points = position.outcome.game_points
        signs = {None: (0, 0), 0: (1, -1), 1: (-1, 1)}[position.outcome.winner]
        assert rewards == {"player_0": signs[0] * points, "player_1": signs[1] * points}


def test_observations_are_the_views():
    environment = env()
    environment.reset(seed=7)
    position = santase.deal(7)
    for _ in range(2):
        for player, agent in enumerate(environment.agents):
            assert np.array_equal(environment.observe(agent)["observation"], observe(position, player))
            assert environment.observe(agent)["action_mask"].any() == (player == position.to_move)
        action = position.legal_actions()[0].number
        environment.step(action)
        position = position.play(ACTIONS[action])


def test_deals_follow_from_the_seed():
    one, two = raw_env(), raw_env()
    one.reset(seed=3)
    two.reset(seed=3)
    assert one.position == santase.deal(3)
    for _ in range(3):
        one.reset()
        two.reset()
        assert one.position == two.position
    three = raw_env()
    three.reset()
    assert three.position != one.position


def test_options():
    environment = env()
    environment.reset(seed=3, options={"leader": 1})
    assert environment.agent_selection == "player_1"
    position = santase.deal(4).play(santase.deal(4).legal_actions()[0])
    environment.reset(options={"position": position})
    assert environment.agent_selection == "player_1"
    assert environment.unwrapped.position == position
    over = position
    while not over.is_over:
        over = over.play(over.legal_actions()[-1])
    for wrong, error, message in [
        (position.view(), HiddenCardsError, "a full position is needed"),
        (str(position), SantaseError, "position is a Position"),
        (santase.deal(1, "schnapsen"), SantaseError, "has the rules schnapsen, not santase"),
        (over, SantaseError, "the hand is over"),
    ]:
        with pytest.raises(error, match=message):
            environment.reset(options={"position": wrong})
    for seed in (-1, 2**64, 1.5, True, "7"):
        with pytest.raises(SantaseError, match="seed"):
            environment.reset(seed=seed)
    with pytest.raises(SantaseError, match="leader"):
        environment.reset(seed=1, options={"leader": 2})


def test_illegal_actions():
    environment = env()
    environment.reset(seed=7)
    illegal = next(n for n in range(31) if ACTIONS[n] not in santase.deal(7).legal_actions())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        environment.step(illegal)
    assert environment.terminations == {"player_0": True, "player_1": True}
    assert environment.rewards == {"player_0": -3, "player_1": 0}
    for _ in range(2):
        environment.step(None)
    assert not environment.agents

    raw = raw_env()
    raw.reset(seed=7)
    for wrong in (illegal, -1, 31, None, 1.5, "KS"):
        with pytest.raises(IllegalActionError):
            raw.step(wrong)
    assert raw.position == santase.deal(7)
    raw.step(np.int64(raw.position.legal_actions()[0].number))


def test_text():
    environment = raw_env(render_mode="ansi")
    environment.reset(seed=7)
    first = environment.render()
    assert first.splitlines()[0] == "trump ♠, turned Q♠, 11 face down"
    assert first.splitlines()[-1] == "player_0 leads"
    environment.step(30)
    assert environment.render().splitlines()[-1] == "player_1 scores 3: wrong call"
    with pytest.raises(SantaseError, match="render_mode"):
        raw_env(render_mode="rgb_array")


def test_can_be_pickled():
    copy = pickle.loads(pickle.dumps(raw_env(rules="schnapsen", render_mode="ansi")))
    copy.reset(seed=1)
    assert copy.position == santase.deal(1, "schnapsen")
