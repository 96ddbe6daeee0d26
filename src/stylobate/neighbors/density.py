"""Densities as sums of bumps on the points."""

from __future__ import annotations

from math import gamma, inf, log, pi
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, Interval, Options
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neighbors.base import METRICS, LeafSize, MetricParams
from stylobate.neighbors.choosing import ALGORITHMS
from stylobate.neighbors.metric import effective_metric
from stylobate.splits.splitter import generator

Array = NDArray[np.float64]

KERNELS = ("gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine")


class KernelDensity(BaseEstimator):
    r"""A bump on every point, summed.

    .. math:: \hat p(x) = \frac{1}{n h^D} \sum_i K\big(\|x - x_i\| / h\big)

    Parameters
    ----------
    bandwidth : float in (0, inf), "scott", "silverman" or "cv", default=1.0
        h. The rules are :math:`n^{-1/(D+4)}` and :math:`(n (D+2)/4)^{-1/(D+4)}`, for columns of
        standard deviation 1; "cv" maximises the leave-one-out likelihood.
    algorithm : {"auto", "kd_tree", "ball_tree", "brute"}, default="auto"
        Accepted for compatibility: sums are exact, whichever.
    kernel : {"gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"}, \
default="gaussian"
        K.
    metric : str, default="euclidean"
        Densities integrate to 1 under the Euclidean metric only.
    atol, rtol : float in [0, inf), default=0
        Errors that would be allowed; sums are exact up to rounding.
    breadth_first : bool, default=True
        Accepted for compatibility.
    leaf_size : int in [1, inf), default=40
        Accepted for compatibility.
    metric_params : dict or None, default=None
        Further arguments of the metric.

    Attributes
    ----------
    bandwidth_ : float
        h.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> model = KernelDensity(bandwidth=0.5).fit([[0.0], [1.0]])
    >>> np.exp(model.score_samples([[0.5]])).round(4)  # the normal density at 1 standard deviation
    array([0.4839])

    References
    ----------
    Silverman (1986), Density Estimation for Statistics and Data Analysis.
    """

    def __init__(
        self,
        *,
        bandwidth: Annotated[float, Interval(0, inf, closed="neither")]
        | Annotated[str, Options("scott", "silverman", "cv")] = 1.0,
        algorithm: Annotated[str, Options(*ALGORITHMS)] = "auto",
        kernel: Annotated[str, Options(*KERNELS)] = "gaussian",
        metric: Annotated[str, Options(*METRICS)] = "euclidean",
        atol: Annotated[float, Interval(0, inf)] = 0,
        rtol: Annotated[float, Interval(0, inf)] = 0,
        breadth_first: bool = True,
        leaf_size: LeafSize = 40,
        metric_params: MetricParams = None,
    ) -> None:
        self.bandwidth = bandwidth
        self.algorithm = algorithm
        self.kernel = kernel
        self.metric = metric
        self.atol = atol
        self.rtol = rtol
        self.breadth_first = breadth_first
        self.leaf_size = leaf_size
        self.metric_params = metric_params

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Remember the points and choose the bandwidth.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Points.
        y : ignored
            For compatibility.
        sample_weight : array-like of shape (n,), default=None
            Weights of the points, not negative.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, None, sample_weight, reset=True)
        self._points = np.ascontiguousarray(table.x, dtype=np.float64)
        self._weights = None if sample_weight is None else np.asarray(table.weights)
        self._total = float(len(self._points) if self._weights is None else self._weights.sum())
        if not self._total > 0.0:
            raise InvalidDataError("KernelDensity: the weights of the points are all 0.")
        n, dimension = self._points.shape
        if not isinstance(self.bandwidth, str):
            self.bandwidth_ = float(self.bandwidth)
        elif self.bandwidth == "scott":
            self.bandwidth_ = float(n ** (-1.0 / (dimension + 4)))
        elif self.bandwidth == "silverman":
            self.bandwidth_ = float((n * (dimension + 2) / 4.0) ** (-1.0 / (dimension + 4)))
        else:
            self.bandwidth_ = self._likeliest_bandwidth()
        return self

    def _log_sums(self, queries: Array, points: Array, width: float) -> Array:
        """Log Σ w K(d / h) for each query, K not normalised."""
        from stylobate.metrics.pairwise.named import measured
        from stylobate.metrics.pairwise.tiles import Map

        metric, params = effective_metric(self.metric, 2, self.metric_params)
        pairs = measured(queries, points, metric, **params)
        weights = self._weights
        if pairs.finish.kind != "root":
            return self._log_sums_of_distances(pairs, width)
        square = 1.0 / (width * width)
        if self.kernel == "gaussian":
            return pairs.sum(Map("log_exponent", a=-0.5 * square), weights)
        if self.kernel == "exponential":
            return pairs.sum(Map("log_root_exponent", a=-1.0 / width), weights)
        with np.errstate(divide="ignore"):
            return np.log(pairs.sum(Map(self.kernel, a=square), weights))

    def _log_sums_of_distances(self, pairs: Any, width: float) -> Array:
        """As `_log_sums`, for metrics that are not held as squares: from the whole matrix."""
        scaled = pairs.write() / width
        if self.kernel in ("gaussian", "exponential"):
            from scipy.special import logsumexp

            exponent = -0.5 * scaled**2 if self.kernel == "gaussian" else -scaled
            return np.asarray(logsumexp(exponent, axis=1, b=self._weights))
        inside = scaled < 1.0
        heights = {
            "tophat": lambda u: np.ones_like(u),
            "epanechnikov": lambda u: 1.0 - u**2,
            "linear": lambda u: 1.0 - u,
            "cosine": lambda u: np.cos(0.5 * pi * u),
        }[self.kernel](scaled)
        weights = 1.0 if self._weights is None else self._weights
        with np.errstate(divide="ignore"):
            return np.asarray(np.log((np.where(inside, heights, 0.0) * weights).sum(axis=1)))

    def score_samples(self, X: Any) -> Array:
        """The logarithm of the density at each row.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Where.

        Returns
        -------
        array of shape (n,)
            −inf where no bump reaches.
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        queries = np.ascontiguousarray(table.x, dtype=np.float64)
        sums = self._log_sums(queries, self._points, self.bandwidth_)
        return sums + self._log_norm(self.bandwidth_) - log(self._total)

    def _log_norm(self, width: float) -> float:
        return log_norm(self.kernel, self._points.shape[1]) - self._points.shape[1] * log(width)

    def score(self, X: Any, y: Any = None) -> float:
        """The total log-likelihood of the rows.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        float
        """
        return float(self.score_samples(X).sum())

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Array:
        """Points drawn from the density: a point of the fit, moved by a draw from the kernel.

        Parameters
        ----------
        n_samples : int in [1, inf), default=1
            How many.
        random_state : int, RandomState or None, default=None
            Seed; the same draws as scikit-learn's.

        Returns
        -------
        array of shape (n_samples, n_features)
        """
        self._check_fitted()
        if self.kernel not in ("gaussian", "tophat"):
            return self._sample_by_radius(n_samples, generator(random_state))
        random = generator(random_state)
        places = random.uniform(0, 1, size=n_samples)
        n, dimension = self._points.shape
        if self._weights is None:
            rows = (places * n).astype(np.int64)
        else:
            rows = np.searchsorted(np.cumsum(self._weights), places * self._total)
        if self.kernel == "gaussian":
            return np.atleast_2d(random.normal(self._points[rows], self.bandwidth_))
        from scipy.special import gammainc

        direction = random.normal(size=(n_samples, dimension))
        square = (direction**2).sum(axis=1)
        shrink = gammainc(0.5 * dimension, 0.5 * square) ** (1.0 / dimension)
        shrink *= self.bandwidth_ / np.sqrt(square)
        return np.asarray(self._points[rows] + direction * shrink[:, None])

    def _sample_by_radius(self, n_samples: int, random: np.random.RandomState) -> Array:
        """A direction at random, and a radius whose density is r^(D−1) K(r)."""
        n, dimension = self._points.shape
        share = None if self._weights is None else self._weights / self._total
        rows = random.choice(n, size=n_samples, p=share)
        radii = np.linspace(0.0, 1.0, 4097)
        if self.kernel == "exponential":
            radius = random.gamma(dimension, size=n_samples)
        else:
            heights = {"epanechnikov": 1 - radii**2, "linear": 1 - radii}
            height = heights.get(self.kernel, np.cos(0.5 * pi * radii))
            mass = np.cumsum(radii ** (dimension - 1) * height)
            radius = np.interp(random.uniform(size=n_samples), mass / mass[-1], radii)
        direction = random.normal(size=(n_samples, dimension))
        direction /= np.sqrt((direction**2).sum(axis=1))[:, None]
        return np.asarray(self._points[rows] + direction * (self.bandwidth_ * radius)[:, None])

    def _likeliest_bandwidth(self) -> float:
        r"""The h that maximises :math:`\sum_i \log \hat p_{-i}(x_i)`."""
        from scipy.optimize import minimize_scalar

        if self.kernel not in ("gaussian", "exponential"):
            raise InvalidParameterError(
                f"KernelDensity: bandwidth='cv' needs a kernel that reaches every point; "
                f"{self.kernel!r} gives left-out points probability 0. Use 'gaussian' or "
                "'exponential'."
            )
        points = self._points
        n, dimension = points.shape
        spread = float(np.sqrt(points.var(axis=0).mean()))
        if n < 2 or spread == 0.0:
            raise InvalidDataError(
                "KernelDensity: bandwidth='cv' needs at least two different points."
            )
        weights = np.ones(n) if self._weights is None else self._weights

        def loss(log_width: float) -> float:
            width = float(np.exp(log_width))
            sums = self._log_sums(points, points, width)
            # without the point itself, whose bump is K(0) = 1
            with np.errstate(divide="ignore"):
                others = sums + np.log1p(-np.minimum(weights * np.exp(-sums), 1.0 - 1e-15))
            rest = np.log(np.maximum(self._total - weights, 1e-300))
            return -float(weights @ (others - rest + self._log_norm(width)))

        start = log(spread * n ** (-1.0 / (dimension + 4)))
        found = minimize_scalar(loss, bounds=(start - 5.0, start + 2.0), method="bounded")
        return float(np.exp(found.x))


def log_norm(kernel: str, dimension: int) -> float:
    """The logarithm of the constant that makes a kernel integrate to 1 in D dimensions.

    Examples
    --------
    >>> round(float(np.exp(log_norm("epanechnikov", 1))), 12)
    0.75
    """
    ball = pi ** (0.5 * dimension) / gamma(0.5 * dimension + 1.0)
    if kernel == "gaussian":
        return -0.5 * dimension * log(2.0 * pi)
    if kernel == "exponential":
        return -log(ball * gamma(dimension + 1.0))
    if kernel == "tophat":
        return -log(ball)
    if kernel == "epanechnikov":
        return log(0.5 * (dimension + 2.0) / ball)
    if kernel == "linear":
        return log((dimension + 1.0) / ball)
    from scipy.integrate import quad

    mass, _ = quad(lambda r: r ** (dimension - 1) * np.cos(0.5 * pi * r), 0.0, 1.0)
    return -log(ball * dimension * mass)
