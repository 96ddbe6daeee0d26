"""CategoryCounts: how often each category of each column occurs in each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.statistics.groups.class_rows import class_codes


@dataclass(frozen=True, slots=True, eq=False)
class CategoryCounts:
    r"""Counts of the categories 0, 1, … of every column in every class.

    .. math:: n_c = \sum_{i: y_i = c} w_i, \qquad
              N_{cjt} = \sum_{i: y_i = c} w_i [x_{ij} = t]

    Parameters
    ----------
    classes : array of shape (k,)
        Labels in increasing order; merging takes the union.
    n_rows, weight : arrays of shape (k,)
        Rows of positive weight, and sums of the weights.
    counts : list of p arrays of shape (k, m_j)

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> left = CategoryCounts.of(read_table([[0], [1]], [0, 1], owner="example"))
    >>> right = CategoryCounts.of(read_table([[2]], [1], owner="example"))
    >>> left.merge(right).counts[0].tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]]
    """

    classes: NDArray[Any]
    n_rows: Array
    weight: Array
    counts: list[Array]

    subtractable: ClassVar[bool] = True

    @classmethod
    def of(cls, table: Table) -> Self:
        """The counts of a table of category numbers, whose y holds numbers of classes."""
        classes, codes = class_codes(table)
        own, k, w = codes.astype(np.intp), len(classes), table.weights
        x = table.x.astype(np.int64)
        counts = []
        for j in range(x.shape[1]):
            m = int(x[:, j].max(initial=-1)) + 1
            found = np.bincount(own * m + x[:, j], weights=w, minlength=k * m)
            counts.append(found.astype(np.float64).reshape(k, m))
        present = None if w is None else w > 0
        n_rows = np.bincount(own, weights=present, minlength=k).astype(np.float64)
        weight = np.bincount(own, weights=w, minlength=k).astype(np.float64)
        return cls(classes, n_rows, weight, counts)

    def merge(self, other: Self) -> Self:
        """Counts of both parts' rows."""
        return self._combined(other, 1.0)

    def subtract(self, other: Self) -> Self:
        """Counts of the rows here that are not in `other`, which must be a part of these."""
        return self._combined(other, -1.0)

    def of_classes(self, classes: NDArray[Any]) -> Self:
        """The same for other classes, among which all of these must be."""
        place = np.searchsorted(classes, self.classes)

        def spread(values: Array) -> Array:
            shaped = np.zeros((len(classes), *values.shape[1:]))
            shaped[place] = values
            return shaped

        counts = [spread(each) for each in self.counts]
        return type(self)(classes, spread(self.n_rows), spread(self.weight), counts)

    def present(self) -> Self:
        """Without classes that have no rows."""
        some = self.n_rows > 0
        if some.all():
            return self
        counts = [each[some] for each in self.counts]
        return type(self)(self.classes[some], self.n_rows[some], self.weight[some], counts)

    def with_categories(self, least: NDArray[np.int64]) -> Self:
        """The same with at least so many categories of each column."""
        counts = [
            np.pad(each, [(0, 0), (0, max(0, int(m) - each.shape[1]))])
            for each, m in zip(self.counts, least, strict=True)
        ]
        return type(self)(self.classes, self.n_rows, self.weight, counts)

    def is_finite(self) -> bool:
        return all(bool(np.isfinite(each).all()) for each in self.counts)

    def column_lengths(self) -> Array:
        """Nothing: counts are no squares, so no column is too long or too short."""
        return np.empty(0)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        named = {f"counts{j}": each for j, each in enumerate(self.counts)}
        return {"classes": self.classes, "n_rows": self.n_rows, "weight": self.weight} | named

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Self:
        counts = [arrays[f"counts{j}"] for j in range(len(arrays) - 3)]
        return cls(arrays["classes"], arrays["n_rows"], arrays["weight"], counts)

    def _combined(self, other: Self, sign: float) -> Self:
        if len(self.counts) != len(other.counts):
            raise InvalidDataError(
                f"CategoryCounts: these have {len(self.counts)} features, the others "
                f"{len(other.counts)}; they must describe the same columns."
            )
        left, right = self, other
        if not np.array_equal(self.classes, other.classes):
            some = [each.classes for each in (self, other) if len(each.classes)]
            classes = some[0] if len(some) == 1 else np.union1d(*some)
            left, right = self.of_classes(classes), other.of_classes(classes)
        pairs = zip(left.counts, right.counts, strict=True)
        width = np.array([max(a.shape[1], b.shape[1]) for a, b in pairs], dtype=np.int64)
        left, right = left.with_categories(width), right.with_categories(width)
        return type(self)(
            left.classes,
            left.n_rows + sign * right.n_rows,
            left.weight + sign * right.weight,
            [a + sign * b for a, b in zip(left.counts, right.counts, strict=True)],
        )
