"""Count, mean, spread and extremes of every column by itself, missing values left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.statistics.columns.column_range import is_constant


@dataclass(frozen=True, slots=True, eq=False)
class ColumnMoments:
    r"""What a column tells by itself: nothing that needs two columns is formed.

    .. math:: n_j = \sum_{i \text{ present}} w_i, \quad m_j = \frac1{n_j} \sum_i w_i x_{ij}, \quad
              \ell_j = \Big( \sum_i w_i (x_{ij} - m_j)^2 \Big)^{1/2}

    NaN is no value: each column counts its own. The spread is held as a length, not as its square,
    so columns of order 1e±300 merge as well as others.

    Parameters
    ----------
    n_rows : int
        Rows of positive weight, missing values or not.
    count : array of shape (p,)
        Values present, in rows of positive weight.
    weight : array of shape (p,)
        Sum of their weights (= `count` without weights).
    mean : array of shape (p,)
        0 where nothing is present.
    length : array of shape (p,)
        Length of the column about its mean.
    low, high : arrays of shape (p,)
        Smallest and largest value; ``inf`` and ``-inf`` where nothing is present.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> rows = [[1.0, 5.0], [2.0, float("nan")], [6.0, 7.0]]
    >>> read = lambda part: read_table(part, owner="example", check_finite="allow-nan")
    >>> whole = ColumnMoments.of(read(rows[:2])).merge(ColumnMoments.of(read(rows[2:])))
    >>> whole.count, whole.mean
    (array([3., 2.]), array([3., 6.]))
    >>> (whole.length**2).round(9), whole.low
    (array([14.,  2.]), array([1., 5.]))

    References
    ----------
    Chan, Golub & LeVeque (1979), Updating formulae and a pairwise algorithm for computing sample
    variances, Stanford STAN-CS-79-773.
    """

    n_rows: int
    count: Array
    weight: Array
    mean: Array
    length: Array
    low: Array
    high: Array

    subtractable: ClassVar[bool] = False
    skips_missing: ClassVar[bool] = True

    @classmethod
    def of(cls, table: Table) -> Self:
        """The moments of the columns of X."""
        x, weights = table.x, table.weights
        if table.is_sparse:
            if weights is not None and not weights.all():
                keep = np.flatnonzero(weights)
                x, weights = x[keep], weights[keep]
            found: Self = _of_entries(cls, x, weights)
            return found
        n_rows = x.shape[0] if weights is None else np.count_nonzero(weights)
        return cls(int(n_rows), *map(np.asarray, _core.column_moments(x, weights, True)))

    @classmethod
    def of_nothing(cls, p: int) -> Self:
        """The moments of no rows of p columns."""
        none = np.zeros(p)
        return cls(0, none, none, none, none, np.full(p, np.inf), np.full(p, -np.inf))

    @property
    def n_features(self) -> int:
        return len(self.mean)

    @property
    def deviation(self) -> Array:
        """Standard deviations, with the sum of the weights as denominator."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.length / np.sqrt(self.weight))

    @property
    def is_constant(self) -> NDArray[np.bool_]:
        """Columns whose values differ by no more than rounding; also those without a value."""
        return is_constant(self.low, self.high)

    def update(self, table: Table) -> Self:
        """The moments after absorbing more rows."""
        return self.merge(type(self).of(table))

    def merge(self, other: Self) -> Self:
        """Each column by ℓ² = ℓ₁² + ℓ₂² + n₁n₂/n · δ², δ the difference of the means."""
        if self.n_features != other.n_features:
            raise InvalidDataError(
                f"ColumnMoments: these describe {self.n_features} columns, the others "
                f"{other.n_features}; they must describe the same ones."
            )
        weight = self.weight + other.weight
        with np.errstate(over="ignore", invalid="ignore"):  # beyond 1e308: `is_finite` tells
            share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
            delta = np.where((self.count > 0) & (other.count > 0), other.mean - self.mean, 0.0)
            between = np.abs(delta) * np.sqrt(self.weight * share)
            mean = np.where(self.count > 0, self.mean + delta * share, other.mean)
            length = np.hypot(np.hypot(self.length, other.length), between)
        return type(self)(
            self.n_rows + other.n_rows,
            self.count + other.count,
            weight,
            mean,
            length,
            np.minimum(self.low, other.low),
            np.maximum(self.high, other.high),
        )

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.mean).all() and np.isfinite(self.length).all())

    def column_lengths(self) -> Array:
        """Nothing: lengths are no squares, so no column is too long or too short."""
        return np.empty(0)

    def to_arrays(self) -> dict[str, Array]:
        parts = {name: getattr(self, name) for name in self.__slots__ if name != "n_rows"}
        return {"n_rows": np.array([float(self.n_rows)])} | parts

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> Self:
        parts = {name: value for name, value in arrays.items() if name != "n_rows"}
        return cls(int(arrays["n_rows"][0]), **parts)


def _of_entries(kind: type[Any], x: Any, weights: Array | None) -> Any:
    """The same from stored entries; what is not stored is a zero, and nothing dense is made."""
    x = x.tocsc()
    n, p = x.shape
    w = np.ones(n) if weights is None else weights
    present = ~np.isnan(x.data)
    values = x.data[present].astype(np.float64)
    column = entry_columns(x)
    missing = np.bincount(column[~present], minlength=p).astype(np.float64)
    lost = np.bincount(column[~present], w[x.indices[~present]], p)
    column, own = column[present], w[x.indices[present]]
    stored = np.bincount(column, minlength=p)
    count, weight = n - missing, w.sum() - lost
    weight[count == 0] = 0.0
    low, high = np.full(p, np.inf), np.full(p, -np.inf)
    np.minimum.at(low, column, values)
    np.maximum.at(high, column, values)
    zeros = count - stored
    low, high = (
        np.where(zeros > 0, np.minimum(low, 0.0), low),
        np.where(zeros > 0, np.maximum(high, 0.0), high),
    )
    with np.errstate(over="ignore", invalid="ignore"):
        total = np.bincount(column, values * own, p)
        mean = np.divide(total, weight, out=np.zeros(p), where=count > 0)
        size = np.maximum(np.abs(low - mean), np.abs(high - mean))
        size[~((size > 0) & np.isfinite(size))] = 1.0
        squares = np.bincount(column, own * ((values - mean[column]) / size[column]) ** 2, p)
        unstored = np.maximum(weight - np.bincount(column, own, p), 0.0) * (zeros > 0)
        length = size * np.sqrt(squares + unstored * (mean / size) ** 2)
    length[~(low < high)] = 0.0
    return kind(n, count, weight, mean, length, low, high)


def entry_columns(x: Any) -> NDArray[Any]:
    """The column of every stored entry of a CSR or CSC array."""
    if x.format == "csr":
        columns: NDArray[Any] = x.indices
        return columns
    return np.repeat(np.arange(x.shape[1]), np.diff(x.indptr))
