"""Area under a curve through points."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.containers import unpack
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError


def auc(x: Any, y: Any) -> float:
    """Area under the straight lines through the points (x, y), by trapezoids.

    Parameters
    ----------
    x : array-like of shape (n,)
        Places that never fall, or never rise.
    y : array-like of shape (n,)
        Heights.

    Returns
    -------
    float

    Examples
    --------
    >>> auc([0.0, 0.5, 1.0], [0.0, 1.0, 1.0])
    0.75
    """
    places, heights = _column(x, "x"), _column(y, "y")
    if len(places) != len(heights):
        raise InvalidDataError(
            "auc: Found input variables with inconsistent numbers of samples: "
            f"[{len(places)}, {len(heights)}]; x and y need one entry for each point."
        )
    if len(places) < 2:
        raise InvalidDataError(
            "auc: At least 2 points are needed to compute area under curve, but x.shape = "
            f"{places.shape}"
        )
    steps = np.diff(places)
    if (steps < 0).any():
        if (steps > 0).any():
            raise InvalidDataError(
                "auc: x is neither increasing nor decreasing : sort the points by x first."
            )
        return -trapezoids(places, heights)
    return trapezoids(places, heights)


def trapezoids(x: Array, y: Array) -> float:
    """Σ (xᵢ₊₁ − xᵢ)(yᵢ₊₁ + yᵢ)/2."""
    return float(0.5 * (np.diff(x) * (y[1:] + y[:-1])).sum())


def _column(values: Any, name: str) -> Array:
    source = Input("auc", name)
    column = np.asarray(unpack(values, source).values, dtype=np.float64)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column.reshape(-1)
    if column.ndim != 1:
        raise InvalidDataError(f"{source} has shape {column.shape}; expected one column, (n,).")
    refuse_nonfinite(column.reshape(-1, 1), source)
    return column
