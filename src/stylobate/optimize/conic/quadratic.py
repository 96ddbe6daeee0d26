"""Quadratic programs; linear ones are those without P."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.conic.cones import ConicAnswer, solve_conic
from stylobate.optimize.conic.data import bounds as read_bounds
from stylobate.optimize.conic.data import group, require_convex, symmetric, vector
from stylobate.optimize.conic.solution import ProgramSolution, Residuals


def quadratic_program(
    P: Any,
    q: Any,
    A_ub: Any = None,
    b_ub: Any = None,
    A_eq: Any = None,
    b_eq: Any = None,
    *,
    bounds: Any = None,
    constant: float = 0.0,
    tol: float = 1e-9,
) -> ProgramSolution:
    r"""Minimise :math:`\tfrac12 x^\top P x + q^\top x + d` subject to linear constraints.

    .. math:: A_{ub} x \le b_{ub}, \quad A_{eq} x = b_{eq}, \quad low \le x \le high

    Parameters
    ----------
    P : array or sparse (n, n)
        Symmetric, positive semidefinite.
    q : array (n,)
    A_ub, b_ub : array or sparse (m, n), array (m,), optional
    A_eq, b_eq : array or sparse (k, n), array (k,), optional
    bounds : (low, high), or a pair for each variable, optional
        None stands for infinite; variables are free by default (SciPy's `linprog` bounds them below
        by 0).
    constant : float, default=0.0
        d.
    tol : float in (0, inf), default=1e-9
        Relative accuracy asked of the solver.

    Returns
    -------
    ProgramSolution

    Examples
    --------
    >>> found = quadratic_program(np.eye(2), [-3.0, -2.0], [[1.0, 1.0]], [2.0])
    >>> found.x.round(6), found.duals["A_ub"].round(6)
    (array([1.5, 0.5]), array([1.5]))

    References
    ----------
    Boyd & Vandenberghe (2004), Convex Optimization, chapters 4 and 5; Clarabel does the work.
    """
    owner = "quadratic_program"
    linear = vector(owner, "q", q)
    quadratic = symmetric(owner, "P", P, len(linear))
    require_convex(owner, "P", quadratic, P)
    parts = LinearParts(owner, len(linear), A_ub, b_ub, A_eq, b_eq, bounds)
    answer = parts.solve(quadratic, linear, tol)
    return parts.solution(quadratic, linear, constant, answer, "Clarabel")


class LinearParts:
    """The linear constraints of a program, and their multipliers under the caller's names."""

    def __init__(self, owner: str, n: int, A_ub: Any, b_ub: Any, A_eq: Any, b_eq: Any,
                 bounds: Any) -> None:  # fmt: skip
        self.n = n
        self.A_ub, self.b_ub = group(owner, ("A_ub", "b_ub"), A_ub, b_ub, n)
        self.A_eq, self.b_eq = group(owner, ("A_eq", "b_eq"), A_eq, b_eq, n)
        self.low, self.high = read_bounds(owner, bounds, n)
        self.has_low = np.flatnonzero(np.isfinite(self.low))
        self.has_high = np.flatnonzero(np.isfinite(self.high))

    def rows(self) -> tuple[Any, Array, int, int]:
        """Equalities first, then all inequalities: matrix, right-hand side and their numbers."""
        from scipy import sparse

        blocks = [block for block in (self.A_eq, self.A_ub) if block.shape[0]]
        for places, sign in ((self.has_low, -1.0), (self.has_high, 1.0)):
            if len(places):
                entries = (np.full(len(places), sign), (np.arange(len(places)), places))
                blocks.append(sparse.csc_matrix(entries, shape=(len(places), self.n)))
        none = sparse.csc_matrix((0, self.n))
        whole = (
            blocks[0]
            if len(blocks) == 1
            else (sparse.vstack(blocks, format="csc") if blocks else none)
        )
        right = np.concatenate(
            [self.b_eq, self.b_ub, -self.low[self.has_low], self.high[self.has_high]]
        )
        return whole, right, len(self.b_eq), len(right) - len(self.b_eq)

    def solve(self, P: Any, q: Array, tol: float, more: Any = None) -> ConicAnswer:
        """By the interior-point solver; `more` are rows, right-hand sides and cones to add."""
        import clarabel
        from scipy import sparse

        whole, right, equal, unequal = self.rows()
        cones = []
        if equal:
            cones.append(clarabel.ZeroConeT(equal))
        if unequal:
            cones.append(clarabel.NonnegativeConeT(unequal))
        if more is not None:
            whole = sparse.vstack([whole, more[0]], format="csc")
            right = np.concatenate([right, more[1]])
            cones = cones + more[2]
        return solve_conic(P, q, whole, right, cones, tol)

    def named(self, z: Array) -> dict[str, Array]:
        """Multipliers of the rows, by group; of bounds one for each variable."""
        k, m = len(self.b_eq), len(self.b_ub)
        low, high = np.zeros(self.n), np.zeros(self.n)
        low[self.has_low] = z[k + m : k + m + len(self.has_low)]
        high[self.has_high] = z[k + m + len(self.has_low) : k + m + len(self.has_low)
                                + len(self.has_high)]  # fmt: skip
        return {"A_ub": z[k : k + m], "A_eq": z[:k], "low": low, "high": high}

    def solution(self, P: Any, q: Array, constant: float, answer: ConicAnswer,
                 solver: str) -> ProgramSolution:  # fmt: skip
        """The answer in the caller's terms, with its residuals."""
        duals = self.named(answer.z)
        common: dict[str, Any] = {
            "solver": solver,
            "iterations": answer.iterations,
            "seconds": answer.seconds,
        }
        if answer.status == "infeasible":
            return ProgramSolution(
                "infeasible", None, np.inf, np.inf, {}, None, ray=duals, **common
            )
        if answer.status == "unbounded":
            ray = {"x": answer.x[: self.n]}
            return ProgramSolution("unbounded", None, -np.inf, -np.inf, {}, None, ray=ray, **common)
        x = answer.x[: self.n]
        residuals = self.residuals(P, q, x, duals)
        value = 0.5 * float(x @ _times(P, x)) + float(q @ x) + constant
        dual = self.dual_value(P, x, duals) + constant
        return ProgramSolution(answer.status, x, value, dual, duals, residuals, ray=None, **common)

    def dual_value(self, P: Any, x: Array, duals: dict[str, Array]) -> float:
        """−½xᵀPx − bᵀy − fᵀν + lowᵀλ − highᵀμ."""
        low = float(duals["low"][self.has_low] @ self.low[self.has_low])
        high = float(duals["high"][self.has_high] @ self.high[self.has_high])
        rows = float(self.b_ub @ duals["A_ub"]) + float(self.b_eq @ duals["A_eq"])
        return -0.5 * float(x @ _times(P, x)) - rows + low - high

    def residuals(self, P: Any, q: Array, x: Array, duals: dict[str, Array]) -> Residuals:
        """The conditions of Karush, Kuhn and Tucker."""
        slack = np.concatenate([
            self.b_ub - _times(self.A_ub, x),
            (x - self.low)[self.has_low],
            (self.high - x)[self.has_high],
        ])  # fmt: skip
        y = np.concatenate(
            [duals["A_ub"], duals["low"][self.has_low], duals["high"][self.has_high]]
        )
        equal, px = np.abs(_times(self.A_eq, x) - self.b_eq), _times(P, x)
        pull = (
            px + q + _times(self.A_ub.T, duals["A_ub"]) + _times(self.A_eq.T, duals["A_eq"])
            - duals["low"] + duals["high"]
        )  # fmt: skip
        size = 1.0 + float(np.abs(x).max(initial=0.0))
        rights = 1.0 + float(np.abs(np.concatenate([self.b_ub, self.b_eq])).max(initial=0.0))
        slopes = 1.0 + max(float(np.abs(q).max(initial=0.0)), float(np.abs(px).max(initial=0.0)))
        value = 0.5 * float(x @ px) + float(q @ x)
        gap = abs(value - self.dual_value(P, x, duals))
        return Residuals(
            max(float(-slack.min(initial=0.0)), float(equal.max(initial=0.0))) / max(size, rights),
            max(float(np.abs(pull).max(initial=0.0)), float(-y.min(initial=0.0))) / slopes,
            float(np.abs(slack * y).max(initial=0.0)) / (1.0 + abs(value)),
            gap / (1.0 + abs(value)),
        )


def _times(matrix: Any, v: Array) -> Array:
    """A product with a sparse matrix, which for an empty one would cost as much as for a small."""
    return np.asarray(matrix @ v) if matrix.nnz else np.zeros(matrix.shape[0])
