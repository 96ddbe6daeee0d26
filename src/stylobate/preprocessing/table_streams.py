"""`TableEncoder` on streams: kinds from one pass, what the parts learn from a few more."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator
from stylobate.base.batches import batch_door, first_batch
from stylobate.data import Table
from stylobate.data.coding import positions
from stylobate.data.kinds import Schema
from stylobate.data.kinds.inference import schema_of_values
from stylobate.data.kinds.values import Values, values_of_counts
from stylobate.data.mixed_columns import MixedColumns
from stylobate.preprocessing.dates import calendar, moments_of
from stylobate.preprocessing.table_parts import (
    CategoryPart,
    CodePart,
    DatePart,
    NumberPart,
    PlacePart,
    Tally,
    numbers_of,
)
from stylobate.statistics import ColumnMoments, DistinctCount
from stylobate.statistics.order_statistics import mean_of_ends, middles_of
from stylobate.statistics.value_counts import ValueCounts

if TYPE_CHECKING:
    from stylobate.data.streams import Batch, Stream

MOST_VALUES = 50_000  # different values of a column that are kept
_DAY = 86_400_000_000  # microseconds


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
        found = ValueCounts.of(column)
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


class EncodesTableStreams(BaseEstimator):
    """How `TableEncoder` learns from streams."""

    if TYPE_CHECKING:
        kinds: Any
        schema_: Schema
        _choose_parts: Any
        _parts: list[Any]
        _read_columns: Any

    def _fit_stream(self, stream: Stream) -> Self:
        if self._needs_rows:
            return super()._fit_stream(stream)
        self._check_parameters()
        tallies = self._settle_schema(stream)
        self._choose_parts(None, None)
        for part, (place, *_) in self._parts:
            if isinstance(part, CategoryPart | CodePart):
                part.learn(Tally.of_counts(tallies[place], part.column))
            elif isinstance(part, NumberPart):
                part.steps = part._steps_of(tallies[place].values)
        self._learn_numbers(stream)
        return self

    def _settle_schema(self, stream: Stream) -> list[ValueCounts]:
        """The kinds by one pass, as in memory while a column has no more than `MOST_VALUES`."""
        first_batch(stream, type(self).__name__)  # refuses a stream without rows
        found: list[ColumnValues] = []
        head: MixedColumns | None = None
        for batch in stream:
            if not batch.n_rows:
                continue
            columns = self._read_columns(batch.x, reset=head is None)
            head = head or columns
            found = found or [ColumnValues() for _ in columns.values]
            for tally, column in zip(found, columns.values, strict=True):
                tally.add(column)
        assert head is not None
        names = head.names or tuple(f"x{j}" for j in range(head.n_features))
        if isinstance(self.kinds, Schema):
            self.schema_ = self.kinds
        else:
            told = zip(found, names, head.values, strict=True)
            schema = schema_of_values(each.values(name, column) for each, name, column in told)
            self.schema_ = schema if self.kinds is None else schema.with_kinds(self.kinds)
        return [each.counts for each in found if each.counts is not None]

    def _learn_numbers(self, stream: Stream) -> None:
        """Medians, means and first moments, of all parts by the same passes."""
        parts = [
            (part, at)
            for part, at in self._parts
            if isinstance(part, NumberPart | DatePart | PlacePart)
        ]
        if not parts:
            return

        def raw(batch: Batch, reset: bool) -> Table:
            columns = self._read_columns(batch.x, reset=False)
            made = [_raw(part, [columns.values[j] for j in at]) for part, at in parts]
            return Table(np.column_stack(made), owner=type(self).__name__)

        source = self._source(stream, batch_door(raw))
        moments = source.compute(ColumnMoments)
        low, high = middles_of(source)
        for k, (part, _) in enumerate(parts):
            _learn(part, moments, low, high, 2 * k)
        self._learn_units(stream, [(p, at) for p, at in parts if not isinstance(p, NumberPart)])

    def _learn_units(self, stream: Stream, parts: list[tuple[Any, tuple[int, ...]]]) -> None:
        """Means and deviations of what dates and places become, where they are to be scaled."""
        parts = [(part, at) for part, at in parts if part.scale]
        if not parts:
            return

        def made(batch: Batch, reset: bool) -> Table:
            columns = self._read_columns(batch.x, reset=False)
            blocks = [_made(part, [columns.values[j] for j in at]) for part, at in parts]
            return Table(np.column_stack(blocks), owner=type(self).__name__)

        source = self._source(stream, batch_door(made))
        moments = source.compute(ColumnMoments)
        start = 0
        for part, _ in parts:
            own = slice(start, start + len(part.center))
            start = own.stop
            if (moments.count[own] > 0).all():
                deviation = moments.deviation[own]
                part.center = moments.mean[own]
                part.spread = np.where(deviation > 0, deviation, 1.0)


def _raw(part: Any, values: list[Any]) -> Array:
    """Two columns of a part: its numbers; of dates their microseconds and time of day."""
    if isinstance(part, NumberPart):
        numbers = part._read(values[0] if len(values) == 1 else values)
        return np.column_stack([numbers, numbers])
    if isinstance(part, PlacePart):
        north, east = (numbers_of(each) for each in values)
        unknown = np.isnan(north) | np.isnan(east)
        return np.column_stack([np.where(unknown, np.nan, each) for each in (north, east)])
    moments = moments_of(values[0], part.column.notation)
    ticks = moments.astype(np.int64)
    lost = np.isnat(moments)
    pair = np.column_stack([ticks, ticks % _DAY]).astype(np.float64)
    pair[lost] = np.nan
    return pair


def _learn(part: Any, moments: ColumnMoments, low: Array, high: Array, k: int) -> None:
    """A part's own from the moments and middles of its columns k and k + 1."""
    some = bool(moments.count[k] > 0)
    missing = bool(moments.count[k] < moments.n_rows)
    middle = mean_of_ends(low, high)
    if isinstance(part, NumberPart):
        center, spread = float(moments.mean[k]), float(moments.deviation[k]) if some else 1.0
        part.learn(float(middle[k]) if some else 0.0, center, spread, missing=missing)
    elif isinstance(part, PlacePart):
        part.learn(*((float(middle[k]), float(middle[k + 1])) if some else (0.0, 0.0)))
    else:
        ends = (moments.low[k], high[k]) if some else (0.0, 0.0)
        first, typical = (np.datetime64(int(each), "us") for each in ends)
        hours = some and bool(moments.high[k + 1] > 0)
        part.learn(first, typical, hours=hours, missing=missing)


def _made(part: Any, values: list[Any]) -> NDArray[np.float64]:
    """What dates and places become before they are scaled; NaN where they are missing."""
    if isinstance(part, PlacePart):
        north, east = (numbers_of(each) for each in values)
        missing = np.isnan(north) | np.isnan(east)
        out = part._made(np.where(missing, 0.0, north), np.where(missing, 0.0, east))
    else:
        moments = moments_of(values[0], part.column.notation)
        missing = np.isnat(moments)
        found = calendar(np.where(missing, part.fill, moments), part.parts, part.start)
        out = np.column_stack([*found.values()]).astype(np.float64)
    out[missing] = np.nan
    return out
