"""Sums over columns that preconditioners use."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_CHUNK = 1 << 12


def column_squares(x: Any, weights: Array | None, center: Array) -> Array:
    """Σ ω(x − c)² of every column; sparse columns are taken about zero."""
    if not isinstance(x, np.ndarray):
        values = np.square(x.data, dtype=np.float64)
        if weights is not None:
            values *= np.repeat(weights, np.diff(x.indptr))
        sums = np.bincount(x.indices, weights=values, minlength=x.shape[1])
        return np.asarray(sums, dtype=np.float64)
    total = np.zeros(x.shape[1])
    for start in range(0, x.shape[0], _CHUNK):
        rows = slice(start, start + _CHUNK)
        block = x[rows] - center
        if weights is None:
            total += np.einsum("ij,ij->j", block, block)
        else:
            total += np.einsum("i,ij,ij->j", weights[rows], block, block)
    return total
