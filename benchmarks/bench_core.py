"""Speed of positions and of random hands inside the core; run with
``pytest benchmarks/bench_core.py``."""

import pytest

import santase

HANDS = 10_000
START = santase.deal(7)
# a reply in the open phase, one under a closing, and one on lead
MIDDLE = santase.Position.parse("santase T.TQJ.T. K9.AK.A.A QDTCAS9HJS9CKD QS ..J9.KJ 0:QC 8/0 2/0 0/0 -")


@pytest.mark.parametrize("rules", santase.RULES)
def bench_random_hands(benchmark, rules):
    """Hands dealt and played out at random; goal: 1 µs a hand."""
    result = benchmark(santase.random_playouts, HANDS, seed=1, rules=rules)
    assert len(result) == HANDS
    benchmark.extra_info["hands a second"] = round(HANDS / benchmark.stats.stats.median)


def bench_play(benchmark):
    """``Position.play`` from Python; goal: under 1 µs."""
    action = MIDDLE.legal_actions()[0]
    benchmark(MIDDLE.play, action)


def bench_legal_actions(benchmark):
    """``legal_actions`` from Python; goal: under 2 µs."""
    benchmark(START.legal_actions)


def bench_parse(benchmark):
    line = str(MIDDLE)
    assert benchmark(santase.Position.parse, line) == MIDDLE


def bench_print(benchmark):
    benchmark(str, MIDDLE)


def bench_view(benchmark):
    benchmark(START.view)


def bench_perft(benchmark):
    """Nodes of the action tree, five deep from a deal."""
    assert benchmark(santase.perft, START, 5) > 0


def bench_analyze(benchmark):
    """A thousand worlds from the first lead."""
    benchmark(santase.analyze, START.view(), worlds=1000, seed=1)
