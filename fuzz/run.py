"""Fuzz one target, or go through the corpus of all.

    python fuzz/run.py position --runs 1000000         # guided by coverage, where Atheris and the build are there
    python fuzz/run.py position --runs 100000 --plain  # without: inputs are made and spoilt at random
    python fuzz/run.py --corpus                        # every kept input once, through its target
    python fuzz/run.py position --minimise             # of all inputs found here those that add coverage
    python fuzz/run.py position --keep                 # and put them into the corpus

Coverage of the compiled modules needs their instrumented build, ``python tools/sanitize.py coverage
--build-only``, which is taken from ``build/coverage`` where it is there; with ``--quick`` the one called
``counters``, which does not see what is compared with what and runs twice as fast. A failure ends the run with its
traceback; the input is kept in ``build/fuzz/TARGET/failures``, new inputs of a run in ``build/fuzz/TARGET/corpus``.
"""

from __future__ import annotations

import argparse
import base64
import ctypes
import hashlib
import importlib.util
import json
import os
import random
import shlex
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CORPUS = HERE / "corpus"
SLOWEST = 20  # seconds of processor time for one input that are called a hang
LONGEST = 600  # seconds, where it waits for something; the machine may be busy
OURS = 0.3  # of the changes; they cost more time than the fuzzer's, and find more
FRESH = 0.02  # of the inputs are good ones, made anew


def kept(target: str) -> list[bytes]:
    """The inputs in ``fuzz/corpus/TARGET.txt``, one a line in base 64."""
    path = CORPUS / f"{target}.txt"
    return (
        [base64.b64decode(line) for line in path.read_text(encoding="utf-8").split()] if path.exists() else []
    )


def keep(target: str, inputs: list[bytes]) -> None:
    """Write them there, the short ones first."""
    CORPUS.mkdir(exist_ok=True)
    ordered = sorted(set(inputs), key=lambda data: (len(data), data))
    text = "".join(base64.b64encode(data).decode() + "\n" for data in ordered)
    (CORPUS / f"{target}.txt").write_text(text, encoding="utf-8")


def plain(
    target: str, runs: int, seconds: float, seed: int, before: Callable[[], object] = lambda: None
) -> dict[str, object]:
    """Inputs of the corpus and fresh ones, spoilt at random; ``before`` is called before each."""
    from mutate import MAKERS, mutate
    from targets import TARGETS

    rng = random.Random(f"{target} {seed}")
    pool = kept(target) or [b""]
    done = taken = 0
    end = time.monotonic() + seconds
    while done < runs and time.monotonic() < end:
        if rng.random() < 0.05:
            pool.append(MAKERS[target](rng))
            if len(pool) > 2000:
                del pool[rng.randrange(len(pool))]
        data = rng.choice(pool)
        if rng.random() < 0.9:
            data = mutate(data, rng)
        before()
        taken += run_one(TARGETS[target], data, target)
        done += 1
    return {"runs": done, "taken": taken}


def run_one(target: object, data: bytes, name: str) -> bool:
    """One input; a failure is kept and raised, and so is a hang where a watch is set."""
    assert callable(target)
    try:
        return bool(target(data))
    except BaseException as error:
        failures = ROOT / "build" / "fuzz" / name / "failures"
        failures.mkdir(parents=True, exist_ok=True)
        path = failures / hashlib.sha1(data).hexdigest()
        if not isinstance(error, KeyboardInterrupt):
            path.write_bytes(data)
            path.with_suffix(".txt").write_text(traceback.format_exc(), encoding="utf-8")
            print(f"kept in {path.relative_to(ROOT)}: {data[:200]!r}", file=sys.stderr)
        raise


def watch() -> None:
    """Have ``hang`` called after so many seconds, counted from now."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, SLOWEST)
        signal.setitimer(signal.ITIMER_REAL, LONGEST)


def hang(number: int, frame: object) -> None:
    raise AssertionError("no answer")


def guided(target: str, runs: int, seconds: float, seed: int, minimise: bool, rest: list[str]) -> None:
    """Atheris; does not return. ``rest`` are the fuzzer's own options, when it starts itself again."""
    import atheris

    counts = {"runs": 0, "taken": 0}
    begun = time.monotonic()
    told = [begun]

    target_of: list[object] = []

    def one(data: bytes) -> None:
        counts["taken"] += run_one(target_of[0], data, target)
        counts["runs"] += 1
        now = time.monotonic()
        if now - told[0] > 2 or counts["runs"] == runs:
            told[0] = now
            note(target, counts, now - begun)
            watch()

    rng = random.Random()

    def change(data: bytes, most: int, number: int) -> bytes:
        # seeding takes as long as a change of the fuzzer's, so only where the numbers are needed
        chance = number * 0x9E3779B97F4A7C15 % 2**64 / 2**64
        if chance >= OURS + FRESH:
            return bytes(atheris.Mutate(data, most))
        from mutate import MAKERS, mutate

        rng.seed(number)
        return (MAKERS[target](rng) if chance < FRESH else mutate(data, rng))[:most]

    work = ROOT / "build" / "fuzz" / target
    corpus = work / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for data in kept(target):
        (corpus / hashlib.sha1(data).hexdigest()).write_bytes(data)
    options = [
        f"-artifact_prefix={work}/",
        "-max_len=6000",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
        "-reload=0",
        "-len_control=0",
    ]
    program = sys.argv[0]
    if rest:
        options = rest
    elif minimise:
        fewer = work / "fewer"
        shutil.rmtree(fewer, ignore_errors=True)
        fewer.mkdir()
        options += ["-merge=1", str(fewer), str(corpus)]
        # it starts the program anew with options of its own
        again = [sys.executable, str(HERE / "run.py"), *sys.argv[1:], "--again"]
        starter = work / "again.sh"
        starter.write_text(f'#!/bin/sh\nexec {shlex.join(again)} "$@"\n', encoding="utf-8")
        starter.chmod(0o755)
        program = str(starter)
    else:
        options += [
            f"-runs={runs if runs < 1 << 31 else -1}",
            f"-max_total_time={int(min(seconds, 1e8))}",
            f"-seed={seed + 1}",
            str(corpus),
        ]
    atheris.Setup([program, *options], one, custom_mutator=change)
    # the instrumented modules bring the fuzzer along, and it must find the mutator there already
    (mutator,) = Path(atheris.__file__).parent.glob("custom_mutator.*.so")
    ctypes.CDLL(str(mutator), mode=ctypes.RTLD_GLOBAL | os.RTLD_LAZY)
    with atheris.instrument_imports(include=["santase"]):
        from targets import TARGETS
    target_of.append(TARGETS[target])
    if not any(corpus.iterdir()):
        from mutate import MAKERS

        for number in range(50):
            data = MAKERS[target](random.Random(number))
            (corpus / hashlib.sha1(data).hexdigest()).write_bytes(data)
    atheris.Fuzz()


def note(target: str, counts: dict[str, int], seconds: float) -> None:
    """Keep account of how many inputs a process has tried, for docs/robustness.md."""
    folder = ROOT / "build" / "fuzz" / target
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"count-{os.getpid()}.json"
    path.write_text(json.dumps({**counts, "seconds": round(seconds, 1)}), encoding="utf-8")


def totals() -> Iterator[str]:
    """How many inputs of each target have been tried here in all."""
    whole = 0
    for folder in sorted((ROOT / "build" / "fuzz").glob("*")):
        found = [json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("count-*.json")]
        runs, taken, seconds = (sum(count[key] for count in found) for key in ("runs", "taken", "seconds"))
        failures = len(list(folder.glob("failures/*.txt")))
        whole += runs
        yield f"{folder.name:14} {runs:12,} inputs {taken:12,} taken {seconds:10,.0f} s {failures:5} failures"
    yield f"{'in all':14} {whole:12,} inputs"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("target", nargs="?")
    parser.add_argument("--runs", type=int, default=1 << 60)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plain", action="store_true", help="without Atheris")
    parser.add_argument("--quick", action="store_true", help="with the build that counts branches alone")
    parser.add_argument("--minimise", action="store_true")
    parser.add_argument(
        "--keep", type=int, nargs="?", const=300, help="take up what --minimise has left, so many at most"
    )
    parser.add_argument("--corpus", action="store_true")
    parser.add_argument("--totals", action="store_true", help="what earlier runs have tried")
    parser.add_argument("--again", nargs=argparse.REMAINDER, default=[], help=argparse.SUPPRESS)
    options = parser.parse_args()
    instrumented = ROOT / "build" / ("counters" if options.quick else "coverage")
    wanted = (
        not (options.plain or options.corpus or options.totals or options.keep) and options.target is not None
    )
    with_atheris = (
        wanted and importlib.util.find_spec("atheris") is not None and (instrumented / "santase").exists()
    )
    if importlib.util.find_spec("santase") is None or with_atheris:
        sys.path.insert(0, str(instrumented if with_atheris else ROOT))
    sys.path.insert(0, str(HERE))
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, hang)
        signal.signal(signal.SIGALRM, hang)
    if options.totals:
        print("\n".join(totals()))
        return 0
    if options.corpus:
        from targets import TARGETS

        for name, target in TARGETS.items():
            inputs = kept(name)
            taken = sum(run_one(target, data, name) for data in inputs)
            print(f"{name:14} {len(inputs):6,} inputs, {taken:,} taken", flush=True)
        return 0
    if options.target is None:
        parser.error("a target is needed")
    if options.keep is not None:
        found = [path.read_bytes() for path in (ROOT / "build" / "fuzz" / options.target / "fewer").iterdir()]
        short = sorted(kept(options.target) + found, key=len)
        keep(options.target, short[: options.keep])
        print(f"{options.target}: {len(kept(options.target))} of {len(set(short))} inputs kept")
        return 0
    if with_atheris:
        guided(options.target, options.runs, options.seconds, options.seed, options.minimise, options.again)
    begun = time.monotonic()
    found = plain(options.target, options.runs, options.seconds, options.seed, watch)
    print(options.target, found)
    note(
        options.target,
        {"runs": int(str(found["runs"])), "taken": int(str(found["taken"]))},
        time.monotonic() - begun,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
