"""Under a closing: every hand that the other may hold, and what one plan for all of them makes sure of.

The oracle is slow and literal: all hands by trying all choices of cards, open-card values by plain minimax,
and the value of a plan by the set of everything that any plan can bring.
"""

import dataclasses
import itertools
import json
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from literal import PRESETS, LiteralHand, minimax

import santase
from santase import RULES, Position, SantaseError, analyze, deal, solve
from santase._belief import Belief
from santase._closing import ClosedPlans, plans_apply, possible_hands
from santase._network import shipped_network
from santase._sampling import count_worlds, sample_worlds

SCORES = range(-9, 10)
RANDOM = st.randoms(use_true_random=False)


def mean(chances) -> float:
    return sum(points * chance for points, chance in zip(SCORES, chances, strict=True))


def random_position(rng: random.Random, rules, closed: bool, most_cards: int = 6) -> Position | None:
    """A position on the way of random play, the talon closed, or open and such that it may be closed."""
    position = deal(rng.randrange(1 << 30), rules)
    while not position.is_over:
        actions = [action for action in position.legal_actions() if action != "call"]
        closing = "close" in actions
        cards = len(position.hands[position.to_move])
        if (
            any(position.view().hidden)
            and cards <= most_cards
            and (position.phase == "closed" if closed else closing)
            and rng.random() < 0.4
        ):
            return position
        if closing and rng.random() < 0.6 and closed:
            position = position.play("close")
            continue
        position = position.play(rng.choice([action for action in actions if action != "close"]))
    return None


def positions(rng: random.Random, closed: bool, number: int, most_cards: int = 6, rules=tuple(RULES)):
    found = []
    while len(found) < number:
        position = random_position(rng, rng.choice(rules), closed, most_cards)
        if position is not None:
            found.append(position)
    return found


def at_the_second_lead(rules="santase") -> Position:
    position = deal(1, rules)
    for _ in range(2):
        position = position.play(next(a for a in position.legal_actions() if a.kind == "play"))
    assert "close" in position.legal_actions()
    return position


def literal_worlds(position: Position, rules=PRESETS) -> list[LiteralHand]:
    """Every full hand with the talon in any one order that agrees with the mover's view, all choices tried."""
    mover = position.to_move
    other = 1 - mover
    state = LiteralHand.from_line(rules, str(position))
    shown = state.holds[other]
    fixed = state.played | state.hands[mover] | {state.turned, state.led}
    unseen = sorted(set(state.rules.deck()) - fixed)
    worlds = []
    for cards in itertools.combinations(unseen, len(state.hands[other])):
        if shown <= set(cards) and not state.lacks[other] & set(cards):
            hands = list(state.hands)
            hands[other] = frozenset(cards)
            talon = tuple(card for card in unseen if card not in cards)
            worlds.append(state._replace(hands=tuple(hands), talon=talon))
    return worlds


# ---------------------------------------------------------------- which hands


@settings(max_examples=15, deadline=None)
@given(RANDOM, st.booleans(), st.sampled_from(list(RULES)))
def test_the_possible_hands_are_those_of_trying_all_choices(rng, closed, rules):
    position = random_position(rng, rules, closed)
    if position is None:
        return
    other = 1 - position.to_move
    hands = possible_hands(position.view())
    assert len(set(hands)) == len(hands)
    assert {frozenset(hand) for hand in hands} == {world.hands[other] for world in literal_worlds(position)}
    number = count_worlds(position.view())
    assert len(hands) * (1 if closed else math.factorial(position.facedown)) == number


def test_sampled_worlds_are_among_the_possible_hands_and_reach_them_all():
    rng = random.Random(4)
    for position in positions(rng, True, 12, most_cards=4):
        if count_worlds(position.view()) > 500:
            continue
        view = position.view()
        other = 1 - view.to_move
        sampled = {world.hands[other] for world in sample_worlds(view, 20_000, seed=1)}
        assert {frozenset(hand) for hand in sampled} == {frozenset(hand) for hand in possible_hands(view)}


def test_no_closing_leaves_more_hands_than_there_is_room_for():
    sizes = [size for size in range(1, 12) if (23 - 2 * size) % 2 == 1 and 1 <= 23 - 2 * size <= 11]
    assert max(math.comb(23 - size, size) for size in sizes) == 12376
    assert len(possible_hands(deal(1, "sixty-six").view())) == 12376
    assert len(possible_hands(at_the_second_lead().view())) == 5005


def test_a_full_position_has_one_hand():
    position = deal(3)
    (hand,) = possible_hands(position)
    assert set(hand) == set(position.hands[1 - position.to_move])


# ---------------------------------------------------------------- open cards


@settings(max_examples=10, deadline=None)
@given(RANDOM, st.sampled_from(list(RULES)))
def test_open_cards_are_the_exact_values_of_all_worlds(rng, rules):
    position = random_position(rng, rules, True, most_cards=3)
    if position is None:
        return
    plans = ClosedPlans(position.view())
    plans.run(decisions=1)
    worlds = literal_worlds(position)
    for action, (_, opened) in plans.found().items():
        wanted = [0.0] * 19
        for world in worlds:
            after = world.play(str(action))
            if after.over:  # the marriage was enough
                winner, points = after.outcome()
                value = points if winner == world.to_move else -points
            else:
                value = minimax(after) if after.to_move == world.to_move else -minimax(after)
            wanted[value + 9] += 1 / len(worlds)
        assert opened == pytest.approx(wanted), action


def test_a_closing_is_worth_the_mean_over_all_hands_with_open_cards():
    for position in positions(random.Random(8), False, 6, rules=("santase", "schnapsen")):
        view = position.view()
        hands = possible_hands(view)
        if len(hands) > 500:
            continue
        plans = ClosedPlans(view)
        plans.run(decisions=1)
        (_, opened) = plans.found()[santase.Action("close")]
        closed = view.play("close")
        worlds = {}
        for world in sample_worlds(closed, 20 * len(hands), seed=2):
            worlds[world.hands[1 - view.to_move]] = world
        assert len(worlds) == len(hands)
        values = [solve(world).value for world in worlds.values()]
        assert opened == pytest.approx([values.count(points) / len(hands) for points in SCORES])


# ---------------------------------------------------------------- plans


def all_that_plans_bring(worlds: dict[int, LiteralHand], player: int) -> set[tuple[tuple[int, int], ...]]:
    """Of every plan for worlds that look alike, what it brings in each (the other, who sees all,
    doing what hurts most there), as sorted pairs; those left out that another is as good as everywhere."""
    first = next(iter(worlds.values()))
    if first.over:
        winner, points = first.outcome()
        value = points if winner == player else -points
        return {tuple(sorted((key, value) for key in worlds))}
    if first.to_move == player:
        found = set()
        for action in first.legal_actions():
            after = {key: world.play(action) for key, world in worlds.items()}
            found |= all_that_plans_bring(after, player)
        return undominated(found)
    parts = []
    for action in sorted(set().union(*(world.legal_actions() for world in worlds.values()))):
        after = {key: world.play(action) for key, world in worlds.items() if action in world.legal_actions()}
        parts.append(all_that_plans_bring(after, player))
    found = {()}
    for part in parts:
        found = undominated({least(one, another) for one in found for another in part})
    return found


def least(one, another):
    values = dict(one)
    for key, value in another:
        values[key] = min(value, values.get(key, value))
    return tuple(sorted(values.items()))


def undominated(vectors):
    return {
        one
        for one in vectors
        if not any(
            one != other and all(a[1] <= b[1] for a, b in zip(one, other, strict=True)) for other in vectors
        )
    }


SMALL = {
    "ranks": "QKTA",
    "suits": "CDS",
    "hand_size": 3,
    "exchange_rank": "Q",
    "close_before_first_trick": True,
}


@pytest.mark.parametrize(
    ("preset", "target"), [("santase", 32), ("santase", 42), ("santase-bg", 36), ("schnapsen", 40)]
)
def test_no_plan_is_valued_above_the_best_there_is_and_most_are_the_best(preset, target):
    """Twelve cards, three each, so that every plan there is can be tried."""
    rules = dataclasses.replace(RULES[preset], **SMALL, target=target, schneider=target // 2)
    literal = dataclasses.replace(
        PRESETS[preset], name=str(rules), **SMALL, target=target, schneider=target // 2
    )
    rng = random.Random(target)
    tried = {True: 0, False: 0}
    number = best = 0
    while min(tried.values()) < 8:
        position = random_position(rng, rules, True)
        if position is None or len(position.hands[position.to_move]) < 3:
            continue
        plans = ClosedPlans(position.view())
        plans.run()
        assert plans.complete
        found = plans.found()
        # where a plan is worth as much as open cards there is little to find: some of these will do
        doubtful = any(mean(chances) < mean(opened) - 1e-9 for chances, opened in found.values())
        tried[doubtful] += 1
        if plans.number < 2 or tried[doubtful] > 8:
            continue
        worlds = dict(enumerate(literal_worlds(position, {str(rules): literal})))
        assert plans.number == len(worlds)
        for action, (chances, opened) in found.items():
            after = {key: world.play(str(action)) for key, world in worlds.items()}
            vectors = all_that_plans_bring(after, position.to_move)
            most = max(sum(value for _, value in vector) for vector in vectors) / len(worlds)
            assert mean(chances) <= most + 1e-9 <= mean(opened) + 2e-9
            number += doubtful
            best += doubtful and mean(chances) > most - 1e-9
    assert best >= 0.9 * number


@pytest.mark.parametrize(
    ("line", "action", "value"),
    [
        ("sixty-six +2 K..J. ?1 AS TQJ9.ATKQJ9.TKQ.ATKQJ 1 56/36 5/4 0/0 0:0:0", "KS", -1),
        ("sixty-six +3 K.A.J. ?1 AS TQJ9.TKJ9.TKQ.ATKQJ 1 56/22 5/3 0/0 0:0:0", "AH", -1.25),
        ("schnapsen AK.K.. +3 ?3 TS Q.A.ATKQ.AKQJ 0 27/55 2/3 0/0 1:0:0", "AS", 0),
        (
            "sixty-six A..9.A Q...+2 ?7 QC KJ.ATK.AKQJ.T 0 36/65 2/3 0/0 1:0:0 .../.../Q.../...",
            "AC",
            4 / 3,
        ),
    ],
)
def test_a_wrong_call_with_the_last_card_is_a_decision_like_others(line, action, value):
    """Where it costs less than a lost closing, whether to make it may depend on the card that the other holds,
    which is not seen."""
    position = Position.parse(line)
    plans = ClosedPlans(position)
    plans.run()
    chances, opened = plans.found()[santase.Action(action)]
    (world,) = sample_worlds(position, 1)
    worlds = dict(enumerate(literal_worlds(world)))
    assert len(worlds) == plans.number
    vectors = all_that_plans_bring(
        {key: world.play(action) for key, world in worlds.items()}, position.to_move
    )
    assert max(sum(points for _, points in vector) for vector in vectors) / len(worlds) == pytest.approx(
        value
    )
    assert mean(chances) == pytest.approx(value) and mean(opened) > value + 0.1
    assert plans.complete


@settings(max_examples=25, deadline=None)
@given(RANDOM, st.sampled_from(list(RULES)), st.booleans())
def test_looking_further_ahead_ends_below_open_cards_and_above_the_worst(rng, rules, closed):
    position = random_position(rng, rules, closed, most_cards=5)
    if position is None:
        return
    plans = ClosedPlans(position.view())
    plans.run(work=3_000_000)
    for chances, opened in plans.found().values():
        assert sum(chances) == pytest.approx(1) and sum(opened) == pytest.approx(1)
        # in every world at most what it is worth with open cards: so at each level no more often
        for level in range(1, 19):
            assert sum(chances[level:]) <= sum(opened[level:]) + 1e-9


def test_with_one_possible_hand_a_plan_is_exact():
    view = Position.parse("santase T9.J.Q.9 KQ.K9.K.J ?3 AH AJ.Q.TJ9.TQ 0:AD 15/26 2/2 0/0 0")
    (world,) = sample_worlds(view, 1)
    if any(view.hidden):
        pytest.skip("the view has more than one hand")
    plans = ClosedPlans(view)
    plans.run()
    values = solve(world).actions
    for action, (chances, _) in plans.found().items():
        assert mean(chances) == values[action]


def test_a_plan_is_one_for_all_worlds():
    """The hand of the README's first example: with open cards the closing nearly always wins, and not one
    plan can tell the worlds apart that call for different leads."""
    view = Position.parse("santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 29/15 2/2 0/0 -")
    plans = ClosedPlans(view)
    plans.run()
    chances, opened = plans.found()[santase.Action("close")]
    assert plans.number == 84 and plans.complete
    assert mean(chances) < mean(opened)


def test_utilities_are_what_a_plan_is_for():
    """At 10:10 only winning counts: the plan wins no less often than the one for game points."""
    won = []
    for utility in (None, [-3.0] * 9 + [0.0] + [3.0] * 9):
        total = 0.0
        for position in positions(random.Random(12), True, 12, most_cards=4):
            plans = ClosedPlans(position.view(), utility=utility)
            plans.run()
            total += max(sum(chances[10:]) for chances, _ in plans.found().values())
        won.append(total)
    assert won[1] >= won[0] - 1e-9


def test_a_belief_weighs_the_hands():
    position = deal(5)
    history = []
    network = shipped_network()
    while not (position.phase == "closed" and any(position.view().hidden)):
        actions = position.legal_actions()
        chances, _ = network.policy(position)
        action = "close" if "close" in actions else max(chances, key=lambda action: chances[action])
        history.append((position.to_move, position, action))
        position = position.play(action)
    if position.led is None:
        action = next(action for action in position.legal_actions() if action.kind == "play")
        history.append((position.to_move, position, action))
        position = position.play(action)
    mover = position.to_move
    past = [(before.view(mover), action) for player, before, action in history if player != mover]
    belief = Belief(position.view(), past, network, mistrust=0.2)
    plain, weighed = ClosedPlans(position.view()), ClosedPlans(position.view())
    weighed.believe(belief, seed=3)
    for plans in (plain, weighed):
        plans.run(decisions=1)
    assert plain.found() != weighed.found()
    for chances, opened in weighed.found().values():
        assert sum(chances) == pytest.approx(1) and sum(opened) == pytest.approx(1)


def test_where_it_may_pay_to_wait_there_are_no_plans():
    rules = dataclasses.replace(RULES["santase"], closer_fails=3, closer_fails_trickless=2)
    position = at_the_second_lead(rules)
    assert not plans_apply(position.view())
    with pytest.raises(SantaseError, match="no plans under"):
        ClosedPlans(position.view())
    analysis = analyze(position, worlds=40)
    assert all(estimate.kind != "at least" for estimate in analysis.actions.values())


def test_there_are_no_plans_for_an_open_talon_that_may_not_be_closed():
    position = deal(1)
    assert not plans_apply(position.view())
    with pytest.raises(SantaseError, match="neither closed nor"):
        ClosedPlans(position.view())


def test_a_limit_keeps_what_was_found_before():
    plans = ClosedPlans(at_the_second_lead().view())
    plans.run(work=1000)
    assert plans.decisions == 0 and plans.found() == {}
    plans.run(decisions=2)
    assert plans.decisions == 2 and not plans.complete
    before = plans.found()
    plans.run(work=1000)
    assert plans.found() == before


# ---------------------------------------------------------------- in the answer


def test_the_answer_says_what_kind_of_value_it_is():
    view = Position.parse("santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 29/15 2/2 0/0 -")
    analysis = analyze(view, worlds=400)
    close = analysis.actions["close"]
    assert (close.kind, close.worlds, close.stderr) == ("at least", 84, 0)
    assert close.mean <= close.opened and 0 < close.win <= 1
    assert analysis.actions["TH"].kind == "sampled" and math.isnan(analysis.actions["TH"].opened)
    assert analysis.actions["call"].kind == "exact"
    assert not analysis.exact
    bare = analyze(view, worlds=400, plans=False).actions["close"]
    assert bare.kind == "sampled"


def test_where_time_brings_no_plan_there_are_rollouts():
    """Twelve thousand hands are too many for a hundredth of a second."""
    view = Position.parse("sixty-six AQ.Q.AT.J +6 ?11 JD ... 0 0/0 0/0 0/0 0:0:0")
    assert plans_apply(view)
    analysis = analyze(view, time=0.02)
    assert analysis.worlds > 0
    assert all(estimate.worlds > 0 for estimate in analysis.actions.values())
    if analysis.actions["JC"].kind == "sampled":
        assert sum(estimate.worlds for action, estimate in analysis.actions.items() if action != "call") == (
            analysis.worlds
        )


def test_under_a_closing_every_hand_is_looked_at():
    for position in positions(random.Random(20), True, 8, most_cards=4):
        view = position.view()
        analysis = analyze(view, worlds=2000)
        assert analysis.worlds == analysis.consistent == len(possible_hands(view)) and not analysis.exact
        assert analysis == dataclasses.replace(
            analyze(view, worlds=2000, threads=3, seed=9), elapsed=analysis.elapsed
        )
        for action, estimate in analysis.actions.items():
            if action != "call":
                assert estimate.kind == "at least" and estimate.stderr == 0
                assert estimate.worlds == analysis.worlds
                assert estimate.mean <= estimate.opened + 1e-9


@pytest.mark.parametrize("rules", ["santase", "schnapsen"])
def test_a_sure_closing_is_sure(rules):
    """Where the answer says that closing wins every hand, random play of the other never beats it."""
    for seed in itertools.count():
        position = random_position(random.Random(seed), rules, False)
        if position is None or position.facedown > 5:
            continue
        view = position.view()
        plans = ClosedPlans(view)
        plans.run()
        chances, _ = plans.found()[santase.Action("close")]
        if sum(chances[10:]) == pytest.approx(1):
            break
    closer = view.to_move
    for number, world in enumerate(sample_worlds(view.play("close"), 10, seed=1)):
        rng = random.Random(number)
        while not world.is_over:
            if world.to_move == closer:
                world = world.play(analyze(world.view(), worlds=10**6).best)
            else:
                world = world.play(rng.choice([a for a in world.legal_actions() if a != "call"]))
        assert world.outcome is not None and world.outcome.winner == closer


def test_the_command_says_it(capsys):
    from santase.cli import main

    line = "santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 29/15 2/2 0/0 -"
    assert main(["best", "--worlds", "400", line]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "wins in at least 98 % of 84 hands, every one the other may hold" in said
    assert main(["best", "--json", "--worlds", "400", line]) == 0
    actions = json.loads(capsys.readouterr().out)["actions"]
    assert actions["close"]["kind"] == "at least" and actions["close"]["worlds"] == 84
    assert actions["close"]["mean"] < actions["close"]["opened"]
    assert actions["TH"]["kind"] == "sampled" and actions["TH"]["opened"] is None
