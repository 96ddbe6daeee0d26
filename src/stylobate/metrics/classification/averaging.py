"""One number from the scores of several labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError

BinaryScore = Callable[[NDArray[np.bool_], Array, Array | None], float]
_AVERAGES = (None, "micro", "macro", "weighted", "samples")


def average_columns(
    score: BinaryScore,
    truth: NDArray[np.bool_],
    scores: Array,
    average: Any,
    weights: Array | None,
    owner: str,
) -> float | Array:
    """The score of two labels, averaged over columns of indicators (n × k).

    Parameters
    ----------
    score : callable
        ``score(positive, scores, weights)`` of one column.
    truth, scores : arrays of shape (n, k)
    average : {"micro", "macro", "weighted", "samples"} or None
        All cells as rows of one column; the mean over the columns; that weighted by their
        positive rows; the mean over the rows; or the scores of the columns.
    """
    if average not in _AVERAGES:
        raise InvalidParameterError(
            f"{owner}: average has to be one of {_AVERAGES}, got {average!r}."
        )
    if truth.shape != scores.shape:
        raise InvalidDataError(
            f"{owner}: y_true has shape {truth.shape} and y_score {scores.shape}; they must match."
        )
    if average == "micro":
        repeated = None if weights is None else np.repeat(weights, truth.shape[1])
        return score(truth.reshape(-1), scores.reshape(-1), repeated)
    if average == "samples":
        each = np.array([score(t, s, None) for t, s in zip(truth, scores, strict=True)])
        return _mean(each, weights)
    columns = zip(truth.T, scores.T, strict=True)
    values = np.array([score(t, s, weights) for t, s in columns])
    if average is None:
        return values
    if average == "macro":
        return float(values.mean())
    support = truth.sum(axis=0) if weights is None else weights @ truth
    return _mean(values, support.astype(np.float64)) if support.any() else 0.0


def _mean(values: Array, weights: Array | None) -> float:
    if weights is None:
        return float(values.mean())
    return float(np.average(np.where(weights == 0, 0.0, values), weights=weights))
