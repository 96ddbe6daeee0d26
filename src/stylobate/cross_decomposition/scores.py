"""From rows to scores: centred first, some rows at a time, so that no digits cancel."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError

_CELLS = 1 << 21  # of rows centred at a time: 16 MB; for less, threads of BLAS cost more than help


def scores_of(x: Any, mean: Array, std: Array, rotations: Array) -> Array:
    """((x − mean) / std) rotations.

    >>> scores_of(np.array([[3.0, 1.0]]), np.ones(2), np.array([2.0, 1.0]), np.ones((2, 1)))
    array([[1.]])
    """
    directions = np.ascontiguousarray(rotations / std[:, None])
    if hasattr(x, "tocsr"):
        return np.asarray(x @ directions - mean @ directions)
    found = np.empty((len(x), directions.shape[1]))
    step = max(_CELLS // max(x.shape[1], 1), 64)
    for first in range(0, len(x), step):
        np.matmul(x[first : first + step] - mean, directions, out=found[first : first + step])
    return found


def read_columns(
    model: Any, values: Any, count: int, name: str, *, with_origin: bool = False
) -> Any:
    """Rows of as many columns as the model has of this kind; one column may come as a vector."""
    owner = type(model).__name__
    if getattr(values, "ndim", 2) == 1 or (
        isinstance(values, list) and values and not np.ndim(values[0])
    ):
        values = np.asarray(values).reshape(-1, 1)
    table = read_table(values, owner=owner, accept_sparse=False)
    if table.n_features != count:
        raise InvalidDataError(
            f"{owner}: {name} has {table.n_features} columns; the model has {count}."
        )
    return (table.x, table.origin) if with_origin else table.x
