"""Coordinates in which the columns are centred and uncorrelated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.interrupts import interruptible
from stylobate.optimize.least_squares.rank import rank_tolerance
from stylobate.optimize.robust.rows import Rows
from stylobate.statistics import Moments, TriangularFactor

_GRAM_IS_ENOUGH = 1e-10  # eigenvalue of the correlation matrix down to which its digits are trusted
_EPS = float(np.finfo(np.float64).eps)


_BLOCK = 4096  # rows of one product, so that Ctrl-C is heard between two


def blocks_of(n: int) -> list[slice]:
    """Consecutive rows, a few thousand at a time."""
    return [slice(first, first + _BLOCK) for first in range(0, n, _BLOCK)]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """z = [(x − center) T, 1]: the columns of z have mean 0, size 1 and no correlation.

    A vertex method goes along the coordinates at first, and here they are the good directions.
    With `scaled_only` T is diagonal, and no direction is dropped: an ℓ1 penalty has a say in those
    the rows say nothing about.

    Parameters
    ----------
    center : array (p,)
        Zero without intercept.
    transform : array (p, k)
        k is the rank of the columns, or p.
    intercept : bool
        Whether z has the column of ones, its last.
    condition : float
        Of the scaled columns.
    start : array (k + intercept,)
        The least-squares fit in these coordinates.
    """

    center: Array
    transform: Array
    intercept: bool
    condition: float
    start: Array

    @classmethod
    def of_rows(cls, rows: Rows, moments: Moments, *, intercept: bool, scaled_only: bool) -> Frame:
        """The frame of rows in memory, whose moments are given."""

        def factor() -> TriangularFactor:
            return TriangularFactor.of(rows.table)

        return cls.of(moments, factor, intercept=intercept, scaled_only=scaled_only)

    @classmethod
    def of(
        cls,
        moments: Moments,
        factor: Callable[[], TriangularFactor],
        *,
        intercept: bool,
        scaled_only: bool,
    ) -> Frame:
        """The frame of rows: from their moments, and from `factor` where these lack digits."""
        m = moments if intercept else moments.about_zero()
        size = np.sqrt(np.diag(m.xx) / m.weight)
        floor = _EPS * np.abs(moments.x_mean) if intercept else 0.0
        size = np.where(size > floor, size, 0.0)
        inverse = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
        condition = 1.0
        if scaled_only:
            transform = np.diag(np.where(size > 0, inverse, 1.0))
        else:
            roots, vectors = _principal(factor, m, inverse, intercept=intercept)
            condition = float(roots[0] / roots[-1]) if len(roots) else 1.0
            transform = inverse[:, None] * vectors / roots
        start = transform.T @ m.xy[:, 0] / m.weight
        if scaled_only:
            start = np.zeros(len(size))
        if intercept:
            start = np.append(start, m.y_mean[0])
        return cls(m.mean[: len(size)], transform, intercept, condition, start)

    @property
    def n_columns(self) -> int:
        return int(self.transform.shape[1]) + int(self.intercept)

    def columns(self, x: Array) -> Array:
        """Z of dense rows x."""
        z = np.empty((len(x), self.n_columns))
        k = self.transform.shape[1]
        for part in blocks_of(len(x)):
            np.matmul(x[part] - self.center, self.transform, out=z[part, :k])
        z[:, k:] = 1.0
        return z

    def sums(self, x_sum: Array, total: float) -> Array:
        """Σ v z from Σ v x and Σ v."""
        slopes = (x_sum - total * self.center) @ self.transform
        return np.append(slopes, total) if self.intercept else slopes

    def model(self, theta: Array) -> tuple[Array, float]:
        """Coefficients and intercept of X from those of z."""
        coef = self.transform @ theta[: self.transform.shape[1]]
        return coef, float(theta[-1] - self.center @ coef) if self.intercept else 0.0


def _principal(
    read: Callable[[], TriangularFactor], m: Moments, inverse: Array, *, intercept: bool
) -> tuple[Array, Array]:
    """Sizes (largest first) and directions of the scaled columns, without those that are zero."""
    kept = inverse > 0
    values, vectors = interruptible(np.linalg.eigh, m.xx * np.outer(inverse, inverse) / m.weight)
    if values[-1] <= 0:
        return np.zeros(0), np.zeros((len(kept), 0))
    if np.sum(values > _GRAM_IS_ENOUGH * values[-1]) == len(values):
        return np.sqrt(values[::-1]), vectors[:, ::-1]
    factor = read()  # twice the digits, from the rows
    p = len(inverse)
    r = factor.r[1 : p + 1, 1 : p + 1] if intercept else factor.without_ones()[0][:p, :p]
    _, roots, right = interruptible(np.linalg.svd, r * inverse / np.sqrt(m.weight))
    rank = int(np.sum(roots > rank_tolerance(m.n_rows) * max(roots[0], 1e-300)))
    return roots[:rank], right[:rank].T
