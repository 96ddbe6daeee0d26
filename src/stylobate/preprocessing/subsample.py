"""Rows of a stream for those who learn from no more than a given number of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from stylobate.arrays import Indices
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
    kept: list[Table] = []
    count = 0
    for table in _tables(stream, door):
        count += table.n_rows
        if count <= limit:
            kept.append(table)
        else:
            kept = []
    if not count:
        raise InvalidDataError(f"{owner}: {stream.name} has no rows to learn from.")
    if count <= limit:
        return joined(kept), count
    rows = draw(count)
    wanted, place = np.unique(rows, return_inverse=True)
    first = 0
    for table in _tables(stream, door):
        own = wanted[np.searchsorted(wanted, first) : np.searchsorted(wanted, first + table.n_rows)]
        if len(own):
            kept.append(table.take(own - first))
        first += table.n_rows
    found = joined(kept)
    return replace(found, x=found.x[place.reshape(-1)], weights=None), count


def _tables(stream: Stream, door: Door) -> Iterator[Table]:
    for batch in stream:
        if batch.n_rows:
            table = door(batch)
            if table.weights is not None and not table.weights.all():
                table = table.take(np.flatnonzero(table.weights))
            if table.n_rows:
                yield table
