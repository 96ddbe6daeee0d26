"""L-BFGS for logistic regression, scaled by an approximate Hessian."""

from __future__ import annotations

from math import log

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.lbfgs import minimize_lbfgs
from stylobate.optimize.logistic.newton import ROUNDING
from stylobate.optimize.logistic.newton_cg import (
    bound_by_direction,
    bound_by_intercepts,
    finished,
    solve_newton_cg,
)
from stylobate.optimize.logistic.preconditioner import Preconditioner
from stylobate.optimize.logistic.problem import LogisticProblem, Point
from stylobate.optimize.logistic.solution import LogisticSolution
from stylobate.optimize.state import dot
from stylobate.optimize.trace import Trace


def solve_lbfgs(
    problem: LogisticProblem,
    preconditioner: Preconditioner,
    theta: Array,
    *,
    tol: float,
    max_iter: int,
    polish: bool,
    watch: bool = True,
) -> LogisticSolution:
    """Minimise by L-BFGS until the relative gap is at most `tol`.

    Parameters
    ----------
    problem, preconditioner, theta, tol, max_iter
        As of `solve_newton_cg`.
    polish : bool
        Whether a few Newton steps may finish where the penalty is too weak to prove the gap from
        the gradient alone.
    watch : bool, default=True
        As of `solve_newton`.
    """
    start, trace = problem.at(theta), Trace()
    preconditioner.update(start)
    at_zero = problem.total_weight * log(problem.n_classes)

    def asked(point: Point) -> float:
        return tol * max(point.value, ROUNDING * at_zero)

    def near(point: Point) -> bool:
        """Whether the bound is worth its pass, or no longer the gradient's business."""
        gradient, m = point.gradient, problem.n_coefficients
        estimate = 0.5 * dot(gradient, preconditioner.solve(gradient))
        if problem.l2 == 0.0 or estimate <= 1e-4 * asked(point):
            return estimate <= 0.1 * asked(point)
        own = preconditioner.solve(np.concatenate([np.zeros(m), gradient[m:]]))
        bound = 0.5 * dot(gradient[:m], gradient[:m]) / problem.l2
        return bound + 0.5 * dot(gradient, own) <= 0.5 * asked(point)

    point, iterations = minimize_lbfgs(
        problem.at, start, near, max_iter=max_iter, trace=trace, scaling=preconditioner.solve
    )
    gap, proved = bound_by_intercepts(problem, point, asked(point))
    if gap <= asked(point):
        return _finished(problem, preconditioner, point, trace, iterations, (gap, proved), tol)
    if polish and iterations < max_iter:
        rest = max_iter - iterations
        solution = solve_newton_cg(
            problem, preconditioner, point.theta, tol=tol, max_iter=rest, watch=watch
        )
        return _joined(solution, trace, iterations)
    preconditioner.update(point)
    _, (gap, proved) = bound_by_direction(problem, preconditioner, point)
    return _finished(problem, preconditioner, point, trace, iterations, (gap, proved), tol)


def _finished(
    problem: LogisticProblem,
    preconditioner: Preconditioner,
    point: Point,
    trace: Trace,
    iterations: int,
    bound: tuple[float, bool],
    tol: float,
) -> LogisticSolution:
    asked = tol * max(point.value, ROUNDING * problem.total_weight * log(problem.n_classes))
    condition = preconditioner.condition
    return finished(problem, point, trace, iterations, bound, asked, condition, solver="lbfgs")


def _joined(solution: LogisticSolution, trace: Trace, iterations: int) -> LogisticSolution:
    """The solution with the steps that came before its own."""
    from dataclasses import replace

    later = solution.trace
    offset = trace.seconds[-1] if trace.seconds else 0.0
    trace.objective += later.objective
    trace.gradient_norm += later.gradient_norm
    trace.step += later.step
    trace.seconds += [offset + s for s in later.seconds]
    return replace(
        solution, trace=trace, iterations=iterations + solution.iterations, solver="lbfgs"
    )
