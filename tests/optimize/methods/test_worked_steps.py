"""The worked steps of the lecture notes, number by number."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.datasets import make_two_feature_regression, parabola, paraboloid
from stylobate.losses import HalfSquared
from stylobate.optimize import (
    SGD,
    Backtracking,
    Constant,
    EmpiricalRisk,
    GradientDescent,
    Newton,
    Stopping,
    minimize,
)

FOREVER = Stopping(1000, gradient=0.0)


def path(problem, method, steps):
    return minimize(problem, method=method, max_iter=steps, stop=FOREVER, keep_path=True).path


def test_a_step_of_one_bounces_between_two_and_minus_two():
    np.testing.assert_array_equal(
        path(parabola(), GradientDescent(Constant(1.0)), 4)[:, 0], [2, -2, 2, -2, 2]
    )


def test_half_a_step_reaches_the_minimum_at_once():
    found = minimize(parabola(), method=GradientDescent(Constant(0.5)))
    assert found.iterations == 1
    assert found.x[0] == 0.0
    assert found.stopped_by == "gradient"


def test_halving_finds_the_half_step():
    rule = Backtracking(start=1.0, shrink=0.5, sufficient=0.0)
    found = minimize(parabola(), method=GradientDescent(rule))
    assert found.trace.step[1] == 0.5
    assert found.x[0] == 0.0


def test_the_paraboloid_from_one_zero():
    f = paraboloid()
    assert f.value(f.start) == 2.0
    np.testing.assert_array_equal(f.gradient(f.start), [2.0, -2.0])
    steps = path(f, GradientDescent(Constant(0.1)), 3)
    np.testing.assert_allclose(steps[1], [0.8, 0.2])
    np.testing.assert_allclose(steps[2], [0.64, 0.36])
    assert minimize(f, method=Newton()).iterations == 1
    np.testing.assert_allclose(minimize(f).x, [0.0, 1.0], atol=1e-9)


@pytest.mark.parametrize(
    ("stop", "name"),
    [
        (Stopping(7, gradient=0.0), "iterations"),
        (Stopping(1000, value=1e-3, gradient=0.0), "value"),
        (Stopping(1000, change=1e-3, gradient=0.0), "change"),
        (Stopping(1000, gradient=1e-3), "gradient"),
    ],
)
def test_each_convergence_test_is_reported_by_name(stop, name):
    found = minimize(paraboloid(), method=GradientDescent(Constant(0.1)), stop=stop, keep_path=True)
    assert found.stopped_by == name
    last, before = found.path[-1], found.path[-2]
    values = found.trace.objective
    truth = {
        "iterations": found.iterations == 7,
        "value": abs(values[-1] - values[-2]) <= 1e-3 < abs(values[-2] - values[-3]),
        "change": np.linalg.norm(last - before) <= 1e-3,
        "gradient": found.trace.gradient_norm[-1] <= 1e-3 < found.trace.gradient_norm[-2],
    }
    assert truth[name]
    assert found.converged == (name != "iterations")


def test_gradient_descent_against_stochastic_on_two_features():
    """15 to 20 iterations of the one, some 40 rows of the other, from (−2, −3) to (1, 1)."""
    X, y = make_two_feature_regression()
    risk = EmpiricalRisk(HalfSquared(), X, y)
    full = minimize(
        risk, [-2.0, -3.0], method=GradientDescent(Constant(0.15)), stop=Stopping(20, gradient=0.0)
    )
    np.testing.assert_allclose(full.x, [1.0, 1.0], atol=0.1)
    few = EmpiricalRisk(HalfSquared(), X[:40], y[:40])
    noisy = minimize(few, [-2.0, -3.0], method=SGD(Constant(0.02)), max_iter=1)
    np.testing.assert_allclose(noisy.x, [1.0, 1.0], atol=0.35)
    assert noisy.evaluations["gradient"] <= 4  # one pass over 40 rows, and two looks


def test_one_epoch_of_stochastic_descent_row_by_row():
    """w ← w − η·dLᵢ/dw, Lᵢ = (yᵢ − w₀ − w₁xᵢ)², one row after the other."""
    x, y = np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 2.0])
    w = np.zeros(2)
    for xi, yi in zip(x, y, strict=True):
        r = yi - w[0] - w[1] * xi
        w = w - 0.1 * np.array([-2.0 * r, -2.0 * r * xi])
    risk = EmpiricalRisk(HalfSquared(), np.column_stack([np.ones(3), x]), y)
    ours = np.zeros(2)
    for i in range(3):
        ours = ours - 0.2 * risk.term_gradient(ours, [i])  # of ½r², hence twice the step
    np.testing.assert_allclose(ours, w, atol=1e-15)
