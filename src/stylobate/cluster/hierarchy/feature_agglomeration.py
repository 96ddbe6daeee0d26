"""Columns joined into groups of similar ones."""

from __future__ import annotations

from typing import Annotated, Any, Self

import numpy as np

from stylobate.base import Tags, TransformerMixin
from stylobate.base.constraints import CallableObject
from stylobate.cluster.hierarchy.agglomerative import (
    AgglomerativeBase,
    Cache,
    Connectivity,
    Count,
    FullTree,
    LinkageName,
    MetricName,
    Threshold,
)
from stylobate.exceptions import ModelFileError
from stylobate.parallel import product_of_rows


class FeatureAgglomeration(TransformerMixin, AgglomerativeBase):
    """Join similar columns, and replace each group of them by one.

    Columns are clustered as `AgglomerativeClustering` does rows; `transform` pools the columns of a
    cluster, by their mean.

    Parameters
    ----------
    n_clusters : int in [1, inf) or None, default=2
        How many columns are left; None with a `distance_threshold`.
    metric : str or callable, default="euclidean"
        Distance of columns, or "precomputed"; ward takes Euclidean distances only.
    memory : str, object with ``cache``, or None, default=None
        Folder, or `joblib.Memory`, in which trees are kept.
    connectivity : array-like, sparse, callable or None, default=None
        Graph of the columns that may be joined, or a function of Xᵀ that makes it.
    compute_full_tree : {"auto"} or bool, default="auto"
        With a connectivity, whether merging goes on to one cluster.
    linkage : {"ward", "complete", "average", "single"}, default="ward"
        Which distance of two clusters counts.
    pooling_func : callable, default=np.mean
        Takes an array and ``axis=1``, and makes one column of several.
    distance_threshold : float in [0, inf) or None, default=None
        Clusters this far apart or farther are not joined.
    compute_distances : bool, default=False
        Keep the heights in `distances_` even without a threshold.

    Attributes
    ----------
    n_clusters_, labels_, n_leaves_, n_connected_components_, children_, distances_
        As of `AgglomerativeClustering`, for columns.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = np.array([[0.0, 0.1, 5.0], [1.0, 1.1, 7.0], [2.0, 1.9, 1.0]])
    >>> FeatureAgglomeration(n_clusters=2).fit_transform(X)
    array([[0.05, 5.  ],
           [1.05, 7.  ],
           [1.95, 1.  ]])
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
        pooling_func: Annotated[Any, CallableObject()] = np.mean,
        distance_threshold: Threshold = None,
        compute_distances: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.memory = memory
        self.connectivity = connectivity
        self.compute_full_tree = compute_full_tree
        self.linkage = linkage
        self.pooling_func = pooling_func
        self.distance_threshold = distance_threshold
        self.compute_distances = compute_distances

    def _tags(self) -> Tags:
        return super()._tags().but(estimator_type="clusterer")

    def fit(self, X: Any, y: Any = None) -> Self:
        """Cluster the columns.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._check_request()
        table = self._read(X, reset=True, min_features=2)
        self._agglomerate(np.ascontiguousarray(np.asarray(table.x).T))
        self._n_features_out = self.n_clusters_
        return self

    def transform(self, X: Any) -> Any:
        """One column for each cluster of columns.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_clusters_)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        x = np.asarray(table.x)
        if self.pooling_func is np.mean:
            belongs = np.zeros((x.shape[1], self.n_clusters_), dtype=x.dtype)
            belongs[np.arange(x.shape[1]), self.labels_] = 1.0
            return self._wrap(product_of_rows(x, belongs) / belongs.sum(axis=0), table)
        pooled = [
            self.pooling_func(x[:, self.labels_ == label], axis=1)
            for label in range(self.n_clusters_)
        ]
        return self._wrap(np.array(pooled).T, table)

    def _check_loaded(self) -> None:
        """Refuse clusters of a file that there are not."""
        labels, count = vars(self).get("labels_"), vars(self).get("n_clusters_", 0)
        if labels is not None and not 0 <= labels.min(initial=0) <= labels.max(initial=-1) < count:
            raise ModelFileError(
                "The FeatureAgglomeration of the file has columns in clusters there are not."
            )

    def inverse_transform(self, X: Any) -> Any:
        """Every column as that of its cluster.

        Parameters
        ----------
        X : array-like of shape (n, n_clusters_) or (n_clusters_,)
            What `transform` returned.

        Returns
        -------
        array of shape (n, n_features) or (n_features,)
        """
        self._check_fitted()
        return np.asarray(X)[..., self.labels_]
