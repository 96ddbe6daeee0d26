"""Statistics of rows that drift: of the last parts alone, or of all with old ones counting less."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, Self

import numpy as np

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.statistics.source import S

_LOST = 1e-3  # of a column's length: what is left after a subtraction has lost six digits


@dataclass(frozen=True, slots=True, eq=False)
class SlidingWindow(Generic[S]):
    """The statistic of the last parts of a stream: the newest is merged, the oldest subtracted.

    A step costs one merge and one subtraction, however many parts the window has. Subtraction
    rounds, so the parts are merged anew after `refresh` steps, and at once where a part leaves
    that was much larger than the others. Statistics that cannot be subtracted are merged anew at
    every step.

    Parameters
    ----------
    length : int >= 1
        How many parts the window has.
    refresh : int >= 1, default=64
        Steps after which the parts are merged anew.

    Attributes
    ----------
    parts : tuple
        The statistics in the window, the oldest first.
    statistic : object or None
        Of all of them together; None before the first.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> from stylobate.statistics import Moments
    >>> window = SlidingWindow(2)
    >>> for day in ([[1.0], [3.0]], [[5.0]], [[9.0]]):
    ...     window = window.add(Moments.of(read_table(day, owner="example")))
    >>> window.statistic.n_rows, window.statistic.mean
    (2, array([7.]))
    """

    length: int
    refresh: int = 64
    parts: tuple[S, ...] = ()
    statistic: S | None = None
    steps: int = 0

    def __post_init__(self) -> None:
        for name in ("length", "refresh"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
                raise InvalidParameterError(
                    f"SlidingWindow: {name} must be a whole number of at least 1, got {value!r}."
                )

    def add(self, part: S) -> Self:
        """The window with one more part, and without the oldest if it was full."""
        if self.statistic is None:
            return replace(self, parts=(part,), statistic=part)
        whole = self.statistic.merge(part)
        if len(self.parts) < self.length:
            return replace(self, parts=(*self.parts, part), statistic=whole)
        parts = (*self.parts[1:], part)
        left = self._without_oldest(whole) if self.steps + 1 < self.refresh else None
        if left is None:
            return replace(self, parts=parts, statistic=_merged(parts), steps=0)
        return replace(self, parts=parts, statistic=left, steps=self.steps + 1)

    def _without_oldest(self, whole: Any) -> Any:
        """The oldest part subtracted; None where that cannot be, or loses too many digits."""
        if not getattr(whole, "subtractable", False) or self.length == 1:
            return None
        left = whole.subtract(self.parts[0])
        before, after = whole.column_lengths(), left.column_lengths()
        return None if (after < _LOST * before).any() else left


@dataclass(frozen=True, slots=True, eq=False)
class Forgetting(Generic[S]):
    r"""The statistic of all rows so far, in which a row counts less the longer ago it came.

    .. math:: w_i = 2^{-a_i / h}

    with a the number of rows in later parts and h the half-life. Before a part of m rows is
    merged, what was known is scaled by :math:`2^{-m/h}`.

    Parameters
    ----------
    half_life : float > 0
        The number of rows after which a row counts half.

    Attributes
    ----------
    statistic : object or None
        Of the rows so far; None before the first part.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> from stylobate.statistics import Moments
    >>> seen = Forgetting(half_life=1)
    >>> for row in ([[0.0]], [[3.0]]):
    ...     seen = seen.add(Moments.of(read_table(row, owner="example")))
    >>> seen.statistic.weight, seen.statistic.mean
    (1.5, array([2.]))
    """

    half_life: float
    statistic: S | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.half_life, int | float | np.number) or not self.half_life > 0:
            raise InvalidParameterError(
                f"Forgetting: half_life must be a number of rows above 0, got {self.half_life!r}."
            )

    def add(self, part: S) -> Self:
        """With the rows of one more part, all earlier ones counting less."""
        known: Any = self.statistic
        if known is None:
            return replace(self, statistic=part)
        if not hasattr(known, "scaled"):
            raise InvalidDataError(
                f"Forgetting: rows in a {type(known).__name__} cannot be made to count less; "
                "Moments and ClassMoments can."
            )
        rows = float(np.sum(part.n_rows))  # type: ignore[attr-defined]  # those with `scaled` have it
        factor = 2.0 ** (-rows / self.half_life)
        if factor == 0.0:
            return replace(self, statistic=part)
        return replace(self, statistic=known.scaled(factor).merge(part))


def _merged(parts: tuple[S, ...]) -> S:
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.merge(part)
    return whole
