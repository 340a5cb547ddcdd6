"""What is answered for a view: right, seeded, and blind to what is hidden."""

import itertools
import math

import pytest

import santase
from santase import RULES, HiddenCardsError, Position, SantaseError, analyze, best_move, deal, solve

EXHAUSTED = "santase A...T .T..A - C TKQJ9.AKQJ9.ATKQJ9.KQJ9 0 55/43 5/5 0/0 -"
CLOSED = "santase T9.J.Q.9 KQ.K9.K.J THKCAC AH AJ.Q.TJ9.TQ 0:AD 15/26 2/2 0/0 0"
REACHED = "santase .AKJ.J.K KJ9...T9 - C ATQ.TQ9.ATKQ9.AQJ 1 50/91 1/6 0/0 -"


def positions_of_every_phase() -> list[Position]:
    """Positions on the way of seeded hands: open, at the last draw, closed, with marriages and exchanges."""
    found = []
    for name in santase.RULES:
        for seed in range(6):
            position = deal(seed, name)
            step = 0
            while not position.is_over and step < 16:
                found.append(position)
                actions = [action for action in position.legal_actions() if action != "call"]
                if "close" in actions and (seed % 3 or sum(position.tricks) < 2):
                    actions.remove("close")
                special = [action for action in actions if action.kind != "play"]
                step += 1
                position = position.play(
                    (special or actions)[(7 * seed + 5 * step) % len(special or actions)]
                )
    return found


def test_the_answer_depends_on_the_view_alone():
    """Another world behind the same view gives the same answer, whatever the phase."""
    phases = set()
    for number, position in enumerate(positions_of_every_phase()):
        view = position.view()
        phases.add((view.phase, view.is_full))
        answer = analyze(view, worlds=40, seed=3)
        for world in [position, *santase.sample_worlds(view, 2, seed=number)]:
            other = analyze(world, worlds=40, seed=3)
            assert (other.position, other.best, other.actions) == (view, answer.best, answer.actions)
    assert phases >= {("open", False), ("closed", False), ("exhausted", True)}


def test_every_legal_action_is_answered_for():
    for position in positions_of_every_phase():
        analysis = analyze(position, worlds=60, seed=1)
        assert list(analysis.actions) == position.legal_actions()
        assert analysis.best in analysis.actions
        every = analysis.position.phase == "closed"  # then each hand the other may hold, not a sample
        assert analysis.worlds == (1 if analysis.exact else analysis.consistent if every else 60)
        for estimate in analysis.actions.values():
            assert -3 <= estimate.mean <= 3 and 0 <= estimate.win <= 1 and estimate.stderr >= 0
            assert sum(estimate.distribution.values()) == pytest.approx(1)
            mean = sum(points * share for points, share in estimate.distribution.items())
            assert mean == pytest.approx(estimate.mean)


def test_exact_where_nothing_is_hidden():
    position = Position.parse(EXHAUSTED)
    analysis = analyze(position, time=5)
    assert analysis.exact and analysis.elapsed < 1 and analysis.consistent == 1
    assert {action: estimate.mean for action, estimate in analysis.actions.items()} == solve(position).actions
    assert all(estimate.stderr == 0 for estimate in analysis.actions.values())
    assert analysis.best == "AS"


def test_exact_where_play_has_shown_every_card():
    """Closed, both hands known: the order of the face-down cards does not matter."""
    view = Position.parse(CLOSED.replace("THKCAC", "?3"))
    assert not view.is_full
    analysis = analyze(view, worlds=10)
    assert analysis.exact
    values = solve(Position.parse(CLOSED)).actions
    assert {action: estimate.mean for action, estimate in analysis.actions.items()} == values


def test_66_is_called():
    assert best_move(Position.parse(REACHED)) == "call"
    # also while cards are hidden
    view = Position.parse("santase A9.9.AKQ. +6 ?5 QS T.AKQ.T.A 0 69/0 3/0 0/0 -")
    analysis = analyze(view, worlds=20)
    assert analysis.best == "call" and analysis.actions[analysis.best].mean == 3


def test_a_wrong_call_is_worth_what_it_costs():
    estimate = analyze(deal(7), worlds=20).actions[santase.Action("call")]
    assert (estimate.mean, estimate.stderr, estimate.win) == (-3, 0, 0)


def test_equal_seeds_and_worlds_give_equal_answers():
    view = deal(11).view()
    one = analyze(view, worlds=1500, seed=5)
    for threads in (2, 3):
        other = analyze(view, worlds=1500, seed=5, threads=threads)
        assert (other.actions, other.best, other.worlds) == (one.actions, one.best, one.worlds)
    assert analyze(view, worlds=1500, seed=6).actions != one.actions


def test_no_time_asks_the_policy_alone():
    analysis = analyze(deal(7), time=0)
    assert analysis.worlds == 0 and analysis.consistent == math.comb(17, 6) * math.factorial(11)
    policies = {action: estimate.policy for action, estimate in analysis.actions.items() if action != "call"}
    assert sum(policies.values()) == pytest.approx(1)
    assert analysis.best == max(policies, key=lambda action: policies[action])


def test_time_is_kept():
    analysis = analyze(deal(7), time=0.3)
    assert analysis.worlds > 10 and analysis.elapsed >= 0.3


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"time": -1}, "time"),
        ({"time": math.nan}, "time"),
        ({"time": "1"}, "time"),
        ({"worlds": 0}, "worlds"),
        ({"worlds": 1.5}, "worlds"),
        ({"worlds": True}, "worlds"),
        ({"threads": 0}, "threads"),
        ({"threads": 10**9}, "threads"),
        ({"seed": -1}, "seed"),
        ({"seed": "x"}, "seed"),
        ({"plans": "no"}, "plans: True or False"),
        ({"plans": None}, "plans: True or False"),
        ({"mistrust": 2}, "mistrust"),
    ],
)
def test_bad_parameters(parameters, reason):
    """Also where there is but one action, which needs no thinking."""
    forced = Position.parse("santase-engine Q..QJ.9 AT.Q.T9. KCQCACAHKD JC KJ9.TJ9.A.T 0:KH 27/12 2/2 0/0 1")
    assert len(forced.legal_actions()) == 1 and best_move(forced) == "QH"
    for ask, position in ((analyze, deal(1)), (best_move, deal(1)), (best_move, forced)):
        with pytest.raises(SantaseError, match=reason):
            ask(position, **({"worlds": 1} | parameters))


@pytest.mark.parametrize("rules", list(RULES))
def test_a_little_search_is_no_worse_than_none(rules):
    """What a few worlds say, by chance as good as any, does not outweigh the policy where it is sure."""
    sure = 0
    for seed in itertools.count():
        view = deal(seed, rules).view()
        alone = analyze(view, time=0)
        if alone.actions[alone.best].policy < 0.9 or alone.best == "close":
            continue
        for worlds in (1, 2, 3, 4):
            few = analyze(view, worlds=worlds, plans=False, seed=seed)
            assert few.best == alone.best and few.worlds == worlds and few.actions[few.best].worlds >= 1
        sure += 1
        if sure == 20:
            break


def test_bad_positions():
    with pytest.raises(SantaseError, match="over"):
        analyze(deal(7).play("call"))
    with pytest.raises(HiddenCardsError, match="player 0"):
        analyze(deal(7).view(1))
    with pytest.raises(TypeError):
        analyze(str(deal(7)))


def test_better_than_random():
    """Far less than it is (the arena measures that): no more than a guard against blunders of wiring."""
    results = []
    for seed in range(30):
        for seat in (0, 1):
            position = deal(seed)
            step = 0
            while not position.is_over:
                step += 1
                if position.to_move == seat:
                    position = position.play(best_move(position, worlds=20, seed=step))
                else:
                    actions = position.legal_actions()
                    calls = "call" in actions and position.points[position.to_move] >= 66
                    actions = ["call"] if calls else [action for action in actions if action != "call"]
                    position = position.play(actions[santase.hand_seed(seed, step + 1) % len(actions)])
            outcome = position.outcome
            results.append(outcome.game_points if outcome.winner == seat else -outcome.game_points)
    assert sum(results) / len(results) > 1


@pytest.mark.parametrize(
    "line",
    [
        "sixty-six +1 Q... ?7 JC ATJ.TK9.ATKQJ9.T9 1 76/21 5/2 0/0 0:0:0",
        "sixty-six .K..+2 Q.9.T. ?3 AH TJ.TQJ.AKQJ9.AKQJ 1 90/17 5/2 0/0 0:0:0 .K../.../.../...",
    ],
)
def test_a_wrong_call_can_be_the_way_out(line):
    """The closer has 66 and will call for 3; a wrong call now costs 2."""
    analysis = analyze(Position.parse(line), worlds=300, seed=1)
    assert not analysis.exact
    assert analysis.best == "call" and analysis.actions[analysis.best].mean == -2
    assert all(estimate.mean < -2 for action, estimate in analysis.actions.items() if action != "call")


# ---------------------------------------------------------------- progress


@pytest.mark.parametrize("threads", [1, 3])
def test_progress_changes_nothing(threads: int) -> None:
    view = deal(7).view()
    reports: list[santase.Analysis] = []
    found = santase.analyze(view, worlds=4000, seed=3, threads=threads, progress=reports.append)
    assert found.actions == santase.analyze(view, worlds=4000, seed=3).actions
    assert found.worlds == 4000
    counts = [report.worlds for report in reports]
    assert counts == sorted(counts) and all(0 < count < 4000 for count in counts)


@pytest.mark.parametrize("threads", [1, 3])
def test_progress_can_end_the_analysis(threads: int) -> None:
    class EnoughError(Exception):
        pass

    def report(analysis: santase.Analysis) -> None:
        assert set(analysis.actions) == set(analysis.position.legal_actions())
        raise EnoughError

    with pytest.raises(EnoughError):
        santase.analyze(deal(7).view(), 600.0, threads=threads, progress=report)
