"""`stylobate.read`: one function for every source of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stylobate.data.reading import postgres, sqlite
from stylobate.data.reading.connection import check_query, connect
from stylobate.data.reading.errors import refuse
from stylobate.data.reading.folder import Folder, room_for_copies
from stylobate.data.reading.plan import Request
from stylobate.data.reading.relation import Relation
from stylobate.data.reading.source import Source, find_source
from stylobate.exceptions import InvalidParameterError


def read(
    source: Any,
    *,
    table: str | None = None,
    query: str | None = None,
    sheet: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    missing: Sequence[str] = (),
    typed: bool = True,
) -> Relation:
    r"""A table from a file, an address, a database, a query or a data frame; lazily.

    Only the first lines of a text file are looked at until rows are asked for. Nothing is ever
    written to the source.

    Parameters
    ----------
    source : path, str or data frame
        CSV and its relatives (any delimiter and encoding, also compressed by gzip or Zstandard),
        Parquet, JSON, Excel, a DuckDB or SQLite file, told by their content; a pattern such as
        ``"data/*.csv"``; an http(s) address of such a file; ``postgresql://user@host/database``; a
        SELECT; a pandas, polars, pyarrow or narwhals frame, or anything else with an Arrow stream;
        the name of a shipped data set such as ``"titanic"``.
    table : str, default=None
        Of a database; may be left out if there is only one.
    query : str, default=None
        One SELECT against a database, instead of `table`.
    sheet : str, default=None
        Of an Excel workbook; the first one if None.
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
        With `columns`, `types`, `notes`, `schema`, `head`, `to_frame`, `batches` and ``len``; an
        Arrow stream of its rows is what other libraries take.

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
    folder = Folder()
    with room_for_copies(str(source)[:100], folder.path):
        found = find_source(source, folder.path)
    if sheet is not None and found.format != "excel":
        refuse(found.name, "sheet is for Excel workbooks.")
    request = Request(
        found,
        _query(found, source, table, query),
        sheet,
        encoding,
        delimiter,
        tuple(missing),
        typed,
        folder.path,
    )
    relation = Relation(request, folder)
    if found.format != "query":  # what cannot be read is refused here rather than later
        _ = relation.columns
    return relation


def _query(found: Source, source: Any, table: str | None, query: str | None) -> str | None:
    """The SELECT to run against a database, or None for other sources."""
    if found.format == "query":
        return check_query(source, "query")
    if found.format not in ("duckdb", "sqlite", "postgresql"):
        if table is not None or query is not None:
            refuse(found.name, "table and query are for databases.")
        return None
    if query is not None:
        if table is not None:
            refuse(found.name, "pass table or query, not both.")
        if found.format == "postgresql":  # its server checks, in a transaction that cannot write
            return query.strip().rstrip(";")
        return check_query(query, found.name)
    whole = postgres.whole_table if found.format == "postgresql" else sqlite.whole_table
    return whole(_table(found, table))


def _table(found: Source, table: str | None) -> str:
    names = _tables(found)
    if table is None and len(names) == 1:
        return names[0]
    if table not in names:
        told = "which table?" if table is None else f"there is no table {table!r}."
        refuse(found.name, f"{told} There are: {', '.join(names) or 'none'}.")
    return str(table)


def _tables(found: Source) -> list[str]:
    if found.format == "postgresql":
        return postgres.tables_of(found.address)
    if found.format == "sqlite":
        return sqlite.tables_of(found.paths[0])
    connection = connect(str(found.paths[0]))
    try:
        rows = connection.execute("SHOW TABLES").fetchall()
    finally:
        connection.close()
    return sorted(str(row[0]) for row in rows)
