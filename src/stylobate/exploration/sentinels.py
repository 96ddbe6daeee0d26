"""Numbers that stand for "no value": frequent, at the end of the range, far from all others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stylobate.exploration.cells import Cells
from stylobate.exploration.summaries.values import value_text

_SHARE = 0.002  # of the rows, at least
_LEAST = 5  # rows
_DISTINCT = 10  # values without which there is no "far"
_APART = 0.1  # the same, for a value that is suspected in another column
_FAR = 2.0  # distance to the nearest other value, in ranges of the middle 98 % of the others


def sentinels_of(columns: Sequence[Cells]) -> dict[str, tuple[str, int]]:
    """Suspects by column: the value as text, and how often it occurs.

    A value suspected in one column is suspected wherever it ends the range and stands apart.
    """
    numeric = [
        cells
        for cells in columns
        if cells.column.kind == "numeric" and cells.is_numeric and len(cells.values) >= _DISTINCT
    ]
    ends = {cells.column.name: (cells, _ends(cells)) for cells in numeric}
    known = {end.value for _, found in ends.values() for end in found if end.distance > _FAR}
    told = {}
    for name, (_, found) in ends.items():
        for end in found:
            if end.distance > _FAR or (end.value in known and end.distance > _APART):
                told[name] = (value_text(end.value), end.rows)
    return told


class _End(NamedTuple):
    """A frequent value at an end of the range, and how far it is from the nearest other."""

    value: float
    rows: int
    distance: float  # in ranges of the middle 98 % of the other values


def _ends(cells: Cells) -> list[_End]:
    values, counts = cells.values, cells.counts
    found = []
    for end in (0, len(counts) - 1):
        if counts[end] < max(_LEAST, _SHARE * counts.sum()) or not np.isfinite(values[end]):
            continue
        others = np.delete(np.arange(len(counts)), end)
        reached = np.cumsum(counts[others]) / counts[others].sum()
        low, high = (values[others][np.searchsorted(reached, q)] for q in (0.01, 0.99))
        nearest = values[others[0] if end == 0 else others[-1]]
        if high > low and np.isfinite(high - low):
            distance = abs(values[end] - nearest) / (high - low)
            found.append(_End(float(values[end]), int(counts[end]), float(distance)))
    return found
