"""The compiled rules against the literal engine, which was written apart from them."""

import dataclasses
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from literal import PRESETS, LiteralHand, LiteralRules
from literal import perft as literal_perft
from situations import SITUATIONS

import santase
from santase import RULES, IllegalActionError, Position, Rules

PERFT = json.loads((Path(__file__).parent / "perft.json").read_text(encoding="utf-8"))


def literal_rules(rules: Rules) -> LiteralRules:
    """The same settings for the literal engine, under the name that the notation gives them."""
    values = {field.name: getattr(rules, field.name) for field in dataclasses.fields(rules)}
    return LiteralRules(**values | {"name": str(rules)})


def literal_twin(position: Position) -> LiteralHand:
    twin = literal_rules(position.rules)
    return LiteralHand.from_line({twin.name: twin}, str(position))


def assert_same(position: Position, twin: LiteralHand) -> None:
    assert str(position) == twin.line()
    assert position.is_over == twin.over
    assert [str(action) for action in position.legal_actions()] == list(twin.legal_actions())
    if twin.over:
        assert position.outcome is not None
        assert (position.outcome.winner, position.outcome.game_points) == (twin.winner, twin.game_points)
        return
    for player in (0, 1):
        assert str(position.view(player)) == twin.view(player)


def walk(data: st.DataObject, position: Position) -> None:
    """Both engines side by side to the end of the hand."""
    twin = literal_twin(position)
    # a hand that is closed or called at once shows little: such actions are rarer than the draw makes them
    hasty = data.draw(st.integers(0, 3))
    while True:
        assert_same(position, twin)
        assert Position.parse(str(position)) == position
        if position.is_over:
            return
        actions = position.legal_actions()
        calm = [action for action in actions if action not in ("call", "close")]
        action = data.draw(st.sampled_from(actions if hasty == 0 or not calm else calm))
        if hasty > 1 and "close" in actions and sum(position.tricks) >= hasty:
            action = next(action for action in actions if action == "close")
        position, twin = position.play(action), twin.play(str(action))


def test_presets_are_the_same():
    for name, rules in RULES.items():
        assert literal_rules(rules) == dataclasses.replace(PRESETS[name], name=name)


@pytest.mark.parametrize("name", RULES)
@settings(max_examples=150, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**64 - 1), leader=st.integers(0, 1))
def test_presets_side_by_side(name, data, seed, leader):
    walk(data, santase.deal(seed, name, leader=leader))


def subsets(whole: str, least: int) -> st.SearchStrategy[str]:
    return st.sets(st.sampled_from(whole), min_size=least).map(
        lambda chosen: "".join(letter for letter in whole if letter in chosen)
    )


@st.composite
def house_rules(draw: st.DrawFn) -> Rules:
    ranks = draw(st.one_of(st.just("9JQKTA"), subsets("9JQKTA", 2)))
    suits = draw(st.one_of(st.just("CDHS"), subsets("CDHS", 1)))
    deck = len(ranks) * len(suits)
    sizes = [size for size in range(1, 12) if 1 <= deck - 2 * size - 1 <= 11 and (deck - 2 * size) % 2 == 0]
    if not sizes:
        ranks, suits, sizes = "9JQKTA", "CDHS", [6]
    score = st.integers(1, 9)
    return Rules(
        ranks=ranks,
        suits=suits,
        hand_size=draw(st.sampled_from(sizes)),
        automatic=draw(st.booleans()),
        exchange_rank=draw(st.sampled_from(ranks)),
        exchange_needs_trick=draw(st.booleans()),
        exchange_min_talon=draw(st.integers(1, 5)),
        close_before_first_trick=draw(st.booleans()),
        close_min_talon=draw(st.integers(1, 5)),
        marriage_before_first_trick=draw(st.booleans()),
        last_trick_bonus=draw(st.integers(0, 30)),
        last_trick_wins=draw(st.booleans()),
        tie_void=draw(st.booleans()),
        closer_under_33=draw(score),
        score_at_closing=draw(st.booleans()),
        closer_fails=draw(score),
        closer_fails_trickless=draw(score),
        wrong_call=draw(score),
        wrong_call_trickless=draw(score),
        trickless=draw(st.sampled_from(["failed", "other"])),
        target=draw(st.one_of(st.just(66), st.integers(1, 150))),
        schneider=draw(st.one_of(st.just(33), st.integers(0, 80))),
    )


@settings(max_examples=300, deadline=None)
@given(data=st.data(), rules=house_rules(), seed=st.integers(0, 2**64 - 1), leader=st.integers(0, 1))
def test_house_rules_side_by_side(data, rules, seed, leader):
    walk(data, santase.deal(seed, rules, leader=leader))


@given(rules=house_rules())
def test_rules_round_trip(rules):
    assert Rules.parse(str(rules)) == rules


# ---------------------------------------------------------------- situations


@pytest.mark.parametrize("case", SITUATIONS, ids=lambda case: case.name)
def test_situation(case):
    position = Position.parse(case.start)
    for action in case.play:
        position = position.play(action)
    outcome = position.outcome
    assert position.is_over == case.over
    if outcome is not None:
        assert (outcome.winner, outcome.game_points) == (case.winner, case.game_points)
    for said in ("points", "tricks", "pending"):
        if getattr(case, said) is not None:
            assert getattr(position, said) == getattr(case, said)
    if case.line is not None:
        assert str(position) == case.line
    if case.legal is not None:
        assert tuple(position.legal_actions()) == case.legal
    for action in case.illegal:
        with pytest.raises(IllegalActionError):
            position.play(action)
    if case.views is not None:
        assert (str(position.view(0)), str(position.view(1))) == case.views


# ---------------------------------------------------------------- perft


@pytest.mark.parametrize("entry", PERFT, ids=lambda entry: entry["position"].split()[0])
def test_perft_as_recorded(entry):
    """Counts on which both engines agreed; ``python tests/test_rules.py`` makes them anew."""
    position = Position.parse(entry["position"])
    assert [santase.perft(position, depth) for depth in range(1, len(entry["counts"]) + 1)] == entry["counts"]


@pytest.mark.parametrize("entry", PERFT, ids=lambda entry: entry["position"].split()[0])
def test_perft_of_the_literal_engine(entry):
    twin = literal_twin(Position.parse(entry["position"]))
    for depth, count in enumerate(entry["counts"][:4], 1):
        assert literal_perft(twin, depth) == count


def test_perft_refuses_what_it_cannot_count():
    with pytest.raises(santase.HiddenCardsError):
        santase.perft(santase.deal(1).view(), 2)
    with pytest.raises(santase.SantaseError):
        santase.perft(santase.deal(1), -1)
    assert santase.perft(santase.deal(1), 0) == 1


if __name__ == "__main__":
    entries = []
    for name in RULES:
        for seed in (1, 2):
            position = santase.deal(seed, name)
            counts = [santase.perft(position, depth) for depth in range(1, 9)]
            literal = [literal_perft(literal_twin(position), depth) for depth in range(1, 6)]
            assert literal == counts[:5]
            entries.append({"position": str(position), "counts": counts})
    (Path(__file__).parent / "perft.json").write_text(
        "[\n" + ",\n".join(json.dumps(entry) for entry in entries) + "\n]\n",
        encoding="utf-8",
    )
