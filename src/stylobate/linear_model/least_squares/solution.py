"""From a source to linear coefficients: the choice of a method, and its reason."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model.least_squares.answer import Solved, factor_means
from stylobate.linear_model.least_squares.request import CONSTRAINED, ROW_SOLVERS, LinearRequest
from stylobate.linear_model.least_squares.verification import verified
from stylobate.optimize import least_squares as ls
from stylobate.parallel import one_blas_thread
from stylobate.statistics import (
    ExtendedTriangularFactor,
    Moments,
    Source,
    TriangularFactor,
    refuse_out_of_range,
    rows_at_hand,
)
from stylobate.statistics.rows import counted

MAX_GRAM_COLUMNS = 8000  # a Gram of more would not fit comfortably in memory
MAX_SPARSE_COLUMNS = 2000  # beyond, sparse rows are cheaper than a dense Gram
GRAM_CONDITION = 1e2  # of the scaled columns: eps · its square = 2e-12, the Gram alone is enough
REFINED_CONDITION = 1e4  # up to here one step from the rows gives what QR would
FEW_COLUMNS = 256  # a factorisation of these takes one thread's milliseconds
EXTENDED_WORK = 1e7  # rows × columns² up to which 32-digit arithmetic takes milliseconds
TINY_WORK = 3e4  # … and a fraction of a millisecond, so that it is always worth it


def solve(source: Source, request: LinearRequest, moments: Moments | None = None) -> Solved:
    """Least squares or ridge by the method asked for, or the one that fits the data.

    The objective the certificate speaks of is that of the rows, in the arithmetic of `predict`.
    """
    return verified(source, request, _solve(source, request, moments))


def _solve(source: Source, request: LinearRequest, moments: Moments | None) -> Solved:
    _refuse_unsuitable(request)
    name, reason = _choose(rows_at_hand(source), request)
    if name in ROW_SOLVERS or (name in ("svd", "cholesky") and _is_wide(source, request)):
        return _from_rows(rows_at_hand(source), request, name, reason)
    if name in ("qr", "svd"):
        return _from_factor(source, request, name, reason)
    moments = source.compute(Moments) if moments is None else moments
    alpha = _alphas(request, moments.n_targets)
    problem = ls.Quadratic.of(moments, alpha, intercept=request.intercept)
    if name == "cholesky":
        return _cholesky(source, request, reason, problem, moments)
    if name == "gradient_descent":
        solution = ls.solve_gradient_descent(
            problem, moments.n_rows, tol=request.tol, max_iter=request.max_iter
        )
    elif name == "active_set":
        solution = ls.solve_active_set(problem, request.max_iter)
    else:
        solution = ls.solve_bounded_lbfgs(problem, tol=request.tol, max_iter=request.max_iter)
    return _with_means(solution, name, reason, request, moments)


def _refuse_unsuitable(request: LinearRequest) -> None:
    constrained = request.solver in CONSTRAINED
    if request.positive and request.solver != "auto" and not constrained:
        raise InvalidParameterError(
            f"{request.owner}: solver {request.solver!r} cannot keep coefficients non-negative; "
            f"with positive=True use one of 'auto', {', '.join(map(repr, CONSTRAINED))}."
        )
    if constrained and not request.positive:
        raise InvalidParameterError(
            f"{request.owner}: solver {request.solver!r} is for non-negative coefficients; set "
            "positive=True, or choose another solver."
        )


def _choose(table: Table | None, request: LinearRequest) -> tuple[str, str]:
    """The solver's name, and why it."""
    if request.solver != "auto":
        return request.solver, "asked for"
    if request.positive:
        return "active_set", "non-negative coefficients: exact after finitely many steps"
    if table is None:
        return "cholesky", "rows come in batches: their moments are all that is kept"
    n, p = table.n_rows, table.n_features
    penalised = bool(np.all(np.asarray(request.alpha) > 0))
    if (table.is_sparse and p > MAX_SPARSE_COLUMNS) or min(n, p) > MAX_GRAM_COLUMNS:
        what = f"{'sparse rows with ' if table.is_sparse else ''}{p} columns: a Gram is too large"
        return ("sparse_cg" if penalised else "lsqr"), what
    if p > n and penalised:
        return "cholesky", f"{p} columns, {n} rows: solved in the space of the rows"
    if p > n:
        return "svd", f"{p} columns, {n} rows: the solution of least norm"
    return "cholesky", f"{n} rows, {p} columns: one pass for the moments, then a small solve"


def _alphas(request: LinearRequest, n_targets: int) -> Array:
    alpha = np.asarray(request.alpha, dtype=float)
    if alpha.ndim == 1 and len(alpha) not in (1, n_targets):
        raise InvalidParameterError(
            f"{request.owner}: Number of targets and number of penalties do not correspond: alpha "
            f"has {len(alpha)} entries for {n_targets} targets; give one number, or one per target."
        )
    return np.array(np.broadcast_to(alpha, (n_targets,)))


def _is_wide(source: Source, request: LinearRequest) -> bool:
    """Whether to solve in the space of the rows: more columns than rows."""
    table = rows_at_hand(source)
    if table is None or table.n_features <= table.n_rows:
        return False
    return request.solver in ("auto", "svd") or bool(np.all(np.asarray(request.alpha) > 0))


def _cholesky(
    source: Source, request: LinearRequest, reason: str, problem: ls.Quadratic, moments: Moments
) -> Solved:
    with one_blas_thread():
        solution = ls.solve_cholesky(problem)
    condition = np.inf if solution is None else solution.certificate.condition
    if request.solver == "auto" and source.capabilities.repeatable:
        if _work(moments.n_rows, moments.n_features) <= TINY_WORK:
            why = "few numbers: 32-digit arithmetic on the rows takes no time"
            return _from_factor(source, request, "qr", why, moments)
        if condition > REFINED_CONDITION:
            found = "dependent" if solution is None else "nearly dependent"
            why = f"columns are {found}, so the Gram loses digits: back to the rows"
            return _from_factor(source, request, "qr", why, moments)
        if solution is not None and condition > GRAM_CONDITION:
            why = f"{reason}; columns are correlated: refined by one more pass"
            solution = ls.refine(source, moments, problem, solution, intercept=request.intercept)
            return _with_means(solution, "cholesky", why, request, moments)
    if solution is not None and (condition <= REFINED_CONDITION or request.solver != "auto"):
        return _with_means(solution, "cholesky", reason, request, moments)
    if solution is not None:
        why = "columns are nearly dependent and the rows cannot be read again: digits are lost"
        return _with_means(solution, "cholesky", why, request, moments)
    solution = ls.solve_spectral(problem, moments.n_rows)
    why = "columns are dependent, to the half of the digits that a Gram has not lost: least norm"
    return _with_means(solution, "spectral", why, request, moments)


def _from_factor(
    source: Source, request: LinearRequest, name: str, reason: str, moments: Moments | None = None
) -> Solved:
    """QR, or SVD of R, from the rows; in extended precision when that takes milliseconds."""
    n_rows = source.capabilities.length if moments is None else moments.n_rows
    extended = n_rows is not None and _work(n_rows, source.n_features) <= EXTENDED_WORK
    recipe = ExtendedTriangularFactor if extended else TriangularFactor
    factor = source.compute(recipe)
    alpha = _alphas(request, factor.n_targets)
    solution = ls.solve_qr(factor, alpha, intercept=request.intercept) if name == "qr" else None
    if solution is None:
        solution = ls.solve_svd(factor, alpha, intercept=request.intercept, cutoff=request.cutoff)
        reason += (
            _left_out(solution, request) if name == "qr" or not solution.certificate.proved else ""
        )
        name = "svd"
    if solution.intercept is not None:
        intercept = solution.intercept
    else:
        x_mean, y_mean = factor_means(factor, intercept=request.intercept)
        intercept = y_mean - x_mean @ solution.coef
    return Solved(solution, name, reason, intercept, moments, factor)


def _left_out(solution: ls.LeastSquaresSolution, request: LinearRequest) -> str:
    """What became of the directions in which the columns are dependent, for the reason."""
    if solution.certificate.proved:
        return "; they are dependent: the solution of least norm"
    p = len(solution.coef)
    return (
        "; their singular values fade into rounding without a gap, so that they have no rank: "
        f"{p - solution.rank} of {p} directions, those below {request.cutoff:.1g} of the largest, "
        "were left out. More would fit these rows better and others worse; Ridge, or fewer "
        "columns, needs no such line"
    )


def _work(n_rows: int, n_features: int) -> int:
    """Rows × columns², what a factor costs."""
    return n_rows * n_features * n_features


def _with_means(
    solution: ls.LeastSquaresSolution,
    name: str,
    reason: str,
    request: LinearRequest,
    moments: Moments,
) -> Solved:
    if solution.intercept is not None:
        intercept = solution.intercept
    elif request.intercept:
        intercept = moments.y_mean - moments.x_mean @ solution.coef
    else:
        intercept = np.zeros(moments.n_targets)
    return Solved(solution, name, reason, intercept, moments)


def _from_rows(table: Table | None, request: LinearRequest, name: str, reason: str) -> Solved:
    assert table is not None  # estimators with these solvers have no fit_batches
    assert table.y is not None
    table.refuse_nonfinite()
    alpha = _alphas(request, table.y.shape[1])
    table = counted(table)
    refuse_out_of_range(table)
    if name in ROW_SOLVERS:
        return _iterate_on_rows(table, request.chosen(name), alpha, name, reason)
    x, y, x_mean, y_mean = ls.centred_copy(table, intercept=request.intercept)
    solution = ls.solve_dual_cholesky(x, y, alpha) if name == "cholesky" else None
    if solution is None:
        solution, name = ls.solve_svd_rows(x, y, alpha), "svd"
    return Solved(solution, name, reason, y_mean - x_mean @ solution.coef)


def _iterate_on_rows(
    table: Table, request: LinearRequest, alpha: Array, name: str, reason: str
) -> Solved:
    assert table.y is not None
    w = np.ones(table.n_rows) if table.weights is None else table.weights
    share = w / w.sum() if request.intercept else np.zeros(table.n_rows)
    x_mean, y_mean = np.asarray(table.x.T @ share), share @ table.y
    rows = ls.CentredRows.of(table, x_mean)
    y = (table.y - y_mean) * np.sqrt(w)[:, None]
    if name in ("sag", "saga"):
        solution = ls.solve_stochastic(
            table,
            rows,
            y,
            alpha,
            intercept=request.intercept,
            tol=request.tol,
            max_iter=request.max_iter,
            random_state=request.random_state,
            averaged_gradient_only=name == "sag",
        )
    else:
        method = ls.solve_lsqr if name == "lsqr" else ls.solve_conjugate_gradients
        solution = method(rows, y, alpha, tol=request.tol, max_iter=request.max_iter)
    return Solved(solution, name, reason, y_mean - x_mean @ solution.coef)
