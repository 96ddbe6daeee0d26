"""`KDTree` and `BallTree`: trees to be asked directly, with scikit-learn's methods."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.distances import metric_of
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neighbors.indexes.brute import checked_count, split
from stylobate.neighbors.indexes.choosing import VALID_METRICS, tree_index
from stylobate.neighbors.indexes.metric import effective_metric


class BinaryTree:
    """Rows in a tree."""

    _algorithm: ClassVar[str]
    valid_metrics: ClassVar[list[str]]

    def __init__(
        self,
        X: Any,
        leaf_size: int = 40,
        metric: Any = "minkowski",
        *,
        sample_weight: Any = None,
        **kwargs: Any,
    ) -> None:
        if leaf_size < 1:
            raise InvalidParameterError(
                f"{type(self).__name__}: leaf_size must be greater than or equal to 1, got "
                f"{leaf_size!r}."
            )
        self._rows = self._read(X)
        self.metric, params = effective_metric(metric, kwargs.pop("p", 2), kwargs)
        self._index = tree_index(self._rows, metric_of(self.metric, params), self._algorithm)
        self.sample_weight = None if sample_weight is None else self._weights(sample_weight)

    @property
    def data(self) -> Array:
        """The rows, not to be written to."""
        view = self._rows.view()
        view.flags.writeable = False
        return view

    @property
    def reason(self) -> str:
        """How the rows are searched, and why."""
        return str(self._index.reason)

    def query(
        self,
        X: Any,
        k: int = 1,
        return_distance: bool = True,
        dualtree: bool = False,
        breadth_first: bool = False,
        sort_results: bool = True,
    ) -> Any:
        """The k nearest rows, nearest first, ties by row.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Queries.
        k : int in [1, number of rows], default=1
            How many.
        return_distance : bool, default=True
            Whether to return the distances.
        dualtree, breadth_first, sort_results : bool
            Accepted for compatibility; the answers are the same and always sorted.

        Returns
        -------
        d : array of shape (n, k), only if `return_distance`
        i : array of int of shape (n, k)
        """
        x = self._queries(X)
        k = checked_count(k, len(self._rows), type(self).__name__)
        distances, rows = self._index.query(x, k)
        return (distances, rows) if return_distance else rows

    def query_radius(
        self,
        X: Any,
        r: Any,
        return_distance: bool = False,
        count_only: bool = False,
        sort_results: bool = False,
    ) -> Any:
        """The rows within a distance.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Queries.
        r : float or array-like of shape (n,)
            Distances, one for all or for each query.
        return_distance : bool, default=False
            Whether to return the distances too.
        count_only : bool, default=False
            How many rows only.
        sort_results : bool, default=False
            Nearest first; else in order of the rows. Needs `return_distance`.

        Returns
        -------
        count : array of int of shape (n,), if `count_only`
        ind : array of shape (n,) of arrays of int
        dist : array of shape (n,) of arrays of float, only if `return_distance`
        """
        if count_only and return_distance:
            raise InvalidParameterError("count_only and return_distance cannot both be true")
        if sort_results and not return_distance:
            raise InvalidParameterError("return_distance must be True if sort_results is True")
        x = self._queries(X)
        try:
            radii = np.broadcast_to(np.asarray(r, dtype=np.float64), (len(x),))
        except ValueError:
            raise InvalidDataError(
                f"r must be one distance or one for each of {len(x)} queries; got shape "
                f"{np.shape(r)}."
            ) from None
        if count_only:
            return self._index.count(x, radii)
        lists = self._index.within(x, radii)
        lists = lists.sorted() if sort_results else lists
        rows = split(lists.rows, lists.offsets)
        if not return_distance:
            return rows
        return rows, split(lists.distances, lists.offsets)

    def kernel_density(
        self,
        X: Any,
        h: float,
        kernel: str = "gaussian",
        atol: float = 0,
        rtol: float = 1e-8,
        breadth_first: bool = True,
        return_log: bool = False,
    ) -> Array:
        """Σ K(d / h) over the rows, K of integral 1: the density times the number of rows.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Queries.
        h : float above 0
            Bandwidth.
        kernel : {"gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"}
            The kernel.
        atol, rtol, breadth_first
            Accepted for compatibility: sums are exact.
        return_log : bool, default=False
            The logarithm of the sum.

        Returns
        -------
        density : array of shape (n,)
        """
        from stylobate.neighbors.density.tree_density import log_density

        x = self._queries(X)
        logs = log_density(self._index, x, h, kernel, self.sample_weight)
        return logs if return_log else np.exp(logs)

    def two_point_correlation(self, X: Any, r: Any, dualtree: bool = False) -> NDArray[np.int64]:
        """Pairs of a query and a row that are at most r apart, for each r.

        Parameters
        ----------
        X : array-like of shape (n, n_features)
            Queries.
        r : array-like
            Distances.
        dualtree : bool
            Accepted for compatibility.

        Returns
        -------
        counts : array of int of shape (len(r),)
        """
        x = self._queries(X)
        radii = np.atleast_1d(np.asarray(r, dtype=np.float64))
        return np.array([self._index.count(x, each).sum() for each in radii], dtype=np.int64)

    def _queries(self, X: Any) -> Array:
        x = self._read(X)
        if x.shape[1] != self._rows.shape[1]:
            raise InvalidDataError(
                f"{type(self).__name__}: query data dimension must match training data dimension: "
                f"{self._rows.shape[1]} columns, got {x.shape[1]}."
            )
        return x

    def _read(self, X: Any) -> Array:
        from stylobate.metrics.pairwise.arrays import read_pair

        x, _ = read_pair(X, None, type(self).__name__, sparse=False)
        return np.ascontiguousarray(x, dtype=np.float64)

    def _weights(self, given: Any) -> Array:
        weights = np.asarray(given, dtype=np.float64)
        if weights.shape != (len(self._rows),) or not (weights > 0).all():
            raise InvalidDataError(
                f"{type(self).__name__}: sample_weight must be {len(self._rows)} positive weights."
            )
        return weights


class KDTree(BinaryTree):
    """A tree of cells: each cut halves the rows along the widest side.

    Parameters
    ----------
    X : array-like of shape (n, n_features)
        The rows.
    leaf_size : int in [1, inf), default=40
        Accepted for compatibility; leaves hold 16 rows.
    metric : str, default="minkowski"
        One of `valid_metrics`.
    sample_weight : array-like of shape (n,), default=None
        Weights of the rows in `kernel_density`.
    **kwargs
        The metric's own: ``p`` and ``w`` of minkowski.

    Attributes
    ----------
    data : array of shape (n, n_features)
        The rows.
    valid_metrics : list of str
        What `metric` may be.

    Examples
    --------
    >>> tree = KDTree([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
    >>> tree.query([[0.0, 1.5]], k=2)
    (array([[0.5, 1.5]]), array([[2, 0]]))
    >>> tree.query_radius([[0.0, 0.5]], r=1.0)[0]
    array([0])

    References
    ----------
    Bentley, Multidimensional binary search trees used for associative searching, 1975.
    """

    _algorithm = "kd_tree"
    valid_metrics: ClassVar[list[str]] = VALID_METRICS["kd_tree"]


class BallTree(BinaryTree):
    """A tree of balls, for every metric that obeys the triangle inequality.

    Parameters
    ----------
    X : array-like of shape (n, n_features)
        The rows.
    leaf_size : int in [1, inf), default=40
        Accepted for compatibility; leaves hold 16 rows.
    metric : str or callable, default="minkowski"
        One of `valid_metrics`, or a function of two rows.
    sample_weight : array-like of shape (n,), default=None
        Weights of the rows in `kernel_density`.
    **kwargs
        The metric's own: ``p`` and ``w`` of minkowski, ``V``, ``VI`` and so on.

    Attributes
    ----------
    data : array of shape (n, n_features)
        The rows.
    valid_metrics : list of str
        What `metric` may be.

    Examples
    --------
    >>> places = np.radians([[52.5, 13.4], [48.9, 2.4], [40.7, -74.0]])
    >>> d, i = BallTree(places, metric="haversine").query(np.radians([[51.5, -0.1]]), k=1)
    >>> i, (6371 * d).round()
    (array([[1]]), array([[339.]]))

    References
    ----------
    Omohundro, Five balltree construction algorithms, 1989.
    """

    _algorithm = "ball_tree"
    valid_metrics: ClassVar[list[str]] = VALID_METRICS["ball_tree"]
