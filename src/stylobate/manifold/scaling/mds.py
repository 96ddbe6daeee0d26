"""Multidimensional scaling by stress, metric and non-metric."""

from __future__ import annotations

import warnings
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import (
    BaseEstimator,
    Interval,
    Options,
    RandomState,
    Tags,
    TransformerMixin,
)
from stylobate.base.constraints import CallableObject, Instance
from stylobate.data import Table
from stylobate.distances import Metric
from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.manifold.scaling.classical_mds import ClassicalMDS
from stylobate.manifold.scaling.dissimilarities import (
    checked_dissimilarities,
    dissimilarities_between,
    refuse_too_large,
)
from stylobate.manifold.scaling.majorization import Scaled, StopRule
from stylobate.manifold.scaling.mds_warnings import warn_deprecated, warn_square
from stylobate.manifold.scaling.placement import placed
from stylobate.manifold.scaling.scaling_request import ScalingRequest, checked_weights
from stylobate.parallel import join_threadpoolctl

_METRICS = str | Annotated[Any, Instance(Metric)] | Annotated[Any, CallableObject()]


class MDS(TransformerMixin, BaseEstimator):
    r"""Points in few dimensions whose distances are the dissimilarities, or in their order.

    .. math:: \min_Z \sum_{i<j} w_{ij}\,\big(\|z_i - z_j\| - f(δ_{ij})\big)^2

    with f the identity (metric) or the best increasing function (non-metric). Metric scaling goes
    by L-BFGS, preconditioned with the Guttman transform, or by that transform alone (SMACOF, the
    numbers of scikit-learn). Unknown pairs (NaN) and weights are allowed.

    Parameters
    ----------
    n_components : int in [1, inf), default=2
        Dimensions.
    metric_mds : bool, default=True
        False: non-metric scaling, where only the order of the dissimilarities counts; pairs with
        the dissimilarity 0 are left out of the order.
    n_init : int in [1, inf), default=1
        Random starts; the run with the least stress is kept.
    init : {"random", "classical_mds"}, default="random"
        The start; "classical_mds" is a single one, and always the same. (scikit-learn 1.10 makes it
        the default and 1.9 warns of that; here the default stays, and "warn" warns as theirs does.)
    max_iter : int in [1, inf), default=300
        Most iterations of a run.
    verbose : int, default=0
        2 prints the stress of every iteration.
    eps : float in [0, inf), default=1e-6
        A run ends when a step gains less than this share of the sum of squared distances.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.
    random_state : int, RandomState or None, default=None
        Seed of random starts; the same ones as scikit-learn's.
    dissimilarity : {"euclidean", "precomputed"}, deprecated
        Use ``metric``.
    metric : str, Metric or callable, default="euclidean"
        As `pairwise_distances` takes it; "precomputed": X is the matrix, NaN where unknown.
    metric_params : dict or None, default=None
        Parameters of the metric.
    normalized_stress : bool or "auto", default="auto"
        Whether `stress_` is Kruskal's stress-1; "auto": for non-metric scaling.
    solver : {"auto", "lbfgs", "smacof"}, default="auto"
        "auto": L-BFGS for metric scaling. Non-metric scaling always goes by "smacof".

    Attributes
    ----------
    embedding_ : array of shape (n, n_components)
    stress_ : float
    n_iter_ : int
        Iterations of the best run.
    dissimilarity_matrix_ : array of shape (n, n)
    converged_ : bool
        Whether the best run ended before ``max_iter``.
    trace_ : Trace
        The stress after every iteration of the best run.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> miles = np.array([[0.0, 5.0, 3.0, 4.0], [5.0, 0.0, 2.0, 2.0],
    ...                   [3.0, 2.0, 0.0, 1.0], [4.0, 2.0, 1.0, 0.0]])
    >>> model = MDS(metric="precomputed", init="classical_mds").fit(miles)
    >>> model.embedding_.shape, round(model.stress_, 3)
    ((4, 2), 0.017)

    References
    ----------
    Kruskal (1964), Multidimensional scaling by optimizing goodness of fit to a nonmetric
    hypothesis, Psychometrika 29. Borg & Groenen (2005), Modern Multidimensional Scaling, Springer.
    """

    def __init__(
        self,
        n_components: Annotated[int, Interval(1, inf)] = 2,
        *,
        metric_mds: bool = True,
        n_init: Annotated[int, Interval(1, inf)] = 1,
        init: Annotated[str, Options("random", "classical_mds", "warn")] = "random",
        max_iter: Annotated[int, Interval(1, inf)] = 300,
        verbose: Annotated[int, Interval(0, inf)] | bool = 0,
        eps: Annotated[float, Interval(0, inf)] = 1e-6,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        dissimilarity: Annotated[
            str, Options("deprecated", "euclidean", "precomputed")
        ] = "deprecated",
        metric: str
        | bool
        | Annotated[Any, Instance(Metric)]
        | Annotated[Any, CallableObject()] = "euclidean",
        metric_params: Annotated[Any, Instance(dict)] | None = None,
        normalized_stress: bool | Annotated[str, Options("auto")] = "auto",
        solver: Annotated[str, Options("auto", "lbfgs", "smacof")] = "auto",
    ) -> None:
        self.n_components = n_components
        self.metric_mds = metric_mds
        self.n_init = n_init
        self.init = init
        self.max_iter = max_iter
        self.verbose = verbose
        self.eps = eps
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.dissimilarity = dissimilarity
        self.metric = metric
        self.metric_params = metric_params
        self.normalized_stress = normalized_stress
        self.solver = solver

    def _tags(self) -> Tags:
        return super()._tags().but(pairwise=self._given)

    @property
    def _metric(self) -> Any:
        if self.dissimilarity != "deprecated":
            return self.dissimilarity
        return "euclidean" if isinstance(self.metric, bool) else self.metric

    @property
    def _given(self) -> bool:
        return isinstance(self._metric, str) and self._metric == "precomputed"

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    # --- learning -------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, init: Any = None, weights: Any = None) -> Self:
        """Place the points.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features) or (n, n)
            Rows, or dissimilarities with NaN where unknown.
        y : ignored
            For compatibility.
        init : array-like of shape (n, n_components), optional
            Positions to start from.
        weights : array-like of shape (n, n), optional
            How much each pair counts; symmetric.

        Returns
        -------
        self
        """
        self._learn(X, init, weights)
        return self

    def fit_transform(self, X: Any, y: Any = None, init: Any = None, weights: Any = None) -> Any:
        """Place the points and return their positions.

        Parameters
        ----------
        X, y, init, weights
            As for `fit`.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        table = self._learn(X, init, weights)
        return self._wrap(self.embedding_, table)

    def _learn(self, X: Any, init: Any, weights: Any) -> Table:
        self._check_parameters()
        warn_deprecated(self.init, self.dissimilarity, self.metric)
        join_threadpoolctl()
        finite = "allow-nan" if self._given else "now"
        table = self._read(X, reset=True, check_finite=finite)
        if self._given:
            delta = checked_dissimilarities(table.x, "MDS")
            delta = delta.copy() if delta is table.x or delta.base is not None else delta
        else:
            warn_square(table.x)
            delta = dissimilarities_between(table.x, None, self._metric, self.metric_params)
            self.X_fit_ = table.x.copy()
        refuse_too_large(delta, "MDS")
        self.dissimilarity_matrix_ = delta
        request = self._request
        start = init if init is not None else self._start(delta)
        found = request.solve(delta, start, checked_weights(weights, len(delta)))
        self._store(found, request.normalized)
        return table

    @property
    def _request(self) -> ScalingRequest:
        metric = self.metric if isinstance(self.metric, bool) else self.metric_mds
        if not metric and self.solver == "lbfgs":
            raise InvalidParameterError(
                "MDS: solver='lbfgs' needs dissimilarities that stay; non-metric scaling "
                "(metric_mds=False) goes by solver='smacof'."
            )
        normalized = (
            not metric if self.normalized_stress == "auto" else bool(self.normalized_stress)
        )
        solver = "lbfgs" if self.solver == "auto" else self.solver
        rule = StopRule(float(self.eps), self.max_iter, int(self.verbose))
        n_init = self.n_init if self.init in ("random", "warn") else 1
        return ScalingRequest(
            bool(metric), self.n_components, n_init, rule, normalized, solver, self.random_state
        )

    def _start(self, delta: Array) -> Array | None:
        if self.init != "classical_mds":
            return None
        filled = delta
        if np.isnan(delta).any():  # for a start, the mean of what is known
            filled = np.where(np.isnan(delta), np.nanmean(delta), delta)
            np.fill_diagonal(filled, 0.0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StylobateWarning)  # a start need not be Euclidean
            model = ClassicalMDS(self.n_components, metric="precomputed").fit(filled)
        start = np.zeros((len(delta), self.n_components))
        start[:, : model.embedding_.shape[1]] = model.embedding_
        return start

    def _store(self, found: Scaled, normalized: bool) -> None:
        self.embedding_ = found.positions
        self.stress_ = found.normalized if normalized else found.stress
        self.n_iter_, self.trace_ = found.n_iter, found.trace
        self.converged_ = found.converged

    # --- new points -----------------------------------------------------------------------------

    def transform(self, X: Any) -> Any:
        """Place new points: each where its stress to the known points, which stay, is least.

        Of non-metric scaling the dissimilarities count as they are, times the factor that fits them
        to the distances of the known points.

        Parameters
        ----------
        X : array-like or data frame of shape (m, n_features) or (m, n)
            Rows, or dissimilarities to the n points of the fit, NaN where unknown.

        Returns
        -------
        array or frame of shape (m, n_components)
        """
        self._check_fitted()
        finite = "allow-nan" if self._given else "now"
        table = self._read(X, reset=False, check_finite=finite)
        if self._given:
            delta = np.ascontiguousarray(table.x, dtype=np.float64)
        else:
            delta = dissimilarities_between(table.x, self.X_fit_, self._metric, self.metric_params)
        return self._wrap(placed(self._scale() * delta, self.embedding_), table)

    def _scale(self) -> float:
        metric = self.metric if isinstance(self.metric, bool) else self.metric_mds
        if metric:
            return 1.0
        known = np.nan_to_num(self.dissimilarity_matrix_, nan=0.0)
        distances = dissimilarities_between(self.embedding_, None, "euclidean", None)
        return float((known * distances).sum() / (known * known).sum())
