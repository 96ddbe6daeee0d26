"""What estimators of medoids and centres share: rows under a metric, labels and distances."""

from __future__ import annotations

import warnings
from typing import Annotated, Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.base import BaseEstimator, ClusterMixin, Options, Tags, TransformerMixin
from stylobate.base.constraints import CallableObject, Instance
from stylobate.cluster.medoids.dissimilarities import Dissimilarities, between, checked_metric
from stylobate.data import Table
from stylobate.data.mixed_columns import read_mixed_columns
from stylobate.data.words import user_stacklevel
from stylobate.distances import Gower, Precomputed
from stylobate.distances import Metric as Distance
from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidDataError,
    ModelFileError,
    NumericalError,
)
from stylobate.neighbors.indexes.metric import NAMES
from stylobate.neighbors.indexes.rows import (
    allows_nan,
    metric_for,
    read_mixed_rows,
    refuse_negative,
    refuse_not_square,
)

Metric = Annotated[str, Options(*NAMES)] | Annotated[Any, CallableObject()]
MetricParams = Annotated[Any, Instance(dict)] | None


class MedoidClusters(ClusterMixin, TransformerMixin, BaseEstimator):
    """Clusters about some of the rows, under any metric."""

    n_clusters: Any
    metric: Any
    metric_params: Any
    cluster_centers_: Any
    _metric: Distance
    _center_points: Any  # the centres as the metric takes them; None for given distances

    @property
    def _center_numbers(self) -> Indices:
        raise NotImplementedError

    def _tags(self) -> Tags:
        given = isinstance(self.metric, str) and self.metric == "precomputed"
        tags = super()._tags().but(sparse=not given, pairwise=given)
        single = ("float64", "float32") if self.metric == "euclidean" else ("float64",)
        return tags.but(allow_nan=allows_nan(self.metric), preserves_dtype=single)

    def _read(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool, **options: Any
    ) -> Table:
        """Rows as the metric takes them."""
        if reset:
            self._metric = metric_for(X, self.metric, 2, self.metric_params)
        if isinstance(self._metric, Gower):
            return read_mixed_rows(self, X, y, sample_weight, reset=reset, **options)
        return super()._read(X, y, sample_weight, reset=reset, **options)

    def _dissimilarities(self, table: Table) -> Dissimilarities:
        owner = type(self).__name__
        n = table.n_rows if table.weights is None else np.count_nonzero(table.weights)
        if self.n_clusters > n:
            raise InvalidDataError(
                f"{owner}: n_clusters={self.n_clusters} centres are wanted, but X has only "
                f"n_samples={n} rows{'' if table.weights is None else ' of a weight above 0'}; "
                "ask for at most as many."
            )
        rows = table.x.tocsr() if table.is_sparse else table.x
        if not isinstance(self._metric, Gower):
            self._metric = checked_metric(self._metric, rows, owner)
        if isinstance(self._metric, Precomputed):
            refuse_not_square(rows, owner)
            refuse_negative(rows, owner)
        return Dissimilarities(self._metric, rows)

    def _keep_centers(self, X: Any, among: Dissimilarities, numbers: Indices) -> None:
        """The rows that are centres: as the metric takes them, and as the caller gave them."""
        given = isinstance(self._metric, Precomputed)
        self._center_points = None if given else among.rows[numbers]
        self.cluster_centers_ = self._center_points
        if isinstance(self._metric, Gower):
            columns = read_mixed_columns(X, owner=type(self).__name__).values
            rows = [np.asarray(column, dtype=object)[numbers] for column in columns]
            self.cluster_centers_ = np.stack(rows, axis=1)
        self._n_features_out = len(numbers)

    def _check_answer(self, value: float, labels: Indices) -> None:
        owner = type(self).__name__
        if not np.isfinite(value):
            raise NumericalError(
                f"{owner}: some rows are at no finite distance from any centre: their distances "
                "exceed what doubles hold (scale the columns), or rows have no column in common."
            )
        found = len(np.unique(labels))
        if found < self.n_clusters:
            warnings.warn(
                f"{owner}: {self.n_clusters} clusters were wanted, but only {found} are not empty: "
                "the rows have fewer distinct points.",
                ConvergenceWarning,
                stacklevel=user_stacklevel(),
            )

    def predict(self, X: Any) -> Indices:
        """The nearest centre of each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; with metric="precomputed", distances to all rows of the fit.

        Returns
        -------
        array of int64, shape (n,)
            Numbers of clusters; of equally near centres the first.
        """
        self._check_fitted()
        rows = self._queries(X)
        k = len(self._center_numbers)
        if self._center_points is None:
            nearest: Indices = np.argmin(rows[:, self._center_numbers], axis=1)
            return nearest.astype(np.int64)
        labels = between(self._metric, rows, self._center_points).serve(np.arange(k))[0]
        return np.asarray(labels).view(np.int64)

    def transform(self, X: Any) -> Any:
        """Distances of each row to the centres.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; with metric="precomputed", distances to all rows of the fit.

        Returns
        -------
        array or frame of shape (n, n_clusters)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        return self._wrap(self._distances(table), table)

    def _distances(self, table: Table) -> Array:
        rows = table.x.tocsr() if table.is_sparse else table.x
        if self._center_points is None:
            refuse_negative(rows, type(self).__name__)
            return np.ascontiguousarray(rows[:, self._center_numbers])
        return np.asarray(self._metric.matrix(rows, self._center_points))

    def _queries(self, X: Any) -> Any:
        table = self._read(X, reset=False)
        if self._center_points is None:
            refuse_negative(table.x, type(self).__name__)
        return table.x.tocsr() if table.is_sparse else table.x

    def _check_loaded(self) -> None:
        """Refuse centres of a file that are not of this metric and these features."""
        state = vars(self)
        if "_center_points" not in state:
            return
        numbers, points = self._center_numbers, state["_center_points"]
        metric, columns = state.get("_metric"), state.get("n_features_in_")
        k = len(numbers) if isinstance(numbers, np.ndarray) and numbers.ndim == 1 else 0
        right = k > 0 and numbers.dtype.kind in "iu" and isinstance(metric, Distance)
        if points is None:
            right = right and isinstance(metric, Precomputed) and numbers.min() >= 0
            right = right and isinstance(columns, int) and numbers.max() < columns
        else:
            right = right and getattr(points, "shape", ()) == (k, columns)
            right = right and points.dtype.kind == "f" and not isinstance(metric, Precomputed)
        if not right:
            raise ModelFileError(
                f"The {type(self).__name__} of the file has centres that are none."
            )
