"""`ridge_path` against scikit-learn's Ridge at each penalty."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from stylobate.datasets import load_diabetes
from stylobate.exceptions import InvalidParameterError
from stylobate.linear_model import ridge_path


@pytest.mark.parametrize("shape", ["long", "wide", "nearly dependent"])
@pytest.mark.parametrize("intercept", [True, False])
def test_each_penalty_is_the_ridge_of_scikit_learn(shape, intercept):
    random = np.random.default_rng(0)
    X = random.normal(size=(8, 20) if shape == "wide" else (60, 5)) + 2.0
    if shape == "nearly dependent":
        X[:, 4] = X[:, 3] + 1e-7 * random.normal(size=60)
    y = random.normal(size=len(X))
    alphas, coefs, intercepts = ridge_path(X, y, alphas=[0.5, 30.0, 4.0], fit_intercept=intercept)
    assert alphas.tolist() == [30.0, 4.0, 0.5]
    for alpha, coef, b in zip(alphas, coefs.T, intercepts, strict=True):
        known = Ridge(alpha=alpha, fit_intercept=intercept, solver="svd").fit(X, y)
        np.testing.assert_allclose(coef, known.coef_, rtol=1e-8, atol=1e-10)
        assert b == pytest.approx(known.intercept_, rel=1e-9, abs=1e-10)


def test_the_grid_leads_from_nothing_to_least_squares():
    X, y = load_diabetes(return_X_y=True)
    alphas, coefs, _ = ridge_path(X, y, alphas=30)
    assert (np.diff(alphas) < 0).all()
    ends = np.linalg.norm(coefs[:, [0, -1]], axis=0)
    least = np.linalg.lstsq(X - X.mean(axis=0), y - y.mean(), rcond=None)[0]
    assert ends[0] < 0.05 * ends[1]
    assert ends[1] == pytest.approx(np.linalg.norm(least), rel=0.01)
    assert (np.diff(np.linalg.norm(coefs, axis=0)) > 0).all()  # shrinkage is monotone


@pytest.mark.parametrize("alphas", [[-1.0], [], 0, [np.nan]])
def test_penalties_that_are_none_are_refused(alphas):
    with pytest.raises(InvalidParameterError, match="alphas"):
        ridge_path([[0.0], [1.0]], [0.0, 1.0], alphas=alphas)
