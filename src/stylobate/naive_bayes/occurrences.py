"""What is known of one column within each class; parts of the rows merge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Integers
from stylobate.data.coding import code_column
from stylobate.parallel import one_blas_thread
from stylobate.statistics.columns.value_counts import joined_values


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Distinct values of a column and how often (by weight) each occurs in each class.

    Parameters
    ----------
    values : list of m values
        Numbers for models of numbers, else anything that can be compared by equality.
    counts : array of shape (k, m)

    Examples
    --------
    >>> left = Occurrences(["a", "b"], np.array([[1.0, 2.0]]))
    >>> both = left.merge(Occurrences(["b"], np.array([[5.0]])))
    >>> both.values, both.counts.tolist()
    (['a', 'b'], [[1.0, 7.0]])
    """

    values: Sequence[Any] | NDArray[Any]
    counts: Array

    @property
    def numbers(self) -> Array:
        return np.asarray(self.values, dtype=np.float64)

    def merge(self, other: Occurrences) -> Occurrences:
        """Of both parts' rows."""
        if not len(self.values) or not len(other.values):
            return self if len(self.values) else other
        coded = code_column(joined_values(np.asarray(self.values), np.asarray(other.values)))
        counts = np.zeros((len(coded.values), len(self.counts)))
        np.add.at(counts, coded.codes, np.concatenate([self.counts, other.counts], axis=1).T)
        return Occurrences(coded.values.tolist(), np.ascontiguousarray(counts.T))

    def number_sums(self) -> NumberSums:
        """What models of numbers need of them."""
        v, weight = self.numbers, self.counts.sum(axis=1)
        everywhere = self.counts.sum(axis=0)
        with one_blas_thread():  # long vectors, little arithmetic: a second one would only wait
            centre = everywhere @ v / everywhere.sum()
            mean = self.counts @ (v - centre) / np.where(weight > 0, weight, 1.0) + centre
            total = self.counts @ v
        squares = (self.counts * (v - mean[:, None]) ** 2).sum(axis=1)
        parts = v[v != np.floor(v)]
        fraction = float(parts[0]) if len(parts) else np.nan
        return NumberSums(weight, total, mean, squares, float(v.min()), float(v.max()), fraction)


@dataclass(frozen=True, slots=True, eq=False)
class NumberSums:
    """Of a column of numbers, within each class.

    Parameters
    ----------
    weight, total, mean, squares : arrays of shape (k,)
        Weights of the rows, sums, means, and sums of squares about them.
    least, largest : float
        Of all classes.
    fraction : float
        A value that is not whole; NaN where there is none.
    """

    weight: Array
    total: Array
    mean: Array
    squares: Array
    least: float
    largest: float
    fraction: float

    @classmethod
    def of(
        cls, column: Array, codes: Integers, weights: Array | None, n_classes: int
    ) -> NumberSums | None:
        """Of a column with NaN where nothing is observed; None where nothing is.

        >>> NumberSums.of(np.array([1.0, 3.0, np.nan]), np.array([0, 0, 1]), None, 2).mean
        array([2., 0.])
        """
        w = np.ones(len(column)) if weights is None else weights
        kept = ~np.isnan(column) & (w > 0)
        if not kept.any():
            return None
        v, c, w = column[kept], codes[kept], w[kept]

        def sums(of_rows: Array) -> Array:
            return np.bincount(c, of_rows, minlength=n_classes).astype(np.float64)

        weight, centre = sums(w), float((w * v).sum() / w.sum())
        some = weight > 0
        mean = np.where(some, sums(w * (v - centre)) / np.where(some, weight, 1.0) + centre, 0.0)
        parts = v[v != np.floor(v)]
        fraction = float(parts[0]) if len(parts) else np.nan
        squares = sums(w * (v - mean[c]) ** 2)
        return cls(weight, sums(w * v), mean, squares, float(v.min()), float(v.max()), fraction)

    def merge(self, other: NumberSums) -> NumberSums:
        """Of both parts' rows."""
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        apart = other.mean - self.mean
        return NumberSums(
            weight,
            self.total + other.total,
            self.mean + share * apart,
            self.squares + other.squares + self.weight * share * apart**2,
            min(self.least, other.least),
            max(self.largest, other.largest),
            other.fraction if np.isnan(self.fraction) else self.fraction,
        )

    def mean_and_variance(self, smoothing: float) -> tuple[Array, Array]:
        """Of every class, smoothed by a share of the column's variance; where a class has no value,
        those of the column.
        """
        shares = self.weight / self.weight.sum()
        centre = float(shares @ self.mean)
        inside = float(self.squares.sum() / self.weight.sum())
        spread = inside + float(shares @ (self.mean - centre) ** 2)
        some = self.weight > 0
        mean = np.where(some, self.mean, centre)
        variance = np.where(some, self.squares / np.where(some, self.weight, 1.0), spread)
        return mean, variance + smoothing * (spread if spread > 0 else 1.0)
