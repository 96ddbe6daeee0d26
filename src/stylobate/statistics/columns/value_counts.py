"""The distinct values of a column of anything, and how often each occurs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Integers
from stylobate.data.coding import code_column


@dataclass(frozen=True, slots=True, eq=False)
class ValueCounts:
    """Values and their counts, exact: memory grows with the values that differ, not with the rows.

    Parameters
    ----------
    values : array of shape (k,)
        In no particular order; missing ones are values as well.
    counts : array of shape (k,)

    Examples
    --------
    >>> whole = ValueCounts.of(np.array([2, 1, 2])).merge(ValueCounts.of(np.array([3, 2])))
    >>> whole.values.tolist(), whole.counts.tolist()
    ([1, 2, 3], [1, 3, 1])
    """

    values: NDArray[Any]
    counts: Integers

    @classmethod
    def of(cls, column: Any) -> Self:
        """Of a 1-D array or narwhals series."""
        coded = code_column(column)
        return cls(coded.values, coded.counts().astype(np.int64))

    def merge(self, other: Self) -> Self:
        """Counts of both parts; numbers and text together are objects."""
        coded = code_column(joined_values(self.values, other.values))
        counts = np.zeros(len(coded.values), dtype=np.int64)
        np.add.at(counts, coded.codes, np.concatenate([self.counts, other.counts]))
        return type(self)(coded.values, counts)


def joined_values(left: NDArray[Any], right: NDArray[Any]) -> NDArray[Any]:
    """Values of two columns in one array; numbers and text together are objects."""
    if (left.dtype.kind in "biufM") == (right.dtype.kind in "biufM"):
        return np.concatenate([left, right])
    return np.concatenate([left.astype(object), right.astype(object)])
