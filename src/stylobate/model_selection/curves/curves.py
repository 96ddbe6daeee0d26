"""Learning curves and validation curves."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import clone, is_classifier
from stylobate.base.jobs import run_jobs
from stylobate.data import read_labels
from stylobate.data.indexing import take_rows
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.metrics import check_scoring
from stylobate.model_selection.curves.learning_curve import LearningCurve
from stylobate.model_selection.curves.validation_curve import ValidationCurve
from stylobate.model_selection.fits.fold_statistics import FoldStatistics
from stylobate.model_selection.fits.run import FitRun, Running
from stylobate.model_selection.fits.stream_run import StreamRun
from stylobate.model_selection.fits.task import (
    ONE,
    Outcome,
    Task,
    check_error_score,
    settle_failures,
)
from stylobate.model_selection.validation.data import Data
from stylobate.model_selection.validation.requests import handed_out
from stylobate.model_selection.validation.score_names import score_name
from stylobate.model_selection.validation.split_sizes import test_to_train
from stylobate.model_selection.validation.stream_data import (
    StreamData,
    StreamSplit,
    rows_to_validate,
)
from stylobate.splits import Split
from stylobate.splits.splitter import generator

_SIZES = np.linspace(0.1, 1.0, 5)


def learning_curve(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    train_sizes: Any = _SIZES,
    cv: Any = None,
    scoring: Any = None,
    exploit_incremental_learning: bool = False,
    n_jobs: int | None = None,
    pre_dispatch: Any = "all",
    verbose: int = 0,
    shuffle: bool = False,
    random_state: Any = None,
    error_score: Any = np.nan,
    return_times: bool = False,
    params: Any = None,
    target: Any = None,
    features: Any = None,
    weight: str | None = None,
) -> LearningCurve:
    """Scores of training and test parts as the training part grows.

    Estimators that learn from a statistic are not refitted (see `cross_validate`): the rows are
    read once, and each size is the one before merged with the rows it adds.

    Parameters
    ----------
    estimator, X, y, groups, cv, n_jobs, pre_dispatch, verbose, error_score, params
        As of `cross_validate`.
    train_sizes : array-like, default=np.linspace(0.1, 1.0, 5)
        Shares of the largest training part in (0, 1], or numbers of rows.
    scoring : str, callable or None, default=None
        One scorer; None is the estimator's own `score`.
    exploit_incremental_learning : bool, default=False
        Whether to go on from the smaller size by `partial_fit`.
    shuffle : bool, default=False
        Whether to draw the training rows at random instead of taking the first.
    random_state : int, RandomState or None, default=None
        Seed, when shuffling.
    return_times : bool, default=False
        Whether to return the times of the fits and scores.
    target, features, weight
        As of `cross_validate`. Of rows that are read in batches a training part grows by the rows
        in their order; drawing them at random, and `partial_fit`, need rows in memory.

    Returns
    -------
    LearningCurve
        A tuple with `extrapolate`, `advice` and `plot`, of:

        train_sizes_abs : array of shape (n_sizes,)
            Numbers of rows, without repetitions.
        train_scores, test_scores : arrays of shape (n_sizes, n_splits)
        fit_times, score_times : arrays of shape (n_sizes, n_splits)
            In seconds, on request.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True)
    >>> sizes, train, test = learning_curve(LinearRegression(), X, y, train_sizes=[0.1, 1.0], cv=3)
    >>> sizes, test.mean(axis=1).round(2)
    (array([ 29, 294]), array([-0.09,  0.49]))
    """
    roles = (target, features, weight)
    data = rows_to_validate("learning_curve", estimator, X, y, groups, params, roles)
    splitter = data.splitter(cv, estimator)
    if not isinstance(data, StreamData):
        fits = ("fit", "partial_fit") if exploit_incremental_learning else ("fit",)
        scorer = check_scoring(estimator, scoring)
        data = handed_out("learning_curve", data, estimator, splitter, scorer, fits)
    task = _task(estimator, data, scoring, error_score)
    if isinstance(data, StreamData):
        _refuse_for_streams(
            shuffle=shuffle, exploit_incremental_learning=exploit_incremental_learning
        )
        return _of_stream(
            estimator,
            task,
            data.splits(splitter),
            train_sizes,
            Running("learning_curve", verbose=verbose),
            {"return_times": return_times, "score": score_name(scoring, estimator)},
        )
    if exploit_incremental_learning and not hasattr(estimator, "partial_fit"):
        raise InvalidParameterError(
            "learning_curve: An estimator must support the partial_fit interface to exploit "
            f"incremental learning, and {type(estimator).__name__} does not."
        )
    splits = data.splits(splitter)
    splits = [(_numbers(train), _numbers(test)) for train, test in splits]
    sizes = _absolute_sizes(train_sizes, len(splits[0][0]))
    if shuffle:
        draw = generator(random_state)
        splits = [(draw.permutation(train), test) for train, test in splits]
    known = FoldStatistics.of(estimator, task, splits, sizes.tolist())
    cells: list[Outcome | None] = [None] * (len(splits) * len(sizes))
    if known is not None:
        cells = known.run_all([estimator])
        known.report("learning_curve", estimator)
    if exploit_incremental_learning and known is None:
        steps = [partial(_grow, task, estimator, split, sizes) for split in splits]
        grown = run_jobs(steps, n_jobs, estimator, pre_dispatch)
        outcomes = [outcome for each in grown for outcome in each]
    else:
        calls = [
            partial(task.run, estimator, (train[:size], test))
            for train, test in splits
            for size in sizes
        ]
        outcomes = _completed(cells, calls, estimator, n_jobs, pre_dispatch)
    settle_failures(outcomes, error_score)
    return LearningCurve(
        sizes,
        *_matrices(outcomes, len(splits)),
        return_times=return_times,
        score=score_name(scoring, estimator),
        test_to_train=float(np.mean([len(test) / sizes[-1] for _, test in splits])),
    )


def _of_stream(
    estimator: Any,
    task: Task,
    splits: Sequence[StreamSplit],
    train_sizes: Any,
    how: Running,
    options: dict[str, Any],
) -> LearningCurve:
    """The curve of a stream: a fit to the first rows of each training part, for every size."""
    sizes = _absolute_sizes(train_sizes, len(splits[0][0]))
    grown = [(part, test) for train, test in splits for part in train.first_rows(sizes.tolist())]
    outcomes = StreamRun(estimator, [estimator], task, grown, how).all()
    settle_failures(outcomes, task.error_score)
    share = float(np.mean([len(test) / sizes[-1] for _, test in splits]))
    return LearningCurve(sizes, *_matrices(outcomes, len(splits)), test_to_train=share, **options)


def _refuse_for_streams(**asked: bool) -> None:
    for name, wanted in asked.items():
        if wanted:
            raise InvalidParameterError(
                f"learning_curve: {name}=True needs all rows in memory; rows that are read in "
                "batches are taken in their order."
            )


def validation_curve(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    param_name: str,
    param_range: Any,
    groups: Any = None,
    cv: Any = None,
    scoring: Any = None,
    n_jobs: int | None = None,
    pre_dispatch: Any = "all",
    verbose: int = 0,
    error_score: Any = np.nan,
    params: Any = None,
    target: Any = None,
    features: Any = None,
    weight: str | None = None,
) -> ValidationCurve:
    """Scores of training and test parts for several values of a parameter.

    Estimators that learn from a statistic are not refitted (see `cross_validate`): all values
    share one pass over the rows. Penalties of a lasso or an elastic net on many columns share one
    path on each training part.

    Parameters
    ----------
    estimator, X, y, groups, cv, n_jobs, pre_dispatch, verbose, error_score, params
        As of `cross_validate`.
    param_name : str
        The parameter.
    param_range : array-like of shape (n_values,)
        Its values.
    scoring : str, callable or None, default=None
        One scorer; None is the estimator's own `score`.
    target, features, weight
        As of `cross_validate`.

    Returns
    -------
    ValidationCurve
        A tuple with `best`, `advice` and `plot`, of:

        train_scores, test_scores : arrays of shape (n_values, n_splits)

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import Ridge
    >>> X, y = load_diabetes(return_X_y=True)
    >>> train, test = validation_curve(
    ...     Ridge(), X, y, param_name="alpha", param_range=[0.01, 1.0, 100.0], cv=3
    ... )
    >>> test.mean(axis=1).round(2)
    array([0.49, 0.41, 0.01])
    """
    roles = (target, features, weight)
    data = rows_to_validate("validation_curve", estimator, X, y, groups, params, roles)
    splitter = data.splitter(cv, estimator)
    if not isinstance(data, StreamData):
        scorer = check_scoring(estimator, scoring)
        data = handed_out("validation_curve", data, estimator, splitter, scorer)
    task = _task(estimator, data, scoring, error_score)
    values = list(param_range)
    models = [clone(estimator).set_params(**{param_name: clone(v, safe=False)}) for v in values]
    splits: Any = data.splits(splitter)
    how = Running("validation_curve", n_jobs, pre_dispatch, verbose)
    run: Any = StreamRun if isinstance(data, StreamData) else FitRun
    outcomes = run(estimator, models, task, splits, how).all()
    settle_failures(outcomes, error_score)
    train_scores, test_scores = _matrices(outcomes, len(models))[:2]
    return ValidationCurve(
        train_scores.T,
        test_scores.T,
        param_name=param_name,
        param_range=values,
        current=estimator.get_params().get(param_name),
        score=score_name(scoring, estimator),
        test_to_train=test_to_train(splits),
    )


def _task(estimator: Any, data: Data | StreamData, scoring: Any, error_score: Any) -> Task:
    check_error_score(error_score)
    scorer = check_scoring(estimator, scoring)
    return Task(data, scorer, train_score=True, error_score=error_score)


def _completed(
    cells: Sequence[Outcome | None],
    calls: Sequence[Callable[[], Outcome]],
    estimator: Any,
    n_jobs: int | None,
    pre_dispatch: Any,
) -> list[Outcome]:
    """The outcomes, those that are missing from their calls."""
    missing = [k for k, outcome in enumerate(cells) if outcome is None]
    made = iter(run_jobs([calls[k] for k in missing], n_jobs, estimator, pre_dispatch))
    return [next(made) if outcome is None else outcome for outcome in cells]


def _matrices(outcomes: Sequence[Outcome], n_groups: int) -> tuple[Array, Array, Array, Array]:
    """Train scores, test scores, fit times and score times; a column for each group of outcomes."""
    rows = [(o.train[ONE], o.test[ONE], o.fit_time, o.score_time) for o in outcomes]
    cube = np.array(rows, dtype=np.float64).reshape(n_groups, -1, 4)
    train, test, fit, score = cube.transpose(2, 1, 0)
    return train, test, fit, score


def _grow(task: Task, estimator: Any, split: Split, sizes: NDArray[np.intp]) -> list[Outcome]:
    """One model that learns each size's additional rows by `partial_fit`."""
    train, test = split
    data, model, outcomes, start = task.data, clone(estimator), [], 0
    options: dict[str, Any] = {}
    if is_classifier(estimator):
        options["classes"] = read_labels(data.y, owner="learning_curve")[0]
    for size in sizes.tolist():
        more = train[start:size]
        start = size
        model.partial_fit(
            take_rows(data.x, more),
            take_rows(data.y, more),
            **options,
            **data.chosen_params(more),
        )
        outcome = Outcome()
        parts = [(take_rows(data.x, r), take_rows(data.y, r)) for r in (test, train[:size])]
        task.score(outcome, model, *parts)
        outcomes.append(outcome)
    return outcomes


def _absolute_sizes(train_sizes: Any, most: int) -> NDArray[np.intp]:
    """Numbers of training rows, increasing and without repetitions."""
    given = np.asarray(train_sizes)
    if given.ndim != 1 or given.size == 0:
        raise InvalidParameterError(
            f"train_sizes must be one-dimensional and not empty, got {train_sizes!r}."
        )
    if np.issubdtype(given.dtype, np.floating):
        if given.min() <= 0.0 or given.max() > 1.0:
            raise InvalidParameterError(
                "train_sizes has been interpreted as fractions of the maximum number of training "
                f"samples and must be within (0, 1], but is within [{given.min()}, {given.max()}]."
            )
        sizes = np.clip((given * most).astype(np.intp), 1, most)
    else:
        if given.min() <= 0 or given.max() > most:
            raise InvalidParameterError(
                "train_sizes has been interpreted as absolute numbers of training samples and must "
                f"be within (0, {most}], but is within [{given.min()}, {given.max()}]."
            )
        sizes = given.astype(np.intp)
    different = np.unique(sizes)
    if len(different) < len(sizes):
        warnings.warn(
            f"Removed duplicate entries from 'train_sizes'. Number of ticks will be less than the "
            f"size of 'train_sizes': {len(different)} instead of {len(sizes)}.",
            _RepeatedSizes,
            stacklevel=user_stacklevel(),
        )
    return different


class _RepeatedSizes(StylobateWarning, RuntimeWarning):
    """Sizes that are the same number of rows."""


def _numbers(rows: NDArray[Any]) -> NDArray[Any]:
    return np.flatnonzero(rows) if rows.dtype == bool else rows
