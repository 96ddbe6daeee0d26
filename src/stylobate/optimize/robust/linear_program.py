"""Quantile regression as a `linear_program`: the reference."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.exceptions import NumericalError
from stylobate.optimize.conic.linear import linear_program
from stylobate.optimize.robust.proof import Answer, Crossing
from stylobate.optimize.robust.rows import Rows


def solve_by_highs(
    rows: Rows,
    taus: list[float],
    *,
    alpha: float,
    intercept: bool,
    method: str,
    options: dict[str, Any] | None,
) -> tuple[list[Answer], list[Crossing], int]:
    r"""Min Σₖ ωᵀ(τₖu + (1 − τₖ)v) + λ·1ᵀ(w⁺ + w⁻) with X(w⁺ − w⁻) + b + u − v = y.

    Several quantiles are kept in order on all rows by n(K − 1) inequalities.

    Parameters
    ----------
    rows : Rows
    taus : list of float, ascending
    alpha : float
        λ / Σω.
    intercept : bool
    method : {"highs", "highs-ds", "highs-ipm"}
    options : dict or None
        As of `linear_program`.

    Returns
    -------
    answers, crossings, iterations
    """
    from scipy import sparse as scipy_sparse

    sparse: Any = scipy_sparse
    x = sparse.csr_array(rows.table.x, dtype=np.float64)
    n, p = x.shape
    ones = np.ones((n, int(intercept)))
    slopes = sparse.hstack([x, -x, ones, -ones], format="csr")
    eye = sparse.eye_array(n)
    equal = sparse.block_diag([sparse.hstack([slopes, eye, -eye])] * len(taus), format="csc")
    penalty = np.full(2 * p, alpha * rows.weights.sum())
    w = rows.weights
    free = np.zeros(2 * int(intercept))
    cost = np.concatenate([c for t in taus for c in (penalty, free, t * w, (1 - t) * w)])
    order = None
    if len(taus) > 1:
        wide = sparse.hstack([slopes, sparse.csr_array((n, 2 * n))])
        steps = sparse.eye_array(len(taus) - 1, len(taus)) - sparse.eye_array(
            len(taus) - 1, len(taus), k=1
        )
        order = sparse.kron(steps, wide, format="csc")
    found = linear_program(
        cost,
        A_eq=equal,
        b_eq=np.tile(rows.y, len(taus)),
        A_ub=order,
        b_ub=None if order is None else np.zeros(order.shape[0]),
        bounds=(0, None),
        method=method,
        options=options,
    )
    if found.x is None:  # no quantile problem is infeasible or unbounded: numbers of wild scale
        raise NumericalError(f"HiGHS found no solution of the quantile problem: {found.verdict}")
    parts = found.x.reshape(len(taus), -1)
    duals = -found.duals["A_eq"].reshape(len(taus), n)
    answers = []
    for tau, part, dual in zip(taus, parts, duals, strict=True):
        b = float(part[2 * p] - part[2 * p + 1]) if intercept else 0.0
        inside = np.clip(dual, (tau - 1.0) * w, tau * w)
        answers.append(Answer(tau, part[:p] - part[p : 2 * p], b, inside))
    crossings = []
    if order is not None:
        prices = np.maximum(found.duals["A_ub"], 0.0).reshape(-1, n)
        for k, price in enumerate(prices):
            at = np.flatnonzero(price)
            crossings.append(Crossing(k, at, price[at]))
    return answers, crossings, found.iterations
