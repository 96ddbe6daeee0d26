"""Share of the labels that are right, over all rows or averaged over the classes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from stylobate.base.scoring import accuracy
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, StylobateWarning
from stylobate.metrics.labels import count_labels, read_label_pairs


def accuracy_score(
    y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None
) -> float | int:
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
    float or int
        In [0, 1], or a number of rows.

    Examples
    --------
    >>> accuracy_score(["a", "b", "b"], ["a", "b", "a"], normalize=False)
    2
    """
    labels = read_label_pairs(y_true, y_pred, sample_weight, "accuracy_score")
    truth, predicted = labels.truth, labels.predicted
    if labels.kind == "multilabel-indicator":
        truth, predicted = (truth == predicted).all(axis=1), np.ones(len(truth), dtype=bool)
    if normalize:
        return accuracy(truth, predicted, labels.weights)
    hit = truth == predicted
    return int(hit.sum()) if labels.weights is None else float(labels.weights @ hit)


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
    labels = read_label_pairs(y_true, y_pred, sample_weight, "balanced_accuracy_score")
    if labels.kind == "multilabel-indicator":
        raise InvalidDataError("balanced_accuracy_score: multilabel-indicator is not supported.")
    counts = count_labels(labels)
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
