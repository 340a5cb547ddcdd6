from typing_extensions import disjoint_base

from santase._core import Position
from santase.actions import Action

@disjoint_base
class Tree:
    stopped: bool
    def __init__(
        self,
        view: Position,
        *,
        seed: int = 0,
        exploration: float = 0.7,
        max_nodes: int = 4_000_000,
        all_actions: bool = True,
    ) -> None: ...
    @property
    def iterations(self) -> int: ...
    def run(self, iterations: int, seconds: float) -> None: ...
    def results(self) -> dict[Action, tuple[int, float, float, int]]: ...
