"""The exact search: against the vectors, plain minimax, the plain search, and itself under every condition."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import pathlib
import random
import runpy
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import santase
from santase import (
    HiddenCardsError,
    NotationError,
    Position,
    SantaseError,
    Solver,
    solve,
    solve_many,
)
from santase._plain import Plain, minimax

VECTORS = pathlib.Path(__file__).parent / "vectors"
PRESETS = tuple(santase.RULES)


def all_vectors():
    for path in sorted(VECTORS.glob("*.jsonl")):
        for text in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(text)


def outcome_for(position, player):
    outcome = position.outcome
    if outcome.winner is None:
        return 0
    return outcome.game_points if outcome.winner == player else -outcome.game_points


def played(position, actions):
    for action in actions:
        position = position.play(action)
    return position


# ---------------------------------------------------------------- positions by chance


def random_rules(rng, irregular=False):
    """House rules; ``irregular`` ones may make waiting pay."""
    rules = santase.RULES[rng.choice(PRESETS)]

    def maybe(**changes):
        nonlocal rules
        if rng.random() < 0.35:
            rules = dataclasses.replace(rules, **changes)

    maybe(automatic=rng.random() < 0.5)
    maybe(close_before_first_trick=rng.random() < 0.7)
    maybe(marriage_before_first_trick=rng.random() < 0.5)
    maybe(exchange_needs_trick=rng.random() < 0.5)
    maybe(exchange_min_talon=rng.randint(1, 4), close_min_talon=rng.randint(1, 4))
    maybe(last_trick_bonus=rng.randint(0, 25))
    maybe(last_trick_wins=rng.random() < 0.5)
    maybe(tie_void=rng.random() < 0.5)
    maybe(score_at_closing=rng.random() < 0.5)
    maybe(trickless=rng.choice(["failed", "other"]))
    maybe(target=rng.randint(20, 100))
    maybe(schneider=rng.randint(0, 60))
    maybe(closer_under_33=rng.randint(1, 9 if irregular else 3))
    for score in ("closer_fails", "wrong_call"):
        low = rng.randint(1, 4)
        maybe(
            **{score: low, f"{score}_trickless": rng.randint(1, 9) if irregular else low + rng.randint(0, 2)}
        )
    if rng.random() < 0.4:  # a small deck, so that whole deals are within reach
        suits, ranks, hand_size = rng.choice(
            [
                ("CD", "KTA", 2),
                ("CD", "QKA", 2),
                ("CDH", "QK", 2),
                ("DS", "JQKA", 3),
                ("CDHS", "QK", 3),
                ("HS", "9QKTA", 4),
            ]
        )
        rules = dataclasses.replace(
            rules, suits=suits, ranks=ranks, hand_size=hand_size, exchange_rank=ranks[0],
            target=rng.choice([20, 33, 45, 66]), schneider=rng.choice([10, 15, 20]),
        )  # fmt: skip
    return rules


def cards_left(position):
    cards = sum(len(hand) for hand in position.hands)
    return cards + (position.facedown + 1 if position.phase == "open" else 0)


def random_position(rng, rules, most=8):
    """A position with at most ``most`` cards left, by random play; ``None`` when the hand ended before."""
    position = santase.deal(seed=rng.randrange(1 << 32), rules=rules)
    bold = rng.random() < 0.5
    while not position.is_over:
        if cards_left(position) <= most and rng.random() < 0.6:
            return position
        actions = position.legal_actions()
        if bold and "close" in actions and rng.random() < 0.3:
            position = position.play("close")
            continue
        right = position.points[position.to_move] >= position.rules.target
        actions = [action for action in actions if action != "call" or (right and rng.random() < 0.3)]
        position = position.play(rng.choice(actions))
    return None


def random_positions(seed, number, *, house=False, irregular=False, most=8):
    rng = random.Random(seed)
    found = []
    while len(found) < number:
        rules = random_rules(rng, irregular) if house else santase.RULES[rng.choice(PRESETS)]
        position = random_position(rng, rules, most)
        if position is not None:
            found.append(position)
    return found


def after_tricks(seed, tricks, rules="santase"):
    """A position on lead after so many tricks of random play without closing, or ``None``."""
    rng = random.Random(seed)
    position = santase.deal(seed=seed, rules=rules)
    while not position.is_over:
        if sum(position.tricks) == tricks and position.led is None and position.declared is None:
            return position
        actions = [action for action in position.legal_actions() if action.kind not in ("close", "call")]
        position = position.play(rng.choice(actions))
    return None


def positions_after(tricks, number, rules="santase"):
    found, seed = [], 0
    while len(found) < number:
        position = after_tricks(seed, tricks, rules)
        seed += 1
        if position is not None:
            found.append(position)
    return found


def check(position, solver, expected):
    solution = solve(position, solver=solver)
    assert solution.actions == expected, str(position)
    assert solution.value == max(expected.values())
    assert solution.bounds == (solution.value, solution.value)
    assert solution.exact
    assert expected[solution.best] == solution.value
    assert solution.line[0] == solution.best
    assert next(iter(solution.actions)) == solution.best
    assert outcome_for(played(position, solution.line), position.to_move) == solution.value


# ---------------------------------------------------------------- right


def test_vectors():
    solver = Solver()
    for vector in all_vectors():
        check(Position.parse(vector["position"]), solver, vector["actions"])


@pytest.mark.parametrize("table_bytes", [0, 1024, 100_000, 1 << 22])
def test_presets_against_minimax(table_bytes):
    solver = Solver(table_bytes)
    for position in random_positions(table_bytes, 400):
        check(position, solver, minimax(position))


@pytest.mark.parametrize("table_bytes", [0, 1024, 100_000])
def test_house_rules_against_minimax(table_bytes):
    solver = Solver(table_bytes)
    for position in random_positions(table_bytes + 1, 600, house=True):
        check(position, solver, minimax(position))


def test_irregular_rules_against_minimax():
    solver = Solver(100_000)
    for position in random_positions(5, 300, house=True, irregular=True, most=6):
        check(position, solver, minimax(position))


@pytest.mark.parametrize("rules", PRESETS)
def test_closings_and_endings_against_minimax(rules):
    solver = Solver(1 << 18)
    rng = random.Random(rules)
    done = 0
    while done < 40:
        position = random_position(rng, santase.RULES[rules], 10)
        if position is None or position.phase == "open":
            continue
        check(position, solver, minimax(position))
        done += 1


# Under santase-bg a closing wins 3 where the same 66 without it, which ends the hand at once, wins 2: one card
# point or a marriage too many, and the hand is over before it can be closed.
TOO_MANY_POINTS = [
    "santase-bg TQJ9.9.9. K.AK.T.TQ QDJDACTHKD JC A.QJ.A.K9 0 4/47 1/2 0/0 -",
    "santase-bg AT.J.QJ.J .K.TK.ATQ THAD9SJS9D 9C KQ.AQ9..K 0 14/51 1/2 0/0 -",
    "santase-bg TQ..T.KJ9 KJ.TQ.AK. TC9DJHQCAC 9H A9.AK.QJ. 0 22/49 1/2 0/0 -",
    "santase-bg J9.K9.Q.Q K.Q.K9.AJ ADAHTH9CJH KC ATQ..TJ.T 0 13/33 1/2 0/0 -",
    "santase-bg TQ.T.K.AJ AK.K.AT9. QDJDAH9HJH 9C J9.Q..TKQ 1 49/13 2/1 0/0 -",
    "santase-bg J.Q.J.TQJ .KJ.TQ.A9 ASQSTH9SAHKCKS 9D T.9.AK. 0 15/50 1/1 0/0 -",
    "santase-bg AK9...QJ9 Q.AKQ.AT. THQDJSKDACJD9D 9H T.J..TK 1:marriage-H 12/54 1/1 0/0 -",
    "santase-bg Q.K.9.AT9 ATJ..A.KQ AHKDQH9SJDJHJC QD K.T9.T. 1:marriage-C 0/44 0/2 0/0 -",
    "santase-bg T.J.KJ.AT .TKQ.AQ.9 KCQSAHJCJS9SQC 9D AK.9.T. 1:marriage-H 0/45 0/2 0/0 -",
    "santase-bg Q.KJ9.T9. T.T.KQ.AQ AHQH9SASJCJDKS 9C J..A.TK 1:marriage-D 0/47 0/2 0/0 -",
    "santase-bg J..TQ.KQ9 ATK.K.9.A JHKDTCADJC9H9S JD Q.ATQ.. 0:marriage-C 47/0 2/0 0/0 -",
    "santase-bg AKQ.AK..A T.T.K9.TJ 9HQDTDJDKC9C9S JS .QJ.A.Q 0:marriage-S 45/14 1/1 0/0 -",
    "santase-bg .AT.KQ.AT ATJ.J.J.K 9SADKSQCQH9CKH 9D Q.9.T.J 0:marriage-D 52/3 1/1 0/0 -",
    "santase-bg KJ.QJ.A.Q A9.AT9..J ACTCKH9CKCTSTD KD Q..QJ9. 1 22/6 1/1 0/0 - K.../.../.../...",
]


@pytest.mark.parametrize("line", TOO_MANY_POINTS)
def test_points_may_be_too_many_before_a_closing(line):
    position = Position.parse(line)
    expected = minimax(position)
    for table_bytes in (0, 100_000):
        check(position, Solver(table_bytes), expected)


@pytest.mark.parametrize("most", [14, 18])
def test_open_positions_of_uneven_scores_against_minimax(most):
    """Where who is ahead may want to close first: automatic rules, with a warm table."""
    rng = random.Random(f"uneven {most}")
    solver = Solver(100_000)
    rules = [
        dataclasses.replace(santase.RULES["santase-bg"], target=target, closer_under_33=score)
        for target in (40, 66)
        for score in (2, 3)
    ]
    done = 0
    while done < 150:
        position = santase.deal(rng.getrandbits(64), rng.choice(rules), leader=rng.randrange(2))
        while not position.is_over and position.phase == "open":
            if cards_left(position) <= most and max(position.points) > min(position.points) + 15:
                check(position, solver, minimax(position))
                done += 1
                break
            actions = [action for action in position.legal_actions() if action != "close"]
            position = position.play(rng.choice(actions))


@pytest.mark.parametrize(
    ("tricks", "number"), [(0, 6), (1, 10), (2, 20), (3, 40), (4, 60), (5, 60), (6, 60), (8, 60)]
)
def test_open_positions_against_the_plain_search(tricks, number):
    plain, solver = Plain(18), Solver()
    for position in positions_after(tricks, number):
        assert solver.value(position) == plain.value(position), str(position)


@pytest.mark.parametrize("rules", PRESETS)
def test_values_fit_together_through_a_deal(rules):
    # value = the best of the actions' values, each the successor's, down the whole line
    solver = Solver()
    for seed in range(4):
        position = santase.deal(seed=seed, rules=rules)
        while not position.is_over:
            solution = solve(position, solver=solver)
            assert solution.value == max(solution.actions.values())
            for action, value in list(solution.actions.items())[:3]:
                after = position.play(action)
                sign = 1 if after.to_move == position.to_move else -1
                expected = (
                    outcome_for(after, position.to_move)
                    if after.is_over
                    else sign * Solver(1 << 20).value(after)
                )
                assert value == expected
            position = position.play(solution.best)


# ---------------------------------------------------------------- one difference, one table


def parse_or_none(line):
    try:
        return Position.parse(line)
    except NotationError:
        return None


def with_fields(position, **changes):
    """The position with some fields of its line changed, or ``None`` if it cannot come about then."""
    names = (
        "rules",
        "hand0",
        "hand1",
        "talon",
        "turned",
        "played",
        "turn",
        "points",
        "tricks",
        "pending",
        "closed",
    )
    fields = str(position).split(" ")[:11]
    for name, value in changes.items():
        fields[names.index(name)] = value
    varied = parse_or_none(" ".join(fields))
    return None if varied is None or varied.is_over else varied


@pytest.mark.parametrize("phase", ["exhausted", "closed"])
def test_every_split_of_the_points_in_a_warm_table(phase):
    # a point on either side of 33 and 66 among them
    solver = Solver(1 << 20)
    rng = random.Random(phase)
    seen = groups = 0
    while groups < 12:
        position = random_position(rng, santase.RULES["santase"], 8)
        if position is None or position.phase != phase:
            continue
        total = sum(position.points)
        varied = [with_fields(position, points=f"{mine}/{total - mine}") for mine in range(total + 1)]
        varied = [one for one in varied if one is not None]
        groups += 1
        for one in varied + varied[::-1]:
            assert solver.value(one) == max(minimax(one).values()), str(one)
            seen += 1
    assert seen > 200


def test_rules_changed_with_a_warm_table():
    solver = Solver(1 << 20)
    seen = 0
    for position in random_positions(31, 150, most=8):
        for rules in (*PRESETS, "santase+last_trick_bonus=0", "sixty-six+last_trick_bonus=3"):
            varied = with_fields(position, rules=rules)
            if varied is not None:
                assert solver.value(varied) == max(minimax(varied).values()), str(varied)
                seen += 1
    assert seen > 300


def test_trumps_changed_with_a_warm_table():
    solver = Solver(1 << 20)
    for position in random_positions(32, 150, most=8):
        for suit in "SHDC":
            varied = with_fields(position, turned=suit)
            if varied is not None:
                assert solver.value(varied) == max(minimax(varied).values()), str(varied)


def test_random_single_differences_in_a_warm_table():
    # points, tricks, pending, closer, closing state, leader, talon order: each changed alone
    rng = random.Random(9)
    solver = Solver(1 << 20)
    changed = {name: 0 for name in ("talon", "turn", "points", "tricks", "pending", "closed")}
    for position in random_positions(8, 1500, most=8):
        fields = str(position).split(" ")
        for name, column in (
            ("talon", 3),
            ("turn", 6),
            ("points", 7),
            ("tricks", 8),
            ("pending", 9),
            ("closed", 10),
        ):
            other = list(fields)
            if name == "talon":
                cards = [other[3][i : i + 2] for i in range(0, len(other[3]), 2)]
                if other[3] == "-" or len(cards) < 2:
                    continue
                cards[0], cards[-1] = cards[-1], cards[0]
                other[3] = "".join(cards)
            elif name == "turn":
                other[6] = str(1 - int(other[6][0])) + other[6][1:]
            elif name in ("points", "tricks", "pending"):
                pair = [int(part) for part in other[column].split("/")]
                step = {"points": rng.choice([1, 2, 11, 20, 33]), "tricks": 1, "pending": 20}[name]
                way = rng.choice([1, -1])
                pair = [pair[0] + way * step, pair[1] - (0 if name == "pending" else way * step)]
                other[column] = "/".join(map(str, pair))
            elif other[10] == "-":
                continue
            else:
                other[10] = str(1 - int(other[10][0])) + other[10][1:]
            varied = parse_or_none(" ".join(other))
            if varied is None or varied.is_over:
                continue
            changed[name] += 1
            for one in (position, varied, position):
                assert solver.value(one) == max(minimax(one).values()), str(one)
    assert min(count for name, count in changed.items() if name not in ("pending", "tricks")) > 5, changed


def test_order_and_table_do_not_matter():
    positions = (
        random_positions(3, 300, most=10) + positions_after(3, 20) + positions_after(2, 5, "schnapsen")
    )
    values = solve_many(positions, threads=1)
    order = list(range(len(positions)))
    random.Random(1).shuffle(order)
    shuffled = solve_many([positions[i] for i in order], threads=2, table_bytes=20_000)
    assert [shuffled[order.index(i)] for i in range(len(order))] == values.tolist()
    assert values.tolist() == [Solver(0 if cards_left(p) < 9 else 1 << 16).value(p) for p in positions]


# ---------------------------------------------------------------- many, packed, threads


def test_solve_many():
    positions = positions_after(6, 500) + positions_after(4, 50)
    values = solve_many(positions)
    assert values.dtype == np.int8
    assert values.shape == (550,)
    solver = Solver()
    assert values.tolist() == [solver.value(position) for position in positions]
    for threads in (1, 2, 3, 8):
        assert np.array_equal(solve_many(positions, threads=threads), values)
    assert np.array_equal(solve_many(iter(positions)), values)


def test_solve_many_of_nothing():
    assert solve_many([]).tolist() == []
    assert solve_many(santase.pack([])).tolist() == []


def lines(position):
    """All of a line but what is publicly known, which packing leaves out."""
    return str(position).split(" ")[:11]


def test_packed_positions():
    positions = positions_after(6, 100) + positions_after(3, 20)
    packed = santase.pack(positions)
    assert packed.dtype == santase.hand_dtype()
    assert packed.itemsize == 40
    assert [lines(after) for after in santase.unpack(packed)] == [lines(position) for position in positions]
    values = solve_many(packed, threads=2)
    assert np.array_equal(values, solve_many(positions))
    assert np.array_equal(solve_many(packed.reshape(4, 30), threads=1), values.reshape(4, 30))
    assert np.array_equal(solve_many(packed[::-2]), values[::-2])


@pytest.mark.parametrize("rules", PRESETS)
def test_packing_keeps_positions_of_all_phases(rules):
    rng = random.Random(rules)
    for _ in range(30):
        position = santase.deal(seed=rng.randrange(1000), rules=rules)
        while True:
            packed = santase.pack([position])
            after = santase.unpack(packed, rules)[0]
            assert lines(after) == lines(position)
            assert after.outcome == position.outcome
            if position.is_over:
                assert solve_many(packed, rules=rules).tolist() == [outcome_for(position, position.to_move)]
                break
            position = position.play(rng.choice(position.legal_actions()))


def test_pack_refuses():
    position = santase.deal(seed=1)
    with pytest.raises(HiddenCardsError):
        santase.pack([position, position.view()])
    with pytest.raises(SantaseError, match="same rules"):
        santase.pack([position, santase.deal(seed=1, rules="schnapsen")])
    with pytest.raises(TypeError):
        santase.pack(["santase"])


def test_rubbish_is_refused():
    packed = santase.pack(positions_after(3, 4))
    with pytest.raises(SantaseError, match="dtype"):
        solve_many(np.zeros(3, dtype=np.uint8))
    for field, value in (
        ("leader", 2), ("trump", 4), ("turned", 31), ("facedown", 12), ("facedown", 4), ("led", 25), ("closer", 3),
        ("declared", 9), ("hand", (3, 3)), ("talon", 2**64 - 1),
    ):  # fmt: skip
        spoilt = packed.copy()
        spoilt[2][field] = value
        with pytest.raises(SantaseError, match="row 2"):
            solve_many(spoilt)
        with pytest.raises(NotationError, match="row 2"):
            santase.unpack(spoilt)
    spoilt = packed.copy()
    spoilt[1]["points"] = (60, 60)
    with pytest.raises(NotationError, match="row 1: points"):
        santase.unpack(spoilt)


def test_any_bytes_are_solved_or_refused():
    rng = np.random.default_rng(1)
    packed = santase.pack(positions_after(4, 50) + positions_after(6, 50))
    for _ in range(2000):
        row = packed[rng.integers(len(packed))].copy()
        data = np.frombuffer(bytearray(row.tobytes()), dtype=np.uint8)
        data[rng.integers(0, 40, size=2)] = rng.integers(0, 256, size=2)
        try:
            value = solve_many(
                np.frombuffer(data.tobytes(), dtype=santase.hand_dtype()), threads=1, table_bytes=1 << 16
            )
        except SantaseError:
            continue
        assert -9 <= value[0] <= 9


def test_solvers_in_threads():
    positions = positions_after(4, 40)
    expected = [Solver().value(position) for position in positions]
    wrong = []

    def work(shift):
        solver = Solver(1 << 20)
        for i in range(len(positions)):
            j = (i + shift) % len(positions)
            if solver.value(positions[j]) != expected[j]:
                wrong.append(j)

    threads = [threading.Thread(target=work, args=(5 * i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def endless_deal():
    """Under irregular rules a whole deal is searched plainly: that takes days."""
    return santase.deal(seed=1, rules="santase+closer_fails_trickless=1")


def test_a_solver_serves_one_thread_at_a_time():
    solver = Solver(0)
    refused = []

    def intrude():
        time.sleep(0.05)
        try:
            solver.value(endless_deal(), time=1)
        except SantaseError as error:
            refused.append(error)

    thread = threading.Thread(target=intrude)
    thread.start()
    solver.value(endless_deal(), time=0.4)
    thread.join()
    assert len(refused) == 1
    assert solver.value(positions_after(6, 1)[0]) is not None


# ---------------------------------------------------------------- limits


def test_node_limit():
    position = santase.deal(seed=272)
    full = solve(position)
    for nodes in (1, 10, 100, 1000, 5000):
        solver = Solver()
        solution = solve(position, nodes=nodes, solver=solver)
        assert solution.nodes <= nodes * 1.01 + 100
        low, high = solution.bounds
        assert low <= full.value <= high
        assert (solution.value is None) == (low != high)
        assert all(full.actions[action] == value for action, value in solution.actions.items())
        if not solution.exact:
            assert solution.best is None
            assert solution.line == []
    assert Solver().value(position, nodes=1000) in (None, full.value)
    assert solve(position, nodes=10**9).value == full.value


def test_a_stopped_search_leaves_a_good_table():
    solver = Solver(1 << 20)
    positions = positions_after(2, 6)
    for nodes in (50, 500, 5000):
        for position in positions:
            solver.value(position, nodes=nodes)
    assert [solver.value(p) for p in positions] == [Solver().value(p) for p in positions]


def test_time_limit():
    for seconds in (0.02, 0.1):
        # what is over the limit is counted as work: the machine may be busy with something else
        start, worked = time.perf_counter(), time.thread_time()
        solution = solve(endless_deal(), time=seconds)
        assert seconds <= time.perf_counter() - start
        assert time.thread_time() - worked < seconds + 0.05
        assert not solution.exact
        assert solution.bounds == (-3, 3)


def test_bounds_come_nearer_with_time():
    position = santase.deal(seed=272)
    widths = [
        high - low for low, high in (solve(position, nodes=nodes).bounds for nodes in (50, 20_000, 10**7))
    ]
    assert widths[0] > widths[1] > widths[2] == 0


@pytest.mark.parametrize("nodes", [0, -1, 1.5, True, "many", 1 << 70])
def test_bad_node_limits(nodes):
    with pytest.raises(SantaseError, match="nodes"):
        solve(santase.deal(seed=1), nodes=nodes)


@pytest.mark.parametrize("seconds", [0, -1.0, float("nan"), "long"])
def test_bad_time_limits(seconds):
    with pytest.raises(SantaseError, match="time"):
        solve(santase.deal(seed=1), time=seconds)


def test_infinite_time_is_no_limit():
    assert solve(positions_after(6, 1)[0], time=float("inf")).exact


@pytest.mark.parametrize("size", [-1, 1.5, None, "big", True])
def test_bad_table_sizes(size):
    with pytest.raises(SantaseError, match="table_bytes"):
        Solver(size)


def test_a_table_larger_than_memory():
    with pytest.raises(MemoryError):
        Solver(1 << 47)
    with pytest.raises(MemoryError):
        Solver(1 << 80)


@pytest.mark.parametrize("threads", [0, -1, 1.5, True])
def test_bad_thread_numbers(threads):
    with pytest.raises(SantaseError, match="threads"):
        solve_many([], threads=threads)


def test_views_and_other_things_are_refused():
    with pytest.raises(HiddenCardsError):
        solve(santase.deal(seed=1).view())
    with pytest.raises(HiddenCardsError):
        solve_many([santase.deal(seed=1).view()])
    with pytest.raises(TypeError):
        solve("santase")
    with pytest.raises(TypeError, match="item 1"):
        solve_many([santase.deal(seed=1), "santase"])


def test_a_hand_that_is_over():
    position = santase.deal(seed=1).play("call")
    solution = solve(position)
    assert solution.value == outcome_for(position, position.to_move)
    assert (solution.best, solution.actions, solution.line) == (None, {}, [])


# ---------------------------------------------------------------- interrupts


class Interrupted(Exception):
    pass


def interrupt_after(seconds):
    def handler(signum, frame):
        raise Interrupted

    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, seconds)


@pytest.mark.thread_unsafe(reason="signals come to the main thread")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs an alarm clock")
@pytest.mark.parametrize("threads", [None, 1, 2])
def test_a_signal_stops_a_long_search_at_once(threads):
    solver = Solver(0)
    try:
        interrupt_after(0.1)
        start = time.perf_counter()
        with pytest.raises(Interrupted):
            if threads is None:
                solve(endless_deal(), solver=solver)
            else:
                solve_many([endless_deal()] * 4, threads=threads, table_bytes=0)
        assert time.perf_counter() - start < 0.1 + 0.15
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    assert solver.value(positions_after(6, 1)[0]) is not None


# ---------------------------------------------------------------- the same search


def test_node_count_signature():
    # a change that should not change how the search goes does not; others write a new signature
    path = pathlib.Path(__file__).parents[1] / "benchmarks" / "signature.py"
    module = runpy.run_path(str(path))
    assert module["signature"]() == json.loads(path.with_name("signature.json").read_text(encoding="utf-8"))


@pytest.mark.skipif(os.name == "nt", reason="signals as on POSIX")
def test_an_interrupt_leaves_no_thread_at_work():
    """After Ctrl-C out of several threads nothing writes to the memory that they had."""
    code = """
import os, signal, threading, time
import santase
hands = santase.pack([santase.deal(seed) for seed in range(4000)])
threading.Thread(target=lambda: (time.sleep(0.2), os.kill(os.getpid(), signal.SIGINT)), daemon=True).start()
try:
    santase.solve_many(hands, threads=3)
except KeyboardInterrupt:
    kept = [santase.Solver() for _ in range(20)]
    for seed in range(40):
        assert santase.solve(santase.deal(seed)).value == kept[seed % 20].value(santase.deal(seed))
    print("interrupted")
"""
    for _ in range(3):
        done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stdout.strip()) == (0, "interrupted"), done.stderr


def test_packed_garbage_is_refused():
    """Whatever bytes a packed array has: a value, positions, or SantaseError."""
    numpy = pytest.importorskip("numpy")
    closed = "santase T9.J.Q.9 KQ.K9.K.J THKCAC AH AJ.Q.TJ9.TQ 0:AD 15/26 2/2 0/0 0"
    positions = [santase.deal(3), santase.deal(4).play("call"), santase.Position.parse(closed)]
    good = santase.pack(positions)
    assert santase.unpack(good) == positions
    rng = numpy.random.default_rng(1)
    refused = 0
    for _ in range(3000):
        bad = good.copy()
        data = bad.view(numpy.uint8)
        data[rng.integers(len(data), size=rng.integers(1, 4))] = rng.integers(256)
        for use in (santase.unpack, santase.solve_many):
            try:
                use(bad)
            except SantaseError:
                refused += 1
    assert refused > 3000
    for value in range(256):
        bad = good.copy()
        bad["declared"][2] = value
        with pytest.raises(SantaseError) if value != 4 else contextlib.nullcontext():
            santase.unpack(bad)


def test_packed_hands_of_other_rules_are_refused():
    for packed, rules in (("schnapsen", "santase"), ("santase", "schnapsen")):
        array = santase.pack([santase.deal(seed, packed) for seed in range(4)])
        with pytest.raises(SantaseError, match="row 0"):
            santase.solve_many(array, rules=rules)


@pytest.mark.parametrize(
    "limits",
    [{"time": 10**400}, {"time": True}, {"time": -1}, {"nodes": 2**63}, {"nodes": 0}, {"nodes": 1.5}],
)
def test_bad_limits(limits):
    with pytest.raises(SantaseError):
        santase.solve(santase.deal(1), **limits)
    with pytest.raises(MemoryError):
        santase.solve_many([], table_bytes=10**30)
