"""Builds of the compiled modules that watch themselves, and the tests and fuzz corpus under them.

    python tools/sanitize.py address                  # build, then the usual choice of tests and the corpus
    python tools/sanitize.py address -- tests -x      # build, then pytest with these arguments
    python tools/sanitize.py thread -- tests/test_threads.py
    python tools/sanitize.py coverage --build-only    # what fuzz/run.py fuzzes

``address`` finds bad accesses to memory and undefined behaviour (AddressSanitizer and
UndefinedBehaviorSanitizer of gcc), ``thread`` races (ThreadSanitizer of gcc), ``coverage`` tells a
fuzzer which branches an input has taken (clang). Each build has a folder of its own under ``build/``,
beside the checkout's modules and never in their place. Linux only.
"""

from __future__ import annotations

import argparse
import filecmp
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
PARTS = (
    "setup.py",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "santase",
    "benchmarks",
    "tests",
    "fuzz",
    "docs",
    "tools",
)
CHOSEN_TESTS = (
    "tests/test_fuzz.py", "tests/test_notation.py", "tests/test_position.py", "tests/test_rules.py",
    "tests/test_search.py", "tests/test_threads.py", "tests/test_network.py", "tests/test_analyze.py",
    "tests/test_robustness.py",
)  # fmt: skip
# Each takes a minute or more here, and none reads memory in a way that the others do not.
SLOW = (
    "not minimax and not plain_search and not every_split and not better_than_random and not table_larger"
    " and not test_memory and not signature"
)


@dataclass(frozen=True)
class Build:
    """A way to build, and what a Python that imports the result needs."""

    compiler: str
    flags: str
    library: str | None = None
    """The compiler's library that must be there before anything else."""
    environment: Mapping[str, str] = field(default_factory=dict)


BUILDS = {
    "address": Build(
        "gcc",
        "-O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"
        # Cython's own code converts pointers to functions, and a shift out of a sign is C11's business
        " -fno-sanitize=alignment",
        "libasan.so",
        {
            # CPython leaves much behind at its end, and its arenas hide accesses from the sanitizer
            "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=1",
            "UBSAN_OPTIONS": "print_stacktrace=1",
            "PYTHONMALLOC": "malloc",
        },
    ),
    "thread": Build(
        "gcc",
        "-O1 -g1 -fno-omit-frame-pointer -fsanitize=thread",
        "libtsan.so",
        {"TSAN_OPTIONS": "halt_on_error=0:exitcode=66:report_bugs=1"},
    ),
    "coverage": Build("clang", "-O1 -g0 -fsanitize=fuzzer-no-link"),
    # without a call at each comparison: twice as many inputs in the same time
    "counters": Build("clang", "-O2 -g0 -fsanitize-coverage=inline-8bit-counters,pc-table"),
}


def copy_sources(folder: Path) -> None:
    """Bring the sources there, leaving alone what is the same, so that little is built anew."""
    files: list[Path] = []
    for part in PARTS:
        source = ROOT / part
        files += [source] if source.is_file() else (path for path in source.rglob("*") if path.is_file())
    # what Cython has made must be newer than what it was made of
    for path in sorted(files, key=lambda path: path.suffix == ".c"):
        annotated = path.suffix == ".html" and path.with_suffix(".pyx").exists()
        if path.suffix in (".so", ".pyc") or annotated or "__pycache__" in path.parts:
            continue
        there = folder / path.relative_to(ROOT)
        if not there.exists() or not filecmp.cmp(path, there, shallow=False):
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, there)


def fuzzer() -> Path:
    """Atheris's library, in which the instrumented modules find what counts their branches: it does not
    show this to libraries that are not linked to it."""
    found = importlib.util.find_spec("atheris")
    if found is None or found.origin is None:
        raise SystemExit("Atheris is needed: pip install atheris")
    (library,) = Path(found.origin).parent.glob("core_with_libfuzzer*.so")
    return library


def build(name: str) -> Path:
    """Build in ``build/NAME`` and return that folder."""
    chosen = BUILDS[name]
    folder = ROOT / "build" / name
    copy_sources(folder)
    linked = ""
    if chosen.library is not None:
        linked = " ".join(word for word in chosen.flags.split() if word.startswith("-fsanitize"))
    elif name in ("coverage", "counters"):
        linked = str(fuzzer())
    flags = f"{chosen.compiler} {chosen.flags} {linked} {sys.version}"
    stamp = folder / "flags.txt"
    if stamp.exists() and stamp.read_text(encoding="utf-8") != flags:
        shutil.rmtree(folder / "build", ignore_errors=True)
        for module in folder.glob("santase/*.so"):
            module.unlink()
    stamp.write_text(flags, encoding="utf-8")
    environment = os.environ | {
        "CC": chosen.compiler,
        "LDSHARED": f"{chosen.compiler} -shared -Wl,--no-as-needed {linked}",
        "SANTASE_CFLAGS": chosen.flags,
    }
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=folder, env=environment, check=True
    )
    return folder


def environment(name: str, folder: Path) -> dict[str, str]:
    """What a Python needs to import that build."""
    chosen = BUILDS[name]
    found = os.environ | {"PYTHONPATH": str(folder)} | chosen.environment
    if chosen.library is not None:
        path = subprocess.run(
            [chosen.compiler, f"-print-file-name={chosen.library}"],
            check=True,
            capture_output=True,
            text=True,
        )
        found["LD_PRELOAD"] = path.stdout.strip()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("build", choices=BUILDS)
    parser.add_argument("--build-only", action="store_true", help="run nothing")
    parser.add_argument("--python", nargs=argparse.REMAINDER, help="run Python with these arguments instead")
    parser.add_argument("arguments", nargs="*", help="of pytest, after --")
    options = parser.parse_args()
    folder = build(options.build)
    if options.build_only:
        return 0
    if options.python is not None:
        command = options.python
    else:
        chosen = options.arguments or [*CHOSEN_TESTS, "-k", SLOW]
        command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen]
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment(options.build, folder), check=False
    )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
