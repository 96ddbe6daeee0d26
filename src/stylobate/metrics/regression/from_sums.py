"""Scores that need only sums over the residuals, not the rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import RegressorMixin
from stylobate.base.residuals import ResidualSums
from stylobate.base.scoring import explained_share
from stylobate.metrics.regression.outputs import warn_undefined
from stylobate.metrics.scoring.scorers import BuiltInScore, Scorer

ScoreSums = Callable[[ResidualSums], Array]
_OF_ONE = ("mean_absolute_error", "median_absolute_error", "max_error")


def score_from_sums(scorer: Any, estimator: Any, *, single_rows: bool = False) -> ScoreSums | None:
    """How to score parts of the rows from sums over their residuals; None if that is not enough.

    R², explained variance and the (root) mean squared error are functions of the sums. Where each
    part is a single row, so are the mean, median and largest absolute error.

    Parameters
    ----------
    scorer : callable
        As `check_scoring` returns it.
    estimator : object
        Whose score it is: its own `score` is R² if it is our regressor's.
    single_rows : bool, default=False
        Whether every part is one row.

    Examples
    --------
    >>> from stylobate.metrics import get_scorer
    >>> sums = ResidualSums(np.array([4]), np.array([[2.0]]), np.array([[0.0]]), np.array([[8.0]]))
    >>> score_from_sums(get_scorer("r2"), None)(sums)
    array([0.75])
    """
    if isinstance(scorer, BuiltInScore):
        own = getattr(type(estimator), "score", None)
        return _own_score if own is RegressorMixin.score else None
    if not isinstance(scorer, Scorer) or scorer._score_func.__module__ != _MODULE:
        return None
    name = scorer._score_func.__name__
    options = scorer._kwargs
    if set(options) - {"multioutput", "force_finite"} or scorer._response_method != "predict":
        return None
    if name not in _SCORES and not (single_rows and name in _OF_ONE):
        return None
    average = options.get("multioutput", "uniform_average")
    if not isinstance(average, str) or average not in ("uniform_average", "variance_weighted"):
        return None

    def score(sums: ResidualSums) -> Array:
        if name == "r2_score" and (sums.n_rows < 2).any():
            warn_undefined("R^2 score is not well-defined with less than two samples.")
        values = _SCORES.get(name, _absolute)(sums, options.get("force_finite", True))
        weights = sums.total if average == "variance_weighted" and name in _SHARES else None
        return np.asarray(scorer._sign * _averaged(values, weights))

    return score


def _own_score(sums: ResidualSums) -> Array:
    return _averaged(_r2(sums, True), None)


def _averaged(values: Array, weights: Array | None) -> Array:
    if weights is None:
        return np.asarray(values.mean(axis=1))
    some = np.where(weights.any(axis=1, keepdims=True), weights, 1.0)
    return np.asarray(np.average(values, axis=1, weights=some))


def _r2(sums: ResidualSums, force_finite: bool) -> Array:
    shares = explained_share(sums.squares, sums.total, force_finite=force_finite)
    return np.where(sums.n_rows[:, None] < 2, np.nan, shares)


def _explained_variance(sums: ResidualSums, force_finite: bool) -> Array:
    return explained_share(sums.scatter, sums.total, force_finite=force_finite)


def _mean_square(sums: ResidualSums, _: bool) -> Array:
    return np.asarray(sums.squares / sums.n_rows[:, None])


def _root_mean_square(sums: ResidualSums, _: bool) -> Array:
    return np.sqrt(_mean_square(sums, True))


def _absolute(sums: ResidualSums, _: bool) -> Array:
    """Of parts that are single rows."""
    return np.abs(sums.mean)


_MODULE = "stylobate.metrics.regression.mean_errors"
_SHARES = ("r2_score", "explained_variance_score")
_SCORES: dict[str, Callable[[ResidualSums, bool], Array]] = {
    "explained_variance_score": _explained_variance,
    "mean_squared_error": _mean_square,
    "r2_score": _r2,
    "root_mean_squared_error": _root_mean_square,
}
