"""Two actions in the same worlds: the difference, its error, and what is exact."""

import math

import pytest

from santase import IllegalActionError, Position, SantaseError, analyze, deal, solve
from santase.compare import compare

VIEW = Position.parse("santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 29/15 2/2 0/0 -")
LATE = Position.parse("santase A...T .T..A - C TKQJ9.AKQJ9.ATKQJ9.KQJ9 0 55/43 5/5 0/0 -")


def test_the_difference_is_that_of_the_means_and_has_less_noise() -> None:
    found = compare(VIEW, "close", "TC", worlds=1000, seed=4)
    assert found.worlds == found.first.worlds == found.second.worlds == 1000
    assert found.difference == pytest.approx(found.first.mean - found.second.mean)
    turned = compare(VIEW, "TC", "close", worlds=1000, seed=4)
    assert (turned.difference, turned.stderr) == pytest.approx((-found.difference, found.stderr))
    assert (turned.first, turned.second) == (found.second, found.first)
    deal_view = deal(7).view()
    paired = compare(deal_view, "KC", "JH", worlds=1000)
    assert 0 < paired.stderr < math.hypot(paired.first.stderr, paired.second.stderr)


def test_it_agrees_with_the_analysis() -> None:
    analysis = analyze(VIEW, worlds=4000, seed=1)
    for action in ("TH", "AC", "TD"):
        found = compare(VIEW, "close", action, worlds=1000, seed=2)
        expected = analysis.actions["close"].mean - analysis.actions[action].mean  # type: ignore[index]
        error = math.hypot(found.stderr, analysis.actions[action].stderr)  # type: ignore[index]
        assert abs(found.difference - expected) < 4 * error


def test_equal_actions_have_no_difference() -> None:
    found = compare(VIEW, "TH", "TH", worlds=50)
    assert (found.difference, found.stderr) == (0, 0)


def test_a_call_is_worth_what_it_scores() -> None:
    found = compare(VIEW, "call", "TH", worlds=100)
    assert found.first.distribution == {-2: 1.0}
    assert found.first.stderr == 0


def test_exact_where_nothing_is_hidden() -> None:
    values = solve(LATE).actions
    found = compare(LATE, "AS", "TC")
    assert found.exact and found.stderr == 0
    assert found.difference == values["AS"] - values["TC"] == 2  # type: ignore[index]


def test_the_same_seed_gives_the_same_answer() -> None:
    assert compare(VIEW, "TH", "AD", worlds=60, seed=3) == compare(VIEW, "TH", "AD", worlds=60, seed=3)
    assert compare(VIEW, "TH", "AD", time=0.01).worlds >= 1


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(IllegalActionError, match="KS: it is not legal here"):
        compare(VIEW, "TH", "KS", worlds=1)
    with pytest.raises(IllegalActionError):
        compare(LATE, "KS", "TC")
    for wrong in (
        {"worlds": 0},
        {"worlds": 1.5},
        {"time": 0},
        {"time": math.nan},
        {"seed": -1},
        {"worlds": True},
    ):
        with pytest.raises(SantaseError):
            compare(VIEW, "TH", "AD", **({"worlds": 1} | wrong))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        compare("santase", "TH", "AD")  # type: ignore[arg-type]
