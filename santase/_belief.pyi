from collections.abc import Iterable

from typing_extensions import disjoint_base

from santase._core import Position
from santase._network import Network
from santase.actions import Action

@disjoint_base
class Belief:
    def __init__(
        self,
        view: Position,
        history: Iterable[tuple[Position, Action | str]],
        network: Network,
        *,
        mistrust: float = 0.1,
    ) -> None: ...
    @property
    def other(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def mistrust(self) -> float: ...
    def likelihood(self, world: Position, *, seed: int = 0) -> float: ...
