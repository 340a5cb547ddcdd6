"""Diagrams: what is drawn are the numbers, and where it was asked for."""

import math
from collections.abc import Iterator

import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from matplotlib import pyplot
from remembered import random_game, remembered

from santase import Game, Position, SantaseError, analyze, deal, match_equity, plot, solve
from santase.language import use_language
from santase.review import expectations, review

pytestmark = pytest.mark.thread_unsafe(reason="figures are the process's")

VIEW = Position.parse("santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 29/15 2/2 0/0 -")


@pytest.fixture(autouse=True)
def _close() -> Iterator[None]:
    yield
    pyplot.close("all")


def test_values_with_intervals() -> None:
    analysis = analyze(VIEW, worlds=400, seed=1)
    axes = plot.actions(analysis)
    axes.figure.canvas.draw()
    assert len(axes.patches) == len(analysis.actions)
    bars = dict(zip([label.get_text() for label in axes.get_yticklabels()], axes.patches, strict=True))
    assert bars["10♥"].get_width() == analysis.actions["TH"].mean  # type: ignore[index]
    (container,) = [c for c in axes.containers if c.__class__.__name__ == "BarContainer"]
    low, high = container.errorbar.lines[2][0].get_segments()[list(bars).index("10♥")][:, 0]
    assert (high - low) / 2 == pytest.approx(1.96 * analysis.actions["TH"].stderr)  # type: ignore[index]
    # the best is on top
    assert list(bars)[-1] == {"close": "close", "TH": "10♥"}[analysis.best]


def test_exact_values_have_no_intervals() -> None:
    solution = solve(deal(7))
    axes = plot.actions(solution)
    assert sorted(bar.get_width() for bar in axes.patches) == sorted(solution.actions.values())
    assert axes.containers[0].errorbar is None


def test_distribution_of_results() -> None:
    analysis = analyze(VIEW, worlds=400, seed=1)
    axes = plot.results(analysis, "AC")
    shares = {round(bar.get_x() + bar.get_width() / 2): bar.get_height() / 100 for bar in axes.patches}
    assert {points: share for points, share in shares.items() if share} == pytest.approx(
        dict(analysis.actions["AC"].distribution)  # type: ignore[index]
    )
    counted = plot.results({-1: 3, 2: 1})
    assert [bar.get_height() for bar in counted.patches] == [0, 0, 75, 0, 0, 25, 0]


def test_progress_of_a_match() -> None:
    game = Game("santase", seed=167, match=True, players=("Ana", "Boris"))
    for action in ("marriage-S", "QS", "QH", "exchange", "marriage-D", "call"):
        game.play(action)
    axes = plot.match(game)
    ana, boris = axes.lines[:2]
    assert (list(ana.get_ydata()), list(boris.get_ydata())) == ([0, 3], [0, 0])
    assert ana.get_label() == "Ana"
    chances = [line for other in axes.figure.axes if other is not axes for line in other.lines]
    expected = [100 * match_equity(0, 0, leads=True), 100 * match_equity(3, 0, leads=False)]
    assert list(chances[0].get_ydata()) == pytest.approx(expected)
    assert len(plot.match(game, chances=False).figure.axes) == 1


def test_the_course_of_a_hand() -> None:
    found = review(random_game(14, "santase"), worlds=40)
    axes = plot.hand(found)
    opened, known = axes.lines[:2]
    pairs = list(expectations(found.decisions))
    assert list(known.get_ydata()) == [pair[0] for pair in pairs]
    assert list(opened.get_ydata()) == [pair[1] for pair in pairs]
    wrong = [d.number for d in found.decisions if d.verdict == "mistake"]
    assert list(axes.lines[2].get_xdata()) == wrong
    holes = review(remembered(random_game(14, "santase"), 0), worlds=4)
    assert any(math.isnan(value) for value in plot.hand(holes).lines[1].get_ydata())


def test_drawn_where_it_was_asked_for() -> None:
    figure, axes = pyplot.subplots(2, 2)
    analysis = analyze(VIEW, worlds=50)
    assert plot.actions(analysis, ax=axes[0, 0]) is axes[0, 0]
    assert plot.results(analysis, ax=axes[0, 1]) is axes[0, 1]
    assert plot.match(Game("santase", seed=1, match=True), ax=axes[1, 0]) is axes[1, 0]
    assert plot.hand(review(random_game(14, "santase"), worlds=4), ax=axes[1, 1]) is axes[1, 1]
    assert pyplot.get_fignums() == [figure.number]


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(SantaseError, match="of one hand"):
        plot.match(Game("santase", seed=1))
    with pytest.raises(SantaseError, match="no action has a value"):
        plot.actions(solve(deal(7).play("call")))
    with pytest.raises(SantaseError, match="no results"):
        plot.results({})
    with pytest.raises(SantaseError, match="KS is not legal"):
        plot.results(analyze(VIEW, worlds=50), "KS")
    with pytest.raises(SantaseError, match="no decisions in hand 2"):
        plot.hand(review(random_game(14, "santase"), worlds=4), 2)


def test_the_axis_writes_fractions_as_the_language_does() -> None:
    for language, sign in (("en", "."), ("bg", ",")):
        with use_language(language):
            axes = plot.actions(analyze(deal(7).view(), worlds=20, seed=1))
        axes.set_xlim(-1, 1)
        axes.figure.canvas.draw()
        texts = [label.get_text() for label in axes.get_xticklabels()]
        assert any(f"−0{sign}" in text for text in texts), texts
        assert not any(".,".replace(sign, "") in text for text in texts), texts
