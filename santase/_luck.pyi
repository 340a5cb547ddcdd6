from collections.abc import Iterable

from santase._core import Position

FEATURE_NAMES: tuple[str, ...]

def draw_features(deal: Position, actions: Iterable[str]) -> list[float]: ...
def draw_luck(deal: Position, actions: Iterable[str]) -> float: ...
