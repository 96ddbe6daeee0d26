"""Linear models of any smooth loss with any penalty of each coefficient, convex or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from math import inf, nan
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.losses import Loss
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.linear_gap import Bounds, LinearObjective, bounds, certify
from stylobate.optimize.problem import strengths
from stylobate.optimize.structured import (
    Structured,
    certify_structured,
    largest_factor,
    solve_structured,
    structured_solutions,
)
from stylobate.optimize.trace import Trace
from stylobate.penalties import Penalty
from stylobate.penalties.sparse_group import SparseGroup
from stylobate.penalties.weighted import Weighted

if TYPE_CHECKING:
    from stylobate.optimize.penalized_passes import PenalizedPasses

Problem: TypeAlias = "PenalizedProblem | PenalizedPasses"

SOLVER = "prox-newton"
REASON = "proximal Newton steps on working sets, solved by coordinate descent"
_STEPS_FROM_ZERO = 10  # strengths from the largest down, where the answer depends on the start
_ROUGH = 1e-3  # violation left at those strengths


@dataclass(frozen=True, slots=True, eq=False)
class PenalizedProblem:
    r""":math:`\min \frac{1}{\sum\omega}\sum_i \omega_i \ell(y_i, x_i w + b) + \sum_j g(w_j)`.

    Parameters
    ----------
    x : ndarray or sparse array of shape (n, p)
    y : array of shape (n,)
    weights : array of shape (n,) or None
    loss : Loss
        ℓ, with a continuous gradient.
    penalty : Penalty, Weighted or SparseGroup
        g: `L1`, `L2`, `ElasticNet`, `MCP` or `SCAD`, the same of all columns or with factors; or
        groups of columns.
    positive : bool, default=False
        Whether to keep w non-negative.
    fit_intercept : bool, default=True
        Whether there is b, which is not penalised.
    tol : float, default=1e-6
        Violation of the optimality conditions to be left, as a share of the steepest slope of the
        mean loss at zero coefficients.
    max_iter : int, default=100
        Newton steps at most.
    """

    x: Any
    y: Array
    weights: Array | None
    loss: Loss
    penalty: Penalty | Structured
    positive: bool = False
    fit_intercept: bool = True
    tol: float = 1e-6
    max_iter: int = 100

    def largest_factor(self) -> float:
        """The least factor of the penalty that leaves no coefficient; inf for one without kink."""
        if isinstance(self.penalty, Weighted | SparseGroup):
            return largest_factor(self)
        steepest = replace(self, max_iter=0).solve().steepest
        kink = self.penalty.kink
        return steepest / kink if kink > 0.0 else inf

    def rounding(self, coef: Array, intercept: float) -> float:
        """What rounding may leave of a partial derivative: no step can see less."""
        sizes = slope_sizes(self.loss, self.x, self.y, self._shares, coef, intercept)
        return 16.0 * float(np.finfo(np.float64).eps) * float(sizes.max(initial=0.0))

    @property
    def _shares(self) -> Array:
        w = np.ones(len(self.y)) if self.weights is None else self.weights
        return np.asarray(w / w.sum())

    def bounds(self, objective: LinearObjective, coef: Array, intercept: float) -> Bounds:
        """Primal and dual values of an answer."""
        return bounds(objective, self.x, self.y, self._shares, coef, intercept)

    def solve(self, start: Array | None = None, intercept: float = 0.0) -> PenalizedSolution:
        """Solve from `start`, or from zero; the intercept is found from the coefficients."""
        if isinstance(self.penalty, Weighted | SparseGroup):
            return solve_structured(self, start, intercept)
        return solve_penalized(self, start)

    @property
    def n_features(self) -> int:
        return int(self.x.shape[1])


def slope_sizes(
    loss: Loss, x: Any, y: Array, weights: Array, coef: Array, intercept: float
) -> Array:
    """Σ ω|ℓ′| |x| of each column: what the terms of its partial derivative add up to."""
    slopes = weights * np.abs(loss.gradient(y, x @ coef + intercept))
    return np.asarray(abs(x).T @ slopes, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class PenalizedSolution:
    """What was found.

    Parameters
    ----------
    coef : array of shape (p,)
    intercept : float
    objective : float
    violation : float
        The largest distance of 0 from a partial subdifferential of the objective.
    steepest : float
        The largest slope of the mean loss at zero coefficients.
    iterations : int
    converged : bool
        Whether violation ≤ tol · steepest.
    trace : Trace
    """

    coef: Array
    intercept: float
    objective: float
    violation: float
    steepest: float
    iterations: int
    converged: bool
    trace: Trace = field(repr=False)


def solve_penalized(problem: PenalizedProblem, start: Array | None = None) -> PenalizedSolution:
    """Solve by proximal Newton steps from `start`, or from zero.

    The loss is replaced by its second-order model in a working set (the support, and as many of the
    most violated conditions), the intercept eliminated, and minimised by coordinate descent with
    the penalty's own proximal point and Anderson's extrapolation. A step that does not lower the
    objective is taken again with larger curvatures. With `MCP` and `SCAD` the answer is a
    stationary point, and which one depends on the start.

    Parameters
    ----------
    problem : PenalizedProblem
    start : array of shape (p,), optional

    Examples
    --------
    >>> from stylobate.losses import HalfSquared
    >>> from stylobate.penalties import MCP
    >>> x = np.array([[2.0, 0.0], [-2.0, 0.0], [0.0, 2.0], [0.0, -2.0]])
    >>> y = x @ [3.0, 0.1]
    >>> solve_penalized(PenalizedProblem(x, y, None, HalfSquared(), MCP(0.5, 3.0))).coef
    array([3., 0.])

    References
    ----------
    Lee, Sun & Saunders (2014), Proximal Newton-type methods for minimizing composite functions,
    SIAM J. Optim. 24. Bertrand, Klopfenstein, Bannier, Gidel & Massias (2022), Beyond L1: faster
    and better sparse models with skglm, NeurIPS 35.
    """
    begin = None if start is None else np.ascontiguousarray(start, dtype=np.float64)
    y = np.ascontiguousarray(problem.y, dtype=np.float64)
    assert isinstance(problem.penalty, Penalty)  # others are `solve_structured`'s
    rest = (
        y, problem.weights, problem.loss.core, problem.penalty.core, problem.positive,
        problem.fit_intercept, problem.tol, problem.max_iter, begin,
    )  # fmt: skip
    if isinstance(problem.x, np.ndarray):
        found = _core.penalized(problem.x, *rest)
    else:
        columns = problem.x.tocsc()
        engine: Any = _core.penalized_csc  # one overload per kind of number
        found = engine(columns.data, columns.indices, columns.indptr, len(y), *rest)
    trace = Trace()
    for value, violation in zip(found.pop("objectives"), found.pop("violations"), strict=True):
        trace.record(objective=float(value), gradient_norm=float(violation), step=1.0)
    return PenalizedSolution(**found, trace=trace)


def solve_from_afar(problem: Problem) -> PenalizedSolution:
    """Solve with strengths that fall from where all coefficients are zero to the one asked for.

    A convex penalty needs no such way and is solved at once.
    """
    if problem.penalty.convex:
        return problem.solve()
    largest = problem.largest_factor()
    if not 1.0 < largest < inf:
        return problem.solve()
    factors = np.geomspace(largest, 1.0, _STEPS_FROM_ZERO + 1)[1:-1]
    rough = replace(problem, tol=max(problem.tol, _ROUGH))
    *_, last = penalized_solutions(rough, factors)
    return problem.solve(last.coef, last.intercept)


def penalized_solutions(problem: Problem, factors: Iterable[float]) -> Iterator[PenalizedSolution]:
    """Solve with the penalty times one factor after the other, each from the last answer."""
    if isinstance(problem, PenalizedProblem) and isinstance(
        problem.penalty, Weighted | SparseGroup
    ):
        yield from structured_solutions(problem, factors)
        return
    start, intercept = None, 0.0
    for factor in factors:
        scaled = replace(problem, penalty=problem.penalty.scaled(float(factor)))
        found = scaled.solve(start, intercept)
        start, intercept = found.coef, found.intercept
        yield found


def penalized_path(problem: Problem, factors: Iterable[float]) -> tuple[Array, Array]:
    """Coefficients (factors × p) and intercepts along a path, each from the one before."""
    found = list(penalized_solutions(problem, factors))
    return np.array([each.coef for each in found]), np.array([each.intercept for each in found])


def certify_penalized(problem: Problem, found: PenalizedSolution) -> Certificate:
    """A proved gap where loss and penalty are convex; else the violation alone."""
    formula = f"mean {type(problem.loss).__name__}(y, Xw + b) + Σ {problem.penalty}(w)"
    if isinstance(problem.penalty, Weighted | SparseGroup):
        if isinstance(problem, PenalizedProblem):
            return certify_structured(problem, found, formula)
        known = None  # of passes
    else:
        known = strengths(problem.penalty)
    relative = found.violation / found.steepest if found.steepest > 0.0 else 0.0
    if known is None or problem.positive:
        return Certificate(
            formula, found.objective, -inf, inf, inf, relative, nan, nan, proved=False
        )
    objective = LinearObjective(problem.loss, *known, problem.fit_intercept)
    part = problem.bounds(objective, found.coef, found.intercept)
    return replace(certify(formula, [part], known[1], found.coef), kkt=relative)
