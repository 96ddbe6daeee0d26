"""ClassSums: weighted count and column sums of the rows of each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.statistics.groups.class_rows import class_codes, class_pass


@dataclass(frozen=True, slots=True, eq=False)
class ClassSums:
    r"""Sums of the rows of each class; sparse rows stay sparse.

    .. math:: n_c = \sum_{i: y_i = c} w_i, \qquad s_c = \sum_{i: y_i = c} w_i x_i

    Parameters
    ----------
    classes : array of shape (k,)
        Labels in increasing order; merging takes the union.
    n_rows, weight : arrays of shape (k,)
        Rows of positive weight, and sums of the weights.
    sums : array of shape (k, p)

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> left = ClassSums.of(read_table([[1.0], [3.0]], [0, 1], owner="example"))
    >>> right = ClassSums.of(read_table([[5.0]], [1], owner="example"))
    >>> left.merge(right).sums.tolist()
    [[1.0], [8.0]]
    """

    classes: NDArray[Any]
    n_rows: Array
    weight: Array
    sums: Array

    subtractable: ClassVar[bool] = True

    @classmethod
    def of(cls, table: Table) -> Self:
        """The sums of a table whose y holds numbers of classes."""
        classes, codes = class_codes(table)
        n_rows, weight, sums, _ = class_pass("class_sums", table, codes, len(classes))
        return cls(classes, n_rows, weight, sums)

    def merge(self, other: Self) -> Self:
        """Sums of both parts' rows."""
        return self._combined(other, 1.0)

    def subtract(self, other: Self) -> Self:
        """Sums of the rows here that are not in `other`, which must be a part of these."""
        return self._combined(other, -1.0)

    def of_classes(self, classes: NDArray[Any]) -> Self:
        """The same for other classes, among which all of these must be."""
        place, count = np.searchsorted(classes, self.classes), len(classes)
        n_rows, weight = np.zeros(count), np.zeros(count)
        sums = np.zeros((count, self.sums.shape[1]))
        n_rows[place], weight[place], sums[place] = self.n_rows, self.weight, self.sums
        return type(self)(classes, n_rows, weight, sums)

    def present(self) -> Self:
        """Without classes that have no rows."""
        some = self.n_rows > 0
        if some.all():
            return self
        kept = (getattr(self, name)[some] for name in ClassSums.__slots__)
        return type(self)(*kept)

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.sums).all())

    def column_lengths(self) -> Array:
        """Nothing: sums are no squares, so no column is too long or too short."""
        return np.empty(0)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {name: getattr(self, name) for name in ClassSums.__slots__}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Self:
        return cls(**arrays)

    def _combined(self, other: Self, sign: float) -> Self:
        if self.sums.shape[1] != other.sums.shape[1]:
            raise InvalidDataError(
                f"ClassSums: these have {self.sums.shape[1]} features, the others "
                f"{other.sums.shape[1]}; they must describe the same columns."
            )
        left, right = self, other
        if not np.array_equal(self.classes, other.classes):
            some = [each.classes for each in (self, other) if len(each.classes)]
            classes = some[0] if len(some) == 1 else np.union1d(*some)
            left, right = self.of_classes(classes), other.of_classes(classes)
        return type(self)(
            left.classes,
            left.n_rows + sign * right.n_rows,
            left.weight + sign * right.weight,
            left.sums + sign * right.sums,
        )
