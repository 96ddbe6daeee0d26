"""The summary of a column of numbers."""

from __future__ import annotations

from functools import cached_property
from math import nan
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exploration.histograms import histogram_edges
from stylobate.exploration.variables import (
    QUANTILES,
    Bounds,
    DensityCurve,
    Histogram,
    NumericSummary,
    Outliers,
)

_POINTS = 200  # of the density curve


class Distribution(Protocol):
    """What a summary asks of the numbers of a column, wherever they are."""

    n: int
    low: float
    high: float
    zeros: int
    negatives: int
    infinite: int
    whole: bool
    rank_error: float

    @property
    def mean(self) -> float:
        """Of the finite values; the others below, too."""
        ...

    @property
    def sd(self) -> float: ...

    @property
    def skewness(self) -> float: ...

    @property
    def kurtosis(self) -> float: ...

    def quantiles(self, shares: Array) -> Array:
        """The values at some shares of the ranks."""
        ...

    def below(self, bounds: Array, *, inclusive: bool) -> NDArray[np.int64]:
        """How many values are less than (or equal to, if inclusive) each bound."""
        ...

    def points(self) -> tuple[Array, Array]:
        """Values and weights that stand for the distribution."""
        ...


def summarise_numbers(
    numbers: Distribution, *, percentiles: tuple[float, float], with_density: bool
) -> NumericSummary | None:
    """The summary of numbers; None if there is no finite one."""
    if numbers.n == 0:
        return None
    shares = np.array(sorted({*QUANTILES, *percentiles}))
    found = dict(zip(shares.tolist(), numbers.quantiles(shares).tolist(), strict=True))
    quartiles, tails = (found[0.25], found[0.75]), (found[0.01], found[0.99])
    reach = 1.5 * (quartiles[1] - quartiles[0])
    edges = histogram_edges(
        numbers.low,
        numbers.high,
        n=numbers.n,
        quartiles=quartiles,
        tails=tails,
        skewness=numbers.skewness,
        whole=numbers.whole,
    )
    return NumericSummary(
        min=numbers.low,
        max=numbers.high,
        mean=numbers.mean,
        sd=numbers.sd,
        skewness=numbers.skewness,
        kurtosis=numbers.kurtosis,
        zeros=numbers.zeros,
        negatives=numbers.negatives,
        infinite=numbers.infinite,
        quantiles={share: found[share] for share in QUANTILES},
        rank_error=numbers.rank_error,
        outliers=Outliers(
            _bounds(numbers, quartiles[0] - reach, quartiles[1] + reach),
            _bounds(numbers, found[percentiles[0]], found[percentiles[1]]),
        ),
        histogram=_histogram(numbers, edges),
        density=_density(numbers, edges) if with_density else None,
    )


def _bounds(numbers: Distribution, lower: float, upper: float) -> Bounds:
    below = int(numbers.below(np.array([lower]), inclusive=False)[0])
    above = numbers.n - int(numbers.below(np.array([upper]), inclusive=True)[0])
    return Bounds(lower, upper, below, above)


def _histogram(numbers: Distribution, edges: Array) -> Histogram:
    """Bars closed on the left, the last one on both sides, as NumPy's."""
    heights = numbers.below(edges, inclusive=False)
    heights[-1] = numbers.below(edges[-1:], inclusive=True)[0]
    counts = tuple(np.diff(heights).tolist())
    return Histogram(tuple(edges.tolist()), counts, int(heights[0]), int(numbers.n - heights[-1]))


def _density(numbers: Distribution, edges: Array) -> DensityCurve | None:
    from stylobate.statistics.density import gaussian_density, silverman_bandwidth

    values, weights = numbers.points()
    if len(values) < 3:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        h = silverman_bandwidth(values, weights)
    span = float(edges[-1] - edges[0])
    reach = max(abs(float(values[0])), abs(float(values[-1])), span)
    if not 1e-290 < h < np.inf or not reach < 1e290 or h < 1e-5 * span:
        return None
    low = max(float(edges[0]), float(values[0])) - 2 * h
    high = min(float(edges[-1]), float(values[-1])) + 2 * h
    curve = gaussian_density(values, weights, bandwidth=h, points=_POINTS, bounds=(low, high))
    return DensityCurve(tuple(curve.x.tolist()), tuple(curve.y.tolist()), h)


class ExactNumbers:
    """The distribution of numbers held as distinct values and how often each occurs."""

    rank_error = 0.0

    def __init__(self, values: Array, counts: NDArray[np.intp]) -> None:
        """Take distinct values in increasing order; infinities are set apart."""
        finite = np.isfinite(values)
        self.infinite = int(counts[~finite].sum())
        self.values, self.counts = values[finite], counts[finite]
        self.seen = self.n = int(self.counts.sum())
        self.reached = np.cumsum(self.counts)
        self.zeros = int(self.counts[self.values == 0].sum())
        self.negatives = int(counts[values < 0].sum())
        self.whole = bool((self.values == np.floor(self.values)).all())
        self.low = float(self.values[0]) if self.n else nan
        self.high = float(self.values[-1]) if self.n else nan

    @property
    def mean(self) -> float:
        """Of the finite values."""
        return self._moments[0]

    @property
    def sd(self) -> float:
        """Their standard deviation, with n - 1."""
        return self._moments[1]

    @property
    def skewness(self) -> float:
        """The third standardised moment."""
        return self._moments[2]

    @property
    def kurtosis(self) -> float:
        """The fourth, less 3."""
        return self._moments[3]

    @cached_property
    def _moments(self) -> tuple[float, float, float, float]:
        if self.seen == 0:
            return nan, nan, nan, nan
        size = max(abs(self.low), abs(self.high)) or 1.0
        x, w = self.values / size, self.counts.astype(np.float64)
        mean = float((w * x).sum() / self.seen)
        deviation = x - mean
        square = deviation * deviation
        second, third, fourth = (
            float((w * power).sum() / self.seen)
            for power in (square, square * deviation, square * square)
        )
        sd = size * (second * self.seen / (self.seen - 1)) ** 0.5 if self.seen > 1 else nan
        if len(self.values) < 2 or second < 1e-30:
            return float(mean * size), sd, nan, nan
        return mean * size, sd, third / second**1.5, fourth / second**2 - 3.0

    def quantiles(self, shares: Array) -> Array:
        """Linear between ranks, as NumPy's default."""
        rank = shares * (self.seen - 1)
        left = np.floor(rank)
        low, high = (
            self.values[np.searchsorted(self.reached, np.minimum(r, self.seen - 1), side="right")]
            for r in (left, left + 1)
        )
        part = rank - left
        return np.asarray(low * (1 - part) + high * part)

    def below(self, bounds: Array, *, inclusive: bool) -> NDArray[np.int64]:
        """Counted."""
        place = np.searchsorted(self.values, bounds, side="right" if inclusive else "left")
        return np.append(0, self.reached)[place].astype(np.int64)

    def points(self) -> tuple[Array, Array]:
        """The values and their counts."""
        return self.values, self.counts.astype(np.float64)
