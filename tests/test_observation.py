"""The observation array: it says what the view says, no less and no more."""

import random

import numpy as np
import pytest

import santase
from santase import CARDS, HiddenCardsError, Position, SantaseError
from santase.cards import SUITS
from santase.env import LAYOUT, OBSERVATION_SIZE, action_mask, observe
from santase.rules import RULES, Rules

SMALL = Rules.parse("santase+suits=CD+ranks=QKTA+hand_size=2+target=20+schneider=10")
GAMES = [*RULES.values(), SMALL]


def positions(rules, hands=12, seed=0):
    """Full positions along random hands, the ends included."""
    chance = random.Random(seed)
    for number in range(hands):
        position = santase.deal(number, rules)
        yield position
        while not position.is_over:
            actions = position.legal_actions()
            if len(actions) > 1:  # else nearly every hand is over at the first lead
                actions = [
                    action for action in actions if action != "call" or chance.random() < 0.1
                ] or actions
            position = position.play(chance.choice(actions))
            yield position


def read_back(array, rules, player):
    """The line of the view that an observation was made of."""

    def field(name):
        entry = next(field for field in LAYOUT if field.name == name)
        return array[entry.start : entry.start + entry.size]

    def cards(name):
        return {CARDS[place] for place in np.flatnonzero(field(name))}

    def hand(held):
        return ".".join("".join(rank for rank in "ATKQJ9" if rank + suit in held) for suit in reversed(SUITS))

    def number(name, one, place=0):
        return round(float(field(name)[place]) * one)

    def seats(own, other, form="{}/{}"):
        return form.format(own, other) if player == 0 else form.format(other, own)

    def pair(name, one):
        return seats(number(name, one), number(name, one, 1))

    own, other = cards("own"), cards("other")
    hidden = number("cards", rules.hand_size, 1) - len(other)
    assert number("cards", rules.hand_size) == len(own)
    their_hand = hand(other) if not hidden else (hand(other) if other else "") + f"+{hidden}"
    deck = {rank + suit for suit in rules.suits for rank in rules.ranks}
    unseen = deck - own - other - cards("played") - cards("led") - cards("turned")
    facedown = number("facedown", 11)
    leader = player if field("leader")[0] else 1 - player
    turn = str(leader)
    if cards("led"):
        turn += ":" + cards("led").pop()
    elif field("declared").any():
        turn += ":marriage-" + SUITS[int(np.argmax(field("declared")))]
    trump = SUITS[int(np.argmax(field("trump")))]
    talon = "-" if not facedown else f"?{facedown}" if hidden or facedown > 1 else "".join(unseen)
    closed = "-"
    if field("closed").any():
        closed = str(player if field("closed")[0] else 1 - player)
        if rules.score_at_closing or rules.trickless == "other":
            closed += f":{number('closing_points', rules.target)}"
            closed += f":{number('closing_tricks', rules.deck_size // 2)}"
    line = [
        str(rules),
        seats(hand(own), their_hand, "{} {}"),
        talon,
        cards("turned").pop() if cards("turned") else trump,
        hand(cards("played")),
        turn,
        pair("points", rules.target),
        pair("tricks", rules.deck_size // 2),
        pair("pending", 40),
        closed,
    ]
    known = [hand(cards(name)) for name in ("own_shown", "own_lacks", "other_shown", "other_lacks")]
    if player == 1:
        known = known[2:] + known[:2]
    if set(known) != {"..."}:
        line.append("/".join(known))
    return " ".join(line)


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_a_view_can_be_read_back_from_its_observation(rules):
    for position in positions(rules, seed=1):
        if position.is_over:  # its line says how it ended, which is no observation
            continue
        for player in (0, 1):
            view = position.view(player)
            array = observe(position, player)
            assert read_back(array, rules, player) == str(view)
            assert np.array_equal(array, observe(view, player))
            assert array[next(f.start for f in LAYOUT if f.name == "to_move")] == (player == view.to_move)


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_hidden_cards_do_not_show(rules):
    for position in positions(rules, hands=4, seed=2):
        if position.is_over:
            continue
        view = position.view()
        for world in santase.sample_worlds(view, 3, seed=1):
            assert np.array_equal(observe(world, view.to_move), observe(view))


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_mask_is_the_legal_actions(rules):
    for position in positions(rules, hands=6, seed=3):
        mask = action_mask(position)
        assert mask.dtype == np.int8 and mask.shape == (31,)
        assert [action.number for action in position.legal_actions()] == np.flatnonzero(mask).tolist()


def test_layout_covers_the_array():
    place = 0
    for field in LAYOUT:
        assert field.start == place and field.meaning
        place += field.size
    assert place == OBSERVATION_SIZE == observe(santase.deal(1)).size == 239
    assert len({field.name for field in LAYOUT}) == len(LAYOUT)


def test_array_of_the_callers():
    out = np.full(OBSERVATION_SIZE, 7, np.float32)
    assert observe(santase.deal(1), out=out) is out
    assert np.array_equal(out, observe(santase.deal(1)))
    with pytest.raises(SantaseError, match="an array of 239 entries is needed, not of 3"):
        observe(santase.deal(1), out=np.zeros(3, np.float32))
    with pytest.raises(ValueError):
        observe(santase.deal(1), out=np.zeros(OBSERVATION_SIZE))


def test_errors():
    view = santase.deal(1).view()
    with pytest.raises(HiddenCardsError, match="player 1 is hidden"):
        observe(view, 1)
    with pytest.raises(SantaseError, match="player: 0 or 1"):
        observe(view, 2)
    other = santase.deal(1).view(1)
    with pytest.raises(HiddenCardsError):
        action_mask(Position.parse(str(other)))
