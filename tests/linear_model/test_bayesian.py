"""Bayesian linear models beside scikit-learn's, and their evidence beside the normal density's."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sklearn.linear_model as theirs
from scipy.stats import multivariate_normal

from stylobate.exceptions import ConvergenceWarning
from stylobate.linear_model import ARDRegression, BayesianRidge

MODELS = {
    "ridge": (BayesianRidge, theirs.BayesianRidge),
    "ard": (ARDRegression, theirs.ARDRegression),
}


def rows(n, p, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p)) + 3.0
    w = np.where(np.arange(p) < 4, [[1.0, -2.0, 0.5, 3.0, *[0.0] * (p - 4)]], 0.0).ravel()
    return x, x @ w + 1.0 + rng.normal(size=n)


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("shape", [(80, 6), (12, 20)])
@pytest.mark.parametrize("intercept", [True, False])
def test_answers_are_scikit_learns(kind, shape, intercept):
    ours, other = MODELS[kind]
    x, y = rows(*shape)
    # Beyond some steps ARD of few rows explains them wholly, where scikit-learn's updates by
    # Woodbury's formula lose their digits.
    settings = {"fit_intercept": intercept, "compute_score": True, "max_iter": 2000}
    if kind == "ard" and shape[0] < shape[1]:
        settings["max_iter"] = 15
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        expected, got = other(**settings).fit(x, y), ours(**settings).fit(x, y)
    for name in ("coef_", "intercept_", "alpha_", "lambda_", "sigma_", "X_offset_"):
        a, b = np.asarray(getattr(expected, name)), np.asarray(getattr(got, name))
        np.testing.assert_allclose(b, a, rtol=1e-6, atol=1e-8, err_msg=name)
    # scikit-learn's last score is that of the coefficients before the last.
    np.testing.assert_allclose(got.scores_[:-1], expected.scores_[:-1], rtol=1e-7)
    assert got.n_iter_ == expected.n_iter_
    told = expected.predict(x, return_std=True), got.predict(x, return_std=True)
    for a, b in zip(*told, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-6)


def test_weights_are_scikit_learns():
    x, y = rows(50, 5)
    w = np.random.default_rng(1).integers(1, 4, 50).astype(float)
    expected, got = (m().fit(x, y, sample_weight=w) for m in (theirs.BayesianRidge, BayesianRidge))
    np.testing.assert_allclose(got.coef_, expected.coef_, rtol=1e-8)
    np.testing.assert_allclose(got.alpha_, expected.alpha_, rtol=1e-8)


def test_score_is_the_log_of_the_evidence():
    x, y = rows(30, 4)
    model = BayesianRidge(
        compute_score=True, fit_intercept=False, alpha_1=0, alpha_2=0, lambda_1=0, lambda_2=0
    ).fit(x, y)
    covariance = np.eye(30) / model.alpha_ + x @ x.T / model.lambda_
    log_evidence = multivariate_normal(np.zeros(30), covariance).logpdf(y)
    np.testing.assert_allclose(model.scores_[-1], log_evidence, rtol=1e-10)


@pytest.mark.parametrize("kind", MODELS)
def test_parts_are_the_whole(kind):
    x, y = rows(60, 6)
    whole, parts = MODELS[kind][0]().fit(x, y), MODELS[kind][0]()
    for k in range(3):
        parts.partial_fit(x[20 * k : 20 * k + 20], y[20 * k : 20 * k + 20])
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("kind", MODELS)
def test_few_steps_are_told(kind):
    x, y = rows(60, 6)
    with pytest.warns(ConvergenceWarning, match="raise max_iter or tol"):
        MODELS[kind][0](max_iter=2, tol=1e-12).fit(x, y)


def test_target_that_is_explained_wholly_and_one_that_is_not_at_all():
    x = np.arange(10.0)[:, None]
    model = BayesianRidge().fit(x, 2 * x[:, 0] + 1)
    np.testing.assert_allclose(model.predict([[20.0]]), 41.0, rtol=1e-5)
    for kind in (BayesianRidge, ARDRegression):
        flat = kind().fit(x, np.full(10, 3.0))
        mean, std = flat.predict(x, return_std=True)
        np.testing.assert_allclose(mean, 3.0, atol=1e-6)
        assert np.isfinite(std).all()
