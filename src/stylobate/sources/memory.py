"""Rows in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table
from stylobate.exceptions import NumericalError
from stylobate.statistics.range import refuse_out_of_range
from stylobate.statistics.source import Recipe, S


@dataclass(frozen=True, slots=True)
class MemorySource:
    """A table all of whose rows are at hand.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> from stylobate.statistics import Moments
    >>> source = MemorySource(read_table([[1.0], [3.0]], owner="example"))
    >>> source.compute(Moments).mean
    array([2.])
    """

    table: Table

    @property
    def repeatable(self) -> bool:
        return True

    @property
    def y_is_vector(self) -> bool:
        return self.table.y_is_vector

    def compute(self, recipe: Recipe[S]) -> S:
        """The statistic of all rows; refuses NaN and infinity in words."""
        return _compute(recipe, self.table)

    def compute_parts(
        self, recipe: Recipe[S], parts: Sequence[NDArray[np.intp] | slice]
    ) -> Sequence[S]:
        """The statistic of each part (row numbers or slices).

        In one call if the recipe has `of_parts`, else with a copy of one part's rows at a time.
        """
        together = getattr(recipe, "of_parts", None)
        if together is None:
            return [_compute(recipe, self.table.take(part)) for part in parts]
        statistics = together(self.table, parts)
        for k in statistics.doubtful():
            _checked(statistics[k], self.table.take(parts[k]))
        return statistics  # type: ignore[no-any-return]  # a recipe that has `of_parts`


def _compute(recipe: Recipe[S], table: Table) -> S:
    return _checked(recipe.of(table), table)


def _checked(statistic: S, table: Table) -> S:
    # A statistic of finite rows is finite, so this is the finiteness check of the rows themselves,
    # at no cost; only when it fails are the rows searched for the cell to name.
    if statistic.is_finite():
        refuse_out_of_range(table, statistic.column_lengths())
        return statistic
    table.refuse_nonfinite()
    refuse_out_of_range(table)
    raise NumericalError(
        f"{table.owner}: the squares of X or y, added up, exceed what double precision can hold "
        "(about 1e308). Divide the large columns by a constant first."
    )
