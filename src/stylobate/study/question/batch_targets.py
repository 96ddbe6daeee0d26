"""The targets of rows that come in batches, as the question has understood them from a sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Indices
from stylobate.data.column_table import ColumnTable
from stylobate.data.kinds import Column
from stylobate.study.question.classes import classes_of
from stylobate.study.question.question import Asked, is_absent


class BatchTargets:
    """Which rows of a batch have a target, and what it is: a number, or the code of a class.

    Rows of classes that the question does not know (too rare in the sample) have none.

    Parameters
    ----------
    asked : Asked
    column : Column
        The target's, of the sample.
    """

    def __init__(self, asked: Asked, column: Column) -> None:
        self.column = column
        self.codes = {str(label): code for code, label in enumerate(asked.labels.tolist())}

    def __call__(self, table: ColumnTable) -> tuple[Indices, Any]:
        """Numbers of the rows with a target, and their targets."""
        values = table[self.column.name]
        rows = np.flatnonzero(~is_absent(values, self.column.missing))
        if not len(rows):
            return rows, np.empty(0)
        if not self.codes:
            from stylobate.preprocessing.table.parts import numbers_of

            y = numbers_of(values[rows], self.column.notation or "decimal point")
            finite = np.isfinite(y)
            return rows[finite], y[finite]
        labels, numbers = classes_of(values[rows], self.column)
        known = np.array([self.codes.get(str(label), -1) for label in labels.tolist()])
        codes = known[numbers]
        return rows[codes >= 0], codes[codes >= 0]
