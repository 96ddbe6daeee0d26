"""Moments in time as numbers: of dates, of dates written as text, of numbers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError

# as SQLite and CSV files hold dates, which have no type for them
_WRITTEN = re.compile(r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?")


def written_dates(column: NDArray[Any]) -> NDArray[np.datetime64] | None:
    """Dates that are written as text, year first; None where a text is no such date.

    Examples
    --------
    >>> written_dates(np.array(["2024-02-29", None, "2024-03-01 06:30"], dtype=object))
    array(['2024-02-29T00:00:00.000000',                        'NaT',
           '2024-03-01T06:30:00.000000'], dtype='datetime64[us]')
    >>> written_dates(np.array(["2024-02-30"], dtype=object)) is None  # there is no such day
    True
    """
    texts = [None if value is None or value != value else value for value in column.tolist()]
    there = [text for text in texts if text is not None]
    if not there or not all(isinstance(t, str) and _WRITTEN.fullmatch(t) for t in there):
        return None
    try:
        return np.array(["NaT" if text is None else text for text in texts], "M8[us]")
    except ValueError:
        return None


def holds_dates(column: NDArray[Any]) -> bool:
    """Whether cells are dates, or texts that are.

    >>> holds_dates(np.array(["2024-01-01"], "M8[D]")), holds_dates(np.array([2024]))
    (True, False)
    """
    if column.dtype.kind == "M":
        return True
    return column.dtype.kind == "O" and written_dates(column) is not None


def time_numbers(column: NDArray[Any], where: str) -> Array:
    """Times as numbers: dates in seconds since 1970, numbers as they are.

    Parameters
    ----------
    column : array of shape (n,)
        Dates, dates written as text ("2024-02-29 18:30:00"), or numbers.
    where : str
        The column's name, for messages.

    Examples
    --------
    >>> time_numbers(np.array(["1970-01-02", "NaT"], "M8[D]"), "orders.time").tolist()
    [86400.0, nan]
    """
    if column.dtype.kind == "O":
        dates = written_dates(column)
        column = column if dates is None else dates
    if column.dtype.kind == "M":
        unit = np.timedelta64(1, "s")
        since = column - np.datetime64(0, "s")
        return np.asarray(since / unit, dtype=np.float64)
    if column.dtype.kind in "iuf":
        return column.astype(np.float64)
    raise InvalidDataError(
        f"aggregate: {where} holds no times; before= takes a column of numbers, or of dates (text "
        "such as '2024-02-29 18:30:00' is read as one)."
    )
