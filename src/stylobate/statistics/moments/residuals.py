"""ResidualMoments: what is left of the rows at a given linear model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.statistics.rows import counted

_CHUNK = 1 << 12  # rows at a time: read once from memory, used twice from cache


@dataclass(frozen=True, slots=True)
class LinearModel:
    """Coefficients (p × t) and intercepts (t) at which residuals are taken."""

    coef: Array
    intercept: Array

    def of(self, table: Table) -> ResidualMoments:
        """The residual moments of a table."""
        p, t = self.coef.shape
        squares, total, products = np.zeros(t), np.zeros(t), np.zeros((p, t))
        for x, residual, weighted in self._chunks(table):
            squares += (weighted * residual).sum(axis=0)
            total += weighted.sum(axis=0)
            products += x.T @ weighted
        return ResidualMoments(squares, total, products)

    def _chunks(self, table: Table) -> Iterator[tuple[Any, Array, Array]]:
        """Rows x, residuals r = y − xb − b₀ and w·r, a few thousand rows at a time."""
        table = counted(table)
        assert table.y is not None
        for start in range(0, table.n_rows, _CHUNK):
            rows = slice(start, start + _CHUNK)
            x = table.x[rows]
            residual = table.y[rows] - (x @ self.coef + self.intercept)
            weights = table.weights
            yield x, residual, residual if weights is None else weights[rows, None] * residual


@dataclass(frozen=True, slots=True, eq=False)
class ResidualMoments:
    """Σ w r², Σ w r and Σ w x r of the residuals r = y − Xb − b₀, summed over the rows themselves.

    Made by `LinearModel.of`. From moments the same numbers are differences of large ones when the
    fit is nearly perfect or the columns nearly dependent; from the rows they keep their digits.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> table = read_table([[1.0], [2.0]], [1.5, 2.0], owner="example")
    >>> LinearModel(np.ones((1, 1)), np.zeros(1)).of(table).squares
    array([0.25])
    """

    squares: Array
    total: Array
    products: Array

    subtractable: ClassVar[bool] = True

    def merge(self, other: Self) -> Self:
        """The sums over both parts' rows."""
        return type(self)(
            self.squares + other.squares,
            self.total + other.total,
            self.products + other.products,
        )

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.squares).all() and np.isfinite(self.products).all())
