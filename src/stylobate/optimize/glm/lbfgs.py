"""Generalised linear models by L-BFGS: gradients only, for very many columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.glm.newton import Beginning, finish, formula
from stylobate.optimize.glm.rows import FamilyAt, FitAt
from stylobate.optimize.glm.solution import GLMRequest, GLMSolution
from stylobate.optimize.lbfgs import minimize_lbfgs
from stylobate.optimize.newton import newton
from stylobate.optimize.trace import Trace
from stylobate.statistics import Source, rows_at_hand

MAX_HESSIAN_COLUMNS = 2000  # beyond, a Hessian costs more than many gradients
STRICTER = 1e-3  # the gradient is small long before the gap is
CORRECTIONS = 20
ROUNDING = 2.0**-50  # of the objective: a smaller fall is none


def solve_lbfgs(source: Source, request: GLMRequest) -> GLMSolution:
    """Fit by L-BFGS in coordinates that make the columns equally long.

    Up to 2000 columns the answer is certified with the Hessian, as Newton's is; beyond, by a dual
    point that moves the intercept alone.
    """
    begun = Beginning.of(source, request)
    at = _ScaledOracle(source, begun, _scale(begun))
    trace, start = Trace(), at(at.start())
    done = _Tests(STRICTER * request.tol)
    point, iterations = minimize_lbfgs(
        at, start, done, max_iter=request.max_iter, trace=trace, memory=CORRECTIONS
    )
    return _finish(source, begun, at.parameters(point.theta), iterations, trace)


@dataclass(frozen=True, slots=True)
class _Point:
    """Scaled parameters, the mean objective from its floor, and its gradient."""

    theta: Array
    value: float
    gradient: Array


@dataclass(frozen=True, slots=True)
class _ScaledOracle:
    """The mean objective in coordinates v = θ / scale, by one pass."""

    source: Source
    begun: Beginning
    scale: Array

    def start(self) -> Array:
        """Where to begin: as asked, or without slopes."""
        begun, p = self.begun, len(self.begun.center)
        theta = np.append(np.zeros(p), begun.null_predictor)
        if begun.request.start is not None:
            coef, intercept = begun.request.start
            theta = np.append(coef, intercept + float(begun.center @ coef))
        return np.asarray((theta / self.scale)[: p + begun.request.fit_intercept])

    def parameters(self, v: Array) -> Array:
        """Coefficients and the intercept of centred columns."""
        theta = np.zeros(len(self.scale))
        theta[: len(v)] = v * self.scale[: len(v)]
        return theta

    def __call__(self, v: Array) -> _Point:
        begun, table, k = self.begun, rows_at_hand(self.source), len(v)
        theta, weight = self.parameters(v), begun.target.weight
        slopes = theta[:-1]
        with np.errstate(over="ignore", invalid="ignore"):
            step = self.source.compute(_recipe(begun, table, theta))
            value = step.value - _floor(begun, table) + 0.5 * begun.l2 * float(slopes @ slopes)
            gradient = step.gradient + begun.l2 * np.append(slopes, 0.0)
        value = value / weight if np.isfinite(value) else np.inf  # a wall: the search steps back
        return _Point(v, value, (gradient * self.scale)[:k] / weight)


class _Tests:
    """Ends where no entry of the gradient is above `tol`, or the objective falls no more."""

    def __init__(self, tol: float) -> None:
        self._tol, self._before = tol, np.inf

    def __call__(self, point: _Point) -> bool:
        before, self._before = self._before, point.value
        fall = ROUNDING * max(abs(before), abs(point.value), 1.0)
        still = np.isfinite(before) and before - point.value <= fall
        return bool(still or np.abs(point.gradient).max(initial=0.0) <= self._tol)


def _recipe(begun: Beginning, table: Table | None, theta: Array) -> Any:
    if _by_products(begun, table):
        return FamilyAt(begun.family, theta[:-1], float(theta[-1]), begun.center, False)
    return begun.recipe(theta[:-1], float(theta[-1]), curvature=False)


def _by_products(begun: Beginning, table: Table | None) -> bool:
    """Whether sparse products beat packing rows densely."""
    return table is not None and table.is_sparse and len(begun.center) > MAX_HESSIAN_COLUMNS


def _floor(begun: Beginning, table: Table | None) -> float:
    return 0.0 if _by_products(begun, table) else begun.saturated


def _scale(begun: Beginning) -> Array:
    """1 / √(length² + l2) of the columns and the intercept, per unit of weight."""
    weight = begun.target.weight
    lengths = np.maximum(begun.target.x_squares / weight - begun.center**2, 0.0)
    sizes = np.sqrt(lengths * max(abs(begun.mean), 1e-8) + begun.request.alpha)
    return np.append(1.0 / np.where(sizes > 0, sizes, 1.0), 1.0)


def _finish(
    source: Source, begun: Beginning, theta: Array, iterations: int, trace: Trace
) -> GLMSolution:
    request, p = begun.request, len(begun.center)
    if p <= MAX_HESSIAN_COLUMNS:
        at_answer = newton(
            lambda w, b: source.compute(begun.recipe(w, b, curvature=True)),
            start=(theta[:-1], float(theta[-1])),
            l2=begun.l2,
            fit_intercept=request.fit_intercept,
            tol=0.0,
            max_iter=0,
        )
        done = finish(source, begun, at_answer)
        enough = done.certificate.relative_gap <= request.tol
        return replace(done, iterations=iterations, converged=enough, trace=trace)
    coef, intercept = theta[:-1], float(theta[-1] - begun.center @ theta[:-1])
    null_mean = float(begun.family.mean(np.array([begun.null_predictor]))[0])
    facts = source.compute(FitAt(begun.family, coef, intercept, np.zeros(p), 0.0, null_mean))
    weight, gap = begun.target.weight, _intercept_dual(source, begun, theta)
    proof = Certificate.from_gap(
        formula(request.alpha),
        primal=0.5 * facts.deviance / weight + 0.5 * request.alpha * float(coef @ coef),
        gap=gap / weight,
        at_zero=0.5 * facts.null_deviance / weight,
        kkt=trace.gradient_norm[-1] if len(trace) else 0.0,
        condition=np.inf,
        lost=1.0,
        proved=bool(np.isfinite(gap)),
    )
    enough = proof.relative_gap <= request.tol
    fitted = intercept if request.fit_intercept else 0.0
    return GLMSolution(coef, fitted, proof, facts, None, begun.center, iterations, enough, trace)


def _intercept_dual(source: Source, begun: Beginning, theta: Array) -> float:
    r"""A proved gap from the dual point :math:`u_i = \ell'_i + \ell''_i t`, one t for all rows.

    t makes the dual's constraint of the intercept hold; what is left of the gradient costs its
    square over 2·l2. Infinite without a penalty, or for losses that are not convex.
    """
    power, l2, table = begun.family.power, begun.l2, rows_at_hand(source)
    convex = begun.family.link == "log" and power is not None and 1.0 <= power <= 2.0
    if l2 == 0.0 or not convex or table is None:
        return float("inf")
    at = FamilyAt(begun.family, theta[:-1], float(theta[-1]), begun.center, False)
    gradient, border = at.of(table).gradient, at.border(table)
    t = -gradient[-1] / border[-1] if begun.request.fit_intercept else 0.0
    if not abs(t) < 1.0:
        return float("inf")
    left = gradient[:-1] + border[:-1] * t + l2 * theta[:-1]
    return float(0.5 * border[-1] * t * t / (1.0 - abs(t)) + left @ left / (2.0 * l2))
