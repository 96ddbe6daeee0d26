"""The smallest eigenvectors of a positive semidefinite matrix, but the constant one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.sparse import is_sparse
from stylobate.exceptions import NumericalError
from stylobate.interrupts import interruptible

_DENSE = 200  # rows up to which all eigenvalues are quicker
_FEW = 10  # eigenvectors from which on they are, too
_SHIFT = 1e-12  # added to the matrix that is factored, in mean diagonal entries


@dataclass(frozen=True, slots=True, eq=False)
class NullSpace:
    r"""Eigenpairs of a matrix M that sends the constant vector to 0, ascending, without that one.

    Parameters
    ----------
    values : ndarray of shape (d,)
    vectors : ndarray of shape (n, d)
        Orthonormal; of each the entry of largest size is positive.
    residuals : ndarray of shape (d,)
        :math:`\|Mv - \lambda v\|`: a true eigenvalue is that near to each value.
    """

    values: Array
    vectors: Array
    residuals: Array


def null_space(matrix: Any, d: int, *, solver: str, tol: float, max_iter: int) -> NullSpace:
    """The d smallest eigenpairs beside the constant one.

    >>> path = np.array([[1.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]])
    >>> null_space(path, 1, solver="auto", tol=1e-6, max_iter=100).values.round(6)
    array([1.])
    """
    n = matrix.shape[0]
    few = n > _DENSE and d + 1 < _FEW
    if (solver == "arpack" and n > d + 2) or (solver == "auto" and few):
        vectors = _by_factors(matrix, d, tol, max_iter, fall_back=solver == "auto")
    else:
        vectors = _by_all(matrix, d)
    return _pairs(matrix, vectors)


def _by_all(matrix: Any, d: int) -> Array:
    from scipy.linalg import eigh

    dense = matrix.toarray() if is_sparse(matrix) else np.array(matrix)
    # the constant vector's eigenvalue 0 is moved above all others
    dense += np.trace(dense) / len(dense)
    return np.asarray(interruptible(eigh, dense, subset_by_index=(0, d - 1), overwrite_a=True)[1])


def _by_factors(matrix: Any, d: int, tol: float, max_iter: int, *, fall_back: bool) -> Array:
    """Lanczos' method on the inverse, with the constant vector left out."""
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh, splu

    n = matrix.shape[0]
    shift = _SHIFT * max(float(matrix.trace()) / n, np.finfo(np.float64).tiny)
    try:
        factors = splu(
            csc_array(matrix + shift * eye_array(n)),
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )

        def times(v: Array) -> Array:
            image = factors.solve(v.ravel() - v.mean())
            return np.asarray(image - image.mean())

        operator = LinearOperator((n, n), matvec=times, dtype=np.float64)
        start = np.random.RandomState(0).uniform(-1.0, 1.0, n)
        found = eigsh(operator, d, which="LA", v0=start - start.mean(), tol=tol, maxiter=max_iter)
    except (ArpackError, RuntimeError) as error:
        if fall_back:
            return _by_all(matrix, d)
        raise NumericalError(
            "LocallyLinearEmbedding: Error in determining null-space with ARPACK. Error message: "
            f"'{error}'. In that case, eigen_solver='dense' is recommended."
        ) from error
    return np.asarray(found[1])


def _pairs(matrix: Any, vectors: Array) -> NullSpace:
    """Rayleigh and Ritz's pairs in the space of the vectors, with signs and residuals."""
    basis = interruptible(np.linalg.qr, vectors - vectors.mean(axis=0))[0]
    image = matrix @ basis
    small = basis.T @ image
    values, turn = interruptible(np.linalg.eigh, (small + small.T) / 2.0)
    vectors = basis @ turn
    residuals = np.linalg.norm(image @ turn - vectors * values, axis=0)
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.where(vectors[largest, np.arange(vectors.shape[1])] < 0.0, -1.0, 1.0)
    return NullSpace(values, vectors * signs, residuals)
