"""Model and baseline on the same locked rows: paired differences of their losses."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.data.column_table import ColumnTable
from stylobate.inference.distributions import two_sided_p, two_sided_quantile
from stylobate.study.question.metrics import COST
from stylobate.study.question.question import Asked
from stylobate.study.results import PairedDifference, ScoreAnswer

_LEVEL = 0.95
_FEW, _DRAWS = 60, 9999  # units up to which signs are drawn instead of a normal law, and how often
_SQUARED = (
    "neg_root_mean_squared_error", "neg_mean_squared_error", "r2", "explained_variance",
)  # fmt: skip
_TINY = 1e-12


def paired_difference(
    asked: Asked,
    model: Any,
    baseline: Any,
    table: ColumnTable,
    y: NDArray[Any],
    units: Indices | None,
    scores: tuple[ScoreAnswer, ScoreAnswer],
    seed: int,
) -> PairedDifference:
    """The gain of a model over the baseline, with its interval and test.

    Where the metric is a mean over rows (or a function of one), losses of the two are paired row by
    row, and signs of the differences are drawn for few rows; else the metric's own interval is held
    against the score of the baseline, which is the same for all samples of rows.

    Parameters
    ----------
    asked : Asked
    model, baseline : fitted pipelines
    table, y
        Columns and targets of the locked rows.
    units : array of int or None
        Rows of one number belong together and count as one; None: each by itself.
    scores : (ScoreAnswer, ScoreAnswer)
        Of the model and of the baseline, by the study's metric.
    seed : int
        Of the signs.
    """
    name = asked.question.metric.name
    losses = [_losses(name, asked, each, table, y) for each in (model, baseline)]
    if losses[0] is None or losses[1] is None:
        return _of_interval(*scores, len(y))
    gains: Array = losses[1][1] - losses[0][1]
    mean = float(gains.mean())
    if units is not None:  # sums of what belongs together, as shares of the whole
        kept, places = np.unique(units, return_inverse=True)
        gains = np.asarray(np.bincount(places, gains) * (len(kept) / len(y)), dtype=np.float64)
    count = len(gains)
    deviation = float(np.std(gains, ddof=1)) if count > 1 else 0.0
    if deviation <= _TINY * max(float(np.abs(gains).max()), _TINY):
        p = 0.5 ** min(count, 40) if mean > 0 else 1.0
        return PairedDifference(mean, None, None, p, count, losses[0][0])
    error = deviation / np.sqrt(count)
    reach = two_sided_quantile(_LEVEL, count - 1) * error
    if count <= _FEW:
        p = _signs(gains, seed)
    else:
        two_sided = float(two_sided_p(mean / error, count - 1))
        p = two_sided / 2 if mean > 0 else 1 - two_sided / 2
    return PairedDifference(mean, mean - reach, mean + reach, p, count, losses[0][0])


def _signs(gains: Array, seed: int) -> float:
    """How often the mean would be as large, were each difference as often of the other sign."""
    draw = np.random.default_rng(seed)
    signs = draw.integers(0, 2, (_DRAWS, len(gains)), dtype=np.int8) * 2 - 1
    sums = signs @ gains
    whole = float(gains.sum())
    return float((np.sum(sums >= whole - _TINY * abs(whole)) + 1) / (_DRAWS + 1))


def _of_interval(score: ScoreAnswer, plain: ScoreAnswer, n_rows: int) -> PairedDifference:
    sign = 1 if score.greater_is_better else -1
    gain = sign * (score.value - plain.value)
    if score.low is None or score.high is None:
        return PairedDifference(gain, None, None, 0.5 if gain > 0 else 1.0, n_rows, score.label)
    ends = sorted(sign * (end - plain.value) for end in (score.low, score.high))
    error = max(ends[1] - ends[0], _TINY) / (2 * two_sided_quantile(_LEVEL, np.inf))
    two_sided = float(two_sided_p(gain / error, np.inf))
    p = two_sided / 2 if gain > 0 else 1 - two_sided / 2
    return PairedDifference(gain, ends[0], ends[1], p, n_rows, score.label)


def _losses(
    name: str, asked: Asked, model: Any, table: ColumnTable, y: NDArray[Any]
) -> tuple[str, Array] | None:
    """The loss of each row, of which less is better; None where a metric is no mean of such."""
    if asked.question.task == "regression":
        error = np.asarray(model.predict(table), dtype=np.float64) - y
        if name in _SQUARED:
            return "squared error", error**2
        if name == "neg_mean_absolute_percentage_error":
            return "relative error", np.abs(error) / np.maximum(np.abs(y), np.finfo(float).eps)
        return "absolute error", np.abs(error)
    if name in ("neg_log_loss", "neg_brier_score"):
        return _of_probabilities(name, model, table, y)
    wrong = (np.asarray(model.predict(table)) != y).astype(np.float64)
    if name == "accuracy":
        return "mistakes", wrong
    if name == "balanced_accuracy":
        counts = np.bincount(y.astype(np.intp), minlength=len(asked.labels))
        weights = len(y) / (np.count_nonzero(counts) * np.maximum(counts, 1))
        return "mistakes, classes alike", wrong * weights[y.astype(np.intp)]
    if name == COST and asked.question.costs is not None:
        costs = asked.question.costs
        return "cost", wrong * np.where(y == 1, costs.false_negative, costs.false_positive)
    return None


def _of_probabilities(
    name: str, model: Any, table: ColumnTable, y: NDArray[Any]
) -> tuple[str, Array]:
    p = np.asarray(model.predict_proba(table), dtype=np.float64)
    codes = y.astype(np.intp)
    if name == "neg_log_loss":
        given = np.clip(p[np.arange(len(y)), codes], np.finfo(float).eps, 1.0)
        return "−log of the probability given to the truth", -np.log(given)
    truth = np.eye(p.shape[1])[codes]
    return "squared error of probabilities", ((p - truth) ** 2).sum(axis=1)
