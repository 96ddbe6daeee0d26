"""GradientHistogram: sums of gradients and Hessians in the bins of every column, mergeable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.data import Table
from stylobate.exceptions import InvalidDataError

Array = NDArray[np.float64]

_NO_CODES = np.empty(0, dtype=np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class HistogramIn:
    """The bins in which gradients are summed: the recipe of a `GradientHistogram`.

    Parameters
    ----------
    edges : tuple of arrays
        For every column the borders between its bins, increasing; x lies in bin b if
        ``edges[b - 1] < x <= edges[b]``. At most 254.
    """

    edges: tuple[Array, ...]

    def of(self, table: Table) -> GradientHistogram:
        """The histogram of a table whose y holds a gradient and a Hessian for each row."""
        from stylobate import _core

        if table.y is None or table.y.shape[1] != 2:
            raise InvalidDataError(
                "GradientHistogram: y must hold two columns, the rows' gradients and Hessians."
            )
        width = len(self.edges)
        if table.n_rows == 0:
            return GradientHistogram(*(np.zeros((width, 256)) for _ in range(3)))
        weights = np.ones(table.n_rows) if table.weights is None else table.weights
        pairs = (table.y * weights[:, np.newaxis]).astype(np.float32)
        rows = _core.BinnedRows(table.x, list(self.edges), [_NO_CODES] * width)
        sums = _core.gradient_histogram(
            rows, np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
        )
        return GradientHistogram(*sums)


@dataclass(frozen=True, slots=True, eq=False)
class GradientHistogram:
    r"""Sums over the rows of each bin of each column.

    .. math:: G_{jb} = \sum_{i: x_{ij} \in b} g_i, \qquad H_{jb} = \sum_{i: x_{ij} \in b} h_i,
              \qquad n_{jb} = \#\{i: x_{ij} \in b\}

    All that a node of a boosted tree needs of its rows to choose a split: the histogram of a node
    less that of one child is that of the other, and those of parts of a table add up. Made by
    `HistogramIn.of`.

    Parameters
    ----------
    gradient, hessian, count : arrays of shape (p, 256)
        The last of the 256 places is for missing values.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> table = read_table([[1.0], [2.0], [9.0]], [[1.0, 1.0], [2.0, 1.0], [4.0, 1.0]], owner="e")
    >>> histogram = HistogramIn((np.array([5.0]),)).of(table)
    >>> histogram.gradient[0, :2].tolist(), histogram.count[0, :2].tolist()
    ([3.0, 4.0], [2.0, 1.0])
    """

    gradient: Array
    hessian: Array
    count: Array

    subtractable: ClassVar[bool] = True

    def merge(self, other: Self) -> Self:
        """Sums over both parts' rows."""
        self._require_same_columns(other)
        return type(self)(
            self.gradient + other.gradient, self.hessian + other.hessian, self.count + other.count
        )

    def subtract(self, other: Self) -> Self:
        """Sums over the rows here that are not in `other`, which must be a part of these."""
        self._require_same_columns(other)
        return type(self)(
            self.gradient - other.gradient, self.hessian - other.hessian, self.count - other.count
        )

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.gradient).all() and np.isfinite(self.hessian).all())

    def column_lengths(self) -> Array:
        """Nothing: sums are no squares, so no column is too long or too short."""
        return np.empty(0)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {name: getattr(self, name) for name in GradientHistogram.__slots__}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Self:
        return cls(**arrays)

    def _require_same_columns(self, other: Self) -> None:
        if self.gradient.shape != other.gradient.shape:
            raise InvalidDataError(
                f"GradientHistogram: these have {len(self.gradient)} features, the others "
                f"{len(other.gradient)}; they must describe the same columns in the same bins."
            )
