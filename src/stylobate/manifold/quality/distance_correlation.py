"""How far distances in a map mean distances in the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array, Integers
from stylobate.manifold.row_distances import RowDistances

_PERMUTATIONS = 20


@dataclass(frozen=True, slots=True)
class DistanceCorrelation:
    """Correlations of the distances of sampled pairs in two spaces.

    Parameters
    ----------
    spearman, pearson : float
        Of ranks, and of the distances themselves; 0 where one of the two does not vary.
    permuted, standard_error : float
        The mean Spearman correlation when rows of the map are exchanged at random, and its
        standard error (Mantel's permutations).
    pairs : int
        How many pairs.
    """

    spearman: float
    pearson: float
    permuted: float
    standard_error: float
    pairs: int


def distance_correlation(
    first: RowDistances, second: RowDistances, rows: Integers, draws: np.random.RandomState
) -> DistanceCorrelation:
    """Correlations over all pairs of `rows`.

    >>> from stylobate.manifold.row_distances import read_rows
    >>> line = read_rows([[0.0], [1.0], [3.0], [7.0]], "euclidean", "example")
    >>> distance_correlation(line, line, np.arange(4), np.random.RandomState(0)).pearson
    1.0

    References
    ----------
    Mantel (1967), The detection of disease clustering and a generalized regression approach.
    """
    pairs = np.triu_indices(len(rows), 1)
    a, b = first.among(rows)[pairs], second.among(rows)[pairs]
    rank_a, rank_b = mean_ranks(a), mean_ranks(b)
    ranks = np.zeros((len(rows), len(rows)))
    ranks[pairs] = rank_b
    ranks += ranks.T
    by_chance = []
    for _ in range(_PERMUTATIONS):
        order = draws.permutation(len(rows))
        by_chance.append(correlation(rank_a, ranks[np.ix_(order, order)][pairs]))
    error = float(np.std(by_chance, ddof=1)) / _PERMUTATIONS**0.5
    return DistanceCorrelation(
        correlation(rank_a, rank_b),
        correlation(a, b),
        float(np.mean(by_chance)),
        error,
        len(pairs[0]),
    )


def correlation(a: Array, b: Array) -> float:
    """Pearson's correlation, 0 where one side does not vary.

    >>> correlation(np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 2.0]))
    0.0
    """
    if not len(a):
        return 0.0
    u, v = a / (np.abs(a).max() or 1.0), b / (np.abs(b).max() or 1.0)  # squares stay in range
    u, v = u - u.mean(), v - v.mean()
    size = float(np.sqrt(u @ u) * np.sqrt(v @ v))
    if size <= 1e-15 * len(u):
        return 0.0
    return float(np.clip(u @ v / size, -1.0, 1.0))


def mean_ranks(values: Array) -> Array:
    """Ranks from 1 on, equal values with the mean of theirs.

    >>> mean_ranks(np.array([3.0, 1.0, 3.0]))
    array([2.5, 1. , 2.5])
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2.0)[place], dtype=np.float64)
