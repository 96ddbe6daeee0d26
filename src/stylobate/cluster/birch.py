"""BIRCH: rows summed up in a tree of clustering features, which are then clustered."""

from __future__ import annotations

import warnings
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.base import BaseEstimator, ClusterMixin, HasMethods, Interval, Tags, TransformerMixin
from stylobate.base.cloning import clone
from stylobate.data.sparse import is_sparse
from stylobate.data.words import user_stacklevel
from stylobate.distances import Euclidean, measured
from stylobate.exceptions import ConvergenceWarning, NumericalError, joined

_TOGETHER = 8192  # sparse rows that are made dense at a time


class Birch(ClusterMixin, TransformerMixin, BaseEstimator):
    r"""Sum up rows that lie close together, in one pass; then cluster the sums.

    A clustering feature is (n, Σx, Σ‖x‖²) of some rows. A row joins the nearest feature of a
    balanced tree if the radius of both together,

    .. math:: r^2 = \frac1n \sum \|x\|^2 - \Big\|\frac1n \sum x\Big\|^2,

    is at most `threshold`; else it starts a new one, and nodes with more than `branching_factor`
    features are split. Memory is that of the tree, whatever the number of rows: `partial_fit` takes
    them in batches.

    Parameters
    ----------
    threshold : float in (0, inf), default=0.5
        The largest radius of a feature.
    branching_factor : int in (1, inf), default=50
        Features of a node at most.
    n_clusters : int in [1, inf), clusterer or None, default=3
        How many clusters of the features Ward's linkage makes; another clusterer that does; None
        leaves the features as they are.
    compute_labels : bool, default=True
        Whether to label the rows of the fit.

    Attributes
    ----------
    subcluster_centers_ : array of shape (n_subclusters, n_features)
        The centres of the features.
    subcluster_labels_ : array of shape (n_subclusters,)
        The cluster of each.
    labels_ : array of shape (n,)
        The cluster of every row of the last fit.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[0.0, 1.0], [0.3, 1.0], [-0.3, 1.0], [0.0, -1.0], [0.3, -1.0], [-0.3, -1.0]]
    >>> Birch(n_clusters=None).fit_predict(X)
    array([0, 0, 0, 1, 1, 1])

    References
    ----------
    Zhang, Ramakrishnan & Livny (1996), BIRCH: an efficient data clustering method for large
    databases, SIGMOD.
    """

    subcluster_centers_: Array
    subcluster_labels_: Integers

    def __init__(
        self,
        *,
        threshold: Annotated[float, Interval(0, inf, closed="neither")] = 0.5,
        branching_factor: Annotated[int, Interval(1, inf, closed="neither")] = 50,
        n_clusters: Annotated[int, Interval(1, inf)]
        | Annotated[Any, HasMethods("fit_predict")]
        | None = 3,
        compute_labels: bool = True,
    ) -> None:
        self.threshold = threshold
        self.branching_factor = branching_factor
        self.n_clusters = n_clusters
        self.compute_labels = compute_labels

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True, preserves_dtype=("float64", "float32"))

    def fit(self, X: Any, y: Any = None) -> Self:
        """Sum up the rows and cluster the sums.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        rows = self._read(X, reset=True).x
        tree = _core.FeatureTree(rows.shape[1], self.threshold, self.branching_factor)
        return self._grown(tree, rows)

    def partial_fit(self, X: Any = None, y: Any = None) -> Self:
        """Sum up more rows and cluster the sums anew.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features), default=None
            Rows; None clusters the sums alone.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        if X is None:
            self._check_fitted()
            self._cluster_centres()
            return self
        if "_features" not in vars(self):
            return self.fit(X)
        rows = self._read(X, reset=False).x
        settings = rows.shape[1], self.threshold, self.branching_factor
        tree = _core.FeatureTree(**self._features, **dict(zip(_SETTINGS, settings, strict=True)))
        return self._grown(tree, rows)

    def _grown(self, tree: _core.FeatureTree, rows: Any) -> Self:
        for some in _dense_parts(rows):
            tree.insert(some)
        *state, leaves = tree.state()
        self._features = dict(zip(_STATE, state, strict=True))
        if not np.isfinite(self._features["squares"]).all():
            raise NumericalError(
                "Birch: the squares of these rows exceed what doubles hold; scale the columns "
                "first."
            )
        count = int(self._features["nodes"][:leaves].sum())
        sums = self._features["sums"].reshape(-1, rows.shape[1])[:count]
        centres = sums * (1.0 / self._features["counts"][:count, None])
        self.subcluster_centers_ = centres.astype(rows.dtype)
        self._n_features_out = count
        self._cluster_centres()
        if self.compute_labels:
            self.labels_ = self._labels(rows)
        return self

    def _cluster_centres(self) -> None:
        centres, wanted = self.subcluster_centers_, self.n_clusters
        if wanted is None:
            self.subcluster_labels_ = np.arange(len(centres))
        elif not isinstance(wanted, int | np.integer):
            self.subcluster_labels_ = clone(wanted).fit_predict(centres)
        elif len(centres) < wanted:
            self.subcluster_labels_ = np.arange(len(centres))
            warnings.warn(
                f"Number of subclusters found ({len(centres)}) by BIRCH is less than ({wanted}). "
                "Decrease the threshold.",
                joined(ConvergenceWarning),
                stacklevel=user_stacklevel(),
            )
        else:
            self.subcluster_labels_ = _ward(centres, int(wanted))

    def _labels(self, rows: Any) -> Integers:
        nearest = measured(rows, self.subcluster_centers_, Euclidean()).nearest(1)[1][:, 0]
        return np.asarray(self.subcluster_labels_[nearest])

    def predict(self, X: Any) -> Integers:
        """The cluster of the nearest feature of each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        return self._labels(self._read(X, reset=False).x)

    def transform(self, X: Any) -> Any:
        """The distances of each row to the centres of all features.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_subclusters)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        return self._wrap(measured(table.x, self.subcluster_centers_, Euclidean()).write(), table)


_SETTINGS = ("cols", "threshold", "most")
_STATE = ("nodes", "children", "counts", "squares", "sums")


def _dense_parts(rows: Any) -> Any:
    if not is_sparse(rows):
        yield np.ascontiguousarray(rows, dtype=np.float64)
        return
    for start in range(0, rows.shape[0], _TOGETHER):
        yield np.ascontiguousarray(rows[start : start + _TOGETHER].toarray(), dtype=np.float64)


def _ward(centres: Array, count: int) -> Integers:
    """Ward's clusters of the centres, each of the same weight."""
    from stylobate.cluster.hierarchy.agglomerative import AgglomerativeClustering

    if len(centres) == 1:
        return np.zeros(1, dtype=np.intp)
    return np.asarray(AgglomerativeClustering(n_clusters=count).fit_predict(centres))
