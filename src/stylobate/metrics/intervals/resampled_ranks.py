"""The bootstrap of areas under curves: rows are sorted once, resamples change their weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stylobate.metrics.intervals.linear import Array
from stylobate.metrics.intervals.metric import Metric
from stylobate.metrics.intervals.ranks import place_of, positive_rows
from stylobate.metrics.intervals.resampling import ResampledRows
from stylobate.metrics.intervals.rows import Rows
from stylobate.metrics.sorting import ranked_counts
from stylobate.splits.strata import type_of_target


class ResampledRanks(ResampledRows):
    """Area under the ROC curve or average precision of two classes, in one pass a resample."""

    def __init__(self, metric: Metric, rows: Rows, strata: NDArray[np.intp] | None) -> None:
        super().__init__(metric, rows, strata)
        positive = positive_rows(metric, rows.truth)
        self.area = _roc_area if metric.known == "roc_auc_score" else _precision_area
        self.cells = []
        for scores in rows.predicted:
            thresholds, _, _ = ranked_counts(positive, scores.reshape(-1), rows.weights)
            place = place_of(scores.reshape(-1), thresholds)
            self.cells.append((2 * place + positive, 2 * len(thresholds)))

    def _values(self, index: NDArray[np.intp]) -> list[float]:
        weights = None if self.rows.weights is None else self.rows.weights[index]
        return [self._area(cells[index], count, weights) for cells, count in self.cells]

    def _area(self, cells: NDArray[np.intp], count: int, weights: Array | None) -> float:
        """The area from the rows at each threshold, of which the positive ones are odd."""
        there = np.bincount(cells, weights=weights, minlength=count)
        true, false = np.cumsum(there[1::2]), np.cumsum(there[::2])
        return self.area(true.astype(np.float64), (true + false).astype(np.float64))


def ranks_apply(metric: Metric, rows: Rows) -> bool:
    """Whether this is the area of two classes with one score for each row."""
    if metric.known not in ("roc_auc_score", "average_precision_score"):
        return False
    narrow = all(p.size == len(rows) for p in rows.predicted)
    whole = metric.option("max_fpr") in (None, 1)
    return narrow and whole and type_of_target(rows.truth) == "binary"


def _roc_area(true: Array, every: Array) -> float:
    false = every - true
    if not (true[-1] > 0 and false[-1] > 0):
        return float("nan")
    pairs = (np.diff(false, prepend=0.0) * (true + np.append(0.0, true[:-1]))).sum()
    return float(pairs / (2.0 * true[-1] * false[-1]))


def _precision_area(true: Array, every: Array) -> float:
    if not true[-1] > 0:
        return float("nan")
    precision = np.divide(true, every, out=np.zeros_like(true), where=every > 0)
    return float((np.diff(true, prepend=0.0) * precision).sum() / true[-1])
