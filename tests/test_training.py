"""The trainer: its gradients are the loss's, and a run that is stopped goes on.

Needs PyTorch (the extra ``train``) and the trainer's extension
(``python training/setup.py build_ext --inplace``).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("training._selfplay")

import santase
from santase._network import Network, load_network
from santase.errors import IllegalActionError
from santase.players import Player, make_player
from training import _selfplay, best_response, train
from training import ship as shipping
from training.model import MOVES, SparseNet, read_weights, weights_of
from training.ship import rounded, ship, unrounded

SHIPPED = Path(santase.__file__).parent / "data" / "network.npz"
SANTASE = _selfplay.Mix({"santase": 1.0})


def trainer(monkeypatch: pytest.MonkeyPatch, out: Path, *options: str) -> train.Trainer:
    words = ["train", "--out", str(out), "--h1", "32", "--h2", "32", "--batch", "2048", "--minibatch", "512"]
    monkeypatch.setattr(sys, "argv", [*words, *options])
    return train.Trainer(train.arguments())


def test_gradients_are_those_of_the_loss(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    it = trainer(monkeypatch, tmp_path, "--magnet", "0.05")
    data, _ = it.play().result()
    for parameter in it.policy.parameters():
        parameter.data += torch.randn_like(parameter) * 0.05  # other weights than those that played
    which = np.arange(300, dtype=np.int32)
    it.differentiate(data, which, 0.01)
    found = {id(p): p.grad.clone() for net in (it.policy, it.critic) for p in net.parameters()}

    def forward(net: Any, column: str, inputs: int) -> Any:
        rows = torch.zeros(len(which), inputs)
        for i in which:
            rows[i, data["inputs"][data["start"][i] : data[column][i]].astype(np.int64)] = 1
        x = torch.relu(rows @ net.first() + net.b1)
        return torch.relu(x @ net.w2 + net.b2) @ net.w3 + net.b3

    out = forward(it.policy, "seen", _selfplay.INPUTS)
    legal = torch.from_numpy((data["moves"][which][:, None] >> np.arange(30, dtype=np.uint32)) & 1 > 0)
    logp = torch.log_softmax(out[:, :30].masked_fill(~legal, -1e9), 1)
    move = torch.from_numpy(data["move"][which].astype(np.int64))
    ratio = torch.exp(logp.gather(1, move[:, None])[:, 0] - torch.from_numpy(data["logp"][which]))
    advantage = torch.from_numpy(data["advantage"][which])
    gain = torch.minimum(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage)
    entropy = -(logp.exp() * logp.masked_fill(~legal, 0)).sum(1)
    pull = (logp.exp() * (logp - torch.from_numpy(data["old"][which])).masked_fill(~legal, 0)).sum(1)
    wanted = torch.from_numpy(data["target"][which])
    missed = (out[:, 30] - wanted).square()
    critic = (forward(it.critic, "end", _selfplay.CRITIC_INPUTS)[:, 0] - wanted).square()
    it.optimizer.zero_grad()
    (-gain - 0.01 * entropy + 0.25 * missed + 0.05 * pull + critic).mean().backward()
    for net in (it.policy, it.critic):
        for name, parameter in net.named_parameters():
            torch.testing.assert_close(found[id(parameter)], parameter.grad, rtol=1e-3, atol=1e-6, msg=name)


def test_a_stopped_run_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    first = trainer(monkeypatch, tmp_path, "--hands", "400")
    first.run()
    again = trainer(monkeypatch, tmp_path, "--hands", "800")
    again.load(tmp_path / "state.pt")
    assert (again.hands, again.iteration) == (first.hands, first.iteration)
    again.run()
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text("utf-8").splitlines()]
    assert [line["iteration"] for line in lines] == list(range(1, len(lines) + 1))
    assert lines[-1]["hands"] >= 800


def test_the_same_seed_learns_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    runs = [trainer(monkeypatch, tmp_path, "--seed", "5") for _ in range(2)]
    for run in runs:
        run.iterate()
        run.iterate()
    one, two = (run.policy.arrays() for run in runs)
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_rounded_weights_think_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    arrays = trainer(monkeypatch, tmp_path).policy.arrays()
    network = Network(rounded(arrays))
    for seed in range(50):
        inputs = network.inputs(santase.deal(seed))
        first = np.maximum(arrays["w1"][inputs].sum(0) + arrays["b1"], 0)
        exact = (np.maximum(first @ arrays["w2"] + arrays["b2"], 0) @ arrays["w3"] + arrays["b3"])[:31]
        assert np.abs(np.array(network.logits(inputs)) / 2**network.scale - exact).max() < 0.02


# ---------------------------------------------------------------- weights


def test_weights_survive_shipping(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    arrays = trainer(monkeypatch, tmp_path).policy.arrays()
    ship(arrays, {"note": "a test"}, tmp_path / "shipped.npz")
    again = read_weights(tmp_path / "shipped.npz")
    for name, array in arrays.items():
        np.testing.assert_allclose(again[name], array, atol=2**-8, err_msg=name)
    # what is rounded already stays as it is
    once, twice = rounded(again), rounded(unrounded(rounded(again)))
    assert all(np.array_equal(once[name], twice[name]) for name in once)


def test_shipped_weights_tell_how_they_were_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    it = trainer(monkeypatch, tmp_path, "--seed", "7", "--hands", "300")
    train.run(it)
    (kept,) = tmp_path.glob("average-*.npz")
    shipping.main([str(kept), "--out", str(tmp_path / "out.npz")])
    about = load_network(str(tmp_path / "out.npz")).about
    assert (about["seed"], about["hands"], about["weights"]) == (7, it.hands, kept.stem)
    assert about["command"].startswith("python ")
    assert about.keys() >= {"commit", "machine_hours"}
    (tmp_path / "config.json").unlink()
    with pytest.raises(SystemExit):
        shipping.main([str(kept), "--out", str(tmp_path / "out.npz"), "--seed", "7"])
    assert "does not tell the command: give --command" in capsys.readouterr().err


def outputs(net: SparseNet, inputs: list[int]) -> Any:
    x = torch.relu(net.first()[inputs].sum(0) + net.b1)
    return torch.relu(x @ net.w2 + net.b2) @ net.w3 + net.b3


def test_a_wider_network_begins_as_the_narrow_one() -> None:
    narrow, wide = (SparseNet(_selfplay.INPUTS, *widths, MOVES + 1) for widths in ((32, 64), (96, 128)))
    with torch.no_grad():
        for parameter in narrow.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    wide.put(narrow.arrays())
    for seed in range(20):
        inputs = Network(rounded(narrow.arrays())).inputs(santase.deal(seed))
        torch.testing.assert_close(outputs(wide, inputs), outputs(narrow, inputs), rtol=1e-4, atol=1e-4)


# ---------------------------------------------------------------- against others


def test_players_from_outside_play_the_same_game() -> None:
    """The package's policy, asked through the arena's player, plays as the trainer's network does;
    they differ where rounding decides, so hardly ever."""
    network = _selfplay.NetworkActor(weights_of(read_weights(SHIPPED)))
    outside = _selfplay.OutsideActor(make_player("policy"), SANTASE)
    scores = _selfplay.play_match(network, outside, SANTASE, 3, 300)
    assert np.count_nonzero(scores) < 15
    assert np.array_equal(scores, -_selfplay.play_match(outside, network, SANTASE, 3, 300))


def test_players_from_outside_see_their_view_alone() -> None:
    seen, told = [], []

    class Spy(Player):
        def begin(self, seed: int, seat: int, score: tuple[int, int] | None = None) -> None:
            self.seat = seat

        def choose(self, position: santase.Position) -> santase.Action:
            seen.append((self.seat, position))
            return santase.best_move(position, 0)

        def note(self, player: int, action: santase.Action, before: santase.Position) -> None:
            told.append((self.seat, player, action, before))

    spy = _selfplay.OutsideActor(Spy(), SANTASE)
    _selfplay.play_match(spy, _selfplay.RandomActor(), SANTASE, 5, 20)
    assert {seat for seat, _ in seen} == {0, 1}
    for seat, position in seen:
        assert position.to_move == seat
        assert position == position.view()
        assert position == santase.Position.parse(str(position))
    # it is told of its own actions and the other's, as it saw them coming
    own = [(seat, before) for seat, player, _, before in told if seat == player]
    assert [pair for pair in own if pair in seen] == seen
    assert all(len(before.legal_actions()) <= 2 for pair in own if pair not in seen for before in pair[1:])
    assert len(told) > 1.5 * len(seen)
    for seat, player, action, before in told:
        assert before == before.view(seat)
        assert before.to_move == player
        assert before.hidden[player] or action in before.legal_actions()


def test_players_from_outside_are_told_the_whole_hand() -> None:
    """What the player is told leads from the deal to where it is asked; the library's player checks that."""
    network = weights_of(read_weights(SHIPPED))
    outside, another = (
        _selfplay.OutsideActor(make_player("santase:worlds=20,mistrust=0.1"), SANTASE) for _ in range(2)
    )
    for other in (_selfplay.NetworkActor(network), _selfplay.RandomActor(), another):
        assert len(_selfplay.play_match(outside, other, SANTASE, 4, 15)) == 15
    batch = _selfplay.Batch(512)
    batch.play(network, None, outside, None, SANTASE, 5, 1.0, 0.1, 0.0)
    assert batch.hands > 10


def test_what_a_player_from_outside_may_not_do() -> None:
    class Stubborn(Player):
        def choose(self, position: santase.Position) -> santase.Action:
            return santase.Action("exchange")

    stubborn = _selfplay.OutsideActor(Stubborn(), SANTASE)
    with pytest.raises(IllegalActionError, match="exchange is not legal in santase"):
        _selfplay.play_match(_selfplay.RandomActor(), stubborn, SANTASE, 5, 3)
    batch = _selfplay.Batch(512)
    weights = weights_of(read_weights(SHIPPED))
    with pytest.raises(IllegalActionError):
        batch.play(weights, None, stubborn, None, SANTASE, 5, 1.0, 0.0, 0.0)


def test_deals_of_a_match_hang_on_the_seed_alone() -> None:
    weights = weights_of(read_weights(SHIPPED))
    likely, sampled = (_selfplay.NetworkActor(weights, sampled) for sampled in (False, True))
    deals: dict[str, list[santase.Position]] = {"likely": [], "sampled": []}

    class Witness(Player):
        sees_all = True

        def __init__(self, book: list[santase.Position]) -> None:
            self.book = book

        def choose(self, position: santase.Position) -> santase.Action:
            if position.tricks == (0, 0):
                self.book.append(position)
            return position.legal_actions()[0]

    for name, actor in (("likely", likely), ("sampled", sampled)):
        witness = _selfplay.OutsideActor(Witness(deals[name]), SANTASE)
        _selfplay.play_match(witness, actor, SANTASE, 9, 10)
    first = [[position.talon for position in found if position.led is None] for found in deals.values()]
    assert first[0] == first[1]
    assert len(set(first[0])) == 10


@pytest.mark.parametrize("plain", [[], ["--plain"]])
def test_only_the_learners_decisions_are_recorded(
    plain: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Against one who gives up as soon as he is on lead the learner nearly always wins, so a
    decision of the other's, or one that is credited to the other, would show as a loss."""
    it = trainer(monkeypatch, tmp_path, "--spared", "0", "--mix", '{"santase": 1}', *plain)

    class Resigning(Player):
        def choose(self, position: santase.Position) -> santase.Action:
            actions = position.legal_actions()
            return santase.Action("call") if "call" in actions else actions[0]

    monkeypatch.setattr(it, "opponent", lambda rng: _selfplay.OutsideActor(Resigning(), it.mix))
    data, _ = it.play().result()
    assert np.mean(data["result"] > 0) > 0.9
    assert np.mean(data["target"]) > 0.3


def test_a_best_response_wins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Against weights that have learned nothing it soon does; what is reported are fresh deals, and twice the same."""
    torch.manual_seed(1)
    frozen = tmp_path / "frozen.npz"
    np.savez(frozen, **SparseNet(_selfplay.INPUTS, 32, 32, MOVES + 1).arrays(), hands=0, seconds=0.0)

    def words(out: str, hands: str) -> list[str]:
        return ["--against", str(frozen), "--out", str(tmp_path / out), "--hands", hands, "--keep", "1e4", "--batch",
                "8192", "--minibatch", "512", "--choice-deals", "500", "--report-deals", "1000", "--warm", "0",
                "--h1", "64", "--rate", "2e-3", "1e-3"]  # fmt: skip

    report = best_response.main(words("one", "3e4"))
    by = {(row["response_sampled"], row["frozen_sampled"]): row for row in report["results"]}
    assert len(by) == 4
    assert by[False, False]["mean"] > 0.2
    assert by[False, False]["error"] < 0.1
    assert report["widths"] == [64, 32]
    assert "best response to" in capsys.readouterr().out
    # what it leaves behind can be played in the arena
    assert make_player(f"policy:weights={tmp_path / 'one' / 'response.npz'}").choose(santase.deal(1).view())
    # asked again, it trains no more and says the same
    before = (tmp_path / "one" / "log.jsonl").read_text("utf-8")
    assert best_response.main(words("one", "3e4"))["results"] == report["results"]
    assert (tmp_path / "one" / "log.jsonl").read_text("utf-8") == before
    # other weights under the same name are another run
    np.savez(frozen, **SparseNet(_selfplay.INPUTS, 32, 32, MOVES + 1).arrays(), hands=0, seconds=0.0)
    with pytest.raises(SystemExit):
        best_response.main(words("one", "3e4"))
    assert "one holds another run: digest is" in capsys.readouterr().err


def test_a_best_response_to_a_player_of_the_arena(tmp_path: Path) -> None:
    report = best_response.main(
        ["--against", "random", "--start", str(SHIPPED), "--out", str(tmp_path), "--hands", "300", "--batch", "1024",
         "--minibatch", "256", "--choice-deals", "20", "--report-deals", "50"]
    )  # fmt: skip
    assert {row["frozen_sampled"] for row in report["results"]} == {False}
    assert all(row["mean"] > 1 for row in report["results"])


def test_options_of_a_best_response(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, reason in (
        (["--against", "greedy"], "--start is needed"),
        (["--against", "greedy", "--sampled"], "--sampled is for weights"),
        (["--against", "nobody", "--start", "scratch"], "no player is called 'nobody'"),
        (["--against", str(SHIPPED), "--h1", "128"], "narrower"),
        (["--against", str(SHIPPED), "--start", str(tmp_path / "none.npz")], "none.npz"),
        (["--against", __file__, "--start", "scratch"], "test_training.py: no weights of a network"),
    ):
        with pytest.raises(SystemExit) as ended:
            best_response.main([*words, "--out", str(tmp_path / "run")])
        assert ended.value.code == 2
        assert reason in capsys.readouterr().err
