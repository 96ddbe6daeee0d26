"""Whether the rows of a table are in the order of time, and by which columns."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.data.kinds import Column
from stylobate.exceptions import InvalidDataError
from stylobate.study.table.table import StudyTable

_FEWEST_ROWS, _FEWEST_MOMENTS = 40, 10
_FEWEST_NUMBERS = 30  # of numbers: a dozen years may as well be a property
_IN_ORDER = 0.995  # share of the steps from row to row that go one way
_REGULAR = 0.9  # share of equal steps of a series, whatever the order of its rows
_BORN = re.compile(r"birth|born|dob\b|geb", re.IGNORECASE)
_CLOCK = re.compile(
    r"(^|[\W_])(date|time|timestamp|datetime|epoch|year|yr|day|week|month|quarter|instant|"
    r"t|step|period)(s|id|_?no|_?nr|_?index)?$",
    re.IGNORECASE,
)
_CALENDAR = (("year", "month", "day", "hour"), ("year", "month", "day"), ("year", "month"))


@dataclass(frozen=True, eq=False)
class TimeOrder:
    """When each row was: numbers or dates that sort as time does.

    Attributes
    ----------
    names : tuple of str
        The columns that say so.
    moments : array
        One of each row.
    sorted : bool
        Whether the rows of the table come in this order (or in the reverse one).
    """

    names: tuple[str, ...]
    moments: NDArray[np.float64]
    sorted: bool

    @property
    def words(self) -> str:
        """What was noticed."""
        listed = ", ".join(self.names)
        return (
            f"the rows are in the order of time, by {listed}"
            if self.sorted
            else f"the rows are a series in equal steps of {listed}"
        )


def moments_in(table: StudyTable, rows: NDArray[np.intp], name: str) -> NDArray[np.float64]:
    """Moments of rows as numbers, microseconds of dates; refuses missing ones."""
    from stylobate.preprocessing.table.parts import numbers_of
    from stylobate.preprocessing.time_and_place.dates import moments_of

    column, values = table.schema[name], table.columns[name][rows]
    if column.kind == "datetime":
        dates = moments_of(values, column.notation)
        gone = np.isnat(dates)
        found = dates.astype(np.int64).astype(np.float64)
    else:
        found = numbers_of(values)
        gone = np.isnan(found)
    if gone.any():
        raise InvalidDataError(
            f"time_column={name!r} is missing or no date in {int(gone.sum())} rows; rows can only "
            "be put in order if each has one."
        )
    return found


def time_order(
    table: StudyTable, rows: NDArray[np.intp], without: tuple[str | None, ...]
) -> TimeOrder | None:
    """The order of time that rows are in, if they are in one.

    Dates count if the rows are sorted by them, or if they are a series of equal steps; numbers
    if they are named as time is (``year``, ``timestamp``) and the rows are sorted by them. Dates
    of birth are no moments at which rows came about.

    Parameters
    ----------
    table : StudyTable
    rows : array of int
        The rows that take part.
    without : tuple of str
        Columns that are no candidates, such as the target.
    """
    if len(rows) < _FEWEST_ROWS:
        return None
    columns = [each for each in table.schema if each.name not in without]
    dates = [each for each in columns if each.kind == "datetime" and not _BORN.search(each.name)]
    for column in dates:
        found = _judged((column.name,), _moments(table, rows, column), series=True)
        if found is not None:
            return found
    calendar = _calendar(table, rows, columns)
    if calendar is not None:
        return calendar
    for column in columns:
        number = table.columns[column.name].dtype.kind in "iuf"
        if number and _CLOCK.search(column.name) and not _BORN.search(column.name):
            found = _judged((column.name,), _moments(table, rows, column), series=False)
            if found is not None:
                return found
    return None


def _moments(
    table: StudyTable, rows: NDArray[np.intp], column: Column
) -> NDArray[np.float64] | None:
    try:
        return moments_in(table, rows, column.name)
    except InvalidDataError:
        return None


def _calendar(table: StudyTable, rows: NDArray[np.intp], columns: list[Column]) -> TimeOrder | None:
    """Year, month, day and hour in columns of their own."""
    by_name = {each.name.lower(): each for each in columns}
    for parts in _CALENDAR:
        held = [by_name[part] for part in parts if part in by_name]
        if len(held) < len(parts):
            continue
        values = [_moments(table, rows, each) for each in held]
        if any(each is None or each.min() < 0 for each in values):
            continue
        joined = np.zeros(len(rows))
        for each in values:
            joined = joined * 100.0 + np.asarray(each)
        found = _judged(tuple(each.name for each in held), joined, series=False)
        if found is not None:
            return found
    return None


def _judged(
    names: tuple[str, ...], moments: NDArray[np.float64] | None, *, series: bool
) -> TimeOrder | None:
    if moments is None:
        return None
    distinct = np.unique(moments)
    if len(distinct) < (_FEWEST_MOMENTS if series else _FEWEST_NUMBERS):
        return None
    steps = np.diff(moments)
    if max(np.mean(steps >= 0), np.mean(steps <= 0)) >= _IN_ORDER:
        return TimeOrder(names, moments, sorted=True)
    gaps = np.diff(distinct)
    regular = len(distinct) == len(moments) and np.mean(gaps == np.median(gaps)) >= _REGULAR
    return TimeOrder(names, moments, sorted=False) if series and regular else None


def by_time(order: TimeOrder) -> NDArray[np.intp]:
    """Positions of rows from the earliest to the latest.

    Rows of one moment stay in the order of the table, which is reversed where the latest row
    comes first.
    """
    n_rows = len(order.moments)
    places = np.arange(n_rows)
    if np.mean(np.diff(order.moments) <= 0) > np.mean(np.diff(order.moments) >= 0):
        places = places[::-1]
    return places[np.argsort(order.moments[places], kind="stable")]
