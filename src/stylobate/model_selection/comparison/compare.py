"""Comparing models on the same splits."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from stylobate.base import is_classifier, is_regressor
from stylobate.data.indexing import take_rows
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import (
    FitFailedWarning,
    InvalidDataError,
    InvalidParameterError,
    StylobateError,
    joined,
)
from stylobate.inference.distributions import check_level
from stylobate.metrics import check_scoring
from stylobate.metrics.scoring.scorers import ManyScorers
from stylobate.model_selection.comparison.result import Comparison
from stylobate.model_selection.fits.records import CrossValidated
from stylobate.model_selection.fits.task import check_error_score
from stylobate.model_selection.validation.cross_validation import cross_validate
from stylobate.model_selection.validation.data import Data
from stylobate.model_selection.validation.score_names import ScoreName, score_name
from stylobate.model_selection.validation.split_sizes import test_to_train
from stylobate.model_selection.validation.stream_data import StreamData, rows_to_validate
from stylobate.splits import type_of_target
from stylobate.splits.strata import as_array

_MOST_ROWS = 10_000_000  # of a stream whose rows are compared one by one


def compare(
    models: Any,
    X: Any,
    y: Any = None,
    *,
    cv: Any = None,
    scoring: Any = None,
    groups: Any = None,
    confidence: float = 0.95,
    reference: str | None = None,
    n_jobs: int | None = None,
    params: Any = None,
    error_score: Any = np.nan,
    verbose: int = 0,
    target: Any = None,
    features: Any = None,
    weight: str | None = None,
) -> Comparison:
    """Score several models on the same splits and say which differences are more than noise.

    Scores are compared by the corrected resampled t test, rows by McNemar's test (classifiers) or
    the sign test (regressors), and p-values are adjusted for the number of tests (Holm).

    Parameters
    ----------
    models : mapping of str to estimator, or sequence of estimators or of (name, estimator)
        Ours, or any that follow scikit-learn's protocol; without names they are called by their
        classes, or as they are written where a class occurs twice.
    X : array-like, sparse or data frame of shape (n, n_features)
        Rows.
    y : array-like of shape (n,) or (n, n_outputs), optional
        Targets.
    cv : int, splitter, iterable of (train, test) or None, default=None
        See `check_cv`; None is 5 folds, stratified for classifiers. Splits are made once.
    scoring : str, callable or None, default=None
        One scorer; None is "accuracy" for classifiers and "r2" for regressors, of all models alike,
        and the models' own `score` for others.
    groups : array-like of shape (n,), optional
        Groups of the rows, for splitters that go by them.
    confidence : float in (0, 1), default=0.95
        Level of the intervals; a difference whose adjusted p-value is below 1 − confidence counts.
    reference : str, optional
        The model to compare the others with, if that is known beforehand; None is the best.
    n_jobs : int or None, default=None
        Fits at a time, see `cross_validate`.
    params : dict, optional
        More arguments for `fit`.
    error_score : "raise" or number, default=nan
        The score of a fit that fails. A model with failed fits (nan) is listed but not tested.
    verbose : int, default=0
        1 prints a line for each model when it is done.
    target, features, weight
        As of `cross_validate`: X may be rows that are read in batches. Rows are then compared one
        by one as long as there are no more than 10 million of them.

    Returns
    -------
    Comparison
        Prints as a table; `words()`, `plot()`, `to_frame()`, `test(first, second)`.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import Lasso, LinearRegression, Ridge
    >>> X, y = load_diabetes(return_X_y=True)
    >>> found = compare([LinearRegression(), Ridge(0.1), Ridge(10.0)], X, y, cv=10)
    >>> print(found.words())
    Best R²: Ridge(alpha=0.1), 0.46 (95% interval 0.32 to 0.61).
    Within noise of Ridge(alpha=0.1): LinearRegression (0.001 less, p = 0.882).
    Worse than Ridge(alpha=0.1): Ridge(alpha=10.0) (0.32 less, p <0.001).
    10 splits of 442 rows cannot show differences from Ridge(alpha=0.1) smaller than about 0.020.

    References
    ----------
    Nadeau & Bengio (2003), *Machine Learning* 52; Dietterich (1998), *Neural Computation* 10;
    Demšar (2006), *JMLR* 7; Holm (1979), *Scandinavian Journal of Statistics* 6.
    """
    named = named_models(models, "compare")
    _check_arguments(named, reference, confidence, error_score)
    roles = (target, features, weight)
    data = rows_to_validate("compare", list(named.values()), X, y, groups, params, roles)
    kinds = {name: _kind(model) for name, model in named.items()}
    head = data.stream.head() if isinstance(data, StreamData) else data
    _check_targets(kinds, None if head is None else head.y, scoring)
    scoring = _common_score(set(kinds.values())) if scoring is None else scoring
    for model in named.values():
        if isinstance(check_scoring(model, scoring), ManyScorers):
            raise InvalidParameterError(f"compare takes one scoring, got {scoring!r}.")
    classifiers = [named[name] for name, kind in kinds.items() if kind == "classifier"]
    splitter = data.splitter(cv, (classifiers or list(named.values()))[0])
    splits: Any = data.splits(splitter)
    run = _Run(data, splits, splitter, scoring, n_jobs, error_score, score_name(scoring))
    for number, (name, model) in enumerate(named.items()):
        run.add(name, model)
        if verbose:
            print(f"[{number + 1}/{len(named)}] {run.line(name)}", flush=True)
    if all(np.isnan(scores).all() for scores in run.scores.values()):
        raise InvalidDataError(
            "compare: every fit of every model failed; error_score='raise' shows where. The first "
            f"failure: {run.failures[0]}"
        )
    return run.result(confidence, reference)


def named_models(models: Any, owner: str) -> dict[str, Any]:
    """The estimators under their names; refuses what cannot be told apart or fitted."""
    if isinstance(models, Mapping):
        pairs = [(str(name), model) for name, model in models.items()]
    elif hasattr(models, "fit"):
        pairs = [(type(models).__name__, models)]
    elif isinstance(models, Sequence) and not isinstance(models, str):
        pairs = _with_names(list(models))
    else:
        raise InvalidParameterError(
            f"{owner}: models must be a mapping of names to estimators, or a sequence of "
            f"estimators, got {type(models).__name__}."
        )
    if not pairs:
        raise InvalidParameterError(f"{owner}: models is empty; give at least one estimator.")
    for name, model in pairs:
        if isinstance(model, type):
            raise InvalidParameterError(
                f"{owner}: {name!r} is the class {model.__name__}; give an instance, "
                f"{model.__name__}(…)."
            )
        if not hasattr(model, "fit"):
            raise InvalidParameterError(
                f"{owner}: {name!r} is a {type(model).__name__}, which has no fit method; give an "
                "estimator."
            )
    names = [name for name, _ in pairs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidParameterError(
            f"{owner}: the name {twice[0]!r} stands for {names.count(twice[0])} models; give each "
            "a name of its own, {'name': estimator, …}."
        )
    return dict(pairs)


def _with_names(models: list[Any]) -> list[tuple[str, Any]]:
    """(name, estimator) pairs as they are; estimators by class, or as written if need be."""
    if all(isinstance(m, tuple) and len(m) == 2 and isinstance(m[0], str) for m in models):
        return models
    classes = [m.__name__ if isinstance(m, type) else type(m).__name__ for m in models]
    return [
        (name if classes.count(name) == 1 else " ".join(repr(model).split()), model)
        for name, model in zip(classes, models, strict=True)
    ]


@dataclass
class _Run:
    """Models scored so far."""

    data: Data | StreamData
    splits: list[Any]
    splitter: Any
    scoring: Any
    n_jobs: int | None
    error_score: Any
    name: ScoreName
    scores: dict[str, Any] = field(default_factory=dict)
    fit_times: dict[str, Any] = field(default_factory=dict)
    score_times: dict[str, Any] = field(default_factory=dict)
    outcomes: dict[str, Any] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if isinstance(self.data, StreamData):
            head = self.data.stream.head()
            few = self.data.n_rows <= _MOST_ROWS
            self.by_row = few and head is not None and head.y is not None
            return
        tests = [np.flatnonzero(t) if t.dtype == bool else t for _, t in self.splits]
        self.tested = np.concatenate(tests)
        once = len(np.unique(self.tested)) == len(self.tested)
        self.by_row = once and self.data.y is not None

    def add(self, name: str, model: Any) -> None:
        """Fit and score one model on all splits."""
        try:
            found = self._validated(model)
        except StylobateError as error:  # the splits are known to be right: it is the model
            if isinstance(self.error_score, str):
                raise
            self._fail(name, error)
            return
        self.scores[name] = found["test_score"]
        self.fit_times[name], self.score_times[name] = found["fit_time"], found["score_time"]
        if self.by_row and not np.isnan(found["test_score"]).any():
            self.outcomes[name] = self._outcome(model, found)

    def _validated(self, model: Any) -> CrossValidated:
        data = self.data
        options: dict[str, Any] = {"scoring": self.scoring, "error_score": self.error_score}
        if isinstance(data, StreamData):
            asked = self.by_row and hasattr(model, "predict")
            return cross_validate(
                model, data.stream, cv=self.splitter, return_predictions=asked, **options
            )
        return cross_validate(
            model,
            data.x,
            data.y,
            groups=data.groups,
            cv=self.splits,
            n_jobs=self.n_jobs,
            params=data.params,
            return_estimator=self.by_row,
            **options,
        )

    def _fail(self, name: str, error: Exception) -> None:
        nothing = np.full(len(self.splits), np.nan)
        self.scores[name] = self.fit_times[name] = self.score_times[name] = nothing
        self.failures.append(f"{name}: {error}")
        warnings.warn(
            f"compare: every fit of {name!r} failed, it is not compared: {error}",
            joined(FitFailedWarning),
            stacklevel=user_stacklevel(),
        )

    def _outcome(self, model: Any, found: CrossValidated) -> Any:
        """Of each row tested, whether the label is right, or the absolute error."""
        if not hasattr(model, "predict"):
            return None
        parts = []
        for y, predicted in self._answers(found):
            if _kind(model) == "classifier":
                parts.append((predicted == y).reshape(len(y), -1).all(axis=1))
            elif _kind(model) == "regressor":
                away = (np.asarray(predicted, dtype=np.float64) - y).reshape(len(y), -1)
                parts.append(np.sqrt((away**2).sum(axis=1)))
            else:
                return None
        return np.concatenate(parts)

    def _answers(self, found: CrossValidated) -> Iterator[tuple[Any, Any]]:
        """Truth and prediction of the rows of each test part."""
        data = self.data
        if isinstance(data, StreamData):
            y = self._targets
            for (_, test), predicted in zip(self.splits, found["predictions"], strict=True):
                yield y[test(0, len(y))], np.asarray(predicted)
            return
        for fitted, (_, test) in zip(found["estimator"], self.splits, strict=True):
            predicted = fitted.predict(take_rows(data.x, test))
            yield as_array(take_rows(data.y, test)), np.asarray(predicted)

    @cached_property
    def _targets(self) -> Any:
        """The targets of a stream, by one pass over them."""
        assert isinstance(self.data, StreamData)
        return np.concatenate([as_array(y) for y in self.data.targets()])

    def line(self, name: str) -> str:
        """What is known of a model, in a line."""
        mean, seconds = np.mean(self.scores[name]), np.sum(self.fit_times[name])
        return f"{name}: {self.name.label} {self.name.shown(mean):.4g}, fits took {seconds:.3g} s"

    def result(self, confidence: float, reference: str | None) -> Comparison:
        complete = [n for n in self.scores if not np.isnan(self.scores[n]).any()]
        kinds = {getattr(self.outcomes.get(name), "dtype", None) for name in complete}
        comparable = self.by_row and len(kinds) == 1 and None not in kinds
        return Comparison(
            self.scores,
            self.fit_times,
            self.score_times,
            self.name,
            test_to_train(self.splits),
            self.data.n_rows,
            confidence,
            reference,
            self.outcomes if comparable else None,
        )


def _kind(model: Any) -> str:
    if is_classifier(model):
        return "classifier"
    return "regressor" if is_regressor(model) else "other"


def _common_score(kinds: set[str]) -> Any:
    return {"classifier": "accuracy", "regressor": "r2"}.get(next(iter(kinds)))


def _check_arguments(
    models: Mapping[str, Any], reference: str | None, confidence: float, error_score: Any
) -> None:
    try:
        check_level(confidence)
    except InvalidParameterError as error:
        raise InvalidParameterError(f"compare: {error}".replace("level", "confidence")) from None
    check_error_score(error_score)
    if reference is not None and reference not in models:
        raise InvalidParameterError(
            f"compare: reference {reference!r} is none of the models: {', '.join(models)}."
        )


def _check_targets(kinds: Mapping[str, str], y: Any, scoring: Any) -> None:
    """Refuse models that do not fit the targets, or each other."""
    different = sorted(set(kinds.values()))
    if len(different) > 1 and scoring is None:
        examples = [next(n for n in kinds if kinds[n] == kind) for kind in different]
        raise InvalidParameterError(
            f"compare: {examples[0]!r} is a {different[0]} and {examples[1]!r} a {different[1]}, "
            "whose own scores are not the same measure; give scoring, or compare like with like."
        )
    if y is None:
        return
    found = type_of_target(y)
    if found.startswith("continuous"):
        wrong = [name for name, kind in kinds.items() if kind == "classifier"]
        if wrong:
            raise InvalidDataError(
                f"compare: {wrong[0]!r} is a classifier and y is {found}, numbers rather than "
                "labels; use regressors, or make classes of y."
            )
