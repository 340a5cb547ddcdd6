"""``santase review``: what a played hand or match teaches."""

from __future__ import annotations

import contextlib
import errno
import math
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from santase.cli._options import SamplingSeed, check_seed
from santase.errors import SantaseError
from santase.language import Number, _

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from santase.actions import Action
    from santase.memory import Recollection
    from santase.review import Decision, Review

_MOST_WORLDS = 10**12
_COSTLIEST = 3


def review(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="The record of a hand or a match, with or without unknown cards; - for standard input.",
            show_default=False,
        ),
    ],
    time: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="Time for each decision.  [default: 0.5, or what --worlds takes]"
        ),
    ] = None,
    worlds: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="Number of worlds for each decision, instead of a time or at most."
        ),
    ] = None,
    seed: SamplingSeed = 0,
    player: Annotated[
        str | None,
        typer.Option(metavar="PLAYER", help="Only the decisions of this player: 0, 1 or the player's name."),
    ] = None,
    html: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Write a page for the browser into this file: one file, no others."
        ),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object a decision, then one with the summary.")
    ] = False,
) -> int:
    """Go through a played hand or match: each decision, what was best, and what the choice cost.

    What was best is judged by what the player knew at that moment; what could have been with all cards open
    is told apart from that. A cost is in expected game points, with its standard error.
    """
    from santase.memory import recall
    from santase.review import review as judge

    if time is not None and not (math.isfinite(time) and time > 0):
        raise SantaseError(f"--time: seconds, more than 0, are needed, not {time}")
    if worlds is not None and not 2 <= worlds <= _MOST_WORLDS:
        raise SantaseError(f"--worlds: a number from 2 to {_MOST_WORLDS} is needed, not {worlds}")
    check_seed(seed)
    if html is not None:
        _check_writable(html)
    text = _read(file)
    recollection = recall(text)
    chosen = None if player is None else _player_of(player, recollection)
    with _progress() as progress:
        found = judge(recollection, time, worlds=worlds, seed=seed, player=chosen, progress=progress)
    named = _with_names(found, text)
    if html is not None:
        from santase.files import replace_file
        from santase.review_page import page

        replace_file(html, page(named, chosen).encode())
    if json:
        _emit(found)
    else:
        _show(named, chosen)
        if html is not None:
            from santase.cli._show import console

            console().print(_("The page is in {file}.").format(file=html), soft_wrap=True, markup=False)
    return 0


def _check_writable(path: str) -> None:
    """Tell before the long work, not after it, that the page cannot be written; raises ``OSError``."""
    place = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not os.path.isdir(place):
        missing = errno.ENOTDIR if os.path.exists(place) else errno.ENOENT
        raise OSError(missing, os.strerror(missing), path)
    if not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


def _read(file: str) -> str:
    from santase.memory import read_text

    if file != "-":
        return read_text(file)
    if sys.stdin is None:
        raise SantaseError("standard input is closed")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SantaseError("standard input: not text in UTF-8") from None


def _with_names(found: Review, text: str) -> Review:
    """A review for people, who are told which player was the computer in a game of ``santase play``."""
    from santase.cli._play_session import seat_in

    if found.players is not None:
        return found
    seat = seat_in(text)
    if seat is None:
        return found
    names = (_("Player"), _("Computer")) if seat == 0 else (_("Computer"), _("Player"))
    return replace(found, recollection=replace(found.recollection, players=names))


def _player_of(text: str, recollection: Recollection) -> int:
    names = recollection.players
    if text in ("0", "1"):
        return int(text)
    if names is not None and text in names:
        if names[0] == names[1]:
            raise SantaseError(f"--player: both players are called {text!r}: say 0 or 1")
        return names.index(text)
    known = "" if names is None else f", {names[0]!r} or {names[1]!r}"
    raise SantaseError(f"--player: 0 or 1{known} is needed, not {text!r}")


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[int, int], object] | None]:
    """A bar on standard error, where that is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(_("thinking"), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


# ---------------------------------------------------------------- for programs


def _emit(found: Review) -> None:
    from santase.cli._lines import emit, json_text
    from santase.review import PHASES

    for decision in found.decisions:
        emit(json_text(_to_json(decision)))
    players = []
    for player in range(2):
        by_phase = {phase: _tally_json(found, player, phase) for phase in PHASES}
        players.append({"all": _tally_json(found, player, None), **by_phase})
    costliest = [{"hand": d.hand, "decision": d.number} for d in found.mistakes(most=_COSTLIEST)]
    names = None if found.players is None else list(found.players)
    score = list(found.recollection.score)
    emit(json_text({"players": names, "score": score, "summary": players, "costliest": costliest}))


def _tally_json(found: Review, player: int, phase: str | None) -> dict[str, Any]:
    tally = found.tally(player, phase)
    return {name: getattr(tally, name) for name in tally.__dataclass_fields__}


def _to_json(decision: Decision) -> dict[str, Any]:
    from santase.review import Decision as _Decision

    assert isinstance(decision, _Decision)
    analysis, solution = decision.analysis, decision.solution
    return {
        "hand": decision.hand,
        "decision": decision.number,
        "trick": decision.step.trick,
        "player": decision.player,
        "phase": decision.phase,
        "view": None if decision.step.view is None else str(decision.step.view),
        "action": decision.action,
        "best": decision.best,
        "verdict": decision.verdict,
        "cost": decision.cost,
        "stderr": decision.stderr,
        "exact": None if analysis is None else analysis.exact,
        "actions": None
        if analysis is None
        else {
            str(action): {"mean": e.mean, "stderr": e.stderr, "win": e.win, "worlds": e.worlds}
            for action, e in analysis.actions.items()
        },
        "open": None
        if solution is None
        else {
            "value": solution.value,
            "best": solution.best,
            "actions": {str(action): value for action, value in solution.actions.items()},
        },
    }


# ---------------------------------------------------------------- for people


def _show(found: Review, player: int | None) -> None:
    from santase.cli._show import console

    out = console()
    for hand in found.recollection.hands:
        _show_hand(out, found, hand.number)
    _show_costliest(out, found)
    _show_summary(out, found, player)


def _show_hand(out: Console, found: Review, number: int) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from santase.cli._show import plain
    from santase.drawing import player_name
    from santase.review_words import cost_text, phase_state, result_text, verdict_name

    decisions = found.of_hand(number)
    title = _("hand {number}").format(number=number)
    out.print(Text(plain(f"{title} · {result_text(found, number)}"), "bold"))
    if not decisions:
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    # only what is short in every language may not be broken
    table.add_column(_("trick"), justify="right")
    table.add_column(_("player"), max_width=20)
    table.add_column(_("chosen"), no_wrap=True)
    table.add_column(_("best"), no_wrap=True)
    table.add_column(_("cost"), justify="right", no_wrap=True)
    table.add_column(_("open cards"), justify="right")
    table.add_column("", no_wrap=True)
    phase: str | None = "open"
    trick = 0
    for decision in decisions:
        if decision.phase != phase and decision.phase is not None:
            phase = decision.phase
            table.add_section()
            # in two columns, which are wide enough for the words
            table.add_row("", Text(plain(_("talon")), "dim"), Text(plain(phase_state(phase)), "dim"))
        styles = {"mistake": "red", "best": "green", "even": "", "forced": "dim", "unknown": "dim"}
        verdict = decision.verdict
        table.add_row(
            str(decision.step.trick) if decision.step.trick != trick else "",
            Text(plain(player_name(decision.player, found.players))),
            Text("?") if decision.action is None else _signed(decision.action),
            _best_text(decision),
            Text(plain(cost_text(decision)), "bold red" if verdict == "mistake" else ""),
            Text(plain(_open_text(decision))),
            Text(plain(verdict_name(decision)), styles[verdict]),
        )
        trick = decision.step.trick
    out.print(table)


def _best_text(decision: Decision) -> Text:
    from rich.text import Text

    from santase.cli._show import plain

    if decision.best is None or decision.verdict == "forced":
        return Text(plain("–"), "dim")
    return Text("=", "dim") if decision.best == decision.action else _signed(decision.best)


def _signed(action: Action) -> Text:
    """An action as the sentences have it: ``10♠``, ``close``."""
    from rich.text import Text

    from santase.cli._show import SUIT_STYLES, plain
    from santase.drawing import action_sign

    return Text(plain(action_sign(action)), SUIT_STYLES[action.suit] if action.suit else "")


def _open_text(decision: Decision) -> str:
    """The exact value of what was chosen, and where that was not the best there was, of that."""
    from santase.drawing import value_in_words

    value, got = decision.open_value, decision.open_chosen
    if value is None:
        return "–"
    if got is None or got == value:
        return value_in_words(value)
    return f"{value_in_words(got)} ({value_in_words(value)})"


def _show_costliest(out: Console, found: Review) -> None:
    from rich.text import Text

    from santase.cli._show import plain, show_position
    from santase.review_words import explain, where

    mistakes = found.mistakes(most=_COSTLIEST)
    if not mistakes:
        out.print(Text(_("No decision can be called a mistake."), "bold"))
        out.print()
        return
    out.print(Text(_("The costliest mistakes"), "bold"))
    for number, decision in enumerate(mistakes, 1):
        out.print()
        out.print(Text(plain(f"{number}. {where(decision, found)}"), "bold"))
        if decision.step.view is not None:
            show_position(out, decision.step.view)
        for sentence in explain(decision, found):
            out.print(Text(plain(sentence)))
    out.print()


def _show_summary(out: Console, found: Review, player: int | None) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from santase.cli._show import plain
    from santase.drawing import player_name
    from santase.review import NOISE, PHASES
    from santase.review_words import lost_text, phase_state

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(_("player"), max_width=20)
    table.add_column(_("talon"))
    for head in (_("decisions"), _("judged"), _("best"), _("mistakes")):
        table.add_column(head, justify="right")
    table.add_column(_("points lost"), justify="right", no_wrap=True)
    for who in range(2) if player is None else (player,):
        for phase in (*PHASES, None):
            tally = found.tally(who, phase)
            if not tally.decisions and phase is not None:
                continue
            table.add_row(
                Text(plain(player_name(who, found.players)) if phase is None else ""),
                Text(plain(phase_state(phase) if phase is not None else _("all"))),
                *(str(number) for number in (tally.decisions, tally.judged, tally.best, tally.mistakes)),
                plain(lost_text(tally)),
                style="bold" if phase is None else "",
            )
    out.print(table)
    out.print(
        Text(
            plain(
                _(
                    "Cost: expected game points lost on what the player knew, ± standard error; a mistake"
                    " costs more than {noise} of these. Open cards: the exact value for the player with all"
                    " cards open, in brackets that of the best action where it was more."
                ).format(noise=f"{Number(NOISE):g}")
            )
        ),
        style="dim",
    )
