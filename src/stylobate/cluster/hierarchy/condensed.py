"""Dissimilarities of pairs: the upper triangle of their matrix, row by row."""

from __future__ import annotations

from math import isqrt
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.distances import Function, Metric, Precomputed
from stylobate.exceptions import InvalidDataError

_BLOCK = 1 << 22  # numbers of a block of the matrix


def read_condensed(values: Any, owner: str) -> tuple[Array, int]:
    """Given dissimilarities as a new array, and how many rows they are of.

    Examples
    --------
    >>> read_condensed([1.0, 2.0, 3.0], "linkage")
    (array([1., 2., 3.]), 3)
    """
    given = np.array(values, dtype=np.float64)
    n = (1 + isqrt(1 + 8 * given.size)) // 2
    if given.ndim != 1 or n < 2 or n * (n - 1) // 2 != given.size:
        raise InvalidDataError(
            f"{owner}: {given.size} dissimilarities are not the n(n − 1)/2 pairs of n rows; give "
            "the upper triangle of their matrix row by row, or the rows themselves."
        )
    refuse_unusable(given, owner)
    return given, n


def refuse_unusable(values: Array, owner: str) -> None:
    """NaN and infinities have no place in a hierarchy."""
    if not np.isfinite(values).all():
        raise InvalidDataError(
            f"{owner}: dissimilarities must be finite; {int((~np.isfinite(values)).sum())} are not."
        )


def upper_triangle(matrix: Any, owner: str) -> Array:
    """The pairs of a square matrix of dissimilarities."""
    square = np.asarray(matrix)
    if square.ndim != 2 or square.shape[0] != square.shape[1]:
        raise InvalidDataError(
            f"{owner}: with metric='precomputed' the distance matrix should be square, got shape "
            f"{square.shape}."
        )
    n = len(square)
    out = np.empty(n * (n - 1) // 2)
    at = 0
    for i in range(n - 1):
        out[at : at + n - i - 1] = square[i, i + 1 :]
        at += n - i - 1
    refuse_unusable(out, owner)
    return out


def pair_distances(x: Any, metric: Metric, owner: str) -> Array:
    """Distances of all pairs of rows, block by block, so that no square matrix is held."""
    if isinstance(metric, Precomputed):
        return upper_triangle(x, owner)
    if isinstance(metric, Function):
        return upper_triangle(metric.matrix(x, x), owner)
    learnt = metric.learnt(x)
    n = x.shape[0]
    out = np.empty(n * (n - 1) // 2)
    step = max(1, _BLOCK // n)
    at = 0
    for first in range(0, n - 1, step):
        last = min(first + step, n - 1)
        block = learnt.matrix(x[first:last], x[first + 1 :])
        for i in range(last - first):
            count = n - first - i - 1
            out[at : at + count] = block[i, i:]
            at += count
    refuse_unusable(out, owner)
    return out
