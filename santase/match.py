"""Chances to win a match: from how hands end, by recursion over the score.

The chance to win from a score is the mean over the results of the next hand, as
often as each came out in hands between equals (``data/results.json``), of the
chance from the score that follows; the winner of a hand deals the next, so the
other one leads to it, and a void hand is dealt again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import SupportsIndex

from santase.errors import SantaseError
from santase.quantities import whole
from santase.rules import Rules, rules_of


@cache
def result_frequencies(preset: str) -> Mapping[int, float]:
    """How often the first leader of a hand between equals scores each number of game points,
    under one of the presets; void hands left out."""
    import json  # these two only when they are wanted: they take long
    from importlib.resources import files

    results = json.loads((files("santase") / "data" / "results.json").read_text(encoding="utf-8"))
    counts = results["counts"][preset]
    scoring = {int(points): count for points, count in counts.items() if points != "0"}
    total = sum(scoring.values())
    return {points: count / total for points, count in scoring.items()}


# a table to 250 takes 9 MB, and house rules have many targets
@lru_cache(maxsize=8)
def _table(preset: str, target: int) -> Mapping[tuple[int, int], float]:
    """The first leader's chance to win by what it and the other still need."""
    frequencies = result_frequencies(preset)
    table: dict[tuple[int, int], float] = {}
    for needed in range(2, 2 * target + 1):
        for mine in range(max(1, needed - target), min(target, needed - 1) + 1):
            theirs = needed - mine
            chance = 0.0
            for points, share in frequencies.items():
                if points > 0:
                    # the leader wins and deals: the other one leads
                    after = 1.0 if points >= mine else 1 - table[theirs, mine - points]
                else:
                    after = 0.0 if -points >= theirs else table[mine, theirs + points]
                chance += share * after
            table[mine, theirs] = chance
    return table


def match_equity(
    mine: SupportsIndex, theirs: SupportsIndex, *, leads: bool, rules: Rules | str = "santase"
) -> float:
    """The chance to win a match between equals at a score, before the next hand.

    ``mine`` and ``theirs`` are game points, ``leads`` says whether the player
    in question leads to the next hand. House rules are taken for the preset
    nearest to them, with their own target. Raises ``SantaseError`` for points
    that are no whole numbers from 0 on.
    """
    mine, theirs = _checked_points(mine), _checked_points(theirs)
    if not isinstance(leads, bool):
        raise SantaseError(f"leads: True or False is needed, not {leads!r}")
    rules = rules_of(rules)
    target = rules.match_target
    if mine >= target:
        return 1.0
    if theirs >= target:
        return 0.0
    table = _table(rules.nearest_preset, target)
    if leads:
        return table[target - mine, target - theirs]
    return 1 - table[target - theirs, target - mine]


def _checked_points(points: SupportsIndex) -> int:
    number = whole(points)
    if number is None or number < 0:
        raise SantaseError(f"match: points are whole numbers, 0 or more, not {points!r}")
    return number


def result_equities(score: tuple[SupportsIndex, SupportsIndex], rules: Rules) -> dict[int, float]:
    """The chance to win the match after each result of the hand in play, from -9 to 9 game points
    for the player whose ``score`` (its own points first) it is.

    After a void hand the same player leads again; who that is a position does
    not tell, so 0 is the mean of both. Raises ``SantaseError`` for a score that
    no match in progress has.
    """
    mine, theirs = checked_score(score, rules)
    equities = {}
    for points in range(-9, 10):
        if points > 0:
            equities[points] = match_equity(mine + points, theirs, leads=False, rules=rules)
        elif points < 0:
            equities[points] = match_equity(mine, theirs - points, leads=True, rules=rules)
        else:
            chances = [match_equity(mine, theirs, leads=leads, rules=rules) for leads in (False, True)]
            equities[points] = sum(chances) / 2
    return equities


def checked_score(score: tuple[SupportsIndex, SupportsIndex], rules: Rules) -> tuple[int, int]:
    """A score as a pair of game points, each under the target; raises ``SantaseError``."""
    try:
        mine, theirs = score
    except (TypeError, ValueError):
        raise SantaseError(f"match: two numbers, my points and theirs, are needed, not {score!r}") from None
    return _checked_unfinished(mine, rules), _checked_unfinished(theirs, rules)


def _checked_unfinished(points: SupportsIndex, rules: Rules) -> int:
    number = whole(points)
    if number is None or not 0 <= number < rules.match_target:
        raise SantaseError(
            f"match: points from 0 to {rules.match_target - 1} are needed, for a match to"
            f" {rules.match_target}, not {points!r}"
        )
    return number
