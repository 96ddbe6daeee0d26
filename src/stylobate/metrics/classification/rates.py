"""Rates of a class against the rest, and the ratios that tests in medicine are judged by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.classification.confusion import matrix_of
from stylobate.metrics.classification.label_scores import label_ratio
from stylobate.metrics.classification.labels import classes_only, read_label_pairs
from stylobate.metrics.regression.outputs import warn_undefined


def jaccard_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> float | Array:
    """Of the rows that are or are predicted as a class, the share that are both.

    tp / (tp + fp + fn), the size of the intersection over that of the union.

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight, zero_division
        As of `precision_score`.

    Returns
    -------
    float or array of shape (n_labels,)
        In [0, 1].

    Examples
    --------
    >>> jaccard_score([1, 1, 0, 0], [1, 0, 0, 0])
    0.5
    """
    return label_ratio(
        "jaccard",
        y_true,
        y_pred,
        "jaccard_score",
        labels=labels,
        pos_label=pos_label,
        average=average,
        sample_weight=sample_weight,
        zero_division=zero_division,
    )


def specificity_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> float | Array:
    """Of the rows that are not of a class, the share not predicted as it: tn / (tn + fp).

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight, zero_division
        As of `precision_score`.

    Returns
    -------
    float or array of shape (n_labels,)
        In [0, 1]; 1 − `false_positive_rate`.

    Examples
    --------
    >>> specificity_score([0, 0, 0, 0, 1], [1, 0, 0, 0, 1])
    0.75
    """
    return label_ratio(
        "specificity",
        y_true,
        y_pred,
        "specificity_score",
        labels=labels,
        pos_label=pos_label,
        average=average,
        sample_weight=sample_weight,
        zero_division=zero_division,
    )


def false_positive_rate(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> float | Array:
    """Of the rows that are not of a class, the share predicted as it: fp / (fp + tn).

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight, zero_division
        As of `precision_score`.

    Returns
    -------
    float or array of shape (n_labels,)
        In [0, 1]; less is better.

    Examples
    --------
    >>> false_positive_rate([0, 0, 0, 0, 1], [1, 0, 0, 0, 1])
    0.25
    """
    return label_ratio(
        "false positive rate",
        y_true,
        y_pred,
        "false_positive_rate",
        labels=labels,
        pos_label=pos_label,
        average=average,
        sample_weight=sample_weight,
        zero_division=zero_division,
    )


def negative_predictive_value(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> float | Array:
    """Of the rows not predicted as a class, the share that truly are not: tn / (tn + fn).

    Parameters
    ----------
    y_true, y_pred, labels, pos_label, average, sample_weight, zero_division
        As of `precision_score`.

    Returns
    -------
    float or array of shape (n_labels,)
        In [0, 1].

    Examples
    --------
    >>> negative_predictive_value([0, 0, 1, 1], [0, 0, 0, 1]).__round__(6)
    0.666667
    """
    return label_ratio(
        "negative predictive value",
        y_true,
        y_pred,
        "negative_predictive_value",
        labels=labels,
        pos_label=pos_label,
        average=average,
        sample_weight=sample_weight,
        zero_division=zero_division,
    )


def class_likelihood_ratios(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    replace_undefined_by: Any = np.nan,
) -> tuple[float, float]:
    """Likelihood ratios of a positive and of a negative prediction.

    LR+ = sensitivity / (1 − specificity) and LR− = (1 − sensitivity) / specificity: the factors by
    which a prediction changes the odds of being positive.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        Labels of two classes and what was predicted.
    labels : array-like of shape (2,), optional
        The negative and the positive class; default: as sorted.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    replace_undefined_by : nan, 1.0 or dict with keys "LR+" and "LR-", default=nan
        What to return (with a warning) where the divisor is 0.

    Returns
    -------
    positive, negative : float
        LR+ in [1, inf) and LR− in [0, 1] for a useful prediction.

    Examples
    --------
    >>> class_likelihood_ratios([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    (1.5, 0.75)
    """
    owner = "class_likelihood_ratios"
    instead = _replacements(replace_undefined_by, owner)
    read = read_label_pairs(y_true, y_pred, sample_weight, owner)
    if read.kind != "binary":
        raise InvalidDataError(
            f"{owner}: class_likelihood_ratios only supports binary classification problems, got "
            f"targets of type: {read.kind}"
        )
    matrix = matrix_of(classes_only(read, owner), labels, owner).astype(np.float64)
    if matrix.shape != (2, 2):
        raise InvalidDataError(
            f"{owner}: two classes are needed, and {len(matrix)} was found; pass "
            "`labels=[negative, positive]`."
        )
    (tn, fp), (fn, tp) = matrix
    if tp + fn == 0:
        warn_undefined(
            "No samples of the positive class are present in `y_true`. "
            "`positive_likelihood_ratio` and `negative_likelihood_ratio` are both set to "
            "`np.nan`."
        )
        return float("nan"), float("nan")
    positive = _odds(tp * (tn + fp), fp * (tp + fn), "positive", "false positives", instead["LR+"])
    negative = _odds(fn * (tn + fp), tn * (tp + fn), "negative", "true negatives", instead["LR-"])
    return positive, negative


def _odds(above: float, below: float, side: str, nothing: str, instead: float) -> float:
    if below != 0:
        return float(above / below)
    warn_undefined(
        f"`{side}_likelihood_ratio` is ill-defined and set to {instead}: there are no {nothing}. "
        "Use the `replace_undefined_by` parameter to control this behavior."
    )
    return instead


def _replacements(given: Any, owner: str) -> dict[str, float]:
    if isinstance(given, Mapping) and set(given) == {"LR+", "LR-"}:
        positive, negative = float(given["LR+"]), float(given["LR-"])
        if (np.isnan(positive) or positive >= 1) and (np.isnan(negative) or 0 <= negative <= 1):
            return {"LR+": positive, "LR-": negative}
    elif isinstance(given, int | float) and (np.isnan(given) or given == 1):
        return {"LR+": float(given), "LR-": float(given)}
    raise InvalidParameterError(
        f"{owner}: replace_undefined_by must be nan, 1.0 or a dictionary with 'LR+' in [1, inf] "
        f"and 'LR-' in [0, 1], got {given!r}."
    )


def positive_likelihood_ratio(y_true: Any, y_pred: Any, **options: Any) -> float:
    """LR+ alone; see `class_likelihood_ratios`."""
    return class_likelihood_ratios(y_true, y_pred, **options)[0]


def negative_likelihood_ratio(y_true: Any, y_pred: Any, **options: Any) -> float:
    """LR− alone; see `class_likelihood_ratios`."""
    return class_likelihood_ratios(y_true, y_pred, **options)[1]
