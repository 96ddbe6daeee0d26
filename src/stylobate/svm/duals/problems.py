"""The duals of support vector machines, one function for each kind."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array
from stylobate.svm.duals.dual import DualProblem


def classification_dual(sign: Array, cost: Array) -> DualProblem:
    r"""C-classification: :math:`t_i = y_i`, β between 0 and :math:`y_i C_i`, Σβ = 0.

    >>> classification_dual(np.array([1.0, -1.0]), np.array([2.0, 3.0])).lower
    array([ 0., -3.])
    """
    lower, upper = _signed_box(sign, cost)
    return _one_group(np.arange(len(sign)), sign.copy(), lower, upper, 0.0)


def nu_classification_dual(sign: Array, weight: Array, nu: float) -> DualProblem:
    r"""ν-classification: no linear term; the coefficients of a class sum to ±ν Σw / 2."""
    lower, upper = _signed_box(sign, weight)
    half = 0.5 * nu * float(weight.sum())
    group = (sign < 0.0).astype(np.uint8)
    rows = np.arange(len(sign), dtype=np.int64)
    totals = np.array([half, -half])
    return DualProblem(rows, np.zeros(len(sign)), lower, upper, group, totals)


def one_class_dual(weight: Array, nu: float) -> DualProblem:
    r"""One class: no linear term, β in :math:`[0, w_i]`, Σβ = ν Σw."""
    total = nu * float(weight.sum())
    zeros = np.zeros(len(weight))
    return _one_group(np.arange(len(weight)), zeros, zeros.copy(), weight.copy(), total)


def regression_dual(y: Array, cost: Array, epsilon: float) -> DualProblem:
    r"""ε-regression: two variables a row, for residuals above and below the tube; Σβ = 0."""
    rows = np.tile(np.arange(len(y)), 2)
    zeros = np.zeros(len(y))
    target = np.concatenate([y - epsilon, y + epsilon])
    lower, upper = np.concatenate([zeros, -cost]), np.concatenate([cost, zeros])
    return _one_group(rows, target, lower, upper, 0.0)


def nu_regression_dual(y: Array, cost: Array, nu: float) -> DualProblem:
    r"""ν-regression: both sides of the tube have the same sum ν ΣC / 2, its width is found."""
    n, zeros = len(y), np.zeros(len(y))
    half = 0.5 * nu * float(cost.sum())
    return DualProblem(
        np.tile(np.arange(n, dtype=np.int64), 2),
        np.concatenate([y, y]),
        np.concatenate([zeros, -cost]),
        np.concatenate([cost, zeros]),
        np.repeat(np.array([0, 1], dtype=np.uint8), n),
        np.array([half, -half]),
    )


def _signed_box(sign: Array, size: Array) -> tuple[Array, Array]:
    positive = sign > 0.0
    return np.where(positive, 0.0, -size), np.where(positive, size, 0.0)


def _one_group(
    rows: np.ndarray, target: Array, lower: Array, upper: Array, total: float
) -> DualProblem:
    group = np.zeros(len(target), dtype=np.uint8)
    return DualProblem(rows.astype(np.int64), target, lower, upper, group, np.array([total]))
