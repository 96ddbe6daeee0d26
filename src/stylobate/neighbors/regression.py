"""Numbers by averages of neighbours."""

from __future__ import annotations

import warnings
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval, RegressorMixin
from stylobate.base.study_role import StudyRole
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import StylobateWarning
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
from stylobate.neighbors.classification import Weights
from stylobate.neighbors.weights import weights_of, weights_of_lists


class NeighborsRegressorBase(RegressorMixin, NeighborsBase):
    """Targets of the rows remembered, one column or several."""

    _y: Array

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


class KNeighborsRegressor(KNeighborsMixin, NeighborsRegressorBase):
    r"""The weighted mean of the targets of the k nearest rows.

    .. math:: a(x) = \frac{\sum_{s=1}^k w_s\,y^{(i_s)}}{\sum_{s=1}^k w_s}

    With weights :math:`K(d/h)` this is the Nadaraya–Watson estimator.

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
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def predict(self, X: Any) -> Array:
        """The weighted mean of the neighbours' targets.

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
        if self.weights in (None, "uniform"):
            return np.asarray(targets.mean(axis=1))
        weights = weights_of(self.weights, distances)
        total = weights.sum(axis=1)
        sums = np.einsum("ns,ns...->n...", weights, targets)
        return _quotient(sums, total, "no neighbour of positive weight; choose a larger bandwidth")


class RadiusNeighborsRegressor(RadiusNeighborsMixin, NeighborsRegressorBase):
    r"""The weighted mean of the targets of the rows within a radius.

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
    ) -> None:
        self.radius = radius
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def predict(self, X: Any) -> Array:
        """The weighted mean of the targets within the radius.

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
        sums: Any = np.column_stack(
            [np.bincount(query, weights=weights * column, minlength=n) for column in columns.T]
        )
        sums = sums[:, 0] if targets.ndim == 1 else sums
        return _quotient(sums, total, "no neighbors within specified radius; predicting NaN")


def _quotient(sums: Array, total: Array, words: str) -> Array:
    """Sums over totals; NaN and a warning where the total is 0."""
    empty = ~(total > 0.0)
    if empty.any():
        warnings.warn(
            f"One or more samples have {words}: {int(empty.sum())} rows.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    divisor = np.where(empty, np.nan, total)
    return np.asarray(sums / (divisor if sums.ndim == 1 else divisor[:, None]))
