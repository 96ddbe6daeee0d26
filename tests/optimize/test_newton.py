"""Newton's method on step statistics: against scipy, at singular Hessians, and its proved gap."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import minimize

from stylobate.optimize.newton import gap_bound, newton


def step_statistic(x, y, loss, weights=None):
    """A NumPy step statistic of [x, 1]."""
    design = np.column_stack([x, np.ones(len(x))])
    w = np.ones(len(x)) if weights is None else weights

    def at(coef, intercept):
        z = x @ coef + intercept
        with np.errstate(over="ignore", invalid="ignore"):
            if loss == "poisson":
                value, slope, curve = np.exp(z) - y * z, np.exp(z) - y, np.exp(z)
            else:
                p = 0.5 * (1 + np.tanh(z / 2))
                value, slope, curve = np.logaddexp(0, z) - y * z, p - y, p * (1 - p)
            return SimpleNamespace(
                n_rows=len(x),
                value=float(w @ value),
                gradient=design.T @ (w * slope),
                hessian=(design.T * (w * curve)) @ design,
            )

    return at


def make(loss, n=60, p=4, seed=0, scale=1.0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p)) * scale
    z = x @ (rng.normal(size=p) / scale) * 0.7
    y = rng.poisson(np.exp(z)) if loss == "poisson" else rng.random(n) < 1 / (1 + np.exp(-z))
    return x, y.astype(float)


@pytest.mark.parametrize("loss", ["poisson", "logistic"])
@pytest.mark.parametrize("l2", [0.0, 0.3, 1e3])
@pytest.mark.parametrize("intercept", [True, False])
def test_newton_finds_the_minimum(loss, l2, intercept):
    x, y = make(loss)
    step_at = step_statistic(x, y, loss)
    found = newton(
        step_at, start=(np.zeros(4), 0.0), l2=l2, fit_intercept=intercept, tol=1e-12, max_iter=50
    )

    def objective(theta):
        at = step_at(theta[:4], theta[4] if intercept else 0.0)
        g = at.gradient[: len(theta)].copy()
        g[:4] += l2 * theta[:4]
        return at.value + l2 / 2 * theta[:4] @ theta[:4], g

    best = minimize(objective, np.zeros(4 + intercept), jac=True, options={"gtol": 1e-10})
    assert found.converged
    assert found.objective <= best.fun + 1e-10 * abs(best.fun)
    np.testing.assert_allclose(found.coef, best.x[:4], atol=1e-6)
    assert found.intercept == (pytest.approx(best.x[4], abs=1e-6) if intercept else 0.0)


@pytest.mark.parametrize("loss", ["poisson", "logistic"])
@pytest.mark.parametrize("l2", [0.0, 0.5])
@pytest.mark.parametrize("steps", [1, 2, 3, 4, 6])
def test_gap_bound_bounds_the_gap(loss, l2, steps):
    x, y = make(loss, seed=3)
    step_at = step_statistic(x, y, loss)
    options = {"start": (np.zeros(4), 0.0), "l2": l2, "fit_intercept": True, "tol": 0.0}
    early, late = (newton(step_at, max_iter=each, **options) for each in (steps, 50))
    shift = np.abs(np.column_stack([x, np.ones(len(x))]) @ early.direction).max()
    bound = gap_bound(early, l2, shift)
    assert early.objective - late.objective <= bound + 1e-12
    if steps >= 4:
        assert bound < 1e-3


def test_dependent_columns_share_their_weight():
    x, y = make("poisson")
    doubled = np.column_stack([x, x[:, 0]])
    options = {"l2": 0.0, "fit_intercept": True, "tol": 1e-13, "max_iter": 50}
    one = newton(step_statistic(x, y, "poisson"), start=(np.zeros(4), 0.0), **options)
    two = newton(step_statistic(doubled, y, "poisson"), start=(np.zeros(5), 0.0), **options)
    assert two.converged
    assert two.rank == 5
    np.testing.assert_allclose(two.coef[[0, 4]], one.coef[0] / 2, atol=1e-8)
    assert two.objective == pytest.approx(one.objective, rel=1e-12)


def test_units_do_not_matter():
    x, y = make("logistic")
    units = np.array([1e-8, 1e8, 1.0, 1e3])
    options = {"l2": 0.0, "fit_intercept": True, "tol": 1e-13, "max_iter": 50}
    plain = newton(step_statistic(x, y, "logistic"), start=(np.zeros(4), 0.0), **options)
    scaled = newton(step_statistic(x * units, y, "logistic"), start=(np.zeros(4), 0.0), **options)
    np.testing.assert_allclose(scaled.coef * units, plain.coef, rtol=1e-8)


def test_steps_that_overflow_are_cut_back():
    x = np.array([[0.0], [1.0], [2.0], [3.0]])
    y = np.array([0.0, 1.0, 0.0, 1e6])
    step_at = step_statistic(x, y, "poisson")
    found = newton(
        step_at, start=(np.zeros(1), 0.0), l2=0.0, fit_intercept=True, tol=1e-12, max_iter=200
    )
    assert found.converged
    assert np.abs(found.step.gradient).max() < 1e-3
    assert (np.diff(found.trace.objective) <= 0).all()


def test_limit_of_iterations_is_kept():
    x, y = make("poisson")
    found = newton(
        step_statistic(x, y, "poisson"),
        start=(np.zeros(4), 0.0),
        l2=0.0,
        fit_intercept=True,
        tol=1e-12,
        max_iter=1,
    )
    assert (found.converged, found.iterations, len(found.trace)) == (False, 1, 2)


def test_a_judge_decides_when_to_end():
    x, y = make("logistic")[:2]
    at, seen = step_statistic(x, y, "logistic"), []

    def judge(iterate):
        solved = np.linalg.solve(iterate.point.hessian, iterate.point.gradient)
        np.testing.assert_allclose(iterate.direction, -solved, rtol=1e-6, atol=1e-12)
        assert iterate.decrement == pytest.approx(0.5 * iterate.point.gradient @ solved, rel=1e-6)
        seen.append(iterate.point.value)
        return len(seen) == 3

    found = newton(
        at, start=(np.zeros(4), 0.0), l2=1.0, fit_intercept=True, tol=1.0, max_iter=9, judge=judge
    )
    assert found.converged
    assert found.iterations == 2
    assert found.trace.objective == seen == sorted(seen, reverse=True)
