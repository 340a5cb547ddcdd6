"""The commands put together, and what becomes of errors."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Annotated, cast

import typer

from santase._version import __version__
from santase.cli import arena, bench, best, deal, play, review, serve, solve
from santase.cli._language import OPTION, error_text, take_language, translated_help
from santase.errors import SantaseError
from santase.language import SOURCE_LANGUAGE, _, choose_language, use_language

COMMANDS = (
    best.best,
    solve.solve,
    deal.deal,
    play.play,
    review.review,
    serve.serve,
    arena.arena,
    bench.bench,
)

# typer brings the exceptions of click along, under a name that has changed
# between versions; this is ClickException
_UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[2])

app = typer.Typer(
    name="santase",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _command in COMMANDS:
    app.command()(_command)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"santase {__version__}")
        raise typer.Exit()


@app.callback()
def _santase(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
    # taken out before the arguments are read, and here for the help
    language: Annotated[
        str | None,
        typer.Option(
            OPTION,
            metavar="LANGUAGE",
            help="Language of what is shown: en or bg. Goes with any command.  [default: by the locale]",
        ),
    ] = None,
) -> None:
    """Exact solver and player for Santase (Bulgarian Sixty-six) and its relatives."""


def run(arguments: list[str]) -> int:
    """Run the command in the language asked for; errors become one line on standard error and an
    exit status."""
    if sys.stdout is None:
        return complain("standard output is closed", 1)
    try:
        code, arguments = take_language(arguments)
    except SantaseError as error:
        with use_language(choose_language()):
            return complain(error_text(error), 2)
    if not _can_write(code):
        code = SOURCE_LANGUAGE
    with use_language(code):
        return _run(arguments or ["--help"])


def _can_write(code: str) -> bool:
    """Standard output has the letters of a language."""
    with use_language(code):
        try:
            _("Options").encode(getattr(sys.stdout, "encoding", None) or "utf-8")
        except (UnicodeEncodeError, LookupError):
            return False
    return True


def _run(arguments: list[str]) -> int:
    command = typer.main.get_command(app)
    wants_help = any(word in ("-h", "--help") for word in arguments)
    try:
        with translated_help(command) if wants_help else contextlib.nullcontext():
            status = command.main(arguments, prog_name="santase", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except SantaseError as error:
        return complain(error_text(error), 2)
    except typer.Abort:
        return 130
    except _UsageError as error:  # pyright: ignore[reportGeneralTypeIssues]
        return complain(error_text(error), 2)
    except BrokenPipeError:
        return closed_pipe()
    except OSError as error:
        discard_output()
        return complain(error_text(error), 1)
    except MemoryError as error:
        return complain(": ".join(filter(None, (_("not enough memory"), str(error)))), 1)
    except SystemExit as leaving:
        # typer's own way out when a pipe is closed
        return closed_pipe() if leaving.code == 1 else int(leaving.code or 0)


def complain(message: str, status: int) -> int:
    """Print an error as one line on standard error."""
    if sys.stderr is None:
        return status  # print would take standard output instead
    line = "".join(c if c.isprintable() else " " for c in message)
    with contextlib.suppress(OSError):
        print(f"santase: {' '.join(line.split())}", file=sys.stderr)
    return status


def closed_pipe() -> int:
    """Nobody reads the output any more: end without a word, also at the last flush."""
    discard_output()
    return 1


def discard_output() -> None:
    """Let go what standard output does not take, which Python would try to write, and complain of, once more
    at its end."""
    try:
        sys.stdout.flush()
        return
    except (OSError, ValueError):
        pass
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
