"""The subgradient method."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.elastic_net.iteration import Task, run
from stylobate.optimize.elastic_net.problem import Problem
from stylobate.optimize.elastic_net.proof import prove
from stylobate.optimize.elastic_net.solution import ElasticNetSolution

Array = NDArray[np.float64]

_PATIENCE = 20  # steps without progress after which the hope for each step is halved


def solve_subgradient(problem: Problem) -> ElasticNetSolution:
    """Steps along the smallest subgradient, of Polyak's length.

    Polyak's step needs the optimal value. In its place stands the best value so far less a hope,
    halved whenever steps bring no progress, and never below the best dual bound. The objective may
    rise in a step: the best coefficients seen are kept. The method is here to be compared with: the
    others need far fewer iterations, and set coefficients to zero exactly.

    References
    ----------
    Polyak (1969), Minimization of unsmooth functionals, USSR Comput. Math. Math. Phys. 9; Nedić &
    Bertsekas (2001), Incremental subgradient methods for nondifferentiable optimization, SIAM J.
    Optim. 12.
    """
    return run(problem, _steps)


def _steps(task: Task) -> Iterator[tuple[Array, float]]:
    w = best_w = task.start
    best, bound, hope, idle = np.inf, -np.inf, np.inf, 0
    while True:
        c, squares = task.smooth.correlations(w)
        proof = prove(w, c, squares, l1=task.l1, l2=task.l2, positive=task.positive)
        bound = max(bound, proof.primal - proof.gap)
        hope = min(hope, proof.primal - bound)
        if proof.primal < best - 0.1 * hope or not np.isfinite(best):
            idle = 0
        else:
            idle += 1
        if proof.primal < best:
            best, best_w = proof.primal, w
        if idle > _PATIENCE:
            idle, hope, w = 0, 0.5 * hope, best_w
            continue
        g = _smallest_subgradient(w, task.l2 * w - c, task.l1, positive=task.positive)
        length = float(g @ g)
        step = (proof.primal - max(best - hope, bound)) / length if length > 0.0 else 0.0
        w = w - step * g
        if task.positive:
            w = np.maximum(w, 0.0)
        yield w, step


def _smallest_subgradient(w: Array, gradient: Array, l1: float, *, positive: bool) -> Array:
    """The shortest vector in gradient + l1·∂‖w‖₁ (and the cone of w ≥ 0)."""
    at_zero = np.sign(gradient) * np.maximum(np.abs(gradient) - l1, 0.0)
    if positive:
        at_zero = np.minimum(gradient + l1, 0.0)
    return np.where(w == 0.0, at_zero, gradient + l1 * np.sign(w))
