"""The examples of README.md and of every page in docs/ are run, and what they show is what comes out.

``python tests/test_examples.py`` puts what comes out now into all pages, ``python tests/test_examples.py
docs/tour.md`` into some. A page is found by itself; what its blocks mean goes by their language:

* ``console``: lines after ``$`` are commands, the rest is what they print; ``santase`` is this one;
* ``python`` with ``>>>``: what is typed and what is shown, the names living on to the next such block
  of the page; without: a program of its own, which must run through;
* ``sh``: commands for the reader's own machine, of a few kinds, not run.

Commands and programs run in an empty folder of the page's own, with the repository's ``examples``.
"""

import contextlib
import doctest
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
# run by a test of its own (test_arrays_docs.py): pools of processes, a cluster
ELSEWHERE = {ROOT / "docs" / "arrays.md"}
PAGES = [
    page for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if page not in ELSEWHERE
]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
# what differs from run to run
TIMES = re.compile(r'(?<="seconds": )[-+.e0-9]+|[0-9.,]+ m?s$', re.M)
# what a block with these words in it cannot do without, beside what it imports itself
NEEDS = {
    "santase arena": "scipy",
    "santase.arena": "scipy",
    "santase.env.pettingzoo": "pettingzoo",
    "santase.env.openspiel": "pyspiel",
}
IMPORTED = re.compile(r"^(?:>>> |\.\.\. )? *(?:import|from) (\w+)", re.M)
# records of what was measured once, each with its reason not to be done again in every test
RECORDS = {
    "python examples/exploitability.py": "minutes of time and gigabytes of memory",
}
FOR_THE_READER = r"(python3? -m venv|mpiexec |\.venv\S*/bin/|pip install|pytest|python |bash |santase )"


def run_console(block: str, folder: Path) -> str:
    """The block with what its commands print, standard error included."""
    shown = []
    prelude = f'santase() {{ "{sys.executable}" -P -m santase "$@"; }}\n'
    environment = os.environ | {"COLUMNS": "80", "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
    if "PYTHONPATH" in environment:
        paths = environment["PYTHONPATH"].split(os.pathsep)
        environment["PYTHONPATH"] = os.pathsep.join(os.path.abspath(path) for path in paths)
    for command in re.findall(r"^\$ ((?:.*\\\n)*.*)$", block, re.M):
        done = subprocess.run(
            ["bash", "-c", prelude + command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment,
            text=True,
            encoding="utf-8",
        )
        output = [line.rstrip() for line in done.stdout.rstrip("\n").split("\n")] if done.stdout else []
        shown += [f"$ {command}", *output]
    return "\n".join(shown) + "\n"


def run_python(block: str, names: dict[str, Any], page: str) -> str:
    """The block with what its examples print; ``names`` lives on to the next block."""
    shown = []
    for example in doctest.DocTestParser().get_examples(block):
        lines = example.source.splitlines()
        shown += [f">>> {lines[0]}"] + [f"... {line}" if line else "..." for line in lines[1:]]
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            try:
                exec(compile(example.source, f"<{page}>", "single"), names)
            except Exception as error:
                print("Traceback (most recent call last):\n    ...")
                print("".join(traceback.format_exception_only(error)).strip())
        # doctest's word for an empty line
        shown += [
            line or "<BLANKLINE>" for line in output.getvalue().rstrip("\n").split("\n") if output.getvalue()
        ]
    return "\n".join(shown) + "\n"


def missing(block: str) -> set[str]:
    """The libraries that a block needs and that are not here."""
    needed = {module for words, module in NEEDS.items() if re.search(rf"{re.escape(words)}\b", block)}
    needed |= set(IMPORTED.findall(block))
    return {module for module in needed if importlib.util.find_spec(module) is None}


def rerun(text: str, page: str, folder: Path, lacking: Callable[[str], None]) -> str:
    """A page with its examples run again; what cannot be is left, and ``lacking`` told what for."""
    names: dict[str, Any] = {"__name__": "__main__"}
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))

    def again(match: re.Match[str]) -> str:
        kind, block = match.groups()
        if kind not in ("console", "python"):
            return match[0]
        if lacks := missing(block):
            for module in lacks:
                lacking(module)
            return match[0]
        if kind == "console":
            return f"```console\n{run_console(block, folder)}```"
        with contextlib.chdir(folder):
            if ">>> " in block:
                return f"```python\n{run_python(block, names, page)}```"
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block, f"<{page}>", "exec"), {"__name__": "__main__"})
        return match[0]

    return BLOCK.sub(again, text)


@pytest.mark.thread_unsafe(reason="the folder and standard output are the process's")
@pytest.mark.skipif(os.name == "nt", reason="commands for a POSIX shell")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_examples(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    lacks: set[str] = set()
    again = rerun(text, page.name, tmp_path, lacks.add)
    assert TIMES.sub("…", again) == TIMES.sub("…", text)
    if lacks:
        pytest.skip(f"all but what needs {', '.join(sorted(lacks))} was run")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_example_is_one_that_is_run(page: Path) -> None:
    """Nothing that looks like an example is in a block of another language."""
    for kind, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        looks = re.findall(r"^(?:\$|>>>) (.*)$", block, re.M)
        if kind in ("console", "python"):
            assert kind == "python" or looks, f"a console block without a command: {block}"
        elif kind == "sh":
            for line in block.replace("\\\n", "").splitlines():
                assert not line or re.match(FOR_THE_READER, line), line
        else:
            assert not [line for line in looks if not line.startswith(tuple(RECORDS))], block
            assert not re.search(r"^(import|from) ", block, re.M), block


@pytest.mark.thread_unsafe(reason="the folder and standard output are the process's")
@pytest.mark.skipif(os.name == "nt", reason="commands for a POSIX shell")
def test_a_wrong_example_is_found(tmp_path: Path) -> None:
    page = "```console\n$ echo two\n```\n\n```python\n>>> 1 + 1\n3\n```\n\n```text\nleft\n```\n"
    right = page.replace("two\n", "two\ntwo\n").replace("3", "2")
    assert rerun(page, "page.md", tmp_path, pytest.fail) == right


def test_what_a_block_lacks() -> None:
    """The libraries that it imports itself, and those behind the parts of santase that it uses."""
    lacking = missing("import json\nimport nowhere.at_all\n\nif json:\n    from neither import x\n")
    assert lacking == {"nowhere", "neither"}
    assert missing(">>> import nowhere\n>>> for i in ():\n...     import neither\n") == {"nowhere", "neither"}
    assert missing("import santase\nfrom santase.rules import RULES\n") == set()


def test_the_two_commands() -> None:
    """Each of the first two sections of the README has one block of code with one command."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for title in ("Try it", "Test it"):
        section = text.partition(f"## {title}\n")[2].partition("\n## ")[0]
        blocks = re.findall(r"^```\w*\n(.*?)^```$", section, re.M | re.S)
        assert len(blocks) == 1
        assert blocks[0].count("\n") == 1


if __name__ == "__main__":
    for path in [Path(name).resolve() for name in sys.argv[1:]] or PAGES:
        with tempfile.TemporaryDirectory() as scratch:
            before = path.read_text(encoding="utf-8")
            after = rerun(before, path.name, Path(scratch), lambda module: print(f"not run: no {module}"))
        if TIMES.sub("…", after) != TIMES.sub("…", before):
            print(f"changed: {path.relative_to(ROOT)}")
            path.write_text(after, encoding="utf-8")
