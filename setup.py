"""The extension modules, one for each .pyx in the package; everything else is in pyproject.toml.

SANTASE_CFLAGS adds compiler flags of one's own, for instance
``SANTASE_CFLAGS="-march=native"`` for a build that stays on this machine.
"""

import os
import shlex
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup


def usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def extensions() -> list[Extension]:
    # Without debugging information (many a Python is built with -g, which extensions inherit) it
    # compiles in three quarters of the time, to a fifth of the size. A multiplication and an addition
    # made into one, as some processors can, would round otherwise there: the same seed, another answer.
    portable = ["/O2"] if sys.platform == "win32" else ["-O3", "-g0", "-ffp-contract=off"]
    flags = portable + shlex.split(os.environ.get("SANTASE_CFLAGS", ""))
    modules = {
        source.as_posix().removesuffix(".pyx").replace("/", "."): source.as_posix()
        for source in Path("santase").rglob("*.pyx")
    }
    # what `santase bench` compares with; no other module knows it
    modules["santase._plain"] = "benchmarks/_plain.pyx"
    return [Extension(name, [source], extra_compile_args=flags) for name, source in sorted(modules.items())]


# Workers that are spawned import this file again; only the first to run it builds.
if __name__ == "__main__":
    cores = usable_cores()
    setup(
        ext_modules=cythonize(
            extensions(),
            nthreads=cores if cores > 1 else 0,
            language_level=3,
            compiler_directives={
                "boundscheck": False,
                "wraparound": False,
                "cdivision": True,
                "initializedcheck": False,
                "freethreading_compatible": True,
                "embedsignature": True,
            },
        ),
        options={"build_ext": {"parallel": cores}},
    )
