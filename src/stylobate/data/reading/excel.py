"""Excel workbooks, by openpyxl or by DuckDB's extension, whichever there is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime, time
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from stylobate.data.reading.dialect import Dialect, Row
from stylobate.data.reading.errors import refuse
from stylobate.data.reading.header import Header, find_header
from stylobate.data.reading.rows import TypedFile, write_rows

_LOOKED_AT = 500  # rows
_ROWS_AT_ONCE = 5_000


def fetch(path: Path, sheet: str | None, folder: Path) -> TypedFile:
    """The cells of a sheet, the first one if none is named; formulas as their last values."""
    if not find_spec("openpyxl"):
        refuse(
            str(path), "this is an Excel workbook; install openpyxl to read it, or save it as CSV."
        )
    import openpyxl

    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except Exception as error:  # openpyxl has no error of its own: zip, XML, keys
        refuse(str(path), f"it is no Excel workbook that can be read ({type(error).__name__}).")
    with closing(book):
        if sheet is not None and sheet not in book.sheetnames:
            refuse(str(path), f"there is no sheet {sheet!r}. There are: {_listed(book)}.")
        rows = book[sheet or book.sheetnames[0]].iter_rows(values_only=True)
        head = [tuple(row) for row in islice(rows, _LOOKED_AT)]
        header = _header(head, path)
        width = len(header.names)
        body = _batches(head[header.skip :], rows, width)
        written = write_rows(folder / "rows.csv", header.names, body)
    notes = header.notes
    if sheet is None and len(book.sheetnames) > 1:
        notes = (f"the first of the sheets {_listed(book)}", *notes)
    return written._replace(notes=notes)


def _listed(book: Any) -> str:
    return ", ".join(book.sheetnames)


def _header(head: Sequence[Sequence[Any]], path: Path) -> Header:
    texts = [["" if cell is None else str(cell) for cell in row] for row in head]
    if not any(any(row) for row in texts):
        refuse(str(path), "the sheet is empty.")
    rows = [Row(row, k + 1) for k, row in enumerate(texts)]
    width = max(max((j + 1 for j, cell in enumerate(row) if cell), default=0) for row in texts)
    return find_header(Dialect(",", width, [Row(row.cells[:width], row.line) for row in rows]))


def _batches(
    head: Sequence[Sequence[Any]], rows: Iterator[Any], width: int
) -> Iterator[list[list[Any]]]:
    batch: Sequence[Any] = head
    while batch:
        filled = [_padded(row, width) for row in batch if any(cell is not None for cell in row)]
        if filled:
            yield filled
        batch = list(islice(rows, _ROWS_AT_ONCE))


def _padded(row: Sequence[Any], width: int) -> list[Any]:
    cells = [*row[:width], *([None] * (width - len(row)))]
    return [_day(cell) for cell in cells]


def _day(cell: Any) -> Any:
    """Excel has no days: a moment at midnight is one."""
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date()
    return None if cell == "" else cell
