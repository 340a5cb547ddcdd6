"""The benchmark: what it measures is there, what it writes can be read, bad options are refused."""

import json
import runpy
from pathlib import Path

import pytest

import santase
from santase.bench import bench, phases, plot_rows, random_positions, save_rows
from santase.cli import main

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


def test_phases_are_what_they_say():
    for name, rules in santase.RULES.items():
        found = phases(rules, 3)
        assert [phase.tricks for phase in found if not phase.closed] == list(
            range((rules.facedown + 1) // 2 + 1)
        )
        for phase in found:
            positions = random_positions(phase, rules, seed=5)
            assert positions == random_positions(phase, rules, seed=5)
            assert len(positions) == phase.positions
            for position in positions:
                assert position.is_full and not position.is_over and position.led is None
                assert (sum(position.tricks), position.closer is not None) == (phase.tricks, phase.closed)
            assert (positions[0].phase == "exhausted") == (phase.name == "exhausted"), name


def test_rows_and_files(tmp_path):
    calls = []
    rows = list(bench("schnapsen", positions=2, plain_positions=1, progress=lambda *call: calls.append(call)))
    assert calls[0] == ("whole deal", 1, 2)
    for row in rows:
        assert row.rules == "schnapsen" and row.threads == 1
        assert 0 < row.median <= row.worst and row.nodes > 0 and row.plain and row.ratio
        assert len(row.seconds) == len(row.node_counts) == row.positions
    path = tmp_path / "bench.json"
    path.write_text("what was there before", encoding="utf-8")
    save_rows(rows, str(path), {"on": "a test"})
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert stored["about"] == {"on": "a test"} and len(stored["rows"]) == len(rows)
    assert list(tmp_path.iterdir()) == [path]
    pytest.importorskip("matplotlib")
    plot_rows(rows, str(tmp_path / "bench.png"))
    assert (tmp_path / "bench.png").read_bytes().startswith(b"\x89PNG")


def test_house_rules_have_no_plain_search():
    for row in bench("santase+suits=CD+hand_size=3", positions=1):
        assert row.plain is None and row.plain_positions == 0


def test_the_command(capsys, tmp_path):
    assert main(["bench", "--positions", "1", "--plain", "1", "--rules", "schnapsen", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["phase"] for row in rows][:2] == ["whole deal", "1 trick"]
    assert main(["bench", "--positions", "1", "--plain", "0", "--rules", "schnapsen"]) == 0
    assert "whole deal" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--positions", "0"], "--positions"),
        (["--threads", "0"], "--threads"),
        (["--table", "-1"], "--table"),
        (["--plain", "-1"], "--plain"),
        (["--rules", "bridge"], "bridge"),
        (["--save", "/nowhere/at/all.json"], "--save"),
        (["--plot", "picture.gif"], ".png"),
        (["--seed", "-1"], "--seed"),
    ],
)
def test_bad_options(capsys, options, reason):
    assert main(["bench", *options]) == 2
    out, err = capsys.readouterr()
    assert out == "" and reason in err and err.count("\n") == 1


def test_statistics_of_deals(capsys, tmp_path, monkeypatch):
    """The script behind docs/deals.md, on few deals: shares that add up, counts that are right."""
    numpy = pytest.importorskip("numpy")
    script = runpy.run_path(str(BENCHMARKS / "deal_statistics.py"))
    values, trumps, aces = script["solve_deals"](20, "schnapsen", 1)
    assert list(values) == [santase.solve(santase.deal(seed, "schnapsen")).value for seed in range(20)]
    first = santase.deal(0, "schnapsen")
    assert trumps[0] == sum(card.endswith(first.trump) for card in first.hands[0])
    assert aces[0] == sum(card.startswith("A") for card in first.hands[0])
    assert "| all | 20 |" in script["table"]("trumps", trumps, values)
    came, among, alone, wins = script["closings"](5, "santase")
    assert 0 <= alone <= among <= came <= 5 and wins <= came
    assert isinstance(values, numpy.ndarray)
