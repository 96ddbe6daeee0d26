"""Densities as heights of boxes."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, Interval, Options
from stylobate.exceptions import InvalidDataError
from stylobate.splits.splitter import generator

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

MOST_BINS = 10_000


class HistogramDensity(BaseEstimator):
    r"""The share of the points in the box a point falls into, over the box's volume.

    .. math:: \hat p(x) = \frac{n_{B(x)}}{n\,|B(x)|}

    Boxes are products of equal bins of the columns, from the smallest to the largest value; outside
    of them, and in boxes without points, the density is 0. Only boxes that hold points are stored.

    Parameters
    ----------
    bins : int in [1, 10000] or {"auto", "freedman-diaconis", "scott", "sturges"}, default="auto"
        Bins of each column. For D columns of n points the rules have the widths
        :math:`2\,\mathrm{IQR}\,n^{-1/(D+2)}` (Freedman & Diaconis),
        :math:`3.5\,\sigma\,n^{-1/(D+2)}` (Scott), or :math:`\log_2 n + 1` bins (Sturges). "auto":
        Freedman & Diaconis, Sturges where half of the values are equal.

    Attributes
    ----------
    bin_edges_ : list of arrays
        Ends of the bins of each column.
    cells_ : array of int of shape (n_cells, n_features)
        The bins of each box that holds points.
    heights_ : array of shape (n_cells,)
        Its density.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> model = HistogramDensity(bins=2).fit([[0.0], [1.0], [1.5], [2.0]])
    >>> np.exp(model.score_samples([[0.5], [1.5], [3.0]]))
    array([0.25, 0.75, 0.  ])

    References
    ----------
    Scott (2015), Multivariate Density Estimation, chapter 3.
    """

    def __init__(
        self,
        bins: Annotated[int, Interval(1, MOST_BINS, closed="both")]
        | Annotated[str, Options("auto", "freedman-diaconis", "scott", "sturges")] = "auto",
    ) -> None:
        self.bins = bins

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Count the points in boxes.

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
        points = np.asarray(table.x, dtype=np.float64)
        weights = None if sample_weight is None else np.asarray(table.weights)
        total = float(len(points) if weights is None else weights.sum())
        exponent = -1.0 / (points.shape[1] + 2)
        self.bin_edges_ = [_edges(column, self.bins, exponent) for column in points.T]
        cells, place = np.unique(self._cells(points), axis=0, return_inverse=True)
        counts = np.bincount(place.ravel(), weights)
        held = counts > 0
        self.cells_ = cells[held]
        self.heights_ = counts[held] / (total * self._volumes(self.cells_))
        return self

    def score_samples(self, X: Any) -> Array:
        """The logarithm of the density at each row.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Where.

        Returns
        -------
        array of shape (n,)
            −inf where no point of the fit was in the box.
        """
        self._check_fitted()
        points = np.asarray(self._read(X, reset=False).x, dtype=np.float64)
        asked = self._cells(points)
        both, place = np.unique(np.vstack([self.cells_, asked]), axis=0, return_inverse=True)
        heights = np.zeros(len(both))
        place = place.ravel()
        heights[place[: len(self.cells_)]] = self.heights_
        inside = (asked >= 0).all(axis=1)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.where(inside, heights[place[len(self.cells_) :]], 0.0)))

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
        """Points drawn from the density: a box by its share, a place within it evenly.

        Parameters
        ----------
        n_samples : int in [1, inf), default=1
            How many.
        random_state : int, RandomState or None, default=None
            Seed.

        Returns
        -------
        array of shape (n_samples, n_features)
        """
        self._check_fitted()
        random = generator(random_state)
        share = self.heights_ * self._volumes(self.cells_)
        cells = self.cells_[random.choice(len(share), size=n_samples, p=share / share.sum())]
        places = random.uniform(size=cells.shape)
        drawn = np.empty(cells.shape)
        for j, edges in enumerate(self.bin_edges_):
            low, high = edges[cells[:, j]], edges[cells[:, j] + 1]
            drawn[:, j] = low + places[:, j] * (high - low)
        return drawn

    def _cells(self, points: Array) -> Whole:
        """The bins of each point, -1 outside; the last bin holds its upper end."""
        cells = np.empty(points.shape, dtype=np.int64)
        for j, edges in enumerate(self.bin_edges_):
            column = points[:, j]
            found = np.searchsorted(edges, column, side="right") - 1
            found[column == edges[-1]] = len(edges) - 2
            cells[:, j] = np.where((column >= edges[0]) & (column <= edges[-1]), found, -1)
        return cells

    def _volumes(self, cells: Whole) -> Array:
        volumes = np.ones(len(cells))
        for j, edges in enumerate(self.bin_edges_):
            volumes *= np.diff(edges)[cells[:, j]]
        return volumes


def _quartile_width(x: Array, exponent: float) -> float:
    low, high = np.quantile(x, [0.25, 0.75])
    return float(2.0 * (high - low) * len(x) ** exponent)


def _spread_width(x: Array, exponent: float) -> float:
    return float(3.5 * x.std(ddof=1 if len(x) > 1 else 0) * len(x) ** exponent)


WIDTHS: dict[str, Callable[[Array, float], float]] = {
    "auto": _quartile_width,
    "freedman-diaconis": _quartile_width,
    "scott": _spread_width,
    "sturges": lambda x, exponent: 0.0,
}


def _edges(x: Array, bins: int | str, exponent: float) -> Array:
    """Ends of equal bins; a column of one value gets one bin of width 1 around it."""
    low, high = float(x.min()), float(x.max())
    if not np.isfinite(high - low):
        raise InvalidDataError(
            "HistogramDensity: a column of X reaches farther than doubles can measure; scale it."
        )
    if low == high:
        low, high = low - 0.5, high + 0.5
        return np.array([low, high]) if low < high else np.array([x[0], np.nextafter(x[0], inf)])
    if isinstance(bins, str):
        width = WIDTHS[bins](x, exponent)
        sturges = int(np.ceil(np.log2(len(x)))) + 1
        count = sturges if width <= 0 else int(np.ceil(min((high - low) / width, MOST_BINS)))
    else:
        count = int(bins)
    edges = np.linspace(low, high, max(1, count) + 1)
    return np.unique(edges)  # values so close that no number lies between them share a bin
