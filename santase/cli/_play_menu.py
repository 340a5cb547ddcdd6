"""The hand on a real terminal: cards and other actions chosen with the arrow keys, or typed."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from santase.cli._play_screen import card_rows, other_actions
from santase.cli._show import plain
from santase.language import _

if TYPE_CHECKING:
    from santase._core import Position
    from santase.actions import Action

_SUIT_STYLES = {"C": "ansigreen", "D": "ansiblue", "H": "ansired", "S": ""}


class Menu:
    """What may be chosen, and which of it the cursor is on."""

    def __init__(self, view: Position, seat: int) -> None:
        legal = set(view.legal_actions())
        self.hand = view.hands[seat]
        self.others = other_actions(view)
        self.legal = [card in legal for card in self.hand]
        # first the cards that may be played, in the order of the hand, then the rest
        self.choices: list[Action | str] = [
            *(card for card, allowed in zip(self.hand, self.legal, strict=True) if allowed),
            *(action for action, _phrase in self.others),
        ]
        self.cards = sum(self.legal)
        self.at = 0

    @property
    def chosen(self) -> str:
        return str(self.choices[self.at])

    def move(self, step: int) -> None:
        self.at = (self.at + step) % len(self.choices)

    def jump(self) -> None:
        """Between the cards and the other actions."""
        if 0 < self.cards < len(self.choices):
            self.at = self.cards if self.at < self.cards else 0

    def fragments(self, width: int = 80) -> list[tuple[str, str]]:
        """The hand, the chosen card in reverse, and the other actions below, as styled text in lines of
        at most ``width``."""
        rows: list[list[tuple[str, str]]] = [[], [], [], []]
        for number, (card, allowed) in enumerate(zip(self.hand, self.legal, strict=True), 1):
            style = _SUIT_STYLES[card[1]]
            if not allowed:
                style += " ansibrightblack"
            if card == self.chosen:
                style += " reverse bold"
            for row, text in enumerate((*card_rows(card), f"{number:^5}" if number < 9 else " " * 5)):
                rows[row].append((style if row < 3 else "ansibrightblack", text))
        found = [part for row in rows for part in (*row, ("", "\n"))]
        used = 0
        for action, phrase in self.others:
            if used and used + len(phrase) + 2 > width:
                found.append(("", "\n"))
                used = 0
            used += len(phrase) + 4
            found.append(("reverse bold" if action == self.chosen else "", f" {phrase} "))
            found.append(("", "  "))
        if self.others:
            found.append(("", "\n"))
        return [(style, plain(text)) for style, text in found]


def _session(**settings: Any) -> Any:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import DummyHistory
    from prompt_toolkit.output import ColorDepth

    depth = ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None
    return PromptSession(history=DummyHistory(), color_depth=depth, enable_suspend=True, **settings)


def ask_with_arrows(view: Position, seat: int) -> str:
    """What the person types, or the action that is chosen with the arrow keys.

    Raises ``EOFError`` at the end of the input and ``KeyboardInterrupt``.
    """
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.key_binding import KeyBindings

    menu = Menu(view, seat)
    session = _session()
    keys_help = _("arrows and Enter, or type: KS, hint, undo, save, help, quit")
    keys = KeyBindings()
    nothing_typed = Condition(lambda: not session.default_buffer.text)

    def bind(names: Sequence[str], do: Callable[[], None]) -> None:
        for name in names:
            keys.add(name, filter=nothing_typed)(lambda _event: do())

    bind(["right", "tab"], lambda: menu.move(1))
    bind(["left", "s-tab"], lambda: menu.move(-1))
    bind(["up", "down"], menu.jump)

    @keys.add("enter", filter=nothing_typed)
    def choose(event: Any) -> None:
        event.app.exit(result=menu.chosen)

    def message() -> list[tuple[str, str]]:
        width = session.output.get_size().columns
        helped = textwrap.fill(keys_help, max(width - 1, 10))
        return [*menu.fragments(width), ("ansibrightblack", f"{helped}\n"), ("", "> ")]

    typed: str = session.prompt(message, key_bindings=keys)
    return typed


def ask_on_terminal(prompt: str) -> str:
    """A line, without cards to choose from; raises ``EOFError`` and ``KeyboardInterrupt``."""
    typed: str = _session().prompt(prompt)
    return typed
