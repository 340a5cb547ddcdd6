"""Diagrams of analyses and games, with Matplotlib (``pip install 'santase[plot]'``).

Every function draws into ``ax``, or into a new figure's, and returns the ``Axes``;
what else is to be set is set there. Texts are in the language of the context
(``santase.language``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from santase.actions import Action
from santase.analyze import Analysis, Estimate
from santase.drawing import action_sign, player_name
from santase.errors import SantaseError, require
from santase.game import Game
from santase.language import Number, _
from santase.match import match_equity
from santase.review import Review, expectations
from santase.solve import Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BLUE, _GREEN, _RED, _GREY = "#1558c0", "#14753a", "#c4122f", "#6b7178"
_INTERVAL = 1.96  # standard errors on either side of 95 %


def _axes(ax: Axes | None, width: float, height: float) -> Axes:
    if ax is not None:
        return ax
    from matplotlib import pyplot

    _figure, made = pyplot.subplots(figsize=(width, height), layout="constrained")
    return made


def _decimals(axes: Axes) -> None:
    """The numbers below as the language in use writes fractions."""
    sign = f"{Number(0):.1f}"[1]
    if sign != ".":
        axes.xaxis.set_major_formatter(lambda x, _pos: f"{x:g}".replace("-", "−").replace(".", sign))


def actions(analysis: Analysis | Solution, *, ax: Axes | None = None) -> Axes:
    """The value of every action, the best one on top and in green, with its 95 % interval.

    Values are game points for the player to move. Of an analysis, actions that
    were not tried are left out; a ``Solution`` has exact values and no intervals.
    Raises ``SantaseError`` where no action has a value.
    """
    require(analysis, Analysis, Solution)
    if isinstance(analysis, Solution):
        found = {action: Estimate(float(value), 0.0, math.nan) for action, value in analysis.actions.items()}
    else:
        found = {action: e for action, e in analysis.actions.items() if math.isfinite(e.mean)}
    if not found:
        raise SantaseError("plot: no action has a value")
    ranked = sorted(found, key=lambda action: (action == analysis.best, found[action].mean))
    axes = _axes(ax, 5.5, 0.8 + 0.3 * len(ranked))
    errors = [_INTERVAL * e if math.isfinite(e := found[action].stderr) else 0.0 for action in ranked]
    axes.barh(
        [action_sign(action) for action in ranked],
        [found[action].mean for action in ranked],
        xerr=errors if any(errors) else None,
        color=[_GREEN if action == analysis.best else _BLUE for action in ranked],
        error_kw={"ecolor": _GREY, "capsize": 3},
    )
    axes.axvline(0, color=_GREY, linewidth=0.8)
    axes.set_xlabel(_("game points for the player to move"))
    _decimals(axes)
    axes.margins(x=0.08)
    return axes


def results(
    found: Analysis | Mapping[int, float], action: Action | str | None = None, *, ax: Axes | None = None
) -> Axes:
    """How often each result in game points comes about.

    ``found`` is an analysis, of whose ``action`` (by default the best) it is
    shown, or a mapping of game points to shares or counts. Raises
    ``SantaseError`` for an action that was not tried, or where there are no results.
    """
    require(found, Analysis, Mapping)
    if isinstance(found, Analysis):
        chosen = found.best if action is None else Action(action)
        if chosen not in found.actions:
            raise SantaseError(f"plot: {chosen} is not legal in this position")
        shares: Mapping[int, float] = found.actions[chosen].distribution
        title = action_sign(chosen)
    else:
        shares, title = found, ""
    total = sum(shares.values())
    if not total > 0 or any(share < 0 for share in shares.values()):
        raise SantaseError("plot: there are no results to show")
    axes = _axes(ax, 5.0, 3.0)
    points = list(range(min(-3, *shares), max(3, *shares) + 1))
    axes.bar(
        points,
        [100 * shares.get(value, 0) / total for value in points],
        color=[_RED if value < 0 else _GREEN if value > 0 else _GREY for value in points],
    )
    axes.set_xticks(points, [f"{value:+d}".replace("-", "−") if value else "0" for value in points])
    axes.set_xlabel(_("game points"))
    axes.set_ylabel(_("share of hands, %"))
    if title:
        axes.set_title(title)
    return axes


def match(game: Game, *, chances: bool = True, ax: Axes | None = None) -> Axes:
    """The score after each finished hand of a match, and player 0's chance to win it between equals.

    The chance is ``match_equity`` before the next hand; ``chances=False`` leaves
    it out. Raises ``SantaseError`` for the record of one hand.
    """
    require(game, Game)
    if not game.is_match:
        raise SantaseError("plot: this is the record of one hand, not of a match")
    score = [0, 0]
    scores = [(0, 0)]
    leads = [game.hands[0].deal.leader == 0 if game.hands else game.deal.leader == 0]
    for hand in game.hands:
        winner = hand.outcome.winner
        if winner is not None:
            score[winner] += hand.outcome.game_points
        scores.append((score[0], score[1]))
        # the winner deals, so the other leads; a void hand is dealt again
        leads.append(winner == 1 if winner is not None else hand.deal.leader == 0)
    axes = _axes(ax, 6.0, 3.4)
    hands = range(len(scores))
    for player, colour in ((0, _BLUE), (1, _RED)):
        axes.step(
            hands,
            [points[player] for points in scores],
            where="post",
            color=colour,
            marker="o",
            label=player_name(player, game.players),
        )
    target = game.rules.match_target
    axes.axhline(target, color=_GREY, linewidth=0.8, linestyle="--")
    axes.set_xlabel(_("hands played"))
    axes.set_ylabel(_("game points"))
    axes.set_ylim(0, max(target, *score) + 0.6)
    axes.set_xticks(list(hands))
    axes.legend(loc="upper left")
    if chances:
        beside = axes.twinx()
        equities = [
            100 * match_equity(mine, theirs, leads=lead, rules=game.rules)
            for (mine, theirs), lead in zip(scores, leads, strict=True)
        ]
        beside.plot(hands, equities, color=_GREY, linestyle=":", marker=".")
        beside.set_ylim(0, 100)
        beside.set_ylabel(
            _("chance of {player} to win the match, %").format(player=player_name(0, game.players))
        )
    return axes


def hand(review: Review, number: int = 1, *, player: int = 0, ax: Axes | None = None) -> Axes:
    """The expected result of a hand for ``player`` before each decision, mistakes marked.

    The line is on what the player to move knew, the steps are exact with all
    cards open. Raises ``SantaseError`` where the review has no such hand.
    """
    require(review, Review)
    require(number, int)
    require(player, int)
    decisions = review.of_hand(number)
    if not decisions:
        raise SantaseError(f"plot: the review has no decisions in hand {number}")
    values = list(expectations(decisions, player))
    numbers = [decision.number for decision in decisions]
    axes = _axes(ax, 7.0, 3.4)
    axes.step(
        numbers, [opened for _known, opened in values], where="mid", color=_GREY, linewidth=1.2,
        label=_("with all cards open"),
    )  # fmt: skip
    axes.plot(
        numbers, [known for known, _opened in values], color=_BLUE, marker="o", markersize=4,
        label=_("on what the player to move knew"),
    )  # fmt: skip
    wrong = [n for n, decision in enumerate(decisions) if decision.verdict == "mistake"]
    if wrong:
        axes.plot(
            [numbers[n] for n in wrong], [values[n][0] for n in wrong], linestyle="", marker="o",
            markersize=10, fillstyle="none", color=_RED, label=_("mistake"),
        )  # fmt: skip
    axes.axhline(0, color=_GREY, linewidth=0.8)
    axes.set_ylim(-3.3, 3.3)
    axes.set_xlabel(_("decision"))
    axes.set_ylabel(_("game points for {player}").format(player=player_name(player, review.players)))
    axes.legend(loc="best", fontsize="small")
    return axes


__all__ = ["actions", "hand", "match", "results"]
