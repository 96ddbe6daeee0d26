"""Tables and declared keys of databases: DuckDB, SQLite, PostgreSQL, and folders of files."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from stylobate.data.reading import postgres, read, sqlite
from stylobate.data.reading.connection import connect, engine_errors, identifier
from stylobate.data.words import kind_of
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.joins.foreign_key import ForeignKey

_DECLARED = "declared in the database"
_ENDINGS = (".csv", ".csv.gz", ".tsv", ".parquet")
_OF_POSTGRES = """
WITH named AS (
    SELECT t.oid, CASE WHEN s.nspname = 'public' THEN t.relname::text
        ELSE s.nspname || '.' || t.relname END AS name
    FROM pg_class t JOIN pg_namespace s ON s.oid = t.relnamespace)
SELECT (SELECT name FROM named WHERE oid = c.conrelid),
    (SELECT name FROM named WHERE oid = c.confrelid),
    (SELECT array_agg(a.attname::text ORDER BY k.n) FROM unnest(c.conkey) WITH ORDINALITY k(c, n)
     JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.c),
    (SELECT array_agg(a.attname::text ORDER BY k.n) FROM unnest(c.confkey) WITH ORDINALITY k(c, n)
     JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.c)
FROM pg_constraint c WHERE c.contype = 'f' ORDER BY 1, 2, 3
"""
_OF_DUCKDB = """
SELECT table_name, referenced_table, constraint_column_names, referenced_column_names
FROM duckdb_constraints() WHERE constraint_type = 'FOREIGN KEY' ORDER BY ALL
"""


@dataclass(frozen=True, slots=True)
class DatabaseParts:
    """What a database says of itself: its tables, read on request, and its foreign keys."""

    name: str
    tables: dict[str, Any]
    keys: tuple[ForeignKey, ...]


def parts_of(source: Any) -> DatabaseParts:
    """The tables and declared keys of a path, an address or a connection."""
    if type(source).__name__ == "DuckDBPyConnection":
        return _of_connection(source)
    if isinstance(source, sqlite3.Connection):
        source = _file_of(source)
    if not isinstance(source, str | PathLike):
        raise UnsupportedDataError(
            f"database: {kind_of(source)} is no database; pass a DuckDB or SQLite file or "
            "connection, an address postgresql://…, or a folder of CSV or Parquet files."
        )
    text = fspath(source)
    if text.startswith(("postgresql://", "postgres://")):
        return _of_postgres(text)
    path = Path(text)
    if path.is_dir():
        return _of_folder(path)
    if not path.exists():
        raise InvalidDataError(f"database: there is no file {text!r}.")
    if path.name.lower().endswith(_ENDINGS):
        raise InvalidDataError(
            f"database: {text!r} is one table; pass the folder it is in if other files there are "
            "tables as well, or stylobate.read it by itself."
        )
    with path.open("rb") as file:
        start = file.read(16)
    return _of_sqlite(path) if start.startswith(b"SQLite format 3") else _of_duckdb(path)


def _of_folder(path: Path) -> DatabaseParts:
    files = sorted(each for each in path.iterdir() if each.name.lower().endswith(_ENDINGS))
    if not files:
        raise InvalidDataError(f"database: {str(path)!r} holds no CSV or Parquet file.")
    tables = {each.name.partition(".")[0]: read(each) for each in files}
    return DatabaseParts(str(path), tables, ())


def _of_sqlite(path: Path) -> DatabaseParts:
    tables = {name: read(path, table=name) for name in sqlite.tables_of(path)}
    keys: list[ForeignKey] = []
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        for name in tables:
            found: dict[int, list[Any]] = {}
            for row in connection.execute(f"PRAGMA foreign_key_list({identifier(name)})"):
                found.setdefault(row[0], []).append(row)
            for rows in found.values():
                other = str(rows[0][2])
                primary = _primary_of_sqlite(connection, other)
                key = tuple(row[4] or primary[k] for k, row in enumerate(rows))
                columns = tuple(str(row[3]) for row in rows)
                keys.append(ForeignKey(name, columns, other, key, True, _DECLARED))
    return DatabaseParts(str(path), tables, tuple(keys))


def _primary_of_sqlite(connection: sqlite3.Connection, table: str) -> list[str]:
    rows = connection.execute(f"PRAGMA table_info({identifier(table)})").fetchall()
    return [str(row[1]) for row in sorted((r for r in rows if r[5]), key=lambda r: r[5])]


def _file_of(connection: sqlite3.Connection) -> str:
    path = next((row[2] for row in connection.execute("PRAGMA database_list") if row[2]), "")
    if not path:
        raise UnsupportedDataError(
            "database: this SQLite database is in memory, where nobody else can read it; write it "
            "to a file first (connection.backup)."
        )
    return str(path)


def _of_duckdb(path: Path) -> DatabaseParts:
    connection = connect(str(path))
    try:
        with engine_errors(str(path)):
            names = [str(row[0]) for row in connection.execute("SHOW TABLES").fetchall()]
            rows = connection.execute(_OF_DUCKDB).fetchall()
    finally:
        connection.close()
    tables = {name: read(path, table=name) for name in sorted(names)}
    return DatabaseParts(str(path), tables, _declared(rows))


def _of_connection(connection: Any) -> DatabaseParts:
    names = sorted(str(row[0]) for row in connection.execute("SHOW TABLES").fetchall())
    rows = connection.execute(_OF_DUCKDB).fetchall()
    tables = {name: connection.cursor().table(name) for name in names}
    return DatabaseParts("the DuckDB connection", tables, _declared(rows))


def _of_postgres(address: str) -> DatabaseParts:
    names = [
        name for name in postgres.tables_of(address) if not name.startswith("information_schema")
    ]
    with postgres.reading_cursor(address) as cursor:
        cursor.execute(_OF_POSTGRES)
        rows = cursor.fetchall()
    tables = {name: read(address, table=name) for name in names}
    return DatabaseParts("the PostgreSQL database", tables, _declared(rows))


def _declared(rows: list[Any]) -> tuple[ForeignKey, ...]:
    return tuple(
        ForeignKey(str(table), tuple(columns), str(other), tuple(key), True, _DECLARED)
        for table, other, columns, key in rows
    )
