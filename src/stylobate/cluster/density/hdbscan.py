"""HDBSCAN: the clusters of all densities that last longest."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.base import ClusterMixin, Interval, Options, Tags
from stylobate.cluster.density.cluster_selection import Selection, select_clusters
from stylobate.cluster.density.condensed_tree import CondensedTree, condense
from stylobate.cluster.density.finite_rows import FiniteRows, finite_rows
from stylobate.cluster.density.hierarchy_cut import labels_at_cut
from stylobate.cluster.density.membership import (
    Membership,
    approximate_membership,
    membership,
    outlier_scores,
)
from stylobate.cluster.density.mutual_reachability import Reachability, reachability_tree
from stylobate.data.sparse import is_sparse
from stylobate.distances import Function, Precomputed, measured
from stylobate.distances.maps import Map
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neighbors.base import (
    ExactAlgorithm,
    LeafSize,
    Metric,
    MetricEstimator,
    MetricParams,
)
from stylobate.neighbors.indexes.choosing import VALID_METRICS, choose_index

FAST = {*VALID_METRICS["kd_tree"], *VALID_METRICS["ball_tree"]}


class HDBSCAN(ClusterMixin, MetricEstimator):
    r"""Clusters of any shape and density, chosen from the hierarchy of all DBSCANs at once.

    The core distance :math:`c_i` is that of the `min_samples`-th nearest row, itself included. Two
    rows are connected at their mutual reachability

    .. math:: \max\big(c_i, c_j, d(x_i, x_j) / \alpha\big).

    Single linkage of it, in clusters of at least `min_cluster_size` rows, is the condensed tree;
    the clusters of the largest excess of mass
    :math:`\sum_{x \in C} (\lambda_x - \lambda_{birth})`, :math:`\lambda = 1/\text{distance}`, none
    within another, become labels. Memory is O(n), but for given distances and metrics that are
    Python functions.

    Parameters
    ----------
    min_cluster_size : int in [2, inf), default=5
        The rows of the smallest cluster.
    min_samples : int in [1, inf) or None, default=None
        Rows within the core distance, the row itself included; None means `min_cluster_size`.
    cluster_selection_epsilon : float in [0, inf), default=0.0
        Clusters that come apart below this distance stay together.
    max_cluster_size : int in [1, inf) or None, default=None
        Larger clusters of "eom" give way to those within them.
    metric : str, callable or Metric, default="euclidean"
        A name `pairwise_distances` knows, "precomputed" (symmetric; infinite or, of a sparse
        matrix, not stored where unknown), or a function of two rows.
    metric_params : dict or None, default=None
        Further arguments of the metric; with sparse given distances ``max_distance`` takes the
        place of infinite ones.
    alpha : float in (0, inf), default=1.0
        Divides distances, as in robust single linkage.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        Who finds neighbours; the answer is the same.
    leaf_size : int in [1, inf), default=40
        Accepted for compatibility; leaves hold 16 rows.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.
    cluster_selection_method : {"eom", "leaf"}, default="eom"
        The largest excess of mass, or the leaves of the tree: more and smaller clusters.
    allow_single_cluster : bool, default=False
        Whether all rows may be one cluster.
    store_centers : {"centroid", "medoid", "both"} or None, default=None
        Which centres of the clusters to keep.
    copy : bool or "warn", default="warn"
        Accepted for compatibility; what is passed is never changed.

    Attributes
    ----------
    labels_ : array of shape (n,)
        The cluster of every row: -1 for noise, -2 for rows with infinite values, -3 for rows with
        missing ones.
    probabilities_ : array of shape (n,)
        How strongly each row belongs to its cluster, in [0, 1]; 0 for noise and infinite rows, NaN
        for missing ones.
    outlier_scores_ : array of shape (n,)
        GLOSH: near 1 far outside, 0 in the middle; NaN for rows that are not finite.
    condensed_tree_ : CondensedTree
        The hierarchy, with the clusters selected; ``condensed_tree_.plot()`` draws it.
    centroids_, medoids_ : array of shape (n_clusters, n_features)
        As `store_centers` says.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> x = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [50.0]]
    >>> model = HDBSCAN(min_cluster_size=3, min_samples=2).fit(x)
    >>> model.labels_
    array([ 0,  0,  0,  1,  1,  1, -1])
    >>> model.predict([[4.9], [20.0]])
    array([ 1, -1])

    References
    ----------
    Campello, Moulavi & Sander (2013), Density-based clustering based on hierarchical density
    estimates; McInnes, Healy & Astels (2017), hdbscan: hierarchical density based clustering.
    """

    probabilities_: Array
    outlier_scores_: Array
    condensed_tree_: CondensedTree
    centroids_: Array
    medoids_: Array
    p: Any = None

    def __init__(
        self,
        min_cluster_size: Annotated[int, Interval(2, inf)] = 5,
        min_samples: Annotated[int, Interval(1, inf)] | None = None,
        cluster_selection_epsilon: Annotated[float, Interval(0, inf)] = 0.0,
        max_cluster_size: Annotated[int, Interval(1, inf)] | None = None,
        metric: Metric = "euclidean",
        metric_params: MetricParams = None,
        alpha: Annotated[float, Interval(0, inf, closed="neither")] = 1.0,
        algorithm: ExactAlgorithm = "auto",
        leaf_size: LeafSize = 40,
        n_jobs: int | None = None,
        cluster_selection_method: Annotated[str, Options("eom", "leaf")] = "eom",
        allow_single_cluster: bool = False,
        store_centers: Annotated[str, Options("centroid", "medoid", "both")] | None = None,
        copy: bool | Annotated[str, Options("warn")] = "warn",
    ) -> None:
        self.min_cluster_size = min_cluster_size
        self.min_samples = min_samples
        self.cluster_selection_epsilon = cluster_selection_epsilon
        self.max_cluster_size = max_cluster_size
        self.metric = metric
        self.metric_params = metric_params
        self.alpha = alpha
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.n_jobs = n_jobs
        self.cluster_selection_method = cluster_selection_method
        self.allow_single_cluster = allow_single_cluster
        self.store_centers = store_centers
        self.copy = copy

    def _tags(self) -> Tags:
        tags = super()._tags()
        return tags.but(allow_nan=not tags.pairwise)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the clusters.

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
        self._check_algorithm()
        finite = self._finite(X)
        rows = finite.rows
        count = self._checked_count(rows)
        tree = reachability_tree(rows, self._reachability(rows, count))
        merges = _core.single_linkage(tree.from_, tree.to, tree.lengths)
        condensed = self._selected(condense(merges, self.min_cluster_size))
        found = membership(condensed, self.cluster_selection_epsilon)
        self.labels_ = finite.spread(found.labels, infinite=-2, missing=-3)
        self.probabilities_ = finite.spread(found.probabilities, infinite=0.0, missing=np.nan)
        scores = outlier_scores(condensed)
        self.outlier_scores_ = finite.spread(scores, infinite=np.nan, missing=np.nan)
        self._single_linkage_tree_ = np.column_stack(merges)
        self._finite_places = finite.places
        self.condensed_tree_ = condensed
        if finite.places is not None:
            self.condensed_tree_ = condensed.renumbered(finite.places, len(self.labels_))
        self._fit_X, self._core_distances, self._min_samples = rows, tree.core, count
        self._keep_centres(rows, found)
        return self

    # --- what is read and measured ----------------------------------------------------------------

    def _check_algorithm(self) -> None:
        """Refuse a tree for a metric that it cannot search by."""
        if self.algorithm not in ("kd_tree", "ball_tree"):
            return
        name = self.metric if isinstance(self.metric, str) else getattr(self.metric, "name", None)
        if name not in VALID_METRICS[self.algorithm]:
            kind = "KD" if self.algorithm == "kd_tree" else "Ball"
            raise InvalidParameterError(
                f"{name or self.metric} is not a valid metric for a {kind}Tree-based algorithm. "
                "Please select a different metric."
            )

    def _metric_parameters(self) -> dict[str, Any]:
        given = self.metric_params or {}
        return {name: each for name, each in given.items() if name != "max_distance"}

    def _finite(self, X: Any) -> FiniteRows:
        """Checked rows, those that are not finite apart."""
        given = isinstance(self.metric, str) and self.metric == "precomputed"
        if given and self.store_centers is not None:
            raise InvalidParameterError(
                "Cannot store centers when using a precomputed distance matrix."
            )
        if not given:
            return finite_rows(self._read_rows(X, check_finite="deferred"))
        rows = self._read(X, reset=True, check_finite="deferred").x
        if rows.shape[0] != rows.shape[1]:
            raise InvalidDataError(
                "The precomputed distance matrix is expected to be symmetric, however it has shape "
                f"{rows.shape}. Please verify that the distance matrix was constructed correctly."
            )
        rows = self._checked_rows(rows)
        _refuse_asymmetric(rows)
        return FiniteRows(rows, None, None)

    def _checked_count(self, rows: Any) -> int:
        n = rows.shape[0]
        if n == 1:
            raise InvalidDataError("n_samples=1 while HDBSCAN requires more than one sample")
        count = self.min_cluster_size if self.min_samples is None else self.min_samples
        if count > n:
            raise InvalidParameterError(
                f"min_samples ({count}) must be at most the number of samples in X ({n})"
            )
        return int(count)

    def _reachability(self, rows: Any, count: int) -> Reachability:
        name = self._metric.name
        given = isinstance(self._metric, Precomputed)
        if self.algorithm in ("kd_tree", "ball_tree") and is_sparse(rows):
            raise InvalidParameterError("Sparse data matrices only support algorithm `brute`.")
        whole = self.algorithm == "brute" or is_sparse(rows) or name not in FAST
        return Reachability(
            self._metric,
            count,
            float(self.alpha),
            scale_core=whole or given,
            max_distance=float((self.metric_params or {}).get("max_distance", 0.0)),
            boxes=self.algorithm in ("auto", "kd_tree"),
        )

    def _selected(self, tree: CondensedTree) -> CondensedTree:
        selection = Selection(
            self.cluster_selection_method,
            self.allow_single_cluster,
            float(self.cluster_selection_epsilon),
            self.max_cluster_size,
        )
        chosen = select_clusters(tree, selection)
        return CondensedTree(tree.parent, tree.child, tree.lambda_val, tree.child_size, chosen)

    def _keep_centres(self, rows: Any, found: Membership) -> None:
        if self.store_centers is None:
            return
        dense = rows.toarray() if is_sparse(rows) else rows
        parts = [np.flatnonzero(found.labels == k) for k in range(found.labels.max() + 1)]
        weights = [found.probabilities[part] for part in parts]
        pairs = list(zip(parts, weights, strict=True))
        empty = np.empty((0, rows.shape[1]))
        if self.store_centers in ("centroid", "both"):
            means = [np.average(dense[p], weights=w, axis=0) for p, w in pairs]
            self.centroids_ = np.array(means) if means else empty
        if self.store_centers in ("medoid", "both"):
            medoids = [p[np.argmin(self._summed(rows[p], w))] for p, w in pairs]
            self.medoids_ = np.asarray(dense[medoids], dtype=np.float64) if medoids else empty

    def _summed(self, rows: Any, weights: Array) -> Array:
        """Distances of each row to all, times their weights, without the matrix of them."""
        if isinstance(self._metric, Function):
            return np.asarray(self._metric.matrix(rows, rows) @ weights)
        pairs = measured(rows, rows, self._metric)
        if isinstance(pairs.finish, Map):
            return pairs.sum(pairs.finish, weights)
        return np.asarray(pairs.write() @ weights)

    # --- what is asked of a fit -------------------------------------------------------------------

    def dbscan_clustering(self, cut_distance: float, min_cluster_size: int = 5) -> Integers:
        """The components of core rows at one distance: DBSCAN without its border rows.

        Parameters
        ----------
        cut_distance : float
            Rows whose mutual reachability is less are together.
        min_cluster_size : int, default=5
            Smaller components are noise.

        Returns
        -------
        array of shape (n,)
            Labels as in `labels_`.
        """
        self._check_fitted()
        labels = labels_at_cut(self._single_linkage_tree_, cut_distance, min_cluster_size)
        if self._finite_places is None:
            return labels
        spread = self.labels_.copy()  # -2 and -3 stay
        spread[self._finite_places] = labels
        return spread

    def predict(self, X: Any) -> Integers:
        """The clusters that new rows would belong to, the tree as it is.

        A new row hangs on the row of the fit that it reaches soonest; its cluster is the one that
        row is in at that density.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (m, n_features)
            Rows; with metric="precomputed" their (m, n) distances to the rows of the fit.

        Returns
        -------
        array of shape (m,)
            Labels as in `labels_`.
        """
        return self.approximate_predict(X)[0]

    def approximate_predict(self, X: Any) -> tuple[Integers, Array]:
        """As `predict`, with how strongly each row belongs to its cluster.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (m, n_features)
            Rows.

        Returns
        -------
        labels : array of shape (m,)
        probabilities : array of shape (m,)
        """
        self._check_fitted()
        rows = self._read(X, reset=False, check_finite="deferred").x
        rows = rows.tocsr() if is_sparse(rows) else rows
        given = isinstance(self._metric, Precomputed)
        finite = FiniteRows(rows, None, None) if given else finite_rows(rows)
        found = self._approximate(finite.rows)
        labels = finite.spread(found.labels, infinite=-2, missing=-3)
        return labels, finite.spread(found.probabilities, infinite=0.0, missing=np.nan)

    def _approximate(self, rows: Any) -> Membership:
        n = self._fit_X.shape[0]
        tree = self.condensed_tree_
        if self._finite_places is not None:
            order = np.empty(len(self.labels_), dtype=np.intp)
            order[self._finite_places] = np.arange(n)
            tree = tree.renumbered(order, n)
        if not rows.shape[0]:
            return Membership(np.empty(0, dtype=np.intp), np.empty(0))
        index = choose_index(self._fit_X, self._metric, self.algorithm)
        distances, near = index.query(rows, min(2 * self._min_samples, n))
        core = distances[:, min(self._min_samples, n) - 1]
        reach = np.maximum(distances / self.alpha, self._core_distances[near])
        reach = np.maximum(reach, core[:, None])
        best = np.argmin(reach, axis=1)
        at = np.arange(len(best)), best
        with np.errstate(divide="ignore"):
            density = 1.0 / reach[at]
        return approximate_membership(tree, near[at], density)


def _refuse_asymmetric(distances: Any) -> None:
    if is_sparse(distances):
        apart = abs(distances - distances.T) - 1e-5 * abs(distances.T)
        symmetric = not apart.nnz or float(apart.max()) <= 1e-8
    elif np.isnan(distances).any():
        raise InvalidDataError("np.nan values found in precomputed-dense distances of HDBSCAN.")
    else:
        symmetric = np.allclose(distances, distances.T)
    if not symmetric:
        raise InvalidDataError(
            "The precomputed distance matrix is expected to be symmetric, however its values "
            "appear to be asymmetric. Please verify that the distance matrix was constructed "
            "correctly."
        )
