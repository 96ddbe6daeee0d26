"""Ridge at many penalties at once."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.interrupts import interruptible
from stylobate.linear_model.shared.coefficient_path import CoefficientPath
from stylobate.optimize.least_squares import (
    CholeskyFactor,
    Quadratic,
    centred_copy,
    rank_tolerance,
    row_svd,
    solve_qr,
    solve_svd,
)
from stylobate.statistics import Moments, TriangularFactor

_MANY = 8  # penalties that pay for an eigenvalue decomposition
_ALIKE = 1e4  # ratio of squared lengths, or condition, at which eigenvalues keep their digits
RELIABLE_CONDITION = 1e10  # of the Gram with unit diagonal: six digits are left
_COVERED = 1e8  # roundings of the largest singular value a penalty's root must reach


def path_from_moments(
    moments: Moments, alphas: Array, *, intercept: bool
) -> CoefficientPath | None:
    """A Cholesky factorisation per penalty; None where the Gram has lost too many digits.

    The smallest penalty's Gram is the worst conditioned, so only its condition is estimated.
    Many penalties on columns of similar units share one eigenvalue decomposition.
    """
    from scipy.linalg.lapack import dposv

    problem = Quadratic.of(moments, intercept=intercept)
    worst = CholeskyFactor.of(problem.hessian(float(alphas.min())))
    if worst is None or worst.condition > RELIABLE_CONDITION:
        return None
    diagonal = np.diag(problem.gram)
    alike = diagonal.max() <= _ALIKE * diagonal.min()
    if len(alphas) >= _MANY and alike and worst.condition <= _ALIKE:
        coef = _from_spectrum(problem, alphas)
        return CoefficientPath(coef, _intercepts(coef, moments.x_mean, moments.y_mean, intercept))
    scale = 1.0 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    gram = np.asfortranarray(scale[:, None] * problem.gram * scale)  # LAPACK's own order
    xy = scale[:, None] * problem.xy
    coef = np.empty((len(alphas), *xy.shape))
    corner = np.diag_indices_from(gram)
    for a, alpha in enumerate(alphas):
        penalised = gram.copy(order="F")
        penalised[corner] += alpha * scale**2
        _, w, failed = dposv(penalised, xy, overwrite_a=1)
        if failed:
            return None
        coef[a] = scale[:, None] * w
    return CoefficientPath(coef, _intercepts(coef, moments.x_mean, moments.y_mean, intercept))


def path_from_factor(
    factor: TriangularFactor, alphas: Array, *, intercept: bool
) -> CoefficientPath:
    """From the triangular factor of the rows, which has the digits their Gram has lost.

    One singular value decomposition serves all penalties that cover its rounding; smaller ones
    are solved each for itself, in a way that does not depend on the columns' units.
    """
    p, t = factor.n_features, factor.n_targets
    r = factor.r[1:, 1:] if intercept else factor.without_ones()[0]
    u, s, vt = interruptible(np.linalg.svd, r[:, :p], full_matrices=False)
    coef = _shrunk(s, vt, u.T @ r[:, p:], alphas)
    for a in np.flatnonzero(np.sqrt(alphas) <= _COVERED * np.finfo(float).eps * s[:1].sum()):
        alpha = np.full(t, alphas[a])
        answer = solve_qr(factor, alpha, intercept=intercept)
        coef[a] = (answer or solve_svd(factor, alpha, intercept=intercept)).coef
    means = factor.r[0, 1:] / factor.r[0, 0]
    return CoefficientPath(coef, _intercepts(coef, means[:p], means[p:], intercept))


def path_from_rows(table: Table, alphas: Array, *, intercept: bool) -> CoefficientPath:
    """From singular vectors of the rows: for more columns than rows."""
    x, y, x_mean, y_mean = centred_copy(table, intercept=intercept)
    u, s, vt = row_svd(x, float(alphas.min()))
    # centring alone leaves a direction in which there is nothing but rounding
    s = np.where(s > rank_tolerance(len(x)) * s[:1].sum(), s, 0.0)
    coef = _shrunk(s, vt, u.T @ y, alphas)
    return CoefficientPath(coef, _intercepts(coef, x_mean, y_mean, intercept))


def _from_spectrum(problem: Quadratic, alphas: Array) -> Array:
    """V·(Vᵀb)/(λ + α) (alphas × p × targets)."""
    values, vectors = interruptible(np.linalg.eigh, problem.gram)
    turned = vectors.T @ problem.xy
    return np.asarray(vectors @ (turned / (values[:, None] + alphas[:, None, None])))


def _shrunk(s: Array, vt: Array, turned: Array, alphas: Array) -> Array:
    """V · s/(s² + α) · Uᵀy (alphas × p × targets); directions without length take no part."""
    damped = s**2 + alphas[:, None]
    shrink = np.divide(s, damped, out=np.zeros_like(damped), where=damped > 0)
    return np.asarray(np.einsum("rp,ar,rt->apt", vt, shrink, turned, optimize=True))


def _intercepts(coef: Array, x_mean: Array, y_mean: Array, intercept: bool) -> Array:
    if not intercept:
        return np.zeros((coef.shape[0], coef.shape[2]))
    return np.asarray(y_mean - np.einsum("p,apt->at", x_mean, coef))
