"""The dual of kernel support vector machines: classification, regression, one class, ν or not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.kernels import Kernel
from stylobate.svm.duals.duality import DualProblem, Optimality, feasible_start
from stylobate.svm.duals.pair_solver import Descent, descend, descend_pairs, groups_of, rows_of
from stylobate.svm.duals.polish import MOST_ROWS, polish
from stylobate.svm.duals.quarter_start import quarter_start
from stylobate.svm.duals.working_sets import (
    Limits,
    Search,
    scores_of,
    search_by_sets,
    sharper_tolerance,
)
from stylobate.svm.kernel_matrix.definiteness import is_semidefinite
from stylobate.svm.kernel_matrix.kernel_source import KernelSource, kernel_source, optimality_of

__all__ = ["DualProblem", "DualSolution", "solve_dual"]

Method = Literal["auto", "newton", "block", "smo"]
PAIRS_ALONE = 1000  # rows up to which pairs on the whole matrix are quickest
GAP_EFFORT = 4  # times the pairs that met the tolerance, which are cheap on a stored matrix
METHODS = "auto", "newton", "block", "smo"
INDEFINITE = "; the kernel is not positive semidefinite: a stationary point, no proven optimum"
UNKNOWN = "; whether the kernel is positive semidefinite was looked at for a part of the rows only"


@dataclass(frozen=True)
class DualSolution:
    r"""The solution of a `DualProblem`, with what proves it.

    Parameters
    ----------
    beta : array of shape (m,)
        The variables.
    scores : array of shape (n,)
        :math:`K\beta` on the rows, without offsets.
    offsets : array, one for each group
        The multiplier of the group's sum: a decision is its score plus the offset.
    n_iter : int
        Pairs of variables moved.
    objective : float
        The dual value :math:`t^T\beta - \tfrac12\beta^TK\beta`: a lower bound of the primal.
    gap : float
        Primal minus dual value at β and the offsets.
    relative_gap : float
        The gap relative to the values, or to their rounding if they are smaller.
    violation : float
        The worst violation of the optimality conditions, which `tol` limits.
    converged : bool
    method : str
        The method that was used.
    reason : str
        Why it ended, and what is odd about the kernel.
    definite : bool or None
        False where the kernel was seen not to be positive semidefinite, or says so of itself: the
        dual value is then no bound of anything. None where only a part of a large matrix was
        looked at: nothing is wrong there, nothing is proved of the whole.
    """

    beta: Array
    scores: Array
    offsets: Array
    n_iter: int
    objective: float
    gap: float
    relative_gap: float
    violation: float
    converged: bool
    method: str
    reason: str
    definite: bool | None = True


def solve_dual(
    kernel: Any,
    X: Any,
    problem: DualProblem,
    *,
    tol: float = 1e-3,
    max_iter: int = -1,
    cache_size: float = 200.0,
    method: Method = "auto",
    start: Array | None = None,
    mercer: bool | None = None,
) -> DualSolution:
    """Solve the dual problem of a support vector machine.

    Parameters
    ----------
    kernel : Kernel, str or callable
        As `as_kernel` takes it; ``"precomputed"``: X is the kernel matrix.
    X : points, n of them
    problem : DualProblem
    tol : float in (0, inf), default=1e-3
        Largest violation of the optimality conditions.
    max_iter : int, default=-1
        Limit of pairs moved; -1 for none.
    cache_size : float in (0, inf), default=200.0
        Megabytes of kernel values held at a time.
    method : {"auto", "newton", "block", "smo"}, default="auto"
        Pairs of variables on cached rows (smo), working sets (block), the same from the solution
        of a quarter of the rows (newton), or what is fastest. All give the same answer.
    start : array of shape (m,), default=None
        Variables to start from; they are moved into the bounds first.
    mercer : bool, default=None
        Whether the kernel is positive semidefinite; by default kernels say it of themselves, and a
        matrix that is given is looked at.

    Returns
    -------
    DualSolution

    Examples
    --------
    Two points, one on each side, with a linear kernel:

    >>> import numpy as np
    >>> from stylobate.kernels import Linear
    >>> y = np.array([-1.0, 1.0])
    >>> problem = DualProblem(
    ...     np.arange(2), y, np.minimum(0, 10 * y), np.maximum(0, 10 * y),
    ...     np.zeros(2, dtype=np.uint8), np.zeros(1),
    ... )
    >>> solution = solve_dual(Linear(), np.array([[-1.0], [1.0]]), problem)
    >>> solution.beta, solution.offsets
    (array([-0.5,  0.5]), array([0.]))
    """
    if method not in METHODS:
        raise InvalidParameterError(f"solve_dual: method must be one of {METHODS}, got {method!r}.")
    source = kernel_source(kernel, X)
    beta = feasible_start(problem, start)
    limits = Limits(tol, max_iter, int(cache_size * 1e6))
    small = source.n <= PAIRS_ALONE and 8 * source.n**2 <= limits.memory
    if method == "smo" or (method == "auto" and small):
        found = _by_pairs(source, problem, beta, limits)
    else:
        found = _by_sets(source, problem, beta, limits, method)
    if mercer is None and isinstance(kernel, Kernel):
        mercer = kernel.is_mercer
    if mercer is None and found.definite and isinstance(kernel, str):
        weights = problem.by_row(found.beta, source.n)
        return _looked_at(found, X, weights, limits.memory)
    return replace(found, definite=False) if mercer is False else found


def _looked_at(found: DualSolution, matrix: Any, weights: Array, memory: int) -> DualSolution:
    """The solution with what a look at the matrix says: pairs may have met no wrong curvature."""
    definite = is_semidefinite(np.asarray(matrix, dtype=np.float64), weights, memory)
    said = {True: "", False: INDEFINITE, None: UNKNOWN}[definite]
    return replace(found, definite=definite, reason=found.reason + said)


def _by_sets(
    source: KernelSource,
    problem: DualProblem,
    beta: Array,
    limits: Limits,
    method: Method,
) -> DualSolution:
    """Working sets, from a quarter of the rows where that is asked for."""
    search, used = None, "block"
    if method == "newton":
        search, used = quarter_start(source, problem, limits), "newton"
    if search is None:
        search, used = Search(source, problem, beta, scores_of(source, problem, beta)), "block"
    found = search_by_sets(search, limits)
    return finished(search.beta, search.scores, found, search.went, limits.tol, used)


def _by_pairs(
    source: KernelSource, problem: DualProblem, beta: Array, limits: Limits
) -> DualSolution:
    """Pairs on the whole matrix if it fits into the memory, else on cached rows."""
    if 8 * source.n**2 <= limits.memory:
        return _on_matrix(source, problem, beta, limits)
    residual = problem.target - scores_of(source, problem, beta, exact=True)[problem.rows]
    went = _by_cached_rows(source, problem, beta, residual, limits)
    scores = scores_of(source, problem, beta, exact=True)
    found = optimality_of(source, problem, beta, problem.target - scores[problem.rows])
    return finished(beta, scores, found, went, limits.tol, "smo")


def _on_matrix(
    source: KernelSource, problem: DualProblem, beta: Array, limits: Limits
) -> DualSolution:
    """Pairs on the stored matrix; where it is small the answer is the optimum up to rounding."""
    everyone = np.arange(source.n)
    matrix, diagonal = source.exact_block(everyone, everyone), source.diagonal
    residual = problem.target - _products(matrix, problem, beta)[problem.rows]
    went = descend(
        matrix, diagonal, problem, beta, residual, tol=limits.tol, max_iter=limits.max_iter
    )
    if went.end == 0 and limits.max_iter < 0 and source.n <= MOST_ROWS:
        went = polish(matrix, diagonal, problem, beta, residual, tol=limits.tol, went=went)
    scores = _products(matrix, problem, beta)
    found = optimality_of(source, problem, beta, problem.target - scores[problem.rows])
    most = went.iterations + GAP_EFFORT * (went.iterations + problem.size)
    while went.end == 0 and limits.max_iter < 0 and found.relative_gap > limits.relative_gap:
        left, sharper = most - went.iterations, sharper_tolerance(found, limits)
        residual = problem.target - scores[problem.rows]
        part = descend_pairs(matrix, diagonal, problem, beta, residual, sharper, left)
        if part.iterations == 0:
            break
        went = went._replace(iterations=went.iterations + part.iterations)
        scores = _products(matrix, problem, beta)
        found = optimality_of(source, problem, beta, problem.target - scores[problem.rows])
    return finished(beta, scores, found, went, limits.tol, "smo")


def _products(matrix: Array, problem: DualProblem, beta: Array) -> Array:
    if not beta.any():
        return np.zeros(len(matrix))
    by_row = problem.by_row(beta, len(matrix))  # threads of a BLAS would cost more than they save
    used = np.flatnonzero(by_row)
    if 2 * len(used) < len(matrix):  # rows for columns, as in the descent: K is symmetric
        return np.asarray(np.einsum("i,ij->j", by_row[used], matrix[used]), dtype=np.float64)
    return np.asarray(np.einsum("ij,j->i", matrix, by_row), dtype=np.float64)


def _by_cached_rows(
    source: KernelSource, problem: DualProblem, beta: Array, residual: Array, limits: Limits
) -> Descent:
    everyone = np.arange(source.n)
    return Descent(
        *_core.descend_pairs_computed(
            lambda some: source.exact_block(some, everyone),
            source.diagonal,
            limits.memory,
            problem.target,
            problem.lower,
            problem.upper,
            limits.tol,
            limits.max_iter,
            beta,
            residual,
            rows_of(problem, source.n),
            groups_of(problem),
        )
    )


def finished(
    beta: Array,
    scores: Array,
    found: Optimality,
    went: Descent,
    tol: float,
    method: str,
) -> DualSolution:
    """The solution with the words that fit it."""
    converged = went.end != 2 and found.violation <= tol * (1.0 + 1e-3) + 1e-10
    if went.end == 2:
        reason = "the dual has no maximum: without bounds the two sides cannot be separated"
    elif converged:
        reason = f"the optimality conditions hold within {tol:g}"
    else:
        reason = f"stopped after {went.iterations} pairs with a violation of {found.violation:.3g}"
    if went.clipped:
        reason += INDEFINITE
    return DualSolution(
        beta,
        scores,
        found.offsets,
        went.iterations,
        found.objective,
        found.gap,
        found.relative_gap,
        found.violation,
        converged,
        method,
        reason,
        not went.clipped,
    )
