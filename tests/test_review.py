"""Reviews: costs that are right, no card known too early, and the command."""

import io
import json
import math
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from remembered import random_game, remembered

from santase import Game, Position, SantaseError, analyze, sample_worlds, solve
from santase.cli import main
from santase.memory import Recollection, RememberedHand, Step, recall
from santase.review import NOISE, Decision, Review, expectations, review
from santase.review_words import explain

COMMAND = [sys.executable, "-P", "-m", "santase"]


@pytest.fixture(scope="module")
def game() -> Game:
    return random_game(14, "santase")


@pytest.fixture(scope="module")
def found(game: Game) -> Review:
    return review(game, worlds=60, seed=1)


@pytest.fixture
def record(game: Game, tmp_path: Path) -> Path:
    path = tmp_path / "hand.txt"
    game.save(path)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    out, err = capsys.readouterr()
    return status, out, err


# ---------------------------------------------------------------- the library


def test_every_decision_is_there_and_judged(game: Game, found: Review) -> None:
    assert [decision.action for decision in found.decisions] == list(game.actions)
    position = game.deal
    for decision in found.decisions:
        assert decision.step.view == position.view()
        assert decision.analysis is not None and decision.analysis.position == position.view()
        assert (decision.player, decision.phase) == (position.to_move, position.phase)
        assert decision.verdict in ("best", "even", "mistake", "forced")
        assert (decision.verdict == "forced") == (len(position.legal_actions()) == 1)
        position = position.play(decision.action or "")


def test_open_values_are_those_of_the_solver(found: Review) -> None:
    for decision in found.decisions:
        assert decision.step.full is not None and decision.action is not None
        solution = solve(decision.step.full)
        assert decision.open_value == solution.value
        assert decision.open_chosen == solution.actions[decision.action]


def test_exact_costs(found: Review) -> None:
    """Once nothing is hidden the cost is the difference of exact values, and has no error."""
    late = [decision for decision in found.decisions if decision.phase == "exhausted"]
    assert late
    for decision in late:
        assert decision.open_value is not None and decision.open_chosen is not None
        assert decision.cost == decision.open_value - decision.open_chosen
        assert decision.stderr == 0
        assert (decision.cost > 0) == (decision.verdict == "mistake")


def test_a_known_mistake_is_found() -> None:
    """Calling with 0 points at the first lead loses 3 for certain."""
    game = Game("santase", seed=7)
    game.play("call")
    (decision,) = review(game, worlds=400, seed=2).decisions
    assert decision.verdict == "mistake"
    best = analyze(game.deal.view(), worlds=1000, seed=5)
    expected = best.actions[best.best].mean + 3
    assert abs(decision.cost - expected) < 4 * (decision.stderr + best.actions[best.best].stderr)
    assert decision.expected_chosen is not None and decision.expected_chosen.distribution == {-3: 1.0}


def test_a_difference_within_the_noise_is_no_mistake() -> None:
    """The verdict goes by the cost in standard errors, whatever its size."""
    game = Game("santase", seed=7)
    game.play("call")
    (decision,) = review(game, worlds=10).decisions
    comparison = decision.comparison
    assert comparison is not None
    for difference, stderr, verdict in (
        (0.5, 0.2, "even"), (0.5, 0.1, "mistake"), (0.0, 0.0, "even"), (-0.5, 0.1, "even"),
        (1.0, 0.0, "mistake"), (0.5, math.inf, "even"),
    ):  # fmt: skip
        told = type(comparison)(comparison.first, comparison.second, difference, stderr, 10, False)
        judged = Decision(1, 1, decision.step, decision.analysis, told, None)
        assert judged.verdict == verdict


def test_what_was_best_does_not_depend_on_cards_the_player_could_not_know(game: Game) -> None:
    """The hidden cards are dealt anew, so that the player sees the same: the judgement is the same."""
    position = game.deal
    for action in game.actions[:4]:
        view = position.view()
        answers = set()
        for world in [position, *sample_worlds(view, 3, seed=4)]:
            step = Step(view.to_move, action, 1, (world.view(0), world.view(1)), world)
            record = Recollection(view.rules, False, None, (RememberedHand(1, 1, (step,), None),))
            (decision,) = review(record, worlds=40, seed=3).decisions
            answers.add((decision.best, decision.cost, decision.stderr, decision.verdict))
        assert len(answers) == 1
        position = position.play(action)


def test_memory_changes_nothing_for_the_one_who_wrote_it(game: Game, found: Review) -> None:
    again = review(remembered(game, 0), worlds=60, seed=1, player=0)
    mine = [decision for decision in found.decisions if decision.player == 0]
    assert len(again.decisions) == len(mine) > 3
    for decision, right in zip(again.decisions, mine, strict=True):
        assert (decision.best, decision.cost, decision.verdict) == (right.best, right.cost, right.verdict)


def test_what_is_unknown_is_not_judged(game: Game) -> None:
    text = remembered(game, 0, draws="none", points=False)
    decisions = review(text, worlds=20, seed=1).decisions
    unseen = [decision for decision in decisions if decision.step.view is None]
    assert unseen
    for decision in unseen:
        assert (decision.verdict, decision.best, decision.analysis) == ("unknown", None, None)
        assert math.isnan(decision.cost) and math.isnan(decision.stderr)
        assert "does not tell" in " ".join(explain(decision, Review(recall(text), ())))


def test_a_card_that_is_not_known_is_not_judged() -> None:
    text = (
        "santase record 1\nrules: santase\nplay: hand\nhand 1: 1 deals\n"
        "deal: santase A.AK9.Q.9 +6 ?11 JS ... 0 0/0 0/0 0/0 -\n1. 0: ?\n"
    )
    (decision,) = review(text, worlds=20).decisions
    assert (decision.action, decision.verdict) == (None, "unknown")
    assert decision.best is not None
    assert "not known" in explain(decision, Review(recall(text), ()))[0]


def test_tallies_add_up(found: Review) -> None:
    assert found.tally().decisions == len(found.decisions)
    for player in (0, 1):
        parts = [found.tally(player, phase) for phase in ("open", "closed", "exhausted")]
        total = found.tally(player)
        assert sum(part.decisions for part in parts) == total.decisions
        assert sum(part.cost for part in parts) == pytest.approx(total.cost)
        assert sum(part.stderr**2 for part in parts) == pytest.approx(total.stderr**2)
        assert total.judged == total.best + total.even + total.mistakes
    mistakes = found.mistakes()
    assert [decision.cost for decision in mistakes] == sorted((d.cost for d in mistakes), reverse=True)
    assert all(decision.cost > NOISE * decision.stderr for decision in mistakes)
    assert found.mistakes(0, 1) == [d for d in mistakes if d.player == 0][:1]


def test_the_same_seed_gives_the_same_review(game: Game, found: Review) -> None:
    def told(some: Review) -> list[tuple[object, ...]]:
        return [(d.best, d.cost, d.stderr, d.verdict) for d in some.decisions]

    assert told(review(game, worlds=60, seed=1)) == told(found)


def test_expectations_are_for_one_player(found: Review) -> None:
    mine = list(expectations(found.decisions, 0))
    theirs = list(expectations(found.decisions, 1))
    assert [(-a, -b) for a, b in theirs] == mine
    first = found.decisions[0]
    assert first.expected is not None and mine[0][0] == (1 - 2 * first.player) * first.expected.mean


@pytest.mark.parametrize(
    "wrong", [{"worlds": 1}, {"worlds": 2.0}, {"time": 0}, {"time": -1}, {"player": 2}, {"seed": -1}]
)
def test_parameters_are_checked(game: Game, wrong: dict[str, object]) -> None:
    with pytest.raises(SantaseError):
        review(game, **({"worlds": 4} | wrong))  # type: ignore[arg-type]


def test_progress_is_reported_and_ends_it(game: Game) -> None:
    seen: list[tuple[int, int]] = []
    review(game, worlds=4, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(n, len(game.actions)) for n in range(len(game.actions) + 1)]

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        review(game, worlds=4, progress=stop)


def test_sentences_for_every_verdict(found: Review) -> None:
    for decision in found.decisions:
        sentences = explain(decision, found)
        assert all(sentence.endswith(".") for sentence in sentences)
        assert ("the choice cost" in " ".join(sentences)) == (decision.verdict == "mistake")


# ---------------------------------------------------------------- the command


def test_for_people(capsys: pytest.CaptureFixture[str], record: Path) -> None:
    status, out, err = run(capsys, "review", str(record), "--worlds", "20")
    assert (status, err) == (0, "")
    assert "hand 1 · " in out and re.search("talon +exhausted", out) and "points lost" in out
    # cards are called the same in the table and in the sentences
    assert not re.search(r"\bT[♣♦♥♠]", out)


@pytest.mark.parametrize("code", ["en", "bg"])
def test_no_word_is_broken_in_a_terminal(capsys: pytest.CaptureFixture[str], record: Path, code: str) -> None:
    status, out, err = run(capsys, "--lang", code, "review", str(record), "--worlds", "20")
    assert (status, err) == (0, "")
    lines = [line.strip() for line in out.splitlines()]
    start = next(number for number, line in enumerate(lines) if line.startswith("──"))
    rows = lines[start + 1 : start + 1 + lines[start + 1 :].index("", lines[start + 1 :].index("") + 1)]
    assert len(rows) > 20
    # no row is continued on the next, and none cut off; between them is what becomes of the talon alone
    others = [row for row in rows if row and not re.search("[♣♦♥♠]", row)]
    assert all(re.fullmatch(r"(?:talon|талон) +\w+|.*(?:±|–|=).*", row) for row in others), others
    assert not any("…" in row for row in rows)
    if code == "bg":
        assert not re.search(r"\b(?:exchange|close|call|marriage|player)\b", out)


def test_the_numbers_of_a_mistake_differ(found: Review) -> None:
    for decision in found.decisions:
        for sentence in explain(decision, found):
            shares = re.findall(r"\d+ %", sentence)
            assert len(shares) < 2 or shares[0] != shares[1], sentence


def test_who_the_computer_was(capsys: pytest.CaptureFixture[str], tmp_path: Path, game: Game) -> None:
    """A game of santase play has no names but says who sat where; JSON is what the record says."""
    text = game.dumps()
    assert game.players is None
    for seat, first in ((0, "Player"), (1, "Computer")):
        file = tmp_path / f"{seat}.santase"
        file.write_text(text.replace("\n", f"\n# santase play: seat {seat}, level easy\n", 1), "utf-8")
        page = tmp_path / f"{seat}.html"
        status, out, _err = run(capsys, "review", str(file), "--worlds", "4", "--html", str(page))
        assert status == 0
        rows = [line for line in out.splitlines() if re.match(r" +1  ", line)]
        other = {"Player": "Computer", "Computer": "Player"}[first]
        assert rows[0].split()[1] == (first if game.deal.leader == 0 else other)
        assert f"The page is in {page}." in out and f"<h1>{first} and " in page.read_text("utf-8")
        status, out, _err = run(capsys, "review", str(file), "--worlds", "4", "--json")
        assert json.loads(out.splitlines()[-1])["players"] is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_record_that_can_be_read_but_once(tmp_path: Path, game: Game) -> None:
    """A pipe, as ``<(…)`` makes one: nothing is left in it for a second look."""
    text = game.dumps().replace("\n", "\n# santase play: seat 0, level easy\n", 1)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(text, "utf-8"), daemon=True)
    writer.start()
    done = subprocess.run(
        [*COMMAND, "--lang", "en", "review", str(pipe), "--worlds", "2"],
        capture_output=True, text=True, encoding="utf-8", timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "") and "Computer" in done.stdout


def test_for_programs(capsys: pytest.CaptureFixture[str], record: Path, game: Game) -> None:
    status, out, _err = run(capsys, "review", str(record), "--worlds", "20", "--json", "--player", "1")
    assert status == 0
    *decisions, summary = [json.loads(line) for line in out.splitlines()]
    assert len(decisions) == sum(1 for step in recall(game).hands[0].steps if step.player == 1)
    for decision in decisions:
        assert Position.parse(decision["view"]).to_move == decision["player"] == 1
        assert decision["verdict"] in ("best", "even", "mistake", "forced")
        assert decision["best"] in decision["actions"]
        assert decision["open"]["value"] == max(decision["open"]["actions"].values())
    assert summary["summary"][1]["all"]["decisions"] == len(decisions)


def test_errors_that_are_not_known(capsys: pytest.CaptureFixture[str], record: Path) -> None:
    """Two worlds leave one for each half of a decision: no standard error, whatever shows it."""
    status, out, _err = run(capsys, "review", str(record), "--worlds", "2")
    assert status == 0 and " ± –" in out and "inf" not in out
    page = record.with_suffix(".html")
    status, out, _err = run(capsys, "review", str(record), "--worlds", "2", "--html", str(page))
    assert status == 0 and " ± –" in page.read_text("utf-8") and " ± inf" not in page.read_text("utf-8")


@pytest.mark.thread_unsafe(reason="standard input is the process's")
def test_from_standard_input_by_name(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, game: Game
) -> None:
    text = remembered(game, 1).replace("play: hand", "play: hand\nplayer 0: Ana\nplayer 1: Boris")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
    status, out, _err = run(capsys, "review", "-", "--worlds", "4", "--player", "Boris")
    assert status == 0 and "Boris" in out


def test_bad_input(capsys: pytest.CaptureFixture[str], record: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("santase record 1\nrules: chess\n", "utf-8")
    latin = tmp_path / "latin.txt"
    latin.write_bytes(b"santase record 1\n\xe9")
    for arguments, message in (
        ((str(wrong),), "santase: line 2: rules: no preset is called 'chess'"),
        ((str(latin),), "santase: line 2: not text in UTF-8"),
        ((str(record), "--worlds", "1"), "santase: --worlds: a number from 2"),
        ((str(record), "--time", "0"), "santase: --time: seconds, more than 0"),
        ((str(record), "--time", "nan"), "santase: --time: seconds, more than 0"),
        ((str(record), "--seed", "-1"), "santase: --seed"),
        ((str(record), "--player", "Zoe"), "santase: --player: 0 or 1 is needed, not 'Zoe'"),
    ):
        status, out, err = run(capsys, "review", *arguments)
        assert (status, out) == (2, "")
        assert err.startswith(message) and err.count("\n") == 1
    status, _out, err = run(capsys, "review", str(tmp_path / "none.txt"))
    assert status == 1 and "none.txt" in err


def test_a_page_that_cannot_be_written(
    capsys: pytest.CaptureFixture[str], record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told before anything is judged."""
    file = tmp_path / "file"
    file.write_text("", "utf-8")
    wrong = [str(tmp_path / "no" / "page.html"), str(tmp_path), str(file / "page.html")]
    if os.name == "posix" and os.geteuid() != 0:
        locked = tmp_path / "locked"
        locked.mkdir(0o555)
        wrong.append(str(locked / "page.html"))

    def nothing(*_arguments: object, **_options: object) -> None:
        raise AssertionError("it was judged")

    monkeypatch.setattr("santase.review.review", nothing)
    for place in wrong:
        status, out, err = run(capsys, "review", str(record), "--worlds", "2", "--html", place)
        assert (status, out) == (1, "") and err.startswith(f"santase: {place}: ") and err.count("\n") == 1


# it interrupts a process of its own
@pytest.mark.skipif(os.name == "nt", reason="signals as on POSIX")
def test_ctrl_c_leaves_nothing_behind(record: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("before", "utf-8")
    telling = (
        "import sys, santase.review as module\n"
        "from santase.cli import main\n"
        "analyze = module.analyze\n"
        "module.analyze = lambda *given, **named: (print('begun', flush=True), analyze(*given, **named))[1]\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", telling, "review", str(record), "--time", "60", "--html", str(page)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == b"begun"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")
    assert page.read_text("utf-8") == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hand.txt", "page.html"]


def test_decisions_of_which_nothing_is_known() -> None:
    decision = Decision(1, 1, Step(0, None, 1, (None, None), None), None, None, None)
    assert (decision.verdict, decision.phase, decision.best, decision.expected) == (
        "unknown", None, None, None,
    )  # fmt: skip
    assert decision.estimates == {}


def test_a_hand_without_actions() -> None:
    found = review(Game("santase", seed=3), worlds=4)
    assert (found.decisions, found.mistakes(), found.tally().cost) == ((), [], 0)
