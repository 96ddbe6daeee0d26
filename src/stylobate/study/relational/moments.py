"""The moment of a fact, and that of the rows which may come before it."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.joins.aggregate_request import kinds_of
from stylobate.joins.base_table import BaseTable
from stylobate.joins.times import time_numbers

_EARLY = 0.05  # of the rows of a table, that must lie before the middle fact


def date_columns(table: BaseTable) -> list[str]:
    """Columns that hold dates, or texts that are dates."""
    return [name for name, kind in kinds_of(table, table.columns).items() if kind == "M"]


def moment_of(facts: BaseTable, rows: BaseTable, named: str | None) -> tuple[str, str] | None:
    """The columns of times of facts and of rows that belong to them: (of facts, of rows).

    Of several dates of a fact the earliest is its moment, and of several of a row the latest is
    when it is known: so nothing counts that was not known. A date before which there are hardly
    any rows (when a customer was born) is no moment.

    Parameters
    ----------
    facts, rows : BaseTable
    named : str or None
        The column of the facts that the caller named.
    """
    if named is not None and named in rows.columns:
        return named, named
    theirs = _by_middle(rows, date_columns(rows))
    if not theirs:
        return None
    known, values = theirs[-1]
    ours = _by_middle(facts, date_columns(facts) if named is None else [named])
    early = float(np.nanquantile(values, _EARLY))
    for name, moments in ours:
        if named is not None or float(np.nanmedian(moments)) >= early:
            return name, known
    return None


def _by_middle(table: BaseTable, names: list[str]) -> list[tuple[str, Any]]:
    """Columns of times with few gaps, from early to late."""
    if not names:
        return []
    whole = table.whole(names)
    found = [(name, time_numbers(whole[name], f"{table.name}.{name}")) for name in names]
    found = [(name, values) for name, values in found if not np.isnan(values).all()]
    if not found:
        return []
    fewest = min(float(np.isnan(values).mean()) for _, values in found)
    found = [each for each in found if float(np.isnan(each[1]).mean()) <= fewest + 0.05]
    return sorted(found, key=lambda each: float(np.nanmedian(each[1])))
