"""Matrices that should be symmetric with no eigenvalue below 0, up to rounding."""

from __future__ import annotations

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.exceptions import NumericalError


def checked_eigenvalues(values: Array, *, single: bool = False) -> Array:
    """Eigenvalues of a matrix that should have none below 0; those of rounding become 0.

    Parameters
    ----------
    values : array of shape (k,)
    single : bool, default=False
        Whether the matrix came in single precision.

    Examples
    --------
    >>> import numpy as np
    >>> checked_eigenvalues(np.array([2.0, 1e-16, -1e-17]))
    array([2., 0., 0.])
    """
    negative, tiny, small = (5e-3, 1e-6, 2e-7) if single else (1e-5, 1e-10, 1e-12)
    if len(values) == 0:
        return values
    largest, least = float(values.max()), float(values.min())
    if largest < 0:
        raise NumericalError(
            f"KernelPCA: All eigenvalues are negative (maximum is {largest:g}): the kernel is not "
            "positive semi-definite on these points."
        )
    if least < -negative * largest and least < -tiny:
        raise NumericalError(
            f"KernelPCA: There are significant negative eigenvalues ({-least / largest:g} of the "
            "maximum positive): the kernel is not positive semi-definite on these points; take "
            "fewer components, or another kernel."
        )
    return np.where(values < small * largest, 0.0, np.maximum(values, 0.0))


def symmetric(matrix: Array) -> Array:
    """The matrix; of one that is not symmetric the mean with its transpose.

    >>> import numpy as np
    >>> symmetric(np.array([[1.0, 2.0], [4.0, 1.0]]))
    array([[1., 3.],
           [3., 1.]])
    """
    least, most, worst = _core.symmetry(np.ascontiguousarray(matrix, dtype=np.float64))
    return (matrix + matrix.T) / 2.0 if worst > 1e-10 * max(most, -least) else matrix
