"""Values of a column at which a model's dependence on it is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.columns import Columns
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inspection.changed_tables import picked
from stylobate.splits.strata import as_array

_OWNER = "partial_dependence"


@dataclass(frozen=True, slots=True)
class Axis:
    """The values of one column, and rows that hold them where they must keep their own type.

    Parameters
    ----------
    name : str
        The column.
    values : array of shape (k,)
        The grid.
    rows : array of shape (k,) or None
        A row that has each value; None for numbers that need not occur.
    categorical : bool
        Whether they are names rather than amounts.
    """

    name: str
    values: NDArray[Any]
    rows: NDArray[np.intp] | None
    categorical: bool

    def column(self, columns: Columns, position: int, points: NDArray[np.intp]) -> Any:
        """The column with the values of these points of the grid."""
        if self.rows is not None:
            return picked(columns, position, self.rows[points])
        return self.values[points]


def axis_of(
    columns: Columns,
    position: int,
    name: str,
    categorical: bool,
    percentiles: tuple[float, float],
    resolution: int,
    custom: Any = None,
) -> Axis:
    """The grid of one column: given values, its own if few or categories, else evenly spaced."""
    if custom is not None:
        return Axis(name, _custom(custom, name), None, categorical)
    values = _values(columns, position)
    categorical = categorical or values.dtype.kind not in "iuf"
    distinct, rows = _distinct(values, name)
    if categorical or len(distinct) < resolution:
        whole = np.issubdtype(distinct.dtype, np.floating) and not categorical
        return Axis(name, distinct, None if whole else rows, categorical)
    low, high = quantiles(values[~_absent(values)].astype(np.float64), percentiles)
    if np.isclose(low, high):
        raise InvalidParameterError(
            f"{_OWNER}: percentiles are too close to each other, unable to build the grid of "
            f"{name!r}. Please choose percentiles that are further apart."
        )
    return Axis(name, np.linspace(low, high, resolution), None, False)


def quantiles(values: NDArray[np.float64], shares: tuple[float, float]) -> NDArray[np.float64]:
    """Quantiles with plotting positions (k − 0.4)/(n + 0.2), as SciPy's `mquantiles`.

    >>> quantiles(np.array([1.0, 2.0, 3.0, 4.0]), (0.0, 0.5))
    array([1. , 2.5])
    """
    ordered, n = np.sort(values), len(values)
    place = n * np.asarray(shares) + 0.4 + 0.2 * np.asarray(shares)
    k = np.clip(np.floor(place), 1, max(n - 1, 1)).astype(int)
    beyond = np.clip(place - k, 0.0, 1.0)
    return np.asarray((1.0 - beyond) * ordered[k - 1] + beyond * ordered[np.minimum(k, n - 1)])


def _values(columns: Columns, position: int) -> NDArray[Any]:
    column = columns.take(np.array([position]), vector=True)
    values = as_array(column).reshape(-1)
    if values.dtype.kind == "O":
        return _plain_objects(values)
    return values


def _plain_objects(values: NDArray[Any]) -> NDArray[Any]:
    """Objects that all are numbers, as numbers."""
    there = [value for value in values.tolist() if value is not None and value == value]
    if there and all(isinstance(v, int | float) and not isinstance(v, bool) for v in there):
        return np.array([np.nan if v is None else v for v in values.tolist()], dtype=np.float64)
    return values


def _distinct(values: NDArray[Any], name: str) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Distinct values, sorted, without missing ones; and the first row of each."""
    there = np.flatnonzero(~_absent(values))
    if len(there) == 0:
        raise InvalidDataError(f"{_OWNER}: the column {name!r} has no value that is not missing.")
    try:
        distinct, first = np.unique(values[there], return_index=True)
    except TypeError:  # of several types: in the order of their texts
        seen: dict[Any, int] = {}
        for row in there:
            seen.setdefault(values[row], int(row))
        ordered = sorted(seen, key=lambda value: (str(type(value)), str(value)))
        found = np.empty(len(ordered), dtype=object)
        found[:] = ordered
        return found, np.array([seen[value] for value in ordered], dtype=np.intp)
    return distinct, there[first]


def _absent(values: NDArray[Any]) -> NDArray[np.bool_]:
    if values.dtype.kind in "fmM":
        return np.asarray(values != values)
    if values.dtype.kind != "O":
        return np.zeros(len(values), dtype=bool)
    return np.array([v is None or _is_nan(v) for v in values.tolist()], dtype=bool)


def _is_nan(value: Any) -> bool:
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas' NA compares as itself
        return True


def _custom(values: Any, name: str) -> NDArray[Any]:
    texts = any(isinstance(value, str) for value in values)
    found = np.asarray(values, dtype=object if texts else None)
    if found.ndim != 1 or len(found) == 0:
        raise InvalidParameterError(
            f"{_OWNER}: The custom grid for some features is not a one-dimensional array: "
            f"custom_values of {name!r} has shape {found.shape}."
        )
    return found
