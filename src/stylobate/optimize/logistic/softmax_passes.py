"""More than two classes from rows that come in batches: sums over windows, no probabilities kept.

A pass gives value and gradient, and up to some hundreds of parameters the Hessian along with them,
so that a Newton step is one pass. Beyond that L-BFGS takes a pass for each gradient.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import ClassVar, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.optimize.logistic.lbfgs import solve_lbfgs
from stylobate.optimize.logistic.newton_cg import solve_newton_cg
from stylobate.optimize.logistic.preconditioner import (
    DiagonalPreconditioner,
    HessianPreconditioner,
    KroneckerPreconditioner,
    Preconditioner,
)
from stylobate.optimize.logistic.problem import LogisticProblem, Point
from stylobate.optimize.logistic.smooth import (
    GRAM_COLUMNS,
    INFORMATION_SIZE,
    information_at,
    to_rounding,
)
from stylobate.optimize.logistic.solution import LogisticSolution
from stylobate.optimize.state import dot
from stylobate.statistics import Moments, Source
from stylobate.statistics.rows import counted

HESSIAN_SIZE = 500  # parameters up to which a Hessian costs less than the passes it saves
MORE_STEPS = 10  # for coefficients that only seemed to grow without end
NEWTON_REASON = "rows in batches: one pass per Newton step, with an exact Hessian"
LBFGS_REASON = "rows in batches: one pass per gradient, as a Hessian would be large"


@dataclass(frozen=True, slots=True, eq=False)
class SoftmaxAt:
    """A recipe: loss, gradient and more at parameters θ, of tables whose target is class numbers.

    Parameters
    ----------
    theta : array
        As of `LogisticProblem`, for columns less `center`.
    n_classes : int
    center : array of shape (p,)
    fit_intercept : bool
    hessian : bool
        Whether the Hessian is wanted.
    direction : array or None
        One whose product with the Hessian is wanted.
    """

    theta: Array
    n_classes: int
    center: Array
    fit_intercept: bool
    hessian: bool = False
    direction: Array | None = None

    def of(self, table: Table) -> SoftmaxSums:
        """The sums of a table."""
        table = counted(table)
        assert table.y is not None
        rows = LogisticProblem(
            table.x.tocsr() if table.is_sparse else table.x,
            np.ascontiguousarray(table.y[:, 0], dtype=np.int64),
            self.n_classes,
            table.weights,
            l2=0.0,
            fit_intercept=self.fit_intercept,
            center=self.center,
        )
        point = rows.at(self.theta)
        product, widest = np.zeros(0), 0.0
        if self.direction is not None:
            product, widest = rows.curve(point, self.direction)
        return SoftmaxSums(
            point.loss,
            point.gradient,
            rows.output_curvature(point),
            rows.squares,
            rows.hessian(point) if self.hessian else np.zeros((0, 0)),
            product,
            widest,
        )


@dataclass(frozen=True, slots=True, eq=False)
class SoftmaxSums:
    """Loss, gradient, curvature of the outputs, squares of the columns; Hessian and its product."""

    loss: float
    gradient: Array
    outputs: Array
    squares: Array
    hessian: Array
    product: Array
    widest: float
    subtractable: ClassVar[bool] = False

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        return type(self)(
            self.loss + other.loss,
            self.gradient + other.gradient,
            self.outputs + other.outputs,
            self.squares + other.squares,
            self.hessian + other.hessian,
            self.product + other.product,
            max(self.widest, other.widest),
        )

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return isfinite(self.loss) and bool(np.isfinite(self.gradient).all())


@dataclass(slots=True, eq=False)
class PassPoint(Point):
    """A point with what its pass told besides value and gradient."""

    sums: SoftmaxSums | None = None


class SoftmaxPasses(LogisticProblem):
    """The problem over a source: every evaluation is a pass.

    Parameters
    ----------
    source : Source
        Of tables whose target is class numbers.
    n_rows, n_classes : int
    total_weight : float
        Σω.
    center : array of shape (p,)
        The columns' means.
    l2, fit_intercept
        As of `LogisticProblem`.
    """

    def __init__(
        self,
        source: Source,
        n_rows: int,
        n_classes: int,
        total_weight: float,
        center: Array,
        *,
        l2: float,
        fit_intercept: bool,
    ) -> None:
        self.source, self.is_sparse = source, source.is_sparse
        self.l2, self.fit_intercept = l2, fit_intercept
        self.n_rows, self.n_columns = n_rows, len(center)
        self.n_classes = self.n_outputs = n_classes
        about = fit_intercept and not self.is_sparse
        self.center = center if about else np.zeros_like(center)
        self.total_weight = total_weight  # cached there, known here
        self.exact = self.size <= HESSIAN_SIZE

    def _sums(self, theta: Array, direction: Array | None = None) -> SoftmaxSums:
        recipe = SoftmaxAt(
            theta,
            self.n_classes,
            self.center,
            self.fit_intercept,
            hessian=self.exact and direction is None,
            direction=direction,
        )
        return self.source.compute(recipe)

    def at(self, theta: Array) -> PassPoint:
        """Value and gradient, and the Hessian where it is small: one pass."""
        sums, m = self._sums(theta), self.n_coefficients
        self.squares = sums.squares  # cached there, the same at every point
        gradient = sums.gradient.copy()
        gradient[:m] += self.l2 * theta[:m]
        value = sums.loss + 0.5 * self.l2 * dot(theta[:m], theta[:m])
        return PassPoint(theta, sums.loss, value, gradient, np.zeros((0, 0)), sums=sums)

    def curve(self, point: Point, direction: Array) -> tuple[Array, float]:
        """The loss's Hessian times a direction, and the widest change of margins: one pass."""
        assert isinstance(point, PassPoint)
        m = self.n_coefficients
        if self.exact and not direction[:m].any():  # all rows change alike: nothing to read
            widest = float(np.ptp(direction[m:])) if self.fit_intercept else 0.0
            return self._join_flat(self.hessian(point) @ direction), widest
        found = self._sums(point.theta, direction)
        return found.product, found.widest

    def _join_flat(self, product: Array) -> Array:
        coef, intercept = self.split(product)
        return self._join(coef, intercept)

    def hessian_times(self, point: Point, direction: Array) -> Array:
        """The Hessian of the objective times a direction; no pass where it is known."""
        if not self.exact:
            return super().hessian_times(point, direction)
        m = self.n_coefficients
        product = self._join_flat(self.hessian(point) @ direction)
        product[:m] += self.l2 * direction[:m]
        return product

    def hessian(self, point: Point) -> Array:
        """The loss's Hessian."""
        assert isinstance(point, PassPoint)
        assert point.sums is not None
        if len(point.sums.hessian):
            return point.sums.hessian.copy()
        return self.source.compute(
            SoftmaxAt(point.theta, self.n_classes, self.center, self.fit_intercept, hessian=True)
        ).hessian

    def output_curvature(self, point: Point) -> Array:
        """Σ ω(diag p − ppᵀ), k × k."""
        assert isinstance(point, PassPoint)
        assert point.sums is not None
        return point.sums.outputs


def solve_passes(
    problem: SoftmaxPasses,
    *,
    tol: float,
    max_iter: int,
    start: tuple[Array, Array] | None = None,
) -> LogisticSolution:
    """Minimise by passes until the relative gap is at most `tol`, from zero or a start given."""
    theta = np.zeros(problem.size) if start is None else problem.start(*start)
    solution = _solve(problem, theta, tol, max_iter, watch=True)
    if solution.diverging:
        theta = problem.start(solution.coef, solution.intercept)
        more = _solve(problem, theta, tol, MORE_STEPS, watch=False)
        steps = solution.iterations + more.iterations
        solution = replace(more, iterations=steps, diverging=not more.converged)
    if problem.l2 == 0.0 and problem.size <= INFORMATION_SIZE:
        solution = replace(solution, information=information_at(problem, solution))
    reason = NEWTON_REASON if problem.exact else LBFGS_REASON
    return replace(solution, reason=reason)


def _solve(
    problem: SoftmaxPasses, theta: Array, tol: float, max_iter: int, *, watch: bool
) -> LogisticSolution:
    if problem.exact:
        aim = to_rounding(problem.n_rows, problem.size)
        exact = HessianPreconditioner(problem)
        found = solve_newton_cg(
            problem, exact, theta, tol=tol, max_iter=max_iter, watch=watch, aim=aim
        )
        return replace(found, solver="newton-cholesky")
    own = _preconditioner(problem)
    return solve_lbfgs(problem, own, theta, tol=tol, max_iter=max_iter, polish=True, watch=watch)


def _preconditioner(problem: SoftmaxPasses) -> Preconditioner:
    """One more pass for the Gram of few columns."""
    if problem.is_sparse or problem.n_columns > min(GRAM_COLUMNS, problem.n_rows):
        return DiagonalPreconditioner(problem)
    moments = problem.source.compute(Moments)
    shift = moments.x_mean - problem.center
    gram = moments.xx + moments.weight * np.outer(shift, shift)
    return KroneckerPreconditioner(problem, gram)
