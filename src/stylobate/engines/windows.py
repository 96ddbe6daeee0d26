"""Windows: the pieces of a fixed number of rows in which every source is read.

How many rows a window has follows from the columns alone, never from the batches or the number of
rows. A table in memory and a stream of the same rows therefore give the same windows, and so the
same bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from stylobate.data import Table
from stylobate.exceptions import InvalidDataError

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


def joined(tables: Sequence[Table], first_row: int = 0) -> Table:
    """The rows of several tables as one.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> parts = [read_table([[1.0], [2.0]], owner="example"), read_table([[3.0]], owner="example")]
    >>> joined(parts).x.ravel().tolist()
    [1.0, 2.0, 3.0]
    """
    head = tables[0]
    if len(tables) == 1:
        return head if head.first_row == first_row else replace(head, first_row=first_row)
    x = _stacked([table.x for table in tables])
    y, classes = _targets(tables)
    weights = None
    if any(table.weights is not None for table in tables):
        weights = np.concatenate(
            [np.ones(t.n_rows) if t.weights is None else t.weights for t in tables]
        )
    return replace(
        head,
        x=x,
        y=y,
        classes=classes,
        weights=weights,
        finite=all(table.finite for table in tables),
        first_row=first_row,
        origin=replace(head.origin, index=None),  # which is that of the first table alone
    )


def _stacked(parts: Sequence[Any]) -> Any:
    if all(isinstance(part, np.ndarray) for part in parts):
        return np.concatenate(parts)
    from scipy import sparse

    return sparse.vstack([sparse.csr_array(part) for part in parts], format="csr")


def _targets(tables: Sequence[Table]) -> tuple[Any, Any]:
    """Targets one below the other; codes of classes in terms of all classes."""
    targets = [table.y for table in tables]
    if all(y is None for y in targets):
        return None, None
    if any(y is None for y in targets):
        raise InvalidDataError(f"{tables[0].owner}: some batches have a target and others none.")
    widths = sorted({y.shape[1] for y in targets if y is not None})
    if len(widths) > 1:
        raise InvalidDataError(
            f"{tables[0].owner}: batches with {widths[0]} and with {widths[-1]} targets; all must "
            "have the same."
        )
    if tables[0].classes is None:
        return np.concatenate([y for y in targets if y is not None]), None
    classes = np.unique(np.concatenate([table.classes for table in tables]))
    parts = [
        np.searchsorted(classes, table.classes)[table.y.astype(np.intp)].astype(np.float64)
        for table in tables
        if table.y is not None and table.classes is not None
    ]
    return np.concatenate(parts), classes
