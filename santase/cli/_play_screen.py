"""The table of ``santase play`` as text, for pipes and plain terminals, and drawn with cards.

While a hand is played everything here is made of a ``Scene``, so of what the
person sees. Sentences are in the second person for the person and in the third
for the computer, since languages differ in more than the name.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from santase._core import Outcome, Position
from santase.actions import Action
from santase.cards import SUITS
from santase.cli._play_session import Scene
from santase.cli._show import (
    SUIT_STYLES,
    card_face,
    facedown_phrase,
    game_points_phrase,
    plain,
    points_phrase,
    suit_sign,
    tricks_phrase,
    value_text,
)
from santase.language import NP_, Count, Number, _, ngettext, pgettext

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from santase.analyze import Analysis
    from santase.game import Game

_LEVELS = (
    NP_("level", "beginner"),
    NP_("level", "easy"),
    NP_("level", "medium"),
    NP_("level", "strong"),
    NP_("level", "full"),
)


def level_name(level: str) -> str:
    return pgettext("level", level) if level in _LEVELS else level


def name_of(player: int, scene: Scene) -> str:
    """How a player is called at the head of a row."""
    if scene.names is not None:
        return scene.names[player]
    return _("You") if player == scene.seat else _("Computer")


def suit_word(suit: str) -> str:
    return {"C": _("clubs"), "D": _("diamonds"), "H": _("hearts"), "S": _("spades")}[suit]


# ---------------------------------------------------------------- what happened


def told(scene: Scene, start: int = 0) -> list[str]:
    """A sentence for each thing that happened from the action number ``start`` on."""
    views = [view for view, _action in scene.past[start:]] + [scene.view]
    sentences: list[str] = []
    for (before, action), after in zip(scene.past[start:], views[1:], strict=True):
        sentences += _told_of(scene, before, action, after)
    return sentences


def last_decision(scene: Scene) -> int:
    """The number of the person's last action; 0 if there is none."""
    own = [number for number, (view, _action) in enumerate(scene.past) if view.to_move == scene.seat]
    return own[-1] if own else 0


def _told_of(scene: Scene, before: Position, action: Action, after: Position) -> Iterator[str]:
    player = before.to_move
    you = player == scene.seat
    who = name_of(player, scene)
    if action.kind == "play":
        text = (
            (_("You play {card}.") if before.led else _("You lead {card}."))
            if you
            else (_("{player} plays {card}.") if before.led else _("{player} leads {card}."))
        )
        yield text.format(player=who, card=card_face(action))
        if before.led is not None:
            yield from _told_of_trick(scene, before, after)
    elif action.kind == "marriage":
        worth = sum(after.points) + sum(after.pending) - sum(before.points) - sum(before.pending)
        text = _("You declare {points} in {suit}.") if you else _("{player} declares {points} in {suit}.")
        yield text.format(player=who, points=worth, suit=suit_sign(action.suit or ""))
    elif action.kind == "exchange":
        text = _("You exchange {card} for {turned}.") if you else _("{player} exchanges {card} for {turned}.")
        low, turned = after.turned, before.turned
        yield text.format(
            player=who, card=card_face(low) if low else "", turned=card_face(turned) if turned else ""
        )
    elif action.kind == "close":
        yield (_("You close the talon.") if you else _("{player} closes the talon.")).format(player=who)
    else:
        text = _("You call {points}.") if you else _("{player} calls {points}.")
        yield text.format(player=who, points=before.rules.target)


def _told_of_trick(scene: Scene, before: Position, after: Position) -> Iterator[str]:
    taker = after.leader
    text = _("You take the trick.") if taker == scene.seat else _("{player} takes the trick.")
    yield text.format(player=name_of(taker, scene))
    drawn = set(after.hands[scene.seat]) - set(before.hands[scene.seat])
    for card in drawn:
        yield _("You draw {card}.").format(card=card_face(card))
    if before.turned is not None and after.turned is None and before.turned not in drawn:
        text = _("{player} draws the turned {card}.")
        yield text.format(player=name_of(1 - scene.seat, scene), card=card_face(before.turned))


def last_trick(scene: Scene) -> str:
    """The last trick in words, or empty."""
    plays = [
        (number, view, action) for number, (view, action) in enumerate(scene.past) if action.kind == "play"
    ]
    replies = [number for number, view, _action in plays if view.led is not None]
    if not replies:
        return ""
    reply = replies[-1]
    view, action = scene.past[reply]
    after = scene.past[reply + 1][0] if reply + 1 < len(scene.past) else scene.view
    text = (
        _("{first} {card}, {second} {reply}: you took it")
        if after.leader == scene.seat
        else _("{first} {card}, {second} {reply}: {taker} took it")
    )
    return text.format(
        taker=name_of(after.leader, scene),
        first=name_of(view.leader, scene),
        card=card_face(view.led or ""),
        second=name_of(1 - view.leader, scene),
        reply=card_face(action),
    )


# ---------------------------------------------------------------- the table


def headline(scene: Scene) -> str:
    if not scene.is_match:
        return _("One hand, {rules}").format(rules=scene.view.rules)
    return _("Match to {target}, {rules}: {you} {mine}, {other} {theirs}. Hand {number}.").format(
        target=scene.view.rules.match_target,
        rules=scene.view.rules,
        you=name_of(scene.seat, scene),
        mine=scene.score[scene.seat],
        other=name_of(1 - scene.seat, scene),
        theirs=scene.score[1 - scene.seat],
        number=scene.hand_number,
    )


def _stand(view: Position, player: int) -> str:
    stand = f"{points_phrase(view.points[player])}, {tricks_phrase(view.tricks[player])}"
    if view.pending[player]:
        stand += ", " + _("{points} pending").format(points=view.pending[player])
    return stand


def _talon_words(scene: Scene) -> str:
    view = scene.view
    if view.closer is not None:
        who = name_of(view.closer, scene)
        closed = (
            _("closed by you") if view.closer == scene.seat else _("closed by {player}").format(player=who)
        )
        return f"{closed}, {facedown_phrase(view.facedown)}"
    return facedown_phrase(view.facedown) if view.facedown else _("exhausted")


def _trump_words(view: Position) -> str:
    return _("trumps are {sign} {suit}").format(sign=suit_sign(view.trump), suit=suit_word(view.trump))


def on_table(scene: Scene) -> str:
    """What lies on the table, or what was declared, in words; or empty."""
    view = scene.view
    if view.declared is not None:
        return _("declared in {suit}: lead its king or queen, or call").format(suit=suit_sign(view.declared))
    if view.led is None:
        return (
            _("you lead")
            if view.to_move == scene.seat
            else _("{player} leads").format(player=name_of(view.to_move, scene))
        )
    return _("{player} led {card}").format(player=name_of(view.leader, scene), card=card_face(view.led))


def other_actions(view: Position) -> list[tuple[Action, str]]:
    """The legal actions that are no cards, each with what it is called."""
    phrases = []
    for action in view.legal_actions():
        if action.kind == "marriage":
            after = view.play(action)
            worth = sum(after.points) + sum(after.pending) - sum(view.points) - sum(view.pending)
            text = _("declare {points} in {suit}").format(points=worth, suit=suit_sign(action.suit or ""))
        elif action.kind == "exchange":
            text = _("exchange for {turned}").format(turned=card_face(view.turned or ""))
        elif action.kind == "close":
            text = _("close the talon")
        elif action.kind == "call":
            text = _("call {points}").format(points=view.rules.target)
        else:
            continue
        phrases.append((action, text))
    return phrases


def typed_as(action: Action, view: Position) -> str:
    """How an action that is no card is typed in the language of the context."""
    word = pgettext("words", _TYPED[action.kind]).split()[0]
    if action.kind != "marriage":
        return word
    hand = view.hands[view.to_move]
    several = sum(f"K{suit}" in hand and f"Q{suit}" in hand for suit in SUITS) > 1
    return f"{word} {suit_word(action.suit or '')}" if several else word


_TYPED = {"marriage": "marriage declare m", "exchange": "exchange swap x", "close": "close", "call": "call"}


def draw_plain(out: Console, scene: Scene) -> None:
    """The table line by line: nothing is told by place or colour alone."""
    from rich.table import Table
    from rich.text import Text

    view, other = scene.view, 1 - scene.seat
    out.print(plain(headline(scene)), style="bold")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column()
    grid.add_column()
    grid.add_row(name_of(other, scene), _hand_words(scene, other), _stand(view, other))
    talon = _talon_words(scene)
    if view.turned is not None and view.closer is None:
        talon += ", " + _("{card} turned up").format(card=card_face(view.turned))
    grid.add_row(_("Talon"), plain(talon), _trump_words(view))
    grid.add_row(_("Table"), plain(on_table(scene)), "")
    trick = last_trick(scene)
    if trick:
        grid.add_row(_("Last trick"), plain(trick), "")
    hand = Text()
    for number, card in enumerate(view.hands[scene.seat], 1):
        hand.append(f"{' ' if number > 1 else ''}{number}:", "dim")
        hand.append(card_face(card), SUIT_STYLES[card[1]])
    grid.add_row(name_of(scene.seat, scene), hand, _stand(view, scene.seat))
    out.print(grid)
    if view.to_move == scene.seat:
        may = [f"{text} ({typed_as(action, view)})" for action, text in other_actions(view)]
        if may:
            out.print(plain(_("You may also: {actions}.").format(actions="; ".join(may))))


def _hand_words(scene: Scene, player: int) -> Text:
    from rich.text import Text

    view = scene.view
    text = Text()
    for card in view.hands[player]:
        text.append(card_face(card), SUIT_STYLES[card[1]]).append(" ")
    hidden = view.hidden[player]
    if hidden:
        text.append(ngettext("{number} card", "{number} cards", hidden).format(number=hidden))
    lacks = view.known[2 * player + 1]
    if lacks:
        text.append(", " + _("none of {cards}").format(cards=" ".join(map(card_face, lacks))), "dim")
    return text


# ---------------------------------------------------------------- drawn cards


def _back_rows(count: int) -> list[str]:
    """Cards face down, one over the other; three rows."""
    if not count:
        return ["", "", ""]
    return ["╭" * (count - 1) + "╭───╮", "│" * (count - 1) + "│░░░│", "╰" * (count - 1) + "╰───╯"]


def card_rows(card: str) -> list[str]:
    """A card face up; three rows of five."""
    return ["╭───╮", f"│{card_face(card):^3}│", "╰───╯"]


def _beside(*pieces: tuple[Sequence[str], str]) -> list[Text]:
    """Three rows each of several pieces and their styles, side by side."""
    from rich.text import Text

    rows = []
    for row in range(3):
        text = Text()
        for piece, style in pieces:
            text.append(piece[row], style)
        rows.append(text)
    return rows


def draw_cards(out: Console, scene: Scene) -> None:
    """The table with cards, all but the person's own, which are drawn where they are chosen."""
    from rich.rule import Rule
    from rich.text import Text

    view, other = scene.view, 1 - scene.seat
    head = Text(plain(headline(scene)), style="bold")
    out.print(Rule(head, align="left", style="dim") if head.cell_len < out.width - 1 else head)
    known = [(card_rows(card), SUIT_STYLES[card[1]]) for card in view.hands[other]]
    rows = _beside((_back_rows(view.hidden[other]), "cyan"), *known)
    level = level_name(scene.level)
    who = name_of(other, scene)
    beside = [Text(f"{who} ({level})", style="bold"), Text(_stand(view, other)), _lacks_text(view, other)]
    _print_rows(out, rows, beside, 36)
    facedown = (_back_rows(view.facedown), "cyan")
    turned = (card_rows(view.turned), SUIT_STYLES[view.turned[1]]) if view.turned else (["", "", ""], "")
    pieces = [facedown] if view.closer is not None else [facedown, turned]
    if view.led is not None:
        rows = _beside(
            *pieces, (["      "] * 3, ""), (card_rows(view.led), f"bold {SUIT_STYLES[view.led[1]]}")
        )
    else:
        rows = _beside(*pieces)
    talon = Text(plain(_("talon: {words}").format(words=_talon_words(scene))))
    trumps = Text(_trump_words(view), style=SUIT_STYLES[view.trump])
    _print_rows(out, rows, [talon, trumps, Text(plain(on_table(scene)), style="bold")], 36)
    trick = last_trick(scene)
    if trick:
        out.print(Text(plain(_("last trick: {words}").format(words=trick)), style="dim"))
    out.print(
        Text(name_of(scene.seat, scene), style="bold").append(f"  {_stand(view, scene.seat)}", "not bold")
    )


def _lacks_text(view: Position, player: int) -> Text:
    from rich.text import Text

    lacks = view.known[2 * player + 1]
    if not lacks:
        return Text()
    return Text(_("none of {cards}").format(cards=" ".join(map(card_face, lacks))), style="dim")


def _print_rows(out: Console, rows: list[Text], beside: list[Text], width: int) -> None:
    """Three rows of cards, and what is said of them beside them, where there is room, or else below."""
    need = max(text.cell_len for text in beside)
    cards = max(row.cell_len for row in rows) + 2
    at = max(cards, width) if max(cards, width) + need <= out.width else cards
    if at + need > out.width:
        for row in (*rows, *filter(None, beside)):
            out.print(row)
        return
    for row, text in zip(rows, beside, strict=True):
        row.pad_right(at - row.cell_len)
        out.print(row.append_text(text), no_wrap=True)


# ---------------------------------------------------------------- the end of a hand


def draw_ending(out: Console, game: Game, scene: Scene) -> None:
    """How the hand ended and came about, with all cards open."""
    from rich.table import Table
    from rich.text import Text

    position = game.position
    outcome = position.outcome
    assert outcome is not None
    out.print()
    out.print(plain(_("Hand {number} is over.").format(number=scene.hand_number)), style="bold")
    out.print(plain(_how(position, outcome, scene)))
    out.print(plain(_scored(outcome, scene)), style="bold")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column()
    grid.add_column()
    for player in (1 - scene.seat, scene.seat):
        cards = _faces(position.hands[player]) if position.hands[player] else Text(_("no cards left"))
        grid.add_row(name_of(player, scene), cards, _stand(position, player))
    if position.talon:
        lying = _faces(position.talon)
        if position.turned is not None:
            lying.append(" ").append_text(_faces((position.turned,)))
        grid.add_row(_("Talon"), lying, "")
    out.print(grid)


def _faces(cards: Sequence[str]) -> Text:
    from rich.text import Text

    return Text(" ").join(Text(card_face(card), style=SUIT_STYLES[card[1]]) for card in cards)


def _how(position: Position, outcome: Outcome, scene: Scene) -> str:
    """Why the hand is over, in a sentence."""
    reason, winner = outcome.reason, outcome.winner
    target = position.rules.target
    if winner is None:
        return _("All cards are played and nobody has {target}.").format(target=target)
    if reason in ("wrong call", "closing failed"):
        loser = 1 - winner
        you = loser == scene.seat
        if reason == "wrong call":
            text = (
                _("You called {target} with only {points}.")
                if you
                else _("{player} called {target} with only {points}.")
            )
        else:
            text = (
                _("You closed the talon and were not the first to {target}.")
                if you
                else _("{player} closed the talon and was not the first to {target}.")
            )
        return text.format(
            player=name_of(loser, scene), target=target, points=points_phrase(position.points[loser])
        )
    texts = {
        "call": (_("You called {target} with {points}."), _("{player} called {target} with {points}.")),
        "reached": (_("You have reached {target}: {points}."), _("{player} has reached {target}: {points}.")),
        "played out": (
            _("All cards are played and you have {points}."),
            _("All cards are played and {player} has {points}."),
        ),
        "last trick": (
            _("All cards are played and you took the last trick."),
            _("All cards are played and {player} took the last trick."),
        ),
    }
    yours, theirs = texts[reason]
    return (yours if winner == scene.seat else theirs).format(
        player=name_of(winner, scene), target=target, points=points_phrase(position.points[winner])
    )


def _scored(outcome: Outcome, scene: Scene) -> str:
    if outcome.winner is None:
        return _("Nobody scores; the same player deals again.") if scene.is_match else _("Nobody scores.")
    points = game_points_phrase(outcome.game_points)
    if outcome.winner == scene.seat:
        return _("You score {game_points}.").format(game_points=points)
    return _("{player} scores {game_points}.").format(
        player=name_of(outcome.winner, scene), game_points=points
    )


def draw_score(out: Console, game: Game, scene: Scene) -> None:
    """The score, and what each hand brought."""
    from rich.table import Table

    out.print(plain(headline(scene)), style="bold")
    if not game.hands:
        return
    grid = Table.grid(padding=(0, 2))
    for _column in range(4):
        grid.add_column(justify="right")
    grid.add_row(_("hand"), name_of(scene.seat, scene), name_of(1 - scene.seat, scene), "", style="dim")
    totals = [0, 0]
    for number, hand in enumerate(game.hands, 1):
        if hand.outcome.winner is not None:
            totals[hand.outcome.winner] += hand.outcome.game_points
        reason = pgettext("reason", hand.outcome.reason)
        grid.add_row(str(number), str(totals[scene.seat]), str(totals[1 - scene.seat]), reason)
    out.print(grid)


def draw_match_end(out: Console, game: Game, scene: Scene) -> None:
    mine, theirs = game.score[scene.seat], game.score[1 - scene.seat]
    text = _("You win the match {mine}:{theirs}.")
    if game.winner != scene.seat:
        text = _("{player} wins the match {theirs}:{mine}.")
    out.print()
    out.print(
        plain(text.format(player=name_of(1 - scene.seat, scene), mine=mine, theirs=theirs)), style="bold"
    )


# ---------------------------------------------------------------- the hint


def draw_hint(out: Console, analysis: Analysis) -> None:
    """The analysis of what the person knows, the best first."""
    from rich.table import Table
    from rich.text import Text

    view = analysis.position
    matched = not math.isnan(analysis.actions[analysis.best].match)
    narrow = out.width < 60
    grid = Table.grid(padding=(0, 1 if narrow else 2))
    grid.add_column(overflow="fold")
    for _column in range(3):
        grid.add_column(justify="right", overflow="fold")
    heads = ["", _("game points"), plain("±"), _("wins the hand")]
    if matched:
        grid.add_column(justify="right", overflow="fold")
        heads.append(_("wins the match"))
    grid.add_row(*heads, style="dim")
    phrases = dict(other_actions(view))
    ranked = sorted(
        analysis.actions.items(),
        key=lambda item: (item[0] != analysis.best, math.isnan(item[1].mean), -item[1].mean),
    )
    for action, estimate in ranked:
        best = action == analysis.best
        words = phrases.get(action) or card_face(action)
        style = f"{'bold ' if best else ''}{SUIT_STYLES[action.suit] if action.suit else ''}".strip()
        shares = [estimate.win] + ([estimate.match] if matched else [])
        grid.add_row(
            Text(plain(f"{'› ' if best else '  '}{words}"), style=style),
            value_text(estimate.mean),
            f"{Number(estimate.stderr):.2f}" if math.isfinite(estimate.stderr) else plain("–"),
            *("–" if math.isnan(share) else f"{100 * share:.0f} %" for share in shares),
        )
    out.print(grid)
    how = _("exact: nothing that matters is hidden any more")
    if analysis.actions[analysis.best].kind in ("at least", "ahead") and view.phase == "closed":
        how = ngettext(
            "on what you know, from the one hand that the other may hold",
            "on what you know, from all {number:,} hands that the other may hold",
            analysis.worlds,
        ).format(number=Count(analysis.worlds))
    elif not analysis.exact:
        how = ngettext(
            "on what you know, from {number:,} sampled deal of the hidden cards",
            "on what you know, from {number:,} sampled deals of the hidden cards",
            analysis.worlds,
        ).format(number=Count(analysis.worlds))
    out.print(how, style="dim")
