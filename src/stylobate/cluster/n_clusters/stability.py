"""Stability: whether other rows of the same table give the same clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.cluster.n_clusters.choice import CLEAR

THRESHOLD = 0.8  # from which a clustering is found again (Tibshirani & Walther say 0.8 to 0.9)
MARGIN = 0.1  # by which it is found again more often than clusters of rows without any


@dataclass(frozen=True, slots=True, eq=False)
class Stability:
    """How well clusterings of overlapping subsamples agree, for several numbers of clusters.

    Attributes
    ----------
    n_clusters : array of int of shape (m,)
    strength : array of shape (m, B)
        For each pair of subsamples the share of pairs of rows, together in one clustering, that
        stay together in the other: that of the worst cluster (see `prediction_strength`).
    adjusted_rand : array of shape (m, B)
        Adjusted Rand index of each pair.
    reference : array of shape (m, R)
        `strength` of rows without clusters.
    """

    n_clusters: Indices
    strength: Array
    adjusted_rand: Array
    reference: Array

    @property
    def mean(self) -> Array:
        """The mean strength of each number of clusters."""
        return np.asarray(self.strength.mean(axis=1))

    @property
    def standard_error(self) -> Array:
        """Of the mean strength, between pairs of subsamples."""
        return _standard_error(self.strength)

    @property
    def best(self) -> int:
        """The largest k found again (0.8 within a standard error) and more so than by chance.

        By chance means: than clusters of rows without any, by three standard errors (the largest of
        many is looked for) and a tenth. One cluster if there is no such k.
        """
        error = np.hypot(self.standard_error, _standard_error(self.reference))
        again = self.mean + self.standard_error >= THRESHOLD
        real = self.mean - self.reference.mean(axis=1) > np.maximum(CLEAR * error, MARGIN)
        good = self.n_clusters[again & real & (self.n_clusters > 1)]
        return int(good[-1]) if len(good) else 1


def _standard_error(values: Array) -> Array:
    """Of the mean of each row."""
    if values.shape[1] < 2:
        return np.zeros(len(values))
    return np.asarray(values.std(axis=1, ddof=1) / np.sqrt(values.shape[1]))


def prediction_strength(counts: Array) -> float:
    r"""Of the worst cluster, the share of its pairs of rows that the other clustering keeps.

    .. math:: \min_i \frac{\sum_j n_{ij} (n_{ij} - 1)}{n_i (n_i - 1)}

    with :math:`n_{ij}` rows in cluster i of one and j of the other clustering. Clusters of one row
    have no pairs and count as lost, for nothing says that they would be found again.

    Parameters
    ----------
    counts : array of shape (k, l)
        What `stylobate.metrics.cluster.contingency_matrix` gives.

    References
    ----------
    Tibshirani & Walther (2005), Cluster validation by prediction strength. Ben-Hur, Elisseeff &
    Guyon (2002), A stability based method for discovering structure in clustered data.

    Examples
    --------
    >>> prediction_strength(np.array([[4.0, 0.0], [1.0, 3.0]]))
    0.5
    """
    sizes = counts.sum(axis=1)
    kept = (counts * (counts - 1.0)).sum(axis=1)
    pairs = sizes * (sizes - 1.0)
    shares = np.divide(kept, pairs, out=np.zeros_like(kept), where=pairs > 0.0)
    return float(shares.min())


def symmetric_strength(counts: Array) -> float:
    """The smaller prediction strength of the two directions, so that the order does not matter."""
    return min(prediction_strength(counts), prediction_strength(counts.T))


def overlapping_subsamples(n: int, share: float, draw: np.random.Generator) -> tuple[Indices, ...]:
    """Two subsamples of a share of n rows, and the rows they have in common, in order."""
    size = max(round(share * n), 2)
    one, other = (np.sort(draw.permutation(n)[:size]) for _ in range(2))
    return one, other, np.intersect1d(one, other, assume_unique=True)
