"""Projected gradient on w = u − v, u ≥ 0, v ≥ 0."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.elastic_net.iteration import Task, run
from stylobate.optimize.elastic_net.problem import Problem
from stylobate.optimize.elastic_net.proximal import first_step
from stylobate.optimize.elastic_net.solution import ElasticNetSolution

Array = NDArray[np.float64]


def solve_projected(problem: Problem) -> ElasticNetSolution:
    """The lasso as a smooth problem over the positive orthant, by projected gradient steps.

    The positive and the negative parts of w are two sets of variables whose sum is penalised; a
    gradient step is projected by setting negative entries to zero. Steps are Barzilai and
    Borwein's, safeguarded so that the objective falls.

    References
    ----------
    Figueiredo, Nowak & Wright (2007), Gradient projection for sparse reconstruction, IEEE J. Sel.
    Topics Signal Process. 1.
    """
    return run(problem, _steps)


def _value(task: Task, u: Array, v: Array) -> tuple[float, Array]:
    """The objective of (u, v), and the gradient of its smooth part in w."""
    w = u - v
    c, squares = task.smooth.correlations(w)
    value = 0.5 * squares + task.l1 * float(u.sum() + v.sum()) + 0.5 * task.l2 * float(w @ w)
    return value, task.l2 * w - c


def _steps(task: Task) -> Iterator[tuple[Array, float]]:
    u, v = np.maximum(task.start, 0.0), np.maximum(-task.start, 0.0)
    if task.positive:
        v = np.zeros_like(v)
    value, gradient = _value(task, u, v)
    step = first_step(task)
    while True:
        while True:
            new_u = np.maximum(u - step * (gradient + task.l1), 0.0)
            new_v = v if task.positive else np.maximum(v - step * (task.l1 - gradient), 0.0)
            common = np.minimum(new_u, new_v)  # both parts at once only cost penalty
            new_u, new_v = new_u - common, new_v - common
            new_value, new_gradient = _value(task, new_u, new_v)
            if new_value <= value * (1.0 + 1e-15) or step < 1e-300:
                break
            step *= 0.5
        change = (new_u - new_v) - (u - v)
        bend = float(change @ (new_gradient - gradient))
        used = step
        if bend > 0.0:
            step = float(change @ change) / bend
        u, v, value, gradient = new_u, new_v, new_value, new_gradient
        yield u - v, used
