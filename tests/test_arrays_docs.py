"""docs/arrays.md: its examples run one after another, and its tables of fields are the dtypes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import santase

np = pytest.importorskip("numpy")

PAGE = (Path(__file__).parent.parent / "docs" / "arrays.md").read_text(encoding="utf-8")
FIRST, *OTHERS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
OPTIONAL = ("pyarrow", "tqdm", "rich", "distributed", "mpi4py")

pytestmark = pytest.mark.thread_unsafe(reason="files, pools of processes, a cluster")


def needed(code: str) -> str | None:
    return next((name for name in OPTIONAL if name in code), None)


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What the first example leaves to the others."""
    found: dict[str, Any] = {"__name__": "__main__"}
    exec(FIRST, found)
    assert found["values"].tolist() == [santase.solve(santase.deal(seed)).value for seed in range(7, 27)]
    assert len(found["answers"]) == 20
    return found


@pytest.mark.parametrize("code", [code for code in OTHERS if needed(code) != "mpi4py"])
def test_examples_run(
    code: str, names: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    if name := needed(code):
        pytest.importorskip(name, reason=f"needs {name}")
    monkeypatch.chdir(tmp_path)
    kept = dict(names)
    exec(code, kept)
    if "npz" in code:
        assert np.load("answers.npz")["answers"].tobytes() == names["answers"].tobytes()
    elif "parquet" in code:
        from pyarrow import parquet

        table = parquet.read_table("answers.parquet")
        assert table.column_names == list(names["answers"].dtype.names)
        for column in table.column_names:
            kept = np.array(table[column].to_pylist(), dtype=names["answers"][column].dtype)
            assert np.array_equal(kept, names["answers"][column], equal_nan=kept.dtype.kind == "f")
    elif "bar" in code:
        out = capsys.readouterr()
        assert "60/60" in out.err or "100%" in out.out
    elif "Process" in code:
        assert np.array_equal(kept["values"], santase.solve_many(names["rows"]))
    else:
        assert "Cluster" in code
        assert kept["answers"].tobytes() == santase.analyze_many(names["rows"][:40], worlds=20).tobytes()


@pytest.mark.skipif(shutil.which("mpiexec") is None, reason="needs MPI")
def test_the_example_with_mpi(tmp_path: Path) -> None:
    # not here: it would join the tests to MPI
    if subprocess.run([sys.executable, "-c", "from mpi4py import MPI"], capture_output=True).returncode:
        pytest.skip("needs mpi4py and its MPI")
    (code,) = (code for code in OTHERS if needed(code) == "mpi4py")
    first = f"{FIRST}\nexpected = santase.analyze_many(rows[:40], worlds=20)\n"
    script = tmp_path / "script.py"
    script.write_text(f"{first}\n{code}\n        print(answers.tobytes() == expected.tobytes())\n")
    command = ["mpiexec", "-n", "3", sys.executable, "-m", "mpi4py.futures", str(script)]
    environment = os.environ | {"OMPI_MCA_rmaps_base_oversubscribe": "1"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "True"


def test_tables_are_the_dtypes() -> None:
    """Every field with its type, in the three dtypes, and no other."""
    words = {
        "uint8": "|u1",
        "int8": "|i1",
        "uint32": "<u4",
        "uint64": "<u8",
        "int64": "<i8",
        "float32": "<f4",
        "bool": "|b1",
    }
    documented = {}
    for fields, kind in re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| ((?:\d+ × )?\w+) \|", PAGE, re.MULTILINE):
        count, _, word = kind.rpartition(" × ")
        for field in re.findall(r"`(\w+)`", fields):
            assert field not in documented
            documented[field] = (words[word], (int(count),) if count else ())
    real = {}
    for dtype in (santase.view_dtype(), santase.analysis_dtype()):
        for field in dtype.names or ():
            base = dtype[field]
            real[field] = (base.base.newbyteorder("<").str, base.shape)
    assert documented == real
    assert (
        santase.hand_dtype().names
        == (santase.view_dtype().names or ())[: len(santase.hand_dtype().names or ())]
    )
    for dtype, size in (
        (santase.hand_dtype(), 40),
        (santase.view_dtype(), 64),
        (santase.analysis_dtype(), 760),
    ):
        assert dtype.itemsize == size and str(size) in PAGE
