"""Dunn's index: the gap between clusters against their width."""

from __future__ import annotations

from typing import Any

from stylobate.metrics.cluster.clustered_rows import read_clustered
from stylobate.metrics.cluster.labelings import read_clusters
from stylobate.metrics.cluster.parts import clusterings_of


def dunn_score(X: Any, labels: Any, *, metric: Any = "euclidean", **kwds: Any) -> float:
    r"""The least distance between rows of two clusters over the largest within one.

    .. math:: \frac{\min_{k \ne l} \min_{i \in k, j \in l} d(x_i, x_j)}
              {\max_k \max_{i, j \in k} d(x_i, x_j)}

    One row far from the others decides it: a strict score, for clusters that are cleanly apart.

    Parameters
    ----------
    X : table-like of shape (n, p), or distances of shape (n, n)
        Rows, or with ``metric="precomputed"`` their distances.
    labels : array-like of shape (n,)
        The cluster of each row; 2 to n - 1 clusters.
    metric : str, callable or Metric, default="euclidean"
        As of `pairwise_distances`.
    **kwds
        Parameters of the metric.

    Returns
    -------
    float
        At least 0, more is better; more than 1 means that clusters are further apart than wide.
        Infinite where rows of a cluster are all equal and clusters differ.

    References
    ----------
    Dunn (1974), Well-separated clusters and optimal fuzzy partitions.

    Examples
    --------
    >>> dunn_score([[0.0], [1.0], [4.0], [5.0]], [0, 0, 1, 1])
    3.0
    """
    rows = read_clustered(X, metric, kwds, "dunn_score")
    diameters, separations = rows.extents(clusterings_of([read_clusters(labels, rows.count)]))
    return dunn_of(float(diameters[0]), float(separations[0]))


def dunn_of(diameter: float, separation: float) -> float:
    """The index from the largest distance within and the least between clusters."""
    if diameter > 0.0:
        return separation / diameter
    return float("inf") if separation > 0.0 else 0.0
