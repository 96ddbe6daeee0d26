"""Windows: the pieces of a fixed number of rows in which every source is read.

How many rows a window has follows from the columns alone, never from the batches or the number of
rows. A table in memory and a stream of the same rows therefore give the same windows, and so the
same bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from stylobate.data import Table
from stylobate.data.joined_tables import joined

UNIT_ROWS = 8192  # the core's own chunks divide it
MOST_ROWS = 16 * UNIT_ROWS
WINDOW_CELLS = 1 << 22  # 32 MB of doubles


def window_rows(n_columns: int, *, sparse: bool = False) -> int:
    """How many rows a window has.

    Examples
    --------
    >>> window_rows(10), window_rows(100), window_rows(5000)
    (131072, 40960, 8192)
    """
    if sparse:
        return MOST_ROWS
    units = WINDOW_CELLS // max(n_columns, 1) // UNIT_ROWS
    return min(max(units, 1) * UNIT_ROWS, MOST_ROWS)


def windows_of(table: Table) -> Iterator[Table]:
    """The windows of a table in memory; views of its rows where these are dense."""
    size = window_rows(table.n_features, sparse=table.is_sparse)
    if table.n_rows <= size:
        yield table
        return
    if table.is_sparse and table.x.format == "csc":
        table = replace(table, x=table.x.tocsr())
    for first in range(0, table.n_rows, size):
        yield replace(table.take(slice(first, first + size)), first_row=first)


def recut(tables: Iterable[Table]) -> Iterator[Table]:
    """Tables of any sizes as windows of the core's size; the last may be shorter."""
    kept: list[Table] = []
    count = first_row = size = 0
    for table in tables:
        size = size or window_rows(table.n_features, sparse=table.is_sparse)
        start = 0
        while count + table.n_rows - start >= size:
            end = start + size - count
            kept.append(table if (start, end) == (0, table.n_rows) else _slice(table, start, end))
            yield joined(kept, first_row)
            first_row, start, kept, count = first_row + size, end, [], 0
        if start < table.n_rows:
            kept.append(table if start == 0 else _slice(table, start, table.n_rows))
            count += table.n_rows - start
    if kept:
        yield joined(kept, first_row)


def _slice(table: Table, start: int, end: int) -> Table:
    return table.take(slice(start, end))
