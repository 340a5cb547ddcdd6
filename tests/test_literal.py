"""The oracle itself: against the position vectors, the hand-worked situations, and plain counting.

The vectors give the value of every action. Plain recursion takes a second or so for a position with one
face-down card and 13 cards in hands and talon: only every fourth of those is taken, unless
SANTASE_ALL_VECTORS is set (all of them have agreed). Open positions with more cards are out of its reach.
"""

from __future__ import annotations

import itertools
import json
import os
import pathlib
import random

import pytest
from literal import CARD_POINTS, PRESETS, LiteralHand, LiteralRules, action_values, minimax, perft
from situations import FIRST_LEAD, SITUATIONS

VECTORS = pathlib.Path(__file__).parent / "vectors"
MOST_CARDS = 13  # in the hands and the open talon together

SMALL = LiteralRules(
    name="small",
    ranks="QKTA",
    suits="CDH",
    hand_size=3,
    exchange_rank="Q",
    exchange_needs_trick=False,
    exchange_min_talon=1,
    close_before_first_trick=True,
    target=45,
    schneider=22,
)


def reachable_vectors():
    large = 0
    for path in sorted(VECTORS.glob("*.jsonl")):
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            vector = json.loads(text)
            hand = LiteralHand.from_line(PRESETS, vector["position"])
            # After a closing the face-down cards are out of play.
            cards = len(hand.hands[0] | hand.hands[1]) + (len(hand.talon) if hand.open else 0)
            if cards > MOST_CARDS:
                continue
            if cards == MOST_CARDS:
                large += 1
                if large % 4 and "SANTASE_ALL_VECTORS" not in os.environ:
                    continue
            yield pytest.param(vector, id=f"{path.stem}:{number}")


@pytest.mark.parametrize("vector", list(reachable_vectors()))
def test_vector(vector):
    hand = LiteralHand.from_line(PRESETS, vector["position"])
    assert hand.line() == vector["position"]
    values = action_values(hand)
    assert values == vector["actions"]
    assert max(values.values()) == vector["value"]


def test_minimax_is_the_best_action():
    line = "santase KQ... J.9.. ACTCADTDAS KH T9.ATQJ.KQJ9.KQJ9 0 40/14 5/2 0/0 0"
    hand = LiteralHand.from_line(PRESETS, line)
    assert minimax(hand) == max(action_values(hand).values()) == 2
    assert minimax(hand.play("QS")) == -action_values(hand)["QS"]


# ---------------------------------------------------------------- situations


@pytest.mark.parametrize("case", SITUATIONS, ids=lambda case: case.name)
def test_situation(case):
    hand = LiteralHand.from_line(PRESETS, case.start)
    assert hand.line() == case.start
    for action in case.play:
        hand = hand.play(action)

    assert (hand.over, hand.winner, hand.game_points) == (case.over, case.winner, case.game_points)
    for said in ("points", "tricks", "pending"):
        if getattr(case, said) is not None:
            assert getattr(hand, said) == getattr(case, said)
    if case.line is not None:
        assert hand.line() == case.line
        assert LiteralHand.from_line(PRESETS, case.line) == hand
    if case.legal is not None:
        assert tuple(hand.legal_actions()) == case.legal
    for action in case.illegal:
        with pytest.raises(ValueError):
            hand.play(action)
    if case.views is not None:
        assert (hand.view(0), hand.view(1)) == case.views
    if case.values is not None:
        assert action_values(hand) == case.values


def test_situation_names_are_unique():
    assert len({case.name for case in SITUATIONS}) == len(SITUATIONS)


@pytest.mark.parametrize("start", sorted({case.start for case in SITUATIONS}))
def test_situations_start_from_possible_positions(start):
    """The cards, points and tricks written by hand can have come about."""
    hand = LiteralHand.from_line(PRESETS, start)
    rules = hand.rules
    assert_cards_complete(hand)
    assert len(hand.played) == 2 * sum(hand.tricks)
    assert len(hand.hands[0]) == len(hand.hands[1])
    marriages = sum(hand.points) - sum(CARD_POINTS[card[0]] for card in hand.played)
    assert marriages in (0, 20)
    given = [
        points
        for points in (hand.points[0], hand.points[0] - marriages)
        if points in sums_of(hand.played, 2 * hand.tricks[0])
    ]
    assert given
    if hand.open or hand.closer is not None:
        open_tricks = (len(rules.deck()) - 2 * rules.hand_size - 1 - len(hand.talon)) / 2
        assert sum(hand.tricks) == open_tricks + rules.hand_size - len(hand.hands[0])


def sums_of(cards, number):
    """The card points that `number` of the cards can have together."""
    sums = {(0, 0)}
    for card in cards:
        sums |= {(n + 1, points + CARD_POINTS[card[0]]) for n, points in sums}
    return {points for n, points in sums if n == number}


def assert_cards_complete(hand):
    everywhere = [*hand.hands[0], *hand.hands[1], *hand.talon, *hand.played]
    everywhere += [card for card in (hand.turned, hand.led) if card]
    assert sorted(everywhere) == sorted(hand.rules.deck())


# ---------------------------------------------------------------- counting sequences


def test_perft_of_a_first_lead():
    # Six cards, the marriage and the call; six replies to each card, and the K, the Q and the call.
    hand = LiteralHand.from_line(PRESETS, FIRST_LEAD.format("santase"))
    assert [perft(hand, depth) for depth in range(3)] == [1, 8, 36 + 3]
    # Six cards; six replies to each.
    hand = LiteralHand.from_line(PRESETS, FIRST_LEAD.format("santase-bg"))
    assert [perft(hand, depth) for depth in range(3)] == [1, 6, 36]


def test_perft_counts_no_sequence_that_has_ended():
    # Lead or call; the reply; nothing.
    hand = LiteralHand.from_line(PRESETS, "santase ..A. ..9. - C ATKQJ9.ATKQJ9.TKQJ.ATKQJ9 0 44/65 5/6 0/0 -")
    assert [perft(hand, depth) for depth in range(4)] == [1, 2, 1, 0]


# ---------------------------------------------------------------- whole hands, played at random


def random_deal(rules, rng):
    cards = rules.deck()
    rng.shuffle(cards)
    return LiteralHand.deal(rules, cards, leader=rng.randrange(2))


def random_action(hand, rng):
    """Any legal action, but seldom a call, so that most hands go on to the end."""
    actions = hand.legal_actions()
    if rng.random() < 0.97 and len(actions) > 1:
        actions = [action for action in actions if action != "call"]
    return rng.choice(actions)


@pytest.mark.parametrize("rules", [*PRESETS.values(), SMALL], ids=lambda rules: rules.name)
def test_random_hands_keep_their_cards_and_lines(rules):
    rng = random.Random(f"hands of {rules.name}")
    for _ in range(60):
        hand = random_deal(rules, rng)
        while True:
            assert_cards_complete(hand)
            line = hand.line()
            assert LiteralHand.from_line({rules.name: rules}, line) == hand
            for player in 0, 1:
                assert hand.holds[player] <= hand.hands[player]
                assert hand.lacks[player] <= set(hand.talon)
                if hand.exhausted:
                    assert not any(hand.known())
                    assert hand.view(player) == line
            if hand.over:
                assert hand.legal_actions() == []
                assert hand.game_points in (1, 2, 3) if hand.winner is not None else hand.game_points == 0
                break
            hand = hand.play(random_action(hand, rng))


# ---------------------------------------------------------------- knowledge


def deals_for(hand, player):
    """Every deal that the player may be facing before the first lead."""
    rules = hand.rules
    own = hand.hands[player]
    unseen = sorted(set(rules.deck()) - own - {hand.turned})
    for others in itertools.combinations(unseen, rules.hand_size):
        hands = (own, frozenset(others)) if player == 0 else (frozenset(others), own)
        for talon in itertools.permutations(sorted(set(unseen) - set(others))):
            yield hand._replace(hands=hands, talon=talon)


@pytest.mark.parametrize("seed", range(12))
def test_views_say_what_the_possible_deals_have_in_common(seed):
    """The view of a small hand, against all deals in which everything seen could have happened.

    The cards shown in the other's hand are those in that hand in every such deal; those said to be lacking,
    with the ones that the player sees, those in that hand in none.
    """
    rng = random.Random(seed)
    hand = random_deal(SMALL, rng)
    player, other = seed % 2, 1 - seed % 2
    deals = list(deals_for(hand, player))
    closing = rng.randrange(1, 8)  # that action is a closing if it can be
    for step in itertools.count():
        view = hand.view(player).split()
        shown = view[1 + other].split("+")[0] or "..."
        spades, hearts, diamonds, clubs = shown.split(".")
        shown = {
            r + s for s, ranks in zip("SHDC", (spades, hearts, diamonds, clubs), strict=False) for r in ranks
        }
        assert shown == set.intersection(*(set(deal.hands[other]) for deal in deals))

        possible = set.union(*(set(deal.hands[other]) for deal in deals))
        visible = hand.hands[player] | hand.played | {hand.turned, hand.led}
        if "+" in view[1 + other]:
            assert possible == set(SMALL.deck()) - visible - hand.lacks[other]
        if "?" not in view[3]:
            assert {deal.talon for deal in deals} == {hand.talon}

        if hand.over:
            break
        action = random_action(hand, rng)
        if step >= closing and "close" in hand.legal_actions():
            action = "close"
        hand = hand.play(action)
        deals = [deal.play(action) for deal in deals if action in deal.legal_actions()]
        deals = [
            deal for deal in deals if (deal.hands[player], deal.turned) == (hand.hands[player], hand.turned)
        ]
        assert hand in deals
