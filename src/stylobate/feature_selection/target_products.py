"""Means, squares and products of single columns: what the filters need, block by block."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table
from stylobate.statistics import Moments

Array = NDArray[np.float64]

_BLOCK = 48  # columns whose full scatter costs no more than reading them


@dataclass(frozen=True, slots=True)
class ColumnMoments:
    """Of every column x: mean, Σ(x − x̄)² and Σ(x − x̄)(y − ȳ)."""

    n: int
    mean: Array
    squares: Array
    products: Array  # features × targets
    y_mean: Array
    y_squares: Array

    def about_zero(self) -> ColumnMoments:
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


def column_moments(table: Table) -> ColumnMoments:
    """One pass over the rows, a few dozen columns at a time; sparse columns by their entries."""
    if table.is_sparse:
        return _of_entries(table)
    blocks = [
        Moments.of(replace(table, x=table.x[:, j : j + _BLOCK]))
        for j in range(0, table.n_features, _BLOCK)
    ]
    return ColumnMoments(
        table.n_rows,
        np.concatenate([b.x_mean for b in blocks]),
        np.concatenate([np.diag(b.xx) for b in blocks]),
        np.concatenate([b.xy for b in blocks]),
        blocks[0].y_mean,
        np.diag(blocks[0].yy).copy(),
    )


def _of_entries(table: Table) -> ColumnMoments:
    """Σ(x − x̄)² over the entries, and x̄² for each zero: nothing dense is made."""
    x: Any = table.x.tocsc()
    n, p = x.shape
    y = np.empty((n, 0)) if table.y is None else table.y
    values = x.data.astype(np.float64)
    column = np.repeat(np.arange(p), np.diff(x.indptr))
    mean = np.bincount(column, values, p) / n
    deviation = values - mean[column]
    squares = np.bincount(column, deviation**2, p) + (n - np.diff(x.indptr)) * mean**2
    y_mean = y.mean(axis=0) if y.shape[1] else np.empty(0)
    centred = y - y_mean
    products = np.zeros((p, y.shape[1]))
    for t, target in enumerate(centred.T):
        products[:, t] = np.bincount(column, values * target[x.indices], p)
    return ColumnMoments(n, mean, squares, products, y_mean, (centred**2).sum(axis=0))
