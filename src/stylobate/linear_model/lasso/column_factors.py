"""The lasso and the elastic net with a factor of the penalty for each column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.data.indexing import as_slice
from stylobate.exceptions import InvalidParameterError
from stylobate.losses import HalfSquared
from stylobate.optimize import elastic_net as en
from stylobate.optimize.penalized import (
    REASON,
    SOLVER,
    PenalizedProblem,
    certify_penalized,
    penalized_path,
)
from stylobate.parallel import product_of_rows
from stylobate.penalties import ElasticNet
from stylobate.penalties.weighted import Weighted, read_factors
from stylobate.splits import Split
from stylobate.statistics import Source
from stylobate.statistics.rows import counted

if TYPE_CHECKING:
    from stylobate.linear_model.lasso.sparse_regressor import SparseLinearRegressor

_TIGHT = 1e-9  # violation left, of the steepest slope
_STEPS = 100


def problem_with_factors(
    model: SparseLinearRegressor, table: Table, ratio: float, target: int = 0
) -> PenalizedProblem:
    """One target's, with a penalty of α = 1."""
    owner = type(model).__name__
    factors = read_factors(model.penalty_factor, table.n_features, owner)
    assert factors is not None
    assert table.y is not None
    if model.positive and (factors == 0.0).any():
        raise InvalidParameterError(
            f"{owner}: with positive=True a penalty_factor must not be 0, as for column "
            f"{int(np.argmin(factors))}; a small one leaves a coefficient nearly free."
        )
    return PenalizedProblem(
        table.x,
        np.ascontiguousarray(table.y[:, target], dtype=np.float64),
        table.weights,
        HalfSquared(),
        Weighted(ElasticNet(ratio, 1.0 - ratio), factors),
        positive=bool(model.positive),
        fit_intercept=bool(model.fit_intercept),
        tol=_TIGHT,
        max_iter=_STEPS,
    )


def fit_with_factors(
    model: SparseLinearRegressor, source: Source, alpha: float, ratio: float
) -> None:
    """Solve at one penalty, every target by itself, and store the answer."""
    from stylobate.linear_model.lasso.sparse_regressor import readable

    if getattr(model, "solver", "auto") != "auto":
        raise InvalidParameterError(
            f"{type(model).__name__}: a penalty_factor has a solver of its own; use solver='auto'."
        )
    table = readable(source.rows())
    assert table.y is not None
    found, proofs = [], []
    for target in range(table.y.shape[1]):
        problem = problem_with_factors(model, table, ratio, target)
        problem = replace(problem, penalty=problem.penalty.scaled(alpha))
        found.append(problem.solve())
        proofs.append(certify_penalized(problem, found[-1]))
    coef = np.array([each.coef for each in found])
    model._shape(coef, np.array([each.intercept for each in found]), source.y_is_vector)
    primal, gap = (sum(getattr(each, name) for each in proofs) for name in ("primal", "gap"))
    worst = max(proofs, key=lambda each: each.kkt)
    model.certificate_ = replace(
        worst, objective=en.OBJECTIVE, primal=primal, gap=gap, dual=primal - gap
    )
    gaps = [each.gap for each in proofs]
    model.dual_gap_ = gaps[0] if len(gaps) == 1 else np.array(gaps)
    steps = [max(each.iterations, 1) for each in found]
    model.n_iter_ = steps[0] if len(steps) == 1 else steps
    model.trace_ = found[0].trace if len(found) == 1 else None
    model.solver_, model.solver_reason_ = SOLVER, REASON
    if not all(each.converged for each in found) and model.certificate_.kkt > model.tol:
        model._warn_unfinished()


def errors_with_factors(
    problem: PenalizedProblem, table: Table, splits: Sequence[Split], alphas: Array
) -> Array:
    """Mean squared errors (alphas × folds) of the test parts."""
    columns: list[Any] = []
    for train, test in splits:
        part, left = counted(table.take(as_slice(train))), table.take(as_slice(test))
        assert part.y is not None
        assert left.y is not None
        y = np.ascontiguousarray(part.y[:, 0], dtype=np.float64)
        fold = replace(problem, x=part.x, y=y, weights=part.weights)
        coefs, intercepts = penalized_path(fold, alphas)
        squares = (np.asarray(product_of_rows(left.x, coefs.T)) + intercepts - left.y) ** 2
        columns.append(np.average(squares, axis=0, weights=left.weights))
    return np.column_stack(columns)
