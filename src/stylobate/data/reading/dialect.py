"""How a text file separates its cells and where its rows begin."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import NamedTuple

DELIMITERS = (",", ";", "\t", "|")
_LOOKED_AT = 500  # rows


class Row(NamedTuple):
    """The cells of a row and the number of its last line, counted from 1."""

    cells: list[str]
    line: int


class Dialect(NamedTuple):
    """A delimiter, the usual number of cells of a row, and the first rows."""

    delimiter: str
    width: int
    rows: list[Row]


def detect_dialect(head: str, delimiter: str | None = None) -> Dialect:
    r"""The delimiter for which most rows have the same number of cells.

    >>> detect_dialect("a;b\n1,5;2\n2;3,5\n").delimiter
    ';'
    """
    found = [_split(head, mark) for mark in ([delimiter] if delimiter else DELIMITERS)]
    return max(found, key=_agreement)


def _split(head: str, delimiter: str) -> Dialect:
    reader = csv.reader(io.StringIO(head, newline=""), delimiter=delimiter)
    rows: list[Row] = []
    try:
        for cells in reader:
            rows.append(Row([*cells], reader.line_num))
            if len(rows) == _LOOKED_AT:
                break
    except csv.Error:  # a quote that never ends; the rows so far decide
        pass
    widths = Counter(len(row.cells) for row in rows if any(map(str.strip, row.cells)))
    width = max(widths, key=lambda w: (widths[w] * (w > 1), w), default=0)
    return Dialect(delimiter, width, rows)


def _agreement(dialect: Dialect) -> tuple[float, int]:
    filled = [row for row in dialect.rows if any(map(str.strip, row.cells))]
    same = sum(len(row.cells) == dialect.width for row in filled)
    if dialect.width < 2:
        return 0.0, 0
    return round(same / len(filled), 2), dialect.width
