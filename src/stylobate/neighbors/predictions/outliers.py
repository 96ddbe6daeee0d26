"""Outliers by the density around them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Integers
from stylobate.base import Interval, Options, Tags
from stylobate.base.availability import available_if
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import StylobateWarning
from stylobate.neighbors.base import (
    Algorithm,
    KNeighborsMixin,
    LeafSize,
    Metric,
    MetricParams,
    Power,
)

_BLOCK = 65_536
_TINY = 1e-10  # keeps densities of repeated points finite


class LocalOutlierFactor(KNeighborsMixin):
    r"""How much sparser the surroundings of a row are than those of its neighbours.

    .. math:: \mathrm{LOF}(x) = \frac1k \sum_{o \in N_k(x)} \frac{\rho(o)}{\rho(x)}, \quad
        \rho(x)^{-1} = \frac1k \sum_{o \in N_k(x)} \max\big(d(x, o), d_k(o)\big)

    Parameters
    ----------
    n_neighbors : int in [1, inf), default=20
        k; more than the other rows there are means all of them.
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
    contamination : float in (0, 0.5] or "auto", default="auto"
        The share of outliers; "auto" calls those outliers whose factor is above 1.5.
    novelty : bool, default=False
        False: say which rows of the fit are outliers (`fit_predict`). True: judge new rows
        (`predict`, `decision_function`, `score_samples`).
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.

    Attributes
    ----------
    negative_outlier_factor_ : array of shape (n,)
        −LOF of the rows of the fit; about −1 for inliers.
    n_neighbors_ : int
        The k used.
    offset_ : float
        Rows below are outliers.
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
    >>> model = LocalOutlierFactor(n_neighbors=2)
    >>> model.fit_predict([[-1.1], [0.2], [101.1], [0.3]])
    array([ 1,  1, -1,  1])
    >>> model.negative_outlier_factor_.round(2)
    array([ -0.98,  -1.04, -73.37,  -0.98])

    References
    ----------
    Breunig, Kriegel, Ng & Sander (2000), LOF: identifying density-based local outliers, SIGMOD.
    """

    def __init__(
        self,
        n_neighbors: Annotated[int, Interval(1, inf)] = 20,
        *,
        algorithm: Algorithm = "auto",
        leaf_size: LeafSize = 30,
        metric: Metric = "minkowski",
        p: Power = 2,
        metric_params: MetricParams = None,
        contamination: Annotated[str, Options("auto")]
        | Annotated[float, Interval(0, 0.5, closed="right")] = "auto",
        novelty: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.contamination = contamination
        self.novelty = novelty
        self.n_jobs = n_jobs

    def _tags(self) -> Tags:
        return super()._tags().but(estimator_type="outlier_detector")

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the densities around the rows.

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
        table = self._read(X, reset=True, min_rows=2)
        self._remember(table.x)
        n = self.n_samples_fit_
        if self.n_neighbors > n:
            warnings.warn(
                f"n_neighbors ({self.n_neighbors}) is greater than the total number of samples "
                f"({n}). n_neighbors will be set to (n_samples - 1) for estimation.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        self.n_neighbors_ = max(1, min(self.n_neighbors, n - 1))
        distances, rows = self._nearest(None, self.n_neighbors_)
        self._reach = distances[:, -1]
        self._density = self._densities(distances, rows)
        self.negative_outlier_factor_ = -self._factors(self._density, rows)
        if isinstance(self.contamination, str):
            self.offset_ = -1.5
        else:
            share = 100.0 * self.contamination
            self.offset_ = float(np.percentile(self.negative_outlier_factor_, share))
        return self

    def _densities(self, distances: Array, rows: NDArray[np.int64]) -> Array:
        density = np.empty(len(rows))
        for some in _blocks(len(rows)):
            reached = np.maximum(distances[some], self._reach[rows[some]])
            density[some] = 1.0 / (reached.mean(axis=1) + _TINY)
        return density

    def _factors(self, density: Array, rows: NDArray[np.int64]) -> Array:
        """How much denser than its own the places of each row's neighbours are."""
        factors = np.empty(len(rows))
        for some in _blocks(len(rows)):
            factors[some] = np.mean(self._density[rows[some]] / density[some, None], axis=1)
        return factors

    @available_if(lambda self: not self.novelty, "which are for new rows; use novelty=False")
    def fit_predict(self, X: Any, y: Any = None) -> Integers:
        """Fit, and say of each row of the fit whether it is an outlier.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        array of shape (n,)
            -1 for outliers, 1 for the others.
        """
        self.fit(X)
        return np.where(self.negative_outlier_factor_ < self.offset_, -1, 1)

    @available_if(lambda self: self.novelty, "which are for the rows of the fit; use novelty=True")
    def predict(self, X: Any = None) -> Integers:
        """Say of each new row whether it is an outlier; with novelty=True.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features), default=None
            Rows that were not in the fit; None for those of the fit.

        Returns
        -------
        array of shape (n,)
            -1 for outliers, 1 for the others.
        """
        self._check_fitted()
        if X is None:
            return np.where(self.negative_outlier_factor_ < self.offset_, -1, 1)
        return np.where(self.decision_function(X) < 0.0, -1, 1)

    @available_if(lambda self: self.novelty, "which are for the rows of the fit; use novelty=True")
    def decision_function(self, X: Any) -> Array:
        """`score_samples` - `offset_`: negative for outliers; with novelty=True.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows that were not in the fit.

        Returns
        -------
        array of shape (n,)
        """
        return np.asarray(self.score_samples(X) - self.offset_)

    @available_if(lambda self: self.novelty, "which are for the rows of the fit; use novelty=True")
    def score_samples(self, X: Any) -> Array:
        """-LOF of new rows; with novelty=True. Rows of the fit would find themselves.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows that were not in the fit.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        distances, rows = self._nearest(self._queries(X), self.n_neighbors_)
        return -self._factors(self._densities(distances, rows), rows)


def _blocks(n: int) -> Iterator[slice]:
    """Some rows at a time: what is computed of neighbours is as large as their lists."""
    for start in range(0, n, _BLOCK):
        yield slice(start, start + _BLOCK)
