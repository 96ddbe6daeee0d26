"""The constrained lasso against the penalised one, and its projection against a program."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from stylobate.exceptions import ConvergenceWarning
from stylobate.linear_model import ConstrainedLasso, Lasso, LinearRegression
from stylobate.optimize.sets.balls import project_l1_ball
from stylobate.optimize.sets.polyhedra import Simplex


@given(
    v=arrays(float, st.integers(1, 9), elements=st.floats(-100, 100)), radius=st.floats(0.01, 50)
)
def test_projection_is_the_nearest_point(v, radius):
    w = project_l1_ball(v, radius)
    assert np.abs(w).sum() <= radius * (1 + 1e-12)
    # v − w makes no acute angle with any direction into the ball: its corners are enough
    corners = radius * np.vstack([np.eye(len(v)), -np.eye(len(v))])
    assert np.all((corners - w) @ (v - w) <= 1e-9 * (1 + np.abs(v).max() * radius))


@pytest.mark.parametrize("shape", [(50, 6), (15, 30)])
@pytest.mark.parametrize("intercept", [True, False])
def test_equals_the_lasso_at_its_multiplier(shape, intercept):
    rng = np.random.default_rng(2)
    x = rng.standard_normal(shape) + 1
    y = x[:, 0] - x[:, 1] + rng.standard_normal(shape[0]) * 0.1 + 2
    weights = rng.integers(1, 4, shape[0]).astype(float)
    for alpha in (0.03, 0.3):
        lasso = Lasso(alpha, fit_intercept=intercept, tol=1e-12).fit(x, y, weights)
        radius = np.abs(lasso.coef_).sum()
        ball = ConstrainedLasso(radius, fit_intercept=intercept, tol=1e-10).fit(x, y, weights)
        assert ball.alpha_ == pytest.approx(alpha, rel=1e-4)
        np.testing.assert_allclose(ball.coef_, lasso.coef_, atol=1e-4)
        assert ball.intercept_ == pytest.approx(lasso.intercept_, abs=1e-3)
        assert np.abs(ball.coef_).sum() <= radius * (1 + 1e-12)


def test_a_radius_below_the_rounding_of_the_target():
    """The best single column, as every larger step along it is cut off by the ball."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((40, 3)), 2.0**63 * np.where(np.arange(40) % 2, 1.0, -1.0)
    c = (X - X.mean(axis=0)).T @ y
    best = np.abs(c).argmax()
    np.testing.assert_allclose(ConstrainedLasso(1.0).fit(X, y).coef_, np.sign(c) * np.eye(3)[best])
    huge = 2.0**63 * np.array([1.0, -1.0, 0.5])
    np.testing.assert_allclose(project_l1_ball(huge, 1.0), [0.5, -0.5, 0.0])
    np.testing.assert_allclose(Simplex().project(huge), [1.0, 0.0, 0.0])


def test_a_large_ball_holds_least_squares():
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((40, 3)), rng.standard_normal(40)
    ball, free = ConstrainedLasso(100.0, tol=1e-10).fit(x, y), LinearRegression().fit(x, y)
    assert ball.alpha_ == 0.0
    np.testing.assert_allclose(ball.coef_, free.coef_, atol=1e-4)
    assert ball.certificate_.optimal


def test_the_gap_is_a_bound():
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((40, 10)), rng.standard_normal(40)

    def value(model):
        return ((y - model.predict(x)) ** 2).sum() / 80

    best = value(ConstrainedLasso(0.3, tol=1e-12).fit(x, y))
    with pytest.warns(ConvergenceWarning, match="stopped after 1 iteration"):
        early = ConstrainedLasso(0.3, tol=1e-12, max_iter=1).fit(x, y)
    assert 0 < value(early) - best <= early.dual_gap_
