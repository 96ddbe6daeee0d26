"""What coordinate descent on rows begins with, from one reading of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import Table


@dataclass(frozen=True, slots=True, eq=False)
class Measures:
    r"""Sums of the columns of dense rows, and their products with the targets.

    Parameters
    ----------
    sums, squares : array (p,)
        :math:`\sum_i \omega_i x_i` and :math:`\sum_i \omega_i x_i^2`.
    products : array (t, p)
        :math:`\sum_i \omega_i x_i (y_i - \bar y)`, with :math:`\bar y = 0` without intercept.
    totals, target_squares : array (t,)
        :math:`\sum_i \omega_i (y_i - \bar y)` and :math:`\sum_i \omega_i (y_i - \bar y)^2`.
    weight : float
        :math:`\sum_i \omega_i`.
    intercept : bool
        Whether columns and targets count from their means.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> table = read_table([[0.0], [1.0], [2.0]], [0.0, 1.5, 3.0], owner="example")
    >>> measures = Measures.of(table, intercept=True)
    >>> measures.about_mean(), measures.lengths().round(4)
    (array([[3.]]), array([1.4142, 2.1213]))
    """

    sums: Array
    squares: Array
    products: Array
    totals: Array
    target_squares: Array
    weight: float
    intercept: bool

    @classmethod
    def of(cls, table: Table, *, intercept: bool) -> Self:
        """Read dense rows once, in their own order; what is not finite makes the sums so."""
        assert table.y is not None
        x = table.x if table.x.itemsize in table.x.strides else np.ascontiguousarray(table.x)
        with np.errstate(over="ignore", invalid="ignore"):
            y = table.y - (np.average(table.y, 0, table.weights) if intercept else 0.0)
            weighted = y if table.weights is None else table.weights[:, None] * y
            target_squares = (weighted * y).sum(axis=0)
            totals = weighted.sum(axis=0)
        targets = np.ascontiguousarray(weighted.T, dtype=np.float64)
        sums, squares, products = _core.column_measures(x, table.weights, targets)
        weight = float(table.n_rows) if table.weights is None else float(table.weights.sum())
        return cls(sums, squares, products, totals, target_squares, weight, intercept)

    @property
    def is_finite(self) -> bool:
        """Whether all sums are: then the rows were."""
        return all(
            bool(np.isfinite(each).all())
            for each in (self.sums, self.squares, self.products, self.target_squares)
        )

    def about_mean(self) -> Array:
        """Xᵀy (t, p), both centred where there is an intercept."""
        if not self.intercept:
            return self.products
        return self.products - np.multiply.outer(self.totals, self.sums / self.weight)

    def lengths(self) -> Array:
        """Lengths of the columns and targets about their means, as far as their sums can tell."""
        with np.errstate(over="ignore", invalid="ignore"):
            squares = np.maximum(self.squares - self.sums**2 / self.weight, 0.0)
        return np.asarray(np.sqrt(np.concatenate([squares, self.target_squares])))
