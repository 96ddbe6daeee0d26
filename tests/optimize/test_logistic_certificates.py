"""Gaps of logistic regression, verified from the data alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import logsumexp, xlogy

from stylobate.optimize.logistic import solve_l2

SOLVERS = ["auto", "newton-cholesky", "lbfgs", "newton-cg"]


def primal(x, y, n_classes, weights, l2, coef, intercept):
    z = x @ coef.T + intercept
    if n_classes == 2:
        z = np.column_stack([np.zeros(len(y)), z])
    loss = logsumexp(z, axis=1) - z[np.arange(len(y)), y]
    return float(weights @ loss) + 0.5 * l2 * float((coef**2).sum())


def optimum(x, y, n_classes, weights, l2, fit_intercept):
    """By SciPy's BFGS, from the formula."""
    p, k = x.shape[1], 1 if n_classes == 2 else n_classes

    def value(theta):
        theta = theta.reshape(k, p + 1)
        intercept = theta[:, p] if fit_intercept else np.zeros(k)
        return primal(x, y, n_classes, weights, l2, theta[:, :p], intercept)

    return minimize(value, np.zeros(k * (p + 1)), method="BFGS", options={"gtol": 1e-7}).fun


def make(n, p, n_classes, seed):
    generator = np.random.default_rng(seed)
    x = generator.standard_normal((n, p)) + 1.0
    scores = 0.5 * x @ generator.standard_normal((p, n_classes))
    y = scores + generator.gumbel(size=(n, n_classes))
    return x, y.argmax(axis=1), generator.uniform(0.2, 2.0, n)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("l2", [0.0, 1e-3, 1.0])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_bound_holds_at_every_stop(solver, n_classes, l2, fit_intercept):
    x, y, weights = make(60, 3, n_classes, 4)
    best = optimum(x, y, n_classes, weights, l2, fit_intercept)
    for max_iter in (0, 1, 2, 4, 100):
        found = solve_l2(
            x,
            y,
            n_classes,
            weights,
            l2=l2,
            fit_intercept=fit_intercept,
            tol=1e-9,
            max_iter=max_iter,
            solver=solver,
        )
        proof = found.certificate
        value = primal(x, y, n_classes, weights, l2, found.coef, found.intercept)
        assert proof.primal == pytest.approx(value, rel=1e-12)
        assert proof.dual <= best + 1e-7 * best
        if max_iter == 100:
            assert found.converged
            assert proof.proved
            assert proof.relative_gap <= 1e-9
            assert value <= best + 1e-8 * best
        else:
            assert found.converged == (proof.relative_gap <= 1e-9)


@given(st.integers(0, 10**6), st.sampled_from([1e-4, 1e-1, 10.0]), st.integers(2, 4))
def test_the_gap_is_that_of_a_feasible_dual_point(seed, l2, n_classes):
    """F − F* is at most the gap, and F* at least the dual value of the model's probabilities."""
    x, y, weights = make(30, 2, n_classes, seed)
    found = solve_l2(
        x,
        y,
        n_classes,
        weights,
        l2=l2,
        fit_intercept=False,
        tol=1e-3,
        max_iter=100,
        solver="newton-cg",
    )
    z = x @ found.coef.T + found.intercept
    if n_classes == 2:
        z = np.column_stack([np.zeros(len(y)), z])
    p = np.exp(z - logsumexp(z, axis=1, keepdims=True))
    u = weights[:, np.newaxis] * (p - np.eye(n_classes)[y])
    moved = x.T @ (u[:, 1:] if n_classes == 2 else u)
    dual = -float(weights @ xlogy(p, p).sum(axis=1)) - float((moved**2).sum()) / (2 * l2)
    proof = found.certificate
    assert proof.proved
    assert dual <= proof.primal * (1 + 1e-12)
    exact = solve_l2(
        x, y, n_classes, weights, l2=l2, fit_intercept=False, tol=1e-12, max_iter=100
    ).certificate
    assert proof.dual <= exact.primal * (1 + 1e-11)
    assert dual <= exact.primal * (1 + 1e-11)


@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("kind", ["dense", "sparse", "wide"])
def test_solvers_agree(n_classes, kind):
    x, y, weights = make(400, 12, n_classes, 7)
    if kind == "wide":
        x = np.random.default_rng(1).standard_normal((400, 1000)) / 30
    data = sparse.csr_array(np.where(np.abs(x) > 1, x, 0.0)) if kind == "sparse" else x
    answers = [
        solve_l2(
            data,
            y,
            n_classes,
            weights,
            l2=0.5,
            fit_intercept=True,
            tol=1e-11,
            max_iter=500,
            solver=solver,
        )
        for solver in (SOLVERS if kind != "wide" else ["auto", "lbfgs", "newton-cg"])
    ]
    for other in answers:
        assert other.converged
        assert other.certificate.proved
        np.testing.assert_allclose(other.coef, answers[0].coef, atol=1e-4)
        np.testing.assert_allclose(other.intercept, answers[0].intercept, atol=1e-4)


def test_single_precision_and_long_indices():
    x, y, _ = make(200, 6, 3, 9)
    x = np.where(np.abs(x) > 1, x, 0.0).astype(np.float32)
    options = {"l2": 1.0, "fit_intercept": True, "tol": 1e-11, "max_iter": 100, "solver": "lbfgs"}
    expected = solve_l2(x.astype(np.float64), y, 3, None, **options).coef
    short = sparse.csr_array(x)
    long = sparse.csr_array(
        (short.data, short.indices.astype(np.int64), short.indptr.astype(np.int64)), x.shape
    )
    for data in (x, short, long):
        np.testing.assert_allclose(solve_l2(data, y, 3, None, **options).coef, expected, atol=1e-5)
