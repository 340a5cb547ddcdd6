"""Games against the computer, whose state the page keeps.

The server keeps no game. The *state* of a game is what both have done, public
anyway, and how to deal: a number from which, with the server's key, comes the
seed of the deals. It is signed with the key. So the page may keep it as long as
it likes, a reload or another start of the server with the same key loses
nothing, any number of games takes no memory here; and whoever looks into it
finds no card of the computer's, nor can make up a play of the computer's to
see whether it is legal.

The computer is handed its own view, like any player of the arena.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
from dataclasses import dataclass
from typing import Any

from santase._core import Position
from santase._players import mix_seed
from santase.actions import Action
from santase.errors import IllegalActionError, SantaseError
from santase.game import Game
from santase.language import _
from santase.players import LEVELS, Player, make_player
from santase.reasons import reason_for
from santase.rules import RULES, rules_of
from santase.web.table import outcome_json, position_json

HUMAN, COMPUTER = 0, 1
History = list[tuple[Position, Action]]

_MOST_STATE = 40_000  # characters
_VERSION = 1
_SIGNATURE = 16  # bytes


class StateError(SantaseError):
    """What was sent is no state of a game that this server has signed."""


@dataclass
class Table:
    """A game against the computer; the person is player 0."""

    rules: str
    match: bool
    level: str
    dealer: int
    nonce: str
    """From which, and the key, the deals come."""
    hands: list[list[Action]]
    """What has been done in each hand."""
    undone: int = 0
    """How often the person has taken something back."""

    def game(self, key: bytes) -> Game:
        """The game that the actions have come to."""
        game = Game(self.rules, seed=self._secret(key, "deals"), match=self.match, dealer=self.dealer)
        for number, actions in enumerate(self.hands):
            if number:
                game.next_hand()
            for action in actions:
                game.play(action)
        return game

    def _secret(self, key: bytes, purpose: str) -> int:
        digest = hmac.digest(key, f"{purpose} {self.nonce}".encode(), hashlib.sha256)
        return int.from_bytes(digest[:8], "big")

    def sealed(self, key: bytes) -> str:
        """The state as the page keeps it."""
        content = {
            "v": _VERSION,
            "rules": self.rules,
            "match": self.match,
            "level": self.level,
            "dealer": self.dealer,
            "nonce": self.nonce,
            "hands": [" ".join(actions) for actions in self.hands],
            "undone": self.undone,
        }
        data = json.dumps(content, separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(_sign(key, data) + data).decode()

    @classmethod
    def unsealed(cls, state: object, key: bytes) -> Table:
        """The table of a state; raises ``StateError`` for one that was not signed here."""
        if not isinstance(state, str) or len(state) > _MOST_STATE:
            raise StateError(_("this is no state of a game"))
        try:
            raw = base64.b64decode(state.encode(), altchars=b"-_", validate=True)
        except ValueError:
            raise StateError(_("this is no state of a game")) from None
        signature, data = raw[:_SIGNATURE], raw[_SIGNATURE:]
        if not hmac.compare_digest(signature, _sign(key, data)):
            raise StateError(_("this game is not one of this server's, or was changed"))
        content = json.loads(data)
        if content.pop("v") != _VERSION:
            raise StateError(_("this game is of another version"))
        content["hands"] = [[Action(word) for word in actions.split()] for actions in content["hands"]]
        return cls(**content)

    def computer_plays(self, game: Game, key: bytes) -> Action:
        """The computer's choice, from its own view; how long it takes, its level says."""
        player: Player = make_player(LEVELS[self.level])
        moves = len(game.actions)
        seed = mix_seed(self._secret(key, "plays"), game.hand_number, moves)
        score = game.score if self.match else None
        player.begin(seed, COMPUTER, None if score is None else (score[COMPUTER], score[HUMAN]))
        position = game.deal
        for action in game.actions:
            player.note(position.to_move, action, position.view(COMPUTER))
            position = position.play(action)
        try:
            return player.choose(game.view(COMPUTER))
        finally:
            player.finish()


def _sign(key: bytes, data: bytes) -> bytes:
    return hmac.digest(key, b"state " + data, hashlib.sha256)[:_SIGNATURE]


# ---------------------------------------------------------------- what the page asks


def begin(rules: object, match: object, level: object, first: object) -> Table:
    """A new game; ``first`` says who leads first: 0 the person, 1 the computer, null by lot."""
    if not isinstance(rules, str) or len(rules) > 400:
        raise SantaseError(f"rules: one of {', '.join(RULES)}")
    if not isinstance(match, bool):
        raise SantaseError("match: true or false")
    if not isinstance(level, str) or level not in LEVELS:
        raise SantaseError(f"level: one of {', '.join(LEVELS)}")
    if first is not None and not (type(first) is int and first in (0, 1)):
        raise SantaseError("first: 0, 1 or null")
    nonce = os.urandom(12)
    dealer = nonce[0] & 1 if first is None else 1 - first
    text = str(rules_of(rules))
    return Table(text, match, level, dealer, base64.b16encode(nonce).decode(), [[]])


def play(table: Table, key: bytes, action: object) -> Game:
    """The person's action; raises ``SantaseError`` for one that is not legal, or out of turn."""
    game = table.game(key)
    if not isinstance(action, str):
        raise SantaseError("action: a text is needed")
    if not game.position.is_over and game.position.to_move != HUMAN:
        raise SantaseError(_("it is the computer's turn"))
    try:
        game.play(action)
    except IllegalActionError as error:
        raise IllegalActionError(reason_for(error, Action(action))) from None
    table.hands[-1].append(game.actions[-1])
    return game


def answer(table: Table, key: bytes) -> Game:
    """The computer's action; raises ``SantaseError`` when it is not its turn."""
    game = table.game(key)
    if game.position.is_over or game.position.to_move != COMPUTER:
        raise SantaseError(_("it is not the computer's turn"))
    game.play(table.computer_plays(game, key))
    table.hands[-1].append(game.actions[-1])
    return game


def next_hand(table: Table, key: bytes) -> Game:
    """Deal the next hand of a match; raises ``SantaseError`` when there is none."""
    game = table.game(key)
    game.next_hand()
    table.hands.append([])
    return game


def undo(table: Table, key: bytes) -> Game:
    """Back to the person's last decision; raises ``SantaseError`` when there was none."""
    game = table.game(key)
    while True:
        game.undo()
        if game.position.to_move == HUMAN:
            break
    del table.hands[game.hand_number :]
    table.hands[-1] = list(game.actions)
    table.undone += 1
    return game


def record(table: Table, key: bytes) -> str:
    """The record of the hands that are finished, each with its cards but without the seed, from
    which hands to come could be told; raises ``SantaseError`` when there is none."""
    played = table.game(key).hands
    if not played:
        raise SantaseError(_("no hand has been finished yet"))
    players = (_("Player"), _("Computer"))
    text = Game(table.rules, deal=played[0].deal, match=table.match, players=players)
    for number, hand in enumerate(played):
        if number:
            text.next_hand(hand.deal)
        for action in hand.actions:
            text.play(action)
    return text.dumps()


def table_json(table: Table, game: Game, key: bytes) -> dict[str, Any]:
    """All that the person may see, and the state."""
    over = game.position.is_over
    position = game.position if over else game.view(HUMAN)
    return {
        "state": table.sealed(key),
        "position": position_json(position, HUMAN),
        "history": _history(game),
        "match": table.match,
        "level": table.level,
        "rules": table.rules,
        "hand": game.hand_number,
        "dealer": game.dealer,
        "score": game.score,
        "matchTarget": game.rules.match_target,
        "over": game.is_over,
        "winner": game.winner,
        "undone": table.undone,
        "canUndo": _has_decided(game),
        "results": [outcome_json(hand.outcome) for hand in game.hands],
    }


def _has_decided(game: Game) -> bool:
    """Whether the person has done anything that could be taken back."""
    dealt = [(hand.deal, hand.actions) for hand in game.hands] + [(game.deal, game.actions)]
    for position, actions in reversed(dealt):
        for action in actions:
            if position.to_move == HUMAN:
                return True
            position = position.play(action)
    return False


def _history(game: Game) -> list[dict[str, Any]]:
    """The tricks of the hand on the table: who did what, and who took it with what result."""
    tricks: list[dict[str, Any]] = []
    position = game.deal
    fresh = True
    for action in game.actions:
        if fresh:
            tricks.append({"leader": position.leader, "steps": [], "taker": None, "points": None})
        after = position.play(action)
        tricks[-1]["steps"].append({"player": position.to_move, "action": action})
        fresh = sum(after.tricks) > sum(position.tricks)
        if fresh:
            taker = 0 if after.tricks[0] > position.tricks[0] else 1
            tricks[-1] |= {"taker": taker, "points": after.points}
        position = after
    return tricks


def fresh_seed() -> int:
    """A seed for a deal that nobody has asked for by number."""
    return int.from_bytes(os.urandom(8), "big")
