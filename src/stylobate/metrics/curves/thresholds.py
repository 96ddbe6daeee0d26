"""Rows counted above every threshold: what curves over thresholds are made of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import read_weights
from stylobate.data.containers import unpack
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError
from stylobate.metrics.classification.confusion_counts import ConfusionMatrix
from stylobate.metrics.classification.label_codes import code, two_values
from stylobate.metrics.classification.probabilities import positives
from stylobate.metrics.curves.ranked_counts import ranked_counts
from stylobate.metrics.regression.outputs import require_same_length
from stylobate.splits.strata import as_array, type_of_target


@dataclass(frozen=True)
class ThresholdCounts:
    """Weight of the positive and negative rows at or above each distinct score, highest first.

    Parameters
    ----------
    thresholds : array of shape (k,)
        The distinct scores, highest first.
    true, false : arrays of shape (k,)
        Weight of the positive and negative rows at or above them.
    labels : tuple
        The negative and the positive label.
    whole : bool
        Whether these are numbers of rows, and not weights.

    Examples
    --------
    >>> counts = count_thresholds([0, 1, 1], [0.2, 0.7, 0.7], owner="example")
    >>> counts.thresholds, counts.true
    (array([0.7, 0.2]), array([2., 2.]))
    >>> print(counts.at(0.5))
              predicted
              0       1
    true 0    1       0
         1    0       2
    """

    thresholds: Array
    true: Array
    false: Array
    labels: tuple[Any, Any] = (0, 1)
    whole: bool = True

    @property
    def positive(self) -> float:
        """Weight of all positive rows."""
        return float(self.true[-1])

    @property
    def negative(self) -> float:
        """Weight of all negative rows."""
        return float(self.false[-1])

    def kept(self, which: NDArray[Any]) -> ThresholdCounts:
        """Some of the thresholds."""
        return replace(
            self,
            thresholds=self.thresholds[which],
            true=self.true[which],
            false=self.false[which],
        )

    def from_nothing(self) -> ThresholdCounts:
        """These, after an infinite threshold that no row reaches."""
        return replace(
            self,
            thresholds=np.append(np.inf, self.thresholds),
            true=np.append(0.0, self.true),
            false=np.append(0.0, self.false),
        )

    def at(self, threshold: float, *, strict: bool = False) -> ConfusionMatrix:
        """The confusion matrix when scores of at least the threshold are taken for positive.

        Parameters
        ----------
        threshold : float
            Where to cut.
        strict : bool, default=False
            Whether a score must be above the threshold, not only reach it.
        """
        if np.isnan(threshold):
            raise InvalidDataError("threshold is NaN; pass a number (inf: nothing is positive).")
        side: Any = "left" if strict else "right"
        place = int(np.searchsorted(-self.thresholds, -threshold, side=side))
        true, false = (self.true[place - 1], self.false[place - 1]) if place else (0.0, 0.0)
        cells = [[self.negative - false, false], [self.positive - true, true]]
        counts = np.array(cells)
        return ConfusionMatrix(
            np.rint(counts).astype(np.int64) if self.whole else counts, labels=self.labels
        )


def count_thresholds(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, owner: str
) -> ThresholdCounts:
    """Read labels and scores, and count; refuses several classes, NaN and lengths that differ."""
    scores = read_scores(y_score, owner)
    truth = as_array(y_true)
    if truth.size == 0:
        raise InvalidDataError(f"{owner}: y_true is empty; a minimum of 1 sample is required.")
    require_same_length(owner, len(truth), len(scores))
    kind = type_of_target(truth)
    if kind != "binary" and not (kind == "multiclass" and pos_label is not None):
        raise InvalidDataError(
            f"{owner}: {kind} format is not supported: y_true must hold two classes, or name one "
            "of them as pos_label."
        )
    weights = read_weights(sample_weight, len(scores), owner=owner)
    positive = positives(truth, pos_label, owner)
    counted = ranked_counts(positive, scores, weights)
    return ThresholdCounts(*counted, _labels(truth, pos_label), weights is None)


def read_scores(y_score: Any, owner: str, label: str = "y_score") -> Array:
    """One finite score for each row."""
    source = Input(owner, label)
    values = unpack(y_score, source).values
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1 or values.size == 0:
        raise InvalidDataError(
            f"{source} should be a 1d array with a score for each row, got an array of shape "
            f"{values.shape} instead; for two classes pass the scores of the positive one."
        )
    scores = np.asarray(values, dtype=np.float64)
    refuse_nonfinite(scores[:, None], source)
    return scores


def _labels(truth: NDArray[Any], pos_label: Any) -> tuple[Any, Any]:
    """What the negative and the positive rows are called."""
    values = truth.reshape(-1)
    two = two_values(values)
    present = (code(values)[0] if two is None else two[0]).tolist()
    positive = 1 if pos_label is None else pos_label
    others = [label for label in present if label != positive]
    if len(others) == 1:
        return others[0], positive
    return ("other" if others else f"not {positive}"), positive
