from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from santase._network import Network
from santase._ruleset import RuleSet

def analysis_dtype() -> np.dtype[np.void]: ...
def analyze_rows(
    views: npt.NDArray[np.void],
    seeds: npt.NDArray[np.uint64],
    ruleset: RuleSet,
    network: Network,
    *,
    worlds: int,
    parts: int,
    seconds: float,
    equities: Sequence[float] | None,
    utility: Sequence[float] | None,
    threads: int,
    progress: Callable[[int], object] | None = None,
    before: int = 0,
) -> npt.NDArray[np.void]: ...
