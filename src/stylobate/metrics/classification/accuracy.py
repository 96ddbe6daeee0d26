"""Share of the labels that are right, over all rows or averaged over the classes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from stylobate.data.words import user_stacklevel
from stylobate.exceptions import StylobateWarning
from stylobate.metrics.classification.counts import ClassCounts
from stylobate.metrics.classification.labels import classes_only, read_label_pairs


def accuracy_score(
    y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None
) -> float:
    """Share of the rows whose label (with indicators: all of whose labels) is predicted.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), or indicators of shape (n, n_labels)
        The labels and what was predicted.
    normalize : bool, default=True
        Whether to return the share; otherwise the number (or weight) of rows.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.

    Returns
    -------
    float
        In [0, 1], or a number of rows.

    Examples
    --------
    >>> accuracy_score(["a", "b", "b"], ["a", "b", "a"], normalize=False)
    2.0
    """
    right, total = _right_and_all(y_true, y_pred, sample_weight, "accuracy_score")
    return right / total if normalize else right


def zero_one_loss(
    y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None
) -> float:
    """Share of the rows whose label (with indicators: some label) is wrong: 1 − accuracy.

    Parameters
    ----------
    y_true, y_pred, normalize, sample_weight
        As of `accuracy_score`.

    Returns
    -------
    float
        In [0, 1], or a number of rows.

    Examples
    --------
    >>> zero_one_loss([2, 2, 3, 4], [1, 2, 3, 4])
    0.25
    """
    right, total = _right_and_all(y_true, y_pred, sample_weight, "zero_one_loss")
    return 1.0 - right / total if normalize else total - right


def hamming_loss(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Share of single labels that are wrong; one label per row: 1 − accuracy.

    Parameters
    ----------
    y_true, y_pred, sample_weight
        As of `accuracy_score`.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> hamming_loss([[0, 1], [1, 1]], [[0, 0], [1, 1]])
    0.25
    """
    read = read_label_pairs(y_true, y_pred, sample_weight, "hamming_loss")
    if isinstance(read, ClassCounts):
        margins = read.margins().pooled()
        return float(1.0 - margins.right[0] / margins.true[0])
    margins = read.margins()
    wrong = margins.predicted + margins.true - 2.0 * margins.right
    return float((wrong / margins.total).mean())


def _right_and_all(y_true: Any, y_pred: Any, sample_weight: Any, owner: str) -> tuple[float, float]:
    """The weight of the rows that are right, and of all."""
    read = read_label_pairs(y_true, y_pred, sample_weight, owner)
    if isinstance(read, ClassCounts):
        amount = read.amount
        return float(amount[read.true == read.predicted].sum()), float(amount.sum())
    rows = read.row_margins()
    hit = (rows.right == rows.true) & (rows.right == rows.predicted)
    if read.weights is None:
        return float(np.count_nonzero(hit)), float(len(hit))
    return float(read.weights @ hit), float(read.weights.sum())


def balanced_accuracy_score(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, adjusted: bool = False
) -> float:
    """Mean over the classes of the share of their rows that are predicted as theirs.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,)
        The labels and what was predicted.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    adjusted : bool, default=False
        Whether to rescale such that guessing scores 0 and perfection 1.

    Returns
    -------
    float
        In [0, 1]; adjusted, in [1/(1 − k), 1] for k classes.

    Examples
    --------
    >>> balanced_accuracy_score(["a", "a", "a", "b"], ["a", "a", "a", "a"])
    0.5
    """
    owner = "balanced_accuracy_score"
    counts = classes_only(read_label_pairs(y_true, y_pred, sample_weight, owner), owner).margins()
    present = counts.true > 0
    if not present.all():
        warnings.warn(
            "y_pred contains classes not in y_true", StylobateWarning, stacklevel=user_stacklevel()
        )
    score = float((counts.right[present] / counts.true[present]).mean())
    if adjusted:
        chance = 1.0 / np.count_nonzero(present)
        with np.errstate(divide="ignore", invalid="ignore"):
            score = float(np.float64(score - chance) / (1.0 - chance))
    return score
