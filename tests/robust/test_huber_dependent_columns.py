"""Huber's regression on encoded tables: dependent columns, wild units, more columns than rows."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize

from stylobate.linear_model import HuberRegressor


def encoded(n, seed=0, levels=(8, 15, 12)):
    """One-hot columns of several categories, and a date in four forms."""
    rng = np.random.default_rng(seed)
    columns = [np.eye(k)[rng.integers(0, k, n)] for k in levels]
    year, month = rng.integers(1965, 2016, n).astype(float), rng.integers(1, 13, n).astype(float)
    days = 365.25 * year + 30.0 * month
    X = np.hstack([*columns, np.column_stack([year, month, days, 86400.0 * days])])
    effects = rng.normal(0, 9000, levels[0])
    y = 6e4 - 800.0 * (year - 1990) + X[:, : levels[0]] @ effects
    return X, y + 4000.0 * rng.standard_t(2, n)


def objective(model, X, y, epsilon=1.35, alpha=1e-4):
    r = np.abs(y - X @ model.coef_ - model.intercept_)
    s = model.scale_
    near = np.minimum(r, epsilon * s)
    return len(y) * s + (near * (2 * r - near)).sum() / s + alpha * model.coef_ @ model.coef_


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("n", [30, 45, 200])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_encoded_tables_are_solved_and_proved(n, seed, kind):
    X, y = encoded(n, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = HuberRegressor().fit(kind(X), y)
    assert model.certificate_.optimal
    assert model.n_iter_ < 40
    assert objective(model, X, y) == pytest.approx(model.certificate_.primal, rel=1e-7)


def test_no_other_coefficients_are_better():
    """Against a general minimiser, started at the answer and moved off it."""
    X, y = encoded(45)
    model = HuberRegressor(alpha=1.0).fit(X, y)
    scale = np.append(np.abs(X - X.mean(axis=0)).max(axis=0), [1.0, 1.0])
    scale[scale == 0.0] = 1.0  # of categories that do not occur
    mean = X.mean(axis=0)

    def value(v):
        w = v[:-2] / scale[:-2]
        r, s = np.abs(y - (X - mean) @ w - v[-2]), abs(v[-1]) + 1e-9
        near = np.minimum(r, 1.35 * s)
        return len(y) * s + (near * (2 * r - near)).sum() / s + w @ w

    middle = model.intercept_ + mean @ model.coef_
    start = np.append(model.coef_ * scale[:-2], [middle, model.scale_])
    for shift in (0.0, 1.0):
        off = start + shift * np.random.default_rng(0).normal(size=len(start))
        better = minimize(value, off, method="L-BFGS-B", options={"maxiter": 300})
        assert better.fun >= model.certificate_.dual * (1 - 1e-9)
        assert better.fun >= model.certificate_.primal * (1 - 1e-6)


def test_dependent_columns_share_their_weight():
    X, y = encoded(200)
    once = HuberRegressor(alpha=0.0).fit(X[:, [0, 1, 23]], y)
    twice = HuberRegressor(alpha=0.0).fit(X[:, [0, 1, 23, 23]], y)
    assert twice.coef_[2] == pytest.approx(twice.coef_[3], rel=1e-6)
    np.testing.assert_allclose(
        twice.predict(X[:, [0, 1, 23, 23]]), once.predict(X[:, [0, 1, 23]]), rtol=1e-7
    )


@pytest.mark.parametrize("alpha", [0.0, 1e-4])
@pytest.mark.parametrize("intercept", [True, False])
def test_weights_and_warm_starts(alpha, intercept):
    X, y = encoded(200)
    weights = np.random.default_rng(2).integers(0, 3, 200).astype(float)
    options = {"alpha": alpha, "fit_intercept": intercept, "max_iter": 300}
    model = HuberRegressor(warm_start=True, **options).fit(X, y, weights)
    again = HuberRegressor(**options).fit(np.repeat(X, weights.astype(int), 0),
                                          np.repeat(y, weights.astype(int)))  # fmt: skip
    assert model.certificate_.primal == pytest.approx(again.certificate_.primal, rel=1e-6)
    before = model.certificate_.primal
    model.fit(X, y, weights)
    assert model.certificate_.primal == pytest.approx(before, rel=1e-6)
    assert model.certificate_.relative_gap < 1e-5
