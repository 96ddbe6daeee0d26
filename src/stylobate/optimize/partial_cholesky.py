"""Cholesky factors of few columns: of matrices whose rank, up to rounding, is low."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array, Integers

_BLOCK = 64  # pivots taken at a time
_KEPT = 1e-3  # of a block's largest pivot: smaller ones wait for a later block


def partial_factor(matrix: Array, most: int, tolerance: float) -> tuple[Array, Array]:
    r"""Rows F with :math:`K \approx F^\top F`, by the largest pivots, and the diagonal left over.

    It ends when what is left of the diagonal sums to no more than `tolerance`, has an entry below
    minus that (K is then not positive semidefinite), or after `most` rows. A small diagonal says
    that all of :math:`K - F^\top F` is small only if K is semidefinite.

    Parameters
    ----------
    matrix : array of shape (n, n)
        K, symmetric; only the rows of the pivots are read.
    most : int in [1, n]
        Rows of F at the most.
    tolerance : float in [0, inf)
        Of the sum of the diagonal.

    Returns
    -------
    factor : array of shape (r, n)
    left : array of shape (n,)

    Examples
    --------
    >>> x = np.arange(8.0).reshape(4, 2)
    >>> factor, left = partial_factor(x @ x.T, 4, 1e-9)
    >>> factor.shape, bool(np.allclose(factor.T @ factor, x @ x.T))
    ((2, 4), True)

    References
    ----------
    Harbrecht, Peters & Schneider (2012), On the low-rank approximation by the pivoted Cholesky
    decomposition, Applied Numerical Mathematics 62.
    """
    left = np.array(np.diagonal(matrix), dtype=np.float64)
    factor = np.empty((most, len(matrix)))
    rank = 0
    while rank < most and float(np.maximum(left, 0.0).sum()) > tolerance:
        if left.min() < -tolerance:
            break
        largest = np.argsort(-left, kind="stable")[: min(_BLOCK, most - rank)]
        pivots = largest[left[largest] > 0.0]
        rows = matrix[pivots] - factor[:rank, pivots].T @ factor[:rank]
        new, chosen = _factored(rows, pivots)
        factor[rank : rank + len(new)] = new
        rank += len(new)
        left -= np.einsum("ij,ij->j", new, new)
        left[chosen] = 0.0
    return factor[:rank], left


def _factored(rows: Array, pivots: Integers) -> tuple[Array, Integers]:
    """The rows of the factor that a block of pivots gives, and which of these were taken."""
    from scipy.linalg.lapack import dpstrf, dtrtrs

    corner = rows[:, pivots]
    upper, order, rank, _ = dpstrf(corner, tol=_KEPT * float(corner.diagonal().max()))
    taken = order[:rank] - 1
    new, _ = dtrtrs(upper[:rank, :rank], rows[taken], trans=1)
    return new, pivots[taken]
