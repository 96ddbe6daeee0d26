"""Numbers that stand for "no value": frequent, at the end of the range, far from all others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stylobate.exploration.cells import Cells
from stylobate.exploration.summaries.values import value_text

_SHARE = 0.005  # of the rows, at least
_LEAST = 5  # rows
_DISTINCT = 10  # values without which there is no "far"
_FAR = 2.0  # distance to the nearest other value, in ranges of the middle 98 % of the others


def sentinels_of(columns: Sequence[Cells]) -> dict[str, tuple[str, int]]:
    """Suspects by column: the value as text, and how often it occurs."""
    found = {}
    for cells in columns:
        if cells.column.kind == "numeric" and cells.is_numeric and len(cells.values) >= _DISTINCT:
            suspect = _suspect(cells)
            if suspect is not None:
                found[cells.column.name] = suspect
    return found


def _suspect(cells: Cells) -> tuple[str, int] | None:
    counts = cells.counts
    n = counts.sum()
    for end in (0, len(counts) - 1):
        if counts[end] < max(_LEAST, _SHARE * n) or not np.isfinite(cells.values[end]):
            continue
        others = np.delete(np.arange(len(counts)), end)
        reached = np.cumsum(counts[others]) / counts[others].sum()
        low, high = (cells.values[others][np.searchsorted(reached, q)] for q in (0.01, 0.99))
        nearest = cells.values[others[0] if end == 0 else others[-1]]
        if abs(cells.values[end] - nearest) > _FAR * (high - low) > 0:
            return value_text(cells.values[end]), int(counts[end])
    return None
