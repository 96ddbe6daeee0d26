"""From what `fit` was given to the source an estimator learns from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stylobate.data import Table
from stylobate.data.streams import Batch, Stream
from stylobate.sources.stream import StreamSource
from stylobate.statistics.source import Source

Read = Callable[[Batch], Table]
Maker = Callable[[Any, Read, str], Source]

_makers: dict[type, Maker] = {Stream: StreamSource}


def register_source(rows: type, maker: Maker) -> None:
    """Have rows of a kind (what an opener of `stylobate.data.streams` returns) become a source.

    Parameters
    ----------
    rows : type
        Such as a cluster's data frame.
    maker : callable
        Takes the rows, the estimator's door (a function from a `Batch` to a `Table`) and the
        estimator's name; returns a `Source`.
    """
    _makers[rows] = maker


def source_of(rows: Any, read: Read, owner: str, *, again: bool = False) -> Source:
    """The source of rows that are not in memory, read through an estimator's door.

    With `again` the rows will be passed over more than once: windows of files are then kept, as far
    as a quarter of the setting ``collect_limit`` allows.
    """
    for kind in type(rows).__mro__:
        if kind in _makers:
            source = _makers[kind](rows, read, owner)
            return source.keep_windows() if again and isinstance(source, StreamSource) else source
    raise TypeError(f"no source is registered for {type(rows).__name__}")
