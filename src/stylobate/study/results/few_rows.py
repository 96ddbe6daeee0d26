"""Intervals of scores that are the same in every sample of few rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

SHARES = (
    "accuracy", "balanced_accuracy", "roc_auc", "roc_auc_ovr", "roc_auc_ovo", "average_precision",
    "f1", "f1_macro", "f1_weighted", "precision", "recall",
)  # fmt: skip


def widened(
    name: str, value: float, low: float | None, high: float | None, count: int
) -> tuple[float | None, float | None]:
    """The ends of an interval, none of width zero: exact for shares of rows, else unknown.

    Twelve rows of twelve are right by chance now and then; that a score did not vary over folds or
    resamples tells nothing of how far from it the truth may be.

    Parameters
    ----------
    name : str
        Of the metric.
    value, low, high : float
        The score and the ends as they were found.
    count : int
        Rows that were scored; of several classes those of the rarest.
    """
    if low is None or high is None or high > low:
        return low, high
    if name not in SHARES or count < 1:
        return None, None
    return exact_ends(value, count)


def exact_ends(value: float, count: int) -> tuple[float, float]:
    """The exact 95 % interval of a share that was the same in every sample of rows.

    >>> [round(end, 3) for end in exact_ends(1.0, 12)]
    [0.735, 1.0]
    """
    from stylobate.metrics.intervals.proportions import proportion_interval

    found = proportion_interval(round(value * count), count, method="clopper-pearson")
    return min(found.low, value), max(found.high, value)


def balanced_reach(actual: NDArray[Any], said: NDArray[Any]) -> float:
    """Half the width of a 95 % interval of balanced accuracy, where classes have few rows.

    A class of one row is found or not, and its share of right answers seems to have no spread. Each
    class counts as if one more row were right and one more wrong (Agresti & Coull):
    1.96 √(Σ qₖ (1 − qₖ) / nₖ) / K with qₖ = (rightₖ + 1) / (nₖ + 2).

    >>> round(balanced_reach(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1])), 2)
    0.54
    """
    classes, codes = np.unique(actual, return_inverse=True)
    counts = np.bincount(codes)
    right = np.bincount(codes, np.asarray(said) == np.asarray(actual))
    shares = (right + 1.0) / (counts + 2.0)
    return float(1.959964 * np.sqrt(np.sum(shares * (1.0 - shares) / counts)) / len(classes))
