"""Neighbours among rows that stay on a cluster: queries go there, numbers come back.

Each partition finds the nearest of its own rows; of two partitions' the nearest are kept, rows at
one distance in their order. So the answer is that of memory, whatever the partitions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.base.outputs import read_outputs
from stylobate.data import Table
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.streams import Batch, Stream
from stylobate.data.target import read_target
from stylobate.data.words import Input
from stylobate.distances import Function, Metric
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.neighbors.indexes.brute import BruteIndex, Lists

if TYPE_CHECKING:
    from stylobate.neighbors.base import NeighborsBase
    from stylobate.statistics import Source

_FOUND = 1 << 20  # neighbours that one pass looks for: messages of 16 MB
NAME = "partitions"


class PartitionIndex:
    """The rows of a cluster, asked for neighbours; every question is a pass over them.

    Parameters
    ----------
    source : Source
        The rows, through the estimator's door.
    metric : Metric
        What is measured.
    owner : str
        Who asks.
    """

    name = NAME
    reason = "the rows stay on their cluster, and every partition looks at each of its own"

    def __init__(self, source: Source, metric: Metric, owner: str) -> None:
        self._source, self.metric, self._owner = source, metric, owner

    def query(self, x: Any | None, k: int) -> tuple[Array, Indices]:
        """As `BruteIndex.query`."""
        from stylobate.neighbors.indexes.nearest_rows import NearestTo

        distances, rows = [], []
        for part in self._parts(x, k):
            recipe = NearestTo(part, k, self.metric)
            found = self._source.compute(recipe)
            distances.append(recipe.distances(found))
            rows.append(found.rows)
        return np.concatenate(distances), np.concatenate(rows)

    def within(self, x: Any | None, radius: Any) -> Lists:
        """As `BruteIndex.within`."""
        reach = np.broadcast_to(radius, (0 if x is None else x.shape[0],))
        start, found = 0, []
        for part in self._parts(x, 1):
            stop = start + part.shape[0]
            own = float(radius) if np.ndim(radius) == 0 else reach[start:stop]
            found.append(self._source.compute(WithinReach(part, own, self.metric)))
            start = stop
        counts = np.concatenate([np.diff(each.offsets) for each in found])
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.intp)
        rows = np.concatenate([each.rows for each in found])
        return Lists(offsets, rows, np.concatenate([each.distances for each in found]))

    def _parts(self, x: Any | None, k: int) -> list[Any]:
        """The queries, as many at a time as a message should hold answers for."""
        if x is None:
            raise UnsupportedDataError(
                f"{self._owner}: every row of the fit would be sent to all partitions of a "
                "cluster; ask for the neighbours of some rows in memory, which is one pass."
            )
        size = max(_FOUND // k, 1)
        return [x[start : start + size] for start in range(0, x.shape[0], size)]

    def __reduce__(self) -> NoReturn:
        refuse_to_travel(self._owner)


def refuse_to_travel(owner: str) -> NoReturn:
    """The rows remembered are not here to be sent along."""
    raise UnsupportedDataError(
        f"{owner}: the rows it was fitted to stay on their cluster, so it can neither be saved nor "
        "answer there; pass queries in memory, or fit it to rows in memory."
    )


@dataclass(frozen=True, slots=True, eq=False)
class RowsWithin:
    """Neighbours of each query among the rows seen so far, in the order of the rows."""

    offsets: Indices
    rows: Indices
    distances: Array

    subtractable: ClassVar[bool] = False

    def merge(self, other: Self) -> Self:
        """Of these rows, and of some that follow them."""
        count = len(self.offsets) - 1
        query = np.concatenate(
            [np.repeat(np.arange(count), np.diff(each.offsets)) for each in (self, other)]
        )
        order = np.argsort(query, kind="stable")
        rows = np.concatenate([self.rows, other.rows])[order]
        distances = np.concatenate([self.distances, other.distances])[order]
        return type(self)(self.offsets + other.offsets, rows, distances)

    def is_finite(self) -> bool:
        return True  # the door has looked at the rows

    def column_lengths(self) -> Array:
        return np.empty(0)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"offsets": self.offsets, "rows": self.rows, "distances": self.distances}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Self:
        return cls(**arrays)


@dataclass(frozen=True, slots=True, eq=False)
class WithinReach:
    """The queries whose neighbours within a radius, one or one each, are to be known."""

    queries: Any
    radius: Any
    metric: Metric

    def of(self, table: Table) -> RowsWithin:
        """Of the rows of a table, numbered from its first one on."""
        x = table.x.tocsr() if table.is_sparse else table.x
        found = BruteIndex(x, self.metric).within(self.queries, self.radius)
        return RowsWithin(found.offsets, found.rows + table.first_row, found.distances)


class PartitionTargets:
    """Targets that stay with the rows of a cluster; those of some rows are fetched by a pass.

    Parameters
    ----------
    stream : Stream
    read : callable
        From a batch to its targets as numbers.
    shape : tuple of int
        Of one row's.
    """

    def __init__(
        self, stream: Stream, read: Callable[[Batch], NDArray[Any]], n: int, shape: Any
    ) -> None:
        self._stream, self._read, self.shape = stream, read, (n, *shape)
        self._last: tuple[bytes, NDArray[Any]] | None = None

    def __getitem__(self, key: Any) -> NDArray[Any]:
        rows, *rest = key if isinstance(key, tuple) else (key,)
        if isinstance(rows, slice):
            raise UnsupportedDataError(
                "The targets of all rows stay on their cluster; choose parameters that need those "
                "of neighbours alone."
            )
        found = self._of(np.asarray(rows))
        return found[(..., *rest)] if rest else found

    def _of(self, rows: Indices) -> NDArray[Any]:
        name = rows.tobytes()
        if self._last is not None and self._last[0] == name:
            return self._last[1].reshape(*rows.shape, *self.shape[1:])
        numbers, places = np.unique(rows, return_inverse=True)
        known = self._stream.reduced(_TargetsAt(numbers, self._read), _joined, numbered=True)
        assert known is not None
        found = known[places.ravel()].reshape(*rows.shape, *self.shape[1:])
        self._last = name, found
        return found


def _joined(one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([one, other])


@dataclass(frozen=True, slots=True, eq=False)
class _TargetsAt:
    """The targets of rows with some numbers, which are sorted."""

    numbers: Indices
    read: Callable[[Batch], NDArray[Any]]

    def __call__(self, batch: Batch, first: int) -> NDArray[Any]:
        begin, end = np.searchsorted(self.numbers, (first, first + batch.n_rows))
        return self.read(batch)[self.numbers[begin:end] - first]


# --- fits -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """How many rows there are, and the labels of each output."""

    count: int
    classes: list[NDArray[Any]]
    several: bool

    def merge(self, other: _Seen) -> _Seen:
        """Of both parts' rows."""
        pairs = zip(self.classes, other.classes, strict=True)
        both = [np.unique(np.concatenate(pair)) for pair in pairs]
        return _Seen(self.count + other.count, both, self.several)


@dataclass(frozen=True, slots=True, eq=False)
class _LookedAt:
    """Rows and targets of a batch, checked."""

    door: Callable[[Batch], Table]
    owner: str
    labels: bool
    targets: bool

    def __call__(self, batch: Batch, first: int) -> _Seen:
        table = self.door(batch)
        n = table.n_rows
        if not self.targets:
            return _Seen(n, [], False)
        if batch.y is None:
            raise InvalidDataError(f"{self.owner}: name the target= of the rows.")
        if self.labels:
            classes, _, several = read_outputs(batch.y, owner=self.owner, n_rows=n)
            return _Seen(n, classes, several)
        return _Seen(n, [], NumbersOf(self.owner)(batch).ndim > 1)


@dataclass(frozen=True, slots=True, eq=False)
class NumbersOf:
    """The targets of a batch as numbers."""

    owner: str

    def __call__(self, batch: Batch) -> NDArray[Any]:
        values, is_vector, finite = read_target(
            batch.y, batch.n_rows, owner=self.owner, multi_output=True
        )
        if not finite:
            refuse_nonfinite(values, Input(self.owner, "y"))
        return np.asarray(values[:, 0] if is_vector else values, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class CodesOf:
    """The class numbers of a batch, one column for each output."""

    owner: str
    classes: list[NDArray[Any]]

    def __call__(self, batch: Batch) -> NDArray[Any]:
        own, codes, _ = read_outputs(batch.y, owner=self.owner, n_rows=batch.n_rows)
        columns = [
            np.searchsorted(known, labels)[codes[:, j]]
            for j, (known, labels) in enumerate(zip(self.classes, own, strict=True))
        ]
        return np.column_stack(columns)


def remember_partitions(
    model: NeighborsBase, stream: Stream, *, labels: bool, targets: bool
) -> Any:
    """Have a model know the rows of a cluster; gives what was seen of their labels.

    Every row is looked at once, so that what cannot be learnt from is refused here.
    """
    from stylobate.neighbors.indexes.nearest_rows import refuse_what_needs_rows

    owner = type(model).__name__
    model._check_parameters()
    if model.algorithm not in ("auto", "brute"):
        raise UnsupportedDataError(
            f"{owner}: algorithm={model.algorithm!r} needs all rows in memory; leave it out: every "
            "partition looks at all of its rows."
        )
    door = _Door(model)
    source = model._source(stream, door)
    stream.keep()
    columns = source.n_features  # the first row is read: the model knows its columns and metric
    refuse_what_needs_rows(model._metric, owner)
    if not isinstance(model._metric, Function):
        model._metric.form(columns)
    seen = stream.reduced(_LookedAt(door, owner, labels, targets), _Seen.merge)
    assert seen is not None  # there is a first row
    vars(model).pop("_fit_X", None)
    model._index = PartitionIndex(source, model._metric, owner)
    model._tell_of_index(seen.count)
    if targets:
        read = CodesOf(owner, seen.classes) if labels else NumbersOf(owner)
        shape = (len(seen.classes),) if labels else _width_of(stream) if seen.several else ()
        model._y = PartitionTargets(stream, read, seen.count, shape)  # type: ignore[attr-defined]
    return seen


def _width_of(stream: Stream) -> tuple[int, ...]:
    head: Any = stream.head()
    return (np.asarray(head.y).shape[1],)


class _Door:
    """Batches as tables, of whose columns the first one's are remembered."""

    def __init__(self, model: NeighborsBase) -> None:
        self.model, self.first = model, True

    def __call__(self, batch: Batch) -> Table:
        table: Table = self.model._read(batch.x, reset=self.first, y_required=False)
        self.first = False
        return table

    def __getstate__(self) -> dict[str, Any]:
        """Without what the model has learnt but for its columns and metric."""
        from copy import copy

        twin = copy(self.model)
        for name in ("_index", "_y", "_fit_X"):
            vars(twin).pop(name, None)
        return {"model": twin, "first": self.first}
