"""Drawings: well-formed, self-contained, escaped, and showing what the position shows and no more."""

import inspect
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from types import ModuleType

import pytest

from santase import (
    CARDS,
    RULES,
    Action,
    NotationError,
    Position,
    deal,
    drawing,
    notebook,
    plot,
    sample_worlds,
)

SVG = "{http://www.w3.org/2000/svg}"
VIEW = Position.parse("santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 29/15 2/2 0/0 -")


def parsed(svg: str) -> ElementTree.Element:
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return root


def titles(svg: str) -> list[str]:
    return [title.text or "" for title in parsed(svg).iter(f"{SVG}title")]


def texts(svg: str) -> list[str]:
    return [text.text or "" for text in parsed(svg).iter(f"{SVG}text")]


def assert_self_contained(markup: str) -> None:
    """Nothing but the namespace names an address, and nothing is loaded."""
    rest = markup.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|url\(|src=|@import|<image|<script|data:", rest)


def played_on() -> list[Position]:
    """Positions of every kind, full and as views."""
    found = []
    for preset in RULES:
        position = deal(5, preset)
        step = 0
        while not position.is_over:
            found += [position, position.view(0), position.view(1)]
            actions = [action for action in position.legal_actions() if action != "call"]
            step += 1
            position = position.play(actions[(7 * step) % len(actions)])
        found.append(position)
    return found


@pytest.mark.parametrize("card", CARDS)
def test_every_card_has_a_face_of_its_own(card: str) -> None:
    root = parsed(drawing.card_svg(card))
    assert root.get("role") == "img"
    assert root.get("aria-label") == drawing.card_name(card)
    assert texts(drawing.card_svg(card)) == ["10" if card[0] == "T" else card[0]] * 2
    assert_self_contained(drawing.card_svg(card))


def test_faces_differ() -> None:
    for colours in (2, 4):
        faces = {re.sub("<title>.*?</title>|aria-label=\".*?\"", "", drawing.card_svg(card, colours=colours))
                 for card in CARDS}  # fmt: skip
        assert len(faces) == 24
    assert len({drawing.card_name(card) for card in CARDS}) == 24


def test_any_spelling_of_a_card() -> None:
    assert drawing.card_svg("10♠") == drawing.card_svg("ts") == drawing.card_svg("TS")
    assert drawing.card_name("K♠") == "king of spades"
    for wrong in ("", "1S", "<b>"):
        with pytest.raises(NotationError):
            drawing.card_svg(wrong)


def test_colours() -> None:
    fills = {
        colours: [re.findall('<path transform="[^"]*" fill="([^"]*)"', drawing.card_svg(f"A{suit}", colours=colours))[0]
                  for suit in "CDHS"]
        for colours in (2, 4)
    }  # fmt: skip
    assert len(set(fills[4])) == 4
    assert fills[2][0] == fills[2][3] != fills[2][1] == fills[2][2]
    with pytest.raises(ValueError, match="2 or 4"):
        drawing.card_svg("AS", colours=3)


def test_a_fan_shows_its_cards_and_backs() -> None:
    svg = drawing.fan_svg(["AS", "TH"], 2)
    assert titles(svg) == ["ace of spades", "ten of hearts", "hidden card", "hidden card"]
    assert parsed(svg).get("aria-label") == "ace of spades, ten of hearts, 2 hidden cards"
    assert parsed(drawing.fan_svg([])).get("aria-label") == "no cards"


@pytest.mark.parametrize("shared", [False, True])
def test_a_table_shows_the_hands_that_are_known_and_no_others(shared: bool) -> None:
    for position in played_on():
        svg = drawing.table_svg(position, shared=shared)
        assert_self_contained(svg)
        seen = titles(svg)
        shown = sorted(title for title in seen if title != "hidden card")
        known = [*position.hands[0], *position.hands[1]]
        if position.led and not position.is_over:
            known.append(position.led)
        if position.turned and position.closer is None:
            known.append(position.turned)
        assert shown == sorted(drawing.card_name(card) for card in known), position
        assert (seen.count("hidden card") >= sum(position.hidden)) and (
            seen.count("hidden card") > sum(position.hidden)
        ) == bool(position.facedown)


def test_a_view_is_drawn_the_same_whatever_is_hidden() -> None:
    for world in sample_worlds(VIEW, 20, seed=3):
        assert drawing.table_svg(world.view(0)) == drawing.table_svg(VIEW)
        assert drawing.describe(world.view(0)) == drawing.describe(VIEW)


def test_values_stand_at_the_table() -> None:
    values = {Action("TH"): 1.128, Action("9H"): -0.5, Action("close"): 1.1, Action("call"): -2.0}
    svg = drawing.table_svg(VIEW, values=values, best="close", chosen="9H")
    for text in ("+1.13", "−0.50", "close +1.10", "call 66 −2.00"):
        assert text in texts(svg)
    whole = drawing.table_svg(VIEW, values={Action("TH"): 1, Action("9H"): 0})
    assert {"+1", "0"} <= set(texts(whole))
    assert "?" in texts(drawing.table_svg(VIEW, values={Action("TH"): float("nan")}))


def test_names_are_escaped() -> None:
    svg = drawing.table_svg(VIEW, players=("<b>&\"'", "</svg><script>alert(1)</script>"))
    assert "<script" not in svg and "<b>" not in svg
    assert "<b>&\"'" in texts(svg)
    assert "</svg><script>alert(1)</script>" in (parsed(svg).get("aria-label") or "")


def test_shared_cards_are_those_that_are_referred_to() -> None:
    sheet = drawing.shared_cards()
    there = {symbol.get("id") for symbol in parsed(sheet).iter(f"{SVG}symbol")}
    assert there == {f"santase-{card}" for card in (*CARDS, "back")}
    used = set(re.findall('href="#([^"]*)"', drawing.table_svg(deal(7), shared=True)))
    assert used and used <= there
    assert "id=" not in drawing.table_svg(deal(7), shared=True)


def test_described_in_words() -> None:
    assert drawing.describe(VIEW, ("Ana", "Boris")) == (
        "Trumps are spades. talon open. turned card: ace of spades. 3 cards face down. "
        "Ana: ten of hearts, nine of hearts, ace of diamonds, ten of diamonds, ace of clubs, ten of clubs; "
        "29 points, 2 tricks. Boris: 6 hidden cards; 15 points, 2 tricks. Ana to move."
    )


def test_whose_seat_is_below() -> None:
    position = deal(7)
    below = [drawing.table_svg(position.view(1)), drawing.table_svg(position, bottom=1)]
    for svg in below:
        assert texts(svg).index("player 0") < texts(svg).index("player 1")
    above = drawing.table_svg(position)
    assert texts(above).index("player 1") < texts(above).index("player 0")


def _public(module: ModuleType) -> dict[str, Callable[..., object]]:
    """The functions of a module that have to be given something."""
    return {
        name: function
        for name, function in vars(module).items()
        if inspect.isfunction(function) and function.__module__ == module.__name__ and name[0] != "_"
        if any(p.default is p.empty for p in inspect.signature(function).parameters.values())
    }


@pytest.mark.parametrize("module", [drawing, notebook, plot], ids=lambda module: module.__name__)
def test_what_is_needed_is_said(module: ModuleType) -> None:
    """A thing of another kind is a TypeError that says so, whichever function it is given to."""
    functions = _public(module)
    assert len(functions) >= 4
    for name, function in functions.items():
        needed = sum(p.default is p.empty for p in inspect.signature(function).parameters.values())
        for wrong in (None, object(), [3], 2.5j):
            with pytest.raises(TypeError, match=r"^an? .* is needed, not|^must be real number, not"):
                function(*[wrong] * needed)
                pytest.fail(f"{name} takes {wrong!r}")
