"""Several penalties of one elastic net on the same rows: one path, with warm starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from stylobate.base import clone
from stylobate.base.validation import remember_features
from stylobate.data import Table
from stylobate.linear_model.lasso.sparse_regressor import EXACT, measured
from stylobate.optimize import elastic_net as en

if TYPE_CHECKING:
    from stylobate.linear_model.lasso.elastic_net import ElasticNet

E = TypeVar("E", bound="ElasticNet")
REASON = "one path for several penalties on the same rows"


def fitted_on_path(models: Sequence[E], table: Table) -> list[E] | None:
    """Clones of elastic nets that differ in `alpha` alone, fitted to the rows of a table.

    None where they differ in more, ask for another way than coordinate descent on the rows, or
    where one of them does not reach its tolerance, of which a fit would warn.
    """
    first = models[0]
    if any(model.penalty_factor is not None for model in models):
        return None
    if len(models) < 2 or not _on_rows(first, table) or not _alike(models):
        return None
    order = sorted(range(len(models)), key=lambda k: -models[k].alpha)
    rows, measures = measured(table, intercept=first.fit_intercept)
    problem = en.ElasticNetProblem(
        np.array([models[k].alpha for k in order], dtype=np.float64),
        float(getattr(first, "l1_ratio", 1.0)),
        table=rows,
        intercept=first.fit_intercept,
        positive=first.positive,
        tol=min(first.tol, EXACT),
        max_iter=first.max_iter,
        measures=measures,
    )
    solution = en.solve(problem, "coordinate_descent")
    if not solution.converged(replace(problem, tol=first.tol)):
        return None
    made = [clone(model) for model in models]
    for step, place in enumerate(order):
        twin = made[place]
        remember_features(twin, table)
        twin._keep(solution, problem, table.y_is_vector, step)
        twin.solver_, twin.solver_reason_ = "coordinate_descent", REASON
    return made


def _on_rows(model: ElasticNet, table: Table) -> bool:
    """Whether a fit would be coordinate descent on the rows, from zero and in order."""
    plain = model.precompute is False and model.selection == "cyclic" and not model.warm_start
    return plain and model.solver == "auto" and en.choose(table)[0] == "coordinate_descent"


def _alike(models: Sequence[ElasticNet]) -> bool:
    """Whether all select columns and differ in nothing but their penalties."""
    others = [
        {k: v for k, v in model.get_params(deep=False).items() if k != "alpha"} for model in models
    ]
    selects = all(model.alpha > 0.0 and getattr(model, "l1_ratio", 1.0) > 0.0 for model in models)
    return selects and all(other == others[0] for other in others)
