"""Newton's direction −H⁻¹g, for definite, singular and indefinite H."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Generic, Protocol, TypeVar

import numpy as np

from stylobate.arrays import Array
from stylobate.interrupts import interruptible
from stylobate.optimize.descent import Evaluated
from stylobate.optimize.least_squares.quadratic import CholeskyFactor, pseudo_inverse
from stylobate.optimize.state import norm
from stylobate.parallel import one_blas_thread

FEW_COLUMNS = 256  # a factorisation of these takes one thread's milliseconds
SMALLEST = 1e-10  # share of the largest curvature below which a direction counts as flat
CONSISTENT = 1e-8  # of the gradient: what a step of least norm may leave of it


class HasHessian(Evaluated, Protocol):
    """A point whose second derivatives are known."""

    @property
    def hessian(self) -> Array: ...


H = TypeVar("H", bound=HasHessian)


class NewtonDirection(Generic[H]):
    """d = −H⁻¹g, and what was found out about H on the way.

    Parameters
    ----------
    solve : callable
        A point → H⁻¹g, the condition and the rank of H.

    Attributes
    ----------
    condition : float
    rank : int
        Of the last H.
    """

    def __init__(self, solve: Callable[[H], tuple[Array, float, int]]) -> None:
        self._solve = solve
        self.condition, self.rank = 1.0, 0

    def __call__(self, point: H) -> Array:
        solved, self.condition, self.rank = self._solve(point)
        return -solved


def solve_hessian(hessian: Array, gradient: Array, n_rows: int) -> tuple[Array, float, int]:
    """H⁻¹g (of least norm if H is singular), the condition and the rank of H.

    The condition is that of H with unit diagonal; `n_rows` are those H is a sum over.
    """
    k = len(gradient)
    with one_blas_thread():
        factor = CholeskyFactor.of(hessian)
        if factor is not None:
            return factor.solve(gradient[:, None])[:, 0], factor.condition, k
    with one_blas_thread() if k <= FEW_COLUMNS else nullcontext():
        inverse, rank, condition = pseudo_inverse(hessian, n_rows)
    return inverse @ gradient, condition, rank


def solve_modified(hessian: Array, gradient: Array) -> tuple[Array, float, int]:
    """|H|⁻¹g for an H of any sign, and its condition and rank.

    As `solve_hessian` where that solves Hs = g. Otherwise the function bends down or falls along a
    flat direction: eigenvalues are replaced by their absolute values, those near zero by a small
    number, so that the step still descends and leaves saddle points.

    References
    ----------
    Nocedal & Wright (2006), Numerical Optimization, chapter 3; Dauphin et al. (2014), Identifying
    and attacking the saddle point problem, for the absolute values.
    """
    n = len(gradient)
    solved, condition, rank = solve_hessian(hessian, gradient, n)
    if rank == n or norm(hessian @ solved - gradient) <= CONSISTENT * norm(gradient):
        return solved, condition, rank
    values, vectors = interruptible(np.linalg.eigh, hessian)
    sizes = np.abs(values)
    largest = float(sizes.max(initial=0.0))
    # without any curvature this is a step along the gradient
    sizes = np.maximum(sizes, SMALLEST * largest) if largest > 0.0 else np.ones(n)
    return np.asarray(vectors @ ((vectors.T @ gradient) / sizes)), condition, rank
