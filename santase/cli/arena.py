"""``santase arena``: two players against each other."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from santase.cli._lines import emit, json_text
from santase.cli._options import Json, check_seed
from santase.errors import SantaseError
from santase.language import N_, Count, Number, _, ngettext
from santase.rules import RULES, rules_of

if TYPE_CHECKING:
    from santase.arena import ArenaResult, Side, Sprt, Tally

_MOST_JOBS = 1024


def arena(
    a: Annotated[str, typer.Argument(metavar="A", help="A player.", show_default=False)],
    b: Annotated[str, typer.Argument(metavar="B", help="Its opponent.", show_default=False)],
    deals: Annotated[int, typer.Option(metavar="NUMBER", help="Mirrored pairs to play.")] = 1_000,
    rules: Annotated[
        str,
        typer.Option(metavar="RULES", help=f"A preset ({', '.join(RULES)}) or house rules in the notation."),
    ] = "santase",
    matches: Annotated[bool, typer.Option("--matches", help="Play matches, not single hands.")] = False,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the deals and the players.")] = 0,
    jobs: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Processes to use.  [default: one a core]")
    ] = None,
    log: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Append each pair to this file; a run that was stopped goes on from it."
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="Stop as soon as a sequential test tells a mean of LOW game points a hand from one of HIGH.",
        ),
    ] = None,
    confidence: Annotated[float, typer.Option(metavar="LEVEL", help="Level of the intervals.")] = 0.95,
    json: Json = False,
) -> int:
    """Let two players meet: every deal is played twice, with the seats changed.

    Players: random, greedy, closer, never-closes, ismcts, pimc, cheat, santase, policy, each with parameters
    as in ismcts:time=0.02 or santase:worlds=500; program:COMMAND is a program that answers lines as
    'santase best --json -' does.
    """
    chosen = rules_of(rules)
    check_seed(seed)
    test = None if sprt is None else _sprt(sprt)
    if deals < 1:
        raise SantaseError(f"--deals: 1 or more are needed, not {deals}")
    if jobs is None:
        jobs = _cores()
    if not 1 <= jobs <= _MOST_JOBS:
        raise SantaseError(f"--jobs: a number from 1 to {_MOST_JOBS} is needed, not {jobs}")
    if not 0 < confidence < 1:
        raise SantaseError(f"--confidence: a level between 0 and 1 is needed, not {confidence}")
    from santase.arena import arena as hold

    try:
        with _progress(deals, test) as progress:
            result = hold(
                a,
                b,
                deals=deals,
                rules=chosen,
                matches=matches,
                seed=seed,
                jobs=min(jobs, deals),
                log=log,
                sprt=test,
                confidence=confidence,
                progress=progress,
            )
    except KeyboardInterrupt:
        if log is not None and sys.stderr is not None:
            stopped = _("stopped; what was played is in {file}, the same command goes on")
            print("\n" + stopped.format(file=log), file=sys.stderr)
        raise
    if json:
        emit(json_text(result.to_json()))
    else:
        _show(result)
    return 0


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def _sprt(text: str) -> Sprt:
    from santase.arena import Sprt

    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise SantaseError(f"--sprt: two numbers are needed, as in 0,0.1, not {text!r}") from None
    try:
        return Sprt(low, high)
    except SantaseError as error:
        raise SantaseError(f"--{error}") from None


@contextlib.contextmanager
def _progress(deals: int, test: Sprt | None) -> Iterator[Callable[[Tally], None] | None]:
    """A bar on a terminal's standard error, with the result so far."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=deals)

        def advance(tally: Tally) -> None:
            text = ""
            if tally.units > 1:
                text = _("{mean:+.3f} ± {stderr:.3f} a hand").format(
                    mean=Number(tally.mean), stderr=Number(tally.stderr)
                )
            if test is not None:
                text += ", " + _("log ratio {ratio:+.2f}").format(ratio=Number(test.log_ratio(tally)))
            bar.update(task, completed=tally.units, description=text)

        yield advance


def _show(result: ArenaResult) -> None:
    from rich import box
    from rich.table import Table

    from santase.cli._show import console, plain, value_text

    out = console()
    low, high = result.interval
    head = _("A {a} against B {b}, {rules}, seed {seed}")
    out.print(head.format(a=result.a, b=result.b, rules=result.rules, seed=result.seed), style="bold")
    mean = _(
        "{mean} ± {stderr:.3f} game points a hand for A, {confidence:g} % interval {low} to {high}"
    ).format(
        mean=value_text(result.mean, 3),
        stderr=Number(result.stderr),
        confidence=Number(100 * result.confidence),
        low=value_text(low, 3),
        high=value_text(high, 3),
    )
    out.print(plain(mean))
    if result.adjusted:
        scored = _("less the luck of the draw; as scored {mean} ± {stderr:.3f}")
        out.print(
            plain(scored.format(mean=value_text(result.plain_mean, 3), stderr=Number(result.plain_stderr)))
        )
    out.print(
        ngettext(
            "{pairs:,} mirrored pair, {hands:,} hands: {won:,} won, {lost:,} lost",
            "{pairs:,} mirrored pairs, {hands:,} hands: {won:,} won, {lost:,} lost",
            result.deals,
        ).format(
            pairs=Count(result.deals),
            hands=Count(result.hands),
            won=Count(result.hands_won),
            lost=Count(result.hands_lost),
        )
    )
    if result.matches_interval is not None:
        low, high = (Number(100 * bound) for bound in result.matches_interval)
        share = Number(100 * result.matches_won / result.matches)
        out.print(
            _("{won:,} of {matches:,} matches won: {share:.1f} %, interval {low:.1f} to {high:.1f} %").format(
                won=Count(result.matches_won), matches=Count(result.matches), share=share, low=low, high=high
            )
        )
    if result.sprt is not None:
        verdict = result.sprt["verdict"]
        said = _("sequential test is undecided, log ratio {ratio}")
        if verdict:
            said = _("sequential test accepts a mean of {mean:g}, log ratio {ratio}")
        mean_accepted = Number(result.sprt[verdict]) if verdict else None
        out.print(said.format(mean=mean_accepted, ratio=value_text(result.sprt["log_ratio"])))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("", "A", "B"):
        table.add_column(head, justify="right" if head else "left", no_wrap=True)
    for label, cell in _ROWS:
        table.add_row(_(label), *(plain(cell(side)) for side in result.sides))
    out.print(table)


def _closings(side: Side) -> str:
    if not side.closings:
        return "0"
    return _("{number:,}, {won:,} won").format(number=Count(side.closings), won=Count(side.closings_won))


_ROWS: tuple[tuple[str, Callable[[Side], str]], ...] = (
    (N_("moves"), lambda side: f"{Count(side.moves):,}"),
    (N_("ms a move"), lambda side: f"{Number(1000 * side.seconds / side.moves):.3f}" if side.moves else "0"),
    (N_("slowest, ms"), lambda side: f"{Number(1000 * side.slowest):.1f}"),
    (N_("closings"), _closings),
    (
        N_("game points in these"),
        lambda side: f"{Count(side.closing_points):+,}" if side.closing_points else "0",
    ),
    (N_("exchanges"), lambda side: f"{Count(side.exchanges):,}"),
    (N_("marriages"), lambda side: f"{Count(side.marriages):,}"),
    (N_("right calls"), lambda side: f"{Count(side.calls):,}"),
    (N_("wrong calls"), lambda side: f"{Count(side.wrong_calls):,}"),
)
