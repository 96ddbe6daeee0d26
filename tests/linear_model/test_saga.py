"""SAGA and SAG against exact solvers, and ridge by them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model as theirs

from stylobate.exceptions import ConvergenceWarning
from stylobate.linear_model import Ridge
from stylobate.losses import HalfSquared, Logistic, Multinomial
from stylobate.optimize.softmax_gap import Losses, duality_gap
from stylobate.optimize.stochastic import saga

RNG = np.random.default_rng(2)
N, P = 300, 8
X = RNG.normal(size=(N, P)) + RNG.uniform(-2, 2, P)
HOLES = np.where(RNG.random(X.shape) < 0.6, 0.0, X)
W = RNG.normal(size=P)
Y = X @ W + 3 + RNG.normal(size=N)
CODES = (X @ W + RNG.normal(size=N) > np.median(X @ W)).astype(int)
THREE = np.digitize(X @ W + RNG.normal(size=N), np.quantile(X @ W, [0.3, 0.7]))
WEIGHTS = RNG.uniform(0.5, 2.0, N)
KINDS = {"dense": X, "csr": sparse.csr_array(HOLES), "csc": sparse.csc_array(HOLES)}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sag", [False, True])
def test_squared_loss_is_ridge(kind, sag):
    x = KINDS[kind]
    found = saga(x, Y, WEIGHTS, loss=HalfSquared(), l2=2.0, tol=1e-10, random_state=0,
                 averaged_gradient_only=sag)  # fmt: skip
    exact = theirs.Ridge(alpha=2.0, solver="lsqr", tol=1e-12).fit(x, Y, sample_weight=WEIGHTS)
    assert found.converged
    np.testing.assert_allclose(found.coef[0], exact.coef_, atol=1e-4)
    np.testing.assert_allclose(found.intercept[0], exact.intercept_, atol=1e-3)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("l1", "l2"), [(0.0, 2.0), (8.0, 0.0), (4.0, 2.0)])
def test_logistic_loss(kind, l1, l2):
    x = KINDS[kind]
    found = saga(x, CODES, WEIGHTS, loss=Logistic(), l1=l1, l2=l2, tol=1e-9, random_state=0,
                 max_iter=5000)  # fmt: skip
    total = l1 + l2
    exact = theirs.LogisticRegression(C=1 / total, l1_ratio=l1 / total, tol=1e-10, solver="saga",
                                      max_iter=50_000)  # fmt: skip
    exact.fit(sparse.csr_matrix(x) if kind != "dense" else x, CODES, sample_weight=WEIGHTS)
    assert found.converged
    np.testing.assert_allclose(found.coef, exact.coef_, atol=3e-4)
    np.testing.assert_array_equal(found.coef == 0, np.abs(exact.coef_) < 1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_multinomial_loss(kind):
    x = KINDS[kind]
    found = saga(x, THREE, None, loss=Multinomial(), n_classes=3, l2=2.0, tol=1e-9,
                 random_state=0, max_iter=5000)  # fmt: skip
    exact = theirs.LogisticRegression(C=0.5, tol=1e-10, max_iter=5000, solver="newton-cg")
    exact.fit(x, THREE)
    assert found.converged
    np.testing.assert_allclose(found.coef, exact.coef_, atol=1e-3)
    assert found.gap <= 1e-9 * found.primal


def test_elastic_net():
    found = saga(X, Y, None, loss=HalfSquared(), l1=30.0, l2=10.0, tol=1e-10, random_state=0,
                 max_iter=5000)  # fmt: skip
    exact = theirs.ElasticNet(alpha=40 / N, l1_ratio=0.75, tol=1e-12, max_iter=100_000).fit(X, Y)
    np.testing.assert_allclose(found.coef[0], exact.coef_, atol=1e-4)


def test_lazy_steps_are_the_dense_ones():
    """The same draws on rows without a mean to take off: the same weights."""
    make = {
        "loss": Logistic(), "l1": 3.0, "l2": 1.0, "fit_intercept": False, "tol": 0.0,
        "max_iter": 5, "random_state": 4,
    }  # fmt: skip
    dense = saga(HOLES, CODES, None, **make)
    lazy = saga(sparse.csr_array(HOLES), CODES, None, **make)
    np.testing.assert_allclose(dense.coef, lazy.coef, rtol=1e-9, atol=1e-12)
    single = saga(HOLES.astype(np.float32), CODES, None, **make)
    np.testing.assert_allclose(dense.coef, single.coef, rtol=1e-4, atol=1e-6)


def test_seed_and_start():
    first = saga(X, Y, None, loss=HalfSquared(), l2=1.0, tol=1e-9, random_state=1)
    again = saga(X, Y, None, loss=HalfSquared(), l2=1.0, tol=1e-9, random_state=1)
    np.testing.assert_array_equal(first.coef, again.coef)
    warm = saga(X, Y, None, loss=HalfSquared(), l2=1.0, tol=1e-9, random_state=2,
                start=(first.coef, first.intercept))  # fmt: skip
    assert warm.iterations == 1


@pytest.mark.parametrize("loss", [HalfSquared(), Logistic(), Multinomial()], ids=str)
@pytest.mark.parametrize(("l1", "l2"), [(0.0, 2.0), (8.0, 0.0), (4.0, 2.0)])
@pytest.mark.parametrize("intercept", [False, True])
def test_gap_is_a_bound(loss, l1, l2, intercept):
    y = {HalfSquared(): Y, Logistic(): CODES, Multinomial(): THREE}[loss].astype(float)
    k = 3 if loss == Multinomial() else 1
    problem = Losses(X, y, WEIGHTS, loss, k, l1, l2, intercept)
    best = saga(X, y, WEIGHTS, loss=loss, n_classes=k, l1=l1, l2=l2, tol=1e-8, random_state=0,
                fit_intercept=intercept, max_iter=3000).primal  # fmt: skip
    for _ in range(5):
        b = RNG.normal(size=k) * intercept
        primal, gap = duality_gap(problem, RNG.normal(size=(k, P)), b)
        assert primal - gap <= best * (1 + 1e-9)


@pytest.mark.parametrize("solver", ["sag", "saga"])
@pytest.mark.parametrize("kind", KINDS)
def test_ridge_by_name(solver, kind):
    x, y = KINDS[kind], np.column_stack([Y, -Y])
    ours = Ridge(alpha=3.0, solver=solver, tol=1e-9, random_state=0).fit(x, y)
    exact = Ridge(alpha=3.0, solver="lsqr", tol=1e-12).fit(x, y)
    np.testing.assert_allclose(ours.coef_, exact.coef_, atol=2e-4)
    np.testing.assert_allclose(ours.intercept_, exact.intercept_, atol=2e-3)
    assert ours.solver_ == solver
    assert ours.certificate_.primal <= exact.certificate_.primal * (1 + 1e-8)
    assert ours.certificate_.dual <= exact.certificate_.primal
    assert len(ours.trace_) > 0
    assert not hasattr(ours, "partial_fit")


def test_ridge_says_what_would_help():
    x = X * np.logspace(-4, 4, P)
    with pytest.warns(ConvergenceWarning, match="scale the columns"):
        Ridge(solver="saga", tol=1e-12, max_iter=3, random_state=0).fit(x, Y)
