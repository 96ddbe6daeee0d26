"""A uniform sample of rows that does not depend on how the rows come in batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.data.arrow import ColumnBatch
from stylobate.exceptions import InvalidDataError

Column = NDArray[Any]
_ALL = (1 << 64) - 1


@dataclass(frozen=True, slots=True, eq=False)
class RowSample:
    """At most `size` rows, every set of so many rows equally likely.

    Each row of the table has a random number, a function of the seed and of the row's number alone;
    the rows with the smallest ones are kept. So the sample is the same for any cut into batches and
    any order of merging.

    Parameters
    ----------
    size : int
        Most rows kept.
    seed : int
        Of the random numbers.
    rows : array of int64
        Numbers of the rows, ascending.
    priorities : array of uint64
        Their random numbers.
    columns : tuple of arrays
        Their cells, column by column, as `ArrowColumn.take` gives them.

    Examples
    --------
    >>> from stylobate.data.arrow import column_batches
    >>> table = {"x": np.arange(1000.0)}
    >>> whole = [RowSample.of(batch, size=3) for batch in column_batches(table)][0]
    >>> parts = [RowSample.of(batch, size=3) for batch in column_batches(table, rows=70)]
    >>> merged = parts[0]
    >>> for part in parts[1:]:
    ...     merged = merged.merge(part)
    >>> bool((merged.rows == whole.rows).all() and (merged.columns[0] == merged.rows).all())
    True
    """

    size: int
    seed: int
    rows: NDArray[np.int64]
    priorities: NDArray[np.uint64]
    columns: tuple[Column, ...]

    subtractable: ClassVar[bool] = False

    @classmethod
    def of(
        cls, batch: ColumnBatch, *, size: int = 100_000, seed: int = 0, most: int = _ALL
    ) -> Self:
        """Of the rows of a batch; `most` leaves out rows of larger random numbers at once."""
        found = _core.sample_rows(seed, batch.start, batch.n_rows, most)
        rows, priorities = (np.asarray(part) for part in found)
        keep = _least(priorities, rows, size)
        rows, priorities = rows[keep], priorities[keep]
        local = np.ascontiguousarray(rows - batch.start)
        return cls(size, seed, rows, priorities, tuple(c.take(local) for c in batch.columns))

    @property
    def bound(self) -> int:
        """Rows with a larger random number would not come in; pass it to `of` as `most`."""
        return int(self.priorities.max()) if len(self.rows) >= self.size > 0 else _ALL

    def merge(self, other: Self) -> Self:
        """Of the rows of both parts, which must be different rows of one table."""
        joined: Self = _joined(type(self), (self, other))
        return joined

    def is_finite(self) -> bool:
        return True

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        sizes = np.array([self.size, self.seed, len(self.columns)], np.int64)
        parts = {f"column{j}": column for j, column in enumerate(self.columns)}
        return {"sizes": sizes, "rows": self.rows, "priorities": self.priorities} | parts

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Self:
        size, seed, width = arrays["sizes"].tolist()
        columns = tuple(np.array(arrays[f"column{j}"]) for j in range(width))
        return cls(size, seed, np.array(arrays["rows"]), np.array(arrays["priorities"]), columns)


class RowSampler:
    """Keeps a `RowSample` of a stream of batches, joining parts only when they have doubled.

    Parameters
    ----------
    size, seed : int
        As for `RowSample`.
    n_rows : int, default=None
        Rows that will come, if that is known: no other rows than those of the sample are kept then.

    Examples
    --------
    >>> from stylobate.data.arrow import column_batches
    >>> sampler = RowSampler(size=3)
    >>> for batch in column_batches({"x": np.arange(1000.0)}, rows=70):
    ...     sampler.absorb(batch)
    >>> len(sampler.sample().rows)
    3
    """

    def __init__(self, size: int = 100_000, seed: int = 0, n_rows: int | None = None) -> None:
        self.size, self.seed = size, seed
        self._parts: list[RowSample] = []
        self._bound = _ALL if n_rows is None else _bound(size, seed, n_rows)

    def absorb(self, batch: ColumnBatch) -> None:
        """Take what may belong to the sample of a batch."""
        part = RowSample.of(batch, size=self.size, seed=self.seed, most=self._bound)
        self._parts.append(part)
        if sum(len(each.rows) for each in self._parts) > 2 * self.size or len(self._parts) > 512:
            self.sample()

    def sample(self) -> RowSample:
        """The sample of all batches so far."""
        if not self._parts:
            none = np.empty(0, np.int64)
            return RowSample(self.size, self.seed, none, none.astype(np.uint64), ())
        self._parts = [_joined(RowSample, tuple(self._parts))]
        self._bound = self._parts[0].bound
        return self._parts[0]


def _bound(size: int, seed: int, n_rows: int) -> int:
    """A bound below which are the random numbers of a sample of rows 0 … n_rows - 1, no others."""
    if n_rows <= size:
        return _ALL
    share = min(1.0, size / n_rows + 8.0 * (size / n_rows / n_rows) ** 0.5)  # beyond any chance
    likely = np.asarray(_core.sample_rows(seed, 0, n_rows, min(int(share * _ALL), _ALL))[1])
    if len(likely) < size:
        return _ALL
    return min(int(np.partition(likely, size - 1)[size - 1]) + 1, _ALL)


def _least(priorities: NDArray[Any], rows: NDArray[Any], size: int) -> NDArray[np.intp]:
    """Positions of the rows with the smallest random numbers, in order of the rows."""
    if len(rows) > size:
        keep = np.lexsort((rows, priorities))[:size]
        return keep[np.argsort(rows[keep])]
    return np.argsort(rows, kind="stable")  # at once where they are in order


def _joined(make: Callable[..., Any], parts: tuple[RowSample, ...]) -> Any:
    first = parts[0]
    for part in parts[1:]:
        same = (part.size, part.seed, len(part.columns)) == (
            first.size,
            first.seed,
            len(first.columns),
        )
        if not same:
            raise InvalidDataError(
                "RowSample: parts of different size, seed or columns do not merge; draw both alike."
            )
    rows = np.concatenate([part.rows for part in parts])
    priorities = np.concatenate([part.priorities for part in parts])
    keep = _least(priorities, rows, first.size)
    columns = tuple(
        _stacked([part.columns[j] for part in parts])[keep] for j in range(len(first.columns))
    )
    return make(first.size, first.seed, rows[keep], priorities[keep], columns)


def _stacked(parts: list[Column]) -> Column:
    """One array of all; parts that differ in dtype because of gaps meet in one that holds both."""
    kinds = {part.dtype for part in parts if len(part)}
    if len(kinds) > 1 and any(kind.kind == "O" for kind in kinds):
        return np.concatenate([part.astype(object) for part in parts])
    return np.concatenate([part for part in parts if len(part)] or parts[:1])
