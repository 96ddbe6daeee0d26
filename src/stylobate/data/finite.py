"""Missing and infinite values: found by one compiled scan, refused by naming the first cell."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.data.numbers import Names
from stylobate.data.sparse import is_sparse, position_of_entry
from stylobate.data.words import Input, place
from stylobate.exceptions import InvalidDataError

_BLOCK = 1 << 16  # rows looked at together when counting; keeps the extra memory small


def all_finite(x: Any) -> bool:
    """Whether every stored value of a dense or sparse matrix is finite.

    Examples
    --------
    >>> all_finite(np.array([[1.0, np.nan]]))
    False
    """
    values = x.data.reshape(-1, 1) if is_sparse(x) else x
    if values.size == 0 or values.dtype.kind != "f":
        return True
    return _core.first_nonfinite(values) is None


def refuse_nonfinite(
    x: Any,
    source: Input,
    *,
    names: Names = None,
    only: Literal["any", "infinite"] = "any",
    first: int = 0,
) -> bool:
    """Raise if `x` has a NaN or an infinity (or, with ``only="infinite"``, an infinity).

    Parameters
    ----------
    x : ndarray of shape (n, p), csr_array or csc_array
        Floats.
    source : Input
        Named in the message.
    names : sequence, default=None
        Column names.
    only : {"any", "infinite"}, default="any"
        What is refused; NaN passes with "infinite".
    first : int, default=0
        The number of the first row, where `x` is a part of more.

    Returns
    -------
    bool
        True if all values are finite; False only where NaN is let through.
    """
    if all_finite(x):
        return True
    found = _first(x, infinite_only=only == "infinite")
    if found is None:
        return False
    (row, column), value, rows = found
    position = (row + first, column)
    is_vector = x.shape[1] == 1 and source.label == "y"
    where = place(position[:1] if is_vector else position, names)
    if np.isnan(value):
        what, remedy = "NaN", "Impute missing values or drop those rows first."
    else:
        what = f"infinity or a value too large for {x.dtype}"
        remedy = "Replace such values, drop those rows, or rescale the column."
    share = f"{rows} of {x.shape[0]} rows {'has' if rows == 1 else 'have'}"
    raise InvalidDataError(
        f"{source} contains {what} at {where} ({share} missing or infinite values). {remedy}"
    )


def _first(x: Any, *, infinite_only: bool) -> tuple[tuple[int, int], float, int] | None:
    """First offending cell in row order, its value, and how many rows have one; None if none."""
    if is_sparse(x):
        wrong = np.isinf(x.data) if infinite_only else ~np.isfinite(x.data)
        entries = np.flatnonzero(wrong)
        if len(entries) == 0:
            return None
        rows = _rows_of(x)[entries]
        first = int(entries[np.argmin(rows)])
        return position_of_entry(x, first), float(x.data[first]), len(np.unique(rows))
    position: tuple[int, int] | None = None
    count = 0
    for start in range(0, x.shape[0], _BLOCK):
        block: NDArray[Any] = x[start : start + _BLOCK]
        wrong = np.isinf(block) if infinite_only else ~np.isfinite(block)
        rows = np.flatnonzero(wrong.any(axis=1))
        count += len(rows)
        if position is None and len(rows):
            position = (start + int(rows[0]), int(np.argmax(wrong[rows[0]])))
    return None if position is None else (position, float(x[position]), count)


def _rows_of(matrix: Any) -> NDArray[Any]:
    """The row of every stored entry."""
    if matrix.format == "csc":
        rows: NDArray[Any] = matrix.indices
        return rows
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
