"""Rows in groups: the values of a column, or its numbers cut into bins."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from stylobate.exploration.cells import Array, Cells
from stylobate.exploration.views.columns import finite_numbers, is_amount, labels_of

MISSING, OTHERS = "(missing)", "(others)"


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Groups of rows by one column.

    Attributes
    ----------
    name : str
        Of the column.
    labels : tuple of str
        Of the groups.
    codes : array of shape (n,)
        The group of each row.
    edges : array or None
        Ends of the bins, where the column was cut; the group of missing values comes after them.
    """

    name: str
    labels: tuple[str, ...]
    codes: NDArray[np.intp]
    edges: Array | None = None


def group_rows(cells: Cells, bins: int, most: int) -> Groups:
    """Groups of rows by the values of a column, or by bins of as many rows each.

    Parameters
    ----------
    cells : Cells
        The column.
    bins : int
        Of a column of amounts.
    most : int
        Groups of another column; rarer values are put together.
    """
    if is_amount(cells) and len(cells.values) > bins:
        return _binned(cells, bins)
    labels, codes = labels_of(cells), cells.codes.copy()
    if len(labels) > most:
        frequent = np.sort(np.argsort(-cells.counts, kind="stable")[: most - 1])
        place = np.full(len(labels) + 1, most - 1)  # the last entry, for -1, is set below
        place[frequent] = np.arange(most - 1)
        codes = np.where(codes < 0, -1, place[codes])
        labels = [*(labels[k] for k in frequent), OTHERS]
    return Groups(cells.column.name, *_with_missing(labels, codes))


def _binned(cells: Cells, bins: int) -> Groups:
    numbers = cells.numbers()
    edges = np.unique(np.quantile(finite_numbers(cells), np.linspace(0.0, 1.0, bins + 1)))
    inner = edges[1:-1]
    codes = np.searchsorted(inner, numbers, side="right")
    codes = np.where(np.isnan(numbers), -1, codes)
    kept = np.unique(codes[codes >= 0])  # ties may leave a bin empty
    edges = np.append(edges[kept], edges[-1])
    place = np.full(len(inner) + 2, -1)
    place[kept] = np.arange(len(kept))
    codes = np.where(codes < 0, -1, place[codes])
    ends = [f"{edge:.4g}" for edge in edges]
    labels = [f"{low} – {high}" for low, high in pairwise(ends)]
    return Groups(cells.column.name, *_with_missing(labels, codes), edges)


def _with_missing(
    labels: list[str], codes: NDArray[np.intp]
) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """Missing values as a last group, where there are some."""
    if (codes >= 0).all():
        return tuple(labels), codes
    return (*labels, MISSING), np.where(codes < 0, len(labels), codes)
