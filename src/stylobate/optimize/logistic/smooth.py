"""Logistic regression with an ℓ2 penalty, or none: the choice of a method, and its reason."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.optimize.logistic.lbfgs import solve_lbfgs
from stylobate.optimize.logistic.newton import NewtonProblem, solve_newton
from stylobate.optimize.logistic.newton_cg import solve_newton_cg
from stylobate.optimize.logistic.preconditioner import (
    DiagonalPreconditioner,
    HessianPreconditioner,
    KroneckerPreconditioner,
    Preconditioner,
)
from stylobate.optimize.logistic.problem import LogisticProblem
from stylobate.optimize.logistic.row_space import RowSpace
from stylobate.optimize.logistic.solution import Information, LogisticSolution
from stylobate.sources import MemorySource

Start = tuple[Array, Array]

SMOOTH_SOLVERS = ("newton-cholesky", "lbfgs", "newton-cg")
NEWTON_COLUMNS = 400  # of dense rows: up to here a Hessian costs little more than a few gradients
PACKED_SHARE = 0.05  # of entries that are not zero: from here on sparse rows are packed as dense
GRAM_COLUMNS = 400  # up to here a Gram makes the better preconditioner
ROW_SPACE_ROWS = 2000  # up to here the Gram of the rows is worth its cube
SAMPLE_ROWS = 20000  # from here on a first answer comes from a sample of the rows
SMALL_SIZE = 150  # parameters of several classes up to which the Hessian is assembled
INFORMATION_SIZE = 1000  # parameters up to which inference is prepared without being asked for
EXACT_WORK = 1e7  # operations of one Newton step up to which steps go on to rounding …
EXACT = 1e-17  # … that is to this relative gap
NO_TIGHTER = 1e-13  # a smaller relative gap is rounding


def solve_l2(
    x: Any,
    codes: NDArray[np.int64],
    n_classes: int,
    weights: Array | None,
    *,
    l2: float,
    fit_intercept: bool,
    tol: float,
    max_iter: int,
    solver: str = "auto",
    start: Start | None = None,
    watch: bool = True,
) -> LogisticSolution:
    r"""Logistic regression with an ℓ2 penalty, to a proved relative gap.

    .. math:: \min_{W, b} \sum_i \omega_i\,\ell_i + \tfrac12\,l_2 \|W\|^2

    Parameters
    ----------
    x : array of shape (n, p), dense of any strides or SciPy CSR or CSC
        Rows.
    codes : int64 array of shape (n,)
        Numbers of their classes, 0 to n_classes − 1.
    n_classes : int, >= 2
        Two classes have one row of coefficients, more have one each (softmax).
    weights : array of shape (n,) or None
        At least 0; a row of weight 0 is no row.
    l2 : float, >= 0
        Strength of the penalty; the intercept is not penalised.
    fit_intercept : bool
        Whether there is an intercept.
    tol : float, >= 0
        Relative duality gap asked for.
    max_iter : int, >= 0
        Most iterations.
    solver : {"auto", "newton-cholesky", "lbfgs", "newton-cg"}, default="auto"
        "auto" chooses by shape.
    start : (coef (k, p), intercept (k,)), optional
        Where to begin.
    watch : bool, default=True
        Whether to stop, without a penalty, where the classes look as if they could be separated
        (``diverging`` in the solution).

    Returns
    -------
    LogisticSolution

    Examples
    --------
    >>> x, codes = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 1, 0, 1])
    >>> solution = solve_l2(
    ...     x, codes, 2, None, l2=1.0, fit_intercept=True, tol=1e-9, max_iter=100
    ... )
    >>> solution.coef.round(4).tolist(), solution.certificate.optimal
    ([[0.4529]], True)
    """
    x, codes, weights = _counted(x, codes, weights)
    if not isinstance(x, np.ndarray):
        x = x.tocsr()
    tol = max(tol, NO_TIGHTER)
    name, reason = choose_solver(x, n_classes, l2, solver)
    settings = {"l2": l2, "fit_intercept": fit_intercept}
    if name == "row space":
        solution = _in_row_space(x, codes, n_classes, weights, l2, fit_intercept, tol, max_iter)
    elif name == "newton-cholesky" and n_classes == 2:
        solution = _by_newton(x, codes, weights, l2, fit_intercept, tol, max_iter, start, watch)
    else:
        problem = LogisticProblem(x, codes, n_classes, weights, **settings)  # type: ignore[arg-type]
        theta = problem.start(*(start if start is not None else (None, None)))
        solution = _by_passes(problem, theta, name, tol, max_iter, solver == "auto", watch)
    return replace(solution, reason=reason)


def choose_solver(x: Any, n_classes: int, l2: float, solver: str) -> tuple[str, str]:
    """The method for these rows, and why."""
    if solver != "auto":
        return solver, "asked for"
    n, p = x.shape
    dense = isinstance(x, np.ndarray)
    packed = dense or x.nnz >= PACKED_SHARE * n * p
    size = (p + 1) * n_classes
    if n_classes > 2 and size <= SMALL_SIZE and n * size * size <= EXACT_WORK:
        return "newton-cholesky", f"{size} parameters: an exact Hessian costs next to nothing"
    if n_classes == 2 and packed and p <= min(NEWTON_COLUMNS, max(n, 50)):
        return "newton-cholesky", f"{p} columns: few passes with an exact Hessian"
    if dense and n <= ROW_SPACE_ROWS and p > 2 * n and l2 > 0.0:
        return "row space", f"{p} columns, {n} rows: solved in the space of the rows"
    if not dense or p > min(GRAM_COLUMNS, n):
        return "newton-cg", f"{p} columns: Hessian products instead of a Hessian"
    return "lbfgs", f"{n_classes} classes, {p} columns: a Hessian would cost many gradients"


def to_rounding(n_rows: int, size: int) -> float | None:
    """The gap to aim at where one more Newton step takes next to no time."""
    return EXACT if n_rows * size * size <= EXACT_WORK else None


def _counted(
    x: Any, codes: NDArray[np.int64], weights: Array | None
) -> tuple[Any, NDArray[np.int64], Array | None]:
    """Without the rows of weight zero, which are no rows."""
    if weights is None or weights.all():
        return x, codes, weights
    kept = np.flatnonzero(weights)
    return x[kept], np.ascontiguousarray(codes[kept]), np.ascontiguousarray(weights[kept])


# --- two classes, few columns ---------------------------------------------------------------------


def _by_newton(
    x: Any,
    codes: NDArray[np.int64],
    weights: Array | None,
    l2: float,
    fit_intercept: bool,
    tol: float,
    max_iter: int,
    start: Start | None,
    watch: bool,
) -> LogisticSolution:
    """Newton's method, from a sample's answer where there are many rows."""
    y = codes.astype(np.float64)[:, np.newaxis]
    table = Table(x, y=y, weights=weights, finite=True, owner="LogisticRegression")
    p = table.n_features
    stride = sample_stride(table.n_rows, p)
    sample = table if stride < 4 else table.take(slice(None, None, stride))
    center = _center(sample) if fit_intercept else np.zeros(p)
    theta = np.zeros(p + fit_intercept)
    if start is not None:
        theta[:p] = start[0][0]
        if fit_intercept:
            theta[p] = float(start[1][0]) + float(center @ theta[:p])
    problem = NewtonProblem(MemorySource(table), center, l2=l2, fit_intercept=fit_intercept)
    if start is None and sample is not table:
        theta = start_from_sample(sample, problem, theta, stride)
    aim = to_rounding(table.n_rows, problem.size)
    return solve_newton(problem, theta, tol=tol, max_iter=max_iter, watch=watch, aim=aim)


def sample_stride(n_rows: int, n_columns: int) -> int:
    """One row in so many makes the sample from which a long fit starts; it pays from 4 on."""
    return max(n_rows // max(SAMPLE_ROWS // 4, 20 * n_columns), 1)


def start_from_sample(sample: Table, problem: NewtonProblem, theta: Array, stride: float) -> Array:
    """The answer for one row in `stride`, nearly, if it has one; else `theta`."""
    l2, intercept = problem.l2 / stride, problem.fit_intercept
    rough = NewtonProblem(MemorySource(sample), problem.center, l2=l2, fit_intercept=intercept)
    solution = solve_newton(rough, theta, tol=1e-4, max_iter=20)
    if solution.diverging or not np.isfinite(solution.certificate.primal):
        return theta
    coef = solution.coef[0]
    shifted = solution.intercept[0] + float(problem.center @ coef)
    return np.append(coef, shifted)[: problem.size]


def _center(table: Table) -> Array:
    """Means of the columns, or near enough: they only keep digits."""
    if table.is_sparse:
        return np.zeros(table.n_features)
    return np.asarray(table.x.mean(axis=0, dtype=np.float64))


# --- passes ---------------------------------------------------------------------------------------


def _by_passes(
    problem: LogisticProblem,
    theta: Array,
    name: str,
    tol: float,
    max_iter: int,
    polish: bool,
    watch: bool,
) -> LogisticSolution:
    limits = {"tol": tol, "max_iter": max_iter, "watch": watch}
    if name == "newton-cholesky":
        exact = HessianPreconditioner(problem)
        aim = to_rounding(problem.n_rows, problem.size)
        solution = solve_newton_cg(problem, exact, theta, aim=aim, **limits)  # type: ignore[arg-type]
        solution = replace(solution, solver=name)
    elif name == "newton-cg":
        solution = solve_newton_cg(problem, _preconditioner(problem), theta, **limits)  # type: ignore[arg-type]
    else:
        own = _preconditioner(problem)
        solution = solve_lbfgs(problem, own, theta, polish=polish, **limits)  # type: ignore[arg-type]
    if problem.l2 == 0.0 and problem.size <= INFORMATION_SIZE:
        return replace(solution, information=information_at(problem, solution))
    return solution


def information_at(problem: LogisticProblem, solution: LogisticSolution) -> Information:
    """The Hessian of the loss at a solution, by equations; several classes less the first."""
    k, q = problem.n_outputs, problem.n_columns + problem.fit_intercept
    point = problem.at(problem.start(solution.coef, solution.intercept))
    blocks = problem.hessian(point).reshape(q, k, q, k).transpose(1, 0, 3, 2)
    first = 0 if k == 1 else 1
    chosen = blocks[first:, :, first:, :]
    size = (k - first) * q
    return Information(np.ascontiguousarray(chosen).reshape(size, size), problem.center)


def _preconditioner(problem: LogisticProblem) -> Preconditioner:
    from stylobate import _core

    few = problem.n_columns <= min(GRAM_COLUMNS, problem.n_rows)
    if problem.is_sparse or not few:
        return DiagonalPreconditioner(problem)
    _, weight, mean, gram = _core.moments(problem.x, None, problem.weights)
    shift = mean - problem.center  # without an intercept the columns are not centred
    return KroneckerPreconditioner(problem, gram + weight * np.outer(shift, shift))


def _in_row_space(
    x: NDArray[Any],
    codes: NDArray[np.int64],
    n_classes: int,
    weights: Array | None,
    l2: float,
    fit_intercept: bool,
    tol: float,
    max_iter: int,
) -> LogisticSolution:
    """Solve with as many columns as rows, then prove the answer with the columns themselves."""
    settings = {"l2": l2, "fit_intercept": fit_intercept}
    problem = LogisticProblem(x, codes, n_classes, weights, **settings)  # type: ignore[arg-type]
    space = RowSpace.of(x, problem.center)
    small = LogisticProblem(space.design, codes, n_classes, weights, **settings)  # type: ignore[arg-type]
    inner = solve_newton_cg(
        small, DiagonalPreconditioner(small), np.zeros(small.size), tol=0.5 * tol, max_iter=max_iter
    )
    coef = space.columns(inner.coef, x, problem.center)
    theta = problem.start(coef, inner.intercept - coef @ problem.center)
    own = DiagonalPreconditioner(problem)
    rest = max(max_iter - inner.iterations, 1)
    solution = solve_newton_cg(problem, own, theta, tol=tol, max_iter=rest)
    return replace(
        solution,
        trace=inner.trace,
        iterations=inner.iterations + solution.iterations,
        solver="newton-cg",
    )
