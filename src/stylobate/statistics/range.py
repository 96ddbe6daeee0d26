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
    parts: list[Any] = [table.x if len(chosen) == p else table.x[:, chosen]]
    if table.is_sparse:
        parts = [parts[0].tocsc()]
    if table.y is not None:
        parts.append(table.y[:, columns[columns >= p] - p])
    found = [
        [np.asarray(_dense(getattr(part, which)(axis=0)), dtype=float).ravel() for part in parts]
        for which in ("min", "max")
    ]
    return np.concatenate(found[0]), np.concatenate(found[1])


def _dense(values: Any) -> Any:
    return values.toarray() if hasattr(values, "toarray") else values


def _column_name(table: Table, j: int) -> str:
    p = table.n_features
    if j >= p:
        return "y" if table.y_is_vector else f"target {j - p} of y"
    return f"column {j} of X" if table.names is None else f"column {table.names[j]!r} of X"
