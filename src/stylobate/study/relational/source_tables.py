"""Several tables as a source of a study: a database, or a folder of files that are tables."""

from __future__ import annotations

import os
from pathlib import Path

from stylobate.exceptions import InvalidParameterError
from stylobate.joins import Database, database

_SQLITE, _DUCKDB = b"SQLite format 3", b"DUCK"


def open_tables(source: str, target: str | None) -> Database | None:
    """The database that a source names, if it has several tables; None for anything else.

    A folder is one table in several files, unless the target names a file of it: ``orders.days``
    for ``orders.csv``.

    Parameters
    ----------
    source : str
    target : str or None
        Asked for in words where it is missing.
    """
    if not _may_be_tables(source, target):
        return None
    found = database(source)
    if len(found.tables) == 1:
        return None
    if not target:
        raise InvalidParameterError(
            f"Say which column to predict with --target table.column; the tables of {found.name} "
            f"are: {', '.join(found.tables)}."
        )
    return found


def _may_be_tables(source: str, target: str | None) -> bool:
    if source.startswith(("postgresql://", "postgres://")):
        return True
    if os.path.isdir(source):  # which knows that a long query is no path
        stems = {each.name.partition(".")[0] for each in Path(source).iterdir() if each.is_file()}
        return len(stems) > 1 and (target or "").rpartition(".")[0] in stems
    return os.path.isfile(source) and _is_database(source)


def _is_database(path: str) -> bool:
    with open(path, "rb") as file:
        start = file.read(16)
    return start.startswith(_SQLITE) or start[8:12] == _DUCKDB
