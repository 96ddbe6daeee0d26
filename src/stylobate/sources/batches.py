"""Rows that come in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from stylobate.data import Table
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.sources.memory import MemorySource
from stylobate.statistics.source import Recipe, S


class BatchSource:
    """Rows from an iterable of batches, of which one is in memory at a time.

    Parameters
    ----------
    batches : iterable, or callable without arguments that returns one
        A list, or a callable that starts anew, can be passed over again; an iterator only once.
    read : callable
        Turns a batch into a `Table`.
    owner : str
        Who asks, for messages.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> from stylobate.statistics import Moments
    >>> parts = [[[1.0], [2.0]], [[6.0]]]
    >>> source = BatchSource(parts, lambda rows: read_table(rows, owner="example"), "example")
    >>> source.compute(Moments).mean
    array([3.])
    """

    table = None

    def __init__(
        self,
        batches: Iterable[Any] | Callable[[], Iterable[Any]],
        read: Callable[[Any], Table],
        owner: str,
    ) -> None:
        self._batches = batches
        self._read = read
        self._owner = owner
        self._passes = 0
        self.y_is_vector = True

    @property
    def repeatable(self) -> bool:
        return callable(self._batches) or not isinstance(self._batches, Iterator)

    def compute(self, recipe: Recipe[S]) -> S:
        """One pass: the batches' statistics, merged in the order they come."""
        total: S | None = None
        for table in self._tables():
            part = MemorySource(table).compute(recipe)
            total = part if total is None else total.merge(part)
        if total is None:
            raise InvalidDataError(
                f"{self._owner}: there was no batch to learn from; pass at least one (X, y)."
            )
        return total

    def compute_parts(self, recipe: Recipe[S], parts: Sequence[Any]) -> Sequence[S]:
        """Refused: rows that come in batches have no numbers to be chosen by."""
        raise UnsupportedDataError(f"{self._owner}: folds need all rows in memory, not batches.")

    def _tables(self) -> Iterator[Table]:
        if self._passes and not self.repeatable:
            raise InvalidDataError(
                f"{self._owner}: the batches can be read only once, and another pass is needed. "
                "Pass a list, or a function that returns a new iterator each time."
            )
        self._passes += 1
        for batch in self._batches() if callable(self._batches) else self._batches:
            table = self._read(batch)
            self.y_is_vector = table.y_is_vector
            yield table
