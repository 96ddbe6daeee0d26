"""What estimators that ask neighbours share: parameters, the index, queries and graphs."""

from __future__ import annotations

import warnings
from math import inf
from numbers import Integral
from typing import Annotated, Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.base import BaseEstimator, Options, Tags
from stylobate.base.constraints import CallableObject, Instance, Interval
from stylobate.data import Table
from stylobate.data.sparse import is_sparse
from stylobate.data.words import user_stacklevel
from stylobate.distances import Gower, Precomputed
from stylobate.distances import Metric as Distance
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    NumericalError,
    StylobateWarning,
)
from stylobate.neighbors.indexes.brute import Lists, split
from stylobate.neighbors.indexes.choosing import (
    ALGORITHMS,
    EXACT,
    VALID_METRICS_SPARSE,
    choose_index,
)
from stylobate.neighbors.indexes.hnsw import HNSW
from stylobate.neighbors.indexes.loaded import check_neighbours
from stylobate.neighbors.indexes.metric import NAMES, effective_metric
from stylobate.neighbors.indexes.rows import (
    allows_nan,
    metric_for,
    read_mixed_rows,
    refuse_negative,
    refuse_not_square,
)
from stylobate.neighbors.partition_index import PartitionIndex, refuse_to_travel

Algorithm = Annotated[str, Options(*ALGORITHMS)] | Annotated[Any, Instance(HNSW)]
ExactAlgorithm = Annotated[str, Options(*EXACT)]  # where all rows within a radius are needed
Metric = Annotated[str, Options(*NAMES)] | Annotated[Any, CallableObject()]
MetricParams = Annotated[Any, Instance(dict)] | None
Power = Annotated[float, Interval(0, inf, closed="right")] | None
LeafSize = Annotated[int, Interval(1, inf)]


class MetricEstimator(BaseEstimator):
    """Reads rows as its metric takes them: tables, columns of any kind, given distances."""

    metric: Any
    p: Any
    metric_params: Any
    _metric: Distance

    def _tags(self) -> Tags:
        return (
            super()
            ._tags()
            .but(
                sparse=True,
                multi_output=True,
                pairwise=isinstance(self.metric, str) and self.metric == "precomputed",
                allow_nan=allows_nan(self.metric),
            )
        )

    def _metric_parameters(self) -> dict[str, Any] | None:
        """Arguments of the metric."""
        parameters: dict[str, Any] | None = self.metric_params
        return parameters

    def _read(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool, **options: Any
    ) -> Table:
        """Rows as the metric takes them; columns of any kind as their numbers."""
        if reset:
            self._metric = metric_for(X, self.metric, self.p, self._metric_parameters())
        metric = vars(self).get("_metric")  # none in files of earlier versions
        if isinstance(metric, Gower):
            return read_mixed_rows(self, X, y, sample_weight, reset=reset, **options)
        return super()._read(X, y, sample_weight, reset=reset, **options)

    def _read_rows(self, X: Any, **options: Any) -> Any:
        """The rows of a fit, or the square matrix of distances among them."""
        return self._checked_rows(self._read(X, reset=True, **options).x)

    def _checked_rows(self, rows: Any) -> Any:
        given = isinstance(self._metric, Precomputed)
        if given:
            refuse_not_square(rows, type(self).__name__)
            refuse_negative(rows, type(self).__name__)
        return rows.tocsr() if hasattr(rows, "tocsr") else rows


class NeighborsBase(MetricEstimator):
    """Remembers rows and finds the nearest."""

    algorithm: Any
    leaf_size: Any
    effective_metric_: Any
    effective_metric_params_: dict[str, Any]
    n_samples_fit_: int
    algorithm_: str
    algorithm_reason_: str
    recall_: Any

    def _remember(self, rows: Any) -> None:
        """Index the rows of the fit."""
        given = isinstance(self._metric, Precomputed)
        self._fit_X = self._checked_rows(rows)
        if is_sparse(rows) and not self._metric.sparse:
            raise InvalidParameterError(
                f"{type(self).__name__}: Metric {self._metric.name!r} not valid for sparse input. "
                f"Use one of {', '.join(VALID_METRICS_SPARSE['brute'])}, or dense rows."
            )
        if not is_sparse(rows) and not isinstance(self._metric, Gower):
            self._metric = self._metric.learnt(rows)
        self._index = choose_index(self._fit_X, self._metric, self.algorithm, self.leaf_size)
        exact = self.algorithm in ("auto", "brute")
        if not exact and is_sparse(self._fit_X) and not given:
            kind = "tree" if self.algorithm in EXACT else "graph"
            warnings.warn(
                f"{type(self).__name__}: cannot use {kind} with sparse input: using brute force.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        self._tell_of_index(rows.shape[0])

    def _tell_of_index(self, n_rows: int) -> None:
        """What is known of the rows remembered."""
        named = effective_metric(self.metric, self.p, self.metric_params)
        self.effective_metric_, self.effective_metric_params_ = named
        self.n_samples_fit_ = n_rows
        self.algorithm_, self.algorithm_reason_ = self._index.name, self._index.reason
        self.recall_ = getattr(self._index, "recall", None)

    def _refuse_to_travel(self) -> None:
        """Refuse to be saved, or to answer elsewhere, where the rows are not here."""
        if isinstance(vars(self).get("_index"), PartitionIndex):
            refuse_to_travel(type(self).__name__)

    def _check_loaded(self) -> None:
        """Refuse an index, rows and targets of a file that are not of the same rows."""
        if "_index" in vars(self):
            check_neighbours(self)

    def _queries(self, X: Any) -> Any:
        table = self._read(X, reset=False)
        if self.effective_metric_ == "precomputed":
            refuse_negative(table.x, type(self).__name__)
        return table.x.tocsr() if table.is_sparse else table.x

    def _nearest(self, x: Any | None, k: int) -> tuple[Array, Indices]:
        n = self.n_samples_fit_
        refuse_too_many(k, n, None if x is None else x.shape[0])
        distances, rows = self._index.query(x, k)
        refuse_too_far(distances, type(self).__name__)
        return distances, rows

    def _within(self, x: Any | None, radius: float | Array) -> Lists:
        lists: Lists = self._index.within(x, radius)
        return lists


class KNeighborsMixin(NeighborsBase):
    """The k nearest rows, and their graph."""

    n_neighbors: Any

    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> Any:
        """The nearest rows of the fit.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features), default=None
            Queries; None for the rows of the fit, none of which is then its own neighbour.
        n_neighbors : int in [1, inf), default=None
            How many; None for the constructor's.
        return_distance : bool, default=True
            Whether to return the distances.

        Returns
        -------
        distances : array of shape (n, n_neighbors), only if `return_distance`
            Sorted.
        indices : array of shape (n, n_neighbors)
            Of rows of the fit; rows at the same distance in their order.
        """
        self._check_fitted()
        k = self._checked_count(self.n_neighbors if n_neighbors is None else n_neighbors)
        distances, rows = self._nearest(None if X is None else self._queries(X), k)
        return (distances, rows) if return_distance else rows

    def _checked_count(self, k: Any) -> int:
        if not isinstance(k, Integral) or isinstance(k, bool):
            raise TypeError(
                f"n_neighbors does not take {type(k)} value, enter integer value; got {k!r}."
            )
        if k <= 0:
            raise InvalidParameterError(f"Expected n_neighbors > 0. Got {k}")
        return int(k)

    def kneighbors_graph(
        self, X: Any = None, n_neighbors: int | None = None, mode: str = "connectivity"
    ) -> Any:
        """The graph from each query to its nearest rows, as a sparse matrix.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features), default=None
            Queries; None for the rows of the fit.
        n_neighbors : int in [1, inf), default=None
            How many; None for the constructor's.
        mode : {"connectivity", "distance"}, default="connectivity"
            Whether entries are 1 or the distance.

        Returns
        -------
        csr_matrix of shape (n, n_samples_fit)
        """
        _check_mode(mode)
        self._check_fitted()
        distances, rows = self.kneighbors(X, n_neighbors)
        values = distances if mode == "distance" else np.ones(rows.shape)
        starts = np.arange(0, rows.size + 1, rows.shape[1])
        return _graph(values.ravel(), rows.ravel(), starts, self.n_samples_fit_)


class RadiusNeighborsMixin(NeighborsBase):
    """The rows within a radius, and their graph."""

    radius: Any

    def radius_neighbors(
        self,
        X: Any = None,
        radius: Any = None,
        return_distance: bool = True,
        sort_results: bool = False,
    ) -> Any:
        """The rows of the fit at most `radius` away.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features), default=None
            Queries; None for the rows of the fit, none of which is then its own neighbour.
        radius : float in [0, inf] or array-like of shape (n,), default=None
            One for all queries or one for each; None for the constructor's.
        return_distance : bool, default=True
            Whether to return the distances.
        sort_results : bool, default=False
            Whether the nearest come first; otherwise rows come in their order.

        Returns
        -------
        distances : array of n arrays, only if `return_distance`
        indices : array of n arrays
        """
        if sort_results and not return_distance:
            raise InvalidParameterError("return_distance must be True if sort_results is True.")
        lists = self._lists(X, radius)
        lists = lists.sorted() if sort_results else lists
        rows = split(lists.rows, lists.offsets)
        return (split(lists.distances, lists.offsets), rows) if return_distance else rows

    def _lists(self, X: Any, radius: Any) -> Lists:
        self._check_fitted()
        reach = np.asarray(self.radius if radius is None else radius, dtype=np.float64)
        if not (reach >= 0).all():
            raise InvalidParameterError(f"radius must be at least 0, got {radius!r}.")
        queries = None if X is None else self._queries(X)
        count = self.n_samples_fit_ if queries is None else queries.shape[0]
        if reach.ndim and reach.shape != (count,):
            raise InvalidDataError(
                f"radius must be one number or one for each of the {count} rows of X, got shape "
                f"{reach.shape}."
            )
        return self._within(queries, reach if reach.ndim else float(reach))

    def radius_neighbors_graph(
        self,
        X: Any = None,
        radius: Any = None,
        mode: str = "connectivity",
        sort_results: bool = False,
    ) -> Any:
        """The graph from each query to the rows within the radius, as a sparse matrix.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features), default=None
            Queries; None for the rows of the fit.
        radius : float in [0, inf] or array-like of shape (n,), default=None
            One for all queries or one for each; None for the constructor's.
        mode : {"connectivity", "distance"}, default="connectivity"
            Whether entries are 1 or the distance.
        sort_results : bool, default=False
            Whether the nearest come first in each row; with "distance" only.

        Returns
        -------
        csr_matrix of shape (n, n_samples_fit)
        """
        _check_mode(mode)
        lists = self._lists(X, radius)
        lists = lists.sorted() if sort_results and mode == "distance" else lists
        values = lists.distances if mode == "distance" else np.ones(len(lists.rows))
        return _graph(values, lists.rows, lists.offsets, self.n_samples_fit_)


def _graph(values: Array, rows: Indices, offsets: Any, n_columns: int) -> Any:
    from scipy import sparse

    return sparse.csr_matrix((values, rows, offsets), shape=(len(offsets) - 1, n_columns))


def _check_mode(mode: str) -> None:
    if mode not in ("connectivity", "distance"):
        raise InvalidParameterError(
            f'Unsupported mode, must be one of "connectivity", or "distance" but got "{mode}" '
            "instead"
        )


def refuse_too_many(k: int, n: int, queries: int | None) -> None:
    """Refuse more neighbours than n rows are; queries None: of the rows themselves."""
    own = queries is None
    if k > (n - 1 if own else n):
        raise InvalidDataError(
            f"Expected n_neighbors {'<' if own else '<='} n_samples_fit, but n_neighbors = {k}, "
            f"n_samples_fit = {n}, n_samples = {n if own else queries}"
        )


def refuse_too_far(distances: Array, owner: str) -> None:
    """Refuse distances of neighbours, the nearest first, that left the range of doubles."""
    if np.isinf(distances[:, -1]).any():
        raise NumericalError(
            f"{owner}: distances between these rows exceed what doubles hold; scale the columns "
            "first."
        )
