"""The bootstrap of areas under curves: rows are sorted once, a resample is one compiled pass."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.metrics.curves.ranked_counts import ranked_counts
from stylobate.metrics.intervals.metric import Metric
from stylobate.metrics.intervals.ranks import AREAS, place_of, positive_rows
from stylobate.metrics.intervals.rows import Rows
from stylobate.splits.strata import type_of_target


class ResampledRanks:
    """Area under the ROC curve or average precision of two classes."""

    def __init__(self, metric: Metric, rows: Rows, strata: NDArray[np.intp] | None) -> None:
        self.metric, self.rows, self.strata = metric, rows, strata
        self.positive = positive_rows(metric, rows.truth)

    def resampled(self, count: int, random: np.random.Generator) -> Array:
        """As many resamples, a row each."""
        n = len(self.rows)
        cells = np.empty((len(self.rows.predicted), n), dtype=np.uint32)
        thresholds = np.empty(len(cells), dtype=np.int64)
        for model, scores in enumerate(self.rows.predicted):
            flat = np.asarray(scores, dtype=np.float64).reshape(-1)
            distinct, _, _ = ranked_counts(self.positive, flat, self.rows.weights)
            cells[model] = 2 * place_of(flat, distinct) + self.positive
            thresholds[model] = len(distinct)
        members, offsets = None, np.array([0, n])
        if self.strata is not None:
            members = np.argsort(self.strata, kind="stable").astype(np.uint32)
            offsets = np.append(0, np.cumsum(np.bincount(self.strata)))
        precision = self.metric.known == "average_precision_score"
        seed = int(random.integers(2**63))
        return _core.resampled_areas(
            cells, thresholds, self.rows.weights, members, offsets, precision, seed, count
        )

    def left_out(self) -> tuple[Array, Array]:
        """The values without each row, to first order: what rows add is known."""
        n = len(self.rows)
        weights = np.ones(n) if self.rows.weights is None else self.rows.weights
        shares = weights / weights.mean()
        values = []
        for scores in self.rows.predicted:
            flat = np.asarray(scores, dtype=np.float64).reshape(-1)
            value, added = AREAS[self.metric.known](self.positive, flat, shares)
            values.append(value - shares * added / n)
        return np.column_stack(values), np.ones(n)


def ranks_apply(metric: Metric, rows: Rows) -> bool:
    """Whether this is the area of two classes with one score for each row."""
    if metric.known not in AREAS or len(rows) >= 2**31:
        return False
    narrow = all(p.size == len(rows) for p in rows.predicted)
    whole = metric.option("max_fpr") in (None, 1)
    return narrow and whole and type_of_target(rows.truth) == "binary"
