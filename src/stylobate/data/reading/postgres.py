"""PostgreSQL, through psycopg: one read-only transaction, rows copied to a file as they come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from stylobate.data.reading.errors import refuse, without_password
from stylobate.data.reading.header import unique_names
from stylobate.data.reading.rows import NULL, TypedFile

_TYPES = {
    16: "BOOLEAN",
    **dict.fromkeys((20, 21, 23, 26), "BIGINT"),
    **dict.fromkeys((700, 701, 1700), "DOUBLE"),
    1082: "DATE",
    1114: "TIMESTAMP",
    1184: "TIMESTAMPTZ",
}
_SECONDS = 20  # to wait for a connection


@contextmanager
def reading_cursor(address: str) -> Iterator[Any]:
    """A cursor in a transaction that cannot write, whose errors name no password."""
    shown = without_password(address)
    if not find_spec("psycopg"):
        refuse(shown, "install psycopg (psycopg[binary]) to read from PostgreSQL.")
    import psycopg

    try:
        with psycopg.connect(address, connect_timeout=_SECONDS) as connection:
            connection.read_only = True
            with connection.cursor() as cursor:
                yield cursor
            connection.rollback()
    except psycopg.Error as error:
        said = " ".join(str(error).split())
        secret = urlsplit(address).password
        refuse(shown, f"PostgreSQL says: {said.replace(secret, '…') if secret else said}")


def tables_of(address: str) -> list[str]:
    """Tables and views one may name, those of other schemas with their schema."""
    with reading_cursor(address) as cursor:
        cursor.execute(
            "SELECT CASE WHEN table_schema = 'public' THEN table_name "
            "ELSE table_schema || '.' || table_name END FROM information_schema.tables "
            "WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1"
        )
        return [str(row[0]) for row in cursor.fetchall()]


def whole_table(name: str) -> str:
    """The query for all of a table, whose schema may stand before a point."""
    return "SELECT * FROM " + ".".join('"' + p.replace('"', '""') + '"' for p in name.split("."))


def columns_of(address: str, query: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the columns of a query, and what was changed; no row is read."""
    with reading_cursor(address) as cursor:
        names, notes, _ = _described(cursor, query)
    return names, notes


def _described(cursor: Any, query: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    # Prepared on the server, which takes one statement only: nothing can hide behind a ;
    cursor.execute(f"SELECT * FROM ({query}) AS rows LIMIT 0", prepare=True, binary=True)
    names, notes = unique_names([column.name for column in cursor.description])
    types = tuple(_TYPES.get(column.type_code, "VARCHAR") for column in cursor.description)
    return names, notes, types


def fetch(address: str, query: str, folder: Path) -> TypedFile:
    """Copy the rows of a query to a file, as they come."""
    target = folder / "rows.csv"
    longest = 0
    with reading_cursor(address) as cursor, target.open("wb") as out:
        names, _, types = _described(cursor, query)
        how = f"(FORMAT csv, NULL '{NULL}', FORCE_QUOTE *)"
        with cursor.copy(f"COPY ({query}) TO STDOUT WITH {how}") as copy:
            for row in copy:
                longest = max(longest, len(row))
                out.write(row)
    return TypedFile(target, names, types, longest)
