"""Where bins end: equal widths, quantiles, the best k-means partition of a line."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array

_ROUNDING = 1e-12  # shares of the weight that agree to this many digits are the same


def weighted_quantiles(x: Array, weights: Array, shares: Array, *, average: bool) -> Array:
    """Quantiles of weighted values: a value of weight 3 counts as three values.

    Parameters
    ----------
    x, weights : arrays of shape (n,)
        Values and their positive weights.
    shares : array
        In [0, 1].
    average : bool
        Where the distribution function is flat at a share: the mean of both ends, or the lower.

    Examples
    --------
    >>> weighted_quantiles(np.array([1.0, 2.0, 4.0]), np.array([1.0, 1.0, 2.0]),
    ...                    np.array([0.0, 0.5, 1.0]), average=True)
    array([1., 3., 4.])
    """
    order = np.argsort(x, kind="stable")
    values, total = x[order], np.cumsum(weights[order])
    wanted = shares * total[-1]
    slack = _ROUNDING * total[-1]
    last = len(x) - 1
    low = np.minimum(np.searchsorted(total, wanted - slack, side="left"), last)
    if not average:
        return np.asarray(values[low])
    high = np.minimum(np.searchsorted(total, wanted + slack, side="right"), last)
    return np.asarray(values[low] / 2 + values[high] / 2)


def best_line_partition(x: Array, weights: Array, k: int) -> Array:
    r"""Centres of the k clusters of least total squared distance, exactly.

    On a line the clusters are intervals, so the best k of the first i values follow from the best
    k − 1 of fewer; the best cuts increase with i, which leaves O(n log n) candidates per cluster.
    Lloyd's iterations may end in a worse partition.

    Parameters
    ----------
    x, weights : arrays of shape (n,)
        Values and their positive weights.
    k : int
        How many; no more than there are distinct values.

    Examples
    --------
    >>> best_line_partition(np.array([0.0, 1.0, 9.0, 10.0, 11.0]), np.ones(5), 2)
    array([ 0.5, 10. ])

    References
    ----------
    Grønlund et al. (2017), Fast exact k-means, k-medians and Bregman divergence clustering in 1D.
    """
    values, inverse = np.unique(x, return_inverse=True)
    mass = np.bincount(inverse, weights, len(values))
    k = min(k, len(values))
    unit = (values[-1] - values[0]) or 1.0
    z = (values - np.average(values, weights=mass)) / unit  # squares keep their digits
    sums = [np.concatenate([[0.0], np.cumsum(mass * z**power)]) for power in (0, 1, 2)]
    ends = np.arange(len(z))
    best = _costs(sums, np.zeros_like(ends), ends)
    cuts: list[NDArray[np.intp]] = []
    for _ in range(1, k):
        best, cut = _next_layer(sums, best)
        cuts.append(cut)
    bounds = [len(z)]
    for cut in reversed(cuts):
        bounds.append(int(cut[bounds[-1] - 1]))
    bounds = [0, *bounds[:0:-1], len(z)] if cuts else [0, len(z)]
    return np.array(
        [np.average(values[a:b], weights=mass[a:b]) for a, b in pairwise(bounds) if b > a]
    )


def _costs(sums: list[Array], first: NDArray[np.intp], last: NDArray[np.intp]) -> Array:
    """Squared distances to their mean of the values first … last."""
    w, s, q = (each[last + 1] - each[first] for each in sums)
    return np.asarray(np.maximum(q - s * s / w, 0.0))


def _next_layer(sums: list[Array], before: Array) -> tuple[Array, NDArray[np.intp]]:
    """The best partitions with one cluster more, and where their last cluster begins.

    Ends in the middle of gaps are solved level by level; each has only the cuts between those of
    its neighbours to look at.
    """
    n = len(before)
    best, cut = np.full(n, np.inf), np.zeros(n, dtype=np.intp)
    spans = np.array([[0, n - 1, 0, n - 1]])  # first and last end, first and last cut to look at
    while len(spans):
        middle = (spans[:, 0] + spans[:, 1]) // 2
        high = np.minimum(spans[:, 3], middle)
        low = np.minimum(spans[:, 2], high)
        lengths = high - low + 1
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        candidates = np.arange(lengths.sum()) - np.repeat(starts - low, lengths)
        ends = np.repeat(middle, lengths)
        earlier = np.where(candidates > 0, before[candidates - 1], 0.0)
        cost = earlier + _costs(sums, candidates, ends)
        least = np.minimum.reduceat(cost, starts)
        hits = np.flatnonzero(cost == np.repeat(least, lengths))
        owner = np.searchsorted(starts, hits, side="right") - 1
        first = hits[np.searchsorted(owner, np.arange(len(middle)))]
        best[middle], cut[middle] = least, candidates[first]
        left = np.column_stack([spans[:, 0], middle - 1, spans[:, 2], cut[middle]])
        right = np.column_stack([middle + 1, spans[:, 1], cut[middle], spans[:, 3]])
        spans = np.concatenate([left, right])
        spans = spans[spans[:, 0] <= spans[:, 1]]
    return best, cut
