"""What the core says against an action or a position, put in the person's language."""

import re
from pathlib import Path

import pytest

import santase
from santase import ACTIONS, IllegalActionError, NotationError, Position, deal
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
