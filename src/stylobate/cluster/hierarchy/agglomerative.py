"""Clusters from merging the nearest."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.base import BaseEstimator, ClusterMixin, HasMethods, Interval, Options, Tags
from stylobate.base.constraints import CallableObject, Constraint
from stylobate.cluster.hierarchy.labels import cut_labels, head_labels
from stylobate.cluster.hierarchy.trees import linkage_tree, ward_tree
from stylobate.distances import METRICS
from stylobate.exceptions import InvalidParameterError

Count = Annotated[int, Interval(1, inf)] | None
Threshold = Annotated[float, Interval(0, inf)] | None
MetricName = Annotated[str, Options(*sorted(METRICS))] | Annotated[Any, CallableObject()]
LinkageName = Annotated[str, Options("ward", "complete", "average", "single")]
FullTree = Annotated[str, Options("auto")] | bool


class _Graph(Constraint):
    """A matrix of pairs, dense or sparse, or a function that makes one."""

    words = "a matrix, dense or sparse, or a callable that makes one of X"

    def accepts(self, value: Any) -> bool:
        if callable(value):
            return True
        if isinstance(value, list | tuple):
            return len(value) > 0 and all(hasattr(row, "__len__") for row in value)
        return len(getattr(value, "shape", ())) == 2


Connectivity = Annotated[Any, _Graph()] | None
Cache = str | Annotated[Any, HasMethods("cache")] | None


class AgglomerativeBase(BaseEstimator):
    """What clusterings of rows and of columns share: the tree, its cut and the labels."""

    n_clusters: Any
    metric: Any
    memory: Any
    connectivity: Any
    compute_full_tree: Any
    linkage: Any
    distance_threshold: Any
    compute_distances: Any
    children_: Indices
    labels_: Indices
    distances_: Array
    n_clusters_: int
    n_leaves_: int
    n_connected_components_: int

    def _check_request(self) -> None:
        owner = type(self).__name__
        if (self.n_clusters is None) == (self.distance_threshold is None):
            raise InvalidParameterError(
                f"{owner}: Exactly one of n_clusters and distance_threshold has to be set, and the "
                "other needs to be None."
            )
        if self.distance_threshold is not None and not self.compute_full_tree:
            raise InvalidParameterError(
                f"{owner}: compute_full_tree must be True if distance_threshold is set."
            )
        if self.linkage == "ward" and self.metric not in ("euclidean", "l2"):
            raise InvalidParameterError(
                f"{owner}: {self.metric} was provided as metric. Ward can only work with euclidean "
                "distances (i.e. 'euclidean' and 'l2')."
            )

    def _full_tree(self, n: int) -> bool:
        if self.connectivity is None:
            return True
        if self.compute_full_tree != "auto":
            return bool(self.compute_full_tree)
        return self.distance_threshold is not None or self.n_clusters < max(100, 0.02 * n)

    def _agglomerate(self, x: Any) -> None:
        """Tree and labels of the rows of a checked table."""
        connectivity = self.connectivity
        if callable(connectivity):
            connectivity = connectivity(x)
        n = len(x)
        whole = self._full_tree(n)
        with_distances = self.distance_threshold is not None or self.compute_distances
        options: dict[str, Any] = {
            "connectivity": connectivity,
            "n_clusters": None if whole else self.n_clusters,
            "return_distance": with_distances,
        }
        builder: Any = ward_tree
        if self.linkage != "ward":
            builder = linkage_tree
            options |= {"linkage": self.linkage, "affinity": self.metric}
        tree = _cached(builder, self.memory)(x, **options)
        self.children_, self.n_connected_components_, self.n_leaves_, parents = tree[:4]
        if with_distances:
            self.distances_ = tree[-1]
        if self.distance_threshold is None:
            self.n_clusters_ = self.n_clusters
        else:
            above = np.count_nonzero(self.distances_ >= self.distance_threshold)
            self.n_clusters_ = int(above) + 1
        if whole:
            name = type(self).__name__
            self.labels_ = cut_labels(self.children_, n, self.n_clusters_, name)
        else:
            self.labels_ = head_labels(parents, n)


def _cached(function: Any, memory: Any) -> Any:
    if memory is None:
        return function
    if isinstance(memory, str):
        import joblib

        memory = joblib.Memory(location=memory, verbose=0)
    return memory.cache(function)


class AgglomerativeClustering(ClusterMixin, AgglomerativeBase):
    r"""Join the two nearest clusters, again and again, until few are left.

    See `linkage` for the distances of clusters; ward joins those that make

    .. math:: \sum_k \sum_{i \in C_k} \|x_i - \mu_k\|^2

    grow least. Without a connectivity the tree is found with memory for a few numbers of each row
    (ward; single linkage by a distance of coordinates) or with the distances of 4096 clusters
    (complete and average, Euclidean); other metrics take all n(n − 1)/2 distances.

    Parameters
    ----------
    n_clusters : int in [1, inf) or None, default=2
        How many are left; None with a `distance_threshold`.
    metric : str or callable, default="euclidean"
        Distance of rows, or "precomputed": X is the square matrix of distances. A callable takes X
        and returns that matrix. Ward takes Euclidean distances only.
    memory : str, object with ``cache``, or None, default=None
        Folder, or `joblib.Memory`, in which trees are kept.
    connectivity : array-like, sparse, callable or None, default=None
        Graph of the pairs that may be joined, or a function of X that makes it.
    compute_full_tree : {"auto"} or bool, default="auto"
        With a connectivity, whether merging goes on to one cluster. "auto" stops early where more
        than max(100, 0.02 n) clusters are wanted.
    linkage : {"ward", "complete", "average", "single"}, default="ward"
        Which distance of two clusters counts.
    distance_threshold : float in [0, inf) or None, default=None
        Clusters this far apart or farther are not joined.
    compute_distances : bool, default=False
        Keep the heights in `distances_` even without a threshold.

    Attributes
    ----------
    n_clusters_ : int
        How many clusters there are.
    labels_ : array of shape (n,)
        The cluster of each row.
    n_leaves_, n_connected_components_ : int
        Rows; parts of the connectivity before it was completed.
    children_ : array of shape (n − 1, 2)
        Merge k makes node n + k of these two.
    distances_ : array of shape (n − 1,)
        Heights of the merges, where they were asked for.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> AgglomerativeClustering().fit([[1, 2], [1, 4], [1, 0], [4, 2], [4, 4], [4, 0]]).labels_
    array([1, 1, 1, 0, 0, 0])

    References
    ----------
    Ward (1963), Hierarchical grouping to optimize an objective function, JASA 58.
    """

    def __init__(
        self,
        n_clusters: Count = 2,
        *,
        metric: MetricName = "euclidean",
        memory: Cache = None,
        connectivity: Connectivity = None,
        compute_full_tree: FullTree = "auto",
        linkage: LinkageName = "ward",
        distance_threshold: Threshold = None,
        compute_distances: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.memory = memory
        self.connectivity = connectivity
        self.compute_full_tree = compute_full_tree
        self.linkage = linkage
        self.distance_threshold = distance_threshold
        self.compute_distances = compute_distances

    def _tags(self) -> Tags:
        given = isinstance(self.metric, str) and self.metric == "precomputed"
        return super()._tags().but(pairwise=given)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Build the tree and cut it.

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
        self._check_request()
        self._agglomerate(self._read(X, reset=True, min_rows=2).x)
        return self
