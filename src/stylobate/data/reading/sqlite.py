"""SQLite files, read by Python's own module: DuckDB needs an extension for them."""

from __future__ import annotations

import csv
import sqlite3
from pathlib import Path

from stylobate.data.reading.connection import identifier
from stylobate.data.reading.errors import refuse

_ROWS_AT_ONCE = 10_000


def open_sqlite(path: Path) -> sqlite3.Connection:
    """A connection that cannot write."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def tables_of(path: Path) -> list[str]:
    """The names of the tables and views of a file."""
    connection = open_sqlite(path)
    try:
        rows = connection.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"
        ).fetchall()
    except sqlite3.Error as error:
        refuse(str(path), f"SQLite cannot read it: {error}.")
    finally:
        connection.close()
    return [str(row[0]) for row in rows]


def columns_of(path: Path, query: str) -> tuple[str, ...]:
    """The names of the columns of a query, of which no row is read."""
    connection = open_sqlite(path)
    try:
        cursor = connection.execute(query)
        return tuple(str(column[0]) for column in cursor.description or ())
    except (sqlite3.Error, sqlite3.Warning) as error:
        refuse(str(path), f"SQLite refuses the query: {error}.")
    finally:
        connection.close()


def write_cells(path: Path, query: str, target: Path) -> None:
    """The rows of a query as a text file, a few thousand in memory at a time."""
    connection = open_sqlite(path)
    try:
        cursor = connection.execute(query)
        with target.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow([column[0] for column in cursor.description])
            while rows := cursor.fetchmany(_ROWS_AT_ONCE):
                writer.writerows([[_cell(value) for value in row] for row in rows])
    except (sqlite3.Error, sqlite3.Warning) as error:
        refuse(str(path), f"SQLite refuses the query: {error}.")
    finally:
        connection.close()


def _cell(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value


def whole_table(name: str) -> str:
    """The query for all of a table."""
    return f"SELECT * FROM {identifier(name)}"
