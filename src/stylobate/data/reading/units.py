"""Amounts in more than one unit, which are no numbers of one column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stylobate.data.kinds.spellings import MONEY
from stylobate.data.reading.connection import literal

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def mixed_units(connection: DuckDBPyConnection, source: str, name: str, cell: str) -> list[str]:
    """A note if a column of amounts has several currencies, or percent beside other numbers.

    Numbers without a unit beside those with one currency are amounts of that currency.
    """
    unit = f"regexp_extract({cell}, {literal(f'%|{MONEY}')})"
    asked = f"SELECT {unit}, count(*), min({cell}) FROM {source} WHERE {cell} IS NOT NULL "
    rows = connection.execute(f"{asked} GROUP BY 1 ORDER BY 2 DESC, 1").fetchall()
    units = {str(row[0]) for row in rows}
    if len(units - {""}) < 2 and not ("%" in units and "" in units):
        return []
    found = ", ".join(f"{count} like {example!r}" for _, count, example in rows)
    return [f"{name!r}: amounts in different units ({found}); kept as text"]
