"""The points between which an isotonic fit is a straight line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array


@dataclass(frozen=True, slots=True, eq=False)
class PooledRows:
    """Rows in the order of x, those of (nearly) equal x as one: mean target, sum of weights."""

    x: NDArray[Any]
    y: Array
    weights: Array


def pooled_rows(x: NDArray[Any], y: Array, weights: Array | None) -> PooledRows:
    """Sort by x and join what is closer than the resolution of its precision.

    As scikit-learn does it: a group holds what lies less than 1e-15 (single precision: 1e-6) above
    its first x. Rows of one group are added in an order that does not depend on theirs.

    >>> pooled = pooled_rows(np.array([2.0, 1.0, 2.0]), np.array([5.0, 0.0, 7.0]), None)
    >>> pooled.x, pooled.y, pooled.weights
    (array([1., 2.]), array([0., 6.]), array([1., 2.]))
    """
    resolution = np.finfo(x.dtype).resolution
    order = np.argsort(x)
    apart = np.diff(x[order]) >= resolution
    if not apart.all():
        order = _order_with_ties(x, y, order) if weights is None else np.lexsort((weights, y, x))
    x, y = x[order], y[order]
    weights = np.ones(len(x)) if weights is None else weights[order]
    if apart.all():
        return PooledRows(x, y, weights)
    starts = _starts(x, apart, resolution)
    totals = np.add.reduceat(weights, starts)
    return PooledRows(x[starts], np.add.reduceat(weights * y, starts) / totals, totals)


def _order_with_ties(x: NDArray[Any], y: Array, order: NDArray[np.intp]) -> NDArray[np.intp]:
    """By x, then y, given some order by x: two sorts of plain numbers beat one of pairs."""
    n = len(x)
    key, rank = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    key[order] = np.cumsum(np.diff(x[order], prepend=x[order[0]]) > 0) * n
    rank[np.argsort(y)] = np.arange(n)
    return np.argsort(key + rank)


def _starts(x: NDArray[Any], apart: NDArray[np.bool_], resolution: float) -> NDArray[np.intp]:
    """Where groups begin; a chain of near values longer than the resolution is cut."""
    starts = np.concatenate([[0], np.flatnonzero(apart) + 1])
    ends = np.append(starts[1:], len(x))
    more: list[int] = []
    for first, end in zip(starts.tolist(), ends.tolist(), strict=True):
        begin = first
        while x[end - 1] - x[begin] >= resolution:
            begin += int(np.searchsorted(x[begin:end] - x[begin], resolution))
            more.append(begin)
    return np.sort(np.concatenate([starts, np.array(more, dtype=np.intp)]))


def without_middles(x: NDArray[Any], y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The same function with fewer points: those inside a level part are left out.

    >>> without_middles(np.arange(4.0), np.array([1.0, 1.0, 1.0, 2.0]))
    (array([0., 2., 3.]), array([1., 1., 2.]))
    """
    kept = np.ones(len(y), dtype=bool)
    kept[1:-1] = (y[1:-1] != y[:-2]) | (y[1:-1] != y[2:])
    return x[kept], y[kept]
