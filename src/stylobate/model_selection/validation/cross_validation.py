"""Cross-validation of any estimator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidParameterError
from stylobate.metrics import check_scoring
from stylobate.metrics.scoring.scorers import ManyScorers
from stylobate.model_selection.fits.records import CrossValidated, Kept, LeftOut
from stylobate.model_selection.fits.run import FitRun, Running
from stylobate.model_selection.fits.stream_run import StreamRun
from stylobate.model_selection.fits.task import (
    Outcome,
    Task,
    check_error_score,
    settle_failures,
)
from stylobate.model_selection.validation.leave_one_out import LeftOutScores, left_out_scores
from stylobate.model_selection.validation.leave_one_out import leaves_one_out as leaves_one_out
from stylobate.model_selection.validation.requests import handed_out
from stylobate.model_selection.validation.stream_data import (
    StreamData,
    StreamPart,
    rows_to_validate,
)
from stylobate.model_selection.validation.unseen_labels import tell_of_unseen_labels
from stylobate.splits import Split


def cross_val_score(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: Any = None,
    pre_dispatch: Any = "2*n_jobs",
    error_score: Any = np.nan,
    store: Any = None,
    progress: bool | None = None,
    target: Any = None,
    features: Any = None,
    weight: str | None = None,
) -> NDArray[np.float64]:
    """The score of an estimator on each test part of a cross-validation.

    Parameters
    ----------
    estimator, X, y, groups, cv, n_jobs, verbose, params, pre_dispatch, error_score, store, progress
        As of `cross_validate`.
    target, features, weight
        As of `cross_validate`.
    scoring : str, callable or None, default=None
        One scorer; None is the estimator's own `score`.

    Returns
    -------
    array of shape (n_splits,)

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import Ridge
    >>> X, y = load_diabetes(return_X_y=True)
    >>> cross_val_score(Ridge(alpha=0.1), X, y, cv=3).round(3)
    array([0.459, 0.495, 0.512])
    """
    scorer = check_scoring(estimator, scoring)
    if isinstance(scorer, ManyScorers):
        raise InvalidParameterError(
            f"cross_val_score takes one scoring, got {scoring!r}; use cross_validate for several."
        )
    found = cross_validate(
        estimator,
        X,
        y,
        groups=groups,
        scoring={"score": scorer},
        cv=cv,
        n_jobs=n_jobs,
        verbose=verbose,
        params=params,
        pre_dispatch=pre_dispatch,
        error_score=error_score,
        store=store,
        progress=progress,
        target=target,
        features=features,
        weight=weight,
    )
    return np.asarray(found["test_score"])


def cross_validate(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: Any = None,
    pre_dispatch: Any = "2*n_jobs",
    return_train_score: bool = False,
    return_estimator: bool = False,
    return_indices: bool = False,
    error_score: Any = np.nan,
    return_predictions: bool | str = False,
    store: Any = None,
    progress: bool | None = None,
    target: Any = None,
    features: Any = None,
    weight: str | None = None,
) -> CrossValidated:
    """Fit an estimator to the training part of each split and score it on the test part.

    Estimators that learn from a statistic (`LinearRegression`, `Ridge` …) are not refitted: the
    rows are read once, the statistics of training parts are those of the folds merged, and scores
    of the squared-error family follow from the statistic of the test part; leaving out each row
    goes by the leverages. Where that would cost digits the fit is made on the rows. The numbers
    are those of refits; ``stylobate.set_config(cross_validation="refit")`` makes these, and the
    logger "stylobate.model_selection" tells (at level INFO) which way was taken.

    Parameters
    ----------
    estimator : object with `fit`
        Ours, or any that follows scikit-learn's protocol.
    X : array-like, sparse or data frame of shape (n, n_features); file, relation or stream
        Rows. Those that are read in batches are never all in memory, unless the estimator needs
        them to be: models that learn from a statistic take one pass over them for all folds, others
        passes over the stream of each training part, and scores are added up in one pass more.
    y : array-like of shape (n,) or (n, n_outputs), optional
        Targets.
    groups : array-like of shape (n,), optional
        Groups of the rows, for splitters that go by them.
    scoring : str, callable, list, tuple, dict or None, default=None
        One scorer or several; None is the estimator's own `score`.
    cv : int, splitter, iterable of (train, test) or None, default=None
        See `check_cv`; None is 5 folds. Of rows that are read in batches a number of folds means
        `HashKFold`, whose folds are the same in memory.
    n_jobs : int or None, default=None
        Fits at a time, through joblib and whatever backend of it is in force (Dask, Ray …): unless
        one is, our estimators run in threads and others in processes. None is 1, -1 all cores.
    verbose : int, default=0
        From 1 on a bar shows the progress on standard error, in terminals and notebooks.
    params : dict, optional
        More arguments for `fit`; those with an entry for each row are split too.
    pre_dispatch : int or str, default="2*n_jobs"
        joblib's.
    return_train_score : bool, default=False
        Whether to score the training parts as well.
    return_estimator : bool, default=False
        Whether to return the fitted estimators.
    return_indices : bool, default=False
        Whether to return the row numbers of the parts.
    error_score : "raise" or number, default=nan
        The score of a fit that fails (told in a `FitFailedWarning`), or whether to raise its error.
    return_predictions : bool or str, default=False
        Whether to return what the fitted estimators predict for their test parts; a string names
        the method to ask instead of "predict": "predict_proba", "decision_function" …
    store : str, path or None, default=None
        A directory that keeps every finished fit, so that the same call goes on where it was
        stopped. A fit is recognised by class, version and parameters of the estimator, the data,
        the split and the scoring; failures are tried again, and where fitted estimators are asked
        for all fits are made, for these are not kept.
    progress : bool or None, default=None
        Whether to show the progress; None goes by ``verbose``. True writes lines where there is
        no terminal.
    target, features, weight : names of columns, optional
        As of `fit`: what to predict, what to learn from (all other columns by default), and the
        weights of the rows, for `fit` alone.

    Returns
    -------
    dict of arrays of shape (n_splits,)
        "test_score", or "test_<name>" of each scorer; "train_…" on request; "fit_time" and
        "score_time" in seconds; "estimator", "indices" and "predictions" (a list with those of
        each test part) on request. Its attribute ``records`` holds a `FitRecord` of each fit:
        sizes, scores, times, warnings, failures. ``intervals()`` gives the mean scores with
        confidence intervals that know that training parts overlap, and
        ``difference_intervals(other)`` the paired difference from another model.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import Ridge
    >>> X, y = load_diabetes(return_X_y=True)
    >>> found = cross_validate(Ridge(alpha=0.1), X, y, cv=3, scoring=["r2", "neg_max_error"])
    >>> sorted(found), found["test_r2"].round(3)
    (['fit_time', 'score_time', 'test_neg_max_error', 'test_r2'], array([0.459, 0.495, 0.512]))
    """
    check_error_score(error_score)
    roles = (target, features, weight)
    data = rows_to_validate("cross_validate", estimator, X, y, groups, params, roles)
    splitter = data.splitter(cv, estimator)
    scorer = check_scoring(estimator, scoring)
    asked = _method(return_predictions)
    if not isinstance(data, StreamData):
        data = handed_out("cross_validate", data, estimator, splitter, scorer)
    task = Task(data, scorer, return_train_score, return_estimator, error_score, asked)
    how = Running("cross_validate", n_jobs, pre_dispatch, verbose, progress, store)
    if isinstance(data, StreamData):
        splits: Any = data.splits(splitter)
        outcomes = StreamRun(estimator, [estimator], task, splits, how).all()
        settle_failures(outcomes, error_score)
        results = _results(outcomes, splits, task, return_indices=return_indices)
        return CrossValidated(results, Kept(outcomes, splits, _parameters(estimator)))
    if leaves_one_out(splitter, data.n_rows) and not return_indices and store is None:
        quick = left_out_scores(estimator, task)
        if quick is not None:
            return _of_left_out(quick, data.n_rows, estimator)
    splits = data.splits(splitter)
    tell_of_unseen_labels(estimator, data, splitter, splits)
    outcomes = FitRun(estimator, [estimator], task, splits, how).all()
    settle_failures(outcomes, error_score)
    results = _results(outcomes, splits, task, return_indices=return_indices)
    return CrossValidated(results, Kept(outcomes, splits, _parameters(estimator)))


def _method(return_predictions: bool | str) -> str | None:
    """The method to ask for predictions, if any."""
    if isinstance(return_predictions, str) and return_predictions:
        return return_predictions
    if not isinstance(return_predictions, bool):
        raise InvalidParameterError(
            "return_predictions must be True, False or the name of a method, got "
            f"{return_predictions!r}."
        )
    return "predict" if return_predictions else None


def _parameters(estimator: Any) -> dict[str, Any]:
    return dict(estimator.get_params()) if hasattr(estimator, "get_params") else {}


def _of_left_out(found: LeftOutScores, n: int, estimator: Any) -> CrossValidated:
    """The results of leaving out each of n rows."""
    results: dict[str, Any] = {
        "fit_time": np.full(n, found.fit_time),
        "score_time": np.full(n, found.score_time),
    }
    results |= {f"test_{name}": each for name, each in found.scores.items()}
    kept = LeftOut(n, found.fit_time, found.score_time, found.scores, _parameters(estimator))
    return CrossValidated(results, kept)


def _results(
    outcomes: Sequence[Outcome], splits: Sequence[Split], task: Task, *, return_indices: bool
) -> dict[str, Any]:
    """Arrays by name, in scikit-learn's order."""
    results: dict[str, Any] = {
        "fit_time": np.array([outcome.fit_time for outcome in outcomes]),
        "score_time": np.array([outcome.score_time for outcome in outcomes]),
    }
    if task.keep_estimator:
        results["estimator"] = [outcome.estimator for outcome in outcomes]
    if return_indices:
        results["indices"] = {
            "train": tuple(_numbers(train) for train, _ in splits),
            "test": tuple(_numbers(test) for _, test in splits),
        }
    if task.predictions is not None:
        results["predictions"] = [outcome.predictions for outcome in outcomes]
    for name in outcomes[0].test:
        results[f"test_{name}"] = np.array([outcome.test[name] for outcome in outcomes])
        if task.train_score:
            results[f"train_{name}"] = np.array([outcome.train[name] for outcome in outcomes])
    return results


def _numbers(part: Any) -> Any:
    return np.flatnonzero(part(0, part.n_rows)) if isinstance(part, StreamPart) else part
