"""Labels of classifiers of several outputs: one column or a table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data import read_labels
from stylobate.exceptions import InvalidDataError
from stylobate.splits.value_numbers import numpy_of


def read_outputs(
    y: Any, *, owner: str, n_rows: int
) -> tuple[list[NDArray[Any]], NDArray[np.int64], bool]:
    """Classes of every output, codes of shape (n, outputs), and whether y was a table."""
    table = _table_of_labels(y)
    if table is None:
        classes, codes = read_labels(y, owner=owner, n_rows=n_rows)
        return [classes], codes[:, None], False
    if not table.shape[1]:
        raise InvalidDataError(f"{owner}: y has no columns; give one for each output.")
    pairs = [
        read_labels(np.ascontiguousarray(column), owner=owner, n_rows=n_rows) for column in table.T
    ]
    return [classes for classes, _ in pairs], np.column_stack([codes for _, codes in pairs]), True


def _table_of_labels(y: Any) -> NDArray[Any] | None:
    """The labels as a matrix if it has two or more columns."""
    if y is None or getattr(y, "ndim", None) == 1 or hasattr(y, "nnz"):
        return None
    values = numpy_of(y) if hasattr(y, "to_numpy") else y
    if not isinstance(values, np.ndarray) and not (
        isinstance(values, list | tuple)
        and values
        and isinstance(values[0], list | tuple | np.ndarray)
    ):
        return None
    matrix = np.asarray(values)
    return matrix if matrix.ndim == 2 and matrix.shape[1] > 1 else None
