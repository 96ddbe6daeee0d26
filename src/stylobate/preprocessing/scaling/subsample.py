"""Rows of a stream for those who learn from no more than a given number of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from stylobate.arrays import Indices, Mask
from stylobate.data import Table
from stylobate.data.joined_tables import joined
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import InvalidDataError

Door = Callable[[Batch], Table]


def sampled_rows(
    stream: Stream, door: Door, limit: int, draw: Callable[[int], Indices], owner: str
) -> tuple[Table, int]:
    """All rows if they are no more than `limit`, by one pass; else those drawn, by another.

    Parameters
    ----------
    stream : Stream
        The rows; those of weight 0 do not count.
    door : callable
        From a batch to a checked table.
    limit : int
        How many rows may be kept.
    draw : callable
        Takes the number of rows; returns the numbers of those wanted, in any order, which may
        repeat.
    owner : str
        Who asks, named in refusals.

    Returns
    -------
    table : Table
        The rows, in the order of `draw` where there were more.
    n_rows : int
        Of the stream.
    """
    head = stream.head()
    if head is None:
        raise InvalidDataError(f"{owner}: {stream.name} has no rows to learn from.")
    door(head._replace(weights=None))  # the columns are remembered here, wherever the rows are
    counted = stream.chosen(_weighs)

    def all_rows(batch: Batch, first: int) -> _Few:
        table = door(batch)
        return _Few(limit, table.n_rows, table if table.n_rows <= limit else None)

    found = counted.reduced(all_rows, _Few.merge)
    if found is None:
        raise InvalidDataError(f"{owner}: {stream.name} has no rows to learn from.")
    if found.table is not None:
        return found.table, found.count
    rows = draw(found.count)
    wanted, place = np.unique(rows, return_inverse=True)

    def drawn(batch: Batch, first: int) -> Table | None:
        here = slice(*np.searchsorted(wanted, (first, first + batch.n_rows)))
        own = wanted[here] - first
        return door(batch).take(own) if len(own) else None

    sample = counted.reduced(drawn, _below, numbered=True)
    assert sample is not None
    return replace(sample, x=sample.x[place.reshape(-1)], weights=None), found.count


@dataclass(frozen=True, slots=True, eq=False)
class _Few:
    """How many rows there are, and all of them as long as they are no more than a limit."""

    limit: int
    count: int
    table: Table | None

    def merge(self, other: _Few) -> _Few:
        """Of both parts' rows."""
        count = self.count + other.count
        if self.table is None or other.table is None or count > self.limit:
            return _Few(self.limit, count, None)
        return _Few(self.limit, count, joined([self.table, other.table]))


def _below(one: Table | None, other: Table | None) -> Table | None:
    known = [table for table in (one, other) if table is not None]
    return joined(known) if known else None


def _weighs(batch: Batch) -> Mask:
    """The rows that count; weights that are none are refused by the door."""
    weights = None if batch.weights is None else np.asarray(batch.weights)
    if weights is None or weights.dtype.kind not in "biuf" or weights.shape != (batch.n_rows,):
        return np.ones(batch.n_rows, dtype=np.bool_)
    return np.asarray(weights != 0)
