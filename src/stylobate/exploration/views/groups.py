"""Rows in groups, those without a value among them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.exploration.association.columns import AnyColumn, CategoryColumn, NumberColumn
from stylobate.exploration.cells import Cells
from stylobate.exploration.target.groups import MISSING, grouped
from stylobate.exploration.views.columns import is_amount, labels_of

_DAY = np.timedelta64(1, "D")


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Groups of rows by one column.

    Attributes
    ----------
    name : str
        Of the column.
    labels : tuple of str
        Of the groups, that of the missing values at the end.
    codes : array of shape (n,)
        The group of each row.
    in_order : int
        How many groups follow each other, as bins and periods do; 0 for categories.
    """

    name: str
    labels: tuple[str, ...]
    codes: NDArray[np.int64]
    in_order: int


def group_rows(cells: Cells, bins: int, most: int) -> Groups:
    """Groups of rows by the values of a column, by bins of as many rows each, or by periods.

    Parameters
    ----------
    cells : Cells
        The column.
    bins : int
        Of a column of amounts.
    most : int
        Groups of another column; rarer values are put together.
    """
    column = _column(cells)
    found = grouped(column, bins if isinstance(column, NumberColumn) else most)
    labels, codes = found.labels, found.codes
    in_order = len(labels) if isinstance(column, NumberColumn) else 0
    if (codes < 0).any():
        codes = np.where(codes < 0, len(labels), codes)
        labels = (*labels, MISSING)
    return Groups(cells.column.name, labels, codes, in_order)


def _column(cells: Cells) -> AnyColumn:
    name = cells.column.name
    if cells.is_temporal:
        days = np.append((cells.values - np.datetime64(0, "us")) / _DAY, np.nan)
        return NumberColumn(name, days[cells.codes], "datetime")
    if is_amount(cells):
        numbers = cells.numbers()
        return NumberColumn(name, np.where(np.isfinite(numbers), numbers, np.nan))
    return CategoryColumn(name, cells.codes.astype(np.int64), tuple(labels_of(cells)))
