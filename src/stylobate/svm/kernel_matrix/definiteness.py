"""Whether a kernel matrix that was given is positive semidefinite, as far as can be afforded."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.blocked_cholesky import upper_factor
from stylobate.optimize.partial_cholesky import partial_factor
from stylobate.parallel import blas_for

SMALL = 2000  # rows, whose factor takes a few hundredths of a second
ROUNDING = 1e-9  # of the largest diagonal entry: below 0 by no more than that is not seen
FEW_COLUMNS = 500  # of a factor that is tried first
_ROWS = 512  # compared with such a factor at a time


def is_semidefinite(matrix: Array, weights: Array, memory: float = 2e8) -> bool | None:
    r"""True if no :math:`d^TKd` is negative, False if one is, None if only a part was looked at.

    Between two feasible points of a dual, :math:`\beta` and :math:`\beta + d`, lies the term
    :math:`-\tfrac12 d^TKd`: the gap bounds what can be gained only if it is never positive. A
    Cholesky factor of K (with 1e-9 of its largest diagonal entry added) proves it. Of more than
    2,000 rows a factor of few columns is tried first, which is enough for a matrix of low rank;
    then that of all columns, if it fits into `memory` (5,000 rows into 200 MB). Else the 2,000 rows
    with the largest weights are looked at: what is wrong there is wrong in the whole, what is right
    there proves nothing.

    Parameters
    ----------
    matrix : array of shape (n, n)
        K, symmetric.
    weights : array of shape (n,)
        Coefficients of the rows.
    memory : float, default=2e8
        Bytes that a factor may take.

    Examples
    --------
    >>> is_semidefinite(np.eye(2), np.ones(2)), is_semidefinite(np.eye(2)[::-1], np.ones(2))
    (True, False)
    """
    n = len(matrix)
    if n <= SMALL:
        return _has_factor(matrix)
    found = _few_columns(matrix, min(FEW_COLUMNS, n // 8, int(memory / (8 * n))))
    if found is not None:
        return found
    if 8 * n * n <= memory:
        return _has_factor(matrix)
    chosen = np.sort(np.argsort(-np.abs(weights), kind="stable")[:SMALL])
    return None if _has_factor(matrix[np.ix_(chosen, chosen)]) else False


def _slack(matrix: Array) -> float:
    largest = float(np.abs(np.diagonal(matrix)).max(initial=0.0))
    return max(ROUNDING * largest, 1e-300)


def _has_factor(matrix: Array) -> bool:
    return upper_factor(matrix, _slack(matrix)) is not None


def _few_columns(matrix: Array, most: int) -> bool | None:
    """The same for a matrix of low rank: what its factor leaves is compared entry by entry.

    No eigenvalue of K is below minus the Frobenius norm of what is left.
    """
    if most < 1:
        return None
    slack = _slack(matrix)
    with blas_for(len(matrix)):
        factor, left = partial_factor(matrix, most, 0.5 * slack)
        if left.min() < -slack:
            return False
        if np.maximum(left, 0.0).sum() > 0.5 * slack:
            return None
        squares = 0.0
        for start in range(0, len(matrix), _ROWS):
            part = slice(start, start + _ROWS)
            rest = matrix[part] - factor[:, part].T @ factor
            squares += float(np.vdot(rest, rest))
            if squares > slack**2:
                return None
    return True
