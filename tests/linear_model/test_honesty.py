"""Certificates, digits, ranks and measures of fit say what is true, also where it is awkward."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from stylobate.linear_model import ConstrainedRidge, LinearRegression, Ridge, RidgeCV

RNG = np.random.default_rng(7)


def hidden_direction(n=700):
    """Two columns that differ by 1e-9 times what explains most of y: a Gram cannot see it."""
    X = RNG.normal(size=(n, 3))
    noise = RNG.normal(size=n)
    X = np.column_stack([X, X[:, 0] + 1e-9 * noise])
    return X, X @ [1.0, 2.0, 3.0, 4.0] + 0.1 * RNG.normal(size=n) + 2 * noise


def test_what_the_gram_cannot_see_is_not_proved():
    X, y = hidden_direction()
    batches = [(X[:300], y[:300]), (X[300:], y[300:])]
    blind = LinearRegression().fit_batches(iter(batches)).certificate_
    seeing = LinearRegression().fit(X, y).certificate_
    assert seeing.optimal
    assert seeing.primal < 0.1 * blind.primal
    assert not blind.optimal
    assert blind.digits < 1
    assert "no proof" in blind.verdict


def test_a_descent_judged_by_the_gram_is_not_proved_either():
    X, y = hidden_direction()
    model = LinearRegression(solver="gradient_descent", max_iter=20_000).fit(X, y)
    assert not model.certificate_.optimal


@pytest.mark.parametrize("units", [[1.0, 1.0], [1.0, 1e-9], [1e6, 1e-6]])
def test_the_ball_does_not_depend_on_units_while_it_is_not_reached(units):
    X = RNG.normal(size=(200, 2))
    units = np.array(units)
    model = ConstrainedRidge(3.0 / units.min() ** 2).fit(X * units, X.sum(axis=1))
    assert model.coef_ * units == pytest.approx(np.ones(2), rel=1e-9)
    assert model.alpha_ == 0.0
    assert model.certificate_.optimal


@pytest.mark.parametrize("radius", [1e-280, 1e-8, 0.5])
def test_any_ball_is_filled(radius):
    X = RNG.normal(size=(100, 3))
    model = ConstrainedRidge(radius).fit(X, X @ [1.0, 2.0, 3.0] + RNG.normal(size=100))
    assert (model.coef_**2).sum() == pytest.approx(radius, rel=1e-9)


@pytest.mark.parametrize("condition", [1.0, 1e2, 1e4])
@pytest.mark.parametrize(
    "solver", ["auto", "cholesky", "qr", "svd", "lsqr", "sparse_cg", "gradient_descent"]
)
def test_trusted_digits_are_not_overstated(solver, condition):
    u = np.linalg.qr(RNG.normal(size=(3000, 4)))[0]
    v = np.linalg.qr(RNG.normal(size=(4, 4)))[0]
    X = u @ np.diag(np.geomspace(1.0, 1.0 / condition, 4)) @ v.T
    y = X @ [1.0, -2.0, 3.0, 0.5] + 1e-3 * RNG.normal(size=3000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = Ridge(1e-3, solver=solver, fit_intercept=False).fit(X, y)
    long = X.astype(np.longdouble)
    h = long.T @ long + np.longdouble(1e-3) * np.eye(4)
    exact = np.linalg.solve(h.astype(float), (long.T @ y).astype(float)).astype(np.longdouble)
    for _ in range(5):  # refined in long double
        exact += np.linalg.solve(h.astype(float), (long.T @ y - h @ exact).astype(float))
    error = np.linalg.norm(model.coef_ - exact) / np.linalg.norm(exact)
    true_digits = -np.log10(max(float(error), 1e-17))
    assert model.certificate_.digits <= true_digits + 1.0


@pytest.mark.parametrize("alpha", [1e20, 1e60, 1e100])
@pytest.mark.parametrize("solver", ["auto", "cholesky", "qr"])
def test_huge_penalties(alpha, solver):
    X = RNG.normal(size=(300, 3)) * [1.0, 10.0, 100.0] + 5.0
    y = X @ [1.0, 2.0, 3.0]
    model = Ridge(alpha, solver=solver).fit(X, y)
    expected = (X - X.mean(axis=0)).T @ (y - y.mean()) / alpha
    assert model.coef_ == pytest.approx(expected, rel=1e-6)


def test_penalties_of_their_own_on_dependent_columns():
    X = RNG.normal(size=(40_000, 3))
    X = np.column_stack([X, X[:, 0]])
    y = X @ [1.0, 2.0, 3.0, 4.0] + RNG.normal(size=40_000)
    model = Ridge(alpha=[0.0, 1.0, 1e-30]).fit(X, np.column_stack([y, y, y]))
    least_norm = np.linalg.lstsq(X - X.mean(axis=0), y - y.mean(), rcond=None)[0]
    for row in model.coef_:
        assert row == pytest.approx(least_norm, rel=1e-3)
    assert model.coef_[0] == pytest.approx(least_norm, rel=1e-9)


@pytest.mark.parametrize(
    "model",
    [
        LinearRegression(),
        LinearRegression(solver="svd"),
        LinearRegression(positive=True),
        Ridge(1e6),
        Ridge(1e12),
        RidgeCV([1e5, 1e6]),
        ConstrainedRidge(0.01),
    ],
    ids=str,
)
@pytest.mark.parametrize("extra", ["none", "constant", "copy"])
def test_r2_of_the_summary_is_the_score(model, extra):
    X = RNG.normal(size=(3000, 3)) + 4.0
    if extra != "none":
        X = np.column_stack([X, np.ones(3000) if extra == "constant" else X[:, 0]])
    y = X[:, :3] @ [1.0, 2.0, -3.0] + RNG.normal(size=3000)
    model.fit(X, y)
    assert model.summary().r2 == pytest.approx(model.score(X, y), rel=1e-9)


def test_r2_of_a_constant_target():
    X = RNG.normal(size=(100, 2))
    model = LinearRegression().fit(X, np.full(100, 5.0))
    assert np.isnan(model.summary().r2)  # 0/0, whatever a score has to answer
    assert model.score(X, np.full(100, 5.0)) == 1.0


@pytest.mark.parametrize("seed", range(6))
def test_one_rank_for_all(seed):
    X = np.random.default_rng(seed).normal(size=(5000, 4))
    X = np.column_stack([X, X[:, 0] + X[:, 1]])
    y = X.sum(axis=1) + np.random.default_rng(seed).normal(size=5000)
    whole = LinearRegression().fit(X, y)
    parts = LinearRegression().partial_fit(X[:2000], y[:2000]).partial_fit(X[2000:], y[2000:])
    for model in (whole, parts):
        assert model.rank_ == 4
        assert model.aliased_ == [4]
        assert model.summary().df_model == 4
        assert np.isnan(model.summary().coefficients.std_error[[1, 2, 5]]).all()


@pytest.mark.parametrize("solver", ["auto", "cholesky", "qr", "svd"])
def test_likelihood_of_weighted_batches(solver):
    X, w = RNG.normal(size=(400, 3)), RNG.uniform(0.1, 3.0, size=400)
    y = X.sum(axis=1) + RNG.normal(size=400)
    whole = LinearRegression(solver=solver).fit(X, y, w).summary()
    parts = [(X[:150], y[:150], w[:150]), (X[150:], y[150:], w[150:])]
    batches = LinearRegression(solver=solver).fit_batches(parts).summary()
    assert batches.log_likelihood == pytest.approx(whole.log_likelihood, rel=1e-9)
    assert batches.aic == pytest.approx(whole.aic, rel=1e-9)


def test_leverages_of_targets_with_penalties_of_their_own():
    X, Y = RNG.normal(size=(60, 3)), RNG.normal(size=(60, 2))
    model = Ridge(alpha=[0.1, 1000.0]).fit(X, Y)
    centred = X - X.mean(axis=0)
    for target, alpha in enumerate([0.1, 1000.0]):
        hat = centred @ np.linalg.solve(centred.T @ centred + alpha * np.eye(3), centred.T)
        expected = np.diag(hat) + 1 / 60
        assert model.leverages(X, target=target) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("intercept", [True, False])
def test_saturated_fits_have_a_certificate(seed, intercept):
    """As many coefficients as rows: nothing is left but rounding, of either sign."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((100, 99 if intercept else 100))
    y = X[:, 0] + 0.2 * rng.standard_normal(100)
    model = LinearRegression(fit_intercept=intercept).fit(X, y)
    assert model.certificate_.primal >= 0.0
    assert np.abs(model.predict(X) - y).max() < 1e-6
