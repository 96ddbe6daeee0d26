"""Semidefinite programs in standard form."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.optimize.conic.cones import solve_conic
from stylobate.optimize.conic.data import vector
from stylobate.optimize.conic.solution import ProgramSolution, Residuals


def semidefinite_program(C: Any, A: Any, b: Any, *, tol: float = 1e-9) -> ProgramSolution:
    r"""Minimise a linear function of a positive semidefinite matrix.

    .. math::
        \min \operatorname{tr}(C^\top X), \quad \operatorname{tr}(A_i^\top X) = b_i,
        \quad X \succeq 0

    Parameters
    ----------
    C : array (k, k)
        Symmetric.
    A : sequence of m arrays (k, k)
        Symmetric.
    b : array (m,)
    tol : float in (0, inf), default=1e-9
        Relative accuracy asked of the solver.

    Returns
    -------
    ProgramSolution
        `x` is the matrix X; ``duals["A"]`` the multipliers y of :math:`C - \sum y_i A_i \succeq 0`,
        and ``duals["X"]`` that matrix.

    Examples
    --------
    >>> C = np.array([[2.0, 1.0], [1.0, 2.0]])
    >>> found = semidefinite_program(C, [np.eye(2)], [1.0])  # the smallest eigenvalue of C
    >>> round(found.value, 6)
    1.0

    References
    ----------
    Vandenberghe & Boyd (1996), Semidefinite programming, SIAM Review 38.
    """
    import clarabel
    from scipy import sparse

    owner = "semidefinite_program"
    cost = _symmetric(owner, "C", C)
    k = len(cost)
    matrices = _stacked(owner, list(A), k)
    right = vector(owner, "b", b, len(matrices))
    n = k * (k + 1) // 2
    rows = _packed(matrices)
    below = sparse.csc_matrix((np.full(n, -1.0), np.arange(n), np.arange(n + 1)), shape=(n, n))
    whole = sparse.vstack([sparse.csc_matrix(rows), below], format="csc")
    cones = [clarabel.ZeroConeT(len(right))] if len(right) else []
    cones.append(clarabel.PSDTriangleConeT(k))
    answer = solve_conic(
        sparse.csc_matrix((n, n)), _packed(cost), whole, np.concatenate([right, np.zeros(n)]),
        cones, tol,
    )  # fmt: skip
    m = len(right)
    y, z = -answer.z[:m], _unpacked(answer.z[m:], k)
    common: dict[str, Any] = {
        "solver": "Clarabel",
        "iterations": answer.iterations,
        "seconds": answer.seconds,
    }
    if answer.status == "infeasible":
        ray = {"A": y, "X": z}
        return ProgramSolution("infeasible", None, np.inf, np.inf, {}, None, ray=ray, **common)
    x = _unpacked(answer.x, k)
    if answer.status == "unbounded":
        return ProgramSolution(
            "unbounded", None, -np.inf, -np.inf, {}, None, ray={"x": x}, **common
        )
    value, dual = float(np.sum(cost * x)), float(right @ y)
    slack = cost - _unpacked(rows.T @ y, k)
    residuals = _residuals(x, slack, rows, right, answer.x, value, dual, cost)
    duals = {"A": y, "X": slack}
    return ProgramSolution(answer.status, x, value, dual, duals, residuals, ray=None, **common)


def _residuals(x: Array, slack: Array, rows: Array, right: Array, packed: Array, value: float,
               dual: float, cost: Array) -> Residuals:  # fmt: skip
    size = 1.0 + float(np.abs(x).max())
    equal = np.abs(rows @ packed - right).max(initial=0.0) / (1.0 + np.abs(right).max(initial=0.0))
    lowest = -float(np.linalg.eigvalsh(x)[0]) / size
    bound = -float(np.linalg.eigvalsh(slack)[0]) / (1.0 + float(np.abs(cost).max()))
    return Residuals(
        max(float(equal), lowest, 0.0),
        max(bound, 0.0),
        abs(float(np.sum(x * slack))) / (1.0 + abs(value)),
        abs(value - dual) / (1.0 + abs(value)),
    )


def _stacked(owner: str, given: list[Any], k: int) -> Array:
    """All constraints as one array (m, k, k); judged together, and one by one only to name it."""
    shapes = {np.shape(each) for each in given}
    if shapes == {(k, k)}:
        whole = np.array(given, dtype=np.float64)
        turned = whole.transpose(0, 2, 1)
        if np.isfinite(whole).all() and np.array_equal(whole, turned):
            return whole
    each_one = [_symmetric(owner, f"A[{i}]", each, k) for i, each in enumerate(given)]
    return np.array(each_one).reshape(len(given), k, k)


def _symmetric(owner: str, name: str, given: Any, k: int | None = None) -> Array:
    matrix = np.asarray(given, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or (k and len(matrix) != k):
        wanted = "square" if k is None else f"({k}, {k})"
        raise InvalidDataError(f"{owner}: {name} has shape {matrix.shape}; it must be {wanted}.")
    if not np.isfinite(matrix).all():
        raise InvalidDataError(f"{owner}: {name} must be finite; it holds NaN or infinity.")
    if np.abs(matrix - matrix.T).max(initial=0.0) > 1e-10 * np.abs(matrix).max(initial=0.0):
        raise InvalidDataError(f"{owner}: {name} must be symmetric; pass (C + Cᵀ)/2.")
    return 0.5 * (matrix + matrix.T)


def _packed(matrix: Array) -> Array:
    """The upper triangle, column by column, off-diagonal entries times √2: keeps inner products."""
    columns, rows = np.tril_indices(matrix.shape[-1])  # column-major upper triangle
    return np.asarray(matrix[..., rows, columns] * np.where(rows == columns, 1.0, np.sqrt(2.0)))


def _unpacked(packed: Array, k: int) -> Array:
    columns, rows = np.tril_indices(k)
    matrix = np.zeros((k, k))
    entries = packed / np.where(rows == columns, 1.0, np.sqrt(2.0))
    matrix[rows, columns] = entries
    matrix[columns, rows] = entries
    return matrix
