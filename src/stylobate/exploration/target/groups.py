"""Rows grouped by one column: categories, bins of equally many rows, periods of time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Integers
from stylobate.exploration.association.columns import AnyColumn, CategoryColumn, NumberColumn
from stylobate.exploration.association.ranks import rank_column
from stylobate.exploration.association.tables import equal_count_codes

MISSING = "(missing)"
_GAPS = 0.01  # share of rows from which on missing values are a group of their own
_FEW = 5  # rows that a category needs to be a group by itself, where there are
_SEVERAL = 10  # categories or more
_PERIODS = (("Y", 4 * 366), ("M", 92), ("D", 3), ("h", 0))  # unit, from so many days on


@dataclass(frozen=True, slots=True, eq=False)
class Grouping:
    """Which group each row belongs to (−1: missing), and what the groups are called."""

    name: str
    kind: str
    labels: tuple[str, ...]
    codes: Integers

    @property
    def levels(self) -> int:
        """Number of groups."""
        return len(self.labels)


def grouped(column: AnyColumn, most: int = 10) -> Grouping:
    """Groups of a column: at most so many bins or categories (the rarest together), or periods.

    >>> from stylobate.exploration.association import number_column
    >>> grouped(number_column("x", [1, 2, 3, 4, 5, 6]), most=2).labels
    ('1 to 3', '4 to 6')
    """
    if isinstance(column, CategoryColumn):
        fewer = column.at_most(most)
        labels = tuple(str(label) for label in fewer.labels)
        return Grouping(column.name, column.kind, labels, fewer.codes)
    if column.kind == "datetime":
        return _periods(column, most)
    return _bins(column, most)


def gaps_as_group(codes: Integers, levels: int) -> tuple[Integers, int]:
    """Codes with the missing rows (−1) as a last group, if they are 1 % of all or more.

    >>> gaps_as_group(np.array([0, 1, -1]), 2)
    (array([0, 1, 2]), 3)
    """
    gone = codes < 0
    if not gone.any() or float(gone.mean()) < _GAPS:
        return codes, levels
    return np.where(gone, levels, codes), levels + 1


def with_gaps(groups: Grouping) -> Grouping:
    """The same with such a last group, named "(missing)"."""
    codes, levels = gaps_as_group(groups.codes, groups.levels)
    if levels == groups.levels:
        return groups
    return Grouping(groups.name, groups.kind, (*groups.labels, MISSING), codes)


def finely_grouped(column: AnyColumn, most: int) -> Grouping:
    """Groups for numbers, not for the eye: all categories of five rows, ten bins, missing rows."""
    if not isinstance(column, CategoryColumn) or len(column.labels) <= min(most, _SEVERAL):
        return with_gaps(grouped(column, min(most, _SEVERAL)))
    common = int((column.counts() >= _FEW).sum())
    return with_gaps(grouped(column, min(max(common + 1, 2), most)))


def as_categories(column: AnyColumn) -> CategoryColumn:
    """A column of steps (or few numbers) as categories, in their order."""
    if isinstance(column, CategoryColumn):
        return column
    ranked = rank_column(column.values)
    if column.labels is not None:
        labels: tuple[Any, ...] = tuple(column.labels[int(step)] for step in ranked.values)
    else:
        values = ranked.values.tolist()
        labels = tuple(int(v) if float(v).is_integer() else v for v in values)
    return CategoryColumn(column.name, ranked.places, labels, column.kind)


def _bins(column: NumberColumn, most: int) -> Grouping:
    ranked = rank_column(column.values)
    codes, ends = equal_count_codes(ranked, most)
    values, names = ranked.values, column.labels
    shown = [names[int(v)] if names else _shown(v) for v in values] if len(values) <= most else []
    starts = np.append(0, ends)[: len(ends)].astype(int)
    labels = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        if end - start == 1:
            labels.append(shown[start] if shown else _shown(values[start]))
        else:
            labels.append(f"{_shown(values[start])} to {_shown(values[end - 1])}")
    return Grouping(column.name, column.kind, tuple(labels), codes)


def _shown(value: float) -> str:
    return f"{value:.0f}" if float(value).is_integer() and abs(value) < 1e7 else f"{value:.4g}"


def _periods(column: NumberColumn, most: int) -> Grouping:
    """Years, months, days or hours, whichever the span asks for; neighbours joined if too many."""
    present = column.present
    codes = np.full(len(column), -1, dtype=np.int64)
    if not present.any():
        return Grouping(column.name, "datetime", (), codes)
    days = column.values[present]
    span = float(days.max() - days.min())
    unit = next(unit for unit, least in _PERIODS if span >= least)
    moments = (days * 86_400_000).round().astype("datetime64[ms]").astype(f"datetime64[{unit}]")
    periods, place = np.unique(moments, return_inverse=True)
    step = -(-len(periods) // max(most, 24))
    codes[present] = place.reshape(-1) // step
    firsts = periods[::step]
    lasts = periods[
        np.minimum(np.arange(step - 1, len(periods) + step - 1, step), len(periods) - 1)
    ]
    labels = tuple(str(a) if a == b else f"{a} to {b}" for a, b in zip(firsts, lasts, strict=False))
    return Grouping(column.name, "datetime", labels, codes)
