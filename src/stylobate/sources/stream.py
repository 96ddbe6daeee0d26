"""Rows that come in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, NoReturn

from stylobate.data import Table
from stylobate.data.streams import Batch, Stream, batch_from
from stylobate.engines.blocks import blocks_of
from stylobate.engines.core import merged
from stylobate.engines.registry import compute, register
from stylobate.engines.windows import recut
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.statistics.source import Capabilities, Recipe, S


class StreamSource:
    """Rows of a stream, of which one window is in memory at a time.

    Parameters
    ----------
    stream : Stream
        The batches.
    read : callable
        Turns a batch into a checked `Table`: an estimator's own door.
    owner : str
        Who asks, for messages.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> from stylobate.statistics import Moments
    >>> parts = [Batch([[1.0], [2.0]]), Batch([[6.0]])]
    >>> stream = Stream(lambda: iter(parts))
    >>> source = StreamSource(stream, lambda batch: read_table(batch.x, owner="example"), "example")
    >>> source.compute(Moments).mean
    array([3.])
    """

    def __init__(self, stream: Stream, read: Callable[[Batch], Table], owner: str) -> None:
        self.stream = stream
        self._read = read
        self._owner = owner
        self._head: Table | None = None  # the first batch, looked at before the first pass
        self._begun: Iterator[Table] | None = None

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(
            rows_in_memory=False, repeatable=self.stream.repeatable, length=self.stream.length
        )

    @property
    def n_features(self) -> int:
        return self.first.n_features

    @property
    def is_sparse(self) -> bool:
        return self.first.is_sparse

    @property
    def y_is_vector(self) -> bool:
        return self.first.y_is_vector

    @property
    def first(self) -> Table:
        """The first batch that has rows."""
        if self._head is None:
            self._begun = self._tables()
            self._head = next(self._begun, None)
        if self._head is None:
            raise InvalidDataError(
                f"{self._owner}: there was no batch to learn from; pass at least one (X, y)."
            )
        return self._head

    def rows(self, why: str = "") -> NoReturn:
        """Refused: a stream's rows are not in memory."""
        raise UnsupportedDataError(
            f"{self._owner}: {why or 'this way of fitting'} needs all rows in memory, and "
            f"{self.stream.name} is read in batches. Fit on rows in memory, such as "
            "read(...).to_frame() gives."
        )

    def windows(self) -> Iterator[Table]:
        """A pass over the rows, in pieces of the core's own size."""
        first, begun = self.first, self._begun
        if begun is None:
            return recut(self._tables())
        self._begun = None  # the pass that was begun to look at the first batch goes on
        return recut(chain([first], begun))

    def compute(self, recipe: Recipe[S]) -> S:
        """One pass: the windows' statistics, merged in their order."""
        found: S = compute(recipe, self)
        return found

    def compute_parts(self, recipe: Recipe[S], parts: Sequence[Any]) -> Sequence[S]:
        """Refused: rows of a stream are chosen by `Stream.where`, not by lists of numbers."""
        raise UnsupportedDataError(
            f"{self._owner}: folds given as row numbers need all rows in memory, not batches."
        )

    def _tables(self) -> Iterator[Table]:
        first = 0
        for batch in blocks_of(self.stream):
            with batch_from(first, self.stream.name):
                table = self._read(batch)
            first += table.n_rows
            yield table


@register(object, StreamSource)
def by_windows(recipe: Any, source: StreamSource) -> Any:
    """Any statistic of a stream: those of its windows, merged, each held to be finite."""
    return merged(recipe, source.windows(), check=True)
