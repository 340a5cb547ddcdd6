from collections.abc import Sequence

from typing_extensions import disjoint_base

from santase._belief import Belief
from santase._closing import ClosedPlans
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
        plans: ClosedPlans | None = None,
    ) -> None: ...
    @property
    def value(self) -> float: ...
    @property
    def rollouts(self) -> int: ...
    def run(self, rollouts: int, seconds: float) -> None: ...
    @property
    def compared(self) -> int: ...
    def compare(self, first: Action, second: Action, worlds: int, seconds: float) -> list[list[int]]: ...

def gather(
    parts: list[Rollouts], equities: Sequence[float] | None = None, plans: ClosedPlans | None = None
) -> tuple[
    Action, int, dict[Action, tuple[float, float, float, int, float, dict[int, float], float, str, float]]
]: ...

KINDS: tuple[str, ...]
