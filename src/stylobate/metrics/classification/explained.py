"""Shares of the loss of constant probabilities that a classifier's probabilities save."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import read_weights
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.classification.probabilities import (
    brier_score_loss,
    log_loss,
    probabilities_of,
)
from stylobate.metrics.regression.outputs import warn_undefined
from stylobate.splits.strata import as_array, class_numbers


def d2_log_loss_score(
    y_true: Any,
    y_proba: Any = None,
    *,
    sample_weight: Any = None,
    labels: Any = None,
    y_pred: Any = "deprecated",
) -> float:
    """Share of the logarithmic loss of the classes' shares in `y_true` that is saved.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels.
    y_proba : array-like of shape (n, n_classes) or (n,)
        Probabilities, as of `log_loss`.
    sample_weight : array-like of shape (n,), optional
        Non-negative weights of the rows.
    labels : array-like, optional
        All classes, if some do not occur in `y_true`.
    y_pred : array-like
        The former name of `y_proba`.

    Returns
    -------
    float
        In (-inf, 1]; 0 is what the classes' shares get. NaN (with a warning) for fewer than two
        rows.

    Examples
    --------
    >>> round(d2_log_loss_score([0, 1, 1, 0], [0.2, 0.8, 0.8, 0.2]), 6)
    0.678072
    """
    if not isinstance(y_pred, str):
        if y_proba is not None:
            raise InvalidParameterError(
                "d2_log_loss_score: `y_pred` and `y_proba` cannot be both specified. Please use "
                "`y_proba` only, as `y_pred` is its former name."
            )
        warnings.warn(
            "y_pred is the former name of y_proba; please use `y_proba` instead.",
            FutureWarning,
            stacklevel=user_stacklevel(),
        )
        y_proba = y_pred
    if _too_few(y_true):
        return float("nan")
    loss = log_loss(y_true, y_proba, sample_weight=sample_weight, labels=labels)
    n = len(as_array(y_true))
    _, numbers = class_numbers(y_true, n, "d2_log_loss_score")
    share = _shares(numbers, read_weights(sample_weight, n, owner="d2_log_loss_score"))
    eps = np.finfo(np.float64).eps
    constant = -float(share @ np.log(np.clip(share, eps, 1.0 - eps)))
    return 1.0 - loss / constant


def d2_brier_score(
    y_true: Any,
    y_proba: Any,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    labels: Any = None,
) -> float:
    """Share of the Brier score of the classes' shares in `y_true` that is saved.

    Also known as the Brier skill score.

    Parameters
    ----------
    y_true, y_proba, sample_weight, pos_label, labels
        As of `brier_score_loss`.

    Returns
    -------
    float
        In (-inf, 1]; NaN (with a warning) for fewer than two rows.

    Examples
    --------
    >>> round(d2_brier_score([0, 1, 1, 0], [0.2, 0.8, 0.8, 0.2]), 6)
    0.84
    """
    owner = "d2_brier_score"
    if _too_few(y_true):
        return float("nan")
    numbers, _ = probabilities_of(y_true, y_proba, pos_label, labels, owner)
    weights = read_weights(sample_weight, len(numbers), owner=owner)
    share = _shares(numbers, weights)
    constant = 1.0 - float(share @ share)
    loss = brier_score_loss(
        y_true,
        y_proba,
        sample_weight=sample_weight,
        pos_label=pos_label,
        labels=labels,
        scale_by_half=False,
    )
    if constant == 0.0:
        return float("nan") if loss == 0.0 else float("-inf")
    return 1.0 - loss / constant


def _shares(numbers: NDArray[np.intp], weights: Array | None) -> Array:
    """Each class's share of the rows."""
    counts = np.bincount(numbers, weights)
    return np.asarray(counts / counts.sum())


def _too_few(y_true: Any) -> bool:
    if len(as_array(y_true)) >= 2:
        return False
    warn_undefined("D^2 score is not well-defined with less than two samples.")
    return True
