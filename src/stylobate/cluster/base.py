"""What the estimators of the k-means family share: centres, and what they say of rows."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, ClusterMixin, Tags, TransformerMixin
from stylobate.cluster.starts import given_centers
from stylobate.data import Table
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import StylobateWarning
from stylobate.statistics import AssignTo


class BaseKMeans(TransformerMixin, ClusterMixin, BaseEstimator):
    """Clusters that are their centres: a row belongs to the nearest."""

    n_clusters: int
    init: Any
    n_init: Any
    cluster_centers_: NDArray[Any]

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True, preserves_dtype=("float64", "float32"))

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def fit_predict(  # type: ignore[override]  # it names what `fit` takes
        self, X: Any, y: Any = None, sample_weight: Any = None
    ) -> NDArray[Any]:
        """Fit to X and return the label of every row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : object, optional
            Ignored; there so that pipelines can pass it.
        sample_weight : array-like of shape (n,), default=None
            Non-negative weights.

        Returns
        -------
        array of int, shape (n,)
        """
        return self.fit(X, sample_weight=sample_weight).labels_

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit to X and return the distances of its rows to the centres.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : object, optional
            Ignored; there so that pipelines can pass it.
        sample_weight : array-like of shape (n,), default=None
            Non-negative weights.

        Returns
        -------
        array or frame of shape (n, n_clusters)
        """
        return self.fit(X, sample_weight=sample_weight).transform(X)

    def predict(self, X: Any) -> NDArray[np.int32]:
        """The number of the nearest centre of each row; of equally near ones the first.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of int32, shape (n,)
        """
        self._check_fitted()
        return self._labels_of(self._read(X, reset=False))

    def _labels_of(self, table: Table) -> NDArray[np.int32]:
        return np.asarray(self._recipe().rows(table)[0].labels)

    def _recipe(self) -> AssignTo:
        return AssignTo(np.asarray(self.cluster_centers_, dtype=np.float64))

    def transform(self, X: Any) -> Any:
        """Distances of each row to the centres.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_clusters)
        """
        from stylobate.metrics.pairwise import euclidean_distances

        self._check_fitted()
        table = self._read(X, reset=False)
        centers = self.cluster_centers_
        if table.x.dtype != centers.dtype:  # a fit in single precision gives single precision
            centers = centers.astype(table.x.dtype)
        return self._wrap(euclidean_distances(table.x, centers), table)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        r"""The inertia of other rows, negative so that more is better.

        .. math:: -\sum_i w_i \min_c \|x_i - \mu_c\|^2

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : object, optional
            Ignored.
        sample_weight : array-like of shape (n,), default=None
            Non-negative weights.

        Returns
        -------
        float
        """
        from stylobate.data.streams import Stream

        self._check_fitted()
        if isinstance(X, Stream):
            return -float(self._source(X, self._later_reader()).compute(self._recipe()).inertia)
        table = self._read(X, None, sample_weight, reset=False)
        return -float(self._recipe().of(table).inertia)

    def _later_reader(self) -> Any:
        def read(batch: Any) -> Table:
            return self._read(batch.x, None, batch.weights, reset=False, check_finite="deferred")

        return read

    def _formula(self, columns: Any) -> Any:
        from stylobate.formula.expressions import Answer
        from stylobate.formula.maps import nearest_centre

        classes = tuple(range(len(self.cluster_centers_)))
        return Answer((nearest_centre(columns, self.cluster_centers_, classes),), (), classes)

    # --- restarts -------------------------------------------------------------------------------

    def _starts_planned(self, otherwise: int) -> Plan:
        """How many starts there are, and of what kind."""
        given = not isinstance(self.init, str) and not callable(self.init)
        if self.n_init == "auto":
            single = given or self.init == "k-means++"
            return Plan(1 if single else otherwise, given)
        if given and self.n_init != 1:
            warnings.warn(
                "Explicit initial center position passed: performing only one init in "
                f"{type(self).__name__} instead of n_init={self.n_init}.",
                ParameterWarning,
                stacklevel=user_stacklevel(),
            )
            return Plan(1, True)
        return Plan(int(self.n_init), given)

    def _given(self, n_features: int) -> Array:
        return given_centers(self.init, self.n_clusters, n_features, type(self).__name__)


@dataclass(frozen=True, slots=True)
class Plan:
    """Starts to make; `given`: the centres are given."""

    count: int
    given: bool


class ParameterWarning(StylobateWarning, RuntimeWarning):
    """A parameter was not followed to the letter; the text says why."""
