"""Fits to tables larger than memory: rows in batches, counted as they come."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.cli.source import ChosenColumns, nothing_complete, refuse_infinite
from stylobate.data.streams import Batch, Stream, open_rows
from stylobate.exceptions import InvalidDataError

if TYPE_CHECKING:
    from stylobate.data.reading import Relation

_CELL = 8  # bytes of a number


def is_large(relation: Relation, chosen: ChosenColumns, memory: float) -> bool:
    """Whether the numbers of a fit take more than so many bytes."""
    return len(relation) * len(chosen.names) * _CELL > memory


class LargeDesign:
    """The numbers to fit, read in batches: what `Design` is for rows in memory.

    Parameters
    ----------
    relation : Relation
    chosen : ChosenColumns

    Attributes
    ----------
    rows : Stream
        Rows in which nothing is missing.
    n_source_rows, n_used : int
        Rows of the source and those of them that nothing is missing in, when a pass has ended.
    """

    def __init__(self, relation: Relation, chosen: ChosenColumns) -> None:
        self.chosen = chosen
        self.features, self.target = chosen.features, chosen.target
        self.left_out = chosen.left_out
        self.n_source_rows = self.n_used = 0
        self._values: set[float] = set()  # of the target, until there are more than two
        opened = open_rows(
            relation, "stylobate fit", target=chosen.target, features=chosen.features
        )
        self.source: Stream = opened.stream
        self.rows = Stream(self._complete, self.source.name)

    def _complete(self) -> Iterator[Batch]:
        first = used = 0
        for batch in self.source:
            table = np.column_stack([*batch.x.values(), batch.y]).astype(np.float64, copy=False)
            refuse_infinite(table, self.chosen.names, first)
            first += len(table)
            whole = table[~np.isnan(table).any(axis=1)]
            used += len(whole)
            if len(self._values) <= 2:
                self._values |= set(np.unique(whole[:, -1])[:3].tolist())
            if len(whole):
                yield Batch(whole[:, :-1], whole[:, -1])
        self.n_source_rows, self.n_used = first, used
        if not used:
            raise InvalidDataError(nothing_complete(first, self.target))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was left out and what was read, in words."""
        said = self.chosen.remarks(self.n_source_rows, self.n_used)
        times = "once" if self.source.passes == 1 else f"{self.source.passes} times"
        size = self.source.bytes
        amount = "" if size is None else f", {size * self.source.passes / 1e6:,.1f} MB of files"
        read = f"Read in batches, {times}: {self.source.rows_read:,} rows{amount}."
        return (*said, read)

    @property
    def target_has_two_values(self) -> bool:
        return len(self._values) == 2

    def reading(self) -> dict[str, Any]:
        """What was read and how often, as plain values."""
        size, passes = self.source.bytes, self.source.passes
        return {
            "passes": passes,
            "rows_read": self.source.rows_read,
            "bytes_read": None if size is None else size * passes,
        }
