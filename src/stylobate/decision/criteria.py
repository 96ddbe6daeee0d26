"""Scores of two classes at every threshold at once, from the counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError

Criterion = Callable[[Array, Array, Array, Array], Any]  # of tp, fp, fn, tn


def _ratio(above: Array, below: Array) -> Array:
    """above/below, 0 where nothing is below."""
    return np.divide(above, below, out=np.zeros(len(above)), where=below > 0)


def _accuracy(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    return _ratio(tp + tn, tp + fp + fn + tn)


def _balanced(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    return 0.5 * (_ratio(tp, tp + fn) + _ratio(tn, tn + fp))


def _youden(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    return _ratio(tp, tp + fn) - _ratio(fp, tn + fp)


def _precision(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    return _ratio(tp, tp + fp)


def _recall(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    return _ratio(tp, tp + fn)


def _f1(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    return _ratio(2 * tp, 2 * tp + fp + fn)


def _jaccard(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    return _ratio(tp, tp + fp + fn)


def _matthews(tp: Array, fp: Array, fn: Array, tn: Array) -> Array:
    below = np.sqrt(tp + fp) * np.sqrt(tp + fn) * np.sqrt(tn + fp) * np.sqrt(tn + fn)
    return _ratio(tp * tn - fp * fn, below)


CRITERIA: dict[str, Criterion] = {
    "accuracy": _accuracy,
    "balanced_accuracy": _balanced,
    "f1": _f1,
    "jaccard": _jaccard,
    "matthews_corrcoef": _matthews,
    "precision": _precision,
    "recall": _recall,
    "youden": _youden,
}


def criterion_of(metric: Any, owner: str) -> tuple[str, Criterion]:
    """The name and the function of a metric.

    >>> criterion_of("f1", "example")[0]
    'f1'
    """
    if isinstance(metric, str) and metric in CRITERIA:
        return metric, CRITERIA[metric]
    if callable(metric):
        return getattr(metric, "__name__", "metric"), metric
    raise InvalidParameterError(
        f"{owner}: metric must be one of {', '.join(CRITERIA)}, or a function of the arrays (tp, "
        f"fp, fn, tn), got {metric!r}."
    )
