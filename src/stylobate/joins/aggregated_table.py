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
        order, ranks = self._order(whole, index, made)
        codes = index.codes[order].astype(np.int64)
        place = _Places(codes, ranks)
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
        for feature in made.features:
            spans = looked[feature.within]
            values = None if feature.column is None else whole[feature.column][order]
            if feature.statistic == "time since last":
                assert ranks is not None
                assert moments is not None
                column = moments - aggregate(AggregateFeature("last", "time"), ranks, None, spans)
            else:
                if values is not None and feature.statistic != "share":
                    values = values.astype(np.float64)
                column = aggregate(feature, values, ranks, spans)
            if made.fill is not None:
                column = np.where(np.isnan(column), made.fill, column)
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

    def _order(
        self, whole: ColumnTable, index: CompositeIndex, made: Aggregation
    ) -> tuple[Integers, Array | None]:
        """Rows sorted by key and time, those without either left out; and their times."""
        if made.before is None:
            there = np.flatnonzero(index.codes >= 0)
            return there[np.argsort(index.codes[there], kind="stable")], None
        times = time_numbers(whole[made.before[1]], f"{self.name}.{made.before[1]}")
        there = np.flatnonzero((index.codes >= 0) & ~np.isnan(times))
        order = there[np.lexsort((times[there], index.codes[there]))]
        return order, times[order]


class _Places:
    """Where rows of a key and before a moment lie among rows sorted by both."""

    def __init__(self, codes: Integers, times: Array | None) -> None:
        self.codes = codes
        self.known = None if times is None else np.unique(times)
        if times is not None:
            assert self.known is not None
            ranks = np.searchsorted(self.known, times)
            self.sorted = codes * (len(self.known) + 1) + ranks

    def spans(self, asked: Any, moments: Array | None, within: float | None) -> Spans:
        """The rows before each moment, and not longer ago than that."""
        keys = np.asarray(asked, dtype=np.int64)
        if moments is None or self.known is None:
            starts = np.searchsorted(self.codes, keys, "left")
            stops = np.searchsorted(self.codes, keys, "right")
        else:
            stops = self._before(keys, moments)
            first = np.searchsorted(self.codes, keys, "left")
            starts = first if within is None else self._before(keys, moments - within)
        return Spans(np.where(keys < 0, 0, starts), np.where(keys < 0, 0, stops))

    def _before(self, keys: Integers, moments: Array) -> Integers:
        assert self.known is not None
        ranks = np.searchsorted(self.known, moments, "left")  # rows at the moment itself are after
        return np.searchsorted(self.sorted, keys * (len(self.known) + 1) + ranks, "left")


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
