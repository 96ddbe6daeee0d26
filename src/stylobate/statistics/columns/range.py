"""Columns too large or too small to be squared: refused by name."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import NumericalError
from stylobate.statistics.rows import counted

# Lengths of columns for which Gram, coefficients, and squares of both stay within 1e-308 … 1e308.
SMALLEST, LARGEST = 1e-75, 1e75


def refuse_out_of_range(table: Table, lengths: Array | None = None) -> None:
    """Refuse the first column of [X, y] whose length leaves the range in which squares keep digits.

    A constant column has length zero and is let through; one that varies too little for its squares
    to be told from zero would look constant, and is refused.

    Parameters
    ----------
    table : Table
        Finite rows.
    lengths : array (p + t,), optional
        Lengths of the columns about their means, as far as double precision can tell: only columns
        they leave in doubt are looked at. All columns without them.
    """
    if lengths is None:
        lengths = np.full(table.n_features + (0 if table.y is None else table.y.shape[1]), np.nan)
    suspects = np.flatnonzero(~((lengths >= SMALLEST) & (lengths <= LARGEST)))
    if len(suspects) == 0:
        return
    table = counted(table)
    if table.n_rows == 0:  # a part all of whose weights are zero
        return
    low, high = _extremes(table, suspects)
    size = np.maximum(np.abs(low), np.abs(high))
    with np.errstate(over="ignore"):
        spread = high - low
    small = (size > 0) & (size < SMALLEST) | (spread > 0) & (
        (lengths[suspects] < SMALLEST) | (spread < SMALLEST)
    )
    large = (size > LARGEST) | (lengths[suspects] > LARGEST)
    for j, is_small, is_large, value in zip(suspects, small, large, size, strict=True):
        if is_small or is_large:
            if table.weights is not None and SMALLEST < value < LARGEST:
                refuse_extreme_weights(table.weights, table.owner)
            raise NumericalError(
                f"{table.owner}: {_column_name(table, int(j))} holds values up to {value:.3g}, too "
                f"{'large' if is_large else 'small'} to be squared safely in double precision; "
                f"multiply it by a constant that brings it within {SMALLEST:g} and {LARGEST:g}."
            )


def refuse_extreme_weights(weights: Array, owner: str, *, smallest: float = SMALLEST) -> None:
    """Refuse weights so large or small that weighted squares leave the range of doubles."""
    largest = float(weights.max())
    if not smallest <= largest <= LARGEST:
        raise NumericalError(
            f"{owner}: sample_weight holds values up to {largest:.3g}, too "
            f"{'large' if largest > LARGEST else 'small'} for weighted squares in double "
            f"precision; multiply all weights by a constant that brings them near 1."
        )


def _extremes(table: Table, columns: NDArray[np.intp]) -> tuple[Array, Array]:
    """Smallest and largest value of some columns of [X, y]."""
    p = table.n_features
    chosen = columns[columns < p]
    x = table.x if len(chosen) == p else table.x[:, chosen]
    found = [_sparse_extremes(x.tocsc()) if table.is_sparse else _dense_extremes(x)]
    if table.y is not None:
        found.append(_dense_extremes(table.y[:, columns[columns >= p] - p]))
    low, high = zip(*found, strict=True)
    return np.concatenate(low), np.concatenate(high)


def _dense_extremes(x: Any) -> tuple[Array, Array]:
    low, high = (np.asarray(ufunc.reduce(x, axis=0)) for ufunc in (np.minimum, np.maximum))
    return low.astype(float, copy=False), high.astype(float, copy=False)


def _sparse_extremes(x: Any) -> tuple[Array, Array]:
    """Of columns of a CSC matrix, zeros that are not stored among them.

    SciPy's own `min` and `max` take twenty times as long on the small parts of folds.
    """
    x.sum_duplicates()
    stored = np.diff(x.indptr)
    low, high = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    some, full = np.flatnonzero(stored), stored == x.shape[0]
    for found, ufunc in ((low, np.minimum), (high, np.maximum)):
        if len(some):
            found[some] = ufunc.reduceat(x.data, x.indptr[some])
        found[~full] = ufunc(found[~full], 0.0)
    return low, high


def _column_name(table: Table, j: int) -> str:
    p = table.n_features
    if j >= p:
        return "y" if table.y_is_vector else f"target {j - p} of y"
    return f"column {j} of X" if table.names is None else f"column {table.names[j]!r} of X"
