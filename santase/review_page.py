"""A review as one HTML page that needs nothing else: cards drawn, a chart, each decision unfolding.

The page is made from ``data/review.html.jinja``. Jinja escapes whatever is put
into it; what is marked as markup are drawings of ``santase.drawing``, which
escape for themselves, and what is made here from numbers. The page's own
policy (``Content-Security-Policy``) lets it load nothing and run nothing but its
one script.
"""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from santase.actions import Action
from santase.analyze import Estimate
from santase.drawing import action_sign, player_name, shared_cards, table_svg, value_in_words
from santase.language import Number, _, language
from santase.review import NOISE, PHASES, Decision, Review, expectations
from santase.review_words import cost_text, explain, lost_text, phase_name, result_text, verdict_name, where

_COSTLIEST = 3

# unfolds what a link leads to, and all at once; without it every decision can be unfolded by itself
_SCRIPT = """
"use strict";
for (const button of document.querySelectorAll("button[data-open]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const which = button.dataset.open;
    for (const details of document.querySelectorAll("#decisions-" + button.dataset.hand + " details")) {
      details.open = which === "all" || (which !== "none" && details.classList.contains(which));
    }
  });
}
const unfold = () => {
  const aim = document.getElementById(location.hash.slice(1));
  if (aim && aim.tagName === "DETAILS") {
    aim.open = true;
    aim.scrollIntoView();
    aim.querySelector("summary").focus();
  }
};
addEventListener("hashchange", unfold);
unfold();
for (const link of document.querySelectorAll('a[href^="#d"]')) {
  link.addEventListener("click", () => setTimeout(unfold));
}
"""


def page(review: Review, player: int | None = None) -> str:
    """The page, in the language of the context; ``player``: only that player is in the summary."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=False, keep_trailing_newline=True
    )
    template = environment.from_string((files("santase") / "data" / "review.html.jinja").read_text("utf-8"))
    digest = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()
    return template.render(
        lang=language(),
        title=_title(review),
        subtitle=_subtitle(review),
        words=_words(),
        cards=Markup(shared_cards()),
        summary=_summary(review, player),
        costliest=[
            {
                "id": _id(decision),
                "where": where(decision, review),
                "sentences": _unbroken(explain(decision, review)),
            }
            for decision in review.mistakes(most=_COSTLIEST)
        ],
        hands=[_hand(review, hand.number) for hand in review.recollection.hands],
        script=Markup(_SCRIPT),
        script_hash=digest,
    )


def _title(review: Review) -> str:
    first, second = (player_name(player, review.players) for player in range(2))
    if review.recollection.is_match:
        return _("{first} and {second}: the match in review").format(first=first, second=second)
    return _("{first} and {second}: the hand in review").format(first=first, second=second)


def _subtitle(review: Review) -> str:
    score = review.recollection.score
    parts = [str(review.recollection.rules)]
    if review.recollection.is_match:
        parts.append(_("match to {points}").format(points=review.recollection.rules.match_target))
    parts.append(f"{score[0]} : {score[1]}")
    return " · ".join(parts)


def _words() -> dict[str, str]:
    return {
        "skip": _("To the review"),
        "summary": _("Summary"),
        "costliest": _("The costliest mistakes"),
        "no_mistakes": _("No decision can be called a mistake."),
        "open_all": _("Unfold all"),
        "open_mistakes": _("Unfold the mistakes"),
        "close_all": _("Fold all"),
        "values": _("Values of the actions"),
        "explain": _(
            "Points lost are expected game points, judged by what the player knew at that moment, with"
            " their standard error. A decision is called a mistake where it costs more than {noise} standard"
            " errors."
        ).format(noise=f"{Number(NOISE):g}"),
        "footer": _(
            "Under a player's cards stand the values of playing them, in gold the best; the card that was"
            " chosen is pulled out. Values are game points for the player to move."
        ),
    }


def _summary(review: Review, only: int | None) -> dict[str, Any]:
    rows = []
    for player in range(2) if only is None else (only,):
        for phase in (None, *PHASES):
            tally = review.tally(player, phase)
            if not tally.decisions and phase is not None:
                continue
            cells = [
                player_name(player, review.players) if phase is None else phase_name(phase),
                *(str(number) for number in (tally.decisions, tally.judged, tally.best, tally.mistakes)),
                lost_text(tally),
            ]
            rows.append({"all": phase is None, "cells": cells})
    heads = [
        _("player"), _("decisions"), _("judged"), _("best"), _("mistakes"), _("points lost"),
    ]  # fmt: skip
    return {"heads": heads, "rows": rows}


def _id(decision: Decision) -> str:
    return f"d{decision.hand}-{decision.number}"


def _hand(review: Review, number: int) -> dict[str, Any]:
    decisions = review.of_hand(number)
    known = any(not math.isnan(value) for pair in expectations(decisions) for value in pair)
    rows = []
    phase: str | None = None
    for decision in decisions:
        row = _decision(review, decision)
        changed = decision.phase is not None and decision.phase != phase
        row["phase"] = phase_name(decision.phase) if changed else ""
        phase = decision.phase if changed else phase
        rows.append(row)
    return {
        "number": number,
        "title": _("hand {number}").format(number=number).capitalize(),
        "result": result_text(review, number),
        "chart": Markup(chart(review, number)) if known else "",
        "legend": _legend(),
        "decisions": rows,
    }


def _decision(review: Review, decision: Decision) -> dict[str, Any]:
    seen = decision.step.view
    drawn = ""
    if seen is not None:
        values = {action: _mean(estimate) for action, estimate in decision.estimates.items()}
        drawn = table_svg(
            seen,
            values=values,
            best=decision.best,
            chosen=decision.action,
            players=review.players,
            bottom=decision.player,
            shared=True,
        )
    return {
        "id": _id(decision),
        "trick": str(decision.step.trick),
        "player": player_name(decision.player, review.players),
        "chosen": "?" if decision.action is None else action_sign(decision.action),
        "colour": ""
        if decision.action is None or not decision.action.suit
        else f"card-{decision.action.suit}",
        "better": _better(decision),
        "verdict": decision.verdict,
        "verdict_name": verdict_name(decision),
        "cost": cost_text(decision) if decision.verdict == "mistake" else "",
        "table": Markup(drawn),
        "sentences": _unbroken(explain(decision, review)),
        "heads": [_("action"), _("value"), "±", _("wins"), _("open cards")],
        "rows": _rows(decision),
    }


def _mean(estimate: Estimate) -> float:
    """A mean that something can be said of, else NaN: one world is none."""
    return estimate.mean if math.isfinite(estimate.stderr) else math.nan


def _unbroken(sentences: list[str]) -> list[str]:
    """Numbers kept on one line with what belongs to them."""
    return [
        text.replace(" %", "\N{NO-BREAK SPACE}%").replace(" ± ", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}")
        for text in sentences
    ]


def _better(decision: Decision) -> str:
    if decision.verdict != "mistake" or decision.best is None:
        return ""
    return _("better: {action}").format(action=action_sign(decision.best))


def _rows(decision: Decision) -> list[dict[str, Any]]:
    """All actions, the best first; without an analysis, by what they were worth with all cards open."""
    estimates = decision.estimates
    opened = {} if decision.solution is None else decision.solution.actions
    actions: Sequence[Action] = list(estimates or opened)

    def place(action: Action) -> tuple[bool, bool, float]:
        mean = _mean(estimates[action]) if estimates else float(opened[action])
        return action != decision.best, math.isnan(mean), -mean

    rows = []
    for action in sorted(actions, key=place):
        cells = ["–", "–", "–"]
        if estimates and not math.isnan(_mean(estimates[action])):
            estimate = estimates[action]
            cells = [
                value_in_words(estimate.mean),
                f"{Number(estimate.stderr):.2f}",
                f"{100 * estimate.win:.0f}\N{NO-BREAK SPACE}%",
            ]
        cells.append(value_in_words(opened[action]) if action in opened else "–")
        rows.append(
            {
                "action": action_sign(action),
                "colour": f"card-{action.suit}" if action.suit else "",
                "best": action == decision.best,
                "mark": _("chosen") if action == decision.action else "",
                "cells": cells,
            }
        )
    return rows


# ---------------------------------------------------------------- the chart

_WIDTH, _HEIGHT = 400.0, 200.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 32.0, 8.0, 10.0, 26.0


def chart(review: Review, number: int, player: int = 0) -> str:
    """The expected result of a hand for ``player`` over its decisions, as SVG for this page.

    A line for what the players to move knew, steps for all cards open, rings at mistakes.
    """
    decisions = review.of_hand(number)
    values = list(expectations(decisions, player))
    most = max(3.0, *(abs(v) for pair in values for v in pair if not math.isnan(v)))
    step = (_WIDTH - _LEFT - _RIGHT) / max(1, len(values))

    def x(index: float) -> float:
        return _LEFT + step * (index + 0.5)

    def y(value: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (most - value) / (2 * most)

    parts = []
    for value in range(-int(most), int(most) + 1):
        strong = ' stroke-width="1.4"' if value == 0 else ' stroke-width="0.6" opacity="0.35"'
        parts.append(
            f'<path d="M{_LEFT} {y(value):.1f}H{_WIDTH - _RIGHT}" stroke="currentColor"{strong}/>'
            f'<text x="{_LEFT - 6}" y="{y(value) + 3.5:.1f}" text-anchor="end" font-size="12.5"'
            f' fill="currentColor">{escape(value_in_words(value))}</text>'
        )
    trick = 0
    for index, decision in enumerate(decisions):
        if decision.step.trick != trick:
            trick = decision.step.trick
            parts.append(
                f'<text x="{x(index):.1f}" y="{_HEIGHT - 9}" text-anchor="middle" font-size="12.5"'
                f' fill="currentColor" opacity="0.75">{trick}</text>'
                f'<path d="M{x(index - 0.5):.1f} {_TOP}V{_HEIGHT - _BOTTOM}" stroke="currentColor"'
                ' stroke-width="0.5" opacity="0.2"/>'
            )
    steps, points = "", ""
    for index, (known, opened) in enumerate(values):
        if not math.isnan(opened):
            last = values[index - 1][1] if index else math.nan
            move = "M" if math.isnan(last) else "L"
            steps += f"{move}{x(index - 0.5):.1f} {y(opened):.1f}H{x(index + 0.5):.1f}"
        if not math.isnan(known):
            last = values[index - 1][0] if index else math.nan
            points += f"{'M' if math.isnan(last) else 'L'}{x(index):.1f} {y(known):.1f}"
    parts.append(
        f'<path d="{steps}" fill="none" style="stroke:var(--open)" stroke-width="1.4"'
        ' stroke-dasharray="3 2"/>'
    )
    parts.append(f'<path d="{points}" fill="none" style="stroke:var(--known)" stroke-width="2"/>')
    for index, (decision, (known, _opened)) in enumerate(zip(decisions, values, strict=True)):
        if math.isnan(known):
            continue
        wrong = decision.verdict == "mistake"
        ring = (
            f'<circle cx="{x(index):.1f}" cy="{y(known):.1f}" r="6.5" fill="none" style="stroke:var(--bad)"'
            ' stroke-width="2"/>'
        )
        title = f"{where(decision, review)}: {value_in_words(known)}"
        parts.append(
            f"<g><title>{escape(title)}</title>"
            f'<circle cx="{x(index):.1f}" cy="{y(known):.1f}" r="2.8" style="fill:var(--known)"/>'
            f"{ring if wrong else ''}</g>"
        )
    name = player_name(player, review.players)
    first = next((known for known, _opened in values if not math.isnan(known)), math.nan)
    label = _(
        "Expected game points for {player} before each decision, by tricks. They begin at {value}."
    ).format(player=name, value=value_in_words(first))
    heading = _("Expected game points for {player}, by tricks").format(player=name)
    return (
        f'<p class="small soft">{escape(heading)}</p>'
        f'<svg class="chart" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" role="img" aria-label="{escape(label)}"'
        f" font-family=\"system-ui,'Segoe UI',Roboto,Arial,sans-serif\">{''.join(parts)}</svg>"
    )


def _legend() -> list[dict[str, object]]:
    def mark(inside: str) -> Markup:
        return Markup(f'<svg width="26" height="14" viewBox="0 0 26 14" aria-hidden="true">{inside}</svg>')

    return [
        {
            "mark": mark(
                '<path d="M1 7H25" style="stroke:var(--known)" stroke-width="2"/>'
                '<circle cx="13" cy="7" r="3" style="fill:var(--known)"/>'
            ),
            "text": _("on what the player to move knew"),
        },
        {
            "mark": mark(
                '<path d="M1 7H25" style="stroke:var(--open)" stroke-width="1.6" stroke-dasharray="4 2.5"/>'
            ),
            "text": _("with all cards open"),
        },
        {
            "mark": mark(
                '<circle cx="13" cy="7" r="5.5" fill="none" style="stroke:var(--bad)" stroke-width="2"/>'
            ),
            "text": _("mistake"),
        },
    ]
