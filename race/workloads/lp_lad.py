"""Least absolute deviations as a linear program."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.goals import Overhead
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import Vector, make_regression
from race.workloads._programs import value_of


def make(size: Size, seed: int) -> Data:
    """The rows, and the program min 1ᵀζ with ±(Xw − y) ≤ ζ as triplets of a sparse matrix."""
    data = make_regression(size, seed)
    return data | {"shift": np.ones(1)}


def _matrices(data: Data) -> tuple[Vector, Any, Vector]:
    from scipy import sparse as scipy_sparse

    sparse: Any = scipy_sparse
    x, y = data["X"], data["y"]
    n, p = x.shape
    eye = sparse.eye(n)
    rows = sparse.csc_matrix(x)
    left = sparse.vstack([sparse.hstack([rows, -eye]), sparse.hstack([-rows, -eye])], format="csc")
    return np.r_[np.zeros(p), np.ones(n)], left, np.r_[y, -y]


def ours(data: Data) -> float:
    from stylobate.optimize import linear_program

    return linear_program(*_matrices(data)).value


def cvxpy(data: Data) -> float:
    import cvxpy as cp

    c, left, right = _matrices(data)
    x = cp.Variable(len(c))
    problem = cp.Problem(cp.Minimize(c @ x), [left @ x <= right])
    problem.solve(solver=cp.HIGHS)
    return float(problem.value)


def alone(data: Data) -> float:
    """SciPy's call of HiGHS, on matrices that are ready."""
    from scipy import optimize

    solve: Any = optimize.linprog
    c, left, right = _matrices(data)
    return float(solve(c, left, right, bounds=(None, None), method="highs").fun)


WORKLOAD = Workload(
    name="lp_lad",
    title="least absolute deviations as a linear program, by HiGHS",
    sizes={
        "small": {"rows": 50, "columns": 2},
        "standard": {"rows": 200, "columns": 5},
        "large": {"rows": 2_000, "columns": 10},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("cvxpy HiGHS", "cvxpy", cvxpy),
        Contender("HiGHS alone", "scipy", alone, "reference"),
    ),
    quality=value_of,
    goals=(Overhead(0.1, "cvxpy", "HiGHS alone"),),
)
