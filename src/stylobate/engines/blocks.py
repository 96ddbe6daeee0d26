"""Blocks: batches of number columns, written one below the other into arrays of a window's size.

Files and databases give columns in pieces of a size of their own. Written straight into the array
that a window is, every cell is copied once on its way from the reader's memory to a statistic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.column_table import ColumnTable
from stylobate.data.streams import Batch
from stylobate.engines.windows import window_rows


def blocks_of(batches: Iterable[Batch]) -> Iterator[Batch]:
    """Batches of NumPy columns of numbers in blocks, all other batches as they are.

    Examples
    --------
    >>> parts = [Batch(ColumnTable({"a": np.array([1.0, 2.0])})), Batch(ColumnTable({"a": [3]}))]
    >>> [block.x.block.tolist() for block in blocks_of(parts)]
    [[[1.0, 2.0, 3.0]]]
    """
    block: _Block | None = None
    for batch in batches:
        if not batch.n_rows:
            continue
        if block is not None and not block.takes(batch):
            yield block.batch()
            block = None
        if not _is_numbers(batch):
            yield batch
            continue
        start = 0
        while start < batch.n_rows:
            block = block or _Block(batch)
            start = block.add(batch, start)
            if block.full:
                yield block.batch()
                block = None
    if block is not None:
        yield block.batch()


def _is_numbers(batch: Batch) -> bool:
    """Whether features are columns of numbers, and targets and weights arrays or not there."""
    if not isinstance(batch.x, ColumnTable) or not batch.x.columns:
        return False
    dtypes = [column.dtype for column in batch.x.values()]
    single = all(dtype == np.float32 for dtype in dtypes)  # read as it is: in single precision
    beside = all(part is None or isinstance(part, np.ndarray) for part in batch[1:])
    return beside and not single and all(dtype.kind in "fiub" for dtype in dtypes)


class _Block:
    """Room for a window of rows, and how many of them are there."""

    def __init__(self, like: Batch) -> None:
        self.names = like.x.columns
        self.size, self.filled = window_rows(len(self.names)), 0
        self.x = np.empty((len(self.names), self.size))
        self.beside = [None if part is None else self._room(part) for part in like[1:]]

    def _room(self, part: NDArray[Any]) -> NDArray[Any]:
        return np.empty((self.size, *part.shape[1:]), part.dtype)

    @property
    def full(self) -> bool:
        return self.filled == self.size

    def takes(self, batch: Batch) -> bool:
        """Whether a batch has the columns of the rows that are there, and targets of their type."""
        return (
            _is_numbers(batch)
            and batch.x.columns == self.names
            and all(map(_alike, self.beside, batch[1:]))
        )

    def add(self, batch: Batch, start: int) -> int:
        """Write rows of a batch from `start` on, and return the first that found no room."""
        end = min(batch.n_rows, start + self.size - self.filled)
        here, there = slice(self.filled, self.filled + end - start), slice(start, end)
        for row, column in zip(self.x, batch.x.values(), strict=True):
            row[here] = column[there]
        for room, part in zip(self.beside, batch[1:], strict=True):
            if room is not None:
                room[here] = part[there]
        self.filled += end - start
        return end

    def batch(self) -> Batch:
        """The rows that are there."""
        table = ColumnTable.of_block(self.names, self.x[:, : self.filled])
        beside = (None if room is None else room[: self.filled] for room in self.beside)
        return Batch(table, *beside)


def _alike(room: NDArray[Any] | None, part: NDArray[Any] | None) -> bool:
    if room is None or part is None:
        return room is part
    return room.dtype == part.dtype and room.shape[1:] == part.shape[1:]
