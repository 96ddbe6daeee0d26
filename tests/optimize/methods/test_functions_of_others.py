"""Derivatives: given, found, torch's; and facts of quadratics and means of losses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from stylobate.datasets import rosenbrock
from stylobate.losses import HalfSquared, Huber, Logistic, Poisson
from stylobate.optimize import EmpiricalRisk, Quadratic, Smooth, minimize

POINTS = arrays(np.float64, 3, elements=st.floats(-2, 2))


@given(POINTS)
def test_complex_steps_are_exact(x):
    f = Smooth(lambda x: np.sum(np.exp(x) * np.sin(x)) + x[0] * x[1] * x[2])
    exact = np.exp(x) * (np.sin(x) + np.cos(x)) + [x[1] * x[2], x[0] * x[2], x[0] * x[1]]
    np.testing.assert_allclose(f.gradient(x), exact, rtol=1e-12, atol=1e-12)
    assert f.derivatives == "complex step"


@pytest.mark.parametrize(
    "function",
    [
        lambda x: float(x[0] ** 2 + x[1] ** 2),  # refuses complex numbers
        lambda x: np.abs(x[0]) ** 2 + np.abs(x[1]) ** 2,  # takes them, and is not analytic
    ],
)
def test_functions_of_real_numbers_fall_back_to_differences(function):
    f = Smooth(function)
    np.testing.assert_allclose(f.gradient([1.0, 2.0]), [2.0, 4.0], rtol=1e-8)
    assert f.derivatives == "central differences"
    np.testing.assert_allclose(f.hessian(np.array([1.0, 2.0])), 2 * np.eye(2), atol=1e-3)


@given(arrays(np.float64, 4, elements=st.floats(-1.5, 1.5)))
def test_derivatives_of_rosenbrock(x):
    valley = rosenbrock(4)
    found = Smooth(valley.value)
    np.testing.assert_allclose(valley.gradient(x), found.gradient(x), atol=1e-9)
    np.testing.assert_allclose(valley.hessian(x), found.hessian(x), rtol=1e-5, atol=1e-3)


@pytest.mark.parametrize("loss", [HalfSquared(), Logistic(), Huber(), Poisson()])
def test_risk_against_its_values(loss):
    random = np.random.default_rng(0)
    x, y = random.normal(size=(20, 3)), random.integers(0, 2, 20).astype(float)
    risk, w = EmpiricalRisk(loss, x, y, l2=0.3), np.array([0.2, -0.1, 0.4])
    by_values = Smooth(lambda w: float(risk.value(w)))
    np.testing.assert_allclose(risk.gradient(w), by_values.gradient(w), atol=1e-8)
    np.testing.assert_allclose(
        risk.hessian(w), Smooth(risk.value, risk.gradient).hessian(w), atol=1e-6
    )


@given(arrays(np.float64, (3, 3), elements=st.floats(-5, 5)), POINTS, POINTS)
def test_facts_of_quadratics_hold(root, x, y):
    f = Quadratic(root.T @ root, [1.0, -2.0, 0.5])
    change = np.linalg.norm(f.gradient(x) - f.gradient(y))
    assert change <= f.lipschitz * np.linalg.norm(x - y) * (1 + 1e-9) + 1e-9
    below = f.value(x) + f.gradient(x) @ (y - x) + 0.5 * f.strong_convexity * np.sum((y - x) ** 2)
    assert f.value(y) >= below - 1e-8 * (1 + abs(below))


def test_jax_functions_differentiate_themselves_in_double_precision():
    jax = pytest.importorskip("jax")

    def function(x):
        return jax.numpy.sum((x - jax.numpy.array([1.0, 2.0])) ** 4) + x[0] * x[1]

    f = Smooth(function)
    np.testing.assert_allclose(f.gradient([0.1, 0.0]), [4 * -(0.9**3), -31.9], rtol=1e-14)
    assert minimize(f, [0.0, 0.0], method="newton", max_iter=50).converged


def test_torch_functions_differentiate_themselves():
    torch = pytest.importorskip("torch")

    def function(x):
        return torch.sum((x - torch.tensor([1.0, 2.0], dtype=torch.float64)) ** 4) + x[0] * x[1]

    f = Smooth(function)
    np.testing.assert_allclose(f.gradient([0.0, 0.0]), [-4.0, -32.0])
    assert f.derivatives == "torch or JAX"
    assert minimize(f, [0.0, 0.0], method="newton").converged
