"""What strategy is worth, measured: ``python benchmarks/strategy_statistics.py``.

Hands of preset ``santase`` are played by the learned policy against itself: each side, on its own
view, does what the policy finds likeliest (as ``analyze(time=0)`` does), 66 is called when it is
reached, and once the talon is exhausted the rest is solved exactly. Each question is then asked in
one of three ways:

* *branch*: at a decision, one way and another are done in the same position, with the same talon,
  and both hands played on by the same policy; the difference is what the choice was worth;
* *swap*: two cards change places in a deal before it is played, and both deals are played, each once
  with either player leading first;
* *solve*: where the talon is exhausted, the values of the actions are exact.

A hand gives at most one number to a group, so that the numbers of a group are independent. Writes the
means and standard errors to ``benchmarks/strategy.json`` and puts the tables made of them into
``docs/strategy.md`` and its Bulgarian twin; ``--tables`` does only the latter.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import santase
from santase import Action, Position
from santase._network import shipped_network
from santase._players import greedy_without_closing
from santase._sampling import sample_worlds
from santase.language import Count, Number, use_language

ROOT = Path(__file__).parent.parent
DATA = Path(__file__).with_name("strategy.json")
PAGES = {"en": ROOT / "docs" / "strategy.md", "bg": ROOT / "docs" / "bg" / "strategy.md"}
POINTS = dict(zip("9JQKTA", (0, 2, 3, 4, 10, 11), strict=True))

# ---------------------------------------------------------------- the player


class Table:
    """The policy, and the solver for the endings."""

    def __init__(self) -> None:
        self.network = shipped_network()
        self.solver = santase.Solver(1 << 20)

    def likeliest(self, position: Position, among: Callable[[Action], bool] | None = None) -> Action | None:
        """The action that the policy finds likeliest for the player to move, of those asked for."""
        chances, _ = self.network.policy(position)
        allowed = [action for action in chances if among is None or among(action)]
        return max(allowed, key=lambda action: chances[action]) if allowed else None

    def choose(self, position: Position) -> Action:
        """What the player to move does while the talon is not exhausted."""
        if may_call(position):
            return Action("call")
        action = self.likeliest(position)
        assert action is not None
        return action

    def value(self, position: Position) -> int:
        """Game points for player 0 when both play on from here; the hand may be over."""
        while not position.is_over:
            if position.phase == "exhausted":
                found = self.solver.value(position)
                assert found is not None
                return found if position.to_move == 0 else -found
            position = position.play(self.choose(position))
        outcome = position.outcome
        assert outcome is not None
        return outcome.game_points if outcome.winner == 0 else -outcome.game_points

    def worth(self, position: Position, actions: Sequence[Action], player: int) -> int:
        """Game points for a player when these actions are done first."""
        for action in actions:
            position = position.play(action)
        return self.value(position) if player == 0 else -self.value(position)

    def hand(self, seed: int) -> tuple[list[Position], Position]:
        """A hand from its deal to the exhausted talon or its end: the positions with a decision, the last."""
        position, seen = santase.deal(seed), []
        while not position.is_over and position.phase != "exhausted":
            seen.append(position)
            position = position.play(self.choose(position))
        return seen, position


def may_call(position: Position) -> bool:
    """The player to move is on lead and has reached 66."""
    return position.led is None and position.points[position.to_move] >= position.rules.target


def on_lead(position: Position) -> bool:
    """A free lead: nothing led, nothing declared, and not yet 66."""
    return position.led is None and position.declared is None and not may_call(position)


def own(position: Position) -> tuple[str, ...]:
    return position.hands[position.to_move]


def trumps(position: Position) -> int:
    return sum(card[1] == position.trump for card in own(position))


def marriages(position: Position) -> list[str]:
    """The suits of which the player to move holds king and queen."""
    hand = own(position)
    return [suit for suit in "CDHS" if "K" + suit in hand and "Q" + suit in hand]


def in_sight(position: Position) -> int:
    """What a player counts before closing: his points, the points of his cards that nothing out can beat
    in their suit, and his marriages. What the other must throw on them is not counted."""
    hand, gone = own(position), set(position.played)
    player = position.to_move
    total = position.points[player] + position.pending[player]
    for suit in "CDHS":
        for rank in "ATKQJ9":
            if rank + suit in hand:
                total += POINTS[rank]
            elif rank + suit not in gone:
                break
    return total + sum(40 if suit == position.trump else 20 for suit in marriages(position))


def written(hands: Sequence[Iterable[str]], talon: Iterable[str], turned: str, leader: int) -> Position:
    """A deal before its first lead, from its cards."""
    shown = [
        ".".join("".join(rank for rank in "ATKQJ9" if rank + suit in cards) for suit in "SHDC")
        for cards in map(set, hands)
    ]
    return Position.parse(
        f"santase {shown[0]} {shown[1]} {''.join(talon)} {turned} ... {leader} 0/0 0/0 0/0 -"
    )


def swapped(deal: Position, one: str, two: str, leader: int) -> Position:
    """The deal with two cards in each other's place; neither is the turned card."""
    places = {one: two, two: one}
    hands = [[places.get(card, card) for card in hand] for hand in deal.hands]
    assert deal.talon is not None and deal.turned is not None and deal.turned not in places
    return written(hands, [places.get(card, card) for card in deal.talon], deal.turned, leader)


# ---------------------------------------------------------------- what is collected


class Groups:
    """Numbers by group: their count, mean, standard error, and the share above and at 0."""

    def __init__(self) -> None:
        self._numbers: dict[str, list[float]] = defaultdict(list)

    def add(self, group: str, number: float) -> None:
        self._numbers[group].append(number)

    def summary(self) -> dict[str, dict[str, float]]:
        found = {}
        for group, numbers in sorted(self._numbers.items()):
            n = len(numbers)
            mean = math.fsum(numbers) / n
            variance = math.fsum((number - mean) ** 2 for number in numbers) / max(n - 1, 1)
            found[group] = {
                "n": n,
                "mean": round(mean, 4),
                "stderr": round(math.sqrt(variance / n), 4),
                "above": round(sum(number > 0 for number in numbers) / n, 4),
                "equal": round(sum(number == 0 for number in numbers) / n, 4),
            }
        return found


SIGHT = ((0, 35), (36, 45), (46, 55), (56, 65), (66, 250))


def sight_group(position: Position) -> str:
    points = in_sight(position)
    low, high = next(pair for pair in SIGHT if pair[0] <= points <= pair[1])
    held = trumps(position)
    return f"{low}-{high}/{'3+' if held >= 3 else '2' if held == 2 else '0-1'}"


# ---------------------------------------------------------------- the questions


def ask_results(
    table: Table, groups: Groups, seen: list[Position], end: Position, chance: random.Random
) -> None:
    """How hands end, for the first leader."""
    value = float(table.value(end))
    first = seen[0]
    groups.add("results/all", value)
    groups.add(f"results/trumps {min(trumps(first), 4)}", value)
    groups.add(f"results/points {abs(value):.0f}", 1.0)
    closer = next((position.closer for position in seen if position.closer is not None), end.closer)
    groups.add("results/closed", float(closer is not None))
    if closer is not None:
        groups.add("results/closer wins", float((value > 0) == (closer == 0)))


def chance_to_close(
    table: Table, seen: list[Position], chance: random.Random
) -> tuple[Position, Action] | None:
    """One of the hand's leads at which closing is allowed, an exchange done where there is one, and the
    likeliest action but closing."""
    leads = [position for position in seen if on_lead(position) and "close" in position.legal_actions()]
    if not leads:
        return None
    position = chance.choice(leads)
    if "exchange" in position.legal_actions():
        position = position.play("exchange")
    other = table.likeliest(position, lambda action: action != "close")
    assert other is not None
    return position, other


def ask_closing(
    table: Table, groups: Groups, seen: list[Position], end: Position, chance: random.Random
) -> None:
    """To close or to play on, at one lead of the hand."""
    found = chance_to_close(table, seen, chance)
    if found is None:
        return
    position, other = found
    player = position.to_move
    closed = table.worth(position, [Action("close")], player)
    gain = closed - table.worth(position, [other], player)
    group = sight_group(position)
    groups.add(f"closing/{group}", gain)
    groups.add(f"closing wins/{group}", float(closed > 0))
    groups.add(f"closing chosen/{group}", float(table.likeliest(position) == "close"))
    if in_sight(position) >= 56:
        tricks, points = position.tricks[1 - player], position.points[1 - player]
        against = "no trick" if not tricks else "under 33" if points < 33 else "33 or more"
        groups.add(f"closing against/{against}", gain)


def ask_right(
    table: Table, groups: Groups, seen: list[Position], end: Position, chance: random.Random
) -> None:
    """Is closing right? By both ways in the same 100 worlds that agree with the player's view."""
    found = chance_to_close(table, seen, chance)
    if found is None:
        return
    position, other = found
    player = position.to_move
    gain = sum(
        table.worth(world, [Action("close")], player) - table.worth(world, [other], player)
        for world in sample_worlds(position.view(), 100, seed=chance.getrandbits(63))
    )
    groups.add(f"closing right/{sight_group(position)}", gain / 100)


def ask_exchange(
    table: Table, groups: Groups, seen: list[Position], end: Position, chance: random.Random
) -> None:
    """The first lead at which a player may exchange: at once, or not at this lead."""
    for position in seen:
        if on_lead(position) and "exchange" in position.legal_actions():
            break
    else:
        return
    player = position.to_move
    other = table.likeliest(position, lambda action: action != "exchange")
    assert other is not None and position.turned is not None
    gain = table.worth(position, [Action("exchange")], player) - table.worth(position, [other], player)
    groups.add("exchange/all", gain)
    groups.add(f"exchange/{position.turned[0]}", gain)
    if other != "close":
        groups.add("exchange/then play on", gain)
    if "close" in position.legal_actions():
        both = table.worth(position, [Action("exchange"), Action("close")], player)
        alone = table.worth(position, [Action("close")], player)
        groups.add("exchange/before closing", both - alone)


def ask_nine(
    table: Table, groups: Groups, seen: list[Position], end: Position, chance: random.Random
) -> None:
    """The trump nine in hand instead of a plain nine; and for comparison so the trump jack."""
    deal = seen[0]
    hand, turned = deal.hands[0], deal.turned
    assert turned is not None
    for rank, name in (("9", "nine"), ("J", "jack")):
        trump = rank + deal.trump
        plain = [card for card in hand if card[0] == rank and card != trump]
        if trump == turned or trump in hand or not plain:
            continue
        gain = swap_gain(table, deal, trump, chance.choice(plain))
        groups.add(f"{name}/all", gain)
        if name == "nine":
            groups.add(f"nine/{turned[0]}", gain)


def ask_marriage(
    table: Table, groups: Groups, seen: list[Position], end: Position, chance: random.Random
) -> None:
    """King and queen in hand instead of king and jack: the difference of the cards and the marriage."""
    deal = seen[0]
    hand = deal.hands[0]
    kinds: dict[str, list[str]] = defaultdict(list)
    for suit in "CDHS":
        if "K" + suit in hand and "J" + suit in hand and "Q" + suit not in (*hand, deal.turned):
            kinds["trump" if suit == deal.trump else "plain"].append(suit)
        # no king, so no marriage: what a queen is better than a jack
        if "J" + suit in hand and not {"K" + suit, "Q" + suit} & {*hand, deal.turned}:
            kinds["trump, no king" if suit == deal.trump else "plain, no king"].append(suit)
    for kind, suits in kinds.items():
        suit = chance.choice(suits)
        groups.add(f"marriage/{kind}", swap_gain(table, deal, "Q" + suit, "J" + suit))


def swap_gain(table: Table, deal: Position, wanted: str, instead: str) -> float:
    """What player 0 gains by holding one card instead of another, the mean of leading first and not."""
    gain = 0
    for leader in (0, 1):
        gain += table.value(swapped(deal, wanted, instead, leader))
        gain -= table.value(written(deal.hands, deal.talon or (), deal.turned or "", leader))
    return gain / 2


def ask_declaring(
    table: Table, groups: Groups, seen: list[Position], end: Position, chance: random.Random
) -> None:
    """The first lead of the hand at which a marriage may be declared: that, or some other action."""
    for position in seen:
        if on_lead(position) and marriages(position):
            break
    else:
        return
    player = position.to_move
    declared = table.likeliest(position, lambda action: action.kind == "marriage")
    other = table.likeliest(position, lambda action: action.kind == "play")
    if declared is None or other is None:
        return
    gain = table.worth(position, [declared], player) - table.worth(position, [other], player)
    kind = "trump" if declared.suit == position.trump else "plain"
    when = "first lead" if not sum(position.tricks) else "later"
    groups.add(f"declaring/{kind}, {when}", gain)


def ask_leading(
    table: Table, groups: Groups, seen: list[Position], end: Position, chance: random.Random
) -> None:
    """A trump led or a plain card: in the open phase by branching, once the talon is exhausted exactly."""

    def is_trump(action: Action) -> bool:
        return action.kind == "play" and action.suit == position.trump

    def is_plain(action: Action) -> bool:
        return action.kind == "play" and action.suit != position.trump

    leads = [position for position in seen if on_lead(position) and position.closer is None]
    chance.shuffle(leads)
    for position in leads:
        trump, plain = table.likeliest(position, is_trump), table.likeliest(position, is_plain)
        if trump is None or plain is None:
            continue
        gain = table.worth(position, [trump], position.to_move) - table.worth(
            position, [plain], position.to_move
        )
        held = trumps(position)
        groups.add(f"leading/open, {'3+' if held >= 3 else held}", gain)
        groups.add(f"leading/open, {'early' if sum(position.tricks) < 3 else 'late'}", gain)
        break
    for position in seen:
        if position.closer == position.to_move and on_lead(position):
            trump, plain = table.likeliest(position, is_trump), table.likeliest(position, is_plain)
            if trump is not None and plain is not None:
                player = position.to_move
                gain = table.worth(position, [trump], player) - table.worth(position, [plain], player)
                groups.add("leading/closed", gain)
            break
    if end.is_over or not on_lead(end):
        return
    position = end
    values = santase.solve(end, solver=table.solver).actions
    best = [
        max((value for action, value in values.items() if wanted(action)), default=None)
        for wanted in (is_trump, is_plain)
    ]
    if best[0] is not None and best[1] is not None:
        groups.add("leading/exhausted", best[0] - best[1])


def ask_counting(
    table: Table, groups: Groups, seen: list[Position], end: Position, chance: random.Random
) -> None:
    """Endings by rules of thumb instead of by counting; and 66 called a lead too late."""
    if not end.is_over:
        for player in (0, 1):
            position = end
            while not position.is_over:
                if position.to_move == player:
                    action: Action | None = greedy_without_closing(position.view())
                else:
                    action = santase.solve(position, solver=table.solver).best
                assert action is not None
                position = position.play(action)
            outcome = position.outcome
            assert outcome is not None
            got = outcome.game_points if outcome.winner == player else -outcome.game_points
            exact = table.value(end) if player == 0 else -table.value(end)
            groups.add(f"counting/ending, {'leader' if player == end.to_move else 'other'}", got - exact)
    for position in seen:
        if may_call(position) and position.declared is None:
            player = position.to_move
            worlds = sample_worlds(position.view(), 20, seed=chance.getrandbits(63))
            cards = [action for action in position.legal_actions() if action.kind == "play"]
            card = max(cards, key=lambda card: sum(table.worth(world, [card], player) for world in worlds))
            late = table.worth(position, [card], player)
            groups.add("counting/call missed", late - table.worth(position, [Action("call")], player))
            break


# each question with the share of the hands that it is asked in: the dear ones of fewer
QUESTIONS: Mapping[str, tuple[Callable[..., None], float]] = {
    "results": (ask_results, 1.0),
    "closing": (ask_closing, 1.0),
    "right": (ask_right, 0.03),
    "exchange": (ask_exchange, 1.0),
    "nine": (ask_nine, 1.0),
    "marriage": (ask_marriage, 1.0),
    "declaring": (ask_declaring, 1.0),
    "leading": (ask_leading, 0.5),
    "counting": (ask_counting, 0.2),
}


def measure(hands: int, first_seed: int = 0, asked: Iterable[str] = QUESTIONS) -> dict[str, Any]:
    """The questions asked of hands with the seeds from ``first_seed`` on."""
    table, groups = Table(), Groups()
    started = time.process_time()
    for seed in range(first_seed, first_seed + hands):
        chosen = []
        for number, (name, (question, share)) in enumerate(QUESTIONS.items()):
            chance = random.Random(seed * 64 + number)
            if chance.random() < share and name in asked:
                chosen.append((question, chance))
        if chosen:
            seen, end = table.hand(seed)
            for question, chance in chosen:
                question(table, groups, seen, end, chance)
        if (seed + 1) % 1000 == 0:
            print(f"\r{seed + 1 - first_seed:,} of {hands:,} hands", end="", flush=True)
    print()
    about = {
        "command": f"python benchmarks/strategy_statistics.py --hands {hands} --seed {first_seed}",
        "hands": hands,
        "seconds": round(time.process_time() - started),
        "network": table.network.about,
    }
    return {"about": about, "groups": groups.summary()}


# ---------------------------------------------------------------- the tables


LABELS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "gain": "game points",
        "hands": "hands",
        "sight": "points in sight",
        "0-35": "up to 35",
        "66-250": "66 and more",
        "0-1": "no trump or one",
        "2": "two trumps",
        "3+": "three and more",
        "closing": "closing is worth",
        "wins": "closing wins",
        "against": "the other has",
        "no trick": "no trick",
        "under 33": "a trick, under 33 points",
        "33 or more": "33 points or more",
        "turned": "turned card",
        "A": "ace",
        "T": "ten",
        "K": "king",
        "Q": "queen",
        "J": "jack",
        "any": "any",
        "exchange": "exchanging at once is worth",
        "better": "better in",
        "worse": "worse in",
        "equal": "the same in",
        "nine": "the nine is worth",
        "instead": "in hand, instead of",
        "nine/all": "trump nine, instead of a plain nine",
        "jack/all": "trump jack, instead of a plain jack",
        "marriage/plain": "plain queen beside its king, instead of the jack",
        "marriage/plain, no king": "plain queen without its king, instead of the jack",
        "marriage/trump": "trump queen beside the king, instead of the jack",
        "marriage/trump, no king": "trump queen without the king, instead of the jack",
        "declaring": "declaring, and not another card",
        "declaring/plain, first lead": "plain marriage, at the very first lead (pending)",
        "declaring/plain, later": "plain marriage, later",
        "declaring/trump, first lead": "trump marriage, at the very first lead (pending)",
        "declaring/trump, later": "trump marriage, later",
        "leading": "a trump led instead of a plain card",
        "leading/open, 1": "talon open, one trump in hand",
        "leading/open, 2": "talon open, two trumps",
        "leading/open, 3+": "talon open, three and more",
        "leading/closed": "first lead after one's own closing",
        "leading/exhausted": "talon exhausted (exact)",
        "counting": "what not counting costs",
        "counting/ending, leader": "ending by rules of thumb, on lead at its start",
        "counting/ending, other": "ending by rules of thumb, the other on lead",
        "counting/call missed": "66 reached, and called a lead too late",
        "exchange/before closing": "exchange before closing, and not without it",
        "trumps": "first leader's trumps",
        "result": "result for the first leader",
        "won": "won",
        "4": "four and more",
        "all": "all hands",
    },
    "bg": {
        "gain": "точки за мача",
        "hands": "раздавания",
        "sight": "точки на сметка",
        "0-35": "до 35",
        "66-250": "66 и повече",
        "0-1": "без коз или с един",
        "2": "два коза",
        "3+": "три и повече",
        "closing": "затварянето носи",
        "wins": "затварянето печели",
        "against": "противникът има",
        "no trick": "нито една взятка",
        "under 33": "взятка, но под 33 точки",
        "33 or more": "33 точки или повече",
        "turned": "обърната карта",
        "A": "асо",
        "T": "десетка",
        "K": "поп",
        "Q": "дама",
        "J": "вале",
        "any": "която и да е",
        "exchange": "смяната веднага носи",
        "better": "по-добре в",
        "worse": "по-зле в",
        "equal": "все едно в",
        "nine": "деветката носи",
        "instead": "в ръката, вместо",
        "nine/all": "козова деветка вместо обикновена",
        "jack/all": "козово вале вместо обикновено",
        "marriage/plain": "дама до попа от същата боя вместо валето",
        "marriage/plain, no king": "дама без попа от същата боя вместо валето",
        "marriage/trump": "козова дама до козовия поп вместо валето",
        "marriage/trump, no king": "козова дама без козовия поп вместо валето",
        "declaring": "обявен анонс, а не друга карта",
        "declaring/plain, first lead": "двайсет, на първия ход (чакащи точки)",
        "declaring/plain, later": "двайсет, по-късно",
        "declaring/trump, first lead": "четирийсет, на първия ход (чакащи точки)",
        "declaring/trump, later": "четирийсет, по-късно",
        "leading": "ход с коз вместо с друга боя",
        "leading/open, 1": "отворен талон, един коз в ръката",
        "leading/open, 2": "отворен талон, два коза",
        "leading/open, 3+": "отворен талон, три и повече",
        "leading/closed": "първи ход след собствено затваряне",
        "leading/exhausted": "изчерпан талон (точно)",
        "counting": "колко струва да не се брои",
        "counting/ending, leader": "край по прости правила, на ход в началото му",
        "counting/ending, other": "край по прости правила, на ход е другият",
        "counting/call missed": "66 са събрани, но са обявени един ход по-късно",
        "exchange/before closing": "смяна преди затваряне, а не затваряне без нея",
        "trumps": "козове на първия на ход",
        "result": "резултат за първия на ход",
        "won": "спечелени",
        "4": "четири и повече",
        "all": "всички",
    },
}


def with_sign(number: float, digits: int = 2) -> str:
    text = f"{Number(number):+.{digits}f}".replace("-", "−")
    return text if float(f"{number:.{digits}f}") else text[1:]


def mean_text(group: Mapping[str, float]) -> str:
    """A mean with the half width of its 95 % interval."""
    return f"{with_sign(group['mean'])} ± {Number(1.96 * group['stderr']):.2f}"


def per_cent(share: float) -> str:
    return f"{100 * share:.0f} %"


def table_text(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(
        ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
        + ["| " + " | ".join(row) + " |" for row in rows]
    )


def tables(data: Mapping[str, Any], language: str) -> dict[str, str]:
    """The tables of the page by name, as Markdown."""
    groups: Mapping[str, Mapping[str, float]] = data["groups"]
    label = LABELS[language]

    def grid(kind: str, show: Callable[[Mapping[str, float]], str]) -> str:
        columns = ("0-1", "2", "3+")
        rows = []
        for low, high in SIGHT:
            name = f"{low}-{high}"
            cells = [groups.get(f"{kind}/{name}/{column}") for column in columns]
            rows.append(
                [label.get(name, name.replace("-", "–"))]
                + [show(cell) if cell and cell["n"] >= 20 else "–" for cell in cells]
            )
        return table_text([label["sight"], *(label[column] for column in columns)], rows)

    def row(text: str, group: Mapping[str, float]) -> list[str]:
        return [
            text,
            mean_text(group),
            per_cent(group["above"]),
            per_cent(group["equal"]),
            per_cent(1 - group["above"] - group["equal"]),
            f"{Count(group['n']):,}",
        ]

    def rows_of(first: str, value: str, named: Sequence[tuple[str, str]]) -> str:
        head = [label[first], label[value], *(label[word] for word in ("better", "equal", "worse", "hands"))]
        return table_text(head, [row(text, groups[name]) for text, name in named if name in groups])

    def named(*names: str) -> list[tuple[str, str]]:
        return [(label[name], name) for name in names]

    def by_rank(kind: str) -> list[tuple[str, str]]:
        return [(label[rank], f"{kind}/{rank}") for rank in "ATKQJ"] + [(label["any"], f"{kind}/all")]

    share = {
        "wins": lambda group: per_cent(group["mean"]),
        "right": lambda group: (
            f"{per_cent(group['above'])} + {per_cent(group['equal'])} ({Count(group['n']):,})"
        ),
    }
    results = [
        [
            label[name] if name in ("all", "4") else name,
            mean_text(group),
            per_cent(group["above"]),
            f"{Count(group['n']):,}",
        ]
        for name, group in [("all", groups["results/all"])]
        + [(str(number), groups[f"results/trumps {number}"]) for number in range(5)]
    ]
    return {
        "results": table_text([label["trumps"], label["result"], label["won"], label["hands"]], results),
        "closing": grid("closing", mean_text),
        "closing-wins": grid("closing wins", share["wins"]),
        "closing-right": grid("closing right", share["right"]),
        "closing-against": rows_of(
            "against",
            "closing",
            [(label[name], f"closing against/{name}") for name in ("no trick", "under 33", "33 or more")],
        ),
        "nine": rows_of("turned", "nine", by_rank("nine")),
        "exchange": rows_of("turned", "exchange", by_rank("exchange")),
        "cards": rows_of(
            "instead",
            "gain",
            named(
                "nine/all",
                "jack/all",
                "marriage/plain",
                "marriage/plain, no king",
                "marriage/trump",
                "marriage/trump, no king",
            ),
        ),
        "declaring": rows_of(
            "declaring",
            "gain",
            named(
                *(
                    f"declaring/{kind}, {when}"
                    for kind in ("plain", "trump")
                    for when in ("first lead", "later")
                )
            ),
        ),
        "before-closing": rows_of("exchange", "gain", named("exchange/before closing")),
        "leading": rows_of(
            "leading",
            "gain",
            named(
                "leading/open, 1",
                "leading/open, 2",
                "leading/open, 3+",
                "leading/closed",
                "leading/exhausted",
            ),
        ),
        "counting": rows_of(
            "counting",
            "gain",
            named("counting/ending, leader", "counting/ending, other", "counting/call missed"),
        ),
    }


TABLE = re.compile(r"(<!-- table: ([\w-]+) -->\n).*?(<!-- end -->)", re.S)


def with_tables(page: str, data: Mapping[str, Any], language: str) -> str:
    """A page with the tables of the data between its marks."""
    with use_language(language):
        made = tables(data, language)
    return TABLE.sub(lambda match: f"{match[1]}\n{made[match[2]]}\n\n{match[3]}", page)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0, help="the first of the seeds")
    parser.add_argument(
        "--only", nargs="+", choices=QUESTIONS, help="these questions, keeping what is there of the others"
    )
    parser.add_argument("--tables", action="store_true", help="measure nothing, only write the tables again")
    options = parser.parse_args()
    if not options.tables:
        found = measure(options.hands, options.seed, options.only or QUESTIONS)
        if options.only:
            kept = json.loads(DATA.read_text(encoding="utf-8"))
            if any(kept["about"][key] != found["about"][key] for key in ("command", "network")):
                parser.error("--only: the others were measured with other hands or another network")
            together = kept["groups"] | found["groups"]
            found = {"about": kept["about"], "groups": dict(sorted(together.items()))}
        DATA.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    data = json.loads(DATA.read_text(encoding="utf-8"))
    for language, path in PAGES.items():
        if path.is_file():
            page = path.read_text(encoding="utf-8")
            path.write_text(with_tables(page, data, language), encoding="utf-8")


if __name__ == "__main__":
    main()
