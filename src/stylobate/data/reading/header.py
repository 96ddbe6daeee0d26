"""Which rows of a file name its columns, and names that differ."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from stylobate.data.kinds.spellings import is_missing
from stylobate.data.reading.dialect import Dialect

_NUMBER = re.compile(r"^\(?[-+−]?\s*[$€£]?\s*[-+]?[\d.,' ]*\d[\d.,]*([eE][-+]?\d+)?\s*[%€]?\)?$")
_MOST_ROWS = 6  # of a header
_YEARS = range(1700, 2200)


class Header(NamedTuple):
    """The names of the columns, the lines before the data, and what had to be done about them."""

    names: tuple[str, ...]
    skip: int
    notes: tuple[str, ...]


def find_header(dialect: Dialect) -> Header:
    r"""The rows above the data that name the columns.

    >>> from stylobate.data.reading.dialect import detect_dialect
    >>> find_header(detect_dialect("A title\n\nage,age\n1,2\n3,4\n"))[:2]
    (('age', 'age_2'), 3)
    """
    width = dialect.width
    rows = [row._replace(cells=[cell.strip() for cell in row.cells]) for row in dialect.rows]
    filled = [sum(map(bool, row.cells)) for row in rows if any(row.cells)]
    enough = median(filled) / 3 if filled else 0
    full = [i for i, row in enumerate(rows) if _is_full(row.cells, width, enough)]
    first = full[0] if full else 0
    width = max(width, len(rows[first].cells))  # rows below may leave out their last cells
    numeric = _numeric_columns([row.cells for row in rows[first + 1 :]], width)
    top = rows[first].cells
    if first + 1 == len(rows):
        numeric = list(range(width))
    if _has_number(top, numeric) and not _are_years(top):
        names, _ = unique_names([""] * width)
        skip = rows[first - 1].line if first else 0
        said = f"the row after line {skip} holds numbers, so there is no header"
        return Header(names, skip, (f"{said}; names are {names[0]} to {names[-1]}",))
    last = first
    while last + 1 < len(rows) and last - first < _MOST_ROWS:
        if not _continues(rows[last + 1].cells, numeric):
            break
        last += 1
    names, notes = unique_names(_join([row.cells for row in rows[first : last + 1]], width))
    if first:
        notes = (f"{rows[first - 1].line} lines before the header skipped", *notes)
    if last > first:
        notes = (f"{last - first + 1} rows of the header joined", *notes)
    return Header(names, rows[last].line, notes)


def _is_full(cells: Sequence[str], width: int, enough: float) -> bool:
    return len(cells) >= width and sum(map(bool, cells)) >= max(1, enough)


def _is_number(cell: str) -> bool:
    return _NUMBER.match(cell) is not None


def _numeric_columns(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """The columns most of whose cells are numbers."""
    found = []
    for j in range(width):
        cells = [row[j] for row in rows if len(row) > j and not is_missing(row[j])]
        if cells and sum(map(_is_number, cells)) >= 0.7 * len(cells):
            found.append(j)
    return found


def _has_number(cells: Sequence[str], numeric: Sequence[int]) -> bool:
    return any(_is_number(cells[j]) for j in numeric if j < len(cells))


def _are_years(cells: Sequence[str]) -> bool:
    """Years in a row name columns of a series."""
    years = [int(cell) for cell in cells if cell.isdecimal()]
    rising = all(a < b for a, b in itertools.pairwise(years))
    return len(years) > 2 and rising and years[0] in _YEARS and years[-1] in _YEARS


def _continues(cells: Sequence[str], numeric: Sequence[int]) -> bool:
    """Whether a row under a header belongs to it: words where the columns hold numbers."""
    if any(map(_is_number, cells)):
        return False
    return any(j < len(cells) and cells[j] and not is_missing(cells[j]) for j in numeric)


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
        plain = " ".join(name.replace("\x00", "").split())
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
