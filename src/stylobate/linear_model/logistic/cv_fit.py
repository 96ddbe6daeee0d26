"""Fitting `LogisticRegressionCV`: folds, grid and scores to attributes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.base.classes import class_weights, read_classes
from stylobate.data import Table, read_weights
from stylobate.exceptions import InvalidDataError
from stylobate.linear_model.logistic.fit import fit_in_memory
from stylobate.linear_model.logistic.logistic_regression import LogisticRegression
from stylobate.linear_model.logistic.penalty_grid import (
    GridData,
    GridResult,
    requests_of,
    solve_grid,
)
from stylobate.linear_model.logistic.request import LogisticRequest, read_request
from stylobate.linear_model.shared.convergence import warn_not_converged
from stylobate.statistics import refuse_out_of_range
from stylobate.statistics.columns.range import LARGEST, refuse_extreme_weights

if TYPE_CHECKING:
    from stylobate.linear_model.logistic.logistic_regression_cv import LogisticRegressionCV


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """What was tried: Cs, l1_ratios, and whether the ratios were named by the user."""

    cs: Array
    ratios: list[float]
    named: bool


def fit_by_folds(model: LogisticRegressionCV, X: Any, y: Any, sample_weight: Any) -> None:
    """Read, split, solve the grid, choose, fit all rows, store."""
    from stylobate.metrics import check_scoring
    from stylobate.splits import splits_of

    owner = type(model).__name__
    grid = Grid(*model._grid())
    base = request_of(model, grid.ratios)
    table = model._read(X, None, None, reset=True, y_required=False)
    weights = read_weights(sample_weight, table.n_rows, owner=owner)
    if weights is not None:
        refuse_extreme_weights(weights, owner, smallest=0.0)
    classes, codes = read_classes(y, owner=owner, n_rows=table.n_rows)
    _refuse_unusable(table, len(classes), base)
    factors = class_weights(model.class_weight, classes, codes, owner=owner, sample_weight=weights)
    by_row = factors[codes] if model.class_weight is not None else None
    both = by_row if weights is None else weights if by_row is None else weights * by_row
    folds = splits_of(model.cv, table.x, classes[codes], classifier=True)
    if weights is not None and not weights.all():
        _refuse_weightless(folds, codes, weights, owner)
    scorer = check_scoring(LogisticRegression(), model._scoring())
    result = solve_grid(
        GridData(table, codes, len(classes), both),
        folds,
        requests_of(base, grid.ratios, grid.cs.tolist()),
        _judge(scorer, table, classes, codes, weights),
        model.n_jobs,
    )
    warn_unfinished(model, result, base)
    model.classes_ = classes
    if model.refit:
        ratio, c = result.chosen(grid.cs, model.selection_rule)
        chosen, share = float(grid.cs[c]), grid.ratios[ratio]
        labels = classes[codes]
        take_over(
            model,
            chosen,
            share,
            lambda one, request: fit_in_memory(one, request, X, labels, sample_weight),
        )
    else:
        chosen, share = average_of_folds(model, result, grid)
    store_grid(model, result, grid, chosen, share)


def _refuse_weightless(
    folds: list[tuple[Indices, Indices]], codes: NDArray[np.int64], weights: Array, owner: str
) -> None:
    """Refuse folds that leave fewer than two classes to train on, or no row to test on."""
    for k, (train, test) in enumerate(folds):
        n_classes = len(np.unique(codes[train][weights[train] > 0.0]))
        if n_classes >= 2 and weights[test].any():
            continue
        lack = "fewer than two classes of positive weight to train on"
        raise InvalidDataError(
            f"{owner}: split {k} of the cross-validation has "
            f"{lack if n_classes < 2 else 'no row of positive weight to test on'}; leave out the "
            "rows of weight zero, shuffle the rows, or use fewer folds."
        )


def request_of(model: LogisticRegressionCV, ratios: list[float]) -> LogisticRequest:
    """What all fits share; refuses what some ratio and the solver cannot do together."""
    requests = [read_request(single_model(model, 1.0, ratio)) for ratio in ratios]
    return replace(requests[0], owner=type(model).__name__)


def single_model(model: LogisticRegressionCV, c: float, ratio: float) -> LogisticRegression:
    return LogisticRegression(
        C=c,
        l1_ratio=ratio,
        dual=model.dual,
        tol=model.tol,
        fit_intercept=model.fit_intercept,
        intercept_scaling=model.intercept_scaling,
        class_weight=model.class_weight,
        random_state=model.random_state,
        solver=model.solver,
        max_iter=model.max_iter,
    )


def _refuse_unusable(table: Table, n_classes: int, base: LogisticRequest) -> None:
    if base.solver == "liblinear" and n_classes > 2:
        raise InvalidDataError(
            f"{base.owner}: The 'liblinear' solver does not support multiclass classification "
            f"(n_classes >= 3), got {n_classes} classes. Use solver='auto', or a one-versus-rest "
            "scheme around this estimator."
        )
    values = table.x.data if table.is_sparse else table.x
    if values.size and max(abs(float(values.max())), abs(float(values.min()))) > LARGEST:
        refuse_out_of_range(table)


def _judge(
    scorer: Any,
    table: Table,
    classes: NDArray[Any],
    codes: NDArray[np.int64],
    weights: Array | None,
) -> Callable[[Indices], Callable[[Array, Array], float]]:
    """Scores of coefficients on given rows."""
    from stylobate.metrics.scoring.scorers import takes_weights

    weighted = weights is not None and takes_weights(scorer)

    def judge(rows: Indices) -> Callable[[Array, Array], float]:
        x, labels = table.take(rows).x, classes[codes[rows]]
        more = {"sample_weight": weights[rows]} if weighted and weights is not None else {}

        def score(coef: Array, intercept: Array) -> float:
            fitted = LogisticRegression()
            fitted.classes_, fitted.coef_, fitted.intercept_ = classes, coef, intercept
            fitted.n_features_in_ = coef.shape[1]
            return float(scorer(fitted, x, labels, **more))

        return score

    return judge


def warn_unfinished(model: Any, result: GridResult, base: LogisticRequest) -> None:
    if not result.unfinished:
        return
    worst = max(result.unfinished, key=lambda found: found.certificate.relative_gap)
    warn_not_converged(
        type(model).__name__,
        worst.solver,
        worst.iterations,
        worst.certificate,
        tol=base.gap,
        advice=f"So did {len(result.unfinished)} of the {result.scores.size} fits to folds; raise "
        "max_iter, scale the columns to one size, or use solver='auto'.",
    )


def take_over(
    model: LogisticRegressionCV,
    c: float,
    ratio: float,
    fit: Callable[[LogisticRegression, LogisticRequest], None],
) -> None:
    """Have `fit` fit all rows at the penalty chosen, and take over what was learnt."""
    fitted = single_model(model, c, ratio)
    fit(fitted, replace(read_request(fitted), owner=type(model).__name__))
    learnt = {k: v for k, v in vars(fitted).items() if k.endswith("_") or k == "_facts"}
    vars(model).update(learnt)


def average_of_folds(
    model: LogisticRegressionCV, result: GridResult, grid: Grid
) -> tuple[float, float]:
    """Every fold's own best, averaged."""
    ratios, cs = result.best_of_folds()
    every = np.arange(len(ratios))
    model.coef_ = result.coefs[every, ratios, cs].mean(axis=0)
    model.intercept_ = result.intercepts[every, ratios, cs].mean(axis=0)
    return float(grid.cs[cs].mean()), float(np.array(grid.ratios)[ratios].mean())


def store_grid(
    model: LogisticRegressionCV, result: GridResult, grid: Grid, c: float, ratio: float
) -> None:
    paths = result.coefs
    if model.fit_intercept:
        paths = np.concatenate([paths, result.intercepts[..., np.newaxis]], axis=-1)
    model.Cs_ = grid.cs
    model.l1_ratios_ = np.array(grid.ratios if grid.named else [None])
    model.n_iter_ = result.iterations
    if model.use_legacy_attributes is False:
        model.C_, model.l1_ratio_ = c, ratio
        model.scores_, model.coefs_paths_ = result.scores, paths
        return
    share: Any = ratio if grid.named or not model.refit else None
    labels = model.classes_[1:] if len(model.classes_) == 2 else model.classes_
    model.C_ = np.full(len(labels), c)
    model.l1_ratio_ = np.array([share] * len(labels))
    # ratios come last, or are no dimension at all where none were named
    scores, paths = np.swapaxes(result.scores, 1, 2), np.swapaxes(paths, 1, 2)
    model.n_iter_ = np.swapaxes(result.iterations, 1, 2)[np.newaxis]
    if not grid.named:
        scores, paths, model.n_iter_ = scores[:, :, 0], paths[:, :, 0], model.n_iter_[..., 0]
    model.scores_ = dict.fromkeys(labels, scores)
    model.coefs_paths_ = {label: paths[..., k, :] for k, label in enumerate(labels)}
