"""What each row adds to a metric of ranks: areas under ROC and precision–recall curves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Mask
from stylobate.metrics.classification.probabilities import positives
from stylobate.metrics.curves.ranked_counts import ranked_counts
from stylobate.metrics.intervals.delong import delong
from stylobate.metrics.intervals.linear import Linear
from stylobate.metrics.intervals.metric import Metric
from stylobate.metrics.intervals.scales import LOGIT
from stylobate.splits.strata import class_numbers, type_of_target


def linear_rank(
    metric: Metric,
    truth: NDArray[Any],
    scores: NDArray[Any],
    weights: Array | None,
    *,
    by_class: bool = True,
) -> Linear | None:
    """DeLong's placements for two classes, the influence of the rows otherwise; None if unknown.

    Without ``by_class`` it is always the influence of the rows, in one part.
    """
    if metric.known not in AREAS or metric.option("max_fpr") not in (None, 1):
        return None
    scores = np.asarray(scores, dtype=np.float64)
    kind = type_of_target(truth)
    if kind == "binary" and scores.size == len(truth):
        positive = positive_rows(metric, truth)
        if metric.known == "roc_auc_score" and by_class:
            return delong(positive, scores.reshape(-1), weights)
        return _columns(metric, positive[:, None], scores.reshape(-1, 1), weights)
    if kind == "multiclass" and metric.option("multi_class", "ovr") == "ovr":
        _, numbers = class_numbers(truth, len(truth), metric.known)
        truth = numbers[:, None] == np.arange(scores.shape[1])
    elif kind != "multilabel-indicator":
        return None
    if metric.option("average", "macro") != "macro" or truth.shape != scores.shape:
        return None
    return _columns(metric, truth != 0, scores, weights)


def positive_rows(metric: Metric, truth: NDArray[Any]) -> Mask:
    """The rows of the positive one of two classes, as the metric understands it."""
    if metric.known == "roc_auc_score":
        return np.asarray(class_numbers(truth, len(truth), metric.known)[1] == 1)
    return positives(truth, metric.option("pos_label", 1), metric.known)


def _columns(metric: Metric, truth: Mask, scores: Array, weights: Array | None) -> Linear:
    """The mean over the columns of indicators."""
    w = np.ones(len(truth)) if weights is None else weights
    area = AREAS[metric.known]
    each = [area(t, s, w / w.mean()) for t, s in zip(truth.T, scores.T, strict=True)]
    estimate = float(np.mean([value for value, _ in each]))
    added = np.mean([added for _, added in each], axis=0)
    return Linear(estimate, (added,), (weights,), LOGIT)


def roc_influence(positive: Mask, scores: Array, weights: Array) -> tuple[float, Array]:
    """The area under the ROC curve and what each row adds to it: its placement, by class."""
    area = delong(positive, scores, weights)
    share = float(np.average(positive, weights=weights))
    added = np.empty(len(scores))
    added[positive] = (area.parts[0] - area.estimate) / share
    added[~positive] = (area.parts[1] - area.estimate) / (1.0 - share)
    return area.estimate, added


def precision_influence(positive: Mask, scores: Array, weights: Array) -> tuple[float, Array]:
    r"""The average precision and what each row adds to it.

    With P(s) the precision and R(s) the share of rows at a threshold s, π the share of positive
    rows, the average precision is the mean of P over the positive rows, and row j with y = 1 or 0
    adds

    .. math:: \tfrac{1}{\pi} \left( y_j (P(s_j) - A) + \tfrac1n \sum_{i: y_i = 1, s_i \le s_j}
              (y_j - P(s_i)) / R(s_i) \right).

    >>> precision_influence(np.array([False, True]), np.array([1.0, 0.0]), np.ones(2))
    (0.5, array([-0.5,  0.5]))
    """
    thresholds, true, false = ranked_counts(positive, scores, weights)
    every = true + false
    precision, prevalence = true / every, true[-1] / every[-1]
    here = np.diff(true, prepend=0.0)  # positive weight at each threshold
    mean = float(here @ precision / true[-1])
    gained, lost = (np.cumsum((x / every)[::-1])[::-1] for x in (here, here * precision))
    place = place_of(scores, thresholds)
    added = positive * (precision[place] - mean + gained[place]) - lost[place]
    return mean, added / prevalence


def place_of(scores: Array, thresholds: Array) -> NDArray[np.intp]:
    """The threshold each score is at, of those from the highest down.

    >>> place_of(np.array([0.3, 0.9, 0.3]), np.array([0.9, 0.3]))
    array([1, 0, 1])
    """
    places = np.searchsorted(-thresholds, -scores)
    return np.minimum(places, len(thresholds) - 1)  # rows without weight may have no threshold


AREAS = {"average_precision_score": precision_influence, "roc_auc_score": roc_influence}
