"""Moments and extremes of every column in the rows of each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.statistics.moments.column_moments import ColumnMoments


@dataclass(frozen=True, slots=True, eq=False)
class ClassColumnMoments:
    """`ColumnMoments` of the rows of each class.

    Parameters
    ----------
    classes : array of shape (k,)
        Labels in increasing order; merging takes the union.
    groups : list of k ColumnMoments

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> from dataclasses import replace
    >>> table = read_table([[1.0], [3.0], [9.0]], [0, 0, 1], owner="example")
    >>> found = ClassColumnMoments.of(replace(table, classes=np.array(["a", "b"])))
    >>> found.classes.tolist(), [group.mean.tolist() for group in found.groups]
    (['a', 'b'], [[2.0], [9.0]])
    """

    classes: NDArray[Any]
    groups: list[ColumnMoments]

    @classmethod
    def of(cls, table: Table) -> Self:
        """Of a table whose y holds numbers of classes."""
        assert table.y is not None
        assert table.classes is not None
        codes = table.y[:, 0].astype(np.intp)
        present = np.unique(codes)
        groups = [ColumnMoments.of(table.take(np.flatnonzero(codes == c))) for c in present]
        return cls(table.classes[present], groups)

    def merge(self, other: Self) -> Self:
        """The moments of both parts' rows."""
        classes = np.union1d(self.classes, other.classes)
        own = dict(zip(self.classes.tolist(), self.groups, strict=True))
        for label, group in zip(other.classes.tolist(), other.groups, strict=True):
            own[label] = own[label].merge(group) if label in own else group
        return type(self)(classes, [own[label] for label in classes.tolist()])

    def is_finite(self) -> bool:
        return all(group.is_finite() for group in self.groups)

    def column_lengths(self) -> Array:
        """Nothing: lengths of columns keep their range."""
        return np.empty(0)
