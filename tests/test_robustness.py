"""What goes wrong around the library: full disks, threads that end, forks, signals, objects half made.

Input that is wrong in itself is the business of the fuzz targets (test_fuzz.py) and of each part's own tests.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import math
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import santase
from santase import Game, Position, SantaseError
from santase._belief import Belief
from santase._ismcts import Tree
from santase._network import Network, load_network, shipped_network
from santase._rollout import Rollouts
from santase.match import _table

TOOLS = Path(__file__).parent.parent / "tools"
DEAL = santase.deal(seed=7)
# rules under which waiting may pay, so that all is searched plainly, with eleven cards a hand
IRREGULAR = "santase+hand_size=11+closer_fails=3+closer_fails_trickless=1"


def run_python(code: str, *arguments: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """A process of its own, for what could end this one."""
    return subprocess.run(
        [sys.executable, "-P", "-c", textwrap.dedent(code), *arguments],
        capture_output=True, text=True, timeout=timeout, check=False,
    )  # fmt: skip


# ---------------------------------------------------------------- objects half made


def test_what_new_alone_makes_crashes_nothing() -> None:
    """Every compiled class, made without __init__, and all that can be called of it: answers or exceptions."""
    code = """
        import importlib, inspect, pathlib, santase
        deal = santase.deal(1)
        found = 0
        for path in sorted(pathlib.Path(santase.__file__).parent.glob("_*.pyi")):
            module = importlib.import_module("santase." + path.stem)
            for name, kind in inspect.getmembers(module, inspect.isclass):
                if kind.__module__ != module.__name__ or not hasattr(kind, "__pyx_vtable__"):
                    continue
                made = kind.__new__(kind)
                for member in dir(kind):
                    if member.startswith("__") and member not in ("__str__", "__repr__", "__hash__", "__eq__"):
                        continue
                    for arguments in ((), (deal,), (made,), (10, 0.01), (santase.ACTIONS[0],) * 2 + (1, 0.01)):
                        try:
                            value = getattr(kind.__new__(kind), member)
                            if callable(value):
                                value(*arguments)
                        except Exception:
                            pass
                        found += 1
        print(found)
    """
    done = run_python(code)
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    assert int(done.stdout) > 200


def test_a_position_made_by_new_alone_is_an_empty_hand_that_is_over() -> None:
    empty = Position.__new__(Position)
    assert empty.is_over and empty.legal_actions() == []
    for use in (santase.analyze, shipped_network().policy, lambda p: santase.analyze_many([p])):
        with pytest.raises(SantaseError, match="over"):
            use(empty)


def test_a_network_made_by_new_alone_refuses() -> None:
    for use in (
        lambda network: network.policy(DEAL),
        lambda network: network.logits([]),
        lambda network: Rollouts(DEAL.view(), network),
    ):
        with pytest.raises(SantaseError, match="none"):
            use(Network.__new__(Network))


@pytest.mark.parametrize("size", [-1, 0, 1 << 31, 1 << 62])
def test_a_tree_of_no_size_is_refused(size: int) -> None:
    with pytest.raises(SantaseError, match="max_nodes"):
        Tree(DEAL.view(), max_nodes=size)


def test_a_tree_that_is_full_goes_on() -> None:
    for size in (1, 2, 3, 10):
        tree = Tree(DEAL.view(), max_nodes=size)
        tree.run(200, math.inf)
        assert tree.iterations == 200


# ---------------------------------------------------------------- packed rows


def packed_rows() -> Iterator[tuple[str, np.ndarray]]:
    """Rows of every preset and phase."""
    for name in santase.RULES:
        for seed in range(6):
            position = santase.deal(seed, name)
            while not position.is_over:
                yield name, santase.pack([position])
                actions = position.legal_actions()
                close = seed % 3 == 0 and sum(position.tricks) > 1 and "close" in actions
                position = position.play(
                    "close" if close else actions[santase.hand_seed(seed, 2) % len(actions)]
                )
            yield name, santase.pack([position])


def test_every_changed_bit_of_a_row_is_told() -> None:
    """Each bit of each row turned: refused, or another position, and one that its own line gives back."""
    seen = 0
    for number, (rules, row) in enumerate(packed_rows()):
        if number % 17:
            continue
        before = santase.unpack(row, rules)[0]
        data = np.frombuffer(bytearray(row.tobytes()), dtype=np.uint8)
        for place in range(len(data)):
            for bit in range(8):
                data[place] ^= 1 << bit
                try:
                    (after,) = santase.unpack(data.view(santase.hand_dtype()), rules)
                except SantaseError:
                    pass
                else:
                    assert after != before and Position.parse(str(after)) == after
                    assert santase.pack([after]).tobytes() == data.tobytes()
                    seen += 1
                data[place] ^= 1 << bit
    assert seen > 10


def test_a_hand_called_with_a_card_led_is_refused() -> None:
    row = santase.pack([DEAL.play("TH")])
    row["over"], row["winner"], row["game_points"] = 2, 1, 3
    with pytest.raises(SantaseError, match="row 0"):
        santase.unpack(row)


# ---------------------------------------------------------------- files of weights


def weights(**changes: bytes | None) -> io.BytesIO:
    """The shipped file with members replaced, or left out."""
    shipped = Path(santase.__file__).parent / "data" / "network.npz"
    out = io.BytesIO()
    with zipfile.ZipFile(shipped) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = changes.get(name.removesuffix(".npy"), old.read(name))
            if data is not None:
                new.writestr(name, data)
    out.seek(0)
    return out


def array_bytes(array: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.lib.format.write_array(out, array)
    return out.getvalue()


def header_of(shape: str, kind: str = "<i2") -> bytes:
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


@pytest.mark.parametrize(
    "changes",
    [
        {"w1": None},
        {"about": None},
        {"w1": b""},
        {"w1": b"\x93NUMPY\x01\x00"},
        {"w1": header_of("(412, 100000000000)")},
        {"w1": header_of("(-412, -64)")},
        {"w1": header_of("(412, 64)", "|O")},
        {"w1": array_bytes(np.zeros((412, 64)))},
        {"b1": array_bytes(np.zeros((3, 3, 3), dtype=np.int16))},
        {"w1": bytes(1 << 24)},  # a few kB in the archive
        {"first_scale": array_bytes(np.int32(99))},
        {"first_scale": array_bytes(np.zeros(3, dtype=np.int32))},
        {"about": array_bytes(np.array("[" * 100_000))},
        {"about": array_bytes(np.array("3"))},
        {"about": array_bytes(np.array("no JSON"))},
    ],
    ids=range(15),
)
def test_files_that_hold_no_weights(changes: dict[str, bytes | None]) -> None:
    with pytest.raises(SantaseError, match="weights"):
        load_network(weights(**changes))


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"\x80\x04.", b"x" * 1000])
def test_files_that_are_no_archive(data: bytes) -> None:
    with pytest.raises(SantaseError, match="weights"):
        load_network(io.BytesIO(data))


def test_a_file_of_weights_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "network.npz"
    path.write_bytes(weights().getvalue())
    assert load_network(str(path)).policy(DEAL) == shipped_network().policy(DEAL)
    with pytest.raises(OSError):
        load_network(str(tmp_path / "missing"))


# ---------------------------------------------------------------- memory


def test_tables_of_match_chances_are_not_kept_for_ever() -> None:
    for target in range(1, 40):
        santase.match_equity(0, 0, leads=True, rules=f"santase+match_target={target}")
    assert _table.cache_info().currsize <= 8


@pytest.mark.thread_unsafe(reason="measures the process's memory")
@pytest.mark.skipif(
    not TOOLS.exists() or not Path("/proc/self/status").exists(), reason="needs tools/ and /proc"
)
def test_memory_does_not_grow() -> None:
    done = subprocess.run(
        [sys.executable, str(TOOLS / "hammer.py"), "memory", "--calls", "6000"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("calls") == 10


@pytest.mark.thread_unsafe(reason="measures memory")
@pytest.mark.skipif(sys.platform != "linux", reason="as Linux counts memory")
def test_memory_of_an_analysis() -> None:
    """In a process of its own: an open hand, a closed one with every world, and one with all shown.

    The peak is what /proc says of the program; ``getrusage`` begins with that of whoever started it.
    """
    code = """
        import re, santase
        start = santase.deal(seed=7)
        santase.analyze(start, worlds=3000, seed=1, threads=2)
        santase.analyze(start, time=1, threads=2)
        closed = start.play("KC").play("JD").play("close")
        santase.analyze(closed.view(), worlds=20000, seed=1, threads=2)
        santase.analyze(closed.view(), time=1, threads=2)
        santase.solve(start)
        print(closed.phase, int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024)
    """
    done = run_python(code)
    assert done.returncode == 0, done.stderr
    phase, peak = done.stdout.split()
    assert phase == "closed" and int(peak) < 256


# ---------------------------------------------------------------- threads


def test_rollouts_refuse_a_second_thread() -> None:
    rollouts = Rollouts(DEAL.view(), shipped_network(), seed=1)
    thread = threading.Thread(target=rollouts.run, args=(1 << 60, 60.0))
    thread.start()
    while not rollouts.rollouts:
        time.sleep(0.001)
    try:
        with pytest.raises(SantaseError, match="in use"):
            rollouts.run(1, math.inf)
        with pytest.raises(SantaseError, match="in use"):
            rollouts.compare(santase.Action("TH"), santase.Action("JH"), 1, math.inf)
        with pytest.raises(SantaseError, match="in use"):
            rollouts.__init__(DEAL.view(), shipped_network())  # type: ignore[misc]
    finally:
        rollouts.stopped = True
        thread.join()
    rollouts.stopped = False
    before = rollouts.rollouts
    rollouts.run(5, math.inf)
    assert rollouts.rollouts == before + 5


@pytest.mark.thread_unsafe(reason="eight threads of its own")
@pytest.mark.skipif(not TOOLS.exists(), reason="needs tools/")
def test_eight_threads_with_mixed_jobs() -> None:
    done = subprocess.run(
        [sys.executable, str(TOOLS / "hammer.py"), "threads", "--jobs", "400"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 answers differ" in done.stdout


@pytest.mark.thread_unsafe(reason="replaces a class for all threads")
@pytest.mark.parametrize("given", [0, 1, 3])
def test_a_system_that_gives_few_threads(monkeypatch: pytest.MonkeyPatch, given: int) -> None:
    positions = [santase.deal(seed) for seed in range(24)]
    expected = santase.solve_many(positions, threads=1)
    start = threading.Thread.start
    left = [given]

    def scarce(thread: threading.Thread) -> None:
        if left[0] == 0:
            raise RuntimeError("can't start new thread")
        left[0] -= 1
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", scarce)
    if given:
        assert (santase.solve_many(positions, threads=8) == expected).all()
        return
    with pytest.raises(SantaseError, match="threads"):
        santase.solve_many(positions, threads=8)
    with pytest.raises(SantaseError, match="threads"):
        santase.analyze(DEAL, worlds=1000, threads=4)


# ---------------------------------------------------------------- limits


def test_irregular_rules_keep_node_limits() -> None:
    position = santase.deal(1, IRREGULAR)
    solution = santase.solve(position, nodes=5000)
    assert solution.nodes <= 5000 and solution.value is None


def test_an_analysis_by_worlds_ends_under_irregular_rules() -> None:
    """What cannot be solved in the nodes that there are is sampled, with the same answer every time."""
    position = santase.deal(0, IRREGULAR)
    for _ in range(2):
        position = position.play(position.legal_actions()[0])
    assert position.phase == "exhausted" and position.is_full
    first, second = (santase.analyze(position, worlds=10, seed=3) for _ in range(2))
    assert (first.best, first.actions, first.exact) == (second.best, second.actions, second.exact)
    row = santase.analyze_many([position], worlds=10, seed=3)[0]
    assert (row["best"], bool(row["exact"])) == (first.best.number, first.exact)


@pytest.mark.parametrize("size", [0, 1, 1023, 1024, 1025, 5000])
def test_any_small_table_gives_the_right_answer(size: int) -> None:
    position = DEAL.play("TH").play("AH").play("JD").play("9D")
    assert santase.solve(position, table_bytes=size).value == santase.solve(position).value


@pytest.mark.parametrize(
    "time_given", [-1, -1e-9, math.nan, math.inf, -math.inf, 10**400, "1", True, None], ids=range(9)
)
def test_times_that_are_none(time_given: object) -> None:
    if time_given is None:
        assert santase.analyze(DEAL, None, worlds=3).worlds == 3
        return
    with pytest.raises(SantaseError, match="time"):
        santase.analyze(DEAL, time_given)  # type: ignore[arg-type]


@pytest.mark.parametrize("worlds", [0, -1, 2**63, 2**64, 10**400, 1.5, "3", True], ids=range(8))
def test_numbers_of_worlds_that_are_none(worlds: object) -> None:
    with pytest.raises(SantaseError, match="worlds"):
        santase.analyze(DEAL, worlds=worlds)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [0, -1, 10**9, 2**64, 1.5, True])
def test_numbers_of_threads_that_are_none(threads: object) -> None:
    with pytest.raises(SantaseError, match="threads"):
        santase.analyze(DEAL, worlds=3, threads=threads)  # type: ignore[arg-type]


def test_too_many_threads_are_as_many_as_there_is_work_for() -> None:
    assert santase.solve_many([DEAL] * 3, threads=10**9).tolist() == [santase.solve(DEAL).value] * 3


@pytest.mark.parametrize("seed", [-1, 2**64, 10**400, 1.0, "7", None, True], ids=range(7))
def test_seeds_that_are_none(seed: object) -> None:
    for use in (
        lambda: santase.deal(seed),  # type: ignore[arg-type]
        lambda: santase.analyze(DEAL, worlds=3, seed=seed),  # type: ignore[arg-type]
        lambda: santase.sample_worlds(DEAL.view(), 1, seed=seed),  # type: ignore[arg-type]
        lambda: santase.hand_seed(seed, 1),  # type: ignore[arg-type]
    ):
        with pytest.raises(SantaseError, match="seed"):
            use()


@pytest.mark.thread_unsafe(reason="takes much memory")
def test_too_little_memory_is_said_by_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "santase", "bench", "--table", str(1 << 30), "--positions", "1"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1)
    assert done.returncode == 0 or "santase: not enough memory" in done.stderr
    assert "Traceback" not in done.stderr


# ---------------------------------------------------------------- callbacks


class Stop(Exception):
    pass


def stopping(after: int) -> Callable[[object], None]:
    calls = []

    def progress(state: object) -> None:
        calls.append(state)
        if len(calls) >= after:
            raise Stop

    return progress


@pytest.mark.thread_unsafe(reason="counts the process's threads")
def test_exceptions_in_progress_go_up_and_leave_nothing_behind() -> None:
    positions = [santase.deal(seed) for seed in range(400)]
    threads = threading.active_count()
    for number in (1, 2):
        with pytest.raises(Stop):
            santase.solve_many(positions, threads=number, progress=stopping(1))
        with pytest.raises(Stop):
            santase.analyze_many(positions, worlds=200, threads=number, progress=stopping(1))
        with pytest.raises(Stop):
            santase.analyze(DEAL, time=30.0, threads=number, progress=stopping(2))
    deadline = time.monotonic() + 20
    while threading.active_count() > threads and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == threads
    assert santase.solve_many(positions[:10]).tolist() == [santase.solve(p).value for p in positions[:10]]


@pytest.mark.thread_unsafe(reason="writes one file")
def test_an_exception_in_progress_keeps_what_an_arena_has_logged(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    from santase.arena import arena

    log = tmp_path / "log"
    with pytest.raises(Stop):
        arena("greedy:noise=0.2", "random", deals=50, seed=3, log=log, progress=stopping(8))
    lines = log.read_bytes().count(b"\n")
    assert lines >= 7
    resumed = arena("greedy:noise=0.2", "random", deals=50, seed=3, log=log)
    whole = arena("greedy:noise=0.2", "random", deals=50, seed=3)
    assert (resumed.points, resumed.mean, resumed.hands) == (whole.points, whole.mean, whole.hands)


# ---------------------------------------------------------------- fork, spawn, exit

USED = """
    import os, sys, threading, multiprocessing, santase
    deal = santase.deal(seed=7)
    positions = [santase.deal(seed) for seed in range(60)]
    solver = santase.Solver()
    def use():
        values = santase.solve_many(positions, threads=2).tolist()
        best = santase.analyze(deal, worlds=600, seed=1, threads=2).best
        return sum(values), str(best), solver.value(deal.play("TH").play("AH"))
"""


@pytest.mark.thread_unsafe(reason="forks")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_fork_after_use_and_with_work_in_flight() -> None:
    code = textwrap.dedent(USED) + textwrap.dedent("""
        expected = use()
        busy = threading.Thread(target=santase.solve_many, args=(positions * 20,), kwargs={"threads": 2}, daemon=True)
        busy.start()
        for _ in range(4):
            child = os.fork()
            if child == 0:
                os._exit(0 if use() == expected else 3)
            assert os.waitpid(child, 0)[1] == 0
        busy.join()
        print("right")
    """)
    done = run_python(code)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stderr


@pytest.mark.thread_unsafe(reason="pools of processes")
@pytest.mark.parametrize("way", ["spawn", "forkserver"])
def test_processes_of_other_kinds(way: str) -> None:
    import multiprocessing

    if way not in multiprocessing.get_all_start_methods():
        pytest.skip("not on this system")
    santase.solve(DEAL)
    positions = [santase.deal(seed).play(santase.deal(seed).legal_actions()[0]) for seed in range(8)]
    with multiprocessing.get_context(way).Pool(2) as pool:
        assert [s.value for s in pool.map(santase.solve, positions)] == [
            santase.solve(p).value for p in positions
        ]


@pytest.mark.thread_unsafe(reason="processes, each busy on all cores")
@pytest.mark.parametrize(
    "work",
    [
        "santase.solve_many(positions * 500, threads=3)",
        "santase.analyze(deal, time=60, threads=2)",
        "santase.analyze_many(positions * 50, worlds=2000, threads=2)",
        "solver.value(santase.deal(1, 'santase+hand_size=11+closer_fails=3+closer_fails_trickless=1'))",
    ],
)
def test_exit_with_work_in_flight(work: str) -> None:
    code = textwrap.dedent(USED) + textwrap.dedent(f"""
        import time
        threading.Thread(target=lambda: {work}, daemon=True).start()
        time.sleep(0.3)
        print("leaving", flush=True)
    """)
    for _ in range(2):
        done = run_python(code, timeout=60)
        assert (done.returncode, done.stdout) == (0, "leaving\n"), (done.returncode, done.stderr)


@pytest.mark.thread_unsafe(reason="processes, each busy on all cores")
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "work",
    [
        "santase.solve(santase.deal(1, 'santase+hand_size=11+closer_fails=3+closer_fails_trickless=1'))",
        "santase.solve_many([santase.deal(seed) for seed in range(100_000)], threads=2)",
        "santase.analyze(deal, time=60, threads=2)",
        "santase.analyze(deal, time=60)",
        "santase.analyze_many(positions * 50, worlds=20_000, threads=2)",
    ],
)
def test_signals_end_long_work(work: str, sent: signal.Signals) -> None:
    code = textwrap.dedent(USED) + f"print('begun', flush=True)\n{work}\nprint('ended')\n"
    run = subprocess.Popen(
        [sys.executable, "-P", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "begun\n"
    time.sleep(0.3)
    run.send_signal(sent)
    try:
        out, _ = run.communicate(timeout=60)
    finally:
        run.kill()
    assert out == "" and run.returncode in (-sent, 130, 1)


# ---------------------------------------------------------------- disks


@contextlib.contextmanager
def disk_with_room_for(size: int) -> Iterator[None]:
    """No file may become larger: as on a disk that is full, write gives an error in the midst."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def a_match() -> Game:
    game = Game("santase", seed=5, match=True)
    for _ in range(3):
        while not game.position.is_over:
            game.play(game.legal_actions()[0])
        game.next_hand()
    return game


@pytest.mark.thread_unsafe(reason="limits the process's files")
@pytest.mark.parametrize("room", [0, 1, 100, 1000])
def test_a_record_on_a_full_disk(tmp_path: Path, room: int) -> None:
    path = tmp_path / "game.txt"
    Game("santase", seed=1).save(path)
    before = path.read_bytes()
    with disk_with_room_for(room), pytest.raises(OSError):
        a_match().save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["game.txt"]


@pytest.mark.thread_unsafe(reason="limits the process's files")
@pytest.mark.parametrize("extra", [0, 10, 700, 3000])
def test_an_arena_on_a_full_disk(tmp_path: Path, extra: int) -> None:
    """What had been logged stays, the error is one line, and the run goes on when there is room again."""
    pytest.importorskip("scipy")
    from santase.arena import ArenaError, arena

    log = tmp_path / "log"
    options = {"deals": 40, "seed": 9, "rules": "schnapsen"}
    arena("greedy:noise=0.2", "random", **options | {"deals": 5}, log=log)  # type: ignore[arg-type]
    before = log.read_bytes()
    with disk_with_room_for(len(before) + extra), pytest.raises(ArenaError, match="log"):
        arena("greedy:noise=0.2", "random", **options, log=log)  # type: ignore[arg-type]
    assert log.read_bytes().startswith(before)
    resumed = arena("greedy:noise=0.2", "random", **options, log=log)  # type: ignore[arg-type]
    whole = arena("greedy:noise=0.2", "random", **options)  # type: ignore[arg-type]
    assert (resumed.points, resumed.mean) == (whole.points, whole.mean)
    assert sorted(
        json.loads(line)["deal"] for line in log.read_text(encoding="utf-8").splitlines()[1:]
    ) == list(range(40))


@pytest.mark.thread_unsafe(reason="limits the process's files")
def test_a_benchmark_on_a_full_disk(tmp_path: Path) -> None:
    from santase.bench import measure as measure_phase
    from santase.bench import phases, save_rows

    rules = santase.RULES["schnapsen"]
    rows = [measure_phase(phases(rules, 1)[-2], rules, plain_positions=0)]
    path = tmp_path / "bench.json"
    path.write_text("what was there before", encoding="utf-8")
    with disk_with_room_for(50), pytest.raises(OSError):
        save_rows(rows, str(path), {})
    assert path.read_text(encoding="utf-8") == "what was there before" and os.listdir(tmp_path) == [
        "bench.json"
    ]


def test_a_folder_that_vanishes(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    from santase.arena import ArenaError, arena

    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "game.txt"
    game = a_match()
    game.save(path)
    log = folder / "log"

    def vanish(tally: object) -> None:
        if folder.exists():
            for name in os.listdir(folder):
                (folder / name).unlink()
            folder.rmdir()

    with pytest.raises(ArenaError, match="log"):
        arena("greedy", "random", deals=30, seed=1, log=log, progress=vanish)
    with pytest.raises(OSError):
        game.save(path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    a_match().save(path)
    before = path.read_bytes()
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(OSError):
            Game("santase", seed=1).save(path)
        assert path.read_bytes() == before
    finally:
        tmp_path.chmod(0o700)


# ---------------------------------------------------------------- logs


def unit(**changes: object) -> str:
    hand = {"leader": "A", "points": 1, "luck": 0.0, "reason": "call", "actions": "call", "A": {}, "B": {}}
    hand |= {key: value for key, value in changes.items() if key in hand}
    record = {"deal": changes.get("deal", 0), "seed": 1, "games": [{"hands": [hand]}] * 2}
    return json.dumps(record)


@pytest.mark.parametrize(
    "line",
    [
        unit(deal=1.5), unit(deal=math.inf), unit(deal=-1), unit(deal=True), unit(deal="0"),
        unit(points=math.nan), unit(points=1.5), unit(points=10), unit(points=10**400), unit(points=True),
        unit(luck=math.nan), unit(luck=math.inf), unit(luck="x"), unit(luck=None), unit(actions=3),
        unit(A={"moves": math.nan}), unit(A={"moves": 10**400}), unit(A={"__doc__": "x"}), unit(A={"add": 1}),
        unit(A=[]), "[" * 100_000, "1e999", "null", '{"deal": 0}', '{"deal": 0, "games": 3}',
    ],
    ids=range(25),
)  # fmt: skip
def test_lines_that_are_no_unit(tmp_path: Path, line: str) -> None:
    pytest.importorskip("scipy")
    from santase.arena import ArenaError, ResultLog

    path = tmp_path / "log"
    header = {"arena": 1, "a": "x", "b": "y"}
    data = json.dumps(header) + "\n" + unit() + "\n" + line + "\n"
    path.write_text(data, encoding="utf-8")
    with pytest.raises(ArenaError, match="line 3"), ResultLog(path, header):
        pass
    assert path.read_text(encoding="utf-8") == data


# ---------------------------------------------------------------- what the other has done


@pytest.mark.parametrize("history", ["x", [1], [(1, 2, 3)], [()], 5, [(DEAL, "no action")], [("x", "KS")]])
def test_histories_that_are_none(history: object) -> None:
    with pytest.raises((SantaseError, TypeError)):
        santase.analyze(DEAL, worlds=3, history=history)  # type: ignore[arg-type]


def test_an_exchange_of_the_rules_own_card_is_weighed() -> None:
    """In schnapsen the jack is exchanged, not the nine: the hand that could do it is the likelier one."""
    for seed in range(400):
        position = santase.deal(seed, "schnapsen", leader=0)
        if "exchange" not in position.legal_actions():
            continue
        after = position.play("exchange")
        lead = next(action for action in after.legal_actions() if action.kind == "play")
        seen = after.play(lead)
        belief = Belief(
            seen.view(),
            [(position.view(1), "exchange"), (after.view(1), lead)],
            shipped_network(),
            mistrust=0.0,
        )
        assert belief.likelihood(seen) > 0
        assert pickle.loads(pickle.dumps(seen)) == seen
        return
    raise AssertionError("no deal with an exchange at once")


def test_rules_of_eleven_cards_are_played_through() -> None:
    rules = dataclasses.replace(santase.Rules.parse(IRREGULAR), automatic=True)
    position = santase.deal(3, rules)
    while not position.is_over:
        position = position.play(santase.analyze(position, worlds=2, time=0.05).best)
    assert position.outcome is not None
