"""Certificates of Huber's regression: a feasible point of the dual and what it proves."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.interrupts import interruptible
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.robust.huber_loss import HuberLoss, Point, scaled, solve_scaled
from stylobate.optimize.robust.rows import Rows
from stylobate.optimize.robust.zones import Zones
from stylobate.statistics import Moments

_EPS = float(np.finfo(np.float64).eps)


def certify_huber(
    loss: HuberLoss,
    rows: Rows,
    point: Point,
    zones: Zones,
    floor: float,
    slopes: Array | None = None,
) -> Certificate:
    r"""A lower bound from the conjugate: σH(r/σ) = max over |u| ≤ 2ε of ur − σu²/4.

    So Σ ωuy − ‖Xᵀωu‖²/4α is a lower bound for all u with |u| ≤ 2ε, Σωu = 0 and (scale fitted)
    Σωu² ≤ 4Σω. u = 2·clip(r/σ, ±ε) fulfils them up to rounding; a least-squares correction on the
    rows inside and a factor below one make it fulfil them, and the gap is summed term by term.
    `slopes` may be a u that is known, for points where nearly all residuals are zero.
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
        inside = _moments_of(loss, rows, met)
        other = _Dual(loss, rows, point, inside, residual).gap(np.where(met, 0.0, at_point))
        gap, rest = min((gap, rest), other, key=lambda found: found[0])
    if slopes is not None:
        inside = _moments_of(loss, rows, np.abs(slopes) < reach * (1.0 - 1e-6))
        known = _Dual(loss, rows, point, inside, residual).gap(np.clip(slopes, -reach, reach))
        gap, rest = min((gap, rest), known, key=lambda found: found[0])
    primal = loss.value(residual, w, point.coef, sigma)
    size = float((w * (np.abs(rows.y) + np.abs(fit))).sum())
    noise = 64 * _EPS * size * max(1.0, loss.epsilon)
    if primal <= noise + 2.0 * floor * total:  # a perfect fit: rounding is left
        gap = 0.0
    return Certificate.from_gap(
        objective_name(loss),
        primal=primal,
        gap=gap,
        at_zero=max(loss.value(rows.y, w, 0.0 * point.coef, sigma), primal),
        kkt=float(np.abs(rest).max(initial=0.0)) / max(size, _EPS),
        condition=condition_of(m),
    )


def objective_name(loss: HuberLoss) -> str:
    """What is minimised, in symbols."""
    name = "Σ h(y − Xw − b)" if loss.scale is not None else "Σ σ + σH((y − Xw − b)/σ)"
    return name + (" + α‖w‖²" if loss.alpha else "")


def condition_of(inside: Moments) -> float:
    """Condition number of the columns, scaled to one size, over the rows inside."""
    values = interruptible(np.linalg.eigvalsh, scaled(inside.xx, np.diag(inside.xx)))
    if not len(values):
        return 1.0
    return float(np.sqrt(values[-1] / values[0])) if values[0] > 0 else float(np.inf)


def _moments_of(loss: HuberLoss, rows: Rows, chosen: NDArray[np.bool_]) -> Moments:
    """Of some rows, about zero without an intercept."""
    found = Moments.of(replace(rows.table, weights=np.where(chosen, rows.weights, 0.0)))
    return found if loss.intercept else found.about_zero()


@dataclass(slots=True, eq=False)
class _Dual:
    """Feasible points of the dual near a given one, and the gaps they leave."""

    loss: HuberLoss
    rows: Rows
    point: Point
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
        rest = rows.sums(w * u) - loss.penalty_gradient(point.coef)
        if loss.intercept:
            bias = float((w * u).sum())
            rest = rest - bias * self.m.x_mean
            gap += abs(bias * (point.intercept + float(self.m.x_mean @ point.coef)))
        if loss.alpha > 0:
            return gap + loss.penalty_conjugate(rest), rest
        return gap + abs(float(rest @ point.coef)), rest

    def _feasible(self, u: Array) -> Array:
        """Correct u on the rows inside so that Xᵀωu = 2αw and Σωu = 0, then shrink it."""
        loss, rows, m, w = self.loss, self.rows, self.m, self.rows.weights
        reach, total = 2.0 * loss.epsilon, float(w.sum())
        inside = np.abs(u) < reach
        for _ in range(2):
            pull = rows.sums(w * u) - loss.penalty_gradient(self.point.coef)
            bias = float((w * u).sum()) if loss.intercept else 0.0
            if self._negligible(pull - bias * m.x_mean, bias):
                break
            step = solve_scaled(m.xx, pull - bias * m.x_mean, 0.0)
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
        left = self.loss.penalty_conjugate(pull) if alpha > 0 else abs(float(pull @ point.coef))
        left += abs(bias * (point.intercept + float(self.m.x_mean @ point.coef)))
        value = self.loss.value(self.residual, self.rows.weights, point.coef, point.sigma)
        return left <= 1e-13 * value
