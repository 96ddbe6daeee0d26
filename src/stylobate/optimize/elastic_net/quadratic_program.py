"""The elastic net as a quadratic program, by an interior-point method."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.conic.quadratic import quadratic_program
from stylobate.optimize.elastic_net.iteration import Task, solve_each
from stylobate.optimize.elastic_net.problem import ElasticNetProblem
from stylobate.optimize.elastic_net.smooth import FromRows
from stylobate.optimize.elastic_net.solution import ElasticNetSolution


def solve_quadratic_program(problem: ElasticNetProblem) -> ElasticNetSolution:
    r"""Min ½wᵀ(XᵀX + l₂I)w − wᵀXᵀy + l₁1ᵀt subject to −t ≤ w ≤ t, by `quadratic_program`.

    Without a Gram (more columns than rows) the residual becomes a variable of its own. The interior
    point leaves coefficients a trifle off zero; where the objective agrees they are set to zero.

    References
    ----------
    Goulart & Chen (2024), Clarabel: an interior-point solver for conic programs with quadratic
    objectives, arXiv:2405.12762.
    """
    return solve_each(replace(problem, max_iter=1), lambda task: iter([(_solve(task), 1.0)]))


def _solve(task: Task) -> Array:
    from scipy import sparse

    p = len(task.start)
    hessian, linear, equalities, right = _quadratic(task)
    n_more = hessian.shape[0] - p
    none = sparse.csc_array((p, n_more))
    eye = sparse.eye_array(p)
    sides: list[list[Any]] = [[-eye, none, -eye], [eye, none, -eye]]
    if task.positive:
        sides[0] = [-eye, none, sparse.csc_array((p, p))]
    if equalities is not None:
        equalities = sparse.hstack([equalities, sparse.csc_array((len(right), p))])
    found = quadratic_program(
        sparse.block_diag([hessian, sparse.csc_array((p, p))]),
        np.concatenate([linear, np.full(p, task.l1)]),
        sparse.vstack([sparse.hstack(side) for side in sides]),
        np.zeros(2 * p),
        equalities,
        None if equalities is None else right,
        tol=1e-12,
    )
    assert found.x is not None  # a lasso has a minimum
    return _clean(task, found.x[:p])


def _quadratic(task: Task) -> tuple[Any, Array, Any, Array]:
    """Hessian and linear term in (w, residual), and the rows that define the residual."""
    from scipy import sparse

    smooth, p = task.smooth, len(task.start)
    if not isinstance(smooth, FromRows):
        assert smooth.gram is not None
        gram = sparse.csc_array(smooth.gram + task.l2 * np.eye(p))
        return gram, -smooth.products, None, np.zeros(0)
    root = np.sqrt(smooth.weights)
    dense = smooth.x.toarray() if hasattr(smooth.x, "toarray") else smooth.x
    x = root[:, None] * (np.asarray(dense) - smooth.x_mean)
    n = len(x)
    hessian = sparse.block_diag([task.l2 * sparse.eye_array(p), sparse.eye_array(n)])
    equalities = sparse.hstack([sparse.csc_array(x), sparse.eye_array(n)])
    return hessian, np.zeros(p + n), equalities, root * smooth.y


def _clean(task: Task, w: Array) -> Array:
    """W with entries set to zero whose correlation says that they are, if the objective agrees."""
    c, _ = task.smooth.correlations(w)
    slack = c - task.l2 * w
    clean = np.where((slack if task.positive else np.abs(slack)) < task.l1 * (1 - 1e-6), 0.0, w)
    if task.positive:
        clean = np.maximum(clean, 0.0)
    return clean if task.prove(clean).primal <= task.prove(w).primal * (1 + 1e-12) else w
