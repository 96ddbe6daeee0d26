"""What a statistic is: a plain value that absorbs rows and merges."""

from __future__ import annotations

from typing import ClassVar, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table


@runtime_checkable
class Statistic(Protocol):
    """State, merge, finish.

    The laws (checked for every statistic by `stylobate.testing.check_merge_laws`): computing on all
    rows equals merging what parts of them gave, in any order and grouping; merging with the
    statistic of no rows changes nothing; where `subtractable`, subtracting undoes merging.
    """

    subtractable: ClassVar[bool]

    @classmethod
    def of(cls, table: Table) -> Self:
        """The statistic of a table."""

    def merge(self, other: Self) -> Self:
        """The statistic of both parts' rows together."""

    def is_finite(self) -> bool:
        """False if the rows held NaN or infinity, or numbers too large to be squared."""

    def column_lengths(self) -> NDArray[np.float64]:
        """Lengths of the columns of [X, y] about their means; empty if it does not tell."""

    def to_arrays(self) -> dict[str, NDArray[np.float64]]:
        """Plain arrays from which `from_arrays` rebuilds the statistic."""

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[np.float64]]) -> Self:
        """The statistic that gave these arrays."""
