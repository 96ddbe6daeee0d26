"""The bootstrap of areas under curves: rows are sorted once, resamples change their weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.metrics.intervals.linear import Array
from stylobate.metrics.intervals.metric import Metric
from stylobate.metrics.intervals.ranks import positive_rows
from stylobate.metrics.intervals.resampling import ResampledRows
from stylobate.metrics.intervals.rows import Rows
from stylobate.splits.strata import type_of_target


class ResampledRanks(ResampledRows):
    """Area under the ROC curve or average precision of two classes, in one pass a resample."""

    def __init__(self, metric: Metric, rows: Rows, strata: NDArray[np.intp] | None) -> None:
        super().__init__(metric, rows, strata)
        positive = positive_rows(metric, rows.truth)
        weights = np.ones(len(rows)) if rows.weights is None else rows.weights
        self.area = _roc_area if metric.known == "roc_auc_score" else _precision_area
        self.ranked = [_Ranked.of(positive, p.reshape(-1), weights) for p in rows.predicted]

    def _values(self, index: NDArray[np.intp]) -> list[float]:
        counts = np.bincount(index, minlength=len(self.rows))
        return [self.area(*each.reached(counts)) for each in self.ranked]


class _Ranked:
    """Rows from the highest score down, with the last row of each score."""

    def __init__(self, order: NDArray[np.intp], up: Array, every: Array, ends: Any) -> None:
        self.order, self.up, self.every, self.ends = order, up, every, ends

    @classmethod
    def of(cls, positive: NDArray[np.bool_], scores: Array, weights: Array) -> _Ranked:
        order = np.argsort(-scores)
        ordered, every = scores[order], weights[order]
        ends = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]), len(ordered) - 1)
        return cls(order, every * positive[order], every, ends)

    def reached(self, counts: NDArray[np.intp]) -> tuple[Array, Array]:
        """Weight of positive and of all rows at or above each score."""
        drawn = counts[self.order]
        return np.cumsum(drawn * self.up)[self.ends], np.cumsum(drawn * self.every)[self.ends]


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
    pairs = np.diff(false, prepend=0.0) @ (true + np.concatenate([[0.0], true[:-1]]))
    return float(pairs / (2.0 * true[-1] * false[-1]))


def _precision_area(true: Array, every: Array) -> float:
    if not true[-1] > 0:
        return float("nan")
    precision = np.divide(true, every, out=np.zeros_like(true), where=every > 0)
    return float(np.diff(true, prepend=0.0) @ precision) / float(true[-1])
