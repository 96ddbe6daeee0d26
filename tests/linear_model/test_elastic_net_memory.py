"""Working sets too large for their Gram: sparse columns do without, dense ones may leave."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import ElasticNet as Theirs

from stylobate.linear_model import ElasticNet, Lasso, LassoCV


def objective(model, x, y, alpha, ratio, weights=None):
    residual = y - x @ model.coef_ - model.intercept_
    loss = 0.5 * np.average(residual**2, weights=weights)
    w = model.coef_
    return loss + alpha * ratio * np.abs(w).sum() + 0.5 * alpha * (1 - ratio) * w @ w


def large_support(seed=0, n=4_000, p=6_000):
    """So many columns with a coefficient that their products take more than the memory allowed."""
    rng = np.random.default_rng(seed)
    x = sparse.random_array((n, p), density=0.002, rng=rng, format="csc")
    x.data[:] = rng.standard_normal(x.nnz) + 1.0
    y = x @ rng.standard_normal(p) + 0.1 * rng.standard_normal(n) + 3.0
    return x, y


@pytest.mark.parametrize(
    ("intercept", "positive", "weighted"),
    [(True, False, False), (False, False, True), (True, True, True)],
)
def test_large_sparse_supports_reach_the_optimum(intercept, positive, weighted):
    x, y = large_support()
    alpha, ratio = 2e-5, 0.9
    weights = np.random.default_rng(1).integers(0, 3, len(y)) * 1.0 if weighted else None
    options = {"alpha": alpha, "l1_ratio": ratio, "fit_intercept": intercept, "positive": positive}
    ours = ElasticNet(**options, max_iter=5_000).fit(x, y, sample_weight=weights)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = Theirs(**options, tol=1e-6, max_iter=500).fit(x, y, sample_weight=weights)
    mine = objective(ours, x, y, alpha, ratio, weights)
    assert np.count_nonzero(ours.coef_) > 1_500
    assert mine == pytest.approx(ours.certificate_.primal, rel=1e-9)
    assert mine <= objective(theirs, x, y, alpha, ratio, weights) * (1 + 1e-4)
    assert ours.certificate_.relative_gap < 2e-4


def test_columns_that_leave_the_working_set_may_come_back():
    """A path over dense columns, each penalty's answer that of a fit of its own."""
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((600, 6_000)), rng.standard_normal(600)
    alphas = np.array([0.12, 0.05, 0.02, 0.008])
    _, path, _ = Lasso.path(x - x.mean(axis=0), y - y.mean(), alphas=alphas, tol=1e-6)
    for alpha, coef in zip(alphas, path.T, strict=True):
        alone = Lasso(alpha=alpha, tol=1e-6).fit(x, y)
        along = 0.5 * np.mean((y - y.mean() - (x - x.mean(axis=0)) @ coef) ** 2)
        along += alpha * np.abs(coef).sum()
        assert along == pytest.approx(alone.certificate_.primal, rel=1e-5)


def test_folds_in_groups_have_the_errors_of_folds_together(monkeypatch):
    from stylobate.linear_model.lasso import path_folds

    rng = np.random.default_rng(3)
    x, y = rng.standard_normal((80, 200)), rng.standard_normal(80)
    together = LassoCV(alphas=10).fit(x, y)
    monkeypatch.setattr(path_folds, "_NUMBERS", 1)
    monkeypatch.setattr(path_folds, "_COPIES", 0)
    apart = LassoCV(alphas=10).fit(x, y)
    np.testing.assert_allclose(apart.mse_path_, together.mse_path_, rtol=1e-12)
    assert apart.alpha_ == together.alpha_
