"""MixtureSums: what a step of expectation and maximisation needs of the rows, mergeable."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError

# A mean so far from the point its rows were added up about, in variances, that four digits go.
_FAR = 1e4
_ROUNDING = 4.0 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False)
class MixtureAt:
    r"""A Gaussian mixture under which rows have memberships: the recipe of `MixtureSums`.

    .. math:: s_{ic} = b_c - \tfrac12 \|F_c (x_i - m_c)\|^2, \qquad
              r_{ic} = e^{s_{ic}} / \textstyle\sum_d e^{s_{id}}

    Parameters
    ----------
    bias : array of shape (k,)
        b: logarithms of the weights and of the densities' heights.
    means : array of shape (k, p)
        m.
    factors : array of shape (k, p, p) or (k, p)
        F: lower triangular matrices, or diagonals.
    shift : array of shape (k, p), optional
        Points about which each component's rows are added up; its mean by default.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> table = read_table([[0.0], [1.0], [9.0]], owner="example")
    >>> mixture = MixtureAt(np.zeros(2), np.array([[0.0], [10.0]]), np.ones((2, 1)))
    >>> mixture.of(table).means().ravel().round(6)
    array([0.5, 9. ])
    """

    bias: Array
    means: Array
    factors: Array
    shift: Array | None = None

    def of(self, table: Table) -> MixtureSums:
        """The sums of a table's rows, in one pass over them."""
        about = self.means if self.shift is None else self.shift
        run: Any = _core.diagonal_mixture_sums if self.diagonal else _core.triangular_mixture_sums
        likelihood, entropy, *sums = run(table.x, table.weights, about, *self.core())
        return MixtureSums(about, table.n_rows, _total(table), likelihood, entropy, *sums)

    @property
    def diagonal(self) -> bool:
        """Whether columns are independent within a component."""
        return self.factors.ndim == 2

    def core(self) -> tuple[Array, Array, Array, Array]:
        """Centre, bias, factors and means as the compiled functions take them."""
        center = np.ascontiguousarray(self.means.mean(axis=0))
        means = self.means - center
        if self.diagonal:
            means = means * self.factors
        return center, self.bias, np.ascontiguousarray(self.factors), np.ascontiguousarray(means)

    def about(self, shift: Array) -> Self:
        """The same mixture, with rows added up about other points."""
        return replace(self, shift=shift)


@dataclass(frozen=True, slots=True, eq=False)
class MixtureSums:
    r"""Sums of rows weighted by their memberships r in k components, about points s.

    .. math:: n_c = \sum_i w_i r_{ic}, \quad
              a_c = \sum_i w_i r_{ic} (x_i - s_c), \quad
              B_c = \sum_i w_i r_{ic} (x_i - s_c)(x_i - s_c)^\top

    Made by `MixtureAt.of`, or from memberships by `MixtureSums.of_memberships`; merges with sums
    about the same points. With s near the means nothing is lost to cancellation.

    Parameters
    ----------
    shift : array of shape (k, p)
        s.
    rows : int
    total : float
        Rows, and the sum of their weights.
    log_likelihood : float
        Σ w log Σ_c exp(s_c).
    entropy : float
        −Σ w Σ_c r log r.
    weight : array of shape (k,)
        n.
    first : array of shape (k, p)
        a.
    second : array of shape (k, p, p) or (k, p)
        B, or its diagonals.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> halves = [read_table([[0.0], [2.0]], owner="example"), read_table([[4.0]], owner="example")]
    >>> at = MixtureAt(np.zeros(1), np.array([[1.0]]), np.ones((1, 1, 1)))
    >>> whole = at.of(halves[0]).merge(at.of(halves[1]))
    >>> whole.means().item(), round(whole.scatter().item() / whole.total, 6)
    (2.0, 2.666667)
    """

    shift: Array
    rows: int
    total: float
    log_likelihood: float
    entropy: float
    weight: Array
    first: Array
    second: Array

    subtractable: ClassVar[bool] = True

    @classmethod
    def of_memberships(
        cls, table: Table, memberships: Array, shift: Array, *, diagonal: bool
    ) -> Self:
        """The sums under memberships that are given, rows × components."""
        given = (table.x, table.weights, np.ascontiguousarray(shift))
        _, _, *sums = _core.membership_sums(*given, np.ascontiguousarray(memberships), diagonal)
        return cls(given[2], table.n_rows, _total(table), 0.0, 0.0, *sums)

    def means(self, floor: float = 0.0) -> Array:
        """Σ w r x / (n + floor) of every component; a floor keeps components without rows defined.

        Where there is no floor either, the point s.
        """
        counts = self.weight + floor
        counts = np.where(counts > 0.0, counts, 1.0)[:, None]
        return np.asarray(self.shift + (self.first - floor * self.shift) / counts)

    def scatter(self, means: Array | None = None) -> Array:
        """Σ w r (x − m)(x − m)ᵀ about the means, or about points that are given.

        Squares of no more than the rounding of a mean are 0: rows that lie on one point.
        """
        about = self.means() if means is None else means
        moved, n = about - self.shift, self.weight[:, None]
        rounding = n * (_ROUNDING * about) ** 2
        if self.second.ndim == 2:
            found = self.second - moved * (2.0 * self.first - n * moved)
            return np.asarray(np.where(found > rounding, found, 0.0))
        cross = self.first[:, :, None] * moved[:, None, :]
        square = (n * moved)[:, :, None] * moved[:, None, :]
        found = self.second - cross - cross.transpose(0, 2, 1) + square
        own = np.arange(found.shape[1])
        squares = found[:, own, own]
        found[:, own, own] = np.where(squares > rounding, squares, 0.0)
        return np.asarray(found)

    def far(self, variance: float = 0.0) -> bool:
        """Whether a mean lies so far from s that the scatter about it has lost digits.

        A variance that will be added anyway hides what is lost below it.
        """
        moved = (self.means() - self.shift) ** 2
        squares = self.scatter()
        own = squares if squares.ndim == 2 else np.diagonal(squares, axis1=1, axis2=2)
        own = own / np.where(self.weight > 0.0, self.weight, 1.0)[:, None] + variance
        rounding = (np.finfo(float).eps * self.shift) ** 2
        return bool((moved > _FAR * (own + rounding)).any())

    def merge(self, other: Self) -> Self:
        """The sums of both parts' rows."""
        return self._combined(other, 1)

    def subtract(self, other: Self) -> Self:
        """The sums of the rows here that are not in `other`, which must be a part of these."""
        return self._combined(other, -1)

    def is_finite(self) -> bool:
        numbers = (self.log_likelihood, self.first, self.second)
        return all(bool(np.isfinite(each).all()) for each in numbers)

    def column_lengths(self) -> Array:
        """Nothing: squares of finite rows may overflow, and then the sums tell."""
        return np.empty(0)

    def to_arrays(self) -> dict[str, Array]:
        return {name: np.asarray(getattr(self, name)) for name in MixtureSums.__slots__}

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> Self:
        scalars = ("rows", "total", "log_likelihood", "entropy")
        values: dict[str, Any] = {
            name: array.item() if name in scalars else array for name, array in arrays.items()
        }
        return cls(**values)

    def _combined(self, other: Self, sign: int) -> Self:
        if not np.array_equal(self.shift, other.shift):
            raise InvalidDataError(
                "MixtureSums: the sums of both parts must be about the same points."
            )
        pairs = ((getattr(self, name), getattr(other, name)) for name in MixtureSums.__slots__[1:])
        return type(self)(self.shift, *(one + sign * two for one, two in pairs))


def _total(table: Table) -> float:
    return float(table.n_rows if table.weights is None else table.weights.sum())
