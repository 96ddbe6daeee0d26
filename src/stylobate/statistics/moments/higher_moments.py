"""Moments up to the fourth of one column: mean, spread, skewness, kurtosis, extremes."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar, Self

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.statistics.sketches.sketching import sketched


@dataclass(frozen=True, slots=True, eq=False)
class HigherMoments:
    r"""Count, mean and power sums about it of the finite values of a column.

    .. math:: M_k = \sum_i (x_i - \bar x)^k, \quad k = 2, 3, 4

    Held in units of a power of two, so columns of order 1e±300 keep their digits; merged by
    Pébay's formulas.

    Parameters
    ----------
    numbers : array of shape (11,)
        Count, infinite, zeros, negatives, low, high, mean, unit, M₂, M₃, M₄ (in units).
    missing : int
        Missing cells, NaN included.

    Examples
    --------
    >>> left, right = HigherMoments.of([1.0, 2.0]), HigherMoments.of([6.0, float("nan")])
    >>> whole = left.merge(right)
    >>> whole.count, whole.missing, whole.mean, whole.variance
    (3, 1, 3.0, 7.0)
    >>> round(whole.skewness, 4)
    0.5952

    References
    ----------
    Pébay (2008), Formulas for robust, one-pass parallel computation of covariances and
    arbitrary-order statistical moments, Sandia SAND2008-6212.
    """

    numbers: Array
    missing: int

    subtractable: ClassVar[bool] = False

    @classmethod
    def of(cls, values: Any) -> Self:
        """Of a column of numbers: an array, a list, a series, an `ArrowColumn`."""
        _, found = sketched(values, want=("shape",))
        return cls(np.asarray(found.shape), found.missing)

    def merge(self, other: Self) -> Self:
        """The moments of both parts."""
        numbers = np.asarray(_core.merge_shapes(self.numbers, other.numbers))
        return type(self)(numbers, self.missing + other.missing)

    @property
    def count(self) -> int:
        """Finite values."""
        return int(self.numbers[0])

    @property
    def infinite(self) -> int:
        return int(self.numbers[1])

    @property
    def zeros(self) -> int:
        return int(self.numbers[2])

    @property
    def negatives(self) -> int:
        """Negative values, −inf included."""
        return int(self.numbers[3])

    @property
    def low(self) -> float:
        """Smallest finite value; inf where there is none."""
        return float(self.numbers[4])

    @property
    def high(self) -> float:
        """Largest finite value; -inf where there is none."""
        return float(self.numbers[5])

    @property
    def mean(self) -> float:
        """NaN where there is no finite value."""
        return float(self.numbers[6]) if self.count else float("nan")

    @property
    def variance(self) -> float:
        """With n − 1 as denominator; NaN for fewer than two values."""
        if self.count < 2:
            return float("nan")
        unit, squares = self.numbers[7:9].tolist()
        return float(unit * (squares / (self.count - 1)) * unit)

    @property
    def deviation(self) -> float:
        """Standard deviation, with n − 1 as denominator."""
        if self.count < 2:
            return float("nan")
        unit, squares = self.numbers[7:9].tolist()
        return float(unit * sqrt(squares / (self.count - 1)))

    @property
    def skewness(self) -> float:
        """√n M₃ / M₂^1.5; NaN where all values are one."""
        squares, cubes = self.numbers[8:10]
        return self._ratio(cubes * np.sqrt(self.numbers[0]), squares**1.5)

    @property
    def kurtosis(self) -> float:
        """Excess kurtosis n M₄ / M₂² − 3: 0 for normal data; NaN where all values are one."""
        squares, fourths = self.numbers[8], self.numbers[10]
        return self._ratio(fourths * self.numbers[0], squares**2) - 3

    def _ratio(self, above: float, below: float) -> float:
        return float(above / below) if self.count > 1 and below > 0 else float("nan")

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.numbers[6:]).all())

    def to_arrays(self) -> dict[str, Array]:
        return {"numbers": self.numbers, "missing": np.array([float(self.missing)])}

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> Self:
        return cls(np.array(arrays["numbers"]), int(arrays["missing"][0]))
