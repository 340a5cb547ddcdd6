"""``santase play``: a hand or a match against the computer."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from santase.cli._options import check_seed
from santase.error_words import os_error_text
from santase.errors import IllegalActionError, SantaseError
from santase.language import N_, _
from santase.rules import RULES, rules_of

if TYPE_CHECKING:
    from rich.console import Console

    from santase.actions import Action
    from santase.cli._play_session import Session
    from santase.cli._play_words import Order

_HINT_WORLDS = 4000
_MOST_LINE = 4000  # bytes that are read of what is typed in a line
_LEADERS = ("me", "computer", "random")


def play(
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="RULES",
            help=f"A preset ({', '.join(RULES)}) or house rules in the notation.  [default: santase]",
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL",
            help="How well the computer plays: beginner, easy, medium, strong or full, or any player of the"
            " arena.  [default: medium]",
        ),
    ] = None,
    hand: Annotated[bool, typer.Option("--hand", help="One hand, not a match.")] = False,
    lead: Annotated[
        str | None,
        typer.Option(metavar="WHO", help="Who leads first: me, computer or random.  [default: random]"),
    ] = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Your name, for the record.")] = None,
    opponent: Annotated[str | None, typer.Option(metavar="NAME", help="The computer's name.")] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Seed of the deals.  [default: random]")
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Keep the game in this file.  [default: one in the usual folder]"),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Go on with the game in this file; last: with the last unfinished."
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="With --resume: which player you are, 0 or 1.  [default: as the file says]"
        ),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Lines of text only, on a terminal too: nothing is redrawn.")
    ] = False,
) -> int:
    """Play a match, or one hand, against the computer.

    The game is kept in a file after every action, and goes on with --resume. The file is a record that other
    commands read. Type help at the table for what you can do there.
    """
    from santase.cli import _play_session as kept

    if resume is not None:
        for option, value in (
            ("--rules", rules), ("--hand", hand or None), ("--lead", lead), ("--name", name),
            ("--opponent", opponent), ("--seed", seed), ("--file", file),
        ):  # fmt: skip
            if value is not None:
                raise SantaseError(_("{option}: a game that is resumed has it already").format(option=option))
        session = _resumed(resume, seat, level)
    else:
        if seat is not None:
            raise SantaseError(_("--seat: only a game that is resumed has seats; --lead says who leads"))
        session = _begun(rules or "santase", level or "medium", hand, lead, name, opponent, seed, file)
    if not session.game.is_over:
        # told before it is too late: a game that cannot be kept is not begun
        session.save()
        if session.unsaved:
            raise OSError(session.unsaved)
    table = _Table(session, plain)
    if resume is None and file is None:
        waiting = next((path for path, _game in kept.unfinished() if path != session.path), None)
        if waiting is not None:
            table.say(
                _("Another game is not over: santase play --resume {file}").format(file=_typed(waiting)),
                "dim",
                whole=True,
            )
    return table.run()


def _begun(
    rules: str,
    level: str,
    hand: bool,
    lead: str | None,
    name: str | None,
    opponent: str | None,
    seed: int | None,
    file: str | None,
) -> Session:
    from santase._players import mix_seed
    from santase.cli import _play_session as kept
    from santase.game import Game

    chosen = rules_of(rules)
    kept.level_player(level).finish()
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "big")
    check_seed(seed)
    if lead is not None and lead not in _LEADERS:
        raise SantaseError(
            _("--lead: me, computer or random is needed, not {given}").format(given=repr(lead))
        )
    leader = _LEADERS.index(lead) if lead in ("me", "computer") else mix_seed(seed, 0) & 1
    names = None
    if name is not None or opponent is not None:
        names = (
            name if name is not None else _("Player"),
            opponent if opponent is not None else _("Computer"),
        )
    game = Game(chosen, seed=seed, match=not hand, dealer=1 - leader, players=names)
    if file is None:
        path = kept.new_path(game)
    else:
        path = Path(file)
        if os.path.lexists(path):
            raise SantaseError(
                _("--file: {file} is there already; --resume goes on with a game").format(file=file)
            )
    return kept.Session(game, 0, level, path)


def _resumed(resume: str, seat: int | None, level: str | None) -> Session:
    from santase.cli import _play_session as kept

    if seat is not None and seat not in (0, 1):
        raise SantaseError(_("--seat: 0 or 1 is needed, not {given}").format(given=seat))
    if resume == kept.LAST:
        found = next((path for path, _game in kept.unfinished()), None)
        if found is None:
            text = _("--resume: there is no unfinished game in {folder}")
            raise SantaseError(text.format(folder=kept.folder()))
        return kept.load(found, seat=seat, level=level)
    return kept.load(Path(resume), seat=seat, level=level)


def _typed(path: Path) -> str:
    """A path as it is typed on a command line."""
    if sys.platform == "win32":
        import subprocess

        return subprocess.list2cmdline([str(path)])
    import shlex

    return shlex.quote(str(path))


def _can_draw() -> bool:
    """The terminal moves its cursor, and has signs for suits and cards."""
    try:
        "♣╭░".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return sys.platform == "win32" or os.environ.get("TERM", "") not in ("", "dumb", "unknown")


class _Table:
    """The conversation at the table."""

    def __init__(self, session: Session, plain: bool) -> None:
        from santase.cli._show import console

        if sys.stdin is None:
            raise SantaseError("standard input is closed")
        self.session = session
        # names that the output has no letters for are no reason to stop
        with contextlib.suppress(AttributeError):
            sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
        self.out: Console = console()
        terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self.echo = not sys.stdin.isatty()
        """Show what was read: whoever types at a terminal sees it anyway."""
        self.cards = terminal and not plain and _can_draw()
        """Draw cards, redraw the screen and choose by arrow keys."""
        self.told_from = 0
        self.confirmed: Action | None = None
        """A wrong call that was asked back about."""
        self.complained = ""
        self.notice = ""
        """What is said with the next drawing of the table."""

    # ------------------------------------------------ out

    def say(self, text: str, style: str = "", *, whole: bool = False) -> None:
        """Print a text; ``whole`` leaves its lines unbroken, so that a path in it can be copied."""
        from rich.markup import escape

        from santase.cli._show import plain

        self.out.print(escape(plain(text)), style=style, soft_wrap=whole)

    def draw(self, *, clear: bool = True) -> None:
        """What has happened since the last decision, and the table."""
        from santase.cli import _play_screen as screen

        scene = self.session.scene()
        if self.cards and clear:
            self.out.clear()
        if self.notice:
            self.say(self.notice)
        self.notice = ""
        for sentence in screen.told(scene, min(self.told_from, len(scene.past))):
            self.say(sentence)
        if self.cards:
            screen.draw_cards(self.out, scene)
        else:
            screen.draw_plain(self.out, scene)
        self.told_from = len(scene.past)

    def check_saved(self) -> None:
        """Complain once about each reason why the game cannot be kept."""
        reason = self.session.unsaved
        if reason and reason != self.complained:
            self.say(
                _("The game cannot be saved: {reason}. 'save FILE' writes it elsewhere.").format(
                    reason=reason
                ),
                "bold red",
                whole=True,
            )
        self.complained = reason

    # ------------------------------------------------ in

    def ask(self) -> str:
        """What the person types; raises ``EOFError`` and ``KeyboardInterrupt``."""
        sys.stdout.flush()
        if self.cards:
            from santase.cli._play_menu import ask_on_terminal, ask_with_arrows

            if self.session.awaits_person:
                return ask_with_arrows(self.session.scene().view, self.session.seat)
            return ask_on_terminal("> ")
        self.out.print("> ", end="")
        sys.stdout.flush()
        raw = sys.stdin.buffer.readline(_MOST_LINE)
        if not raw:
            self.out.print()
            raise EOFError
        if len(raw) == _MOST_LINE and not raw.endswith(b"\n"):
            while (rest := sys.stdin.buffer.readline(1 << 16)) and not rest.endswith(b"\n"):
                pass
        text = raw.decode("utf-8", "replace")
        if self.echo:
            shown = "".join(c if c.isprintable() else "·" for c in text.strip())
            self.say(shown if len(shown) <= 60 else shown[:57] + "...")
        return text

    def order(self) -> Order | None:
        """The next order, or ``None`` after saying what was wrong with what was typed."""
        from santase.cli._play_words import NotUnderstoodError, read_order

        typed = self.ask()
        scene = self.session.scene()
        try:
            return read_order(typed, scene.view, scene.seat)
        except NotUnderstoodError as error:
            self.confirmed = None
            self.say(str(error), "yellow")
            return None

    # ------------------------------------------------ the game

    def run(self) -> int:
        """Play to the end or until the person leaves; returns the exit status."""
        try:
            self.play_on()
        except EOFError:
            self.leave()
        except KeyboardInterrupt:
            self.leave()
            return 130
        return 0

    def leave(self) -> None:
        """Say how to go on; everything is in the file already, unless that failed."""
        self.session.save()
        self.check_saved()
        if not self.session.unsaved:
            self.say(
                _("Saved. Go on with: santase play --resume {file}").format(file=_typed(self.session.path)),
                whole=True,
            )

    def play_on(self) -> None:
        session = self.session
        if session.game.actions:
            from santase.cli._play_screen import last_decision

            self.told_from = last_decision(session.scene())
        while True:
            if session.game.position.is_over:
                if not self.after_hand():
                    return
            elif session.awaits_person:
                self.draw()
                if not self.decide():
                    return
            else:
                self.let_computer_play()
            self.check_saved()

    def let_computer_play(self) -> None:
        from santase.cli._show import working

        with working() if self.cards else contextlib.nullcontext():
            action = self.session.choose()
        self.session.play(action)

    def decide(self) -> bool:
        """Take orders until one has changed the game; false when the person leaves."""
        while True:
            order = self.order()
            if order is None:
                continue
            if order.kind == "quit":
                self.leave()
                return False
            if order.kind == "undo":
                if self.undo():
                    return True
            elif order.kind == "yes" and self.confirmed is not None:
                if self.do(self.confirmed):
                    return True
            elif order.action is not None:
                if self.do(order.action):
                    return True
            else:
                self.answer(order)

    def do(self, action: Action) -> bool:
        """Do what the person chose, if it is legal and meant."""
        from santase.cli._show import plain
        from santase.reasons import reason_for

        session = self.session
        position = session.game.position
        try:
            after = position.play(action)
        except IllegalActionError as error:
            self.confirmed = None
            self.say(plain(reason_for(error, action)), "yellow")
            return False
        outcome = after.outcome
        in_error = action.kind == "call" and outcome is not None and outcome.winner != session.seat
        if in_error and self.confirmed != action:
            self.confirmed = action
            text = _("You have {points} only, and a wrong call loses the hand. Call again if you mean it.")
            self.say(text.format(points=position.points[session.seat]), "yellow")
            return False
        self.confirmed = None
        self.told_from = len(session.game.actions)
        session.play(action)
        return True

    def undo(self) -> bool:
        self.confirmed = None
        if not self.session.can_undo:
            self.say(_("There is nothing to take back."), "yellow")
            return False
        self.session.undo()
        self.told_from = len(self.session.game.actions)
        self.notice = _("Taken back.")
        return True

    def answer(self, order: Order) -> None:
        """Answer an order that changes nothing."""
        from santase.cli import _play_screen as screen

        self.confirmed = None
        session = self.session
        scene = session.scene()
        if order.kind == "hint":
            self.hint()
        elif order.kind == "save":
            self.save(order.file)
        elif order.kind == "help":
            self.help()
        elif order.kind == "score":
            screen.draw_score(self.out, session.game, scene)
        elif order.kind == "tricks":
            self.say(screen.last_trick(scene) or _("No trick has been played."))
        elif order.kind == "next":
            self.say(_("The hand is not over."), "yellow")
        elif order.kind in ("yes", "no"):
            self.say(_("As you like."), "dim")
        else:
            self.draw()

    def help(self) -> None:
        """What can be typed; in a narrow terminal the second column below the first."""
        lines = _(_HELP).split("\n")
        if max(map(len, lines)) < self.out.width:
            self.say("\n".join(lines))
            return
        entries: list[list[str]] = []
        for line in lines:
            if line.startswith(" "):
                entries[-1][1] += f" {line.strip()}"
            else:
                entries.append(re.split(r"  +", line, maxsplit=1))
        for word, meaning in entries:
            self.say(word, "bold")
            self.say(textwrap.indent(textwrap.fill(meaning, self.out.width - 3), "  "))

    def hint(self) -> None:
        from santase.analyze import analyze
        from santase.cli._play_screen import draw_hint
        from santase.cli._show import working

        scene = self.session.scene()
        score = scene.score[scene.seat], scene.score[1 - scene.seat]
        with working() if self.cards else contextlib.nullcontext():
            analysis = analyze(
                scene.view,
                worlds=_HINT_WORLDS,
                seed=1,
                match=score if scene.is_match else None,
                history=self.session.game.history(scene.seat),
            )
        draw_hint(self.out, analysis)

    def save(self, file: str) -> None:
        try:
            if file:
                self.session.save_copy(Path(file))
            else:
                self.session.save()
        except SantaseError as error:
            self.say(str(error), "yellow", whole=True)
            return
        except OSError as error:
            reason = os_error_text(error, file)
            self.say(_("It cannot be saved: {reason}.").format(reason=reason), "yellow", whole=True)
            return
        self.complained = ""
        self.check_saved()
        if not self.session.unsaved or file:
            self.say(_("Saved in {file}.").format(file=file or self.session.path), whole=True)

    def after_hand(self) -> bool:
        """Show how the hand ended and wait for the next; false when it is all over."""
        from santase.cli import _play_screen as screen

        session = self.session
        scene = session.scene()
        if self.cards:
            self.out.clear()
        for sentence in screen.told(scene, min(self.told_from, len(scene.past))):
            self.say(sentence)
        screen.draw_ending(self.out, session.game, scene)
        self.told_from = 0
        if session.game.is_over:
            if scene.is_match:
                screen.draw_match_end(self.out, session.game, scene)
                screen.draw_score(self.out, session.game, scene)
            self.say(_("The record is in {file}.").format(file=session.path), "dim", whole=True)
            return False
        screen.draw_score(self.out, session.game, scene)
        while True:
            self.say(_("Enter for the next hand."), "dim")
            order = self.order()
            if order is None:
                continue
            if order.kind in ("table", "next", "yes"):
                session.next_hand()
                return True
            if order.kind == "quit":
                self.leave()
                return False
            if order.kind == "undo":
                self.say(_("Both hands have been shown: nothing is taken back any more."), "yellow")
            elif order.kind in ("hint", "action"):
                self.say(_("The hand is over."), "yellow")
            else:
                self.answer(order)


_HELP = N_(
    """\
A card:    KS, K♠, 10h, king of spades, its number in your hand,
           or the rank alone where that is clear
On lead:   marriage (or 20, 40; with the suit if you have two),
           exchange, close, call
hint       what each action is worth, on what you know
undo       back to your last decision in this hand
tricks     the last trick
score      the match so far
table      draw the table again
save FILE  a copy; the game itself is saved after every action
quit       leave; santase play --resume last goes on"""
)
