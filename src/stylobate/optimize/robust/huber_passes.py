"""Huber's regression over rows that come in batches: one pass for every step between zones.

The steps are those of `solve_huber`: to the minimum of the objective as it would be if no row
changed zone. One pass tells the objective at many points of the line there, and the zones at its
end; where the line is best left before or beyond its end one more pass tells the zones there.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import isfinite
from typing import ClassVar, Self

import numpy as np

from stylobate.arrays import Array, Mask
from stylobate.data import Table
from stylobate.optimize.robust.huber import HuberSolution
from stylobate.optimize.robust.huber_loss import HuberLoss, Point, solve_scaled
from stylobate.optimize.robust.huber_pass_proof import certify_by_passes
from stylobate.optimize.robust.huber_pieces import Pieces
from stylobate.optimize.robust.rows import Rows
from stylobate.optimize.trace import Trace
from stylobate.parallel import one_blas_thread
from stylobate.statistics import Moments, Source

_EPS = float(np.finfo(np.float64).eps)
_SHARES = tuple(2.0**k for k in range(6, -25, -1))  # of a line, at which the objective is told
_WHOLE = _SHARES.index(1.0)


@dataclass(frozen=True, slots=True, eq=False)
class ZonesAt:
    """A recipe: zones at a point, and the objective's sums at several.

    Parameters
    ----------
    epsilon : float
    base : Point
        The reference fit: moments are those of its residuals, so that they keep their digits.
    before : Point
        Where the zones were cut last.
    point : Point
        Where to cut them.
    others : tuple of Points
        Where the objective is wanted too.
    """

    epsilon: float
    base: Point
    before: Point
    point: Point
    others: tuple[Point, ...] = ()

    def of(self, table: Table) -> ZoneSums:
        """The sums of a table."""
        rows = Rows.of(table)
        w = rows.weights
        reference = rows.y - rows.values(self.base.coef, self.base.intercept)
        inside, factor = self._cut(rows, self.point)
        was_inside, was_factor = self._cut(rows, self.before)
        kept = replace(rows.table, y=reference[:, None], weights=np.where(inside, w, 0.0))
        values = [_loss_sum(rows, each, self.epsilon) for each in (self.point, *self.others)]
        return ZoneSums(
            moments=Moments.of(kept),
            pull=rows.sums(factor),
            bias=float(factor.sum()),
            level=float(factor @ reference),
            outside=float(np.abs(factor).sum()),
            moved=int(((inside != was_inside) | (factor != was_factor)).sum()),
            values=np.array(values),
            largest=float(np.abs(rows.y).max(initial=0.0)),
        )

    def _cut(self, rows: Rows, point: Point) -> tuple[Mask, Array]:
        residual = rows.y - rows.values(point.coef, point.intercept)
        inside = np.abs(residual) <= self.epsilon * point.sigma
        return inside, np.where(inside, 0.0, np.copysign(rows.weights, residual))


def _loss_sum(rows: Rows, point: Point, epsilon: float) -> float:
    """Σ ω σ H(r/σ)."""
    if point.sigma <= 0.0:
        return np.inf
    size = np.abs(rows.y - rows.values(point.coef, point.intercept))
    near = np.minimum(size, epsilon * point.sigma)
    return float((rows.weights * near * (2.0 * size - near)).sum()) / point.sigma


@dataclass(frozen=True, slots=True, eq=False)
class ZoneSums:
    """Moments of the rows inside, signed sums of those outside (see `Zones`), the objective."""

    moments: Moments
    pull: Array
    bias: float
    level: float
    outside: float
    moved: int
    values: Array
    largest: float
    spread: Array = field(default_factory=lambda: np.zeros(0))
    subtractable: ClassVar[bool] = False

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        return replace(
            self,
            moments=self.moments.merge(other.moments),
            pull=self.pull + other.pull,
            bias=self.bias + other.bias,
            level=self.level + other.level,
            outside=self.outside + other.outside,
            moved=self.moved + other.moved,
            values=self.values + other.values,
            largest=max(self.largest, other.largest),
        )

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return isfinite(self.values[0]) and self.moments.is_finite()


@dataclass(slots=True, eq=False)
class _Course:
    """A descent: the problem, where it is, and what is known of the rows there."""

    loss: HuberLoss
    source: Source
    spread: Array
    total: float
    base: Point
    point: Point
    floor: float = 0.0

    def objective(self, loss_sum: float, point: Point) -> float:
        free = 0.0 if self.loss.scale is not None else point.sigma * self.total
        return free + loss_sum + self.loss.penalty(point.coef)

    def zones(self, point: Point, others: tuple[Point, ...] = ()) -> ZoneSums:
        """A pass: the zones at a point."""
        recipe = ZonesAt(self.loss.epsilon, self.base, self.point, point, others)
        return replace(self.source.compute(recipe), spread=self.spread)

    def along(self, target: Point, share: float) -> Point:
        p = self.point
        return Point(
            p.coef + share * (target.coef - p.coef),
            p.intercept + share * (target.intercept - p.intercept),
            p.sigma + share * (target.sigma - p.sigma),
        )

    def descend(self, max_iter: int, trace: Trace) -> tuple[ZoneSums, int]:
        """Step from zones to zones."""
        zones = self.zones(self.point)
        self.floor = 10.0 * _EPS * (zones.largest or 1.0)
        value, damping, count = self.objective(float(zones.values[0]), self.point), 0.0, 0
        for count in range(1, max_iter + 1):  # noqa: B007 - reported
            pieces = Pieces(
                self.loss, zones, self.base, self.point, damping, self.total, self.floor
            )
            target = pieces.minimum()
            points = tuple(self.along(target, share) for share in _SHARES)
            at_target = self.zones(target, points)
            sums = zip(at_target.values[1:].tolist(), points, strict=True)
            values = np.array([self.objective(*each) for each in sums])
            best = _best_share(values, value)
            share, lower = (0.0, value) if best is None else (_SHARES[best], float(values[best]))
            fall, moved = value - lower, at_target.moved
            if best == _WHOLE:
                zones = at_target
            elif best is not None:
                zones = self.zones(points[best])
                moved = zones.moved
            if best is not None:
                self.point, value = points[best], lower
            trace.record(objective=value, gradient_norm=fall, step=share)
            stuck = fall <= 4 * _EPS * abs(value)
            if (moved == 0 and share == 1.0 and damping == 0.0 and not pieces.singular) or (
                stuck and damping > 0.0
            ):
                break
            if stuck or share < 0.1 or pieces.singular:
                damping = min(max(10.0 * damping, 1e-6), 1e-2)
            else:
                damping = 0.0 if damping < 1e-6 else 0.1 * damping
        return zones, count


def _best_share(values: Array, value: float) -> int | None:
    """Which share to go: the end of the line unless beyond or before it is clearly better."""
    if values[_WHOLE] <= value:
        best = _WHOLE
        while best > 0 and values[best - 1] < values[best] - 1e-3 * (value - values[best]):
            best -= 1
        return best
    before = np.flatnonzero(values[_WHOLE:] <= value)
    if not len(before):
        return None
    best = _WHOLE + int(before[0])
    shorter = best + 1
    return shorter if shorter < len(values) and values[shorter] < values[best] else best


def solve_huber_passes(
    loss: HuberLoss,
    source: Source,
    *,
    tol: float,
    max_iter: int,
    start: tuple[Array, float, float] | None = None,
) -> HuberSolution:
    """Minimise a `HuberLoss` by passes over a source; see `solve_huber`."""
    with one_blas_thread():
        moments: Moments = source.compute(Moments)
        point = _least_squares(loss, moments) if start is None else Point(*start)
        spread = np.diag(moments.about_zero().xx) / moments.weight
        base = Point(point.coef, point.intercept, point.sigma)
        course = _Course(loss, source, spread, moments.weight, base, point)
        trace = Trace()
        zones, count = course.descend(max_iter, trace)
        point = course.point
        proof = certify_by_passes(loss, source, point, zones.moments, moments.weight, course.floor)
        done = proof.relative_gap <= tol
        return HuberSolution(point.coef, point.intercept, point.sigma, proof, trace, count, done)


def _least_squares(loss: HuberLoss, moments: Moments) -> Point:
    m = moments if loss.intercept else moments.about_zero()
    coef = solve_scaled(m.xx, m.xy[:, 0], 0.0)
    intercept = float(m.y_mean[0] - m.x_mean @ coef) if loss.intercept else 0.0
    total = float(m.yy[0, 0])
    squares = max(float(total - coef @ m.xy[:, 0]), _EPS * total)
    sigma = float(np.sqrt(squares / m.weight)) or 1.0
    return Point(coef, intercept, sigma if loss.scale is None else loss.scale)
