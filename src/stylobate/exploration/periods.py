"""Periods of time: the finest that still fit a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_PERIODS = 120
# name, NumPy's unit, how many of it, seconds
_PERIODS = (
    ("second", "s", 1, 1.0),
    ("minute", "m", 1, 60.0),
    ("hour", "h", 1, 3600.0),
    ("day", "D", 1, 86400.0),
    ("week", "W", 1, 604800.0),
    ("month", "M", 1, 2629800.0),
    ("quarter", "M", 3, 7889400.0),
    ("year", "Y", 1, 31557600.0),
    ("decade", "Y", 10, 315576000.0),
    ("century", "Y", 100, 3155760000.0),
)


def period_of(first: Any, last: Any, most: int = MOST_PERIODS) -> str:
    """The finest period of which there are at most so many between two moments.

    >>> period_of(np.datetime64("2024-01-01"), np.datetime64("2024-03-31"))
    'day'
    """
    low, high = (np.datetime64(moment, "us").astype(np.int64) for moment in (first, last))
    span = (float(high) - float(low)) / 1e6
    return next((name for name, _, _, length in _PERIODS if span < most * length), "century")


def starts_of(first: Any, last: Any, per: str) -> NDArray[Any]:
    """Where each period between two moments begins; weeks begin on Mondays.

    >>> starts_of(np.datetime64("2024-02-10"), np.datetime64("2024-08-01"), "quarter").tolist()
    [datetime.date(2024, 1, 1), datetime.date(2024, 4, 1), datetime.date(2024, 7, 1)]
    """
    _, unit, count, _ = next(each for each in _PERIODS if each[0] == per)
    shift = (
        np.timedelta64(3, "D") if unit == "W" else np.timedelta64(0, "D")
    )  # 1970-01-01: Thursday
    low, high = (
        (np.datetime64(moment, "us") + shift).astype(f"M8[{unit}]").astype(np.int64)
        // count
        * count
        for moment in (first, last)
    )
    starts = np.arange(low, high + 1, count).astype(f"M8[{unit}]")
    if unit == "W":
        return starts.astype("M8[D]") - shift
    return starts.astype("M8[D]") if unit in "MY" else starts
