"""SQLite files, read by Python's own module: DuckDB needs an extension for them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from stylobate.data.reading.connection import identifier
from stylobate.data.reading.errors import refuse
from stylobate.data.reading.header import unique_names
from stylobate.data.reading.rows import TypedFile, write_rows

_ROWS_AT_ONCE = 10_000
_FAILURES = (sqlite3.Error, sqlite3.Warning)


def _open(path: Path) -> sqlite3.Connection:
    """A connection that cannot write; text that is no UTF-8 is read as cp1252."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    connection.text_factory = _text
    return connection


def _text(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("cp1252", errors="replace")


def tables_of(path: Path) -> list[str]:
    """The names of the tables and views of a file."""
    with closing(_open(path)) as connection:
        try:
            rows = connection.execute(
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
                "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
            ).fetchall()
        except _FAILURES as error:
            refuse(str(path), f"SQLite cannot read it: {error}.")
    return [str(row[0]) for row in rows]


def columns_of(path: Path, query: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the columns of a query, of which no row is read, and what was changed."""
    with closing(_open(path)) as connection:
        try:
            cursor = connection.execute(query)
        except _FAILURES as error:
            refuse(str(path), f"SQLite refuses the query: {error}.")
        return unique_names([str(column[0]) for column in cursor.description or ()])


def fetch(path: Path, query: str, folder: Path) -> TypedFile:
    """The rows of a query in a file, a few thousand in memory at a time."""
    names, _ = columns_of(path, query)
    with closing(_open(path)) as connection:
        try:
            batches = _batches(connection.execute(query))
            return write_rows(folder / "rows.csv", names, batches)
        except _FAILURES as error:
            refuse(str(path), f"SQLite refuses the query: {error}.")


def _batches(cursor: sqlite3.Cursor) -> Iterator[list[Any]]:
    while rows := cursor.fetchmany(_ROWS_AT_ONCE):
        yield rows


def whole_table(name: str) -> str:
    """The query for all of a table."""
    return f"SELECT * FROM {identifier(name)}"
