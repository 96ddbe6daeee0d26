"""Rows that occur more than once, and columns that say the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Indices
from stylobate.exploration.cells import Cells
from stylobate.exploration.summaries.values import value_text
from stylobate.statistics.columns.table_summary import DuplicateRows

_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Repeated rows: how many could be left out, whether counted exactly, and a few of them.

    Parameters
    ----------
    rows : int
        Rows that equal an earlier one.
    exact : bool
        Whether counted over all rows; else estimated.
    examples : tuple of dict
        Rows that occur most often: ``{"values": {name: text}, "count": int}``.
    columns : tuple of tuple of str
        Columns that hold the same values, in groups (looked for in the sample).
    error : int
        Rows by which the number may be off, at 99 %.
    """

    rows: int
    exact: bool
    examples: tuple[dict[str, object], ...] = ()
    columns: tuple[tuple[str, ...], ...] = ()
    error: int = 0


def duplicates_of(columns: Sequence[Cells], counted: DuplicateRows | None = None) -> Duplicates:
    """Repeated rows and columns of a table in memory.

    Where that is a sample, `counted` tells of all rows, and only examples are taken from it.
    """
    if not columns or not len(columns[0].codes):
        return Duplicates(0, True)
    if counted is not None and counted.rows == 0:
        return Duplicates(0, counted.exact, (), same_columns(columns), counted.error)
    codes = np.column_stack([cells.codes for cells in columns])
    rows, first, counts = _distinct_rows(codes)
    order = np.argsort(-counts, kind="stable")[:_EXAMPLES]
    examples = tuple(
        {"values": _row_texts(columns, int(first[k])), "count": int(counts[k])}
        for k in order
        if counts[k] > 1
    )
    same = same_columns(columns)
    if counted is not None:
        return Duplicates(counted.rows, counted.exact, examples, same, counted.error)
    return Duplicates(len(codes) - rows, True, examples, same)


def _distinct_rows(codes: Indices) -> tuple[int, Indices, Indices]:
    order = np.lexsort(codes.T[::-1])
    new = np.append(True, (np.diff(codes[order], axis=0) != 0).any(axis=1))
    start = np.flatnonzero(new)
    return len(start), order[start], np.diff(np.append(start, len(order)))


def _row_texts(columns: Sequence[Cells], row: int) -> dict[str, str | None]:
    told: dict[str, str | None] = {}
    for cells in columns:
        code = cells.codes[row]
        told[cells.column.name] = value_text(cells.values[code]) if code >= 0 else None
    return told


def same_columns(columns: Sequence[Cells]) -> tuple[tuple[str, ...], ...]:
    """Groups of columns that hold the same values in every row; constant ones are left out."""
    groups: dict[object, list[Cells]] = {}
    for cells in columns:
        if len(cells.values) > 1:
            key = (cells.values.dtype.kind, len(cells.values), cells.codes[:64].tobytes())
            groups.setdefault(key, []).append(cells)
    found: list[tuple[str, ...]] = []
    for group in groups.values():
        while len(group) > 1:
            one, *rest = group
            same = [each for each in rest if _equal(one, each)]
            if same:
                found.append(tuple(each.column.name for each in (one, *same)))
            group = [each for each in rest if not any(each is other for other in same)]
    return tuple(found)


def _equal(one: Cells, other: Cells) -> bool:
    return np.array_equal(one.codes, other.codes) and np.array_equal(one.values, other.values)
