"""Precision, recall and their weighted harmonic mean F."""

from __future__ import annotations

from typing import Any

from stylobate.arrays import Array
from stylobate.metrics.classification.label_scores import ALL, label_scores


def precision_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> float | Array:
    """Of the rows predicted as a class, the share that truly are: tp / (tp + fp).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, n_labels)
        The labels and what was predicted.
    labels : array-like, optional
        The classes to count, in that order; default: all that occur, sorted.
    pos_label : label, default=1
        The class that counts with ``average="binary"``.
    average : {"binary", "micro", "macro", "weighted", "samples"} or None, default="binary"
        Of one class; of all counts added up; the mean over the classes; that weighted by the true
        rows of each; the mean over the rows (indicators only); or one score for each class.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    zero_division : {"warn", 0.0, 1.0, nan}, default="warn"
        The score where nothing was predicted; "warn" is 0 with a warning.

    Returns
    -------
    float or array of shape (n_labels,)
        In [0, 1].

    Examples
    --------
    >>> precision_score([1, 1, 0, 0], [1, 0, 1, 0])
    0.5
    """
    scores: float | Array = label_scores(
        y_true,
        y_pred,
        "precision_score",
        labels=labels,
        pos_label=pos_label,
        average=average,
        warn_for=("precision",),
        sample_weight=sample_weight,
        zero_division=zero_division,
    )[0]
    return scores


def recall_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> float | Array:
    """Of the rows of a class, the share predicted as such: tp / (tp + fn).

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
    >>> recall_score([1, 1, 1, 1, 0], [1, 0, 1, 1, 0])
    0.75
    """
    scores: float | Array = label_scores(
        y_true,
        y_pred,
        "recall_score",
        labels=labels,
        pos_label=pos_label,
        average=average,
        warn_for=("recall",),
        sample_weight=sample_weight,
        zero_division=zero_division,
    )[1]
    return scores


def f1_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> float | Array:
    """Harmonic mean of precision and recall: 2 tp / (2 tp + fp + fn).

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
    >>> f1_score([1, 1, 0, 0], [1, 0, 0, 0], average="macro").__round__(6)
    0.733333
    """
    scores: float | Array = label_scores(
        y_true,
        y_pred,
        "f1_score",
        labels=labels,
        pos_label=pos_label,
        average=average,
        warn_for=("f-score",),
        sample_weight=sample_weight,
        zero_division=zero_division,
    )[2]
    return scores


def fbeta_score(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> float | Array:
    """(1 + β²) tp / ((1 + β²) tp + β² fn + fp): recall counts β times as much as precision.

    Parameters
    ----------
    y_true, y_pred : array-like
        As of `precision_score`.
    beta : float in [0, inf]
        The weight of recall.
    labels, pos_label, average, sample_weight, zero_division
        As of `precision_score`.

    Returns
    -------
    float or array of shape (n_labels,)
        In [0, 1].

    Examples
    --------
    >>> fbeta_score([1, 1, 0, 0], [1, 0, 0, 0], beta=0.5).__round__(6)
    0.833333
    """
    scores: float | Array = label_scores(
        y_true,
        y_pred,
        "fbeta_score",
        beta=beta,
        labels=labels,
        pos_label=pos_label,
        average=average,
        warn_for=("f-score",),
        sample_weight=sample_weight,
        zero_division=zero_division,
    )[2]
    return scores


def precision_recall_fscore_support(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float = 1.0,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = None,
    warn_for: tuple[str, ...] = ALL,
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> tuple[Any, Any, Any, Any]:
    """Precision, recall, F and the number of true rows, of each class or averaged.

    Parameters
    ----------
    y_true, y_pred : array-like
        As of `precision_score`.
    beta : float in [0, inf], default=1.0
        The weight of recall in F.
    labels, pos_label, average, sample_weight, zero_division
        As of `precision_score`.
    warn_for : tuple of str, default=("precision", "recall", "f-score")
        The scores to warn of where they are undefined.

    Returns
    -------
    precision, recall, fbeta : float or array of shape (n_labels,)
    support : array of shape (n_labels,), or None when averaged
        (Weight of) the true rows of each class.

    Examples
    --------
    >>> precision_recall_fscore_support([1, 1, 0], [1, 0, 0])[0]
    array([0.5, 1. ])
    """
    return label_scores(
        y_true,
        y_pred,
        "precision_recall_fscore_support",
        beta=beta,
        labels=labels,
        pos_label=pos_label,
        average=average,
        warn_for=warn_for,
        sample_weight=sample_weight,
        zero_division=zero_division,
    )
