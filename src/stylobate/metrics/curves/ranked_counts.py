"""Rows in the order of their scores, counted: what every curve over thresholds needs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError


def ranked_counts(
    positive: NDArray[Any], scores: NDArray[Any], weights: Array | None = None
) -> tuple[Array, Array, Array]:
    """Weight of the positive and of the negative rows at or above each distinct score.

    Parameters
    ----------
    positive : array of shape (n,) of bool, or bytes that are 0 or 1
        Which rows are positive.
    scores : array of shape (n,)
        Finite scores; equal ones share a threshold.
    weights : array of shape (n,), optional
        Non-negative weights of the rows; rows of weight 0 do not count, and scores that only they
        have are no thresholds.

    Returns
    -------
    thresholds : array of shape (k,)
        The distinct scores, highest first.
    true, false : arrays of shape (k,)
        Weight of the positive and of the negative rows with at least that score; the last entries
        are the totals.

    Examples
    --------
    >>> ranked_counts(np.array([True, False, True]), np.array([0.3, 0.3, 0.9]))
    (array([0.9, 0.3]), array([1., 2.]), array([0., 1.]))
    """
    if weights is not None and not weights.all():
        counted = weights > 0
        positive, scores, weights = positive[counted], scores[counted], weights[counted]
    found: Any = _core.ranked_curve(*packed(positive, scores), weights)
    if found is None:
        raise InvalidDataError(
            "y_score contains NaN or infinity; rows are ranked by finite scores."
        )
    thresholds, true, false = found
    return thresholds, true, false


def packed(positive: NDArray[Any], scores: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.uint8]]:
    """Scores (float32 or float64) and labels as the core takes them."""
    wanted = np.float32 if scores.dtype == np.float32 else np.float64
    marks = np.ascontiguousarray(positive)
    return np.ascontiguousarray(scores, dtype=wanted), marks.view(np.uint8)
