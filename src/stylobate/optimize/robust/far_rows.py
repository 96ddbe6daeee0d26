"""Which rows are far from a line: a flag for every row, wherever the rows are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from stylobate.arrays import Array, Mask
from stylobate.data import Table


@dataclass(frozen=True, slots=True, eq=False)
class FarRowFlags:
    """Whether each row is far, in pieces that follow each other."""

    pieces: tuple[Mask, ...]
    subtractable: ClassVar[bool] = False

    @property
    def far(self) -> Mask:
        return np.concatenate(self.pieces)

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        return type(self)(self.pieces + other.pieces)

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return True


@dataclass(frozen=True, slots=True, eq=False)
class FarFromLine:
    """The recipe: rows whose residual |y − xᵀβ − α| is more than `reach`."""

    coef: Array
    intercept: float
    reach: float

    def of(self, table: Table) -> FarRowFlags:
        """Of the rows of a table."""
        assert table.y is not None
        line = table.x @ self.coef + self.intercept
        return FarRowFlags((np.asarray(np.abs(table.y[:, 0] - line) > self.reach),))
