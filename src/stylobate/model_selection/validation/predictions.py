"""Predictions of each row by a model that has not seen it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import clone, is_classifier
from stylobate.base.jobs import run_jobs
from stylobate.data import read_labels
from stylobate.data.indexing import take_rows
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.model_selection.fits.fold_statistics import FoldStatistics, left_out_residuals
from stylobate.model_selection.fits.run import Running
from stylobate.model_selection.fits.stream_run import StreamRun, predict_parts
from stylobate.model_selection.fits.task import Task
from stylobate.model_selection.validation.cross_validation import leaves_one_out
from stylobate.model_selection.validation.data import Data, chooser, pairwise_columns
from stylobate.model_selection.validation.requests import handed_out
from stylobate.model_selection.validation.stream_data import StreamData, rows_to_validate
from stylobate.splits import Split
from stylobate.splits.strata import type_of_target

METHODS = ("predict", "predict_proba", "predict_log_proba", "decision_function")
_ABSENT = {
    "predict_proba": 0.0,
    "predict_log_proba": float(np.finfo(np.float64).min),
    "decision_function": float(np.finfo(np.float64).min),
}


def cross_val_predict(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: Any = None,
    pre_dispatch: Any = "2*n_jobs",
    method: str = "predict",
    target: Any = None,
    features: Any = None,
    weight: str | None = None,
) -> Any:
    """The prediction of each row by the fit to the training part of the split that tests it.

    Parameters
    ----------
    estimator, X, y, groups, cv, n_jobs, verbose, params, pre_dispatch
        As of `cross_validate`; every row must be tested exactly once.
    target, features, weight
        As of `cross_validate`.
    method : {"predict", "predict_proba", "predict_log_proba", "decision_function"}
        What to ask of the fitted estimators, default "predict". Probabilities and margins have a
        column for each class of y, also for those a training part lacks.

    Returns
    -------
    array of shape (n,) or (n, n_outputs) or (n, n_classes)

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.linear_model import LinearRegression
    >>> x = np.arange(6.0)[:, None]
    >>> cross_val_predict(LinearRegression(), x, 2 * x[:, 0], cv=3).round(9)
    array([ 0.,  2.,  4.,  6.,  8., 10.])
    """
    if method not in METHODS:
        raise InvalidParameterError(
            f"cross_val_predict: method must be one of {', '.join(METHODS)}, got {method!r}."
        )
    roles = (target, features, weight)
    data = rows_to_validate("cross_val_predict", estimator, X, y, groups, params, roles)
    splitter = data.splitter(cv, estimator)
    if isinstance(data, StreamData):
        return _predictions_of_stream(estimator, data, splitter, method)
    data = handed_out("cross_val_predict", data, estimator, splitter)
    if method == "predict" and leaves_one_out(splitter, data.n_rows):
        found = left_out_residuals(estimator, data)
        if found is not None:
            table, residuals = found
            assert table.y is not None
            predictions = table.y - residuals
            return predictions[:, 0] if table.y_is_vector else predictions
    splits = data.splits(splitter)
    order = _tested_once(splits, data.n_rows)
    classes = _classes(data.y) if is_classifier(estimator) and method != "predict" else None
    models = _models_from_statistics(estimator, data, splits)
    calls = [
        partial(_predict, estimator, model, data, split, method, classes)
        for model, split in zip(models, splits, strict=True)
    ]
    parts = run_jobs(calls, n_jobs, estimator, pre_dispatch)
    return _joined_parts(parts)[order]


def _predictions_of_stream(estimator: Any, data: StreamData, splitter: Any, method: str) -> Any:
    """The answers for all rows of a stream, in its order: one pass after the fits."""
    splits = data.splits(splitter)
    task = Task(data, lambda *_: 0.0, keep_estimator=True, error_score="raise")
    run = StreamRun(estimator, [estimator], task, splits, Running("cross_val_predict"))
    models = [outcome.estimator for outcome in run.fitted()]
    classes = None
    if is_classifier(estimator) and method != "predict":
        labels = [_classes(y) for y in data.targets()]
        known = [each for each in labels if each is not None]
        classes = np.unique(np.concatenate(known)) if known else None

    def answers(model: Any, x: Any) -> Any:
        values = getattr(model, method)(x)
        return values if classes is None else _all_columns(values, model, classes, method)

    parts = predict_parts(data.stream, models, [test for _, test in splits], answers)
    folds = splitter.folds_of(0, data.n_rows)
    joined = np.concatenate([part for part in parts if part is not None])
    order = np.empty(len(folds), dtype=np.intp)
    order[np.argsort(folds, kind="stable")] = np.arange(len(folds))
    return joined[order]


def _classes(y: Any) -> NDArray[Any] | None:
    if y is None or type_of_target(y) not in ("binary", "multiclass"):
        return None
    return read_labels(y, owner="cross_val_predict")[0]


def _tested_once(splits: Sequence[Split], n: int) -> NDArray[np.intp]:
    """Where each row is in the test parts put one after the other."""
    tests = [np.flatnonzero(t) if t.dtype == bool else t for _, t in splits]
    tested = np.concatenate(tests)
    if len(tested) != n or not np.array_equal(np.sort(tested), np.arange(n)):
        raise InvalidDataError(
            "cross_val_predict only works for partitions: every row has to be in exactly one test "
            f"part, and here {len(np.unique(tested))} of {n} rows are, {len(tested)} times in all."
        )
    order = np.empty(n, dtype=np.intp)
    order[tested] = np.arange(n)
    return order


def _models_from_statistics(estimator: Any, data: Data, splits: Sequence[Split]) -> list[Any]:
    """Fits from statistics of the folds; None for those to be made on the rows."""
    task = Task(data, lambda *_: 0.0)
    known = FoldStatistics.of(estimator, task, splits)
    if known is None:
        return [None] * len(splits)
    return [known.fitted(estimator, number) for number in range(len(splits))]


def _predict(
    estimator: Any, model: Any, data: Data, split: Split, method: str, classes: Any
) -> Any:
    choose = chooser(estimator)
    train, test = choose(split[0]), choose(split[1])
    columns = pairwise_columns(estimator, data.x, split[0])
    x_test = take_rows(data.x, test)
    x_test = x_test if columns is None else x_test[:, columns]
    if model is None:
        model = clone(estimator)
        params = data.chosen_params(train)
        x, y = take_rows(data.x, train), take_rows(data.y, train)
        x = x if columns is None else x[:, columns]
        model.fit(x, **params) if y is None else model.fit(x, y, **params)
    values = getattr(model, method)(x_test)
    return values if classes is None else _all_columns(values, model, classes, method)


def _all_columns(values: Any, model: Any, classes: NDArray[Any], method: str) -> Any:
    """A column for each class, where the training part lacked some."""
    values = np.asarray(values)
    known = np.asarray(model.classes_)
    if len(known) == len(classes):
        return values
    warnings.warn(
        f"Number of classes in training fold ({len(known)}) does not match total number of classes "
        f"({len(classes)}). Results may not be appropriate for your use case. To fix this, use a "
        "cross-validation technique resulting in properly stratified folds.",
        StylobateWarning,
        stacklevel=user_stacklevel(),
    )
    if method == "decision_function" and values.ndim == 1:
        raise InvalidDataError(
            f"cross_val_predict: decision_function of {len(known)} classes gives one column, and y "
            f"has {len(classes)} classes; use stratified folds, or another method."
        )
    full = np.full((len(values), len(classes)), _ABSENT[method])
    full[:, np.searchsorted(classes, known)] = values
    return full


def _joined_parts(parts: Sequence[Any]) -> Any:
    if any(hasattr(part, "tocsr") for part in parts):
        from scipy import sparse

        return sparse.vstack(parts, format="csr")
    return np.concatenate([np.asarray(part) for part in parts])
