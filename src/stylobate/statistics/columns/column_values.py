"""The different values of the columns of a stream, and the kinds they tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.coding import positions
from stylobate.data.kinds import Schema
from stylobate.data.kinds.inference import schema_of_values
from stylobate.data.kinds.values import Values, values_of_counts
from stylobate.data.mixed_columns import MixedColumns
from stylobate.statistics.columns.value_counts import ValueCounts
from stylobate.statistics.sketches.distinct_count import DistinctCount

MOST_VALUES = 50_000  # different values of a column that are kept


@dataclass(eq=False)
class ColumnValues:
    """The different values of a column of a stream, all of them or a sample, with their counts."""

    counts: ValueCounts | None = None
    n_rows: int = 0
    whole: bool = True  # whether all different values are kept
    distinct: DistinctCount | None = None
    ends: list[float] = field(default_factory=lambda: [np.inf, -np.inf])  # of numbers

    def add(self, column: Any) -> None:
        """Absorb the column of a batch."""
        self._absorb(ValueCounts.of(column))

    def merge(self, other: ColumnValues) -> ColumnValues:
        """Of both parts' rows; where neither kept all values, those this one kept are counted."""
        assert other.counts is not None
        if not other.whole and self.whole and self.counts is not None:
            return other.merge(self)
        if other.whole or self.counts is None:
            self._absorb(other.counts)
            return self
        assert other.distinct is not None
        place = positions(other.counts.values, self.counts.values)
        np.add.at(self.counts.counts, place[place >= 0], other.counts.counts[place >= 0])
        self.n_rows += other.n_rows
        low, high = zip(self.ends, other.ends, strict=True)
        self.ends = [min(low), max(high)]
        self.distinct = (
            other.distinct if self.distinct is None else self.distinct.merge(other.distinct)
        )
        return self

    def _absorb(self, found: ValueCounts) -> None:
        self.n_rows += int(found.counts.sum())
        if self.counts is None:
            self.counts = found
        elif self.whole:
            self.counts = self.counts.merge(found)
        else:
            place = positions(found.values, self.counts.values)
            np.add.at(self.counts.counts, place[place >= 0], found.counts[place >= 0])
            self._estimate(found.values)
        if self.whole and len(self.counts.values) > MOST_VALUES:
            self._estimate(self.counts.values)
            self.whole, self.counts = False, _some(self.counts)

    def _estimate(self, values: NDArray[Any]) -> None:
        """Count values among the different ones, and look how far they reach."""
        if values.dtype.kind in "biuf":
            values = values[~np.isnan(values)].astype(np.float64)
            low, high = self.ends
            self.ends = [float(values.min(initial=low)), float(values.max(initial=high))]
        elif values.dtype.kind != "M":
            values = np.array([str(value) for value in values.tolist()])
        new = DistinctCount.of(values)
        self.distinct = new if self.distinct is None else self.distinct.merge(new)

    def values(self, name: str, column: Any) -> Values:
        """What the kind of the column is told from."""
        assert self.counts is not None
        found = values_of_counts(name, self.counts.values, self.counts.counts, column)
        if self.whole:
            return found
        assert self.distinct is not None
        reached = [value for value in self.ends if np.isfinite(value)]
        lost = self.n_rows - found.n_rows  # rows of values that were not kept: none is missing
        present = self.n_rows - found.n_missing
        about = min(round(self.distinct.estimate), present)
        error = self.distinct.relative_error()
        return replace(
            found,
            n_rows=found.n_rows + lost,
            present=found.present + reached,
            weights=np.concatenate([found.weights, np.ones(len(reached), dtype=np.int64)]),
            n_distinct=present if about >= (1.0 - error) * present else about,
            exact=False,
            estimated=about < (1.0 - error) * present,
        )


def _some(counts: ValueCounts) -> ValueCounts:
    """As many values as are kept: of numbers evenly spread ones, of others the commonest."""
    if counts.values.dtype.kind in "iufM":
        kept = np.linspace(0, len(counts.values) - 1, MOST_VALUES).astype(np.intp)
    else:
        kept = np.sort(np.argsort(-counts.counts, kind="stable")[:MOST_VALUES])
    return ValueCounts(counts.values[kept], counts.counts[kept].copy())


def schema_of_batches(batches: Iterable[MixedColumns]) -> tuple[Schema, list[ValueCounts]]:
    """What each column is, and its values: one pass over at least one batch.

    The kinds are those of memory while a column has no more than `MOST_VALUES` different values.

    Examples
    --------
    >>> from stylobate.data.mixed_columns import read_mixed_columns
    >>> parts = [[["a", 1.5], ["b", 2.5]], [["a", 3.5], ["c", 9.1]]]
    >>> schema, counts = schema_of_batches(read_mixed_columns(x, owner="example") for x in parts)
    >>> [column.name for column in schema], counts[0].counts.tolist()
    (['x0', 'x1'], [2, 1, 1])
    """
    found: list[ColumnValues] = []
    head: MixedColumns | None = None
    for columns in batches:
        head = head or columns
        found = merged_values(found, values_of_columns(columns))
    assert head is not None
    return schema_of_found(found, head)


def values_of_columns(columns: MixedColumns) -> list[ColumnValues]:
    """The different values of every column of some rows."""
    found = [ColumnValues() for _ in columns.values]
    for tally, column in zip(found, columns.values, strict=True):
        tally.add(column)
    return found


def merged_values(one: list[ColumnValues], other: list[ColumnValues]) -> list[ColumnValues]:
    """Of both parts' rows, column by column; an empty list stands for no rows."""
    return [a.merge(b) for a, b in zip(one, other, strict=True)] if one else other


def schema_of_found(
    found: list[ColumnValues], head: MixedColumns
) -> tuple[Schema, list[ValueCounts]]:
    """What each column is; `head` are some of the rows, for names and types."""
    names = head.names or tuple(f"x{j}" for j in range(head.n_features))
    told = zip(found, names, head.values, strict=True)
    schema = schema_of_values(each.values(name, column) for each, name, column in told)
    return schema, [each.counts for each in found if each.counts is not None]
