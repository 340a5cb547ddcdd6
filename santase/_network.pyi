from collections.abc import Mapping, Sequence
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from santase._core import Position
from santase.actions import Action

class Network:
    about: dict[str, Any]
    h1: int
    h2: int
    first_scale: int
    second_scale: int
    scale: int
    def __init__(
        self,
        arrays: Mapping[str, npt.NDArray[np.int16] | npt.NDArray[np.int32] | np.int32],
        about: Mapping[str, Any] | None = None,
    ) -> None: ...
    def inputs(self, position: Position) -> list[int]: ...
    def logits(self, inputs: Sequence[int]) -> list[int]: ...
    def policy(self, position: Position) -> tuple[dict[Action, float], float]: ...

def load_network(file: str | IO[bytes]) -> Network: ...
def shipped_network() -> Network: ...
