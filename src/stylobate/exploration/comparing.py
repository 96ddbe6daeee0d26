"""Columns in memory as associations and target analysis take them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stylobate.exploration.association.columns import (
    AnyColumn,
    CategoryColumn,
    NumberColumn,
    number_column,
)
from stylobate.exploration.cells import Cells

MOST_COLUMNS = 60  # compared with each other; further ones only with the target
SKIPPED = ("text", "identifier", "constant")
_DAY = np.timedelta64(1, "D")


def comparable(columns: Sequence[Cells]) -> list[AnyColumn]:
    """The columns that can be compared: amounts and steps as numbers, others as categories."""
    return [as_column(cells) for cells in columns if cells.column.kind not in SKIPPED]


def as_column(cells: Cells) -> AnyColumn:
    """One column by its kind."""
    name, kind, order = cells.column.name, cells.column.kind, cells.column.order
    if cells.is_temporal:
        days = (cells.values - np.datetime64(0, "us")) / _DAY
        return NumberColumn(name, np.append(days, np.nan)[cells.codes], "datetime")
    if kind in ("numeric", "geospatial", "ordinal") and cells.is_numeric:
        return number_column(name, cells.numbers(), kind)
    if kind == "ordinal" and order is not None:
        step = {value: float(i) for i, value in enumerate(order)}
        steps = [step.get(str(value), np.nan) for value in cells.values]
        return NumberColumn(name, np.append(steps, np.nan)[cells.codes], "ordinal", order)
    labels = cells.values.tolist()
    if cells.is_numeric:
        labels = [int(v) if v == np.floor(v) and abs(v) < 2**53 else v for v in labels]
    found = "binary" if len(labels) == 2 else "nominal"
    return CategoryColumn(name, cells.codes.astype(np.int64), tuple(labels), found)
