"""Products of single columns with a target: what correlations and their tests need."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.statistics import ColumnMoments, Moments

_BLOCK = 48  # columns whose full scatter costs no more than reading them


@dataclass(frozen=True, slots=True)
class TargetProducts:
    """Of every column x: mean, Σ(x − x̄)² and Σ(x − x̄)(y − ȳ)."""

    n: int
    mean: Array
    squares: Array
    products: Array  # features × targets
    y_mean: Array
    y_squares: Array

    @classmethod
    def of(cls, table: Table) -> Self:
        """One pass over the rows, a few dozen columns at a time; sparse columns by entries."""
        if table.is_sparse:
            return cls._of_entries(table)
        blocks = [
            Moments.of(replace(table, x=table.x[:, j : j + _BLOCK]))
            for j in range(0, table.n_features, _BLOCK)
        ]
        return cls(
            table.n_rows,
            np.concatenate([b.x_mean for b in blocks]),
            np.concatenate([np.diag(b.xx) for b in blocks]),
            np.concatenate([b.xy for b in blocks]),
            blocks[0].y_mean,
            np.diag(blocks[0].yy).copy(),
        )

    @classmethod
    def _of_entries(cls, table: Table) -> Self:
        """Zeros that are not stored add nothing to Σ x (y − ȳ): nothing dense is made."""
        assert table.y is not None
        columns, targets = ColumnMoments.of(table), ColumnMoments.of(Table(table.y))
        products = np.asarray(table.x.T.astype(np.float64) @ (table.y - targets.mean))
        return cls(
            table.n_rows,
            columns.mean,
            columns.length**2,
            products,
            targets.mean,
            targets.length**2,
        )

    def merge(self, other: Self) -> Self:
        """The products of both parts' rows."""
        n = self.n + other.n
        share = other.n / n
        delta, y_delta = other.mean - self.mean, other.y_mean - self.y_mean
        between = self.n * share
        outer = np.multiply.outer(delta, y_delta)
        return type(self)(
            n,
            self.mean + share * delta,
            self.squares + other.squares + between * delta**2,
            self.products + other.products + between * outer,
            self.y_mean + share * y_delta,
            self.y_squares + other.y_squares + between * y_delta**2,
        )

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.squares).all() and np.isfinite(self.products).all())

    def column_lengths(self) -> Array:
        """Lengths of the columns about their means."""
        return np.sqrt(self.squares)

    def about_zero(self) -> Self:
        """The same about the origin."""
        n = self.n
        return replace(
            self,
            mean=np.zeros_like(self.mean),
            squares=self.squares + n * self.mean**2,
            products=self.products + n * np.multiply.outer(self.mean, self.y_mean),
            y_mean=np.zeros_like(self.y_mean),
            y_squares=self.y_squares + n * self.y_mean**2,
        )
