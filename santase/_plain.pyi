from typing import Self

from typing_extensions import disjoint_base

from santase._core import Position
from santase.actions import Action

def minimax(position: Position) -> dict[Action, int]: ...

@disjoint_base
class Plain:
    def __new__(cls, bits: int = 20) -> Self: ...
    @property
    def nodes(self) -> int: ...
    def value(self, position: Position) -> int: ...
