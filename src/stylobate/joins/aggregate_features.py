"""Aggregates of the many rows that belong to one, named in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices, Integers

OF_ROWS = ("count", "time since last")
OF_NUMBERS = ("sum", "mean", "min", "max", "last", "trend")
OF_TEXT = ("share",)
STATISTICS = (*OF_ROWS, *OF_NUMBERS, *OF_TEXT)
_CELLS_OF_A_GROUP = 20_000  # of spans that begin together, from which on they are cumulated
NEED_TIME = frozenset({"time since last", "last", "trend"})


@dataclass(frozen=True, slots=True)
class AggregateFeature:
    """One aggregate.

    Parameters
    ----------
    statistic : str
        One of "count", "time since last", "sum", "mean", "min", "max", "last", "trend", "share".
    column : str, optional
        What it is of; rows are counted without.
    category : str, optional
        Of which category the share is.
    within : str, optional
        How far back rows are looked at, such as "30d"; all of them by default.

    Examples
    --------
    >>> str(AggregateFeature("mean", "price", within="30d"))
    'mean of price within 30d'
    >>> str(AggregateFeature("share", "kind", "gift")), str(AggregateFeature("count"))
    ("share of kind 'gift'", 'count')
    """

    statistic: str
    column: str | None = None
    category: str | None = None
    within: str | None = None

    def __str__(self) -> str:
        text = self.statistic if self.column is None else f"{self.statistic} of {self.column}"
        text += "" if self.category is None else f" {self.category!r}"
        return text if self.within is None else f"{text} within {self.within}"


@dataclass(frozen=True, eq=False)
class Spans:
    """For each of some moments the rows, sorted by key and time, that it looks back on.

    Parameters
    ----------
    starts, stops : arrays of shape (moments,)
        The first row and the one after the last.
    """

    starts: Integers
    stops: Integers

    @property
    def counts(self) -> Integers:
        return self.stops - self.starts

    def reduce(self, function: np.ufunc, values: Array, empty: float) -> Array:
        """A sum, least or largest value of the rows of each span.

        >>> spans = Spans(np.array([0, 2, 1]), np.array([2, 2, 3]))
        >>> spans.reduce(np.add, np.array([1.0, 2.0, 4.0]), 0.0).tolist()
        [3.0, 0.0, 6.0]
        """
        if self._overlap:
            return self._cumulated(function, values, empty)
        found = np.full(len(self.starts), empty)
        there, ends = self._ends
        if len(there):
            padded = np.append(values, empty)  # a span may end with the last row
            found[there] = function.reduceat(padded, ends)[::2]
        return found

    @cached_property
    def _ends(self) -> tuple[Integers, Integers]:
        """Spans with rows, in the order of their starts, for reduceat reads gaps as well."""
        there = np.flatnonzero(self.counts > 0)
        there = there[np.argsort(self.starts[there], kind="stable")]
        return there, np.column_stack([self.starts[there], self.stops[there]]).ravel()

    @cached_property
    def _overlap(self) -> bool:
        """Whether spans that begin together have so many rows in common that none is read twice."""
        groups = len(np.unique(self.starts[self.counts > 0]))
        return bool(self.counts.sum() > _CELLS_OF_A_GROUP * max(groups, 1))

    def _cumulated(self, function: np.ufunc, values: Array, empty: float) -> Array:
        """The same, of spans that begin together one after the other: rows between their ends."""
        found = np.full(len(self.starts), empty)
        there = np.flatnonzero(self.counts > 0)
        there = there[np.lexsort((self.stops[there], self.starts[there]))]
        first = np.flatnonzero(np.diff(self.starts[there], prepend=-1))
        for some in np.split(there, first[1:]):
            stops, place = np.unique(self.stops[some], return_inverse=True)
            start, last = self.starts[some[0]], stops[-1]
            pieces = function.reduceat(values[start:last], np.append(0, stops[:-1] - start))
            found[some] = function.accumulate(pieces)[place]
        return found

    @cached_property
    def sums(self) -> dict[str, tuple[Array, Array]]:
        """Sums and counts of columns that were asked for before, by their names."""
        return {}

    def sum_of(self, name: str, values: Array) -> tuple[Array, Array]:
        """The sum of the cells that are there, and how many they are."""
        if name not in self.sums:
            there = ~np.isnan(values)
            if there.all():
                self.sums[name] = self.reduce(np.add, values, 0.0), self.counts.astype(np.float64)
            else:
                counts = self.reduce(np.add, there.astype(np.float64), 0.0)
                self.sums[name] = self.reduce(np.add, np.where(there, values, 0.0), 0.0), counts
        return self.sums[name]


def aggregate(
    feature: AggregateFeature, values: NDArray[Any] | None, times: Array | None, spans: Spans
) -> Array:
    """An aggregate of the rows of each span; missing where there is none to tell.

    Parameters
    ----------
    feature : AggregateFeature
    values : array of shape (rows,), optional
        The column, in the order of the rows.
    times : array of shape (rows,), optional
        When the rows were, as numbers.
    spans : Spans

    Examples
    --------
    >>> spans = Spans(np.array([0, 3]), np.array([3, 3]))
    >>> prices, days = np.array([1.0, 2.0, 4.0]), np.array([0.0, 1.0, 2.0])
    >>> aggregate(AggregateFeature("mean", "price"), prices, days, spans).round(3).tolist()
    [2.333, nan]
    >>> aggregate(AggregateFeature("trend", "price"), prices, days, spans).tolist()
    [1.5, nan]
    """
    if values is None:
        return spans.counts.astype(np.float64)
    if feature.statistic == "share":
        chosen = (values == feature.category).astype(np.float64)
        return _over(spans.reduce(np.add, chosen, 0.0), spans.counts)
    if feature.statistic == "last":
        return _last(values, spans)
    if feature.statistic == "trend":
        assert times is not None
        return _trend(values, times, ~np.isnan(values), spans)
    if feature.statistic in ("min", "max"):
        least = feature.statistic == "min"
        function, empty = (np.minimum, np.inf) if least else (np.maximum, -np.inf)
        found = spans.reduce(function, np.where(np.isnan(values), empty, values), empty)
        return np.where(np.isinf(found), np.nan, found)
    assert feature.column is not None
    total, counts = spans.sum_of(feature.column, values)
    return total if feature.statistic == "sum" else _over(total, counts)


def _over(total: Any, counts: Any) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(counts > 0, total / counts, np.nan)


def _last(values: Array, spans: Spans) -> Array:
    places = np.where(spans.counts > 0, spans.stops - 1, -1)
    return np.append(values, np.nan)[places]


def _trend(values: Array, times: Array, there: NDArray[np.bool_], spans: Spans) -> Array:
    """The least-squares slope of values over time; missing with fewer than two moments."""
    found = np.full(len(spans.starts), np.nan)
    many = np.flatnonzero(spans.counts > 1)
    chunk = 1 << 12
    for start in range(0, len(many), chunk):
        some = many[start : start + chunk]
        rows, owner = _rows_of(spans, some)
        kept = there[rows]
        rows, owner = rows[kept], owner[kept]
        n = np.bincount(owner, minlength=len(some)).astype(np.float64)
        t = _centred(times[rows], owner, n)
        v = _centred(values[rows], owner, n)
        spread = np.bincount(owner, t * t, len(some))
        slope = np.bincount(owner, t * v, len(some))
        with np.errstate(invalid="ignore", divide="ignore"):
            found[some] = np.where(spread > 0, slope / spread, np.nan)
    return found


def _centred(values: Array, owner: Indices, counts: Array) -> Array:
    """Values less the mean of all that have the same owner."""
    means = _over(np.bincount(owner, values, len(counts)), counts)
    return np.asarray(values - means[owner])


def _rows_of(spans: Spans, some: Indices) -> tuple[Indices, Indices]:
    """The rows of some spans, one after the other, and the number of the span of each."""
    counts = spans.counts[some]
    owner = np.repeat(np.arange(len(some)), counts)
    offsets = np.arange(len(owner)) - (np.cumsum(counts) - counts)[owner]
    return spans.starts[some][owner] + offsets, owner


def generated(
    numbers: Sequence[str],
    categories: Sequence[tuple[str, Sequence[str]]],
    within: Sequence[str],
    statistics: Sequence[str],
    *,
    timed: bool,
) -> list[AggregateFeature]:
    """All aggregates of some columns, the plainest first, so that a budget cuts off the others."""
    wanted = [each for each in statistics if timed or each not in NEED_TIME]
    found = [AggregateFeature(each) for each in OF_ROWS if each in wanted]
    for window in (None, *within):
        if window is not None and "count" in wanted:
            found.append(AggregateFeature("count", within=window))
        for statistic in OF_NUMBERS:
            if statistic in wanted and (window is None or statistic != "last"):
                found += [AggregateFeature(statistic, name, within=window) for name in numbers]
        if "share" in wanted:
            found += [
                AggregateFeature("share", name, value, window)
                for name, values in categories
                for value in values
            ]
    return found
