"""Numbers by averages, medians or quantiles of neighbours."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import Interval, Options, RegressorMixin
from stylobate.base.study_role import StudyRole
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
from stylobate.neighbors.partition_index import remember_partitions
from stylobate.neighbors.predictions.answers import NO_WEIGHT, NOBODY, quantiles_of, quotient, told
from stylobate.neighbors.predictions.classification import Weights
from stylobate.neighbors.predictions.weights import weights_of, weights_of_lists

if TYPE_CHECKING:
    from stylobate.data.streams import Stream

Loss = Annotated[str, Options("squared_error", "absolute_error", "quantile")]
Level = Annotated[float, Interval(0, 1, closed="both")]


class NeighborsRegressorBase(RegressorMixin, NeighborsBase):
    """Targets of the rows remembered, one column or several."""

    _y: Array
    loss: str
    quantile: float

    @property
    def _level(self) -> float:
        return 0.5 if self.loss == "absolute_error" else float(self.quantile)

    def fit(self, X: Any, y: Any) -> Self:
        """Remember the rows and their targets.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; with metric="precomputed", distances among them.
        y : array-like of shape (n,) or (n, n_outputs)
            Targets.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, y, reset=True)
        self._remember(table.x)
        targets = np.asarray(table.y, dtype=np.float64)
        self._y = targets[:, 0] if table.y_is_vector else targets
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        if stream.here:
            return super()._fit_stream(stream)
        remember_partitions(self, stream, labels=False, targets=True)
        return self


class KNeighborsRegressor(KNeighborsMixin, NeighborsRegressorBase):
    r"""The weighted mean (or median, or quantile) of the targets of the k nearest rows.

    .. math:: a(x) = \arg\min_c \sum_{s=1}^k w_s\,\ell(y^{(i_s)}, c), \qquad
              \text{for the squared loss}\quad
              a(x) = \frac{\sum_{s=1}^k w_s\,y^{(i_s)}}{\sum_{s=1}^k w_s}

    With weights :math:`K(d/h)` and the squared loss this is the Nadaraya–Watson estimator.

    Parameters
    ----------
    n_neighbors : int in [1, inf), default=5
        k.
    weights : str, WeightRule, callable or None, default="uniform"
        w, as for `KNeighborsClassifier`.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute", "hnsw"} or HNSW, default="auto"
        "auto" chooses by shape and metric, and says why in `algorithm_reason_`; "hnsw" (or settings
        such as ``HNSW(M=32)``) is approximate, and measures its recall.
    leaf_size : int in [1, inf), default=30
        Accepted for compatibility; leaves hold 16 rows.
    p : float in (0, inf], default=2
        Power of the Minkowski metric.
    metric : str or callable, default="minkowski"
        A name `pairwise_distances` knows, "precomputed", or a function of two rows.
    metric_params : dict or None, default=None
        Further arguments of the metric.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.
    loss : {"squared_error", "absolute_error", "quantile"}, default="squared_error"
        What the answer minimises among the neighbours: the mean, the (weighted) median, or the
        quantile of level `quantile` of their targets.
    quantile : float in [0, 1], default=0.5
        The level, for loss "quantile".

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
    >>> KNeighborsRegressor(2).fit([[0.0], [1.0], [5.0]], [1.0, 3.0, 9.0]).predict([[0.4]])
    array([2.])

    The median does not mind a wild target:

    >>> median = KNeighborsRegressor(3, loss="absolute_error")
    >>> median.fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 900.0]).predict([[0.4]])
    array([3.])
    """

    _study_role = StudyRole(
        "neighbours",
        "Nearest neighbours",
        40,
        space={"n_neighbors": (10, 5, 20, 40), "weights": ("uniform", "distance")},
        max_rows=100_000,
        max_columns=500,
    )

    def __init__(
        self,
        n_neighbors: Annotated[int, Interval(1, inf)] = 5,
        *,
        weights: Weights = "uniform",
        algorithm: Algorithm = "auto",
        leaf_size: LeafSize = 30,
        p: Power = 2,
        metric: Metric = "minkowski",
        metric_params: MetricParams = None,
        n_jobs: int | None = None,
        loss: Loss = "squared_error",
        quantile: Level = 0.5,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.loss = loss
        self.quantile = quantile

    def predict(self, X: Any) -> Array:
        """The weighted mean of the neighbours' targets, or their median or quantile.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features), or None
            Rows; None for those of the fit, each predicted from the others.

        Returns
        -------
        array of shape (n,) or (n, n_outputs)
            NaN, with a warning, where no neighbour has positive weight.
        """
        distances, rows = self.kneighbors(X)
        targets = self._y[rows]
        plain = self.weights in (None, "uniform")
        if plain and self.loss == "squared_error":
            return np.asarray(targets.mean(axis=1))
        weights = np.ones(rows.shape) if plain else weights_of(self.weights, distances)
        if self.loss != "squared_error":
            return told(quantiles_of(targets, weights, self._level), NO_WEIGHT)
        total = weights.sum(axis=1)
        sums = np.einsum("ns,ns...->n...", weights, targets)
        return quotient(sums, total, NO_WEIGHT)


class RadiusNeighborsRegressor(RadiusNeighborsMixin, NeighborsRegressorBase):
    r"""The weighted mean (or median, or quantile) of the targets of the rows within a radius.

    .. math:: a(x) = \frac{\sum_{i:\,d(x, x_i) \le r} w_i\,y_i}{\sum_{i:\,d(x, x_i) \le r} w_i}

    Parameters
    ----------
    radius : float in [0, inf], default=1.0
        r.
    weights : str, WeightRule, callable or None, default="uniform"
        w, as for `KNeighborsClassifier`.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        "auto" chooses by shape and metric, and says why in `algorithm_reason_`.
    leaf_size : int in [1, inf), default=30
        Accepted for compatibility; leaves hold 16 rows.
    p : float in (0, inf], default=2
        Power of the Minkowski metric.
    metric : str or callable, default="minkowski"
        A name `pairwise_distances` knows, "precomputed", or a function of two rows.
    metric_params : dict or None, default=None
        Further arguments of the metric.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.
    loss : {"squared_error", "absolute_error", "quantile"}, default="squared_error"
        What the answer minimises, as of `KNeighborsRegressor`.
    quantile : float in [0, 1], default=0.5
        The level, for loss "quantile".

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
    >>> model = RadiusNeighborsRegressor(1.0).fit([[0.0], [1.0], [5.0]], [1.0, 3.0, 9.0])
    >>> model.predict([[0.4], [5.5]])
    array([2., 9.])
    """

    _answers_may_be_missing = True  # a row without neighbours has no mean: told by a warning

    def __init__(
        self,
        radius: Annotated[float, Interval(0, inf, closed="both")] = 1.0,
        *,
        weights: Weights = "uniform",
        algorithm: ExactAlgorithm = "auto",
        leaf_size: LeafSize = 30,
        p: Power = 2,
        metric: Metric = "minkowski",
        metric_params: MetricParams = None,
        n_jobs: int | None = None,
        loss: Loss = "squared_error",
        quantile: Level = 0.5,
    ) -> None:
        self.radius = radius
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs
        self.loss = loss
        self.quantile = quantile

    def predict(self, X: Any) -> Array:
        """The weighted mean of the targets within the radius, or their median or quantile.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features), or None
            Rows; None for those of the fit, each predicted from the others.

        Returns
        -------
        array of shape (n,) or (n, n_outputs)
            NaN, with a warning, where nobody is within the radius.
        """
        self._check_fitted()
        lists = self._lists(X, None).sorted()
        weights = weights_of_lists(self.weights, lists.distances, lists.offsets)
        n = len(lists.offsets) - 1
        query = np.repeat(np.arange(n), np.diff(lists.offsets))
        total: Any = np.bincount(query, weights=weights, minlength=n)
        targets = self._y[lists.rows]
        columns = targets[:, None] if targets.ndim == 1 else targets
        if self.loss != "squared_error":
            return self._quantiles_of_lists(lists.rows, query, weights, n)
        sums: Any = np.column_stack(
            [np.bincount(query, weights=weights * column, minlength=n) for column in columns.T]
        )
        sums = sums[:, 0] if targets.ndim == 1 else sums
        return quotient(sums, total, NOBODY)

    def _quantiles_of_lists(
        self, rows: NDArray[np.intp], query: NDArray[np.intp], weights: Array, n: int
    ) -> Array:
        """Lists as rows of one length, filled up with neighbours of weight 0."""
        counts = np.bincount(query, minlength=n)
        place = np.arange(len(query)) - np.repeat(np.cumsum(counts) - counts, counts)
        longest = max(int(counts.max(initial=0)), 1)
        table = np.zeros((n, longest))
        table[query, place] = weights
        targets = np.zeros((n, longest, *self._y.shape[1:]))
        targets[query, place] = self._y[rows]
        return told(quantiles_of(targets, table, self._level), NOBODY)
