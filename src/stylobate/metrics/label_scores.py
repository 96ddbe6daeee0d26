"""Precision, recall and F from counts of labels."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.metrics.labels import Counts, Labels, count_labels, count_rows_of, read_label_pairs
from stylobate.metrics.outputs import Array, warn_undefined

ALL = ("precision", "recall", "f-score")
_AVERAGES = ("binary", "micro", "macro", "weighted", "samples", None)
_EMPTY = {"precision": "predicted", "recall": "true", "f-score": "true nor predicted"}


def label_scores(
    y_true: Any,
    y_pred: Any,
    owner: str,
    *,
    beta: float = 1.0,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = None,
    warn_for: tuple[str, ...] = ALL,
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> tuple[Any, Any, Any, Any]:
    """Precision, recall, F and support; see `precision_recall_fscore_support`."""
    _check_choices(average, zero_division, beta, owner)
    read = read_label_pairs(y_true, y_pred, sample_weight, owner)
    counts = _counts(read, labels, pos_label, average)
    f_weight = beta**2 if np.isfinite(beta) else 0.0
    parts = {
        "precision": (counts.right, counts.predicted),
        "recall": (counts.right, counts.true),
        "f-score": (
            (1.0 + f_weight) * counts.right,
            f_weight * counts.true + counts.predicted,
        ),
    }
    if np.isposinf(beta):
        parts["f-score"] = parts["recall"]
    scores = [_ratio(name, *pair, average, warn_for, zero_division) for name, pair in parts.items()]
    if average is None:
        support = counts.true if read.weights is not None else counts.true.astype(np.int64)
        return scores[0], scores[1], scores[2], support
    weights = {"weighted": counts.true, "samples": read.weights}.get(average)
    precision, recall, f = (_average(each, weights) for each in scores)
    return precision, recall, f, None


def _counts(read: Labels, labels: Any, pos_label: Any, average: str | None) -> Counts:
    """The counts that `average` goes by, one for each class, row, or in all."""
    if average == "binary":
        return count_labels(read, np.array([_positive(read, pos_label)], dtype=object))
    if pos_label not in (None, 1):
        warnings.warn(
            f"Note that pos_label (set to {pos_label!r}) is ignored when average != 'binary' (got "
            f"{average!r}). You may use labels=[pos_label] to specify a single positive class.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    if average == "samples":
        if read.kind != "multilabel-indicator":
            raise InvalidDataError(
                f"{read.owner}: average='samples' averages over rows that have several labels each "
                "(columns of 0 and 1); use 'macro', 'micro' or 'weighted' for one label per row."
            )
        return count_rows_of(read)
    counts = count_labels(read, None if labels is None else np.asarray(labels))
    if average != "micro":
        return counts
    return Counts(*(np.array([c.sum()]) for c in (counts.right, counts.predicted, counts.true)))


def _positive(read: Labels, pos_label: Any) -> Any:
    if read.kind != "binary":
        others = [a for a in _AVERAGES[1:] if a != "samples" or read.kind != "multiclass"]
        raise InvalidDataError(
            f"{read.owner}: Target is {read.kind} but average='binary'. Please choose another "
            f"average setting, one of {others}."
        )
    known = read.classes.tolist()
    if pos_label not in known and len(known) >= 2:
        raise InvalidDataError(
            f"{read.owner}: pos_label={pos_label!r} is not a valid label. It should be one of "
            f"{known}."
        )
    return pos_label


def _ratio(
    name: str,
    above: Array,
    below: Array,
    average: str | None,
    warn_for: tuple[str, ...],
    zero_division: Any,
) -> Array:
    """above/below, with what was asked for where nothing is below."""
    replacement = 0.0 if zero_division == "warn" else float(zero_division)
    empty = below == 0
    score = np.divide(above, below, out=np.full(below.shape, replacement), where=~empty)
    if empty.any() and zero_division == "warn" and name in warn_for:
        where = (
            "due to"
            if len(below) == 1
            else "in samples with"
            if average == "samples"
            else ("in labels with")
        )
        warn_undefined(
            f"{name.capitalize()} is ill-defined and being set to 0.0 {where} no {_EMPTY[name]} "
            f"{'labels' if average == 'samples' else 'samples'}. Use `zero_division` parameter to "
            "control this behavior."
        )
    return np.asarray(score)


def _average(scores: Array, weights: Array | None) -> float:
    """The mean of those that are not NaN; 0/0 weights are no weights."""
    known = ~np.isnan(scores)
    if not known.any():
        return float("nan")
    if weights is None or weights[known].sum() == 0:
        return float(scores[known].mean())
    return float(np.average(scores[known], weights=weights[known]))


def _check_choices(average: Any, zero_division: Any, beta: Any, owner: str) -> None:
    if average not in _AVERAGES:
        raise InvalidParameterError(
            f"{owner}: average has to be one of {_AVERAGES}, got {average!r}."
        )
    number = isinstance(zero_division, int | float | np.number)
    if zero_division != "warn" and not (
        number and (zero_division in (0, 1) or np.isnan(zero_division))
    ):
        raise InvalidParameterError(
            f"{owner}: zero_division must be 'warn', 0, 1 or nan, got {zero_division!r}."
        )
    if not beta >= 0:
        raise InvalidParameterError(f"{owner}: beta must be in [0, inf], got {beta!r}.")
