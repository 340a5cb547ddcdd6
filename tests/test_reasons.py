"""What the core says against an action or a position, put in the person's language."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import santase
from santase import ACTIONS, IllegalActionError, NotationError, Position, deal
from santase.error_words import in_words, os_error_text
from santase.language import use_language
from santase.reasons import problem_for, reason_for

SOURCES = Path(santase.__file__).parent


def said(source: str, name: str) -> list[str]:
    """What a module of the core can say: its texts, with something in each of their gaps."""
    text = (SOURCES / name).read_text(encoding="utf-8")
    found = []
    for raised in re.findall(source, text, re.S):
        words = "".join(re.findall(r'"((?:[^"\\\\]|\\\\.)*)"', raised))
        words = re.sub(r"\{many\([^}]*'(\w+)'\)\}", r"2 \1s", words)
        words = re.sub(r"\{text_of\([^}]*\)\}", "KS QS", words)
        words = re.sub(r"\{SUITS\[[^}]*\}", "S", words)
        found.append(re.sub(r"\{[^}]*\}", "1", words))
    return found


@pytest.mark.skipif(not (SOURCES / "_check.pyx").is_file(), reason="the sources are not here")
def test_every_problem_with_a_position_is_translated() -> None:
    calls = r"raise NotationError\((.*?),\s*(?:\"\w+\"|field|_HAND\[player\])\)"
    messages = said(calls, "_check.pyx")
    assert len(messages) > 30
    with use_language("bg"):
        for message in messages:
            told = problem_for(NotationError(message))
            assert told != message and not re.search(r"[a-z]{2}", told), message


def test_what_a_closing_must_tell_is_translated() -> None:
    line = str(deal(3, "schnapsen").play("close")).split()
    line[10] = line[10].partition(":")[0]
    with pytest.raises(NotationError) as refused:
        Position.parse(" ".join(line))
    with use_language("bg"):
        assert not re.search(r"[a-z]{2}", problem_for(refused.value))


def test_problems_in_bulgarian_and_english() -> None:
    line = "santase AQ.Q.AT.J +5 ?11 JD ... 0 0/0 0/0 0/0 -"
    with pytest.raises(NotationError) as refused:
        Position.parse(line)
    assert problem_for(refused.value) == "5 cards, but after 0 tricks player 1 holds 6"
    with use_language("bg"):
        assert problem_for(refused.value) == "карти: 5, а след толкова взятки (0) играч 1 държи 6"


@pytest.mark.parametrize("seed", range(4))
def test_illegal_actions_through_whole_hands(seed: int) -> None:
    """Each refusal of each action on the way, said in Bulgarian without a word of English."""
    for preset in santase.RULES:
        position = deal(seed, preset)
        while not position.is_over:
            legal = position.legal_actions()
            for action in ACTIONS:
                if action in legal:
                    continue
                with pytest.raises(IllegalActionError) as refused:
                    position.play(action)
                with use_language("bg"):
                    assert not re.search(r"[a-z]{2}", reason_for(refused.value, action)), str(refused.value)
            plays = [action for action in legal if action != "call"]
            position = position.play(plays[(seed * 7 + sum(position.tricks)) % len(plays)])


# ---------------------------------------------------------------- everything else that is refused

# what is not written in words: settings, fields, options, commands, names of files and formats
_NAMES = (
    r"'[^']*'|--?\w+|\w+_\w+|\w*[:=]\w*|\b(?:(?:holds|lacks)[01]|santase|trickless|failed|other|yes|no|always|True|False"
    r"|UTF|Matplotlib|pip|install|program|FILE|player|takes|training|ship|py|png|svg|pdf|closes|noise|name)\b"
)


def raised_in(tree: ast.AST) -> Iterator[str]:
    """The text of each error that a module raises or gives back, with something in its gaps."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            if ast.unparse(node.exc.func) not in ("TypeError", "AssertionError", "typer.Exit"):
                yield from texts_of(node.exc.args[0])
        # why a way of filling in a record is none
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "problem":
            yield from texts_of(node.value)


def texts_of(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return texts_of(node.body) + texts_of(node.orelse)
    if isinstance(node, ast.JoinedStr):
        text = ""
        for part in node.values:
            text += str(part.value) if isinstance(part, ast.Constant) else "1"
        return [text]
    return []


@pytest.mark.parametrize(
    "module",
    ["actions", "cards", "game", "match", "memory", "players", "record", "review", "rules"]
    + [f"cli/{name}" for name in ("_language", "_lines", "arena", "bench", "best", "deal", "play", "review")],
)
def test_every_refusal_is_translated(module: str) -> None:
    tree = ast.parse((SOURCES / f"{module}.py").read_text(encoding="utf-8"))
    # what only hands on another's words has none of its own
    messages = [
        text.replace("1 1, as name", "1 takes 1, as name")
        .replace("takes 1, not", "takes a text, not")
        .replace("0 or 11", "0 or 1, 'Ana' or 'Boris'")
        for text in raised_in(tree)
        if re.search(r"[a-z]", text.rpartition(": ")[2]) and " " in text
    ]
    assert messages
    with use_language("bg"):
        for message in messages:
            told = in_words(message)
            assert told != message, message
            assert not re.search(r"[a-z]{2}", re.sub(_NAMES, "", told.rpartition(": ")[2])), (message, told)


@pytest.mark.skipif(not (SOURCES / "_notation.pyx").is_file(), reason="the sources are not here")
def test_every_fault_of_the_notation_is_translated() -> None:
    text = (SOURCES / "_notation.pyx").read_text(encoding="utf-8")
    messages = re.findall(r'raise NotationError\(\s*f?"((?:[^"\\]|\\.)*)"', text)
    assert len(messages) > 12
    with use_language("bg"):
        for message in messages:
            for form in ("the closer alone", "closer:points:tricks (the other's at the closing)"):
                shown = re.sub(r"\{[^}]*\}", "1", message.replace("{form}", form))
                told = in_words(shown)
                assert told != shown and not re.search(r"[a-z]{2}", re.sub(_NAMES, "", told)), (shown, told)


def test_what_stands_before_the_reason_stays() -> None:
    message = "--resume: my: game.txt: line 10: deal: hand1: 5 cards, but after 0 tricks player 1 holds 6"
    assert in_words(message) == message
    with use_language("bg"):
        assert in_words(message) == (
            "--resume: my: game.txt: ред 10: deal: hand1: карти: 5, а след толкова взятки (0) играч 1 държи 6"
        )
        assert in_words("line 3: 'deal: x' is neither 'name: value' nor a trick") == (
            "ред 3: 'deal: x' не е нито 'име: стойност', нито взятка"
        )
        assert in_words("nothing that anyone says") == "nothing that anyone says"


def test_each_problem_of_a_position_keeps_its_field() -> None:
    """Of a text in several parts no pattern takes the field for its own."""
    lines = {
        "closed": "schnapsen AK.Q.AT. +5 ?7 JD .AK.. 0 15/0 1/0 0/0 0",
        "hand1": "santase AQ.Q.AT.J +5 ?11 JD ... 0 0/0 0/0 0/0 -",
        "tricks": "santase AQ.Q.AT.J +6 ?11 JD ... 0 0/0 x/0 0/0 -",
    }
    for field, line in lines.items():
        with pytest.raises(NotationError) as raised:
            Position.parse(line)
        assert raised.value.field == field
        with use_language("bg"):
            assert in_words(str(raised.value)) == f"{field}: {problem_for(raised.value)}"
            assert not re.search(r"[a-z]{2}", problem_for(raised.value))


def test_what_the_system_says(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        open(tmp_path / "none", encoding="utf-8")  # noqa: SIM115
    assert os_error_text(missing.value) == f"{tmp_path / 'none'}: No such file or directory"
    with use_language("bg"):
        assert os_error_text(missing.value) == f"{tmp_path / 'none'}: няма такъв файл или папка"
