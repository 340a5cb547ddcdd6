"""The examples of README.md are run, and what it shows is what comes out.

``python tests/test_readme.py`` puts what comes out now into README.md.
"""

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.M | re.S)
# what differs from run to run
TIMES = re.compile(r'(?<="seconds": )[-+.e0-9]+|[0-9.]+ m?s$', re.M)


def run_console(block: str) -> str:
    """The block with what its commands print, standard error included."""
    shown = []
    prelude = f'santase() {{ "{sys.executable}" -P -m santase "$@"; }}\n'
    environment = os.environ | {"COLUMNS": "80", "PYTHONUTF8": "1", "LANGUAGE": "en"}
    for line in block.splitlines():
        if line.startswith("$ "):
            done = subprocess.run(
                ["bash", "-c", prelude + line[2:]],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=environment,
                text=True,
                encoding="utf-8",
            )
            output = "\n".join(line.rstrip() for line in done.stdout.rstrip("\n").split("\n"))
            shown.append(f"{line}\n{output}\n")
    return "".join(shown)


def run_python(block: str, names: dict[str, Any]) -> str:
    """The block with what its examples print; ``names`` lives on to the next block."""
    shown = []
    for example in doctest.DocTestParser().get_examples(block):
        lines = example.source.splitlines()
        shown += [f">>> {lines[0]}"] + [f"... {line}" for line in lines[1:]]
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            try:
                exec(compile(example.source, "<README>", "single"), names)
            except Exception as error:
                print("Traceback (most recent call last):\n    ...")
                print("".join(traceback.format_exception_only(error)).strip())
        # doctest's word for an empty line
        shown += [
            line or "<BLANKLINE>" for line in output.getvalue().rstrip("\n").split("\n") if output.getvalue()
        ]
    return "\n".join(shown) + "\n"


def rerun(text: str) -> str:
    """README.md with its examples run again."""
    names: dict[str, Any] = {"__name__": "__main__"}

    def again(match: re.Match[str]) -> str:
        kind, block = match.groups()
        return f"```{kind}\n{run_console(block) if kind == 'console' else run_python(block, names)}```"

    return BLOCK.sub(again, text)


@pytest.mark.skipif(os.name == "nt", reason="commands for a POSIX shell")
def test_the_examples() -> None:
    text = README.read_text(encoding="utf-8")
    assert TIMES.sub("…", rerun(text)) == TIMES.sub("…", text)


def test_the_two_commands() -> None:
    """Each of the first two sections has one block of code with one command."""
    text = README.read_text(encoding="utf-8")
    for title in ("Try it", "Test it"):
        section = text.partition(f"## {title}\n")[2].partition("\n## ")[0]
        blocks = re.findall(r"^```\w*\n(.*?)^```$", section, re.M | re.S)
        assert len(blocks) == 1
        assert blocks[0].count("\n") == 1


if __name__ == "__main__":
    README.write_text(rerun(README.read_text(encoding="utf-8")), encoding="utf-8")
