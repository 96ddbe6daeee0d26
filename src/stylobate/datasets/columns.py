"""A CSV file as columns: numbers where all cells are numbers, text otherwise.

Small on purpose: comma-separated UTF-8 with a header, read into memory.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import nan
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError

Columns = dict[str, NDArray[Any]]

MISSING = frozenset({"", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "."})
MAX_LINE = 1 << 20  # characters; a longer "line" is no table, and is never read to its end


def read_columns(file: IO[str], name: str) -> Columns:
    r"""The columns of a CSV file, by name, in the file's order.

    A column all of whose cells are numbers or missing is float64 with NaN for missing; any other
    holds its text, None for missing. A column without a name keeps the empty name.

    Parameters
    ----------
    file : text file
        Open for reading.
    name : str
        What to call it in messages.

    Returns
    -------
    dict of str to array of shape (n_rows,)

    Examples
    --------
    >>> import io
    >>> read_columns(io.StringIO("height,name\n1.5,Ann\nNA,Bo\n"), "example")
    {'height': array([1.5, nan]), 'name': array(['Ann', 'Bo'], dtype=object)}
    """
    reader = csv.reader(_bounded_lines(file, name), skipinitialspace=True, strict=True)
    try:
        header = [cell.strip() for cell in next(reader, [])]
        _refuse_bad_header(header, name)
        cells: list[list[str]] = [[] for _ in header]
        for row in reader:
            if not row:
                continue  # an empty line
            if len(row) != len(header):
                raise InvalidDataError(
                    f"{name}: line {reader.line_num} has {len(row)} cell(s) and the header "
                    f"{len(header)}; every line needs one cell per column."
                )
            for column, cell in zip(cells, row, strict=True):
                column.append(cell)
    except csv.Error as error:
        raise InvalidDataError(
            f"{name}: line {reader.line_num} cannot be read as comma-separated cells ({error})."
        ) from error
    except UnicodeDecodeError as error:
        raise InvalidDataError(
            f"{name} is not a text file in UTF-8 (byte {error.object[error.start]:#04x}); it has "
            "to be comma-separated text with a header."
        ) from error
    if not cells[0]:
        raise InvalidDataError(f"{name} has a header and no rows; there is nothing to read.")
    return {column: _typed(values) for column, values in zip(header, cells, strict=True)}


def _bounded_lines(file: IO[str], name: str) -> Iterator[str]:
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        if "\0" in line:
            raise InvalidDataError(
                f"{name} is not a text file (line {number} holds a zero byte); it has to be "
                "comma-separated text with a header."
            )
        if len(line) > MAX_LINE:
            raise InvalidDataError(
                f"{name}: line {number} has more than {MAX_LINE:,} characters, so this is not a "
                "comma-separated table; rows have to end with a line break."
            )
        yield line


def _refuse_bad_header(header: list[str], name: str) -> None:
    if not any(header):
        raise InvalidDataError(
            f"{name} is empty or starts with an empty line; the first line has to name the columns."
        )
    twice = [column for column, count in Counter(header).items() if count > 1]
    if twice:
        listed = ", ".join(repr(column) for column in islice(twice, 5))
        raise InvalidDataError(
            f"{name}: the header has {listed} more than once; give every column its own name."
        )
    if len(header) == 1:
        for separator, word in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars")):
            if separator in header[0]:
                raise InvalidDataError(
                    f"{name} seems to be separated by {word}; only commas are read as yet."
                )
    for column in header:
        if not column.isprintable():
            raise InvalidDataError(
                f"{name}: the column name {column[:40]!r} holds a control character; names have to "
                "be plain text."
            )


def _typed(cells: list[str]) -> NDArray[Any]:
    stripped = [cell.strip() for cell in cells]
    try:
        return np.array([nan if cell in MISSING else _number(cell) for cell in stripped])
    except ValueError:
        return np.array([None if cell in MISSING else cell for cell in stripped], dtype=object)


def _number(cell: str) -> float:
    if "_" in cell:  # Python's own notation for thousands, which no data file means
        raise ValueError(cell)
    return float(cell)


def is_numeric(column: NDArray[Any]) -> bool:
    """Whether a column came out as numbers."""
    return column.dtype.kind == "f"


def is_missing(column: NDArray[Any]) -> NDArray[np.bool_]:
    """Which cells are missing."""
    if is_numeric(column):
        return np.asarray(np.isnan(column))
    return np.array([cell is None for cell in column])
