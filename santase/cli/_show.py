"""Positions, cards and actions as people like to see them in a terminal."""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from santase._core import Outcome, Position
from santase.actions import Action
from santase.cards import SUIT_SIGNS, SUITS

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_STYLES = {"C": "green", "D": "blue", "H": "red", "S": ""}
_ASCII = str.maketrans({"±": "~", "·": "-", "–": "-", "−": "-"} | dict(zip(SUIT_SIGNS, SUITS, strict=True)))


def console() -> Console:
    """A console on standard output, coloured where that is a terminal."""
    from rich.console import Console

    return Console(file=sys.stdout, highlight=False)


@cache
def _signs_fit(encoding: str) -> bool:
    try:
        (SUIT_SIGNS + "±·–−").encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def plain(text: str) -> str:
    """The text in signs that standard output can show."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return text if _signs_fit(encoding) else text.translate(_ASCII)


def suit_sign(suit: str) -> str:
    return plain(SUIT_SIGNS[SUITS.index(suit)])


def card_sign(card: str) -> str:
    """``KS`` as ``K♠``."""
    return card[0] + suit_sign(card[1])


def action_sign(action: Action) -> str:
    """``KS`` as ``K♠``, ``marriage-S`` as ``marriage-♠``, the others as they are."""
    if action.kind == "play":
        return card_sign(action)
    return f"marriage-{suit_sign(action.suit)}" if action.suit else str(action)


def action_phrase(action: Action, position: Position) -> str:
    """An action as one would say it."""
    if action.kind == "play":
        return f"{'play' if position.led else 'lead'} {card_sign(action)}"
    if action.kind == "marriage":
        return f"declare the marriage in {action_sign(action)[-1]} ({action})"
    if action.kind == "exchange":
        low = position.rules.exchange_rank + position.trump
        turned = position.turned
        return (
            f"exchange {card_sign(low)} for {card_sign(turned) if turned else 'the turned card'} (exchange)"
        )
    return "close the talon (close)" if action.kind == "close" else f"call {position.rules.target} (call)"


def action_text(action: Action) -> Text:
    """``action_sign`` in the colour of its suit."""
    from rich.text import Text

    return Text(action_sign(action), style=_STYLES[action.suit] if action.suit else "bold")


def value_text(value: float, digits: int = 2) -> str:
    """A value with its sign, a real minus included."""
    if not math.isfinite(value):
        return plain("–")
    text = f"{value:+.{digits}f}" if value else f"{0:.{digits}f}"
    return plain(text.replace("-", "−"))


def hand_text(cards: tuple[str, ...], hidden: int = 0) -> Text:
    """A hand by suits: ``♠ A Q  ♥ Q``, and how many cards are hidden."""
    from rich.text import Text

    text = Text()
    for suit in reversed(SUITS):
        ranks = " ".join(card[0] for card in cards if card[1] == suit)
        if ranks:
            text.append(f"{'  ' if text else ''}{suit_sign(suit)} {ranks}", _STYLES[suit])
    if hidden:
        text.append(f"{'  ' if text else ''}{hidden} hidden", "dim")
    return text if text else Text(plain("–"), "dim")


def card_text(card: str) -> Text:
    from rich.text import Text

    return Text(card_sign(card), style=_STYLES[card[1]])


def show_position(out: Console, position: Position) -> None:
    """Draw the table as far as the position shows it."""
    from rich.table import Table
    from rich.text import Text

    phase = {"open": "talon open", "exhausted": "talon exhausted"}.get(
        position.phase, f"closed by player {position.closer}"
    )
    head = Text(str(position.rules), style="bold")
    head.append(plain(f" · {phase} · trump "), "default not bold")
    head.append(suit_sign(position.trump), f"not bold {_STYLES[position.trump]}".strip())
    if position.outcome is not None:
        head.append(plain(f" · over: {outcome_text(position.outcome)}"), "not bold")
    else:
        head.append(plain(f" · player {position.to_move} to move"), "not bold")
    out.print(head)
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    for player in range(2):
        points, tricks = position.points[player], position.tricks[player]
        stand = f"{points} point{'s' * (points != 1)}, {tricks} trick{'s' * (tricks != 1)}"
        if position.pending[player]:
            stand += f", {position.pending[player]} pending"
        grid.add_row(f"player {player}", hand_text(position.hands[player], position.hidden[player]), stand)
    if position.facedown:
        talon = Text(f"{position.facedown} face down")
        if position.talon is not None:
            talon = Text(" ").join(card_text(card) for card in position.talon)
        grid.add_row("talon", talon)
    if position.turned is not None:
        grid.add_row("turned", card_text(position.turned))
    if position.led is not None:
        grid.add_row("led", card_text(position.led).append(f" by player {position.leader}", "default"))
    if position.declared is not None:
        declared = Text(f"marriage in {suit_sign(position.declared)} by player {position.leader}")
        grid.add_row("declared", declared)
    for player in range(2):
        lacks = position.known[2 * player + 1]
        if lacks:
            grid.add_row(f"player {player} lacks", hand_text(lacks))
    out.print(grid)
    if position.played:
        # apart, since a long row would push the points off the edge
        played = Table.grid(padding=(0, 2))
        played.add_column(style="dim", no_wrap=True, width=8)
        played.add_column()
        played.add_row("played", hand_text(position.played))
        out.print(played)


def show_line(out: Console, position: Position, line: Sequence[Action]) -> None:
    """A line of play, trick by trick."""
    from rich.text import Text

    text = Text()
    tricks = -1
    for action in line:
        if position.led is None and sum(position.tricks) != tricks:
            tricks = sum(position.tricks)
            text.append(plain(f"{'  · ' if text else ''}{tricks + 1}. player {position.leader}:"), "dim")
        text.append(" ").append(action_text(action))
        position = position.play(action)
    if text:
        out.print(Text("Best line: ").append(text))
    if position.outcome is not None:
        out.print(f"Ends: {outcome_text(position.outcome)}")


def outcome_text(outcome: Outcome) -> str:
    """How a hand ended, in words."""
    if outcome.winner is None:
        return "void, nobody scores"
    points = "1 game point" if outcome.game_points == 1 else f"{outcome.game_points} game points"
    return f"player {outcome.winner} scores {points} ({outcome.reason})"


@contextlib.contextmanager
def working(seconds: float | None = None) -> Iterator[None]:
    """Show on a terminal's standard error that work goes on, with a bar where its length is known."""
    if sys.stderr is None or not sys.stderr.isatty() or (seconds is not None and seconds < 0.5):
        yield
        return
    from rich.console import Console

    err = Console(stderr=True)
    if seconds is None:
        with err.status("thinking"):
            yield
        return
    import threading

    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    done = threading.Event()
    columns = TextColumn("thinking"), BarColumn(), TimeRemainingColumn()
    with Progress(*columns, console=err, transient=True) as progress:
        task = progress.add_task("thinking", total=seconds)

        def advance() -> None:
            while not done.wait(0.1):
                progress.advance(task, 0.1)

        thread = threading.Thread(target=advance, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
