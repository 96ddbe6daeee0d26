"""Correlations of all pairs of columns on the rows where both have a value."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Mask

_NOISE = 1e-13  # share of a column's scatter that is rounding


class PairwiseCorrelations(NamedTuple):
    """r (NaN where a column is constant on the common rows) and the number of those rows."""

    r: Array
    n: NDArray[np.int64]


def pairwise_correlations(columns: Array) -> PairwiseCorrelations:
    r"""Pearson's r of every pair of columns, on the rows where both are present.

    With the mask M, and X centred and scaled with 0 for missing values, :math:`M^\top M` counts the
    rows, :math:`X^\top M` and :math:`(X^2)^\top M` sum each column over the rows of every other,
    and :math:`X^\top X` sums products: four products of matrices, no loop over pairs.

    Parameters
    ----------
    columns : array of shape (p, n)
        Numbers, a row for each column; NaN is missing.

    Examples
    --------
    >>> found = pairwise_correlations(np.array([[1.0, 2, 3, np.nan], [1, 3, 2, 9]]))
    >>> float(found.r[0, 1].round(3)), int(found.n[0, 1])
    (0.5, 3)
    """
    present = np.isfinite(columns)
    x = standardised(columns, present)
    products = x @ x.T
    if present.all():
        n = np.full(products.shape, columns.shape[1], dtype=np.int64)
        own = np.diag(products)
        return PairwiseCorrelations(_ratio(products, own[:, None] * np.ones_like(products)), n)
    mask = present.astype(np.float64)
    counts = mask @ mask.T
    sums, squares = x @ mask.T, np.square(x) @ mask.T
    with np.errstate(divide="ignore", invalid="ignore"):
        scatter = squares - sums**2 / counts
        cross = products - sums * sums.T / counts
    scatter[scatter < _NOISE * squares] = 0.0
    return PairwiseCorrelations(_ratio(cross, scatter), counts.astype(np.int64))


def standardised(columns: Array, present: Mask) -> Array:
    """Columns with mean 0 and variance 1, 0 where missing or constant."""
    filled = np.where(present, columns, 0.0)
    size = np.maximum(np.abs(filled).max(axis=1, initial=0.0), 1e-300)[:, None]
    filled /= size  # no overflow, whatever the unit
    counts = np.maximum(present.sum(axis=1), 1)[:, None]
    mean = filled.sum(axis=1, keepdims=True) / counts
    filled = np.where(present, filled - mean, 0.0)
    deviation = np.sqrt(np.square(filled).sum(axis=1, keepdims=True) / counts)
    rounding = 1e-14 * (np.abs(mean) + 1e-300)  # what is left of a constant
    scaled = np.zeros_like(filled)
    np.divide(filled, deviation, out=scaled, where=deviation > rounding)
    return scaled


def _ratio(cross: Array, scatter: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        r = cross / np.sqrt(scatter * scatter.T)
    r[~np.isfinite(r)] = np.nan
    return np.asarray(np.clip(r, -1.0, 1.0))
