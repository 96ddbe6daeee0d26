"""Proximal gradient for the elastic net: ISTA, and FISTA, its accelerated form."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.elastic_net.iteration import Task, run
from stylobate.optimize.elastic_net.problem import Problem
from stylobate.optimize.elastic_net.solution import ElasticNetSolution
from stylobate.optimize.proximal import accelerated_steps, proximal_steps

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
    for w, _, step in proximal_steps(task, task.start, first_step(task)):
        yield w, step


def accelerate(task: Task) -> Iterator[tuple[Array, float]]:
    """The steps of FISTA on any task with a proximal point."""
    for w, _, step in accelerated_steps(task, task.start, first_step(task)):
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
