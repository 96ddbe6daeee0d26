"""Multi-task models against scikit-learn, against conic programs' conditions, and on odd input."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.linear_model as theirs
from scipy import sparse

from stylobate import linear_model as ours
from stylobate.exceptions import InvalidDataError, StylobateWarning


def problem(n, p, t=3, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, p)) + 0.5
    w = np.zeros((p, t))
    w[:3] = rng.standard_normal((3, t))
    return x, x @ w + 0.3 * rng.standard_normal((n, t)) + np.arange(t)


def objective(model, x, y, alpha, ratio, weights=None):
    r = y - x @ model.coef_.T - model.intercept_
    w = np.ones(len(y)) if weights is None else weights
    norms = np.linalg.norm(model.coef_, axis=0)
    squares = (w[:, None] * r**2).sum() / (2 * w.sum())
    return squares + alpha * ratio * norms.sum() + alpha * (1 - ratio) / 2 * (norms**2).sum()


@pytest.mark.parametrize("shape", [(60, 8), (20, 60), (40, 300)])
@pytest.mark.parametrize("ratio", [1.0, 0.5])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_same_answer_as_scikit_learn_and_never_a_higher_objective(
    shape, ratio, intercept, weighted
):
    x, y = problem(*shape)
    weights = np.random.default_rng(1).integers(1, 4, len(x)).astype(float) if weighted else None
    alpha = 0.1
    options = {"alpha": alpha, "l1_ratio": ratio, "fit_intercept": intercept, "max_iter": 10**5}
    mine = ours.MultiTaskElasticNet(**options, tol=1e-10).fit(x, y, weights)
    peer = theirs.MultiTaskElasticNet(**options, tol=1e-12).fit(x, y, weights)
    np.testing.assert_allclose(mine.coef_, peer.coef_, atol=1e-4)
    np.testing.assert_allclose(mine.intercept_, peer.intercept_, atol=1e-3)
    reached = objective(mine, x, y, alpha, ratio, weights)
    assert reached <= objective(peer, x, y, alpha, ratio, weights) * (1 + 1e-9)
    assert mine.certificate_.primal == pytest.approx(reached, rel=1e-9)
    assert mine.certificate_.relative_gap <= 1e-10


def test_the_gap_is_a_bound():
    x, y = problem(50, 10)
    best = objective(ours.MultiTaskLasso(0.05, tol=1e-12).fit(x, y), x, y, 0.05, 1.0)
    with pytest.warns(StylobateWarning, match="stopped after 1 iteration"):
        early = ours.MultiTaskLasso(0.05, max_iter=1).fit(x, y)
    assert 0 < objective(early, x, y, 0.05, 1.0) - best <= early.dual_gap_


def test_columns_are_shared_and_conditions_hold():
    x, y = problem(50, 20)
    model = ours.MultiTaskLasso(0.2, tol=1e-12, max_iter=10**5).fit(x, y)
    used = model.coef_.any(axis=0)
    assert 0 < used.sum() < 20
    assert (model.coef_[:, used] != 0).all()
    xc = x - x.mean(axis=0)
    c = xc.T @ (y - model.predict(x)) / len(x)
    norms = np.linalg.norm(model.coef_, axis=0)[used, None]
    np.testing.assert_allclose(c[used], 0.2 * model.coef_.T[used] / norms, atol=1e-5)
    assert np.linalg.norm(c[~used], axis=1).max() <= 0.2 * (1 + 1e-6)


def test_one_target_is_the_lasso():
    x, y = problem(40, 6, t=1)
    joint = ours.MultiTaskLasso(0.1, tol=1e-12).fit(x, y)
    alone = ours.Lasso(0.1, tol=1e-12).fit(x, y[:, 0])
    np.testing.assert_allclose(joint.coef_[0], alone.coef_, atol=1e-5)
    with pytest.raises(InvalidDataError, match="For mono-task outputs, use Lasso"):
        ours.MultiTaskLasso().fit(x, y[:, 0])


def test_sparse_rows_batches_and_penalties_at_the_ends():
    x, y = problem(80, 5)
    whole = ours.MultiTaskLasso(0.1).fit(x, y)
    np.testing.assert_allclose(
        ours.MultiTaskLasso(0.1).fit(sparse.csr_array(x), y).coef_, whole.coef_, atol=1e-6
    )
    parts = ours.MultiTaskLasso(0.1).fit_batches([(x[:30], y[:30]), (x[30:], y[30:])])
    np.testing.assert_allclose(parts.coef_, whole.coef_, atol=1e-6)
    largest = np.linalg.norm((x - x.mean(0)).T @ (y - y.mean(0)), axis=1).max() / 80
    assert not ours.MultiTaskLasso(largest * 1.001).fit(x, y).coef_.any()
    assert ours.MultiTaskLasso(largest * 0.99).fit(x, y).coef_.any()
    with pytest.warns(StylobateWarning, match="alpha=0"):
        free = ours.MultiTaskLasso(0.0).fit(x, y)
    np.testing.assert_allclose(free.coef_, ours.LinearRegression().fit(x, y).coef_, atol=1e-10)


def test_constant_and_duplicated_columns():
    x, y = problem(30, 4)
    x = np.column_stack([x, np.ones(30), x[:, 0]])
    model = ours.MultiTaskLasso(0.05).fit(x, y)
    assert not model.coef_[:, 4].any()
    assert model.certificate_.optimal


@pytest.mark.parametrize("shape", [(60, 8), (25, 40)])
@pytest.mark.parametrize("weighted", [False, True])
def test_cross_validation_as_in_scikit_learn(shape, weighted):
    x, y = problem(*shape)
    weights = np.random.default_rng(1).integers(1, 4, len(x)).astype(float) if weighted else None
    options = {"alphas": 12, "cv": 4, "max_iter": 10**5}
    for mine, peer in (
        (ours.MultiTaskLassoCV, theirs.MultiTaskLassoCV),
        (ours.MultiTaskElasticNetCV, theirs.MultiTaskElasticNetCV),
    ):
        a = mine(**options, tol=1e-10).fit(x, y, weights)
        b = peer(**options, tol=1e-10).fit(x, y, weights)
        np.testing.assert_allclose(a.alphas_, b.alphas_, rtol=1e-9)
        np.testing.assert_allclose(a.mse_path_, b.mse_path_, rtol=1e-4)
        assert a.alpha_ == pytest.approx(b.alpha_)
        np.testing.assert_allclose(a.coef_, b.coef_, atol=1e-3)


def test_cross_validation_over_mixtures():
    x, y = problem(60, 8)
    model = ours.MultiTaskElasticNetCV(l1_ratio=[0.3, 1.0], alphas=6).fit(x, y)
    assert model.mse_path_.shape == (2, 6, 5)
    assert model.alphas_.shape == (2, 6)
    assert model.l1_ratio_ in (0.3, 1.0)
