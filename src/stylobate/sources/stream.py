"""Rows that come in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from itertools import chain
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.config import get_config
from stylobate.data import Table
from stylobate.data.streams import Batch, Stream, batch_from
from stylobate.engines.blocks import blocks_of
from stylobate.engines.core import checked, merged
from stylobate.engines.registry import compute, register
from stylobate.engines.windows import recut
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.sources.memory import MemorySource
from stylobate.statistics.source import Capabilities, Recipe, S

KEPT_SHARE = 4  # one part in so many of what may be collected is kept for later passes


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
        self._room = 0  # bytes of windows that may be kept for the next pass
        self._kept: list[Table] | None = None

    def keep_windows(self) -> Self:
        """Have windows stay in memory for later passes, up to a quarter of ``collect_limit``.

        Only those of origins that can tell whether they have changed, such as files.
        """
        if self.stream.repeatable and self.stream.can_tell:
            self._room = int(get_config()["collect_limit"]) // KEPT_SHARE
        return self

    def changed(self, change: Callable[[Table], Table]) -> Self:
        """The same rows after a pass, with their target or weights changed by a function."""
        read, other = self._read, copy(self)
        other._read = lambda batch: change(read(batch))
        other._head, other._begun = None, None
        other._kept = None if self._kept is None else [change(window) for window in self._kept]
        return other

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
    def is_weighted(self) -> bool:
        return self.first.weights is not None

    def count_rows(self) -> int:
        """How many rows there are: a pass over the targets where that is not known."""
        if self.stream.length is not None:
            return self.stream.length
        if not self.stream.repeatable:
            raise InvalidDataError(
                f"{self._owner}: {self.stream.name} can be read only once, and the folds need the "
                "number of rows first. Pass a list, a file, or a function that returns a new "
                "iterator each time."
            )
        return sum(batch.n_rows for batch in self.stream.without_features())

    @property
    def first(self) -> Table:
        """The first batch that has rows."""
        if self._head is None and self._kept:
            self._head = self._kept[0]
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
        if self._kept is not None:
            self.stream.refuse_changed()
            return iter(self._kept)
        first, begun = self.first, self._begun
        self._begun = None  # the pass that was begun to look at the first batch goes on
        windows = recut(self._tables() if begun is None else chain([first], begun))
        if (self.stream.length or 0) * first.n_bytes > self._room * first.n_rows:
            self._room = 0  # they are known to be too many
        return self._keeping(windows) if self._room else windows

    def _keeping(self, windows: Iterable[Table]) -> Iterator[Table]:
        """Windows as they come, remembered as long as there is room for them."""
        kept: list[Table] = []
        size = 0
        for window in windows:
            size += window.n_bytes
            if size <= self._room:
                kept.append(window)
            else:
                kept.clear()
            yield window
        if size <= self._room:
            self._kept = kept
        else:
            self._room = 0  # no use to try again

    def compute(self, recipe: Recipe[S]) -> S:
        """One pass: the windows' statistics, merged in their order."""
        found: S = compute(recipe, self)
        return found

    def compute_numbered(
        self, recipe: Recipe[S], part_of: Callable[[int, int], NDArray[np.intp]], count: int
    ) -> list[S | None]:
        """One pass: the statistic of each of `count` parts, told by the numbers of the rows.

        Parameters
        ----------
        recipe : Recipe
        part_of : callable
            Takes the number of the first of some consecutive rows and how many they are; returns
            the part of each (−1: none).
        count : int
            How many parts there are. A part without rows has no statistic (None).
        """
        return numbered_parts(recipe, self.windows(), part_of, count)

    def compute_parts(self, recipe: Recipe[S], parts: Sequence[Any]) -> Sequence[S]:
        """The statistic of each of several runs of rows, in one pass; lists of numbers are refused.

        Rows chosen otherwise are those of `Stream.where`.
        """
        if not all(isinstance(part, slice) and part.step in (None, 1) for part in parts):
            raise UnsupportedDataError(
                f"{self._owner}: folds given as row numbers need all rows in memory, not batches."
            )
        totals: list[Any] = [None] * len(parts)
        for window in self.windows():
            first = window.first_row
            for k, part in enumerate(parts):
                start, stop = max(part.start - first, 0), min(part.stop - first, window.n_rows)
                if start >= stop:
                    continue
                whole = stop - start == window.n_rows
                rows = window if whole else window.take(slice(start, stop))
                found = checked(compute(recipe, rows), rows)
                totals[k] = found if totals[k] is None else totals[k].merge(found)
        if any(total is None for total in totals):
            raise InvalidDataError(
                f"{self._owner}: {self.stream.name} gave fewer rows than it had been counted to "
                "have; it must give the same rows every time."
            )
        return totals

    def _batches(self) -> Iterator[Batch]:
        """The batches of a pass, those of numbers in windows."""
        return blocks_of(self.stream)

    def _tables(self) -> Iterator[Table]:
        weighted = weightless = False
        first = 0
        for batch in self._batches():
            nothing = _weighs_nothing(batch)  # which a part of the rows may, though not all of them
            weightless, weighted = weightless or nothing, weighted or not nothing
            with batch_from(first, self.stream.name):
                table = self._read(batch._replace(weights=None) if nothing else batch)
            first += table.n_rows
            yield replace(table, weights=np.zeros(table.n_rows)) if nothing else table
        if weightless and not weighted:
            raise InvalidDataError(
                f"{self._owner}: sample_weight is zero everywhere. Sample weights must contain at "
                "least one non-zero number."
            )


def _weighs_nothing(batch: Batch) -> bool:
    weights = np.asarray(1.0 if batch.weights is None else batch.weights)
    return weights.ndim == 1 and weights.dtype.kind in "biuf" and not weights.any()


def numbered_parts(
    recipe: Recipe[S],
    windows: Iterable[Table],
    part_of: Callable[[int, int], NDArray[np.intp]],
    count: int,
) -> list[S | None]:
    """The statistics of parts of the rows, each merged in the order of the windows."""
    totals: list[S | None] = [None] * count
    for window in windows:
        numbers = part_of(window.first_row, window.n_rows)
        rows = [np.flatnonzero(numbers == k) for k in range(count)]
        present = [k for k in range(count) if len(rows[k])]
        found = MemorySource(window).compute_parts(recipe, [rows[k] for k in present])
        for k, part in zip(present, found, strict=True):
            known = totals[k]
            totals[k] = part if known is None else known.merge(part)
    return totals


@register(object, StreamSource)
def by_windows(recipe: Any, source: StreamSource) -> Any:
    """Any statistic of a stream: those of its windows, merged, each held to be finite."""
    return merged(recipe, source.windows(), check=True)
