"""docs/arrays.md: its tables of fields are the dtypes; and the example with MPI."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import santase

np = pytest.importorskip("numpy")

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "arrays.md").read_text(encoding="utf-8")

# that of this environment, where there is one: it belongs to the library that mpi4py finds there
MPIEXEC = shutil.which(
    "mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
)


@pytest.mark.thread_unsafe(reason="processes of MPI")
@pytest.mark.skipif(MPIEXEC is None, reason="needs MPI")
def test_the_example_with_mpi(tmp_path: Path) -> None:
    # not imported here: that would join the tests to MPI
    if subprocess.run([sys.executable, "-c", "from mpi4py import MPI"], capture_output=True).returncode:
        pytest.skip("needs mpi4py and its MPI")
    example = str(ROOT / "examples" / "mpi_analyses.py")
    command = [str(MPIEXEC), "-n", "3", sys.executable, "-m", "mpi4py.futures", example, "40", "answers.npz"]
    paths = [os.path.abspath(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    with np.load(tmp_path / "answers.npz") as saved:
        assert saved["deals"].tobytes() == santase.deal_many(40, 0).tobytes()
        assert saved["answers"].tobytes() == santase.analyze_many(saved["deals"], worlds=100).tobytes()


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
