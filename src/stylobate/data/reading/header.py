"""Which rows of a file name its columns, and names that differ."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from stylobate.data.kinds.spellings import is_missing
from stylobate.data.reading.dialect import Dialect, Row

_NUMBER = re.compile(r"^\(?[-+−]?\s*[$€£]?\s*[-+]?[\d.,' ]*\d[\d.,]*([eE][-+]?\d+)?\s*[%€]?\)?$")
_DATE = re.compile(r"^\d{1,4}([-/.])\d{1,2}\1\d{1,4}([ T]\d{1,2}:\d{2}.*)?$")
_MOST = 0.7  # of the cells of a column make it one of numbers or dates
_MOST_ROWS = 6  # of a header
_YEARS = range(1700, 2200)


class Header(NamedTuple):
    """The names of the columns, the lines before the data, and what had to be done about them."""

    names: tuple[str, ...]
    skip: int
    notes: tuple[str, ...]


def find_header(dialect: Dialect) -> Header:
    r"""The rows above the data that name the columns.

    Three rules. The table begins with the first row that is as wide as the others and not much
    emptier. Its first row is a header unless it looks like the rows below: in columns of numbers
    or dates most of its cells are such too, or, where all is text, one of its cells occurs again
    below. Rows under it belong to it as long as they hold words, and no number, where the columns
    hold numbers.

    >>> from stylobate.data.reading.dialect import detect_dialect
    >>> find_header(detect_dialect("A title\n\nage,age\n1,2\n3,4\n"))[:2]
    (('age', 'age_2'), 3)
    """
    width = dialect.width
    rows = [row._replace(cells=[cell.strip() for cell in row.cells]) for row in dialect.rows]
    first = _first_row(rows, width)
    top = rows[first].cells
    body = [row.cells for row in rows[first + 1 :]]
    if len(top) == width - 1 and body:  # as R writes them: a name less than cells
        top = ["", *top]
    width = max(width, len(top))  # rows below may leave out their last cells
    typed = _typed_columns(body, width)
    if _is_data(top, body, typed):
        names, _ = unique_names([""] * width)
        skip = rows[first - 1].line if first else 0
        said = "the first row looks like those below, so there is no header"
        return Header(names, skip, (f"{said}; names are {names[0]} to {names[-1]}",))
    last = first
    while last + 1 < len(rows) and last - first < _MOST_ROWS:
        if not _continues(rows[last + 1].cells, typed):
            break
        last += 1
    parts = [top, *(row.cells for row in rows[first + 1 : last + 1])]
    names, notes = unique_names(list(map(_unquoted, _join(parts, width))))
    if first:
        notes = (f"{rows[first - 1].line} lines before the header skipped", *notes)
    if last > first:
        notes = (f"{last - first + 1} rows of the header joined", *notes)
    return Header(names, rows[last].line, notes)


def _first_row(rows: Sequence[Row], width: int) -> int:
    """The first row of the table, behind titles and blank lines."""
    filled = [sum(map(bool, row.cells)) for row in rows if any(row.cells)]
    enough = max(1.0, median(filled) / 3 if filled else 0)
    for i, row in enumerate(rows):
        cells = sum(map(bool, row.cells))
        named = len(row.cells) == width - 1 == cells and width > 2
        if (len(row.cells) >= width or named) and cells >= enough:
            return i
    return 0


def _is_value(cell: str) -> bool:
    return _NUMBER.match(cell) is not None or _DATE.match(cell) is not None


def _typed_columns(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """The columns most of whose cells are numbers or dates."""
    found = []
    for j in range(width):
        cells = [row[j] for row in rows if len(row) > j]
        others = [cell for cell in cells if not _is_value(cell)]  # a value is never missing
        values, strange = len(cells) - len(others), sum(not is_missing(cell) for cell in others)
        if values and values >= _MOST * (values + strange):
            found.append(j)
    return found


def _is_data(top: Sequence[str], body: Sequence[Sequence[str]], typed: Sequence[int]) -> bool:
    """Whether the first row looks like the rows below."""
    if not body:
        return bool(top) and all(map(_is_value, filter(None, top)))
    if _are_years(top):
        return False
    if typed:
        cells = [top[j] for j in typed if j < len(top) and top[j]]
        values = sum(_is_value(cell) or is_missing(cell) for cell in cells)
        return 2 * values > len(cells)
    return any(
        cell and sum(j < len(row) and row[j] == cell for row in body) > 1
        for j, cell in enumerate(top)
    )


def _are_years(cells: Sequence[str]) -> bool:
    """Years in a row name columns of a series."""
    years = [int(cell) for cell in cells if cell.isdecimal()]
    rising = all(a < b for a, b in itertools.pairwise(years))
    return len(years) > 2 and rising and years[0] in _YEARS and years[-1] in _YEARS


def _continues(cells: Sequence[str], typed: Sequence[int]) -> bool:
    """Whether a row under a header belongs to it: words where the columns hold numbers."""
    if any(map(_is_value, cells)):
        return False
    return any(j < len(cells) and cells[j] and not is_missing(cells[j]) for j in typed)


def _unquoted(name: str) -> str:
    """A name without quotes that are not those of the dialect."""
    quoted = len(name) > 2 and name[0] == name[-1] == "'"
    return name[1:-1] if quoted else name


def _join(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """One name per column; a cell of an upper row counts for the empty ones to its right."""
    parts: list[list[str]] = [[] for _ in range(width)]
    for depth, row in enumerate(rows):
        carried = ""
        below = rows[depth + 1 :]
        for j in range(width):
            cell = row[j] if j < len(row) else ""
            carried = cell or carried
            spans = any(j < len(lower) and lower[j] for lower in below)
            text = cell or (carried if spans and depth == 0 else "")
            if text and text not in parts[j]:
                parts[j].append(text)
    return [" / ".join(part) for part in parts]


def unique_names(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names without blanks around them, no two alike, none empty; and what was changed.

    >>> unique_names(["a", "", " a"])
    (('a', 'column_2', 'a_2'), ('1 empty name became column_2', "repeated name 'a' became a_2"))
    """
    taken: set[str] = set()  # lower case: SQL does not tell A from a
    kept, empty, repeated = [], [], []
    for j, name in enumerate(names):
        plain = " ".join("".join(c if c.isprintable() else " " for c in name).split())
        candidate = plain or f"column_{j + 1}"
        stem, k = candidate, 1
        while candidate.lower() in taken:
            k += 1
            candidate = f"{stem}_{k}"
        if not plain:
            empty.append(candidate)
        elif k > 1:
            repeated.append(f"repeated name {plain!r} became {candidate}")
        taken.add(candidate.lower())
        kept.append(candidate)
    notes = repeated[:3]
    if len(repeated) > 3:
        notes.append(f"{len(repeated) - 3} more repeated names numbered alike")
    if empty:
        shown = ", ".join(empty[:3]) + (", …" if len(empty) > 3 else "")
        notes.insert(0, f"{len(empty)} empty name{'s'[: len(empty) > 1]} became {shown}")
    return tuple(kept), tuple(notes)
