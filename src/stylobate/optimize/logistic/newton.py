"""Newton's method for two classes: one mergeable pass over the rows per step."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, log
from typing import ClassVar, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table
from stylobate.exceptions import NumericalError
from stylobate.optimize.logistic.gap import DualMove, certificate_of, gap_of
from stylobate.optimize.logistic.solution import Information, LogisticSolution
from stylobate.optimize.trace import Trace
from stylobate.parallel import one_blas_thread
from stylobate.statistics import LossAt, LossStep, Source, refuse_out_of_range
from stylobate.statistics.rows import counted

Array = NDArray[np.float64]

ROUNDING = 2.0**-46  # of the objective: a smaller change is none
WIDE_STEP = 0.3  # a step that moves margins this far is not near an optimum
PERFECT = 1e-5  # a mean loss this small, without a penalty, looks like separated classes


@dataclass(frozen=True, slots=True)
class MarginChange:
    """A recipe: the widest change of a row's margin, max |(x − c)·d + d₀|."""

    coef: Array
    intercept: float
    center: Array

    def of(self, table: Table) -> WidestChange:
        """The widest change in a table."""
        x = counted(table).x
        change = x @ self.coef + (self.intercept - float(self.center @ self.coef))
        return WidestChange(float(np.abs(change).max(initial=0.0)))


@dataclass(frozen=True, slots=True)
class WidestChange:
    """The largest of the rows' changes."""

    widest: float
    subtractable: ClassVar[bool] = False

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        return type(self)(max(self.widest, other.widest))

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return isfinite(self.widest)


@dataclass(frozen=True, slots=True, eq=False)
class NewtonPoint:
    """Parameters (coefficients, then the intercept), the objective and its derivatives there."""

    theta: Array
    value: float
    gradient: Array
    curvature: Array  # of the loss, without the penalty
    weight: float

    @property
    def scale(self) -> Array:
        """What each entry of the gradient is measured by."""
        scale = np.sqrt(np.maximum(np.diag(self.curvature), 0.0) * self.weight)
        return np.where(scale > 0.0, scale, 1.0)


class NewtonProblem:
    """Σ ωᵢ log(1 + exp(−yᵢzᵢ)) + ½λ‖w‖² over a source whose target is 0 or 1."""

    def __init__(self, source: Source, center: Array, *, l2: float, fit_intercept: bool) -> None:
        self.source, self.center = source, center
        self.l2, self.fit_intercept = l2, fit_intercept
        self.n_columns = len(center)
        self.size = self.n_columns + fit_intercept

    def at(self, theta: Array) -> NewtonPoint:
        """Value, gradient and Hessian: one pass."""
        p, size = self.n_columns, self.size
        intercept = float(theta[p]) if self.fit_intercept else 0.0
        recipe = LossAt("logistic", 0.0, theta[:p], intercept, self.center, curvature=True)
        step: LossStep = self.source.compute(recipe)
        assert step.hessian is not None
        if not (np.isfinite(step.gradient).all() and np.isfinite(step.hessian).all()):
            self._refuse_nonfinite()
        gradient = step.gradient[:size].copy()
        gradient[:p] += self.l2 * theta[:p]
        value = step.value + 0.5 * self.l2 * float(theta[:p] @ theta[:p])
        return NewtonPoint(theta, value, gradient, step.hessian[:size, :size], step.weight)

    def _refuse_nonfinite(self) -> NoReturn:
        table = self.source.table
        if table is not None:
            table.refuse_nonfinite()
            refuse_out_of_range(table)
        raise NumericalError(
            "Logistic regression: the columns of X, or the coefficients, leave the range in which "
            "double precision can square them. Divide large columns by a constant first."
        )

    def direction(self, point: NewtonPoint) -> tuple[Array, float]:
        """Newton's direction, and the condition number of the scaled Hessian's square root."""
        hessian = point.curvature.copy()
        hessian[np.diag_indices(self.n_columns)] += self.l2
        return solve_scaled(hessian, point.gradient)

    def bound(self, point: NewtonPoint) -> tuple[float, bool]:
        """The gap with a dual point moved along the intercept: no pass."""
        move = np.zeros(self.size)
        if self.fit_intercept:
            own = point.curvature[-1, -1]
            if own <= 0.0:
                return inf, False
            move[-1] = point.gradient[-1] / own
        curved = point.curvature @ move
        widest = float(np.abs(move).max(initial=0.0))
        if self.l2 == 0.0:
            return inf, False
        dual = DualMove(move, curved, widest)
        return gap_of(point.gradient, self.l2, self.n_columns, dual, point.scale)

    def bound_by_direction(self, point: NewtonPoint, step: Array) -> tuple[float, bool, float]:
        """The gap with a dual point moved along Newton's direction: one cheap pass."""
        p = self.n_columns
        intercept = float(step[p]) if self.fit_intercept else 0.0
        widest = self.source.compute(MarginChange(step[:p], intercept, self.center)).widest
        move = DualMove(step, point.curvature @ step, widest)
        gap, proved = gap_of(point.gradient, self.l2, p, move, point.scale)
        return gap, proved, widest


def solve_scaled(hessian: Array, gradient: Array) -> tuple[Array, float]:
    """H⁻¹g after scaling the diagonal to ones; directions without curvature are left alone.

    Also the square root of the scaled Hessian's condition number (as LAPACK estimates it),
    infinite where it is singular.
    """
    from scipy.linalg import lapack

    diagonal = np.diag(hessian)
    scale = 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
    scaled = hessian * np.outer(scale, scale)
    with one_blas_thread():
        factor, failed = lapack.dpotrf(scaled, lower=1)
        share = 0.0
        if failed == 0:
            share, _ = lapack.dpocon(factor, np.abs(scaled).sum(axis=0).max(), uplo="L")
        if share > len(scaled) * 2.0**-50:
            solved, _ = lapack.dpotrs(factor, scale * gradient, lower=1)
            return scale * solved, float(share**-0.5)
        values, vectors = np.linalg.eigh(scaled)
    kept = values > len(values) * 2.0**-50 * max(values[-1], 1e-300)
    coordinates = vectors.T @ (scale * gradient)
    coordinates = np.where(kept, coordinates / np.where(kept, values, 1.0), 0.0)
    return scale * (vectors @ coordinates), inf


def solve_newton(
    problem: NewtonProblem,
    theta: Array,
    *,
    tol: float,
    max_iter: int,
    watch: bool = True,
    aim: float | None = None,
) -> LogisticSolution:
    """Minimise by Newton's steps until the relative gap is at most `tol`.

    Parameters
    ----------
    problem : NewtonProblem
        What to minimise.
    theta : array of shape (p,) or (p + 1,)
        Where to start; the intercept, of centred columns, comes last.
    tol : float
        Relative gap asked for.
    max_iter : int
        Most steps.
    watch : bool, default=True
        Whether to stop, without a penalty, where the iterations look like those of classes that can
        be separated.
    aim : float, optional
        A smaller gap to go on to where that costs little; `tol` decides what counts as converged.
    """
    aim = tol if aim is None else min(aim, tol)
    watch = watch and problem.l2 == 0.0
    point, trace, diverging, iterations = problem.at(theta), Trace(), False, 0
    while True:
        scale = max(point.value, ROUNDING * point.weight)
        asked = aim * scale
        gap, proved = problem.bound(point)
        step, condition = problem.direction(point)
        decrement = 0.5 * float(step @ point.gradient)
        near = decrement <= 0.5 * (tol * scale if watch else asked)
        if not gap <= asked and (near or iterations >= max_iter):
            tight, feasible, widest = problem.bound_by_direction(point, step)
            gap, proved = min((gap, proved), (tight, feasible))
            diverging = watch and near and widest > WIDE_STEP
        diverging = diverging or (watch and point.value <= PERFECT * point.weight)
        if gap <= asked or diverging or iterations >= max_iter:
            break
        length, moved = _descend(problem, point, step)
        iterations += 1
        trace.record(
            objective=moved.value, gradient_norm=float(np.linalg.norm(moved.gradient)), step=length
        )
        if length == 0.0:
            gap, proved, _ = problem.bound_by_direction(point, step)
            break
        point = moved
    return _finished(
        problem, point, trace, iterations, (gap, proved, condition), tol * scale, diverging
    )


def _descend(problem: NewtonProblem, point: NewtonPoint, step: Array) -> tuple[float, NewtonPoint]:
    """The longest of the steps 1, ½, ¼ … that lowers the objective enough."""
    slope = float(step @ point.gradient)
    slack, length = ROUNDING * abs(point.value), 1.0
    for _ in range(40):
        moved = problem.at(point.theta - length * step)
        if moved.value <= point.value - 1e-4 * length * slope + slack:
            return length, moved
        length *= 0.5
    return 0.0, point


def _finished(
    problem: NewtonProblem,
    point: NewtonPoint,
    trace: Trace,
    iterations: int,
    found: tuple[float, bool, float],
    asked: float,
    diverging: bool,
) -> LogisticSolution:
    gap, proved, condition = found
    p = problem.n_columns
    coef = point.theta[:p].copy()
    intercept = point.theta[p] - float(coef @ problem.center) if problem.fit_intercept else 0.0
    proof = certificate_of(
        value=point.value,
        gap=gap,
        at_zero=point.weight * log(2.0),
        gradient=point.gradient,
        scale=point.scale,
        condition=condition,
        proved=proved,
        l2=problem.l2,
        n_outputs=1,
    )
    return LogisticSolution(
        coef[np.newaxis],
        np.array([intercept]),
        proof,
        trace,
        iterations,
        bool(gap <= asked) and not diverging,
        diverging,
        "newton-cholesky",
        information=Information(point.curvature, problem.center) if problem.l2 == 0.0 else None,
    )
