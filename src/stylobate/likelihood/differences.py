"""Derivatives by differences of fourth order, kept inside bounds.

A central difference `(8(f₁ − f₋₁) − (f₂ − f₋₂)) / 12h` errs by h⁴; where a bound is near, a
one-sided formula of the same order takes its place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stylobate.arrays import Array

# Steps as shares of a parameter's size: they balance h⁴ against rounding / h, and / h².
FIRST, SECOND = (float(np.finfo(float).eps ** power) for power in (1 / 5, 1 / 6))
_CENTRAL = (np.array([-2, -1, 1, 2]), np.array([1.0, -8.0, 8.0, -1.0]) / 12.0)
_FORWARD = (np.array([0, 1, 2, 3, 4]), np.array([-25.0, 48.0, -36.0, 16.0, -3.0]) / 12.0)


def derivative(
    f: Callable[[Array], Any], theta: Array, j: int, h: float, low: float, high: float
) -> Any:
    """∂f/∂θⱼ of a number or an array, never leaving [low, high]."""
    offsets, factors, h = _formula(float(theta[j]), h, low, high)
    total: Any = 0.0
    for offset, factor in zip(offsets, factors, strict=True):
        moved = theta.copy()
        moved[j] += offset * h
        total = total + factor * f(moved)
    return total / h


def _formula(at: float, h: float, low: float, high: float) -> tuple[Any, Any, float]:
    """Offsets and factors, and the step (negative where it looks down)."""
    if at - 2 * h > low and at + 2 * h < high:
        return (*_CENTRAL, h)
    below, above = at - low, high - at
    inside = min(below, above)
    if inside > 0.1 * h:  # room on both sides, if little
        return (*_CENTRAL, inside / 2.5)
    return (*_FORWARD, min(h, above / 5) if above >= below else -min(h, below / 5))


def hessian(
    gradient: Callable[[Array], Array], theta: Array, h: Array, low: Array, high: Array
) -> Array:
    """Second derivatives as differences of the gradient, symmetrised."""
    rows = [
        derivative(gradient, theta, j, float(h[j]), float(low[j]), float(high[j]))
        for j in range(len(theta))
    ]
    matrix = np.array(rows, dtype=np.float64).reshape(len(theta), len(theta))
    return np.asarray((matrix + matrix.T) / 2)
