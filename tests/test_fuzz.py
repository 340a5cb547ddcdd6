"""The kept fuzz corpus through its targets, and a few inputs made and spoilt anew."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

FUZZ = Path(__file__).parent.parent / "fuzz"
pytestmark = [
    pytest.mark.skipif(not FUZZ.exists(), reason="the folder fuzz is not here"),
    pytest.mark.thread_unsafe(reason="the targets' own streams, scratch files and solver serve one thread"),
]
if not FUZZ.exists() or importlib.util.find_spec("scipy") is None:
    pytest.skip("needs the folder fuzz and what the arena needs", allow_module_level=True)


@pytest.fixture(scope="module")
def fuzz() -> Iterator[ModuleType]:
    sys.path.insert(0, str(FUZZ))
    try:
        yield importlib.import_module("run")
    finally:
        sys.path.remove(str(FUZZ))


TARGETS = sorted(path.stem for path in (FUZZ / "corpus").glob("*.txt"))


def test_every_target_has_a_corpus(fuzz: ModuleType) -> None:
    import targets

    assert sorted(targets.TARGETS) == TARGETS


@pytest.mark.parametrize("target", TARGETS)
def test_corpus(fuzz: ModuleType, target: str) -> None:
    import targets

    inputs = fuzz.kept(target)
    assert inputs
    taken = sum(targets.TARGETS[target](data) for data in inputs)
    assert 0 < taken < len(inputs) or target == "match"


@pytest.mark.parametrize("target", TARGETS)
def test_spoilt_inputs(fuzz: ModuleType, target: str) -> None:
    number = 20 if target in ("memory", "printed", "network", "rules") else 100
    assert fuzz.plain(target, number, 1e9, seed=1)["runs"] == number
