"""Means of numeric columns over time."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.exploration.periods import period_of, starts_of
from stylobate.exploration.summaries.values import value_text

MOST_POINTS = 60
_LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """The mean over the rows of one period, with its interval."""

    start: str
    mean: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Trend:
    """A numeric column over a column of time."""

    time: str
    column: str
    per: str
    points: tuple[TrendPoint, ...]


class Timeline:
    """A column of moments, and where each row stands among the periods it spans.

    Parameters
    ----------
    name : str
        Of the column.
    moments : array of datetime64
        One per row, NaT where missing.
    """

    def __init__(self, name: str, moments: NDArray[Any]) -> None:
        """Look at no row yet."""
        self.name, self.moments = name, moments
        self.known = ~np.isnat(moments)
        self._spans: dict[tuple[Any, Any], Span] = {}

    def span(self, rows: NDArray[np.bool_]) -> Span:
        """The periods of some rows; found once for all columns that have the same ends."""
        some = self.moments[rows]
        first, last = some.min(), some.max()
        if (first, last) not in self._spans:
            per = period_of(first, last, MOST_POINTS)
            starts = starts_of(first, last, per)
            places = np.searchsorted(starts, self.moments, side="right") - 1
            self._spans[first, last] = Span(per, starts, places)
        return self._spans[first, last]


class Span(NamedTuple):
    """Periods: their name, where each begins, and the place of every row among them."""

    per: str
    starts: NDArray[Any]
    places: NDArray[np.intp]


def trend_of(time: Timeline, column: str, numbers: NDArray[np.float64]) -> Trend | None:
    r"""Means per period with 95 % intervals x̄ ± t s/√n; None with fewer than two periods.

    Parameters
    ----------
    time : Timeline
        Of the rows.
    column : str
        The name of the numbers.
    numbers : array of float64
        One per row, NaN where missing.
    """
    kept = time.known & np.isfinite(numbers)
    if not kept.any():
        return None
    per, starts, places = time.span(kept)
    place = places[kept]
    n = np.bincount(place, minlength=len(starts))
    if (n > 0).sum() < 2:
        return None
    return Trend(time.name, column, per, _points(starts, place, numbers[kept], n))


def _points(
    starts: NDArray[Any], place: NDArray[np.intp], numbers: NDArray[Any], n: NDArray[np.intp]
) -> tuple[TrendPoint, ...]:
    from scipy.special import stdtrit

    size = max(1.0, float(np.abs(numbers).max(initial=0.0)))
    numbers = numbers / size
    kept = np.flatnonzero(n)
    mean = np.bincount(place, numbers, len(starts))[kept] / n[kept]
    whole = np.zeros(len(starts))
    whole[kept] = mean
    squares = np.bincount(place, (numbers - whole[place]) ** 2, len(starts))[kept]
    points = []
    for k, start in enumerate(starts[kept].astype("M8[us]")):
        count, half = int(n[kept[k]]), nan
        if count > 1:
            error = (squares[k] / (count - 1) / count) ** 0.5
            half = float(stdtrit(count - 1, 0.5 + _LEVEL / 2) * error)
        centre = float(mean[k])
        low, high = (size * (centre - half), size * (centre + half))
        points.append(TrendPoint(value_text(start), size * centre, low, high, count))
    return tuple(points)
