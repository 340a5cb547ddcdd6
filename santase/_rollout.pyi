from collections.abc import Iterable, Sequence

from typing_extensions import disjoint_base

from santase._belief import Belief
from santase._core import Position
from santase._network import Network
from santase.actions import Action

@disjoint_base
class Rollouts:
    stopped: bool
    def __init__(
        self,
        view: Position,
        network: Network,
        *,
        seed: int = 0,
        exploration: float = 1.0,
        least: float = 0.01,
        utility: Sequence[float] | None = None,
        belief: Belief | None = None,
        without: Iterable[Action] = (),
    ) -> None: ...
    @property
    def value(self) -> float: ...
    @property
    def rollouts(self) -> int: ...
    def run(self, rollouts: int, seconds: float) -> None: ...
    def found(self) -> dict[Action, tuple[float, list[int]]]: ...
