"""Smallest and largest value of every column, missing values left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.config import get_config
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError


@dataclass(frozen=True, slots=True, eq=False)
class ColumnRange:
    """Where each column begins and ends; what scalers by range need, and nothing more.

    Parameters
    ----------
    n_rows : int
        Rows of positive weight, missing values or not.
    low, high : arrays of shape (p,)
        Smallest and largest value; ``inf`` and ``-inf`` where nothing is present.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> left, right = (read_table(rows, owner="example") for rows in ([[1.0], [5.0]], [[3.0]]))
    >>> whole = ColumnRange.of(left).merge(ColumnRange.of(right))
    >>> whole.n_rows, whole.low, whole.high
    (3, array([1.]), array([5.]))
    """

    n_rows: int
    low: Array
    high: Array

    subtractable: ClassVar[bool] = False
    skips_missing: ClassVar[bool] = True

    @classmethod
    def of(cls, table: Table) -> Self:
        """The range of the columns of X."""
        x, weights = table.x, table.weights
        if table.is_sparse:
            if weights is not None and not weights.all():
                x = x[np.flatnonzero(weights)]
            return cls(int(x.shape[0]), *_of_entries(x))
        n_rows = x.shape[0] if weights is None else np.count_nonzero(weights)
        *_, low, high = _core.column_moments(x, weights, False)
        return cls(int(n_rows), np.asarray(low), np.asarray(high))

    @property
    def is_present(self) -> NDArray[np.bool_]:
        """Columns with at least one value."""
        return np.asarray(self.low <= self.high)

    @property
    def is_constant(self) -> NDArray[np.bool_]:
        """Columns whose values differ by no more than rounding; also those without a value."""
        return is_constant(self.low, self.high)

    def update(self, table: Table) -> Self:
        """The range after absorbing more rows."""
        return self.merge(type(self).of(table))

    def merge(self, other: Self) -> Self:
        """The range of both parts' rows."""
        if len(self.low) != len(other.low):
            raise InvalidDataError(
                f"ColumnRange: these describe {len(self.low)} columns, the others "
                f"{len(other.low)}; they must describe the same ones."
            )
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        return type(self)(self.n_rows + other.n_rows, low, high)

    def is_finite(self) -> bool:
        present = self.is_present
        return bool(np.isfinite(self.low[present]).all() and np.isfinite(self.high[present]).all())

    def column_lengths(self) -> Array:
        """Nothing: no column is too long or too short."""
        return np.empty(0)

    def to_arrays(self) -> dict[str, Array]:
        return {"n_rows": np.array([float(self.n_rows)]), "low": self.low, "high": self.high}

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> Self:
        return cls(int(arrays["n_rows"][0]), arrays["low"], arrays["high"])


def is_constant(low: Array, high: Array) -> NDArray[np.bool_]:
    """Columns from `low` to `high` that differ by no more than rounding."""
    with np.errstate(over="ignore", invalid="ignore"):
        spread = high - low
        size = np.maximum(np.abs(low), np.abs(high))
        return np.asarray(~(spread > 10 * np.finfo(np.float64).eps * size))


def refuse_infinite(table: Table, low: Array, high: Array) -> None:
    """Refuse a table whose columns reach from `low` to `high` if that is as far as infinity.

    Whoever knows the extremes need not read the rows once more to look for infinities.
    """
    if table.finite or get_config()["assume_finite"]:
        return
    if (low == -np.inf).any() or (high == np.inf).any():
        table.refuse_nonfinite(only="infinite")


def _of_entries(x: Any) -> tuple[Array, Array]:
    """From stored entries; a column that stores fewer than it has rows holds a zero."""
    x = x.tocsc()
    n, p = x.shape
    low, high = np.full(p, np.inf), np.full(p, -np.inf)
    column = np.repeat(np.arange(p), np.diff(x.indptr))
    np.fmin.at(low, column, x.data.astype(np.float64))
    np.fmax.at(high, column, x.data.astype(np.float64))
    zeros = np.diff(x.indptr) < n
    low[zeros], high[zeros] = np.minimum(low[zeros], 0.0), np.maximum(high[zeros], 0.0)
    return low, high
