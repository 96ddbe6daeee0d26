"""The coordinates of polynomial kernels, weighted so that inner products come out right."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb, factorial

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError

_MOST = 10**7  # columns; the kernel itself needs none of them


def weighted_monomials(x: Array, degree: int, constant: float) -> Array:
    r"""φ(x) with :math:`\phi(x)^T\phi(y) = (x^T y + c)^d`.

    The multinomial theorem gives the product :math:`\prod_j x_j^{n_j}` the weight
    :math:`\sqrt{d! / (n_0!\, n_1! \cdots n_p!)}`, where :math:`n_0` counts factors :math:`\sqrt c`.

    Examples
    --------
    >>> weighted_monomials(np.array([[2.0, 3.0]]), 2, 1.0).round(3)
    array([[4.   , 8.485, 2.828, 9.   , 4.243, 1.   ]])
    """
    columns = x if constant == 0.0 else np.column_stack([x, np.full(len(x), np.sqrt(constant))])
    p = columns.shape[1]
    count = comb(p + degree - 1, degree)
    if count > _MOST:
        raise InvalidDataError(
            f"Polynomial: φ has {count:,} coordinates for {x.shape[1]} columns, degree {degree}; "
            "use the kernel itself, or stylobate.kernel_approximation."
        )
    out = np.empty((len(x), count))
    for place, chosen in enumerate(combinations_with_replacement(range(p), degree)):
        repeats = np.unique(chosen, return_counts=True)[1]
        ways = factorial(degree)
        for n in repeats:
            ways //= factorial(int(n))
        np.prod(columns[:, chosen], axis=1, out=out[:, place])
        out[:, place] *= np.sqrt(ways)
    return out
