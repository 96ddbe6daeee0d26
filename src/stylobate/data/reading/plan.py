"""From a request to SQL: what DuckDB is asked when rows are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from stylobate.data.reading import delimited, sqlite
from stylobate.data.reading.connection import (
    check_query,
    connect,
    first_line,
    literal,
)
from stylobate.data.reading.errors import refuse
from stylobate.data.reading.header import unique_names
from stylobate.data.reading.source import Source

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class Request(NamedTuple):
    """What the caller asked for."""

    source: Source
    query: str | None
    table: str | None
    encoding: str | None
    delimiter: str | None
    missing: tuple[str, ...]
    typed: bool


class Plan(NamedTuple):
    """A connection and the SELECT that gives the rows."""

    connection: DuckDBPyConnection
    sql: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    notes: tuple[str, ...]


def names_of(request: Request) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the columns and the first notes, from the first lines of a file."""
    source = request.source
    if source.format == "csv":
        files = _look(request, source.paths)
        delimited.agree(files)
        return files[0].header.names, files[0].notes
    if source.format == "sqlite":
        return unique_names(sqlite.columns_of(source.paths[0], request.query or ""))
    return make_plan(request, "").columns, ()


def _look(request: Request, paths: Sequence[Path]) -> list[delimited.Delimited]:
    return [delimited.look_at(path, request.encoding, request.delimiter) for path in paths]


def make_plan(request: Request, folder: str) -> Plan:
    """The plan of a request; text files are passed over to prove their types."""
    source = request.source
    notes: tuple[str, ...] = ()
    connection = connect(str(source.paths[0]) if source.format == "duckdb" else None)
    if source.format in ("csv", "sqlite"):
        files = _look(request, source.paths) if source.format == "csv" else _cells(request, folder)
        sql, notes = delimited.plan(connection, files, Path(folder), request.missing, request.typed)
    elif source.format in ("parquet", "json"):
        listed = ", ".join(literal(str(path)) for path in source.paths)
        function = "read_parquet" if source.format == "parquet" else "read_json_auto"
        sql = f"SELECT * FROM {function}([{listed}], union_by_name=true)"
    elif source.format == "frame":
        connection.register("frame", source.frame)
        sql = "SELECT * FROM frame"
    else:
        sql = check_query(request.query or "", source.name)
    connection.execute("SET lock_configuration = true")
    columns, types = _describe(connection, sql, source.name)
    return Plan(connection, sql, columns, types, notes)


def _cells(request: Request, folder: str) -> list[delimited.Delimited]:
    target = Path(folder) / "rows.csv"
    sqlite.write_cells(request.source.paths[0], request.query or "", target)
    file = delimited.look_at(target, "utf-8", ",")
    names, notes = unique_names(sqlite.columns_of(request.source.paths[0], request.query or ""))
    return [file._replace(header=file.header._replace(names=names, skip=1, notes=notes))]


def _describe(
    connection: DuckDBPyConnection, sql: str, name: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    import duckdb

    try:
        rows: list[Any] = connection.execute(f"DESCRIBE {sql}").fetchall()
    except duckdb.Error as error:
        refuse(name, f"it cannot be read: {first_line(error)}")
    return tuple(str(row[0]) for row in rows), tuple(str(row[1]) for row in rows)
