"""Tables larger than the memory a study may take: a sample in memory, all rows as a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Indices, Mask
from stylobate.data.column_table import ColumnTable
from stylobate.data.streams import Batch, Stream
from stylobate.data.streams.columns import ColumnRoles
from stylobate.exceptions import InvalidDataError
from stylobate.splits.hashed import hashed_share

if TYPE_CHECKING:
    from stylobate.data.reading import Relation

Targets = Callable[[ColumnTable], tuple[Indices, Any]]

CELL = 8  # bytes that a value takes, about
COPIES = 10  # of its sample that a study holds: features, folds and their encodings
_LOCKED, SAMPLED = 1 << 33, 1 << 34  # apart from each other's seeds and those of folds


@dataclass(frozen=True, eq=False)
class LargeTable:
    """All rows of a table of which a study holds a sample.

    Attributes
    ----------
    stream : Stream
        All columns of all rows; it counts how often they are read.
    n_rows : int
        Of the table.
    holdout : float
        Share of the rows that are locked away, whether in the sample or not.
    seed : int
        Of the hashes.
    locked_in_sample : array of bool
        Which rows of the sample are locked away.
    """

    stream: Stream
    n_rows: int
    holdout: float
    seed: int
    locked_in_sample: Mask

    @property
    def why(self) -> str:
        """Why a sample is searched."""
        if self.stream.here:
            return "more than the memory allowed holds"
        return f"which stay where {self.stream.name} is"

    def locked(self, first: int, count: int) -> Mask:
        """Which of some consecutive rows are locked away."""
        return hashed_share(first, count, _LOCKED + self.seed, self.holdout)

    def training(self, first: int, count: int) -> Mask:
        """Which of some consecutive rows are there to learn from."""
        return ~self.locked(first, count)


def read_large(
    relation: Relation, memory: int, holdout: float, seed: int
) -> tuple[ColumnTable, LargeTable] | None:
    """A sample of a table's rows, and the table; None where all of it fits.

    The sample is so small that all that a study makes of it fits.

    Parameters
    ----------
    relation : Relation
    memory : int
        Bytes that rows × columns × 8 may be.
    holdout : float
        Share of the rows to lock away.
    seed : int
    """
    if relation._request.source.format == "frame":  # in memory already
        return None
    size = size_of(len(relation), len(relation.columns))
    if size <= memory:
        return None
    stream = relation.__stylobate_stream__(ColumnRoles("study"))
    return sampled(stream, len(relation), size, memory, holdout, seed)


def size_of(n_rows: int, n_columns: int) -> int:
    """About how many bytes a table takes."""
    return n_rows * n_columns * CELL


def sampled(
    stream: Stream, n_rows: int, size: int, memory: int, holdout: float, seed: int
) -> tuple[ColumnTable, LargeTable]:
    """A sample of the rows of a stream that fits into memory, and what the stream is a part of.

    Parameters
    ----------
    stream : Stream
        Whose batches are tables of columns.
    n_rows, size : int
        Its rows, and the bytes they take.
    memory, holdout, seed
        As for `read_large`.
    """
    found = LargeTable(stream, n_rows, holdout, seed, np.zeros(0, dtype=bool))
    parts: list[ColumnTable] = []
    locked: list[Mask] = []
    first = 0
    for batch in stream:
        kept = hashed_share(first, batch.n_rows, SAMPLED + seed, memory / (COPIES * size))
        parts.append(batch.x[kept])
        locked.append(found.locked(first, batch.n_rows)[kept])
        first += batch.n_rows
    if not sum(map(len, parts)):
        raise InvalidDataError(
            f"memory leaves no row of {stream.name} to look at, whose {n_rows} rows take "
            f"about {size / 1e6:,.0f} MB; allow more."
        )
    names = parts[0].columns
    sample = ColumnTable({name: np.concatenate([part[name] for part in parts]) for name in names})
    return sample, replace(found, locked_in_sample=np.concatenate(locked))


def answered_rows(stream: Stream, names: tuple[str, ...], targets: Targets) -> Stream:
    """The stream of features and targets, without the rows that have no target.

    Parameters
    ----------
    stream : Stream
        Of all columns.
    names : tuple of str
        The features.
    targets : Targets
        Which rows have a target, and what it is.
    """
    if not stream.here:
        from stylobate.study.table.partitions import answered_partitions

        return answered_partitions(stream, names, targets)

    def start() -> Iterator[Batch]:
        for batch in stream:
            rows, y = targets(batch.x)
            if len(rows):
                yield Batch(batch.x.select(names)[rows], y)

    return Stream(start, stream.name, stream.repeatable)
