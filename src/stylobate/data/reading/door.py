"""`stylobate.read`: one function for every source of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stylobate.data.reading import sqlite
from stylobate.data.reading.connection import check_query, connect
from stylobate.data.reading.errors import refuse
from stylobate.data.reading.plan import Request, names_of
from stylobate.data.reading.relation import Relation
from stylobate.data.reading.source import Source, find_source
from stylobate.exceptions import InvalidParameterError


def read(
    source: Any,
    *,
    table: str | None = None,
    query: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    missing: Sequence[str] = (),
    typed: bool = True,
) -> Relation:
    r"""A table from a file, a pattern of files, a database, a query or a data frame; lazily.

    Only the first lines of a text file are looked at until rows are asked for. Nothing is written
    to the source, nothing is fetched from the network.

    Parameters
    ----------
    source : path, str or data frame
        CSV and its relatives (any delimiter and encoding, also gzipped), Parquet, JSON, a DuckDB
        or SQLite file; a pattern such as ``"data/*.csv"``; a SELECT; a pandas, polars or pyarrow
        frame. Files are told by their content.
    table : str, default=None
        Of a database; may be left out if there is only one.
    query : str, default=None
        One SELECT against a database, instead of `table`.
    encoding : str, default=None
        Python's name of the encoding of text; found from the bytes if None.
    delimiter : str of one character, default=None
        Between the cells of text; found from the first rows if None.
    missing : sequence of str, default=()
        Further spellings of missing values in text.
    typed : bool, default=True
        Find numbers (also with decimal commas, thousands, currency or percent), dates and truth
        values in text, each proved on all rows. If False, every column stays text.

    Returns
    -------
    Relation
        With `columns`, `types`, `notes`, `head`, `to_frame`, `batches` and ``len``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name) / "prices.csv"
    >>> _ = path.write_text("item;price\npen;1,5\nink;12,25\nbox;-\n")
    >>> rows = read(path)
    >>> rows.columns, len(rows), rows.types["price"]
    (('item', 'price'), 3, 'DOUBLE')
    >>> folder.cleanup()
    """
    if delimiter is not None and (not isinstance(delimiter, str) or len(delimiter) != 1):
        raise InvalidParameterError(f"read: delimiter={delimiter!r} must be one character.")
    if isinstance(missing, str):
        raise InvalidParameterError(f"read: missing={missing!r} must be a list of texts.")
    found = find_source(source)
    asked = _query(found, source, table, query)
    request = Request(found, asked, table, encoding, delimiter, tuple(missing), typed)
    if found.format in ("csv", "sqlite"):
        names_of(request)  # what cannot be read is refused here rather than later
    return Relation(request)


def _query(found: Source, source: Any, table: str | None, query: str | None) -> str | None:
    """The SELECT to run against a database, or None for other sources."""
    if found.format == "query":
        return check_query(source, "query")
    if found.format not in ("duckdb", "sqlite"):
        if table is not None or query is not None:
            refuse(found.name, "table and query are for DuckDB and SQLite files.")
        return None
    if query is not None:
        if table is not None:
            refuse(found.name, "pass table or query, not both.")
        return check_query(query, found.name)
    return sqlite.whole_table(_table(found, table))


def _table(found: Source, table: str | None) -> str:
    names = _tables(found)
    if table is None and len(names) == 1:
        return names[0]
    if table not in names:
        told = "which table?" if table is None else f"there is no table {table!r}."
        refuse(found.name, f"{told} There are: {', '.join(names) or 'none'}.")
    return str(table)


def _tables(found: Source) -> list[str]:
    if found.format == "sqlite":
        return sqlite.tables_of(found.paths[0])
    connection = connect(str(found.paths[0]))
    try:
        rows = connection.execute("SHOW TABLES").fetchall()
    finally:
        connection.close()
    return sorted(str(row[0]) for row in rows)
