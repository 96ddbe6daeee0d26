"""Rows that do not have as many cells as the header, and cells that are not of their type."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from stylobate.data.interrupts import is_interrupt
from stylobate.data.reading.connection import identifier
from stylobate.data.reading.engine_words import first_line
from stylobate.data.reading.errors import refuse
from stylobate.data.reading.scan import Scan

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_MOST = 10_000  # rejected cells that are listed
_NAMED = 5  # ragged rows named in a note
_NOTE = re.compile(r"\d (row has|rows have) not \d+ cells \(lines? \d")
_PIECE = 1 << 20


class Ragged(NamedTuple):
    """A row with too few or too many cells: its first byte (the file's is 1) and its text."""

    start: int
    text: str


class Rejects(NamedTuple):
    """Ragged rows, and columns with a cell that is not of their type."""

    rows: list[Ragged]
    columns: list[str]


def find_ragged(
    connection: DuckDBPyConnection, scan: Scan, types: Mapping[str, str], formats: Mapping[str, str]
) -> Rejects:
    """What DuckDB rejects of a file; a misplaced quote is refused."""
    import duckdb

    source = scan.sql(types, formats, f"store_rejects=true, rejects_limit={_MOST}")
    asked = ", ".join(f"count({identifier(name)})" for name in scan.names)
    try:
        connection.execute(f"SELECT {asked} FROM {source}").fetchall()
        rows = connection.execute(
            "SELECT error_type::VARCHAR, line_byte_position, column_name, csv_line "
            "FROM reject_errors ORDER BY line_byte_position"
        ).fetchall()
        connection.execute("DROP TABLE reject_errors; DROP TABLE reject_scans")
    except duckdb.Error as error:
        if is_interrupt(error):
            raise
        refuse(scan.name, f"it cannot be read as a table: {first_line(error)}")
    ragged: dict[int, Ragged] = {}
    columns: dict[str, None] = {}
    for kind, position, column, text in rows:
        if kind == "CAST":
            columns[column] = None
        elif "COLUMNS" in kind:
            ragged[position] = Ragged(int(position), text or "")
        else:
            (line,) = _lines(scan.path, [int(position)])
            refuse(
                scan.name,
                f"line {line} cannot be taken apart ({kind.lower()}): a quote is misplaced.",
            )
    return Rejects(list(ragged.values()), list(columns))


def widened(scan: Scan, ragged: Sequence[Ragged]) -> tuple[Scan, str]:
    """The scan with further names for the longest row, and a note on where the rows are."""
    names = scan.names
    widest = max(len(_cells(row.text, scan.delimiter)) for row in ragged)
    extra = tuple(f"beyond_{k + 1}" for k in range(max(0, widest - len(names))))
    found = _lines(scan.path, [row.start for row in ragged[:_NAMED]])
    lines = f"line{'s' if len(found) > 1 else ''} {', '.join(map(str, found))}"
    more = ", …" if len(ragged) > _NAMED else ""
    count = f"at least {_MOST}" if len(ragged) >= _MOST else str(len(ragged))
    have = "rows have" if len(ragged) > 1 else "row has"
    note = f"{count} {have} not {len(names)} cells ({lines}{more}); missing cells are empty"
    if extra:
        note += f", cells beyond the header are in {', '.join(extra[:3])}"
    return scan._replace(names=(*names, *extra), padded=True), note


def tells_of_ragged(note: str) -> bool:
    """Whether one of a reader's notes is that of `widened`.

    >>> tells_of_ragged("2 rows have not 3 cells (lines 11, 31); missing cells are empty")
    True
    """
    return _NOTE.search(note) is not None


def _lines(path: Path, starts: Sequence[int]) -> list[int]:
    """The lines (from 1) of some bytes (from 1), in order.

    DuckDB counts rows, and a quoted cell may hold line breaks; where lines end in two characters
    it takes the second for the first byte of the next row, so that byte is looked at as well.
    """
    found, at, feeds, returns = [], 0, 0, 0
    with path.open("rb") as file:
        for start in starts:
            while at < start and (piece := file.read(min(_PIECE, start - at))):
                at += len(piece)
                feeds += piece.count(b"\n")
                returns += piece.count(b"\r")
            found.append((feeds or returns) + 1)
    return found


def _cells(text: str, delimiter: str) -> list[str]:
    lines = io.StringIO(text.strip("\r\n"), newline="")
    return next(csv.reader(lines, delimiter=delimiter), [])
