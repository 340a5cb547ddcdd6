"""Builds the trainer's extension in place, for this machine only:

python setup.py build_ext --inplace             # the library itself
python training/setup.py build_ext --inplace    # from the top folder
"""

from Cython.Build import cythonize
from setuptools import Extension, setup

setup(
    name="santase-training",
    packages=[],
    ext_modules=cythonize(
        [
            Extension(
                "training._selfplay",
                ["training/_selfplay.pyx"],
                extra_compile_args=["-O3", "-march=native", "-ffast-math"],
            )
        ],
        language_level=3,
        compiler_directives={
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
        },
    ),
)
