"""From classes in memory to logistic coefficients: the solver asked for, or the fitting one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Integers
from stylobate.linear_model.logistic.request import LogisticRequest
from stylobate.optimize.logistic import LogisticSolution, solve_l2
from stylobate.optimize.logistic.separation import Separation, find_separation

Start = tuple[Array, Array]

_SOME_ROWS = 1000
_FAR = 30.0


class ClassRows(NamedTuple):
    """Rows and the numbers of their classes, as `solve_l2` takes them."""

    x: Any
    codes: Integers
    n_classes: int
    weights: Array | None


def solve_logistic(
    x: Any,
    codes: Integers,
    n_classes: int,
    weights: Array | None,
    request: LogisticRequest,
    start: Start | None = None,
) -> tuple[LogisticSolution, Separation | None]:
    """The solution, and what separates the classes if nothing stops the coefficients from growing.

    Parameters
    ----------
    x, codes, n_classes, weights
        As of `solve_l2`.
    request : LogisticRequest
        Penalties and solver.
    start : (coef, intercept), optional
        Where to begin.
    """
    rows = ClassRows(x, codes, n_classes, weights)
    if request.solver == "liblinear":
        return _with_penalised_intercept(rows, request), None
    if request.solver in ("sag", "saga"):
        return _about_center(_stochastic, rows, request, start), None
    if request.l1 > 0.0 or (request.solver == "coordinate_descent" and request.penalised):
        return _about_center(_coordinate_descent, rows, request, start), None
    if request.solver == "coordinate_descent":  # nothing to threshold
        request = replace(request, solver="auto")
    return _smooth(rows, request, start)


def _about_center(
    solve: Callable[..., LogisticSolution],
    rows: ClassRows,
    request: LogisticRequest,
    start: Start | None,
) -> LogisticSolution:
    """Solve with columns far from zero (years, time stamps) moved there.

    Of sparse rows only columns without a zero can be; others spread as far as their zeros.

    The objective is the same; coordinates would creep along the valley between such a column and
    the intercept, and no dual point would be feasible to rounding.
    """
    moved = _centred(rows.x) if request.fit_intercept else None
    if moved is None:
        return solve(rows, request, start)
    x, center = moved
    if start is not None:
        start = start[0], start[1] + start[0] @ center
    solution = solve(rows._replace(x=x), request, start)
    return replace(solution, intercept=solution.intercept - solution.coef @ center)


def _centred(x: Any) -> tuple[Any, Array] | None:
    """The columns about their means (of sparse rows the full ones), if one is far from zero."""
    if isinstance(x, np.ndarray):
        center = x.mean(axis=0, dtype=np.float64) if _is_far(x) else None
        return None if center is None else (x - center, center)
    n, p = x.shape
    full = np.flatnonzero(np.bincount(x.tocsr().indices, minlength=p) == n)
    columns = x.tocsc() if len(full) else x
    dense = columns[:, full].toarray() if len(full) else np.zeros((n, 0))
    if not _is_far(dense):
        return None
    center = np.zeros(p)
    center[full] = dense.mean(axis=0, dtype=np.float64)
    shifts = np.repeat(center, np.diff(columns.indptr))
    moved = type(columns)((columns.data - shifts, columns.indices, columns.indptr), (n, p))
    return moved.asformat(x.format), center


def _is_far(x: NDArray[Any]) -> bool:
    """Whether a varying column's mean is many times its spread, judged by some of the rows."""
    some = np.asarray(x[:: max(1, len(x) // _SOME_ROWS)], dtype=np.float64)
    mean, spread = some.mean(axis=0), np.ptp(some, axis=0)
    return bool(np.any((spread > 0.0) & (np.abs(mean) > _FAR * spread)))


def _smooth(
    rows: ClassRows,
    request: LogisticRequest,
    start: Start | None,
) -> tuple[LogisticSolution, Separation | None]:
    def solve(start: Start | None, watch: bool) -> LogisticSolution:
        return solve_l2(
            *rows,
            l2=request.l2,
            fit_intercept=request.fit_intercept,
            tol=request.gap,
            max_iter=request.max_iter,
            solver=request.solver,
            start=start,
            watch=watch,
        )

    solution = solve(start, watch=True)
    if request.penalised or (solution.converged and not solution.diverging):
        return solution, None
    if not np.isfinite(solution.certificate.primal):
        return solution, None
    answer = (solution.coef, solution.intercept)
    x, codes, n_classes, weights = rows
    counted = slice(None) if weights is None or weights.all() else np.flatnonzero(weights)
    separation = find_separation(
        x[counted],
        codes[counted],
        n_classes,
        fit_intercept=request.fit_intercept,
        candidate=answer,
    )
    if separation is None and solution.diverging:  # they only looked separable: go on
        more = solve(answer, watch=False)
        return replace(more, iterations=solution.iterations + more.iterations), None
    return solution, separation


def _coordinate_descent(
    rows: ClassRows,
    request: LogisticRequest,
    start: Start | None,
) -> LogisticSolution:
    solution = _elastic_net(rows, request, start, request.max_iter)
    reason = "asked for" if request.solver != "auto" else "an ℓ1 penalty: most coefficients are 0"
    return replace(solution, solver="coordinate_descent", reason=reason)


def _elastic_net(
    rows: ClassRows, request: LogisticRequest, start: Start | None, max_iter: int
) -> LogisticSolution:
    from stylobate.optimize.logistic.elastic_net import solve_elastic_net

    return solve_elastic_net(
        *rows,
        l1=request.l1,
        l2=request.l2,
        fit_intercept=request.fit_intercept,
        tol=request.gap,
        max_iter=max_iter,
        start=start,
    )


def _with_penalised_intercept(rows: ClassRows, request: LogisticRequest) -> LogisticSolution:
    """LIBLINEAR's objective: the intercept is the coefficient of a constant column, penalised."""
    x, codes, _, weights = rows
    inner = replace(request, solver="auto", fit_intercept=False)
    if not request.fit_intercept:
        solution, _ = solve_logistic(x, codes, 2, weights, inner)
        return replace(solution, solver="liblinear", reason="asked for")
    constant = np.full((x.shape[0], 1), request.intercept_scaling, dtype=x.dtype)
    if isinstance(x, np.ndarray):
        wider: Any = np.hstack([x, constant])
    else:
        from scipy import sparse

        wider = sparse.hstack([x, sparse.csr_array(constant)], format="csr")
    solution, _ = solve_logistic(wider, codes, 2, weights, inner)
    return replace(
        solution,
        coef=np.ascontiguousarray(solution.coef[:, :-1]),
        intercept=request.intercept_scaling * solution.coef[:, -1],
        solver="liblinear",
        reason="asked for",
    )


def _stochastic(
    rows: ClassRows,
    request: LogisticRequest,
    start: Start | None,
) -> LogisticSolution:
    from stylobate.losses import Logistic, Multinomial
    from stylobate.optimize.stochastic import saga

    x, codes, n_classes, weights = rows
    found = saga(
        x,
        codes,
        weights,
        loss=Logistic() if n_classes == 2 else Multinomial(),
        n_classes=n_classes,
        l1=request.l1,
        l2=request.l2,
        fit_intercept=request.fit_intercept,
        tol=request.gap,
        max_iter=request.max_iter,
        random_state=request.random_state,
        start=start,
        averaged_gradient_only=request.solver == "sag",
    )
    coef, intercept = np.atleast_2d(found.coef), np.atleast_1d(found.intercept)
    # the judge of an ℓ1 penalty moves the intercepts to where they are best for these coefficients:
    # what it measured, coefficients and intercepts, is the answer
    proved = _judged(rows, request, (coef, intercept))
    return replace(
        proved,
        trace=found.trace,
        iterations=found.iterations,
        converged=found.converged,
        solver=request.solver,
        reason="asked for",
    )


def _judged(
    rows: ClassRows,
    request: LogisticRequest,
    answer: Start,
) -> LogisticSolution:
    """An answer found elsewhere, with the certificate it deserves."""
    if request.l1 > 0.0:
        return _elastic_net(rows, request, answer, 0)
    return solve_l2(
        *rows,
        l2=request.l2,
        fit_intercept=request.fit_intercept,
        tol=request.gap,
        max_iter=0,
        solver="newton-cg",
        start=answer,
    )
