"""``santase deal``: fresh deals."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from santase._core import deal as deal_position
from santase.cli._lines import emit, json_text
from santase.cli._options import Json, check_seed
from santase.errors import SantaseError
from santase.language import _
from santase.rules import RULES, rules_of


def deal(
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            help="Seed of the first deal, one more for each further one.  [default: random]",
        ),
    ] = None,
    rules: Annotated[
        str,
        typer.Option(metavar="RULES", help=f"A preset ({', '.join(RULES)}) or house rules in the notation."),
    ] = "santase",
    count: Annotated[int, typer.Option(metavar="NUMBER", help="Number of deals.")] = 1,
    view: Annotated[bool, typer.Option("--view", help="Only what the player on lead sees.")] = False,
    json: Json = False,
) -> int:
    """Deal at random: the same seed gives the same deal everywhere.

    One deal on a terminal is drawn; otherwise each is a line that the other commands read.
    """
    chosen = rules_of(rules)
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "big")
        if not json and sys.stderr is not None:
            print(_("seed {seed}").format(seed=seed), file=sys.stderr)
    check_seed(seed)
    if count < 0:
        raise SantaseError(f"--count: 0 or more is needed, not {count}")
    if seed + count > 2**64:
        raise SantaseError(f"--count: there are only {2**64 - seed} seeds from {seed} on")
    draw = not json and count == 1 and sys.stdout.isatty()
    for number in range(seed, seed + count):
        position = deal_position(number, chosen)
        if view:
            position = position.view()
        if json:
            emit(json_text({"position": str(position), "seed": number, "rules": str(chosen)}))
            continue
        if draw:
            from santase.cli._show import console, show_position

            show_position(console(), position)
        emit(str(position))
    return 0
