"""Iterative solutions: gradient descent and bounded L-BFGS on moments; CG and LSQR on rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.interrupts import interruptible
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.least_squares.bidiagonal import bidiagonalise
from stylobate.optimize.least_squares.nonnegative import certify_nonnegative
from stylobate.optimize.least_squares.quadratic import (
    EPS,
    Quadratic,
    formula,
    solve_spectral,
)
from stylobate.optimize.least_squares.rank import rank_tolerance
from stylobate.optimize.least_squares.solution import LeastSquaresSolution
from stylobate.optimize.trace import Trace

_CHUNK = 1 << 13  # rows at a time


def solve_gradient_descent(
    problem: Quadratic, n_rows: int, *, tol: float, max_iter: int | None
) -> LeastSquaresSolution:
    """Step w ← w − (Hw − b)/λmax from 0 until no entry of Hw − b exceeds tol of the largest of b.

    Entries count in units of columns of length one, so that no column is too small to matter.

    With the constant step 1/λmax the error in the direction of eigenvalue λ shrinks by 1 − λ/λmax
    a step; columns of equal scale make that fast.
    """
    reference = solve_spectral(problem, n_rows)  # eigenvalues for the step, and the exact gap
    largest = (
        float(interruptible(np.linalg.eigvalsh, problem.gram)[-1]) if len(problem.gram) else 0.0
    )
    step = np.divide(1.0, largest + problem.alpha, where=largest + problem.alpha > 0,
                     out=np.zeros_like(problem.alpha))  # fmt: skip
    coef, trace, converged = np.zeros_like(problem.xy), Trace(), False
    target = tol * problem.correlations(problem.xy)
    for _ in range(10_000 if max_iter is None else max_iter):
        g = problem.gradient(coef)
        trace.record(
            objective=float(problem.value(coef).sum()),
            gradient_norm=float(np.linalg.norm(g, axis=0).max(initial=0.0)),
            step=float(step.max(initial=0.0)),
        )
        if (problem.correlations(g) <= target).all():
            converged = True
            break
        coef -= step * g
    difference = coef - reference.coef
    gap = float((difference * (problem.gram @ difference + problem.alpha * difference)).sum())
    seen = reference.certificate
    proof = problem.certificate(coef, gap, seen.condition**2, proved=seen.proved)
    return LeastSquaresSolution(
        coef, proof, reference.rank, converged=converged, iterations=len(trace), trace=trace
    )


def solve_bounded_lbfgs(
    problem: Quadratic, *, tol: float, max_iter: int | None
) -> LeastSquaresSolution:
    """Keep w ≥ 0 by SciPy's L-BFGS-B on the moments (scikit-learn's choice for ``positive=True``).

    The variables are the coefficients of columns of length one.
    """
    from scipy.optimize import minimize

    coef, iterations, converged = np.zeros_like(problem.xy), 0, True
    for t in range(coef.shape[1]):
        one = Quadratic(problem.gram, problem.xy[:, [t]], problem.yy[[t]], problem.alpha[[t]])
        unit = _unit_scales(np.sqrt(np.diag(problem.gram)), float(problem.alpha[t]))
        scale = max(float(problem.yy[t]), np.finfo(float).tiny)

        def value_and_slope(
            v: Array, one: Quadratic = one, scale: float = scale, unit: Array = unit
        ) -> Any:
            column = (unit * v)[:, None]
            slope = 2.0 * unit * one.gradient(column)[:, 0]
            return float(one.value(column)[0]) / scale, slope / scale

        options = {"gtol": tol * 1e-2, "ftol": EPS, "maxiter": max_iter or 15_000}
        answer: Any = minimize(
            cast(Any, value_and_slope),
            coef[:, t],
            jac=True,
            method="L-BFGS-B",
            bounds=[(0.0, None)] * len(coef),
            options=cast(Any, options),
        )
        coef[:, t], iterations = unit * answer.x, max(iterations, int(answer.nit))
        converged = converged and bool(answer.success)
    condition = float(np.linalg.cond(problem.hessian(float(problem.alpha.min(initial=0.0)))))
    return certify_nonnegative(problem, coef, condition, converged, iterations)


def _unit_scales(lengths: Array, alpha: float) -> Array:
    """1/√(‖xⱼ‖² + α): what makes the diagonal of the Hessian one (1 for a column of zeros)."""
    diagonal = np.hypot(lengths, np.sqrt(alpha))
    return np.asarray(1.0 / np.where(diagonal > 0, diagonal, 1.0))


@dataclass(frozen=True, slots=True)
class CentredRows:
    """√w(X − 1·meanᵀ) as a pair of products, never formed: sparse rows stay sparse."""

    x: Any
    mean: Array
    root_weights: Array | None
    lengths: Array

    @classmethod
    def of(cls, table: Table, mean: Array) -> CentredRows:
        roots = None if table.weights is None else np.sqrt(table.weights)
        return cls(table.x, mean, roots, _centred_lengths(table, mean))

    def times(self, v: Array) -> Array:
        """A v."""
        product = self.x @ v - self.mean @ v
        return np.asarray(product if self.root_weights is None else self.root_weights * product)

    def transposed_times(self, u: Array) -> Array:
        """Aᵀ u."""
        u = u if self.root_weights is None else self.root_weights * u
        return np.asarray(self.x.T @ u - self.mean * u.sum())

    def unit(self, alpha: float) -> Array:
        """Scales of the columns to solve in, so that their units do not matter.

        With no fewer columns than rows and no penalty, or one beyond the digits of XᵀX, the
        solution of least norm is wanted, which only one scale for all does not change. A constant
        column, centred, is nothing: 0.
        """
        n, p = self.x.shape
        negligible = alpha <= EPS * float(self.lengths.max(initial=0.0)) ** 2
        least_norm = p >= n and negligible
        lengths = np.full(p, self.lengths.max(initial=0.0)) if least_norm else self.lengths
        unit = _unit_scales(lengths, alpha)
        weight = n if self.root_weights is None else float(self.root_weights @ self.root_weights)
        constant = self.lengths <= rank_tolerance(n) * np.sqrt(weight) * np.abs(self.mean)
        return np.where(constant, 0.0, unit)

    def penalised(self, alpha: float, unit: Array) -> Any:
        """The operator [A; √α I]·D, D the diagonal of `unit`."""
        from scipy.sparse.linalg import LinearOperator

        n, p = self.x.shape
        root = np.sqrt(alpha) * unit if alpha > 0 else np.zeros(0)

        def forth(v: Array) -> Array:
            v = v.ravel()
            return np.concatenate([self.times(unit * v), root * v[: len(root)]])

        def back(u: Array) -> Array:
            u = u.ravel()
            inside = unit * self.transposed_times(u[:n])
            return inside + root * u[n:] if len(root) else inside

        return LinearOperator((n + len(root), p), matvec=forth, rmatvec=back, dtype=np.float64)


def _centred_lengths(table: Table, mean: Array) -> Array:
    """Lengths of √w(xⱼ − meanⱼ)."""
    w = np.ones(table.n_rows) if table.weights is None else table.weights
    p = table.n_features
    if table.is_sparse:
        stored = table.x.tocoo()
        share, columns = w[stored.row], stored.col
        deviations = share * (stored.data - mean[columns]) ** 2
        squares = np.bincount(columns, deviations, minlength=p).astype(np.float64)
        zeros = w.sum() - np.bincount(columns, share, minlength=p)  # their weight, by column
        return np.asarray(np.sqrt(squares + np.maximum(zeros, 0.0) * mean**2))
    squares = np.zeros(p)
    for start in range(0, table.n_rows, _CHUNK):
        rows = slice(start, start + _CHUNK)
        squares += w[rows] @ (table.x[rows] - mean) ** 2
    return np.sqrt(squares)


def solve_lsqr(
    rows: CentredRows, y: Array, alpha: Array, *, tol: float, max_iter: int | None
) -> LeastSquaresSolution:
    """Golub–Kahan bidiagonalisation on the rows (Paige & Saunders 1982)."""
    coef, trace = np.zeros((rows.x.shape[1], y.shape[1])), Trace()
    iterations, converged, condition = 0, True, 1.0
    others = float((y**2).sum())  # of all targets but the one at hand
    for t in range(y.shape[1]):
        unit = rows.unit(float(alpha[t]))
        operator = rows.penalised(float(alpha[t]), unit)
        target = np.pad(y[:, t], (0, operator.shape[0] - len(y)))
        others -= float(target @ target)
        found = bidiagonalise(
            operator,
            target,
            tol=tol,
            limit=max_iter or _default_limit(len(coef)),
            trace=trace,
            others=others,
        )
        coef[:, t] = unit * found.x
        others += found.objective
        iterations = max(iterations, found.iterations)
        converged = converged and found.converged
        condition = max(condition, found.condition)
    answer = certified_by_gradient(rows, y, alpha, coef, condition, converged, iterations)
    return replace(answer, trace=trace)


def solve_conjugate_gradients(
    rows: CentredRows, y: Array, alpha: Array, *, tol: float, max_iter: int | None
) -> LeastSquaresSolution:
    """Conjugate gradients on D(XᵀX + αI)D·v = D·Xᵀy, w = Dv, two products with the rows a step."""
    p, n_targets = rows.x.shape[1], y.shape[1]
    coef, trace, converged, iterations, condition = np.zeros((p, n_targets)), Trace(), True, 0, 1.0
    value = float((y**2).sum())  # of all targets, of which those to come are at w = 0
    for t in range(n_targets):
        unit = rows.unit(float(alpha[t]))
        r = unit * rows.transposed_times(y[:, t])
        direction, square = r.copy(), float(r @ r)
        goal = tol**2 * square
        steps: list[float] = []
        ratios: list[float] = []
        while square > goal and len(steps) < (max_iter or _default_limit(p)):
            w = unit * direction
            image = unit * (rows.transposed_times(rows.times(w)) + alpha[t] * w)
            curvature = float(direction @ image)
            if curvature <= 0.0:
                break
            step = square / curvature
            coef[:, t] += step * w
            r -= step * image
            square, before = float(r @ r), square
            direction = r + (square / before) * direction
            steps.append(step)
            ratios.append(square / before)
            value -= step * before  # exactly what such a step takes off ‖y − Xw‖² + α‖w‖²
            trace.record(objective=max(value, 0.0), gradient_norm=float(np.sqrt(square)), step=step)
        converged, iterations = converged and square <= goal, max(iterations, len(steps))
        condition = max(condition, _ritz_condition(steps, ratios))
    # the condition of XᵀX + αI bounds that of the rows' singular values by its root
    answer = certified_by_gradient(
        rows, y, alpha, coef, float(np.sqrt(condition)), converged, iterations
    )
    return replace(answer, trace=trace)


def _default_limit(n_columns: int) -> int:
    """Steps of a Krylov method: exact arithmetic needs one a column, rounding some more."""
    return max(10 * n_columns, 100)


def _ritz_condition(steps: list[float], ratios: list[float]) -> float:
    """Extreme eigenvalues seen by conjugate gradients: those of its Lanczos matrix."""
    if not steps:
        return 1.0
    from scipy.linalg import eigvalsh_tridiagonal

    inverse, beta = 1.0 / np.array(steps), np.array(ratios)
    diagonal = inverse + np.concatenate([[0.0], beta[:-1] * inverse[:-1]])
    values = eigvalsh_tridiagonal(diagonal, np.sqrt(beta[:-1]) * inverse[:-1])
    return float(values[-1] / max(values[0], EPS * values[-1]))


def certified_by_gradient(
    rows: CentredRows, y: Array, alpha: Array, coef: Array, condition: float, converged: bool,
    iterations: int,
) -> LeastSquaresSolution:  # fmt: skip
    """A gap from the gradient at the answer: f(w) − f* ≤ ‖g‖²/μ, μ the strong convexity.

    With a penalty μ ≥ α. Without one μ is not known from the rows, and no bound is claimed unless
    the solver estimated the condition number.
    """
    primal = gap = kkt = total = 0.0
    for t in range(y.shape[1]):
        unit = rows.unit(float(alpha[t]))
        residual = y[:, t] - rows.times(coef[:, t])
        g = alpha[t] * coef[:, t] - rows.transposed_times(residual)
        primal += float(residual @ residual) + float(alpha[t] * (coef[:, t] @ coef[:, t]))
        total += float(y[:, t] @ y[:, t])
        if alpha[t] > 0:
            gap += float(g @ g) / alpha[t]
        else:
            gap += _gap_by_condition(rows, unit, g, condition)
        start = np.linalg.norm(unit * rows.transposed_times(y[:, t]))
        kkt = max(kkt, float(np.linalg.norm(unit * g) / max(start, np.finfo(float).tiny)))
    proof = Certificate.from_gap(
        formula(alpha),
        primal=primal,
        gap=gap,
        at_zero=total,
        kkt=kkt,
        condition=condition,
        proved=bool((alpha > 0).all()),
    ).in_units(coef, np.hypot(rows.lengths, np.sqrt(float(alpha.min()) if len(alpha) else 0.0)))
    return LeastSquaresSolution(
        coef, proof, min(rows.x.shape), converged=converged, iterations=iterations
    )


def _gap_by_condition(rows: CentredRows, unit: Array, g: Array, condition: float) -> float:
    """‖Dg‖²/σmin(AD)², σmin from a lower bound of σmax and the condition number the solver saw."""
    scaled = unit * g
    size = float(np.linalg.norm(scaled))
    if size == 0.0:
        return 0.0
    if not np.isfinite(condition):
        return float("inf")
    largest = float(np.linalg.norm(rows.times(unit * (scaled / size))))
    return (size * condition / max(largest, np.finfo(float).tiny)) ** 2
