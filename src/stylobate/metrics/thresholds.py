"""Counts and metrics at every threshold of a score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.data import read_weights
from stylobate.data.containers import unpack
from stylobate.data.finite import refuse_nonfinite
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError
from stylobate.metrics.outputs import Array, require_same_length
from stylobate.metrics.probabilities import positives
from stylobate.metrics.ranking import two_classes
from stylobate.metrics.sorting import ranked_counts
from stylobate.splits.strata import as_array, type_of_target


class ThresholdCounts(NamedTuple):
    """Weights of the rows at each threshold: rows score positive at or above it."""

    tns: Array
    fps: Array
    fns: Array
    tps: Array
    thresholds: Array


def confusion_matrix_at_thresholds(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> ThresholdCounts:
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
    owner = "confusion_matrix_at_thresholds"
    scores, truth = _read(y_true, y_score, owner)
    if two_classes(truth) is None:
        raise InvalidDataError(
            f"{owner}: {type_of_target(truth)} format is not supported; pass labels of two classes."
        )
    weights = read_weights(sample_weight, len(scores), owner=owner)
    thresholds, tps, fps = ranked_counts(positives(truth, pos_label, owner), scores, weights)
    return ThresholdCounts(fps[-1] - fps, fps, tps[-1] - tps, tps, thresholds)


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
    scores, truth = _read(y_true, y_score, "metric_at_thresholds")
    options = dict(metric_params or {})
    if sample_weight is not None:
        options["sample_weight"] = sample_weight
    thresholds = np.unique(scores)[::-1]
    plain = truth.dtype if truth.dtype.kind in "iuf" else np.dtype(np.int64)
    values = [metric_func(truth, (scores >= t).astype(plain), **options) for t in thresholds]
    return np.array(values), thresholds


def _read(y_true: Any, y_score: Any, owner: str) -> tuple[Array, NDArray[Any]]:
    source = Input(owner, "y_score")
    scores = np.asarray(unpack(y_score, source).values)
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores.reshape(-1)
    if scores.ndim != 1 or scores.size == 0:
        raise InvalidDataError(f"{source} has shape {scores.shape}; expected one column, (n,).")
    refuse_nonfinite(scores.reshape(-1, 1), source)
    truth = as_array(y_true)
    require_same_length(owner, len(truth), len(scores))
    return scores, truth
