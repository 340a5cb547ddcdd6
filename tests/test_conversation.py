"""The command as a service for another process: many lines, little memory, and the client in JavaScript."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import santase

# -P: the installed package, not the folder that the tests are run in
COMMAND = [sys.executable, "-P", "-m", "santase"]
CLIENT = Path(__file__).parent.parent / "examples" / "client.mjs"
LATE = "santase A...T .T..A - C TKQJ9.AKQJ9.ATKQJ9.KQJ9 0 55/43 5/5 0/0 -"

linux = pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="reads memory from /proc")
node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")


def lines(number: int) -> list[str]:
    return [str(santase.deal(seed).view()) for seed in range(number)]


def endings(number: int) -> list[str]:
    """Full positions with few cards left, quick to solve."""
    found = []
    for seed in range(number):
        position = santase.deal(seed)
        while position.led or len(position.hands[0]) > 3 or position.phase == "open":
            position = position.play([a for a in position.legal_actions() if a.kind == "play"][-1])
        found.append(str(position))
    return found


def resident(process: int) -> int:
    """Kilobytes in memory."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(status.partition("VmRSS:")[2].split()[0])


@linux
@pytest.mark.parametrize("arguments", [["best", "--time", "0"], ["solve"]], ids=["best", "solve"])
def test_thousands_of_lines_in_constant_memory(arguments: list[str]) -> None:
    """Each is answered before the next is written, errors in their turn; a million were tried by hand
    (docs/arrays.md)."""
    asked = lines(200) if arguments[0] == "best" else endings(200)
    total, memory = 6000, []
    with subprocess.Popen(
        [*COMMAND, *arguments, "--json", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        for number in range(1, total + 1):
            wrong = number % 100 == 0
            line = f"no position {number}" if wrong else asked[number % len(asked)]
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            if wrong:
                assert set(answer) == {"error", "line"} and answer["line"] == number
            else:
                assert answer["position"] == line and answer["best"] in answer["actions"]
            if number % (total // 4) == 0:
                memory.append(resident(process.pid))
        process.stdin.close()
        assert process.stdout.read() == b"" and process.stderr.read() == b""
        assert process.wait() == 2  # there were errors
    assert memory[-1] < memory[0] + 1000, memory


def test_the_end_of_input_ends_it() -> None:
    for text, status in (("", 0), (LATE, 0), (LATE + "\n", 0), ("x", 2)):
        done = subprocess.run([*COMMAND, "solve", "--json", "-"], input=text.encode(), capture_output=True)
        assert (done.returncode, done.stderr) == (status, b"")
        assert done.stdout.count(b"\n") == bool(text)


# ---------------------------------------------------------------- from JavaScript


def run_node(*arguments: str) -> str:
    done = subprocess.run(
        ["node", *arguments], capture_output=True, text=True, encoding="utf-8", timeout=300, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def script(code: str) -> str:
    """What a module prints that has the class ``Santase``, its error and the way to start the command."""
    head = f"import {{ Santase, SantaseError }} from {json.dumps(CLIENT.as_uri())};"
    return run_node("--input-type=module", "-e", f"{head}\nconst program = {json.dumps(COMMAND)};\n{code}")


@node
def test_the_example_runs() -> None:
    view = santase.Position.parse("santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 29/15 2/2 0/0 -")
    best = santase.best_move(view, worlds=2000, seed=1)
    shown = run_node(str(CLIENT), *COMMAND).splitlines()
    assert shown[0].startswith(f"play {best}, worth ")
    assert shown[1] == "worth 1 with all cards seen: AS AC TH TC"
    assert shown[3] == "error: a position has 11 or 12 fields, this line has 3"
    assert shown[4:] == [f"and again: {best}"]


@node
def test_answers_come_to_those_who_asked() -> None:
    """All at once, with errors among them, and a line that would be two."""
    views = lines(200)
    asked = [view if number % 7 else f"line {number}" for number, view in enumerate(views)]
    out = script(f"""
        const asked = {json.dumps(asked)};
        const santase = new Santase("best", ["--time", "0"], program);
        const told = asked.map((line) => santase.ask(line).then(
            ({{ position, best }}) => [position, best],
            (error) => [error instanceof SantaseError, error.message]));
        const twice = santase.ask("a\\nb").catch((error) => error.message);
        const closed = santase.close();
        console.log(JSON.stringify([await Promise.all(told), await twice]));
        await closed;
    """)
    told, twice = json.loads(out)
    assert twice == "a position is one line"
    for number, (view, answer) in enumerate(zip(views, told, strict=True)):
        if number % 7:
            assert answer == [view, santase.best_move(santase.Position.parse(view), 0)]
        else:
            assert answer == [True, "a position has 11 or 12 fields, this line has 2"]


@node
def test_a_santase_that_ends_or_does_not_start() -> None:
    """Whoever waits is told, and so is who asks later; nothing hangs."""
    out = script("""
        const missing = new Santase("best", [], ["no-such-program"]);
        const refused = new Santase("best", ["--worlds", "0"], [...program.slice(0, 2), "-c", "raise SystemExit(3)"]);
        for (const santase of [missing, refused]) {
            console.log(await santase.ask("x").catch((error) => error.message));
            console.log(await santase.ask("y").catch((error) => error.message));
            await santase.close();
        }
    """)
    missing, again, refused, later = out.splitlines()
    assert missing == again and "does not start" in missing and "no-such-program" in missing
    assert refused == later == "santase has ended with status 3"
