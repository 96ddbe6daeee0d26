"""Proximal gradient: ISTA, and FISTA, its accelerated form."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.elastic_net.iteration import Task, run
from stylobate.optimize.elastic_net.problem import Problem
from stylobate.optimize.elastic_net.solution import ElasticNetSolution

Array = NDArray[np.float64]


def solve_ista(problem: Problem) -> ElasticNetSolution:
    r"""Gradient step, then soft threshold: :math:`w \leftarrow S_{\lambda t}(w + t X^\top r)`.

    References
    ----------
    Daubechies, Defrise & De Mol (2004), An iterative thresholding algorithm for linear inverse
    problems with a sparsity constraint, Comm. Pure Appl. Math. 57.
    """
    return run(problem, _ista)


def solve_fista(problem: Problem) -> ElasticNetSolution:
    """ISTA with momentum, restarted whenever the momentum points uphill.

    References
    ----------
    Beck & Teboulle (2009), A fast iterative shrinkage-thresholding algorithm for linear inverse
    problems, SIAM J. Imaging Sciences 2; O'Donoghue & Candès (2015), Adaptive restart for
    accelerated gradient schemes, Found. Comput. Math. 15.
    """
    return run(problem, accelerate)


def _ista(task: Task) -> Iterator[tuple[Array, float]]:
    w, step = task.start, first_step(task)
    while True:
        w, step = proximal_step(task, w, step)
        yield w, step


def accelerate(task: Task) -> Iterator[tuple[Array, float]]:
    """The steps of FISTA on any task with a proximal point."""
    w, step, momentum = task.start, first_step(task), 1.0
    ahead = w
    while True:
        new, step = proximal_step(task, ahead, step)
        if (ahead - new) @ (new - w) > 0.0:  # the momentum points uphill
            momentum, ahead = 1.0, w
            new, step = proximal_step(task, w, step)
        grown = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * momentum**2))
        ahead = new + (momentum - 1.0) / grown * (new - w)
        w, momentum = new, grown
        yield w, step


def first_step(task: Task) -> float:
    """One over the curvature along Xᵀy: never too short, and shortened where too long."""
    direction = task.smooth.products
    length = float(direction @ direction)
    if length == 0.0:
        return 1.0
    c, _ = task.smooth.correlations(direction)
    curvature = float(direction @ (task.smooth.products - c)) / length
    return 1.0 / curvature if curvature > 0.0 else 1.0


def proximal_step(task: Task, w: Array, step: float) -> tuple[Array, float]:
    """prox(w + step·Xᵀr), halving the step until the quadratic bound it stands for holds."""
    c, squares = task.smooth.correlations(w)
    while True:
        new = task.prox(w + step * c, step)
        change = new - w
        _, reached = task.smooth.correlations(new)
        bound = squares - 2.0 * float(c @ change) + float(change @ change) / step
        if reached <= bound + 1e-12 * (squares + reached) or step < 1e-300:
            return new, step
        step *= 0.5
