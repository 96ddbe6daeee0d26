"""The lasso as a quadratic program."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.goals import Overhead
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import make_regression
from race.workloads._programs import clarabel_alone, value_of


def make(size: Size, seed: int) -> Data:
    """The Gram and the products, for min ½wᵀGw − gᵀw + λ1ᵀt with −t ≤ w ≤ t."""
    data = make_regression(size, seed)
    x, y = data["X"], data["y"]
    n, p = x.shape
    quadratic = np.zeros((2 * p, 2 * p))
    quadratic[:p, :p] = x.T @ x / n
    linear = np.r_[-x.T @ y / n, np.full(p, 0.1 * float(np.abs(x.T @ y).max()) / n)]
    return {"P": quadratic, "q": linear, "shift": np.array([float(y @ y) / n])}


def _constraints(p: int) -> Any:
    from scipy import sparse

    eye = sparse.eye(p)
    return sparse.vstack([sparse.hstack([eye, -eye]), sparse.hstack([-eye, -eye])], format="csc")


def ours(data: Data) -> float:
    from stylobate.optimize import quadratic_program

    p = len(data["q"]) // 2
    return quadratic_program(data["P"], data["q"], _constraints(p), np.zeros(2 * p)).value


def cvxpy(data: Data) -> float:
    import cvxpy as cp

    n = len(data["q"])
    x = cp.Variable(n)
    goal = 0.5 * cp.quad_form(x, data["P"]) + data["q"] @ x
    problem = cp.Problem(cp.Minimize(goal), [_constraints(n // 2) @ x <= np.zeros(n)])
    problem.solve(solver=cp.CLARABEL, tol_gap_rel=1e-9, tol_gap_abs=1e-9, tol_feas=1e-9)
    return float(problem.value)


def alone(data: Data) -> float:
    """Clarabel on matrices that are ready."""
    import clarabel
    from scipy import sparse

    n = len(data["q"])
    upper: Any = sparse.csc_matrix(np.triu(data["P"]))
    cones = [clarabel.NonnegativeConeT(n)]
    return clarabel_alone(upper, data["q"], _constraints(n // 2), np.zeros(n), cones)


WORKLOAD = Workload(
    name="qp",
    title="the lasso as a quadratic program, by Clarabel",
    sizes={
        "small": {"rows": 200, "columns": 10},
        "standard": {"rows": 1_000, "columns": 100},
        "large": {"rows": 2_000, "columns": 400},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("cvxpy Clarabel", "cvxpy", cvxpy),
        Contender("Clarabel alone", "clarabel", alone, "reference"),
    ),
    quality=value_of,
    goals=(Overhead(0.1, "cvxpy", "Clarabel alone"),),
)
