from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from santase._core import Position
from santase.actions import Action
from santase.rules import Rules

TABLE_BYTES: int

def hand_dtype() -> np.dtype[np.void]: ...

@disjoint_base
class Solver:
    def __init__(self, table_bytes: int = ...) -> None: ...
    @property
    def table_bytes(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    def value(
        self, position: Position, *, nodes: int | None = None, time: float | None = None
    ) -> int | None: ...
    def search_position(
        self, position: Position, *, nodes: int | None = None, time: float | None = None
    ) -> tuple[int, int, dict[Action, int], list[Action] | None, int]: ...

def solve_positions(positions: list[Position], threads: int, table_bytes: int) -> npt.NDArray[np.int8]: ...
def solve_array(
    array: npt.NDArray[Any], rules: Rules | str, threads: int, table_bytes: int
) -> npt.NDArray[np.int8]: ...
def pack(positions: Iterable[Position]) -> npt.NDArray[np.void]: ...
def unpack(array: npt.NDArray[Any], rules: Rules | str = "santase") -> list[Position]: ...
