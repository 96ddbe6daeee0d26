"""LossStep against sums written out in NumPy, and against differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse, special

from stylobate.data import read_table
from stylobate.statistics import LossAt


def logistic(y, z):
    p = special.expit(z)
    return np.logaddexp(0, z) - y * z, p - y, p * (1 - p)


def poisson(y, z):
    return np.exp(z) - y * z, np.exp(z) - y, np.exp(z)


def gamma(y, z):
    return z + y * np.exp(-z), 1 - y * np.exp(-z), y * np.exp(-z)


def tweedie(y, z, power=1.5):
    a, b = 2 - power, 1 - power
    ea, eb = np.exp(a * z), y * np.exp(b * z)
    return ea / a - eb / b, ea - eb, a * ea - b * eb


def huber(y, z, slope=1.3):
    r = z - y
    inside = np.abs(r) <= slope
    value = np.where(inside, r**2 / 2, slope * np.abs(r) - slope**2 / 2)
    return value, np.clip(r, -slope, slope), inside.astype(float)


LOSSES = {
    "logistic": (logistic, 0.0),
    "poisson": (poisson, 0.0),
    "gamma": (gamma, 0.0),
    "tweedie": (tweedie, 1.5),
    "huber": (huber, 1.3),
}


def problem(n, p, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, p)) * (rng.random((n, p)) < 0.6)
    y = (rng.random(n) < 0.4).astype(float) + 0.25 * rng.integers(1, 3, n)
    weights = rng.integers(0, 3, n) * 0.5
    return x, y, weights, rng.standard_normal(p) / np.sqrt(p), rng.standard_normal(p)


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize(("n", "p"), [(1, 1), (5, 3), (191, 7), (193, 8), (5000, 33), (300, 700)])
@pytest.mark.parametrize("kind", ["rows", "columns", "single", "csr"])
def test_sums_over_rows(name, n, p, kind):
    x, y, weights, coef, center = problem(n, p)
    weights[0] = 1.0
    function, parameter = LOSSES[name]
    z = (x - center) @ coef + 0.3
    value, gradient, curvature = (weights * each for each in function(y, z))
    design = np.column_stack([x - center, np.ones(n)])
    given = {
        "rows": lambda: x,
        "columns": lambda: np.asfortranarray(x),
        "single": lambda: x.astype(np.float32),
        "csr": lambda: sparse.csr_array(x),
    }[kind]()
    table = read_table(given, y, weights, owner="test")
    step = LossAt(name, parameter, coef, 0.3, center, True).of(table)
    tolerance = 1e-5 if kind == "single" else 1e-12
    scale = np.abs(value).sum()
    assert step.value == pytest.approx(value.sum(), abs=tolerance * scale)
    size = np.abs(design).T @ np.abs(gradient)
    assert np.all(np.abs(step.gradient - design.T @ gradient) <= tolerance * (size + 1))
    hessian = design.T @ (curvature[:, None] * design)
    size = np.abs(design).T @ (np.abs(curvature)[:, None] * np.abs(design))
    # a residual on Huber's corner may fall on either side of it in single precision
    if not (kind == "single" and name == "huber"):
        assert np.all(np.abs(step.hessian - hessian) <= tolerance * (size + 1))
    assert step.n_rows == np.count_nonzero(weights)
    assert step.weight == weights.sum()


def test_parts_merge_to_the_whole():
    x, y, weights, coef, center = problem(400, 5)
    recipe = LossAt("poisson", 0.0, coef, -0.2, center, True)
    parts = [
        recipe.of(read_table(x[rows], y[rows], weights[rows], owner="test"))
        for rows in (slice(0, 150), slice(150, 400))
    ]
    merged = parts[0].merge(parts[1])
    whole = recipe.of(read_table(x, y, weights, owner="test"))
    np.testing.assert_allclose(merged.hessian, whole.hessian, rtol=1e-12)
    np.testing.assert_allclose(merged.gradient, whole.gradient, rtol=1e-11)
    assert merged.value == pytest.approx(whole.value, rel=1e-13)
    assert (merged.n_rows, merged.weight) == (whole.n_rows, whole.weight)


@pytest.mark.parametrize("name", ["logistic", "poisson", "gamma", "tweedie"])
def test_gradient_by_differences(name):
    x, y, weights, coef, center = problem(60, 3)
    table = read_table(x, y, weights, owner="test")
    parameter = LOSSES[name][1]

    def value(change):
        at = LossAt(name, parameter, coef + change[:3], 0.1 + change[3], center, False)
        return at.of(table).value

    found = LossAt(name, parameter, coef, 0.1, center, False).of(table)
    assert found.hessian is None
    h = 1e-6
    differences = [(value(h * e) - value(-h * e)) / (2 * h) for e in np.eye(4)]
    np.testing.assert_allclose(found.gradient, differences, rtol=1e-6, atol=1e-6)


def test_far_predictors_overflow_to_infinity_and_never_to_nan():
    table = read_table([[1e3], [-1e3]], [1.0, 1.0], owner="test")
    for name in ("poisson", "gamma"):
        step = LossAt(name, 0.0, np.ones(1), 0.0, np.zeros(1), False).of(table)
        assert step.value == np.inf
    far = LossAt("logistic", 0.0, np.ones(1), 0.0, np.zeros(1), True).of(table)
    assert far.value == 1e3
    assert np.isfinite(far.hessian).all()
