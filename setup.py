"""The extension modules; everything else is in pyproject.toml.

SANTASE_CFLAGS adds compiler flags of one's own, for instance
``SANTASE_CFLAGS="-march=native"`` for a build that stays on this machine.
"""

import os
import shlex
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

portable = ["/O2"] if sys.platform == "win32" else ["-O3"]
flags = portable + shlex.split(os.environ.get("SANTASE_CFLAGS", ""))

modules = {
    "santase._ruleset": "santase/_ruleset.pyx",
    "santase._check": "santase/_check.pyx",
    "santase._notation": "santase/_notation.pyx",
    "santase._core": "santase/_core.pyx",
    "santase._strict": "santase/_strict.pyx",
    "santase._search": "santase/_search.pyx",
    "santase._solver": "santase/_solver.pyx",
    "santase._plain": "benchmarks/_plain.pyx",
    "santase._sampling": "santase/_sampling.pyx",
    "santase._ismcts": "santase/_ismcts.pyx",
    "santase._players": "santase/_players.pyx",
    "santase._luck": "santase/_luck.pyx",
    "santase._observation": "santase/_observation.pyx",
}

setup(
    ext_modules=cythonize(
        [Extension(name, [source], extra_compile_args=flags) for name, source in modules.items()],
        language_level=3,
        compiler_directives={
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            "freethreading_compatible": True,
            "embedsignature": True,
        },
    )
)
