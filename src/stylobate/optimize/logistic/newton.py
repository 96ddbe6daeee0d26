"""Newton's method for two classes: one mergeable pass over the rows per step."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, log
from typing import ClassVar, NoReturn, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import NumericalError
from stylobate.optimize.logistic.gap import DualMove, certificate_of, gap_of
from stylobate.optimize.logistic.solution import Information, LogisticSolution
from stylobate.optimize.newton import Iterate, NewtonPoint, NewtonSolution, newton
from stylobate.statistics import LossAt, LossStep, Source, refuse_out_of_range, rows_at_hand
from stylobate.statistics.rows import counted

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


class NewtonProblem:
    """Σ ωᵢ log(1 + exp(−yᵢzᵢ)) + ½λ‖w‖² over a source whose target is 0 or 1."""

    def __init__(self, source: Source, center: Array, *, l2: float, fit_intercept: bool) -> None:
        self.source, self.center = source, center
        self.l2, self.fit_intercept = l2, fit_intercept
        self.n_columns = len(center)
        self.size = self.n_columns + fit_intercept
        self.weight = 0.0  # of the rows, known after a pass

    def step_at(self, coef: Array, intercept: float) -> LossStep:
        """Value, gradient and Hessian of the loss: one pass."""
        recipe = LossAt("logistic", 0.0, coef, intercept, self.center, curvature=True)
        step: LossStep = self.source.compute(recipe)
        assert step.hessian is not None
        if not (np.isfinite(step.gradient).all() and np.isfinite(step.hessian).all()):
            self._refuse_nonfinite()
        self.weight = step.weight
        return step

    def curvature(self, point: NewtonPoint) -> Array:
        """The Hessian of the loss, without the penalty."""
        assert point.step.hessian is not None
        return point.step.hessian[: self.size, : self.size]

    def scale(self, point: NewtonPoint) -> Array:
        """What each entry of the gradient is measured by."""
        scale = np.sqrt(np.maximum(np.diag(self.curvature(point)), 0.0) * self.weight)
        return np.where(scale > 0.0, scale, 1.0)

    def _refuse_nonfinite(self) -> NoReturn:
        table = rows_at_hand(self.source)
        if table is not None:
            table.refuse_nonfinite()
            refuse_out_of_range(table)
        raise NumericalError(
            "Logistic regression: the columns of X, or the coefficients, leave the range in which "
            "double precision can square them. Divide large columns by a constant first."
        )

    def bound(self, point: NewtonPoint) -> tuple[float, bool]:
        """The gap with a dual point moved along the intercept: no pass."""
        move, curvature = np.zeros(self.size), self.curvature(point)
        if self.l2 == 0.0 or (self.fit_intercept and curvature[-1, -1] <= 0.0):
            return inf, False
        if self.fit_intercept:
            move[-1] = point.gradient[-1] / curvature[-1, -1]
        dual = DualMove(move, curvature @ move, float(np.abs(move).max(initial=0.0)))
        return gap_of(point.gradient, self.l2, self.n_columns, dual, self.scale(point))

    def bound_by_direction(self, point: NewtonPoint, step: Array) -> tuple[float, bool, float]:
        """The gap with a dual point moved along Newton's direction: one cheap pass."""
        p = self.n_columns
        intercept = float(step[p]) if self.fit_intercept else 0.0
        widest = self.source.compute(MarginChange(step[:p], intercept, self.center)).widest
        move = DualMove(step, self.curvature(point) @ step, widest)
        gap, proved = gap_of(point.gradient, self.l2, p, move, self.scale(point))
        return gap, proved, widest


class GapJudge:
    """Ends Newton's method where the gap is proved, or the classes look separable.

    Parameters
    ----------
    problem : NewtonProblem
        What is minimised.
    tol, watch, aim
        As of `solve_newton`.
    """

    def __init__(self, problem: NewtonProblem, tol: float, watch: bool, aim: float) -> None:
        self.problem, self.tol, self.watch, self.aim = problem, tol, watch, aim
        self.gap, self.proved, self.diverging = inf, False, False
        self.at: Iterate | None = None

    @property
    def scale(self) -> float:
        """What the gap is a share of."""
        assert self.at is not None
        return max(self.at.point.value, ROUNDING * self.problem.weight)

    def __call__(self, at: Iterate) -> bool:
        self.at, point = at, at.point
        asked = self.aim * self.scale
        self.gap, self.proved = self.problem.bound(point)
        if not self.gap <= asked and at.decrement <= 0.5 * (
            self.tol * self.scale if self.watch else asked
        ):
            self.diverging = self.prove() > WIDE_STEP and self.watch
        if self.watch and point.value <= PERFECT * self.problem.weight:
            self.diverging = True
        return self.gap <= asked or self.diverging

    def prove(self) -> float:
        """The better gap, with Newton's direction; returns its widest change of a margin."""
        assert self.at is not None
        found = self.problem.bound_by_direction(self.at.point, -self.at.direction)
        self.gap, self.proved = min((self.gap, self.proved), found[:2])
        return found[2]


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
    judge = GapJudge(
        problem, tol, watch and problem.l2 == 0.0, tol if aim is None else min(aim, tol)
    )
    p = problem.n_columns
    found = newton(
        problem.step_at,
        start=(theta[:p], float(theta[p]) if problem.fit_intercept else 0.0),
        l2=problem.l2,
        fit_intercept=problem.fit_intercept,
        tol=tol,
        max_iter=max_iter,
        judge=judge,
    )
    if not found.converged:
        judge.prove()
    return _finished(problem, judge, found)


def _finished(problem: NewtonProblem, judge: GapJudge, found: NewtonSolution) -> LogisticSolution:
    assert judge.at is not None
    point, singular = judge.at.point, found.rank < problem.size
    intercept = found.intercept - float(found.coef @ problem.center)
    proof = certificate_of(
        value=point.value,
        gap=judge.gap,
        at_zero=problem.weight * log(2.0),
        gradient=point.gradient,
        scale=problem.scale(point),
        condition=inf if singular else found.condition**0.5,
        proved=judge.proved,
        l2=problem.l2,
        n_outputs=1,
    )
    information = Information(problem.curvature(point), problem.center)
    return LogisticSolution(
        found.coef[np.newaxis].copy(),
        np.array([intercept if problem.fit_intercept else 0.0]),
        proof,
        found.trace,
        found.iterations,
        judge.gap <= judge.tol * judge.scale and not judge.diverging,
        judge.diverging,
        "newton-cholesky",
        information=information if problem.l2 == 0.0 else None,
    )
