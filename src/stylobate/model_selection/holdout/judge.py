"""Scores of what is submitted to a hold-out: estimators, or predictions made elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices
from stylobate.data.indexing import indexable, take_rows
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics import confidence_interval, get_scorer
from stylobate.metrics.intervals.analysis import Analysis
from stylobate.metrics.intervals.interval import Interval
from stylobate.metrics.intervals.metric import Metric
from stylobate.metrics.intervals.rows import read_rows
from stylobate.metrics.scoring.scorers import Scorer
from stylobate.metrics.scoring.scoring_argument import check_scoring
from stylobate.model_selection.validation.score_names import ScoreName, score_name
from stylobate.splits.splitter import count_rows
from stylobate.splits.strata import as_array, type_of_target

_RESAMPLES = 200  # for the standard error of a difference; two digits of it are enough


@dataclass(frozen=True, slots=True)
class Submission:
    """What is judged: answers for rows, or, where only the estimator can be asked, that one."""

    answers: Any
    classes: Any = None
    estimator: Any = None


class Judge:
    """Scores submissions on some of the rows; more is better.

    Parameters
    ----------
    X, y : table and target
        All rows.
    scoring : str, callable or None
        A scorer; None: accuracy of labels, R² of numbers.
    """

    def __init__(self, X: Any, y: Any, scoring: Any) -> None:
        if scoring is None:
            scoring = "r2" if type_of_target(y).startswith("continuous") else "accuracy"
        self.X, self.y = X, as_array(y)
        self.scorer = get_scorer(scoring) if isinstance(scoring, str) else _checked(scoring)
        self.name: ScoreName = score_name(scoring)

    @property
    def by_rows(self) -> bool:
        """Whether predictions are enough, so that differences can be judged row by row."""
        return isinstance(self.scorer, Scorer)

    def submission(self, model: Any, rows: Indices) -> Submission:
        """The answers for these rows of an estimator, or of predictions for all rows."""
        if not hasattr(model, "predict"):
            return Submission(self._given(model)[rows])
        if not isinstance(self.scorer, Scorer):
            return Submission(None, estimator=model)
        answers = self.scorer.answers(model, take_rows(self.X, rows))
        return Submission(as_array(answers), getattr(model, "classes_", None))

    def score(self, submission: Submission, rows: Indices) -> float:
        """The score on these rows."""
        truth = self.y[rows]
        if isinstance(self.scorer, Scorer):
            value = self.scorer.compared(truth, submission.answers, submission.classes)
        else:
            value = self.scorer(submission.estimator, take_rows(self.X, rows), truth)
        if not np.isfinite(value):
            raise InvalidDataError(
                f"Holdout: the {self.name.label} of this question is {value}, which is no answer; "
                "it is not counted. Choose another scoring, or look at the predictions."
            )
        return float(value)

    def interval(self, submission: Submission, rows: Indices, seed: int) -> Interval:
        """The score with its confidence interval (without one for scorers of one's own)."""
        if not isinstance(self.scorer, Scorer):
            nan = float("nan")
            return Interval(self.score(submission, rows), nan, nan, "not known")
        options = self.scorer.labels_option(submission.classes)
        found = confidence_interval(
            self.scorer, self.y[rows], submission.answers, random_state=seed, **options
        )
        return found

    def noise(self, submission: Submission, earlier: Any, rows: Indices) -> float:
        """The standard error of the difference of the scores of this and earlier answers."""
        both = {"earlier": earlier, "this": submission.answers}
        analysis = self._analysis(submission, both, rows)
        if analysis.linear is not None:
            first, second = analysis.linear
            return second.minus(first).std_error()
        draws = np.random.default_rng(0)
        values = analysis.resampling(False).resampled(_RESAMPLES, draws)
        return float(np.nanstd(values[:, 1] - values[:, 0], ddof=1))

    def grain(self, submission: Submission, rows: Indices) -> float:
        """The finest difference worth telling: 1/n of the range, or of the spread of the rows."""
        n = len(rows)
        if self.name.sign > 0 and self.name.perfect == 1.0:
            return 1.0 / n
        if not self.by_rows:
            return 0.0
        linear = self._analysis(submission, {"this": submission.answers}, rows).linear
        return 0.0 if linear is None else linear[0].std_error() / np.sqrt(n)

    def _analysis(self, submission: Submission, answers: dict[str, Any], rows: Indices) -> Analysis:
        assert isinstance(self.scorer, Scorer)
        options = self.scorer._kwargs | self.scorer.labels_option(submission.classes)
        metric = Metric(self.name.label, self.scorer._score_func, options)
        return Analysis(metric, read_rows(self.y[rows], answers, None, "Holdout"))

    def _given(self, predictions: Any) -> NDArray[Any]:
        if not isinstance(self.scorer, Scorer):
            raise InvalidParameterError(
                f"Holdout: scoring={self.scorer!r} needs a fitted estimator, got predictions; "
                "submit the estimator, or choose a scoring by name."
            )
        given = as_array(predictions)
        if given.ndim == 0 or len(given) != len(self.y):
            raise InvalidDataError(
                f"Holdout: a question is a fitted estimator or one prediction for each of the "
                f"{len(self.y)} rows, got {_described(predictions, given)}."
            )
        return given


def judge_of(X: Any, y: Any, scoring: Any) -> Judge:
    """The judge of rows that go together."""
    judge = Judge(indexable(X), y, scoring)
    n = count_rows(judge.X)
    if n != len(judge.y) or n < 1:
        raise InvalidDataError(
            f"Holdout: X has {n} rows and y {len(judge.y)}; they need one entry for each row, and "
            "one row at least."
        )
    return judge


def _checked(scoring: Any) -> Any:
    if not callable(scoring):
        raise InvalidParameterError(
            f"Holdout: scoring must be one scorer, by name or callable, or None, got {scoring!r}."
        )
    return check_scoring(scoring=scoring)


def _described(thing: Any, given: NDArray[Any]) -> str:
    if given.ndim == 0:
        return f"a {type(thing).__name__}"
    return f"{len(given)} predictions"
