"""DBSCAN: rows that see many others, and those that border them."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Integers
from stylobate.base import ClusterMixin, Interval
from stylobate.cluster.density.neighbourhoods import Density, dense_rows
from stylobate.data import read_weights
from stylobate.neighbors.base import (
    ExactAlgorithm,
    LeafSize,
    Metric,
    MetricEstimator,
    MetricParams,
    Power,
)


class DBSCAN(ClusterMixin, MetricEstimator):
    r"""Clusters as rows that lie densely, of any shape and number; the others are noise.

    A row is *core* if at least `min_samples` rows, itself included, lie within `eps` of it:

    .. math:: |\{j : d(x_i, x_j) \le \varepsilon\}| \ge m.

    Core rows within `eps` of each other belong to one cluster; a row that is not core belongs to
    the first cluster that has a core row within `eps` of it, if there is any. Clusters are numbered
    in the order of their first core rows. Neighbours are met and never stored: memory is O(n)
    whatever `eps` is, but for a metric that is a Python function.

    Parameters
    ----------
    eps : float in (0, inf), default=0.5
        How far a row sees.
    min_samples : int in [1, inf), default=5
        How many rows a core row sees, itself included.
    metric : str, callable or Metric, default="euclidean"
        A name `pairwise_distances` knows, "precomputed" (X holds distances; of a sparse matrix
        entries that are not stored are far), or a function of two rows.
    metric_params : dict or None, default=None
        Further arguments of the metric.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        Who shows the neighbours; the answer is the same.
    leaf_size : int in [1, inf), default=30
        Accepted for compatibility; leaves hold 16 rows.
    p : float in (0, inf] or None, default=None
        Power of the Minkowski metric; None means 2.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.

    Attributes
    ----------
    core_sample_indices_ : array of shape (n_core,)
        Which rows are core.
    components_ : array of shape (n_core, n_features)
        The core rows.
    labels_ : array of shape (n,)
        The cluster of every row, -1 for noise.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[1, 2], [2, 2], [2, 3], [8, 7], [8, 8], [25, 80]]
    >>> DBSCAN(eps=3, min_samples=2).fit(X).labels_
    array([ 0,  0,  0,  1,  1, -1])

    References
    ----------
    Ester, Kriegel, Sander & Xu (1996), A density-based algorithm for discovering clusters in large
    spatial databases with noise, KDD.
    """

    core_sample_indices_: Integers
    components_: Any

    def __init__(
        self,
        eps: Annotated[float, Interval(0, inf, closed="neither")] = 0.5,
        *,
        min_samples: Annotated[int, Interval(1, inf)] = 5,
        metric: Metric = "euclidean",
        metric_params: MetricParams = None,
        algorithm: ExactAlgorithm = "auto",
        leaf_size: LeafSize = 30,
        p: Power = None,
        n_jobs: int | None = None,
    ) -> None:
        self.eps = eps
        self.min_samples = min_samples
        self.metric = metric
        self.metric_params = metric_params
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; with metric="precomputed" the (n, n) distances among them.
        y : ignored
            For compatibility.
        sample_weight : array-like of shape (n,), default=None
            Weights of the rows: a row is core if the weights within `eps` sum to at least
            `min_samples`. Negative weights keep rows near them from being core.

        Returns
        -------
        self
        """
        self._check_parameters()
        rows = self._read_rows(X)
        weights = read_weights(
            sample_weight, rows.shape[0], owner=type(self).__name__, negative=True
        )
        density = Density(float(self.eps), float(self.min_samples), weights)
        found = dense_rows(rows, self._metric, density, self.algorithm)
        self.labels_ = found.labels
        self.core_sample_indices_ = np.flatnonzero(found.core)
        self.components_ = rows[self.core_sample_indices_].copy()
        return self

    def fit_predict(  # type: ignore[override]
        self, X: Any, y: Any = None, sample_weight: Any = None
    ) -> Integers:
        """Find the clusters and return the label of every row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; with metric="precomputed" the (n, n) distances among them.
        y : ignored
            For compatibility.
        sample_weight : array-like of shape (n,), default=None
            As of `fit`.

        Returns
        -------
        array of shape (n,)
            `labels_`, -1 for noise.
        """
        return self.fit(X, sample_weight=sample_weight).labels_


def dbscan(
    X: Any,
    eps: float = 0.5,
    *,
    min_samples: int = 5,
    metric: Any = "minkowski",
    metric_params: dict[str, Any] | None = None,
    algorithm: str = "auto",
    leaf_size: int = 30,
    p: float = 2,
    sample_weight: Any = None,
    n_jobs: int | None = None,
) -> tuple[Integers, Integers]:
    """The core rows and the labels of `DBSCAN`.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, n_features)
        Rows, or distances among them.
    eps, min_samples, metric, metric_params, algorithm, leaf_size, p, n_jobs
        As of `DBSCAN`.
    sample_weight : array-like of shape (n,), default=None
        Weights of the rows.

    Returns
    -------
    core_samples : array of shape (n_core,)
        Which rows are core.
    labels : array of shape (n,)
        The cluster of every row, -1 for noise.

    Examples
    --------
    >>> dbscan([[1, 2], [2, 2], [2, 3], [8, 7], [8, 8], [25, 80]], eps=3, min_samples=2)
    (array([0, 1, 2, 3, 4]), array([ 0,  0,  0,  1,  1, -1]))
    """
    model = DBSCAN(
        eps,
        min_samples=min_samples,
        metric=metric,
        metric_params=metric_params,
        algorithm=algorithm,
        leaf_size=leaf_size,
        p=p,
        n_jobs=n_jobs,
    ).fit(X, sample_weight=sample_weight)
    return model.core_sample_indices_, model.labels_
