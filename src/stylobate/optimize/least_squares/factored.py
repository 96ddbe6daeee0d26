"""Least squares and ridge from the triangular factor of the rows (QR, and SVD of R)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.optimize.certificate import Certificate, digits_left
from stylobate.optimize.least_squares.quadratic import (
    EPS,
    Quadratic,
    formula,
    largest_ratio,
    null_basis,
    project_on,
)
from stylobate.optimize.least_squares.rank import rank_tolerance
from stylobate.optimize.least_squares.solution import LeastSquaresSolution
from stylobate.statistics import FactorSolution, TriangularFactor


def solve_qr(
    factor: TriangularFactor, alpha: Array, *, intercept: bool
) -> LeastSquaresSolution | None:
    """R w = Qᵀy by back-substitution, with the digits of the factor; None if columns depend.

    A penalty is √α·I as further rows: R of [X; √α I].
    """
    k = factor.n_features + intercept
    weights = np.empty((k, factor.n_targets))  # the intercept first, if there is one
    minimum = np.empty(factor.n_targets)
    inverse_gram, condition, gap, kkt = None, 1.0, 0.0, 0.0
    for value in np.unique(alpha):
        targets = alpha == value
        r, low = _penalised(factor, float(value), intercept=intercept)
        condition = max(condition, _scaled_condition(r[:k, :k]))
        if condition * rank_tolerance(factor.n_rows) >= 1.0:
            return None
        answer = _back_substitute(r, low, k, extended=factor.extended)
        weights[:, targets] = answer.coefficients[:, targets]
        minimum[targets] = answer.residual_squares[targets]
        inverse_gram = answer.inverse_gram
        miss = r[:k, :k] @ weights[:, targets] - r[:k, k:][:, targets]
        gap += float((miss**2).sum())  # f(w) − f* = ‖Rw − z‖²: nothing cancels
        lengths = np.multiply.outer(_lengths(r[:k, :k]), _lengths(r[:, k:][:, targets]))
        kkt = max(kkt, largest_ratio(r[:k, :k].T @ miss, lengths))
    dual = float(minimum.sum())
    proof = Certificate.from_gap(
        formula(alpha),
        primal=dual + gap,
        gap=gap,
        at_zero=float((factor.r[:, factor.n_features + 1 :] ** 2).sum()),
        kkt=kkt,
        condition=condition,
    )
    if factor.extended:  # the answers are those of exact arithmetic, rounded
        proof = replace(proof, digits=digits_left(1.0))
    plain = not alpha.any()
    return LeastSquaresSolution(
        weights[int(intercept) :],
        proof,
        rank=factor.n_features,
        intercept=weights[0] if intercept else np.zeros(factor.n_targets),
        residual_squares=minimum if plain else None,
        inverse_gram=inverse_gram if plain else None,
    )


def solve_svd(factor: TriangularFactor, alpha: Array, *, intercept: bool) -> LeastSquaresSolution:
    """The solution of least norm by the singular value decomposition of R.

    R has the singular values of the (centred) rows. Columns are brought to one length first, so
    that the rank does not depend on their units; among the solutions, the shortest in the original
    units is returned.
    """
    p, tolerance = factor.n_features, rank_tolerance(factor.n_rows)
    r = _centred(factor, intercept=intercept)
    design, z = r[:, :p], r[:, p:]
    raw = _lengths(factor.r[:, 1 : p + 1])
    length = _lengths(design)
    length = np.where(length > tolerance * raw, length, np.inf)  # a constant column counts as zero
    u, s, vt = np.linalg.svd(design / length, full_matrices=False)
    keep = s > tolerance * s[:1].sum()
    u, s, vt, null = u[:, keep], s[keep], vt[keep], vt[~keep]
    coef = (vt.T @ ((u.T @ z) / s[:, None])) / length[:, None]
    scale = np.where(np.isinf(length), 1.0, 1.0 / length)
    coef -= project_on(null_basis(null.T, scale), coef)
    penalised = alpha > 0
    coef[:, penalised] = _damped(design, z[:, penalised], alpha[penalised], tolerance)
    condition = float(s[0] / s[-1]) if len(s) else 1.0
    miss = u.T @ (design @ coef - z)
    problem = _problem(factor, alpha, intercept=intercept)
    gap = float((miss[:, ~penalised] ** 2).sum()) + _ridge_gap(problem, coef, penalised)
    proof = replace(problem.certificate(coef, gap, condition**2), digits=digits_left(condition))
    return LeastSquaresSolution(coef, proof, rank=len(s))


def _damped(design: Array, z: Array, alpha: Array, tolerance: float) -> Array:
    """Ridge by singular values: w = V·s/(s² + α)·Uᵀz."""
    u, s, vt = np.linalg.svd(design, full_matrices=False)
    s = np.where(s > tolerance * s[:1].sum(), s, 0.0)
    damped = s[:, None] ** 2 + alpha
    shrink = np.divide(s[:, None], damped, out=np.zeros_like(damped), where=damped > 0)
    return np.asarray(vt.T @ (shrink * (u.T @ z)))


def _ridge_gap(problem: Quadratic, coef: Array, targets: NDArray[np.bool_]) -> float:
    """gᵀ(XᵀX + αI)⁻¹g of some targets, from the eigenvalues of the Gram."""
    if not targets.any():
        return 0.0
    values, vectors = np.linalg.eigh(problem.gram)
    shrunk = np.maximum(values, 0.0)[:, None] + problem.alpha[targets]
    turned = vectors.T @ problem.gradient(coef)[:, targets]
    sizes = np.divide(turned, np.sqrt(shrunk), out=np.zeros_like(turned), where=shrunk > 0)
    return float((sizes**2).sum())


def _centred(factor: TriangularFactor, *, intercept: bool) -> Array:
    """R of the centred [X, y] (the ones stand first: the block after them), or of [X, y]."""
    return factor.r[1:, 1:] if intercept else factor.without_ones()[0]


def _penalised(factor: TriangularFactor, alpha: float, *, intercept: bool) -> tuple[Array, Array]:
    r, low = (factor.r, factor.r_low) if intercept else factor.without_ones()
    if alpha == 0.0:
        return r, low
    rows = np.zeros_like(r)
    features = np.arange(factor.n_features) + intercept
    rows[features, features] = np.sqrt(alpha)
    if np.sqrt(alpha) > np.abs(r).max():  # the large rows first: reflections keep their digits
        return _core.merge_triangular(rows, np.zeros_like(r), r, low, factor.extended)
    return _core.merge_triangular(r, low, rows, np.zeros_like(r), factor.extended)


def _scaled_condition(r: Array) -> float:
    """1-norm condition estimate of R with columns of length one."""
    from scipy.linalg.lapack import dtrcon

    length = _lengths(r)
    if len(r) == 0:
        return 1.0
    if not (length > 0).all():
        return float("inf")
    reciprocal, _ = dtrcon(np.asfortranarray(r / length))
    return 1.0 / max(float(reciprocal), EPS * EPS)


def _back_substitute(r: Array, low: Array, k: int, *, extended: bool) -> FactorSolution:
    if extended:
        return FactorSolution(*_core.solve_triangular(r, low, k))
    from scipy.linalg import solve_triangular

    coef = solve_triangular(r[:k, :k], r[:k, k:]) if k else np.zeros((0, r.shape[1]))
    return FactorSolution(coef, None, (r[k:, k:] ** 2).sum(axis=0))


def _lengths(r: Array) -> Array:
    return np.asarray(np.sqrt((r**2).sum(axis=0)))


def _problem(factor: TriangularFactor, alpha: Array, *, intercept: bool) -> Quadratic:
    r, p = _centred(factor, intercept=intercept), factor.n_features
    gram = r.T @ r
    return Quadratic(gram[:p, :p], gram[:p, p:], np.diag(gram)[p:], alpha)
