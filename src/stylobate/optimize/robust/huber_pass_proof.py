"""Certificates of Huber's regression by passes: a dual point that a few numbers describe.

The point is the one of `certify_huber`: u = 2·clip(r/σ, ±ε), on the rows inside less a linear
function of x, times a factor; so no pass needs to remember a number for each row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.robust.huber_loss import HuberLoss, Point, solve_scaled
from stylobate.optimize.robust.huber_proof import condition_of, objective_name
from stylobate.optimize.robust.rows import Rows
from stylobate.statistics import Moments, Source

_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False)
class DualAt:
    """A recipe: what a dual point tells, summed over rows.

    Parameters
    ----------
    epsilon : float
    point : Point
    step, level
        Of the linear function taken off u on the rows inside.
    factor : float
    """

    epsilon: float
    point: Point
    step: Array
    level: float = 0.0
    factor: float = 1.0

    def of(self, table: Table) -> DualSums:
        """The sums of a table."""
        rows = Rows.of(table)
        w, sigma, reach = rows.weights, self.point.sigma, 2.0 * self.epsilon
        fit = rows.values(self.point.coef, self.point.intercept)
        residual = rows.y - fit
        u = np.clip(2.0 * residual / sigma, -reach, reach)
        if self.level or self.step.any():
            u = np.where(np.abs(u) < reach, u - rows.values(self.step, self.level), u)
        u = self.factor * u
        size = np.abs(residual)
        near = np.minimum(size, self.epsilon * sigma)
        losses = near * (2.0 * size - near) / sigma
        terms = losses + sigma * u * u / 4.0 - u * residual
        at_zero = np.abs(rows.y)
        near_zero = np.minimum(at_zero, self.epsilon * sigma)
        return DualSums(
            rows.sums(w * u),
            np.array(
                [
                    (w * u).sum(),
                    (w * u * u).sum(),
                    (w * np.maximum(terms, 0.0)).sum(),
                    (w * losses).sum(),
                    (w * near_zero * (2.0 * at_zero - near_zero)).sum() / sigma,
                    (w * (np.abs(rows.y) + np.abs(fit))).sum(),
                ]
            ),
            float(np.abs(u).max(initial=0.0)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class DualSums:
    """Xᵀωu; Σωu, Σωu², the terms of the gap, the loss here and at zero, sizes; max |u|."""

    pull: Array
    sums: Array
    largest: float
    subtractable: ClassVar[bool] = False

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        return type(self)(
            self.pull + other.pull, self.sums + other.sums, max(self.largest, other.largest)
        )

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.sums).all())


def certify_by_passes(
    loss: HuberLoss, source: Source, point: Point, inside: Moments, total: float, floor: float
) -> Certificate:
    """The certificate of a point, by up to four passes; see `certify_huber`."""
    m = inside if loss.intercept else inside.about_zero()
    dual = DualAt(loss.epsilon, point, np.zeros(len(point.coef)))
    found = source.compute(dual)
    free = 0.0 if loss.scale is not None else point.sigma * total
    primal = free + float(found.sums[3]) + loss.penalty(point.coef)
    for _ in range(2):  # the second takes off what rounding left
        step, level = _correction(loss, point, m, found, primal)
        if step is None:
            break
        dual = replace(dual, step=dual.step + step, level=dual.level + level)
        found = source.compute(dual)
    factor = min(1.0, 2.0 * loss.epsilon / max(found.largest, 1e-300))
    squares = float(found.sums[1])
    if loss.scale is None and squares * factor**2 > 4.0 * total:
        factor = float(np.sqrt(4.0 * total / squares))
    if factor < 1.0:
        found = source.compute(replace(dual, factor=factor))
    gap, rest = _gap(loss, point, m, found, total)
    size = float(found.sums[5])
    if primal <= 64 * _EPS * size * max(1.0, loss.epsilon) + 2.0 * floor * total:
        gap = 0.0  # a perfect fit: rounding is left
    return Certificate.from_gap(
        objective_name(loss),
        primal=primal,
        gap=gap,
        at_zero=max(free + float(found.sums[4]), primal),
        kkt=float(np.abs(rest).max(initial=0.0)) / max(size, _EPS),
        condition=condition_of(m),
    )


def _rest(loss: HuberLoss, point: Point, m: Moments, found: DualSums) -> tuple[Array, float]:
    """What is left of Xᵀωu − 2αw, about the means of the rows inside, and Σωu."""
    bias = float(found.sums[0]) if loss.intercept else 0.0
    return found.pull - loss.penalty_gradient(point.coef) - bias * m.x_mean, bias


def _missing(loss: HuberLoss, point: Point, m: Moments, rest: Array, bias: float) -> float:
    """What the equations that do not hold take from the bound."""
    left = loss.penalty_conjugate(rest) if loss.alpha > 0 else abs(float(rest @ point.coef))
    return left + abs(bias * (point.intercept + float(m.x_mean @ point.coef)))


def _correction(
    loss: HuberLoss, point: Point, m: Moments, found: DualSums, primal: float
) -> tuple[Array | None, float]:
    rest, bias = _rest(loss, point, m, found)
    if _missing(loss, point, m, rest, bias) <= 1e-13 * primal:
        return None, 0.0
    step = solve_scaled(m.xx, rest, 0.0)
    level = 0.0
    if loss.intercept and m.weight:
        level = bias / m.weight - float(m.x_mean @ step)
    return step, level


def _gap(
    loss: HuberLoss, point: Point, m: Moments, found: DualSums, total: float
) -> tuple[float, Array]:
    rest, bias = _rest(loss, point, m, found)
    gap = float(found.sums[2]) + _missing(loss, point, m, rest, bias)
    if loss.scale is None:
        gap += point.sigma * max(total - float(found.sums[1]) / 4.0, 0.0)
    return gap, rest
