"""The record of a hand or a match: play, undo, save, load."""

import contextlib
import os
import pickle
import random
import stat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import santase
from santase import (
    RULES,
    Game,
    IllegalActionError,
    NotationError,
    RecordError,
    SantaseError,
    deal,
    hand_seed,
)

PRESETS = list(RULES)

RECORD = """\
santase record 1
rules: santase
play: match to 11
seed: 7
player 0: Ana
player 1: Boris

hand 1: 1 deals
deal: santase T.TQJ.T.K K9.AK.AJ. JC9DQCACQDTCAS9HJS9CKD QS ... 0 0/0 0/0 0/0 -
 1. 0: TH   1: AH   1 takes: 0/21
 2. 1: close 9S
"""


def random_step(game: Game, rng: random.Random, undo: float = 0.0) -> None:
    """One step of a random game: an action, the next deal, or now and then an undo."""
    if undo and rng.random() < undo and (game.actions or game.hand_number > 1):
        game.undo()
    elif game.position.is_over:
        game.next_hand()
    else:
        actions = [a for a in game.legal_actions() if a != "call" or rng.random() < 0.05]
        game.play(rng.choice(actions))


def random_game(rules: str, seed: int, *, match: bool = True, steps: int = 10_000) -> Game:
    rng = random.Random(seed)
    players = ("Ана", "Boris 2") if seed % 2 else None
    game = Game(rules, seed=seed, match=match, dealer=seed % 2, players=players)
    for _ in range(steps):
        if game.is_over:
            break
        random_step(game, rng)
    return game


# ---------------------------------------------------------------- making one


def test_a_hand_by_default() -> None:
    game = Game(seed=7)
    assert game.rules == RULES["santase"]
    assert not game.is_match
    assert game.position == deal(7) == game.deal
    assert (game.dealer, game.hand_number, game.actions, game.hands) == (1, 1, (), ())
    assert (game.score, game.is_over, game.winner, game.players) == ((0, 0), False, None, None)
    assert game.legal_actions() == deal(7).legal_actions()
    assert game.view() == deal(7).view()
    assert game.view(1) == deal(7).view(1)


def test_a_random_seed_is_kept() -> None:
    game = Game()
    assert game.seed is not None
    assert game.deal == deal(game.seed)
    assert Game().seed != game.seed or Game().seed != game.seed


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_non_dealer_leads(dealer: int) -> None:
    game = Game(seed=1, dealer=dealer)
    assert game.dealer == dealer
    assert game.position.to_move == 1 - dealer


def test_seeds_of_hands() -> None:
    assert hand_seed(7, 1) == 7
    # the first numbers of SplitMix64 begun at 0, as published with it
    assert [hand_seed(0, n) for n in (2, 3, 4)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]
    for number in (0, -1, True, 1.0, "1", 2**63):
        with pytest.raises(SantaseError, match="number"):
            hand_seed(7, number)  # type: ignore[arg-type]


def test_a_given_deal() -> None:
    dealt = deal(3, "schnapsen", leader=1)
    game = Game(deal=dealt)
    assert (game.seed, game.rules, game.dealer, game.position) == (None, RULES["schnapsen"], 0, dealt)
    assert Game(deal=str(dealt)) == game
    assert Game(deal=deal(3), seed=3) == Game(seed=3)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"rules": "bridge"}, "no preset"),
        ({"seed": -1}, "seed: a number from 0"),
        ({"seed": True}, "seed: a whole number"),
        ({"seed": "7"}, "seed: a whole number"),
        ({"dealer": 2}, "dealer: player 0 or 1"),
        ({"players": "AB"}, "players: two names"),
        ({"players": ("A",)}, "players: two names"),
        ({"players": (1, 2)}, "players: two names"),
        ({"players": ("A", "B\n")}, "players: a name"),
        ({"players": ("A", "#1")}, "players: a name"),
        ({"players": ("A", "")}, "players: a name"),
        ({"players": ("A", " B")}, "players: a name"),
        ({"players": ("A", "B" * 61)}, "players: a name"),
        ({"players": ("A", "\ud800")}, "players: a name"),
        ({"deal": "x"}, "11 or 12 fields"),
        ({"deal": deal(1).view()}, "deal: all cards must be given"),
        ({"deal": deal(1).play("QS")}, "deal: this is a position later"),
        ({"deal": deal(1).play("call")}, "deal: this is a position later"),
        ({"deal": deal(1), "dealer": 0}, "deal: player 0 deals, so player 1 leads"),
        ({"deal": deal(1), "rules": "sixty-six"}, "deal: it is of santase, the game is of sixty-six"),
        ({"deal": deal(1), "seed": 2}, "deal: hand 1 of seed 2 is"),
    ],
)
def test_what_makes_no_game(arguments: dict[str, object], reason: str) -> None:
    with pytest.raises(SantaseError, match=reason):
        Game(**arguments)  # type: ignore[arg-type]


def test_an_exchange_before_the_first_lead_is_no_deal() -> None:
    for seed in range(200):
        dealt = deal(seed, "schnapsen")
        if "exchange" in dealt.legal_actions():
            with pytest.raises(SantaseError, match="later than the first lead"):
                Game(deal=dealt.play("exchange"))
            return
    raise AssertionError("no deal with an exchange")


# ---------------------------------------------------------------- play and undo


def test_play_checks_and_changes_nothing() -> None:
    game = Game(seed=7)
    with pytest.raises(IllegalActionError, match="does not hold"):
        game.play("9S")
    with pytest.raises(NotationError):
        game.play("KX")
    assert game == Game(seed=7)
    after = game.play("10♥")
    assert after == deal(7).play("TH") == game.position
    assert game.actions == ("TH",)


def test_undo() -> None:
    game = Game(seed=7)
    with pytest.raises(IllegalActionError, match="nothing to take back"):
        game.undo()
    game.play("TH")
    assert game.undo() == "TH"
    assert game == Game(seed=7)


def test_the_winner_deals_the_next_hand() -> None:
    game = Game(seed=7, match=True)
    game.play("call")  # wrong: player 1 scores 3
    assert game.position.is_over
    assert not game.is_over
    assert game.score == (0, 3)
    assert game.legal_actions() == []
    with pytest.raises(IllegalActionError, match="over"):
        game.play("TH")
    game.next_hand()
    assert game.dealer == 1
    assert game.position == deal(hand_seed(7, 2), leader=0)
    assert len(game.hands) == 1
    with pytest.raises(SantaseError, match="hand 2 is not over"):
        game.next_hand()
    assert game.undo() == "call"
    assert game == Game(seed=7, match=True)


def test_a_match_ends_at_its_target() -> None:
    game = Game(seed=7, match=True)
    for number in range(1, 5):
        game.play("call")
        assert game.score == (0, 3 * number)
        if number < 4:
            assert not game.is_over
            assert game.winner is None
            game.next_hand()
    assert game.is_over
    assert game.winner == 1
    with pytest.raises(SantaseError, match="player 1 has won the match"):
        game.next_hand()
    assert [hand.dealer for hand in game.hands] == [1, 1, 1, 1]
    game.undo()
    assert not game.is_over


def test_one_hand_has_no_next() -> None:
    game = Game(seed=7)
    game.play("call")
    assert (game.is_over, game.winner, game.score) == (True, 1, (0, 3))
    with pytest.raises(SantaseError, match="one hand"):
        game.next_hand()


def test_given_deals_go_on_by_given_deals() -> None:
    game = Game(deal=deal(1), match=True)
    game.play("call")
    with pytest.raises(SantaseError, match="hand 2 must be given"):
        game.next_hand()
    with pytest.raises(SantaseError, match="player 1 deals"):
        game.next_hand(deal(2, leader=1))
    with pytest.raises(SantaseError, match="it is of schnapsen"):
        game.next_hand(deal(2, "schnapsen"))
    game.next_hand(str(deal(2)))
    assert game.position == deal(2)
    assert Game.loads(game.dumps()) == game


def void_game(rules: str = "santase-bg") -> Game:
    """A match whose first hand is void, found by playing at random."""
    for seed in range(20_000):
        rng = random.Random(seed)
        game = Game(rules, seed=seed, match=True)
        while not game.position.is_over:
            actions = [a for a in game.legal_actions() if a not in ("close", "call")]
            game.play(rng.choice(actions))
        if game.position.outcome.winner is None:  # type: ignore[union-attr]
            return game
    raise AssertionError("no void hand")


@pytest.mark.parametrize("rules", ["santase-bg", "sixty-six"])
def test_a_void_hand_is_dealt_again_by_the_same_dealer(rules: str) -> None:
    game = void_game(rules)
    assert game.position.outcome == (None, 0, "void")
    assert game.position.points == (65, 65)
    assert game.score == (0, 0)
    dealer = game.dealer
    game.next_hand()
    assert game.dealer == dealer
    assert game.hand_number == 2
    text = game.dumps()
    assert "\nresult: void\nscore: 0-0\n" in text
    assert Game.loads(text) == game

    hand = Game(rules, deal=game.hands[0].deal)
    for action in game.hands[0].actions:
        hand.play(action)
    assert (hand.is_over, hand.winner, hand.score) == (True, None, (0, 0))
    assert Game.loads(hand.dumps()) == hand


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(PRESETS), st.integers(0, 2**64 - 1), st.integers(0, 2**32))
def test_undo_across_hands(rules: str, seed: int, choices: int) -> None:
    rng = random.Random(choices)
    game = Game(rules, seed=seed, match=True)
    history: list[tuple[Game, santase.Action]] = []
    for _ in range(60):
        if game.is_over:
            break
        before, number = game.dumps(), len(game.actions)
        random_step(game, rng)
        if len(game.actions) == number + 1:
            history.append((Game.loads(before), game.actions[-1]))
    for earlier, action in reversed(history):
        assert game.undo() == action
        assert game == earlier
    assert game == Game(rules, seed=seed, match=True)


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(PRESETS), st.integers(0, 2**32))
def test_a_match_keeps_its_rules(rules: str, seed: int) -> None:
    game = random_game(rules, seed)
    assert game.is_over
    assert game.winner is not None
    assert game.score[game.winner] >= game.rules.match_target > game.score[1 - game.winner]
    score = [0, 0]
    for number, hand in enumerate(game.hands, 1):
        assert hand.deal == deal(hand_seed(seed, number), rules, leader=1 - hand.dealer)
        *_, last = hand.positions()
        assert last.outcome == hand.outcome
        assert max(score) < game.rules.match_target
        if hand.outcome.winner is not None:
            score[hand.outcome.winner] += hand.outcome.game_points
        if number < len(game.hands):
            winner = hand.outcome.winner
            assert game.hands[number].dealer == (hand.dealer if winner is None else winner)
    assert tuple(score) == game.score


# ---------------------------------------------------------------- as text


def test_the_record_as_text() -> None:
    game = Game(seed=7, match=True, players=("Ana", "Boris"))
    for action in ("TH", "AH", "close", "9S"):
        game.play(action)
    assert game.dumps() == RECORD
    assert Game.loads(RECORD) == game
    assert repr(game) == "<Game of santase: match, 0-0, hand 1, 4 actions>"


def test_a_record_written_by_hand() -> None:
    game = Game.loads(
        "\ufeff# our evening\r\n\nsantase record 1\n"
        "rules:santase # the usual\n  seed :  7\nplay: match\n"
        "hand 1: 1 deals\n"
        "1. 0:10♥  1:a♥   1 takes # ouch\n"
        "2.  1: close   9s"
    )
    assert game == Game.loads(RECORD.replace("player 0: Ana\nplayer 1: Boris\n", ""))


@settings(deadline=None, max_examples=100)
@given(st.sampled_from(PRESETS), st.integers(0, 2**32), st.integers(0, 400), st.booleans())
def test_round_trip(rules: str, seed: int, steps: int, match: bool) -> None:
    game = random_game(rules, seed, match=match, steps=steps)
    text = game.dumps()
    again = Game.loads(text)
    assert again == game
    assert again.dumps() == text
    assert (again.score, again.winner, again.position) == (game.score, game.winner, game.position)
    assert pickle.loads(pickle.dumps(game)) == game
    # what follows from the rest may be left out
    lines = [
        line.partition("takes")[0].rstrip(" 01") if "takes" in line else line
        for line in text.split("\n")
        if not line.startswith(("result", "score", "deal"))
    ]
    assert Game.loads("\n".join(lines)) == game


def test_house_rules_round_trip() -> None:
    game = random_game("santase+match_target=3+hand_size=4+ranks=QKTA", 5)
    assert game.is_over
    assert Game.loads(game.dumps()) == game


def test_equality() -> None:
    assert Game(seed=7) != Game(seed=8)
    assert Game(seed=7) != Game(seed=7, match=True)
    assert Game(seed=7) != Game(seed=7, players=("A", "B"))
    assert Game(seed=7) != Game(deal=deal(7))
    assert Game(seed=7) != "Game"
    with pytest.raises(TypeError):
        hash(Game(seed=7))


# each: the record with one thing replaced, the line that is wrong, and why
BAD = [
    ("santase record 1", "santase record 2", 1, "a record begins with 'santase record 1'"),
    ("rules: santase\n", "rules: bridge\n", 2, "no preset is called 'bridge'"),
    ("rules: santase\n", "\n", 8, "rules: the record must say them"),
    ("rules: santase\n", "rules: santase\nrules: santase\n", 3, "rules is there twice"),
    ("rules: santase\n", "rules: schnapsen\n", 8, "play: by these rules a match is to 7, not 11"),
    ("match to 11", "match to 12", 8, "play: by these rules a match is to 11, not 12"),
    ("match to 11", "for money", 3, "play: it is 'hand' or 'match'"),
    ("seed: 7", "seed: 8", 9, "deal: hand 1 of seed 8 is santase"),
    ("seed: 7", "seed: ٧", 4, "no whole number"),
    ("seed: 7", "seed: 99999999999999999999", 4, "seed: a number from 0"),
    ("player 0: Ana\n", "\n", 8, "both players have a name or neither"),
    ("player 0: Ana", "player 0:", 5, "players: a name"),
    ("player 0", "player 2", 5, "a record has no 'player 2'"),
    ("hand 1:", "hand 2:", 8, "hand 2: this is hand 1"),
    ("1 deals", "0 deals", 9, "deal: hand 1 of seed 7 is"),
    ("1 deals", "Ana deals", 8, "'0 deals' or '1 deals'"),
    ("hand 1: 1 deals\n", "\n", 9, "deal: it stands right after"),
    ("deal: santase T.", "deal: santase AT.", 9, "hand0: 7 cards"),
    ("hand 1: 1 deals", "hand 1", 8, "neither 'name: value' nor a trick"),
    (" 1. 0", " 2. 0", 10, "this is trick 1, not 2"),
    ("0: TH", "1: TH", 10, "TH: player 0 is to move, not 1"),
    ("0: TH", "TH", 10, "TH: it does not say who does it"),
    ("0: TH", "0: KX", 10, "'KX' is no action"),
    ("0: TH", "0: AH", 10, "AH: player 0 does not hold it"),
    ("1: AH", "1: AH JC", 10, "JC: trick 1 is complete"),
    ("1 takes", "0 takes", 10, "it is '1 takes: 0/21' by the actions"),
    ("0/21", "0/20", 10, "it is '1 takes: 0/21' by the actions, not '1 takes: 0/20'"),
    ("0/21", "0/21 0", 10, "it is '1 takes: 0/21' by the actions"),
    ("close 9S", "close 9S 1 takes", 11, "nobody takes the trick"),
    ("close 9S", "close 9S 0: JH", 11, "player 0 must follow suit"),
    ("close 9S", "", 11, "nothing is done in trick 2"),
    ("close 9S\n", "close\n 2. 1: 9S\n", 12, "trick 2 has begun on an earlier line"),
    ("close 9S\n", "close 9S\nseed: 7\n", 12, "seed stands before the first hand"),
    ("close 9S\n", "close 9S\nresult: void\n", 12, "result: hand 1 is not over"),
    ("close 9S\n", "close 9S\nhand 2: 1 deals\n", 12, "hand 1 is not over"),
    ("close 9S\n", "call KS\n", 11, "KS: the hand is over"),
    ("close 9S\n", "call\n 3. 1: KS", 12, "the hand is over, there is no other trick"),
    (
        "close 9S\n",
        "call\nresult: 1 wins 2 (call)",
        12,
        "result: it is '0 wins 2 (wrong call)' by the actions",
    ),
    ("close 9S\n", "call\nscore: 2-2", 12, "score: it is '2-0' by the actions, not '2-2'"),
    ("close 9S\n", "call\nscore: 2-0\nscore: 2-0", 13, "score is there twice"),
    ("close 9S\n", "call\nhand 2: 1 deals", 12, "hand 2: player 0 deals this one"),
    ("close 9S\n", "call\nhand 3: 0 deals", 12, "hand 3: this is hand 2"),
    ("close 9S\n", "call\nhand 2: 0 deals\nhand 3: 0 deals", 13, "hand 2 is not over"),
    ("close 9S\n", "close 9S " + "#" * 5000, 11, "characters are too long"),
]


@pytest.mark.parametrize(("old", "new", "line", "reason"), BAD)
def test_what_is_wrong_with_a_record(old: str, new: str, line: int, reason: str) -> None:
    assert old in RECORD
    with pytest.raises(RecordError) as caught:
        Game.loads(RECORD.replace(old, new, 1))
    assert str(caught.value).startswith(f"line {line}: ")
    assert caught.value.line == line
    assert reason in str(caught.value)


def test_records_without_a_hand_or_a_deal() -> None:
    for text, reason in (
        ("", "line 1: a record begins with 'santase record 1', this is empty"),
        ("\n\n# nothing\n", "line 4: a record begins"),
        ("santase record 1\nrules: santase\n", "line 3: there is no hand"),
        ("santase record 1\nrules: santase\nhand 1: 1 deals\n", "line 4: deal: hand 1 must be given"),
        ("santase record 1\nrules: santase\n1. 0: KS\n", "line 3: no hand has begun"),
        ("santase record 1\nrules: santase\nresult: void\n", "line 3: no hand has begun"),
    ):
        with pytest.raises(RecordError) as caught:
            Game.loads(text)
        assert reason in str(caught.value)
    with pytest.raises(TypeError):
        Game.loads(b"santase record 1")  # type: ignore[arg-type]


def test_no_hand_follows_the_end() -> None:
    game = random_game("schnapsen", 3)
    assert game.is_over
    with pytest.raises(RecordError, match="has won the match, there is no other hand"):
        Game.loads(game.dumps() + f"hand {game.hand_number + 1}: 0 deals\n")
    hand = random_game("schnapsen", 3, match=False)
    with pytest.raises(RecordError, match="the record of one hand"):
        Game.loads(hand.dumps() + "hand 2: 0 deals\n")


def mutate(text: str, rng: random.Random) -> str:
    """The text with something done to it that a hand at an editor might do."""
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    kind = rng.randrange(7)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(at, lines[rng.randrange(len(lines))])
    elif kind == 2:
        other = rng.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 3:
        lines[at] = lines[at][: rng.randrange(len(lines[at]) + 1)]
    elif kind == 4:
        words = lines[at].split(" ")
        words.insert(
            rng.randrange(len(words) + 1), rng.choice(["0:", "1:", "KS", "close", "call", "takes", "1."])
        )
        lines[at] = " ".join(words)
    else:
        new = rng.choice("0123456789:.-/#?+ \tASKQJTCDHakcloseéé\x00\u2028😀")
        place = rng.randrange(len(lines[at]) + 1)
        lines[at] = lines[at][:place] + new + lines[at][place + kind - 5 :]
    return "\n".join(lines)


@settings(deadline=None, max_examples=400)
@given(st.sampled_from(PRESETS), st.integers(0, 30), st.integers(0, 2**32), st.integers(1, 3))
def test_edited_records(rules: str, seed: int, choices: int, times: int) -> None:
    rng = random.Random(choices)
    text = random_game(rules, seed, steps=rng.randrange(200)).dumps()
    for _ in range(times):
        text = mutate(text, rng)
    try:
        game = Game.loads(text)
    except RecordError as error:
        assert 1 <= error.line <= text.count("\n") + 1
    else:
        assert Game.loads(game.dumps()) == game


@settings(deadline=None, max_examples=300)
@given(st.text(max_size=300), st.booleans())
def test_garbage_is_no_record(text: str, begun: bool) -> None:
    begin = "santase record 1\nrules: santase\nseed: 7\nhand 1: 1 deals\n" if begun else ""
    with contextlib.suppress(RecordError):
        Game.loads(begin + text)


# ---------------------------------------------------------------- files


def test_save_and_resume(tmp_path: os.PathLike[str]) -> None:
    path = os.path.join(tmp_path, "мач.santase")
    game = Game("schnapsen", seed=5, match=True, players=("Ана", "Борис"))
    rng = random.Random(5)
    while not game.is_over:
        random_step(game, rng)
        game.save(path)
        game = Game.load(path)
    assert os.listdir(tmp_path) == ["мач.santase"]
    assert game.is_over


def test_save_leaves_the_old_record_when_it_fails(
    tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = os.path.join(tmp_path, "game")
    old = Game(seed=1)
    old.save(path)
    new = Game(seed=2)
    for name in ("fsync", "replace"):

        def fail(*arguments: object) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            with pytest.raises(OSError, match="No space"):
                new.save(path)
        assert os.listdir(tmp_path) == ["game"]
        assert Game.load(path) == old
    with pytest.raises(OSError):
        new.save(os.path.join(tmp_path, "no such directory", "game"))


@pytest.mark.skipif(os.name == "nt", reason="modes and links as on POSIX")
def test_save_keeps_mode_and_link(tmp_path: os.PathLike[str]) -> None:
    path, link = os.path.join(tmp_path, "game"), os.path.join(tmp_path, "link")
    Game(seed=1).save(path)
    os.chmod(path, 0o640)
    os.symlink(path, link)
    Game(seed=2).save(link)
    assert os.path.islink(link)
    assert Game.load(path) == Game(seed=2)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o640


def test_load_says_where_it_is_no_text(tmp_path: os.PathLike[str]) -> None:
    path = os.path.join(tmp_path, "game")
    with open(path, "wb") as file:
        file.write(b"santase record 1\nrules: \xff\n")
    with pytest.raises(RecordError, match="line 2: not text in UTF-8"):
        Game.load(path)
    with open(path, "wb") as file:
        file.write(b"\xef\xbb\xbf" + RECORD.replace("\n", "\r\n").encode())
    assert Game.load(path) == Game.loads(RECORD)
    with pytest.raises(FileNotFoundError):
        Game.load(path + "2")


def test_the_example_of_the_documentation() -> None:
    assert santase.record.__doc__ is not None
    text = santase.record.__doc__
    example = text[text.index("    santase record 1") : text.index("A trick is a line")]
    example = example.replace("\n    ", "\n").strip() + "\n"
    assert Game.loads(example).dumps() == example
