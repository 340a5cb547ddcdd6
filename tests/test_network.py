"""The learned player: its inputs hide nothing and give nothing away, its sums are exact."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files

import numpy as np
import pytest

import santase
from santase import RULES, HiddenCardsError, Position, Rules, SantaseError
from santase._network import Network, load_network, shipped_network
from santase.players import make_player

HOUSE_RULES = (
    *RULES,
    "santase+hand_size=8",
    "sixty-six+hand_size=11",
    "schnapsen+suits=CDS+ranks=QKTA+hand_size=3",
    "santase+suits=DH+hand_size=2",
    "santase-bg+target=50+schneider=20",
)
INPUTS = 412


def made_up(seed: int, h1: int = 48, h2: int = 20) -> dict[str, np.ndarray]:
    """Weights of no use, but the same for ever."""
    # a congruential generator, so that they do not hang on NumPy's
    numbers, state = [], seed
    for _ in range(INPUTS * h1 + h1 + h1 * h2 + h2 + 31 * h2 + 31):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        numbers.append(state >> 33)
    drawn = iter(numbers)

    def array(shape: tuple[int, ...], reach: int, kind: type) -> np.ndarray:
        flat = [next(drawn) % (2 * reach + 1) - reach for _ in range(int(np.prod(shape)))]
        return np.array(flat, dtype=kind).reshape(shape)

    return {
        "w1": array((INPUTS, h1), 150, np.int16),
        "b1": array((h1,), 300, np.int16),
        "w2": array((h2, h1), 900, np.int16),
        "b2": array((h2,), 90_000, np.int32),
        "w3": array((31, h2), 400, np.int16),
        "b3": array((31,), 60_000, np.int32),
        "first_scale": np.int32(8),
        "second_scale": np.int32(11),
        "third_scale": np.int32(9),
    }


@pytest.fixture(scope="module")
def network() -> Network:
    return Network(made_up(1))


def played(rng: random.Random, rules: str) -> Iterator[Position]:
    """The positions of a hand played at random, in which 66 is called once it is reached, or in error now and then."""
    position = santase.deal(rng.getrandbits(60), rules=rules)
    while not position.is_over:
        yield position
        actions = position.legal_actions()
        if (
            "call" in actions
            and position.points[position.to_move] < position.rules.target
            and rng.random() < 0.98
        ):
            actions.remove("call")
        # closing at the first chance would leave the long hands out
        if "close" in actions and rng.random() < 0.8:
            actions.remove("close")
        position = position.play(rng.choice(actions))


def hands(number: int, seed: int) -> Iterator[Position]:
    rng = random.Random(seed)
    for _ in range(number):
        for rules in HOUSE_RULES:
            yield from played(rng, rules)


def as_hand(cards: list[str]) -> str:
    return ".".join("".join(rank for rank in "ATKQJ9" if rank + suit in cards) for suit in "SHDC")


def redealt(position: Position, rng: random.Random) -> Position | None:
    """Another full position that looks the same to the player to move, if one is found."""
    viewer = position.to_move
    other = 1 - viewer
    fields = str(position).split()
    view = position.view()
    if view.is_full:
        return None
    shown = list(view.hands[other])
    lacks = position.known[2 * other + 1]
    loose = [card for card in (*position.hands[other], *(position.talon or ())) if card not in shown]
    needed = len(position.hands[other]) - len(shown)
    for _ in range(50):
        rng.shuffle(loose)
        if not any(card in lacks for card in loose[:needed]):
            fields[1 + other] = as_hand(shown + loose[:needed])
            fields[3] = "".join(loose[needed:]) or "-"
            return Position.parse(" ".join(fields))
    return None


def test_hidden_cards_change_nothing(network: Network) -> None:
    rng = random.Random(2)
    changed = {"open": 0, "closed": 0}
    for position in hands(12, seed=3):
        twin = redealt(position, rng)
        if twin is None:
            continue
        assert twin.view() == position.view()
        changed[position.phase] += twin != position
        assert sorted(network.inputs(twin)) == sorted(network.inputs(position))
        assert network.policy(twin) == network.policy(position)
    assert changed["open"] > 200 and changed["closed"] > 50


def test_a_view_and_its_full_position_look_alike(network: Network) -> None:
    for position in hands(10, seed=4):
        view = position.view()
        assert network.inputs(view) == network.inputs(position)
        assert network.inputs(Position.parse(str(view))) == network.inputs(position)
        assert network.policy(view) == network.policy(position)


def renamed(text: str, suits: dict[str, str]) -> str:
    """A position's line with its suits renamed."""
    fields = text.split()

    def hand(field: str) -> str:
        cards, plus, count = field.partition("+")
        parts = cards.removesuffix(".") if cards.count(".") == 4 else cards
        by_suit = dict(zip("SHDC", parts.split("."), strict=True))
        new = {suits[suit]: ranks for suit, ranks in by_suit.items()}
        joined = ".".join(new[suit] for suit in "SHDC")
        return joined + ("." if cards.count(".") == 4 else "") + plus + count

    def cards(field: str) -> str:
        return "".join(suits.get(letter, letter) for letter in field)

    fields[1:3] = [hand(field) if "." in field else field for field in fields[1:3]]
    fields[3] = cards(fields[3])
    fields[4] = cards(fields[4])
    fields[5] = hand(fields[5])
    turn, colon, led = fields[6].partition(":")
    if led.startswith("marriage"):
        fields[6] = turn + colon + led[:-1] + suits[led[-1]]
    elif led:
        fields[6] = turn + colon + cards(led)
    if len(fields) == 12:
        fields[11] = "/".join(hand(part) for part in fields[11].split("/"))
    return " ".join(fields)


def test_renaming_suits_renames_the_policy(network: Network) -> None:
    names = [dict(zip("CDHS", order, strict=True)) for order in itertools.permutations("CDHS")]
    rng = random.Random(5)
    for position in hands(6, seed=6):
        if position.rules.suits != "CDHS":
            continue
        suits = rng.choice(names)
        twin = Position.parse(renamed(str(position), suits))
        chances, value = network.policy(position)
        twins, twin_value = network.policy(twin)

        def action(text: str, suits: dict[str, str] = suits) -> str:
            return text if text in ("exchange", "close", "call") else text[:-1] + suits[text[-1]]

        assert {action(name): chance for name, chance in chances.items()} == dict(twins)
        assert value == twin_value


def reference(weights: dict[str, np.ndarray], inputs: list[int]) -> list[int]:
    """The network by NumPy's 64-bit integers."""
    shift = int(weights["second_scale"])
    whole = {name: array.astype(np.int64) for name, array in weights.items()}
    first = np.maximum(whole["w1"][inputs].sum(0) + whole["b1"], 0)
    second = whole["w2"] @ first + whole["b2"] + 2**shift // 2
    second = np.clip(second, 0, None) // 2**shift
    return list(whole["w3"] @ np.minimum(second, 32767) + whole["b3"])


@pytest.mark.parametrize("processor", [0, 1, 2])
@pytest.mark.parametrize(("h1", "h2"), [(48, 20), (1, 1), (7, 13), (70, 130), (256, 128)])
def test_sums_are_exact(h1: int, h2: int, processor: int) -> None:
    """By whichever instructions, as far as this processor has them."""
    weights = made_up(7, h1, h2)
    if h1 == 256:
        weights["w1"] //= 2
        weights["w2"] //= 4
    network = Network(weights, processor=processor)
    assert network.processor <= processor
    for position in hands(2, seed=8):
        inputs = network.inputs(position)
        assert network.logits(inputs) == reference(weights, inputs)


def test_the_same_on_every_machine(network: Network) -> None:
    """Recorded: a change of this number is a change of what is computed."""
    total = 0
    for position in hands(3, seed=9):
        for number, logit in enumerate(network.logits(network.inputs(position))):
            total = (total * 31 + number * logit) % 2**61
        chances, _ = network.policy(position)
        for name, chance in chances.items():
            total = (total * 31 + len(name) + int(chance * 2**40)) % 2**61
    assert total == SIGNATURE


SIGNATURE = 531656672869649247


def test_policy_is_over_the_considered_actions(network: Network) -> None:
    called = 0
    for position in hands(8, seed=10):
        chances, value = network.policy(position)
        legal = position.legal_actions()
        if "call" in legal and position.points[position.to_move] >= position.rules.target:
            called += 1
            assert list(chances) == ["call"]
        else:
            assert list(chances) == [action for action in legal if action != "call"]
        assert sum(chances.values()) == pytest.approx(1.0, abs=1e-12)
        assert min(chances.values()) > 0
        assert -300 < value < 300
    assert called


def test_inputs_are_few_and_each_once(network: Network) -> None:
    for position in hands(10, seed=11):
        inputs = network.inputs(position)
        assert len(inputs) == len(set(inputs)) <= 160
        assert min(inputs) >= 0 and max(inputs) < INPUTS


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("w1", 32767, "first layer"),
        ("w2", 32767, "second layer"),
        ("b3", 2**31 - 1, "third layer"),
    ],
)
def test_weights_that_could_overflow_are_refused(name: str, value: int, message: str) -> None:
    weights = made_up(1)
    weights[name] = np.full_like(weights[name], value)
    with pytest.raises(SantaseError, match=f"weights: a sum of the {message} can overflow"):
        Network(weights)


def test_weights_of_the_wrong_shape_are_refused() -> None:
    weights = made_up(1)
    weights["w2"] = np.ascontiguousarray(weights["w2"][:, 1:])
    with pytest.raises(SantaseError, match="shapes"):
        Network(weights)
    weights = made_up(1) | {"second_scale": np.int32(40)}
    with pytest.raises(SantaseError, match="scale"):
        Network(weights)


def test_who_may_not_be_asked(network: Network) -> None:
    position = santase.deal(1)
    with pytest.raises(HiddenCardsError):
        network.policy(position.view(1))
    with pytest.raises(SantaseError, match="over"):
        network.policy(position.play("call"))
    with pytest.raises(SantaseError, match="no such inputs"):
        network.logits([INPUTS])


def test_the_shipped_network() -> None:
    network = shipped_network()
    assert network is shipped_network()
    stored = [file for file in (files("santase") / "data").iterdir() if file.name.endswith(".npz")]
    assert sum(len(file.read_bytes()) for file in stored) <= 2 * 2**20
    for file in stored:
        with file.open("rb") as opened:
            assert {"command", "seed", "commit", "hands", "machine_hours"} <= set(load_network(opened).about)
    # a strong hand is worth more than a weak one
    strong, weak = (f"santase {hand} +6 ?11 9H ... 0 0/0 0/0 0/0 -" for hand in ("A.ATKQ.A.", "9J.J.9.9J"))
    assert network.policy(Position.parse(strong))[1] > 1 > 0 > network.policy(Position.parse(weak))[1]


def test_a_preset_may_have_a_network_of_its_own() -> None:
    """It serves the rules nearest to it, and every way to ask: one view, many, a player, a comparison."""
    own, shared = shipped_network(RULES["schnapsen"]), shipped_network()
    assert own is not shared and own.about != shared.about
    for name in ("santase", "santase-bg", "santase-engine", "sixty-six", "santase+match_target=7"):
        assert shipped_network(Rules.parse(name)) is shared
    for name in ("schnapsen", "schnapsen+match_target=9", "schnapsen+last_trick_bonus=10"):
        assert shipped_network(Rules.parse(name)) is own
        view = santase.deal(3, name).view()
        expected = own.policy(view)[0]
        assert expected != shared.policy(view)[0]
        found = santase.analyze(view, 0).actions
        assert {action: found[action].policy for action in expected} == expected
        row = santase.analyze_many([view], 0)[0]
        assert {action: row["policy"][action.number] for action in expected} == pytest.approx(expected)
        likeliest = max(expected, key=lambda action: expected[action])
        assert make_player("policy").choose(view) == likeliest


def test_import_does_not_load_it() -> None:
    code = (
        "import sys, santase; from santase._network import _shipped;"
        "print(bool(_shipped.cache_info().currsize or 'numpy' in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout.strip() == "False"


def test_house_rules_are_other_inputs(network: Network) -> None:
    line = str(santase.deal(5)).split(" ", 1)[1]
    seen = {tuple(network.inputs(Position.parse(f"{name} {line}"))) for name in RULES if name != "schnapsen"}
    assert len(seen) == 4
    assert Rules.parse("santase+target=50").target == 50
