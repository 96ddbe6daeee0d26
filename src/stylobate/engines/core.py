"""The compiled core as an engine: any recipe on a table, and on windows of rows merged in order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from stylobate.data import Table
from stylobate.engines.registry import compute, register
from stylobate.exceptions import NumericalError
from stylobate.statistics.columns.range import refuse_out_of_range


@register(object, Table)
def on_table(recipe: Any, table: Table) -> Any:
    """The statistic of a table by the recipe's own compiled function."""
    return recipe.of(table)


def merged(recipe: Any, tables: Iterable[Table], *, check: bool = False) -> Any:
    """The statistics of tables, merged in their order; None where there is no table.

    Rows in memory and rows of a stream are cut alike (`windows.py`), so both give the same bits.
    """
    total: Any = None
    for table in tables:
        part = compute(recipe, table)
        if check:
            checked(part, table)
        total = part if total is None else total.merge(part)
    return total


def checked(statistic: Any, table: Table) -> Any:
    """The statistic, if the rows it was computed from are finite and can be squared."""
    # A statistic of finite rows is finite, so this is the finiteness check of the rows themselves,
    # at no cost; only when it fails are the rows searched for the cell to name.
    if statistic.is_finite():
        refuse_out_of_range(table, statistic.column_lengths())
        return statistic
    if getattr(statistic, "skips_missing", False):
        table.refuse_nonfinite("infinite")
        what = "the values of a column"
    else:
        table.refuse_nonfinite()
        refuse_out_of_range(table)
        what = "the squares of X or y"
    raise NumericalError(
        f"{table.owner}: {what}, added up, exceed what double precision can hold (about 1e308). "
        "Divide the large columns by a constant first."
    )
