"""Cholesky factors of large matrices: blocks by LAPACK, updates of tiles by our own threads."""

from __future__ import annotations

from collections import deque

import numpy as np

from stylobate.arrays import Array
from stylobate.parallel import in_order, one_blas_thread

_WHOLE = 512  # columns that are factored faster than threads are started
_BLOCK = 128  # columns factored by LAPACK at a time
_TILE = 256  # columns of what is left, updated together


def upper_factor(a: Array, shift: float = 0.0, *, overwrite: bool = False) -> Array | None:
    r"""R with :math:`A + sI = R^\top R`, R upper triangular; None if that is not positive definite.

    Blocks of columns are factored in turn; each is taken off the rest in tiles, by as many threads
    as `get_threads` says, BLAS using one for each. Tiles depend on the size alone, so the bits are
    the same for any number of threads, ours or BLAS's; and Ctrl-C is heard between blocks.

    Parameters
    ----------
    a : array of shape (p, p)
        Symmetric; only its upper triangle is read.
    shift : float, default=0
        s, added to the diagonal.
    overwrite : bool, default=False
        Whether the factor may take the place of that triangle (of an array in Fortran's order);
        what is below the diagonal stays as it is, also where no factor is found.

    Returns
    -------
    array of shape (p, p) or None
        In Fortran's order; below the diagonal there is what `a` held or nothing of use.

    Examples
    --------
    >>> upper_factor(np.array([[4.0, 2.0], [2.0, 5.0]])).round(12)[0].tolist()
    [2.0, 1.0]

    References
    ----------
    Golub & Van Loan (2013), Matrix Computations, section 4.2.
    """
    from scipy.linalg.lapack import dpotrf

    p = len(a)
    with one_blas_thread():
        r = a if overwrite else np.array(a, dtype=np.float64, order="F")
        if shift:
            r.reshape(-1, order="F")[:: p + 1] += shift
        if p <= _WHOLE:
            found, info = dpotrf(r, lower=0, clean=0, overwrite_a=1)
            return None if info else np.asarray(found)
        for start in range(0, p, _BLOCK):
            block = slice(start, min(start + _BLOCK, p))
            corner, info = dpotrf(r[block, block], lower=0, clean=0)
            if info:
                return None
            r[block, block] = corner
            _take_off(r, block, corner)
        return r


def _take_off(r: Array, block: slice, corner: Array) -> None:
    """The rows of a factored block beyond its corner, and what they take off the matrix below."""
    from scipy.linalg.blas import dtrsm

    def finish(tile: slice) -> None:
        r[block, tile] = dtrsm(1.0, corner, r[block, tile], trans_a=1)

    def subtract(pair: tuple[slice, slice]) -> None:
        above, tile = pair
        taken = r[block, above].T @ r[block, tile]
        r[above, tile] -= np.triu(taken) if above == tile else taken

    tiles = [slice(at, min(at + _TILE, len(r))) for at in range(block.stop, len(r), _TILE)]
    pairs = [(above, tile) for k, tile in enumerate(tiles) for above in tiles[: k + 1]]
    deque(in_order(finish, tiles), maxlen=0)
    deque(in_order(subtract, pairs), maxlen=0)
