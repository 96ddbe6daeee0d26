"""The precision–recall curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.metrics.curves.curve import ThresholdCurve, trapezoids
from stylobate.metrics.curves.thresholds import ThresholdCounts, count_thresholds
from stylobate.metrics.regression.outputs import warn_undefined


class PrecisionRecallCurve(ThresholdCurve):
    """Precision against recall over all thresholds; unpacks as (precision, recall, thresholds).

    See `precision_recall_curve`, which makes it.
    """

    fields = ("precision", "recall", "thresholds")
    precision: Array
    recall: Array

    @property
    def average_precision(self) -> float:
        """Precision averaged over the recall gained at each threshold, Σ (Rₖ − Rₖ₋₁) Pₖ."""
        true, every = self.counts.true, self.counts.true + self.counts.false
        if true[-1] == 0:
            return 0.0
        return float(np.diff(true, prepend=0.0) @ (true / every) / true[-1])

    @property
    def auc(self) -> float:
        """The area by trapezoids, which is too hopeful between points: see `average_precision`."""
        return trapezoids(self.recall[::-1], self.precision[::-1])

    @property
    def prevalence(self) -> float:
        """The share of positive rows: the precision of guessing."""
        return self.counts.positive / (self.counts.positive + self.counts.negative)

    def best_threshold(self, beta: float = 1.0) -> float:
        """Where Fᵦ is highest: recall counts β times as much as precision."""
        p, r = self.precision[:-1], self.recall[:-1]
        below = beta**2 * p + r
        f = np.divide((1 + beta**2) * p * r, below, out=np.zeros_like(p), where=below > 0)
        return float(self.thresholds[int(np.argmax(f))])

    def plot(self, ax: Any = None, *, label: str | None = None, **options: Any) -> Any:
        """Draw the curve; see `stylobate.plot.plot_precision_recall_curve`."""
        from stylobate.plot import plot_precision_recall_curve

        curves = self if label is None else {label: self}
        return plot_precision_recall_curve(curves, ax=ax, **options)

    def _words(self) -> str:
        points = f"{len(self.thresholds)} thresholds"
        return f"average precision {self.average_precision:.4g}, {points}, {self._rows()}"


def precision_recall_curve(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = False,
) -> PrecisionRecallCurve:
    """Precision against recall, for every threshold.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As of `roc_curve`.
    drop_intermediate : bool, default=False
        Whether to leave out thresholds where the recall is that of both neighbours.

    Returns
    -------
    PrecisionRecallCurve
        Unpacks as ``precision, recall, thresholds``, from the lowest threshold up, with a last
        point (1, 0) that has no threshold; has `average_precision`, `best_threshold`, `at` and
        `plot`.

    Examples
    --------
    >>> curve = precision_recall_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> precision, recall, thresholds = curve
    >>> recall
    array([1. , 1. , 0.5, 0.5, 0. ])
    >>> round(curve.average_precision, 6)
    0.833333
    """
    counts = count_thresholds(
        y_true,
        y_score,
        pos_label=pos_label,
        sample_weight=sample_weight,
        owner="precision_recall_curve",
    )
    shown = counts.kept(recall_changes(counts)) if drop_intermediate else counts
    precision = shown.true / (shown.true + shown.false)
    if counts.positive > 0:
        recall = shown.true / counts.positive
    else:
        warn_undefined(
            "No positive class found in y_true, recall is set to one for all thresholds."
        )
        recall = np.ones_like(shown.true)
    return PrecisionRecallCurve(  # type: ignore[no-any-return]
        np.append(precision[::-1], 1.0),
        np.append(recall[::-1], 0.0),
        shown.thresholds[::-1],
        counts=counts,
    )


def recall_changes(counts: ThresholdCounts) -> NDArray[np.intp]:
    """Thresholds before or after which more positive rows are found, and the first and last."""
    if len(counts.thresholds) <= 2:
        return np.arange(len(counts.thresholds))
    steps = np.diff(counts.true) != 0
    return np.flatnonzero(np.concatenate([[True], steps[:-1] | steps[1:], [True]]))
