"""What a table is called: as it was named, by its file, or by the variable that holds it."""

from __future__ import annotations

import sys
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from stylobate.exceptions import InvalidParameterError


def table_name(table: Any, given: Any, otherwise: str, depth: int = 2) -> str:
    """A table's name.

    Parameters
    ----------
    table : object
        What the caller passed.
    given : str or None
        The name the caller gave.
    otherwise : str
        The name of a table that has none.
    depth : int
        How many calls up the caller is, whose variables are looked through, as DuckDB does.

    Examples
    --------
    >>> table_name("data/orders.parquet", None, "facts"), table_name([], "lines", "facts")
    ('orders', 'lines')
    """
    if given is not None:
        if not isinstance(given, str) or not given:
            raise InvalidParameterError(f"join: name must be a text, got {given!r}.")
        return given
    source = _file_of(table)
    if source is not None:
        return source
    frame = sys._getframe(depth)
    for variables in (frame.f_locals, frame.f_globals):
        for name, value in variables.items():
            if value is table and not name.startswith("_"):
                return name
    return otherwise


def _file_of(table: Any) -> str | None:
    """The table of a database, or the file without its ending."""
    if isinstance(table, str | PathLike):
        return Path(fspath(table)).name.partition(".")[0] or None
    source = getattr(getattr(table, "_request", None), "source", None)
    if source is None or not source.paths or source.format in ("duckdb", "sqlite"):
        return None
    return Path(source.paths[0]).name.partition(".")[0] or None
