"""Least squares and ridge with more columns than rows: everything in the space of the rows."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.interrupts import interruptible
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.least_squares.quadratic import EPS, CholeskyFactor, formula, largest_ratio
from stylobate.optimize.least_squares.rank import rank_tolerance
from stylobate.optimize.least_squares.solution import LeastSquaresSolution


def centred_copy(table: Table, *, intercept: bool) -> tuple[Array, Array, Array, Array]:
    """√w(X − x̄), √w(y − ȳ) as new dense arrays, and the means (zeros without intercept)."""
    assert table.y is not None
    x = np.array(table.x.toarray() if table.is_sparse else table.x, dtype=np.float64)
    w = table.weights
    x_mean = np.average(x, axis=0, weights=w) if intercept else np.zeros(x.shape[1])
    y_mean = np.average(table.y, axis=0, weights=w) if intercept else np.zeros(table.y.shape[1])
    x -= x_mean
    y = table.y - y_mean
    if w is not None:
        x *= np.sqrt(w)[:, None]
        y *= np.sqrt(w)[:, None]
    return x, y, x_mean, y_mean


def row_svd(x: Array, least_penalty: float) -> tuple[Array, Array, Array]:
    """Thin singular value decomposition of fewer rows than columns.

    From the eigenvectors of XXᵀ, several times faster, where its rounding disappears beside the
    penalties that will be added to the eigenvalues; directions that are only rounding get 0.
    """
    n, p = x.shape
    if p >= 2 * n:
        values, vectors = interruptible(np.linalg.eigh, x @ x.T)
        values, u = values[::-1], vectors[:, ::-1]
        if least_penalty >= 1e7 * EPS * float(values[0]):
            s = np.sqrt(np.where(values > n * EPS * values[0], values, 0.0))
            turned = u.T @ x
            vt = np.divide(turned, s[:, None], out=np.zeros_like(turned), where=s[:, None] > 0)
            return u, s, vt
    u, s, vt = interruptible(np.linalg.svd, x, full_matrices=False)
    return u, s, vt


def solve_svd_rows(x: Array, y: Array, alpha: Array) -> LeastSquaresSolution:
    """The solution of least norm from the singular value decomposition of the rows themselves."""
    u, s, vt = interruptible(np.linalg.svd, x, full_matrices=False)
    keep = s > rank_tolerance(len(x)) * (s[0] if len(s) else 0.0)
    kept = np.where(keep, s, 0.0)[:, None]
    damped = kept**2 + alpha
    shrink = np.divide(kept, damped, out=np.zeros_like(damped), where=damped > 0)
    coef = vt.T @ (shrink * (u.T @ y))
    condition = float(s[0] / s[keep][-1]) if keep.any() else 1.0
    # f* = Σ α(uᵀy)²/(s² + α), and all of y outside the space of the columns
    inside = u.T @ y
    outside = np.maximum((y**2).sum(axis=0) - (inside**2).sum(axis=0), 0.0)
    share = np.divide(alpha, damped, out=np.ones_like(damped), where=damped > 0)
    bound = float((share * inside**2).sum() + outside.sum())
    return _certified(x, y, alpha, coef, bound, int(keep.sum()), condition)


def solve_dual_cholesky(x: Array, y: Array, alpha: Array) -> LeastSquaresSolution | None:
    """Ridge by its dual, (XXᵀ + αI)ν = y, w = Xᵀν: n × n instead of p × p."""
    gram = x @ x.T
    dual = np.empty_like(y)
    condition = 1.0
    for value in np.unique(alpha):
        targets = alpha == value
        factor = CholeskyFactor.of(gram + float(value) * np.eye(len(gram)))
        if factor is None:
            return None
        dual[:, targets] = factor.solve(y[:, targets])
        condition = max(condition, factor.condition)
    coef = x.T @ dual
    # strong duality: d(ν) = 2α νᵀy − α νᵀ(XXᵀ + αI)ν for every ν
    bound = float((alpha * dual * (2.0 * y - gram @ dual - alpha * dual)).sum())
    root = float(np.sqrt(condition))
    return _certified(x, y, alpha, coef, bound, min(x.shape), root, lost=condition)


def _certified(
    x: Array,
    y: Array,
    alpha: Array,
    coef: Array,
    bound: float,
    rank: int,
    condition: float,
    lost: float | None = None,
) -> LeastSquaresSolution:
    residual = y - x @ coef
    primal = float((residual**2).sum() + (alpha * coef**2).sum())
    start = x.T @ y
    lengths = np.full(start.shape, np.abs(start).max(initial=0.0))
    proof = Certificate.from_gap(
        formula(alpha),
        primal=primal,
        gap=primal - bound,
        at_zero=float((y**2).sum()),
        kkt=largest_ratio(alpha * coef - x.T @ residual, lengths),
        condition=condition,
        lost=lost,
    )
    return LeastSquaresSolution(coef, proof, rank=rank)
