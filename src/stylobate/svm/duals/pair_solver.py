"""A dual problem whose kernel matrix is at hand: pairs of variables, polished by Newton steps."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.optimize.blocked_cholesky import upper_factor
from stylobate.parallel import blas_for, one_blas_thread
from stylobate.svm.duals.duality import DualProblem

ROUNDING = 1e-14  # of the residuals: no tolerance below it can be met
STALLED = 0.99  # of the violation left after a batch
MOST_BATCHES = 100  # after which a batch must make progress
FEW_FREE = 200  # whose linear system costs no more than the pairs did
SINGULAR = 1e-10  # of the largest entry, added to the diagonal
SURELY_ALONE = 40  # variables for whose system a BLAS starts no threads
LEAST_BATCH = 20_000  # iterations of pair descent before a Newton step is tried
STEPS_OF_A_PAIR = 64  # of a factor, f³ of f free variables, for each variable a pair looks at


class Descent(NamedTuple):
    """How a descent went: iterations, what was left, negative curvatures, how it ended."""

    iterations: int
    violation: float
    clipped: bool
    end: int  # 0 converged, 1 out of iterations, 2 the objective falls without end


def descend(
    matrix: NDArray[Any],
    diagonal: Array,
    problem: DualProblem,
    beta: Array,
    residual: Array,
    *,
    tol: float,
    max_iter: int = -1,
) -> Descent:
    """Solve from a feasible β to a violation of `tol`; β and its residuals change in place.

    Pairs converge linearly, slowly where K is ill-conditioned: Newton steps on the free variables
    are taken between batches of pairs that cost as much as the step.
    """
    done, clipped, before, since = 0, False, np.inf, 0
    tol = max(tol, ROUNDING * float(np.abs(residual).max(initial=0.0)))
    batch = max(LEAST_BATCH, 10 * problem.size)
    while True:
        allowed = batch if max_iter < 0 else min(batch, max_iter - done)
        part = descend_pairs(matrix, diagonal, problem, beta, residual, tol, allowed)
        done, clipped = done + part.iterations, clipped or part.clipped
        stalled = part.violation > STALLED * before and (done > MOST_BATCHES * batch or clipped)
        if part.end != 1 or 0 <= max_iter <= done or stalled:
            return Descent(done, part.violation, clipped, part.end)
        before, since = part.violation, since + part.iterations
        if not clipped and since >= _price(problem, beta):
            newton_step(matrix, problem, beta, residual)
            since = 0


def _price(problem: DualProblem, beta: Array) -> int:
    """Pairs that take as long as the factor of a Newton step."""
    free = int(((beta > problem.lower) & (beta < problem.upper)).sum())
    return int(free**3 // (STEPS_OF_A_PAIR * problem.size))


def descend_pairs(
    matrix: NDArray[Any],
    diagonal: Array,
    problem: DualProblem,
    beta: Array,
    residual: Array,
    tol: float,
    max_iter: int,
) -> Descent:
    """Pairs of variables alone, in place."""
    return Descent(
        *_core.descend_pairs(
            matrix,
            diagonal,
            problem.target,
            problem.lower,
            problem.upper,
            tol,
            max_iter,
            beta,
            residual,
            rows_of(problem, len(matrix)),
            groups_of(problem),
        )
    )


def rows_of(problem: DualProblem, n: int) -> NDArray[np.int64] | None:
    """The variables' rows for the core: None where variable i has row i."""
    plain = problem.size == n and bool((problem.rows == np.arange(n)).all())
    return None if plain else problem.rows


def groups_of(problem: DualProblem) -> NDArray[np.uint8] | None:
    """The variables' groups for the core: None for one group."""
    return problem.group if len(problem.totals) > 1 else None


def newton_step(matrix: NDArray[Any], problem: DualProblem, beta: Array, residual: Array) -> bool:
    """Go to the optimum over the free variables, or to the first bound on the way; in place."""
    free = np.flatnonzero((beta > problem.lower) & (beta < problem.upper))
    if len(free) < 2:
        return False
    places = problem.rows[free]
    sums = (problem.group[free] == np.arange(len(problem.totals))[:, None]).astype(np.float64)
    sums = sums[sums.any(axis=1)]
    direction = None
    if len(free) <= FEW_FREE:
        with blas_for(len(free)) if len(free) > SURELY_ALONE else nullcontext():
            direction = _bordered(_part(matrix, places), residual[free], sums)
    if direction is None:
        direction = _factored(matrix, places, residual[free], sums)
    if direction is None:
        return False
    ends = np.where(direction > 0.0, problem.upper[free], problem.lower[free])
    moves = direction != 0.0
    with np.errstate(over="ignore"):
        room = (ends[moves] - beta[free][moves]) / direction[moves]
    size = min(1.0, float(room.min(initial=1.0)))
    change = size * direction
    beta[free] = np.clip(beta[free] + change, problem.lower[free], problem.upper[free])
    if size < 1.0:
        hit = free[moves][room <= size]
        beta[hit] = ends[moves][room <= size]
    scores = np.einsum("i,ij->j", change.astype(matrix.dtype), matrix[places])
    residual -= scores[problem.rows]
    return True


def _bordered(inner: Array, residual: Array, sums: Array) -> Array | None:
    """The step from one system with the sums' multipliers; a singular K is made slightly larger."""
    size, extra = len(inner), len(sums)
    system = np.zeros((size + extra, size + extra))
    system[:size, :size], system[:size, size:], system[size:, :size] = inner, sums.T, sums
    system.reshape(-1)[: size * (size + extra) : size + extra + 1] += SINGULAR * np.abs(inner).max()
    right = np.concatenate([residual, np.zeros(extra)])
    try:
        solved = np.linalg.solve(system, right)
    except np.linalg.LinAlgError:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        wrong = float(np.abs(system @ solved - right).max())
    step: Array = solved[:size]
    step -= sums.T @ (sums @ step / sums.sum(axis=1))  # the sums are kept exactly
    solves = wrong <= 1e-12 * float(np.abs(right).max() + np.abs(solved).max())
    return step if solves and float(step @ residual) > 0.0 else None


def _part(matrix: NDArray[Any], places: NDArray[np.int64]) -> Array:
    return matrix[np.ix_(places, places)].astype(np.float64, copy=False)


def _factored(
    matrix: NDArray[Any], places: NDArray[np.int64], residual: Array, sums: Array
) -> Array | None:
    """The step by Cholesky's factor, of a slightly larger K where it has none.

    The factor takes the place of the part of K, which is read again where there is none: of
    thousands of free variables a second copy would be as large as what the search may hold.
    """
    from scipy.linalg.lapack import dpotrs

    for jitter in (0.0, SINGULAR):
        inner = _part(matrix, places)
        size = float(np.abs(np.diagonal(inner)).max())
        factor = upper_factor(inner.T, jitter * size, overwrite=True)
        if factor is None:
            continue
        with one_blas_thread():
            solved = dpotrs(factor, np.column_stack([residual, *sums]), lower=0)[0]
            plain, ones = solved[:, 0], solved[:, 1:]
            offsets = np.linalg.solve(sums @ ones, sums @ plain)
            step: Array = plain - ones @ offsets
        return step if np.isfinite(step).all() else None
    return None
