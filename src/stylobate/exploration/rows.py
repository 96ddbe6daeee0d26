"""Whatever is to be explored, as its names, its rows in batches, and a sample of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stylobate.data.mixed_columns import MixedColumns, read_mixed_columns
from stylobate.data.reading import Relation, read
from stylobate.data.words import kind_of
from stylobate.exceptions import UnsupportedDataError
from stylobate.exploration.progress import Rows
from stylobate.exploration.sampling import BottomSample

BATCH = 65_536


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
    """

    source: str
    names: tuple[str, ...]
    types: tuple[str, ...]
    rows: int
    notes: tuple[str, ...]
    sample: MixedColumns

    @property
    def is_whole(self) -> bool:
        """Whether the sample is the table."""
        return self.sample.n_rows == self.rows


def scan(table: Any, size: int, seed: int, progress: bool | None) -> Scanned:
    """Pass over a table of any kind, keeping what its profile needs."""
    if isinstance(table, str | os.PathLike):
        table = read(table)
    if isinstance(table, Relation):
        return _scan_relation(table, size, seed, progress)
    return _scan_memory(table, size, seed)


def _scan_memory(table: Any, size: int, seed: int) -> Scanned:
    columns = _columns_of(table)
    names, notes = _names_of(table, columns)
    types = tuple(type_of(values) for values in columns.values)
    n = columns.n_rows
    if n > size:
        sample = BottomSample(size, seed)
        held = sample.offer(n)
        kept = held[sample.final()]
        values = tuple(values[kept] for values in columns.values)
        columns = MixedColumns(values, len(kept), columns.names, columns.origin)
    return Scanned(_name_of(table), names, types, n, notes, columns)


def _columns_of(table: Any) -> MixedColumns:
    if isinstance(table, Mapping):
        values = [np.asarray(each) for each in table.values()]
        lengths = {len(each) if each.ndim == 1 else -1 for each in values}
        if len(lengths) > 1 or -1 in lengths:
            shapes = ", ".join(f"{k!r} {v.shape}" for k, v in zip(table, values, strict=True))
            raise UnsupportedDataError(
                f"explore: columns of a dictionary must be vectors of one length, got {shapes}."
            )
        n = lengths.pop() if lengths else 0
        return MixedColumns(tuple(values), n, tuple(map(str, table)))
    if isinstance(table, np.ndarray) and table.ndim == 1:
        table = table.reshape(-1, 1)
    if table is None or isinstance(table, int | float):
        raise UnsupportedDataError(
            f"explore: {table!r} ({kind_of(table)}) is no table; pass a data frame, an array, a "
            "file's name or a SELECT."
        )
    return read_mixed_columns(table, owner="explore", min_rows=0, min_features=0)


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


def _scan_relation(table: Relation, size: int, seed: int, progress: bool | None) -> Scanned:
    import pyarrow as pa

    sample = BottomSample(size, seed)
    held: list[Any] = []
    with Rows(progress) as shown:
        for batch in table.batches(BATCH, library="pyarrow"):
            chosen = sample.offer(batch.num_rows)
            if len(chosen):
                held.append(batch if len(chosen) == batch.num_rows else batch.take(chosen))
            if sample.is_full:
                held = [pa.concat_tables(held).take(sample.shrink())]
            shown.advance(batch.num_rows)
    if held:
        frame = pa.concat_tables(held)
        if sample.rows > size:
            frame = frame.take(sample.final())
    else:
        frame = table.head(0, library="pyarrow")
    names, notes = unique(table.columns)
    columns = read_mixed_columns(frame, owner="explore", min_rows=0, min_features=0)
    types = tuple(table.types.values())
    return Scanned(_title(table), names, types, sample.rows, table.notes + notes, columns)


def _title(table: Relation) -> str:
    name = str(table._request.source.name)
    return Path(name).name if "\n" not in name and len(name) < 300 else name[:80]
