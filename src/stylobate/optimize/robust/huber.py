"""Huber's regression: coefficients and scale together, by exact steps between zones."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.least_squares.rank import rank_tolerance
from stylobate.optimize.robust.check_loss import CheckLoss, solve
from stylobate.optimize.robust.frame import Frame
from stylobate.optimize.robust.rows import Rows
from stylobate.optimize.robust.zones import Zones
from stylobate.optimize.trace import Trace
from stylobate.parallel import one_blas_thread
from stylobate.statistics import Moments, TriangularFactor

Array = NDArray[np.float64]

_EPS = float(np.finfo(np.float64).eps)
_SAMPLE_FROM = 20_000  # rows from which a sixteenth of them gives the start
_HALVINGS = 40
_SCALE_STEPS = 12
_RETRY_FROM = 10  # iterations allowed from which another start is worth it
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class HuberLoss:
    r"""Σ ωᵢ [σ + σ H(rᵢ/σ)] + α‖w‖², H(z) = z² up to ε and 2ε|z| − ε² beyond.

    σ H(r/σ) is the loss h_{λ,μ} with λ = 2ε and μ = 1/σ: μr² up to |r| = λ/2μ, λ(|r| − λ/4μ)
    beyond. With `scale` σ is that number and the term Σ ωᵢσ is left out; else it is fitted.

    Parameters
    ----------
    epsilon : float > 0
        At least 1 unless the scale is given.
    alpha : float in [0, inf)
    intercept : bool
    scale : float > 0 or None
    """

    epsilon: float
    alpha: float
    intercept: bool
    scale: float | None

    def value(self, residual: Array, weights: Array, coef: Array, sigma: float) -> float:
        """The objective."""
        size = np.abs(residual)
        near = np.minimum(size, self.epsilon * sigma)
        loss = float((weights * near * (2.0 * size - near)).sum()) / sigma
        free = 0.0 if self.scale is not None else sigma * float(weights.sum())
        return free + loss + self.alpha * float(coef @ coef)


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


@dataclass(slots=True, eq=False)
class _Point:
    coef: Array
    intercept: float
    sigma: float


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
        point = _Point(*start) if start is not None else None
        project = _row_space(loss, rows, moments)
        if point is None and len(rows) >= _SAMPLE_FROM:
            chosen = np.sort(np.random.default_rng(0).integers(0, len(rows), len(rows) // 16))
            sample = rows.take(chosen)
            few = Moments.of(_table(sample))
            first = _least_squares(loss, sample, few, floor)
            point, _, _ = _descend(loss, sample, few, first, floor, max_iter, Trace(), project)
        if point is None:
            point = _least_squares(loss, rows, moments, floor)
        trace = Trace()
        point, count, zones = _descend(loss, rows, moments, point, floor, max_iter, trace, project)
        proof = _certify(loss, rows, point, zones, floor)
        for attempt in range(_ATTEMPTS):
            if proof.relative_gap <= min(tol, 1e-6) or max_iter < _RETRY_FROM:
                break
            # from residuals taken afresh; at last from absolute deviations, whose vertex is met by
            # enough rows where few are inside
            last = attempt == _ATTEMPTS - 1
            near = _least_absolute(loss, rows, moments, point) if last else point
            near, more, zones = _descend(loss, rows, moments, near, floor, max_iter, trace, project)
            again = _certify(loss, rows, near, zones, floor)
            count += more
            if again.relative_gap < proof.relative_gap:
                point, proof = near, again
    done = proof.relative_gap <= tol
    return HuberSolution(point.coef, point.intercept, point.sigma, proof, trace, count, done)


def _least_absolute(loss: HuberLoss, rows: Rows, moments: Moments, point: _Point) -> _Point:
    """Least absolute deviations, with a scale such that only the rows met are inside."""
    frame = Frame.of(rows, moments, intercept=loss.intercept, scaled_only=False)
    fit = solve(CheckLoss(frame, 0.5, 0.0), rows, frame.start)
    coef, intercept = frame.model(fit.theta)
    if loss.scale is not None:
        return _Point(coef, intercept, loss.scale)
    size = np.sort(np.abs(rows.y - rows.values(coef, intercept)))
    met = float(size[min(frame.n_columns, len(size) - 1)])
    return _Point(coef, intercept, min(max(met / loss.epsilon, _EPS), point.sigma) or point.sigma)


def _row_space(loss: HuberLoss, rows: Rows, moments: Moments) -> Array | None:
    """The projection on the span of the rows, if they do not span everything.

    A penalty, however small, leaves nothing outside it; beside the rows' squares it is too small to
    be seen.
    """
    m = moments if loss.intercept else moments.about_zero()
    if loss.alpha == 0.0 or np.linalg.eigvalsh(_correlation(m.xx, np.diag(m.xx)))[0] > 1e-11:
        return None
    p = rows.n_features
    factor = TriangularFactor.of(rows.table)
    r = factor.r[1 : p + 1, 1 : p + 1] if loss.intercept else factor.without_ones()[0][:p, :p]
    _, roots, right = np.linalg.svd(r)
    right = right[roots > rank_tolerance(len(rows)) * roots[0]] if roots[0] > 0 else right[:0]
    return np.asarray(right.T @ right)


def _table(rows: Rows) -> Table:
    return replace(rows.table, y=rows.y[:, None], weights=rows.weights)


def _least_squares(loss: HuberLoss, rows: Rows, moments: Moments, floor: float) -> _Point:
    m = moments if loss.intercept else moments.about_zero()
    coef = _solve(m.xx, m.xy[:, 0], 0.0)
    intercept = float(m.y_mean[0] - m.x_mean @ coef) if loss.intercept else 0.0
    size = np.abs(rows.y - rows.values(coef, intercept))
    if loss.scale is not None:
        point = _Point(coef, intercept, loss.scale)
        few = float(np.median(size)) > 4.0 * loss.epsilon * loss.scale
        return _least_absolute(loss, rows, moments, point) if few else point
    sigma = 1.4826 * float(np.median(size)) or float(size.mean())
    return _Point(coef, intercept, max(sigma, floor))


def _solve(matrix: Array, right: Array, ridge: float, *, regular: bool = False) -> Array:
    """(matrix + ridge·I)⁻¹ right, columns brought to one size first; least norm if singular."""
    size = np.sqrt(np.maximum(np.diag(matrix), 0.0))
    inverse = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
    if ridge > 0:
        inverse = 1.0 / np.sqrt(size**2 + ridge)
    scaled = matrix * np.outer(inverse, inverse)
    scaled[np.diag_indices_from(scaled)] += ridge * inverse**2
    if regular:
        return np.asarray(inverse * np.linalg.solve(scaled, inverse * right))
    values, vectors = np.linalg.eigh(scaled)
    kept = values > 1e-13 * len(values) * max(float(values[-1]), 0.0) if len(values) else values > 0
    vectors = vectors[:, kept]
    return np.asarray(inverse * (vectors @ ((vectors.T @ (inverse * right)) / values[kept])))


def _descend(
    loss: HuberLoss,
    rows: Rows,
    moments: Moments,
    point: _Point,
    floor: float,
    max_iter: int,
    trace: Trace,
    project: Array | None,
) -> tuple[_Point, int, Zones]:
    """Step from zones to zones; residuals are those of the reference fit, less corrections."""
    base = _Point(point.coef, point.intercept, point.sigma)
    reference = rows.y - rows.values(base.coef, base.intercept)
    shifted = Rows(rows.table, reference, rows.weights)
    zones = Zones(shifted, _shifted_moments(moments, base, shifted))
    residual, total, count = reference, float(rows.weights.sum()), 0
    value = loss.value(residual, rows.weights, point.coef, point.sigma)
    zones.update(residual, loss.epsilon * point.sigma)
    damping = 0.0
    for count in range(1, max_iter + 1):  # noqa: B007 - reported
        pieces = _Pieces(loss, zones, base, point, damping, total, floor, project)
        target = pieces.minimum()
        move = rows.values(target.coef - point.coef, target.intercept - point.intercept)
        line = _Line(loss, rows.weights, residual, move, point, target)
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


def _shifted_moments(moments: Moments, base: _Point, rows: Rows) -> Moments:
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


@dataclass(slots=True, eq=False)
class _Line:
    """The objective between a point and a target, and a little beyond."""

    loss: HuberLoss
    weights: Array
    residual: Array
    move: Array
    point: _Point
    target: _Point

    def at(self, share: float) -> _Point:
        p, t = self.point, self.target
        return _Point(
            p.coef + share * (t.coef - p.coef),
            p.intercept + share * (t.intercept - p.intercept),
            p.sigma + share * (t.sigma - p.sigma),
        )

    def value(self, share: float) -> float:
        there = self.at(share)
        if there.sigma <= 0.0:
            return np.inf
        rest = self.residual - share * self.move
        return self.loss.value(rest, self.weights, there.coef, there.sigma)

    def search(self, value: float) -> tuple[float, float]:
        """A share that lowers the objective, and its value; (0, value) if none does."""
        share, lower = 1.0, self.value(1.0)
        if lower <= value:
            while share < 1e6 and share != 1.0 - share:
                further = self.value(2.0 * share)
                if not further < lower - 1e-3 * (value - lower):
                    return share, lower
                share, lower = 2.0 * share, further
            return share, lower
        for _ in range(_HALVINGS):
            share *= 0.5
            lower = self.value(share)
            if lower <= value:
                shorter = self.value(0.5 * share)
                return (0.5 * share, shorter) if shorter < lower else (share, lower)
        return 0.0, value


class _Pieces:
    """The objective as it would be if no row changed zone: quadratic in (w, b) for every σ.

    With `damping` a small multiple of the same rows' squared distance from the present fit is
    added, for zones that do not hold the step by themselves.
    """

    def __init__(
        self,
        loss: HuberLoss,
        zones: Zones,
        base: _Point,
        point: _Point,
        damping: float,
        total: float,
        floor: float,
        project: Array | None,
    ) -> None:
        self.loss, self.zones, self.base, self.point = loss, zones, base, point
        self.total, self.floor = total, floor
        m = zones.moments if loss.intercept else zones.moments.about_zero()
        self.m, self.center, self.inside = m, m.x_mean, float(m.weight)
        self.rounding = total * (floor / 2.0) ** 2  # squares that may be nothing but rounding
        self.pull = zones.pull - zones.bias * self.center if loss.intercept else zones.pull
        self.project = project
        self.damp = damping * self.total * zones.spread
        self.level = damping * self.total
        values = np.linalg.eigvalsh(_correlation(m.xx, zones.spread * max(self.inside, _EPS)))
        self.singular = bool(len(values) and values[0] <= 1e-9) or not self.inside > 0.0

    def minimum(self) -> _Point:
        """The best point; one with a larger scale where there is none."""
        sigma = self.point.sigma
        if self.loss.scale is not None:
            return self.at(sigma)[0]
        free = self.total - self.loss.epsilon**2 * self.zones.outside

        def excess(square: float) -> float:
            squares = self.at(float(np.sqrt(square)))[1]
            return free * square - (squares if squares > self.rounding else 0.0)

        left, right = sigma**2, 1.5 * sigma**2
        f, g = excess(left), excess(right)
        if g <= f:
            return self.at(2.0 * sigma)[0]
        for _ in range(_SCALE_STEPS):  # nearly linear in σ²: the secant method ends at once
            slope = (g - f) / (right - left)
            if slope <= 0.0:
                break
            left, f, right = right, g, max(right - g / slope, self.floor**2)
            if abs(right - left) <= 1e-14 * right:
                break
            g = excess(right)
        return self.at(float(np.sqrt(right)))[0]

    def at(self, sigma: float) -> tuple[_Point, float]:
        """Best coefficients for a scale, and the squares Σ ω r² inside."""
        loss, m, base = self.loss, self.m, self.base
        here = self.point.coef - base.coef
        ridge = sigma * loss.alpha
        xy = m.xy[:, 0]
        right = xy + sigma * loss.epsilon * self.pull - ridge * base.coef + self.damp * here
        step = _solve(m.xx + np.diag(self.damp), right, ridge, regular=not self.singular)
        if self.project is not None:
            step = self.project @ (base.coef + step) - base.coef
        squares = float(m.yy[0, 0] - 2.0 * step @ xy + step @ m.xx @ step)
        shift = 0.0
        if loss.intercept:
            y_mean = float(m.y_mean[0])
            now = self.point.intercept - base.intercept + float(self.center @ here) - y_mean
            weight = max(self.inside + self.level, _EPS * self.total)
            rise = (sigma * loss.epsilon * self.zones.bias + self.level * now) / weight
            squares += self.inside * rise**2
            shift = y_mean + rise - float(self.center @ step)
        return _Point(base.coef + step, base.intercept + shift, sigma), max(squares, 0.0)


def _certify(loss: HuberLoss, rows: Rows, point: _Point, zones: Zones, floor: float) -> Certificate:
    r"""A lower bound from the conjugate: σH(r/σ) = max over |u| ≤ 2ε of ur − σu²/4.

    So Σ ωuy − ‖Xᵀωu‖²/4α is a lower bound for all u with |u| ≤ 2ε, Σωu = 0 and (scale fitted)
    Σωu² ≤ 4Σω. u = 2·clip(r/σ, ±ε) fulfils them up to rounding; a least-squares correction on the
    rows inside and a factor below one make it fulfil them, and the gap is summed term by term.
    """
    w, total, reach = rows.weights, float(rows.weights.sum()), 2.0 * loss.epsilon
    sigma = point.sigma
    fit = rows.values(point.coef, point.intercept)
    residual = rows.y - fit
    at_point = np.clip(2.0 * residual / sigma, -reach, reach)
    m = zones.moments if loss.intercept else zones.moments.about_zero()
    dual = _Dual(loss, rows, point, m, residual)
    gap, rest = dual.gap(at_point)
    if gap > 1e-9 * abs(loss.value(residual, w, point.coef, sigma)):
        # scales near zero: what is left of the residuals inside is rounding and says nothing
        met = np.abs(residual) <= loss.epsilon * sigma + 1e-12 * (np.abs(rows.y) + np.abs(fit))
        inside = Moments.of(replace(rows.table, weights=np.where(met, w, 0.0)))
        inside = inside if loss.intercept else inside.about_zero()
        other = _Dual(loss, rows, point, inside, residual).gap(np.where(met, 0.0, at_point))
        gap, rest = min((gap, rest), other, key=lambda found: found[0])
    primal = loss.value(residual, w, point.coef, sigma)
    size = float((w * (np.abs(rows.y) + np.abs(fit))).sum())
    noise = 64 * _EPS * size * max(1.0, loss.epsilon)
    if primal <= noise + 2.0 * floor * total:  # a perfect fit: rounding is left
        gap = 0.0
    values = np.linalg.eigvalsh(_correlation(m.xx, np.diag(m.xx)))
    condition = float(np.sqrt(values[-1] / values[0])) if values[0] > 0 else np.inf
    name = "Σ h(y − Xw − b)" if loss.scale is not None else "Σ σ + σH((y − Xw − b)/σ)"
    return Certificate.from_gap(
        name + (" + α‖w‖²" if loss.alpha else ""),
        primal=primal,
        gap=gap,
        at_zero=max(loss.value(rows.y, w, 0.0 * point.coef, sigma), primal),
        kkt=float(np.abs(rest).max(initial=0.0)) / max(size, _EPS),
        condition=condition,
    )


@dataclass(slots=True, eq=False)
class _Dual:
    """Feasible points of the dual near a given one, and the gaps they leave."""

    loss: HuberLoss
    rows: Rows
    point: _Point
    m: Moments  # of the rows inside
    residual: Array

    def gap(self, u: Array) -> tuple[float, Array]:
        """Primal less dual, each term at least 0; and what is left of Xᵀωu − 2αw."""
        loss, rows, point, w = self.loss, self.rows, self.point, self.rows.weights
        sigma, total = point.sigma, float(w.sum())
        u = self._feasible(u)
        size = np.abs(self.residual)
        near = np.minimum(size, loss.epsilon * sigma)
        terms = near * (2.0 * size - near) / sigma + sigma * u * u / 4.0 - u * self.residual
        gap = float((w * np.maximum(terms, 0.0)).sum())
        if loss.scale is None:
            gap += sigma * max(total - float((w * u * u).sum()) / 4.0, 0.0)
        rest = rows.sums(w * u) - 2.0 * loss.alpha * point.coef
        if loss.intercept:
            bias = float((w * u).sum())
            rest = rest - bias * self.m.x_mean
            gap += abs(bias * (point.intercept + float(self.m.x_mean @ point.coef)))
        if loss.alpha > 0:
            return gap + float(rest @ rest) / (4.0 * loss.alpha), rest
        return gap + abs(float(rest @ point.coef)), rest

    def _feasible(self, u: Array) -> Array:
        """Correct u on the rows inside so that Xᵀωu = 2αw and Σωu = 0, then shrink it."""
        loss, rows, m, w = self.loss, self.rows, self.m, self.rows.weights
        reach, total = 2.0 * loss.epsilon, float(w.sum())
        inside = np.abs(u) < reach
        for _ in range(2):
            pull = rows.sums(w * u) - 2.0 * loss.alpha * self.point.coef
            bias = float((w * u).sum()) if loss.intercept else 0.0
            if self._negligible(pull - bias * m.x_mean, bias):
                break
            step = _solve(m.xx, pull - bias * m.x_mean, 0.0)
            level = 0.0
            if loss.intercept and m.weight:
                level = bias / m.weight - float(m.x_mean @ step)
            u = np.where(inside, u - rows.values(step, level), u)
        factor = min(1.0, reach / max(float(np.abs(u).max(initial=0.0)), 1e-300))
        squares = float((w * u * u).sum())
        if loss.scale is None and squares * factor**2 > 4.0 * total:
            factor = float(np.sqrt(4.0 * total / squares))
        return np.asarray(u * factor)

    def _negligible(self, pull: Array, bias: float) -> bool:
        """Whether what is left of the equations changes the bound by a rounding error only."""
        alpha, point = self.loss.alpha, self.point
        left = float(pull @ pull) / (4.0 * alpha) if alpha > 0 else abs(float(pull @ point.coef))
        left += abs(bias * (point.intercept + float(self.m.x_mean @ point.coef)))
        value = self.loss.value(self.residual, self.rows.weights, point.coef, point.sigma)
        return left <= 1e-13 * value


def _correlation(matrix: Array, squares: Array) -> Array:
    size = np.sqrt(np.maximum(squares, 1e-300))
    return np.asarray(matrix / np.outer(size, size))
