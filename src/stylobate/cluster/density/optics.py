"""OPTICS: the rows in the order in which density reaches them."""

from __future__ import annotations

import warnings
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array, Integers
from stylobate.base import ClusterMixin, HasMethods, Interval, Options
from stylobate.cluster.density.optics_graph import reachability_graph
from stylobate.cluster.density.reachability_clusters import (
    cluster_optics_dbscan,
    cluster_optics_xi,
)
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import DataConversionWarning, InvalidParameterError, joined
from stylobate.neighbors.base import (
    ExactAlgorithm,
    LeafSize,
    Metric,
    MetricEstimator,
    MetricParams,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Size = Annotated[int, Interval(2, inf)] | Annotated[float, Interval(0, 1, closed="both")]


class OPTICS(ClusterMixin, MetricEstimator):
    r"""Order the rows by how densely they are reached; clusters are the valleys of that order.

    The core distance :math:`c_i` is that of the `min_samples`-th nearest row, itself included; from
    row i, row j is reached at :math:`\max(c_i, d(x_i, x_j))`. Starting anywhere, always the row
    reached soonest from those before comes next. A plot of the reachabilities in that order shows
    clusters of all densities at once as valleys. Memory is O(n), but for given distances.

    Parameters
    ----------
    min_samples : int in [2, inf) or float in [0, 1], default=5
        Rows within the core distance, the row itself included, or their share of all rows.
    max_eps : float in [0, inf], default=inf
        How far a row sees; less is quicker.
    metric : str, callable or Metric, default="minkowski"
        A name `pairwise_distances` knows, "precomputed", or a function of two rows.
    p : float in [1, inf], default=2
        Power of the Minkowski metric.
    metric_params : dict or None, default=None
        Further arguments of the metric.
    cluster_method : {"xi", "dbscan"}, default="xi"
        Clusters between steep descents and ascents, or one cut of the reachability.
    eps : float in [0, max_eps] or None, default=None
        Where "dbscan" cuts; None means `max_eps`.
    xi : float in [0, 1], default=0.05
        By what share reachability changes where it is steep.
    predecessor_correction : bool, default=True
        Whether clusters end where a row was reached from outside.
    min_cluster_size : int in [2, inf), float in (0, 1] or None, default=None
        The rows of the smallest cluster of "xi", or their share; None means `min_samples`.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        Who finds the core distances; the answer is the same.
    leaf_size : int in [1, inf), default=30
        Accepted for compatibility; leaves hold 16 rows.
    memory : str, object with `cache` or None, default=None
        Accepted for compatibility; the graph is in the fitted attributes, and `cluster_optics_xi`
        and `cluster_optics_dbscan` take it with other settings.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.

    Attributes
    ----------
    labels_ : array of shape (n,)
        The cluster of every row, -1 for noise.
    reachability_ : array of shape (n,)
        At what distance each row was reached, inf from nowhere; ``reachability_[ordering_]`` is the
        plot.
    ordering_ : array of shape (n,)
        The rows in order.
    core_distances_ : array of shape (n,)
        inf for rows that are not core within `max_eps`.
    predecessor_ : array of shape (n,)
        From which row each was reached, -1 from nowhere.
    cluster_hierarchy_ : array of shape (n_clusters, 2)
        First and last place in the order of every cluster, smaller ones before those around them;
        for "xi" only.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[1, 2], [2, 5], [3, 6], [8, 7], [8, 8], [7, 3]]
    >>> OPTICS(min_samples=2).fit(X).labels_
    array([0, 0, 0, 1, 1, 1])

    References
    ----------
    Ankerst, Breunig, Kriegel & Sander (1999), OPTICS: ordering points to identify the clustering
    structure, SIGMOD.
    """

    reachability_: Array
    ordering_: Integers
    core_distances_: Array
    predecessor_: Integers
    cluster_hierarchy_: Integers

    def __init__(
        self,
        *,
        min_samples: Size = 5,
        max_eps: Annotated[float, Interval(0, inf, closed="both")] = inf,
        metric: Metric = "minkowski",
        p: Annotated[float, Interval(1, inf, closed="both")] | None = 2,
        metric_params: MetricParams = None,
        cluster_method: Annotated[str, Options("dbscan", "xi")] = "xi",
        eps: Annotated[float, Interval(0, inf, closed="both")] | None = None,
        xi: Annotated[float, Interval(0, 1, closed="both")] = 0.05,
        predecessor_correction: bool = True,
        min_cluster_size: Annotated[int, Interval(2, inf)]
        | Annotated[float, Interval(0, 1, closed="right")]
        | None = None,
        algorithm: ExactAlgorithm = "auto",
        leaf_size: LeafSize = 30,
        memory: str | Annotated[Any, HasMethods("cache")] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.min_samples = min_samples
        self.max_eps = max_eps
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.cluster_method = cluster_method
        self.eps = eps
        self.xi = xi
        self.predecessor_correction = predecessor_correction
        self.min_cluster_size = min_cluster_size
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.memory = memory
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> Self:
        """Order the rows and find the clusters.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; with metric="precomputed" the (n, n) distances among them.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        rows = self._read_rows(X)
        if self._metric.domain == "booleans" and getattr(X, "dtype", None) != np.dtype(bool):
            warnings.warn(
                f"Data will be converted to boolean for metric {self.metric}, to avoid this "
                "warning, you may convert the data prior to calling fit.",
                joined(DataConversionWarning),
                stacklevel=user_stacklevel(),
            )
        eps = self.max_eps if self.eps is None else self.eps
        if self.cluster_method == "dbscan" and eps > self.max_eps:
            raise InvalidParameterError(
                f"Specify an epsilon smaller than {self.max_eps}. Got {eps}."
            )
        graph = reachability_graph(
            rows, self._metric, self.min_samples, self.max_eps, self.algorithm
        )
        self.ordering_, self.core_distances_, self.reachability_, self.predecessor_ = graph
        if self.cluster_method == "dbscan":
            self.labels_ = cluster_optics_dbscan(
                reachability=self.reachability_,
                core_distances=self.core_distances_,
                ordering=self.ordering_,
                eps=eps,
            )
            return self
        self.labels_, self.cluster_hierarchy_ = cluster_optics_xi(
            reachability=self.reachability_,
            predecessor=self.predecessor_,
            ordering=self.ordering_,
            min_samples=self.min_samples,
            min_cluster_size=self.min_cluster_size,
            xi=self.xi,
            predecessor_correction=self.predecessor_correction,
        )
        return self

    def plot(self, ax: Any = None) -> Axes:
        """The reachabilities in order, each cluster in its colour: clusters are valleys.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.

        Returns
        -------
        matplotlib Axes
        """
        from stylobate.plot.clusters.density import draw_reachability

        self._check_fitted()
        return draw_reachability(
            self.reachability_[self.ordering_], self.labels_[self.ordering_], ax
        )
