"""`TableEncoder` on streams: kinds from one pass, what the parts learn from a few more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.base import BaseEstimator
from stylobate.base.batches import batch_door, first_batch
from stylobate.data import Table
from stylobate.data.kinds import Schema
from stylobate.preprocessing.table.parts import (
    CategoryPart,
    CodePart,
    DatePart,
    NumberPart,
    PlacePart,
    Tally,
    numbers_of,
)
from stylobate.preprocessing.time_and_place.dates import calendar, moments_of
from stylobate.statistics import ColumnMoments
from stylobate.statistics.columns.column_values import (
    ColumnValues,
    merged_values,
    schema_of_found,
    values_of_columns,
)
from stylobate.statistics.columns.order_statistics import mean_of_ends, middles_of
from stylobate.statistics.columns.value_counts import ValueCounts

if TYPE_CHECKING:
    from stylobate.data.streams import Batch, Stream

_DAY = 86_400_000_000  # microseconds


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
        """The kinds by one pass, as in memory while columns have few values."""
        head = self._read_columns(first_batch(stream, type(self).__name__).x, reset=True)

        def values(batch: Batch, first: int) -> list[ColumnValues]:
            return values_of_columns(self._read_columns(batch.x, reset=False))

        found = stream.reduced(values, merged_values)
        assert found is not None  # there is a first batch
        schema, counts = schema_of_found(found, head)
        if isinstance(self.kinds, Schema):
            self.schema_ = self.kinds
        else:
            self.schema_ = schema if self.kinds is None else schema.with_kinds(self.kinds)
        return counts

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


def _made(part: Any, values: list[Any]) -> Array:
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
