"""How well a hierarchy keeps the distances it was made from."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.cluster.hierarchy.condensed import read_condensed
from stylobate.cluster.hierarchy.matrix import children_of, leaf_ranges, read_linkage
from stylobate.exceptions import InvalidDataError


def cophenet(Z: Any, Y: Any = None) -> Any:
    r"""Cophenetic distances: the height at which two rows come together.

    With the distances Y of the rows, also their correlation with the cophenetic ones

    .. math:: c = \frac{\sum (d_{ij} - \bar d)(t_{ij} - \bar t)}
        {\sqrt{\sum (d_{ij} - \bar d)^2 \sum (t_{ij} - \bar t)^2}}

    which is 1 for a hierarchy that keeps them exactly.

    Parameters
    ----------
    Z : array of shape (n − 1, 4)
        Of `linkage`.
    Y : array of shape (n(n − 1)/2,), default=None
        Distances of the pairs, the upper triangle of their matrix row by row.

    Returns
    -------
    correlation : float, only if Y is given
        NaN where all distances are equal.
    distances : array of shape (n(n − 1)/2,)
        Cophenetic ones.

    Examples
    --------
    >>> from stylobate.cluster import linkage
    >>> cophenet(linkage([[0.0], [1.0], [5.0]], "single"))
    array([1., 4., 4.])
    """
    matrix = read_linkage(Z, "cophenet")
    n = len(matrix) + 1
    order, begin, end = leaf_ranges(matrix)
    square = np.zeros((n, n))  # between places of the dendrogram
    for (a, b), height in zip(children_of(matrix).tolist(), matrix[:, 2].tolist(), strict=True):
        square[begin[a] : end[a], begin[b] : end[b]] = height
    place = np.empty(n, dtype=np.intp)
    place[order] = np.arange(n)
    out = np.empty(n * (n - 1) // 2)
    at = 0
    for i in range(n - 1):
        others = place[i + 1 :]
        low, high = np.minimum(place[i], others), np.maximum(place[i], others)
        out[at : at + n - i - 1] = square[low, high]
        at += n - i - 1
    if Y is None:
        return out
    distances, rows = read_condensed(Y, "cophenet")
    if rows != n:
        raise InvalidDataError(f"cophenet: Y has the pairs of {rows} rows, Z joins {n}.")
    return _correlation(distances, out), out


def _correlation(a: Array, b: Array) -> float:
    x, y = a - a.mean(), b - b.mean()
    length = np.sqrt((x @ x) * (y @ y))
    return float(x @ y / length) if length > 0.0 else float("nan")
