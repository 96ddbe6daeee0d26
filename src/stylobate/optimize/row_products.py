"""Products of rows with a matrix, whose bits no number of threads changes."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.parallel import in_order, one_blas_thread

_ROWS = 256  # rows multiplied together
_MANY = 1 << 25  # multiplications from which threads are worth their start


def row_products(x: Any, matrix: Any) -> Array:
    """X M for dense rows X, in blocks of rows by as many threads as `get_threads` says.

    Each block is one product by one thread of BLAS. The blocks do not depend on the number of
    threads, so neither do the bits.

    Parameters
    ----------
    x : array of shape (n, p)
    matrix : array of shape (p, k)

    Returns
    -------
    array of shape (n, k)

    Examples
    --------
    >>> row_products(np.eye(2), np.array([[1.0], [2.0]])).tolist()
    [[1.0], [2.0]]
    """
    n, p = x.shape
    answer = np.empty((n, matrix.shape[1]), dtype=np.result_type(x, matrix))
    blocks = [slice(start, min(start + _ROWS, n)) for start in range(0, n, _ROWS)]

    def multiply(block: slice) -> None:
        np.matmul(x[block], matrix, out=answer[block])

    with one_blas_thread():
        if n * p * matrix.shape[1] < _MANY:
            for block in blocks:
                multiply(block)
        else:
            for _ in in_order(multiply, blocks):
                pass
    return answer
