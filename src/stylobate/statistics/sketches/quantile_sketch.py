"""Quantiles of a stream of numbers from a few thousand of them, with a proved rank error."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.statistics.sketches.sketch_keys import keys_of, values_of
from stylobate.statistics.sketches.sketching import (
    QUANTILE_SIZE,
    common_kind,
    names_as_numbers,
    names_from,
    sketched,
)


@dataclass(frozen=True, slots=True, eq=False)
class QuantileSketch:
    r"""Ranks of numbers (dates, booleans) to within a known error; exact while there are few.

    Of 2k sorted numbers every second is kept with twice the weight, from the first or the second
    on by a coin, level by level. Each such step errs by at most its weight w, with mean 0, so

    .. math:: P\big(|\hat r(x) - r(x)| > \varepsilon n\big) \le 2 e^{-\varepsilon^2 n^2 / 2V},
              \quad V = \textstyle\sum w^2

    over the steps that were made: `rank_error` states ε for a confidence. With k = 1024 it is at
    most 0.2 % at 99 %, whatever the numbers and their order. The coins come from a seed.

    Parameters
    ----------
    core : _core.Quantiles
        The levels.
    kind, form : str
        What the keys stand for.

    Examples
    --------
    >>> sketch = QuantileSketch.of(np.arange(100_000.0)[::-1])
    >>> sketch.rank_error() < 0.002
    True
    >>> abs(float(sketch.quantile(0.25)) - 25_000) < 200
    True
    >>> QuantileSketch.of([3, 1, 2]).quantile([0, 0.5, 1])
    array([1, 2, 3])

    References
    ----------
    Agarwal, Cormode, Huang, Phillips, Wei & Yi (2013), Mergeable summaries, ACM TODS 38(4).
    """

    core: _core.Quantiles
    kind: str
    form: str

    subtractable: ClassVar[bool] = False

    @classmethod
    def of(cls, values: Any, *, k: int = QUANTILE_SIZE, seed: int = 0) -> Self:
        """Of a column of numbers.

        Parameters
        ----------
        values : array, list, series or ArrowColumn
            NaN and missing cells are left out; infinities are values.
        k : int in [8, 65536], default=1024
            Numbers kept a level; the error is about 1 / k.
        seed : int, default=0
            Of the coins.
        """
        column, found = sketched(values, k=k, seed=seed, want=("quantiles",))
        if found.kind == "text":
            raise InvalidDataError("QuantileSketch: text has no quantiles; pass numbers or dates.")
        return cls(found.quantiles, found.kind, column.cells.value_format)

    def merge(self, other: Self) -> Self:
        """The sketch of both parts; its error is at most that of the worse part."""
        kind, form = common_kind("QuantileSketch", (self.kind, self.form), (other.kind, other.form))
        return type(self)(self.core.merged(other.core), kind, form)

    @property
    def count(self) -> int:
        """Numbers absorbed."""
        return self.core.count

    @property
    def is_exact(self) -> bool:
        return self.core.variance == 0.0

    @property
    def low(self) -> Any:
        """The smallest value, exactly; None where there is none."""
        return self._value(self.core.low) if self.count else None

    @property
    def high(self) -> Any:
        """The largest value, exactly; None where there is none."""
        return self._value(self.core.high) if self.count else None

    def rank_error(self, confidence: float = 0.99) -> float:
        """ε: a rank is within ε·n of the truth with this probability; 0 while exact."""
        if self.is_exact:
            return 0.0
        return sqrt(2 * log(2 / (1 - confidence)) * self.core.variance) / self.count

    def quantile(self, q: ArrayLike) -> Any:
        """Values with a share q of the numbers at or below them (the inverse of the cdf).

        Parameters
        ----------
        q : float or array-like in [0, 1]

        Returns
        -------
        scalar or array
            Values of the column's own type that occurred in it; the smallest for 0 and the largest
            for 1, exactly.
        """
        asked = np.asarray(q, dtype=np.float64)
        if not ((asked >= 0) & (asked <= 1)).all():
            raise InvalidDataError(f"QuantileSketch: q must be in [0, 1], got {q!r}.")
        if self.count == 0:
            return np.full(asked.shape, np.nan)[()]
        keys, upto = self._cumulated()
        found = keys[np.searchsorted(upto, np.ceil(asked * self.count - 1e-9), side="left")]
        found = np.where(asked == 0, np.uint64(self.core.low), found)
        found = np.where(asked == 1, np.uint64(self.core.high), found)
        return values_of(found, self.kind, self.form)[()]

    def cdf(self, x: ArrayLike) -> Any:
        """The share of numbers at or below each x."""
        if self.count == 0:
            return np.full(np.shape(x), np.nan)[()]
        keys, upto = self._cumulated()
        asked = keys_of(x, self.kind, self.form)
        at = np.searchsorted(keys, asked, side="right")
        ranks = np.concatenate([[0], upto])[at]
        ranks = np.where(asked < np.uint64(self.core.low), 0, ranks)
        ranks = np.where(asked >= np.uint64(self.core.high), self.count, ranks)
        return (ranks / self.count)[()]

    def histogram(self, edges: ArrayLike) -> NDArray[np.float64]:
        """Numbers in each bin [eᵢ, eᵢ₊₁), the last one closed, each within 2 ε·n."""
        bounds = np.asarray(edges)
        below = self._below(bounds) * self.count
        below[-1] = self.cdf(bounds[-1]) * self.count
        return np.diff(below)

    def _below(self, x: NDArray[Any]) -> Array:
        """The share of numbers below each x."""
        if self.count == 0:
            return np.zeros(x.shape)
        keys, upto = self._cumulated()
        asked = keys_of(x, self.kind, self.form)
        exactly = _is_held(x, values_of(asked, self.kind, self.form))
        left = np.searchsorted(keys, asked, side="left")
        right = np.searchsorted(keys, asked, side="right")  # between two whole numbers
        ranks = np.concatenate([[0], upto])[np.where(exactly, left, right)]
        ranks = np.where(asked < np.uint64(self.core.low), 0, ranks)
        past = np.where(
            exactly, asked > np.uint64(self.core.high), asked >= np.uint64(self.core.high)
        )
        return np.asarray(np.where(past, self.count, ranks) / self.count)

    def _cumulated(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        keys, weights = (np.asarray(part) for part in self.core.sorted())
        return keys, np.cumsum(weights)

    def _value(self, key: int) -> Any:
        return values_of(np.array([key], np.uint64), self.kind, self.form)[0]

    def is_finite(self) -> bool:
        return True

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        names = names_as_numbers(self.kind, self.form)
        return {"state": np.asarray(self.core.state()), "names": names}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Self:
        kind, form = names_from(arrays["names"])
        return cls(_core.Quantiles.restored(np.ascontiguousarray(arrays["state"])), kind, form)


def _is_held(x: NDArray[Any], found: NDArray[Any]) -> NDArray[np.bool_]:
    if x.dtype.kind in "mM" or found.dtype.kind in "mM":
        return np.ones(x.shape, np.bool_) if x.dtype.kind != "f" else x == found.view(np.int64)
    return np.asarray(x == found)
