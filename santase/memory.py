"""Hands as somebody remembers them: the form of a record in which cards may be unknown.

Whoever writes a hand down from memory knows one player's cards and what lay
open on the table. So in this form of the record (the full one is described in
``santase.record``)

* the deal may be a view: one hand whole, ``+6`` for the other, ``?11`` for the
  talon;
* ``?`` in place of a card that was played is one that nobody remembers;
* a trick may tell what was drawn after it: ``draws: 9S ?``, the winner's card
  first, ``?`` for a card that is not known. Left out, neither is known;
* a hand may break off, and say its result all the same.

::

    hand 1: 1 deals
    deal: santase AQ.Q.AT.J +6 ?11 JD ... 0 0/0 0/0 0/0 -
     1. 0: QH   1: KH   1 takes: 0/7   draws: ? 9S
     2. 1: TS   0: ?    1 takes

What is left out is found where only one card fits: it is tried in every way
that agrees with the rest of the record (who took the trick and the points
after it, who led next, the cards played later), and what is the same in all of
them is known. The rules are those of ``Position``: each way is played.

What each player saw is kept apart from what came to light later: no position
in ``Step.view`` tells a card that its player could not know.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from santase._core import Outcome, Position, deal, hand_seed
from santase.actions import Action
from santase.cards import CARDS, SUITS, parse_card
from santase.errors import IllegalActionError, RecordError, SantaseError
from santase.game import Game, check_deal
from santase.record import LineReader, trick_words
from santase.rules import Rules

_MOST_WAYS = 500
"""So many ways to fill in what is unknown are followed; with more the rest of the hand stays unknown."""


@dataclass(frozen=True)
class Step:
    """One action of a hand, and what the record tells of the moment before it."""

    player: int
    action: Action | None
    """What was done; ``None`` for a card that is not known."""
    trick: int
    """The number of the trick, the first being 1."""
    views: tuple[Position | None, Position | None]
    """What player 0 and player 1 knew; ``None`` where the record does not tell all of it."""
    full: Position | None
    """The position with all cards open; ``None`` where the record does not tell all of them. After a
    closing the face-down cards, which nobody draws, may stand in any order."""

    @property
    def view(self) -> Position | None:
        """What the player who acted knew."""
        return self.views[self.player]


@dataclass(frozen=True)
class RememberedHand:
    """A hand of a record, complete or not."""

    number: int
    dealer: int
    steps: tuple[Step, ...]
    outcome: Outcome | None
    """How it ended; ``None`` where the record breaks off without saying."""

    def history(self, index: int) -> list[tuple[Position, Action]] | None:
        """What the other player had done before a step, as ``analyze`` takes it; ``None`` where the
        record does not tell all of it."""
        player = self.steps[index].player
        pairs = []
        for step in self.steps[:index]:
            if step.player == player:
                continue
            seen = step.views[player]
            if seen is None or step.action is None:
                return None
            pairs.append((seen, step.action))
        return pairs


@dataclass(frozen=True)
class Recollection:
    """All hands of a record, as far as it tells them."""

    rules: Rules
    is_match: bool
    players: tuple[str, str] | None
    hands: tuple[RememberedHand, ...]

    @property
    def score(self) -> tuple[int, int]:
        """Game points of player 0 and player 1 in all hands whose end is known."""
        score = [0, 0]
        for hand in self.hands:
            if hand.outcome is not None and hand.outcome.winner is not None:
                score[hand.outcome.winner] += hand.outcome.game_points
        return score[0], score[1]


def recall(record: Game | str) -> Recollection:
    """What a game, or a record's text with or without unknown cards, tells of each action.

    Raises ``RecordError``, which names the line and says why.
    """
    if isinstance(record, Game):
        return _of_game(record)
    if not isinstance(record, str):
        raise TypeError(f"a Game or a record's text is needed, not {type(record).__name__}")
    if not _leaves_open(record):
        return _of_game(Game.loads(record))
    reader = _Reader()
    reader.read_lines(record)
    return Recollection(reader.rules, reader.match, reader.players, tuple(reader.hands))


def load(path: str | os.PathLike[str]) -> Recollection:
    """Read a record, with or without unknown cards, from a file; raises ``RecordError`` and ``OSError``."""
    return recall(read_text(path))


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file that is to be a record; raises ``RecordError`` and ``OSError``."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError("not text in UTF-8", data.count(b"\n", 0, error.start) + 1) from None


def _leaves_open(text: str) -> bool:
    """Whether a record says, or could say, that something is unknown; the reader of such can read all."""
    lines = [line.partition("#")[0].strip() for line in re.split(r"\r\n|\r|\n", text)]
    return any("?" in line or "draws" in line or re.match(r"deal\s*:.*\+[0-9]", line) for line in lines)


def _of_game(game: Game) -> Recollection:
    hands = []
    played = [(hand.deal, hand.actions) for hand in game.hands]
    if game.position.outcome is None:
        played.append((game.deal, game.actions))
    for number, (position, actions) in enumerate(played, 1):
        dealer = 1 - position.leader
        steps = []
        for action in actions:
            trick = sum(position.tricks) + 1
            steps.append(
                Step(position.to_move, action, trick, (position.view(0), position.view(1)), position)
            )
            position = position.play(action)
        hands.append(RememberedHand(number, dealer, tuple(steps), position.outcome))
    return Recollection(game.rules, game.is_match, game.players, tuple(hands))


# ---------------------------------------------------------------- reading


@dataclass
class _Event:
    """An action as it is written."""

    line: int
    player: int
    action: Action | None
    """``None`` for a card that nobody remembers."""
    trick: int
    ends_trick: bool = False
    taker: int | None = None
    points: tuple[int, int] | None = None
    draws: tuple[str | None, str | None] = (None, None)
    """The winner's card and the loser's."""


@dataclass
class _Written:
    """A hand as it is written."""

    number: int
    dealer: int
    dealt: Position | None = None
    events: list[_Event] = field(default_factory=list)
    result: Outcome | None = None
    seen: set[str] = field(default_factory=set)
    """Which of deal, result and score it has had."""


_RESULT = re.compile(r"([01]) wins ([1-9])(?: \(([a-z ]+)\))?")
_TAKES = re.compile(r"([01]) takes:?(?: ([0-9]{1,3})/([0-9]{1,3}))?")


class _Reader(LineReader):
    """Reads a record in which cards may be unknown."""

    def __init__(self) -> None:
        super().__init__()
        self.hands: list[RememberedHand] = []
        self.written: _Written | None = None
        self.score: list[int] = [0, 0]

    def read_hand(self, hand: int, dealer: int, number: int) -> None:
        if self.begun:
            before = self.complete()
            if before.outcome is None:
                raise SantaseError(f"hand {before.number} has no end and no result, so no other begins")
            if not self.match:
                raise SantaseError("this is the record of one hand, there is no other")
            if max(self.score) >= self.rules.match_target:
                raise SantaseError("the match is won, there is no other hand")
            right = before.dealer if before.outcome.winner is None else before.outcome.winner
            if dealer != right:
                raise SantaseError(f"hand {hand}: player {right} deals this one")
        if hand != len(self.hands) + 1:
            raise SantaseError(f"hand {hand}: this is hand {len(self.hands) + 1}")
        self.written = _Written(hand, dealer)

    @property
    def on_table(self) -> _Written:
        if self.written is None:
            raise SantaseError("no hand has begun")
        return self.written

    def read_deal(self, value: str) -> None:
        hand = self.on_table
        if hand.events or "deal" in hand.seen:
            raise SantaseError("deal: it stands right after the line that begins a hand")
        hand.seen.add("deal")
        dealt = Position.parse(value)
        check_deal(dealt, self.rules, hand.dealer, hidden=True)
        hand.dealt = dealt
        self.deal_from_seed(hand)

    def deal_from_seed(self, hand: _Written) -> None:
        if self.seed is not None:
            right = deal(hand_seed(self.seed, hand.number), self.rules, leader=1 - hand.dealer)
            if hand.dealt is not None and hand.dealt not in (right, right.view(0), right.view(1)):
                raise SantaseError(f"deal: hand {hand.number} of seed {self.seed} is {right}")
            hand.dealt = right
        elif hand.dealt is None:
            raise SantaseError(f"deal: hand {hand.number} must be given, for there is no seed")

    def read_trick(self, trick: int, text: str, number: int) -> None:
        hand = self.on_table
        self.deal_from_seed(hand)
        if "result" in hand.seen:
            raise SantaseError("the hand is over, there is no other trick")
        tricks = sum(event.ends_trick for event in hand.events)
        if hand.events and not hand.events[-1].ends_trick:
            raise SantaseError(f"trick {tricks + 1} has begun on an earlier line: write it on one")
        if trick != tricks + 1:
            raise SantaseError(f"this is trick {tricks + 1}, not {trick}")
        words = trick_words(text)
        draws, words = _cut(words, "draws", 0)
        taken, words = _cut(words, "takes", 1)
        events = _events_of(words, trick, number)
        if not events:
            raise SantaseError(f"nothing is done in trick {trick}")
        last = events[-1]
        if (taken or draws) and not last.ends_trick:
            raise SantaseError("nobody takes the trick, for it has no reply")
        if taken:
            told = _TAKES.fullmatch(" ".join(taken))
            if not told:
                raise SantaseError(f"{' '.join(taken)!r} is not in the form '0 takes: 23/10'")
            last.taker = int(told[1])
            last.points = (int(told[2]), int(told[3])) if told[2] else None
        if draws:
            if len(draws) != 3:
                raise SantaseError("draws: two cards are needed, the winner's and the loser's, ? for unknown")
            first, second = (None if word == "?" else CARDS[parse_card(word)] for word in draws[1:])
            last.draws = first, second
        hand.events += events

    def read_result(self, key: str, value: str) -> None:
        hand = self.on_table
        self.deal_from_seed(hand)
        if key in hand.seen:
            raise SantaseError(f"{key} is there twice")
        hand.seen.add(key)
        text = " ".join(value.split())
        if key == "result":
            told = _RESULT.fullmatch(text)
            if told:
                hand.result = Outcome(int(told[1]), int(told[2]), told[3] or "")
            elif text == "void":
                hand.result = Outcome(None, 0, "void")
            else:
                raise SantaseError(f"result: {text!r} is not in the form '0 wins 2 (call)'")
            self.complete()
            return
        before = self.complete()
        if before.outcome is None:
            raise SantaseError(f"{key}: hand {before.number} is not over")
        right = f"{self.score[0]}-{self.score[1]}"
        if text != right:
            raise SantaseError(f"{key}: it is {right!r} by the results, not {text!r}")

    def complete(self) -> RememberedHand:
        """Work out the hand on the table, once."""
        hand = self.written
        if hand is not None and len(self.hands) < hand.number:
            self.deal_from_seed(hand)
            self.hands.append(_work_out(hand))
            outcome = self.hands[-1].outcome
            if outcome is not None and outcome.winner is not None:
                self.score[outcome.winner] += outcome.game_points
        return self.hands[-1]

    def finish(self, number: int) -> None:
        self.complete()


def _cut(words: list[str], key: str, before: int) -> tuple[list[str], list[str]]:
    """Take off the end of a line, from ``before`` words before a key word on."""
    for word in (key, f"{key}:"):
        if word in words:
            at = max(words.index(word) - before, 0)
            return words[at:], words[:at]
    return [], words


def _events_of(words: list[str], trick: int, number: int) -> list[_Event]:
    events: list[_Event] = []
    marked: int | None = None
    plays = 0
    for word in words:
        if word in ("0:", "1:"):
            marked = int(word[0])
            continue
        action = None if word == "?" else Action(word)
        if marked is None:
            raise SantaseError(f"{word}: it does not say who does it")
        if plays == 2:
            raise SantaseError(f"{word}: trick {trick} is complete, the next is a line of its own")
        plays += action is None or action.kind == "play"
        events.append(_Event(number, marked, action, trick, ends_trick=plays == 2))
    return events


# ---------------------------------------------------------------- one way to fill in the unknown


class _Link(NamedTuple):
    """An action in one way, the position before it, and what happened before."""

    position: Position
    action: Action
    before: _Link | None


class _Way(NamedTuple):
    """One way in which a hand may have gone so far, as the player whose cards are known saw it."""

    position: Position
    past: _Link | None


def _deck(rules: Rules) -> list[str]:
    return [card for card in CARDS if card[0] in rules.ranks and card[1] in rules.suits]


def _hand_field(cards: Sequence[str] | set[str]) -> str:
    """Cards in the form of the notation."""
    return ".".join(
        "".join(card[0] for card in reversed(CARDS) if card in cards and card[1] == suit)
        for suit in reversed(SUITS)
    )


def _unseen(position: Position) -> list[str]:
    """The cards that have no place in a position."""
    seen = {*position.hands[0], *position.hands[1], *position.played, *(position.talon or ())}
    seen |= {card for card in (position.turned, position.led) if card is not None}
    return [card for card in _deck(position.rules) if card not in seen]


def _with(position: Position, other: int, held: Sequence[str], talon: Sequence[str]) -> Position:
    """A position with all cards placed; raises ``NotationError``."""
    fields = str(position).split(" ")
    fields[1 + other] = _hand_field(held)
    fields[3] = "".join(talon) or "-"
    return Position.parse(" ".join(fields))


def _world(
    view: Position, other: int, needed: set[str], drawn: str | None, barred: Sequence[str] = ()
) -> Position | None:
    """A full position that agrees with a view, in which the other holds what is needed and nothing that
    is barred, and a card that is drawn next lies face down; ``None`` if there is none."""
    known = set(view.hands[other])
    lacks = set(view.known[2 * other + 1])
    unseen = _unseen(view)
    wanted = needed - known
    number = view.hidden[other] - len(wanted)
    if number < 0 or not wanted <= set(unseen) - lacks or (drawn is not None and drawn not in unseen):
        return None
    free = [c for c in unseen if c not in wanted and c not in lacks and c not in barred and c != drawn]
    if len(free) < number:
        return None
    held = known | wanted | set(free[:number])
    return _with(view, other, sorted(held), [card for card in unseen if card not in held])


def _draws(before: Position, after: Position) -> bool:
    """Whether cards were drawn between two positions."""
    return after.facedown < before.facedown


def _play(view: Position, action: Action, drawn: str | None, viewer: int) -> Position:
    """What a player sees after an action; ``drawn`` is the face-down card that this player draws, if any.

    Raises ``IllegalActionError`` for what cannot have been done.
    """
    if view.is_full:
        return view.play(action)
    mover = view.to_move
    draws = view.led is not None and view.phase == "open"
    if mover == viewer and not draws:
        return view.play(action)
    other = 1 - viewer
    needed: set[str] = set()
    if mover == other:
        if action.card is not None:
            needed = {action.card}
        elif action.kind == "marriage":
            needed = {f"K{action.suit}", f"Q{action.suit}"}
        elif action.kind == "exchange":
            needed = {view.rules.exchange_rank + view.trump}
    barred: list[str] = []
    while world := _world(view, other, needed, drawn, barred):
        try:
            after = world.play(action)
        except IllegalActionError:
            # what must be played in place of this card cannot be in the hand with it
            must = [card for card in world.legal_actions() if card not in view.hands[mover]]
            if mover == viewer or not must:
                raise
            barred += must
            continue
        if drawn is not None and _draws(world, after):
            talon = [card for card in world.talon or () if card != drawn]
            talon.insert(0 if after.leader == viewer else 1, drawn)
            after = world.with_talon(talon).play(action)
        return after.view(viewer)
    raise IllegalActionError(
        f"{action}: player {mover} must have played another card"
        if barred
        else f"{action}: player {mover} cannot hold it"
    )


# ---------------------------------------------------------------- all ways


def _work_out(hand: _Written) -> RememberedHand:
    """Find what is known at each action of a hand; raises ``SantaseError``, where it can with the line."""
    assert hand.dealt is not None
    dealt = hand.dealt
    viewer = 1 if dealt.hidden[0] else 0
    start, whole = _seen_deal(dealt, viewer)
    ways = [_Way(start, None)]
    told = len(hand.events)
    for index, event in enumerate(hand.events):
        after, problem = _follow(hand.events, index, ways, viewer)
        if not after:
            raise RecordError(problem, event.line)
        if len(after) > _MOST_WAYS:
            told = index
            break
        ways = after
    complete = told == len(hand.events)
    if complete:
        ways, problem = _ending_right(hand, ways)
        if not ways:
            raise SantaseError(problem)
    pasts = [_Past(way, viewer, whole, hand.events) for way in ways]
    steps = []
    for index, event in enumerate(hand.events):
        if index >= told:
            steps.append(Step(event.player, event.action, event.trick, (None, None), None))
            continue
        actions = {past.links[index].action for past in pasts}
        views: _Views = (None, None)
        full = None
        if len({past.links[index].position for past in pasts}) == 1:
            moments = {past.moment(index) if complete else past.moment_seen(index) for past in pasts}
            views = _common(moment[0][0] for moment in moments), _common(moment[0][1] for moment in moments)
            full = _common(moment[1] for moment in moments)
        action = actions.pop() if len(actions) == 1 else None
        steps.append(Step(event.player, action, event.trick, views, full))
    outcomes = {way.position.outcome for way in ways} if complete else {None}
    outcome = outcomes.pop() if len(outcomes) == 1 else None
    return RememberedHand(hand.number, hand.dealer, tuple(steps), outcome or hand.result)


def _common(positions: Iterable[Position | None]) -> Position | None:
    """The position, if it is the same in all ways."""
    found = set(positions)
    return found.pop() if len(found) == 1 else None


def _seen_deal(dealt: Position, viewer: int) -> tuple[Position, tuple[str, ...] | None]:
    """The deal as its player saw it, or as it is when it is full; and the other's hand, if it is given."""
    other = 1 - viewer
    whole = None if dealt.hidden[other] else dealt.hands[other]
    if dealt.is_full:
        return dealt, whole
    # what the record knows of the other's hand the player did not know then
    world = _world(dealt, other, set(), None)
    assert world is not None
    return world.view(viewer), whole


def _follow(events: list[_Event], index: int, ways: list[_Way], viewer: int) -> tuple[list[_Way], str]:
    """All ways that go on with an event; and, if there are none, why."""
    event = events[index]
    problem = ""
    found: list[_Way] = []
    for way in ways:
        position = way.position
        try:
            if position.is_over:
                raise SantaseError(f"{event.action or '?'}: the hand is over")
            if position.to_move != event.player:
                raise SantaseError(
                    f"{event.action or '?'}: player {position.to_move} is to move, not {event.player}"
                )
            actions = [event.action] if event.action else _candidates(position, viewer, events, index)
        except SantaseError as error:
            problem = problem or str(error)
            continue
        for action in actions:
            try:
                afters = list(_afters(position, action, events, index, viewer))
            except SantaseError as error:
                problem = problem or str(error)
                continue
            found += [_Way(after, _Link(position, action, way.past)) for after in afters]
        if len(found) > _MOST_WAYS:
            break
    return found, problem or "no card fits here with the rest of the record"


def _candidates(position: Position, viewer: int, events: list[_Event], index: int) -> list[Action]:
    """The cards that one which nobody remembers may have been."""
    mover = position.to_move
    later = {event.action for event in events[index + 1 :] if event.action}
    if mover == viewer or position.is_full:
        cards = [action for action in position.legal_actions() if action.kind == "play"]
    elif not position.hidden[mover]:
        cards = [Action(card) for card in position.hands[mover]]
    else:
        lacks = set(position.known[2 * mover + 1])
        cards = [Action(card) for card in (*position.hands[mover], *_unseen(position)) if card not in lacks]
    return [card for card in cards if card not in later]


def _afters(
    position: Position, action: Action, events: list[_Event], index: int, viewer: int
) -> Iterator[Position]:
    """What the player may see after an action that agrees with what is written of its trick."""
    event = events[index]
    after = _play(position, action, None, viewer)
    if not event.ends_trick:
        yield after
        return
    if sum(after.tricks) == sum(position.tricks):
        raise SantaseError(f"{action}: this is no reply")
    _check_taken(event, after)
    if not _draws(position, after):
        if event.draws != (None, None):
            raise SantaseError("draws: nothing is drawn after this trick")
        yield after
        return
    mine = 0 if after.leader == viewer else 1
    last = position.facedown == 1
    if last and event.draws[1] not in (None, position.turned):
        raise SantaseError(f"draws: the loser takes the turned card, {position.turned}")
    if position.talon is not None and position.is_full:
        right = position.talon[0], position.turned if last else position.talon[1]
        if any(told not in (None, drawn) for told, drawn in zip(event.draws, right, strict=True)):
            raise SantaseError(f"draws: it is {right[0]} {right[1]} by the deal")
        yield after
        return
    theirs = event.draws[1 - mine]
    if theirs is not None and (theirs == action or theirs not in (*_unseen(position), position.turned)):
        raise SantaseError(f"draws: {theirs} cannot have been drawn by player {1 - viewer}")
    if last and mine == 1:
        yield after
        return
    drawn = event.draws[mine]
    if drawn is not None and (drawn == action or drawn not in _unseen(position)):
        raise SantaseError(f"draws: {drawn} cannot have been drawn by player {viewer}")
    cards = [drawn] if drawn is not None else _drawable(position, events, index, theirs)
    problem: SantaseError | None = None
    for card in cards:
        try:
            seen = _play(position, action, card, viewer)
        except SantaseError as error:
            problem = error
            continue
        if card not in seen.hands[viewer]:
            problem = SantaseError(f"draws: {card} cannot have been drawn by player {viewer}")
            continue
        if drawn is not None or _may_hold(seen, events, index, viewer):
            yield seen
    if problem is not None and len(cards) == 1:
        raise problem


def _check_taken(event: _Event, after: Position) -> None:
    if event.taker is not None and after.leader != event.taker:
        raise SantaseError(f"by the cards player {after.leader} takes the trick, not {event.taker}")
    if event.points is not None and after.points != event.points:
        raise SantaseError(
            f"by the actions the points are {after.points[0]}/{after.points[1]},"
            f" not {event.points[0]}/{event.points[1]}"
        )


def _drawable(position: Position, events: list[_Event], index: int, theirs: str | None) -> list[str]:
    """The cards that the player whose cards are known may have drawn, where that is not written."""
    taken = {card for event in events[index + 1 :] for card in event.draws} | {theirs}
    # the other plays none of them later, except for the card of an exchange, which changes hands
    other = events[index].player if position.hidden[events[index].player] else 1 - events[index].player
    swapped = position.rules.exchange_rank + position.trump
    gone = {
        event.action for event in events[index + 1 :] if event.player == other and event.action != swapped
    }
    return [card for card in _unseen(position) if card not in taken and card not in gone]


def _may_hold(seen: Position, events: list[_Event], index: int, viewer: int) -> bool:
    """Whether the player's hand can be the one from which the rest is played: not more cards in it that
    are not named later than are played unnamed, or left at the end."""
    later = events[index + 1 :]
    mine = [event for event in later if event.player == viewer]
    plays = [event for event in mine if event.action is None or event.action.kind == "play"]
    closing = next((n for n, event in enumerate(later) if event.action == "close"), len(later))
    tricks = sum(event.ends_trick for event in later[:closing])
    draws = min(tricks, (seen.facedown + 1) // 2)
    named: set[str] = set()
    for event in mine:
        if event.action is None:
            continue
        if event.action.kind == "marriage":
            named |= {f"K{event.action.suit}", f"Q{event.action.suit}"}
        elif event.action.kind == "exchange":
            named.add(seen.rules.exchange_rank + seen.trump)
        elif event.action.card:
            named.add(event.action.card)
    unnamed = sum(card not in named for card in seen.hands[viewer])
    left = len(seen.hands[viewer]) + draws - len(plays)
    return unnamed <= sum(event.action is None for event in plays) + left


def _ending_right(hand: _Written, ways: list[_Way]) -> tuple[list[_Way], str]:
    """The ways that end as the record says; and, if there are none, why."""
    if hand.result is None:
        return ways, ""
    right: list[_Way] = []
    problem = ""
    for way in ways:
        outcome = way.position.outcome
        if (
            outcome is not None
            and outcome[: 3 if hand.result.reason else 2] != hand.result[: 3 if hand.result.reason else 2]
        ):
            problem = f"result: by the actions player {outcome.winner} wins {outcome.game_points}"
            problem = (
                "result: the hand is void" if outcome.winner is None else f"{problem} ({outcome.reason})"
            )
        else:
            right.append(way)
    return right, problem


# ---------------------------------------------------------------- what is known at a moment


_Views = tuple[Position | None, Position | None]


class _Gain(NamedTuple):
    """What comes into and leaves the other player's hand with an action."""

    gets: str | None = None
    gives: str | None = None
    unknown: bool = False
    """A card comes in that is not known."""


class _Past:
    """One way in which a hand went, to be asked what is known at its moments."""

    def __init__(self, way: _Way, viewer: int, whole: tuple[str, ...] | None, events: list[_Event]) -> None:
        self.viewer = viewer
        self.other = 1 - viewer
        self.whole = whole
        self.links: list[_Link] = []
        link = way.past
        while link is not None:
            self.links.append(link)
            link = link.before
        self.links.reverse()
        self.events = events[: len(self.links)]
        self.positions = [link.position for link in self.links] + [way.position]
        self.gains = [self.gain(index) for index in range(len(self.links))]

    def moment_seen(self, index: int) -> tuple[_Views, Position | None]:
        """What both players knew, and the full position, as far as the player's own view tells."""
        position = self.positions[index]
        if position.is_full:
            return (position.view(0), position.view(1)), position
        return ((None, position) if self.viewer else (position, None)), None

    def moment(self, index: int) -> tuple[_Views, Position | None]:
        """The same, from all that the record tells."""
        position = self.positions[index]
        if position.phase == "closed":
            # what play shows that the player lacks is not in that player's own view, so all
            # is played again from the closing on
            closing = next(n for n, before in enumerate(self.positions) if before.phase == "closed")
            world = self.world(closing)
            if world is None:
                return self.moment_seen(index)
            for link in self.links[closing:index]:
                world = world.play(link.action)
            return (world.view(0), world.view(1)), world
        world = None if position.is_full else self.world(index)
        if world is None:
            return self.moment_seen(index)
        rest = [card for card in _unseen(position) if card not in world.hands[self.other]]
        talon = self.talon(index, rest)
        return (world.view(0), world.view(1)), None if talon is None else world.with_talon(talon)

    def world(self, index: int) -> Position | None:
        """Both hands at a moment, and the face-down cards in any order, as far as all that the record
        tells gives the other's hand."""
        position, other = self.positions[index], self.other
        if position.is_full:
            return position
        for held in (self.held_before(index), self.held_after(index)):
            if held is None or len(held) != len(position.hands[other]) + position.hidden[other]:
                continue
            rest = [card for card in _unseen(position) if card not in held]
            with contextlib.suppress(SantaseError):
                return _with(position, other, sorted(held), rest)
        return None

    def gain(self, index: int) -> _Gain:
        before, after = self.positions[index], self.positions[index + 1]
        action = self.links[index].action
        mine = before.to_move == self.other
        if action.kind == "exchange":
            return _Gain(gets=before.turned, gives=after.turned) if mine else _Gain()
        gives = action.card if mine else None
        if not _draws(before, after):
            return _Gain(gives=gives)
        place = 0 if after.leader == self.other else 1
        last = before.facedown == 1 and place == 1
        gets = before.turned if last else self.events[index].draws[place]
        return _Gain(gets, gives, gets is None)

    def held_before(self, index: int) -> set[str] | None:
        """The other's hand from the deal on, if all that came into it is known."""
        if self.whole is None or any(gain.unknown for gain in self.gains[:index]):
            return None
        held = set(self.whole)
        for gain in self.gains[:index]:
            held -= {gain.gives} if gain.gives else set()
            held |= {gain.gets} if gain.gets else set()
        return held

    def held_after(self, index: int) -> set[str] | None:
        """The other's hand from the end back, if all that has come into it since is known.

        The end is the first moment at which counting tells the hand, or else that of the record.
        """
        known = next(
            (n for n in range(index, len(self.positions)) if not self.positions[n].hidden[self.other]), None
        )
        if known is None or any(gain.unknown for gain in self.gains[index:known]):
            return None
        held = set(self.positions[known].hands[self.other])
        for gain in reversed(self.gains[index:known]):
            held -= {gain.gets} if gain.gets else set()
            held |= {gain.gives} if gain.gives else set()
        return held

    def talon(self, index: int, rest: list[str]) -> list[str] | None:
        """The face-down cards in the order in which they were drawn, if that is known."""
        talon: list[str] = []
        for n in range(index, len(self.events)):
            before, after = self.positions[n], self.positions[n + 1]
            if not _draws(before, after):
                continue
            for place in (0,) if before.facedown == 1 else (0, 1):
                drawer = after.leader if place == 0 else 1 - after.leader
                card = self.gains[n].gets if drawer == self.other else None
                if drawer == self.viewer:
                    (card,) = set(after.hands[drawer]) - set(before.hands[drawer])
                if card is None:
                    return None
                talon.append(card)
        left = [card for card in rest if card not in talon]
        # the order of those that were never drawn is not known
        return talon + left if len(left) < 2 else None
