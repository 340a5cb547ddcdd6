from collections.abc import Callable
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from santase._core import Position
from santase._ruleset import RuleSet
from santase.actions import Action

TABLE_BYTES: int

@disjoint_base
class Solver:
    def __init__(self, table_bytes: SupportsIndex = ...) -> None: ...
    @property
    def table_bytes(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    def value(
        self, position: Position, *, nodes: SupportsIndex | None = None, time: float | None = None
    ) -> int | None: ...
    def search_position(
        self, position: Position, *, nodes: SupportsIndex | None = None, time: float | None = None
    ) -> tuple[int, int, dict[Action, int], list[Action] | None, int]: ...

def solve_rows(
    array: npt.NDArray[Any],
    ruleset: RuleSet,
    threads: int,
    table_bytes: int,
    progress: Callable[[int], object] | None = None,
    before: int = 0,
) -> npt.NDArray[np.int8]: ...
