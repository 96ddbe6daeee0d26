"""Columns that name whom a row is about, where several rows are about the same one."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices
from stylobate.data.coding import code_column
from stylobate.data.kinds import Column
from stylobate.data.kinds.spellings import POINT
from stylobate.preprocessing.table.parts import numbers_of
from stylobate.study.table.table import StudyTable

_FEWEST, _MOST_ALONE = 10, 0.9  # entities; and their share of the rows
_NAMED = re.compile(
    r"(^|[\W_])(patient|subject|participant|person|people|client|customer|user|member|student|"
    r"pupil|child|household|family|respondent|animal|mouse|rat|dog|driver|borrower|employee|"
    r"player|speaker|writer|donor|case|specimen|volunteer|athlete|twin|couple|dyad)s?"
    r"([\W_]*(id|ids|no|nr|num|number|code|key|name|identifier))?$",
    re.IGNORECASE,
)
_SHARED = 2  # columns of measured numbers that are the same in all rows of an entity
_MEASURED = 20  # different values, from which numbers are measured


def repeated_entity(
    table: StudyTable, rows: NDArray[np.intp], without: tuple[str | None, ...]
) -> tuple[str, Indices, str] | None:
    """A column whose values are whom rows are about, each row's number of it, and the reason.

    Either its name says so (``patient_id``), or rows of the same value agree in several measured
    numbers, as repeated looks at one thing do. Each entity must have more than one row on average.

    Parameters
    ----------
    table : StudyTable
    rows : array of int
        The rows that take part.
    without : tuple of str
        Columns that are no candidates, such as the target.
    """
    measured = {
        each.name: numbers_of(table.columns[each.name][rows], each.notation or POINT)
        for each in table.schema
        if each.kind == "numeric" and each.name not in without and each.n_distinct > _MEASURED
    }
    for column in table.schema:
        if column.name in without or column.kind in ("constant", "binary", "datetime"):
            continue
        named = _NAMED.search(column.name) is not None
        if not named and (column.kind == "numeric" or len(measured) < _SHARED):
            continue
        codes = code_column(table.columns[column.name][rows]).codes
        count = int(codes.max()) + 1
        if not _FEWEST <= count <= _MOST_ALONE * len(rows):
            continue
        if named and (column.kind != "numeric" or _whole(table, column, rows)):
            said = f"{count} different {column.name} have {len(rows)} rows"
            return column.name, codes, said
        shared = [name for name, values in measured.items() if _same_within(values, codes)]
        if len(shared) >= _SHARED:
            said = f"rows of the same {column.name} agree in {', '.join(shared[:3])}"
            return column.name, codes, said
    return None


def _whole(table: StudyTable, column: Column, rows: NDArray[np.intp]) -> bool:
    return table.columns[column.name].dtype.kind in "iu"


def _same_within(values: NDArray[np.float64], codes: Indices) -> bool:
    """Whether each entity has one value, of some that differ; entities of one row say nothing."""
    if not np.isfinite(values).all():
        return False
    order = np.lexsort((values, codes))
    same = np.diff(codes[order]) == 0
    return bool(same.sum() >= _FEWEST and not np.any(np.diff(values[order])[same]))
