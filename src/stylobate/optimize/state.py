"""State: where a method stands after an iteration."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from stylobate.arrays import Array

_SHORT = 4096  # entries: products of such vectors keep to one thread


@dataclass(slots=True)
class State:
    """One iterate.

    Parameters
    ----------
    x : array (n,)
        The point.
    value : float
        F there.
    optimality : float
        Norm of the gradient, or of the proximal step over its length where there is a simple part:
        0 at a solution. NaN where the method knows neither.
    step : float
        The length of the step that led here.
    stalled : bool
        Whether the method found no step that lowers the objective beyond rounding.
    """

    x: Array
    value: float
    optimality: float = float("nan")
    step: float = 0.0
    stalled: bool = False


def norm(v: Array) -> float:
    """‖v‖₂."""
    with np.errstate(over="ignore"):
        return sqrt(dot(v, v))


def dot(a: Array, b: Array) -> float:
    """a·b; of long vectors without BLAS, whose threads would spin between two passes over rows."""
    return float(a @ b) if len(a) <= _SHORT else float(np.einsum("i,i->", a, b))
