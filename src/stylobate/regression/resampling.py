"""The bootstrap of a model said by a formula."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateError
from stylobate.inference.bootstrap import Bootstrap, bootstrap, bootstrap_least_squares
from stylobate.regression.likelihood_fit import RowsOfFit

if TYPE_CHECKING:
    from stylobate.regression.formula_model import FormulaModel


def bootstrap_model(
    model: FormulaModel,
    rows: RowsOfFit,
    kind: str,
    groups: Any,
    n_samples: int,
    random_state: int | None,
) -> Bootstrap:
    """See `FormulaModel.bootstrap`."""
    if model.absorbs:
        raise InvalidDataError(
            "model: levels that a sample does not draw have no effect in it; beside absorbed "
            "factors use covariance='cluster'."
        )
    if model.is_least_squares:
        y = rows.y if rows.offset is None else rows.y - rows.offset
        return bootstrap_least_squares(
            rows.x, y, model.names_, weights=rows.weights, kind=kind, groups=groups,
            n_samples=n_samples, random_state=random_state,
        )  # fmt: skip
    if kind != "pairs":
        raise InvalidParameterError(
            "kind='wild' is for least squares, whose residuals have signs to change; use 'pairs'."
        )
    statistic = _estimator_coefficients if model.estimator is not None else _likelihood_coefficients
    if model.estimator is not None and not hasattr(model, "coef_"):
        raise InvalidDataError(
            f"model: {type(model.estimator).__name__} has no vector of coefficients to bootstrap; "
            "see stylobate.inference.bootstrap for any other statistic."
        )

    def of(drawn: Indices) -> Array:
        return statistic(model, rows, drawn)

    return bootstrap(
        of, len(rows.y), names=model.names_, groups=groups, n_samples=n_samples,
        random_state=random_state,
    )  # fmt: skip


def _likelihood_coefficients(model: FormulaModel, rows: RowsOfFit, drawn: Indices) -> Array:
    """Refitted with counts as weights; NaN where the sample has no maximum."""
    counts = np.bincount(drawn, minlength=len(rows.y)).astype(np.float64)
    weights = counts if rows.weights is None else counts * rows.weights
    kept = np.flatnonzero(weights)
    sample = RowsOfFit(
        rows.x[kept], rows.y[kept], weights[kept],
        None if rows.offset is None else rows.offset[kept],
        None if rows.zeros is None else rows.zeros[kept],
    )  # fmt: skip
    try:
        found = model.likelihood_model.solve(sample, model.max_iter, model.coef_)
    except StylobateError:
        return np.full(len(model.coef_), np.nan)
    separated = not found.converged or not found.determined.all()
    return np.full(len(model.coef_), np.nan) if separated else found.theta


def _estimator_coefficients(model: FormulaModel, rows: RowsOfFit, drawn: Indices) -> Array:
    from stylobate.base import clone

    part = replace(rows, x=rows.x[drawn], y=rows.y[drawn])
    twin = clone(model.estimator)
    weights = {} if rows.weights is None else {"sample_weight": rows.weights[drawn]}
    twin.fit(model._named(part.x), model._labels(part.y), **weights)
    intercept = [float(twin.intercept_)] if model.design_.has_intercept else []
    return np.concatenate([intercept, np.asarray(twin.coef_, dtype=np.float64)])
