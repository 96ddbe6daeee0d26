"""Generalised linear models by Newton's method: one mergeable pass per iteration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError, NumericalError
from stylobate.losses import HalfSquared, Tweedie
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.glm.family import Family
from stylobate.optimize.glm.rows import FamilyAt, FitAt, InformationAt, TargetFacts, TargetOf
from stylobate.optimize.glm.solution import GLMRequest, GLMSolution
from stylobate.optimize.newton import Derivatives, NewtonSolution, gap_bound, newton
from stylobate.statistics import LossAt, LossStep, Source, refuse_out_of_range, rows_at_hand

STRIDE = 16  # one row in so many makes the sample from which a long fit starts
SAMPLE_ROWS, SAMPLE_PER_COLUMN = 1000, 30  # the least a sample must hold
SAMPLE_ITERATIONS = 30
ROUNDING = 1e-10  # of sums of squares, with room for the number of rows
SURE = 1e-15  # log-likelihood left to gain, unless rounding hides it: one step more at most


def solve_newton(source: Source, request: GLMRequest) -> GLMSolution:
    """Fit by Newton's method.

    Long tables start from the fit of a sample of their rows, which leaves two or three passes.
    """
    begun = Beginning.of(source, request)
    step_at = _Remembered(lambda w, b: source.compute(begun.recipe(w, b, curvature=True)))
    start = _start(rows_at_hand(source), begun, step_at)
    found = newton(
        step_at,
        start=start,
        l2=begun.l2,
        fit_intercept=request.fit_intercept,
        tol=request.tol**2,  # Newton's steps square the gap: one more pass than tol asks for
        max_iter=request.max_iter,
        saturated=begun.saturated,
        largest_gain=SURE,
    )
    return finish(source, begun, found)


@dataclass(frozen=True, slots=True, eq=False)
class Beginning:
    """The problem with what one look at the rows says: centre, mean, scale of the penalty."""

    request: GLMRequest
    target: TargetFacts
    center: Array

    @classmethod
    def of(cls, source: Source, request: GLMRequest) -> Beginning:
        stride = _stride(rows_at_hand(source))
        target = source.compute(TargetOf(request.family, request.owner, stride))
        center = target.x_sum / target.weight
        begun = cls(request, target, center if request.fit_intercept else np.zeros_like(center))
        if request.family.link == "log" and request.fit_intercept and begun.mean <= 0.0:
            raise InvalidDataError(
                f"{request.owner}: y has a (weighted) mean of {begun.mean:g}; the logarithmic link "
                "needs a positive one, or no finite intercept fits."
            )
        if source.capabilities.rows_in_memory:
            with np.errstate(over="ignore", invalid="ignore"):
                squares = target.x_squares - target.weight * begun.center**2
                lengths = np.sqrt(np.maximum(squares, 0.0))
            # a column far from zero: the difference is rounding and says nothing of its length
            lengths[squares <= ROUNDING * target.x_squares] = np.nan
            refuse_out_of_range(source.rows(), lengths)
        return begun

    @property
    def family(self) -> Family:
        return self.request.family

    @property
    def l2(self) -> float:
        """The penalty beside a sum (not a mean) over rows."""
        return self.request.alpha * self.target.weight

    @property
    def mean(self) -> float:
        return self.target.y_sum / self.target.weight

    @property
    def in_core(self) -> bool:
        """Whether the compiled step statistic knows the loss."""
        return self.family.link == "log" or self.family.power == 0.0

    @property
    def saturated(self) -> float:
        return self.target.saturated if self.in_core else 0.0

    @property
    def null_predictor(self) -> float:
        """The predictor without slopes: the mean's with an intercept, else 0."""
        return self.family.predictor(self.mean) if self.request.fit_intercept else 0.0

    def recipe(self, coef: Array, intercept: float, *, curvature: bool) -> Any:
        """The step statistic at a point; the intercept is that of centred columns."""
        if not self.in_core:
            return FamilyAt(self.family, coef, intercept, self.center, curvature)
        loss = HalfSquared.name if self.family.link == "identity" else Tweedie.name
        power = 0.0 if self.family.power is None else self.family.power
        return LossAt(loss, power, coef, intercept, self.center, curvature)


class _Remembered:
    """A step statistic that remembers its last point, so that a start is computed once."""

    def __init__(self, compute: Callable[[Array, float], LossStep]) -> None:
        self.compute = compute
        self.last: tuple[bytes, float, LossStep] | None = None

    def __call__(self, coef: Array, intercept: float) -> LossStep:
        key = coef.tobytes()
        if self.last is None or self.last[:2] != (key, intercept):
            self.last = (key, intercept, self.compute(coef, intercept))
        return self.last[2]


def _stride(table: Table | None) -> int:
    if table is None:
        return 1
    least = max(SAMPLE_ROWS, SAMPLE_PER_COLUMN * table.n_features)
    return STRIDE if table.n_rows >= STRIDE * least else 1


def _start(table: Table | None, begun: Beginning, step_at: _Remembered) -> tuple[Array, float]:
    """Where to begin: as asked, from a sample, or without slopes; the first that is finite."""
    null = (np.zeros(len(begun.center)), begun.null_predictor)
    candidates = []
    if begun.request.start is not None:
        coef, intercept = begun.request.start
        candidates.append((coef, intercept + float(begun.center @ coef)))
    elif table is not None and _stride(table) > 1:
        candidates.append(_from_sample(table.take(slice(None, None, STRIDE)), begun, null))
    for coef, intercept in candidates:
        with np.errstate(over="ignore", invalid="ignore"):
            step = step_at(coef, intercept)
        if _is_finite(step):
            return coef, intercept
    if not _is_finite(step_at(*null)):
        if table is not None:
            table.refuse_nonfinite()
            refuse_out_of_range(table)
        raise NumericalError(
            f"{begun.request.owner}: the {begun.family.name} loss with the {begun.family.link} "
            "link is not finite where the fit would start; rescale X and y, fit an intercept, or "
            "choose link='log'."
        )
    return null


def _is_finite(step: Derivatives) -> bool:
    assert step.hessian is not None
    return bool(np.isfinite(step.value) and np.isfinite(step.hessian).all())


def _from_sample(sample: Table, begun: Beginning, null: tuple[Array, float]) -> tuple[Array, float]:
    weight = float(sample.n_rows if sample.weights is None else sample.weights.sum())

    def step_at(coef: Array, intercept: float) -> LossStep:
        step: LossStep = begun.recipe(coef, intercept, curvature=True).of(sample)
        return step

    if weight == 0.0 or not _is_finite(step_at(*null)):
        return null
    found = newton(
        step_at,
        start=null,
        l2=begun.request.alpha * weight,
        fit_intercept=begun.request.fit_intercept,
        tol=1e-6,
        max_iter=SAMPLE_ITERATIONS,
        saturated=begun.saturated * weight / begun.target.weight,
    )
    return found.coef, found.intercept


def finish(source: Source, begun: Beginning, found: NewtonSolution) -> GLMSolution:
    """The last look at the rows: deviances, certificate, information."""
    request, family, center = begun.request, begun.family, begun.center
    intercept = found.intercept - float(center @ found.coef)
    d = found.direction
    shift = float(d[-1] - center @ d[:-1])
    null_mean = float(family.mean(np.array([begun.null_predictor]))[0])
    facts = source.compute(FitAt(family, found.coef, intercept, d[:-1], shift, null_mean))
    proof = _certificate(begun, found, facts.deviance, facts.null_deviance, facts.largest_shift)
    information = found.step.hessian
    # elsewhere the step statistic's curvature is the expected one already
    convex = family.power is not None and 1.0 < family.power <= 2.0
    if (family.link == "log" and convex) or not begun.in_core:
        point = InformationAt(family, found.coef, intercept, center)
        information = source.compute(point).hessian
    return GLMSolution(
        coef=found.coef,
        intercept=intercept if request.fit_intercept else 0.0,
        certificate=proof,
        facts=facts,
        information=information,
        center=center,
        iterations=found.iterations,
        converged=found.converged or proof.relative_gap <= request.tol,
        trace=found.trace,
    )


def _certificate(
    begun: Beginning, found: NewtonSolution, deviance: float, null: float, shift: float
) -> Certificate:
    power, weight = begun.family.power, begun.target.weight
    squared = begun.family == Family(0.0, "identity")
    proved = squared or (begun.family.link == "log" and power is not None and 1.0 <= power <= 2.0)
    gap = gap_bound(found, begun.l2, 0.0 if squared else shift) if proved else found.decrement
    proved = proved and bool(np.isfinite(gap))
    gap = gap if np.isfinite(gap) else found.decrement
    hessian = found.step.hessian
    assert hessian is not None
    k = len(found.coef) + begun.request.fit_intercept
    slope = found.step.gradient[:k] + begun.l2 * np.append(found.coef, 0.0)[:k]
    scale = np.sqrt(np.maximum(np.diag(hessian)[:k], 0.0) * max(deviance, 1e-300))
    kkt = np.divide(np.abs(slope), scale, out=np.zeros(k), where=scale > 0)
    return Certificate.from_gap(
        formula(begun.request.alpha),
        primal=0.5 * deviance / weight + 0.5 * begun.request.alpha * float(found.coef @ found.coef),
        gap=gap / weight,
        at_zero=0.5 * null / weight,
        kkt=float(kkt.max(initial=0.0)),
        condition=float(np.sqrt(found.condition)),
        lost=found.condition,
        proved=proved,
    )


def formula(alpha: float) -> str:
    """The objective in words of mathematics."""
    return "½·mean deviance" + (" + ½α‖w‖²" if alpha > 0 else "")
