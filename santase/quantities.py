"""The numbers that callers give: Python's own, and NumPy's, which are no subclasses of ``int``.

Here only what a number is; which numbers make sense is said where they are used.
"""

from __future__ import annotations

import math
import operator
from typing import Any


def whole(value: Any) -> int | None:
    """A whole number as an ``int``; None for anything else, truth values and floats among them."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def real(value: Any) -> float | None:
    """A number as a ``float``, infinite where it is too large for one; None for anything else."""
    if isinstance(value, bool) or not (isinstance(value, (int, float)) or _is_real(value)):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _is_real(value: object) -> bool:
    from numbers import Real  # seldom wanted

    return isinstance(value, Real)
