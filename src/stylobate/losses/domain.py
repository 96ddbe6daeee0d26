"""Domains: what a target may be."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError


@dataclass(frozen=True, slots=True)
class Domain:
    """All numbers, those from 0 on, those between two ends, or the two ends alone.

    Parameters
    ----------
    low, high : float
        The ends; finite ones belong to the domain unless `strict`.
    strict : bool, default=False
        Whether the target must be above `low`.
    ends_only : bool, default=False
        Whether it must be `low` or `high`.

    Examples
    --------
    >>> str(POSITIVE), POSITIVE.holds(np.array([0.0, 2.0]))
    ('in (0, inf)', array([False,  True]))
    """

    low: float = -inf
    high: float = inf
    strict: bool = False
    ends_only: bool = False

    def __str__(self) -> str:
        if self.ends_only:
            return f"{self.low:g} or {self.high:g}"
        if self.low == -inf:
            return "any number"
        close = ")" if self.high == inf else "]"
        return f"in {'(' if self.strict else '['}{self.low:g}, {self.high:g}{close}"

    @property
    def words(self) -> str:
        """The domain to follow "must be"."""
        if self.ends_only or self.low == -inf:
            return str(self)
        if self.high < inf:
            return f"between {self.low:g} and {self.high:g}"
        return "above 0 (strictly positive)" if self.strict else "at least 0 (non-negative)"

    def holds(self, y: Array) -> NDArray[np.bool_]:
        """Whether each entry lies in the domain."""
        if self.ends_only:
            return np.asarray((y == self.low) | (y == self.high))
        above = y > self.low if self.strict else y >= self.low
        return np.asarray(above & (y <= self.high))

    def require(self, y: Array, owner: str, loss: str) -> None:
        """Refuse a target with entries outside, naming the first such row."""
        bad = ~self.holds(y)
        if not bad.any():
            return
        row = int(np.argmax(bad))
        raise InvalidDataError(
            f"{owner}: Some value(s) of y are out of the valid range of the loss: the {loss} loss "
            f"takes targets {self}, but y holds {y[row]:g}; they must be {self.words}, and row "
            f"{row} is not."
        )


REALS = Domain()
SHARES = Domain(0.0, 1.0)
SIGNS = Domain(-1.0, 1.0, ends_only=True)
NONNEGATIVE = Domain(0.0)
POSITIVE = Domain(0.0, strict=True)
