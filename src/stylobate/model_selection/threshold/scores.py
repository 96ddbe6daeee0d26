"""Scores of a fitted classifier at many thresholds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.decision.criteria import CRITERIA
from stylobate.decision.thresholds import ThresholdCurve, choose_threshold
from stylobate.metrics.scoring.responses import response

Methods = str | tuple[str, ...]
# metrics whose value at every threshold follows from one sort, by the name of the function
_COUNTED = {
    "accuracy_score": "accuracy",
    "balanced_accuracy_score": "balanced_accuracy",
    "f1_score": "f1",
    "jaccard_score": "jaccard",
    "precision_score": "precision",
    "recall_score": "recall",
}


class Thresholded:
    """A fitted classifier that calls positive what scores at least a threshold."""

    def __init__(self, model: Any, methods: Methods, threshold: float, positive: Any) -> None:
        self.model, self.methods = model, methods
        self.threshold, self.positive = threshold, positive
        self.classes_ = model.classes_

    def predict(self, X: Any) -> NDArray[Any]:
        """The labels."""
        scores = response(self.model, X, self.methods, self.positive)
        return labels_at(scores, self.threshold, self.classes_, self.positive)


def labels_at(scores: Any, threshold: float, classes: Any, positive: Any) -> NDArray[Any]:
    """The positive label where the score is at least the threshold, else the other.

    >>> labels_at(np.array([0.2, 0.7]), 0.5, np.array(["no", "yes"]), None).tolist()
    ['no', 'yes']
    """
    classes = np.asarray(classes)
    place = 1 if positive is None else classes.tolist().index(positive)
    hit = np.asarray(scores) >= threshold
    return np.asarray(classes[np.where(hit, place, 1 - place)])


def scores_at(
    model: Any, X: Any, y: Any, methods: Methods, scorer: Any, cost: Any, thresholds: Any
) -> tuple[Array, Array]:
    """The thresholds and the score at each: more is better.

    A number of thresholds means evenly spaced ones from the least to the greatest response. Costs
    and common metrics take one sort; other metrics are computed at each threshold.
    """
    positive = None if cost is not None else positive_label(scorer)
    responses = np.asarray(response(model, X, methods, positive), dtype=np.float64)
    if np.ndim(thresholds) == 0:
        places = np.linspace(responses.min(), responses.max(), int(thresholds))
    else:
        places = np.asarray(thresholds, dtype=np.float64)
    curve = _curve(y, responses, scorer, cost, positive)
    if curve is not None:
        sign = -1.0 if cost is not None else float(scorer._sign)
        return places, sign * np.asarray(curve.at(places))
    function = getattr(scorer, "_score_func", None)
    if function is None:  # any function of (estimator, X, y)
        views = (Thresholded(model, methods, float(each), positive) for each in places)
        return places, np.array([scorer(view, X, y) for view in views])
    options = scorer._kwargs
    found = [
        scorer._sign * function(y, labels_at(responses, each, model.classes_, positive), **options)
        for each in places
    ]
    return places, np.array(found)


def positive_label(scorer: Any) -> Any:
    """The positive label that a scorer goes by; None: the second class."""
    if hasattr(scorer, "_positive"):
        return scorer._positive
    if hasattr(scorer, "_get_pos_label"):  # scikit-learn's scorers
        return scorer._get_pos_label()
    return None


def _curve(
    y: Any, responses: Array, scorer: Any, cost: Any, positive: Any
) -> ThresholdCurve | None:
    """The criterion at every threshold; None if it does not follow from the counts."""
    if cost is not None:
        return choose_threshold(y, responses, cost)
    name = _COUNTED.get(getattr(getattr(scorer, "_score_func", None), "__name__", ""))
    extra = set(getattr(scorer, "_kwargs", {})) - {"pos_label", "average"}
    average = getattr(scorer, "_kwargs", {}).get("average", "binary")
    if name is None or name not in CRITERIA or extra or average != "binary":
        return None
    if len(np.unique(y)) != 2:
        return None
    return choose_threshold(y, responses, metric=name, pos_label=positive)
