"""Dual problems of support vector machines, written out, and their values by other means."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from stylobate.kernels import RBF
from stylobate.svm.duals.dual import DualProblem, DualSolution


def classification(y: Any, c: Any = 1.0) -> DualProblem:
    """C-SVC: one number or one for each row."""
    ends = np.asarray(y) * c
    n = len(ends)
    return DualProblem(
        np.arange(n),
        np.asarray(y, dtype=float),
        np.minimum(0.0, ends),
        np.maximum(0.0, ends),
        np.zeros(n, dtype=np.uint8),
        np.zeros(1),
    )


def regression(y: Any, c: Any = 1.0, epsilon: float = 0.1) -> DualProblem:
    """ε-SVR: two variables for each row."""
    n = len(y)
    none, all_ = np.zeros(n), np.full(n, c)
    return DualProblem(
        np.tile(np.arange(n), 2),
        np.concatenate([y - epsilon, y + epsilon]),
        np.concatenate([none, -all_]),
        np.concatenate([all_, none]),
        np.zeros(2 * n, dtype=np.uint8),
        np.zeros(1),
    )


def one_class(weight: Any, nu: float) -> DualProblem:
    """Coefficients between 0 and the weights that sum to ν Σw."""
    n = len(weight)
    return DualProblem(
        np.arange(n),
        np.zeros(n),
        np.zeros(n),
        np.asarray(weight, dtype=float),
        np.zeros(n, dtype=np.uint8),
        np.array([nu * np.sum(weight)]),
    )


def nu_classification(y: Any, nu: float, weight: Any = 1.0) -> DualProblem:
    """ν-SVC: each class has its own sum."""
    ends = np.asarray(y) * weight
    half = nu * np.abs(ends).sum() / 2
    return DualProblem(
        np.arange(len(ends)),
        np.zeros(len(ends)),
        np.minimum(0.0, ends),
        np.maximum(0.0, ends),
        (np.asarray(y) > 0).astype(np.uint8),
        np.array([-half, half]),
    )


def nu_regression(y: Any, nu: float, c: Any = 1.0) -> DualProblem:
    """ν-SVR: as regression with ε = 0, each side with its own sum."""
    plain = regression(y, c, 0.0)
    n = len(y)
    group = np.repeat(np.array([0, 1], dtype=np.uint8), n)
    half = nu * plain.upper.sum() / 2
    return DualProblem(
        plain.rows, plain.target, plain.lower, plain.upper, group, np.array([half, -half])
    )


def every_form(y: Any, target: Any) -> dict[str, DualProblem]:
    """One of each."""
    return {
        "classification": classification(y),
        "weighted": classification(y, np.linspace(0.1, 3.0, len(y))),
        "regression": regression(target),
        "one_class": one_class(np.ones(len(y)), 0.3),
        "nu_classification": nu_classification(y, 0.3),
        "nu_regression": nu_regression(target, 0.4),
    }


RNG = np.random.default_rng(5)
X = RNG.normal(size=(160, 4))
Y = np.where(X[:, 0] + X[:, 1] ** 2 + 0.5 * RNG.normal(size=160) > 1.0, 1.0, -1.0)
TARGET = np.sin(X[:, 0]) + 0.2 * RNG.normal(size=160)
FORMS = every_form(Y, TARGET)
KERNEL = RBF(gamma=0.3)
METHODS = "smo", "block", "newton"


def plain_gap(matrix: Any, problem: DualProblem, found: DualSolution) -> tuple[float, float]:
    """The dual value and primal − dual, written out."""
    full = matrix[np.ix_(problem.rows, problem.rows)]
    square = float(found.beta @ full @ found.beta)
    dual = float(problem.target @ found.beta) - 0.5 * square
    offsets = found.offsets[problem.group]
    left = problem.target - full @ found.beta - offsets
    loss = np.maximum(problem.upper * left, problem.lower * left).sum()
    return dual, 0.5 * square + loss + float(problem.totals @ found.offsets) - dual


def clarabel_value(matrix: Any, problem: DualProblem) -> float:
    """The dual value of an interior point method."""
    import clarabel

    m, groups = problem.size, len(problem.totals)
    sums = np.array([problem.group == g for g in range(groups)], dtype=float)
    rows = sparse.csc_matrix(np.vstack([sums, np.eye(m), -np.eye(m)]))
    right = np.concatenate([problem.totals, problem.upper, -problem.lower])
    cones = [clarabel.ZeroConeT(groups), clarabel.NonnegativeConeT(2 * m)]
    options = clarabel.DefaultSettings()
    options.verbose = False
    options.tol_gap_abs = options.tol_gap_rel = options.tol_feas = 1e-10
    quadratic = sparse.csc_matrix(np.triu(matrix[np.ix_(problem.rows, problem.rows)]))
    solver = clarabel.DefaultSolver(quadratic, -problem.target, rows, right, cones, options)
    return -float(solver.solve().obj_val)
