"""Scores of ridge at many penalties on the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.data.indexing import as_slice
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.linear_model.least_squares.solution import FEW_COLUMNS
from stylobate.linear_model.ridge.path import (
    path_from_factor,
    path_from_moments,
    path_from_rows,
)
from stylobate.linear_model.shared.coefficient_path import CoefficientPath
from stylobate.linear_model.shared.row_scores import (
    FROM_MOMENTS,
    Scoring,
    score_rows,
    score_squares,
)
from stylobate.linear_model.shared.stream_folds import StreamFolds
from stylobate.parallel import one_blas_thread
from stylobate.splits import Split
from stylobate.statistics import Moments, Source, TriangularFactor, rows_at_hand
from stylobate.statistics.parts import PartStatistics
from stylobate.statistics.rows import counted


def fold_scores(
    source: Source, splits: Sequence[Split], alphas: Array, scoring: Scoring, *, intercept: bool
) -> tuple[Array, Moments | None]:
    """Scores (alphas × folds), and the moments of all rows if they came up on the way."""
    table = rows_at_hand(source)
    assert table is not None
    refuse_unsuitable(table, splits, scoring)
    if table.n_features > table.n_rows:
        columns = [_from_rows(table, split, alphas, scoring, intercept) for split in splits]
        return np.column_stack(columns), None
    trains, tests, whole = fold_moments(source, table.n_rows, splits)
    columns = []
    for train, test, split in zip(trains, tests, splits, strict=True):
        with one_blas_thread() if table.n_features <= FEW_COLUMNS else nullcontext():
            path = path_from_moments(train, alphas, intercept=intercept)
        if path is None:
            columns.append(_from_rows(table, split, alphas, scoring, intercept))
            continue
        errors = path.squared_errors(test) if scoring in FROM_MOMENTS else None
        if errors is None:
            columns.append(_on_rows(path, table.take(as_slice(split[1])), scoring))
        else:
            columns.append(score_squares(scoring, errors, np.diag(test.yy), test.weight))
    return np.column_stack(columns), whole


def stream_scores(folds: StreamFolds, alphas: Array, scoring: Scoring, *, intercept: bool) -> Array:
    """Scores (alphas × folds) of rows that come in batches, by moments as far as they have digits.

    Where they have not, a pass gives a triangular factor, or the errors of a fold.
    """
    columns = []
    for k, (train, test) in enumerate(zip(folds.trains, folds.tests, strict=True)):
        with one_blas_thread() if train.n_features <= FEW_COLUMNS else nullcontext():
            path = path_from_moments(train, alphas, intercept=intercept)
        if path is None:
            path = path_from_factor(folds.training_factor(k), alphas, intercept=intercept)
        errors = folds.squared_errors(path, k)
        columns.append(score_squares(scoring, errors, np.diag(test.yy), test.weight))
    return np.column_stack(columns)


def _from_rows(
    table: Table, split: Split, alphas: Array, scoring: Scoring, intercept: bool
) -> Array:
    """Scores (alphas) of one split with all the digits its rows have."""
    train = counted(table.take(as_slice(split[0])))
    if train.n_rows < train.n_features:
        path = path_from_rows(train, alphas, intercept=intercept)
    else:
        factor = TriangularFactor.of(train)
        path = path_from_factor(factor, alphas, intercept=intercept)
    return _on_rows(path, table.take(as_slice(split[1])), scoring)


def _on_rows(path: CoefficientPath, test: Table, scoring: Scoring) -> Array:
    predictions = path.predict(test.x)
    return np.array([score_rows(scoring, test, each) for each in predictions])


def refuse_unsuitable(table: Table, splits: Sequence[Split], scoring: Scoring) -> None:
    """Refuse what leaves nothing to train on or to score; rows of weight zero are no rows."""
    if not splits:
        raise InvalidParameterError(
            f"{table.owner}: cv holds no splits; give a number of folds, or at least one pair of "
            "(train, test) row numbers."
        )
    for number, (train, test) in enumerate(splits):
        for which, rows in (("train on", train), ("score", test)):
            if _count(table, rows) == 0:
                kind = "row" if table.weights is None else "row of positive weight"
                raise InvalidDataError(
                    f"{table.owner}: split {number} of the cross-validation has no {kind} to "
                    f"{which}; shuffle the rows, or use fewer folds."
                )
        if isinstance(scoring, str) and scoring == "r2" and _count(table, test) < 2:
            raise InvalidDataError(
                f"{table.owner}: split {number} of the cross-validation has a single row to score, "
                "of which R² says nothing; use fewer folds, scoring='neg_mean_squared_error', or "
                "cv=None for leave-one-out."
            )


def _count(table: Table, rows: NDArray[np.intp]) -> int:
    """How many rows of positive weight these row numbers (or this mask) stand for."""
    if len(rows) == 0:
        return 0
    if table.weights is not None:
        return int(np.count_nonzero(table.weights[rows]))
    return int(rows.sum()) if rows.dtype == bool else len(rows)


def fold_moments(
    source: Source, n_rows: int, splits: Sequence[Split]
) -> tuple[list[Moments], list[Moments], Moments | None]:
    """Training and test moments of every split, and of all rows if they came up on the way."""
    known = PartStatistics.of(source, Moments, splits, n_rows)
    return [train for train, _ in known.parts], [test for _, test in known.parts], known.whole
