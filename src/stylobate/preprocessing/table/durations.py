"""Days between two columns of dates."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.kinds import Column, Schema
from stylobate.data.kinds.spellings import is_clock
from stylobate.preprocessing.table.parts import NumberPart
from stylobate.preprocessing.time_and_place.dates import moments_of

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression

_DAY = 86_400e6  # microseconds
_MOST_DATES = 4  # columns, between which durations are taken


class DurationPart(NumberPart):
    """Days from one date to another; the median where one of them is missing, and a mark."""

    n_columns = 2

    def __init__(
        self, first: Column, second: Column, *, scale: bool, mark: bool, keep: bool = False
    ) -> None:
        name = f"{first.name}_to_{second.name}_days"
        missing = f"days from {first.name} to {second.name}"
        super().__init__(Column(name, "numeric", missing), scale=scale, mark=mark, keep=keep)
        self.dates = (first, second)

    def learn(self, middle: float, center: float, spread: float, *, missing: bool) -> None:
        super().learn(middle, center, spread, missing=missing)
        self.typical = None  # follows from the dates

    def _read(self, values: Any) -> Array:
        first, second = (
            moments_of(each, column.notation)
            for each, column in zip(values, self.dates, strict=True)
        )
        days = (second - first).astype(np.int64) / _DAY
        return np.where(np.isnat(first) | np.isnat(second), np.nan, days)

    def _value(self, columns: list[Expression]) -> Expression:
        from stylobate.formula.expressions import Linear
        from stylobate.preprocessing.table.parts import moment_of

        first, second = (
            moment_of(expression, column)
            for expression, column in zip(columns, self.dates, strict=True)
        )
        return Linear((second, first), (1 / 86_400.0, -1 / 86_400.0))

    def invert(self, block: Array) -> None:
        """Durations do not tell the dates."""


def date_pairs(schema: Schema) -> list[tuple[int, int]]:
    """Places of the pairs of date columns between which durations are taken.

    >>> from stylobate.data.kinds import Column
    >>> date_pairs(Schema((Column("from", "datetime", ""), Column("to", "datetime", ""))))
    [(0, 1)]
    """
    dates = [
        place
        for place, column in enumerate(schema)
        if column.kind == "datetime" and not is_clock(column.notation)
    ]
    return list(combinations(dates[:_MOST_DATES], 2))
