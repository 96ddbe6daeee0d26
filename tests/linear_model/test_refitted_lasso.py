"""The relaxed and the adaptive lasso, put together from others' pieces."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model import (
    AdaptiveLasso,
    AdaptiveLassoCV,
    Lasso,
    LinearRegression,
    MCPRegressor,
    PenalizedRegression,
    RelaxedLasso,
    RelaxedLassoCV,
    Ridge,
    SCADRegressor,
)
from stylobate.penalties import MCP, SCAD

RNG = np.random.default_rng(2)
X = RNG.normal(size=(80, 12))
Y = X[:, :3] @ [2.0, -1.0, 0.5] + RNG.normal(size=80)
WEIGHTS = RNG.uniform(0.2, 2.0, 80)
FOLDS = [(np.flatnonzero(np.arange(80) % 4 != k), np.arange(k, 80, 4)) for k in range(4)]


@pytest.mark.parametrize("gamma", [0.0, 0.3, 1.0])
def test_relaxed_is_a_mixture(gamma):
    model = RelaxedLasso(0.15, gamma=gamma).fit(X, Y, sample_weight=WEIGHTS)
    lasso = Lasso(0.15, tol=1e-12).fit(X, Y, sample_weight=WEIGHTS)
    chosen = np.flatnonzero(lasso.coef_)
    least = LinearRegression().fit(X[:, chosen], Y, sample_weight=WEIGHTS)
    expected = gamma * lasso.coef_
    expected[chosen] += (1 - gamma) * least.coef_
    np.testing.assert_allclose(model.coef_, expected, atol=1e-7)
    level = gamma * lasso.intercept_ + (1 - gamma) * least.intercept_
    assert model.intercept_ == pytest.approx(level, abs=1e-7)


def test_relaxed_without_a_column_is_the_mean():
    model = RelaxedLasso(100.0).fit(X, Y)
    assert not model.coef_.any()
    assert model.intercept_ == pytest.approx(Y.mean())


@pytest.mark.parametrize("rule", ["min", "1se"])
def test_relaxed_cross_validation(rule):
    model = RelaxedLassoCV(alphas=8, cv=FOLDS, gammas=[0.0, 0.5, 1.0], selection_rule=rule)
    model.fit(X, Y)
    assert model.deviance_path_.shape == (3, 8, 4)
    train, test = FOLDS[2]
    for g, gamma in enumerate([0.0, 0.5, 1.0]):
        one = RelaxedLasso(model.alphas_[5], gamma=gamma).fit(X[train], Y[train])
        expected = np.mean((Y[test] - one.predict(X[test])) ** 2)
        assert model.deviance_path_[g, 5, 2] == pytest.approx(expected, rel=1e-7)
    means = model.deviance_path_.mean(axis=-1)
    assert model.gamma_ == [0.0, 0.5, 1.0][np.unravel_index(means.argmin(), means.shape)[0]]
    one = RelaxedLasso(model.alpha_, gamma=model.gamma_).fit(X, Y)
    np.testing.assert_allclose(model.coef_, one.coef_, atol=1e-8)


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_adaptive_is_a_lasso_of_scaled_columns(power):
    first = Ridge(alpha=2.0).fit(X, Y)
    model = AdaptiveLasso(0.05, initial=Ridge(alpha=2.0), power=power).fit(X, Y)
    size = np.abs(first.coef_) ** power
    scaled = Lasso(0.05, tol=1e-12).fit(X * size, Y)
    np.testing.assert_allclose(model.coef_, scaled.coef_ * size, atol=1e-7)
    np.testing.assert_allclose(model.initial_coef_, first.coef_)


def test_adaptive_leaves_out_what_the_first_estimate_leaves_out():
    first = Lasso(0.2).fit(X, Y)
    model = AdaptiveLasso(1e-6, initial=Lasso(0.2)).fit(X, Y)
    assert not model.coef_[first.coef_ == 0].any()


def test_adaptive_cross_validation_makes_its_weights_in_every_fold():
    model = AdaptiveLassoCV(alphas=8, cv=FOLDS, initial="least_squares").fit(X, Y)
    train, test = FOLDS[1]
    one = AdaptiveLasso(model.alphas_[4], initial="least_squares").fit(X[train], Y[train])
    expected = np.mean((Y[test] - one.predict(X[test])) ** 2)
    assert model.deviance_path_[4, 1] == pytest.approx(expected, rel=1e-7)
    np.testing.assert_allclose(model.initial_coef_, LinearRegression().fit(X, Y).coef_)
    one = AdaptiveLasso(model.alpha_, initial="least_squares").fit(X, Y)
    np.testing.assert_allclose(model.coef_, one.coef_, atol=1e-8)


@pytest.mark.parametrize(
    ("kind", "penalty"), [(MCPRegressor, MCP(1.0, 2.5)), (SCADRegressor, SCAD(1.0, 2.5))]
)
def test_concave_regressors_are_the_general_one(kind, penalty):
    model = kind(0.3, gamma=2.5).fit(X, Y, sample_weight=WEIGHTS)
    general = PenalizedRegression(penalty=penalty, alpha=0.3).fit(X, Y, sample_weight=WEIGHTS)
    np.testing.assert_array_equal(model.coef_, general.coef_)
    assert not model.certificate_.proved
    assert model.certificate_.kkt < 1e-9


def test_bad_input():
    with pytest.raises(InvalidParameterError, match="gamma"):
        RelaxedLasso(gamma=1.5).fit(X, Y)
    with pytest.raises(InvalidParameterError, match="gamma"):
        SCADRegressor(gamma=1.0).fit(X, Y)
    with pytest.raises(InvalidParameterError, match="initial"):
        AdaptiveLasso(initial="best").fit(X, Y)
