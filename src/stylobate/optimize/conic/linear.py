"""Linear programs, by HiGHS."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidParameterError, NumericalError
from stylobate.optimize.conic.cones import ConicAnswer
from stylobate.optimize.conic.data import vector
from stylobate.optimize.conic.quadratic import LinearParts
from stylobate.optimize.conic.solution import ProgramSolution

METHODS = ("highs", "highs-ds", "highs-ipm")


def linear_program(
    c: Any,
    A_ub: Any = None,
    b_ub: Any = None,
    A_eq: Any = None,
    b_eq: Any = None,
    *,
    bounds: Any = None,
    constant: float = 0.0,
    method: str = "highs",
    options: dict[str, Any] | None = None,
) -> ProgramSolution:
    r"""Minimise :math:`c^\top x + d` subject to linear constraints.

    .. math:: A_{ub} x \le b_{ub}, \quad A_{eq} x = b_{eq}, \quad low \le x \le high

    The answer is a vertex, found by HiGHS; infeasible and unbounded programs are answered with a
    proof, which the interior-point solver finds.

    Parameters
    ----------
    c : array (n,)
    A_ub, b_ub : array or sparse (m, n), array (m,), optional
    A_eq, b_eq : array or sparse (k, n), array (k,), optional
    bounds : (low, high), or a pair for each variable, optional
        None stands for infinite; variables are free by default (SciPy's `linprog` bounds them below
        by 0).
    constant : float, default=0.0
        d.
    method : {"highs", "highs-ds", "highs-ipm"}, default="highs"
        HiGHS's choice, its dual simplex method, or its interior point with a vertex at the end.
    options : dict, optional
        For HiGHS, as of `scipy.optimize.linprog`.

    Returns
    -------
    ProgramSolution

    Examples
    --------
    >>> found = linear_program([-1.0, -1.0], [[1.0, 2.0], [3.0, 1.0]], [4.0, 6.0], bounds=(0, None))
    >>> found.x.round(6), round(found.value, 6)
    (array([1.6, 1.2]), -2.8)
    >>> linear_program([1.0], [[1.0], [-1.0]], [0.0, -1.0]).value  # x ≤ 0 and x ≥ 1
    inf

    References
    ----------
    Huangfu & Hall (2018), Parallelizing the dual revised simplex method, Math. Prog. Comp. 10.
    """
    from scipy import optimize as scipy_optimize
    from scipy import sparse

    owner = "linear_program"
    if method not in METHODS:
        raise InvalidParameterError(
            f"linear_program: method must be one of {', '.join(METHODS)}, got {method!r}."
        )
    cost = vector(owner, "c", c)
    n = len(cost)
    parts = LinearParts(owner, n, A_ub, b_ub, A_eq, b_eq, bounds)
    none = sparse.csc_matrix((n, n))
    begin = perf_counter()
    crossed = bool((parts.low > parts.high).any())
    found: Any = None
    if not crossed:
        linprog: Any = scipy_optimize.linprog
        found = linprog(
            cost,
            A_ub=parts.A_ub if len(parts.b_ub) else None,
            b_ub=parts.b_ub if len(parts.b_ub) else None,
            A_eq=parts.A_eq if len(parts.b_eq) else None,
            b_eq=parts.b_eq if len(parts.b_eq) else None,
            bounds=np.column_stack([parts.low, parts.high]) if bounds is not None else (None, None),
            method=method,
            options=options,
        )
    seconds = perf_counter() - begin
    if crossed or found.status in (2, 3, 4):  # HiGHS names no ray; the interior point does
        answer = parts.solve(none, cost, 1e-9)
        return parts.solution(none, cost, constant, answer, "Clarabel")
    if found.x is None:
        raise NumericalError(f"linear_program: HiGHS found no answer: {found.message}")
    status = "optimal" if found.status == 0 else "inaccurate"  # stopped early, at a feasible point
    z = np.concatenate([
        -np.asarray(found.eqlin.marginals),
        -np.asarray(found.ineqlin.marginals),
        np.asarray(found.lower.marginals)[parts.has_low],
        -np.asarray(found.upper.marginals)[parts.has_high],
    ])  # fmt: skip
    x = np.asarray(found.x)
    answer = ConicAnswer(status, x, np.zeros(0), z, 0.0, 0.0, int(found.nit), seconds)
    return parts.solution(none, cost, constant, answer, "HiGHS")
