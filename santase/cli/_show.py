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
from santase.language import NP_, Number, _, ngettext, pgettext

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

SUIT_STYLES = {"C": "green", "D": "blue", "H": "red", "S": ""}
# the reasons of an outcome, as the core names them; translated under the context "reason"
_REASONS = (
    NP_("reason", "call"),
    NP_("reason", "wrong call"),
    NP_("reason", "closing failed"),
    NP_("reason", "reached"),
    NP_("reason", "played out"),
    NP_("reason", "last trick"),
    NP_("reason", "void"),
)
_ASCII = str.maketrans(
    {"±": "~", "·": "-", "–": "-", "−": "-", "›": ">"} | dict(zip(SUIT_SIGNS, SUITS, strict=True))
)


def console() -> Console:
    """A console on standard output, coloured where that is a terminal; elsewhere no line ends in blanks."""
    from rich.console import Console

    from santase.cli._piped import Piped

    out = Console(file=sys.stdout, highlight=False)
    return out if out.is_terminal else Piped(file=sys.stdout, highlight=False)


@cache
def _signs_fit(encoding: str) -> bool:
    try:
        (SUIT_SIGNS + "±·–−›").encode(encoding)
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


def card_face(card: str) -> str:
    """A card as on its face, ten as a number: ``10♠``; the notation has ``TS``."""
    return ("10" if card[0] == "T" else card[0]) + suit_sign(card[1])


def action_sign(action: Action) -> str:
    """``KS`` as ``K♠``, ``marriage-S`` as ``marriage-♠``, the others as they are."""
    if action.kind == "play":
        return card_sign(action)
    return f"marriage-{suit_sign(action.suit)}" if action.suit else str(action)


def action_phrase(action: Action, position: Position) -> str:
    """An action as one would say it, and in brackets as it is written where that is not the same."""
    if action.kind == "play":
        phrase = _("play {card}") if position.led else _("lead {card}")
        return phrase.format(card=card_sign(action))
    if action.kind == "marriage":
        phrase = _("declare the marriage in {suit}").format(suit=action_sign(action)[-1])
    elif action.kind == "exchange":
        turned = card_sign(position.turned) if position.turned else _("the turned card")
        low = card_sign(position.rules.exchange_rank + position.trump)
        phrase = _("exchange {card} for {turned}").format(card=low, turned=turned)
    elif action.kind == "close":
        phrase = _("close the talon")
    else:
        phrase = _("call {points}").format(points=position.rules.target)
    return f"{phrase} ({action})"


def player_name(player: int) -> str:
    return _("player {number}").format(number=player)


def points_phrase(points: int) -> str:
    return ngettext("{number} point", "{number} points", points).format(number=points)


def game_points_phrase(points: int) -> str:
    return ngettext("{number} game point", "{number} game points", points).format(number=points)


def facedown_phrase(cards: int) -> str:
    return ngettext("{number} face down", "{number} face down", cards).format(number=cards)


def tricks_phrase(tricks: int) -> str:
    return ngettext("{number} trick", "{number} tricks", tricks).format(number=tricks)


def phase_phrase(position: Position) -> str:
    if position.closer is not None:
        return _("closed by {player}").format(player=player_name(position.closer))
    return _("talon open") if position.phase == "open" else _("talon exhausted")


def action_text(action: Action) -> Text:
    """``action_sign`` in the colour of its suit."""
    from rich.text import Text

    return Text(action_sign(action), style=SUIT_STYLES[action.suit] if action.suit else "bold")


def value_text(value: float, digits: int = 2) -> str:
    """A value with its sign, a real minus included."""
    if not math.isfinite(value):
        return plain("–")
    text = f"{Number(value):+.{digits}f}" if value else f"{Number(0):.{digits}f}"
    return plain(text.replace("-", "−"))


def hand_text(cards: tuple[str, ...], hidden: int = 0) -> Text:
    """A hand by suits: ``♠ A Q  ♥ Q``, and how many cards are hidden."""
    from rich.text import Text

    text = Text()
    for suit in reversed(SUITS):
        ranks = " ".join(card[0] for card in cards if card[1] == suit)
        if ranks:
            text.append(f"{'  ' if text else ''}{suit_sign(suit)} {ranks}", SUIT_STYLES[suit])
    if hidden:
        words = ngettext("{number} hidden", "{number} hidden", hidden).format(number=hidden)
        text.append(f"{'  ' if text else ''}{words}", "dim")
    return text if text else Text(plain("–"), "dim")


def card_text(card: str) -> Text:
    from rich.text import Text

    return Text(card_sign(card), style=SUIT_STYLES[card[1]])


def show_position(out: Console, position: Position) -> None:
    """Draw the table as far as the position shows it."""
    from rich.table import Table
    from rich.text import Text

    head = Text(str(position.rules), style="bold")
    head.append(plain(f" · {phase_phrase(position)} · " + _("trump") + " "), "default not bold")
    head.append(suit_sign(position.trump), f"not bold {SUIT_STYLES[position.trump]}".strip())
    if position.outcome is not None:
        over = _("over: {how}").format(how=outcome_text(position.outcome))
        head.append(plain(f" · {over}"), "not bold")
    else:
        mover = _("{player} to move").format(player=player_name(position.to_move))
        head.append(plain(f" · {mover}"), "not bold")
    out.print(head)
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    for player in range(2):
        stand = f"{points_phrase(position.points[player])}, {tricks_phrase(position.tricks[player])}"
        if position.pending[player]:
            stand += ", " + _("{points} pending").format(points=position.pending[player])
        grid.add_row(player_name(player), hand_text(position.hands[player], position.hidden[player]), stand)
    if position.facedown:
        talon = Text(facedown_phrase(position.facedown))
        if position.talon is not None:
            talon = Text(" ").join(card_text(card) for card in position.talon)
        grid.add_row(_("talon"), talon)
    if position.turned is not None:
        grid.add_row(_("turned"), card_text(position.turned))
    if position.led is not None:
        by = _("by {player}").format(player=player_name(position.leader))
        grid.add_row(_("led"), card_text(position.led).append(f" {by}", "default"))
    if position.declared is not None:
        declared = _("marriage in {suit} by {player}").format(
            suit=suit_sign(position.declared), player=player_name(position.leader)
        )
        grid.add_row(_("declared"), Text(declared))
    for player in range(2):
        lacks = position.known[2 * player + 1]
        if lacks:
            grid.add_row(_("{player} lacks").format(player=player_name(player)), hand_text(lacks))
    out.print(grid)
    if position.played:
        # apart, since a long row would push the points off the edge
        played = Table.grid(padding=(0, 2))
        played.add_column(style="dim", no_wrap=True, width=max(8, len(player_name(0))))
        played.add_column()
        played.add_row(_("played"), hand_text(position.played))
        out.print(played)


def show_line(out: Console, position: Position, line: Sequence[Action]) -> None:
    """A line of play, trick by trick."""
    from rich.text import Text

    text = Text()
    tricks = -1
    for action in line:
        if position.led is None and sum(position.tricks) != tricks:
            tricks = sum(position.tricks)
            who = player_name(position.leader)
            text.append(plain(f"{'  · ' if text else ''}{tricks + 1}. {who}:"), "dim")
        text.append(" ").append(action_text(action))
        position = position.play(action)
    if text:
        out.print(Text(_("Best line:") + " ").append(text))
    if position.outcome is not None:
        out.print(_("Ends: {how}").format(how=outcome_text(position.outcome)))


def outcome_text(outcome: Outcome) -> str:
    """How a hand ended, in words."""
    if outcome.winner is None:
        return _("void, nobody scores")
    return _("{player} scores {game_points} ({reason})").format(
        player=player_name(outcome.winner),
        game_points=game_points_phrase(outcome.game_points),
        reason=pgettext("reason", outcome.reason),
    )


@contextlib.contextmanager
def working(seconds: float | None = None) -> Iterator[None]:
    """Show on a terminal's standard error that work goes on, with a bar where its length is known."""
    if sys.stderr is None or not sys.stderr.isatty() or (seconds is not None and seconds < 0.5):
        yield
        return
    from rich.console import Console

    err = Console(stderr=True)
    if seconds is None:
        with err.status(_("thinking")):
            yield
        return
    import threading

    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    done = threading.Event()
    columns = TextColumn(_("thinking")), BarColumn(), TimeRemainingColumn()
    with Progress(*columns, console=err, transient=True) as progress:
        task = progress.add_task(_("thinking"), total=seconds)

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
