"""The two scores estimators have built in: R² and accuracy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def r_squared(
    y: NDArray[np.float64],
    prediction: NDArray[np.float64],
    weights: NDArray[np.float64] | None = None,
) -> float:
    r"""Coefficient of determination, averaged over the targets.

    .. math:: R^2 = 1 - \frac{\sum_i w_i (y_i - \hat y_i)^2}{\sum_i w_i (y_i - \bar y)^2}

    A target that does not vary scores 1 if it is predicted exactly and 0 otherwise.

    Parameters
    ----------
    y, prediction : ndarray of shape (n, t)
        The truth and what was predicted.
    weights : ndarray of shape (n,), optional
        Non-negative weights of the rows.

    Returns
    -------
    float
        In (-inf, 1]; NaN if fewer than two rows make it undefined.

    Examples
    --------
    >>> r_squared(np.array([[1.0], [2.0], [3.0]]), np.array([[1.0], [2.0], [4.0]]))
    0.5
    """
    if len(y) < 2:
        return float("nan")
    mean = np.average(y, axis=0, weights=weights)
    row_weights = np.ones(len(y)) if weights is None else weights
    unexplained = row_weights @ (y - prediction) ** 2
    total = row_weights @ (y - mean) ** 2
    varies = total > 0
    scores = np.where(unexplained > 0, 0.0, 1.0)
    scores[varies] = 1.0 - unexplained[varies] / total[varies]
    return float(scores.mean())


def accuracy(
    y: NDArray[Any], prediction: NDArray[Any], weights: NDArray[np.float64] | None = None
) -> float:
    """Share of the rows (or of their weight) whose label is predicted.

    Parameters
    ----------
    y, prediction : ndarray of shape (n,)
        The labels and what was predicted.
    weights : ndarray of shape (n,), optional
        Non-negative weights of the rows.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> accuracy(np.array(["a", "b"]), np.array(["a", "a"]))
    0.5
    """
    return float(np.average(y == prediction, weights=weights))
