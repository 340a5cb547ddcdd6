"""Records with unknown cards: what is said to be known is right, and nothing is known too early."""

import pytest
from remembered import random_game, remembered

from santase import Game, RecordError, SantaseError
from santase.memory import Recollection, recall

HEAD = """santase record 1
rules: santase
play: hand
hand 1: 1 deals
"""
GIVEN = HEAD + "deal: santase A.AK9.Q.9 +6 ?11 JS ... 0 0/0 0/0 0/0 -\n"
BEGIN = GIVEN + " 1. 0: 9C 1: TS 1 takes: 0/10 draws: ? KS\n"


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("draws", ["mine", "all"])
def test_what_is_known_is_what_was(seed: int, draws: str) -> None:
    game = random_game(seed)
    truth = recall(game).hands[0]
    exhausted = game.position.phase == "exhausted"
    for viewer in (0, 1):
        hand = recall(remembered(game, viewer, draws=draws, points=seed % 2 == 0)).hands[0]
        assert hand.outcome == truth.outcome
        assert [step.action for step in hand.steps] == list(game.actions)
        for step, right in zip(hand.steps, truth.steps, strict=True):
            assert (step.player, step.trick) == (right.player, right.trick)
            # all that the one who wrote it knew is there
            assert step.views[viewer] == right.views[viewer]
            assert step.views[1 - viewer] in (None, right.views[1 - viewer])
            if draws == "all" and exhausted:
                assert step.full == right.full
            elif step.full is not None and right.full is not None:
                assert step.full.hands == right.full.hands
                assert step.full == right.full or step.full.phase == "closed"
            if right.view is not None and right.view.is_full:
                assert step.full == right.full


@pytest.mark.parametrize("seed", range(12))
def test_forgotten_cards_are_found_or_stay_unknown(seed: int) -> None:
    game = random_game(seed)
    truth = recall(game).hands[0]
    plays = [n for n, action in enumerate(game.actions) if action.kind == "play"]
    for forgotten in ([plays[2]], [plays[1], plays[5]], [plays[-1]]):
        for draws in ("mine", "all"):
            hand = recall(remembered(game, seed % 2, draws=draws, forgotten=forgotten)).hands[0]
            for step, right in zip(hand.steps, truth.steps, strict=True):
                assert step.action in (None, right.action)
                for view, true_view in zip(step.views, right.views, strict=True):
                    assert view in (None, true_view)
            assert all(hand.steps[n].action is not None for n in plays if n not in forgotten)


def test_own_draws_left_out_are_found_where_all_was_played() -> None:
    seeds = [seed for seed in range(40) if random_game(seed, "santase").position.outcome is not None]
    found = 0
    for seed in seeds:
        game = random_game(seed, "santase")
        if sum(game.position.tricks) < 12 or any(action.kind != "play" for action in game.actions):
            continue
        truth = recall(game).hands[0]
        hand = recall(remembered(game, 0, draws="none")).hands[0]
        for step, right in zip(hand.steps, truth.steps, strict=True):
            assert step.views[0] in (None, right.views[0])
        # once the talon is exhausted all is known
        late = [step for step in hand.steps if step.trick > 6]
        assert late and all(step.full is not None for step in late)
        found += 1
        if found == 2:
            break
    assert found


@pytest.mark.parametrize("seed", range(10))
def test_a_full_record_is_read_as_a_game_is(seed: int) -> None:
    game = random_game(seed)
    assert recall(game.dumps()) == recall(game)
    # with a mark that sends it to the reader of unknown cards
    marked = Game(game.rules, seed=seed, players=("Who?", "Me"))
    for action in game.actions:
        marked.play(action)
    assert recall(marked.dumps()).hands == recall(game).hands


def test_views_tell_nothing_of_cards_that_came_to_light_later() -> None:
    game = random_game(3, "santase")
    for step in recall(remembered(game, 0, draws="all")).hands[0].steps:
        for player, view in enumerate(step.views):
            if view is not None and view.phase == "open" and step.full is not None:
                assert view == step.full.view(player)
                assert view.hidden[1 - player] > 0 or view.facedown <= 1


def test_a_hand_shown_at_the_deal_was_not_known_then() -> None:
    both = HEAD + "deal: santase A.AK9.Q.9 T9.T.AK.T ?11 JS ... 0 0/0 0/0 0/0 -\n 1. 0: 9C 1: TS\n"
    first, second = recall(both).hands[0].steps
    assert str(first.view) == "santase A.AK9.Q.9 +6 ?11 JS ... 0 0/0 0/0 0/0 -"
    assert str(second.view) == "santase +5 T9.T.AK.T ?11 JS ... 0:9C 0/0 0/0 0/0 -"
    assert first.full is None  # the talon is not known


def test_history_is_what_the_other_did() -> None:
    game = random_game(8, "santase")
    hand = recall(game).hands[0]
    for index in range(0, len(hand.steps), 5):
        history = hand.history(index)
        assert history is not None
        assert [action for _view, action in history] == [
            step.action for step in hand.steps[:index] if step.player != hand.steps[index].player
        ]
        assert all(view.hidden[hand.steps[index].player] == 0 for view, _action in history)
    forgotten = recall(remembered(game, 0, forgotten=[1])).hands[0]
    if forgotten.steps[1].action is None and forgotten.steps[2].player != forgotten.steps[1].player:
        assert forgotten.history(2) is None


def test_a_card_that_must_be_the_one_is_found() -> None:
    # the trump that beats and brings 10 more points
    text = GIVEN + " 1. 0: 9C 1: ? 1 takes: 0/10 draws: ? KS\n 2. 1: TD 0: QD 1 takes: 0/23\n"
    assert [step.action for step in recall(text).hands[0].steps][:2] == ["9C", None]  # TC or TS
    text = GIVEN + " 1. 0: 9C 1: ? 1 takes: 0/10 draws: ? TC\n"
    assert [step.action for step in recall(text).hands[0].steps] == ["9C", "TS"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BEGIN.replace("1 takes", "0 takes"), "line 6: by the cards player 1 takes the trick, not 0"),
        (BEGIN.replace("0/10", "0/11"), "line 6: by the actions the points are 0/10, not 0/11"),
        (BEGIN.replace("KS", "AS"), "line 6: draws: AS cannot have been drawn by player 0"),
        (BEGIN.replace("KS", "XX"), "line 6: 'XX' is no card"),
        (BEGIN.replace("? KS", "KS"), "line 6: draws: two cards are needed, the winner's and the loser's"),
        (BEGIN.replace("TS", "AS"), "line 6: AS: player 1 cannot hold it"),
        (BEGIN.replace("9C", "JD"), "line 6: JD: player 0 does not hold it"),
        (BEGIN.replace("0: 9C", "1: 9C"), "line 6: 9C: player 0 is to move, not 1"),
        (BEGIN.replace("1. 0:", "2. 0:"), "line 6: this is trick 1, not 2"),
        (BEGIN + "2. 1: QC 0: 9H 0: KS", "line 7: KS: trick 2 is complete"),
        (BEGIN + "2. QC", "line 7: QC: it does not say who does it"),
        (BEGIN + "2. 1: QC 1 takes", "line 7: nobody takes the trick"),
        (BEGIN + "2. 1: ? 0: 9H takes?", "line 7: 'takes?' is no action"),
        (BEGIN + "2. 1:", "line 7: nothing is done in trick 2"),
        (BEGIN + "2. 1: KS", "line 7: KS: player 1 cannot hold it"),
        (BEGIN + "2. 1: call\nresult: 1 wins 1", "line 8: result: by the actions player 0 wins 2 (wrong call)"),
        (BEGIN + "result: 1 won", "line 7: result: '1 won' is not in the form '0 wins 2 (call)'"),
        (BEGIN + "result: 1 wins 2\nscore: 1-0", "line 8: score: it is '0-2' by the results"),
        (BEGIN + "score: 1-0", "line 7: score: hand 1 is not over"),
        (BEGIN + "hand 2: 0 deals", "line 7: hand 1 has no end and no result"),
        (GIVEN.replace("+6", "+5"), "line 5: hand1: 5 cards"),
        (HEAD + "1. 0: ?", "line 5: deal: hand 1 must be given"),
        (GIVEN.replace("1 deals", "0 deals"), "line 5: deal: player 0 deals, so player 1 leads"),
        (GIVEN + GIVEN.splitlines()[-1], "line 6: deal: it stands right after"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        recall(text)
    assert str(caught.value).startswith(message)


def test_a_reply_that_the_rules_forbid_is_found() -> None:
    # closed: player 1 may not throw a club away on a spade that it can beat or follow later
    text = (
        HEAD + "deal: santase A.AK9.Q.9 +6 ?11 JS ... 0 0/0 0/0 0/0 -\n"
        "1. 0: AH 1: 9D 0 takes: 11/0 draws: KS ?\n"
        "2. 0: close KS 1: QC 0 takes: 18/0\n"
        "3. 0: AS 1: 9S 0 takes: 29/0\n"
    )
    with pytest.raises(RecordError, match="line 8: 9S: player 1 cannot hold it"):
        recall(text)


def test_a_match_from_memory() -> None:
    text = (
        BEGIN.replace("play: hand", "play: match to 11").replace(
            "hand 1: 1", "player 0: A\nplayer 1: B\nhand 1: 1"
        )
        + "result: 1 wins 2\nscore: 0-2\n"
        "hand 2: 1 deals\ndeal: santase +6 A.AK9.Q.9 ?11 JS ... 0 0/0 0/0 0/0 -\n1. 0: 9D 1: QD 1 takes\n"
    )
    found = recall(text)
    assert isinstance(found, Recollection)
    assert (found.is_match, found.players, found.score) == (True, ("A", "B"), (0, 2))
    assert [hand.outcome and hand.outcome.game_points for hand in found.hands] == [2, None]
    assert found.hands[1].steps[1].view is not None and found.hands[1].steps[0].view is None
    with pytest.raises(RecordError, match="player 1 deals this one"):
        recall(text.replace("hand 2: 1", "hand 2: 0"))


def test_too_much_unknown_leaves_the_rest_unknown() -> None:
    game = random_game(5, "santase")
    forgotten = [n for n, action in enumerate(game.actions) if action.kind == "play"][:8]
    hand = recall(remembered(game, 0, draws="none", forgotten=forgotten, points=False)).hands[0]
    assert len(hand.steps) == len(game.actions)
    assert hand.steps[0].view is not None
    assert hand.steps[len(game.actions) // 2].view is None


def test_garbage_is_refused() -> None:
    for text in ("", "?", "santase record 1\n?", HEAD + "deal: ?", GIVEN + "1. ? ? ? ?", "draws"):
        with pytest.raises(SantaseError):
            recall(text)
    with pytest.raises(TypeError):
        recall(7)  # type: ignore[arg-type]
