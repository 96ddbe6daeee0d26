"""Scores of known predictions: by name, or by a scorer of one's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, RegressorMixin
from stylobate.base.scoring import explained_share
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.metrics import get_scorer
from stylobate.metrics.scoring.scorers import takes_weights

Scoring = str | Callable[..., Any]

FROM_MOMENTS = ("r2", "neg_mean_squared_error", "neg_root_mean_squared_error")


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
    assert rows.y is not None
    scorer = get_scorer(scoring)
    given, truth = (predicted[:, 0], rows.y[:, 0]) if rows.y_is_vector else (predicted, rows.y)
    weights = {}
    if rows.weights is not None and takes_weights(scorer):
        weights = {"sample_weight": rows.weights}
    return float(scorer(Answered(given), rows.x, truth, **weights))


def score_squares(scoring: Scoring, errors: Array, total: Array, n: float | Array) -> Array:
    """The score from sums of squared errors (… × targets); targets count equally."""
    if scoring == "neg_mean_squared_error":
        return np.asarray(-(errors / n).mean(axis=-1))
    if scoring == "neg_root_mean_squared_error":
        return np.asarray(-np.sqrt(errors / n).mean(axis=-1))
    return np.asarray(explained_share(errors, np.broadcast_to(total, errors.shape)).mean(axis=-1))


def best_penalty(scores: Array, alphas: Array) -> tuple[Any, Any]:
    """Penalty and score of the highest score (alphas), or of each column's (alphas × targets)."""
    best = np.where(np.isnan(scores), -np.inf, scores).argmax(axis=0)
    if scores.ndim == 1:
        return float(alphas[best]), float(scores[best])
    return alphas[best], scores[best, np.arange(scores.shape[1])]


def score_predictions(
    scoring: Scoring, table: Table, predictions: Array, *, per_target: bool
) -> Array:
    """Scores of each penalty's predictions: of each target, or of all of them together."""
    assert table.y is not None
    n_alphas, n_targets = predictions.shape[1:]
    if per_target:
        parts = [
            (replace(table, y=np.ascontiguousarray(table.y[:, [t]]), y_is_vector=True), [t])
            for t in range(n_targets)
        ]
    else:
        parts = [(table, list(range(n_targets)))]
    scores = np.full((n_alphas, len(parts)), -np.inf)
    for a in range(n_alphas):
        for k, (rows, targets) in enumerate(parts):
            predicted = predictions[:, a, targets]
            if np.isfinite(predicted).all():  # else there is nothing to score
                scores[a, k] = score_rows(scoring, rows, predicted)
    return scores
