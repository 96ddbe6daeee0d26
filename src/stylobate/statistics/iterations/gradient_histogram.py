"""GradientHistogram: sums of gradients and Hessians in the bins of every column, mergeable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError, InvalidParameterError

_NO_CODES = np.empty(0, dtype=np.uint8)
_MOST_EDGES = 254
_MISSING = 255  # the last of the 256 places of a column
_LEAST_HESSIAN = 1e-3  # of a side


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

    def __post_init__(self) -> None:
        for column, edges in enumerate(self.edges):
            if len(edges) > _MOST_EDGES or (np.diff(edges) <= 0.0).any() or np.isnan(edges).any():
                raise InvalidParameterError(
                    f"HistogramIn: the {len(edges)} edges of column {column} must increase, and be "
                    f"at most {_MOST_EDGES}."
                )

    def of(self, table: Table) -> GradientHistogram:
        """The histogram of a table whose y holds a gradient and a Hessian for each row."""
        from stylobate import _core

        if table.y is None or table.y.shape[1] != 2:
            raise InvalidDataError(
                "GradientHistogram: y must hold two columns, the rows' gradients and Hessians."
            )
        width = len(self.edges)
        if table.n_features != width:
            raise InvalidDataError(
                f"GradientHistogram: X has {table.n_features} features, but there are edges for "
                f"{width}."
            )
        if table.n_rows == 0:
            return GradientHistogram(*(np.zeros((width, 256)) for _ in range(3)))
        weights = np.ones(table.n_rows) if table.weights is None else table.weights
        pairs = (table.y * weights[:, np.newaxis]).astype(np.float32)
        rows = _core.BinnedRows(table.x, list(self.edges), [_NO_CODES] * width)
        sums = _core.gradient_histogram(
            rows, np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
        )
        return GradientHistogram(*sums)

    def threshold(self, split: HistogramSplit) -> float:
        """The number up to which rows go left."""
        edges = self.edges[split.feature]
        return float(edges[split.bin]) if split.bin < len(edges) else float("inf")


class HistogramSplit(NamedTuple):
    """A split read off a histogram.

    Attributes
    ----------
    feature, bin : int
        The column, and the last of its bins that goes left.
    missing_left : bool
        Whether missing values go left.
    gain : float
        By how much the loss falls, to second order.
    """

    feature: int
    bin: int
    missing_left: bool
    gain: float


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

    The best split of a node whose rows lie in several places is that of the merged parts:

    >>> recipe = HistogramIn((np.array([1.5, 5.0]),))
    >>> here = read_table([[1.0], [2.0]], [[-1.0, 1.0], [-1.0, 1.0]], owner="e")
    >>> there = read_table([[9.0], [8.0]], [[1.0, 1.0], [1.0, 1.0]], owner="e")
    >>> split = recipe.of(here).merge(recipe.of(there)).best_split()
    >>> split.feature, recipe.threshold(split), split.gain
    (0, 5.0, 2.0)
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

    def best_split(
        self, *, l2: float = 0.0, min_rows: int = 1, min_hessian: float = _LEAST_HESSIAN
    ) -> HistogramSplit | None:
        r"""The split that lowers the loss most, to second order.

        .. math:: \frac12 \left[\frac{G_L^2}{H_L + \lambda} + \frac{G_R^2}{H_R + \lambda}
                  - \frac{(G_L + G_R)^2}{H_L + H_R + \lambda}\right]

        Parameters
        ----------
        l2 : float in [0, inf), default=0.0
            λ.
        min_rows : int in [1, inf), default=1
            Rows of each side.
        min_hessian : float in (0, inf), default=1e-3
            Sum of Hessians of each side.

        Returns
        -------
        HistogramSplit or None
            The first of equally good ones; None if no split lowers the loss.
        """
        sums = np.stack([self.gradient, self.hessian, self.count])  # (3, p, 256)
        total = sums.sum(axis=2)[:, :, np.newaxis]
        left = np.cumsum(sums[:, :, :_MISSING], axis=2)
        left = np.stack([left, left + sums[:, :, _MISSING:]], axis=-1)  # missing right, left
        right = total[..., np.newaxis] - left
        least = np.minimum(left, right)
        allowed = (least[2] >= max(min_rows, 1)) & (least[1] >= min_hessian)
        with np.errstate(divide="ignore", invalid="ignore"):
            worth = [g**2 / (h + l2) for g, h, _ in (left, right, total[..., np.newaxis])]
        gain = np.where(allowed, 0.5 * (worth[0] + worth[1] - worth[2]), 0.0)
        feature, cut, side = np.unravel_index(int(np.argmax(gain)), gain.shape)
        best = float(gain[feature, cut, side])
        if not best > 0.0:
            return None
        return HistogramSplit(int(feature), int(cut), bool(side), best)

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
