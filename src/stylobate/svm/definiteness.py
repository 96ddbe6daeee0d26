"""Whether a kernel matrix that was given is positive semidefinite, as far as can be afforded."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.parallel import blas_for

MOST_ROWS = 2000  # whose factor takes a few hundredths of a second
ROUNDING = 1e-9  # of the largest diagonal entry: below 0 by no more than that is not seen


def is_semidefinite(matrix: Array, weights: Array) -> bool | None:
    r"""True if no :math:`d^TKd` is negative, False if one is, None if only a part was looked at.

    Between two feasible points of a dual, :math:`\beta` and :math:`\beta + d`, lies the term
    :math:`-\tfrac12 d^TKd`: the gap bounds what can be gained only if it is never positive. A
    Cholesky factor of K (with 1e-9 of its largest diagonal entry added) proves it. Of more than
    2,000 rows the 2,000 with the largest weights are looked at: what is wrong there is wrong in
    the whole, what is right there proves nothing.

    Parameters
    ----------
    matrix : array of shape (n, n)
        K, symmetric.
    weights : array of shape (n,)
        Coefficients of the rows.

    Examples
    --------
    >>> is_semidefinite(np.eye(2), np.ones(2)), is_semidefinite(np.eye(2)[::-1], np.ones(2))
    (True, False)
    """
    part = matrix
    if len(matrix) > MOST_ROWS:
        chosen = np.sort(np.argsort(-np.abs(weights), kind="stable")[:MOST_ROWS])
        part = matrix[np.ix_(chosen, chosen)]
    if not _has_factor(part):
        return False
    return True if part is matrix else None


def _has_factor(matrix: NDArray[np.float64]) -> bool:
    from scipy.linalg import lapack

    largest = float(np.abs(np.diagonal(matrix)).max(initial=0.0))
    shifted = np.array(matrix, order="F")
    shifted.reshape(-1, order="F")[:: len(matrix) + 1] += max(ROUNDING * largest, 1e-300)
    with blas_for(len(matrix)):
        return bool(lapack.dpotrf(shifted, lower=1, clean=0, overwrite_a=1)[1] == 0)
