"""What a profile can read of a table: durations in seconds, and no cells that are tables again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from stylobate.data.arrow import ColumnBatch
from stylobate.data.durations import seconds_of
from stylobate.data.mixed_columns import MixedColumns

_NESTED = (list, dict, set, np.ndarray)
_NESTED_TYPE = re.compile(r"\]$|^(STRUCT|MAP|UNION|LIST|INTERVAL)\b")  # DuckDB's
_ZONED_TYPE = re.compile(r"\[\w+, |time_zone='|WITH TIME ZONE")
SECONDS = ", in seconds"


class Readable(NamedTuple):
    """Columns, their names and types, and a note about what was done."""

    columns: MixedColumns
    names: tuple[str, ...]
    types: tuple[str, ...]
    notes: tuple[str, ...]


def readable(columns: MixedColumns, names: Sequence[str], types: Sequence[str]) -> Readable:
    """The columns a profile can tell of; durations become seconds, nested cells are left out."""
    kept = [j for j, values in enumerate(columns.values) if not _is_nested(values)]
    values = [columns.values[j] for j in kept]
    told = [types[j] for j in kept]
    for k, j in enumerate(kept):
        seconds = seconds_of(values[k])  # of columns that came without a table
        if seconds is not None or j in columns.spans:
            values[k], told[k] = values[k] if seconds is None else seconds, told[k] + SECONDS
    left = replace(columns, values=tuple(values), names=None, spans=())
    gone = [name for j, name in enumerate(names) if j not in kept]
    return Readable(left, tuple(names[j] for j in kept), tuple(told), nested_notes(gone))


def nested_notes(names: Sequence[str]) -> tuple[str, ...]:
    """What is said of columns that were left out."""
    return tuple(
        f"the column {name!r} holds lists, structures or intervals and was left out: take it apart "
        "into columns of single values"
        for name in names
    )


def is_nested(kind: str) -> bool:
    """Whether a type of DuckDB's has no single values that are numbers, moments or text.

    >>> [is_nested(kind) for kind in ("BIGINT[]", "STRUCT(a BIGINT)", "INTERVAL", "VARCHAR")]
    [True, True, True, False]
    """
    return _NESTED_TYPE.search(kind) is not None


def is_zoned(kind: str) -> bool:
    """Whether moments of a type know their zone; they are told in universal time.

    >>> is_zoned("datetime64[us, Europe/Riga]"), is_zoned("datetime64[us]")
    (True, False)
    """
    return _ZONED_TYPE.search(kind) is not None


def some_columns(batches: Iterator[ColumnBatch], kept: Sequence[int]) -> Iterator[ColumnBatch]:
    """Batches with these columns only."""
    for batch in batches:
        yield replace(batch, columns=tuple(batch.columns[j] for j in kept))


def as_columns(rows: Sequence[Any]) -> Any:
    """A list of rows as columns: of dictionaries by their keys, of single values as one."""
    if all(isinstance(row, Mapping) for row in rows):
        keys = dict.fromkeys(key for row in rows for key in row)
        return {str(key): [row.get(key) for row in rows] for key in keys}
    if not any(isinstance(row, list | tuple | np.ndarray) for row in rows):
        return {"x0": list(rows)}
    return rows


def _is_nested(values: Any) -> bool:
    if isinstance(values, np.ndarray):
        return values.dtype.kind == "O" and any(isinstance(v, _NESTED) for v in values.tolist())
    import narwhals as nw

    if values.dtype.is_nested():
        return True
    return values.dtype == nw.Object and any(isinstance(v, _NESTED) for v in values.to_list())
