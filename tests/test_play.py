"""``santase play``: what may be typed, what is shown, what is kept, in pipes and on a terminal."""

import io
import itertools
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from santase import CARDS, RULES, Action, Game, IllegalActionError, Position, SantaseError, deal
from santase.cli import _play_session as kept
from santase.cli import main
from santase.cli._play_menu import Menu
from santase.cli._play_screen import draw_cards, draw_ending, draw_plain, other_actions, told, typed_as
from santase.cli._play_session import Scene, Session
from santase.cli._play_words import NotUnderstoodError, Order, read_order
from santase.cli._show import card_face
from santase.language import language, languages, use_language
from santase.players import LEVELS, Player
from santase.reasons import reason_for

# -P: the installed package, not the folder that the tests are run in
COMMAND = [sys.executable, "-P", "-m", "santase"]
posix = pytest.mark.skipif(os.name == "nt", reason="signals and terminals as on POSIX")
# ♠ 10 ♥ 10 Q J ♦ 10 ♣ K, Q♠ turned up
START = deal(7).view()


@pytest.fixture(autouse=True)
def usual_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Everything is kept under the test's own folder, in commands that are started too."""
    monkeypatch.setattr(kept, "folder", lambda: tmp_path / "play")
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    return tmp_path / "play"


def session(tmp_path: Path, seed: int = 7, level: str = "beginner", **options: Any) -> Session:
    game = Game(options.pop("rules", "santase"), seed=seed, match=True, **options)
    return Session(game, 0, level, tmp_path / "game.santase")


def play(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str | bytes, *arguments: str
) -> tuple[int, str, str]:
    data = typed if isinstance(typed, bytes) else typed.encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    status = main(["play", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


def shown(draw: Any, *values: Any, encoding: str = "utf-8") -> str:
    """What a function draws on a console."""
    from rich.console import Console

    file = io.TextIOWrapper(io.BytesIO(), encoding)
    draw(Console(file=file, width=100, highlight=False), *values)
    file.flush()
    return file.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]


def random_words(seed: int, number: int = 4000) -> str:
    """Lines of one who tries everything, in time also what is legal."""
    chance = random.Random(seed)
    words = ["1", "2", "3", "4", "5", "6", "", "call", "close", "marriage", "exchange", "undo", "tricks"]
    weights = [8, 8, 4, 4, 4, 4, 3, 1, 1, 4, 4, 1, 1]
    return "\n".join(chance.choices(words, weights, k=number)) + "\n"


# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("KC", "KC"), ("kc", "KC"), ("K♣", "KC"), ("K♣\ufe0f", "KC"), (" k c ", "KC"), ("k", "KC"), ("king", "KC"),
        ("♣", "KC"), ("♣K", "KC"), ("king of clubs", "KC"), ("the king of clubs", "KC"), ("King Club", "KC"), ("K-C", "KC"),
        ("10h", "TH"), ("TH", "TH"), ("ten of hearts", "TH"), ("10♥", "TH"), ("10 ♥", "TH"), ("j", "JH"), ("q", "QH"),
        ("1", "TS"), ("2", "TH"), ("6", "KC"), ("AS", "AS"), ("9d", "9D"),
    ],
)  # fmt: skip
def test_cards(typed: str, card: str) -> None:
    assert read_order(typed, START, 0) == Order("action", Action(card))


@pytest.mark.parametrize(
    ("typed", "card"),
    [("поп спатия", "KC"), ("поп", "KC"), ("десетка купа", "TH"), ("10 пика", "TS"), ("дама на купа", "QH"),
     ("вале", "JH"), ("асо каро", "AD"), ("деветка пика", "9S"), ("king of clubs", "KC"), ("KC", "KC"),
     ("К♣", "KC")],
)  # fmt: skip
def test_cards_in_bulgarian(typed: str, card: str) -> None:
    with use_language("bg"):
        assert read_order(typed, START, 0) == Order("action", Action(card))
        assert read_order(typed.upper(), START, 0) == Order("action", Action(card))


def test_every_card_has_its_name_in_every_language() -> None:
    from santase.drawing import card_name

    for code in languages():
        with use_language(code):
            for card in CARDS:
                assert read_order(card_name(card), START, 0).action == card
                assert read_order(card_face(card), START, 0).action == card


@pytest.mark.parametrize(
    ("typed", "order"),
    [
        ("", Order("table")), ("  ", Order("table")), ("hint", Order("hint")), ("HINT", Order("hint")),
        ("hin", Order("hint")), ("undo", Order("undo")), ("un", Order("undo")), ("?", Order("help")), ("help", Order("help")),
        ("quit", Order("quit")), ("exit", Order("quit")), ("qu", Order("quit")), ("save", Order("save")),
        ("save My File.txt", Order("save", file="My File.txt")), ("score", Order("score")), ("tricks", Order("tricks")),
        ("close", Order("action", Action("close"))), ("call", Order("action", Action("call"))),
        ("66", Order("action", Action("call"))), ("exchange", Order("action", Action("exchange"))),
        ("x", Order("action", Action("exchange"))), ("marriage-S", Order("action", Action("marriage-S"))),
        ("marriage spades", Order("action", Action("marriage-S"))), ("declare in ♥", Order("action", Action("marriage-H"))),
        ("40", Order("action", Action("marriage-S"))), ("20 hearts", Order("action", Action("marriage-H"))),
        ("exchange for the Q♠", Order("action", Action("exchange"))), ("sixty-six", Order("action", Action("call"))),
        ("play the king of clubs", Order("action", Action("KC"))), ("lead kc", Order("action", Action("KC"))),
        ("yes", Order("yes")), ("n", Order("no")),
    ],
)  # fmt: skip
def test_orders(typed: str, order: Order) -> None:
    assert read_order(typed, START, 0) == order


@pytest.mark.parametrize(
    ("typed", "order"),
    [("подсказка", Order("hint")), ("назад", Order("undo")), ("изход", Order("quit")), ("помощ", Order("help")),
     ("затвори", Order("action", Action("close"))), ("обяви", Order("action", Action("call"))),
     ("анонс пика", Order("action", Action("marriage-S"))), ("размени", Order("action", Action("exchange"))),
     ("запази Моя игра.txt", Order("save", file="Моя игра.txt")), ("hint", Order("hint")),
     ("затварям талона", Order("action", Action("close"))), ("сменям", Order("action", Action("exchange"))),
     ("шейсет и шест", Order("action", Action("call"))), ("обявявам 66", Order("action", Action("call"))),
     ("играя поп спатия", Order("action", Action("KC"))), ("крал спатия", Order("action", Action("KC"))),
     ("туз каро", Order("action", Action("AD"))), ("да", Order("yes"))],
)  # fmt: skip
def test_orders_in_bulgarian(typed: str, order: Order) -> None:
    with use_language("bg"):
        assert read_order(typed, START, 0) == order


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("10", "Which one: 10♠, 10♥, 10♦?"), ("♥", "Which one"), ("9", "You hold no 9."), ("ace", "You hold no A."),
        ("7", "There is no card 7, you hold 6."), ("8", "There is no card 8"), ("h", "do not understand 'h'"), ("s", "do not understand"),
        ("c", "do not understand"), ("ca", "do not understand"), ("cl", "do not understand"), ("hnit", "Did you mean hint?"),
        ("clsoe", "Did you mean close?"), ("11h", "do not understand"), ("0", "do not understand"), ("-1", "do not understand"),
        ("close now", "do not understand"), ("KCKC", "do not understand"), ("x" * 300, "too long"), ("\x00\x1b[31m", "'·[31m'"),
        ("marriage", "no king and queen"), ("20", "no king and queen"), ("marriage x", "'x' is no suit"),
    ],
)  # fmt: skip
def test_what_is_not_understood(typed: str, reason: str) -> None:
    with pytest.raises(NotUnderstoodError, match=re.escape(reason)):
        read_order(typed.replace("\x00", ""), START, 0)


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("rules", RULES)
def test_what_is_offered_can_be_typed_as_it_is_shown(tmp_path: Path, code: str, rules: str) -> None:
    """Every action that the table offers, by its phrase and by the word in brackets after it."""
    kinds = set()
    with use_language(code):
        for seed in range(40):
            for game in random_session(tmp_path, seed, rules):
                if not game.awaits_person:
                    continue
                view = game.scene().view
                for action, phrase in other_actions(view):
                    kinds.add(action.kind)
                    for typed in (phrase, phrase.upper(), typed_as(action, view)):
                        assert read_order(typed, view, 0) == Order("action", action), typed
    assert kinds == {"marriage", "exchange", "close"} | (set() if RULES[rules].automatic else {"call"})


def test_a_rank_that_leaves_one_legal_card() -> None:
    """Of two kings the one that may be played; of several marriages the one that is meant."""
    view = Position.parse("santase KQ.KQ.AT. +6 ?11 9C ... 0 0/0 0/0 0/0 -")
    assert {"KS", "KH"} <= set(view.legal_actions())
    with pytest.raises(NotUnderstoodError, match="Which one: K♠, K♥"):
        read_order("k", view, 0)
    with pytest.raises(NotUnderstoodError, match="In which suit: ♠, ♥"):
        read_order("marriage", view, 0)
    declared = view.play("marriage-S")
    assert read_order("k", declared, 0) == Order("action", Action("KS"))


@given(st.text(max_size=30) | st.sampled_from("кккпдв12345678910кс♠ ♥"), st.sampled_from(languages()))
@settings(max_examples=300, deadline=None)
def test_anything_typed_is_an_order_or_explained(typed: str, code: str) -> None:
    with use_language(code):
        try:
            order = read_order(typed, START, 0)
        except NotUnderstoodError as error:
            assert str(error)
            assert str(error).isprintable()
        else:
            assert (order.kind == "action") == (order.action is not None)


# ---------------------------------------------------------------- reasons


def test_the_reasons_of_the_core_are_all_known() -> None:
    """Each sentence of ``why_not`` in the core has one for the person at the table."""
    source = Path(__file__).parent.parent / "santase" / "_core.pyx"
    body = re.search(r"cdef str why_not.*?(?=\n\n\n)", source.read_text(encoding="utf-8"), re.S)
    assert body is not None
    sentences = re.findall(r'return f?"(.*)"', body[0])
    assert len(sentences) > 10
    for sentence in sentences:
        for value in ("KS", "S", "3"):
            said = re.sub(r"\{player\}", "1", sentence)
            said = re.sub(r"\{[^{}]*min_talon\}|\{[^{}]*facedown\}", "3", said)
            said = re.sub(r"\{[^{}]*\}", value, said)
            told = reason_for(IllegalActionError(f"QS: {said}"), Action("QS"))
            if told != f"QS: {said}":
                assert "player" not in told
                break
        else:
            pytest.fail(f"no sentence for {sentence!r}")


def test_illegal_actions_are_explained(monkeypatch: Any, capsys: Any) -> None:
    typed = "AS\nclose\nexchange\nmarriage-H\n9d\n"
    status, out, err = play(monkeypatch, capsys, typed, "--seed", "7", "--lead", "me", "--level", "easy")
    assert (status, err) == (0, "")
    for text in (
        "You do not hold A♠.", "Nobody closes before a trick has been played.", "You do not hold 9♠, which is exchanged.",
        "You do not hold both king and queen of that suit.", "You do not hold 9♦.",
    ):  # fmt: skip
        assert text in out


# ---------------------------------------------------------------- what is shown


def random_session(tmp_path: Path, seed: int, rules: str = "santase") -> Iterator[Session]:
    """A hand at random, at each moment."""
    chance = random.Random(seed)
    game = session(tmp_path, seed, rules=rules, dealer=seed & 1)
    yield game
    while not game.game.position.is_over:
        actions = [action for action in game.game.legal_actions() if action != "call"] or ["call"]
        game.game.play(chance.choice(actions))
        yield game


FACES = {card_face(card): card for card in CARDS}


def faces_in(text: str) -> set[str]:
    return {FACES[face] for face in re.findall(r"(?:10|[9JQKA])[♣♦♥♠]", text)}


@pytest.mark.parametrize("rules", RULES)
def test_no_hidden_card_is_shown(tmp_path: Path, rules: str) -> None:
    for seed in range(12):
        for game in random_session(tmp_path, seed, rules):
            if game.game.position.is_over:
                break
            scene = game.scene()
            view = scene.view
            hidden = set(CARDS) - set(view.hands[0]) - set(view.hands[1]) - set(view.played)
            hidden -= {view.turned, view.led, *view.known[3]}
            for draw in (draw_plain, draw_cards):
                assert not faces_in(shown(draw, scene)) & hidden
            assert not faces_in("".join(told(scene))) & hidden


def test_what_is_shown_is_right(tmp_path: Path) -> None:
    game = session(tmp_path, players=("Ana", "Boris"))
    for action in ("TH", "AH", "exchange"):
        game.play(Action(action))
    scene = game.scene()
    text = shown(draw_plain, scene)
    for part in ("Ana 0, Boris 0", "Q♠ 5 cards", "21 points, 1 trick", "9 face down, 9♠ turned up", "trumps are ♠ spades",
                 "Ana 10♥, Boris A♥: Boris took it", "1:10♠", "0 points, 0 tricks"):  # fmt: skip
        assert part in text
    assert told(scene) == [
        "You lead 10♥.", "Boris plays A♥.", "Boris takes the trick.", "You draw 9♣.", "Boris exchanges 9♠ for Q♠.",
    ] or told(scene)[-1] == "Boris exchanges 9♠ for Q♠."  # fmt: skip
    text = shown(draw_cards, scene)
    for part in ("Boris (beginner)", "│9♠ │", "│░░░│"):
        assert part in text


def test_every_ending_is_told(tmp_path: Path) -> None:
    """Whatever ends a hand under any rules, a sentence says so, with both hands and the score."""
    reasons = set()
    for rules in RULES:
        for seed in range(120):
            for game in random_session(tmp_path, seed, rules):
                if not game.game.position.is_over and seed % 3 == 0:
                    actions = game.game.legal_actions()
                    if "call" in actions and (seed % 2 or max(game.game.position.points) > 65):
                        game.game.play("call")
                        break
            outcome = game.game.position.outcome
            if outcome is None or outcome.reason in reasons:
                continue
            reasons.add(outcome.reason)
            for code in languages():
                with use_language(code):
                    text = shown(draw_ending, game.game, game.scene())
                assert len(text.splitlines()) >= 6
                for player in range(2):
                    assert set(game.game.position.hands[player]) <= faces_in(text)
    assert reasons >= {"call", "wrong call", "closing failed", "reached", "played out", "last trick"}


def test_the_table_needs_no_signs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An output that has ASCII alone gets a table in ASCII, and English."""
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LANGUAGE": "bg"}
    done = subprocess.run(
        [*COMMAND, "play", "--seed", "7", "--level", "easy", "--lead", "me", "--name", "Аня"],
        input=b"KC\nhint\n", env=environment, capture_output=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode("ascii")
    assert "KC" in text
    assert "trumps are S spades" in text


# ---------------------------------------------------------------- the computer


class Spy(Player):
    """One who writes down what it is shown."""

    def __init__(self) -> None:
        self.seen: list[Position] = []

    def choose(self, position: Position) -> Action:
        self.seen.append(position)
        return position.legal_actions()[0]

    def note(self, player: int, action: Action, before: Position) -> None:
        self.seen.append(before)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_computer_sees_its_own_view(tmp_path: Path, seat: int) -> None:
    game = session(tmp_path)
    game.seat = seat
    spy = Spy()
    game._computer = spy
    while not game.game.position.is_over:
        game.play(game.choose() if not game.awaits_person else game.game.legal_actions()[0])
    assert len(spy.seen) > 10
    for view in spy.seen:
        assert view == view.view(1 - seat)
        if view.facedown:
            assert not view.is_full
            assert view.hidden[seat]


def test_the_same_game_the_same_computer(tmp_path: Path) -> None:
    """What the computer does depends on the game alone: after undo and resume it does the same."""
    for level in ("beginner", "easy", "medium", "strong"):
        game = session(tmp_path, 11, level)
        while not game.game.position.is_over:
            if game.awaits_person:
                game.play(game.game.legal_actions()[0])
                continue
            first = game.choose()
            again = Session(Game.loads(game.game.dumps()), 0, level, tmp_path / "other.santase")
            assert again.choose() == game.choose() == first
            game.play(first)


def test_levels_are_legal_under_every_preset(tmp_path: Path) -> None:
    for rules in RULES:
        for level in LEVELS:
            game = session(tmp_path, 5, "policy" if level == "full" else level, rules=rules)
            while not game.game.position.is_over:
                game.play(game.choose() if not game.awaits_person else game.game.legal_actions()[0])


def test_levels_are_in_order() -> None:
    from santase.players import make_player

    pytest.importorskip("scipy", reason="the arena needs it")
    from santase.arena import arena

    names = list(LEVELS)
    assert names == ["beginner", "easy", "medium", "strong", "full"]
    for weaker, stronger in itertools.pairwise(names[:-1]):
        result = arena(LEVELS[stronger], LEVELS[weaker], deals=300, seed=3)
        assert result.mean > 0
    make_player(LEVELS["full"])


# ---------------------------------------------------------------- undo


def test_undo_goes_back_to_ones_own_decision(tmp_path: Path) -> None:
    game = session(tmp_path)
    with pytest.raises(SantaseError, match="nothing to take back"):
        game.undo()
    for action in ("TH", "AH"):
        game.play(Action(action))
    game.play(game.choose())
    before = game.scene()
    assert game.awaits_person or game.game.position.to_move == 1
    game.undo()
    assert (game.game.actions, game.awaits_person) == ((), True)
    assert before.view != game.scene().view
    assert Game.load(game.path) == game.game


def test_nothing_is_taken_back_once_both_hands_are_shown(tmp_path: Path) -> None:
    game = session(tmp_path)
    game.play(Action("call"))
    assert not game.can_undo
    game.next_hand()
    assert not game.can_undo
    with pytest.raises(SantaseError):
        game.undo()


def test_undo_where_the_computer_has_led(tmp_path: Path) -> None:
    game = session(tmp_path, dealer=0)
    game.play(game.choose())
    assert not game.can_undo


# ---------------------------------------------------------------- a whole match


@pytest.mark.parametrize("rules", ["santase", "santase-bg", "schnapsen"])
def test_a_match_in_a_pipe(monkeypatch: Any, capsys: Any, usual_folder: Path, rules: str) -> None:
    status, out, err = play(
        monkeypatch, capsys, random_words(1), "--seed", "3", "--level", "beginner", "--rules", rules
    )
    assert (status, err) == (0, "")
    (path,) = usual_folder.iterdir()
    game = Game.load(path)
    assert (game.is_over, str(game.rules), game.is_match, game.seed) == (True, rules, True, 3)
    assert f"The record is in {path}." in out
    winner = "You win the match" if game.winner == 0 else "Computer wins the match"
    assert winner in out
    assert len(re.findall(r"^Hand \d+ is over\.", out, re.M)) == len(game.hands)


def test_one_hand(monkeypatch: Any, capsys: Any, usual_folder: Path) -> None:
    status, out, _ = play(
        monkeypatch,
        capsys,
        random_words(2),
        "--hand",
        "--name",
        "Ana",
        "--opponent",
        "Boris",
        "--level",
        "easy",
    )
    assert status == 0
    (path,) = usual_folder.iterdir()
    game = Game.load(path)
    assert (game.is_over, game.is_match, game.players) == (True, False, ("Ana", "Boris"))
    assert "wins the match" not in out


def test_a_match_in_bulgarian(monkeypatch: Any, capsys: Any) -> None:
    status, out, err = play(monkeypatch, capsys, random_words(4), "--lang", "bg", "--level", "beginner")
    assert (status, err, language()) == (0, "", "en")
    answers = [line for line in out.splitlines() if not line.startswith(">")]
    words = set(re.findall(r"[A-Za-z]{2,}", " ".join(answers)))
    # the rules' name, the key, words of the path, and the letters of cards
    assert words <= {"santase", "Enter", *re.findall(r"[A-Za-z]{2,}", answers[-1]), *CARDS, "KS"}


def test_who_leads(monkeypatch: Any, capsys: Any, usual_folder: Path) -> None:
    for lead, dealer in (("me", 1), ("computer", 0)):
        for path in usual_folder.glob("*"):
            path.unlink()
        assert play(monkeypatch, capsys, "", "--lead", lead, "--level", "easy")[0] == 0
        (path,) = usual_folder.iterdir()
        assert Game.load(path).dealer == dealer
    dealers = set()
    for seed in range(6):
        play(
            monkeypatch,
            capsys,
            "",
            "--seed",
            str(seed),
            "--level",
            "easy",
            "--file",
            str(usual_folder / f"{seed}"),
        )
        dealers.add(Game.load(usual_folder / f"{seed}").dealer)
    assert dealers == {0, 1}


def test_a_wrong_call_is_asked_back_about(monkeypatch: Any, capsys: Any, usual_folder: Path) -> None:
    options = ("--seed", "7", "--lead", "me", "--level", "easy", "--hand")
    _, out, _ = play(monkeypatch, capsys, "call\nhint\ncall\nquit\n", *options)
    assert out.count("a wrong call loses the hand") == 2
    assert "is over" not in out
    for between in ("nonsense", "close", "no", "score", "table"):
        _, out, _ = play(monkeypatch, capsys, f"call\n{between}\ncall\nquit\n", *options)
        assert out.count("a wrong call loses the hand") == 2, between
        assert "is over" not in out
    for answer in ("call", "yes", "66"):
        _, out, _ = play(monkeypatch, capsys, f"call\n{answer}\n", *options)
        assert "You called 66 with only 0 points." in out
        assert "Computer scores 3 game points." in out
    _, out, _ = play(monkeypatch, capsys, "yes\nno\nquit\n", *options)
    assert "is over" not in out


def test_the_other_orders(monkeypatch: Any, capsys: Any, tmp_path: Path) -> None:
    copy = tmp_path / "A copy.txt"
    typed = f"help\nscore\ntricks\nnext\nKC\ntricks\nsave {copy}\nsave {copy}\nsave\nsave {tmp_path}/no/x\nundo\nundo\nquit\n"
    status, out, err = play(monkeypatch, capsys, typed, "--seed", "7", "--lead", "me", "--level", "easy")
    assert (status, err) == (0, "")
    for text in ("back to your last decision", "No trick has been played.", "The hand is not over.", f"Saved in {copy}.",
                 f"{copy} is there already", "It cannot be saved: ", "Taken back.", "There is nothing to take back.",
                 "Go on with: santase play --resume "):  # fmt: skip
        assert text in out
    assert Game.load(copy).actions[0] == "KC"


def test_the_hint_is_the_analysis_of_the_view(monkeypatch: Any, capsys: Any) -> None:
    from santase import analyze

    _, out, _ = play(monkeypatch, capsys, "hint\nquit\n", "--seed", "7", "--lead", "me", "--hand")
    analysis = analyze(START, worlds=4000, seed=1)
    assert f"› {card_face(analysis.best)}" in out
    assert f"{analysis.actions[analysis.best].mean:+.2f}".replace("-", "−") in out
    assert "from 4,000 sampled deals" in out
    assert "wins the match" not in out


def test_the_hint_goes_by_what_the_computer_has_played(monkeypatch: Any, capsys: Any, tmp_path: Path) -> None:
    from santase import analyze

    file = tmp_path / "game"
    options = ("--seed", "7", "--lead", "me", "--hand", "--level", "easy", "--file", str(file))
    _, out, _ = play(monkeypatch, capsys, "KC\nhint\nquit\n", *options)
    game = Game.load(file)
    assert game.position.to_move == 0 and game.history()
    told = analyze(game.view(), worlds=4000, seed=1, history=game.history())
    untold = analyze(game.view(), worlds=4000, seed=1)
    assert told.actions != untold.actions
    for action, estimate in told.actions.items():
        if action.kind == "play":
            assert re.search(
                rf"{card_face(action)} +{estimate.mean:+.2f}".replace("-", "−").replace("+0", r"\+?0"), out
            )


def test_a_finished_record_is_left_as_it_was(monkeypatch: Any, capsys: Any, tmp_path: Path) -> None:
    record = Path(__file__).parent.parent / "examples" / "hand.txt"
    copy = tmp_path / "hand.txt"
    copy.write_bytes(b"santase record 1  # a comment of mine\n" + record.read_bytes().partition(b"\n")[2])
    before = copy.read_bytes()
    status, out, err = play(monkeypatch, capsys, "", "--resume", str(copy))
    assert (status, err) == (0, "") and "Boris scores 1 game point." in out
    assert copy.read_bytes() == before


def test_how_to_go_on_can_be_pasted(monkeypatch: Any, capsys: Any, tmp_path: Path) -> None:
    import shlex

    file = tmp_path / "моя игра.santase"
    _, out, _ = play(monkeypatch, capsys, "quit\n", "--seed", "7", "--file", str(file))
    told = next(line for line in out.splitlines() if "Go on with: " in line)
    if sys.platform != "win32":
        assert shlex.split(told.partition("Go on with: ")[2]) == ["santase", "play", "--resume", str(file)]


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("width", [34, 40, 60, 80])
def test_a_narrow_terminal_loses_no_word(tmp_path: Path, width: int, code: str) -> None:
    """What stands beside the cards on a wide terminal stands below them on a narrow one."""
    from rich.console import Console

    def words(columns: int, scene: Any) -> list[str]:
        file = io.StringIO()
        draw_cards(Console(file=file, width=columns, highlight=False), scene)
        text = file.getvalue()
        assert max(map(len, text.splitlines())) <= columns
        return sorted(re.findall(r"[^\s│╭╮╰╯─░]+", text))

    with use_language(code):
        for seed in range(6):
            for game in random_session(tmp_path, seed):
                if not game.game.position.is_over:
                    assert words(width, game.scene()) == words(200, game.scene())


def test_the_other_actions_wrap(tmp_path: Path) -> None:
    most = 0
    for seed in range(30):
        for game in random_session(tmp_path, seed):
            if not game.awaits_person:
                continue
            menu = Menu(game.scene().view, 0)
            text = "".join(part for _style, part in menu.fragments(40))
            assert max(len(line.rstrip()) for line in text.splitlines()) <= 40
            assert all(phrase in text for _action, phrase in menu.others)
            most = max(most, len(menu.others))
    assert most >= 3


# ---------------------------------------------------------------- garbage


LINES = st.one_of(
    st.binary(max_size=40),
    st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.sampled_from([b"KC", b"1", b"2", b"call", b"close", b"undo", b"hint\x00", b"save", b"", b"marriage", b"exchange", b"20"]),
)  # fmt: skip


@pytest.mark.thread_unsafe(reason="standard streams belong to the process")
@given(st.lists(LINES, max_size=25), st.sampled_from(languages()))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_garbage_harms_nothing(tmp_path: Path, lines: list[bytes], code: str) -> None:
    """Whatever comes in: no error, and in the file a game that can be read and that is as far as was shown."""
    path = tmp_path / f"{os.urandom(8).hex()}.santase"
    # but not what writes files where it likes
    lines = [
        line for line in lines if line.strip() == b"save" or not line.lower().lstrip().startswith(b"save")
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n".join(lines))))
        patch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
        status = main(
            ["play", "--seed", "7", "--lead", "me", "--level", "easy", "--file", str(path), "--lang", code]
        )
        sys.stdout.flush()
        assert b"Traceback" not in sys.stdout.buffer.getvalue()  # type: ignore[attr-defined]
    assert status == 0
    Game.load(path)


def test_garbage_changes_nothing(monkeypatch: Any, capsys: Any, tmp_path: Path) -> None:
    path = tmp_path / "game"
    options = ("--level", "easy", "--file", str(path))
    garbage = (
        b"\x00\xff\nKCKC\n\xf0\x9f\x82\xa1\nclose close\n99999999999999999999\n" + b"x" * 100_000 + b"\nAS\n"
    )
    status, out, err = play(monkeypatch, capsys, garbage, "--seed", "7", "--lead", "me", *options)
    assert (status, err) == (0, "")
    assert Game.load(path).actions == ()
    assert out.count("I do not understand") == 5
    assert "\x00" not in out


# ---------------------------------------------------------------- files


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--level", "grandmaster"], "--level: no level is called 'grandmaster'; there are beginner, easy"),
        (["--level", "cheat"], "--level: cheat sees all cards"),
        (["--level", "santase:worlds=0"], "--level: santase:worlds=0"),
        (["--rules", "bridge"], "no preset is called 'bridge'"),
        (["--lead", "you"], "--lead: me, computer or random is needed"),
        (["--seed", "-1"], "--seed: a number from 0"),
        (["--name", ""], "a name is of 1 to 60"),
        (["--name", "a#b"], "a name is of 1 to 60"),
        (["--seat", "1"], "--seat: only a game that is resumed"),
        (["--resume", "last"], "--resume: there is no unfinished game"),
        (["--resume", "last", "--seat", "2"], "--seat: 0 or 1"),
        (["--resume", "last", "--rules", "schnapsen"], "--rules: a game that is resumed has it already"),
        (["--resume", "last", "--hand"], "--hand: a game that is resumed has it already"),
        (["now"], "now"),
    ],
)  # fmt: skip
def test_bad_options(
    monkeypatch: Any, capsys: Any, usual_folder: Path, arguments: list[str], reason: str
) -> None:
    status, out, err = play(monkeypatch, capsys, "", *arguments)
    assert (status, out) == (2, "")
    assert reason in err
    assert err.count("\n") == 1
    assert not usual_folder.exists()


def test_files_that_are_no_games(monkeypatch: Any, capsys: Any, tmp_path: Path) -> None:
    for number, (data, reason) in enumerate(
        ((b"", "empty"), (b"\xff", "UTF-8"), (b"hello", "a record begins with"), (b"santase record 1\nrules: bridge\n", "line 2"))
    ):  # fmt: skip
        path = tmp_path / str(number)
        path.write_bytes(data)
        status, out, err = play(monkeypatch, capsys, "", "--resume", str(path))
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert reason in err
        assert path.read_bytes() == data
    assert play(monkeypatch, capsys, "", "--resume", str(tmp_path / "none"))[0] == 1
    status, _, err = play(monkeypatch, capsys, "", "--file", str(tmp_path / "0"))
    assert status == 2
    assert "is there already" in err
    status, _, err = play(monkeypatch, capsys, "", "--file", str(tmp_path / "no" / "game"))
    assert (status, err.count("\n")) == (1, 1)


def test_resume_goes_on(monkeypatch: Any, capsys: Any, tmp_path: Path, usual_folder: Path) -> None:
    """A match in many sittings is the match in one."""
    words = random_words(9, 600).splitlines()
    options = ("--seed", "5", "--level", "easy")
    play(monkeypatch, capsys, "\n".join(words), *options, "--file", str(tmp_path / "one"))
    play(monkeypatch, capsys, "\n".join(words[:7]), *options)
    (path,) = usual_folder.iterdir()
    for start in range(7, 600, 50):
        assert not Game.load(path).is_over
        status, _, err = play(monkeypatch, capsys, "\n".join(words[start : start + 50]), "--resume", "last")
        if err:
            break
        assert status == 0
        if Game.load(path).is_over:
            break
    assert Game.load(path) == Game.load(tmp_path / "one") or not Game.load(tmp_path / "one").is_over


def test_what_a_file_says_beside_the_record(tmp_path: Path) -> None:
    game = session(tmp_path, level="easy")
    game.seat = 1
    game.save()
    assert game.path.read_text(encoding="utf-8").splitlines()[1] == "# santase play: seat 1, level easy"
    assert Game.load(game.path) == game.game
    loaded = kept.load(game.path)
    assert (loaded.seat, loaded.level) == (1, "easy")
    with_blanks = session(tmp_path, level="ismcts:worlds=20,closes=no")
    with_blanks.level = "program:one two --three"
    assert kept._COMMENT.search(with_blanks.text())[2] == "program:one two --three"  # type: ignore[index]
    loaded = kept.load(game.path, seat=0, level="strong")
    assert (loaded.seat, loaded.level) == (0, "strong")
    game.game.save(tmp_path / "bare")
    loaded = kept.load(tmp_path / "bare")
    assert (loaded.seat, loaded.level) == (0, "full")


def test_another_game_that_waits_is_mentioned(monkeypatch: Any, capsys: Any, usual_folder: Path) -> None:
    play(monkeypatch, capsys, "", "--seed", "1", "--level", "easy")
    (first,) = usual_folder.iterdir()
    _, out, _ = play(monkeypatch, capsys, "", "--seed", "2", "--level", "easy")
    assert f"Another game is not over: santase play --resume {first}" in out
    assert len(list(usual_folder.iterdir())) == 2


def test_what_another_wrote_is_kept(tmp_path: Path) -> None:
    """Two sittings at one file: the second finds its own name, and no game is lost."""
    first = session(tmp_path)
    first.save()
    second = kept.load(first.path)
    first.play(Action("TH"))
    second.play(Action("KC"))
    assert second.path != first.path
    assert Game.load(first.path).actions == ("TH",)
    assert Game.load(second.path).actions == ("KC",)
    third = session(tmp_path)
    third.save()
    assert third.path not in (first.path, second.path)


def test_a_disk_that_fails_is_said_and_the_game_goes_on(
    monkeypatch: Any, capsys: Any, tmp_path: Path
) -> None:
    written = []

    def failing(path: str, data: bytes) -> None:
        written.append(path)
        if len(written) in (2, 3, 4):
            raise OSError(28, "No space left on device", path)
        Path(path).write_bytes(data)

    monkeypatch.setattr(kept, "replace_file", failing)
    path = tmp_path / "game"
    status, out, err = play(
        monkeypatch, capsys, "KC\n1\n", "--seed", "7", "--lead", "me", "--level", "easy", "--file", str(path)
    )
    assert (status, err) == (0, "")
    assert out.count("The game cannot be saved: ") == 1
    assert "No space left on device" in out
    assert len(Game.load(path).actions) >= 3


# ---------------------------------------------------------------- the process


def start(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.Popen([*COMMAND, "play", *arguments], **streams)


def wait_for(path: Path, actions: int) -> Game:
    """The game in a file, once it has so many actions or hands more."""
    for _ in range(600):
        if path.exists():
            game = Game.load(path)
            if sum(len(hand.actions) for hand in game.hands) + len(game.actions) >= actions:
                return game
        time.sleep(0.05)
    raise AssertionError(f"{path} has not come to {actions} actions")


@posix
def test_killed_in_the_middle_of_a_match(tmp_path: Path) -> None:
    """Killed without warning at any moment, again and again: nothing that was done is lost."""
    path = tmp_path / "game.santase"
    arguments = ["--seed", "5", "--level", "easy", "--file", str(path)]
    chance = random.Random(1)
    done = 0
    sittings = 0
    while sittings < 8:
        with start(*arguments) as process:
            assert process.stdin is not None
            for word in random_words(sittings, 400).splitlines():
                if process.poll() is not None:
                    break
                process.stdin.write(f"{word}\n".encode())
                process.stdin.flush()
                if path.exists() and chance.random() < 0.05:
                    break
            if sittings == 0:
                wait_for(path, 1)
            process.send_signal(signal.SIGKILL)
            process.wait()
            assert process.stdout is not None and process.stderr is not None
            out, err = process.stdout.read(), process.stderr.read()
        assert err == b""
        game = Game.load(path)
        finished = len(game.hands)
        assert finished >= done or b"Taken back" in out
        done = finished
        if game.is_over:
            break
        arguments = ["--resume", str(path)]
        sittings += 1
    with start("--resume", str(path)) as process:
        out, err = process.communicate(random_words(99).encode())
    assert (process.returncode, err) == (0, b"")
    assert Game.load(path).is_over
    assert not list(tmp_path.glob("*.tmp")) or sittings


@posix
@pytest.mark.parametrize("level", ["easy", "santase:time=30"])
def test_an_interrupt_saves_and_leaves(tmp_path: Path, level: str) -> None:
    """While the person is asked, and while the computer thinks."""
    path = tmp_path / "game.santase"
    with start("--seed", "7", "--lead", "me", "--level", level, "--file", str(path)) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(b"KC\n")
        process.stdin.flush()
        wait_for(path, 1)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130
        assert process.stderr.read() == b""
        assert f"Saved. Go on with: santase play --resume {path}".encode() in process.stdout.read()
    assert Game.load(path).actions[0] == "KC"


# ---------------------------------------------------------------- a real terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Any]:
    """Starts the command on a terminal of 80 by 24 and shows what stands on its screen."""
    pexpect = pytest.importorskip("pexpect", reason="a terminal is played on with pexpect")
    pyte = pytest.importorskip("pyte", reason="a screen is read with pyte")
    if os.name == "nt":
        pytest.skip("terminals as on POSIX")
    opened = []

    class Terminal:
        def __init__(self, *arguments: str, **variables: str) -> None:
            environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CI")}
            environment |= {
                "TERM": "xterm-256color",
                "PYTHONUTF8": "1",
                "PROMPT_TOOLKIT_NO_CPR": "1",
            } | variables
            self.process = pexpect.spawn(
                COMMAND[0], [*COMMAND[1:], *arguments], env=environment, dimensions=(24, 80), timeout=30
            )
            self.screen = pyte.Screen(80, 24)
            self.stream = pyte.ByteStream(self.screen)
            self.raw = b""
            opened.append(self.process)

        def text(self) -> str:
            return "\n".join(line.rstrip() for line in self.screen.display)

        def read(self) -> None:
            try:
                part = self.process.read_nonblocking(1 << 16, 0.1)
            except pexpect.TIMEOUT:
                return
            self.raw += part
            self.stream.feed(part)

        def wait(self, *texts: str) -> str:
            """Read until all this stands on the screen."""
            end = time.monotonic() + 60
            while not all(text in self.text() for text in texts):
                assert time.monotonic() < end, f"{texts} not on the screen:\n{self.text()}"
                try:
                    self.read()
                except pexpect.EOF:
                    assert all(text in self.text() for text in texts), self.text()
            return self.text()

        def send(self, keys: str) -> None:
            self.process.send(keys)

        def end(self) -> int:
            end = time.monotonic() + 60
            while time.monotonic() < end:
                try:
                    self.read()
                except pexpect.EOF:
                    break
            self.process.close()
            return int(self.process.exitstatus)

    yield Terminal
    for process in opened:
        process.close(force=True)


RIGHT, LEFT, UP, DOWN = "\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B"


def test_arrows_on_a_terminal(terminal: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.santase"
    screen = terminal("play", "--seed", "7", "--lead", "me", "--level", "easy", "--file", str(path))
    text = screen.wait("│10♠││10♥││Q♥ ││J♥ ││10♦││K♣ │", "call 66", "\n>")
    for part in (
        "Computer (easy)",
        "talon: 11 face down",
        "trumps are ♠ spades",
        "│Q♠ │",
        "arrows and Enter",
    ):
        assert part in text
    assert b"\x1b[" in screen.raw
    screen.send(RIGHT + RIGHT + RIGHT + LEFT + "\r")
    screen.wait("You lead Q♥.")
    assert Game.load(path).actions[0] == "QH"
    screen.wait("\n>")
    screen.send("hint\r")
    screen.wait("game points", "wins the hand")
    screen.send("undo\r")
    screen.wait("Taken back.", "talon: 11 face down")
    screen.send("foo\r")
    screen.wait("I do not understand 'foo'")
    screen.send("10d\r")
    screen.wait("You lead 10♦.")
    screen.send("\x03")
    screen.wait("Saved. Go on with")
    assert screen.end() == 130
    assert Game.load(path).actions[0] == "TD"
    # another day
    screen = terminal("play", "--resume", str(path), "--lang", "bg")
    screen.wait("Излизаш с 10♦.", "стрелки и Enter")
    screen.send("\x04")
    screen.wait("Записано. Продължава се")
    assert screen.end() == 0


def test_a_hand_to_its_end_on_a_terminal(terminal: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.santase"
    screen = terminal("play", "--seed", "7", "--lead", "me", "--level", "easy", "--file", str(path))
    screen.wait("call 66", "\n>")
    screen.send(DOWN + "\r")
    screen.wait("a wrong call loses the hand")
    screen.send(UP + "\r")
    screen.wait(
        "You called 66 with only 0 points.", "Computer scores 3 game points.", "Enter for the next hand"
    )
    screen.send("undo\r")
    screen.wait("nothing is taken back any more")
    screen.send("\r")
    screen.wait("Hand 2")
    screen.wait("arrows and Enter")
    screen.send("quit\r")
    screen.wait("Saved.")
    assert screen.end() == 0
    assert Game.load(path).hand_number == 2


@pytest.mark.parametrize("settings", [{"TERM": "dumb"}, {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}])
def test_a_plain_terminal(terminal: Any, tmp_path: Path, settings: dict[str, str]) -> None:
    path = tmp_path / "game.santase"
    screen = terminal(
        "play", "--seed", "7", "--lead", "me", "--level", "easy", "--file", str(path), **settings
    )
    screen.wait("Talon", "11 face down", "\n>")
    screen.send("kc\r")
    screen.wait("You lead K")
    screen.send("\x04")
    screen.wait("Saved.")
    assert screen.end() == 0
    assert b"\x1b[H" not in screen.raw
    assert Game.load(path).actions[0] == "KC"


def test_the_menu(tmp_path: Path) -> None:
    menu = Menu(START, 0)
    assert menu.chosen == "TS"
    menu.move(-1)
    assert menu.chosen == "call"
    menu.jump()
    assert menu.chosen == "TS"
    menu.jump()
    assert menu.chosen == "call"
    menu.move(1)
    assert menu.chosen == "TS"
    # all that may be done can be chosen, and nothing else
    restricted = 0
    for seed in range(20):
        for game in random_session(tmp_path, seed):
            if game.awaits_person:
                view = game.scene().view
                menu = Menu(view, 0)
                assert sorted(menu.choices) == sorted(view.legal_actions())
                restricted += not all(menu.legal)
                assert card_face(view.hands[0][0]) in "".join(text for _style, text in menu.fragments())
    assert restricted


def test_a_scene_holds_views_alone(tmp_path: Path) -> None:
    for game in random_session(tmp_path, 3):
        scene = game.scene()
        assert isinstance(scene, Scene)
        for view in (scene.view, *(view for view, _action in scene.past)):
            assert view == view.view(0)
