"""How sure importances are: the spread over rows and over shuffles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.base import is_classifier, is_regressor
from stylobate.exceptions import InvalidDataError
from stylobate.inference.distributions import two_sided_quantile
from stylobate.metrics.intervals.analysis import Analysis
from stylobate.metrics.intervals.linear import Linear
from stylobate.metrics.intervals.metric import Metric
from stylobate.metrics.intervals.rows import read_rows
from stylobate.metrics.scoring.names import get_scorer
from stylobate.metrics.scoring.scorers import BuiltInScore, Scorer
from stylobate.model_selection.validation.score_names import score_name

_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Judged:
    """A score and what each row adds to it (None where that is not known)."""

    score: float
    rows: Linear | None = None


def judged(
    scorer: Callable[..., Any], estimator: Any, X: Any, y: Any, weights: Any
) -> Judged | dict[str, Judged]:
    """The score of the rows; a dictionary from scorers that give several."""
    more = {} if weights is None else {"sample_weight": weights}
    known = _as_metric(scorer, estimator)
    if known is None:
        value = scorer(estimator, X, y, **more)
        if isinstance(value, dict):
            return {name: Judged(float(each)) for name, each in value.items()}
        return Judged(float(value))
    classes = getattr(estimator, "classes_", None)
    answers = known.answers(estimator, X)
    value = float(known.compared(y, answers, classes, **more))
    return Judged(value, _added(known, y, answers, classes, weights))


def half_widths(before: Judged, after: Sequence[Judged]) -> float:
    """Half the width of the 95 % interval of the mean fall.

    The rows' part is the standard error of the paired difference, averaged over the shuffles; the
    shuffles' part the standard error of their mean.
    """
    falls = np.array([before.score - each.score for each in after])
    shuffles = float(falls.var(ddof=1)) / len(falls) if len(falls) > 1 else 0.0
    rows, df = _rows_part(before, after)
    if rows is None:
        if len(falls) < 2:
            return float("nan")
        return float(two_sided_quantile(_CONFIDENCE, len(falls) - 1) * np.sqrt(shuffles))
    return float(two_sided_quantile(_CONFIDENCE, df) * np.sqrt(rows + shuffles))


def _rows_part(before: Judged, after: Sequence[Judged]) -> tuple[float | None, float]:
    """The variance over rows of the fall, averaged over shuffles."""
    first = before.rows
    others = [each.rows for each in after if each.rows is not None]
    if first is None or len(others) < len(after):
        return None, 0.0
    if any(len(each.parts) != len(first.parts) for each in others):
        return None, 0.0
    parts = tuple(
        part - np.mean([each.parts[k] for each in others], axis=0)
        for k, part in enumerate(first.parts)
    )
    fall = Linear(0.0, parts, first.weights, df=first.df)
    return fall.std_error() ** 2, first.df


def _as_metric(scorer: Any, estimator: Any) -> Scorer | None:
    """The scorer as a metric of answers; of `score` where it is known to be R² or accuracy."""
    if isinstance(scorer, Scorer):
        return scorer
    if not isinstance(scorer, BuiltInScore):
        return None
    if is_classifier(estimator):
        return get_scorer("accuracy") if score_name(None, estimator).perfect == 1.0 else None
    known = is_regressor(estimator) and score_name(None, estimator).label == "R²"
    return get_scorer("r2") if known else None


def _added(scorer: Scorer, y: Any, answers: Any, classes: Any, weights: Any) -> Linear | None:
    options = scorer._kwargs | scorer.labels_option(classes)
    metric = Metric("score", scorer._score_func, options)
    try:
        rows = read_rows(y, {"answers": answers}, weights, "permutation_importance")
        linear = Analysis(metric, rows).linear
    except (InvalidDataError, ValueError):  # of a score without an interval only the shuffles tell
        return None
    if linear is None:
        return None
    if scorer._sign > 0:
        return linear[0]
    return Linear(0.0, tuple(-each for each in linear[0].parts), linear[0].weights, df=linear[0].df)
