"""Notebooks show positions, analyses, solutions and games; the core imports nothing for it."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from santase import Game, Position, analyze, deal, solve
from santase.language import use_language

VIEW = Position.parse("santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 29/15 2/2 0/0 -")


def words_of(html: str) -> str:
    """What is to be read in it; it must be well-formed."""
    root = ElementTree.fromstring(f"<div>{html}</div>")
    return " ".join(" ".join(root.itertext()).split())


def test_a_position_is_a_table() -> None:
    svg = deal(7)._repr_svg_()
    assert svg.startswith("<svg") and "ten of spades" in words_of(svg)


def test_an_analysis_shows_the_table_and_every_value() -> None:
    analysis = analyze(VIEW, worlds=200, seed=1)
    html = analysis._repr_html_()
    words = words_of(html)
    for action, estimate in analysis.actions.items():
        assert ("10♥" if action == "TH" else f"{action[0]}♥" if action == "9H" else "") in words
        mean = f"{estimate.mean:+.2f}".replace("-", "−")
        assert (mean if float(f"{estimate.mean:.2f}") else "0.00") in words  # nothing has no sign
    assert "200 worlds" in words
    rows = re.findall(r"<tr>(.*?)</tr>", html)
    assert len(rows) == 1 + len(analysis.actions) and "bold" in rows[1]


def test_an_analysis_by_the_policy_alone_has_gaps() -> None:
    words = words_of(analyze(VIEW, 0)._repr_html_())
    assert "?" in words and "nan" not in words


def test_a_solution_shows_values_and_the_line() -> None:
    solution = solve(deal(7))
    html = solution._repr_html_()
    words = words_of(html)
    assert "Value −2" in words and "Best play to the end" in words
    assert html.count("<svg") == sum(a.card is not None for a in [*solution.actions, *solution.line])
    stopped = solve(deal(7), nodes=1)
    assert stopped.value is None and "was ended before it was known" in words_of(stopped._repr_html_())
    assert words_of(solve(deal(7).play("call"))._repr_html_())


def test_a_game_shows_its_score_and_escapes_names() -> None:
    game = Game("santase", seed=167, match=True, players=("<b>Ana", "Boris & co"))
    assert "hand 1" in words_of(game._repr_html_())
    for action in ("marriage-S", "QS", "QH", "exchange", "marriage-D", "call"):
        game.play(action)
    html = game._repr_html_()
    assert "<b>" not in html
    assert "<b>Ana 3 : 0 Boris & co" in words_of(html) and "<b>Ana scores 3 game points" in words_of(html)


def test_in_the_language_of_the_context() -> None:
    with use_language("bg"):
        assert "дама" in deal(7)._repr_svg_()
    assert "дама" not in deal(7)._repr_svg_()


def test_nothing_of_it_is_imported_before_a_notebook_asks() -> None:
    code = (
        "import sys, santase; position = santase.deal(7); santase.solve(position)\n"
        "assert not {'santase.drawing', 'santase.notebook', 'xml', 'html'} & set(sys.modules), sys.modules.keys()\n"
        "position._repr_svg_(); assert 'santase.drawing' in sys.modules"
    )
    subprocess.run([sys.executable, "-P", "-c", code], check=True)


def test_a_notebook_that_is_run_shows_them() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    cells = [
        "import santase\nposition = santase.deal(7)\nposition",
        "santase.analyze(position.view(), worlds=50)",
        "santase.solve(position)",
        "santase.Game(seed=7)",
    ]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    shown = [cell.outputs[0]["data"] for cell in book.cells]
    assert shown[0]["image/svg+xml"] == deal(7)._repr_svg_()
    assert all("<svg" in data["text/html"] for data in shown[1:])
    assert all("text/plain" in data for data in shown)
