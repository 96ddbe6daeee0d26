"""The ROC curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.metrics.curves.curve import ThresholdCurve, trapezoids
from stylobate.metrics.curves.thresholds import ThresholdCounts, count_thresholds
from stylobate.metrics.regression.outputs import warn_undefined


class RocCurve(ThresholdCurve):
    """True against false positive rate over all thresholds; unpacks as (fpr, tpr, thresholds).

    See `roc_curve`, which makes it.
    """

    fields = ("fpr", "tpr", "thresholds")
    fpr: Array
    tpr: Array

    @property
    def auc(self) -> float:
        """The area: the chance that a positive row scores above a negative one."""
        return trapezoids(self.fpr, self.tpr)

    @property
    def best_threshold(self) -> float:
        """Where the true positive rate is farthest above the false one (Youden's index)."""
        return float(self.thresholds[int(np.argmax(self.tpr - self.fpr))])

    @property
    def slopes(self) -> Array:
        r"""The slope of each piece: (change of tpr) / (change of fpr), one less than the points.

        It is the likelihood ratio of a score between the two thresholds,

        .. math:: \frac{d\,\mathrm{TPR}}{d\,\mathrm{FPR}} =
                  \frac{p(s \mid +)}{p(s \mid -)},

        so that deciding by it (Neyman and Pearson) is best where the slopes fall from left to
        right; infinite where only positive rows are.

        Examples
        --------
        >>> roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]).slopes
        array([inf,  1.,  0.])
        """
        rise, run = np.diff(self.tpr), np.diff(self.fpr)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(rise / run)

    def likelihood_ratio(self, score: Any) -> Array:
        """The slope at each score: how much likelier it is among positive than negative rows.

        Above the largest score seen it is that of the first piece, below the least that of the
        last.

        Parameters
        ----------
        score : float or array-like of shape (n,)
            Scores.

        Examples
        --------
        >>> roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]).likelihood_ratio([0.8, 0.4, 0.1])
        array([inf,  1.,  0.])
        """
        # piece k is of the scores in [thresholds[k + 1], thresholds[k])
        reached = np.searchsorted(-self.thresholds[1:], -np.asarray(score, dtype=np.float64))
        return np.asarray(self.slopes[np.minimum(reached, len(self.slopes) - 1)])

    def plot(self, ax: Any = None, *, label: str | None = None, **options: Any) -> Any:
        """Draw the curve; see `stylobate.plot.plot_roc_curve`."""
        from stylobate.plot import plot_roc_curve

        return plot_roc_curve(self if label is None else {label: self}, ax=ax, **options)

    def _words(self) -> str:
        return f"area {self.auc:.4g}, {len(self.fpr)} points, {self._rows()}"


def roc_curve(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = True,
) -> RocCurve:
    """True positive rate against false positive rate, for every threshold.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of two classes; 0 and 1 or -1 and 1 unless `pos_label` is given.
    y_score : array-like of shape (n,)
        Finite scores that grow with the chance of being positive.
    pos_label : label, optional
        The positive one.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    drop_intermediate : bool, default=True
        Whether to leave out points on the straight line between their neighbours.

    Returns
    -------
    RocCurve
        Unpacks as ``fpr, tpr, thresholds``, from (0, 0) at an infinite threshold to (1, 1); has
        `auc`, `best_threshold`, `at` (the confusion matrix at a threshold) and `plot`. Rates of a
        class that is not there are NaN, with a warning.

    Examples
    --------
    >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve
    RocCurve: area 0.75, 5 points, 2 positive and 2 negative rows
    >>> fpr, tpr, thresholds = curve
    >>> tpr
    array([0. , 0.5, 0.5, 1. , 1. ])
    """
    counts = count_thresholds(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, owner="roc_curve"
    )
    shown = counts.kept(_corners(counts)) if drop_intermediate else counts
    drawn = shown.from_nothing()
    fpr = _rate(drawn.false, "No negative samples in y_true, false")
    tpr = _rate(drawn.true, "No positive samples in y_true, true")
    return RocCurve(fpr, tpr, drawn.thresholds, counts=counts)  # type: ignore[no-any-return]


def _corners(counts: ThresholdCounts) -> NDArray[np.intp]:
    """Thresholds where the curve turns, with the first and the last one."""
    if len(counts.thresholds) <= 2:
        return np.arange(len(counts.thresholds))
    turns = (np.diff(counts.false, 2) != 0) | (np.diff(counts.true, 2) != 0)
    return np.flatnonzero(np.concatenate([[True], turns, [True]]))


def _rate(reached: Array, what: str) -> Array:
    if reached[-1] > 0:
        return np.asarray(reached / reached[-1])
    warn_undefined(f"{what} positive value should be meaningless")
    return np.full(reached.shape, np.nan)
