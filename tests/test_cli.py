"""The ``santase`` command: answers, errors, exit statuses, and holding a conversation."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import santase
from santase import Action, Game, Position, deal
from santase.cli import main

FULL = str(deal(7))
VIEW = str(deal(7).view())
LATE = "santase A...T .T..A - C TKQJ9.AKQJ9.ATKQJ9.KQJ9 0 55/43 5/5 0/0 -"

# -P: the installed package, not the folder that the tests are run in
COMMAND = [sys.executable, "-P", "-m", "santase"]
posix = pytest.mark.skipif(os.name == "nt", reason="signals, pipes and terminals as on POSIX")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    out, err = capsys.readouterr()
    return status, out, err


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


def start(*arguments: str, **settings: Any) -> subprocess.Popen[bytes]:
    """The real command with its standard streams as pipes."""
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | settings
    return subprocess.Popen([*COMMAND, *arguments], **streams)


# ---------------------------------------------------------------- deal


def test_deal(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "deal", "--seed", "7") == (0, FULL + "\n", "")
    assert run(capsys, "deal", "--seed", "7", "--view") == (0, VIEW + "\n", "")
    three = "".join(f"{deal(seed, 'schnapsen')}\n" for seed in (7, 8, 9))
    assert run(capsys, "deal", "--seed", "7", "--count", "3", "--rules", "schnapsen") == (0, three, "")
    assert run(capsys, "deal", "--seed", "7", "--count", "0") == (0, "", "")


def test_deal_shows_a_random_seed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "deal")
    assert status == 0
    assert out == f"{deal(int(err.removeprefix('seed ')))}\n"


def test_deal_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "deal", "--json", "--count", "2", "--view", "--rules", "sixty-six")
    assert (status, err) == (0, "")
    for line in out.splitlines():
        dealt = json.loads(line)
        assert list(dealt) == ["position", "seed", "rules"]
        assert dealt["position"] == str(deal(dealt["seed"], "sixty-six").view())
        assert dealt["rules"] == "sixty-six"


# ---------------------------------------------------------------- best


def test_best_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "best", "--json", "--worlds", "300", "--seed", "1", VIEW)
    assert (status, err, out.count("\n")) == (0, "", 1)
    answer = json.loads(out)
    assert set(answer) >= {"position", "best", "actions", "worlds", "exact", "seconds"}
    assert answer["position"] == VIEW
    assert list(answer["actions"]) == deal(7).legal_actions()
    for estimate in answer["actions"].values():
        assert set(estimate) >= {"mean", "stderr", "win"}
    analysis = santase.analyze(deal(7).view(), worlds=300, seed=1)
    assert answer["best"] == analysis.best
    assert answer["worlds"] == analysis.worlds
    assert {a: e["mean"] for a, e in answer["actions"].items()} == {
        a: e.mean for a, e in analysis.actions.items()
    }


def test_best_sees_a_full_position_through_its_mover(capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for position in (VIEW, FULL):
        _, out, _ = run(capsys, "best", "--json", "--worlds", "300", position)
        answers.append({key: value for key, value in json.loads(out).items() if key != "seconds"})
    assert answers[0] == answers[1]


def test_best_takes_a_position_without_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "best", "--json", "--worlds", "50", *VIEW.split())
    assert status == 0
    assert json.loads(out)["position"] == VIEW


def test_best_keeps_to_its_time(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "best", "--json", "--time", "0.1", VIEW)
    assert 0.1 <= json.loads(out)["seconds"] < 0.5


def test_best_writes_null_for_what_is_not_known(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "best", "--json", "--worlds", "1", VIEW)
    assert status == 0
    answer = json.loads(out, parse_constant=lambda text: pytest.fail(f"{text} is no JSON"))
    assert None in {estimate["stderr"] for estimate in answer["actions"].values()}


def test_best_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "best", "--worlds", "500", VIEW)
    assert (status, err) == (0, "")
    for text in ("player 0 to move", "♠ T", "6 hidden", "11 face down", "trump ♠", "Q♠", "Best: lead ",
                 "game points for player 0", "500 worlds", "wins"):  # fmt: skip
        assert text in out
    assert "\x1b" not in out
    view = deal(7).play("TH").view()
    _, out, _ = run(capsys, "best", "--worlds", "500", str(view))
    assert "by player 0" in out
    assert "Best: play " in out


# ---------------------------------------------------------------- solve


def test_solve_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "solve", "--json", FULL)
    assert (status, err, out.count("\n")) == (0, "", 1)
    answer = json.loads(out)
    assert list(answer) == ["position", "value", "best", "actions", "line", "nodes", "seconds"]
    position = Position.parse(FULL)
    assert answer["position"] == FULL
    assert sorted(answer["actions"]) == sorted(position.legal_actions())
    assert answer["value"] == answer["actions"][answer["best"]] == max(answer["actions"].values())
    # best play gives the mover what was promised
    assert answer["line"][0] == answer["best"]
    for action in answer["line"]:
        position = position.play(action)
    assert position.outcome is not None
    sign = 1 if position.outcome.winner == Position.parse(FULL).to_move else -1
    assert sign * position.outcome.game_points == answer["value"]


def test_solve_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "solve", LATE)
    assert (status, err) == (0, "")
    value = santase.solve(Position.parse(LATE)).value
    for text in ("player 0 to move", "Best line: ", f"Value {value:+}", " nodes", "best"):
        assert text in out


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["best"], "a position is needed"),
        (["best", "x"], "a position has 11 or 12 fields"),
        (["best", ""], "a position has 11 or 12 fields"),
        (["best", "--json", VIEW.replace("santase", "bridge")], "rules: no preset is called 'bridge'"),
        (["best", VIEW.replace("+6", "+7")], "hand1: 7 cards"),
        (["best", "a\nb\x1b[31m"], "11 or 12 fields"),
        (["best", str(deal(7).play("call"))], "over"),
        (["best", "--time", "-1", VIEW], "--time: seconds, 0 or more"),
        (["best", "--time", "nan", VIEW], "--time: seconds, 0 or more"),
        (["best", "--time", "inf", VIEW], "--time: seconds, 0 or more"),
        (["best", "--time", "soon", VIEW], "--time"),
        (["best", "--worlds", "0", VIEW], "--worlds: a number from 1"),
        (["best", "--worlds", "1" + "0" * 30, VIEW], "--worlds: a number from 1"),
        (["best", "--threads", "0", VIEW], "--threads: a number from 1"),
        (["best", "--seed", "-1", VIEW], "--seed: a number from 0"),
        (["best", "--seed", "1" + "0" * 30, VIEW], "--seed: a number from 0"),
        (["best", "--colour", VIEW], "--colour"),
        (["solve", VIEW], "a full position is needed, this is a view"),
        (["solve", "--json", VIEW], "a full position is needed, this is a view"),
        (["deal", "--rules", "bridge"], "rules: no preset is called 'bridge'"),
        (["deal", "--seed", "-1"], "--seed: a number from 0"),
        (["deal", "--seed", str(2**64)], "--seed: a number from 0"),
        (["deal", "--seed", str(2**64 - 1), "--count", "2"], "--count: there are only 1 seeds"),
        (["deal", "--count", "-1", "--seed", "1"], "--count: 0 or more"),
        (["deal", "now"], "now"),
        (["dela"], "dela"),
        (["--bogus"], "--bogus"),
    ],
)
def test_bad_input(capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str) -> None:
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("santase: ")
    assert err.count("\n") == 1
    assert err[:-1].isprintable()
    assert reason in err


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["--help"], ["-h"]):
        status, out, err = run(capsys, *arguments)
        assert (status, err) == (0, "")
        for command in ("deal", "best", "solve"):
            assert command in out
    status, out, _ = run(capsys, "best", "--help")
    assert status == 0
    assert "--worlds" in out


# ---------------------------------------------------------------- many positions


STREAM = b"\n".join(
    [VIEW.encode(), b"x", b"", b"\xff\xfe", b"a" * 10_000, FULL.encode() + b"\r", VIEW.encode()]
)  # the last line without its end


def test_answers_in_turn_as_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, STREAM)
    status, out, err = run(capsys, "best", "--json", "--worlds", "20", "-")
    answers = [json.loads(line) for line in out.splitlines()]
    assert (status, err, len(answers)) == (2, "", 7)
    assert [answer.get("line") for answer in answers] == [None, 2, 3, 4, 5, None, None]
    assert "11 or 12 fields" in answers[1]["error"]
    assert "UTF-8" in answers[3]["error"]
    assert "more than 4000 bytes" in answers[4]["error"]
    assert answers[0]["actions"] == answers[5]["actions"] == answers[6]["actions"]


def test_answers_in_turn_for_people(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, STREAM)
    status, out, err = run(capsys, "best", "--worlds", "20", "-")
    assert status == 2
    lines = out.split("\n")
    assert [bool(line) for line in lines] == [True, False, False, False, False, True, True, False]
    assert "call −3.00" in lines[0]
    assert [line.split(":")[1] for line in err.splitlines()] == [f" line {n}" for n in (2, 3, 4, 5)]


def test_solve_in_turn(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, f"{FULL}\n{VIEW}\n".encode())
    status, out, _ = run(capsys, "solve", "--json", "-")
    first, second = map(json.loads, out.splitlines())
    assert (status, first["position"], second["line"]) == (2, FULL, 2)
    assert "full position" in second["error"]
    feed(monkeypatch, f"{LATE}\n".encode())
    status, out, err = run(capsys, "solve", "-")
    assert (status, err, out.count("\n")) == (0, "", 1)
    solution = santase.solve(Position.parse(LATE))
    assert len(out.split(", ")) == len(solution.actions)


def test_nothing_to_answer(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, b"")
    assert run(capsys, "best", "--json", "-") == (0, "", "")


def test_a_conversation() -> None:
    """Each line is answered before the next is there."""
    with start("best", "--json", "--worlds", "20", "-") as process:
        assert process.stdin is not None and process.stdout is not None
        for line in (VIEW, "x", VIEW):
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert ("best" in answer) == (line == VIEW)
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.wait() == 2


def test_one_command_feeds_another() -> None:
    dealt = subprocess.run([*COMMAND, "deal", "--count", "5", "--seed", "1"], stdout=subprocess.PIPE)
    with start("best", "--json", "--worlds", "20", "-") as process:
        out, err = process.communicate(dealt.stdout)
    assert (process.returncode, err, out.count(b"\n")) == (0, b"", 5)


# ---------------------------------------------------------------- the process


def test_exit_status_of_the_process() -> None:
    for arguments, status in ((["deal", "--seed", "1"], 0), (["best", "x"], 2), (["solve", VIEW], 2)):
        with start(*arguments) as process:
            out, err = process.communicate()
        assert process.returncode == status
        assert b"Traceback" not in err
        assert bool(out) == (status == 0)


@posix
def test_a_closed_pipe_ends_it_quietly() -> None:
    with start("deal", "--count", "100000", "--seed", "1") as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


@posix
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("count", ["1", "5000"])
def test_a_full_disk_is_said(unbuffered: str, count: str) -> None:
    """Once, whether Python keeps the output back until its end or not."""
    settings = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    arguments = ("deal", "--seed", "1", "--count", count)
    with open("/dev/full", "wb") as full, start(*arguments, stdout=full, env=settings) as process:
        _, err = process.communicate()
    assert process.returncode == 1
    assert err.count(b"\n") == 1
    assert err.startswith(b"santase: ")


@posix
@pytest.mark.parametrize("arguments", [["--time", "60", VIEW], ["--time", "60", "-"]])
def test_an_interrupt_ends_it_quietly(arguments: list[str]) -> None:
    # the same as -m santase, but it says when it begins: before that, an interrupt is Python's
    begin = "import sys; from santase.cli import main; print('begins', flush=True); sys.exit(main())"
    command = [sys.executable, "-P", "-c", begin, "best", "--json", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().strip() == b"begins"
        process.stdin.write(VIEW.encode() + b"\n")
        process.stdin.flush()
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130
        assert process.stderr.read() == b""


@posix
def test_closed_streams() -> None:
    for arguments, streams in (("best -", "<&-"), ("deal --seed 1", ">&-")):
        done = subprocess.run(
            ["sh", "-c", f'"$@" {streams}', "sh", *COMMAND, *arguments.split()],
            capture_output=True,
        )
        assert done.returncode in (1, 2)
        assert done.stderr.count(b"\n") == 1
        assert b"closed" in done.stderr


def test_signs_that_the_output_cannot_show() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    with start("best", "--worlds", "50", VIEW, env=environment) as process:
        out, err = process.communicate()
    assert (process.returncode, err) == (0, b"")
    text = out.decode("ascii")
    assert "trump S" in text
    assert "Best: lead " in text


@posix
def test_memory_does_not_grow_with_the_input() -> None:
    """Many lines and a line without end, in the memory of one line."""
    peaks = []
    for lines, endless in ((100, 10), (30_000, 30_000_000)):
        process = start("best", "--json", "-", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert process.stdin is not None
        process.stdin.write(b"a line that is no position\n" * lines)
        for _ in range(endless // 10):
            process.stdin.write(b"0123456789")
        process.stdin.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 2
        peaks.append(usage.ru_maxrss)  # kilobytes, on macOS bytes
    assert peaks[1] < 1.1 * peaks[0]


@posix
def test_colours_and_progress_on_a_terminal() -> None:
    import pty

    for arguments, expected in (
        (["deal", "--seed", "7"], ["\x1b[", "trump", FULL, "T♣"]),
        (["best", "--time", "0.7", VIEW], ["\x1b[", "thinking", "━", "Best: lead"]),
    ):
        ours, theirs = pty.openpty()
        environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CI")}
        environment |= {"TERM": "xterm-256color", "COLUMNS": "120", "PYTHONUTF8": "1"}
        with start(*arguments, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
            os.close(theirs)
            shown = b""
            while True:
                try:
                    part = os.read(ours, 4096)
                except OSError:  # what Linux says when the other end is gone
                    break
                if not part:
                    break
                shown += part
            os.close(ours)
        assert process.returncode == 0
        for text in expected:
            assert text in shown.decode()


def test_importing_the_command_is_cheap() -> None:
    """The terminal's drawing is imported only to draw."""
    code = (
        "import sys; from santase.cli import main; main(['deal', '--json', '--seed', '1']);"
        "sys.exit(any(name in sys.modules for name in ('rich.table', 'rich.progress', 'numpy')))"
    )
    assert subprocess.run([sys.executable, "-P", "-c", code], stdout=subprocess.DEVNULL).returncode == 0


def test_actions_are_written_as_in_the_notation() -> None:
    from santase.cli._show import action_phrase, action_sign

    assert [action_sign(Action(text)) for text in ("KS", "TH", "marriage-C", "exchange", "close", "call")] == [
        "K♠", "T♥", "marriage-♣", "exchange", "close", "call",
    ]  # fmt: skip
    position = deal(7)
    phrases = [
        action_phrase(Action(text), position) for text in ("KC", "marriage-C", "exchange", "close", "call")
    ]
    assert phrases == [
        "lead K♣",
        "declare the marriage in ♣ (marriage-C)",
        "exchange 9♠ for Q♠ (exchange)",
        "close the talon (close)",
        "call 66 (call)",
    ]


# ---------------------------------------------------------------- best, from a record


def test_best_of_a_record_weighs_what_was_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = Game("santase", seed=5, match=True)
    for _ in range(4):
        game.play(santase.best_move(game.position, 0))
    file = tmp_path / "match"
    game.save(file)
    status, out, _err = run(capsys, "best", "--record", str(file), "--worlds", "500", "--json")
    answer = json.loads(out)
    expected = santase.analyze(game.view(), worlds=500, match=(0, 0), history=game.history())
    assert status == 0
    assert answer["position"] == str(game.view())
    assert {name: found["mean"] for name, found in answer["actions"].items()} == {
        str(name): found.mean for name, found in expected.actions.items()
    }
    assert answer["actions"][answer["best"]]["match"] is not None
    assert run(capsys, "best", "--record", str(file), VIEW)[0] == 2
    assert run(capsys, "best", "--record", str(tmp_path / "none"))[2].endswith("No such file or directory\n")
    file.write_text("santase record 1\nrules: bridge\n", encoding="utf-8")
    status, out, err = run(capsys, "best", "--record", str(file))
    assert (status, out) == (2, "")
    assert "match, line 2: " in err
    assert (
        run(capsys, "best")[2] == "santase: a position is needed, or - for standard input, or --record FILE\n"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("best", "--worlds", "1", VIEW),
        ("best", "--time", "0", VIEW),
        ("best", "--time", "0", "--match", "0-0", VIEW),
        ("review", "--worlds", "2", "RECORD"),
        ("arena", "greedy", "random", "--deals", "1"),
        ("bench", "--positions", "1"),
    ],
    ids=" ".join,
)
def test_json_knows_no_infinity(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """Where little was tried there are errors without end and means that are none; JSON has null for them."""
    pytest.importorskip("scipy")
    record = tmp_path / "hand.txt"
    game = santase.Game("santase", seed=3)
    while not game.position.is_over:
        game.play(next(action for action in game.legal_actions() if action.kind in ("play", "call")))
    game.save(record)
    words = [str(record) if word == "RECORD" else word for word in arguments]
    status, out, err = run(capsys, *words, "--json")
    assert status == 0, err

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    answers = [json.loads(line, parse_constant=refuse) for line in out.splitlines()]
    assert answers and ("bench" in arguments or "null" in out)


@pytest.mark.parametrize(
    "arguments",
    [
        ["best", VIEW, "--worlds", "20", "--seed", "1"],
        ["solve", LATE],
        ["arena", "random", "random", "--deals", "5", "--seed", "1"],
        ["bench", "--positions", "2", "--seed", "1"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_no_line_in_a_pipe_ends_in_blanks(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    status, out, _err = run(capsys, *arguments)
    assert (status, out != "") == (0, True)
    assert [line for line in out.split("\n") if line != line.rstrip()] == []
