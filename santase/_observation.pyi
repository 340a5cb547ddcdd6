from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from santase._core import Position

class Field(NamedTuple):
    name: str
    start: int
    size: int
    public: bool
    meaning: str

LAYOUT: tuple[Field, ...]

def observe(
    position: Position, player: int | None = None, out: npt.NDArray[np.float32] | None = None
) -> npt.NDArray[np.float32]: ...
def action_mask(position: Position) -> npt.NDArray[np.int8]: ...
