"""Tables on a cluster: a sample of the rows comes here, drawn by a hash of their numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices, Mask
from stylobate.data.column_table import ColumnTable
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import InvalidDataError
from stylobate.splits.hashed import hashed_share
from stylobate.study.table.large import CELL, COPIES, SAMPLED, LargeTable, Targets

_MOST = 256e6  # bytes of a sample's table, where nobody has said how much memory there is


def read_partitions(
    stream: Stream, memory: float, holdout: float, seed: int
) -> tuple[ColumnTable, LargeTable]:
    """A sample of the rows, and the table, all of whose rows stay where they are.

    Parameters
    ----------
    stream : Stream
        Of frames.
    memory : float
        Bytes that the table would be allowed to take here.
    holdout : float
        Share of the rows to lock away.
    seed : int
    """
    tables = stream.map(as_table)
    tables.keep()
    head = tables.head()
    if head is None:
        raise InvalidDataError(f"{stream.name} has no rows: there is nothing to study.")
    n_rows = tables.count()
    found = LargeTable(tables, n_rows, holdout, seed, np.zeros(0, dtype=bool))
    allowed = _MOST if memory == inf else memory
    share = allowed / (COPIES * n_rows * len(head.x.columns) * CELL)
    drawn = tables.reduced(
        _Drawn(share, replace(found, stream=Stream(_none))), _merged, numbered=True
    )
    if drawn is None or not len(drawn[0]):
        raise InvalidDataError(
            f"memory leaves none of the {n_rows} rows of {stream.name} to look at; allow more."
        )
    return drawn[0], replace(found, locked_in_sample=drawn[1])


def _none() -> Any:
    return iter(())


def as_table(frame: Any) -> ColumnTable:
    """A frame of any library as `stylobate.read` reads it."""
    from stylobate.data.reading import read

    return ColumnTable(read(frame).to_frame("numpy"))


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """The rows of a batch that belong to the sample, and which of them are locked away."""

    share: float
    large: LargeTable

    def __call__(self, batch: Batch, first: int) -> tuple[ColumnTable, Mask]:
        kept = hashed_share(first, batch.n_rows, SAMPLED + self.large.seed, self.share)
        return batch.x[kept], self.large.locked(first, batch.n_rows)[kept]


def _merged(
    one: tuple[ColumnTable, Mask], other: tuple[ColumnTable, Mask]
) -> tuple[ColumnTable, Mask]:
    if one[0].columns != other[0].columns:
        raise InvalidDataError(
            f"Some partitions have the columns {list(one[0].columns)[:5]}, others "
            f"{list(other[0].columns)[:5]}; all must have the same."
        )
    pairs = zip(one[0].columns, one[0].values(), other[0].values(), strict=True)
    both = {name: _joined(a, b) for name, a, b in pairs}
    return ColumnTable(both), np.concatenate([one[1], other[1]])


def _joined(one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Parts of a column; one that is empty here and of numbers there is of numbers."""
    if "O" in (one.dtype.kind, other.dtype.kind):
        one, other = one.astype(object), other.astype(object)
    return np.concatenate([one, other])


# --- rows with a target ---------------------------------------------------------------------------


def answered_partitions(stream: Stream, names: tuple[str, ...], targets: Targets) -> Stream:
    """As `answered_rows`, of rows that stay where they are."""
    return stream.chosen(_HaveTarget(targets)).map_batches(_Answered(names, targets))


@dataclass(frozen=True, slots=True)
class _HaveTarget:
    targets: Targets

    def __call__(self, batch: Batch) -> Mask:
        kept = np.zeros(batch.n_rows, dtype=bool)
        kept[self.targets(batch.x)[0]] = True
        return kept


@dataclass(frozen=True, slots=True)
class _Answered:
    """Features and targets; a first row without a target, which tells of columns only, has 0."""

    names: tuple[str, ...]
    targets: Targets

    def __call__(self, batch: Batch, first: int) -> Batch:
        rows, found = self.targets(batch.x)
        y = np.zeros(batch.n_rows, dtype=found.dtype)
        y[_as_numbers(rows)] = found
        return Batch(batch.x.select(self.names), y)


def _as_numbers(rows: Indices) -> Indices:
    return np.asarray(rows, dtype=np.intp)
