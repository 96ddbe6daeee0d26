"""Rows near the line and rows far from it: all that Huber's loss needs to know of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Mask
from stylobate.data import Table
from stylobate.optimize.robust.rows import Rows
from stylobate.statistics import Moments

_SHARE = 4  # if fewer than one row in so many changes, its zone is updated and not computed again


class Zones:
    """Moments of the rows inside (quadratic loss) and signed sums of those outside (linear loss).

    Parameters
    ----------
    rows : Rows
        Their target is the residual at a reference fit, so that sums of squares keep their digits.
    whole : Moments
        Of all rows, with that target.

    Attributes
    ----------
    inside : array (n,) of bool
    moments : Moments
        Of [X, y] over the rows inside.
    pull : array (p,), bias : float, level : float
        Σ ω s x, Σ ω s and Σ ω s y over the rows outside, s the sign of their residuals.
    outside : float
        Their weight.
    spread : array (p,)
        Mean squares of the columns over all rows.
    """

    def __init__(self, rows: Rows, whole: Moments) -> None:
        self.rows = rows
        self._table = replace(rows.table, y=rows.y[:, None])
        self.inside: Mask = np.ones(len(rows), dtype=bool)
        self._factor = np.zeros(len(rows))
        self.spread = np.diag(whole.about_zero().xx) / whole.weight
        self.moments = whole
        self.pull = np.zeros(rows.n_features)
        self.bias = self.level = self.outside = 0.0

    def _weighted(self, chosen: Mask) -> Moments:
        weights = np.where(chosen, self.rows.weights, 0.0)
        return Moments.of(replace(self._table, weights=weights))

    def update(self, residual: Array, reach: float) -> int:
        """Cut at |residual| ≤ reach; returns how many rows changed zone or side."""
        inside = np.abs(residual) <= reach
        factor = np.where(inside, 0.0, np.copysign(self.rows.weights, residual))
        moved = np.flatnonzero((inside != self.inside) | (factor != self._factor))
        if len(moved) > len(inside) // _SHARE:
            self.moments = self._weighted(inside)
            self.pull = self.rows.sums(factor)
        elif len(moved):
            entered = moved[inside[moved] & ~self.inside[moved]]
            left = moved[~inside[moved] & self.inside[moved]]
            if len(entered):
                self.moments = self.moments.merge(Moments.of(self._part(entered)))
            if len(left):
                self.moments = self.moments.subtract(Moments.of(self._part(left)))
            self.pull = self.pull + self.rows.take(moved).sums((factor - self._factor)[moved])
        self.inside, self._factor = inside, factor
        self.bias, self.level = float(factor.sum()), float((factor * self.rows.y).sum())
        self.outside = float(np.abs(factor).sum())
        return len(moved)

    def _part(self, chosen: NDArray[np.intp]) -> Table:
        part = self._table.take(chosen)
        return replace(part, weights=self.rows.weights[chosen])
