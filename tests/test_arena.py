"""The arena: its players, its statistics, its log, and that it is fair."""

from __future__ import annotations

import dataclasses
import errno
import itertools
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from santase import RULES, Action, Game, NotationError, Position, SantaseError, best_move, deal
from santase._luck import FEATURE_NAMES, draw_features, draw_luck
from santase._network import shipped_network
from santase._players import greedy_action, greedy_without_closing, mix_seed, random_action
from santase.arena import ArenaError, ResultLog, Sprt, Tally, arena, play_hand
from santase.cli import main
from santase.players import PLAYERS, GreedyPlayer, Player, PlayerError, RandomPlayer, make_player

stats = pytest.importorskip("scipy.stats", reason="needs the extra 'arena'")

BEST = f"program:{sys.executable} -P -m santase best --json --worlds 20 -"
SMALL = dataclasses.replace(RULES["santase"], ranks="QKTA", hand_size=5)


# ---------------------------------------------------------------- seeds


def splitmix(state: int) -> int:
    """One step of SplitMix64, from its publication."""
    state = (state + 0x9E3779B97F4A7C15) % 2**64
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    state = (state ^ (state >> 27)) * 0x94D049BB133111EB % 2**64
    return state ^ (state >> 31)


@pytest.mark.parametrize("numbers", [(), (0,), (1,), (1, 2), (2, 1), (2**64 - 1, 7, 0)])
@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_mix_seed_is_splitmix64(seed, numbers):
    expected = splitmix(seed)
    for number in numbers:
        expected = splitmix(expected ^ number)
    assert mix_seed(seed, *numbers) == expected


def test_mix_seed_never_changes():
    assert mix_seed(7, 1, 2) == 1650069959653123811


@pytest.mark.parametrize("numbers", [(-1,), (2**64,), ("1",), (0, -1)])
def test_mix_seed_refuses(numbers):
    with pytest.raises(SantaseError):
        mix_seed(*numbers)


# ---------------------------------------------------------------- players by name


@pytest.mark.parametrize(
    ("specification", "reason"),
    [
        ("nobody", "no player is called 'nobody'; there are random, greedy"),
        ("", "no player is called ''"),
        ("random:x=1", "'x=1' is no parameter; random takes no parameters"),
        ("ismcts:0.02", "'0.02' is no parameter; ismcts takes time, worlds, exploration, closes"),
        ("ismcts:time=fast", "time=fast: seconds, 0 or more"),
        ("ismcts:time=-1", "time=-1: seconds, 0 or more"),
        ("ismcts:time=nan", "time=nan: seconds, 0 or more"),
        ("ismcts:worlds=0", "worlds=0: a whole number from 1 on"),
        ("ismcts:worlds=1e3", "worlds=1e3: a whole number from 1 on"),
        ("ismcts:worlds=" + "9" * 5000, ": a whole number from 1 on"),
        ("ismcts:exploration=0", "exploration=0: a number above 0"),
        ("ismcts:worlds=5,worlds=6", "worlds is given twice"),
        ("greedy:closes=maybe", "closes=maybe: yes, no or always"),
        ("greedy:noise=2", "noise=2: a number from 0 to 1"),
        ("closer:closes=no", "'closes=no' is no parameter"),
        ("policy:temperature=-1", "temperature=-1: a number from 0 to 100"),
        ("policy:time=1", "'time=1' is no parameter; policy takes temperature, mistakes, weights, closes"),
        ("policy:weights=/nowhere/at-all", "weights /nowhere/at-all: No such file"),
        ("program:", "a command line is needed"),
        ("program:'", "is no command line"),
        ("program:/nowhere/at-all x", "'/nowhere/at-all' cannot be started"),
    ],
)
def test_specification_errors(specification, reason):
    with pytest.raises(PlayerError) as caught:
        make_player(specification)
    assert reason in str(caught.value)


@pytest.mark.parametrize("rules", [*RULES, "santase+hand_size=4+ranks=QKTA+suits=CDH", str(SMALL)])
@pytest.mark.parametrize(
    "name",
    [
        "random",
        "greedy",
        "greedy:noise=0.3",
        "closer",
        "never-closes",
        "ismcts:worlds=30",
        "santase:worlds=30",
        "policy",
        "policy:temperature=1",
    ],
)
def test_players_play_whole_hands_legally(name, rules):
    result = arena(name, "random", deals=10, rules=rules, seed=3)
    assert result.hands == 20
    assert result.sides[1].wrong_calls == 0
    # under these rules a wrong call can cost less than a lost closing, and santase knows it
    if not (name.startswith("santase") and rules in ("schnapsen", "sixty-six")):
        assert result.sides[0].wrong_calls == 0


@pytest.mark.parametrize(
    "name",
    ["ismcts:worlds=30,closes=no", "santase:worlds=30,closes=no", "policy:closes=no", "never-closes"],
)
def test_who_never_closes(name):
    result = arena(name, "closer", deals=20)
    assert result.sides[0].closings == 0
    assert result.sides[1].closings > 20


@pytest.mark.parametrize("name", ["ismcts:worlds=30,closes=always", "policy:closes=always", "closer"])
def test_who_always_closes(name):
    """The first lead that it has after the first trick closes, so it exchanges nothing and closes every hand
    in which it comes on lead before the other closes."""
    result = arena(name, "closer", deals=20)
    assert result.sides[0].closings + result.sides[1].closings == result.hands


def test_the_policy_is_santase_without_time():
    result = arena("policy", "santase:time=0", deals=60)
    assert result.plain_mean == 0.0
    assert result.plain_stderr == 0.0


def test_sampled_policy_draws_by_its_probabilities():
    position = Position.parse("santase AQ.Q.AT.J +6 ?11 JD ... 0 0/0 0/0 0/0 -")
    chances, _ = shipped_network().policy(position)
    player = make_player("policy:temperature=1")
    player.begin(5, 0)
    found = Counter(player.choose(position) for _ in range(2000))
    assert found.keys() <= chances.keys()
    for action, chance in chances.items():
        assert abs(found[action] / 2000 - chance) < 5 * (chance / 2000) ** 0.5 + 0.001


def test_policy_with_weights_of_a_file(tmp_path):
    shipped = files("santase") / "data" / "network.npz"
    position = deal(3)
    assert make_player(f"policy:weights={shipped}").choose(position.view()) == best_move(position, 0)
    data = shipped.read_bytes()
    np.savez(tmp_path / "other.npz", w1=np.zeros(3))
    for name, content in {
        "empty": b"",
        "text": b"no weights",
        "cut": data[: len(data) // 2],
        "spoilt": data[:5000] + b"\0" * 9000 + data[14000:],
        "other.npz": (tmp_path / "other.npz").read_bytes(),
    }.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(PlayerError, match=r"^policy: weights .*: [^\n]+$"):
            make_player(f"policy:weights={tmp_path / name}")


def test_a_player_sees_only_its_view():
    seen = []

    class Spy(GreedyPlayer):
        def choose(self, position):
            seen.append(position)
            return super().choose(position)

    arena(Spy, "greedy", deals=5)
    assert seen
    assert all(position == position.view() for position in seen)
    assert any(not position.is_full for position in seen)


class SeesAll(RandomPlayer):
    sees_all = True

    def choose(self, position):
        assert position.is_full
        return super().choose(position)


def test_a_cheat_sees_all_and_its_luck_is_left_in():
    result = arena(SeesAll, "random", deals=5)
    assert not result.adjusted
    assert result.mean == result.plain_mean == result.points / result.hands


def test_players_are_told_the_score_and_every_action():
    told = []

    class Listener(RandomPlayer):
        def begin(self, seed, seat, score=None):
            super().begin(seed, seat, score)
            told.append((seat, score, []))

        def note(self, player, action, before):
            told[-1][2].append(action)

    class Quiet(RandomPlayer):
        pass

    game = Game("santase", seed=1, match=True)
    while True:
        play_hand(game, (Quiet(), Listener()), (1, 2))
        if game.is_over:
            break
        game.next_hand()
    score = [0, 0]
    assert len(told) == len(game.hands)
    for (seat, told_score, actions), hand in zip(told, game.hands, strict=True):
        assert seat == 1
        assert told_score == (score[1], score[0])
        assert tuple(actions) == hand.actions
        if hand.outcome.winner is not None:
            score[hand.outcome.winner] += hand.outcome.game_points


def test_ismcts_repeats_and_depends_on_its_seed():
    view = deal(5).view()

    def choices(seed):
        player = make_player("ismcts:worlds=20")
        player.begin(seed, 0)
        return [player.choose(view) for _ in range(20)]

    assert choices(1) == choices(1)
    assert choices(1) != choices(2)


def test_ismcts_leads_no_undeclared_king_or_queen():
    view = Position.parse("santase KQ.Q.AT.J +6 ?11 JD ... 0 0/0 0/0 0/0 -")
    player = make_player("ismcts:worlds=5")
    player.begin(0, 0)
    assert not {"KS", "QS", "call"} & {player.choose(view) for _ in range(50)}


# ---------------------------------------------------------------- greedy


@pytest.mark.parametrize(
    ("line", "action"),
    [
        # the plain ten on a plain card; nothing worth an ace; a ruff of a ten, not of a nine
        ("santase AT.Q.A9.J +5 ?11 JD ... 1:KS 0/0 0/0 0/0 -", "TS"),
        ("santase A9.Q.A9.J +5 ?11 JD ... 1:JS 0/0 0/0 0/0 -", "9S"),
        ("santase A9.Q.AQ.J +5 ?11 JD ... 1:TH 0/0 0/0 0/0 -", "QD"),
        ("santase AT.Q.AQ.9 +5 ?11 JD ... 1:9H 0/0 0/0 0/0 -", "QH"),
    ],
)
def test_greedy_replies(line, action):
    assert greedy_action(Position.parse(line)) == action


def test_greedy_declares_trumps_first():
    marriage = Position.parse("santase KQ.Q.AT.J +6 ?11 JD ... 0 0/0 0/0 0/0 -")
    assert greedy_action(marriage) == "marriage-S"
    trumps_first = Position.parse("santase KQ..KQT.J +6 ?11 JD ... 0 0/0 0/0 0/0 -")
    assert greedy_action(trumps_first) == "marriage-D"


def test_greedy_closes_on_what_it_is_certain_of():
    closing = [
        (position.view(), greedy_action(position.view()))
        for position in played_positions(400)
        if "close" in position.legal_actions()
    ]
    chosen = [view for view, action in closing if action == "close"]
    assert 0 < len(chosen) < len(closing) / 5
    assert all(greedy_without_closing(view) != "close" for view in chosen)


def played_positions(number):
    for seed in range(number):
        position = deal(seed)
        moves = 0
        while not position.is_over:
            yield position
            moves += 1
            position = position.play(random_action(position.view(), mix_seed(seed, moves)))


def test_greedy_always_exchanges_and_calls():
    exchanges = calls = 0
    for position in played_positions(400):
        legal = position.legal_actions()
        action = greedy_action(position.view())
        assert action in legal
        has_66 = position.points[position.to_move] >= 66
        assert (action == "call") == ("call" in legal and has_66)
        calls += action == "call"
        if "exchange" in legal and not has_66:
            assert action == "exchange"
            exchanges += 1
    assert exchanges > 10
    assert calls > 10


def test_plain_players_refuse():
    view = deal(1).view(1)
    over = deal(1).play("call")
    for choose in (greedy_action, greedy_without_closing, lambda position: random_action(position, 1)):
        with pytest.raises(SantaseError, match="hidden"):
            choose(view)
        with pytest.raises(SantaseError, match="over"):
            choose(over)


def test_random_takes_every_action_alike_but_the_call():
    view = deal(3).view()
    legal = [action for action in view.legal_actions() if action != "call"]
    chosen = [random_action(view, mix_seed(0, n)) for n in range(6000)]
    counts = [chosen.count(action) for action in legal]
    assert sum(counts) == 6000
    assert stats.chisquare(counts).pvalue > 1e-6


@pytest.mark.parametrize("name", ["cheat", "pimc"])
def test_players_that_need_the_solver_say_so(monkeypatch, name):
    monkeypatch.setitem(sys.modules, "santase.solve", None)
    with pytest.raises(PlayerError, match=f"{name}: this build has no exact solver"):
        make_player(name)


def test_the_cheat_wins():
    pytest.importorskip("santase.solve")
    result = arena("cheat", "greedy", deals=6)
    assert not result.adjusted
    assert result.mean > 0.5
    assert result.sides[0].wrong_calls == 0


def test_pimc_repeats():
    pytest.importorskip("santase.solve")
    one = arena("pimc:worlds=1", "greedy", deals=2, seed=1)
    two = arena("pimc:worlds=1", "greedy", deals=2, seed=1)
    assert timeless(one) == timeless(two)


# ---------------------------------------------------------------- programs


def test_a_program_plays():
    result = arena(BEST, "random", deals=2)
    assert result.hands == 4


def program(code: str) -> str:
    return f"program:{sys.executable} -c '{code}'"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("pass", "it ended (exit status 0) before it answered santase"),
        ("raise SystemExit(3)", "it ended (exit status 3) before it answered santase"),
        ('input(); print("KS")', "it answered 'KS', which names no action as 'best'"),
        ('input(); print("{}")', "which names no action as 'best'"),
        ('input(); print("{\\"best\\": 7}")', "which names no action as 'best'"),
        ('input(); print("{\\"best\\": \\"exchange\\"}")', "it answered exchange, which is not legal"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_programs_that_fail(code, reason, jobs):
    with pytest.raises(PlayerError) as caught:
        arena("random", program(code), deals=2, jobs=jobs)
    assert reason in str(caught.value)
    assert "deal " in str(caught.value)
    assert ": B: program" in str(caught.value)


# ---------------------------------------------------------------- play


class Exchanger(Player):
    """Does one thing only."""

    def choose(self, position):
        return Action("exchange")


class Caller(RandomPlayer):
    """Calls as soon as it is on lead."""

    def choose(self, position):
        return Action("call") if position.led is None else super().choose(position)


def test_an_illegal_action_is_told():
    with pytest.raises(
        PlayerError, match=r"deal 0: A: not legal in santase .*: exchange: player 0 does not hold"
    ):
        arena(Exchanger, "random", deals=3)


def test_wrong_calls_are_counted():
    result = arena(Caller, "greedy", deals=50)
    caller = result.sides[0]
    assert caller.wrong_calls >= 50
    assert caller.wrong_calls + caller.calls <= 100
    # 3 while it has no trick, as at every first lead
    assert result.mean < -2
    assert result.plain_mean < -2


def units(path):
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()[1:]]


@pytest.mark.parametrize("matches", [False, True])
@pytest.mark.parametrize("rules", ["santase", "santase-bg", "schnapsen"])
def test_the_log_replays(tmp_path, rules, matches):
    """Both games of a unit have the same cards, and every number of the log follows from deal and actions."""
    log = tmp_path / "log"
    result = arena("greedy:noise=0.2", "random", deals=6, rules=rules, matches=matches, log=log, seed=9)
    points = hands = won = 0
    for number, unit in enumerate(units(log)):
        assert unit["deal"] == number
        for seat, record in enumerate(unit["games"]):
            game = Game(rules, seed=unit["seed"], match=matches)
            for n, hand in enumerate(record["hands"]):
                if n:
                    game.next_hand()
                assert hand["leader"] == "AB"[game.deal.leader != seat]
                for action in hand["actions"].split():
                    game.play(action)
                outcome = game.position.outcome
                assert outcome.reason == hand["reason"]
                assert hand["points"] == outcome.game_points * (1 if outcome.winner == seat else -1)
                luck = draw_luck(game.deal, game.actions)
                assert hand["luck"] == pytest.approx(-luck if seat else luck, abs=1e-6)
                for name, text in (("closings", "close"), ("exchanges", "exchange")):
                    assert sum(hand[s].get(name, 0) for s in "AB") == hand["actions"].split().count(text)
                points += hand["points"]
                hands += 1
            assert game.is_over
            if matches:
                assert record["won"] == (game.winner == seat)
                won += record["won"]
    assert (result.points, result.hands, result.matches_won) == (points, hands, won)
    assert result.matches == (12 if matches else 0)


def timeless(result):
    found = result.to_json()
    for side in found["sides"]:
        del side["seconds"], side["slowest"]
    return found


def test_the_result_does_not_depend_on_the_number_of_processes():
    one = arena("ismcts:worlds=20", "greedy:noise=0.5", deals=30, seed=4)
    two = arena("ismcts:worlds=20", "greedy:noise=0.5", deals=30, seed=4, jobs=2)
    other = arena("ismcts:worlds=20", "greedy:noise=0.5", deals=30, seed=5)
    assert timeless(one) == timeless(two)
    assert timeless(one) != timeless(other)


def test_equal_players_do_not_play_mirrored_games_alike():
    result = arena("random", "random", deals=50)
    assert result.plain_stderr > 0


def test_players_without_chance_draw_against_themselves():
    result = arena("greedy", "greedy", deals=50)
    assert result.points == 0
    assert result.mean == result.stderr == 0
    assert result.interval == (0, 0)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"deals": 0}, "deals: 1 or more"),
        ({"jobs": 0}, "jobs: 1 or more"),
        ({"confidence": 1.0}, "confidence: between 0 and 1"),
        ({"seed": -1}, "seed"),
        ({"rules": "bridge"}, "no preset"),
    ],
)
def test_bad_parameters(options, reason):
    with pytest.raises(SantaseError, match=reason):
        arena("random", "random", **options)


def test_without_scipy(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(ArenaError, match=r"pip install 'santase\[arena\]'"):
        arena("random", "random", deals=1)


# ---------------------------------------------------------------- processes that die


class Mortal(RandomPlayer):
    """Takes its process with it when it first finds the file, or whenever it does."""

    def __init__(self, path, again):
        self.path, self.again = path, again

    def choose(self, position):
        if self.path.exists():
            if not self.again:
                self.path.unlink()
            os._exit(9)
        return super().choose(position)


@dataclasses.dataclass(frozen=True)
class MakeMortal:
    path: Path
    again: bool = False

    def __call__(self):
        return Mortal(self.path, self.again)


def test_a_process_that_dies_is_replaced(tmp_path):
    path = tmp_path / "die"
    path.touch()
    died = arena(MakeMortal(path), "random", deals=12, jobs=2, log=tmp_path / "log")
    assert not path.exists()
    assert died.deals == 12
    assert timeless(died)["points"] == arena(MakeMortal(path), "random", deals=12).points
    assert sorted(unit["deal"] for unit in units(tmp_path / "log")) == list(range(12))


def test_a_process_that_always_dies_ends_the_arena(tmp_path):
    path = tmp_path / "die"
    path.touch()
    with pytest.raises(ArenaError, match="its process has died 3 times"):
        arena(MakeMortal(path, again=True), "random", deals=12, jobs=2)


# ---------------------------------------------------------------- the log

QUICK = {"a": "greedy:noise=0.2", "b": "random", "seed": 11}


def test_a_stopped_run_goes_on(tmp_path):
    log = tmp_path / "log"
    whole = arena(**QUICK, deals=30)
    arena(**QUICK, deals=10, log=log)
    before = log.read_bytes()
    assert timeless(arena(**QUICK, deals=30, log=log, jobs=2)) == timeless(whole)
    assert log.read_bytes().startswith(before)
    assert sorted(unit["deal"] for unit in units(log)) == list(range(30))
    # all is there: nothing is played, and fewer deals are the first of them
    after = log.read_bytes()
    assert timeless(arena(**QUICK, deals=30, log=log)) == timeless(whole)
    assert timeless(arena(**QUICK, deals=10, log=log)) == timeless(arena(**QUICK, deals=10))
    assert log.read_bytes() == after


def test_a_log_cut_anywhere_is_mended(tmp_path):
    log = tmp_path / "log"
    whole = arena(**QUICK, deals=3, log=log)
    content = log.read_bytes()
    for cut in [0, 1, 20, *range(content.index(b"\n") - 1, len(content), 37), len(content) - 1]:
        log.write_bytes(content[:cut])
        assert timeless(arena(**QUICK, deals=3, log=log)) == timeless(whole)
        assert [unit["deal"] for unit in units(log)] == [0, 1, 2]


def test_lines_in_any_order_and_twice_count_once(tmp_path):
    log = tmp_path / "log"
    whole = arena(**QUICK, deals=4, log=log)
    header, *lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    log.write_text("".join([header, lines[3], lines[1], lines[1], lines[0], lines[3]]), encoding="utf-8")
    assert timeless(arena(**QUICK, deals=4, log=log)) == timeless(whole)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"a": "greedy"}, "a is 'greedy:noise=0.2' there, 'greedy' here"),
        ({"b": "greedy"}, "b is 'random' there, 'greedy' here"),
        ({"seed": 12}, "seed is 11 there, 12 here"),
        ({"rules": "schnapsen"}, "rules is 'santase' there, 'schnapsen' here"),
        ({"matches": True}, "matches is False there, True here"),
    ],
)
def test_the_log_of_another_arena_is_refused(tmp_path, change, reason):
    log = tmp_path / "log"
    arena(**QUICK, deals=2, log=log)
    content = log.read_bytes()
    with pytest.raises(ArenaError) as caught:
        arena(**QUICK | change, deals=2, log=log)
    assert reason in str(caught.value)
    assert log.read_bytes() == content


@pytest.mark.parametrize(
    "content", [b"hello", b"hello\n", b"{}\n", b"[]\n", b"7\n", b'{"arena": 99}\n', b"\xff\xfe\n"]
)
def test_what_is_no_log_is_refused(tmp_path, content):
    log = tmp_path / "log"
    log.write_bytes(content)
    with pytest.raises(ArenaError, match="log "):
        arena(**QUICK, deals=1, log=log)
    assert log.read_bytes() == content


@pytest.mark.parametrize("line", ["", "{}", "7", "nonsense", '{"deal": 1}', '{"deal": 1, "games": [{}]}'])
def test_a_bad_line_is_told(tmp_path, line):
    log = tmp_path / "log"
    arena(**QUICK, deals=2, log=log)
    lines = log.read_text(encoding="utf-8").splitlines()
    lines[1] = line
    log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(ArenaError, match="line 2"):
        arena(**QUICK, deals=2, log=log)


def test_a_log_that_cannot_be_opened(tmp_path):
    with pytest.raises(ArenaError, match="log "):
        arena(**QUICK, deals=1, log=tmp_path)
    with pytest.raises(ArenaError, match="log "):
        arena(**QUICK, deals=1, log=tmp_path / "no" / "where")


@pytest.mark.skipif(sys.platform == "win32", reason="no locks there")
def test_two_arenas_do_not_write_to_one_log(tmp_path):
    log = tmp_path / "log"
    with ResultLog(log, {"arena": 1}), pytest.raises(ArenaError, match="another arena is writing"):
        ResultLog(log, {"arena": 1})


def test_a_log_is_free_once_it_is_closed(tmp_path):
    """Even while a process that was being started meanwhile has the file open, too."""
    log = tmp_path / "log"
    with ResultLog(log, {"arena": 1}) as first:
        inherited = os.dup(first._file.fileno())
    try:
        with ResultLog(log, {"arena": 1}):
            pass
    finally:
        os.close(inherited)


def test_a_full_disk_is_told(tmp_path, monkeypatch):
    """What was there before is still there."""
    log = tmp_path / "log"
    arena(**QUICK, deals=2, log=log)
    before = log.read_bytes()

    def full(number):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ArenaError, match="No space left"):
        arena(**QUICK, deals=3, log=log)
    assert log.read_bytes().startswith(before)


def test_a_log_that_is_replaced_is_told(tmp_path):
    log = tmp_path / "log"

    def replace(tally):
        if tally.units == 3:
            log.unlink()
            log.write_text("mine", encoding="utf-8")

    with pytest.raises(ArenaError, match="has been replaced by another"):
        arena(**QUICK, deals=5, log=log, progress=replace)
    assert log.read_text(encoding="utf-8") == "mine"


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no such device here")
def test_a_device_is_no_log():
    with pytest.raises(ArenaError, match="no ordinary file"):
        arena(**QUICK, deals=1, log="/dev/zero")


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_killed_run_goes_on(tmp_path, jobs):
    """Killed without warning, again and again, and at last left alone: all counted, once."""
    log = tmp_path / "log"
    options = ["greedy:noise=0.2", "ismcts:worlds=100", "--seed", "11", "--deals", "60", "--jobs", jobs]
    command = [sys.executable, "-P", "-m", "santase", "arena", *options, "--log", str(log), "--json"]
    killed = 0
    lines = 0
    for _ in range(3):
        run = subprocess.Popen(command, stdout=subprocess.PIPE)
        waited = time.monotonic() + 60
        while time.monotonic() < waited and run.poll() is None:
            if log.exists() and log.read_bytes().count(b"\n") > lines + 3:
                run.send_signal(signal.SIGKILL)
                killed += 1
                break
            time.sleep(0.005)
        run.communicate()
        now = log.read_bytes().count(b"\n")
        assert now >= lines
        lines = now
    assert killed
    last = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    assert sorted(unit["deal"] for unit in units(log)) == list(range(60))
    whole = timeless(arena("greedy:noise=0.2", "ismcts:worlds=100", deals=60, seed=11))
    for side in last["sides"]:
        del side["seconds"], side["slowest"]
    assert last == json.loads(json.dumps(whole))


# ---------------------------------------------------------------- statistics


def unit(points, luck=None):
    """A unit of hands with these game points."""
    lucks = luck or [0.0] * len(points)
    return {
        "games": [
            {"hands": [{"points": p, "luck": k, "A": {}, "B": {}}]}
            for p, k in zip(points, lucks, strict=True)
        ]
    }


def test_mean_and_standard_error():
    rng = np.random.default_rng(1)
    points = rng.integers(-3, 4, (200, 2))
    lucks = rng.normal(size=(200, 2))
    tally = Tally()
    for both, luck in zip(points.tolist(), lucks.tolist(), strict=True):
        tally.add(unit(both, luck))
    for mean, stderr, values in (
        (tally.plain_mean, tally.plain_stderr, points),
        (tally.mean, tally.stderr, points - lucks),
    ):
        per_hand = values.mean(axis=1)
        assert mean == pytest.approx(per_hand.mean())
        assert stderr == pytest.approx(per_hand.std(ddof=1) / math.sqrt(200))


def test_standard_error_of_matches_of_different_length():
    """Against the spread over many tallies of units whose number of hands varies with the result."""
    rng = np.random.default_rng(2)
    means, errors = [], []
    for _ in range(400):
        tally = Tally()
        for _ in range(60):
            hands = int(rng.integers(4, 15))
            points = rng.normal(0.2 + 0.05 * (hands - 9), 1.5, hands)
            tally.add(unit(points.tolist()))
        means.append(tally.mean)
        errors.append(tally.stderr)
    assert np.mean(errors) == pytest.approx(np.std(means), rel=0.12)


def test_intervals():
    result = arena("greedy:noise=0.3", "random", deals=40, matches=True, rules="schnapsen", confidence=0.9)
    half = stats.t.ppf(0.95, 39) * result.stderr
    assert result.interval == pytest.approx((result.mean - half, result.mean + half))
    z, n, p = stats.norm.ppf(0.95), 80, result.matches_won / 80
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    wide = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    assert result.matches_interval == pytest.approx((centre - wide, centre + wide))


def sprt_verdicts(mean, repetitions, test):
    rng = np.random.default_rng(3)
    found = []
    for _ in range(repetitions):
        tally = Tally()
        while (verdict := test.verdict(tally)) is None:
            tally.add(unit(rng.normal(mean, 1.5, 2).tolist()))
        found.append(verdict)
    return found


def test_sprt_errs_as_seldom_as_it_says():
    test = Sprt(0, 0.5)
    wrong = sprt_verdicts(0.0, 300, test).count("high")
    missed = sprt_verdicts(0.5, 300, test).count("low")
    # at most 5 % of 300, with room for chance
    assert wrong <= 27
    assert missed <= 27


def test_sprt_stops_early_and_at_the_same_deal_for_any_number_of_processes(tmp_path):
    log = tmp_path / "log"
    one = arena("greedy", "random", deals=400, sprt=Sprt(0, 0.2), log=log)
    two = arena("greedy", "random", deals=400, sprt=Sprt(0, 0.2), jobs=2)
    assert one.sprt["verdict"] == "high"
    assert one.deals < 100
    assert timeless(one) == timeless(two)
    assert one.sprt["log_ratio"] >= math.log(19)
    assert timeless(arena("greedy", "random", deals=400, sprt=Sprt(0, 0.2), log=log)) == timeless(one)


def test_sprt_undecided():
    result = arena("random", "random", deals=20, sprt=Sprt(-0.01, 0.01))
    assert result.sprt["verdict"] is None
    assert result.deals == 20


@pytest.mark.parametrize(
    "bounds", [(0.1, 0), (0, 0), (math.nan, 1), (0, math.inf), (0, 1, 0), (0, 1, 0.05, 0.5)]
)
def test_sprt_bounds(bounds):
    with pytest.raises(ArenaError, match="sprt"):
        Sprt(*bounds)


# ---------------------------------------------------------------- the luck of the draw


@pytest.mark.parametrize("seed", range(6))
def test_luck_has_mean_zero_over_all_orders_of_the_talon(seed):
    """Exactly: every order of five face-down cards, played by players that leave nothing to chance."""
    fields = str(deal(seed, SMALL)).split()
    cards = [fields[3][i : i + 2] for i in range(0, len(fields[3]), 2)]
    assert len(cards) == 5
    lucks = []
    for order in itertools.permutations(cards):
        fields[3] = "".join(order)
        game = Game(deal=" ".join(fields))
        play_hand(game, (GreedyPlayer(), GreedyPlayer(closes="no")), (0, 0))
        lucks.append(draw_luck(game.deal, game.actions))
    assert np.mean(lucks) == pytest.approx(0, abs=1e-12)
    assert np.std(lucks) > 0.01


def test_luck_of_a_draw_by_hand():
    """The winner draws the ace of trumps and the loser the nine of another suit."""
    line = "santase AQ.Q.AT.J TKJ.TJ..A {} JD ... 0 0/0 0/0 0/0 -"
    game = Game(deal=line.format("KD9S9D9CAHQCTCKH9HKCQD"))
    game.play("AS")
    game.play("JS")
    features = dict(zip(FEATURE_NAMES, draw_features(game.deal, game.actions), strict=True))
    # 11 cards lay face down, two of them trumps of these ranks, three nines of plain suits
    assert features["trump K"] == pytest.approx(1)
    assert features["plain 9"] == pytest.approx(-1)
    assert features["plain A"] == pytest.approx(0)
    assert draw_luck(game.deal, game.actions) > 0.5


def test_luck_refuses():
    with pytest.raises(SantaseError, match="full"):
        draw_luck(deal(1).view(), [])
    with pytest.raises(SantaseError, match="not legal"):
        draw_luck(deal(1), ["exchange"])
    with pytest.raises(NotationError):
        draw_luck(deal(1), ["nothing"])


@pytest.mark.parametrize("player", ["random", "greedy:noise=0.1"])
def test_a_player_against_itself_gives_nothing(player):
    """250 short arenas: 0 lies in about 95 % of the 95 % intervals (benchmarks/check_arena.py has 1,000)."""
    results = [arena(player, player, deals=20, seed=seed) for seed in range(250)]
    for means, errors in (
        ([r.mean for r in results], [r.stderr for r in results]),
        ([r.plain_mean for r in results], [r.plain_stderr for r in results]),
    ):
        half = stats.t.ppf(0.975, 19)
        inside = sum(abs(mean) <= half * stderr for mean, stderr in zip(means, errors, strict=True))
        assert stats.binomtest(inside, 250, 0.95).pvalue > 1e-3
        assert abs(np.mean(means)) < 4 * np.std(means) / math.sqrt(250)


# ---------------------------------------------------------------- the command


def test_command(capsys):
    assert main(["arena", "greedy", "random", "--deals", "20", "--jobs", "1"]) == 0
    shown = capsys.readouterr().out
    assert "A greedy against B random" in shown
    assert "20 mirrored pairs, 40 hands" in shown


def test_command_json(capsys):
    options = [
        "--deals",
        "20",
        "--jobs",
        "1",
        "--json",
        "--sprt",
        "0,0.1",
        "--rules",
        "schnapsen",
        "--matches",
    ]
    assert main(["arena", "greedy", "random", *options]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["a"] == "greedy"
    assert found["rules"] == "schnapsen"
    assert found["sprt"]["verdict"] == "high"
    assert found["interval"][0] < found["mean"] < found["interval"][1]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nobody", "random"], "no player is called 'nobody'"),
        (["random", "random", "--deals", "0"], "--deals"),
        (["random", "random", "--jobs", "0"], "--jobs"),
        (["random", "random", "--seed", "-1"], "--seed"),
        (["random", "random", "--rules", "bridge"], "no preset"),
        (["random", "random", "--confidence", "2"], "--confidence"),
        (["random", "random", "--sprt", "1"], "--sprt: two numbers"),
        (["random", "random", "--sprt", "1,0"], "--sprt: two bounds in game points"),
        (["random", "program:/nowhere/at-all"], "cannot be started"),
    ],
)
def test_command_errors(capsys, arguments, reason):
    assert main(["arena", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert reason in captured.err


def test_every_player_has_a_name_and_words():
    assert {"random", "greedy", "ismcts", "pimc", "cheat", "santase"} <= set(PLAYERS)
    for kind, _ in PLAYERS.values():
        assert kind.__doc__
