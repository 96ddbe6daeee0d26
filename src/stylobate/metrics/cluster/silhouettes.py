"""Silhouettes: how much nearer each row is to its own cluster than to the next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base.randomness import stream_of
from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.cluster.clustered_rows import ClusteredRows, read_clustered
from stylobate.metrics.cluster.labelings import named_labelings, read_clusters
from stylobate.metrics.cluster.parts import clusterings_of


def silhouette_samples(
    X: Any, labels: Any, *, metric: Any = "euclidean", **kwds: Any
) -> NDArray[Any]:
    r"""The silhouette of every row.

    .. math:: s = \frac{b - a}{\max(a, b)}

    with a the mean distance to the other rows of its cluster and b the least mean distance to the
    rows of another one: 1 deep inside, 0 on the border, negative nearer to another cluster. A row
    that is alone has 0. Exact; distances are summed as they are computed and never held.

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
    ndarray of shape (n,)

    References
    ----------
    Rousseeuw (1987), Silhouettes: a graphical aid to the interpretation and validation of cluster
    analysis.

    Examples
    --------
    >>> silhouette_samples([[0.0], [1.0], [4.0], [5.0]], [0, 0, 1, 1]).round(3)
    array([0.778, 0.714, 0.714, 0.778])
    """
    rows = read_clustered(X, metric, kwds, "silhouette_samples")
    values = _samples(rows, [read_clusters(labels, rows.count)])[0]
    return np.asarray(values, dtype=rows.dtype)


def silhouette_score(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    sample_size: int | None = None,
    random_state: Any = None,
    **kwds: Any,
) -> float:
    """The mean silhouette of all rows (see `silhouette_samples`).

    Parameters
    ----------
    X : table-like of shape (n, p), or distances of shape (n, n)
        Rows, or with ``metric="precomputed"`` their distances.
    labels : array-like of shape (n,)
        The cluster of each row; 2 to n - 1 clusters.
    metric : str, callable or Metric, default="euclidean"
        As of `pairwise_distances`.
    sample_size : int in [1, inf), default=None
        Only this many rows, drawn at random, and distances among them.
    random_state : int, RandomState or None, default=None
        Seed of the draw.
    **kwds
        Parameters of the metric.

    Returns
    -------
    float
        In [-1, 1]; more is better.

    Examples
    --------
    >>> round(silhouette_score([[0.0], [1.0], [4.0], [5.0]], [0, 0, 1, 1]), 3)
    0.746
    """
    rows = read_clustered(X, metric, kwds, "silhouette_score")
    if sample_size is None:
        codes = read_clusters(labels, rows.count)
    else:
        if not isinstance(sample_size, int | np.integer) or sample_size < 1:
            raise InvalidParameterError(
                f"silhouette_score: sample_size must be a whole number from 1 on or None; got "
                f"{sample_size!r}."
            )
        whole = read_clusters(labels, rows.count)
        chosen = stream_of(random_state).permutation(rows.count)[:sample_size]
        rows, codes = rows.taken(chosen), read_clusters(whole[chosen], len(chosen))
    return float(_samples(rows, [codes])[0].mean())


def silhouette_scores(
    X: Any, labelings: Any, *, metric: Any = "euclidean", **kwds: Any
) -> Array | dict[str, float]:
    """The mean silhouettes of many clusterings of the same rows, in one pass over their pairs.

    What k = 2 … K costs is about what one k costs: each distance is computed and added once, to
    the sum of its row and of the finest group that all clusterings respect.

    Parameters
    ----------
    X : table-like of shape (n, p), or distances of shape (n, n)
        Rows, or with ``metric="precomputed"`` their distances.
    labelings : dict, or sequence, of array-likes of shape (n,)
        The clusterings.
    metric : str, callable or Metric, default="euclidean"
        As of `pairwise_distances`.
    **kwds
        Parameters of the metric.

    Returns
    -------
    dict of float, or ndarray of shape (clusterings,)
        By name, if they have names.

    Examples
    --------
    >>> X = [[0.0], [1.0], [4.0], [5.0], [9.0], [9.5]]
    >>> silhouette_scores(X, [[0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2]]).round(3)
    array([0.646, 0.793])
    """
    rows = read_clustered(X, metric, kwds, "silhouette_scores")
    given = named_labelings(labelings)
    codes = [read_clusters(labels, rows.count, f"labels {n!r}") for n, labels in given.items()]
    scores: Array = _samples(rows, codes).mean(axis=1)
    if not isinstance(labelings, Mapping):
        return scores
    return dict(zip(labelings, scores.tolist(), strict=True))


def _samples(rows: ClusteredRows, codes: list[NDArray[np.int64]]) -> Array:
    """The silhouette of each row in every clustering."""
    return rows.silhouettes(clusterings_of(codes), len(codes))
