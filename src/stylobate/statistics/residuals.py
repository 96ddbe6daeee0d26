"""ResidualSquares: how far a given linear model is from the rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table
from stylobate.statistics.rows import counted

Array = NDArray[np.float64]

_CHUNK = 1 << 13  # rows at a time: residuals are never all in memory


@dataclass(frozen=True, slots=True)
class LinearModel:
    """Coefficients (p × t) and intercepts (t) at which residuals are taken."""

    coef: Array
    intercept: Array

    def of(self, table: Table) -> ResidualSquares:
        """The residual sums of squares of a table; see `ResidualSquares`."""
        total = np.zeros(self.coef.shape[1])
        for residual, weights in residual_chunks(self, table):
            squares = residual**2 if weights is None else weights[:, None] * residual**2
            total += squares.sum(axis=0)
        return ResidualSquares(total)


@dataclass(frozen=True, slots=True, eq=False)
class ResidualSquares:
    """Σ w (y − Xb − b₀)² per target, summed over the rows themselves.

    From moments the same number is a difference of large ones when the fit is nearly perfect; from
    the rows it keeps its digits.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> table = read_table([[1.0], [2.0]], [1.5, 2.0], owner="example")
    >>> LinearModel(np.ones((1, 1)), np.zeros(1)).of(table).squares
    array([0.25])
    """

    squares: Array

    subtractable: ClassVar[bool] = True

    def merge(self, other: Self) -> Self:
        """The sums over both parts' rows."""
        return type(self)(self.squares + other.squares)

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.squares).all())


def residual_chunks(model: LinearModel, table: Table) -> Iterator[tuple[Array, Array | None]]:
    """Residuals y − Xb − b₀ (rows × targets) and the weights, a few thousand rows at a time."""
    table = counted(table)
    assert table.y is not None
    for start in range(0, table.n_rows, _CHUNK):
        rows = slice(start, start + _CHUNK)
        fitted = table.x[rows] @ model.coef + model.intercept
        yield table.y[rows] - fitted, None if table.weights is None else table.weights[rows]
