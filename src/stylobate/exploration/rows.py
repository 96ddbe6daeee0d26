"""Whatever is to be explored: one pass over its rows, a summary of all and a sample of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices
from stylobate.data.arrow import ColumnBatch, column_batches
from stylobate.data.mixed_columns import MixedColumns, read_mixed_columns
from stylobate.data.reading import Relation, read
from stylobate.data.streams import is_stream, open_rows
from stylobate.data.words import kind_of
from stylobate.exceptions import UnsupportedDataError
from stylobate.exploration.association import ExactCorrelations
from stylobate.exploration.correlation import PairMoments
from stylobate.exploration.progress import Rows
from stylobate.exploration.readable import (
    as_columns,
    is_nested,
    nested_notes,
    readable,
    some_columns,
)
from stylobate.statistics.columns.table_summary import TableScan

if TYPE_CHECKING:
    from stylobate.exploration.partitions import PartScan

_EXACT_ROWS = 1 << 22  # different rows told apart exactly: 64 MiB of hashes


@dataclass(frozen=True, slots=True, eq=False)
class Scanned:
    """A table after the pass over its rows.

    Parameters
    ----------
    source : str
        What it is called.
    names, types : tuple of str
        Of its columns; names are unique.
    rows : int
        How many it has.
    notes : tuple of str
        What the reader found and did.
    sample : MixedColumns
        All rows if they are few, else a uniform sample of them, in order.
    summary : TableScan, PartScan or None
        Of all rows; None where the sample is the table and tells everything.
    correlations : ExactCorrelations or None
        Of all rows.
    """

    source: str
    names: tuple[str, ...]
    types: tuple[str, ...]
    rows: int
    notes: tuple[str, ...]
    sample: MixedColumns
    summary: TableScan | PartScan | None = None
    correlations: ExactCorrelations | None = None

    @property
    def is_whole(self) -> bool:
        """Whether the sample is the table."""
        return self.summary is None

    @property
    def row_numbers(self) -> Indices:
        """Which rows of the table those of the sample are, the first being 0."""
        if self.summary is None:
            return np.arange(self.sample.n_rows)
        return np.asarray(self.summary.sample.rows, dtype=np.intp)


def scan(table: Any, size: int, seed: int, progress: bool | None) -> Scanned:
    """Pass over a table of any kind, keeping what its profile needs."""
    if isinstance(table, str | os.PathLike):
        table = read(table)
    if isinstance(table, Relation):
        return _scan_relation(table, size, seed, progress)
    if is_stream(table):
        stream = open_rows(table, "explore").stream
        if not getattr(stream, "here", True):
            from stylobate.exploration.partitions import scan_partitions

            return scan_partitions(stream, size, seed)
    return _scan_memory(table, size, seed, progress)


def _pass(
    batches: Iterator[ColumnBatch],
    size: int,
    seed: int,
    progress: bool | None,
    rows: int | None = None,
) -> tuple[TableScan, PairMoments]:
    summary = TableScan(sample=size, seed=seed, exact_rows=_EXACT_ROWS, n_rows=rows)
    pairs = PairMoments()
    with Rows(progress) as shown:
        for batch in batches:
            summary.absorb(batch)
            pairs.absorb(batch)
            shown.advance(batch.n_rows)
    return summary, pairs


def _scan_relation(table: Relation, size: int, seed: int, progress: bool | None) -> Scanned:
    kinds = tuple(table.types.values())
    kept = [j for j, kind in enumerate(kinds) if not is_nested(kind)]
    batches = column_batches(table)
    if len(kept) < len(kinds):
        batches = some_columns(batches, kept)
    summary, pairs = _pass(batches, size, seed, progress, table.known_rows)
    names, notes = unique(summary.names)
    sample = summary.sample
    columns = MixedColumns(sample.columns, len(sample.rows), names)
    types = tuple(kinds[j] for j in kept)
    gone = [name for name, kind in table.types.items() if is_nested(kind)]
    notes = (*table.notes, *notes, *nested_notes(gone))
    found = Scanned(_title(table), names, types, summary.n_rows, notes, columns)
    if len(sample.rows) == summary.n_rows:
        return found
    return replace(found, summary=summary, correlations=pairs.finish(names))


def _title(table: Relation) -> str:
    name = str(table.name)
    return Path(name).name if "\n" not in name and len(name) < 300 else name[:80]


def _scan_memory(table: Any, size: int, seed: int, progress: bool | None) -> Scanned:
    columns = _columns_of(table)
    names, notes = _names_of(table, columns)
    kinds = tuple(type_of(values) for values in columns.values)
    columns, names, types, said = readable(columns, names, kinds)
    notes += said
    source, n = _name_of(table), columns.n_rows
    if n <= size:
        return Scanned(source, names, types, n, notes, columns)
    natives = (v if isinstance(v, np.ndarray) else v.to_native() for v in columns.values)
    batches = column_batches(dict(zip(names, natives, strict=True)))
    summary, pairs = _pass(batches, size, seed, progress, n)
    kept = summary.sample.rows
    some = tuple(values[kept] for values in columns.values)
    sample = MixedColumns(some, len(kept), columns.names, columns.origin)
    return Scanned(source, names, types, n, notes, sample, summary, pairs.finish(names))


def _columns_of(table: Any) -> MixedColumns:
    if isinstance(table, list | tuple):
        if len(table) == 0:
            raise UnsupportedDataError(f"explore: {table!r} has no rows and no columns.")
        table = as_columns(table)
    if isinstance(table, Mapping):
        values = [_vector(each) for each in table.values()]
        lengths = {len(each) if each.ndim == 1 else -1 for each in values}
        if len(lengths) > 1 or -1 in lengths:
            shapes = ", ".join(f"{k!r} {v.shape}" for k, v in zip(table, values, strict=True))
            raise UnsupportedDataError(
                f"explore: columns of a dictionary must be vectors of one length, got {shapes}."
            )
        n = lengths.pop() if lengths else 0
        return MixedColumns(tuple(values), n, tuple(map(str, table)))
    if isinstance(table, np.ndarray):
        if table.ndim not in (1, 2):
            raise UnsupportedDataError(
                f"explore: the array has {table.ndim} dimensions; a table has 2."
            )
        table = table.reshape(len(table), -1) if table.ndim == 1 else table
    if hasattr(table, "to_frame") and not hasattr(table, "columns"):  # a series
        table = table.to_frame(getattr(table, "name", None) or "x0")
    if table is None or isinstance(table, int | float):
        raise UnsupportedDataError(
            f"explore: {table!r} ({kind_of(table)}) is no table; pass a data frame, an array, a "
            "file's name or a SELECT."
        )
    if hasattr(table, "set_axis"):  # pandas: labels may be of several types
        table = table.set_axis([str(label) for label in table.columns], axis=1)
    return read_mixed_columns(table, owner="explore", min_rows=0, min_features=0)


def _vector(values: Any) -> NDArray[Any]:
    """A column as an array; cells of several values stay cells."""
    listed = values if isinstance(values, list | tuple) else ()
    if any(isinstance(each, list | tuple | dict | np.ndarray) for each in listed):
        cells = np.empty(len(values), dtype=object)
        cells[:] = [[*each] if isinstance(each, tuple) else each for each in values]
        return cells
    return np.asarray(values)


def _names_of(table: Any, columns: MixedColumns) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Unique names, and what was done to get them."""
    names: Sequence[str] | None = columns.names
    if names is None:
        labels = getattr(table, "columns", None)
        listed = None if labels is None or callable(labels) else [str(label) for label in labels]
        fits = listed is not None and len(listed) == columns.n_features
        names = listed if fits else [f"x{j}" for j in range(columns.n_features)]
    return unique(names or ())


def unique(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names with repeated ones numbered, and a note about them.

    >>> unique(["a", "b", "a"])
    (('a', 'b', 'a (2)'), ("the name 'a' is repeated and became 'a (2)'",))
    """
    taken = set(names)
    seen: set[str] = set()
    kept, notes = [], []
    for name in names:
        candidate, k = name, 1
        while candidate in seen or (k > 1 and candidate in taken):
            k += 1
            candidate = f"{name} ({k})"
        if k > 1:
            notes.append(f"the name {name!r} is repeated and became {candidate!r}")
        seen.add(candidate)
        kept.append(candidate)
    if len(notes) > 3:
        notes = [*notes[:2], f"{len(notes) - 2} more repeated names were numbered alike"]
    return tuple(kept), tuple(notes)


def _name_of(table: Any) -> str:
    kind = type(table)
    library = kind.__module__.partition(".")[0]
    return "table" if library == "builtins" else f"{library} {kind.__name__}"


def type_of(values: Any) -> str:
    """The type a column has where it comes from."""
    if isinstance(values, np.ndarray):
        return str(values.dtype)
    native = values.to_native()
    return str(getattr(native, "dtype", None) or getattr(native, "type", values.dtype))
