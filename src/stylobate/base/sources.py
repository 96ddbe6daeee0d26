"""The one place where estimators get a source from: rows in memory, or a stream and a door."""

from __future__ import annotations

from collections.abc import Callable

from stylobate.data import Table
from stylobate.data.streams import Batch, Stream
from stylobate.sources import MemorySource, source_of
from stylobate.statistics import Source


def memory_source(table: Table) -> Source:
    """Rows in memory as a source."""
    return MemorySource(table)


def source_for(
    rows: Table | Stream, read: Callable[[Batch], Table], owner: str, *, again: bool = False
) -> Source:
    """What statistics are asked of.

    Parameters
    ----------
    rows : Table or Stream
        Where the rows are.
    read : callable
        Turns a batch of a stream into a `Table`.
    owner : str
        Who asks, named in refusals.
    again : bool, default=False
        Whether the rows will be passed over more than once: windows of files are then kept in
        memory, as far as a quarter of the setting ``collect_limit`` allows.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> from stylobate.statistics import Moments
    >>> table = read_table([[1.0], [3.0]], owner="example")
    >>> source_for(table, lambda batch: table, "example").compute(Moments).mean
    array([2.])
    """
    if isinstance(rows, Table):
        return MemorySource(rows)
    return source_of(rows, read, owner, again=again)
