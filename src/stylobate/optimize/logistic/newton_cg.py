"""Newton's method with conjugate gradients: every step is a few passes over the rows."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.descent import descend
from stylobate.optimize.logistic.gap import DualMove, certificate_of, gap_of
from stylobate.optimize.logistic.newton import PERFECT, ROUNDING, WIDE_STEP
from stylobate.optimize.logistic.preconditioner import Preconditioner
from stylobate.optimize.logistic.problem import LogisticProblem, Point
from stylobate.optimize.logistic.solution import LogisticSolution
from stylobate.optimize.state import dot, norm
from stylobate.optimize.steps import Backtracking
from stylobate.optimize.trace import Trace

FORCING = 0.25  # by how much a step's linear system is solved, far from the optimum
NOTHING = 1e-32  # of the objective: a system whose solution could gain no more is solved
MOST_PRODUCTS = 500  # of one step


@dataclass(frozen=True, slots=True)
class Direction:
    """An approximate Newton direction d, ∇²F d, and the widest change of margins if known."""

    step: Array
    curved: Array
    widest: float = 0.0


def solve_newton_cg(
    problem: LogisticProblem,
    preconditioner: Preconditioner,
    theta: Array,
    *,
    tol: float,
    max_iter: int,
    watch: bool = True,
    aim: float | None = None,
) -> LogisticSolution:
    """Minimise by truncated Newton steps until the relative gap is at most `tol`.

    A `descend` along directions of conjugate gradients, with `Backtracking` steps.

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
    watch, aim
        As of `solve_newton`.

    References
    ----------
    Lin, Weng & Keerthi (2008), Trust region Newton methods for large-scale logistic regression,
    JMLR 9. Dembo, Eisenstat & Steihaug (1982), Inexact Newton methods, SIAM J. Numer. Anal. 19.
    """
    aim = tol if aim is None else min(aim, tol)
    watch = watch and problem.l2 == 0.0
    trace, at_zero = Trace(), problem.total_weight * log(problem.n_classes)
    gap, proved, diverging = np.inf, False, False

    def asked_at(point: Point) -> float:
        return aim * max(point.value, ROUNDING * at_zero)

    def find(point: Point) -> Array:
        return -newton_direction(problem, preconditioner, point, asked_at(point)).step

    course = descend(problem.at, problem.at(theta), find, Backtracking())
    for iterations, here in enumerate(course):
        point = here.point
        if iterations:
            trace.record(
                objective=point.value, gradient_norm=norm(point.gradient), step=here.length
            )
        scale, asked = max(point.value, ROUNDING * at_zero), asked_at(point)
        preconditioner.update(point)
        gap, proved = bound_by_intercepts(problem, point, asked)
        if gap <= asked or iterations >= max_iter or not isfinite(point.value):
            break
        decrement = -0.5 * dot(here.direction, point.gradient)
        if decrement <= 0.5 * (tol * scale if watch else asked):
            # near enough for the tight direction to prove the gap, or to be the better step
            found, (gap, proved) = bound_by_direction(problem, preconditioner, point)
            here.direction = -found.step
            diverging = watch and found.widest > WIDE_STEP
        diverging = diverging or (watch and point.value <= PERFECT * problem.total_weight)
        if gap <= asked or diverging:
            break
    if not gap <= tol * scale and not diverging:
        _, (gap, proved) = bound_by_direction(problem, preconditioner, point)
    condition = preconditioner.condition
    bound = (gap, proved)
    return finished(problem, point, trace, iterations, bound, asked, condition, diverging=diverging)


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
    direction, size = solved, dot(residual, solved)
    # a step cannot gain more than `size`: solve far enough for what is left to be below the gap,
    # or below what the next step finds anyway, which is about the square
    share = min(forcing, size / max(point.value, 1e-300)) ** 2
    goal = max(share * size, 0.05 * asked, NOTHING * point.value)
    for _ in range(MOST_PRODUCTS):
        if size <= goal:
            break
        product = problem.hessian_times(point, direction)
        curvature = dot(direction, product)
        if not curvature > 0.0:
            break
        length = size / curvature
        step += length * direction
        curved += length * product
        residual -= length * product
        solved = preconditioner.solve(residual)
        before, size = size, dot(residual, solved)
        direction = solved + (size / before) * direction
    if not step.any():
        step, curved = solved, problem.hessian_times(point, solved)
    return Direction(step, curved)


# --- certificates ---------------------------------------------------------------------------------


def intercept_move(problem: LogisticProblem, point: Point, left: Array) -> Array:
    """The change of the intercepts alone that takes `left` off their gradient."""
    direction = np.zeros(problem.size)
    m = problem.n_coefficients
    if problem.fit_intercept:
        curvature = problem.output_curvature(point)
        if problem.n_outputs == 1:
            direction[m:] = left[m:] / max(float(curvature[0, 0]), 1e-300)
        else:
            direction[m:] = np.linalg.lstsq(curvature, left[m:], rcond=1e-12)[0]
    return direction


def bound_by_intercepts(
    problem: LogisticProblem, point: Point, asked: float = np.inf
) -> tuple[float, bool]:
    """The gap with a dual point moved along the intercepts; infinite where it exceeds `asked`."""
    m, gradient = problem.n_coefficients, point.gradient
    if problem.l2 == 0.0 or not dot(gradient[:m], gradient[:m]) <= 4.0 * problem.l2 * asked:
        return np.inf, False
    means = problem.means_at(point)
    if means is not None:  # nothing more to read: the Hessian's last column is known
        direction = np.zeros(problem.size)
        direction[m] = gradient[m] / point.curvature
        curved = gradient[m] * np.append(means, 1.0)
        move = DualMove(direction, curved, abs(float(direction[m])))
        return gap_of(gradient, problem.l2, m, move, problem.scale)
    direction = intercept_move(problem, point, gradient)
    curved, widest = np.zeros(problem.size), 0.0
    for _ in range(2 if problem.fit_intercept else 0):  # the second takes off what rounding left
        curved, widest = problem.curve(point, direction)
        rest = intercept_move(problem, point, gradient - curved)
        if np.abs(rest).max() <= 1e-12 * np.abs(direction).max():
            break
        direction = direction + rest
    return gap_of(gradient, problem.l2, m, DualMove(direction, curved, widest), problem.scale)


def bound_by_direction(
    problem: LogisticProblem, preconditioner: Preconditioner, point: Point
) -> tuple[Direction, tuple[float, bool]]:
    """Newton's direction, solved tightly, and the gap with a dual point moved along it."""
    found = newton_direction(problem, preconditioner, point, 0.0, forcing=1e-7)
    direction = found.step + intercept_move(problem, point, point.gradient - found.curved)
    curved, widest = problem.curve(point, direction)
    m = problem.n_coefficients
    bound = gap_of(
        point.gradient, problem.l2, m, DualMove(direction, curved, widest), problem.scale
    )
    if not isfinite(bound[0]):  # too far: a smaller move proves less, but something
        bound = bound_by_intercepts(problem, point)
    return Direction(direction, curved, widest), bound


def finished(
    problem: LogisticProblem,
    point: Point,
    trace: Trace,
    iterations: int,
    bound: tuple[float, bool],
    asked: float,
    condition: float,
    *,
    diverging: bool = False,
    solver: str = "newton-cg",
) -> LogisticSolution:
    """The solution at a point, with its certificate."""
    gap, proved = bound
    coef, intercept = problem.finish(point.theta)
    # of several classes the smallest of all equal answers is kept: its penalty is what is lower
    before = point.theta[: problem.n_coefficients]
    saved = max(0.5 * problem.l2 * (dot(before, before) - dot(coef.ravel(), coef.ravel())), 0.0)
    proof = certificate_of(
        value=point.value - saved,
        gap=max(gap - saved, 0.0),
        at_zero=problem.total_weight * log(problem.n_classes),
        gradient=point.gradient,
        scale=problem.scale,
        condition=condition,
        proved=proved,
        l2=problem.l2,
        n_outputs=problem.n_outputs,
    )
    return LogisticSolution(
        coef,
        intercept,
        proof,
        trace,
        iterations,
        bool(gap <= asked) and not diverging,
        diverging,
        solver,
    )
