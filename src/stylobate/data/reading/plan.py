"""From a request to SQL: what DuckDB is asked when rows are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from stylobate.data.reading import delimited, excel, postgres, sqlite
from stylobate.data.reading.connection import (
    LOCK,
    LateConnection,
    check_query,
    connect,
    literal,
)
from stylobate.data.reading.engine_words import unreadable
from stylobate.data.reading.errors import refuse
from stylobate.data.reading.frame import as_registered
from stylobate.data.reading.packed import plain_file
from stylobate.data.reading.scan import as_pattern
from stylobate.data.reading.settle import TABLE
from stylobate.data.reading.source import Source

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


_TYPES = {
    "double": "DOUBLE",
    "int64": "BIGINT",
    "bool": "BOOLEAN",
    "string": "VARCHAR",
    "date32[day]": "DATE",
    "timestamp[us]": "TIMESTAMP",
}


class Request(NamedTuple):
    """What the caller asked for, and the folder for copies."""

    source: Source
    query: str | None
    sheet: str | None
    encoding: str | None
    delimiter: str | None
    missing: tuple[str, ...]
    typed: bool
    folder: Path


class Plan(NamedTuple):
    """A connection, the SELECT that gives the rows, the tables it names, and the rows themselves
    as Arrow has them (a table or a stream with `num_rows`) where that is faster.
    """

    connection: DuckDBPyConnection
    sql: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    notes: tuple[str, ...]
    tables: dict[str, Any]
    rows: Any = None


def names_of(
    request: Request, files: Sequence[delimited.Delimited]
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The names of the columns and the first notes, if they can be had before the rows."""
    source, query = request.source, request.query or ""
    if source.format == "csv":
        delimited.agree(files)
        return files[0].header.names, files[0].notes
    if source.format == "sqlite":
        return sqlite.columns_of(source.paths[0], query)
    if source.format == "postgresql":
        return postgres.columns_of(source.address, query)
    return None


def look(request: Request) -> list[delimited.Delimited]:
    """The first lines of text files: their encoding, dialect and header."""
    paths = request.source.paths if request.source.format == "csv" else ()
    return [delimited.look_at(path, request.encoding, request.delimiter) for path in paths]


def make_plan(request: Request, files: Sequence[delimited.Delimited]) -> Plan:
    """The plan of a request; text files are passed over to prove their types."""
    source, folder = request.source, request.folder
    notes: tuple[str, ...] = ()
    tables: dict[str, Any] = {}
    if source.format == "csv":
        return _delimited_plan(request, files)
    connection = connect(str(source.paths[0]) if source.format == "duckdb" else None)
    if source.format in ("sqlite", "excel", "postgresql"):
        sql, notes = _fetched(request)
    elif source.format in ("parquet", "json"):
        sql = _files(connection, source, folder)
    elif source.format == "frame":
        tables = {"frame": as_registered(source.frame)}
        connection.register("frame", tables["frame"])
        sql = "SELECT * FROM frame"
    else:
        sql = check_query(request.query or "", source.name)
    connection.execute(LOCK)
    columns, types = _describe(connection, sql, source.name)
    return Plan(connection, sql, columns, types, notes, tables)


def _delimited_plan(request: Request, files: Sequence[delimited.Delimited]) -> Plan:
    late = LateConnection()
    connection = cast("DuckDBPyConnection", late)
    settled = delimited.plan(connection, files, request.folder, request.missing, request.typed)
    late.lock()
    stored = settled.stored
    described = None if stored is None else _described(stored)
    if described is None:
        described = _describe(connection, settled.sql, request.source.name)
    tables = {} if stored is None else {TABLE: stored}
    rows = settled.stream if stored is None else stored
    return Plan(connection, settled.sql, *described, settled.notes, tables, rows)


def _described(table: Any) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Names and DuckDB's types of the columns of an Arrow table; None if one is unusual."""
    types = [_TYPES.get(str(kind)) for kind in table.schema.types]
    known = tuple(kind for kind in types if kind is not None)
    return (tuple(table.column_names), known) if len(known) == len(types) else None


def _fetched(request: Request) -> tuple[str, tuple[str, ...]]:
    source, query = request.source, request.query or ""
    if source.format == "sqlite":
        file = sqlite.fetch(source.paths[0], query, request.folder)
    elif source.format == "excel":
        file = excel.fetch(source.paths[0], request.sheet, request.folder)
    else:
        file = postgres.fetch(source.address, query, request.folder)
    return file.sql, file.notes


def _files(connection: DuckDBPyConnection, source: Source, folder: Path) -> str:
    """The SELECT of Parquet or JSON files, which must have the same columns."""
    function = "read_parquet" if source.format == "parquet" else "read_json_auto"
    paths: Sequence[Path] = source.paths
    if source.format == "json":
        paths = [plain_file(path, str(path), folder) for path in paths]
    parts = [f"SELECT * FROM {function}({literal(as_pattern(path))})" for path in paths]
    first: tuple[str, ...] = ()
    for path, part in zip(source.paths, parts, strict=True):
        names, _ = _describe(connection, part, str(path))
        first = first or names
        if set(names) != set(first):
            odd = sorted(set(names) ^ set(first))[:5]
            refuse(str(path), f"its columns differ from those of {source.paths[0]}: {odd}.")
    return " UNION ALL BY NAME ".join(parts)


def _describe(
    connection: DuckDBPyConnection, sql: str, name: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    import duckdb

    try:
        rows: list[Any] = connection.execute(f"DESCRIBE {sql}").fetchall()
    except duckdb.Error as error:
        refuse(name, unreadable(name, error))
    return tuple(str(row[0]) for row in rows), tuple(str(row[1]) for row in rows)
