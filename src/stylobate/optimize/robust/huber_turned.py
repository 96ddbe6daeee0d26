"""Huber's regression on columns that depend on each other, in coordinates that do not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.interrupts import interruptible
from stylobate.optimize.least_squares.quadratic import null_basis, project_on
from stylobate.optimize.least_squares.rank import rank_tolerance
from stylobate.optimize.robust.huber_loss import HuberLoss, Point, scaled
from stylobate.optimize.robust.rows import Rows
from stylobate.statistics import Moments, TriangularFactor

if TYPE_CHECKING:
    from stylobate.optimize.robust.huber import HuberSolution


_DEPENDENT = 1e-11  # eigenvalue of the correlations below which columns may well be dependent
_MOST_ENTRIES = 10**8  # of sparse rows: their turned ones are dense


def needs_turning(loss: HuberLoss, rows: Rows, moments: Moments) -> bool:
    """Whether the columns are dependent, as far as their moments can tell."""
    m = moments if loss.intercept else moments.about_zero()
    if not len(m.xx) or (rows.table.is_sparse and len(rows) * len(m.xx) > _MOST_ENTRIES):
        return False
    return bool(interruptible(np.linalg.eigvalsh, scaled(m.xx, np.diag(m.xx)))[0] <= _DEPENDENT)


@dataclass(frozen=True, slots=True, eq=False)
class Turned:
    """The same problem with columns z = (x − center) T that are uncorrelated and of size 1.

    Dependent columns leave zones that no step of theirs is held by, and every step then is a short
    one. Here there are as many columns as their rank, and of all coefficients that fit alike those
    of least norm are meant, as a penalty however small would have it.

    Parameters
    ----------
    loss : HuberLoss
        With the penalty in these coordinates.
    rows, moments
        Of z.
    original : Rows
    center : array (p,)
    """

    loss: HuberLoss
    rows: Rows
    moments: Moments
    original: Rows
    center: Array

    @classmethod
    def of(cls, loss: HuberLoss, rows: Rows, moments: Moments) -> Turned:
        m = moments if loss.intercept else moments.about_zero()
        center = moments.x_mean if loss.intercept else np.zeros(rows.n_features)
        turn = _coordinates(loss, rows, m)
        z = np.empty((len(rows), turn.shape[1]))
        step = max(1, 2**22 // max(rows.n_features, 1))
        for first in range(0, len(rows), step):
            part = slice(first, first + step)
            np.matmul(rows.dense(part) - center, turn, out=z[part])
        table = Table(
            z, y=rows.y[:, None], weights=rows.weights, finite=True, owner=rows.table.owner
        )
        return cls(
            replace(loss, turn=turn), Rows(table, rows.y, rows.weights), Moments.of(table), rows,
            center,
        )  # fmt: skip

    def point(self, point: Point | None) -> Point | None:
        """A point of the original problem in these coordinates."""
        if point is None:
            return None
        assert self.loss.turn is not None
        theta: Array = interruptible(np.linalg.lstsq, self.loss.turn, point.coef)[0].astype(
            np.float64
        )
        return Point(theta, point.intercept + float(self.center @ point.coef), point.sigma)

    def back(self, found: HuberSolution) -> HuberSolution:
        """The answer in the coordinates of X."""
        assert self.loss.turn is not None
        coef = self.loss.turn @ found.coef
        return replace(found, coef=coef, intercept=found.intercept - float(self.center @ coef))


def _coordinates(loss: HuberLoss, rows: Rows, m: Moments) -> Array:
    """T, (p, rank): what of it would change no row's fit is taken off."""
    p = rows.n_features
    size = np.sqrt(np.diag(m.xx) / m.weight)
    kept = size > float(np.finfo(np.float64).eps) * (np.abs(m.x_mean) if loss.intercept else 0.0)
    factor = TriangularFactor.of(rows.table)  # twice the digits of the moments
    r = factor.r[1 : p + 1, 1 : p + 1] if loss.intercept else factor.without_ones()[0][:p, :p]
    inverse = 1.0 / size[kept]
    _, roots, right = interruptible(np.linalg.svd, r[:, kept] * inverse / np.sqrt(m.weight))
    rank = int(
        np.sum(roots > rank_tolerance(len(rows)) * max(float(roots.max(initial=0.0)), 1e-300))
    )
    turn = np.zeros((p, rank))
    along = inverse[:, None] * right[:rank].T / roots[:rank]
    if rank < len(inverse):
        along = along - project_on(null_basis(right[rank:].T, inverse), along)
    turn[kept] = along
    return turn
