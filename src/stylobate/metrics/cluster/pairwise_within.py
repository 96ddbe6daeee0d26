"""Dissimilarity within clusters, summed over pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.data import read_table
from stylobate.distances import measured
from stylobate.exceptions import InvalidDataError


def within_cluster_dissimilarity(X: Any, labels: Any, *, metric: Any = "sqeuclidean") -> float:
    r"""W(C): half the sum over clusters of the mean dissimilarity of a row to those of its cluster.

    .. math:: W(C) = \sum_k \frac{1}{2 |C_k|} \sum_{i, j \in C_k} d(x_i, x_j)

    Of squared Euclidean distances it is what k-means minimises, the sum of squared distances to
    the centres; unlike that it needs no centres, and so it is there for any dissimilarity.

    Parameters
    ----------
    X : array-like of shape (n, p), or (n, n) with metric="precomputed"
        Rows, or dissimilarities.
    labels : array-like of shape (n,)
        The cluster of each row.
    metric : str or metric, default="sqeuclidean"
        Any of `stylobate.distances`, or "precomputed".

    Returns
    -------
    float

    Examples
    --------
    >>> within_cluster_dissimilarity([[0.0], [2.0], [10.0]], [0, 0, 1])
    2.0
    >>> within_cluster_dissimilarity([[0.0], [2.0], [10.0]], [0, 0, 1], metric="manhattan")
    1.0

    References
    ----------
    Hastie, Tibshirani & Friedman (2009), The Elements of Statistical Learning, section 14.3.5.
    """
    owner = "within_cluster_dissimilarity"
    rows = np.asarray(read_table(X, owner=owner, accept_sparse=False).x, dtype=np.float64)
    given = isinstance(metric, str) and metric == "precomputed"
    if given and rows.shape[0] != rows.shape[1]:
        raise InvalidDataError(f"{owner}: X has shape {rows.shape}; all pairs are needed.")
    kinds, codes = np.unique(np.asarray(labels), return_inverse=True)
    if len(codes) != len(rows):
        raise InvalidDataError(f"{owner}: {len(codes)} labels for {len(rows)} rows; give one each.")
    total = 0.0
    for number in range(len(kinds)):
        own = np.flatnonzero(codes == number)
        if given:
            pairs = rows[np.ix_(own, own)]
        else:
            part = np.ascontiguousarray(rows[own])
            pairs = np.asarray(measured(part, part, metric).write())
        total += float(pairs.sum()) / (2.0 * len(own))
    return total
