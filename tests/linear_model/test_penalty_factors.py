"""Factors of a penalty by column, and the choice of its strength: by definitions, by others."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model import ElasticNet as ElasticNetModel
from stylobate.linear_model import (
    ElasticNetCV,
    LassoCV,
    LinearRegression,
    PenalizedRegression,
    PenalizedRegressionCV,
)
from stylobate.linear_model import Lasso as LassoModel
from stylobate.losses import Gamma, HalfSquared, Huber, Logistic, Poisson, Tweedie
from stylobate.penalties import L1, L2, MCP, SCAD, ElasticNet

RNG = np.random.default_rng(5)
N, P = 100, 40
X = RNG.normal(size=(N, P)) + RNG.uniform(-1.0, 1.0, P)
Z = (X - X.mean(axis=0))[:, :5] @ [1.0, -1.0, 0.7, 0.5, -0.4]
WEIGHTS = RNG.uniform(0.2, 2.0, N)
FACTORS = RNG.uniform(0.3, 2.0, P)
FACTORS[[0, 9]] = 0.0
FACTORS[7] = np.inf
TARGETS = {
    HalfSquared(): Z + RNG.normal(size=N),
    Huber(0.6): Z + RNG.standard_t(2, size=N),
    Logistic(): (Z + RNG.logistic(size=N) > 0).astype(float),
    Poisson(): RNG.poisson(np.exp(0.5 * Z)).astype(float),
    Gamma(): np.exp(0.5 * Z) * RNG.gamma(3.0, 1 / 3.0, N),
    Tweedie(1.5): RNG.poisson(np.exp(0.5 * Z)) * RNG.gamma(2.0, 0.5, N),
}
PENALTIES = [L1(0.07), L2(0.1), ElasticNet(0.06, 0.05), MCP(0.1, 3.0), SCAD(0.1, 3.7)]


def slopes(loss, y, z):
    """dℓ/dz, written out."""
    name = type(loss).__name__
    if name == "Huber":
        return np.clip(z - y, -0.6, 0.6)
    power = {"Poisson": 1.0, "Gamma": 2.0, "Tweedie": 1.5}.get(name)
    if power is not None:
        return np.exp((2 - power) * z) - y * np.exp((1 - power) * z)
    return z - y if name == "HalfSquared" else 1 / (1 + np.exp(-z)) - y


def off_by(loss, penalty, x, y, weights, w, b, factors):
    """The largest distance of 0 from the subdifferential, by formulas of this file."""
    shares = weights / weights.sum()
    u = shares * slopes(loss, y, x @ w + b)
    g, worst = x.T @ u, abs(u.sum())
    name = type(penalty).__name__
    for j, (slope, value, f) in enumerate(zip(g, w, factors, strict=True)):
        if np.isinf(f):
            assert w[j] == 0.0
            continue
        lam, bend, a = 0.0, 0.0, abs(value)
        if name in ("L1", "L2"):
            lam, bend = (f * penalty.strength, 0.0) if name == "L1" else (0.0, f * penalty.strength)
        elif name == "ElasticNet":
            lam, bend = f * penalty.l1, f * penalty.l2
        elif name == "MCP":
            lam = f * penalty.strength
            at = max(lam - a / penalty.concavity, 0.0)
        else:
            lam, gamma = f * penalty.strength, penalty.concavity
            at = lam if a <= lam else max(gamma * lam - a, 0.0) / (gamma - 1)
        if name in ("L1", "L2", "ElasticNet"):
            at = lam + bend * a
        if value == 0.0:
            worst = max(worst, abs(slope) - lam)
        else:
            worst = max(worst, abs(slope + np.sign(value) * at))
    return worst


@pytest.mark.parametrize("loss", TARGETS, ids=str)
@pytest.mark.parametrize("penalty", PENALTIES, ids=str)
def test_stationary_with_factors(loss, penalty):
    y = TARGETS[loss]
    model = PenalizedRegression(loss, penalty=penalty, penalty_factor=FACTORS)
    model.fit(X, y, sample_weight=WEIGHTS)
    assert off_by(loss, penalty, X, y, WEIGHTS, model.coef_, model.intercept_, FACTORS) < 2e-9
    assert model.coef_[0] != 0.0
    assert model.coef_[7] == 0.0
    assert model.certificate_.proved == penalty.convex
    if penalty.convex:
        assert model.certificate_.relative_gap < 1e-7


@pytest.mark.parametrize("loss", [HalfSquared(), Poisson()], ids=str)
def test_equal_factors_are_a_factor_of_the_strength(loss):
    y = TARGETS[loss]
    for penalty in PENALTIES:
        plain = PenalizedRegression(loss, penalty=penalty, alpha=1.5).fit(X, y)
        model = PenalizedRegression(loss, penalty=penalty, penalty_factor=np.full(P, 1.5))
        np.testing.assert_allclose(model.fit(X, y).coef_, plain.coef_, atol=1e-7)


def test_the_proved_bound_holds_for_whatever_else():
    """No point anyone tries is below the certificate's dual."""
    y, loss, penalty = TARGETS[Poisson()], Poisson(), L1(0.07)
    model = PenalizedRegression(loss, penalty=penalty, penalty_factor=FACTORS).fit(X, y)
    used = np.isfinite(FACTORS)

    def objective(w, b):
        z = X @ w + b
        best = np.where(y > 0, y - y * np.log(np.maximum(y, 1e-300)), 0.0)
        return np.mean(np.exp(z) - y * z - best) + 0.07 * np.abs(w[used]) @ FACTORS[used]

    proof = model.certificate_
    assert objective(model.coef_, model.intercept_) == pytest.approx(proof.primal, rel=1e-12)
    for _ in range(50):
        w = model.coef_ + RNG.normal(scale=10.0 ** RNG.uniform(-6, -1), size=P) * (model.coef_ != 0)
        assert objective(w, model.intercept_) >= proof.dual


def test_columns_without_a_penalty_alone_are_least_squares():
    y = TARGETS[HalfSquared()]
    factors = np.where(np.arange(P) < 4, 0.0, np.inf)
    model = PenalizedRegression(penalty_factor=factors).fit(X, y, sample_weight=WEIGHTS)
    least = LinearRegression().fit(X[:, :4], y, sample_weight=WEIGHTS)
    np.testing.assert_allclose(model.coef_[:4], least.coef_, rtol=1e-9)
    assert not model.coef_[4:].any()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.01, 0.5))
def test_scaling_a_column_is_a_factor_of_the_lasso(seed, alpha):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(30, 6))
    y = x[:, 0] - x[:, 1] + rng.normal(size=30)
    factors = rng.uniform(0.2, 3.0, 6)
    model = PenalizedRegression(alpha=alpha, penalty_factor=factors).fit(x, y)
    scaled = PenalizedRegression(alpha=alpha).fit(x / factors, y)
    np.testing.assert_allclose(model.coef_, scaled.coef_ / factors, atol=1e-7)


def test_statsmodels():
    """`fit_regularized` minimises the same with a factor per column, roughly."""
    sm = pytest.importorskip("statsmodels.api")
    y, factors = TARGETS[Poisson()], np.append(0.0, np.linspace(0.5, 1.5, 6))
    x = np.column_stack([np.ones(N), X[:, :6]])
    family = sm.GLM(y, x, family=sm.families.Poisson())
    theirs = family.fit_regularized(alpha=0.1 * factors, L1_wt=1.0, maxiter=1000, cnvrg_tol=1e-12)
    model = PenalizedRegression("poisson", alpha=0.1, penalty_factor=factors[1:]).fit(X[:, :6], y)
    np.testing.assert_allclose(model.coef_, theirs.params[1:], atol=1e-6)
    assert model.intercept_ == pytest.approx(theirs.params[0], abs=1e-6)


def test_sparse_rows_streams_and_float32():
    y = TARGETS[Poisson()]
    model = PenalizedRegression("poisson", alpha=0.05, penalty_factor=FACTORS).fit(X, y)
    again = PenalizedRegression("poisson", alpha=0.05, penalty_factor=FACTORS)
    np.testing.assert_allclose(again.fit(sparse.csr_array(X), y).coef_, model.coef_, atol=1e-7)
    with pytest.MonkeyPatch.context() as patch:  # few numbers are made dense: not here
        patch.setattr("stylobate.optimize.structured._SMALL", 0)
        np.testing.assert_allclose(again.fit(sparse.csr_array(X), y).coef_, model.coef_, atol=1e-7)
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({f"x{j}": X[:, j] for j in range(P)} | {"y": y})
    batches = [frame[:30], frame[30:]]
    again.fit(batches, target="y")
    np.testing.assert_allclose(again.coef_, model.coef_, atol=1e-6)


# --- the choice of the strength -------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["poisson", "gamma", Tweedie(1.5), "log_loss"], ids=str)
def test_the_choice_is_that_of_a_loop_over_folds(loss):
    y = TARGETS[Tweedie(1.5)]
    y = {"gamma": y + 0.5, "log_loss": (y > 0).astype(float)}.get(loss, y)
    folds = [
        (np.flatnonzero(np.arange(N) % 4 != k), np.flatnonzero(np.arange(N) % 4 == k))
        for k in range(4)
    ]
    factors = np.ones(P)
    factors[0] = 0.0
    model = PenalizedRegressionCV(loss, alphas=8, eps=0.05, cv=folds, penalty_factor=factors)
    model.fit(X, y, sample_weight=WEIGHTS)
    assert model.deviance_path_.shape == (8, 4)
    for a in (0, 3, 7):
        for k, (train, test) in enumerate(folds):
            one = PenalizedRegression(loss, alpha=model.alphas_[a], penalty_factor=factors)
            one.fit(X[train], y[train], sample_weight=WEIGHTS[train])
            z = X[test] @ one.coef_ + one.intercept_
            deviance = one._loss_value().deviance(y[test], z)
            expected = np.average(deviance, weights=WEIGHTS[test])
            assert model.deviance_path_[a, k] == pytest.approx(expected, rel=1e-6)
    means = model.deviance_path_.mean(axis=1)
    assert model.alpha_ == model.alphas_[means.argmin()]
    simple = PenalizedRegressionCV(loss, alphas=8, eps=0.05, cv=folds, penalty_factor=factors)
    simple.set_params(selection_rule="1se").fit(X, y, sample_weight=WEIGHTS)
    best = model.deviance_path_[means.argmin()]
    allowed = model.alphas_[means <= best.mean() + best.std(ddof=1) / 2.0]
    assert simple.alpha_ == simple.alpha_1se_ == allowed.max()
    last = PenalizedRegression(loss, alpha=simple.alpha_, penalty_factor=factors)
    last.fit(X, y, sample_weight=WEIGHTS)
    np.testing.assert_allclose(simple.coef_, last.coef_, atol=1e-7)


def test_the_grid_starts_where_nothing_is_left():
    model = PenalizedRegressionCV("poisson", penalty_factor=FACTORS).fit(X, TARGETS[Poisson()])
    free = np.flatnonzero(FACTORS == 0.0)
    at = PenalizedRegression("poisson", penalty_factor=FACTORS)
    at.set_params(alpha=1.0001 * model.alphas_[0]).fit(X, TARGETS[Poisson()])
    np.testing.assert_array_equal(np.flatnonzero(at.coef_), free)
    at.set_params(alpha=0.99 * model.alphas_[0]).fit(X, TARGETS[Poisson()])
    assert np.count_nonzero(at.coef_) > len(free)


@pytest.mark.parametrize(
    ("factors", "words"),
    [
        ([1.0, -1.0], "must not be negative or NaN, got -1 for column 1"),
        ([np.nan, 1.0], "must not be negative"),
        ([1.0], "one number for each of the 2 columns"),
    ],
)
def test_bad_factors(factors, words):
    with pytest.raises(InvalidParameterError, match=words):
        PenalizedRegression(penalty_factor=factors).fit(X[:, :2], Z)


def test_free_columns_cannot_be_kept_non_negative():
    with pytest.raises(InvalidParameterError, match="penalty_factor must not be 0"):
        PenalizedRegression(penalty_factor=[0.0, 1.0], positive=True).fit(X[:, :2], Z)


# --- the lasso and the elastic net ----------------------------------------------------------------


def test_factors_of_the_lasso_and_the_elastic_net():
    y = TARGETS[HalfSquared()]
    for kind, penalty in ((LassoModel, L1(0.07)), (ElasticNetModel, ElasticNet(0.035, 0.035))):
        model = kind(alpha=0.07, penalty_factor=FACTORS).fit(X, y, sample_weight=WEIGHTS)
        w, b = model.coef_, model.intercept_
        assert off_by(HalfSquared(), penalty, X, y, WEIGHTS, w, b, FACTORS) < 1e-9
        assert model.certificate_.relative_gap < 1e-8
        both = kind(alpha=0.07, penalty_factor=FACTORS).fit(X, np.column_stack([y, -y]), WEIGHTS)
        np.testing.assert_allclose(both.coef_, [w, -w], atol=1e-9)
        plain = kind(alpha=0.07, tol=1e-12).fit(X, y)
        ones = kind(alpha=0.07, penalty_factor=np.ones(P)).fit(X, y)
        np.testing.assert_allclose(ones.coef_, plain.coef_, atol=1e-7)


@pytest.mark.parametrize("kind", [LassoCV, ElasticNetCV])
def test_factors_in_cross_validation(kind):
    y = TARGETS[HalfSquared()]
    ones = kind(alphas=10, cv=4, penalty_factor=np.ones(P)).fit(X, y, sample_weight=WEIGHTS)
    plain = kind(alphas=10, cv=4, tol=1e-9).fit(X, y, sample_weight=WEIGHTS)
    np.testing.assert_allclose(ones.alphas_, plain.alphas_, rtol=1e-9)
    np.testing.assert_allclose(ones.mse_path_, plain.mse_path_, rtol=1e-5)
    model = kind(alphas=10, cv=4, penalty_factor=FACTORS, selection_rule="1se").fit(X, y)
    again = {LassoCV: LassoModel, ElasticNetCV: ElasticNetModel}[kind]
    one = again(alpha=model.alpha_, penalty_factor=FACTORS).fit(X, y)
    np.testing.assert_allclose(model.coef_, one.coef_, atol=1e-9)
    assert model.coef_[7] == 0.0


def test_bad_factors_of_the_lasso():
    with pytest.raises(InvalidParameterError, match="must not be negative"):
        LassoModel(penalty_factor=-np.ones(P)).fit(X, Z)
    with pytest.raises(InvalidParameterError, match="each of the 40 columns"):
        LassoCV(penalty_factor=np.ones(3)).fit(X, Z)
    with pytest.raises(InvalidParameterError, match="solver='auto'"):
        LassoModel(penalty_factor=np.ones(P), solver="gram").fit(X, Z)


def test_no_strength_is_least_squares_with_a_proof():
    y = TARGETS[HalfSquared()]
    factors = np.where(np.arange(P) == 3, np.inf, 1.0)
    model = LassoModel(alpha=0.0, penalty_factor=factors).fit(X, y)
    least = LinearRegression().fit(np.delete(X, 3, axis=1), y)
    np.testing.assert_allclose(np.delete(model.coef_, 3), least.coef_, atol=1e-9)
    assert model.coef_[3] == 0.0
    assert model.certificate_.relative_gap < 1e-10


def test_non_negative_with_factors():
    factors = np.linspace(0.5, 2.0, P)
    y = TARGETS[HalfSquared()]
    model = LassoModel(0.05, positive=True, penalty_factor=factors).fit(X, y)
    scaled = LassoModel(0.05, positive=True, tol=1e-12).fit(X / factors, y)
    np.testing.assert_allclose(model.coef_, scaled.coef_ / factors, atol=1e-7)
