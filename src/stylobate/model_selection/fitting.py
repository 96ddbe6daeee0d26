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
from stylobate.metrics.scorers import ManyScorers
from stylobate.model_selection.rows import Data, chooser
from stylobate.splits import Split

Scores = dict[str, float]
ONE = "score"  # the name of a score that has none


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


@dataclass(frozen=True)
class Task:
    """How splits are to be fitted and scored."""

    data: Data
    scorer: Callable[..., Any]
    train_score: bool = False
    keep_estimator: bool = False
    error_score: Any = np.nan

    def run(self, estimator: Any, split: Split) -> Outcome:
        """Fit a clone to the training part and score it."""
        choose = chooser(estimator)
        train, test = choose(split[0]), choose(split[1])
        data = self.data
        twin = clone(estimator)
        started = perf_counter()
        x, y = take_rows(data.x, train), take_rows(data.y, train)
        params = data.chosen_params(train) if data.params else {}
        try:
            twin.fit(x, **params) if y is None else twin.fit(x, y, **params)
        except Exception:
            outcome = Outcome(fit_time=perf_counter() - started)
            if self._raises:
                raise
            outcome.failure = traceback.format_exc()
            return outcome
        fitted = perf_counter()
        outcome = Outcome(fit_time=fitted - started)
        rows = (take_rows(data.x, test), take_rows(data.y, test))
        self.score(outcome, twin, rows, (x, y) if self.train_score else None)
        return outcome

    def score(self, outcome: Outcome, model: Any, test: Any, train: Any = None) -> None:
        """Score a fitted model on test rows and, if given, training rows."""
        started = perf_counter()
        outcome.test = self._scores(model, test, outcome)
        outcome.score_time = perf_counter() - started
        if train is not None:
            outcome.train = self._scores(model, train, outcome)
        if self.keep_estimator:
            outcome.estimator = model

    def _scores(self, model: Any, rows: tuple[Any, Any], outcome: Outcome) -> Scores:
        x, y = rows
        args = (x,) if y is None else (x, y)
        many = isinstance(self.scorer, ManyScorers)
        named = self.scorer.scorers if isinstance(self.scorer, ManyScorers) else {ONE: self.scorer}
        found: Scores = {}
        for name, scorer in named.items():
            try:
                value = scorer(model, *args)
            except Exception:
                if self._raises:
                    raise
                outcome.scoring_failure = traceback.format_exc()
                value = self.error_score
            if isinstance(value, dict) and not many:
                return {key: _number(each, key) for key, each in value.items()}
            found[name] = _number(value, name)
        return found

    @property
    def _raises(self) -> bool:
        return isinstance(self.error_score, str)


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


def settle_failures(outcomes: Sequence[Outcome], error_score: Any) -> None:
    """Give failed fits their score and tell of them; refuse if all failed."""
    failed = [outcome for outcome in outcomes if outcome.failure is not None]
    names = next((list(o.test) for o in outcomes if o.failure is None), [ONE])
    for outcome in failed:
        outcome.test = dict.fromkeys(names, error_score)
        outcome.train = dict.fromkeys(names, error_score)
    if failed:
        _tell_of_fits(failed, len(outcomes), error_score)
    unscored = [o.scoring_failure for o in outcomes if o.scoring_failure is not None]
    if unscored:
        warnings.warn(
            "Scoring failed. The score on this train-test partition for these parameters will be "
            f"set to {error_score}. Details:\n{unscored[0]}",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )


def _tell_of_fits(failed: Sequence[Outcome], count: int, error_score: Any) -> None:
    kinds: dict[str, int] = {}
    for outcome in failed:
        kinds[str(outcome.failure)] = kinds.get(str(outcome.failure), 0) + 1
    details = "\n".join(f"{times} fits failed with:\n{text}" for text, times in kinds.items())
    if len(failed) == count:
        raise InvalidDataError(
            f"All the {count} fits failed. It is very likely that the model is misconfigured; "
            f"error_score='raise' shows where.\n{details}"
        )
    warnings.warn(
        f"{len(failed)} fits failed out of a total of {count}. The score on these train-test "
        f"partitions will be set to {error_score}; error_score='raise' shows where.\n{details}",
        joined(FitFailedWarning),
        stacklevel=user_stacklevel(),
    )
