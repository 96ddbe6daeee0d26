"""The summary of a column of moments in time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exploration.periods import period_of, starts_of
from stylobate.exploration.summaries.values import value_text
from stylobate.exploration.variables import DatetimeSummary, PeriodCount
from stylobate.statistics.columns.column_summary import ColumnSummary

_REGULAR = 0.8  # share of steps that equal the median from which on a column is regular


def summarise_moments(
    values: NDArray[Any], counts: NDArray[np.intp], scale: float = 1.0
) -> DatetimeSummary | None:
    """First, last, step, gaps and rows per period of distinct moments in increasing order.

    With a `scale` the moments are a sample, and every row stands for so many.
    """
    if len(values) == 0:
        return None
    first, last = values[0], values[-1]
    median, gaps = _steps(values) if scale == 1.0 else (None, None)
    per = period_of(first, last)
    starts = starts_of(first, last, per)
    place = np.searchsorted(starts, values, side="right") - 1
    rows = np.rint(scale * np.bincount(place, counts, len(starts))).astype(int)
    return DatetimeSummary(first.item(), last.item(), median, gaps, per, _trend(starts, rows))


def summarise_sketch(summary: ColumnSummary) -> DatetimeSummary | None:
    """The same from a summary of all rows: exact with few distinct moments, else by ranks."""
    if summary.frequent.is_exact:
        listed = summary.frequent.most_common(None)
        values = np.array([np.datetime64(each.value, "us") for each in listed], dtype="M8[us]")
        order = np.argsort(values)
        counts = np.array([each.count for each in listed], dtype=np.intp)
        return summarise_moments(values[order], counts[order])
    ranks = summary.quantiles
    first, last = (np.datetime64(end, "us") for end in (ranks.low, ranks.high))
    per = period_of(first, last)
    starts = starts_of(first, last, per)
    ends = np.append(starts[1:].astype("M8[us]"), last + np.timedelta64(1, "us"))
    share = np.asarray(ranks.cdf(ends - np.timedelta64(1, "us")), dtype=np.float64)
    rows = np.diff(np.append(0.0, np.rint(share * ranks.count))).astype(int)
    return DatetimeSummary(first.item(), last.item(), None, None, per, _trend(starts, rows))


def _trend(starts: NDArray[Any], rows: NDArray[Any]) -> tuple[PeriodCount, ...]:
    return tuple(
        PeriodCount(value_text(start), int(count))
        for start, count in zip(starts.astype("M8[us]"), rows, strict=True)
    )


def _steps(values: NDArray[Any]) -> tuple[float | None, int | None]:
    """The median step in seconds, and how many are longer where most equal it."""
    if len(values) < 2:
        return None, None
    steps = np.diff(values).astype(np.int64)
    median = float(np.median(steps))
    if np.mean(np.abs(steps - median) <= 0.01 * median) < _REGULAR:
        return median / 1e6, None
    return median / 1e6, int((steps > 1.5 * median).sum())
