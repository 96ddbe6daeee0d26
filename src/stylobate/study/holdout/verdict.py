"""The hold-out: asked once about the chosen model, and counted."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices
from stylobate.data.column_table import ColumnTable
from stylobate.exceptions import StylobateError
from stylobate.metrics import confidence_interval, confusion_matrix, get_scorer, roc_curve
from stylobate.metrics.scoring.responses import response
from stylobate.model_selection.validation.score_names import score_name
from stylobate.report import number
from stylobate.study.holdout.against_baseline import paired_difference
from stylobate.study.holdout.conformity import conformity_of
from stylobate.study.holdout.holdout_log import QuestionCount
from stylobate.study.question.metrics import COST, mean_cost
from stylobate.study.question.question import Asked
from stylobate.study.results import HoldoutAnswer, Metric, PairedDifference, ScoreAnswer
from stylobate.study.results.few_rows import balanced_reach, widened
from stylobate.study.search.whole_model import WholeModel

_MORE = {
    "binary": ("accuracy", "balanced_accuracy", "roc_auc", "neg_log_loss", "f1"),
    "multiclass": ("accuracy", "balanced_accuracy", "neg_log_loss", "f1_macro"),
    "regression": ("neg_root_mean_squared_error", "neg_mean_absolute_error", "r2"),
}
_BINS, _POINTS, _CURVE = 10, 1000, 200


def answer_holdout(
    asked: Asked,
    fitted: WholeModel,
    baseline: WholeModel,
    table: ColumnTable,
    y: NDArray[Any],
    expected: ScoreAnswer,
    counted: QuestionCount,
    seed: int,
    units: Indices | None = None,
) -> HoldoutAnswer:
    """What the locked rows say about a model that never saw them.

    Parameters
    ----------
    fitted, baseline : Fitted
        To the training rows.
    table, y
        Columns and targets of the locked rows.
    expected : ScoreAnswer
        What cross-validation said, with its interval.
    counted : Counted
        How often these rows have been asked, this time included.
    seed : int
        Of the intervals' draws.
    units : array of int or None
        Locked rows of one number belong together.
    """
    metric = asked.question.metric
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names = [metric.name, *(n for n in _MORE[asked.question.task] if n != metric.name)]
        scores = [_score(name, asked, fitted.pipeline, table, y, seed) for name in names]
        plain = _score(metric.name, asked, baseline.pipeline, table, y, seed)
        first = scores[0]
        assert first is not None
        assert plain is not None
        paired = None
        if not isinstance(fitted.model, type(baseline.model)):
            paired = paired_difference(
                asked, fitted.pipeline, baseline.pipeline, table, y, units, (first, plain), seed
            )
        return HoldoutAnswer(
            len(y),
            tuple(each for each in scores if each is not None),
            (plain, *_plain_scores(names[1:], baseline.pipeline, table, y)),
            _words(first, plain, expected, metric, len(y), counted, paired),
            _confusion(asked, fitted.pipeline, table, y),
            _roc(asked, fitted.pipeline, table, y),
            _calibration(asked, fitted.pipeline, table, y),
            _points(asked, fitted.pipeline, table, y, seed),
            counted.questions,
            "plain",
            paired,
            conformity_of(asked.question.task, fitted.pipeline, table, y, units),
        )


def _score(
    name: str, asked: Asked, model: Any, table: ColumnTable, y: NDArray[Any], seed: int
) -> ScoreAnswer | None:
    """One metric with its interval; None where the model cannot give what it needs."""
    if name == COST:
        return _cost(asked, model, table, y, seed)
    scorer: Any = get_scorer(name)
    said = score_name(name)
    try:
        predicted = response(model, table, scorer._response_method, scorer._positive)
        found = confidence_interval(name, y, predicted, random_state=seed)
    except (StylobateError, AttributeError, ValueError):
        return None
    value, low, high = (said.sign * end for end in (found.estimate, found.low, found.high))
    low, high = sorted((low, high))
    if name == "balanced_accuracy":
        reach = balanced_reach(y, predicted)
        low, high = max(min(low, value - reach), 0.0), min(max(high, value + reach), 1.0)
    ends = widened(name, value, low, high, _rarest(asked, y))
    return ScoreAnswer(name, said.label, value, *ends, said.sign > 0)


def _rarest(asked: Asked, y: NDArray[Any]) -> int:
    """Rows of the rarest class that occurs; all of them for numbers and for accuracy's sake."""
    if asked.question.task == "regression":
        return len(y)
    counts = np.bincount(y.astype(np.intp))
    return int(counts[counts > 0].min())


def _plain_scores(
    names: list[str], model: Any, table: ColumnTable, y: NDArray[Any]
) -> list[ScoreAnswer]:
    """Other metrics of the baseline, without intervals."""
    found = []
    for name in names:
        said = score_name(name)
        try:
            value = said.sign * float(get_scorer(name)(model, table, y))
        except (StylobateError, AttributeError, ValueError):
            continue
        if np.isfinite(value):
            found.append(ScoreAnswer(name, said.label, value, None, None, said.sign > 0))
    return found


def _cost(asked: Asked, model: Any, table: ColumnTable, y: NDArray[Any], seed: int) -> ScoreAnswer:
    costs = asked.question.costs
    assert costs is not None
    decided = np.asarray(model.predict(table))

    def of_rows(actual: Any, said: Any) -> float:
        return mean_cost(np.asarray(actual), np.asarray(said), costs)

    found = confidence_interval(of_rows, y, decided, random_state=seed, n_resamples=500)
    label = asked.question.metric.label
    return ScoreAnswer(COST, label, found.estimate, found.low, found.high, False)


def _words(
    score: ScoreAnswer,
    baseline: ScoreAnswer,
    expected: ScoreAnswer,
    metric: Metric,
    n_rows: int,
    counted: QuestionCount,
    paired: PairedDifference | None,
) -> str:
    sign = 1 if metric.greater_is_better else -1
    said = (
        f"On {n_rows} locked rows that no model had seen, {metric.label} is "
        f"{number(score.value, 4)}{_span(score)}; cross-validation said {number(expected.value, 4)}"
    )
    reach = _reach(score, expected)
    if reach is not None:
        better = sign * (score.value - expected.value)
        if abs(better) <= reach:
            said += ", which agrees"
        elif better > 0:
            said += ": better than expected"
        else:
            said += ": worse than expected, so do not trust the cross-validated score"
    said += "."
    if paired is not None:
        than = f"the baseline ({number(baseline.value, 4)})"
        clear = paired.p_value < 0.025
        how = "better than" if clear else "not clearly better than" if paired.gain > 0 else (
            "no better than"
        )  # fmt: skip
        said += f" By these rows alone it is {how} {than}."
    return f"{said} {counted.words}".rstrip()


def _reach(score: ScoreAnswer, expected: ScoreAnswer) -> float | None:
    """How far two scores with errors of their own may be apart: the root of the summed squares.

    The half-width of each interval is that on the side of the other score.
    """
    upper, lower = (score, expected) if score.value >= expected.value else (expected, score)
    if score.low is None or score.high is None:
        return None
    above = 0.0 if upper.low is None else upper.value - upper.low
    below = 0.0 if lower.high is None else lower.high - lower.value
    return float(np.hypot(above, below))


def _span(score: ScoreAnswer) -> str:
    if score.low is None or score.high is None:
        return ""
    return f" (95 % interval {number(score.low, 4)} to {number(score.high, 4)})"


def _confusion(
    asked: Asked, model: Any, table: ColumnTable, y: NDArray[Any]
) -> tuple[tuple[int, ...], ...]:
    if asked.question.task == "regression":
        return ()
    labels = np.arange(len(asked.labels))
    matrix = np.asarray(confusion_matrix(y, model.predict(table), labels=labels))
    return tuple(tuple(int(n) for n in line) for line in matrix)


def _roc(
    asked: Asked, model: Any, table: ColumnTable, y: NDArray[Any]
) -> tuple[tuple[float, float], ...]:
    if asked.question.task != "binary":
        return ()
    scores = _positive_scores(model, table)
    if scores is None:
        return ()
    false, true, *_ = roc_curve(y, scores)
    kept = np.unique(np.linspace(0, len(false) - 1, min(len(false), _CURVE)).astype(int))
    return tuple((float(false[k]), float(true[k])) for k in kept)


def _positive_scores(model: Any, table: ColumnTable) -> Any:
    for name in ("predict_proba", "decision_function"):
        if hasattr(model, name):
            try:
                found = np.asarray(getattr(model, name)(table))
            except (StylobateError, AttributeError):
                continue
            return found[:, 1] if found.ndim == 2 else found
    return None


def _calibration(
    asked: Asked, model: Any, table: ColumnTable, y: NDArray[Any]
) -> tuple[tuple[float, float, int], ...]:
    """Mean probability and observed share in bins of equal width that hold rows."""
    if asked.question.task != "binary" or not hasattr(model, "predict_proba"):
        return ()
    p = np.asarray(model.predict_proba(table))[:, 1]
    bins = np.minimum((p * _BINS).astype(int), _BINS - 1)
    return tuple(
        (float(p[bins == k].mean()), float(np.mean(y[bins == k] == 1)), int((bins == k).sum()))
        for k in range(_BINS)
        if (bins == k).any()
    )


def _points(
    asked: Asked, model: Any, table: ColumnTable, y: NDArray[Any], seed: int
) -> tuple[tuple[float, float], ...]:
    if asked.question.task != "regression":
        return ()
    predicted = np.asarray(model.predict(table), dtype=np.float64)
    chosen = np.arange(len(y))
    if len(y) > _POINTS:
        chosen = np.sort(np.random.default_rng(seed).choice(len(y), _POINTS, replace=False))
    return tuple((float(y[k]), float(predicted[k])) for k in chosen)
