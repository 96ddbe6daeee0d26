"""Logistic regression with an ℓ2 penalty, or none: the choice of a method, and its reason."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.logistic.newton_cg import solve_newton_cg
from stylobate.optimize.logistic.preconditioner import (
    DiagonalPreconditioner,
    KroneckerPreconditioner,
    Preconditioner,
)
from stylobate.optimize.logistic.problem import LogisticProblem
from stylobate.optimize.logistic.solution import LogisticSolution

Array = NDArray[np.float64]


def solve_l2(
    x: Any,
    codes: NDArray[np.int64],
    n_classes: int,
    weights: Array | None,
    *,
    l2: float,
    fit_intercept: bool,
    tol: float,
    max_iter: int,
    solver: str = "auto",
    start: tuple[Array, Array] | None = None,
) -> LogisticSolution:
    """Minimise Σ ωᵢℓᵢ + ½·l2·‖w‖² to a relative duality gap of `tol`."""
    if not isinstance(x, np.ndarray):
        x = x.tocsr()
    problem = LogisticProblem(
        x, codes, n_classes, weights, l2=l2, fit_intercept=fit_intercept
    )
    coef, intercept = start if start is not None else (None, None)
    theta = problem.start(coef, intercept)
    preconditioner = _preconditioner(problem)
    return solve_newton_cg(problem, preconditioner, theta, tol=tol, max_iter=max_iter)


def _preconditioner(problem: LogisticProblem) -> Preconditioner:
    from stylobate import _core

    if problem.is_sparse or problem.n_columns > 400 or problem.n_rows < problem.n_columns:
        return DiagonalPreconditioner(problem)
    _, _, _, gram = _core.moments(problem.x, None, problem.weights)
    return KroneckerPreconditioner(problem, gram)
