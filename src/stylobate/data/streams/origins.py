"""From whatever holds rows to a stream, or to rows in memory, with target and weights apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from os import PathLike
from typing import Any, NamedTuple

from stylobate.data.streams.columns import ColumnRoles, split_frame
from stylobate.data.streams.stream import Batch, Stream
from stylobate.data.words import kind_of
from stylobate.exceptions import InvalidDataError, InvalidParameterError

Opener = Callable[[Any, ColumnRoles], Any]
_openers: dict[str, Opener] = {}
# packages whose openers are entered by a module of ours, imported with their first container
_ENTERED_BY = dict.fromkeys(("dask", "ray", "pyspark"), "stylobate.sources.clusters")


class Rows(NamedTuple):
    """What `fit` was given: rows in memory, or a stream (or another engine's own source)."""

    memory: Batch | None
    stream: Any = None


def register_opener(module: str, opener: Opener) -> None:
    """Have objects of a package opened by a function; how another engine adds its containers.

    Parameters
    ----------
    module : str
        The first part of the module the container's type is defined in, such as "dask".
    opener : callable
        Takes the object and its `ColumnRoles`; returns a `Stream`, or what the engine's estimators
        learn from.
    """
    _openers[module] = opener


def is_stream(X: Any) -> bool:
    """Whether X is rows that are read on request: a stream, a relation, an Arrow reader …

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.data.streams import Batch, Stream
    >>> is_stream(Stream(lambda: iter([Batch([[1.0]])]))), is_stream(np.zeros((2, 2)))
    (True, False)
    """
    kind = type(X)
    if isinstance(X, Stream) or hasattr(kind, "__stylobate_stream__"):
        return True
    root = kind.__module__.partition(".")[0]
    return root in _openers or root in _ENTERED_BY or kind_of(X) in _ARROW_ORIGINS


def open_rows(
    X: Any,
    owner: str,
    *,
    target: str | Sequence[str] | None = None,
    features: Sequence[str] | None = None,
    weight: str | None = None,
    y_required: bool = True,
) -> Rows:
    """Rows from anything that holds some.

    Parameters
    ----------
    X : Stream, Relation, path, Arrow reader or dataset, data frame, iterable of batches
        Batches are frames where `target` or `features` names columns, else tuples ``(X, y)`` or
        ``(X, y, sample_weight)``; a callable that returns an iterator can be passed over again.
    owner : str
        Who asks, named in refusals.
    target : str or sequence of str, optional
        The column or columns to predict.
    features : sequence of str, optional
        The columns to learn from; all others by default.
    weight : str, optional
        The column of weights.
    y_required : bool, default=True
        Whether batches must have a target; without, a batch that is no tuple is X itself.
    """
    roles = ColumnRoles.of(owner, target, features, weight)
    if isinstance(X, Stream):
        return Rows(None, X if roles.none else _split_stream(X, roles))
    if isinstance(X, str | PathLike) and not roles.none:
        from stylobate.data.reading import read

        X = read(X)
    root = type(X).__module__.partition(".")[0]
    if root not in _openers and root in _ENTERED_BY:
        import_module(_ENTERED_BY[root])
    opener = _openers.get(root)
    if opener is not None:
        return Rows(None, opener(X, roles))
    if hasattr(type(X), "__stylobate_stream__"):
        return Rows(None, X.__stylobate_stream__(roles))
    if kind_of(X) in _ARROW_ORIGINS:
        return Rows(None, _ARROW_ORIGINS[kind_of(X)](X, roles))
    if _is_batches(X):
        return Rows(None, stream_of_batches(X, roles, y_required=y_required))
    if roles.none:
        return Rows(Batch(X))
    return Rows(split_frame(X, roles))


def stream_of_batches(batches: Any, roles: ColumnRoles, *, y_required: bool = True) -> Stream:
    """The stream of an iterable of batches, or of a callable that returns one.

    Without `y_required` a batch that is no tuple is X itself.

    Examples
    --------
    >>> parts = [([[1.0]], [1.0]), ([[2.0]], [2.0])]
    >>> stream = stream_of_batches(parts, ColumnRoles("Ridge"))
    >>> stream.repeatable, [batch.y for batch in stream]
    (True, [[1.0], [2.0]])
    """
    if not callable(batches) and not isinstance(batches, Iterable):
        raise InvalidDataError(
            f"{roles.owner}: batches must be an iterable, or a function that returns one, got "
            f"{kind_of(batches)}."
        )

    def start() -> Iterator[Batch]:
        for batch in batches() if callable(batches) else batches:
            yield (
                split_frame(batch, roles)
                if not roles.none
                else _as_batch(batch, roles.owner, y_required)
            )

    repeatable = callable(batches) or not isinstance(batches, Iterator)
    return Stream(start, f"{roles.owner}: the batches", repeatable)


def _as_batch(batch: Any, owner: str, y_required: bool) -> Batch:
    if isinstance(batch, Batch):
        return batch
    if not y_required and not isinstance(batch, tuple):
        return Batch(batch)
    if not isinstance(batch, tuple | list) or not 1 <= len(batch) <= 3:
        raise InvalidDataError(
            f"{owner}: a batch must be (X, y) or (X, y, sample_weight), got {type(batch).__name__}."
        )
    return Batch(*batch)


def _is_batches(X: Any) -> bool:
    """Iterators, functions, and lists of tuples or of frames; a list of rows is an array."""
    if isinstance(X, Iterator) or (callable(X) and not hasattr(X, "shape")):
        return True
    if not isinstance(X, list) or not X:
        return False
    return isinstance(X[0], Batch) or hasattr(X[0], "columns") or hasattr(X[0], "column_names")


def _split_stream(stream: Stream, roles: ColumnRoles) -> Stream:
    def start() -> Iterator[Batch]:
        for batch in stream:
            if batch.y is not None and roles.target:
                raise InvalidParameterError(
                    f"{roles.owner}: the stream has a target of its own; leave target out."
                )
            split = split_frame(batch.x, roles)
            y = batch.y if split.y is None else split.y
            yield Batch(split.x, y, batch.weights if split.weights is None else split.weights)

    made = Stream(start, stream.name, stream.repeatable, stream.length, reports=False)
    return made._made_of(stream)


def _of_reader(reader: Any, roles: ColumnRoles) -> Stream:
    """A pyarrow reader, which gives its batches once."""

    def start() -> Iterator[Batch]:
        return (split_frame(batch, roles) for batch in reader)

    return Stream(start, f"{roles.owner}: the Arrow reader", repeatable=False)


def _of_dataset(dataset: Any, roles: ColumnRoles) -> Stream:
    wanted = roles.columns(tuple(dataset.schema.names))

    def start() -> Iterator[Batch]:
        for batch in dataset.to_batches(columns=list(wanted)):
            if batch.num_rows:
                yield split_frame(batch, roles)

    return Stream(start, f"{roles.owner}: the Arrow dataset", length=int(dataset.count_rows()))


def _of_lazy_frame(frame: Any, roles: ColumnRoles) -> Stream:
    wanted = roles.columns(tuple(frame.collect_schema().names()))
    lazy = frame.select(list(wanted))

    def start() -> Iterator[Batch]:
        for part in lazy.collect_batches(maintain_order=True):
            if len(part):
                yield split_frame(part, roles)

    return Stream(start, f"{roles.owner}: the lazy frame")


def _of_duckdb(relation: Any, roles: ColumnRoles) -> Stream:
    from stylobate.data.reading.connection import identifier
    from stylobate.data.streams.arrow import batches_of

    wanted = roles.columns(tuple(relation.columns))
    chosen = relation.project(", ".join(map(identifier, wanted)))
    return Stream(lambda: batches_of(chosen, roles), f"{roles.owner}: the DuckDB relation")


_ARROW_ORIGINS: dict[str, Opener] = {
    "pyarrow.RecordBatchReader": _of_reader,
    "pyarrow.FileSystemDataset": _of_dataset,
    "pyarrow.InMemoryDataset": _of_dataset,
    "pyarrow.UnionDataset": _of_dataset,
    "polars.LazyFrame": _of_lazy_frame,
    "duckdb.DuckDBPyRelation": _of_duckdb,
}
