"""Targets that may be numbers or labels, as selectors hand them on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table, read_labels, read_table
from stylobate.splits.value_numbers import numpy_of


def read_any_target(y: Any, n_rows: int, *, owner: str) -> NDArray[Any]:
    """Y as an array of the caller's own kind, refused where no score could be made of it.

    Numbers (vectors or matrices) must be finite; labels are text, integers or truth values.

    >>> read_any_target(["no", "yes"], 2, owner="SelectKBest").tolist()
    ['no', 'yes']
    """
    values = numpy_of(y)
    if values.dtype.kind in "OUSb":
        classes, codes = read_labels(y, owner=owner, n_rows=n_rows)
        return np.asarray(classes[codes])
    read_table(np.zeros((n_rows, 1)), y, owner=owner)  # the door knows what numbers may be
    return values


def class_codes(y: Any, n_rows: int, *, owner: str) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The distinct values of y, and the number of each row's: any vector can stand for classes."""
    values = read_any_target(y, n_rows, owner=owner)
    if values.ndim != 1:
        values = values.reshape(len(values), -1)[:, 0] if values.size == len(values) else values
    if values.dtype.kind == "f" and values.ndim == 1:
        classes, codes = np.unique(values, return_inverse=True)
        return classes, codes.reshape(-1).astype(np.int64, copy=False)
    return read_labels(values, owner=owner, n_rows=n_rows)


def with_target(table: Table, y: NDArray[Any] | None) -> Table:
    """The table with its target, where that is made of numbers."""
    if y is None or y.dtype.kind not in "iuf":
        return table
    target = np.ascontiguousarray(y.reshape(len(y), -1), dtype=np.float64)
    return replace(table, y=target, y_is_vector=y.ndim == 1)
