"""The semidefinite relaxation of the largest cut of a graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.goals import Overhead
from race.workload import Contender, Data, Size, Workload
from race.workloads._programs import clarabel_alone, value_of


def make(size: Size, seed: int) -> Data:
    """A random graph: min tr(WX)/4 with a diagonal of ones, X ⪰ 0."""
    k = size["nodes"]
    edges = np.triu(np.random.default_rng(seed).random((k, k)) < 0.3, 1).astype(float)
    weights = edges + edges.T
    return {"C": weights / 4.0, "shift": np.array([weights.sum()])}


def ours(data: Data) -> float:
    from stylobate.optimize import semidefinite_program

    k = len(data["C"])
    corners = [np.diag(row) for row in np.eye(k)]
    return semidefinite_program(data["C"], corners, np.ones(k)).value


def cvxpy(data: Data) -> float:
    import cvxpy as cp

    k = len(data["C"])
    x = cp.Variable((k, k), PSD=True)
    problem = cp.Problem(cp.Minimize(cp.trace(data["C"] @ x)), [cp.diag(x) == 1])
    problem.solve(solver=cp.CLARABEL, tol_gap_rel=1e-9, tol_gap_abs=1e-9, tol_feas=1e-9)
    return float(problem.value)


def alone(data: Data) -> float:
    """Clarabel on matrices that are ready."""
    import clarabel
    from scipy import sparse

    k = len(data["C"])
    columns, rows = np.tril_indices(k)
    root = np.where(rows == columns, 1.0, np.sqrt(2.0))
    n = len(rows)
    diagonal = np.flatnonzero(rows == columns)
    pick: Any = sparse.csc_matrix((np.ones(k), (np.arange(k), diagonal)), shape=(k, n))
    whole: Any = sparse.vstack([pick, -sparse.eye(n)], format="csc")
    right = np.r_[np.ones(k), np.zeros(n)]
    cones = [clarabel.ZeroConeT(k), clarabel.PSDTriangleConeT(k)]
    none: Any = sparse.csc_matrix((n, n))
    return clarabel_alone(none, data["C"][rows, columns] * root, whole, right, cones)


WORKLOAD = Workload(
    name="sdp",
    title="the semidefinite relaxation of the largest cut, by Clarabel",
    sizes={"small": {"nodes": 4}, "standard": {"nodes": 12}, "large": {"nodes": 40}},
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("cvxpy Clarabel", "cvxpy", cvxpy),
        Contender("Clarabel alone", "clarabel", alone, "reference"),
    ),
    quality=value_of,
    goals=(Overhead(0.1, "cvxpy", "Clarabel alone"),),
)
