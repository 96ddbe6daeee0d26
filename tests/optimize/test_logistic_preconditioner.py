"""The diagonal preconditioner of logistic regression, its intercept coupled to the columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from stylobate.optimize.logistic.preconditioner import DiagonalPreconditioner
from stylobate.optimize.logistic.problem import LogisticProblem


def make(form: Any, weights: Any) -> LogisticProblem:
    rng = np.random.default_rng(2)
    x = rng.exponential(size=(60, 5)) * (rng.random((60, 5)) < 0.4)
    codes = rng.integers(0, 2, 60)
    return LogisticProblem(form(x), codes, 2, weights, l2=0.5, fit_intercept=True)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("weights", [None, np.linspace(0.1, 2.0, 60)])
def test_solves_with_the_matrix_it_stands_for(form: Any, weights: Any) -> None:
    problem = make(form, weights)
    point = problem.at(np.linspace(-1.0, 1.0, 6))
    own = DiagonalPreconditioner(problem)
    own.update(point)
    inverse = np.column_stack([own.solve(column) for column in np.eye(6)])
    np.testing.assert_allclose(inverse, inverse.T, rtol=1e-10, atol=1e-14)
    assert np.linalg.eigvalsh(inverse).min() > 0.0

    # M = diag + Σd·(m, 1)(m, 1)ᵀ, with the Hessian's own last column
    matrix = np.linalg.inv(inverse)
    hessian = np.column_stack([problem.hessian_times(point, column) for column in np.eye(6)])
    np.testing.assert_allclose(matrix[:, 5], hessian[:, 5], rtol=1e-8)
    p = point.probabilities[:, 0]
    d = p * (1.0 - p) if weights is None else weights * p * (1.0 - p)
    total = float(d.sum())
    diagonal = problem.squares * total / problem.total_weight + 0.5
    means = hessian[:5, 5] / total
    np.testing.assert_allclose(
        matrix[:5, :5], np.diag(diagonal) + total * np.outer(means, means), rtol=1e-8, atol=1e-10
    )


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("weights", [None, np.linspace(0.1, 2.0, 60)])
def test_column_squares(form: Any, weights: Any) -> None:
    problem = make(form, weights)
    x = problem.x.toarray() if problem.is_sparse else problem.x - problem.center
    w = np.ones(60) if weights is None else weights
    np.testing.assert_allclose(problem.squares, w @ x**2, rtol=1e-12)
