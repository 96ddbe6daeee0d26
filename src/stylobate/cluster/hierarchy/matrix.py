"""Reading a linkage matrix: checks, members, the order of the leaves."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.exceptions import InvalidDataError


def read_linkage(Z: Any, owner: str) -> Array:
    """A checked linkage matrix: every row joins two clusters that are there and not yet joined."""
    matrix = np.ascontiguousarray(Z, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[1] != 4 or len(matrix) < 1:
        raise InvalidDataError(
            f"{owner}: a linkage matrix has shape (n − 1, 4), got {matrix.shape}."
        )
    n = len(matrix) + 1
    children = matrix[:, :2]
    known = np.isfinite(matrix).all() and np.all(children == np.floor(children))
    earlier = children < np.arange(n, 2 * n - 1)[:, None]
    if not known or not earlier.all() or children.min() < 0 or np.any(matrix[:, 2] < 0):
        raise InvalidDataError(
            f"{owner}: row k of a linkage matrix joins two clusters numbered below n + k at a "
            "height that is finite and not negative."
        )
    if len(np.unique(children)) != children.size:
        raise InvalidDataError(f"{owner}: a cluster of the linkage matrix is joined twice.")
    return matrix


def children_of(matrix: Array) -> Indices:
    """The two clusters each row joins."""
    return np.ascontiguousarray(matrix[:, :2]).astype(np.intp)


def leaf_ranges(matrix: Array) -> tuple[Indices, Indices, Indices]:
    """Leaves from left to right, and the range of them below each cluster.

    Examples
    --------
    >>> order, begin, end = leaf_ranges(np.array([[0, 2, 1.0, 2], [1, 3, 2.0, 3]]))
    >>> order, int(begin[3]), int(end[3])
    (array([1, 0, 2]), 1, 3)
    """
    n = len(matrix) + 1
    children = children_of(matrix)
    sizes = np.ones(2 * n - 1, dtype=np.intp)
    for k, (a, b) in enumerate(children.tolist()):
        sizes[n + k] = sizes[a] + sizes[b]
    begin = np.zeros(2 * n - 1, dtype=np.intp)
    for k in range(n - 2, -1, -1):
        a, b = children[k]
        begin[a] = begin[n + k]
        begin[b] = begin[n + k] + sizes[a]
    order = np.empty(n, dtype=np.intp)
    order[begin[:n]] = np.arange(n)
    return order, begin, begin + sizes
