"""The summary of a column of moments in time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exploration.periods import period_of, starts_of
from stylobate.exploration.summaries.values import value_text
from stylobate.exploration.variables import DatetimeSummary, PeriodCount

_REGULAR = 0.5  # share of steps that equal the median from which on a column is regular


def summarise_moments(values: NDArray[Any], counts: NDArray[np.intp]) -> DatetimeSummary | None:
    """First, last, step, gaps and rows per period of distinct moments in increasing order."""
    if len(values) == 0:
        return None
    first, last = values[0], values[-1]
    median, gaps = _steps(values)
    per = period_of(first, last)
    starts = starts_of(first, last, per)
    place = np.searchsorted(starts, values, side="right") - 1
    rows = np.bincount(place, counts, len(starts)).astype(int)
    trend = tuple(
        PeriodCount(value_text(start), int(count))
        for start, count in zip(starts.astype("M8[us]"), rows, strict=True)
    )
    return DatetimeSummary(first.item(), last.item(), median, gaps, per, trend)


def _steps(values: NDArray[Any]) -> tuple[float | None, int | None]:
    """The median step in seconds, and how many are longer where most equal it."""
    if len(values) < 2:
        return None, None
    steps = np.diff(values).astype(np.int64)
    median = float(np.median(steps))
    if np.mean(np.abs(steps - median) <= 0.01 * median) < _REGULAR:
        return median / 1e6, None
    return median / 1e6, int((steps > 1.5 * median).sum())
