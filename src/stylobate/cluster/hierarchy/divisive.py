"""Clusters from splitting the widest."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array, Indices, Integers
from stylobate.base import BaseEstimator, ClusterMixin, Interval, Tags
from stylobate.cluster.hierarchy.agglomerative import MetricName, Threshold
from stylobate.cluster.hierarchy.cuts import cut_tree
from stylobate.distances import Function, Precomputed, metric_of
from stylobate.exceptions import InvalidDataError, InvalidParameterError


class DivisiveClustering(ClusterMixin, BaseEstimator):
    r"""Split the cluster of the largest diameter, again and again (DIANA).

    A split starts a new party with the row of the largest mean distance to the others, and moves to
    it, one after the other, the row i with the largest

    .. math:: \frac{1}{|C| - 1} \sum_{j \in C \setminus i} d(i, j) -
        \frac{1}{|P|} \sum_{j \in P} d(i, j)

    as long as that is positive; C is what is left and P the party. Holds the matrix of distances:
    8 n² bytes.

    Parameters
    ----------
    n_clusters : int in [1, inf) or None, default=2
        How many clusters `labels_` tells apart; None with a `distance_threshold`.
    metric : str, callable or Metric, default="euclidean"
        Distance of rows, or "precomputed": X is the square matrix of distances.
    distance_threshold : float in [0, inf) or None, default=None
        Clusters with a smaller diameter stay whole.

    Attributes
    ----------
    labels_ : array of shape (n,)
        The cluster of each row.
    n_clusters_ : int
        How many there are.
    linkage_matrix_ : array of shape (n − 1, 4)
        The splits as merges, from the last to the first, heights being diameters: what `linkage`
        returns, for `Dendrogram`, `fcluster` and `cophenet`.
    divisive_coefficient_ : float
        Mean over the rows of 1 − (diameter of the last cluster it was split from) / (diameter of
        all): near 1 where there is much structure.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> model = DivisiveClustering(n_clusters=2).fit([[0.0], [1.0], [5.0], [7.0]])
    >>> model.labels_, model.linkage_matrix_[:, 2]
    (array([0, 0, 1, 1]), array([1., 2., 7.]))

    References
    ----------
    Kaufman & Rousseeuw (1990), Finding groups in data, chapter 6.
    """

    def __init__(
        self,
        n_clusters: Annotated[int, Interval(1, inf)] | None = 2,
        *,
        metric: MetricName = "euclidean",
        distance_threshold: Threshold = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.distance_threshold = distance_threshold

    def _tags(self) -> Tags:
        given = isinstance(self.metric, str) and self.metric == "precomputed"
        return super()._tags().but(pairwise=given)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Split until every row is alone, and cut.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features) or (n, n)
            Rows, or with metric="precomputed" their distances.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        if (self.n_clusters is None) == (self.distance_threshold is None):
            raise InvalidParameterError(
                "DivisiveClustering: exactly one of n_clusters and distance_threshold must be set, "
                "the other None."
            )
        x = self._read(X, reset=True, min_rows=2).x
        distances = self._distances(x)
        n = len(distances)
        if self.n_clusters is not None and self.n_clusters > n:
            raise InvalidParameterError(
                f"DivisiveClustering: n_clusters={self.n_clusters} is more than the {n} rows."
            )
        self.linkage_matrix_, last = divide(distances)
        widest = self.linkage_matrix_[-1, 2]
        self.divisive_coefficient_ = float(np.mean(1.0 - last / widest)) if widest > 0 else 0.0
        if self.n_clusters is not None:
            self.labels_ = cut_tree(self.linkage_matrix_, n_clusters=self.n_clusters)
        else:
            below = np.nextafter(float(self.distance_threshold or 0.0), -inf)
            self.labels_ = cut_tree(self.linkage_matrix_, height=below)
        self.n_clusters_ = int(self.labels_.max()) + 1
        return self

    def _distances(self, x: Any) -> Array:
        metric = metric_of(self.metric, owner=type(self).__name__)
        if isinstance(metric, Precomputed) and x.shape[0] != x.shape[1]:
            raise InvalidDataError(
                "DivisiveClustering: with metric='precomputed' X must be a square matrix of "
                f"distances, got shape {x.shape}."
            )
        if not isinstance(metric, Precomputed | Function):
            metric = metric.learnt(x)
        matrix = np.array(metric.matrix(x, x), dtype=np.float64)
        np.fill_diagonal(matrix, 0.0)
        return matrix


def divide(distances: Array) -> tuple[Array, Array]:
    """Splits as a linkage matrix, and of each row the diameter of the last cluster it left."""
    n = len(distances)
    splits: list[tuple[float, Indices, Indices]] = []
    last = np.zeros(n)
    waiting: list[Indices] = [np.arange(n)]
    while waiting:
        rows = waiting.pop()
        if len(rows) == 1:
            continue
        inside = distances[np.ix_(rows, rows)]
        party = _splinter(inside)
        diameter = float(inside.max())
        last[rows] = diameter
        splits.append((diameter, rows[~party], rows[party]))
        waiting += [rows[party], rows[~party]]
    # a part is never wider than the whole; of equal diameters the smaller cluster is split later
    splits.sort(key=lambda split: (split[0], len(split[1]) + len(split[2])))
    return _merged(splits, n), last


def _splinter(inside: Array) -> Any:
    """Which rows of a cluster leave it."""
    m = len(inside)
    party = np.zeros(m, dtype=bool)
    to_rest, to_party = inside.sum(axis=1), np.zeros(m)
    for moved in range(m - 1):
        stay = m - moved
        gain = to_rest / max(stay - 1, 1) - (to_party / moved if moved else 0.0)
        gain[party] = -inf
        i = int(np.argmax(gain))
        if moved and gain[i] <= 0.0:
            break
        party[i] = True
        to_rest -= inside[i]
        to_party += inside[i]
    return party


def _merged(splits: list[tuple[float, Indices, Indices]], n: int) -> Array:
    number: Integers = np.arange(n)  # of the cluster each row is in so far
    out = np.empty((n - 1, 4))
    for k, (diameter, one, other) in enumerate(splits):
        a, b = number[one[0]], number[other[0]]
        out[k] = min(a, b), max(a, b), diameter, len(one) + len(other)
        number[one] = number[other] = n + k
    return out
