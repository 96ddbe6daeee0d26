"""Rows of Python values (of SQLite, Excel, PostgreSQL) → a text file whose types are known."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from stylobate.data.reading.scan import Scan

NULL = "\\N"  # unquoted, which text never is
_LONG = 1 << 63
_BY_TYPE: dict[type, str] = {
    bool: "BOOLEAN",
    int: "BIGINT",
    float: "DOUBLE",
    Decimal: "DOUBLE",
    datetime: "TIMESTAMP",
    date: "DATE",
    time: "TIME",
}


class TypedFile(NamedTuple):
    """A text file with the types of its columns."""

    path: Path
    names: tuple[str, ...]
    types: tuple[str, ...]
    longest_line: int
    notes: tuple[str, ...] = ()

    @property
    def sql(self) -> str:
        """The SELECT that reads it."""
        scan = Scan(self.path, "rows", ",", 0, self.names, (NULL,), self.longest_line)
        types = dict(zip(self.names, self.types, strict=True))
        return f"SELECT * FROM {scan.sql(types, {}, 'allow_quoted_nulls=false', empty=False)}"


class _Null:
    """Written without quotes, as numbers are."""

    def __float__(self) -> float:
        return 0.0

    def __str__(self) -> str:
        return NULL


_NULL = _Null()


def write_rows(
    target: Path, names: tuple[str, ...], batches: Iterable[Sequence[Sequence[Any]]]
) -> TypedFile:
    """Write rows a batch at a time; the type of a column is that of all its values, else text."""
    seen: list[set[str]] = [set() for _ in names]
    longest = 0
    with target.open("w", encoding="utf-8", errors="surrogateescape", newline="") as out:
        writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
        for rows in batches:
            for row in rows:
                for types, value in zip(seen, row, strict=True):
                    if value is not None:
                        types.add(_type_of(value))
                longest = max(longest, writer.writerow([_cell(value) for value in row]))
    return TypedFile(target, names, tuple(map(_common, seen)), 4 * longest)


def _type_of(value: Any) -> str:
    if isinstance(value, datetime) and value.tzinfo is not None:
        return "TIMESTAMPTZ"
    found = _BY_TYPE.get(type(value), "VARCHAR")
    return "VARCHAR" if found == "BIGINT" and not -_LONG <= value < _LONG else found


def _cell(value: Any) -> Any:
    if value is None:
        return _NULL
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    return value if type(value) in (int, float) else str(value)


def _common(types: set[str]) -> str:
    if len(types) == 1:
        return next(iter(types))
    if types == {"BIGINT", "DOUBLE"}:
        return "DOUBLE"
    return "TIMESTAMP" if types == {"DATE", "TIMESTAMP"} else "VARCHAR"
