"""Counts and metrics at every threshold of a score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.metrics.curves.thresholds import count_thresholds, read_scores
from stylobate.metrics.regression.outputs import require_same_length
from stylobate.splits.strata import as_array


class ConfusionCells(NamedTuple):
    """Weights of the rows at each threshold: rows score positive at or above it."""

    tns: Array
    fps: Array
    fns: Array
    tps: Array
    thresholds: Array


def confusion_matrix_at_thresholds(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> ConfusionCells:
    """True and false negatives and positives at every distinct score.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of two classes.
    y_score : array-like of shape (n,)
        Scores that grow with the chance of being positive.
    pos_label : label, optional
        The positive class; default 1 where the labels are 0 and 1 or -1 and 1.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.

    Returns
    -------
    tns, fps, fns, tps : arrays of shape (k,)
        What is negative below and positive at or above each threshold.
    thresholds : array of shape (k,)
        The distinct scores, highest first.

    Examples
    --------
    >>> found = confusion_matrix_at_thresholds([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> found.tps, found.thresholds
    (array([1., 1., 2., 2.]), array([0.8 , 0.4 , 0.35, 0.1 ]))
    """
    counts = count_thresholds(
        y_true,
        y_score,
        pos_label=pos_label,
        sample_weight=sample_weight,
        owner="confusion_matrix_at_thresholds",
    )
    tps, fps = counts.true, counts.false
    return ConfusionCells(fps[-1] - fps, fps, tps[-1] - tps, tps, counts.thresholds)


def metric_at_thresholds(
    y_true: Any,
    y_score: Any,
    metric_func: Callable[..., Any],
    *,
    sample_weight: Any = None,
    metric_params: dict[str, Any] | None = None,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """A metric of ``y_score >= threshold`` for every distinct score.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of two classes.
    y_score : array-like of shape (n,)
        Scores that grow with the chance of being positive.
    metric_func : callable
        ``metric_func(y_true, y_pred, **metric_params)``: a number, or several.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows, handed to the metric if given.
    metric_params : dict, optional
        More arguments of the metric.

    Returns
    -------
    metric_values : array of shape (k,) or (k, n_outputs)
    thresholds : array of shape (k,)
        The distinct scores, highest first.

    Examples
    --------
    >>> from stylobate.metrics import accuracy_score
    >>> metric_at_thresholds([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], accuracy_score)[0]
    array([0.75, 0.5 , 0.75, 0.5 ])
    """
    owner = "metric_at_thresholds"
    scores, truth = read_scores(y_score, owner), as_array(y_true)
    require_same_length(owner, len(truth), len(scores))
    options = dict(metric_params or {})
    if sample_weight is not None:
        options["sample_weight"] = sample_weight
    thresholds = np.unique(scores)[::-1]
    plain = truth.dtype if truth.dtype.kind in "iuf" else np.dtype(np.int64)
    values = [metric_func(truth, (scores >= t).astype(plain), **options) for t in thresholds]
    return np.array(values), thresholds
