"""Rows in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table
from stylobate.engines.core import checked, merged
from stylobate.engines.registry import compute, register
from stylobate.engines.windows import windows_of
from stylobate.statistics.source import Capabilities, Recipe, S


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
    def capabilities(self) -> Capabilities:
        return Capabilities(rows_in_memory=True, repeatable=True, length=self.table.n_rows)

    @property
    def n_features(self) -> int:
        return self.table.n_features

    @property
    def is_sparse(self) -> bool:
        return self.table.is_sparse

    @property
    def y_is_vector(self) -> bool:
        return self.table.y_is_vector

    @property
    def is_weighted(self) -> bool:
        return self.table.weights is not None

    def count_rows(self) -> int:
        """How many rows there are."""
        return self.table.n_rows

    def rows(self, why: str = "") -> Table:
        """All rows."""
        return self.table

    def windows(self) -> Iterator[Table]:
        """The rows in pieces of the core's own size."""
        return windows_of(self.table)

    def compute(self, recipe: Recipe[S]) -> S:
        """The statistic of all rows; refuses NaN and infinity in words."""
        found: S = compute(recipe, self)
        return found

    def compute_parts(
        self, recipe: Recipe[S], parts: Sequence[NDArray[np.intp] | slice]
    ) -> Sequence[S]:
        """The statistic of each part (row numbers or slices).

        In one call if the recipe has `of_parts`, else with a copy of one part's rows at a time.
        """
        together = getattr(recipe, "of_parts", None)
        if together is None:
            return [MemorySource(self.table.take(part)).compute(recipe) for part in parts]
        statistics = together(self.table, parts)
        for k in statistics.doubtful():
            checked(statistics[k], self.table.take(parts[k]))
        return statistics  # type: ignore[no-any-return]  # a recipe that has `of_parts`


@register(object, MemorySource)
def by_windows(recipe: Any, source: MemorySource) -> Any:
    """Any statistic of rows in memory: those of the windows, merged, then held to be finite."""
    return checked(merged(recipe, source.windows()), source.table)
