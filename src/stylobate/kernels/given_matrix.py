"""Kernel matrices that a caller computed."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidDataError

_BLOCK_ENTRIES = 1 << 21  # compared at one time
_ASYMMETRY = 1e-5  # of the largest entry: what rounding to single precision leaves


def refuse_asymmetric(matrix: Any, owner: str) -> None:
    """Refuse a square kernel matrix, dense or sparse, that is not symmetric.

    >>> refuse_asymmetric(np.eye(2), "example")
    """
    if is_sparse(matrix):
        apart = abs(matrix - matrix.T).tocoo()
        sizes, limit = apart.data, _ASYMMETRY * float(abs(matrix).max()) if matrix.nnz else 0.0
        if len(sizes) and sizes.max() > limit:
            place = int(sizes.argmax())
            _refuse(matrix, int(apart.coords[0][place]), int(apart.coords[1][place]), owner)
        return
    step = max(1, _BLOCK_ENTRIES // max(len(matrix), 1))
    limit = _ASYMMETRY * float(np.abs(matrix).max(initial=0.0))
    for start in range(0, len(matrix), step):
        differences: Array = np.abs(
            matrix[start : start + step] - matrix[:, start : start + step].T
        )
        if differences.max(initial=0.0) > limit:
            i, j = np.unravel_index(int(differences.argmax()), differences.shape)
            _refuse(matrix, int(i) + start, int(j), owner)


def _refuse(matrix: Any, i: int, j: int, owner: str) -> None:
    raise InvalidDataError(
        f"{owner}: the kernel matrix is not symmetric: entry ({i}, {j}) is {matrix[i, j]:.6g} and "
        f"entry ({j}, {i}) is {matrix[j, i]:.6g}; (K + K.T) / 2 would be."
    )
