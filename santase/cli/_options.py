"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from santase._core import seed_state
from santase.errors import SantaseError

_POSITION = typer.Argument(
    metavar="POSITION",
    help="A position in the notation, or - for positions from standard input, one a line.",
    show_default=False,
)
PositionWords = Annotated[list[str], _POSITION]
PositionWordsOrNone = Annotated[list[str] | None, _POSITION]
Json = Annotated[bool, typer.Option("--json", help="Answer with one JSON object a line.")]
SamplingSeed = Annotated[
    int,
    typer.Option(metavar="NUMBER", help="Seed of the sampling: the same seed and --worlds, the same answer."),
]


def check_seed(seed: int) -> None:
    """Raise ``SantaseError`` for a number that is no seed."""
    try:
        seed_state(seed)
    except SantaseError as error:
        raise SantaseError(f"--{error}") from None
