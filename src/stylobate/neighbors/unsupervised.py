"""Neighbours without labels."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

from stylobate.base import Interval
from stylobate.neighbors.base import (
    Algorithm,
    KNeighborsMixin,
    LeafSize,
    Metric,
    MetricParams,
    Power,
    RadiusNeighborsMixin,
)
from stylobate.neighbors.partition_index import remember_partitions

if TYPE_CHECKING:
    from stylobate.data.streams import Stream


class NearestNeighbors(KNeighborsMixin, RadiusNeighborsMixin):
    """Remember rows; find the nearest of them, or those within a radius.

    Parameters
    ----------
    n_neighbors : int in [1, inf), default=5
        How many `kneighbors` finds.
    radius : float in [0, inf], default=1.0
        How far `radius_neighbors` looks.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute", "hnsw"} or HNSW, default="auto"
        "auto" chooses by shape and metric, and says why in `algorithm_reason_`; "hnsw" (or settings
        such as ``HNSW(M=32)``) is approximate, and measures its recall.
    leaf_size : int in [1, inf), default=30
        Accepted for compatibility; leaves hold 16 rows.
    metric : str or callable, default="minkowski"
        A name `pairwise_distances` knows, "precomputed", or a function of two rows.
    p : float in (0, inf], default=2
        Power of the Minkowski metric.
    metric_params : dict or None, default=None
        Further arguments of the metric.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.

    Attributes
    ----------
    algorithm_, algorithm_reason_ : str
        What was chosen, and why.
    recall_ : Interval or None
        The share of the true neighbours the approximate index finds; None where all are.
    effective_metric_, effective_metric_params_
        What `metric`, `p` and `metric_params` come to.
    n_samples_fit_ : int
        Rows remembered.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> neighbours = NearestNeighbors(n_neighbors=2).fit([[0.0], [1.0], [3.0]])
    >>> neighbours.kneighbors([[0.9]])
    (array([[0.1, 0.9]]), array([[1, 0]]))
    >>> neighbours.radius_neighbors([[0.9]], radius=0.5, return_distance=False)[0]
    array([1])
    """

    def __init__(
        self,
        *,
        n_neighbors: Annotated[int, Interval(1, inf)] = 5,
        radius: Annotated[float, Interval(0, inf, closed="both")] = 1.0,
        algorithm: Algorithm = "auto",
        leaf_size: LeafSize = 30,
        metric: Metric = "minkowski",
        p: Power = 2,
        metric_params: MetricParams = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> Self:
        """Remember the rows.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; with metric="precomputed", distances among them.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._remember(self._read(X, reset=True).x)
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        if stream.here:
            return super()._fit_stream(stream)
        remember_partitions(self, stream, labels=False, targets=False)
        return self
