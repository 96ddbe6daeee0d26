"""Supports that depend on a parameter: the log-likelihood falls to −∞ beyond an edge.

The likelihood of Pareto's law rises with its scale m up to the smallest observation and is zero
beyond: the maximum lies on the edge, where derivatives and the usual theory do not hold. Edges are
found by halving, parameter by parameter, and held as bounds.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.likelihood.rows import RowLikelihood

REACH = 1e3  # sizes of a parameter within which an edge is looked for
ROUNDS = 12  # of finding edges and climbing between them
_HALVINGS = 200  # every double between two is reached in fewer than 64 + log2(their ratio)


def within_edges(rows: RowLikelihood, theta: Array, fixed: int | None) -> RowLikelihood:
    """The same rows with bounds drawn in to where the likelihood of `theta`'s neighbours ends."""
    low, high = rows.low.copy(), rows.high.copy()
    for j in range(len(theta)):
        if j != fixed:
            low[j] = edge(rows, theta, j, -1.0, rows.low[j])
            high[j] = edge(rows, theta, j, 1.0, rows.high[j])
    return replace(rows, low=low, high=high)


def edge(rows: RowLikelihood, theta: Array, j: int, sign: float, bound: float) -> float:
    """The last value of parameter j with a finite likelihood on the way to its bound."""
    inside = float(theta[j])
    reach = inside + sign * REACH * float(rows.sizes[j])
    outside = max(reach, bound) if sign < 0 else min(reach, bound)
    if _finite(rows, theta, j, outside):
        return float(bound)
    for _ in range(_HALVINGS):
        middle = 0.5 * (inside + outside)
        if middle in (inside, outside):
            break
        if _finite(rows, theta, j, middle):
            inside = middle
        else:
            outside = middle
    return inside


def near_edges(rows: RowLikelihood, theta: Array, fixed: int | None) -> bool:
    """Whether some neighbour of `theta`, as near as differences look, has no finite likelihood."""
    return any(
        not _finite(rows, theta, j, np.clip(theta[j] + step, rows.low[j], rows.high[j]))
        for j in range(len(theta))
        if j != fixed
        for step in (-0.01 * rows.sizes[j], 0.01 * rows.sizes[j])
    )


def shared_edge(
    rows: RowLikelihood, theta: Array, value: float, held: NDArray[np.bool_], gain: float
) -> bool:
    """Whether the likelihood rises by moving a parameter along an edge that depends on it too."""
    for i in np.flatnonzero(~held):
        for step in (s * float(rows.sizes[i]) * t for s in (-1.0, 1.0) for t in (1e-1, 1e-3)):
            moved = theta.copy()
            moved[i] = np.clip(theta[i] + step, rows.low[i], rows.high[i])
            for j in np.flatnonzero(held):
                if np.isfinite(rows.value(moved)):
                    inward = 1.0 if theta[j] == rows.low[j] else -1.0
                    moved[j] = edge(rows, moved, int(j), -inward, -inward * np.inf)
            if rows.value(moved) > value + gain:
                return True
    return False


def _finite(rows: RowLikelihood, theta: Array, j: int, at: float) -> bool:
    moved = theta.copy()
    moved[j] = at
    return bool(np.isfinite(rows.value(moved)))
