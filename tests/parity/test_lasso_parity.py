"""The lasso family against scikit-learn at tight tolerance."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn import linear_model as sk

from stylobate import linear_model as ours

TIGHT = {"tol": 1e-12, "max_iter": 100_000}


def problem(n=60, p=20, seed=0, targets=None):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p)) * rng.uniform(0.5, 2.0, p) + rng.uniform(-3, 3, p)
    w = np.where(rng.random((p, targets or 1)) < 0.4, rng.standard_normal((p, targets or 1)), 0.0)
    y = X @ w + 2.0 + 0.5 * rng.standard_normal((n, targets or 1))
    return X, (y if targets else y[:, 0])


def both(name, **params):
    return getattr(ours, name)(**params, **TIGHT), getattr(sk, name)(**params, **TIGHT)


def assert_same(mine, theirs, rtol=1e-6):
    scale = max(np.abs(theirs.coef_).max(initial=0.0), 1.0)
    assert np.shape(mine.coef_) == np.shape(theirs.coef_)
    assert np.shape(mine.intercept_) == np.shape(theirs.intercept_)
    np.testing.assert_allclose(mine.coef_, theirs.coef_, atol=rtol * scale)
    np.testing.assert_allclose(mine.intercept_, theirs.intercept_, rtol=1e-6, atol=rtol * scale)


@pytest.mark.parametrize("solver", ["coordinate_descent", "gram"])
@pytest.mark.parametrize("shape", [(60, 20), (25, 60), (40, 40)])
@pytest.mark.parametrize("l1_ratio", [1.0, 0.7, 0.05])
@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
def test_dense(solver, shape, l1_ratio, positive, intercept):
    X, y = problem(*shape)
    params = {"l1_ratio": l1_ratio, "positive": positive, "fit_intercept": intercept}
    for alpha in (0.05, 0.5):
        mine, theirs = both("ElasticNet", alpha=alpha, **params)
        mine.set_params(solver=solver)
        assert_same(mine.fit(X, y), theirs.fit(X, y))
        assert (mine.coef_ == 0.0).sum() >= (np.abs(theirs.coef_) < 1e-12).sum()


@pytest.mark.parametrize("solver", ["coordinate_descent", "gram"])
@pytest.mark.parametrize("name", ["Lasso", "ElasticNet"])
def test_weights_and_targets(solver, name):
    X, y = problem(50, 30, targets=3)
    weights = np.random.default_rng(1).integers(0, 4, 50).astype(float)
    mine, theirs = both(name, alpha=0.1)
    mine.set_params(solver=solver).fit(X, y, sample_weight=weights)
    assert_same(mine, theirs.fit(X, y, sample_weight=weights))
    assert np.shape(mine.dual_gap_) == (3,)
    assert len(mine.n_iter_) == 3
    assert mine.sparse_coef_.shape == (3, 30)


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_array, sparse.csr_matrix])
@pytest.mark.parametrize("weighted", [False, True])
def test_sparse(kind, weighted):
    rng = np.random.default_rng(3)
    X = np.where(rng.random((80, 120)) < 0.1, rng.standard_normal((80, 120)), 0.0)
    y = X @ np.where(rng.random(120) < 0.1, 3.0, 0.0) + 1.0 + 0.1 * rng.standard_normal(80)
    weights = rng.random(80) if weighted else None
    for intercept in (True, False):
        mine, theirs = both("Lasso", alpha=0.02, fit_intercept=intercept)
        assert_same(
            mine.fit(kind(X), y, sample_weight=weights), theirs.fit(X, y, sample_weight=weights)
        )


def test_single_precision():
    X, y = problem(40, 90)
    mine, theirs = ours.Lasso(alpha=0.1, tol=1e-9), sk.Lasso(alpha=0.1, tol=1e-10)
    single = X.astype(np.float32)
    mine.fit(single, y)
    assert_same(mine, theirs.fit(single.astype(np.float64), y), rtol=1e-5)
    for other in (np.asfortranarray(single), single[:, ::-1][:, ::-1], single.repeat(2, 0)[::2]):
        np.testing.assert_allclose(ours.Lasso(alpha=0.1).fit(other, y).coef_, mine.coef_, atol=1e-5)


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("shape", [(60, 20), (25, 60)])
def test_paths(shape, positive):
    X, y = problem(*shape)
    X, y = X - X.mean(axis=0), y - y.mean()
    alphas, coefs, gaps, counts = ours.enet_path(
        X, y, l1_ratio=0.8, alphas=20, positive=positive, return_n_iter=True, **TIGHT
    )
    expected = sk.enet_path(X, y, l1_ratio=0.8, alphas=20, positive=positive, **TIGHT)
    np.testing.assert_allclose(alphas, expected[0], rtol=1e-12)
    assert coefs.shape == expected[1].shape
    np.testing.assert_allclose(coefs, expected[1], atol=1e-5)
    assert gaps.shape == expected[2].shape
    assert len(counts) == 20
    again = ours.lasso_path(X, y, alphas=[0.1, 0.5], coef_init=coefs[:, 3], **TIGHT)
    theirs = sk.lasso_path(X, y, alphas=[0.1, 0.5], **TIGHT)
    np.testing.assert_allclose(again[1], theirs[1], atol=1e-6)


CV = {"tol": 1e-10, "max_iter": 100_000}


@pytest.mark.parametrize("shape", [(90, 8), (40, 60)])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
def test_lasso_cv(shape, weighted, intercept):
    X, y = problem(*shape)
    weights = np.random.default_rng(5).uniform(0.5, 2.0, len(y)) if weighted else None
    params = {"alphas": 15, "eps": 1e-2, "cv": 4, "fit_intercept": intercept}
    mine = ours.LassoCV(**params, **CV).fit(X, y, sample_weight=weights)
    theirs = sk.LassoCV(**params, **CV).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(mine.alphas_, theirs.alphas_, rtol=1e-10)
    np.testing.assert_allclose(mine.mse_path_, theirs.mse_path_, rtol=2e-4)
    assert mine.alpha_ == pytest.approx(theirs.alpha_)
    assert_same(mine, theirs, rtol=1e-4)


def test_elastic_net_cv_over_ratios():
    X, y = problem(70, 12)
    params = {"l1_ratio": [0.2, 0.9], "alphas": [0.01, 1.0, 0.1]}
    mine, theirs = ours.ElasticNetCV(**params, **CV), sk.ElasticNetCV(**params, **CV)
    mine.fit(X, y), theirs.fit(X, y)
    np.testing.assert_allclose(mine.mse_path_, theirs.mse_path_, rtol=1e-5)
    assert mine.alphas_.shape == np.shape(theirs.alphas_) or theirs.alphas_.ndim == 1
    assert (mine.alpha_, mine.l1_ratio_) == (theirs.alpha_, theirs.l1_ratio_)


def test_cv_takes_splitters_and_sparse_rows():
    from sklearn.model_selection import ShuffleSplit

    X, y = problem(60, 90, seed=2)
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.7, 0.0, X)
    cv = ShuffleSplit(3, test_size=0.25, random_state=0)
    mine = ours.LassoCV(alphas=8, eps=0.05, cv=cv, **CV).fit(sparse.csc_array(X), y)
    theirs = sk.LassoCV(alphas=8, eps=0.05, cv=cv, **CV).fit(X, y)
    np.testing.assert_allclose(mine.mse_path_, theirs.mse_path_, rtol=1e-3)
    assert mine.alpha_ == pytest.approx(theirs.alpha_)
