"""Positions as Python objects: identity, play, views, and the deal."""

import copy
import dataclasses
import pickle
from collections import Counter

import pytest

import santase
from santase import (
    ACTIONS,
    CARDS,
    Action,
    HiddenCardsError,
    IllegalActionError,
    NotationError,
    Position,
    SantaseError,
    deal,
)
from santase._core import card_points

MASK = 2**64 - 1


def reference_deal(seed: int, deck: list[str], hand_size: int):
    """The documented generator and shuffle, written out again in plain Python."""
    state = seed

    def step() -> int:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return z ^ (z >> 31)

    def below(n: int) -> int:
        while True:
            product = (step() >> 32) * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32

    cards = list(deck)
    for i in range(len(cards) - 1, 0, -1):
        j = below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return (
        set(cards[:hand_size]),
        set(cards[hand_size : 2 * hand_size]),
        cards[2 * hand_size],
        tuple(cards[2 * hand_size + 1 :]),
    )


@pytest.mark.parametrize("seed", [0, 1, 7, 2**32, 2**64 - 1, *range(100, 130)])
@pytest.mark.parametrize("name", ["santase", "schnapsen"])
def test_deal_is_the_documented_one(seed, name):
    rules = santase.RULES[name]
    deck = [rank + suit for suit in "CDHS" for rank in "9JQKTA" if rank in rules.ranks]
    hand0, hand1, turned, talon = reference_deal(seed, deck, rules.hand_size)
    position = deal(seed, name)
    assert (set(position.hands[0]), set(position.hands[1])) == (hand0, hand1)
    assert (position.turned, position.talon) == (turned, talon)
    assert position.leader == position.to_move == 0
    assert deal(seed, rules, leader=1).to_move == 1


def test_deal_never_changes():
    assert str(deal(7)) == "santase T.TQJ.T.K K9.AK.AJ. JC9DQCACQDTCAS9HJS9CKD QS ... 0 0/0 0/0 0/0 -"


@pytest.mark.parametrize("seed", [-1, 2**64, "7", 1.0, None, True])
def test_bad_seed(seed):
    with pytest.raises(SantaseError, match="seed"):
        deal(seed)


def test_bad_leader_and_rules():
    with pytest.raises(SantaseError, match="leader"):
        deal(1, leader=2)
    with pytest.raises(santase.RulesError, match="bridge"):
        deal(1, "bridge")


def test_identity():
    one, two, other = deal(3), Position.parse(str(deal(3))), deal(4)
    assert one == two and hash(one) == hash(two) and one != other
    assert one != str(one)
    assert len({one, two, other}) == 2
    for position in (one, one.view(), one.play(one.legal_actions()[0])):
        assert pickle.loads(pickle.dumps(position)) == position
        assert copy.copy(position) is position and copy.deepcopy(position) is position
        assert eval(repr(position), {"Position": Position}) == position
    same_cards = Position.parse(str(deal(3)).replace("santase ", "santase-bg "))
    assert same_cards != one


def test_immutable():
    position = deal(3)
    for name in ("points", "to_move", "hands", "anything"):
        with pytest.raises(AttributeError):
            setattr(position, name, 1)
    with pytest.raises(TypeError, match="parse"):
        Position()
    before = str(position)
    position.play(position.legal_actions()[0])
    position.view()
    assert str(position) == before


def test_house_rules_have_a_line_of_their_own():
    house = dataclasses.replace(santase.RULES["santase"], last_trick_bonus=0, name="ours")
    line = str(deal(3, house))
    assert line.startswith("santase+last_trick_bonus=0 ")
    assert Position.parse(line) == deal(3, house) != deal(3)
    assert Position.parse(line).rules == house
    renamed = dataclasses.replace(santase.RULES["schnapsen"], name="two-hander")
    assert str(deal(3, renamed)).startswith("schnapsen ")
    small = dataclasses.replace(house, ranks="QKTA", hand_size=4)
    assert Position.parse(str(deal(3, small))).rules.ranks == "QKTA"


# ---------------------------------------------------------------- actions


def test_actions():
    assert [action.number for action in ACTIONS] == list(range(31))
    assert Action("KS").number == 21 and Action("KS").kind == "play" and Action("KS").card == "KS"
    assert Action("marriage-S").number == 27 and Action("marriage-S").suit == "S"
    assert [str(action) for action in ACTIONS[28:]] == ["exchange", "close", "call"]
    for written, action in (
        ("ks", "KS"),
        ("10c", "TC"),
        ("K♠", "KS"),
        ("MARRIAGE-♥", "marriage-H"),
        ("Call", "call"),
    ):
        assert Action(written) is Action(action)
    assert Action("KS") == "KS" and {Action("KS"): 1}["KS"] == 1
    assert pickle.loads(pickle.dumps(Action("KS"))) is copy.deepcopy(Action("KS")) is Action("KS")


@pytest.mark.parametrize(
    "text", ["", "K", "KX", "XS", "marriage", "marriage-", "marriage-X", "pass", "KSKS", "1C", "ß"]
)
def test_bad_actions(text):
    with pytest.raises(NotationError):
        Action(text)
    with pytest.raises(NotationError):
        deal(1).play(text)


def test_actions_of_other_types():
    for thing in (None, 5, b"KS", ("KS",)):
        with pytest.raises((NotationError, TypeError)):
            deal(1).play(thing)


ILLEGAL = [
    ("santase AQ.Q.AT.J TKJ.TJ..A 9SQD9D9CAHQCTCKH9HKCKD JD ... 0 0/0 0/0 0/0 -", "KS", "does not hold"),
    (
        "santase AQ.Q.AT.J TKJ.TJ..A 9SQD9D9CAHQCTCKH9HKCKD JD ... 0 0/0 0/0 0/0 -",
        "marriage-S",
        "both K and Q",
    ),
    ("santase AQ.Q.AT.J TKJ.TJ..A 9SQD9D9CAHQCTCKH9HKCKD JD ... 0 0/0 0/0 0/0 -", "close", "before a trick"),
    ("santase AQ.Q.AT.J TKJ.TJ..A 9SQD9D9CAHQCTCKH9HKCKD JD ... 0 0/0 0/0 0/0 -", "exchange", "not hold 9D"),
    ("santase-bg AQ.Q.AT.J TKJ.TJ..A 9SQD9D9CAHQCTCKH9HKCKD JD ... 0 0/0 0/0 0/0 -", "call", "needs no call"),
    (
        "santase-bg KQ.Q.AT.J ATJ.TJ..A 9SQD9D9CAHQCTCKH9HKCKD JD ... 0 0/0 0/0 0/0 -",
        "marriage-S",
        "before a trick",
    ),
    (
        "santase KQ.Q.AT.J ATJ.TJ..A 9SQD9D9CAHQCTCKH9HKCKD JD ... 0:marriage-S 0/0 0/0 20/0 -",
        "AD",
        "its K or Q",
    ),
    (
        "santase KQ.Q.AT.J ATJ.TJ..A 9SQD9D9CAHQCTCKH9HKCKD JD ... 0:marriage-S 0/0 0/0 20/0 -",
        "close",
        "its K or Q",
    ),
    ("santase T.TQJ.T. K9.AK.A.A QDTCAS9HJS9CKD QS ..J9.KJ 0:QC 8/0 2/0 0/0 -", "call", "not on lead"),
    ("santase T9.J.Q.9 KQ.K9.K.J THKCAC AH AJ.Q.TJ9.TQ 0:AD 15/26 2/2 0/0 0", "KS", "follow suit"),
    ("santase T9.J.K.9 KQ.K9..KJ THADAC AH AJ.Q.TJ9.TQ 0:QD 15/26 2/2 0/0 0", "KS", "must trump"),
    ("santase ...J Q9... - C AKJ.ATKQJ9.ATKQJ9.ATKQ9 0:TS 38/107 4/6 0/0 -", "close", "not on lead"),
    ("santase T.J.. Q9... - C AKJ.ATKQ9.ATKQJ9.ATKQJ9 1 38/67 4/6 0/0 -", "close", "talon is exhausted"),
]


@pytest.mark.parametrize(("line", "action", "reason"), ILLEGAL)
def test_illegal_actions_say_why(line, action, reason):
    position = Position.parse(line)
    assert action not in position.legal_actions()
    with pytest.raises(IllegalActionError, match=reason) as caught:
        position.play(action)
    assert str(caught.value).startswith(action)


def test_over_hand():
    position = deal(7).play("call")
    assert position.is_over and position.outcome == (1, 3, "wrong call")
    assert position.legal_actions() == []
    assert str(position).split()[6] == "0:call"
    assert Position.parse(str(position)) == position
    with pytest.raises(IllegalActionError, match="over"):
        position.play("KC")


# ---------------------------------------------------------------- views


def test_view_hides():
    position = deal(7)
    mine, yours = position.view(), position.view(1)
    assert str(mine) == "santase T.TQJ.T.K +6 ?11 QS ... 0 0/0 0/0 0/0 -"
    assert str(yours) == "santase +6 K9.AK.AJ. ?11 QS ... 0 0/0 0/0 0/0 -"
    assert not mine.is_full and position.is_full
    assert mine.view() is mine and mine.hidden == (0, 6) and mine.talon is None
    with pytest.raises(HiddenCardsError):
        mine.view(1)
    with pytest.raises(HiddenCardsError):
        yours.legal_actions()
    with pytest.raises(HiddenCardsError):
        yours.play("TS")
    with pytest.raises(SantaseError, match="player"):
        position.view(2)
    assert mine.legal_actions() == position.legal_actions()


def test_view_can_be_played_until_cards_are_drawn():
    led = deal(7).view().play("JH")
    assert str(led).split()[6] == "0:JH"
    reply = deal(7).play("JH").view()
    with pytest.raises(HiddenCardsError, match="drawn"):
        reply.play("AH")


@pytest.mark.parametrize("name", santase.RULES)
def test_view_leaks_nothing(name):
    """Every world that a view allows gives that same view again."""
    for seed in range(40):
        position = deal(seed, name)
        turn = 0
        while not position.is_over:
            for player in (0, 1):
                view = position.view(player)
                assert Position.parse(str(view)) == view
                assert position in santase.sample_worlds(view, 1, seed=1) or not view.is_full
                for world in santase.sample_worlds(view, 3, seed=seed):
                    assert world.is_full
                    assert world.view(player) == view
                    assert Position.parse(str(world)) == world
            actions = [
                action
                for action in position.legal_actions()
                if action != "call" or position.points[position.to_move] >= 66
            ]
            position = position.play(actions[(seed * 7 + turn * 5) % len(actions)])
            turn += 1


def test_known_cards_show_in_the_view():
    start = Position.parse("santase KQ.Q.AT.J ATJ.TJ..A 9SQD9D9CAHQCTCKH9HKCKD JD ... 0 0/0 0/0 0/0 -")
    declared = start.play("marriage-S")
    assert str(declared.view(1)).split()[1] == "KQ...+4"
    after = declared.play("QS")
    assert str(after.view(1)).split()[1] == "K...+4"
    assert str(after.view(1)).split()[11] == "K.../.../.../..."
    taken = after.play("TS")
    assert taken.pending == (20, 0) and taken.known[0] == ("KS",)
    assert str(taken.view(1)).split()[1] == "K...+5"


# ---------------------------------------------------------------- worlds


def test_worlds_are_uniform():
    """Chi-square of 60,000 worlds against all 20 hands that are possible."""
    stats = pytest.importorskip("scipy.stats")
    view = Position.parse("santase J.J9.. +3 ?3 9D TKQ9.ATQ.ATK.TKQ9 0 68/15 5/2 0/0 0")
    assert santase.count_worlds(view) == 20
    seen = Counter(world.hands[1] for world in santase.sample_worlds(view, 60_000, seed=5))
    assert len(seen) == 20
    assert stats.chisquare(list(seen.values())).pvalue > 1e-4


def test_with_talon():
    position = deal(7)
    order = position.talon
    turned_round = position.with_talon(reversed(order))
    assert turned_round.talon == order[::-1]
    assert turned_round != position and turned_round.with_talon(order) == position
    assert turned_round.view() == position.view()
    # a position that shows both hands, but not the order of the talon, is told it
    line = str(position).split(" ")
    line[3] = f"?{len(order)}"
    hidden = Position.parse(" ".join(line))
    assert not hidden.is_full and hidden.with_talon(order) == position
    led = position.play("TS")
    drawn = led.with_talon(("TC", *(card for card in order if card != "TC"))).play("KS")
    assert "TC" in drawn.hands[drawn.leader]


@pytest.mark.parametrize(
    "change, error, message",
    [
        (lambda talon: talon[1:], SantaseError, "11 cards lie face down, not 10"),
        (lambda talon: (*talon[:-1], talon[0]), SantaseError, "stands there twice"),
        (lambda talon: (*talon[1:], "TS"), SantaseError, "TS does not lie face down"),
        (lambda talon: (*talon[1:], "XS"), NotationError, "'XS' is no card"),
    ],
)
def test_with_talon_errors(change, error, message):
    position = deal(7)
    with pytest.raises(error, match=message):
        position.with_talon(change(position.talon))


def test_with_talon_needs_both_hands():
    with pytest.raises(HiddenCardsError):
        deal(7).view().with_talon(deal(7).talon)


def test_wrong_types_and_sizes():
    """What is no position, rules or number says so, as one of two exceptions."""
    view = deal(1).view()
    for wrong in (
        lambda: deal(1, rules=None),
        lambda: deal(1, rules=5),
        lambda: santase.Rules.parse(None),
        lambda: santase.Game(5),
        lambda: santase.Game(deal=5),
        lambda: santase.unpack(5),
        lambda: santase.solve(deal(1), solver=5),
        lambda: santase.solve(str(deal(1))),
        lambda: santase.sample_worlds(view, 10**30),
        lambda: santase.sample_worlds(view, -1),
        lambda: santase.perft(deal(1), 10**30),
        lambda: deal(1).view(True),
        lambda: deal(1).view(0.0),
        lambda: Position.parse(b"santase"),
    ):
        with pytest.raises((SantaseError, TypeError)):
            wrong()


def test_an_unmade_position_crashes_nothing():
    unmade = Position.__new__(Position)
    for use in (str, repr, hash, lambda position: position.legal_actions(), lambda position: position.view()):
        use(unmade)


def test_card_points() -> None:
    values = {"9": 0, "J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}
    assert {card: card_points(card) for card in CARDS} == {card: values[card[0]] for card in CARDS}
    assert card_points("10♠") == 10
    with pytest.raises(NotationError):
        card_points("1S")
