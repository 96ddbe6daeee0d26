"""Iterative solutions: gradient descent and bounded L-BFGS on moments; CG and LSQR on rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table
from stylobate.optimize.certificate import Certificate, digits_left
from stylobate.optimize.least_squares.nonnegative import certify_nonnegative
from stylobate.optimize.least_squares.quadratic import (
    EPS,
    Quadratic,
    formula,
    solve_spectral,
)
from stylobate.optimize.least_squares.solution import LeastSquaresSolution
from stylobate.optimize.trace import Trace

Array = NDArray[np.float64]


def solve_gradient_descent(
    problem: Quadratic, n_rows: int, *, tol: float, max_iter: int | None
) -> LeastSquaresSolution:
    """W ← w − (Hw − b)/λmax from w = 0, until ‖Hw − b‖ ≤ tol·‖b‖ for every target.

    With the constant step 1/λmax the error in the direction of eigenvalue λ shrinks by 1 − λ/λmax
    a step; columns of equal scale make that fast.
    """
    reference = solve_spectral(problem, n_rows)  # eigenvalues for the step, and the exact gap
    largest = float(np.linalg.eigvalsh(problem.gram)[-1]) if len(problem.gram) else 0.0
    step = np.divide(1.0, largest + problem.alpha, where=largest + problem.alpha > 0,
                     out=np.zeros_like(problem.alpha))  # fmt: skip
    coef, trace, converged = np.zeros_like(problem.xy), Trace(), False
    target = tol * np.linalg.norm(problem.xy, axis=0)
    for _ in range(10_000 if max_iter is None else max_iter):
        g = problem.gradient(coef)
        size = np.linalg.norm(g, axis=0)
        trace.record(
            objective=float(problem.value(coef).sum()),
            gradient_norm=float(size.max(initial=0.0)),
            step=float(step.max(initial=0.0)),
        )
        if (size <= target).all():
            converged = True
            break
        coef -= step * g
    difference = coef - reference.coef
    gap = float((difference * (problem.gram @ difference + problem.alpha * difference)).sum())
    condition = reference.certificate.condition
    proof = problem.certificate(coef, gap, condition)
    return LeastSquaresSolution(
        coef, proof, reference.rank, converged=converged, iterations=len(trace), trace=trace
    )


def solve_bounded_lbfgs(
    problem: Quadratic, *, tol: float, max_iter: int | None
) -> LeastSquaresSolution:
    """W ≥ 0 by SciPy's L-BFGS-B on the moments (scikit-learn's choice for ``positive=True``)."""
    from scipy.optimize import minimize

    coef, iterations, converged = np.zeros_like(problem.xy), 0, True
    for t in range(coef.shape[1]):
        one = Quadratic(problem.gram, problem.xy[:, [t]], problem.yy[[t]], problem.alpha[[t]])
        scale = max(float(problem.yy[t]), np.finfo(float).tiny)

        def value_and_slope(w: Array, one: Quadratic = one, scale: float = scale) -> Any:
            column = w[:, None]
            return float(one.value(column)[0]) / scale, 2.0 * one.gradient(column)[:, 0] / scale

        options = {"gtol": tol * 1e-2, "ftol": EPS, "maxiter": max_iter or 15_000}
        answer: Any = minimize(
            cast(Any, value_and_slope),
            coef[:, t],
            jac=True,
            method="L-BFGS-B",
            bounds=[(0.0, None)] * len(coef),
            options=cast(Any, options),
        )
        coef[:, t], iterations = answer.x, max(iterations, int(answer.nit))
        converged = converged and bool(answer.success)
    condition = float(np.linalg.cond(problem.hessian(float(problem.alpha.min(initial=0.0)))))
    return certify_nonnegative(problem, coef, condition, converged, iterations)


@dataclass(frozen=True, slots=True)
class CentredRows:
    """√w(X − 1·meanᵀ) as a pair of products, never formed: sparse rows stay sparse."""

    x: Any
    mean: Array
    root_weights: Array | None

    @classmethod
    def of(cls, table: Table, mean: Array) -> CentredRows:
        roots = None if table.weights is None else np.sqrt(table.weights)
        return cls(table.x, mean, roots)

    def times(self, v: Array) -> Array:
        """A v."""
        product = self.x @ v - self.mean @ v
        return np.asarray(product if self.root_weights is None else self.root_weights * product)

    def transposed_times(self, u: Array) -> Array:
        """Aᵀ u."""
        u = u if self.root_weights is None else self.root_weights * u
        return np.asarray(self.x.T @ u - self.mean * u.sum())

    def operator(self) -> Any:
        from scipy.sparse.linalg import LinearOperator

        shape = self.x.shape
        return LinearOperator(
            shape, matvec=self.times, rmatvec=self.transposed_times, dtype=np.float64
        )


def solve_lsqr(
    rows: CentredRows, y: Array, alpha: Array, *, tol: float, max_iter: int | None
) -> LeastSquaresSolution:
    """Golub–Kahan bidiagonalisation on the rows (Paige & Saunders 1982)."""
    from scipy.sparse.linalg import lsqr

    coef, iterations, converged = np.zeros((rows.x.shape[1], y.shape[1])), 0, True
    condition = 1.0
    for t in range(y.shape[1]):
        answer = lsqr(
            rows.operator(), y[:, t], damp=float(np.sqrt(alpha[t])), atol=tol, btol=tol,
            iter_lim=max_iter,
        )  # fmt: skip
        coef[:, t] = answer[0]
        iterations = max(iterations, int(answer[2]))
        converged = converged and answer[1] in (0, 1, 2, 4, 5)
        condition = max(condition, float(answer[6]))
    return _certified(rows, y, alpha, coef, condition, converged, iterations)


def solve_conjugate_gradients(
    rows: CentredRows, y: Array, alpha: Array, *, tol: float, max_iter: int | None
) -> LeastSquaresSolution:
    """Conjugate gradients on (XᵀX + αI)w = Xᵀy, two products with the rows per step."""
    p, n_targets = rows.x.shape[1], y.shape[1]
    coef, trace, converged, iterations, condition = np.zeros((p, n_targets)), Trace(), True, 0, 1.0
    for t in range(n_targets):
        r = rows.transposed_times(y[:, t])
        direction, square = r.copy(), float(r @ r)
        goal = tol**2 * square
        steps: list[float] = []
        ratios: list[float] = []
        while square > goal and len(steps) < (max_iter or max(10 * p, 100)):
            image = rows.transposed_times(rows.times(direction)) + alpha[t] * direction
            curvature = float(direction @ image)
            if curvature <= 0.0:
                break
            step = square / curvature
            coef[:, t] += step * direction
            r -= step * image
            square, before = float(r @ r), square
            direction = r + (square / before) * direction
            steps.append(step)
            ratios.append(square / before)
            trace.record(objective=float("nan"), gradient_norm=float(np.sqrt(square)), step=step)
        converged, iterations = converged and square <= goal, max(iterations, len(steps))
        condition = max(condition, _ritz_condition(steps, ratios))
    # the condition of XᵀX + αI bounds that of the rows' singular values by its root
    answer = _certified(rows, y, alpha, coef, float(np.sqrt(condition)), converged, iterations)
    return replace(answer, trace=trace)


def _ritz_condition(steps: list[float], ratios: list[float]) -> float:
    """Extreme eigenvalues seen by conjugate gradients: those of its Lanczos matrix."""
    if not steps:
        return 1.0
    from scipy.linalg import eigvalsh_tridiagonal

    inverse, beta = 1.0 / np.array(steps), np.array(ratios)
    diagonal = inverse + np.concatenate([[0.0], beta[:-1] * inverse[:-1]])
    values = eigvalsh_tridiagonal(diagonal, np.sqrt(beta[:-1]) * inverse[:-1])
    return float(values[-1] / max(values[0], EPS * values[-1]))


def _certified(
    rows: CentredRows, y: Array, alpha: Array, coef: Array, condition: float, converged: bool,
    iterations: int,
) -> LeastSquaresSolution:  # fmt: skip
    """A gap from the gradient at the answer: f(w) − f* ≤ ‖g‖²/μ, μ the strong convexity.

    With a penalty μ ≥ α. Without one μ is not known from the rows, and no bound is claimed unless
    the solver estimated the condition number.
    """
    primal = gap = kkt = total = 0.0
    for t in range(y.shape[1]):
        residual = y[:, t] - rows.times(coef[:, t])
        back = rows.transposed_times(residual)
        g = alpha[t] * coef[:, t] - back
        primal += float(residual @ residual) + float(alpha[t] * (coef[:, t] @ coef[:, t]))
        total += float(y[:, t] @ y[:, t])
        bound = float(g @ g) / alpha[t] if alpha[t] > 0 else _gap_by_condition(rows, g, condition)
        gap += bound
        start = rows.transposed_times(y[:, t])
        kkt = max(kkt, float(np.linalg.norm(g) / max(np.linalg.norm(start), np.finfo(float).tiny)))
    proof = Certificate.from_gap(
        formula(alpha),
        primal=primal,
        gap=gap,
        at_zero=total,
        kkt=kkt,
        condition=condition,
        digits=min(digits_left(condition), float(-np.log10(max(kkt, EPS)))),
    )
    return LeastSquaresSolution(
        coef, proof, rows.x.shape[1], converged=converged, iterations=iterations
    )


def _gap_by_condition(rows: CentredRows, g: Array, condition: float) -> float:
    """‖g‖²/σmin², σmin from the Frobenius norm and the condition number LSQR estimates."""
    size = float(np.linalg.norm(g))
    if size == 0.0:
        return 0.0
    if not np.isfinite(condition):
        return float("inf")
    image = rows.times(g / size)
    largest = float(np.linalg.norm(image))
    return (size * condition / max(largest, np.finfo(float).tiny)) ** 2
