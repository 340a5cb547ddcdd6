"""Inputs for the targets: good ones made from random play, and ways to spoil them that keep their form.

A fuzzer that changes bytes alone seldom gets past the first check of a position; these changes swap,
repeat and replace whole fields, cards and numbers.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
from collections.abc import Callable
from importlib.resources import files

import numpy as np

import santase
from santase import Game, HiddenCardsError, Position
from santase.players import LEVELS
from santase.web.table import Draft

WORDS = (
    *santase.ACTIONS, *santase.RULES, "...", "-", "0", "1", "0:", "1:", "+1", "+6", "?1", "?11", "20", "40", "66",
    "250", "255", "256", "0/0", "20/0", "10C", "K♠", "A♥️", "S", "♦", "takes:", "#", "deal:", "hand 1: 1 deals",
    "santase record 1", "result:", "score: 0-0", "seed: 0", "0:call", "0:0:0", "1:12:1", "\ufeff", "\x00", "\u2028",
    "99999999999999999999", "-1", "1e999", "NaN", "null", "{}", "[", '"', "\n", "\r\n", " ", "İ", "ſ", "２",
)  # fmt: skip

SETTINGS = (
    "ranks=", "suits=", "hand_size=", "automatic=", "exchange_rank=", "exchange_needs_trick=", "exchange_min_talon=",
    "close_before_first_trick=", "close_min_talon=", "marriage_before_first_trick=", "last_trick_bonus=",
    "last_trick_wins=", "tie_void=", "closer_under_33=", "score_at_closing=", "closer_fails=",
    "closer_fails_trickless=", "wrong_call=", "wrong_call_trickless=", "trickless=", "target=", "schneider=",
    "match_target=",
)  # fmt: skip
_VALUES = {"ranks": ("AT", "KTA", "QKTA", "JQKTA", "9A", "A", "9JQKTA"), "suits": ("C", "HS", "CDS", "CDHS"),
           "exchange_rank": tuple("9JQKTA"), "trickless": ("failed", "other")}  # fmt: skip


def house_rules(rng: random.Random) -> str:
    """The notation of rules, more often than not such as make a game."""
    text = rng.choice(list(santase.RULES))
    if rng.random() < 0.4:
        return text
    deck = ranks = suits = None
    for setting in rng.sample(SETTINGS, rng.randrange(1, 8)):
        name = setting[:-1]
        if name in _VALUES:
            value = rng.choice(_VALUES[name])
        elif getattr(santase.RULES[text.partition("+")[0]], name) in (True, False) and name not in (
            "close_min_talon", "exchange_min_talon",
        ):  # fmt: skip
            value = rng.choice(("yes", "no"))
        else:
            value = str(rng.choice((0, 1, 2, 3, 5, 9, 11, 30, 33, 66, 120, 250, rng.randrange(300))))
        if name == "ranks":
            ranks = len(value)
        elif name == "suits":
            suits = len(value)
        elif name == "hand_size":
            continue
        text += f"+{setting}{value}"
    if ranks is not None or suits is not None or rng.random() < 0.3:
        deck = (ranks or 6) * (suits or 4)
        sizes = [size for size in range(1, 12) if 1 <= deck - 2 * size - 1 <= 11]
        if sizes:
            text += f"+hand_size={rng.choice(sizes)}"
    return text


def some_rules(rng: random.Random) -> santase.Rules:
    """Rules that make a game."""
    while True:
        try:
            return santase.Rules.parse(house_rules(rng))
        except santase.RulesError:
            continue


def _played(rules: santase.Rules | str, rng: random.Random, most: int, *, closing: float = 0.02) -> Position:
    """A position after fewer than ``most`` actions: the talon is closed with that chance where it may be,
    and a call is seldom, unless nothing else is legal."""
    found = santase.deal(rng.getrandbits(64), rules, leader=rng.randrange(2))
    for _ in range(rng.randrange(most)):
        if found.is_over:
            break
        actions = found.legal_actions()
        calm = [action for action in actions if action not in ("call", "close")]
        if "close" in actions and rng.random() < closing:
            found = found.play("close")
        elif calm and rng.random() < 0.98:
            found = found.play(rng.choice(calm))
        else:
            found = found.play(rng.choice(actions))
    return found


def some_position(rng: random.Random) -> Position:
    """A position that has come about by random play, or somebody's view of it."""
    found = _played(some_rules(rng), rng, 30)
    if rng.random() < 0.4:
        with contextlib.suppress(HiddenCardsError):
            found = found.view(rng.randrange(2))
    return found


# ---------------------------------------------------------------- good inputs, by target


def _record(rng: random.Random) -> bytes:
    game = Game(some_rules(rng), seed=rng.getrandbits(32), match=rng.random() < 0.5, dealer=rng.randrange(2))
    for _ in range(rng.randrange(60)):
        if game.position.is_over:
            if not game.is_match or game.is_over:
                break
            game.next_hand()
        game.play(rng.choice(game.legal_actions()))
    return game.dumps().encode()


def _packed(rng: random.Random) -> bytes:
    from targets import _PACKED_RULES

    number = rng.randrange(len(_PACKED_RULES))
    found = _played(_PACKED_RULES[number], rng, 30)
    if rng.random() < 0.5:
        return bytes([number]) + santase.pack([found]).tobytes()
    return (
        bytes([number | 128]) + santase.pack_views([found.view() if rng.random() < 0.7 else found]).tobytes()
    )


def _memory(rng: random.Random) -> bytes:
    """A record with cards left out."""
    return _forgotten(_record(rng).decode(), rng)


def _forgotten(text: str, rng: random.Random) -> bytes:
    lines = []
    viewer = rng.randrange(2)
    for line in text.split("\n"):
        if line.startswith("deal: "):
            line = f"deal: {Position.parse(line[6:]).view(viewer)}" if rng.random() < 0.7 else line
        elif line.startswith("seed") and rng.random() < 0.9:
            continue
        elif re.match(r" *[0-9]+\.", line):
            line = re.sub(r"\b[9JQKTA][CDHS]\b", lambda card: "?" if rng.random() < 0.1 else card[0], line)
            if rng.random() < 0.3 and "takes" in line:
                line += rng.choice(("   draws: ? ?", "   draws: 9S ?", "   draws: ? AH"))
        elif line.startswith(("result", "score")) and rng.random() < 0.3:
            continue
        lines.append(line)
    return "\n".join(lines).encode()


def _small_record(rng: random.Random) -> bytes:
    """Of one hand, as it was or as somebody remembers it: of few cards more often than not."""
    name = "schnapsen" if rng.random() < 0.3 else "santase+ranks=QKTA+exchange_rank=Q+hand_size=4"
    game = Game(name, seed=rng.getrandbits(32), dealer=rng.randrange(2), players=("Ana", "<b>&'\""))
    while not game.position.is_over and rng.random() < 0.97:
        game.play(rng.choice([action for action in game.legal_actions() if action != "call"] or ["call"]))
    text = game.dumps().encode()
    return text if rng.random() < 0.5 else _forgotten(text.decode(), rng)


def _close_to_closing(rng: random.Random) -> bytes:
    """A view of a hand that is closed or can be, or of any other."""
    found = _played(some_rules(rng), rng, 16, closing=0.3)
    with contextlib.suppress(HiddenCardsError):
        found = found.view()
    return str(found).encode()


def _page(rng: random.Random) -> bytes:
    """A question of the page, or a file."""
    path = rng.choice(PATHS)
    found = some_position(rng)
    asked: dict[str, object] = {"line": str(found), "draft": Draft.of(found).to_json(), "state": "@"}
    asked |= {
        "action": rng.choice(santase.ACTIONS),
        "seconds": 0.0,
        "match": [0, 0],
        "rules": house_rules(rng),
    }
    asked |= {"level": rng.choice((*LEVELS, "x")), "first": rng.choice((0, 1, None)), "open": True}
    kept = {name: value for name, value in asked.items() if rng.random() < 0.8}
    if path in ("/api/check", "/api/read", "/api/analyse", "/api/solve", "/api/after"):
        del asked["state"]
        kept = {"line": asked["line"], "draft": asked["draft"]} | kept
    return path.encode() + b"\n" + json.dumps(kept).encode()


PATHS = ("/", "/api/check", "/api/read", "/api/deal", "/api/solve", "/api/after", "/api/analyse", "/api/game/new",
         "/api/game/look", "/api/game/play", "/api/game/answer", "/api/game/next", "/api/game/undo",
         "/api/game/record", "/main.js", "/words/bg.json", "/cards/AS.svg", "/api/", "/../setup.py")  # fmt: skip


def _lines(rng: random.Random) -> bytes:
    return b"".join(
        str(some_position(rng)).encode() + rng.choice((b"\n", b"\n", b"\r\n", b"")) for _ in range(3)
    )


_HAND = {"leader": "A", "points": 1, "luck": 0.25, "reason": "call", "actions": "KS 9S call",
         "A": {"moves": 2, "seconds": 0.1, "slowest": 0.1}, "B": {"moves": 1}}  # fmt: skip


def _log(rng: random.Random) -> bytes:
    from targets import LOG_HEADER

    units = [{"deal": rng.randrange(4), "seed": 1, "games": [{"hands": [_HAND] * rng.randrange(1, 3)}] * 2}]
    units *= rng.randrange(3)
    return b"".join(json.dumps(part).encode() + b"\n" for part in (LOG_HEADER, *units))


def _network(rng: random.Random) -> bytes:
    with np.load(io.BytesIO((files("santase") / "data" / "network.npz").read_bytes())) as stored:
        arrays = dict(stored)
    small = {"w1": arrays["w1"][:, :2], "b1": arrays["b1"][:2], "w2": arrays["w2"][:1, :2], "b2": arrays["b2"][:1],
             "w3": arrays["w3"][:, :1]}  # fmt: skip
    out = io.BytesIO()
    np.savez_compressed(out, **(arrays | {name: np.ascontiguousarray(a) for name, a in small.items()}))
    return out.getvalue()


MAKERS: dict[str, Callable[[random.Random], bytes]] = {
    "position": lambda rng: str(some_position(rng)).encode(),
    "continuations": lambda rng: str(some_position(rng)).encode(),
    "printed": lambda rng: str(some_position(rng)).encode(),
    "action": lambda rng: rng.choice(WORDS).encode("utf-8", "surrogatepass"),
    "record": _record,
    "memory": _memory,
    "history": _record,
    "review": _small_record,
    "plans": _close_to_closing,
    "page": _page,
    "packed": _packed,
    "rules": lambda rng: bytes([0]) + rng.randbytes(4) if rng.random() < 0.2 else house_rules(rng).encode(),
    "lines": _lines,
    "match": lambda rng: rng.randbytes(rng.randrange(1, 40)),
    "log": _log,
    "network": _network,
}


# ---------------------------------------------------------------- spoiling


def mutate(data: bytes, rng: random.Random) -> bytes:
    """The input changed in one to three places, mostly by words and numbers."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        kind = rng.randrange(9)
        if kind < 2 or not data:
            data = _bytes(data, rng)
            continue
        parts = re.split(rb"([ \n:/.+,\[\]{}]+)", data)
        at = rng.randrange(len(parts))
        if kind == 2:
            parts[at] = rng.choice(WORDS).encode()
        elif kind == 3:
            other = rng.randrange(len(parts))
            parts[at], parts[other] = parts[other], parts[at]
        elif kind == 4:
            parts.insert(at, rng.choice(parts))
        elif kind == 5:
            del parts[at]
        elif kind == 6:
            numbers = [i for i, part in enumerate(parts) if part.isdigit()] or [at]
            at = rng.choice(numbers)
            old = int(parts[at][:9]) if parts[at][:9].isdigit() else 0
            new = rng.choice((old + 1, old - 1, old + 20, old - 20, old + 40, 0, 1, 66, 250, 255))
            parts[at] = str(new).encode()
        elif kind == 7 and len(parts[at]) > 1:
            # two letters of a hand or talon change places, or one becomes another
            letters = list(parts[at])
            i, j = rng.randrange(len(letters)), rng.randrange(len(letters))
            if rng.random() < 0.5:
                letters[i], letters[j] = letters[j], letters[i]
            else:
                letters[i] = rng.choice(b"9JQKTACDHS")
            parts[at] = bytes(letters)
        else:
            # a card goes from one part to another
            givers = [i for i, part in enumerate(parts) if part] or [at]
            at = rng.choice(givers)
            cut = rng.randrange(len(parts[at])) if parts[at] else 0
            moved = parts[at][cut : cut + rng.choice((1, 2))]
            parts[at] = parts[at][:cut] + parts[at][cut + len(moved) :]
            to = rng.randrange(len(parts))
            parts[to] += moved
        data = b"".join(parts)
    return data[:6000]


def _bytes(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    kind = rng.randrange(4)
    if kind == 0:
        return data[:at] + rng.randbytes(rng.choice((1, 1, 2, 8))) + data[at:]
    if kind == 1:
        return data[:at] + data[at + rng.choice((1, 1, 2, 8)) :]
    if kind == 2 and at < len(data):
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
    return data[:at] + rng.choice((b"\0", b"\xff", b"\x80", b"\n", b" ", b"9")) + data[at + 1 :]
