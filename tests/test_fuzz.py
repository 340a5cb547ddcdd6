"""The kept fuzz corpus through its targets, a few inputs made and spoilt anew, and what Hypothesis makes."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
    assert 0 < taken < len(inputs) or target in ("match", "history")


@pytest.mark.parametrize("target", TARGETS)
def test_spoilt_inputs(fuzz: ModuleType, target: str) -> None:
    number = 20 if target in ("memory", "printed", "network", "rules", "review", "history", "plans") else 100
    assert fuzz.plain(target, number, 1e9, seed=1)["runs"] == number


@st.composite
def pieced(draw: st.DrawFn, kept: list[bytes]) -> bytes:
    """Parts of kept inputs, words and any bytes, in any order."""
    import mutate

    parts = sorted(
        {part for data in kept for part in data.split()} | {word.encode() for word in mutate.WORDS}
    )
    part = st.sampled_from(parts) | st.binary(max_size=6)
    between = draw(st.sampled_from([b" ", b"\n", b"", b":", b"/", b"."]))
    return between.join(draw(st.lists(part, max_size=16)))


@pytest.mark.parametrize("target", TARGETS)
def test_any_bytes(fuzz: ModuleType, target: str) -> None:
    import targets

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(data=st.binary(max_size=400) | pieced(fuzz.kept(target)))
    def answers(data: bytes) -> None:
        assert targets.TARGETS[target](data) in (True, False)

    answers()
