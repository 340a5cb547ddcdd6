"""The language of what people read: how it is chosen, and the catalogues."""

import contextvars
import io
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest

from santase import Position, SantaseError, analyze, deal, drawing, notebook
from santase.cli import main
from santase.language import (
    N_,
    Count,
    Number,
    _,
    choose_language,
    language,
    languages,
    ngettext,
    pgettext,
    use_language,
)

ROOT = Path(__file__).parent.parent
FULL = str(deal(7))
VIEW = "santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 29/15 2/2 0/0 -"
# -P: the installed package, not the folder that the tests are run in
COMMAND = [sys.executable, "-P", "-m", "santase"]


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """tools/translations.py as a module."""
    pytest.importorskip("babel", reason="the catalogues are read with Babel")
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import translations

    return translations


# ---------------------------------------------------------------- choosing


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "bg_BG.UTF-8"}, "bg"),
        ({"LANG": "bg"}, "bg"),
        ({"LANG": "BG_bg"}, "bg"),
        ({"LANG": "bg-BG"}, "bg"),
        ({"LANG": "bg_BG@latin"}, "bg"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "bgx"}, "en"),
        ({"LANG": "../bg"}, "en"),
        ({"LC_MESSAGES": "bg_BG", "LANG": "en_US"}, "bg"),
        ({"LC_ALL": "en_US", "LC_MESSAGES": "bg_BG"}, "en"),
        ({"LC_ALL": "", "LANG": "bg_BG"}, "bg"),
        ({"LANGUAGE": "de:bg:en", "LANG": "en_US"}, "bg"),
        ({"LANGUAGE": "en:bg", "LANG": "bg_BG"}, "en"),
        ({"LANGUAGE": "bg"}, "bg"),
        ({"LANGUAGE": "bg", "LC_ALL": "C"}, "en"),
        ({"LANGUAGE": "bg", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANGUAGE": "bg", "LANG": "POSIX"}, "en"),
        ({"LANGUAGE": ":::", "LANG": "bg_BG"}, "en"),
    ],
)
def test_the_locale_chooses(environment: dict[str, str], code: str) -> None:
    assert choose_language(environment) == code


def test_there_are() -> None:
    assert languages() == ("bg", "en")


def test_use_language() -> None:
    assert (language(), _("Options")) == ("en", "Options")
    with use_language("bg"):
        assert (language(), _("Options")) == ("bg", "Опции")
        with use_language("en"):
            assert _("Options") == "Options"
        assert _("Options") == "Опции"
        assert N_("Options") == "Options"
        assert _("no text of ours") == "no text of ours"
        assert ngettext("one of none", "some of none", 2) == "some of none"
        assert pgettext("nowhere", "no text of ours") == "no text of ours"
    assert (language(), ngettext("one", "many", 1), ngettext("one", "many", 0)) == ("en", "one", "many")
    assert pgettext("nowhere", "text") == "text"


@pytest.mark.parametrize("code", ["de", "", "..", "bg/../bg", "BG"])
def test_a_language_that_there_is_not(code: str) -> None:
    with pytest.raises(SantaseError, match="there are bg, en"), use_language(code):
        pass
    assert language() == "en"


def test_thousands() -> None:
    def shown(number: int) -> str:
        return f"{Count(number):,} {Count(number):+,} {Count(number)}"

    assert shown(12345) == "12,345 +12,345 12345"
    with use_language("bg"):
        # a comma is a fraction there; four digits stand together
        assert shown(12345) == "12\u00a0345 +12\u00a0345 12345"
        assert shown(1234) == "1234 +1234 1234"


def test_fractions() -> None:
    def shown(number: float) -> str:
        return f"{Number(number):.2f} {Number(number):+.1f} {Number(number):g}"

    assert shown(-1.5) == "-1.50 -1.5 -1.5"
    with use_language("bg"):
        assert shown(-1.5) == "-1,50 -1,5 -1,5"
        assert shown(2) == "2,00 +2,0 2"
        # what programs read
        assert (str(Number(1.5)), json.dumps(Number(1.5))) == ("1.5", "1.5")


@pytest.mark.parametrize(
    "arguments",
    [
        ["best", "--worlds", "20", "--seed", "1", VIEW],
        ["solve", "santase A...T .T..A - C TKQJ9.AKQJ9.ATKQJ9.KQJ9 0 55/43 5/5 0/0 -"],
        ["arena", "random", "random", "--deals", "5", "--seed", "1", "--sprt", "0,0.1"],
        ["arena", "random", "random", "--deals", "2", "--seed", "1", "--matches"],
        ["bench", "--positions", "2", "--seed", "1"],
        ["review", str(ROOT / "examples" / "hand.txt"), "--worlds", "5", "--seed", "1"],
    ],
    ids=lambda arguments: f"{arguments[0]} {len(arguments)}",
)
def test_no_fraction_has_a_point_in_bulgarian(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    fraction = r"(?<![.\d])\d+%s\d+(?![.\d])"
    status, out, _err = run(capsys, "--lang", "bg", *arguments)
    assert status == 0
    assert re.findall(fraction % ",", out)
    assert re.findall(fraction % r"\.", out) == []


def test_drawings_write_fractions_as_bulgarian_does() -> None:
    found = analyze(Position.parse(VIEW), worlds=20, seed=1)
    english = notebook.analysis_html(found)
    with use_language("bg"):
        assert drawing.value_in_words(-1.69) == "−1,69"
        bulgarian = notebook.analysis_html(found)
    values = re.findall(r">([+−]?\d\.\d\d)<", english)
    assert values
    assert re.findall(r">([+−]?\d,\d\d)<", bulgarian) == [value.replace(".", ",") for value in values]


def test_each_thread_has_its_own() -> None:
    found = []
    with use_language("bg"):
        ours = contextvars.copy_context()
        threads = [
            threading.Thread(target=lambda: found.append(contextvars.Context().run(language))),
            threading.Thread(target=lambda: found.append(ours.run(language))),
        ]
        for thread in threads:
            thread.start()
            thread.join()
    assert found == ["en", "bg"]


def test_english_costs_nothing() -> None:
    code = (
        "import sys, santase; assert 'gettext' not in sys.modules and 'santase.language' not in sys.modules;"
        "from santase.language import _; _('x'); assert 'gettext' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-P", "-c", code]).returncode == 0


# ---------------------------------------------------------------- the catalogues


def test_every_text_is_translated(tool: ModuleType) -> None:
    template = tool.collect()
    assert len(template) > 50
    for path in tool.catalogues():
        catalog = tool.updated(path, template)
        assert list(tool.faults(catalog)) == []
        assert tool.translations(tool.read(path)) == tool.translations(catalog), "run tools/translations.py"
        compiled = tool.read(path.with_suffix(".mo"))
        assert tool.translations(compiled) == tool.translations(catalog), "run tools/translations.py"


def test_marks_are_where_they_are_found(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert list(tool.misplaced_marks()) == []
    (tmp_path / "module.py").write_text("x = f'{_(\"a\")}'\ny = _(f'{x}')\nz = _('b')\n", encoding="utf-8")
    monkeypatch.setattr(tool, "PACKAGE", tmp_path)
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    assert sorted(mark.partition(": ")[0] for mark in tool.misplaced_marks()) == [
        "module.py:1",
        "module.py:2",
    ]


def test_faults_are_found(tool: ModuleType) -> None:
    catalog = tool.QuietCatalog(locale="bg")
    catalog.add("{player} leads", "{player} започва")
    catalog.add(("one trick", "{number} tricks"), ("една ръка", "{number} ръце"))
    assert list(tool.faults(catalog)) == []
    for text, translation in (
        ("a", None),
        ("{player} wins", "{играч} печели"),
        ("{player} closes", "затваря"),
        ("closes", "{player} затваря"),
        (("one point", "{number} points"), ("точка", "")),
        (("one card", "{number} cards"), ("карта", "{n} карти")),
    ):
        catalog.add(text, translation)
    assert len(list(tool.faults(catalog))) == 6


def test_the_tool_finds_marked_texts(tool: ModuleType) -> None:
    texts = {message.id for message in tool.collect()}
    assert {"Usage:", "Number of deals.", "Show the version."} <= texts


# ---------------------------------------------------------------- at the command line


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize(
    "arguments",
    [["--lang", "bg", "arena", "--help"], ["arena", "--lang=bg", "-h"], ["arena", "--help", "--lang", "bg"]],
)
def test_help_in_bulgarian(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    status, out, err = run(capsys, *arguments)
    assert (status, err) == (0, "")
    for text in ("Употреба:", "Опции", "Аргументи", "--seed", "ЧИСЛО", "[задължително]"):
        assert text in out
    for text in ("Usage", "Options", "OPTIONS", "NUMBER", "Show", "default", "[required]"):
        assert text not in out
    # and nothing of it stays
    status, out, _ = run(capsys, "best", "--help")
    for text in ("Usage", "Options", "NUMBER", "Show", "[default: 1"):
        assert text in out


@pytest.mark.parametrize("code", ["en", "bg"])
@pytest.mark.parametrize("command", ["best", "solve", "deal", "play", "review", "serve", "arena", "bench"])
def test_help_says_all_that_is_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str, code: str
) -> None:
    """Each text to its end, defaults in brackets among them, and no type of Python's."""
    import typer

    from santase.cli._app import app

    monkeypatch.setenv("COLUMNS", "400")
    monkeypatch.setenv("TERMINAL_WIDTH", "400")
    status, out, err = run(capsys, "--lang", code, command, "--help")
    assert (status, err) == (0, "")
    shown = " ".join(out.replace("│", " ").split())
    with use_language(code):
        for param in typer.main.get_command(app).commands[command].params:  # type: ignore[attr-defined]
            assert " ".join(_(param.help).split()) in shown
    assert not re.search(r"<(?:bool|str|int|float|list)", out)


def test_the_environment_of_the_process() -> None:
    for settings, text in (
        ({"LANGUAGE": "", "LC_ALL": "bg_BG.UTF-8"}, "Опции"),
        ({"LANGUAGE": "de"}, "Options"),
    ):
        environment = os.environ | settings | {"PYTHONUTF8": "1"}
        done = subprocess.run([*COMMAND, "--help"], env=environment, capture_output=True)
        assert done.returncode == 0
        assert text in done.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--lang", "de", "deal"], "--lang: there is no 'de', there are bg, en"),
        (["deal", "--lang="], "--lang: there is no '', there are bg, en"),
        (["deal", "--lang"], "--lang: a language is needed, one of bg, en"),
    ],
)
def test_bad_languages(capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str) -> None:
    assert run(capsys, *arguments) == (2, "", f"santase: {reason}\n")


def test_answers_in_bulgarian(capsys: pytest.CaptureFixture[str]) -> None:
    late = "santase A...T .T..A - C TKQJ9.AKQJ9.ATKQJ9.KQJ9 0 55/43 5/5 0/0 -"
    status, out, err = run(capsys, "solve", "--lang", "bg", late)
    assert (status, err) == (0, "")
    for text in ("коз ♣", "на ход: играч 0", "55 точки, 5 взятки", "Най-добра игра:", "1 точка за мача"):
        assert text in out
    status, out, err = run(capsys, "best", "--lang", "bg", "--worlds", "50", FULL)
    assert (status, err) == (0, "")
    for text in ("6 скрити", "11 закрити", "Най-добре: излез с ", "50 разпределения"):
        assert text in out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["best", str(deal(7).view()).replace("+6", "+5")], "hand1: карти: 5"),
        (["best", "santase x"], "позиция"),
        (["best", FULL.replace("QS", "ZS")], "turned: "),
        (["solve", str(deal(7).view())], "нужна е пълна позиция"),
        (["play", "--level", "x"], "--level: няма ниво 'x'"),
    ],
)
def test_errors_in_bulgarian(capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str) -> None:
    status, out, err = run(capsys, "--lang", "bg", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert reason in err


def test_errors_in_json_stay_english(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = f"x\n{deal(7).view()}\n".encode()
    answers = []
    for code in languages():
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines), encoding="utf-8"))
        answers.append(run(capsys, "solve", "--json", "-", "--lang", code))
    assert answers[0] == answers[1]
    assert "a full position is needed" in answers[0][1]


@pytest.mark.parametrize(
    "arguments",
    [
        ["deal", "--seed", "7"],
        ["deal", "--seed", "7", "--json", "--view"],
        ["best", "--json", "--worlds", "20", FULL],
        ["solve", "--json", FULL],
    ],
)
def test_programs_read_the_same_in_every_language(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    answers = []
    for code in languages():
        status, out, err = run(capsys, *arguments, "--lang", code)
        assert (status, err) == (0, "")
        answers.append(out)
        if "--json" in arguments:
            answers[-1] = {key: value for key, value in json.loads(out).items() if key != "seconds"}
    assert answers[0] == answers[1]
