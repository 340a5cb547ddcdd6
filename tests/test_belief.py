"""What the other's play tells of its cards, against Bayes' rule done the long way."""

import contextlib
import itertools
import math
import random

import pytest

import santase
from santase import Game, IllegalActionError, Position, SantaseError
from santase._belief import Belief
from santase._network import shipped_network
from santase._rollout import Rollouts, gather
from santase._sampling import sample_worlds

MISTRUST = 0.1


def games(number: int, tricks: int, rules: str = "santase"):
    """Games of the policy with open talon and no exchange, so many tricks old, the other having acted."""
    network = shipped_network()
    found = 0
    for seed in itertools.count():
        game = Game(rules, seed=seed)
        while not game.position.is_over and sum(game.position.tricks) < tricks:
            chances, _ = network.policy(game.position)
            game.play(max(chances, key=lambda action: chances[action]))
        position = game.position
        if position.phase == "open" and not position.is_over and "exchange" not in game.actions:
            yield game
            found += 1
            if found == number:
                return


def chance_of_play(deal: Position, actions, player: int) -> float:
    """How likely the policy plays the actions of ``player`` in a deal, with the share of mistrust."""
    network = shipped_network()
    product, position = 1.0, deal
    for action in actions:
        if position.to_move == player:
            chances, _ = network.policy(position)
            if len(chances) > 1:
                product *= (1 - MISTRUST) * chances.get(action, 0.0) + MISTRUST / len(chances)
            elif action not in chances:
                product *= MISTRUST
        position = position.play(action)
    return product


def draws_of(game: Game, player: int) -> list[int]:
    """The places in the talon that ``player`` has drawn."""
    places, at, position = [], 0, game.deal
    for action in game.actions:
        after = position.play(action)
        if sum(after.tricks) > sum(position.tricks):
            places.append(at if after.leader == player else at + 1)
            at += 2
        position = after
    return places


def all_deals(game: Game, world: Position, player: int):
    """Every deal that leads to ``world`` by the same play: each way in which ``player`` may have drawn."""
    places = draws_of(game, player)
    position, played = game.deal, []
    for action in game.actions:
        if position.to_move == player and action.kind == "play":
            played.append((sum(position.tricks), str(action)))
        position = position.play(action)
    held = [*world.hands[player], *(card for _, card in played)]
    talon = [str(card) for card in game.deal.talon]
    for drawn in itertools.permutations(held, len(places)):
        # what was played in a trick was not drawn at its end or later
        if any(card == late and trick <= after for trick, card in played for after, late in enumerate(drawn)):
            continue
        new = dict(zip(places, drawn, strict=True))
        rest = iter(str(card) for card in world.talon)
        drawn_in_all = len(talon) - len(world.talon)
        order = [
            new.get(place, talon[place]) if place < drawn_in_all else next(rest)
            for place in range(len(talon))
        ]
        hand = [card for card in held if card not in drawn]
        yield deal_of(game.deal, player, hand, order)


def deal_of(deal: Position, player: int, hand, talon) -> Position:
    fields = str(deal).split()
    fields[1 + player] = ".".join(
        "".join(rank for rank in "ATKQJ9" if rank + suit in hand) for suit in "SHDC"
    )
    fields[3] = "".join(talon)
    return Position.parse(" ".join(fields))


@pytest.mark.parametrize("rules", ["santase", "schnapsen"])
def test_likelihood_is_that_of_the_deals_behind_it(rules: str) -> None:
    for game in games(3, 2, rules):
        viewer = game.position.to_move
        other = 1 - viewer
        view = game.view()
        belief = Belief(view, game.history(), shipped_network(), mistrust=MISTRUST)
        assert (belief.other, belief.size) == (other, sum(1 for _ in game.history()))
        for world in sample_worlds(view, 2, seed=5):
            exact = []
            for deal in all_deals(game, world, other):
                with contextlib.suppress(IllegalActionError):  # a marriage drawn too late
                    exact.append(chance_of_play(deal, game.actions, other))
            assert exact
            number = 4000
            tried = [belief.likelihood(world, seed=seed) for seed in range(number)]
            mean = sum(exact) / len(exact)
            spread = math.sqrt(sum((value - mean) ** 2 for value in exact) / len(exact))
            assert sum(tried) / number == pytest.approx(mean, abs=5 * spread / math.sqrt(number) + 1e-9)
            assert {round(value, 9) for value in tried} <= {round(value, 9) for value in exact}


def test_worlds_are_drawn_in_proportion() -> None:
    """An opponent's hand that explains the play twice as well comes up twice as often, as far as the
    rollouts tell: their mean is that of uniformly drawn worlds weighed by their likelihoods."""
    game = next(games(1, 2))
    view = game.view()
    network = shipped_network()
    belief = Belief(view, game.history(), network, mistrust=MISTRUST)
    uniform = Rollouts(view, network, seed=1)
    weighed = Rollouts(view, network, seed=1, belief=belief)
    assert uniform.value == weighed.value
    for rollouts in (uniform, weighed):
        rollouts.run(200, 1000)
    assert gather([uniform]) != gather([weighed])


def test_the_truth_is_likelier() -> None:
    """Over many games the cards that the other really holds explain its play better than others do."""
    gains = []
    for game in games(60, 3):
        belief = Belief(game.view(), game.history(), shipped_network(), mistrust=MISTRUST)
        truth = sum(belief.likelihood(game.position, seed=seed) for seed in range(20)) / 20
        others = [belief.likelihood(world, seed=7) for world in sample_worlds(game.view(), 40, seed=3)]
        gains.append(math.log(truth / (sum(others) / len(others))))
    assert sum(gains) / len(gains) > 0.3


def test_no_history_changes_nothing() -> None:
    view = santase.deal(3).view()
    assert santase.analyze(view, worlds=200).actions == santase.analyze(view, worlds=200, history=[]).actions


def test_equal_seeds_give_equal_answers_on_any_number_of_threads() -> None:
    game = next(games(1, 2))
    answers = [
        santase.analyze(game.view(), worlds=600, seed=4, history=game.history(), threads=threads).actions
        for threads in (1, 2, 5)
    ]
    assert answers[0] == answers[1] == answers[2]


def test_history_of_another_hand_is_refused() -> None:
    first, second = games(2, 2)
    history = second.history(first.position.to_move)
    with pytest.raises(SantaseError, match="history"):
        santase.analyze(first.view(), worlds=10, history=history)
    with pytest.raises(SantaseError, match=r"before action 1 player \d is to move"):
        santase.analyze(first.view(), worlds=10, history=first.history(1 - first.position.to_move))
    with pytest.raises(SantaseError, match="mistrust"):
        santase.analyze(first.view(), worlds=10, mistrust=1.5)
    with pytest.raises(TypeError, match="a Position is needed before action 1"):
        santase.analyze(first.view(), worlds=10, history=[("view", "KS")])
    third = next(games(1, 3))
    assert len(third.history()) > 2
    with pytest.raises(SantaseError, match="does not lead to"):
        santase.analyze(third.view(), worlds=10, history=[third.history()[0], *third.history()[2:]])


def test_what_all_see_must_come_of_the_history() -> None:
    """Closings, exchanges and marriages are seen by both: none can be made up, or left out."""
    game = santase.Game("santase", seed=7)
    for action in ("JH", "AH", "exchange", "AD"):
        game.play(action)
    view, history = game.view(), game.history()
    assert [action for _, action in history] == ["AH", "exchange", "AD"]
    santase.analyze(view, worlds=4, history=history)
    for other in ("close", "call", "marriage-S", "marriage-H", "AC"):
        with pytest.raises(SantaseError, match=f"history: {other}, action 2, does not lead to"):
            santase.analyze(view, worlds=4, history=[history[0], (history[1][0], other), history[2]])
    with pytest.raises(SantaseError, match="history: AH, action 1, does not lead to"):
        santase.analyze(view, worlds=4, history=[history[0], history[2]])
    with pytest.raises(SantaseError, match="history: exchange, action 2, does not lead to"):
        santase.analyze(view, worlds=4, history=history[:2])
    with pytest.raises(SantaseError, match="history: exchange, action 1, does not lead to"):
        santase.analyze(view, worlds=4, history=[(history[0][0], "exchange"), *history[1:]])


@pytest.mark.parametrize("special", ["close", "marriage", "exchange"])
def test_what_all_see_is_never_left_out(special: str) -> None:
    """In hands by random play: without one of the other's closings, marriages and exchanges no history is taken."""
    rng = random.Random(special)
    left_out = 0
    while left_out < 40:
        game = santase.Game(rng.choice(list(santase.RULES)), seed=rng.getrandbits(30))
        while not game.position.is_over:
            history = game.history()
            exact = santase.analyze(game.view(), 0, history=history).exact  # then there is nothing to tell
            for at in range(1, len(history)):
                if history[at][1].startswith(special) and not exact:
                    left_out += 1
                    with pytest.raises(SantaseError, match="does not lead to"):
                        santase.analyze(game.view(), 0, history=[*history[:at], *history[at + 1 :]])
            actions = [action for action in game.legal_actions() if action != "call"] or ["call"]
            wanted = [action for action in actions if action.startswith(special)]
            if special != "close" or rng.random() < 0.5:
                actions = wanted or actions
            game.play(rng.choice(actions))
