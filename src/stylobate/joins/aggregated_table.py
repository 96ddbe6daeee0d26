"""A table of aggregates: a row for each key and moment that the facts ask for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Integers
from stylobate.data.column_table import ColumnTable
from stylobate.exceptions import InvalidParameterError
from stylobate.joins.aggregate_features import AggregateFeature, Spans, aggregate
from stylobate.joins.base_table import BaseTable
from stylobate.joins.keys import CompositeIndex
from stylobate.joins.times import time_numbers

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}
_MOST_WHOLE = 2.0**31  # moments: numbers of keys and of these together are below 2^63
CUTOFF = "before"  # the column of the moments


@dataclass(frozen=True, slots=True)
class Aggregation:
    """What is aggregated, by what, and up to when.

    Parameters
    ----------
    facts : tuple of str
        Columns of the facts: the key.
    by : tuple of str
        The same of the table that is aggregated.
    before : (str, str) or None
        A column of the facts and one of the table: rows of the table count that were before.
    features : tuple of AggregateFeature
    fill : float or None
        What is missing where there are no rows.
    """

    facts: tuple[str, ...]
    by: tuple[str, ...]
    before: tuple[str, str] | None
    features: tuple[AggregateFeature, ...]
    fill: float | None = None

    @property
    def fact_columns(self) -> tuple[str, ...]:
        """What is read of the facts."""
        return self.facts if self.before is None else (*self.facts, self.before[0])

    @property
    def row_columns(self) -> tuple[str, ...]:
        """What is read of the table."""
        names = [*self.by, *(() if self.before is None else (self.before[1],))]
        names += [each.column for each in self.features if each.column is not None]
        return tuple(dict.fromkeys(names))

    @property
    def key(self) -> tuple[str, ...]:
        """The key of the table of aggregates."""
        return self.by if self.before is None else (*self.by, CUTOFF)


class AggregatedTable(BaseTable):
    """Aggregates of a table's rows for the keys and moments of facts, computed when asked for.

    Parameters
    ----------
    rows : BaseTable
        What is aggregated.
    facts : BaseTable
    aggregation : Aggregation
    """

    def __init__(self, rows: BaseTable, facts: BaseTable, aggregation: Aggregation) -> None:
        self.rows, self.facts, self.aggregation = rows, facts, aggregation
        self.name, self.origin, self.on_request = rows.name, rows.origin, False
        self.columns = (*aggregation.key, *map(str, aggregation.features))
        self._known: dict[str, NDArray[Any]] | None = None

    def telling(self, column: str) -> list[str]:
        """The features that a row's own cell of a column of the facts is part of."""
        made = self.aggregation
        if made.before is not None or self.rows.origin is not self.facts.origin:
            return []
        return [f"{self.name}.{each}" for each in made.features if each.column == column]

    def batches(self, names: Sequence[str]) -> Iterator[ColumnTable]:
        """Some columns."""
        if self._known is None:
            self._known = self._compute()
        yield ColumnTable({name: self._known[name] for name in names})

    def _compute(self) -> dict[str, NDArray[Any]]:
        made = self.aggregation
        whole = self.rows.whole(made.row_columns)
        facts = self.facts.whole(list(dict.fromkeys(made.fact_columns)))
        index = CompositeIndex(
            [whole[name] for name in made.by], [f"{self.name}.{name}" for name in made.by]
        )
        asked = index.find(
            [facts[name] for name in made.facts], [f"{self.facts.name}.{n}" for n in made.facts]
        )
        moments, first = self._moments(facts, made)
        place = self._order(whole, index, made)
        asked = asked[first]
        found: dict[str, NDArray[Any]] = {
            by: facts[name][first] for by, name in zip(made.by, made.facts, strict=True)
        }
        if made.before is not None:
            found[CUTOFF] = facts[made.before[0]][first]
        looked = {
            each: place.spans(asked, moments, None if each is None else length_of(each, self.name))
            for each in dict.fromkeys(feature.within for feature in made.features)
        }
        return found | self._features(whole, place, moments, looked)

    def _features(
        self,
        whole: ColumnTable,
        place: _Places,
        moments: Array | None,
        looked: dict[str | None, Spans],
    ) -> dict[str, NDArray[Any]]:
        """The aggregates, of the rows that each key and moment looks back on."""
        held: dict[tuple[str, bool], NDArray[Any]] = {}

        def sorted_cells(feature: AggregateFeature) -> NDArray[Any] | None:
            """A column in the rows' order, gathered once: as a number but for shares."""
            if feature.column is None:
                return None
            key = feature.column, feature.statistic == "share"
            if key not in held:
                cells = whole[feature.column][place.order]
                held[key] = cells if key[1] else cells.astype(np.float64, copy=False)
            return held[key]

        found = {}
        for feature in self.aggregation.features:
            spans, times = looked[feature.within], place.times
            if feature.statistic == "time since last":
                assert times is not None
                assert moments is not None
                column = moments - aggregate(AggregateFeature("last", "time"), times, None, spans)
            else:
                column = aggregate(feature, sorted_cells(feature), times, spans)
            if self.aggregation.fill is not None:
                column = np.where(np.isnan(column), self.aggregation.fill, column)
            found[str(feature)] = column
        return found

    def _moments(self, facts: ColumnTable, made: Aggregation) -> tuple[Array | None, Integers]:
        """When each distinct key asks, and the first row of the facts that has it."""
        columns = [facts[name] for name in made.facts]
        shown = [f"{self.facts.name}.{name}" for name in made.facts]
        codes = CompositeIndex(columns, shown).codes.astype(np.int64)
        if made.before is None:
            there = np.flatnonzero(codes >= 0)
            _, first = np.unique(codes[there], return_index=True)
            return None, there[first]
        times = time_numbers(facts[made.before[0]], f"{self.facts.name}.{made.before[0]}")
        there = np.flatnonzero((codes >= 0) & ~np.isnan(times))
        _, number = np.unique(times[there], return_inverse=True)
        pairs = codes[there] * (number.max(initial=0) + 1) + number
        _, first = np.unique(pairs, return_index=True)
        return times[there[first]], there[first]

    def _order(self, whole: ColumnTable, index: CompositeIndex, made: Aggregation) -> _Places:
        """Rows sorted by key and time, those without either left out."""
        if made.before is None:
            return _Places.of(index.codes, None)
        return _Places.of(
            index.codes, time_numbers(whole[made.before[1]], f"{self.name}.{made.before[1]}")
        )


@dataclass(frozen=True, eq=False)
class _TimeRanks:
    """Times in order, to be counted: whole numbers of a range, or those that there are.

    Parameters
    ----------
    low : float
        The first.
    size : int
        How many there may be.
    known : array or None
        Which they are; None for all whole numbers from `low` on.
    """

    low: float
    size: int
    known: Array | None

    @classmethod
    def of(cls, times: Array) -> _TimeRanks:
        low, high = (float(times.min()), float(times.max())) if len(times) else (0.0, 0.0)
        if high - low < _MOST_WHOLE and (times == np.rint(times)).all():
            return cls(low, int(high - low) + 1, None)
        known = np.unique(times)
        return cls(low, len(known), known)

    def before(self, times: Array) -> Integers:
        """How many of them come before each of some times."""
        if self.known is not None:
            return np.searchsorted(self.known, times, "left").astype(np.int64)
        return np.clip(np.ceil(times - self.low), 0.0, self.size).astype(np.int64)


@dataclass(frozen=True, eq=False)
class _Places:
    """Where rows of a key and before a moment lie among rows sorted by both.

    Parameters
    ----------
    order : array
        The rows, sorted.
    places : array
        Of each, in order, a number that grows with key and time.
    moments : _TimeRanks or None
    times : array or None
        Of the rows, in order.
    """

    order: Integers
    places: Integers
    moments: _TimeRanks | None
    times: Array | None

    @classmethod
    def of(cls, codes: NDArray[Any], times: Array | None) -> _Places:
        """Rows by the numbers of their keys, -1 for none, and their times, NaN for none."""
        missing = codes < 0 if times is None else (codes < 0) | np.isnan(times)
        there = np.flatnonzero(~missing)
        places = codes[there].astype(np.int64)
        if times is None:
            order = np.argsort(places, kind="stable")
            return cls(there[order], places[order], None, None)
        moments = _TimeRanks.of(times[there])
        places = places * (moments.size + 1) + moments.before(times[there])
        order = np.argsort(places, kind="stable")
        rows = there[order]
        return cls(rows, places[order], moments, times[rows])

    def spans(self, asked: Any, moments: Array | None, within: float | None) -> Spans:
        """The rows before each moment, and not longer ago than that."""
        keys = np.asarray(asked, dtype=np.int64)
        if moments is None or self.moments is None:
            starts = np.searchsorted(self.places, keys, "left")
            stops = np.searchsorted(self.places, keys, "right")
        else:
            stops = self._before(keys, self.moments.before(moments))
            first = np.zeros(len(keys), np.int64)
            if within is not None:
                first = self.moments.before(moments - within)
            starts = self._before(keys, first)
        return Spans(np.where(keys < 0, 0, starts), np.where(keys < 0, 0, stops))

    def _before(self, keys: Integers, ranks: Integers) -> Integers:
        """The first row of each key that is not before a moment, of so many moments before it."""
        size = 0 if self.moments is None else self.moments.size
        return np.searchsorted(self.places, keys * (size + 1) + ranks, "left")


def length_of(within: str, name: str) -> float:
    """A length of time as a number: seconds of "30d", "12h" …, a bare number as it is.

    Parameters
    ----------
    within : str
    name : str
        The table, for messages.

    Examples
    --------
    >>> length_of("2h", "visits"), length_of("30", "visits")
    (7200.0, 30.0)
    """
    number, unit = (within[:-1], within[-1]) if within[-1:] in _UNITS else (within, "")
    try:
        length = float(number) * _UNITS.get(unit, 1.0)
    except ValueError:
        length = 0.0
    if not 0.0 < length < np.inf:
        raise InvalidParameterError(
            f"aggregate: within={within!r} is no length of time of {name}; write such as '30d' (s, "
            "m, h, d, w), or a number where times are numbers."
        )
    return length
