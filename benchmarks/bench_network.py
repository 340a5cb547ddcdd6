"""What a thought of the network costs, seen from Python: inputs, evaluation, probabilities."""

from __future__ import annotations

from typing import Any

import santase
from santase._network import shipped_network

VIEW = santase.Position.parse("santase AQ.Q.AT.J +6 ?11 JD ... 0 0/0 0/0 0/0 -")


def bench_policy(benchmark: Any) -> None:
    benchmark(shipped_network().policy, VIEW)


def bench_inputs(benchmark: Any) -> None:
    benchmark(shipped_network().inputs, VIEW)
