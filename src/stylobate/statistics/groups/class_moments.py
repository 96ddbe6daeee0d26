"""ClassMoments: weighted count, mean and scatter of the rows of each class."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.statistics.groups.class_rows import class_codes, class_pass
from stylobate.statistics.rows import csr_parts

_WIDE = 640  # columns beyond which the product is cut among threads, and not the rows


@dataclass(frozen=True, slots=True, eq=False)
class ClassMoments(ABC):
    r"""Moments of the rows of each class c, in one pass over rows in any order.

    .. math:: n_c = \sum_{i: y_i = c} w_i, \quad m_c = \frac1{n_c} \sum_{i: y_i = c} w_i x_i, \quad
              S_c = \sum_{i: y_i = c} w_i (x_i - m_c)(x_i - m_c)^\top

    Three forms differ in what they keep of the scatter: `DiagonalClassMoments` the diagonals of all
    :math:`S_c`, `PooledClassMoments` their sum, `FullClassMoments` all of them. Rows are centred at
    their own class before they are squared, so classes far apart cost no digits. Gaussian naive
    Bayes and discriminant analysis follow from these values.

    Parameters
    ----------
    classes : array of shape (k,)
        Labels in increasing order; merging takes the union.
    n_rows : array of shape (k,)
        Rows of positive weight.
    weight : array of shape (k,)
        Sums of the weights (= `n_rows` without weights).
    mean : array of shape (k, p)
        0 where a class has no rows.
    scatter : array of shape (k, p), (p, p) or (k, p, p)

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> left = read_table([[1.0], [3.0], [10.0]], [0, 0, 1], owner="example")
    >>> right = read_table([[5.0], [20.0]], [0, 1], owner="example")
    >>> whole = DiagonalClassMoments.of(left).merge(DiagonalClassMoments.of(right))
    >>> whole.weight.tolist(), whole.mean.tolist(), whole.scatter.tolist()
    ([3.0, 2.0], [[3.0], [15.0]], [[8.0], [50.0]])
    >>> whole.subtract(DiagonalClassMoments.of(right)).mean.tolist()
    [[2.0], [10.0]]

    References
    ----------
    Chan, Golub & LeVeque (1979), Updating formulae and a pairwise algorithm for computing sample
    variances, Stanford STAN-CS-79-773.
    """

    classes: NDArray[Any]
    n_rows: Array
    weight: Array
    mean: Array
    scatter: Array

    subtractable: ClassVar[bool] = True

    @classmethod
    @abstractmethod
    def of(cls, table: Table) -> Self:
        """The moments of a table whose y holds numbers of classes."""

    @abstractmethod
    def _shaped(self, scatter: Array, place: NDArray[np.intp], count: int) -> Array:
        """A scatter for `count` classes, the present ones at `place`."""

    @abstractmethod
    def _moved(self, cross: Array, delta: Array) -> Array:
        """Σ cross·δδᵀ, as this form keeps it."""

    @property
    @abstractmethod
    def within(self) -> Array:
        """Diagonal of the scatter of all classes, each about its own mean (p)."""

    @property
    def n_features(self) -> int:
        return int(self.mean.shape[1])

    @property
    def total_mean(self) -> Array:
        """Mean of all rows."""
        return np.asarray(self.weight @ self.mean / max(self.weight.sum(), np.finfo(float).tiny))

    @property
    def total_scatter(self) -> Array:
        """Diagonal of the scatter of all rows about their common mean (p)."""
        deviation = self.mean - self.total_mean
        return np.asarray(self.within + self.weight @ deviation**2)

    def merge(self, other: Self) -> Self:
        """S = S₁ + S₂ + n₁n₂/n · δδᵀ in every class."""
        self._require_same_columns(other)
        left, right = self._aligned(other)
        n = left.weight + right.weight
        safe = np.where(n > 0, n, 1.0)
        delta = right.mean - left.mean
        share = np.where(left.weight > 0, right.weight / safe, 1.0)
        mean = left.mean + delta * share[:, None]
        cross = left.weight * (right.weight / safe)
        scatter = left.scatter + right.scatter + self._moved(cross, delta)
        return type(self)(left.classes, left.n_rows + right.n_rows, n, mean, scatter)

    def subtract(self, other: Self) -> Self:
        """The moments of the rows here that are not in `other`, which must be a part of these."""
        self._require_same_columns(other)
        left, right = self._aligned(other)
        rows = left.n_rows - right.n_rows
        if (rows < 0).any():
            c = int(np.argmin(rows))
            raise InvalidDataError(
                f"{type(self).__name__}.subtract: cannot take {right.n_rows[c]:g} rows of class "
                f"{left.classes.tolist()[c]!r} from {left.n_rows[c]:g}."
            )
        n = np.where(rows > 0, left.weight - right.weight, 0.0)
        safe = np.where(n > 0, n, 1.0)
        back = (left.mean - right.mean) * (right.weight / safe)[:, None]
        mean = np.where((n > 0)[:, None], left.mean + back, 0.0)
        cross = right.weight * np.where(n > 0, n / np.where(left.weight > 0, left.weight, 1.0), 0)
        scatter = left.scatter - right.scatter - self._moved(cross, right.mean - mean)
        return type(self)(left.classes, rows, n, mean, self._emptied(scatter, rows))

    def scaled(self, factor: float) -> Self:
        """The moments of the same rows with all weights multiplied by a factor above 0."""
        weight, scatter = self.weight * factor, self.scatter * factor
        return type(self)(self.classes, self.n_rows, weight, self.mean, scatter)

    def of_classes(self, classes: NDArray[Any]) -> Self:
        """The same for other classes, among which all that have rows must be."""
        place = np.searchsorted(classes, self.classes)
        known = np.isin(self.classes, classes)
        if (self.n_rows[~known] > 0).any():
            raise InvalidDataError(
                f"{type(self).__name__}: there are rows of {self.classes[~known].tolist()!r}, "
                f"which are not among {classes.tolist()!r}."
            )
        count, at = len(classes), place[known]
        n_rows, weight, mean = np.zeros(count), np.zeros(count), np.zeros((count, self.n_features))
        n_rows[at], weight[at], mean[at] = self.n_rows[known], self.weight[known], self.mean[known]
        kept = self.scatter[known] if len(self.scatter) == len(known) else self.scatter
        scatter = self._shaped(kept, at, count)
        return type(self)(classes, n_rows, weight, mean, scatter)

    def present(self) -> Self:
        """Without classes that have no rows."""
        if self.n_rows.all():
            return self
        return self.of_classes(self.classes[self.n_rows > 0])

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.scatter).all() and np.isfinite(self.mean).all())

    def column_lengths(self) -> Array:
        return np.asarray(np.sqrt(self.total_scatter))

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {name: getattr(self, name) for name in ClassMoments.__slots__}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Self:
        return cls(**arrays)

    def _aligned(self, other: Self) -> tuple[Self, Self]:
        if np.array_equal(self.classes, other.classes):
            return self, other
        if len(self.classes) == 0 or len(other.classes) == 0:
            classes = other.classes if len(self.classes) == 0 else self.classes
        else:
            classes = np.union1d(self.classes, other.classes)
        return self.of_classes(classes), other.of_classes(classes)

    def _emptied(self, scatter: Array, rows: Array) -> Array:
        """Rounding leaves nothing in classes without rows."""
        if scatter.shape[:1] == rows.shape and self.scatter.shape[0] == len(rows):
            return np.where(rows.reshape(-1, *[1] * (scatter.ndim - 1)) > 0, scatter, 0.0)
        return scatter if rows.any() else np.zeros_like(scatter)

    def _require_same_columns(self, other: Self) -> None:
        if self.n_features != other.n_features:
            raise InvalidDataError(
                f"{type(self).__name__}: these have {self.n_features} features, the others "
                f"{other.n_features}; they must describe the same columns."
            )


class DiagonalClassMoments(ClassMoments):
    """`ClassMoments` with the diagonal of every class's scatter (k × p): columns by themselves."""

    __slots__ = ()

    @classmethod
    def of(cls, table: Table) -> Self:
        classes, codes = class_codes(table)
        found = class_pass("class_variances", table, codes, len(classes))
        return cls(classes, *found)

    @property
    def within(self) -> Array:
        return np.asarray(self.scatter.sum(axis=0))

    def _shaped(self, scatter: Array, place: NDArray[np.intp], count: int) -> Array:
        shaped = np.zeros((count, *scatter.shape[1:]))
        shaped[place] = scatter
        return shaped

    def _moved(self, cross: Array, delta: Array) -> Array:
        return np.asarray(cross[:, None] * delta**2)


class FullClassMoments(DiagonalClassMoments):
    """`ClassMoments` with every class's scatter (k × p × p)."""

    __slots__ = ()

    @classmethod
    def of(cls, table: Table) -> Self:
        classes, codes = class_codes(table)
        order = np.argsort(codes.astype(np.min_scalar_type(len(classes))), kind="stable")
        stops = np.cumsum(np.bincount(codes.astype(np.intp), minlength=len(classes)))
        bounds = np.column_stack([np.r_[0, stops[:-1]], stops]).astype(np.int64)
        parts = (None, table.weights, order.astype(np.int64), bounds)
        if table.is_sparse:
            return cls(classes, *_core.part_moments_csr(*csr_parts(table.x), *parts))
        return cls(classes, *_core.part_moments(table.x, *parts))

    @property
    def within(self) -> Array:
        return np.asarray(np.diagonal(self.scatter, axis1=1, axis2=2).sum(axis=0))

    def _moved(self, cross: Array, delta: Array) -> Array:
        return np.asarray((cross[:, None] * delta)[:, :, None] * delta[:, None, :])


class PooledClassMoments(ClassMoments):
    """`ClassMoments` with the scatter of all classes together, each about its own mean (p × p)."""

    __slots__ = ()

    @classmethod
    def of(cls, table: Table) -> Self:
        classes, codes = class_codes(table)
        if table.n_features > _WIDE:
            full = FullClassMoments.of(table)
            return cls(classes, full.n_rows, full.weight, full.mean, full.scatter.sum(axis=0))
        return cls(classes, *class_pass("class_scatter", table, codes, len(classes)))

    @property
    def within(self) -> Array:
        return np.diagonal(self.scatter)

    def of_classes(self, classes: NDArray[Any]) -> Self:
        # k = p would look like one scatter per class
        bare = DiagonalClassMoments(self.classes, self.n_rows, self.weight, self.mean, self.mean)
        found = bare.of_classes(classes)
        return type(self)(classes, found.n_rows, found.weight, found.mean, self.scatter)

    def _emptied(self, scatter: Array, rows: Array) -> Array:
        return scatter if rows.any() else np.zeros_like(scatter)

    def _shaped(self, scatter: Array, place: NDArray[np.intp], count: int) -> Array:
        return scatter

    def _moved(self, cross: Array, delta: Array) -> Array:
        return np.asarray((cross[:, None] * delta).T @ delta)
