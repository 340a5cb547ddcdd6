"""Seeds, written a second time from docs/determinism.md: cards out of numbers, in plain Python."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import santase
from santase._players import mix_seed, random_action
from santase.compare import _mean_of
from santase.review import Review, review

PAGE = Path(__file__).parent.parent / "docs" / "determinism.md"
MASK = 2**64 - 1
RANKS = "9JQKTA"
SEEDS = st.integers(0, MASK)


class Generator:
    """The section "The generator"."""

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK

    def step(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        m = (self.step() >> 32) * n
        if m % 2**32 < n:
            b = (2**32 - n) % n
            while m % 2**32 < b:
                m = (self.step() >> 32) * n
        return m >> 32


def name(card: int) -> str:
    return RANKS[card % 6] + "CDHS"[card // 6]


def number(card: str) -> int:
    return 6 * "CDHS".index(card[1]) + RANKS.index(card[0])


def hand(cards: list[int]) -> str:
    """As the notation writes it."""
    return ".".join(
        "".join(RANKS[c % 6] for c in sorted(cards, reverse=True) if c // 6 == suit) for suit in (3, 2, 1, 0)
    )


def deal(seed: int, rules: santase.Rules) -> str:
    """The section "A deal"."""
    numbers = Generator(seed)
    cards = [card for card in range(24) if name(card)[0] in rules.ranks and name(card)[1] in rules.suits]
    for i in range(len(cards) - 1, 0, -1):
        j = numbers.below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    h = rules.hand_size
    talon = "".join(name(card) for card in cards[2 * h + 1 :])
    return (
        f"{rules} {hand(cards[:h])} {hand(cards[h : 2 * h])} {talon} {name(cards[2 * h])} ... 0 0/0 0/0 0/0 -"
    )


def choose(cards: list[int], k: int, numbers: Generator) -> list[int]:
    for i in range(k):
        j = i + numbers.below(len(cards) - i)
        cards[i], cards[j] = cards[j], cards[i]
    return cards[:k]


def world(view: santase.Position, numbers: Generator) -> tuple[set[str], list[str]]:
    """The section "Worlds": the hidden hand as it is then, and the talon."""
    rules = view.rules
    seen = {*view.played, *view.hands[0], *view.hands[1], *(view.talon or ()), view.led, view.turned}
    unknown = [
        card
        for card in range(24)
        if name(card)[0] in rules.ranks and name(card)[1] in rules.suits and name(card) not in seen
    ]
    other = 0 if view.hidden[0] else 1
    held = {*view.hands[other]}
    if view.hidden[other]:
        lacks = view.known[2 * other + 1]
        chosen = choose([c for c in unknown if name(c) not in lacks], view.hidden[other], numbers)
        held |= {name(card) for card in chosen}
        unknown = [card for card in unknown if card not in chosen]
    if view.talon is not None:
        return held, list(view.talon)
    if view.phase == "open":
        choose(unknown, len(unknown) - 1, numbers)
    return held, [name(card) for card in unknown]


RULES = [
    *santase.RULES,
    "santase+hand_size=4+ranks=QKTA+exchange_rank=Q",
    "santase+suits=CD+hand_size=3+target=20",
    "sixty-six+hand_size=11",
]


@settings(max_examples=200, deadline=None)
@given(seed=SEEDS, rules=st.sampled_from(RULES))
def test_deals(seed: int, rules: str) -> None:
    assert str(santase.deal(seed, rules)) == deal(seed, santase.Rules.parse(rules))


@settings(max_examples=200, deadline=None)
@given(seed=SEEDS, rules=st.sampled_from(RULES), choices=SEEDS, steps=st.integers(0, 30))
def test_worlds(seed: int, rules: str, choices: int, steps: int) -> None:
    position = santase.deal(seed, rules)
    for step in range(steps):
        action = random_action(position, mix_seed(choices, step))
        if position.play(action).is_over:
            break
        position = position.play(action)
    view = position.view()
    numbers = Generator(choices)
    for found in santase.sample_worlds(view, 3, seed=choices):
        other = 0 if view.hidden[0] else 1
        held, talon = world(view, numbers)
        assert set(found.hands[other]) == held
        assert list(found.talon or ()) == talon


@given(seed=SEEDS, k=st.integers(1, 50))
def test_hand_seeds(seed: int, k: int) -> None:
    numbers = Generator(seed)
    expected = seed
    for _ in range(k - 1):
        expected = numbers.step()
    assert santase.hand_seed(seed, k) == expected


@given(seed=SEEDS, numbers=st.lists(SEEDS, max_size=4))
def test_mixed_seeds(seed: int, numbers: list[int]) -> None:
    expected = Generator(seed).step()
    for n in numbers:
        expected = Generator(expected ^ n).step()
    assert mix_seed(seed, *numbers) == expected


@pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not here")
def test_the_values_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| `(\w{16})` `(\w{16})` `(\w{16})` \|$", page, re.M)
    assert len(rows) == 3
    for seed, *expected in rows:
        numbers = Generator(int(seed))
        assert [f"{numbers.step():016X}" for _ in range(3)] == expected
    deals = re.findall(r"^\| (\d+)(?:, `(\w+)`)? \| `([^`]+)` \|$", page, re.M)
    assert len(deals) == 4
    for seed, rules, line in deals:
        assert deal(int(seed), santase.RULES[rules or "santase"]) == line
    found = re.findall(r"`(hand|mix)_seed\(([0-9,\s]+)\)`(?:\sis)?\s(\d+)", page)
    assert len(found) == 5
    for kind, arguments, value in found:
        made = (santase.hand_seed if kind == "hand" else mix_seed)(*map(int, arguments.split(",")))
        assert made == int(value), arguments
    worlds = re.findall(r"^(santase T\.TQJ\.T\.K .*)$", page, re.M)
    assert list(map(str, santase.sample_worlds(santase.deal(7).view(), 2, seed=1))) == worlds


def test_analyses_do_not_depend_on_threads() -> None:
    view = santase.deal(7).view()
    one = santase.analyze(view, worlds=1003, seed=5)
    for threads in (2, 3, 8):
        more = santase.analyze(view, worlds=1003, seed=5, threads=threads)
        assert (more.best, more.actions, more.worlds) == (one.best, one.actions, one.worlds)


@given(counts=st.dictionaries(st.integers(-18, 18), st.integers(1, 10**6), min_size=2))
def test_errors_of_means_are_rounded_alike(counts: dict[int, int]) -> None:
    """What the terms come to, rounded once, in any order: Python's own ``sum`` rounds otherwise from 3.12 on."""
    mean, stderr = _mean_of(counts)
    assert (mean, stderr) == _mean_of(dict(reversed(counts.items())))
    number = sum(counts.values())
    terms = [Fraction((value - mean) ** 2 * times) for value, times in counts.items()]
    assert stderr == math.sqrt(float(sum(terms)) / number / (number - 1))


def test_costs_of_a_review_are_added_up_alike() -> None:
    game = santase.Game("santase", seed=14)
    while not game.position.is_over:
        game.play(next(action for action in game.legal_actions() if action.kind == "play"))
    found = review(game, worlds=40, seed=1)
    other = Review(found.recollection, found.decisions[::-1])
    judged = [decision for decision in found.decisions if decision.verdict in ("best", "even", "mistake")]
    for player in (None, 0, 1):
        tally = found.tally(player)
        assert tally == other.tally(player)
        costs = [Fraction(decision.cost) for decision in judged if player in (None, decision.player)]
        assert len(costs) > 5 and tally.cost == float(sum(costs))
