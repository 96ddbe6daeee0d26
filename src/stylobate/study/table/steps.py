"""A series in equal steps: which step each moment is, and the seasons steps of that length have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidDataError

_HOUR = 3600e6  # microseconds
_DAY = 24 * _HOUR
_MONTH = (28 * _DAY, 31 * _DAY)
# seasons of steps of about that length: a day, a week and a year
_SEASONS = {
    _HOUR / 4: (96, 672), _HOUR / 2: (48, 336), _HOUR: (24, 168), _DAY: (7, 365),
    7 * _DAY: (52,),
}  # fmt: skip
_MONTHS = {1: (12,), 3: (4,)}
_APART = 0.05  # of a step, that a moment may be off
_REGULAR = 0.9  # of the moments, that must be where steps are


@dataclass(frozen=True)
class Steps:
    """Equal steps of time.

    Attributes
    ----------
    name : str
        The time column.
    dates : bool
        Whether its moments are microseconds since 1970.
    start, length : float
        The first moment and the length of a step; of months their numbers.
    months : bool
        Whether steps are whole months, which are not equally long.
    """

    name: str
    dates: bool
    start: float
    length: float
    months: bool = False

    @property
    def seasons(self) -> tuple[int, ...]:
        """Steps after which things come again."""
        if self.months:
            return _MONTHS.get(round(self.length), ())
        if not self.dates:
            return ()
        near = [n for each, n in _SEASONS.items() if abs(self.length / each - 1) < _APART]
        return near[0] if near else ()

    def places(self, moments: NDArray[np.float64]) -> NDArray[np.intp]:
        """The number of the step of each moment."""
        held = _month_numbers(moments) if self.months else moments
        return np.asarray(np.rint((held - self.start) / self.length), dtype=np.intp)


def steps_of(name: str, moments: NDArray[np.float64], *, dates: bool) -> Steps:
    """The steps of a series; refuses moments that come twice, or not in equal steps.

    >>> months = np.arange("2020-01", "2021-06", dtype="M8[M]").astype("M8[us]").astype(float)
    >>> steps_of("month", months, dates=True).seasons
    (12,)
    """
    ordered = np.sort(moments)
    gaps = np.diff(ordered)
    if len(gaps) and not gaps.all():
        raise InvalidDataError(
            f"horizon: {int((gaps == 0).sum())} rows have the same {name!r} as another one, and a "
            "series has one row for each moment; study one series at a time."
        )
    middle = float(np.median(gaps))
    months = dates and _MONTH[0] <= middle <= 3.1 * _MONTH[1]
    if months:
        ordered = _month_numbers(ordered)
        middle = float(np.median(np.diff(ordered)))
    off = np.abs((ordered - ordered[0]) / middle - np.rint((ordered - ordered[0]) / middle))
    found = Steps(name, dates, float(ordered[0]), middle, months)
    places = found.places(moments)
    if np.mean(off <= _APART) < _REGULAR or len(np.unique(places)) < len(places):
        raise InvalidDataError(
            f"horizon: the moments of {name!r} are not in equal steps, so that what was so many "
            "steps before is not known; leave horizon out."
        )
    return found


def _month_numbers(moments: NDArray[np.float64]) -> NDArray[np.float64]:
    dates = moments.astype(np.int64).astype("datetime64[us]")
    return np.asarray(dates.astype("datetime64[M]").astype(np.int64), dtype=np.float64)
