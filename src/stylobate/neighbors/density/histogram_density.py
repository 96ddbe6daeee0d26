"""Densities as heights of boxes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Interval, Options, Tags
from stylobate.data import Table
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import InvalidDataError, ModelFileError, NumericalError
from stylobate.neighbors.density.box_counts import BLOCK, BoxCounts, Boxes, distinct
from stylobate.splits.splitter import generator
from stylobate.statistics import ColumnRange

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
            How many points each row stands for, not negative; also for the rules of `bins`.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, None, sample_weight, reset=True)
        points = np.asarray(table.x, dtype=np.float64)
        weights = None if sample_weight is None else np.asarray(table.weights)
        if weights is not None and not weights.all():
            points, weights = points[weights > 0.0], weights[weights > 0.0]
        exponent = -1.0 / (points.shape[1] + 2)
        self.bin_edges_ = [_edges(column, self.bins, exponent, weights) for column in points.T]
        self._learn(Boxes(self.bin_edges_).count(points, weights))
        return self

    def _tags(self) -> Tags:
        counted = not isinstance(self.bins, str)  # the rules of widths look at all values
        return super()._tags().but(tier="several passes" if counted else "all rows")

    def _fit_stream(self, stream: Stream) -> Self:
        """Count in two passes, one for the ends of the columns, where the number of bins is given.

        Else from rows collected.
        """
        if self._needs_rows:
            return super()._fit_stream(stream)
        self._check_parameters()
        read = self._batch_reader()

        def door(batch: Batch) -> Table:
            table = read(batch)
            if not table.finite:
                table.refuse_nonfinite()
            return replace(table, finite=True)

        source = self._source(stream, door)
        span = source.compute(ColumnRange)
        ends = zip(span.low.tolist(), span.high.tolist(), strict=True)
        self.bin_edges_ = [_equal_bins(low, high, int(self.bins)) for low, high in ends]
        self._learn(source.compute(Boxes(self.bin_edges_)))
        return self

    def _learn(self, counts: BoxCounts) -> None:
        volumes = Boxes(self.bin_edges_).volumes(counts.cells)
        with np.errstate(over="ignore", divide="ignore"):
            heights = counts.mass / (counts.mass.sum() * volumes)
        if not np.isfinite(heights).all():
            raise NumericalError(
                f"HistogramDensity: a box of volume {float(volumes.min()):.3g} is too small for "
                "its height in double precision; scale the columns of X."
            )
        self.cells_, self.heights_ = counts.cells, heights

    def _check_loaded(self) -> None:
        """Refuse edges of a file that do not rise, and boxes beyond them."""
        if "cells_" not in vars(self):
            return
        counts = np.array([len(edges) - 1 for edges in self.bin_edges_])
        rising = all((np.diff(edges) > 0).all() for edges in self.bin_edges_)
        inside = (self.cells_ >= 0).all() and (self.cells_ < counts).all()
        if not rising or not inside or not (counts > 0).all() or not len(self.cells_):
            raise ModelFileError("The HistogramDensity of the file has boxes that are none.")

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
        heights = np.empty(len(points))
        step = max(BLOCK, len(self.cells_))
        for start in range(0, len(points), step):
            heights[start : start + step] = self._heights(points[start : start + step])
        with np.errstate(divide="ignore"):
            return np.log(heights, out=heights)

    def _heights(self, points: Array) -> Array:
        boxes = Boxes(self.bin_edges_)
        asked = boxes.cells(points)
        inside = (asked >= 0).all(axis=1)
        asked[~inside] = 0
        both, place = distinct(np.vstack([self.cells_, asked]), boxes.shape)
        heights = np.zeros(len(both))
        heights[place[: len(self.cells_)]] = self.heights_
        return np.where(inside, heights[place[len(self.cells_) :]], 0.0)

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
        share = self.heights_ * Boxes(self.bin_edges_).volumes(self.cells_)
        cells = self.cells_[random.choice(len(share), size=n_samples, p=share / share.sum())]
        places = random.uniform(size=cells.shape)
        drawn = np.empty(cells.shape)
        for j, edges in enumerate(self.bin_edges_):
            low, high = edges[cells[:, j]], edges[cells[:, j] + 1]
            drawn[:, j] = low + places[:, j] * (high - low)
        return drawn


def _at(share: float, x: Array, weights: Array) -> float:
    """`numpy.quantile` of x, each value repeated as often as its weight says."""
    order = np.argsort(x)
    counts = np.cumsum(weights[order])
    place = max(share * (counts[-1] - 1.0), 0.0)
    either = np.searchsorted(counts, [np.floor(place), np.floor(place) + 1.0], side="right")
    low, high = x[order][np.minimum(either, len(x) - 1)]
    return float(low + (place - np.floor(place)) * (high - low))


def _quartile_width(x: Array, n: float, exponent: float, weights: Array | None) -> float:
    if weights is None:
        low, high = np.quantile(x, [0.25, 0.75])
    else:
        low, high = _at(0.25, x, weights), _at(0.75, x, weights)
    return float(2.0 * (high - low) * n**exponent)


def _spread_width(x: Array, n: float, exponent: float, weights: Array | None) -> float:
    square = (x - np.average(x, weights=weights)) ** 2
    variance = np.average(square, weights=weights) * (n / (n - 1.0) if n > 1.0 else 1.0)
    return float(3.5 * np.sqrt(variance) * n**exponent)


WIDTHS: dict[str, Callable[[Array, float, float, Array | None], float]] = {
    "auto": _quartile_width,
    "freedman-diaconis": _quartile_width,
    "scott": _spread_width,
    "sturges": lambda x, n, exponent, weights: 0.0,
}


def _edges(x: Array, bins: int | str, exponent: float, weights: Array | None) -> Array:
    """Ends of the bins of a column, as many as the rule says."""
    low, high = float(x.min()), float(x.max())
    if not isinstance(bins, str):
        return _equal_bins(low, high, int(bins))
    if not 0.0 < high - low < inf:
        return _equal_bins(low, high, 1)
    n = float(len(x) if weights is None else weights.sum())
    width = WIDTHS[bins](x, n, exponent, weights)
    sturges = int(np.ceil(np.log2(max(n, 1.0)))) + 1
    count = sturges if width <= 0 else int(np.ceil(min((high - low) / width, MOST_BINS)))
    return _equal_bins(low, high, count)


def _equal_bins(low: float, high: float, count: int) -> Array:
    """Ends of equal bins; a column of one value gets one bin of width 1 around it."""
    if not np.isfinite(high - low):
        raise InvalidDataError(
            "HistogramDensity: a column of X reaches farther than doubles can measure; scale it."
        )
    if low == high:
        ends = np.array([low - 0.5, low + 0.5])
        return ends if ends[0] < ends[1] else np.array([low, np.nextafter(low, inf)])
    edges = np.linspace(low, high, max(1, count) + 1)
    return np.unique(edges)  # values so close that no number lies between them share a bin
