"""Sets of texts as strings of zeros and ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stylobate.formula.dialects import Dialect
from stylobate.formula.evaluation_order import Names
from stylobate.formula.expressions import Column


class Codes:
    """Numbers of the texts of columns that trees ask for, so that a set of texts is a short string.

    DuckDB makes a join of every list after IN, and takes time that grows with their number squared;
    ``SUBSTR('0110', code, 1) = '1'`` costs nothing to plan.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.of: dict[tuple[Any, ...], tuple[Column, str, dict[str, int]]] = {}

    def among(self, column: Column, keys: list[str], dialect: Dialect) -> str:
        """The condition that a column is one of the keys, which are literals."""
        if column.reading not in self.of:
            name = self.names.new(f"{column.name}_code")
            self.of[column.reading] = (column, dialect.quoted(name), {})
        _, code, places = self.of[column.reading]
        mine = {places.setdefault(key, len(places) + 1) for key in keys}
        mask = "".join("01"[place in mine] for place in range(1, max(mine) + 1))
        return f"SUBSTR('{mask}', {code}, 1) = '1'"

    def columns(self, reading: Callable[[Column], str]) -> list[str]:
        """The numbers as columns; other texts have a place after the last."""
        made = []
        for column, code, places in self.of.values():
            cases = " ".join(f"WHEN {key} THEN {place}" for key, place in places.items())
            made.append(f"CASE {reading(column)} {cases} ELSE {len(places) + 1} END AS {code}")
        return made
