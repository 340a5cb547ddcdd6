"""``santase best``: what to play, knowing only what one player sees."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from santase._core import Position
from santase.cli._lines import answer_all
from santase.cli._options import Json, PositionWordsOrNone, SamplingSeed, check_seed
from santase.errors import RecordError, SantaseError

if TYPE_CHECKING:
    from santase import Action, Analysis, Estimate, Game

_MOST_WORLDS = 10**12
_MOST_THREADS = 1024


def best(
    position: PositionWordsOrNone = None,
    time: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Time to think; 1 unless --worlds is given."),
    ] = None,
    worlds: Annotated[
        int | None,
        typer.Option(
            help="Number of worlds to look at, instead of a time or at most.",
            metavar="NUMBER",
        ),
    ] = None,
    seed: SamplingSeed = 0,
    threads: Annotated[int, typer.Option(metavar="NUMBER", help="Threads to use.")] = 1,
    match: Annotated[
        str | None,
        typer.Option(
            metavar="MINE-THEIRS",
            help="Score of the match, as in 9-10: play for the match, not for game points.",
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Instead of a position, a record: what is on its table, where what the other player has done"
            " tells something of its cards; in a match for the match.",
        ),
    ] = None,
    json: Json = False,
) -> int:
    """What to play in a view, knowing only what the player to move knows.

    A full position is seen through the eyes of the player to move. A value is expected game points for that
    player.
    """
    if time is not None and not (math.isfinite(time) and time >= 0):
        raise SantaseError(f"--time: seconds, 0 or more, are needed, not {time}")

    if worlds is not None and not 1 <= worlds <= _MOST_WORLDS:
        raise SantaseError(f"--worlds: a number from 1 to {_MOST_WORLDS} is needed, not {worlds}")
    if not 1 <= threads <= _MOST_THREADS:
        raise SantaseError(f"--threads: a number from 1 to {_MOST_THREADS} is needed, not {threads}")
    check_seed(seed)
    score = None if match is None else _read_score(match)
    history: list[tuple[Position, Action]] = []
    if record is not None:
        if position:
            raise SantaseError("--record: the position is the record's, none can be given as well")
        game = _load(record)
        view = game.position.view()
        position, history = [str(view)], game.history()
        if score is None and game.is_match and not game.position.is_over:
            score = game.score[view.to_move], game.score[1 - view.to_move]
    elif not position:
        raise SantaseError("a position is needed, or - for standard input, or --record FILE")

    def answer(view: Position) -> Analysis:
        from santase import analyze

        return analyze(view, time, worlds=worlds, seed=seed, threads=threads, match=score, history=history)

    return answer_all(
        position,
        as_json=json,
        answer=answer,
        to_json=_to_json,
        to_line=_to_line,
        show=_show,
        seconds=time if time is not None else 1.0 if worlds is None else None,
    )


def _load(path: Path) -> Game:
    from santase.game import Game

    try:
        return Game.load(path)
    except OSError as error:
        raise SantaseError(f"--record: {path}: {error.strerror or error}") from None
    except RecordError as error:
        raise SantaseError(f"--record: {path}, {error}") from None


def _read_score(text: str) -> tuple[int, int]:
    mine, dash, theirs = text.partition("-")
    if not (dash and all(part.isascii() and part.isdigit() and len(part) < 4 for part in (mine, theirs))):
        raise SantaseError(f"--match: the score is written as in 9-10, my points first, not {text!r}")
    return int(mine), int(theirs)


def _to_json(analysis: Analysis) -> dict[str, Any]:
    return {
        "position": str(analysis.position),
        "best": analysis.best,
        "actions": {
            action: {
                "mean": estimate.mean,
                "stderr": estimate.stderr,
                "win": estimate.win,
                "worlds": estimate.worlds,
                "policy": estimate.policy,
                "distribution": {str(points): share for points, share in estimate.distribution.items()},
                "match": estimate.match,
                "kind": estimate.kind,
                "opened": estimate.opened,
            }
            for action, estimate in analysis.actions.items()
        },
        "worlds": analysis.worlds,
        "exact": analysis.exact,
        "consistent": analysis.consistent,
        "seconds": analysis.elapsed,
    }


def _ranked(analysis: Analysis) -> list[tuple[Action, Estimate]]:
    """The actions with their estimates, the best one first, then by mean."""
    return sorted(
        analysis.actions.items(),
        key=lambda item: (
            (item[0] != analysis.best, not math.isfinite(item[1].stderr), -item[1].mean)
            if math.isfinite(item[1].mean)
            else (item[0] != analysis.best, True, 9.0)
        ),
    )


def _to_line(analysis: Analysis) -> str:
    from santase.cli._show import action_sign, value_text
    from santase.language import pgettext

    # Translators: what stands between "J♥ −0.73" and "K♣ −0.68" where many are in a row
    return pgettext("values", ", ").join(
        f"{action_sign(action)} {value_text(estimate.mean) if math.isfinite(estimate.mean) else '?'}"
        for action, estimate in _ranked(analysis)
    )


def _percent(share: float) -> str:
    from santase.cli._show import plain

    return plain("–") if math.isnan(share) else f"{100 * share:.0f} %"


def _closing_sentences(analysis: Analysis) -> list[str]:
    """What closing, or the best action under a closing, is worth over every hand that the other may hold."""
    from santase.cli._show import action_phrase, value_text
    from santase.language import Count, ngettext

    name = (
        analysis.best
        if analysis.position.phase == "closed"
        else next((action for action in analysis.actions if action.kind == "close"), None)
    )
    estimate = None if name is None else analysis.actions[name]
    if name is None or estimate is None or estimate.kind not in ("at least", "ahead"):
        return []
    if estimate.kind == "at least":
        sentence = ngettext(
            "To {action} wins in at least {win} of {number:,} hand, the only one the other may hold, and is"
            " worth at least {value} whatever the other does; with open cards {opened}.",
            "To {action} wins in at least {win} of {number:,} hands, every one the other may hold, and is"
            " worth at least {value} whatever the other does; with open cards {opened}.",
            estimate.worlds,
        )
    else:
        sentence = ngettext(
            "To {action} wins in some {win} of {number:,} hand, the only one the other may hold, and is worth"
            " about {value}, the cards taken as open after the first moves; with open cards {opened}.",
            "To {action} wins in some {win} of {number:,} hands, every one the other may hold, and is worth"
            " about {value}, the cards taken as open after the first moves; with open cards {opened}.",
            estimate.worlds,
        )
    return [
        sentence.format(
            action=action_phrase(name, analysis.position),
            win=_percent(estimate.win),
            number=Count(estimate.worlds),
            value=value_text(estimate.mean),
            opened=value_text(estimate.opened),
        )
    ]


def _show(analysis: Analysis) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from santase.cli._show import (
        action_phrase,
        action_text,
        console,
        plain,
        player_name,
        show_position,
        value_text,
    )
    from santase.language import Count, Number, _, ngettext

    out = console()
    view = analysis.position
    out.print(_("What {player} sees:").format(player=player_name(view.to_move)), style="dim")
    show_position(out, view)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(_("action"), no_wrap=True)
    table.add_column(_("value"), justify="right", no_wrap=True)
    table.add_column(plain("±"), justify="right", no_wrap=True)
    table.add_column(_("wins"), justify="right", no_wrap=True)
    matched = not math.isnan(analysis.actions[analysis.best].match)
    if matched:
        table.add_column(_("wins match"), justify="right", no_wrap=True)
    for action, estimate in _ranked(analysis):
        style = "bold green" if estimate.mean > 0 else "red" if estimate.mean < 0 else ""
        cells: list[Text | str] = [
            action_text(action),
            Text(value_text(estimate.mean) if math.isfinite(estimate.mean) else plain("–"), style=style),
            f"{Number(estimate.stderr):.2f}" if math.isfinite(estimate.stderr) else plain("–"),
            _percent(estimate.win),
        ]
        table.add_row(*cells, *([_percent(estimate.match)] if matched else []))
    out.print(table)
    chosen = analysis.actions[analysis.best]
    best = _("Best: {action}, worth {value}.").format(
        action=action_phrase(analysis.best, view), value=value_text(chosen.mean)
    )
    out.print(best, style="bold")
    for sentence in _closing_sentences(analysis):
        out.print(sentence)
    legend = _(
        "Value: expected game points for {player}, the player to move; {sign}: standard error of the"
        " sampling; wins: how often the hand is won."
    )
    if matched:
        legend = _(
            "Value: expected game points for {player}, the player to move; {sign}: standard error of the"
            " sampling; wins: how often the hand is won; wins match: the chance to win the match, for which"
            " is played."
        )
    out.print(legend.format(player=player_name(view.to_move), sign=plain("±")), style="dim")
    worlds = ngettext("{number:,} world", "{number:,} worlds", analysis.worlds).format(
        number=Count(analysis.worlds)
    )
    if view.phase == "closed" and chosen.kind in ("at least", "ahead"):
        worlds = ngettext(
            "the one hand the other may hold", "all {number:,} hands the other may hold", analysis.worlds
        ).format(number=Count(analysis.worlds))
    how = _("exact") if analysis.exact else worlds
    out.print(_("{how}, {seconds:.2f} s").format(how=how, seconds=Number(analysis.elapsed)), style="dim")
