"""Huber's regression: coefficients and scale together, by exact steps between zones."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.robust.check_loss import CheckLoss, solve
from stylobate.optimize.robust.frame import Frame
from stylobate.optimize.robust.huber_cone import nearly_interpolates, solve_by_cone
from stylobate.optimize.robust.huber_loss import HuberLoss, Point, solve_scaled
from stylobate.optimize.robust.huber_pieces import Line, Pieces
from stylobate.optimize.robust.huber_proof import certify_huber
from stylobate.optimize.robust.huber_turned import Turned, needs_turning
from stylobate.optimize.robust.rows import Rows
from stylobate.optimize.robust.zones import Zones
from stylobate.optimize.trace import Trace
from stylobate.parallel import one_blas_thread
from stylobate.statistics import Moments

_EPS = float(np.finfo(np.float64).eps)
_SAMPLE_FROM = 20_000  # rows from which a sixteenth of them gives the start
_RETRY_FROM = 10  # iterations allowed from which another start is worth it
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True, eq=False)
class HuberSolution:
    """Coefficients, intercept, scale, a certificate, the course, and whether it is proved."""

    coef: Array
    intercept: float
    scale: float
    certificate: Certificate
    trace: Trace
    iterations: int
    converged: bool


def solve_huber(
    loss: HuberLoss,
    rows: Rows,
    moments: Moments,
    *,
    tol: float,
    max_iter: int,
    start: tuple[Array, float, float] | None = None,
) -> HuberSolution:
    """Minimise a `HuberLoss`.

    While no row changes zone the objective is quadratic in (w, b) and, for every σ, solved by the
    moments of the rows inside and the signed sum of those outside; σ follows from one equation.
    Each iteration goes to that minimum (or part of the way), reads the rows once for the new
    residuals, and moves the few rows that changed zone. When none did the minimum is exact.

    Parameters
    ----------
    loss : HuberLoss
    rows : Rows
    moments : Moments
        Of the rows: the start is their least-squares fit.
    tol : float
        Relative duality gap that counts as converged.
    max_iter : int
    start : (coef, intercept, scale), optional

    Returns
    -------
    HuberSolution
    """
    with one_blas_thread():
        floor = 10.0 * _EPS * (float(np.abs(rows.y).max(initial=0.0)) or 1.0)
        point = Point(*start) if start is not None else None
        if needs_turning(loss, rows, moments):
            turned = Turned.of(loss, rows, moments)
            task = _Task(turned.loss, turned.rows, turned.moments, floor, max_iter)
            return turned.back(task.solve(turned.point(point), tol))
        return _Task(loss, rows, moments, floor, max_iter).solve(point, tol)


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """A problem, its rows with their moments, the least scale, and how long to go on."""

    loss: HuberLoss
    rows: Rows
    moments: Moments
    floor: float
    max_iter: int

    def solve(self, point: Point | None, tol: float) -> HuberSolution:
        """Descend, prove, and try again from elsewhere where the proof fails."""
        rows, trace = self.rows, Trace()
        if point is None and nearly_interpolates(self.loss, rows):
            found = self._by_cone(tol)
            if found is not None and found.converged:
                return found
        if point is None and len(rows) >= _SAMPLE_FROM:
            chosen = np.sort(np.random.default_rng(0).integers(0, len(rows), len(rows) // 16))
            sample = rows.take(chosen)
            few = replace(self, rows=sample, moments=Moments.of(_table(sample)))
            point, _, _ = few.descend(few.start(), Trace())
        point, count, zones = self.descend(self.start() if point is None else point, trace)
        proof = certify_huber(self.loss, rows, point, zones, self.floor)
        for attempt in range(_ATTEMPTS):
            if proof.relative_gap <= min(tol, 1e-6) or self.max_iter < _RETRY_FROM:
                break
            # from residuals taken afresh; at last from absolute deviations, whose vertex is met by
            # enough rows where few are inside
            last = attempt == _ATTEMPTS - 1
            near = _least_absolute(self.loss, rows, self.moments, point) if last else point
            near, more, zones = self.descend(near, trace)
            again = certify_huber(self.loss, rows, near, zones, self.floor)
            count += more
            if again.relative_gap < proof.relative_gap:
                point, proof = near, again
        done = proof.relative_gap <= tol
        return HuberSolution(point.coef, point.intercept, point.sigma, proof, trace, count, done)

    def _by_cone(self, tol: float) -> HuberSolution | None:
        """The answer of a cone program, with its proof."""
        loss, rows, trace = self.loss, self.rows, Trace()
        found = solve_by_cone(loss, rows, self.floor)
        if found is None:
            return None
        point = found.point
        residual = rows.y - rows.values(point.coef, point.intercept)
        zones = Zones(rows, self.moments)
        zones.update(residual, loss.epsilon * point.sigma)
        proof = certify_huber(loss, rows, point, zones, self.floor, found.slopes)
        trace.record(objective=proof.primal, gradient_norm=proof.gap, step=1.0)
        return HuberSolution(
            point.coef, point.intercept, point.sigma, proof, trace, found.iterations,
            proof.relative_gap <= tol,
        )  # fmt: skip

    def start(self) -> Point:
        """Least squares; ridge regression where the columns could fit every row."""
        if self.loss.turn is None or self.loss.alpha == 0.0 or self.loss.scale is not None:
            return _least_squares(self.loss, self.rows, self.moments, self.floor)
        y_mean = float(self.moments.y_mean[0]) if self.loss.intercept else 0.0
        size = float(np.sqrt(np.average((self.rows.y - y_mean) ** 2, weights=self.rows.weights)))
        nothing = Point(np.zeros(self.rows.n_features), 0.0, max(size, self.floor))
        zones, total = Zones(self.rows, self.moments), float(self.rows.weights.sum())
        return Pieces(self.loss, zones, nothing, nothing, 0.0, total, self.floor).minimum()

    def descend(self, point: Point, trace: Trace) -> tuple[Point, int, Zones]:
        """Step from zones to zones."""
        return _descend(self.loss, self.rows, self.moments, point, self.floor, self.max_iter, trace)


def _least_absolute(loss: HuberLoss, rows: Rows, moments: Moments, point: Point) -> Point:
    """Least absolute deviations, with a scale such that only the rows met are inside."""
    frame = Frame.of_rows(rows, moments, intercept=loss.intercept, scaled_only=False)
    fit = solve(CheckLoss(frame, 0.5, 0.0), rows, frame.start)
    coef, intercept = frame.model(fit.theta)
    if loss.scale is not None:
        return Point(coef, intercept, loss.scale)
    size = np.sort(np.abs(rows.y - rows.values(coef, intercept)))
    met = float(size[min(frame.n_columns, len(size) - 1)])
    return Point(coef, intercept, min(max(met / loss.epsilon, _EPS), point.sigma) or point.sigma)


def _table(rows: Rows) -> Table:
    return replace(rows.table, y=rows.y[:, None], weights=rows.weights)


def _least_squares(loss: HuberLoss, rows: Rows, moments: Moments, floor: float) -> Point:
    m = moments if loss.intercept else moments.about_zero()
    coef = solve_scaled(m.xx, m.xy[:, 0], 0.0)
    intercept = float(m.y_mean[0] - m.x_mean @ coef) if loss.intercept else 0.0
    size = np.abs(rows.y - rows.values(coef, intercept))
    if loss.scale is not None:
        point = Point(coef, intercept, loss.scale)
        few = float(np.median(size)) > 4.0 * loss.epsilon * loss.scale
        return _least_absolute(loss, rows, moments, point) if few else point
    sigma = 1.4826 * float(np.median(size)) or float(size.mean())
    return Point(coef, intercept, max(sigma, floor))


def _descend(
    loss: HuberLoss,
    rows: Rows,
    moments: Moments,
    point: Point,
    floor: float,
    max_iter: int,
    trace: Trace,
) -> tuple[Point, int, Zones]:
    """Step from zones to zones; residuals are those of the reference fit, less corrections."""
    base = Point(point.coef, point.intercept, point.sigma)
    reference = rows.y - rows.values(base.coef, base.intercept)
    shifted = Rows(rows.table, reference, rows.weights)
    zones = Zones(shifted, _shifted_moments(moments, base, shifted))
    residual, total, count = reference, float(rows.weights.sum()), 0
    value = loss.value(residual, rows.weights, point.coef, point.sigma)
    zones.update(residual, loss.epsilon * point.sigma)
    damping = 0.0
    for count in range(1, max_iter + 1):  # noqa: B007 - reported
        pieces = Pieces(loss, zones, base, point, damping, total, floor)
        target = pieces.minimum()
        move = rows.values(target.coef - point.coef, target.intercept - point.intercept)
        line = Line(loss, rows.weights, residual, move, point, target)
        share, lower = line.search(value)
        fall = value - lower
        if share > 0.0:
            point, residual, value = line.at(share), residual - share * move, lower
        trace.record(objective=value, gradient_norm=fall, step=share)
        moved = zones.update(residual, loss.epsilon * point.sigma)
        stuck = fall <= 4 * _EPS * abs(value)
        exact = moved == 0 and share == 1.0 and damping == 0.0 and not pieces.singular
        if exact or (stuck and damping > 0.0):
            break
        # rows inside too few to hold the step, or too far a step: stay closer to where we are
        if stuck or share < 0.1 or pieces.singular:
            damping = min(max(10.0 * damping, 1e-6), 1e-2)
        else:
            damping = 0.0 if damping < 1e-6 else 0.1 * damping
    return point, count, zones


def _shifted_moments(moments: Moments, base: Point, rows: Rows) -> Moments:
    """Moments of [X, y − Xw − b] from those of [X, y], or from the rows where digits would go."""
    w = base.coef
    xy = moments.xy[:, 0] - moments.xx @ w
    yy = float(moments.yy[0, 0] - w @ (moments.xy[:, 0] + xy))
    if not yy > 1e-4 * float(moments.yy[0, 0]):
        return Moments.of(_table(rows))
    scatter, mean = moments.scatter.copy(), moments.mean.copy()
    scatter[:-1, -1] = scatter[-1, :-1] = xy
    scatter[-1, -1] = yy
    mean[-1] -= float(moments.x_mean @ w) + base.intercept
    return replace(moments, mean=mean, scatter=scatter)
