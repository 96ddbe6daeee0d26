"""The minimum cut of a weighted graph."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError


class MinimumCut(NamedTuple):
    """The least weight of edges between two parts, and which vertices are in the smaller one."""

    value: float
    labels: NDArray[np.intp]


def minimum_cut(affinity: Any) -> MinimumCut:
    r"""The division of a graph in two parts with the least weight of edges between them.

    .. math:: \min_{A \ne \emptyset, V} \; \sum_{i \in A, j \notin A} w_{ij}

    It often cuts off a single vertex: the reason to divide by the sizes of the parts
    (`cut_values`, `SpectralClustering`). Exact, by n − 1 orderings of all vertices: n³ steps.

    Parameters
    ----------
    affinity : array-like of shape (n, n)
        Weights, symmetric and not negative; the diagonal is not looked at.

    Returns
    -------
    MinimumCut
        `value`, and `labels`: 1 for the smaller part.

    Examples
    --------
    >>> W = [[0, 3, 1, 0], [3, 0, 1, 0], [1, 1, 0, 1.5], [0, 0, 1.5, 0]]
    >>> minimum_cut(W)
    MinimumCut(value=1.5, labels=array([0, 0, 0, 1]))

    References
    ----------
    Stoer & Wagner (1997), A simple min-cut algorithm, Journal of the ACM 44.
    """
    weights = np.array(read_table(affinity, owner="minimum_cut").x, dtype=np.float64)
    n = len(weights)
    square = weights.ndim == 2 and weights.shape == (n, n) and n >= 2
    if not square or not np.allclose(weights, weights.T) or weights.min() < 0.0:
        raise InvalidDataError(
            f"minimum_cut: affinity must be a symmetric matrix of at least two vertices without "
            f"negative weights, got shape {weights.shape}."
        )
    np.fill_diagonal(weights, 0.0)
    members = [[vertex] for vertex in range(n)]
    best, part = np.inf, [0]
    left = np.arange(n)
    while len(left) > 1:
        before, last, value = _last_two(weights[np.ix_(left, left)])
        s, t = int(left[before]), int(left[last])
        if value < best:
            best, part = value, list(members[t])
        weights[s] += weights[t]  # the two become one vertex
        weights[:, s] = weights[s]
        weights[s, s] = 0.0
        members[s] += members[t]
        left = np.delete(left, last)
    labels = np.zeros(n, dtype=np.intp)
    labels[part] = 1
    return MinimumCut(float(best), labels if 2 * labels.sum() <= n else 1 - labels)


def _last_two(weights: Array) -> tuple[int, int, float]:
    """The last two vertices when each next one is the most tightly joined to those before."""
    n = len(weights)
    joined, free = weights[0].copy(), np.ones(n, dtype=bool)
    free[0] = False
    before, last = 0, 0
    for _ in range(n - 1):
        before, last = last, int(np.argmax(np.where(free, joined, -1.0)))
        value = float(joined[last])
        free[last] = False
        joined = joined + weights[last]
    return before, last, value
