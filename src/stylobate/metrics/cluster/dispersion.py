"""Scores of the clusters' spread around their means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import read_table
from stylobate.distances import Euclidean
from stylobate.metrics.cluster.labelings import read_clusters

_SAME = 1e-8  # of the rows' spread: distances below are rounding


@dataclass(frozen=True, slots=True)
class Clusters:
    """Means and sizes of clusters, and the deviations of the rows (sorted by cluster)."""

    means: Array
    sizes: NDArray[np.int64]
    starts: NDArray[np.int64]
    deviations: Array

    def mean_by_cluster(self, values: Array) -> Array:
        """Of a number for each sorted row, the mean of each cluster."""
        return np.asarray(np.add.reduceat(values, self.starts) / self.sizes)


def calinski_harabasz_score(X: Any, labels: Any) -> float:
    r"""Variance between clusters over variance within: large where clusters are tight and apart.

    .. math:: \frac{\sum_k n_k \|\bar x_k - \bar x\|^2 / (K - 1)}
              {\sum_k \sum_{i \in k} \|x_i - \bar x_k\|^2 / (n - K)}

    Parameters
    ----------
    X : table-like of shape (n, p)
        Rows.
    labels : array-like of shape (n,)
        The cluster of each row; 2 to n - 1 clusters.

    Returns
    -------
    float
        At least 0; 1 by convention where rows of a cluster are all equal.

    References
    ----------
    Caliński & Harabasz (1974), A dendrite method for cluster analysis.

    Examples
    --------
    >>> calinski_harabasz_score([[0.0], [1.0], [4.0], [5.0]], [0, 0, 1, 1])
    32.0
    """
    return calinski_harabasz_of(clusters_of(X, labels, "calinski_harabasz_score"))


def davies_bouldin_score(X: Any, labels: Any) -> float:
    r"""How much clusters overlap with their most similar one, on average; less is better.

    .. math:: \frac{1}{K} \sum_k \max_{l \ne k} \frac{s_k + s_l}{\|\bar x_k - \bar x_l\|}

    with :math:`s_k` the mean distance of a cluster's rows to its mean.

    Parameters
    ----------
    X : table-like of shape (n, p)
        Rows.
    labels : array-like of shape (n,)
        The cluster of each row; 2 to n - 1 clusters.

    Returns
    -------
    float
        At least 0.

    References
    ----------
    Davies & Bouldin (1979), A cluster separation measure.

    Examples
    --------
    >>> round(davies_bouldin_score([[0.0], [1.0], [4.0], [5.0]], [0, 0, 1, 1]), 6)
    0.25
    """
    return davies_bouldin_of(clusters_of(X, labels, "davies_bouldin_score"))


def clusters_of(X: Any, labels: Any, owner: str) -> Clusters:
    """Means, sizes and deviations of the clusters of checked rows."""
    x = read_table(X, owner=owner, accept_sparse=False).x.astype(np.float64, copy=False)
    codes = read_clusters(labels, len(x))
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    rows = x[order] - x.mean(axis=0)  # centred first: sums of far rows would lose digits
    means = np.add.reduceat(rows, starts, axis=0) / sizes[:, None]
    return Clusters(means, sizes, starts, rows - np.repeat(means, sizes, axis=0))


def calinski_harabasz_of(clusters: Clusters) -> float:
    """`calinski_harabasz_score` of clusters that are known."""
    k, n = len(clusters.sizes), int(clusters.sizes.sum())
    between = float(clusters.sizes @ (clusters.means**2).sum(axis=1))
    within = float((clusters.deviations**2).sum())
    return 1.0 if within == 0.0 else between * (n - k) / (within * (k - 1.0))


def davies_bouldin_of(clusters: Clusters) -> float:
    """`davies_bouldin_score` of clusters that are known."""
    away = np.sqrt((clusters.deviations**2).sum(axis=1))
    spread = clusters.mean_by_cluster(away)
    apart = Euclidean().matrix(clusters.means, clusters.means)
    rounding = _SAME * min(1.0, max(float(away.max()), float(np.abs(clusters.means).max())))
    if (spread <= rounding).all() or (apart <= rounding).all():
        return 0.0
    apart[apart == 0.0] = np.inf
    return float(((spread[:, None] + spread) / apart).max(axis=1).mean())
