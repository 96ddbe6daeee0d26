"""Fitting `LogisticRegressionCV` to a stream: folds by hashed row numbers, shared passes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.base import BaseEstimator
from stylobate.base.classes import class_weights
from stylobate.linear_model.logistic.cv_fit import (
    Grid,
    average_of_folds,
    request_of,
    store_grid,
    take_over,
    warn_unfinished,
)
from stylobate.linear_model.logistic.fit import fit_stream, label_reader, needs_rows_after_all
from stylobate.linear_model.logistic.logistic_regression import LogisticRegression
from stylobate.linear_model.logistic.penalty_grid import (
    GridResult,
    requests_of,
    strongest_first,
)

if TYPE_CHECKING:
    from stylobate.data.streams import Batch, Stream
    from stylobate.linear_model.logistic.logistic_regression_cv import LogisticRegressionCV
    from stylobate.optimize.logistic import LogisticSolution
    from stylobate.splits.hashed import HashKFold


def fit_stream_by_folds(model: LogisticRegressionCV, stream: Stream) -> None:
    """One pass for the classes, shared ones for all folds, one for the scores; then all rows."""
    from stylobate.optimize.logistic.batches import ClassRows, count_classes
    from stylobate.optimize.logistic.fold_passes import solve_folds
    from stylobate.splits.hashed import hashed_folds

    owner = type(model).__name__
    folds = stream.by_entity(hashed_folds(model.cv, owner))
    grid = Grid(*model._grid())
    base = request_of(model, grid.ratios)
    rows = ClassRows.of(stream, label_reader(model, stream), owner)
    counts = count_classes(rows)
    if any(grid.ratios) and needs_rows_after_all(rows, counts):
        BaseEstimator._fit_stream(model, stream)  # collects them
        return
    codes = np.arange(len(counts.classes))
    factors = class_weights(
        model.class_weight, counts.classes, codes, owner=owner, sample_weight=counts.weights
    )
    lines = requests_of(base, grid.ratios, grid.cs.tolist())
    orders = [strongest_first(line) for line in lines]
    found = solve_folds(
        rows,
        counts.classes,
        factors,
        folds.folds_of,
        folds.n_splits,
        [
            [(line[c].l1, line[c].l2) for c in order]
            for line, order in zip(lines, orders, strict=True)
        ],
        fit_intercept=base.fit_intercept,
        tol=base.gap,
        max_iter=base.max_iter,
    )
    solutions = [  # folds × ratios × Cs
        [
            [line[order.index(c)] for c in range(len(order))]
            for line, order in zip(each, orders, strict=True)
        ]
        for each in found
    ]
    model.classes_ = counts.classes
    every = [one for each in solutions for line in each for one in line]
    shape = (len(solutions), len(grid.ratios), len(grid.cs))
    result = GridResult(
        np.array([one.coef for one in every]).reshape(*shape, *every[0].coef.shape),
        np.array([one.intercept for one in every]).reshape(*shape, -1),
        _scores(model, stream, folds, solutions).reshape(shape),
        np.array([max(one.iterations, 1) for one in every], np.int32).reshape(shape),
        [one for one in every if not one.converged],
    )
    warn_unfinished(model, result, base)
    if model.refit:
        ratio, c = result.chosen(grid.cs, model.selection_rule)
        chosen, share = float(grid.cs[c]), grid.ratios[ratio]
        take_over(model, chosen, share, lambda one, request: fit_stream(one, request, stream))
    else:
        chosen, share = average_of_folds(model, result, grid)
    store_grid(model, result, grid, chosen, share)


def _scores(
    model: Any, stream: Stream, folds: HashKFold, solutions: list[list[list[LogisticSolution]]]
) -> Any:
    """Of every fold's fits on the rows of the fold, one after the other: one pass for all."""
    from stylobate.metrics import check_scoring
    from stylobate.metrics.scoring.accumulation import ONE, Judged, score_parts

    scorer = check_scoring(LogisticRegression(), model._scoring())
    judged, parts = [], []
    for fold, each in enumerate(solutions):
        rows = partial(stream.where, folds.test_rows(fold))
        fits = [_fitted(model, one) for line in each for one in line]
        judged += [Judged(fitted, scorer, rows) for fitted in fits]
        parts += [fold] * len(fits)
    found = score_parts(judged, stream, _cutter(folds, parts), weighted=True)
    return np.array([each[ONE] for each in found])


def _fitted(model: Any, solution: LogisticSolution) -> LogisticRegression:
    fitted = LogisticRegression()
    fitted.classes_, fitted.coef_ = model.classes_, solution.coef
    fitted.intercept_, fitted.n_features_in_ = solution.intercept, solution.coef.shape[1]
    if hasattr(model, "feature_names_in_"):
        vars(fitted)["feature_names_in_"] = model.feature_names_in_
    return fitted


def _cutter(folds: HashKFold, parts: list[int]) -> Callable[[int, Batch], list[Batch | None]]:
    """The rows of each part, from a batch and the number of its first row."""

    def cut(first: int, batch: Batch) -> list[Batch | None]:
        numbers = folds.folds_of(first, batch.n_rows)
        known = {part: batch.take(np.flatnonzero(numbers == part)) for part in set(parts)}
        return [known[part] for part in parts]

    return cut
