"""``santase bench``: how fast this machine solves."""

from __future__ import annotations

import os
import platform
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from santase._version import __version__
from santase.cli._lines import emit, json_text
from santase.cli._options import Json, check_seed
from santase.errors import SantaseError
from santase.language import N_, NP_, Count, Number, _, ngettext, pgettext
from santase.rules import RULES, rules_of

if TYPE_CHECKING:
    from santase.bench import Row

_MOST_THREADS = 1024
_PHASES = NP_("phase", "whole deal"), NP_("phase", "exhausted"), NP_("phase", "closed")
_COLUMNS = (
    N_("hands"), N_("mean"), N_("median"), N_("99 %"), N_("batch"), N_("all"), N_("nodes"), N_("M/s"),
    N_("plain"), N_("×"),
)  # fmt: skip


def bench(
    positions: Annotated[
        int,
        typer.Option(metavar="NUMBER", help="Positions of each early phase; ten times as many late ones."),
    ] = 100,
    rules: Annotated[
        str,
        typer.Option(metavar="RULES", help=f"A preset ({', '.join(RULES)}) or house rules in the notation."),
    ] = "santase",
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the positions.")] = 0,
    threads: Annotated[int, typer.Option(metavar="NUMBER", help="Threads of the batches.")] = 1,
    table: Annotated[int, typer.Option(metavar="KIB", help="Size of the table in KiB.")] = 512,
    plain: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            help="Positions of each phase for the plain search too; 0 for none.  [default: all]",
        ),
    ] = None,
    save: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write what was measured to this file, as JSON.")
    ] = None,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw it into this file (.png, .svg, .pdf).")
    ] = None,
    json: Json = False,
) -> int:
    """Time the exact solver on this machine, beside a plain search on the same positions.

    Phases go from the whole deal to the exhausted talon, and a closing after one trick.
    """
    chosen = rules_of(rules)
    check_seed(seed)
    for name, value, most in (("positions", positions, 10**6), ("threads", threads, _MOST_THREADS)):
        if not 1 <= value <= most:
            raise SantaseError(f"--{name}: a number from 1 to {most} is needed, not {value}")
    if not 0 <= table <= 1 << 30:
        raise SantaseError(f"--table: a number from 0 to {1 << 30} is needed, not {table}")
    if plain is not None and plain < 0:
        raise SantaseError(f"--plain: 0 or more are needed, not {plain}")
    _check_writable(save, "--save")
    _check_writable(plot, "--plot")
    if plot is not None:
        _check_plot(plot)

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeElapsedColumn as Elapsed

    from santase import bench as benchmark
    from santase.cli._show import console

    rows: list[Row] = []
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Elapsed(),
        console=_error_console(), transient=True,
    ) as bar:  # fmt: skip
        task = bar.add_task("", total=1)

        def progress(phase: str, done: int, total: int) -> None:
            bar.update(task, description=phase, completed=done, total=total)

        for row in benchmark.bench(
            chosen,
            positions=positions,
            seed=seed,
            threads=threads,
            table_bytes=table << 10,
            plain_positions=plain,
            progress=progress,
        ):
            rows.append(row)
            if json:
                emit(json_text(_summary(row)))
    about = _about()
    if not json:
        out = console()
        out.print(_table(rows))
        out.print(
            _(
                "Time a position, one at a time, one thread, a table of {table} KiB; batch: in solve_many"
                " with {threads}; all: every action's value and the line. Nodes: lead and reply positions,"
                " M/s: millions a second. Plain: the plain search on the same positions in the same run,"
                " ×: how many times slower it is."
            ).format(
                table=table,
                threads=ngettext("{number} thread", "{number} threads", threads).format(number=threads),
            ),
            style="dim",
        )
        machine = _("{processor}, {cores} cores, Python {python}")
        out.print(
            machine.format(processor=about["processor"], cores=about["cores"], python=about["python"]),
            style="dim",
        )
    if save is not None:
        benchmark.save_rows(rows, save, about)
    if plot is not None:
        benchmark.plot_rows(rows, plot)
    return 0


def _check_writable(path: str | None, option: str) -> None:
    """Refuse before the work what could not be written after it."""
    if path is None:
        return
    directory = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(directory):
        raise SantaseError(f"{option}: there is no directory {directory}")
    if os.path.isdir(path):
        raise SantaseError(f"{option}: {path} is a directory")
    if not os.access(path if os.path.exists(path) else directory, os.W_OK):
        raise SantaseError(f"{option}: {path} cannot be written")


def _check_plot(path: str) -> None:
    if not path.endswith((".png", ".svg", ".pdf")):
        raise SantaseError(f"--plot: a file ending in .png, .svg or .pdf is needed, not {path}")
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        raise SantaseError("--plot: Matplotlib is needed: pip install 'santase[plot]'")


def _error_console() -> Any:
    from rich.console import Console

    return Console(stderr=True)


def _about() -> dict[str, Any]:
    """What it was measured on."""
    processor = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
        processor = models[0] if models else processor
    except OSError:
        pass  # not Linux
    return {
        "santase": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor,
        "cores": os.cpu_count(),
        "arguments": sys.argv[1:],
    }


def _summary(row: Row) -> dict[str, Any]:
    """A row without the times of single positions."""
    from dataclasses import asdict

    return {name: value for name, value in asdict(row).items() if name not in ("seconds", "node_counts")}


def _table(rows: list[Row]) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 0))
    table.add_column(_("phase"), no_wrap=True)
    for name in _COLUMNS:
        table.add_column(_(name), justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            _phase(row.phase),
            f"{row.positions}",
            *(_time(value) for value in (row.mean, row.median, row.p99, row.batch, row.all_actions)),
            f"{Count(round(row.nodes)):,}",
            f"{Number(row.nodes_a_second / 1e6):.1f}",
            "–" if row.plain is None else _time(row.plain),
            "–" if row.ratio is None else f"{Number(row.ratio):.1f}",
        )
    return table


def _phase(name: str) -> str:
    """A phase's name, one of ``_PHASES`` or a number of tricks, in the language of the context."""
    from santase.cli._show import tricks_phrase

    number = name.partition(" ")[0]
    return tricks_phrase(int(number)) if number.isdigit() else pgettext("phase", name)


def _time(seconds: float) -> str:
    """Three digits and a unit, six characters at most."""
    unit, size = ("s", 1.0) if seconds >= 1 else ("ms", 1e-3) if seconds >= 1e-3 else ("µs", 1e-6)
    value = seconds / size
    return f"{Number(value):.{0 if value >= 100 else 1 if value >= 10 else 2}f}{unit}"
