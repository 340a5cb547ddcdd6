"""Analyse deals on the machines of an MPI job, and save what comes out.

    mpiexec -n 65 python -m mpi4py.futures examples/mpi_analyses.py 1000000 answers.npz

One process hands out and 64 work. Needs mpi4py and an MPI (``pip install mpi4py mpich`` where there is none).
"""

import sys

import numpy
from mpi4py.futures import MPIPoolExecutor

import santase


def main(number: int, path: str) -> None:
    deals = santase.deal_many(number, seed=0)
    with MPIPoolExecutor() as pool:
        answers = santase.analyze_many(deals, worlds=100, executor=pool)
    numpy.savez_compressed(path, deals=deals, answers=answers)


if __name__ == "__main__":  # the workers import this file, too
    main(int(sys.argv[1]), sys.argv[2])
