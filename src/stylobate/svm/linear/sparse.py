"""The squared hinge with an ℓ1 penalty: few columns are used."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from stylobate.optimize.linear_gap import Bounds
from stylobate.optimize.penalized import PenalizedProblem, certify_penalized, solve_penalized
from stylobate.penalties import L1
from stylobate.svm.linear.problem import MarginAnswer, MarginRows

_FINEST = 1e-12  # violation, as a share of the steepest slope, below which rounding rules


def solve_l1(rows: MarginRows, *, tol: float, max_iter: int) -> MarginAnswer:
    r""":math:`\min \|\tilde w\|_1 + \sum_i c_i\,\ell(y_i, \tilde x_i^\top\tilde w)`.

    Proximal Newton steps on working sets, with a violation that falls until the gap is small.

    Parameters
    ----------
    rows : MarginRows
    tol : float
        Relative gap to be reached.
    max_iter : int
        Newton steps at most.
    """
    scaling, x = rows.objective.scaling, rows.rows.table.x
    if scaling:
        x = with_column(x, scaling)
    total = float(rows.shares.sum())
    problem = PenalizedProblem(
        x,
        rows.y,
        rows.shares,
        rows.objective.loss,
        L1(1.0 / total),
        fit_intercept=False,
        tol=1e-4,
        max_iter=max_iter,
    )
    found = solve_penalized(problem)
    proof, steps = certify_penalized(problem, found), found.iterations
    while proof.relative_gap > tol and steps < max_iter and problem.tol > _FINEST:
        problem = replace(problem, tol=0.01 * problem.tol, max_iter=max_iter - steps)
        found = solve_penalized(problem, found.coef)
        proof, steps = certify_penalized(problem, found), steps + found.iterations
    theta = found.coef if scaling else np.append(found.coef, 0.0)
    at_zero = float(rows.shares @ rows.objective.loss.value(rows.y, np.zeros(len(rows.y))))
    bounds = Bounds(total * proof.primal, total * proof.dual, at_zero, proof.kkt)
    return MarginAnswer(theta, bounds, steps, proof.relative_gap <= tol)


def with_column(x: Any, value: float) -> Any:
    """X and a constant column."""
    if isinstance(x, np.ndarray):
        return np.column_stack([x, np.full(len(x), value, dtype=x.dtype)])
    from scipy import sparse

    column: Any = np.full((x.shape[0], 1), value)
    together: Any = sparse.hstack  # one overload per kind of number
    return together([x, column], format="csc", dtype=x.dtype)
