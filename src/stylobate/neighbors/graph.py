"""Graphs of neighbours, and the steps of a pipeline that make them."""

from __future__ import annotations

from abc import abstractmethod
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.base import Interval, Options, TransformerMixin
from stylobate.exceptions import InvalidDataError, InvalidParameterError, UnsupportedDataError
from stylobate.neighbors.base import (
    Algorithm,
    ExactAlgorithm,
    KNeighborsMixin,
    LeafSize,
    Metric,
    MetricParams,
    NeighborsBase,
    Power,
    RadiusNeighborsMixin,
)
from stylobate.neighbors.unsupervised import NearestNeighbors

Mode = Annotated[str, Options("distance", "connectivity")]


class GraphTransformer(TransformerMixin, NeighborsBase):
    """Remembers rows; turns rows into their edges to them."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Remember the rows.

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
        self._remember(self._read(X, reset=True).x)
        self._n_features_out = self.n_samples_fit_
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Remember the rows and give their graph, every row with itself at distance 0."""
        return self.fit(X).transform(X)

    @abstractmethod
    def transform(self, X: Any) -> Any:
        """The edges of each row."""


class KNeighborsTransformer(KNeighborsMixin, GraphTransformer):
    """The graph of the k nearest rows, as a step before estimators that take graphs.

    Parameters
    ----------
    mode : {"distance", "connectivity"}, default="distance"
        Whether entries are distances or 1; distances come with one neighbour more, so that each row
        can be its own.
    n_neighbors : int in [1, inf), default=5
        k.
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
    >>> graph = KNeighborsTransformer(n_neighbors=1).fit_transform([[0.0], [1.0], [3.0]])
    >>> graph.toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 2., 0.]])
    """

    def __init__(
        self,
        *,
        mode: Mode = "distance",
        n_neighbors: Annotated[int, Interval(1, inf)] = 5,
        algorithm: Algorithm = "auto",
        leaf_size: LeafSize = 30,
        metric: Metric = "minkowski",
        p: Power = 2,
        metric_params: MetricParams = None,
        n_jobs: int | None = None,
    ) -> None:
        self.mode = mode
        self.n_neighbors = n_neighbors
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def transform(self, X: Any) -> Any:
        """The edges from each row to its nearest of the fit.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        csr_matrix of shape (n, n_samples_fit)
        """
        self._check_fitted()
        more = 1 if self.mode == "distance" else 0
        return self.kneighbors_graph(X, mode=self.mode, n_neighbors=self.n_neighbors + more)


class RadiusNeighborsTransformer(RadiusNeighborsMixin, GraphTransformer):
    """The graph of the rows within a radius, as a step before estimators that take graphs.

    Parameters
    ----------
    mode : {"distance", "connectivity"}, default="distance"
        Whether entries are distances or 1.
    radius : float in [0, inf], default=1.0
        r.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        "auto" chooses by shape and metric, and says why in `algorithm_reason_`.
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
    effective_metric_, effective_metric_params_
        What `metric`, `p` and `metric_params` come to.
    n_samples_fit_ : int
        Rows remembered.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> graph = RadiusNeighborsTransformer(radius=1.0).fit_transform([[0.0], [1.0], [3.0]])
    >>> graph.toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 0., 0.]])
    """

    def __init__(
        self,
        *,
        mode: Mode = "distance",
        radius: Annotated[float, Interval(0, inf, closed="both")] = 1.0,
        algorithm: ExactAlgorithm = "auto",
        leaf_size: LeafSize = 30,
        metric: Metric = "minkowski",
        p: Power = 2,
        metric_params: MetricParams = None,
        n_jobs: int | None = None,
    ) -> None:
        self.mode = mode
        self.radius = radius
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def transform(self, X: Any) -> Any:
        """The edges from each row to those of the fit within the radius.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        csr_matrix of shape (n, n_samples_fit)
        """
        return self.radius_neighbors_graph(X, mode=self.mode, sort_results=True)


def kneighbors_graph(
    X: Any,
    n_neighbors: int,
    *,
    mode: str = "connectivity",
    metric: Any = "minkowski",
    p: float = 2,
    metric_params: dict[str, Any] | None = None,
    include_self: bool | str = False,
    n_jobs: int | None = None,
) -> Any:
    """The graph of the k nearest neighbours of every row.

    Parameters
    ----------
    X : array-like, sparse, data frame, or fitted NearestNeighbors
        Rows.
    n_neighbors : int in [1, inf)
        k.
    mode : {"connectivity", "distance"}, default="connectivity"
        Whether entries are 1 or distances.
    metric, p, metric_params
        As for `NearestNeighbors`.
    include_self : bool or "auto", default=False
        Whether a row counts as its own nearest; "auto": for connectivity only.
    n_jobs : ignored
        For compatibility.

    Returns
    -------
    csr_matrix of shape (n, n)

    Examples
    --------
    >>> kneighbors_graph([[0.0], [1.0], [3.0]], 1).toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 1., 0.]])
    """
    model = _fitted_to(X, {"n_neighbors": n_neighbors}, metric, p, metric_params)
    queries = _own_queries(model, include_self, mode)
    return model.kneighbors_graph(queries, n_neighbors=n_neighbors, mode=mode)


def radius_neighbors_graph(
    X: Any,
    radius: float,
    *,
    mode: str = "connectivity",
    metric: Any = "minkowski",
    p: float = 2,
    metric_params: dict[str, Any] | None = None,
    include_self: bool | str = False,
    n_jobs: int | None = None,
) -> Any:
    """The graph of the neighbours within a radius of every row.

    Parameters
    ----------
    X : array-like, sparse, data frame, or fitted NearestNeighbors
        Rows.
    radius : float in [0, inf]
        r.
    mode : {"connectivity", "distance"}, default="connectivity"
        Whether entries are 1 or distances.
    metric, p, metric_params
        As for `NearestNeighbors`.
    include_self : bool or "auto", default=False
        Whether a row counts as its own neighbour; "auto": for connectivity only.
    n_jobs : ignored
        For compatibility.

    Returns
    -------
    csr_matrix of shape (n, n)

    Examples
    --------
    >>> radius_neighbors_graph([[0.0], [1.0], [3.0]], 2.0, mode="distance").toarray()
    array([[0., 1., 0.],
           [1., 0., 2.],
           [0., 2., 0.]])
    """
    model = _fitted_to(X, {"radius": radius}, metric, p, metric_params)
    queries = _own_queries(model, include_self, mode)
    return model.radius_neighbors_graph(queries, radius, mode)


def _fitted_to(X: Any, size: dict[str, Any], metric: Any, p: float, params: Any) -> Any:
    if not isinstance(X, NeighborsBase):
        return NearestNeighbors(**size, metric=metric, p=p, metric_params=params).fit(X)
    asked = {"metric": metric, "p": p, "metric_params": params}
    for name, value in asked.items():
        own = getattr(X, name)
        if own != value:
            raise InvalidParameterError(
                f"Got {value} for {name}, while the estimator has {own} for the same parameter."
            )
    return X


def _own_queries(model: Any, include_self: bool | str, mode: str) -> Any:
    include = mode == "connectivity" if include_self == "auto" else bool(include_self)
    return model._fit_X if include else None


def sort_graph_by_row_values(
    graph: Any, copy: bool = False, warn_when_not_sorted: bool = True
) -> Any:
    """A sparse graph with the smallest entry of every row first.

    Parameters
    ----------
    graph : sparse matrix of shape (n, m) in format csr, or with `copy` csc, coo or lil
        Distances to neighbours.
    copy : bool, default=False
        Whether to leave the caller's graph alone.
    warn_when_not_sorted : bool, default=True
        Whether to warn if it was not sorted.

    Returns
    -------
    csr_matrix of shape (n, m)

    Examples
    --------
    >>> from scipy.sparse import csr_matrix
    >>> sort_graph_by_row_values(csr_matrix([[3.0, 1.0]]), warn_when_not_sorted=False).data
    array([1., 3.])
    """
    if not hasattr(graph, "tocsr"):
        raise InvalidDataError(f"Input graph must be a sparse matrix, got {type(graph).__name__}.")
    if graph.format not in ("csr", "csc", "coo", "lil"):
        raise UnsupportedDataError(
            f"sort_graph_by_row_values: Sparse matrix in {graph.format!r} format is not supported "
            "due to its handling of explicit zeros; give csr, csc, coo or lil."
        )
    if graph.format != "csr" and not copy:
        raise InvalidDataError(
            "sort_graph_by_row_values: the input graph is not in CSR format and cannot be sorted "
            "in place. Use copy=True to allow the conversion to CSR."
        )
    rows = graph.tocsr(copy=copy) if graph.format == "csr" else graph.tocsr()
    row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    order = np.lexsort((rows.data, row))
    if (order == np.arange(len(order))).all():
        return rows
    if warn_when_not_sorted:
        import warnings

        from stylobate.data.words import user_stacklevel
        from stylobate.exceptions import EfficiencyWarning, joined

        warnings.warn(
            "Precomputed sparse input was not sorted by row values. Use the function "
            "sort_graph_by_row_values to sort the input by row values, with "
            "warn_when_not_sorted=False to remove this warning.",
            joined(EfficiencyWarning),
            stacklevel=user_stacklevel(),
        )
    rows.data[:], rows.indices[:] = rows.data[order], rows.indices[order]
    rows.has_sorted_indices = False
    return rows
