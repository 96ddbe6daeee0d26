"""The solvers of the lasso all lead to the same coefficients."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from stylobate.exceptions import ConvergenceWarning
from stylobate.linear_model import ElasticNet, Lasso
from stylobate.optimize.elastic_net.proof import prove

SOLVERS = ["ista", "fista", "subgradient", "projected", "qp", "gram", "coordinate_descent"]


def problem(n, p, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, p)) + 0.5
    y = x[:, 0] - 2 * x[:, 1] + 0.3 * rng.standard_normal(n) + 4
    return x, y


def objective(model, x, y, alpha, ratio, weights=None):
    r = y - x @ model.coef_ - model.intercept_
    w = np.ones(len(y)) if weights is None else weights
    return (
        (w * r**2).sum() / (2 * w.sum())
        + alpha * ratio * np.abs(model.coef_).sum()
        + alpha * (1 - ratio) / 2 * (model.coef_**2).sum()
    )


@pytest.mark.parametrize("solver", [each for each in SOLVERS if each != "subgradient"])
@pytest.mark.parametrize("shape", [(60, 8), (20, 40)])
@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("ratio", [1.0, 0.4])
def test_same_answer(solver, shape, positive, ratio):
    x, y = problem(*shape)
    alpha = 0.1
    options = {"alpha": alpha, "l1_ratio": ratio, "positive": positive}
    best = ElasticNet(**options, tol=1e-12, max_iter=10**5).fit(x, y)
    tol = 1e-7 if solver == "qp" else 1e-9  # an interior point stays a little inside
    found = ElasticNet(**options, solver=solver, tol=tol, max_iter=10**5).fit(x, y)
    lowest = objective(best, x, y, alpha, ratio)
    assert objective(found, x, y, alpha, ratio) <= lowest * (1 + 1.01 * tol)
    np.testing.assert_allclose(found.coef_, best.coef_, atol=1e-3)
    # the gap claimed is at least the true one
    assert objective(found, x, y, alpha, ratio) - lowest <= found.dual_gap_ + 1e-12 * lowest
    assert found.certificate_.relative_gap <= tol
    if solver not in ("gram", "coordinate_descent"):
        assert len(found.trace_) >= 1


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("ratio", [1.0, 0.4])
def test_subgradients_come_near_and_say_how_near(positive, ratio):
    """A slow method: it is asked for a hundredth, and its gap is a true bound all the same."""
    x, y = problem(60, 8)
    options = {"alpha": 0.1, "l1_ratio": ratio, "positive": positive}
    lowest = objective(ElasticNet(**options, tol=1e-12).fit(x, y), x, y, 0.1, ratio)
    found = ElasticNet(**options, solver="subgradient", tol=1e-2, max_iter=20000).fit(x, y)
    reached = objective(found, x, y, 0.1, ratio)
    assert lowest * (1 - 1e-12) <= reached <= lowest * (1 + 1e-2)
    assert reached - lowest <= found.dual_gap_


@pytest.mark.parametrize("solver", ["fista", "projected", "qp"])
def test_weights_targets_no_intercept_and_sparse_rows(solver):
    x, y = problem(25, 50, seed=3)
    x[np.abs(x) < 1] = 0.0
    targets = np.column_stack([y, x[:, 2] - y])
    weights = np.random.default_rng(1).integers(0, 3, 25).astype(float)
    options = {"alpha": 0.2, "fit_intercept": False, "max_iter": 10**5}
    best = Lasso(**options, tol=1e-12).fit(x, targets, weights)
    for rows in (x, sparse.csr_array(x)):
        found = Lasso(**options, solver=solver, tol=1e-9).fit(rows, targets, weights)
        np.testing.assert_allclose(found.coef_, best.coef_, atol=1e-3)
        assert found.intercept_ == 0.0


@pytest.mark.parametrize("solver", ["ista", "fista", "subgradient", "projected"])
def test_stopping_early_is_said(solver):
    x, y = problem(60, 8)
    with pytest.warns(ConvergenceWarning, match=f"solver '{solver}' stopped after 2 iterations"):
        Lasso(alpha=0.01, solver=solver, tol=1e-10, max_iter=2).fit(x, y)


def test_zeros_are_exact_where_the_method_makes_them():
    x, y = problem(60, 8)
    for solver in ("ista", "fista", "projected", "qp"):
        found = Lasso(alpha=0.3, solver=solver, tol=1e-8, max_iter=10**5).fit(x, y)
        assert np.count_nonzero(found.coef_) == 2


def test_acceleration_pays():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((100, 30)) @ np.diag(np.linspace(1, 6, 30))
    y = x @ rng.standard_normal(30)
    counts = {
        solver: Lasso(alpha=0.5, solver=solver, tol=1e-8, max_iter=10**5).fit(x, y).n_iter_
        for solver in ("ista", "fista")
    }
    assert counts["fista"] < counts["ista"] / 3


@given(
    seed=st.integers(0, 10**6),
    l1=st.floats(0.01, 10),
    l2=st.sampled_from([0.0, 0.5]),
    positive=st.booleans(),
)
def test_the_bound_is_never_above_an_objective(seed, l1, l2, positive):
    """Whatever w and v: the dual value at w is at most the objective at v."""
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((7, 4)), rng.standard_normal(7)
    w, v = rng.standard_normal((2, 4)) * rng.integers(0, 2, (2, 4))
    if positive:
        w, v = np.abs(w), np.abs(v)

    def value(at):
        return 0.5 * ((y - x @ at) ** 2).sum() + l1 * np.abs(at).sum() + l2 / 2 * at @ at

    r = y - x @ w
    proof = prove(w, x.T @ r, float(r @ r), l1=l1, l2=l2, positive=positive)
    assert proof.primal == pytest.approx(value(w), rel=1e-12)
    assert proof.primal - proof.gap <= value(v) + 1e-9


def test_no_penalty_above_the_largest_leaves_anything():
    x, y = problem(30, 5)
    largest = np.abs((x - x.mean(0)).T @ (y - y.mean())).max() / 30
    for solver in SOLVERS:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = Lasso(alpha=largest * 1.001, solver=solver).fit(x, y)
        assert not found.coef_.any()
        assert found.intercept_ == pytest.approx(y.mean())
