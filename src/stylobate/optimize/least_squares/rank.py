"""Which columns are combinations of earlier ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array

EPS = float(np.finfo(np.float64).eps)
FADING_CUTOFF = 1e-6  # of the largest singular value, where they fade into rounding without a gap
_LEAST_ROUNDINGS = 64  # of the largest singular value, that a small table may have


def rank_tolerance(n_rows: int) -> float:
    """Distance from the earlier columns, relative to a column's length, that is only rounding."""
    return 32.0 * EPS * float(np.sqrt(max(n_rows, 1)))


def svd_tolerance(n_rows: int, n_columns: int) -> float:
    """Singular value, relative to the largest, that is only rounding: no more than LAPACK's."""
    return min(rank_tolerance(n_rows), EPS * max(n_rows, n_columns, _LEAST_ROUNDINGS))


def aliased_columns(r: Array, tolerance: float) -> NDArray[np.intp]:
    """Indices of columns that depend linearly on the columns before them.

    Goes through the columns of a triangular factor in order, takes from each its projection on the
    independent ones so far (twice, for full orthogonality), and calls it aliased if nothing but
    rounding is left. A column of zeros is aliased.

    Parameters
    ----------
    r : array (m, p)
        Triangular factor of the (centred) columns: same lengths and angles as the columns.
    tolerance : float
        Distance from the earlier columns, relative to a column's length, that is only rounding.

    Examples
    --------
    >>> x = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    >>> aliased_columns(x, 1e-12)  # the second is twice the first
    array([1])
    """
    length = np.sqrt((r**2).sum(axis=0))
    basis = np.zeros((len(r), 0))
    aliased = []
    for j in range(r.shape[1]):
        rest = np.zeros(len(r)) if length[j] == 0 else r[:, j] / length[j]
        for _ in range(2):
            rest = rest - basis @ (basis.T @ rest)
        distance = float(np.linalg.norm(rest))
        if distance <= tolerance:
            aliased.append(j)
        else:
            basis = np.column_stack([basis, rest / distance])
    return np.array(aliased, dtype=np.intp)
