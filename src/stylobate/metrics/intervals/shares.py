"""Metrics that are the share of some rows: which rows, and which of them hit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Mask
from stylobate.metrics.intervals.interval import Interval
from stylobate.metrics.intervals.metric import Metric
from stylobate.metrics.intervals.proportions import proportion_interval


@dataclass(frozen=True, slots=True)
class Share:
    """Hits among the rows that count, and how the metric follows from their share.

    Examples
    --------
    >>> share = Share(np.array([True, False, True, True]), None)
    >>> share.interval(0.95, "clopper-pearson").estimate
    0.75
    """

    hits: Mask
    weights: Array | None
    value: Callable[[float], float] = float
    note: str = ""
    by_truth: bool = True  # whether the rows that count are the same for all predictions

    @property
    def estimate(self) -> float:
        """The metric."""
        return self.value(float(np.average(self.hits, weights=self.weights)))

    def interval(self, confidence: float, method: str) -> Interval:
        """Wilson's or Clopper and Pearson's interval, taken through `value`.

        Weighted rows count as the number of equal ones that is as uncertain, (Σw)² / Σw² (Kish).
        """
        count = float(len(self.hits))
        if self.weights is not None:
            count = float(self.weights.sum()) ** 2 / float(self.weights @ self.weights)
        share = float(np.average(self.hits, weights=self.weights))
        plain = proportion_interval(share * count, count, confidence=confidence, method=method)
        low, high = sorted((self.value(plain.low), self.value(plain.high)))
        return Interval(self.value(share), low, high, method + self.note, confidence)


def share_of(
    metric: Metric, truth: NDArray[Any], predicted: NDArray[Any], weights: Array | None
) -> Share | None:
    """The metric as a share of rows; None if it is none, or no row counts."""
    if truth.ndim != 1 or predicted.ndim != 1 or not metric.option("normalize", True):
        return None
    if metric.known in ("accuracy_score", "zero_one_loss"):
        hits = truth == predicted
        return Share(~hits if metric.known == "zero_one_loss" else hits, weights)
    if metric.known not in _OF_POSITIVES or metric.option("average", "binary") != "binary":
        return None
    positive = metric.option("pos_label", 1)
    counted, hits, value = _OF_POSITIVES[metric.known](truth == positive, predicted == positive)
    if not counted.any():
        return None
    note = "" if value is float else " of the Jaccard index"
    by_truth = metric.known in _BY_TRUTH
    kept = None if weights is None else weights[counted]
    return Share(hits[counted], kept, value, note, by_truth)


def _recall(true: Mask, found: Mask) -> tuple[Mask, Mask, Callable[[float], float]]:
    return true, found, float


def _precision(true: Mask, found: Mask) -> tuple[Mask, Mask, Callable[[float], float]]:
    return found, true, float


def _specificity(true: Mask, found: Mask) -> tuple[Mask, Mask, Callable[[float], float]]:
    return ~true, ~found, float


def _jaccard(true: Mask, found: Mask) -> tuple[Mask, Mask, Callable[[float], float]]:
    return true | found, true & found, float


def _f1(true: Mask, found: Mask) -> tuple[Mask, Mask, Callable[[float], float]]:
    """F₁ = 2J/(1 + J), and the Jaccard index J is the share of hits among the rows in question."""
    return true | found, true & found, lambda share: 2.0 * share / (1.0 + share)


def _false_positives(true: Mask, found: Mask) -> tuple[Mask, Mask, Callable[[float], float]]:
    return ~true, found, float


def _negative_value(true: Mask, found: Mask) -> tuple[Mask, Mask, Callable[[float], float]]:
    return ~found, ~true, float


_BY_TRUTH = ("false_positive_rate", "recall_score", "specificity_score")
_OF_POSITIVES = {
    "f1_score": _f1,
    "false_positive_rate": _false_positives,
    "jaccard_score": _jaccard,
    "negative_predictive_value": _negative_value,
    "precision_score": _precision,
    "recall_score": _recall,
    "specificity_score": _specificity,
}
