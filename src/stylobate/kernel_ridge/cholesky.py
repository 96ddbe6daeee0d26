"""Kernel ridge by a Cholesky factor, in the place of half of the kernel matrix."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import StylobateWarning
from stylobate.interrupts import interruptible
from stylobate.optimize.blocked_cholesky import upper_factor
from stylobate.parallel import one_blas_thread

_EPS = float(np.finfo(np.float64).eps)
_SOLVED = 1e-6  # relative residual above which a system does not count as solved


@dataclass(frozen=True, slots=True, eq=False)
class DirectSolution:
    """Solutions a of (K + αI) a = y, their residuals, and the smallest reciprocal condition."""

    a: Array
    residual: Array
    reciprocal_condition: float
    least_squares: bool
    lowest: float = 0.0  # eigenvalue of K + αI, where it is below 0 by more than rounding


def solve_directly(K: Array, y: Array, alpha: Array, owner: str) -> DirectSolution:
    """Solve for every target with its penalty; K (symmetric, C order) is used up.

    Each different penalty is a factorisation of its own, of n³/3 steps. Where K + αI is singular to
    working precision the shortest of the least-squares solutions is taken, with a warning.
    """
    a, residual = np.empty_like(y), np.empty_like(y)
    different, least, lowest, singular = np.unique(alpha), 1.0, 0.0, False
    for place, penalty in enumerate(different):
        which = np.flatnonzero(alpha == penalty)
        last = place == len(different) - 1
        with one_blas_thread():  # the factor is made by threads of ours
            found = _factored(K if last else K.copy(), y[:, which], float(penalty))
            singular = singular or found.least_squares
        a[:, which], residual[:, which] = found.a, found.residual
        least = min(least, found.reciprocal_condition)
        lowest = min(lowest, found.lowest)
    if lowest < 0.0:
        warn_indefinite(lowest, float(different.max()), owner)
    elif singular:
        warnings.warn(
            f"{owner}: Singular matrix in solving dual problem (K + αI has a reciprocal condition "
            f"number of {least:.1g}). Using least-squares solution instead; a larger alpha "
            "makes the coefficients determined.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    elif not _small(residual, y, _SOLVED):
        warnings.warn(
            f"{owner}: the factor of K + αI leaves residuals of more than {_SOLVED:g} of y (the "
            "certificate says how large); a larger alpha, or solver='cg', makes the answer exact.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    return DirectSolution(a, residual, least, singular)


def warn_indefinite(lowest: float, alpha: float, owner: str) -> None:
    """Say that K + αI has an eigenvalue below 0."""
    warnings.warn(
        f"{owner}: the kernel is not positive semidefinite: K + αI has the eigenvalue "
        f"{lowest:.3g}. Its linear system is solved, but the answer is no minimum of the "
        f"penalised squares; an alpha above {alpha - lowest:.3g} makes it one.",
        StylobateWarning,
        stacklevel=user_stacklevel(),
    )


def _factored(K: Array, y: Array, alpha: float) -> DirectSolution:
    """By Cholesky: the factor takes one triangle, the other one is left for the residual."""
    from scipy.linalg import blas, lapack

    matrix, diagonal = K.T, K.diagonal() + alpha  # in Fortran's order
    np.fill_diagonal(K, diagonal)
    size = float(np.abs(K).sum(axis=0).max(initial=0.0)) if len(K) < 2000 else _one_norm(K)
    found = upper_factor(matrix, overwrite=True)
    reciprocal = 0.0 if found is None else float(lapack.dpocon(found, size, uplo="U")[0])
    if found is None or reciprocal < _EPS:
        return _shortest(_restored(matrix, diagonal), y, reciprocal)
    factor = found
    a = lapack.dpotrs(factor, y, lower=0)[0]
    pivots = factor.diagonal().copy()
    np.fill_diagonal(factor, diagonal)
    residual = y - blas.dsymm(1.0, factor, a, lower=1)
    if not _small(residual, y):  # one step of refinement: the factor is at hand
        np.fill_diagonal(factor, pivots)
        a = a + lapack.dpotrs(factor, residual, lower=0)[0]
        np.fill_diagonal(factor, diagonal)
        residual = y - blas.dsymm(1.0, factor, a, lower=1)
    return DirectSolution(a, residual, reciprocal, least_squares=False)


def _one_norm(K: Array) -> float:
    """The largest sum of sizes of a row, without a copy of K."""
    return max(float(np.abs(K[i : i + 256]).sum(axis=1).max()) for i in range(0, len(K), 256))


def _small(residual: Array, y: Array, share: float = 1e-13) -> bool:
    sizes = np.linalg.norm(residual, axis=0), np.linalg.norm(y, axis=0)
    return bool((sizes[0] <= share * sizes[1]).all())


def _restored(factor: Array, diagonal: Array) -> Array:
    """K + αI again, from the triangle that was left."""
    lower = np.tril(factor, -1)
    lower += lower.T
    np.fill_diagonal(lower, diagonal)
    return lower


def _shortest(matrix: Array, y: Array, reciprocal: float) -> DirectSolution:
    """The shortest least-squares solution, by eigenvectors."""
    from scipy import linalg

    values, vectors = interruptible(linalg.eigh, matrix)
    rounding = len(values) * _EPS * float(np.abs(values).max(initial=0.0))
    kept = np.abs(values) > rounding
    lowest = float(values[0]) if values[0] < -rounding else 0.0
    scores = vectors[:, kept].T @ y
    a = vectors[:, kept] @ (scores / values[kept, None])
    return DirectSolution(a, y - matrix @ a, reciprocal, True, lowest)
