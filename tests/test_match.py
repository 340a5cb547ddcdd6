"""Chances to win a match, and play for them."""

import itertools
import random

import pytest

import santase
from santase import SantaseError, analyze, deal
from santase.match import match_equity, result_equities, result_frequencies


@pytest.mark.parametrize("name", santase.RULES)
def test_both_chances_make_one(name):
    rules = santase.RULES[name]
    for mine, theirs in itertools.product(range(rules.match_target), repeat=2):
        leads = match_equity(mine, theirs, leads=True, rules=rules)
        assert leads + match_equity(theirs, mine, leads=False, rules=rules) == pytest.approx(1)
        assert 0 < leads < 1
        if mine + 1 < rules.match_target:
            assert match_equity(mine + 1, theirs, leads=True, rules=rules) > leads


def test_ends():
    assert match_equity(11, 3, leads=True) == 1 and match_equity(3, 13, leads=True) == 0
    # at 10:10 the next hand decides
    wins = sum(share for points, share in result_frequencies("santase").items() if points > 0)
    assert match_equity(10, 10, leads=True) == pytest.approx(wins)


@pytest.mark.parametrize("score", [(0, 0), (8, 10), (9, 4)])
def test_against_matches_played_with_the_same_results(score):
    """Matches whose hands end at random, as often as the table says."""
    frequencies = result_frequencies("santase")
    rng = random.Random(1)
    trials, wins = 20_000, 0
    for _ in range(trials):
        points, leads = list(score), 0
        while max(points) < 11:
            result = rng.choices(list(frequencies), list(frequencies.values()))[0]
            winner = leads if result > 0 else 1 - leads
            points[winner] += abs(result)
            leads = 1 - winner
        wins += points[0] >= 11
    chance = match_equity(*score, leads=True)
    assert wins / trials == pytest.approx(chance, abs=4 * (chance * (1 - chance) / trials) ** 0.5)


def test_results_at_match_point():
    equities = result_equities((10, 10), santase.RULES["santase"])
    assert [equities[points] for points in (-3, -1, 1, 3)] == [0, 0, 1, 1]
    equities = result_equities((0, 0), santase.RULES["santase"])
    assert sorted(equities.values()) == [equities[points] for points in range(-9, 10)]


def test_at_match_point_the_chance_to_win_is_all():
    """At 10:10 an action's chance to win the match is its chance to win the hand."""
    analysis = analyze(deal(7), worlds=300, match=(10, 10))
    for estimate in analysis.actions.values():
        assert estimate.match == pytest.approx(estimate.win)
    exact = analyze(
        santase.Position.parse("santase A...T .T..A - C TKQJ9.AKQJ9.ATKQJ9.KQJ9 0 55/43 5/5 0/0 -"),
        match=(10, 10),
    )
    assert exact.exact and exact.actions[exact.best].match == 1


@pytest.mark.parametrize("score", [(11, 0), (0, 11), (-1, 0), (1,), 5, "ab", (1.0, 2), (True, 0), (1, 2, 3)])
def test_bad_scores(score):
    with pytest.raises(SantaseError, match="match"):
        analyze(deal(1), worlds=1, match=score)


def test_bad_equities():
    for points in ((-1, 0), (1.5, 0), ("1", 0), (True, 0), (0, None)):
        with pytest.raises(SantaseError):
            match_equity(*points, leads=True)
    with pytest.raises(SantaseError, match="leads"):
        match_equity(1, 0, leads="x")
    assert match_equity(1, 0, leads=True, rules="schnapsen") > 0.5


@pytest.mark.parametrize("rules", ["santase", "schnapsen", "sixty-six"])
@pytest.mark.parametrize("score", [(0, 249), (249, 0), (0, 60), (100, 240), (249, 249)])
def test_long_matches_that_are_all_but_over(rules: str, score: tuple[int, int]) -> None:
    """Where no chance is left that doubles can tell, play is for game points."""
    rules = f"{rules}+match_target=250"
    view = deal(3, rules).view()
    hopeless = result_equities(score, view.rules)
    analysis = analyze(view, worlds=30, seed=1, match=score)
    if hopeless[3] - hopeless[-3] < 1e-12:
        assert analysis.best == analyze(view, worlds=30, seed=1).best
    for estimate in analysis.actions.values():
        assert 0 <= estimate.match <= 1
    (row,) = santase.analyze_many([view], worlds=30, match=score, threads=1)
    assert santase.ACTIONS[int(row["best"])] in view.legal_actions()
    assert analyze(view, time=0, match=score).best in view.legal_actions()
