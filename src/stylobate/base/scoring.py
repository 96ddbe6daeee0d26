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
    return float(explained_share(unexplained, total).mean())


def explained_share(
    unexplained: NDArray[np.float64], total: NDArray[np.float64], *, force_finite: bool = True
) -> NDArray[np.float64]:
    """1 − unexplained/total, element by element.

    Where there is nothing to explain: 1 if nothing is left unexplained and else 0, or, without
    `force_finite`, NaN and minus infinity.

    Examples
    --------
    >>> explained_share(np.array([1.0, 0.0, 1.0]), np.array([2.0, 0.0, 0.0]))
    array([0.5, 1. , 0. ])
    """
    if not force_finite:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(1.0 - unexplained / total)
    share = np.where(unexplained > 0, 1.0, 0.0)
    return np.asarray(1.0 - np.divide(unexplained, total, out=share, where=total > 0))


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
