"""Alternating fits of two non-negative factors: coordinate descent and multiplicative updates."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.decomposition.nonnegative.problem import FLOOR, FactorizationProblem, Penalty
from stylobate.decomposition.nonnegative.table import Sweep
from stylobate.parallel import one_blas_thread

_EPS = float(np.finfo(np.float64).eps)
_CHECK_EVERY = 10  # multiplicative steps between looks at the loss


@dataclass(frozen=True, slots=True)
class Alternation:
    """How long to alternate: ``tol``, ``max_iter``, whether F moves too, and what to print."""

    tol: float
    max_iter: int
    update_f: bool = True
    verbose: int = 0


def coordinate_descent(
    problem: FactorizationProblem,
    w: Array,
    f: Array,
    how: Alternation,
    shuffle: np.random.RandomState | None,
) -> int:
    """Sweeps over the rows of W, then of F, in place, until the projected gradients have shrunk.

    With the Gram of one factor at hand the rows of the other are problems of their own, so they
    are solved side by side, each coordinate at a time (HALS). Returns the number of iterations.

    References
    ----------
    Cichocki & Phan (2009), Fast local algorithms for large scale nonnegative matrix and tensor
    factorizations, IEICE Transactions E92-A.
    """
    k, table = w.shape[1], problem.table
    fixed = None if how.update_f else (f.T @ f, table.row_products(f))
    first = 0.0
    # a start at the solution: its gradients are rounding, and will not shrink
    rounding = 0.0
    if how.tol > 0.0:
        rounding = (
            4.0 * _EPS * k * float((table.row_products(f) if fixed is None else fixed[1]).sum())
        )

    def drawn(penalty: Penalty) -> Sweep:
        order = np.arange(k) if shuffle is None else shuffle.permutation(k)
        return Sweep(penalty.l1, penalty.l2, order.astype(np.int64, copy=False))

    with one_blas_thread():
        for iteration in range(1, how.max_iter + 1):
            if fixed is None:
                violation = table.sweep(w, f, drawn(problem.of_w), drawn(problem.of_f))
            else:
                gram, cross = fixed
                violation = _core.coordinate_sweep(w, gram, cross, *drawn(problem.of_w))
            if iteration == 1:
                first = violation
            if how.verbose and first:
                print("violation:", violation / first)
            if violation <= max(how.tol * first, rounding):
                if how.verbose and first:
                    print("Converged at iteration", iteration + 1)
                return iteration
    return how.max_iter


def multiplicative_updates(
    problem: FactorizationProblem, w: Array, f: Array, how: Alternation
) -> int:
    """Steps W ← W ∘ (up / down)^γ and the same of F, in place; the loss never grows.

    Looks at the loss every ten iterations. Returns the number of iterations.

    References
    ----------
    Févotte & Idier (2011), Algorithms for nonnegative matrix factorization with the β-divergence,
    Neural Computation 23.
    """
    begin = perf_counter()
    first = previous = problem.error(w, f)
    iteration = 0
    with one_blas_thread():
        for iteration in range(1, how.max_iter + 1):
            multiply(w, *problem.row_parts(w, f), problem.gamma)
            clear_tiny(w, problem.beta < 1.0)
            if how.update_f:
                multiply(f, *problem.column_parts(w, f), problem.gamma)
                clear_tiny(f, problem.beta <= 1.0)
            if how.tol > 0.0 and iteration % _CHECK_EVERY == 0:
                error = problem.error(w, f)
                _tell(how, iteration, begin, f", error: {error:f}")
                if previous - error < how.tol * first or first == 0.0:
                    return iteration
                previous = error
    if how.tol == 0.0 or iteration % _CHECK_EVERY:
        _tell(how, iteration, begin, ".")
    return iteration


def multiply(factor: Array, up: Array, down: Array, gamma: float) -> None:
    """One multiplicative step, in place.

    >>> import numpy as np
    >>> w = np.array([[2.0]])
    >>> multiply(w, np.array([[3.0]]), np.array([[1.0]]), 1.0)
    >>> w
    array([[6.]])
    """
    ratio = up / np.where(down == 0.0, FLOOR, down)
    factor *= ratio if gamma == 1.0 else ratio**gamma


def clear_tiny(factor: Array, wanted: bool) -> None:
    """Set what is below rounding to zero, which keeps steps with β ≤ 1 finite."""
    if wanted:
        factor[factor < _EPS] = 0.0


def _tell(how: Alternation, iteration: int, begin: float, rest: str) -> None:
    if how.verbose:
        seconds = perf_counter() - begin
        print(f"Epoch {iteration:02d} reached after {seconds:.3f} seconds{rest}")
