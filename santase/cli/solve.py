"""``santase solve``: the exact value of a full position."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

from santase._core import Position
from santase.cli._lines import answer_all
from santase.cli._options import Json, PositionWords
from santase.errors import HiddenCardsError
from santase.language import N_

if TYPE_CHECKING:
    from santase import Action, Solution


class _Solved(NamedTuple):
    position: Position
    solution: Solution
    seconds: float

    @property
    def value(self) -> int:
        # no limit is set, so both bounds are the value
        return self.solution.bounds[0]


def solve(position: PositionWords, json: Json = False) -> int:
    """The exact value of a position in which no card is hidden.

    Both players see all cards and play their best. A value is game points for the player to move.
    """
    from santase.solve import Solver
    from santase.solve import solve as solve_position

    solver = Solver()

    def answer(position: Position) -> _Solved:
        if not position.is_full:
            # English in JSON; to people it is told in their language
            raise HiddenCardsError(
                N_("a full position is needed, this is a view: 'santase best' answers for views")
            )
        started = time.perf_counter()
        solution = solve_position(position, solver=solver)
        return _Solved(position, solution, time.perf_counter() - started)

    return answer_all(position, as_json=json, answer=answer, to_json=_to_json, to_line=_to_line, show=_show)


def _to_json(solved: _Solved) -> dict[str, Any]:
    solution = solved.solution
    return {
        "position": str(solved.position),
        "value": solution.value,
        "best": solution.best,
        "actions": solution.actions,
        "line": list(solution.line),
        "nodes": solution.nodes,
        "seconds": solved.seconds,
    }


def _ranked(solved: _Solved) -> list[tuple[Action, int]]:
    """The actions with their values, the best one first, then by value."""
    solution = solved.solution
    return sorted(solution.actions.items(), key=lambda item: (item[0] != solution.best, -item[1]))


def _to_line(solved: _Solved) -> str:
    from santase.cli._show import action_sign, value_text
    from santase.language import _

    values = (f"{action_sign(action)} {value_text(value, 0)}" for action, value in _ranked(solved))
    return ", ".join(values) or _("over {value}").format(value=value_text(solved.value, 0))


def _show(solved: _Solved) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from santase.cli._show import (
        action_text,
        console,
        plain,
        player_name,
        show_line,
        show_position,
        value_text,
    )
    from santase.language import Count, Number, _, ngettext

    out = console()
    show_position(out, solved.position)
    mover = solved.position.to_move
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(_("action"), no_wrap=True)
    table.add_column(_("value"), justify="right", no_wrap=True)
    table.add_column("")
    for action, value in _ranked(solved):
        best = action == solved.solution.best
        style = "bold green" if value > 0 else "red" if value < 0 else ""
        table.add_row(action_text(action), Text(value_text(value, 0), style=style), _("best") if best else "")
    if solved.solution.actions:
        out.print(table)
    show_line(out, solved.position, solved.solution.line)
    out.print(
        _(
            "Value {value}: game points for {player}, the player to move,"
            " when both see all cards and play their best."
        ).format(value=value_text(solved.value, 0), player=player_name(mover))
    )
    nodes = ngettext("{number:,} node", "{number:,} nodes", solved.solution.nodes)
    took = _("{nodes}, {milliseconds:.2f} ms").format(
        nodes=nodes.format(number=Count(solved.solution.nodes)), milliseconds=Number(1000 * solved.seconds)
    )
    out.print(plain(took), style="dim")
