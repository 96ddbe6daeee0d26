"""Scores of known predictions: by name, or by a scorer of one's own."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, RegressorMixin
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError

Array = NDArray[np.float64]
Scoring = str | Callable[..., Any]

FROM_MOMENTS = ("r2", "neg_mean_squared_error", "neg_root_mean_squared_error")
SCORES = (*FROM_MOMENTS, "neg_mean_absolute_error")


class Answered(RegressorMixin, BaseEstimator):
    """An estimator whose predictions for the rows to be scored are known already.

    Parameters
    ----------
    predictions : array of shape (n,) or (n, n_targets)
        What `predict` returns for these n rows.
    """

    def __init__(self, predictions: Any = None) -> None:
        self.predictions = predictions

    def predict(self, X: Any) -> Any:
        """The known predictions; refuses another number of rows than they are for."""
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        if n != len(self.predictions):
            raise InvalidDataError(
                f"The scorer asked for predictions of {n} rows; cross-validation has those of the "
                f"{len(self.predictions)} rows it was given, and of no others."
            )
        return self.predictions


def score_rows(scoring: Scoring, rows: Table, predicted: Array) -> float:
    """The score of predictions (rows × targets) for these rows, by name or by a scorer."""
    y, w = rows.y, rows.weights
    assert y is not None
    if callable(scoring):
        given, truth = (predicted[:, 0], y[:, 0]) if rows.y_is_vector else (predicted, y)
        weights = {} if w is None or not _takes_weights(scoring) else {"sample_weight": w}
        return float(scoring(Answered(given), rows.x, truth, **weights))
    if scoring == "neg_mean_absolute_error":
        return -float(np.average(np.abs(y - predicted), axis=0, weights=w).mean())
    share = np.ones(len(y)) if w is None else w
    errors = share @ (y - predicted) ** 2
    total = share @ (y - np.average(y, axis=0, weights=w)) ** 2
    return float(score_squares(scoring, errors[None], total, float(share.sum()))[0])


def score_squares(scoring: Scoring, errors: Array, total: Array, n: float | Array) -> Array:
    """The score from sums of squared errors (… × targets); targets count equally."""
    if scoring == "neg_mean_squared_error":
        return np.asarray(-(errors / n).mean(axis=-1))
    if scoring == "neg_root_mean_squared_error":
        return np.asarray(-np.sqrt(errors / n).mean(axis=-1))
    perfect = np.where(errors == 0.0, 0.0, 1.0)  # a constant target: 1 if met exactly, else 0
    share = np.divide(errors, total, out=perfect, where=total > 0)
    return np.asarray(1.0 - share.mean(axis=-1))


def _takes_weights(scorer: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(scorer).parameters
    except (TypeError, ValueError):  # some compiled functions do not tell
        return False
    anything = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())
    return anything or "sample_weight" in parameters
