"""Connections to DuckDB that read and do nothing else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from stylobate.data.interrupts import as_keyboard_interrupt
from stylobate.data.reading.engine_words import first_line, unreadable
from stylobate.data.reading.errors import refuse

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


LOCK = "SET lock_configuration = true"


def connect(database: str | None = None) -> DuckDBPyConnection:
    """A connection that fetches no extension; a database file is attached read-only.

    With a database, no other file can be read through the connection.
    """
    import duckdb

    settings: dict[str, Any] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    connection = duckdb.connect(":memory:", config=settings)
    connection.execute("SET enable_progress_bar = false")
    if database is not None:
        try:
            connection.execute(f"ATTACH {literal(database)} AS source (READ_ONLY); USE source")
        except duckdb.Error as error:
            refuse(database, f"DuckDB cannot open it: {first_line(error)}")
        connection.execute("SET enable_external_access = false")
    return connection


class LateConnection:
    """A connection that is made when it is first asked something: a plain file needs none.

    Tables that are registered, and the lock of its settings, wait until then.
    """

    def __init__(self) -> None:
        """Make nothing yet."""
        self._made: DuckDBPyConnection | None = None
        self._tables: dict[str, Any] = {}
        self._locked = False

    def register(self, name: str, table: Any) -> None:
        """Give a table a name."""
        self._tables[name] = table
        if self._made is not None:
            self._made.register(name, table)

    def lock(self) -> None:
        """Let no setting be changed from now on."""
        self._locked = True
        if self._made is not None:
            self._made.execute(LOCK)

    def __getattr__(self, name: str) -> Any:
        """Whatever else a connection offers."""
        if name.startswith("__"):
            raise AttributeError(name)
        if self._made is None:
            self._made = connect()
            for each, table in self._tables.items():
                self._made.register(each, table)
            if self._locked:
                self._made.execute(LOCK)
        return getattr(self._made, name)


@contextmanager
def engine_errors(name: str) -> Iterator[None]:
    """Let Ctrl-C be KeyboardInterrupt, and any other error of DuckDB or Arrow one sentence."""
    try:
        with as_keyboard_interrupt():
            yield
    except Exception as error:
        if not _is_engine_error(error):
            raise
        refuse(name, unreadable(name, error))


def _is_engine_error(error: Exception) -> bool:
    """Whether DuckDB or Arrow raised it; who has not loaded them cannot have got one."""
    kinds = (("duckdb", "Error"), ("pyarrow", "ArrowException"))
    loaded = ((sys.modules.get(module), name) for module, name in kinds)
    return any(
        module is not None and isinstance(error, getattr(module, name)) for module, name in loaded
    )


def check_query(query: str, name: str) -> str:
    """The query, if it is one SELECT; anything that could write is refused."""
    import duckdb

    try:
        statements = duckdb.extract_statements(query)
    except duckdb.Error as error:
        refuse(name, f"the query is not SQL: {first_line(error)}")
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        refuse(name, "the query must be one SELECT: data are read, never written.")
    return query.strip().rstrip(";")


def identifier(name: str) -> str:
    """A name as SQL quotes it."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as SQL quotes it."""
    return "'" + text.replace("'", "''") + "'"
