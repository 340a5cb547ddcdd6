"""Positions as arrays: packed, dealt, played out, solved and analysed by the million, with progress."""

from __future__ import annotations

import math
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import santase
from santase import HiddenCardsError, NotationError, Position, SantaseError
from santase.compare import compare
from santase.review import review

np = pytest.importorskip("numpy")

PRESETS = list(santase.RULES)
HOUSE = "santase+match_target=7"


def some_positions(rules: str, seeds: range, most: int = 30) -> list[Position]:
    """Positions of every phase on the way of random hands that are not over, calls left out."""
    found = []
    for seed in seeds:
        rng = random.Random(f"{rules} {seed}")
        position = santase.deal(seed, rules)
        for _ in range(rng.randrange(most)):
            actions = [action for action in position.legal_actions() if action != "call"]
            special = [action for action in actions if action.kind != "play"]
            after = position.play(rng.choice(special if special and rng.random() < 0.4 else actions))
            if after.is_over:
                break
            position = after
        found.append(position)
    return found


# ---------------------------------------------------------------- views


@pytest.mark.parametrize("rules", [*PRESETS, HOUSE])
def test_packed_views_are_the_views(rules: str) -> None:
    positions = some_positions(rules, range(150))
    views = [position.view() for position in positions]
    assert {(view.phase, view.is_full) for view in views} >= {
        ("open", False),
        ("closed", False),
        ("exhausted", True),
    }
    assert any(any(view.known) for view in views)
    packed = santase.pack_views(positions)
    assert packed.dtype == santase.view_dtype() and packed.itemsize == 64
    assert santase.unpack(packed, rules) == views
    assert packed.tobytes() == santase.pack_views(views).tobytes()
    # of a deal, all that there is to know is in the row of a full position
    assert santase.unpack(santase.pack(positions), rules)[0].view().hands == views[0].hands


def test_a_view_of_a_hand_that_is_over() -> None:
    over = [santase.deal(3).play("call"), santase.deal(3).play("call").view()]
    assert santase.unpack(santase.pack_views(over)) == [over[0].view(), over[1]]


def test_pack_views_refuses() -> None:
    with pytest.raises(HiddenCardsError, match="item 1"):
        santase.pack_views([santase.deal(1), santase.deal(1).view(1)])
    with pytest.raises(SantaseError, match="item 1 has schnapsen"):
        santase.pack_views([santase.deal(1), santase.deal(1, "schnapsen")])
    with pytest.raises(TypeError, match="item 0"):
        santase.pack_views(["santase"])  # type: ignore[list-item]


@pytest.mark.parametrize("rules", PRESETS)
def test_any_bytes_of_a_view_are_analysed_or_refused(rules: str) -> None:
    """Whatever bytes a packed view has: positions that print and parse, an analysis, or SantaseError."""
    rng = np.random.default_rng(1)
    packed = santase.pack_views(some_positions(rules, range(60)))
    kept = 0
    for _ in range(800):
        row = packed[[rng.integers(len(packed))]]
        data = row.view(np.uint8)
        data[rng.integers(0, 64, size=rng.integers(1, 3))] = rng.integers(0, 256)
        try:
            (position,) = santase.unpack(row, rules)
        except SantaseError:
            with pytest.raises(SantaseError):
                santase.analyze_many(row, worlds=1, rules=rules)
            continue
        assert Position.parse(str(position)) == position
        kept += 1
        try:
            (answer,) = santase.analyze_many(row, worlds=3, rules=rules, threads=1)
        except SantaseError:
            assert position.is_over or any(position.hidden)
        else:
            assert santase.ACTIONS[answer["best"]] in position.view().legal_actions()
    assert kept > 10


def test_other_arrays_are_refused() -> None:
    views = santase.pack_views([santase.deal(1)])
    with pytest.raises(SantaseError, match="dtype"):
        santase.analyze_many(np.zeros(3))
    with pytest.raises(HiddenCardsError, match="views"):
        santase.solve_many(views)
    with pytest.raises(HiddenCardsError, match="views"):
        santase.playout_many(views)
    with pytest.raises(NotationError, match="row 0"):
        santase.unpack(views, "schnapsen")
    for field, value in (
        ("view_spare", 1),
        ("talon_hidden", 0),
        ("talon_hidden", 2),
        ("hidden", (0, 5)),
        ("talon", 1),
    ):
        spoilt = views.copy()
        spoilt[field] = value
        with pytest.raises(NotationError, match="row 0"):
            santase.unpack(spoilt)


# ---------------------------------------------------------------- deals and playouts


@pytest.mark.parametrize("rules", [*PRESETS, HOUSE])
def test_deals_are_those_of_the_seeds(rules: str) -> None:
    rows = santase.deal_many(300, 40, rules, leader=1)
    assert santase.unpack(rows, rules) == [santase.deal(seed, rules, leader=1) for seed in range(40, 340)]


def test_the_seeds_of_deals_go_round() -> None:
    rows = santase.deal_many(3, 2**64 - 2)
    assert santase.unpack(rows) == [santase.deal(seed) for seed in (2**64 - 2, 2**64 - 1, 0)]
    assert len(santase.deal_many(0, 1)) == 0


def random_playout(position: Position, seed: int) -> int:
    """What ``playout_many`` promises, in the words of its documentation: SplitMix64 and ``Position``."""
    player, state = position.to_move, seed
    while not position.is_over:
        leads = position.led is None
        actions = [action for action in position.legal_actions() if action != "call"]
        if (
            leads
            and position.points[position.to_move] >= position.rules.target
            and not position.rules.automatic
        ):
            actions = [santase.Action("call")]
        # the generator's next number, and Lemire's number below that of the actions
        while True:
            number = santase.hand_seed(state, 2)
            state = (state + 0x9E3779B97F4A7C15) % 2**64
            product = (number >> 32) * len(actions)
            if product % 2**32 >= 2**32 % len(actions):
                break
        position = position.play(actions[product >> 32])
    outcome = position.outcome
    assert outcome is not None
    return (
        0
        if outcome.winner is None
        else outcome.game_points
        if outcome.winner == player
        else -outcome.game_points
    )


@pytest.mark.parametrize("rules", PRESETS)
def test_playouts(rules: str) -> None:
    positions = [*some_positions(rules, range(60)), santase.deal(3, rules)]
    rows = santase.pack(positions)
    points = santase.playout_many(rows, seed=5, rules=rules)
    assert points.dtype == np.int8
    assert points.tolist() == [
        random_playout(position, santase.hand_seed(5, number))
        for number, position in enumerate(santase.unpack(rows, rules), 1)
    ]
    assert np.array_equal(
        santase.playout_many(rows[:60].reshape(6, 10), 5, rules), points[:60].reshape(6, 10)
    )
    assert not np.array_equal(santase.playout_many(rows, seed=6, rules=rules), points)


def test_playouts_spread_like_random_hands() -> None:
    """The same hands in another way: results as often as in ``random_playouts``, within the noise."""
    number = 200_000
    ours = Counter(santase.playout_many(santase.deal_many(number, 0), seed=1).tolist())
    others = Counter(santase.random_playouts(number, seed=2).tolist())
    assert ours.keys() == others.keys()
    for points, times in ours.items():
        assert abs(times - others[points]) < 5 * math.sqrt(times + others[points])


def test_playouts_of_hands_that_are_over() -> None:
    called = santase.deal(3).play("call")
    assert santase.playout_many(santase.pack([called])).tolist() == [-3]
    assert santase.playout_many(santase.pack([])).tolist() == []


def test_any_bytes_are_played_out_or_refused() -> None:
    rng = np.random.default_rng(2)
    packed = santase.pack(some_positions("santase", range(60)))
    for _ in range(3000):
        row = packed[[rng.integers(len(packed))]]
        row.view(np.uint8)[rng.integers(0, 40, size=2)] = rng.integers(0, 256)
        try:
            (points,) = santase.playout_many(row)
        except SantaseError:
            continue
        assert -9 <= points <= 9


@pytest.mark.parametrize("number", [-1, 1.5, True, "3", 1 << 60])
def test_bad_numbers_of_deals(number: Any) -> None:
    with pytest.raises(SantaseError, match="number"):
        santase.deal_many(number, 1)


def test_bad_parameters_of_deals_and_playouts() -> None:
    rows = santase.deal_many(1, 1)
    for call in (
        lambda: santase.deal_many(1, -1),
        lambda: santase.deal_many(1, 1, leader=2),
        lambda: santase.deal_many(1, 1, "whist"),
        lambda: santase.playout_many(rows, seed=2**64),
        lambda: santase.playout_many(rows, rules="schnapsen"),
    ):
        with pytest.raises(SantaseError):
            call()


# ---------------------------------------------------------------- analyses


FLOATS = ("mean", "stderr", "win", "policy", "match", "opened")
KINDS = ("exact", "sampled", "at least", "ahead", "none")


def same(answer: Any, analysis: santase.Analysis) -> None:
    """A row of ``analyze_many`` says what the ``Analysis`` does."""
    actions = list(analysis.actions)
    assert santase.ACTIONS[answer["best"]] == analysis.best
    assert (bool(answer["exact"]), int(answer["worlds"])) == (analysis.exact, analysis.worlds)
    assert [action for action in santase.ACTIONS if int(answer["legal"]) >> action.number & 1] == actions
    for action in santase.ACTIONS:
        found = {name: answer[name][action.number] for name in FLOATS}
        if action in actions:
            estimate = analysis.actions[action]
            assert answer["tried"][action.number] == estimate.worlds
            assert KINDS[answer["kind"][action.number]] == estimate.kind
            for name, value in found.items():
                assert np.array_equal(value, np.float32(getattr(estimate, name)), equal_nan=True), name
        else:
            assert (answer["tried"][action.number], answer["kind"][action.number]) == (0, -1)
            assert all(math.isnan(value) for value in found.values())


@pytest.mark.parametrize("rules", [*PRESETS, HOUSE])
@pytest.mark.parametrize(
    "how", [{"worlds": 60}, {"time": 0}, {"worlds": 1}, {"worlds": 30, "match": (6, 5)}], ids=str
)
def test_a_row_is_what_analyze_says(rules: str, how: Any) -> None:
    positions = some_positions(rules, range(60))
    views = [position.view() for position in positions]
    rows = santase.analyze_many(positions, seed=5, threads=2, **how)
    assert rows.dtype == santase.analysis_dtype() and rows.shape == (len(views),)
    for number, view in enumerate(views):
        same(rows[number], santase.analyze(view, seed=santase.hand_seed(5, number + 1), **how))
    again = santase.analyze_many(santase.pack_views(views), rules=rules, seed=5, threads=1, **how)
    assert again.tobytes() == rows.tobytes()


def test_many_worlds_come_in_parts() -> None:
    views = [santase.deal(seed).view() for seed in (1, 2)]
    rows = santase.analyze_many(views, worlds=777, seed=9, threads=2)
    for number, view in enumerate(views):
        same(
            rows[number], santase.analyze(view, worlds=777, seed=santase.hand_seed(9, number + 1), threads=2)
        )


def test_rows_of_full_positions_know_nothing_beyond_counting() -> None:
    positions = some_positions("santase", range(40))
    rows = santase.pack(positions)
    answers = santase.analyze_many(rows.reshape(8, 5), worlds=10)
    assert answers.shape == (8, 5)
    for number, position in enumerate(santase.unpack(rows)):
        same(
            answers.reshape(-1)[number],
            santase.analyze(position, worlds=10, seed=santase.hand_seed(0, number + 1)),
        )


def test_a_call_where_it_is_the_way_out() -> None:
    lines = [
        "sixty-six +1 Q... ?7 JC ATJ.TK9.ATKQJ9.T9 1 76/21 5/2 0/0 0:0:0",
        "santase A9.9.AKQ. +6 ?5 QS T.AKQ.T.A 0 69/0 3/0 0/0 -",
        "santase T9.J.Q.9 KQ.K9.K.J ?3 AH AJ.Q.TJ9.TQ 0:AD 15/26 2/2 0/0 0",
    ]
    views = [Position.parse(line) for line in lines]
    rows = santase.analyze_many(views, worlds=300, seed=1)
    for number, view in enumerate(views):
        same(rows[number], santase.analyze(view, worlds=300, seed=santase.hand_seed(1, number + 1)))
    assert rows["exact"].tolist() == [False, False, True]
    assert [str(santase.ACTIONS[best]) for best in rows["best"][:2]] == ["call", "call"]


def test_positions_of_several_rules_in_their_places() -> None:
    positions = [santase.deal(seed, PRESETS[seed % 5]) for seed in range(25)]
    rows = santase.analyze_many(positions, worlds=5, seed=3)
    for number, position in enumerate(positions):
        same(rows[number], santase.analyze(position, worlds=5, seed=santase.hand_seed(3, number + 1)))


def test_threads_do_not_change_rows() -> None:
    views = santase.pack_views(some_positions("schnapsen", range(200), most=12))
    rows = [
        santase.analyze_many(views, worlds=8, seed=2, threads=threads, rules="schnapsen")
        for threads in (1, 2, 3, 16)
    ]
    assert len({row.tobytes() for row in rows}) == 1


def test_time_is_for_each_position() -> None:
    views = [santase.deal(seed) for seed in range(3)]
    started = time.perf_counter()
    rows = santase.analyze_many(views, 0.15, threads=1)
    assert time.perf_counter() - started >= 0.45
    assert (rows["worlds"] > 4).all()
    # both: whichever comes first
    assert santase.analyze_many(views, 60.0, worlds=3)["worlds"].tolist() == [3, 3, 3]
    assert (santase.analyze_many(views, 0.01, worlds=10**9, threads=1)["worlds"] < 10**9).all()


def test_rows_at_odd_addresses() -> None:
    """As rows from files and other processes may lie, and read-only."""
    for rows, work in (
        (santase.deal_many(5, 1), santase.solve_many),
        (santase.deal_many(5, 1), santase.playout_many),
        (
            santase.pack_views(santase.deal(seed) for seed in range(5)),
            lambda rows: santase.analyze_many(rows, worlds=5),
        ),
        (santase.deal_many(5, 1), santase.unpack),
    ):
        moved = np.frombuffer(b"-" + rows.tobytes(), dtype=rows.dtype, offset=1)
        assert np.array_equal(repr(work(moved)), repr(work(rows)))


ROW_WORK: list[Callable[..., Any]] = [
    santase.solve_many,
    santase.playout_many,
    santase.unpack,
    lambda rows: santase.analyze_many(rows, worlds=5),
]


@pytest.mark.parametrize("work", ROW_WORK)
def test_rows_in_every_form(work: Callable[..., Any]) -> None:
    """Whatever way an array holds the rows, they are the same; the answers have its shape."""
    deals = santase.deal_many(12, 1)
    padded = np.zeros(12, dtype=[("before", "u1"), ("row", deals.dtype)])
    padded["row"] = deals
    swapped = deals.astype(deals.dtype.newbyteorder("S"))
    assert swapped.tobytes() != deals.tobytes()
    frozen = deals.copy()
    frozen.flags.writeable = False
    twice = np.empty(24, dtype=deals.dtype)
    twice[::2] = deals
    twice[1::2] = 0  # no positions
    expected = work(deals)
    for rows in (
        deals.reshape(3, 4),
        np.asfortranarray(deals.reshape(3, 4)),
        padded["row"],
        swapped,
        frozen,
        twice[::2],
        deals[::-1][::-1],
        deals.view(np.recarray),
        np.broadcast_to(deals, (1, 12)),
    ):
        found = work(rows)
        if isinstance(found, list):
            assert found == expected
        else:
            assert found.shape == rows.shape and found.reshape(-1).tobytes() == expected.tobytes()
    # a row by itself
    one = work(deals[0])
    assert one == expected[:1] if isinstance(one, list) else one.tobytes() == expected[:1].tobytes()
    # and an array of no rows
    assert len(work(deals[:0])) == 0


@pytest.mark.parametrize("work", ROW_WORK)
def test_what_is_no_array_of_rows(work: Callable[..., Any]) -> None:
    deals = santase.deal_many(3, 1)
    with pytest.raises(TypeError, match="mask"):
        work(np.ma.array(deals, mask=[0, 1, 0]))
    with pytest.raises(SantaseError, match="dtype"):
        work(deals.view("V40"))
    with pytest.raises(TypeError):
        work(deals.tobytes())
    wrong = deals.reshape(1, 3).copy()
    wrong["hand"][0, 1] = 0
    with pytest.raises(NotationError, match="row 1 "):
        work(wrong)


@pytest.mark.skipif(sys.platform != "linux", reason="as Linux counts memory")
@pytest.mark.parametrize("rows", ["deals", "santase.pack_views(positions)", "positions"])
def test_answers_are_in_memory_once(rows: str) -> None:
    code = f"""
import re, santase
def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status", encoding="ascii").read())[1]) << 10
deals = santase.deal_many(60_000, 1)
positions = santase.unpack(deals)
rows = {rows}
santase.analyze_many(rows[:2], 0)
before = peak()
answers = santase.analyze_many(rows, 0)
print(answers.nbytes, peak() - before)
"""
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    size, grown = map(int, done.stdout.split())
    assert size == 60_000 * 920 and grown < 1.5 * size


def test_no_analyses() -> None:
    assert santase.analyze_many([]).shape == (0,)
    assert santase.analyze_many(santase.pack_views([])).dtype == santase.analysis_dtype()


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"time": -1}, "time"),
        ({"worlds": 0}, "worlds"),
        ({"worlds": 2**32}, "worlds"),
        ({"threads": 0}, "threads"),
        ({"seed": -1}, "seed"),
        ({"seed": "x"}, "seed"),
        ({"match": (11, 0)}, "match"),
        ({"match": 5}, "match"),
        ({"executor": threading.Thread, "chunk": 0}, "chunk"),
        ({"chunk": -1}, "chunk"),
        ({"chunk": math.nan}, "chunk"),
    ],
)
def test_bad_parameters_of_analyses(parameters: Any, reason: str) -> None:
    with pytest.raises(SantaseError, match=reason):
        santase.analyze_many([santase.deal(1)], **({"worlds": 1} | parameters))


def test_positions_that_cannot_be_analysed() -> None:
    over = santase.deal(7).play("call")
    with pytest.raises(SantaseError, match="item 2: the hand is over"):
        santase.analyze_many([santase.deal(1), santase.deal(1, "schnapsen"), over], worlds=1)
    with pytest.raises(SantaseError, match="row 1: the hand is over"):
        santase.analyze_many(santase.pack([santase.deal(1), over]), worlds=1)
    with pytest.raises(HiddenCardsError, match="item 1: player 0"):
        santase.analyze_many([santase.deal(1, "schnapsen"), santase.deal(7).view(1)], worlds=1)
    with pytest.raises(TypeError, match="item 1"):
        santase.analyze_many([santase.deal(1), "santase"])  # type: ignore[list-item]


# ---------------------------------------------------------------- progress

Work = Callable[..., Any]


def solve(number: int, **settings: Any) -> Any:
    return santase.solve_many(santase.deal_many(number, 1), **settings)


def solve_objects(number: int, **settings: Any) -> Any:
    return santase.solve_many([santase.deal(seed, PRESETS[seed % 2]) for seed in range(number)], **settings)


def analyse(number: int, **settings: Any) -> Any:
    return santase.analyze_many(santase.deal_many(number, 1), worlds=20, **settings)


def deal(number: int, **settings: Any) -> Any:
    return santase.deal_many(number, 1, **settings)


def play_out(number: int, **settings: Any) -> Any:
    return santase.playout_many(santase.deal_many(number, 1), 2, **settings)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("work", [solve, solve_objects, analyse, deal, play_out])
def test_progress(work: Work, threads: int) -> None:
    """Told in the calling thread, never less than before, and at the end of all."""
    told: list[int] = []

    def progress(done: int) -> None:
        assert threading.get_ident() == caller
        told.append(done)

    caller = threading.get_ident()
    answers = work(60, threads=threads, progress=progress)
    assert told == sorted(told) and told[-1] == 60 and told[0] > 0
    assert answers.tobytes() == work(60).tobytes()
    told.clear()
    work(0, threads=threads, progress=progress)
    assert told == []


@pytest.mark.parametrize("work", [deal, play_out])
def test_threads_do_not_change_deals_and_playouts(work: Work) -> None:
    """Numbers of rows around those that are done at a time, in one thread and in several."""
    for number in (1, 8191, 8192, 16385, 100_000):
        assert len({work(number, threads=threads).tobytes() for threads in (None, 1, 2, 7)}) == 1


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    ("work", "number"), [(solve, 3000), (analyse, 3000), (deal, 5_000_000), (play_out, 1_000_000)]
)
def test_an_exception_in_progress_stops_the_work(work: Work, number: int, threads: int) -> None:
    class Enough(Exception):
        pass

    def progress(done: int) -> None:
        raise Enough(done)

    before = threading.active_count()
    with pytest.raises(Enough) as raised:
        work(number, threads=threads, progress=progress)
    assert 0 < raised.value.args[0] < number
    deadline = time.monotonic() + 10
    while threading.active_count() > before:  # they have left the work, and end at once
        assert time.monotonic() < deadline
        time.sleep(0.001)
    assert len(work(20, threads=threads)) == 20


@pytest.mark.thread_unsafe(reason="signals come to the main thread")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs an alarm clock")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_stops_analyses_at_once(threads: int) -> None:
    class Interrupted(Exception):
        pass

    def handler(signum: int, frame: object) -> None:
        raise Interrupted

    try:
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(Interrupted):
            santase.analyze_many(santase.deal_many(4, 1), worlds=2**32 - 1, threads=threads)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


@pytest.mark.thread_unsafe(reason="signals come to the main thread")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs an alarm clock")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("work", ["deal_many", "playout_many"])
def test_a_signal_stops_deals_and_playouts(work: str, threads: int) -> None:
    """It comes after a tenth of the processor's time, and less than half is used."""

    class Interrupted(Exception):
        pass

    def handler(signum: int, frame: object) -> None:
        raise Interrupted

    def call() -> None:
        if work == "deal_many":
            santase.deal_many(4_000_000, 1, threads=threads)
        else:
            santase.playout_many(deals, threads=threads)

    deals = santase.deal_many(1_000_000, 1)
    started = time.process_time()
    call()
    whole = time.process_time() - started
    try:
        signal.signal(signal.SIGPROF, handler)
        started = time.process_time()
        with pytest.raises(Interrupted):
            signal.setitimer(signal.ITIMER_PROF, whole / 10)
            call()
        assert time.process_time() - started < whole / 2
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)


# ---------------------------------------------------------------- NumPy's numbers


def test_numbers_of_numpy_are_numbers() -> None:
    """Wherever a number is wanted, NumPy's own will do: they are what comes out of arrays."""
    position = santase.deal(7)
    view, ending = (
        position.view(),
        Position.parse("santase A...T .T..A - C TKQJ9.AKQJ9.ATKQJ9.KQJ9 0 55/43 5/5 0/0 -"),
    )
    rows = santase.deal_many(3, 7)
    whole, quarter = np.int64, np.float32(0.25)
    game = santase.Game(seed=7)
    for action in ("KC", "AC", "call"):
        if not game.position.is_over and action in game.position.legal_actions():
            game.play(action)
    calls: list[Callable[[Any, Any], object]] = [
        lambda n, x: santase.deal(n(7), leader=n(1)),
        lambda n, x: santase.hand_seed(n(7), n(3)),
        lambda n, x: santase.perft(position, n(2)),
        lambda n, x: santase.random_playouts(n(5), seed=n(3)).tolist(),
        lambda n, x: santase.sample_worlds(view, n(2), seed=n(4)),
        lambda n, x: santase.match_equity(n(3), n(4), leads=True),
        lambda n, x: santase.solve(ending, nodes=n(10**6), time=x * 100, table_bytes=n(4096)),
        lambda n, x: santase.Solver(n(4096)).table_bytes,
        lambda n, x: santase.deal_many(n(3), n(7), leader=n(1), threads=n(2)).tobytes(),
        lambda n, x: santase.playout_many(rows, n(5), threads=n(1)).tobytes(),
        lambda n, x: santase.solve_many(rows, threads=n(1), table_bytes=n(4096), chunk=n(2)).tobytes(),
        lambda n, x: santase.analyze_many(
            rows, x * 400, worlds=n(3), seed=n(5), threads=n(1), match=(n(3), n(4)), chunk=n(1)
        ).tobytes(),
        lambda n, x: (
            santase.analyze(
                view, x * 400, worlds=n(3), seed=n(5), threads=n(1), match=(n(3), n(4)), mistrust=x
            ).actions
        ),
        lambda n, x: santase.best_move(view, worlds=n(3), seed=n(5)),
        lambda n, x: compare(view, "KC", "TS", x * 400, worlds=n(5), seed=n(2), mistrust=x),
        lambda n, x: [(d.verdict, d.cost) for d in review(game, x * 400, worlds=n(4), seed=n(2)).decisions],
    ]
    for call in calls:
        assert repr(call(whole, quarter)) == repr(call(int, 0.25))


@pytest.mark.parametrize("number", [np.float64(2), np.True_, np.array([1, 2]), np.str_("2"), True, 2.0, "2"])
def test_what_is_no_whole_number(number: Any) -> None:
    rows = santase.deal_many(2, 1)
    for call in (
        lambda: santase.deal(number),
        lambda: santase.deal_many(number, 1),
        lambda: santase.playout_many(rows, threads=number),
        lambda: santase.solve_many(rows, chunk=number),
        lambda: santase.analyze_many(rows, worlds=number),
        lambda: santase.analyze_many(rows, worlds=1, match=(number, 0)),
        lambda: santase.perft(santase.deal(1), number),
        lambda: santase.Solver(number),
    ):
        with pytest.raises(SantaseError):
            call()


@pytest.mark.parametrize(
    "number", [np.True_, "1", None.__class__, math.nan, -1, 10**400, np.float32("inf"), 1j]
)
def test_what_is_no_time(number: Any) -> None:
    with pytest.raises(SantaseError, match="time"):
        santase.analyze_many(santase.deal_many(2, 1), number)
    with pytest.raises(SantaseError, match="time"):
        santase.analyze(santase.deal(1), number)
