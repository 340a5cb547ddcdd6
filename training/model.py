"""The network as PyTorch trains it, and its arrays as the self-play extension reads them."""

from __future__ import annotations

import pickle
import zipfile
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from santase.errors import SantaseError
from training import _selfplay
from training.ship import unrounded

POINTS, DISTANCES = 208, 67
"""The first of the two groups of inputs that tell points (see ``santase/_features.pxd``), and their size."""
MOVES = 30
STEPS = torch.tensor([1, *range(3, 66, 4), 33, 34, 66])


class SparseNet(nn.Module):
    """The parameters of a network: sparse inputs - h1 - h2 - outputs, rectified.

    Forward and backward passes are the extension's, whose loops use that most
    inputs and half of the activations are zero; PyTorch keeps the parameters
    and takes the steps.

    The tables of points are built from steps and single entries, so that what
    is learned at one number of points carries over to its neighbours.
    """

    def __init__(self, inputs: int, h1: int, h2: int, outputs: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.randn(inputs, h1) * 0.18)
        self.steps = nn.Parameter(torch.zeros(2, len(STEPS), h1))
        with torch.no_grad():
            self.table[POINTS : POINTS + 2 * DISTANCES] = 0.0
        self.b1 = nn.Parameter(torch.zeros(h1))
        self.w2 = nn.Parameter(torch.randn(h1, h2) * (2.0 / h1) ** 0.5)
        self.b2 = nn.Parameter(torch.zeros(h2))
        self.w3 = nn.Parameter(torch.randn(h2, outputs) * 0.1 / h2**0.5)
        self.b3 = nn.Parameter(torch.zeros(outputs))
        distance = torch.arange(DISTANCES)
        self.register_buffer("reached", (distance[:, None] >= STEPS[None, :]).float() * 0.5)

    def first(self) -> Tensor:
        """The table as it is played with, shape (inputs, h1)."""
        points = torch.einsum("ds,gsh->gdh", self.reached, self.steps).reshape(2 * DISTANCES, -1)
        end = POINTS + 2 * DISTANCES
        return torch.cat([self.table[:POINTS], self.table[POINTS:end] * 0.5 + points, self.table[end:]])

    def put(self, arrays: dict[str, np.ndarray]) -> None:
        """Become the network of plain arrays, which may be narrower: what this one has beyond
        it keeps its random inputs, but is not listened to yet."""
        h1, h2 = arrays["w2"].shape
        end = POINTS + 2 * DISTANCES
        table = torch.from_numpy(arrays["w1"].copy())
        table[POINTS:end] *= 2.0
        given = {name: torch.from_numpy(arrays[name].copy()) for name in ("b1", "w2", "b2", "w3", "b3")}
        outputs = self.b3.shape[0]
        with torch.no_grad():
            self.steps.zero_()
            self.table[:, :h1] = table
            self.b1[:h1] = given["b1"]
            self.w2[:h1, :h2] = given["w2"]
            self.w2[h1:, :h2] = 0.0
            self.b2[:h2] = given["b2"]
            self.w3[:h2] = given["w3"][:, :outputs]
            self.w3[h2:] = 0.0
            self.b3[:] = given["b3"][:outputs]

    def take(self, gradient: dict[str, np.ndarray]) -> None:
        """Set the parameters' gradients from those of the plain arrays."""
        self.table.grad = self.steps.grad = None
        self.first().backward(torch.from_numpy(gradient["w1"]))
        outputs = self.b3.shape[0]
        for name in ("b1", "w2", "b2", "w3", "b3"):
            given = gradient[name][..., :outputs] if name in ("w3", "b3") else gradient[name]
            getattr(self, name).grad = torch.from_numpy(given.copy())

    def arrays(self) -> dict[str, np.ndarray]:
        """Plain arrays w1, b1, w2, b2, w3, b3, float32."""
        with torch.no_grad():
            named = {
                "w1": self.first(), "b1": self.b1, "w2": self.w2, "b2": self.b2, "w3": self.w3, "b3": self.b3,
            }  # fmt: skip
            arrays = {name: value.numpy() for name, value in named.items()}
        # the extension reads 32 outputs
        spare = 32 - arrays["b3"].shape[0]
        arrays["w3"] = np.pad(arrays["w3"], ((0, 0), (0, spare)))
        arrays["b3"] = np.pad(arrays["b3"], (0, spare))
        return {name: np.array(value, dtype=np.float32, order="C") for name, value in arrays.items()}

    def weights(self) -> _selfplay.Weights:
        """A copy of the weights for the extension."""
        return weights_of(self.arrays())


def read_weights(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a file of weights: kept by a run, shipped, or a run's ``state.pt`` (averaged).

    Raises ``SantaseError`` for a file that is none of these.
    """
    arrays: dict[str, np.ndarray]
    try:
        if path.suffix == ".pt":
            arrays = torch.load(path, weights_only=False)["average"]
        else:
            with np.load(path) as stored:
                arrays = dict(stored)
            arrays = unrounded(arrays) if "about" in arrays else arrays
        weights_of(arrays)
    except (ValueError, TypeError, KeyError, EOFError, pickle.UnpicklingError, zipfile.BadZipFile) as error:
        raise SantaseError(f"{path}: no weights of a network ({error})") from None
    return arrays


def weights_of(arrays: dict[str, np.ndarray]) -> _selfplay.Weights:
    """The extension's network of ``w1, b1, w2, b2, w3, b3``."""
    return _selfplay.Weights(*(arrays[name] for name in ("w1", "b1", "w2", "b2", "w3", "b3")))
