"""What passes over rows tell of a line: sums near it and beside it, and the rows near it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, isfinite, isnan
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Integers
from stylobate.data import Table
from stylobate.optimize.robust.frame import Frame
from stylobate.optimize.robust.proof import DualSums
from stylobate.optimize.robust.rows import Rows, row_numbers

Line = tuple[Array, float]  # coefficients and intercept


@dataclass(frozen=True, slots=True, eq=False)
class BandAt:
    """A recipe: the check loss at a line, its slope, and the density of rows near it.

    Parameters
    ----------
    frame : Frame
        Coordinates of the density.
    tau : float
    line : (coef, intercept)
    width : float
        Of the band on either side of the line.
    """

    frame: Frame
    tau: float
    line: Line
    width: float

    def of(self, table: Table) -> BandSums:
        """The sums of a table."""
        rows = Rows.of(table)
        residual = rows.y - rows.values(*self.line)
        pull = np.where(residual > 0, self.tau, self.tau - 1.0) * rows.weights
        near = np.flatnonzero(np.abs(residual) <= self.width)
        z = self.frame.columns(rows.dense(near))
        return BandSums(
            value=float((pull * residual).sum()),
            pull=rows.sums(pull),
            total=float(pull.sum()),
            scatter=(z * rows.weights[near, None]).T @ z,
        )


@dataclass(frozen=True, slots=True, eq=False)
class BandSums:
    """Σ ωρ(r), Σ ωρ′(r)x, Σ ωρ′(r), and Σ ωzzᵀ over the band."""

    value: float
    pull: Array
    total: float
    scatter: Array
    subtractable: ClassVar[bool] = False

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        return type(self)(
            self.value + other.value,
            self.pull + other.pull,
            self.total + other.total,
            self.scatter + other.scatter,
        )

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return isfinite(self.value)


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """A recipe: rows to be looked at one by one, and sums of the others on both sides of a line.

    Parameters
    ----------
    line : (coef, intercept)
        By which sides are told.
    reach : float
        Rows this near to it have no side.
    now : (coef, intercept), optional
        Another line: rows whose side by it is the other one are to be looked at. Without it, those
        that have no side are.
    kept : array of int
        Numbers of rows that have been looked at, ascending; they belong to no side either.
    """

    line: Line
    reach: float
    now: Line | None = None
    kept: Integers | None = None

    def of(self, table: Table) -> SideSums:
        """The sums of a table."""
        rows, numbers = Rows.of(table), row_numbers(table)
        residual = rows.y - rows.values(*self.line)
        side = np.where(residual >= 0, 1.0, -1.0)
        looked = np.abs(residual) <= self.reach
        if self.kept is not None:
            looked |= np.isin(numbers, self.kept, assume_unique=True)
        fresh = looked
        if self.now is not None:
            fresh = ~looked & ((rows.y - rows.values(*self.now)) * side < 0)
        shares = [
            np.where(~looked & ~fresh & (side == sign), rows.weights, 0.0) for sign in (1.0, -1.0)
        ]
        return SideSums(
            pulls=np.array([rows.sums(share) for share in shares]),
            totals=np.array([share.sum() for share in shares]),
            levels=np.array([(share * residual).sum() for share in shares]),
            numbers=numbers[fresh],
            x=rows.dense(np.flatnonzero(fresh)),
            residual=residual[fresh],
            weights=rows.weights[fresh],
        )


@dataclass(frozen=True, slots=True, eq=False)
class SideSums:
    """Σ ωx, Σ ω and Σ ωr above and below the line, and the rows to be looked at."""

    pulls: Array
    totals: Array
    levels: Array
    numbers: Integers
    x: Array
    residual: Array
    weights: Array
    subtractable: ClassVar[bool] = False

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        return type(self)(
            self.pulls + other.pulls,
            self.totals + other.totals,
            self.levels + other.levels,
            np.concatenate([self.numbers, other.numbers]),
            np.concatenate([self.x, other.x]),
            np.concatenate([self.residual, other.residual]),
            np.concatenate([self.weights, other.weights]),
        )

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.levels).all())


@dataclass(frozen=True, slots=True, eq=False)
class DualAt:
    """A recipe: what a dual point proves of an answer, each row's entry told by its side.

    Parameters
    ----------
    tau : float
    answer : (coef, intercept)
    line : (coef, intercept)
        By which sides are told.
    numbers, duals : arrays
        Rows (ascending) whose entries are known otherwise, and these.
    """

    tau: float
    answer: Line
    line: Line
    numbers: Integers
    duals: Array

    def of(self, table: Table) -> DualSums:
        """The sums of a table."""
        rows, numbers = Rows.of(table), row_numbers(table)
        above = rows.y - rows.values(*self.line) >= 0
        dual = np.where(above, self.tau, self.tau - 1.0) * rows.weights
        known, places = self._known(numbers)
        dual[known] = self.duals[places]
        return DualSums.of(rows, self.tau, *self.answer, dual)

    def _known(self, numbers: Integers) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Places among the rows of a table, and among the known ones, of those that are both."""
        if not len(numbers):
            return np.zeros(0, np.intp), np.zeros(0, np.intp)
        low, high = np.searchsorted(self.numbers, [numbers[0], numbers[-1] + 1])
        here = np.arange(low, high)
        return np.searchsorted(numbers, self.numbers[low:high]), here


@dataclass(frozen=True, slots=True, eq=False)
class LeastGaps:
    """A recipe, and its statistic: how far lines at least lie above the ones before, at the rows.

    Parameters
    ----------
    coef : array of shape (K − 1, p)
        Differences of the lines' coefficients.
    intercept : array of shape (K − 1,)
    least : float
        Negative where lines cross.
    """

    coef: Array
    intercept: Array
    least: float = inf

    subtractable: ClassVar[bool] = False

    def of(self, table: Table) -> Self:
        """The least gap within a table, of rows that count."""
        rows = Rows.of(table)
        pairs = zip(self.coef, self.intercept, strict=True)
        gaps = [rows.values(coef, float(b)).min(initial=inf) for coef, b in pairs]
        return replace(self, least=min(gaps, default=inf))

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        return replace(self, least=min(self.least, other.least))

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return not isnan(self.least)
