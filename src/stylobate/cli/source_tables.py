"""Several tables as a source of a study: a database, or a folder of files that are tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stylobate.exceptions import InvalidParameterError

_SQLITE, _DUCKDB = b"SQLite format 3", b"DUCK"


def open_tables(source: str, target: str | None) -> Any:
    """The database that a source names, if it has several tables; None for anything else.

    A folder is one table in several files, unless the target names a file of it: ``orders.days``
    for ``orders.csv``.

    Parameters
    ----------
    source : str
    target : str or None
        Asked for in words where it is missing.
    """
    path = Path(source)
    if source.startswith(("postgresql://", "postgres://")):
        found = _database(source)
    elif path.is_dir():
        stems = {each.name.partition(".")[0] for each in path.iterdir() if each.is_file()}
        home = (target or "").rpartition(".")[0]
        if home not in stems or len(stems) == 1:
            return None
        found = _database(source)
    elif path.is_file() and _is_database(path):
        found = _database(source)
        if len(found.tables) == 1:
            return None
    else:
        return None
    if not target:
        raise InvalidParameterError(
            f"Say which column to predict with --target table.column; the tables of {found.name} "
            f"are: {', '.join(found.tables)}."
        )
    return found


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        start = file.read(16)
    return start.startswith(_SQLITE) or start[8:12] == _DUCKDB


def _database(source: str) -> Any:
    from stylobate.joins import database

    return database(source)
