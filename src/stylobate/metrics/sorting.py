"""Rows in the order of their scores, counted: what every curve over thresholds needs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def ranked_counts(
    positive: NDArray[np.bool_], scores: Array, weights: Array | None = None
) -> tuple[Array, Array, Array]:
    """Weight of the positive and of the negative rows at or above each distinct score.

    Parameters
    ----------
    positive : bool array of shape (n,)
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
    order = np.argsort(scores, kind="stable")[::-1]
    ordered, up = scores[order], positive[order]
    last = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]), len(ordered) - 1)
    if weights is None:
        true = np.cumsum(up)[last].astype(np.float64)
        return ordered[last], true, last + 1.0 - true
    w = weights[order]
    return ordered[last], np.cumsum(w * up)[last], np.cumsum(w * ~up)[last]
