"""Scores that are ratios of counts, for each label or averaged over labels."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.metrics.classification.counts import ClassCounts
from stylobate.metrics.classification.labels import read_label_pairs
from stylobate.metrics.classification.margins import Margins
from stylobate.metrics.ranking.indicators import IndicatorPairs
from stylobate.metrics.regression.outputs import warn_undefined

Ratio = Callable[[Margins], tuple[Array, Array]]
Read = ClassCounts | IndicatorPairs

ALL = ("precision", "recall", "f-score")
AVERAGES = ("binary", "micro", "macro", "weighted", "samples", None)
# name: above and below the line, and what there is none of if nothing is below
_RATIOS: dict[str, tuple[Ratio, str]] = {
    "precision": (lambda c: (c.right, c.predicted), "predicted"),
    "recall": (lambda c: (c.right, c.true), "true"),
    "jaccard": (lambda c: (c.right, c.true + c.predicted - c.right), "true or predicted"),
    "specificity": (lambda c: (c.true_negative, c.total - c.true), "negative"),
    "false positive rate": (lambda c: (c.false_positive, c.total - c.true), "negative"),
    "negative predictive value": (
        lambda c: (c.true_negative, c.total - c.predicted),
        "predicted negative",
    ),
}


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
    if not beta >= 0:
        raise InvalidParameterError(f"{owner}: beta must be in [0, inf], got {beta!r}.")
    _check_choices(average, zero_division, owner)
    read = read_label_pairs(y_true, y_pred, sample_weight, owner)
    return scores_of(read, owner, beta, labels, pos_label, average, warn_for, zero_division)


def scores_of(
    read: Read,
    owner: str,
    beta: float,
    labels: Any,
    pos_label: Any,
    average: str | None,
    warn_for: tuple[str, ...],
    zero_division: Any,
) -> tuple[Any, Any, Any, Any]:
    """Precision, recall, F and support of labels that were counted."""
    margins = _margins(read, labels, pos_label, average, owner)
    weight = beta**2 if np.isfinite(beta) else 0.0
    f_ratio = (1.0 + weight) * margins.right, weight * margins.true + margins.predicted
    parts = {
        "precision": _RATIOS["precision"][0](margins),
        "recall": _RATIOS["recall"][0](margins),
        "f-score": f_ratio if np.isfinite(beta) else (margins.right, margins.true),
    }
    words = {"precision": "predicted", "recall": "true", "f-score": "true nor predicted"}
    scores = [
        _ratio(
            name,
            *pair,
            words[name],
            average,
            zero_division if name in warn_for else _quiet(zero_division),
        )
        for name, pair in parts.items()
    ]
    if average is None:
        return scores[0], scores[1], scores[2], _support(read, margins)
    precision, recall, f = (_average(each, read, margins, average) for each in scores)
    return precision, recall, f, None


def _support(read: Read, margins: Margins) -> Array | NDArray[np.int64]:
    """The true rows of each label, whole unless weighted."""
    fractional = read.weights is not None
    if isinstance(read, ClassCounts):  # scikit-learn's are fractions if no row at all is right
        fractional = fractional or not (read.true == read.predicted).any()
    return margins.true if fractional else margins.true.astype(np.int64)


def label_ratio(
    name: str,
    y_true: Any,
    y_pred: Any,
    owner: str,
    *,
    labels: Any,
    pos_label: Any,
    average: str | None,
    sample_weight: Any,
    zero_division: Any,
) -> float | Array:
    """One of the ratios above, for each label or averaged."""
    _check_choices(average, zero_division, owner)
    read = read_label_pairs(y_true, y_pred, sample_weight, owner)
    margins = _margins(read, labels, pos_label, average, owner)
    ratio, nothing = _RATIOS[name]
    scores = _ratio(name, *ratio(margins), nothing, average, zero_division)
    return scores if average is None else _average(scores, read, margins, average)


def _margins(read: Read, labels: Any, pos_label: Any, average: str | None, owner: str) -> Margins:
    """The counts that `average` goes by, one for each class, row, or in all."""
    if average == "binary":
        return read.margins([_positive(read, pos_label, owner)])
    if pos_label not in (None, 1):
        warnings.warn(
            f"Note that pos_label (set to {pos_label!r}) is ignored when average != 'binary' (got "
            f"{average!r}). You may use labels=[pos_label] to specify a single positive class.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    if average == "samples":
        if isinstance(read, ClassCounts):
            raise InvalidDataError(
                f"{owner}: average='samples' averages over rows that have several labels each "
                "(columns of 0 and 1); use 'macro', 'micro' or 'weighted' for one label per row."
            )
        return read.row_margins(labels)
    margins = read.margins(labels)
    return margins.pooled() if average == "micro" else margins


def _positive(read: Read, pos_label: Any, owner: str) -> Any:
    if read.kind != "binary":
        others = [a for a in AVERAGES[1:] if a != "samples" or read.kind != "multiclass"]
        raise InvalidDataError(
            f"{owner}: Target is {read.kind} but average='binary'. Please choose another "
            f"average setting, one of {others}."
        )
    known = read.classes.tolist()
    if pos_label not in known and len(known) >= 2:
        raise InvalidDataError(
            f"{owner}: pos_label={pos_label!r} is not a valid label. It should be one of {known}."
        )
    return pos_label


def _quiet(zero_division: Any) -> Any:
    return 0.0 if isinstance(zero_division, str) else zero_division


def _ratio(
    name: str, above: Array, below: Array, nothing: str, average: str | None, zero_division: Any
) -> Array:
    """above/below, with what was asked for where nothing is below."""
    empty = below == 0
    if not empty.any():
        return np.asarray(above / below)
    warned = isinstance(zero_division, str)
    replacement = 0.0 if warned else float(zero_division)
    if warned:
        several = "in samples with" if average == "samples" else "in labels with"
        warn_undefined(
            f"{name.capitalize()} is ill-defined and being set to 0.0 "
            f"{'due to' if len(below) == 1 else several} no {nothing} "
            f"{'labels' if average == 'samples' else 'samples'}. Use `zero_division` parameter to "
            "control this behavior."
        )
    return np.asarray(np.divide(above, below, out=np.full(below.shape, replacement), where=~empty))


def _average(scores: Array, read: Read, margins: Margins, average: str | None) -> float:
    """The mean of those that are not NaN; weights that are all 0 are no weights."""
    weights = None
    if average == "weighted":
        weights = margins.true
    elif average == "samples":
        weights = read.weights
    known = ~np.isnan(scores)
    if not known.any():
        return float("nan")
    if weights is None or weights[known].sum() == 0:
        return float(scores[known].mean())
    return float(scores[known] @ weights[known] / weights[known].sum())


def _check_choices(average: Any, zero_division: Any, owner: str) -> None:
    if average not in AVERAGES:
        raise InvalidParameterError(
            f"{owner}: average has to be one of {AVERAGES}, got {average!r}."
        )
    if isinstance(zero_division, str) and zero_division == "warn":
        return
    number = isinstance(zero_division, int | float | np.number)
    if not (number and (zero_division in (0, 1) or np.isnan(zero_division))):
        raise InvalidParameterError(
            f"{owner}: zero_division must be 'warn', 0, 1 or nan, got {zero_division!r}."
        )
