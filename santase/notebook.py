"""How positions, analyses, solutions and games look in a notebook.

``_repr_html_`` of ``Position``, ``Analysis``, ``Solution`` and ``Game`` imports
this when a notebook asks, so that the core and the rest of the library know
nothing of drawing. What is shown is in the language of the context
(``santase.language``), and everything is escaped.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from santase._core import Position
from santase.actions import Action
from santase.analyze import Analysis
from santase.drawing import action_sign, card_svg, outcome_in_words, player_name, table_svg, value_in_words
from santase.errors import require
from santase.game import Game
from santase.language import Number, _, ngettext
from santase.solve import Solution


def position_svg(position: Position) -> str:
    return table_svg(position)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], strong: int = 0) -> str:
    """A table, its first rows in bold."""
    head = "".join(f'<th style="text-align:{"left" if n == 0 else "right"}">{escape(text)}</th>'
                   for n, text in enumerate(heads))  # fmt: skip
    body = ""
    for number, row in enumerate(rows):
        weight = "font-weight:bold;" if number < strong else ""
        cells = "".join(
            f'<td style="{weight}text-align:{"left" if n == 0 else "right"}">{escape(text)}</td>'
            for n, text in enumerate(row)
        )
        body += f"<tr>{cells}</tr>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _percent(share: float) -> str:
    return "–" if math.isnan(share) else f"{100 * share:.0f} %"


def analysis_html(analysis: Analysis) -> str:
    """The table as the player sees it, each card's value below it, and all values with their errors."""
    require(analysis, Analysis)
    values = {action: estimate.mean for action, estimate in analysis.actions.items()}
    drawn = table_svg(analysis.position, values=values, best=analysis.best)

    def place(action: Action) -> tuple[bool, float]:
        mean = values[action]
        return action != analysis.best, -mean if math.isfinite(mean) else math.inf

    rows = []
    for action in sorted(values, key=place):
        estimate = analysis.actions[action]
        error = f"{Number(estimate.stderr):.2f}" if math.isfinite(estimate.stderr) else "–"
        rows.append((action_sign(action), value_in_words(estimate.mean), error, _percent(estimate.win)))
    heads = _("action"), _("value"), "±", _("wins")
    how = (
        _("exact")
        if analysis.exact
        else ngettext("{number} world", "{number} worlds", analysis.worlds).format(number=analysis.worlds)
    )
    note = _("Value: expected game points for {player}, the player to move.").format(
        player=player_name(analysis.position.to_move)
    )
    return f"{drawn}{_table(heads, rows, 1)}<p>{escape(note)} {escape(how)}.</p>"


def solution_html(solution: Solution) -> str:
    """Every action's exact value, cards drawn, and best play to the end."""
    require(solution, Solution)
    if solution.value is not None:
        head = _("Value {value}: game points for the player to move, with all cards open.").format(
            value=value_in_words(solution.value)
        )
    else:
        low, high = (value_in_words(bound) for bound in solution.bounds)
        head = _("Value from {low} to {high}: the search was ended before it was known.").format(
            low=low, high=high
        )
    parts = [f"<p>{escape(head)}</p>"]
    if solution.actions:
        parts.append(_cards_with(solution.actions, solution.best))
    if solution.line:
        ending = _("Best play to the end:")
        parts.append(f"<p>{escape(ending)}</p>")
        parts.append("<div>" + "".join(_small(action) for action in solution.line) + "</div>")
    return "".join(parts)


def _small(action: Action) -> str:
    if action.card is not None:
        return f'<span style="display:inline-block;margin:2px">{card_svg(action.card, width=34)}</span>'
    return f'<span style="display:inline-block;margin:2px 6px">{escape(action_sign(action))}</span>'


def _cards_with(values: Mapping[Action, int], best: Action | None) -> str:
    """Cards with their values below, the other actions as words."""
    cells = []
    for action, value in values.items():
        weight = "bold" if action == best else "normal"
        cells.append(
            '<span style="display:inline-block;margin:3px;text-align:center;vertical-align:bottom">'
            + (card_svg(action.card, width=46) if action.card else escape(action_sign(action)))
            + f'<br/><span style="font-weight:{weight}">{escape(value_in_words(value))}</span></span>'
        )
    return f"<div>{''.join(cells)}</div>"


def game_html(game: Game) -> str:
    """The table, the score, and how the hands so far ended."""
    require(game, Game)
    names = game.players
    kind = _("match to {points}").format(points=game.rules.match_target) if game.is_match else _("one hand")
    score = f"{player_name(0, names)} {game.score[0]} : {game.score[1]} {player_name(1, names)}"
    number = _("hand {number}").format(number=game.hand_number)
    head = f"{game.rules} · {kind} · {number} · {score}"
    rows = [(str(number), outcome_in_words(hand.outcome, names)) for number, hand in enumerate(game.hands, 1)]
    ended = _table((_("hand"), _("result")), rows) if rows else ""
    return f"<p>{escape(head)}</p>{table_svg(game.position, players=names)}{ended}"
