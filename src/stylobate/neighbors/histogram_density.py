"""Densities as heights of boxes."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Annotated, Any, Self

import numpy as np

from stylobate.arrays import Array, Integers
from stylobate.base import BaseEstimator, Interval, Options
from stylobate.exceptions import InvalidDataError
from stylobate.splits.splitter import generator

MOST_BINS = 10_000
_BLOCK = 65_536  # rows at a time: their boxes are never held together


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
        self.cells_, mass = self._tally(points, weights)
        self.heights_ = mass / (mass.sum() * self._volumes(self.cells_))
        return self

    def _tally(self, points: Array, weights: Array | None) -> tuple[Integers, Array]:
        """The boxes that hold points, and how many."""
        kept: list[tuple[Integers, Array]] = []
        held = settled = 0
        for start in range(0, len(points), _BLOCK):
            some = slice(start, start + _BLOCK)
            cells = self._cells(points[some])
            kept.append(
                self._merged(cells, np.ones(len(cells)) if weights is None else weights[some])
            )
            held += len(kept[-1][0])
            if held > 2 * settled + _BLOCK:
                kept = [self._merged(*map(np.concatenate, zip(*kept, strict=True)))]
                held = settled = len(kept[0][0])
        return self._merged(*map(np.concatenate, zip(*kept, strict=True)))

    def _merged(self, cells: Integers, mass: Array) -> tuple[Integers, Array]:
        distinct, place = self._distinct(cells)
        return distinct, np.asarray(np.bincount(place, mass), dtype=np.float64)

    def _distinct(self, cells: Integers) -> tuple[Integers, Integers]:
        """The different boxes in order, and which each one is."""
        shape = tuple(len(edges) - 1 for edges in self.bin_edges_)
        if np.prod(shape, dtype=np.float64) < 2.0**62:
            numbers, place = np.unique(np.ravel_multi_index(cells.T, shape), return_inverse=True)
            return np.stack(np.unravel_index(numbers, shape), axis=1), place
        found, place = np.unique(cells, axis=0, return_inverse=True)
        return found, place.ravel()

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
        step = max(_BLOCK, len(self.cells_))
        for start in range(0, len(points), step):
            heights[start : start + step] = self._heights(points[start : start + step])
        with np.errstate(divide="ignore"):
            return np.log(heights, out=heights)

    def _heights(self, points: Array) -> Array:
        asked = self._cells(points)
        inside = (asked >= 0).all(axis=1)
        asked[~inside] = 0
        both, place = self._distinct(np.vstack([self.cells_, asked]))
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
        share = self.heights_ * self._volumes(self.cells_)
        cells = self.cells_[random.choice(len(share), size=n_samples, p=share / share.sum())]
        places = random.uniform(size=cells.shape)
        drawn = np.empty(cells.shape)
        for j, edges in enumerate(self.bin_edges_):
            low, high = edges[cells[:, j]], edges[cells[:, j] + 1]
            drawn[:, j] = low + places[:, j] * (high - low)
        return drawn

    def _cells(self, points: Array) -> Integers:
        """The bins of each point, -1 outside; the last bin holds its upper end."""
        cells = np.empty(points.shape, dtype=np.int64)
        for j, edges in enumerate(self.bin_edges_):
            column = points[:, j]
            found = np.searchsorted(edges, column, side="right") - 1
            found[column == edges[-1]] = len(edges) - 2
            cells[:, j] = np.where((column >= edges[0]) & (column <= edges[-1]), found, -1)
        return cells

    def _volumes(self, cells: Integers) -> Array:
        volumes = np.ones(len(cells))
        for j, edges in enumerate(self.bin_edges_):
            volumes *= np.diff(edges)[cells[:, j]]
        return volumes


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
        n = float(len(x) if weights is None else weights.sum())
        width = WIDTHS[bins](x, n, exponent, weights)
        sturges = int(np.ceil(np.log2(max(n, 1.0)))) + 1
        count = sturges if width <= 0 else int(np.ceil(min((high - low) / width, MOST_BINS)))
    else:
        count = int(bins)
    edges = np.linspace(low, high, max(1, count) + 1)
    return np.unique(edges)  # values so close that no number lies between them share a bin
