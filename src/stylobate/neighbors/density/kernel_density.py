"""Densities as sums of bumps on the points."""

from __future__ import annotations

from math import inf, log, pi
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Interval, Options
from stylobate.distances import metric_of
from stylobate.distances.names import names_where
from stylobate.exceptions import InvalidDataError, InvalidParameterError, ModelFileError
from stylobate.neighbors.base import LeafSize, MetricParams
from stylobate.neighbors.density.bandwidths import column_spreads, likeliest, rule_of_thumb
from stylobate.neighbors.density.bump_sums import BumpSums, choose_sums
from stylobate.neighbors.density.kernel_norms import log_norm
from stylobate.neighbors.indexes.choosing import EXACT
from stylobate.neighbors.indexes.metric import effective_metric
from stylobate.splits.splitter import generator

KERNELS = ("gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine")

_METRICS = names_where(lambda metric: not metric.similarity and metric.domain != "mixed")


class KernelDensity(BaseEstimator):
    r"""A bump on every point, summed.

    .. math:: \hat p(x) = \frac{1}{n h^D} \sum_i K\big(\|x - x_i\| / h\big)

    Parameters
    ----------
    bandwidth : float in (0, inf), "scott", "silverman", "nrd", "nrd0" or "cv", default=1.0
        h. "scott" and "silverman" are scikit-learn's :math:`n^{-1/(D+4)}` and
        :math:`(n (D+2)/4)^{-1/(D+4)}`, for columns of standard deviation 1. "nrd" and "nrd0"
        know the scale of the data: Silverman's :math:`(n (D+2)/4)^{-1/(D+4)} s`, and 0.85 of it
        against rounding off humps, where s is min(standard deviation, interquartile range / 1.34)
        of a column, their root mean square for several (in one dimension R's rules of these
        names). "cv" maximises the leave-one-out likelihood, searched around Scott's rule for the
        spread of the data.
    algorithm : {"auto", "kd_tree", "ball_tree", "brute"}, default="auto"
        "brute" sums over tiles of all pairs; a tree of boxes leaves out what cannot matter, and
        takes points that lie close together at once (both names mean the same tree). "auto": the
        tree for the Euclidean metric, up to 5 columns and from 512 points on.
    kernel : {"gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"}, \
default="gaussian"
        K.
    metric : str, default="euclidean"
        Densities integrate to 1 under the Euclidean metric only.
    atol, rtol : float in [0, inf), default=0
        Errors allowed in the densities: each is within atol + rtol · density, as proved by bounds
        of the kernel between boxes. With 0 and 0 they are exact up to rounding. Only the tree makes
        use of them.
    breadth_first : bool, default=True
        Accepted for compatibility.
    leaf_size : int in [1, inf), default=40
        Accepted for compatibility.
    metric_params : dict or None, default=None
        Further arguments of the metric.
    standardize : {"std", "robust"} or None, default=None
        Whether columns are divided by their standard deviation, or by min(standard deviation,
        interquartile range / 1.34), first: every axis then has a width of its own,
        :math:`h_j = h s_j`. With "scott" that is Scott's rule :math:`h_j = s_j n^{-1/(D+4)}`, and
        "cv" searches around it.

    Attributes
    ----------
    bandwidth_ : float
        h; in spreads of the columns, with `standardize`.
    bandwidths_ : array of shape (n_features,)
        The width along each column, in its units.
    scale_ : array of shape (n_features,)
        The spreads, with `standardize`.
    algorithm_reason_ : str
        How sums are taken, and why.
    tree_ : KDTree or BallTree
        The points, to be asked for neighbours; grown when asked for.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> model = KernelDensity(bandwidth=0.5).fit([[0.0], [1.0]])
    >>> np.exp(model.score_samples([[0.5]])).round(4)  # the normal density at 1 standard deviation
    array([0.4839])

    Columns of different units:

    >>> points = np.array([[0.0, 100.0], [1.0, 300.0], [2.0, 200.0], [3.0, 400.0]])
    >>> KernelDensity(bandwidth="scott", standardize="std").fit(points).bandwidths_.round(3)
    array([  1.025, 102.466])

    References
    ----------
    Silverman (1986), Density Estimation for Statistics and Data Analysis; Scott (1992),
    Multivariate Density Estimation.
    """

    def __init__(
        self,
        *,
        bandwidth: Annotated[float, Interval(0, inf, closed="neither")]
        | Annotated[str, Options("scott", "silverman", "nrd", "nrd0", "cv")] = 1.0,
        algorithm: Annotated[str, Options(*EXACT)] = "auto",
        kernel: Annotated[str, Options(*KERNELS)] = "gaussian",
        metric: Annotated[str, Options(*_METRICS)] = "euclidean",
        atol: Annotated[float, Interval(0, inf)] = 0,
        rtol: Annotated[float, Interval(0, inf)] = 0,
        breadth_first: bool = True,
        leaf_size: LeafSize = 40,
        metric_params: MetricParams = None,
        standardize: Annotated[str, Options("std", "robust")] | None = None,
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
        self.standardize = standardize

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
        self._points = np.asarray(table.x)  # no copy: single precision stays
        self._weights = None if sample_weight is None else np.asarray(table.weights)
        self._total = float(len(self._points) if self._weights is None else self._weights.sum())
        if not self._total > 0.0:
            raise InvalidDataError("KernelDensity: the weights of the points are all 0.")
        metric = metric_of(*effective_metric(self.metric, 2, self.metric_params))
        points, weights = self._points, self._weights
        if weights is not None:
            points, weights = points[weights > 0.0], weights[weights > 0.0]
        if self.standardize is not None:
            self.scale_ = self._spreads(points)
            points = self._scaled(points)
        by_tree, self.algorithm_reason_ = choose_sums(self.algorithm, metric, points, weights)
        self._sums = BumpSums(
            self.kernel, metric.learnt(points), points, weights, by_tree, float(self.rtol)
        ).arranged()
        if not isinstance(self.bandwidth, str):
            self.bandwidth_ = float(self.bandwidth)
        elif self.bandwidth == "cv":
            self.bandwidth_ = self._likeliest_bandwidth()
        else:
            counted = self.bandwidth in ("scott", "silverman")  # by scikit-learn, with all points
            rows = self._scaled(self._points) if counted else points
            self.bandwidth_ = rule_of_thumb(self.bandwidth, rows)
        return self

    def _spreads(self, points: Array) -> Array:
        """What each column is divided by."""
        spreads = column_spreads(points, robust=self.standardize == "robust")
        if not (spreads > 0.0).all():
            raise InvalidDataError(
                f"KernelDensity: standardize={self.standardize!r} needs columns that vary; column "
                f"{int(np.argmin(spreads))} does not. Leave it out, or give a bandwidth."
            )
        return spreads

    def _scaled(self, points: Array) -> Array:
        if self.standardize is None:
            return points
        return np.ascontiguousarray(points / self.scale_, dtype=np.float64)

    @property
    def bandwidths_(self) -> Array:
        """The width along each column, in its units."""
        self._check_fitted()
        scale = np.ones(self._points.shape[1]) if self.standardize is None else self.scale_
        return np.asarray(self.bandwidth_ * scale)

    def _check_loaded(self) -> None:
        """Refuse sums of a file that are those of other points."""
        if "_sums" not in vars(self):
            return
        weights = self._weights
        count = len(self._points) if weights is None else int((weights > 0.0).sum())
        shape = (count, self._points.shape[1])
        if self._sums.points.shape != shape or (self._sums.weights is None) != (weights is None):
            raise ModelFileError("The KernelDensity of the file has sums of other points.")
        total = float(len(self._points) if weights is None else weights.sum())
        if type(self._total) is not float or self._total != total:
            raise ModelFileError("The KernelDensity of the file has another sum of weights.")
        scale = np.asarray(getattr(self, "scale_", np.ones(self._points.shape[1])))
        given = hasattr(self, "scale_") or self.standardize is None
        if not given or scale.shape != shape[1:] or not (scale > 0.0).all():
            raise ModelFileError("The KernelDensity of the file lacks the scales of its columns.")

    @property
    def tree_(self) -> Any:
        """The points in a tree that can be asked for neighbours: `KDTree`, or `BallTree`."""
        from stylobate.neighbors.indexes.binary_tree import BallTree, KDTree

        self._check_fitted()
        kind = KDTree if self._sums.metric.boxes else BallTree
        return kind(self._sums.points, metric=self._sums.metric, sample_weight=self._sums.weights)

    def _log_sums(self, queries: Array, width: float) -> Array:
        """Log Σ w K(d / h) for each query, K not normalised."""
        return self._sums.logs(queries, width, self._absolute(width))

    def _absolute(self, width: float) -> float:
        """What atol, an error of the density, allows in the mean of K."""
        return float(self.atol / np.exp(self._log_norm(width))) if self.atol > 0.0 else 0.0

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
        queries = self._scaled(np.ascontiguousarray(table.x, dtype=np.float64))
        sums = self._log_sums(queries, self.bandwidth_)
        return sums + self._log_norm(self.bandwidth_) - log(self._total)

    def _log_norm(self, width: float) -> float:
        dimension = int(self._points.shape[1])
        units = 0.0 if self.standardize is None else float(np.log(self.scale_).sum())
        return log_norm(self.kernel, dimension) - dimension * log(width) - units

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
            return np.atleast_2d(random.normal(self._points[rows], self.bandwidths_))
        from scipy.special import gammainc

        direction = random.normal(size=(n_samples, dimension))
        square = (direction**2).sum(axis=1)
        shrink = gammainc(0.5 * dimension, 0.5 * square) ** (1.0 / dimension)
        shrink /= np.sqrt(square)
        return np.asarray(self._points[rows] + direction * shrink[:, None] * self.bandwidths_)

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
        return np.asarray(self._points[rows] + direction * radius[:, None] * self.bandwidths_)

    def _likeliest_bandwidth(self) -> float:
        if self.kernel not in ("gaussian", "exponential"):
            raise InvalidParameterError(
                f"KernelDensity: bandwidth='cv' needs a kernel that reaches every point; "
                f"{self.kernel!r} gives left-out points probability 0. Use 'gaussian' or "
                "'exponential'."
            )
        points = self._sums.points
        weights = np.ones(len(points)) if self._sums.weights is None else self._sums.weights

        def log_likelihood(width: float) -> float:
            others = self._sums.logs_of_others(width, self._absolute(width))
            rest = np.log(np.maximum(self._total - weights, 1e-300))
            return float(weights @ (others - rest + self._log_norm(width)))

        return likeliest(log_likelihood, points)
