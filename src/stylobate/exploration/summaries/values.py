"""The most frequent values of a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exploration.variables import ValueCount, ValueCounts
from stylobate.statistics.sketches.frequent_values import FrequentValues
from stylobate.statistics.sketches.frequent_values import ValueCount as Frequency

MOST = 20


def count_values(values: NDArray[Any], counts: NDArray[np.intp]) -> ValueCounts | None:
    """The most frequent ones, in order; equally frequent ones in the order of the values."""
    n = int(counts.sum())
    if n == 0:
        return None
    first = np.argsort(-counts, kind="stable")[:MOST]
    listed = tuple(
        ValueCount(value_text(values[i]), int(counts[i]), float(counts[i] / n)) for i in first
    )
    return ValueCounts(listed, n - sum(each.count for each in listed))


def count_sketch(frequent: Sequence[Frequency], values: FrequentValues, total: int) -> ValueCounts:
    """The most frequent values of a summary, in order; `total` values were counted."""
    listed = tuple(
        ValueCount(value_text(each.value), each.count, each.count / total)
        for each in frequent[:MOST]
    )
    others = total - sum(each.count for each in listed)
    return ValueCounts(listed, others, values.is_exact, values.error)


def in_order(counted: ValueCounts | None, order: Sequence[str]) -> ValueCounts | None:
    """The same values in the order of a scale; others come last."""
    if counted is None:
        return None
    place = {value: i for i, value in enumerate(order)}
    listed = sorted(counted.values, key=lambda each: place.get(each.value, len(place)))
    return replace(counted, values=tuple(listed))


def value_text(value: Any) -> str:
    """A value as text: whole numbers without a point, moments without empty parts.

    >>> value_text(3.0), value_text(0.25), value_text(np.datetime64("2024-01-02T00:00:00"))
    ('3', '0.25', '2024-01-02')
    """
    if isinstance(value, np.datetime64):
        text = str(value).replace("T", " ")
        return text.removesuffix(".000000").removesuffix(" 00:00:00")
    if isinstance(value, date | datetime):
        return str(value).removesuffix(" 00:00:00")
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):  # also NumPy's float64
        return f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.6g}"
    return str(value)
