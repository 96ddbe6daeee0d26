"""Rows made white: centred, turned to their principal axes, each of variance 1."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array
from stylobate.base.sources import memory_source
from stylobate.data import Table
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import StylobateWarning
from stylobate.interrupts import interruptible
from stylobate.parallel import blas_for
from stylobate.statistics import Moments

# Of the smallest to the largest eigenvalue: squared singular values keep half their digits.
_SAFE = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class Whitening:
    """The mean, the map K = Σ⁻¹Uᵀ of the centred rows, and the rows √n K(x − m).

    Parameters
    ----------
    mean : array of shape (p,)
    matrix : array of shape (k, p)
    white : array of shape (k, n)
    """

    mean: Array
    matrix: Array
    white: Array


def whitened(table: Table, k: int, solver: str) -> Whitening:
    """The first k white components of the rows.

    Tall rows that are well conditioned are whitened from their moments, whatever the solver:
    their singular vectors have all digits that matter. Others by the singular values of the rows,
    unless "eigh" asks for the moments.
    """
    x = table.x
    n, p = x.shape
    moments = memory_source(table).compute(Moments)
    mean = moments.x_mean
    values, u = _eigenpairs(moments.xx)
    flat = bool(n >= p and values[-1] > _SAFE * values[0])
    centred = (x - mean).astype(np.float64, copy=False)
    if solver == "eigh":
        small = values < 10.0 * np.finfo(np.float64).eps
        if small.any():
            warnings.warn(
                "FastICA: There are some small singular values, using whiten_solver = 'svd' might "
                "lead to more accurate results.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        sizes = np.sqrt(np.where(small, 10.0 * np.finfo(np.float64).eps, values))
    elif flat:
        sizes = np.sqrt(values)
    else:
        from scipy import linalg

        with blas_for(p):
            u, sizes, _ = interruptible(
                linalg.svd, centred.T, full_matrices=False, check_finite=False
            )
        # directions in which nothing varies: whatever size they are given, no row shows it
        sizes = np.maximum(sizes, np.finfo(np.float64).eps * float(sizes[0]) or 1.0)
    signs = np.where(u[0] < 0.0, -1.0, 1.0)
    matrix = ((u * signs) / sizes).T[:k]
    with blas_for(p, of_numpy=True):
        return Whitening(mean, matrix, np.sqrt(n) * (matrix @ centred.T))


def _eigenpairs(scatter: Array) -> tuple[Array, Array]:
    """The largest first."""
    with blas_for(len(scatter), of_numpy=True):
        values, vectors = interruptible(np.linalg.eigh, scatter)
    return values[::-1], vectors[:, ::-1]
