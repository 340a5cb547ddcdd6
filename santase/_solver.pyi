from typing import Any

import numpy as np
import numpy.typing as npt
from collections.abc import Iterable

from santase._core import Position
from santase.actions import Action
from santase.rules import Rules

TABLE_BYTES: int
HAND_DTYPE: np.dtype[np.void]

class Solver:
    """A table and a search; solve as many positions with it as you like.

    ``table_bytes`` is the memory of the table, 0 for none. What is in the table never
    changes an answer, only the time. One solver serves one thread at a time; a second
    call while one is running raises ``SantaseError``.
    """

    table_bytes: int
    def __init__(self, table_bytes: int = ...) -> None: ...
    def value(
        self, position: Position, *, nodes: int | None = None, time: float | None = None
    ) -> int | None: ...
    def search_position(
        self, position: Position, *, nodes: int | None = None, time: float | None = None
    ) -> tuple[int, int, dict[Action, int], list[Action] | None, int]: ...
    @property
    def nodes(self) -> int: ...

def solve_positions(positions: list[Any], threads: int, table_bytes: int) -> npt.NDArray[np.int8]: ...
def solve_array(
    array: npt.NDArray[np.void], rules: Rules | str, threads: int, table_bytes: int
) -> npt.NDArray[np.int8]: ...
def pack(positions: Iterable[Position]) -> npt.NDArray[np.void]: ...
def unpack(array: npt.NDArray[np.void], rules: Rules | str = "santase") -> list[Position]: ...
