"""The answer of a small dual made exact, on the kernel matrix that solved it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.svm.duals.duality import DualProblem, may_fall, may_rise, optimality
from stylobate.svm.duals.pair_solver import FEW_FREE, Descent, descend_pairs, newton_step

MOST_ROWS = 1000  # beyond, the tolerance asked for is what is given
_ROUNDS = 3
_SHARPER = 1e-2  # what each round asks of the pairs that find the free variables
_STEPS = 2  # the second corrects the first where the system is nearly singular
_SUMS = 1e-13  # by which sums may miss their totals, relative to the sizes of what is summed
_EXACT = 1e-11  # violations that count as rounding


def polish(
    matrix: NDArray[Any],
    diagonal: Array,
    problem: DualProblem,
    beta: Array,
    residual: Array,
    *,
    tol: float,
    went: Descent,
) -> Descent:
    """A few more pairs, then Newton's step if few variables are free; in place.

    An answer within a tolerance depends on the order of steps, and so on whether rows came dense
    or sparse; the optimum does not.
    """
    done, left = went.iterations, 2 * went.iterations + 10 * problem.size
    for turn in range(_ROUNDS):
        if free_count(problem, beta) > FEW_FREE or left <= 0:
            break
        sharper = tol * _SHARPER ** (turn + 1)
        part = descend_pairs(matrix, diagonal, problem, beta, residual, sharper, left)
        done, left = done + part.iterations, left - part.iterations
        if part.end == 2 or _exact(matrix, problem, beta, residual):
            break
    return went._replace(iterations=done)


def free_count(problem: DualProblem, beta: Array) -> int:
    """Variables strictly between their bounds."""
    return int((may_rise(problem, beta) & may_fall(problem, beta)).sum())


def _exact(matrix: NDArray[Any], problem: DualProblem, beta: Array, residual: Array) -> bool:
    """Newton's steps on the free variables, kept if they leave no violation."""
    moved, left = beta.copy(), residual.copy()
    for _ in range(_STEPS):
        if not newton_step(matrix, problem, moved, left):
            return False
        scale = max(1.0, float(np.abs(problem.target).max()), float(np.abs(left).max()))
        if optimality(problem, moved, left).violation <= _EXACT * scale:
            break
    else:
        return False
    sums = np.bincount(problem.group, weights=moved, minlength=len(problem.totals))
    if np.abs(sums - problem.totals).max() > _SUMS * np.abs(moved).sum():
        return False
    beta[:], residual[:] = moved, left
    return True
