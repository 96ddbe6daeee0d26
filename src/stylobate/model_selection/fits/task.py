"""One fit on a part of the rows and its scores."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from numbers import Real
from time import perf_counter
from typing import Any

import numpy as np

from stylobate.base import clone
from stylobate.data.indexing import take_rows
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import (
    FitFailedWarning,
    InvalidDataError,
    InvalidParameterError,
    StylobateWarning,
    joined,
)
from stylobate.metrics.scoring.accumulation import ONE as ONE
from stylobate.metrics.scoring.scorers import BuiltInScore, ManyScorers, takes_weights
from stylobate.model_selection.fits.captured_warnings import CapturedWarning, issue, listening
from stylobate.model_selection.validation.data import chooser, pairwise_columns
from stylobate.splits import Split

Scores = dict[str, float]
NOT_MADE = "not made"  # the way of a fit that was left out


@dataclass
class Outcome:
    """What became of one split."""

    test: Scores = field(default_factory=dict)
    train: Scores = field(default_factory=dict)
    fit_time: float = 0.0
    score_time: float = 0.0
    estimator: Any = None
    failure: str | None = None  # the fit's error, as text
    scoring_failure: str | None = None
    predictions: Any = None  # of the test part
    way: str = "rows"  # or "statistics"
    stored: bool = False  # whether it was read from a store
    steps: list[float] = field(default_factory=list)  # scores on the way, of a fit in steps
    stopped: bool = False  # whether it was given up on the way
    warnings: list[str] = field(default_factory=list)
    heard: list[CapturedWarning] = field(default_factory=list)  # those of `warnings` not yet issued


@dataclass(frozen=True)
class Parts:
    """Rows of a split: what a fit is given, and what is scored, as (X, y, weights)."""

    fitted: tuple[Any, ...]
    params: dict[str, Any]
    test: Any
    train: Any


@dataclass(frozen=True)
class Task:
    """How splits are to be fitted and scored."""

    data: Any  # `Data`, or `StreamData` for rows that come in batches
    scorer: Callable[..., Any]
    train_score: bool = False
    keep_estimator: bool = False
    error_score: Any = np.nan
    predictions: str | None = None  # the method whose answers for the test part are kept
    score_params: dict[str, Any] = field(default_factory=dict)  # split as those of `fit` are
    weighted_scores: bool = False  # whether the weights of a stream count in the scores

    in_steps = False  # whether fits are made and scored step by step, see `SteppedTask`

    @property
    def judges_get_arguments(self) -> bool:
        """Whether scorers get more than the rows: weights, or what they have asked for."""
        asked = getattr(self.data, "scorer_params", None) or {}
        return bool(self.score_params) or any(asked.values())

    @property
    def about(self) -> tuple[Any, ...]:
        """What else tells its outcomes from others in a store."""
        return ()

    def run(self, estimator: Any, split: Split) -> Outcome:
        """Fit a clone to the training part and score it."""
        heard: list[CapturedWarning] = []
        try:
            with listening() as heard:
                outcome = self._run(estimator, split)
        except BaseException:
            issue(heard, {})
            raise
        outcome.heard, outcome.warnings = heard, [each.text for each in heard]
        return outcome

    def _run(self, estimator: Any, split: Split) -> Outcome:
        parts = self.parts(estimator, split)
        twin = clone(estimator)
        started = perf_counter()
        try:
            twin.fit(*parts.fitted, **parts.params)
        except Exception:
            return self.failed(started)
        outcome = Outcome(fit_time=perf_counter() - started)
        self.score(outcome, twin, parts.test, parts.train)
        return outcome

    def parts(self, estimator: Any, split: Split) -> Parts:
        """The rows of a split."""
        choose = chooser(estimator)
        train, test = choose(split[0]), choose(split[1])
        data = self.data
        columns = pairwise_columns(estimator, data.x, split[0])
        x, y = take_rows(data.x, train), take_rows(data.y, train)
        x = x if columns is None else x[:, columns]
        x_test = take_rows(data.x, test)
        x_test = x_test if columns is None else x_test[:, columns]
        return Parts(
            (x,) if y is None else (x, y),
            data.chosen_params(train) if data.params else {},
            (x_test, take_rows(data.y, test), self._score_params(test)),
            (x, y, self._score_params(train)) if self.train_score else None,
        )

    def failed(self, started: float) -> Outcome:
        """The outcome of a fit that raised, or its error if that is asked; inside an `except`."""
        if self.raises:
            raise
        return Outcome(fit_time=perf_counter() - started, failure=traceback.format_exc())

    def judged(self, model: Any, split: Split, fit_time: float) -> Outcome:
        """The scores of a model that is fitted already."""
        choose, outcome = chooser(model), Outcome(fit_time=fit_time)
        parts = [choose(part) for part in split]
        train, test = (
            (take_rows(self.data.x, part), take_rows(self.data.y, part), self._score_params(part))
            for part in parts
        )
        with listening() as heard:
            self.score(outcome, model, test, train if self.train_score else None)
        outcome.heard, outcome.warnings = heard, [each.text for each in heard]
        return outcome

    def score(self, outcome: Outcome, model: Any, test: Any, train: Any = None) -> None:
        """Score a fitted model on test rows and, if given, training rows: (X, y) of each."""
        started = perf_counter()
        outcome.test = self.scores(model, test, outcome)
        outcome.score_time = perf_counter() - started
        if train is not None:
            outcome.train = self.scores(model, train, outcome)
        if self.predictions is not None:
            outcome.predictions = self.predicted(model, test[0])
        if self.keep_estimator:
            outcome.estimator = model

    def predicted(self, model: Any, x: Any) -> Any:
        assert self.predictions is not None
        method = getattr(model, self.predictions, None)
        if method is None:
            raise InvalidParameterError(
                f"return_predictions: {type(model).__name__} has no {self.predictions}."
            )
        return method(x)

    def _score_params(self, rows: Any) -> dict[str, Any]:
        """Arguments of the scorers for some rows; by scorer, where these have asked for them."""
        asked = getattr(self.data, "scorer_params", None)
        if asked is not None:
            return {name: self.data.chosen(given, rows) for name, given in asked.items()}
        if not self.score_params:
            return {}
        chosen: dict[str, Any] = self.data.chosen(self.score_params, rows)
        return chosen

    def scores(self, model: Any, rows: Any, outcome: Outcome) -> Scores:
        x, y, params = rows if len(rows) == 3 else (*rows, {})
        args = (x,) if y is None else (x, y)
        many = isinstance(self.scorer, ManyScorers)
        named = self.scorer.scorers if isinstance(self.scorer, ManyScorers) else {ONE: self.scorer}
        found: Scores = {}
        asked = params and getattr(self.data, "scorer_params", None) is not None
        for name, scorer in named.items():
            try:
                given = params[name] if asked else _taken(scorer, model, params)
                value = scorer(model, *args, **given)
            except Exception:
                if self.raises:
                    raise
                outcome.scoring_failure = traceback.format_exc()
                value = self.error_score
            if isinstance(value, dict) and not many:
                return checked_scores(value)
            found[name] = _number(value, name)
        return found

    @property
    def raises(self) -> bool:
        """Whether a failure ends the run."""
        return isinstance(self.error_score, str)

    @property
    def score_names(self) -> list[str]:
        return list(self.scorer.scorers) if isinstance(self.scorer, ManyScorers) else [ONE]


def checked_scores(scores: dict[str, Any]) -> Scores:
    """Scores by name, each held to be a number."""
    return {name: _number(value, name) for name, value in scores.items()}


def _taken(scorer: Any, model: Any, params: dict[str, Any]) -> dict[str, Any]:
    """The arguments for a scorer; weights only if it takes them."""
    judge = model.score if isinstance(scorer, BuiltInScore) and params else scorer
    return params if params and takes_weights(judge) else {}


def _number(value: Any, name: str) -> float:
    if hasattr(value, "item"):
        with suppress(ValueError):  # an array of several numbers is refused below
            value = value.item()
    if not isinstance(value, Real):
        raise InvalidDataError(
            f"scoring must return a number, got {value!r} ({type(value).__name__}) instead, from "
            f"{name}."
        )
    return value  # type: ignore[return-value]


def check_error_score(error_score: Any) -> None:
    """Refuse anything but "raise" and numbers."""
    if error_score != "raise" and not isinstance(error_score, Real):
        raise InvalidParameterError(
            f"error_score must be the string 'raise' or a numeric value, got {error_score!r}."
        )


def settle_failures(outcomes: Sequence[Outcome], error_score: Any, *, before: int = 0) -> None:
    """Give failed fits their score and tell of them; refuse if all failed and none was before."""
    issue_heard(outcomes)
    failed = [outcome for outcome in outcomes if outcome.failure is not None]
    names = next((list(o.test) for o in outcomes if o.failure is None), [ONE])
    for outcome in failed:
        outcome.test = dict.fromkeys(names, error_score)
        outcome.train = dict.fromkeys(names, error_score)
    if failed:
        _tell_of_fits(failed, len(outcomes) + before, error_score)
    unscored = [o.scoring_failure for o in outcomes if o.scoring_failure is not None]
    if unscored:
        warnings.warn(
            "Scoring failed. The score on this train-test partition for these parameters will be "
            f"set to {error_score}. Details:\n{unscored[0]}",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )


def issue_heard(outcomes: Sequence[Outcome]) -> None:
    """Issue the warnings of the fits, which were held back to tell whose they are."""
    registry: dict[Any, Any] = {}
    for outcome in outcomes:
        said, outcome.heard = outcome.heard, []
        issue(said, registry)


def not_made(names: Sequence[str]) -> Outcome:
    """The outcome of a fit that was left out, such as of a setting that was given up."""
    nothing = dict.fromkeys(names, float("nan"))
    return Outcome(nothing, dict(nothing), float("nan"), float("nan"), way=NOT_MADE)


def _tell_of_fits(failed: Sequence[Outcome], count: int, error_score: Any) -> None:
    kinds: dict[str, int] = {}
    for outcome in failed:
        kinds[str(outcome.failure)] = kinds.get(str(outcome.failure), 0) + 1
    details = "\n".join(f"{times} fits failed with:\n{text}" for text, times in kinds.items())
    first = str(failed[0].failure).strip().splitlines()[-1]
    if len(failed) == count:
        raise InvalidDataError(
            f"All the {count} fits failed, the first with: {first}\nIt is very likely that the "
            f"model is misconfigured; error_score='raise' shows where.\n{details}"
        )
    warnings.warn(
        f"{len(failed)} fits failed out of a total of {count}, the first with: {first}\nThe score "
        f"on these train-test partitions will be set to {error_score}; error_score='raise' shows "
        f"where.\n{details}",
        joined(FitFailedWarning),
        stacklevel=user_stacklevel(),
    )
