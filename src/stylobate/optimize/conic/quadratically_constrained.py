"""Quadratic programs with quadratic constraints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.optimize.conic.data import require_convex, symmetric, vector
from stylobate.optimize.conic.quadratic import LinearParts
from stylobate.optimize.conic.solution import ProgramSolution, Residuals


def qcqp(
    P: Any,
    q: Any,
    constraints: Sequence[tuple[Any, Any, float]],
    A_ub: Any = None,
    b_ub: Any = None,
    A_eq: Any = None,
    b_eq: Any = None,
    *,
    bounds: Any = None,
    constant: float = 0.0,
    tol: float = 1e-9,
) -> ProgramSolution:
    r"""Minimise a quadratic subject to quadratic and linear constraints.

    .. math::
        \min \tfrac12 x^\top P x + q^\top x + d, \quad
        \tfrac12 x^\top Q_i x + r_i^\top x + s_i \le 0

    Each quadratic constraint becomes a second-order cone: with :math:`Q_i = F^\top F` it says
    :math:`\|(F x, r_i^\top x + s_i + \tfrac12)\| \le \tfrac12 - r_i^\top x - s_i`.

    Parameters
    ----------
    P : array or sparse (n, n)
        Symmetric, positive semidefinite.
    q : array (n,)
    constraints : sequence of (Q, r, s)
        Q symmetric and positive semidefinite, r (n,), s a number.
    A_ub, b_ub, A_eq, b_eq, bounds, constant, tol
        As of `quadratic_program`.

    Returns
    -------
    ProgramSolution
        With the multipliers of the quadratic constraints as ``duals["quadratic"]``.

    Examples
    --------
    >>> found = qcqp(np.zeros((2, 2)), [-3.0, -4.0], [(np.eye(2), np.zeros(2), -0.5)])
    >>> found.x.round(6)  # on the unit circle
    array([0.6, 0.8])

    References
    ----------
    Boyd & Vandenberghe (2004), Convex Optimization, section 4.4.
    """
    owner = "qcqp"
    linear = vector(owner, "q", q)
    n = len(linear)
    quadratic = symmetric(owner, "P", P, n)
    require_convex(owner, "P", quadratic)
    parts = LinearParts(owner, n, A_ub, b_ub, A_eq, b_eq, bounds)
    read = [_constraint(owner, i, each, n) for i, each in enumerate(constraints)]
    more, sizes = _cones(read)
    answer = parts.solve(quadratic, linear, tol, more)
    found = parts.solution(quadratic, linear, constant, answer, "Clarabel")
    ahead = len(answer.z) - sum(sizes)
    ends = ahead + np.cumsum([0, *sizes])
    # ∂/∂x of the cone's rows is r(z₀ − z₁) − Fᵀz₂, of the constraint λ(r + FᵀFx)
    prices = np.array([answer.z[e] - answer.z[e + 1] for e in ends[:-1]])
    if found.ray is not None:
        if found.status == "infeasible":
            found.ray["quadratic"] = prices
        return found
    prices = _polished(found, parts, quadratic, linear, read, prices)
    found.duals["quadratic"] = prices
    return _judged(found, parts, quadratic, linear, read, prices, constant)


def _constraint(owner: str, i: int, given: Any, n: int) -> tuple[Any, Array, float, Array]:
    try:
        Q, r, s = given
    except (TypeError, ValueError) as error:
        raise InvalidDataError(f"{owner}: constraint {i} must be a triple (Q, r, s).") from error
    matrix = symmetric(owner, f"Q of constraint {i}", Q, n)
    require_convex(owner, f"Q of constraint {i}", matrix)
    slope = vector(owner, f"r of constraint {i}", r, n)
    level = float(vector(owner, f"s of constraint {i}", s, 1)[0])
    values, vectors = np.linalg.eigh(matrix.toarray())
    keep = values > 1e-13 * max(float(values[-1]), 1e-300)
    root = np.sqrt(values[keep])[:, None] * vectors[:, keep].T
    return matrix, slope, level, root


def _cones(read: list[tuple[Any, Array, float, Array]]) -> tuple[Any, list[int]]:
    """Rows, right-hand sides and cones: (½ − rᵀx − s, ½ + rᵀx + s, Fx) in the second-order cone."""
    import clarabel
    from scipy import sparse

    blocks, rights, cones, sizes = [], [], [], []
    for _, r, s, root in read:
        blocks.append(np.vstack([r, -r, -root]))
        rights.append(np.concatenate([[0.5 - s, 0.5 + s], np.zeros(len(root))]))
        cones.append(clarabel.SecondOrderConeT(2 + len(root)))
        sizes.append(2 + len(root))
    if not blocks:
        return None, []
    return (sparse.csc_matrix(np.vstack(blocks)), np.concatenate(rights), cones), sizes


def _polished(found: ProgramSolution, parts: LinearParts, P: Any, q: Array,
              read: list[tuple[Any, Array, float, Array]], prices: Array) -> Array:  # fmt: skip
    """Multipliers that bring the Lagrangian's gradient nearest to 0, of constraints that bind.

    A cone's entries are known to the root of the gap only; the point is known better.
    """
    from scipy.optimize import nnls

    x, duals = found.x, found.duals
    assert x is not None
    levels = np.array([0.5 * x @ (Q @ x) + r @ x + s for Q, r, s, _ in read])
    binding = np.flatnonzero(levels > -1e-6 * (1.0 + np.abs(x).max()))
    if not len(binding):
        return np.zeros(len(read))
    slopes = np.column_stack([read[i][0] @ x + read[i][1] for i in binding])
    rest = (
        P @ x + q + parts.A_ub.T @ duals["A_ub"] + parts.A_eq.T @ duals["A_eq"]
        - duals["low"] + duals["high"]
    )  # fmt: skip
    better, left = nnls(slopes, -rest)
    if left > np.linalg.norm(rest + slopes @ prices[binding]):
        return np.maximum(prices, 0.0)
    whole = np.zeros(len(read))
    whole[binding] = better
    return whole


def _judged(found: ProgramSolution, parts: LinearParts, P: Any, q: Array,
            read: list[tuple[Any, Array, float, Array]], prices: Array,
            constant: float) -> ProgramSolution:  # fmt: skip
    """The same answer with residuals that count the quadratic constraints."""
    from dataclasses import replace

    x = found.x
    assert x is not None
    levels = np.array([0.5 * x @ (Q @ x) + r @ x + s for Q, r, s, _ in read])
    pulls = [price * (Q @ x + r) for price, (Q, r, _, _) in zip(prices, read, strict=True)]
    slopes = q + np.sum(pulls, axis=0) if pulls else q
    plain = parts.residuals(P, slopes, x, found.duals)
    value = found.value - constant
    # the Lagrangian at x, where its gradient is 0, is the dual value
    bend = sum(0.5 * p * float(x @ (Q @ x)) for p, (Q, _, _, _) in zip(prices, read, strict=True))
    level = sum(p * s for p, (_, _, s, _) in zip(prices, read, strict=True))
    dual = parts.dual_value(P, x, found.duals) - float(bend) + float(level)
    scale = 1.0 + abs(value)
    residuals = Residuals(
        max(plain.primal, float(levels.max(initial=0.0)) / (1.0 + float(np.abs(x).max()))),
        max(plain.dual, float(-prices.min(initial=0.0))),
        max(plain.complementarity, float(np.abs(levels * prices).max(initial=0.0)) / scale),
        abs(value - dual) / scale,
    )
    return replace(found, residuals=residuals, dual_value=dual + constant)
