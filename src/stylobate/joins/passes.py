"""Passes over a join: windows of joined rows, written straight from the tables they come from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.data.column_table import ColumnTable
from stylobate.data.streams import Batch
from stylobate.data.streams.arrow import NoFeatures
from stylobate.engines.windows import MOST_ROWS, window_rows
from stylobate.joins.layout import Gatherer, Layout, Place
from stylobate.joins.prepared import Prepared


def batches_of(prepared: Prepared, layout: Layout, most_rows: int | None = None) -> Iterator[Batch]:
    """The joined rows as batches: of numbers in windows of the core's size, else as they come.

    Parameters
    ----------
    prepared : Prepared
    layout : Layout
    most_rows : int, optional
        Windows are no longer than that, for a look at the first rows.
    """
    # before the facts are read: a database gives one result at a time
    prepared.load(p for p in (*layout.features, *layout.beside) if p not in prepared.held)
    maker: _Windows | _Columns | None = None
    for facts in prepared.fact_batches(layout.fact_columns()):
        most = window_rows(len(layout.features)) if maker is None else maker.size
        most = most if most_rows is None else min(most, most_rows)
        for rows in prepared.assembly.assemble(facts.codes, facts.n_rows, most):
            cells = Gatherer(prepared, facts, rows)
            if maker is None:
                maker = _maker(prepared, layout, cells, most_rows)
            yield from maker.add(cells)
    if maker is not None:
        yield from maker.rest()


def _maker(
    prepared: Prepared, layout: Layout, cells: Gatherer, most_rows: int | None
) -> _Windows | _Columns:
    dtypes = [_dtype(cells, place) for place in layout.features]
    if not dtypes or any(dtype.kind not in "biuf" for dtype in dtypes):
        return _Columns(layout)
    single = all(dtype == np.float32 for dtype in dtypes)  # read as it is: in single precision
    return _Windows(prepared, layout, np.float32 if single else np.float64, most_rows)


def _dtype(cells: Gatherer, place: Place) -> np.dtype[Any]:
    table, name = place
    return cells.prepared.dtype(table, name) if table else cells.batch.columns[name].dtype


class _Windows:
    """Numbers, gathered into the arrays that windows are."""

    def __init__(
        self, prepared: Prepared, layout: Layout, dtype: type, most_rows: int | None
    ) -> None:
        self.layout, self.dtype = layout, dtype
        looked_up = dtype is np.float64  # by the core, a table's columns together
        self.one_by_one = [
            (j, place) for j, place in enumerate(layout.features) if place[0] == 0 or not looked_up
        ]
        self.together = {
            table: [j for j, place in enumerate(layout.features) if place[0] == table]
            for table in dict.fromkeys(table for table, _ in layout.features)
            if table and looked_up
        }
        self.rows = {
            table: prepared.number_rows(table, tuple(layout.features[j][1] for j in where))
            for table, where in self.together.items()
        }
        self.size = window_rows(len(layout.features))
        # small joins need no whole window
        self.room = min(self.size, prepared.n_joined, most_rows or self.size)
        self._begin()

    def _begin(self) -> None:
        self.block: NDArray[Any] = np.empty((len(self.layout.features), self.room), self.dtype)
        self.filled = 0
        self.beside: list[list[Any]] = [[] for _ in self.layout.beside]

    def add(self, cells: Gatherer) -> Iterator[Batch]:
        """Write rows, and give the windows that are full."""
        start, count = 0, cells.rows.count
        beside = [cells.column(place) for place in self.layout.beside]
        while start < count:
            stop = min(count, start + self.room - self.filled)
            here = slice(self.filled, self.filled + stop - start)
            for j, place in self.one_by_one:
                cells.write(place, self.block[j, here], start, stop)
            for table, where in self.together.items():
                places = cells.rows.of(table)
                assert places is not None
                _core.gather_rows(self.rows[table], places[start:stop], where, self.block[:, here])
            for kept, values in zip(self.beside, beside, strict=True):
                kept.append(values[start:stop])
            self.filled += stop - start
            start = stop
            if self.filled == self.room:
                yield self._batch()
                self._begin()

    def rest(self) -> Iterator[Batch]:
        """The rows of the last window."""
        if self.filled:
            yield self._batch()

    def _batch(self) -> Batch:
        table = ColumnTable.of_block(self.layout.names, self.block[:, : self.filled])
        return _with_beside(table, self.layout, [np.concatenate(each) for each in self.beside])


class _Columns:
    """Columns of any kind, or none but targets and weights."""

    def __init__(self, layout: Layout) -> None:
        self.layout, self.size = layout, MOST_ROWS

    def add(self, cells: Gatherer) -> Iterator[Batch]:
        """The rows as a batch of their own."""
        columns = {
            name: cells.column(place)
            for name, place in zip(self.layout.names, self.layout.features, strict=True)
        }
        features = ColumnTable(columns) if columns else NoFeatures(cells.rows.count)
        yield _with_beside(features, self.layout, [cells.column(p) for p in self.layout.beside])

    def rest(self) -> Iterator[Batch]:
        """Nothing is left."""
        return iter(())


def _with_beside(features: Any, layout: Layout, beside: list[Any]) -> Batch:
    y: Any = None
    if layout.target:
        targets = beside[: len(layout.target)]
        y = targets[0] if layout.one_target else np.column_stack(targets)
    return Batch(features, y, beside[-1] if layout.weight is not None else None)
