"""Rows as the robust solvers use them: products with a vector, sums, and a few rows at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.data import Table
from stylobate.statistics.rows import counted, csr_parts


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """X with a target and weights; every row has a positive weight.

    Parameters
    ----------
    table : Table
        X dense of any layout or sparse, one target.
    y : array (n,)
    weights : array (n,)
    """

    table: Table
    y: Array
    weights: Array

    @classmethod
    def of(cls, table: Table) -> Rows:
        """The rows of a table that have a weight."""
        table = counted(table)
        assert table.y is not None
        y = table.y[:, 0]
        if table.is_sparse:
            table = replace(table, x=table.x.tocsr())
        weights = np.ones(table.n_rows) if table.weights is None else table.weights
        return cls(table, np.ascontiguousarray(y), weights)

    def __len__(self) -> int:
        return self.table.n_rows

    @property
    def n_features(self) -> int:
        return self.table.n_features

    def values(self, coef: Array, intercept: float) -> Array:
        """Xw + b, in double precision whatever X is."""
        coef = np.ascontiguousarray(coef, dtype=np.float64)
        if self.table.is_sparse:
            return np.asarray(self.table.x @ coef + intercept)
        return _core.row_values(self.table.x, coef, float(intercept))

    def sums(self, factor: Array) -> Array:
        """Xᵀv."""
        factor = np.ascontiguousarray(factor, dtype=np.float64)
        if self.table.is_sparse:
            return _core.column_sums_csr(*csr_parts(self.table.x), factor)
        return _core.column_sums(self.table.x, factor)

    def dense(self, rows: NDArray[Any] | slice = slice(None)) -> Array:
        """Some rows of X as a dense matrix of doubles."""
        x: Any = self.table.x[rows]
        x = x.toarray() if self.table.is_sparse else x
        return np.ascontiguousarray(x, dtype=np.float64)

    def take(self, rows: NDArray[Any]) -> Rows:
        """Some of the rows."""
        return Rows(self.table.take(rows), self.y[rows], self.weights[rows])


def row_numbers(table: Table) -> Integers:
    """The numbers, among all rows, of those of a table that have a weight."""
    numbers = np.arange(table.first_row, table.first_row + table.n_rows)
    return numbers if table.weights is None else numbers[table.weights > 0]
