"""Where in a text file a row stands."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from stylobate.data.reading.packed import plain_file

if TYPE_CHECKING:
    from stylobate.data.reading.delimited import Delimited

_LONGEST = 1 << 30


def lines_of(file: Delimited, rows: Iterable[int], folder: Path) -> dict[int, int]:
    """The line (from 1) in which each of some rows (from 0) begins.

    Cells may hold line breaks and lines may be empty, so rows are counted as they are read.
    """
    wanted = set(rows)
    found: dict[int, int] = {}
    path = plain_file(file.path, str(file.path), folder)
    csv.field_size_limit(_LONGEST)
    with path.open(encoding=file.encoding.name, errors="replace", newline="") as text:
        for _ in range(file.header.skip):
            next(text, None)
        reader = csv.reader(text, delimiter=file.dialect.delimiter)
        row, begins = 0, file.header.skip + 1
        for cells in reader:
            if cells:
                if row in wanted:
                    found[row] = begins
                    if len(found) == len(wanted):
                        break
                row += 1
            begins = file.header.skip + reader.line_num + 1
    return found
