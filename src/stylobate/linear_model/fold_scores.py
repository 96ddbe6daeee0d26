"""Scores of ridge at many penalties on the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, RegressorMixin
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.linear_model.ridge_path import RidgePath
from stylobate.splits import Split
from stylobate.statistics import Moments, Source

Array = NDArray[np.float64]
Scoring = str | Callable[..., Any]

_KEPT = 1e-4  # share of a column's scatter that must be left of it for a difference to have digits
FROM_MOMENTS = ("r2", "neg_mean_squared_error", "neg_root_mean_squared_error")


class Answered(RegressorMixin, BaseEstimator):
    """An estimator whose predictions are known: `predict` returns what it is given."""

    def predict(self, X: Any) -> Any:
        return X


def score_rows(scoring: Scoring, rows: Table, predicted: Array) -> float:
    """The score of predictions (rows × targets) for these rows, by name or by a scorer."""
    y, w = rows.y, rows.weights
    assert y is not None
    if callable(scoring):
        given, truth = (predicted[:, 0], y[:, 0]) if rows.y_is_vector else (predicted, y)
        weights = {} if w is None else {"sample_weight": w}
        return float(scoring(Answered(), given, truth, **weights))
    if scoring == "neg_mean_absolute_error":
        return -float(np.average(np.abs(y - predicted), axis=0, weights=w).mean())
    share = np.ones(len(y)) if w is None else w
    errors = share @ (y - predicted) ** 2
    total = share @ (y - np.average(y, axis=0, weights=w)) ** 2
    return float(score_squares(scoring, errors[None], total, float(share.sum()))[0])


def score_squares(scoring: Scoring, errors: Array, total: Array, n: float) -> Array:
    """The score from sums of squared errors (alphas × targets); targets count equally."""
    if scoring == "neg_mean_squared_error":
        return np.asarray(-(errors / n).mean(axis=1))
    if scoring == "neg_root_mean_squared_error":
        return np.asarray(-np.sqrt(errors / n).mean(axis=1))
    perfect = np.where(errors == 0.0, 0.0, 1.0)  # a constant target: 1 if met exactly, else 0
    share = np.divide(errors, total, out=perfect, where=total > 0)
    return np.asarray(1.0 - share.mean(axis=1))


def fold_scores(
    source: Source, splits: Sequence[Split], alphas: Array, scoring: Scoring, *, intercept: bool
) -> tuple[Array, Moments | None]:
    """Scores (alphas × folds), and the moments of all rows if they came up on the way."""
    table = source.table
    assert table is not None
    _refuse_weightless(table, splits)
    if table.n_features > table.n_rows:
        paths = (
            RidgePath.from_rows(table.take(train), alphas, intercept=intercept)
            for train, _ in splits
        )
        columns = [
            _on_rows(path, table.take(test), scoring)
            for path, (_, test) in zip(paths, splits, strict=True)
        ]
        return np.column_stack(columns), None
    trains, tests, whole = _moments(source, table.n_rows, splits)
    columns = []
    for train, test, (_, rows) in zip(trains, tests, splits, strict=True):
        path = RidgePath.from_moments(train, alphas, intercept=intercept)
        if callable(scoring) or scoring not in FROM_MOMENTS:
            columns.append(_on_rows(path, table.take(as_slice(rows)), scoring))
        else:
            errors = path.squared_errors(test)
            columns.append(score_squares(scoring, errors, np.diag(test.yy), test.weight))
    return np.column_stack(columns), whole


def _refuse_weightless(table: Table, splits: Sequence[Split]) -> None:
    """A part all of whose weights are zero is a part without rows."""
    if table.weights is None:
        return
    for number, parts in enumerate(splits):
        for which, rows in zip(("train on", "score"), parts, strict=True):
            if not table.weights[rows].any():
                raise InvalidDataError(
                    f"{table.owner}: split {number} of the cross-validation has no row of positive "
                    f"weight to {which}; shuffle the rows, or use fewer folds."
                )


def _on_rows(path: RidgePath, test: Table, scoring: Scoring) -> Array:
    predictions = path.predict(test.x)
    return np.array([score_rows(scoring, test, each) for each in predictions])


def _moments(
    source: Source, n_rows: int, splits: Sequence[Split]
) -> tuple[list[Moments], list[Moments], Moments | None]:
    """Training and test moments of every split, and of all rows.

    Where the test parts are a partition of the rows (K folds) the rows are read once: what is not
    in a fold is all rows less the fold.
    """
    parts = source.compute_parts(Moments, [as_slice(test) for _, test in splits])
    if not _is_partition(splits, n_rows):
        trains = source.compute_parts(Moments, [as_slice(train) for train, _ in splits])
        return trains, parts, None
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.merge(part)
    return [_all_but(k, parts, whole) for k in range(len(parts))], parts, whole


def _all_but(k: int, parts: Sequence[Moments], whole: Moments) -> Moments:
    """The moments of all parts but one: the whole less it, unless hardly anything is left then."""
    rest = whole.subtract(parts[k])
    if (np.diag(rest.scatter) >= _KEPT * np.diag(whole.scatter)).all():
        return rest
    return reduce(lambda a, b: a.merge(b), [part for i, part in enumerate(parts) if i != k])


def _is_partition(splits: Sequence[Split], n: int) -> bool:
    """Whether every row is tested exactly once and trained on whenever it is not tested."""
    tested = np.zeros(n, dtype=np.intp)
    for train, test in splits:
        used = np.zeros(n, dtype=bool)
        used[test] = True
        if used[train].any() or len(train) + int(used.sum()) != n or len(test) != used.sum():
            return False
        used[train] = True
        if not used.all():
            return False
        np.add.at(tested, test, 1)
    return bool((tested == 1).all())


def as_slice(rows: NDArray[np.intp]) -> NDArray[np.intp] | slice:
    """The same rows as a slice, which needs no copy, if they are consecutive."""
    if rows.dtype == bool:
        rows = np.flatnonzero(rows)
    if len(rows) and rows[-1] - rows[0] + 1 == len(rows) and (np.diff(rows) == 1).all():
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows
