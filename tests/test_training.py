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
from santase._network import Network
from training import _selfplay, train
from training.ship import rounded


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
