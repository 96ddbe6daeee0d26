"""Newton's method with conjugate gradients: every step is a few passes over the rows."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.logistic.gap import DualMove, certificate_of, gap_of
from stylobate.optimize.logistic.preconditioner import Preconditioner
from stylobate.optimize.logistic.problem import LogisticProblem, Point
from stylobate.optimize.logistic.solution import LogisticSolution
from stylobate.optimize.trace import Trace

Array = NDArray[np.float64]

ROUNDING = 2.0**-46  # of the objective: a smaller change is none
FORCING = 0.25  # by how much a step's linear system is solved, far from the optimum
MOST_PRODUCTS = 500  # of one step
WIDE_STEP = 0.3  # a step that moves margins this far is not near an optimum


@dataclass(frozen=True, slots=True)
class Direction:
    """An approximate Newton direction d, ∇²F d, and the error left, ½ρᵀM⁻¹ρ."""

    step: Array
    curved: Array
    left: float


def solve_newton_cg(
    problem: LogisticProblem,
    preconditioner: Preconditioner,
    theta: Array,
    *,
    tol: float,
    max_iter: int,
) -> LogisticSolution:
    """Minimise by truncated Newton steps until the relative gap is at most `tol`.

    Parameters
    ----------
    problem : LogisticProblem
        What to minimise.
    preconditioner : Preconditioner
        Approximates its Hessian.
    theta : array
        Where to start.
    tol : float
        Relative gap asked for.
    max_iter : int
        Most Newton steps.

    References
    ----------
    Lin, Weng & Keerthi (2008), Trust region Newton methods for large-scale logistic regression,
    JMLR 9. Dembo, Eisenstat & Steihaug (1982), Inexact Newton methods, SIAM J. Numer. Anal. 19.
    """
    point, trace = problem.at(theta), Trace()
    at_zero = problem.total_weight * log(problem.n_classes)
    gap, proved, diverging, iterations = np.inf, False, False, 0
    while True:
        asked = tol * max(point.value, ROUNDING * at_zero)
        preconditioner.update(point)
        gap, proved = bound_by_intercepts(problem, point, asked)
        if gap <= asked or iterations >= max_iter or not isfinite(point.value):
            break
        found = newton_direction(problem, preconditioner, point, asked)
        decrement = 0.5 * float(found.step @ point.gradient)
        if decrement <= 0.5 * asked:
            gap, proved, widest = bound_by_direction(problem, preconditioner, point)
            diverging = problem.l2 == 0.0 and widest > WIDE_STEP
            if gap <= asked or diverging:
                break
        step, moved = descend(problem, point, found)
        iterations += 1
        trace.record(
            objective=moved.value, gradient_norm=float(np.linalg.norm(moved.gradient)), step=step
        )
        if step == 0.0:
            break
        point = moved
    if not gap <= asked and not diverging:
        gap, proved, _ = bound_by_direction(problem, preconditioner, point)
    return finished(problem, point, trace, iterations, (gap, proved), asked, diverging)


def newton_direction(
    problem: LogisticProblem,
    preconditioner: Preconditioner,
    point: Point,
    asked: float,
    forcing: float = FORCING,
) -> Direction:
    """Conjugate gradients on ∇²F d = ∇F, as far as this step is worth."""
    residual = point.gradient.copy()
    step, curved = np.zeros_like(residual), np.zeros_like(residual)
    solved = preconditioner.solve(residual)
    direction, size = solved, float(residual @ solved)
    # a step cannot gain more than `size`: solve far enough for what is left to be below the gap
    goal = max(min(forcing, (size / max(point.value, 1e-300)) ** 0.5) ** 2 * size, 0.05 * asked)
    for _ in range(MOST_PRODUCTS):
        if size <= goal:
            break
        product = problem.hessian_times(point, direction)
        curvature = float(direction @ product)
        if not curvature > 0.0:
            break
        length = size / curvature
        step += length * direction
        curved += length * product
        residual -= length * product
        solved = preconditioner.solve(residual)
        before, size = size, float(residual @ solved)
        direction = solved + (size / before) * direction
    if not step.any():
        step, curved = solved, problem.hessian_times(point, solved)
    return Direction(step, curved, 0.5 * size)


def descend(problem: LogisticProblem, point: Point, found: Direction) -> tuple[float, Point]:
    """The longest of the steps 1, ½, ¼ … along −d that lowers the objective enough."""
    slope = float(found.step @ point.gradient)
    slack = ROUNDING * abs(point.value)
    step = 1.0
    for _ in range(40):
        moved = problem.at(point.theta - step * found.step)
        if moved.value <= point.value - 1e-4 * step * slope + slack:
            return step, moved
        step *= 0.5
    return 0.0, point


# --- certificates ---------------------------------------------------------------------------------


def intercept_move(problem: LogisticProblem, point: Point, left: Array) -> Array:
    """The change of the intercepts alone that takes `left` off their gradient."""
    direction = np.zeros(problem.size)
    m = problem.n_coefficients
    if problem.fit_intercept:
        curvature = problem.output_curvature(point)
        direction[m:] = np.linalg.lstsq(curvature, left[m:], rcond=1e-12)[0]
    return direction


def bound_by_intercepts(
    problem: LogisticProblem, point: Point, asked: float
) -> tuple[float, bool]:
    """The gap with a dual point moved along the intercepts; infinite where it cannot suffice."""
    m, gradient = problem.n_coefficients, point.gradient
    if problem.l2 == 0.0 or not float(gradient[:m] @ gradient[:m]) <= 4.0 * problem.l2 * asked:
        return np.inf, False
    direction = intercept_move(problem, point, gradient)
    curved, widest = np.zeros(problem.size), 0.0
    for _ in range(2 if problem.fit_intercept else 0):  # the second takes off what rounding left
        curved, widest = problem.curve(point, direction)
        rest = intercept_move(problem, point, gradient - curved)
        if np.abs(rest).max() <= 1e-12 * np.abs(direction).max():
            break
        direction = direction + rest
    return gap_of(gradient, problem.l2, m, DualMove(direction, curved, widest))


def bound_by_direction(
    problem: LogisticProblem, preconditioner: Preconditioner, point: Point
) -> tuple[float, bool, float]:
    """The gap with a dual point moved along Newton's direction, solved tightly for it."""
    found = newton_direction(problem, preconditioner, point, 0.0, forcing=1e-7)
    direction = found.step + intercept_move(problem, point, point.gradient - found.curved)
    curved, widest = problem.curve(point, direction)
    m = problem.n_coefficients
    gap, proved = gap_of(point.gradient, problem.l2, m, DualMove(direction, curved, widest))
    return gap, proved, widest


def finished(
    problem: LogisticProblem,
    point: Point,
    trace: Trace,
    iterations: int,
    bound: tuple[float, bool],
    asked: float,
    diverging: bool,
) -> LogisticSolution:
    """The solution at a point, with its certificate."""
    gap, proved = bound
    coef, intercept = problem.finish(point.theta)
    columns = np.sqrt(problem.squares * problem.total_weight)
    scale = np.repeat(np.where(columns > 0.0, columns, 1.0), problem.n_outputs)
    if problem.fit_intercept:
        scale = np.concatenate([scale, np.full(problem.n_outputs, problem.total_weight)])
    proof = certificate_of(
        value=point.value,
        gap=gap,
        at_zero=problem.total_weight * log(problem.n_classes),
        gradient=point.gradient,
        scale=scale,
        condition=1.0,
        proved=proved,
        l2=problem.l2,
        n_outputs=problem.n_outputs,
    )
    return LogisticSolution(
        coef, intercept, proof, trace, iterations, bool(gap <= asked) and not diverging, diverging
    )
