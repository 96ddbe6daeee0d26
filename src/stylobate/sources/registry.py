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


def source_of(rows: Any, read: Read, owner: str) -> Source:
    """The source of rows that are not in memory, read through an estimator's door."""
    for kind in type(rows).__mro__:
        if kind in _makers:
            return _makers[kind](rows, read, owner)
    raise TypeError(f"no source is registered for {type(rows).__name__}")
