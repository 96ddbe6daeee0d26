"""One call of the interior-point solver, and its answer in our words."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import NumericalError


@dataclass(frozen=True, slots=True, eq=False)
class ConicAnswer:
    """Min ½xᵀPx + qᵀx subject to Ax + s = b, s in K: point, slack and multipliers, or a ray.

    Parameters
    ----------
    status : {"optimal", "infeasible", "unbounded", "inaccurate"}
    x, s, z : array
        Point, slack and multipliers; of an infeasible program z is Farkas's ray, of an unbounded
        one x is the direction.
    value, dual_value : float
    iterations : int
    seconds : float
    """

    status: Any
    x: Array
    s: Array
    z: Array
    value: float
    dual_value: float
    iterations: int
    seconds: float


def solve_conic(P: Any, q: Array, A: Any, b: Array, cones: list[Any], tol: float) -> ConicAnswer:
    """Ask Clarabel.

    Parameters
    ----------
    P : sparse matrix (n, n)
        Its upper triangle is read.
    q, A, b
        As above; A sparse, by columns (CSC).
    cones : list
        Clarabel's cones, in the order of the rows.
    tol : float in (0, inf)
        Relative accuracy of gap and feasibility.

    References
    ----------
    Goulart & Chen (2024), Clarabel: an interior-point solver for conic programs with quadratic
    objectives, arXiv:2405.12762.
    """
    import clarabel

    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_rel = settings.tol_gap_abs = settings.tol_feas = tol
    settings.presolve_enable = False  # rows stay where they are, and with them their multipliers
    upper = _upper(P)
    begin = perf_counter()
    answer = clarabel.DefaultSolver(upper, q, A, b, cones, settings).solve()
    seconds = perf_counter() - begin
    said = str(answer.status)
    status = {
        "Solved": "optimal",
        "AlmostSolved": "inaccurate",
        "PrimalInfeasible": "infeasible",
        "AlmostPrimalInfeasible": "infeasible",
        "DualInfeasible": "unbounded",
        "AlmostDualInfeasible": "unbounded",
    }.get(said)
    if status is None:
        raise NumericalError(
            f"The conic solver ended with {said}; scale the problem so that its numbers are of "
            "similar size, or ask for less accuracy."
        )
    return ConicAnswer(
        status, np.array(answer.x), np.array(answer.s), np.array(answer.z),
        float(answer.obj_val), float(answer.obj_val_dual), int(answer.iterations), seconds,
    )  # fmt: skip


def _upper(P: Any) -> Any:
    """The upper triangle of a matrix stored by columns."""
    from scipy import sparse

    columns = np.repeat(np.arange(P.shape[1]), np.diff(P.indptr))
    kept = P.indices <= columns
    starts = np.concatenate([[0], np.cumsum(np.bincount(columns[kept], minlength=P.shape[1]))])
    return sparse.csc_matrix((P.data[kept], P.indices[kept], starts), shape=P.shape)
