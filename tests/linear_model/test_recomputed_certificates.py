"""Certificates beside the objective written out on the rows, for solvers stopped early and not."""

from __future__ import annotations

import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from scipy.special import logsumexp

from stylobate.linear_model import LinearRegression, LogisticRegression, Ridge, TweedieRegressor

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 6)) + 2.0
SIGNAL = X[:, 0] - X[:, 1] + RNG.normal(size=120)
CODES = {2: (SIGNAL > 0).astype(int), 3: np.digitize(SIGNAL, [-0.7, 0.7])}
WEIGHTS = RNG.uniform(0.2, 2.0, 120)


def logistic_objective(model, codes, l1, l2):
    coef, intercept = model.coef_, model.intercept_
    if len(coef) == 1:
        coef, intercept = np.vstack([0 * coef, coef]), np.append(0.0, intercept)
    z = X @ coef.T + intercept
    loss = WEIGHTS @ (logsumexp(z, axis=1) - z[np.arange(len(z)), codes])
    return loss + l1 * np.abs(model.coef_).sum() + 0.5 * l2 * (model.coef_**2).sum()


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    ("solver", "l1_ratio"),
    [("saga", 1.0), ("saga", 0.5), ("saga", 0.0), ("sag", 0.0), ("auto", 1.0), ("lbfgs", 0.0),
     ("newton-cg", 0.0), ("newton-cholesky", 0.0), ("coordinate_descent", 0.5)],
)  # fmt: skip
def test_the_primal_is_the_objective_of_the_stored_model(kind, n_classes, solver, l1_ratio):
    codes, lowest = CODES[n_classes], None
    for max_iter in (2000, 1, 2, 5):
        model = LogisticRegression(
            C=0.5, solver=solver, l1_ratio=l1_ratio, max_iter=max_iter, random_state=0
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(kind(X), codes, sample_weight=WEIGHTS)
        proof = model.certificate_
        value = logistic_objective(model, codes, 2.0 * l1_ratio, 2.0 * (1 - l1_ratio))
        assert proof.primal == pytest.approx(value, rel=1e-9)
        lowest = value if lowest is None else lowest
        if proof.proved:
            assert proof.dual <= lowest * (1 + 1e-9)


def test_an_estimate_is_not_stated_as_a_bound():
    y = RNG.poisson(np.exp(0.4 * X[:, 0])).astype(float) + 0.5
    make = {"alpha": 0.5, "link": "log", "solver": "lbfgs"}
    above = 0
    for power in (-1.0, 1.5, 3.0):
        best = TweedieRegressor(power=power, **make, tol=1e-12, max_iter=1000).fit(X, y)
        for max_iter in (1, 2, 3):
            model = TweedieRegressor(power=power, **make, max_iter=max_iter)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                proof = model.fit(X, y).certificate_
            if proof.dual > best.certificate_.primal * (1 + 1e-9):
                above += 1
                assert not proof.proved
                assert "no proof" in proof.verdict
                assert "up to" not in proof.verdict
                assert "dual estimate" in str(proof)
                assert "dual bound" not in str(proof)
    assert above  # else nothing was tested


def dot(a, b):
    return sum(u * v for u, v in zip(a, b, strict=True))


def exact_ridge(x, y, alpha):
    """Ridge with an intercept in rational numbers."""
    n, p = x.shape
    rows = [[Fraction(float(v)) for v in row] for row in x]
    target = [Fraction(float(v)) for v in y]
    mean = [sum(row[j] for row in rows) / n for j in range(p)]
    rows = [[row[j] - mean[j] for j in range(p)] for row in rows]
    columns = list(zip(*rows, strict=True))
    m = [[dot(a, b) + (Fraction(alpha) if i == j else 0) for j, b in enumerate([*columns, target])]
         for i, a in enumerate(columns)]  # fmt: skip
    for i in range(p):  # positive definite: no pivot is 0
        m[i] = [v / m[i][i] for v in m[i]]
        for k in range(p):
            if k != i:
                m[k] = [a - m[k][i] * b for a, b in zip(m[k], m[i], strict=True)]
    return np.array([float(row[-1]) for row in m])


@pytest.mark.parametrize("solver", ["svd", "qr", "cholesky", "auto"])
@pytest.mark.parametrize("alpha", [1.0, 1e-8])
@pytest.mark.parametrize("powers", [4, 6])
def test_ridge_has_the_digits_it_claims(solver, alpha, powers):
    t = np.arange(21.0)
    x = np.stack([t**k for k in range(1, powers + 1)], axis=1)
    exact = exact_ridge(x, np.sin(t), alpha)
    model = Ridge(alpha, solver=solver).fit(x, np.sin(t))
    error = np.abs(model.coef_ / exact - 1.0).max()
    assert -np.log10(max(error, 2.0**-52)) >= model.certificate_.digits - 0.5


@pytest.mark.parametrize("kind", [LinearRegression, lambda **how: Ridge(0.0, **how)])
@pytest.mark.parametrize("solver", ["svd", "qr", "cholesky", "lsqr", "auto"])
@pytest.mark.parametrize("powers", [2, 4, 6, 8])
def test_columns_of_other_lengths_cost_the_digits_they_cost(kind, solver, powers):
    """Each power has the coefficient one: the long columns' rounding is the short ones' error."""
    t = np.arange(21.0)
    x = np.stack([t**k for k in range(1, powers + 1)], axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = kind(solver=solver).fit(x, x.sum(axis=1) + 1.0)
    error = np.abs(model.coef_ - 1.0).max()
    assert -np.log10(max(error, 2.0**-52)) >= model.certificate_.digits - 0.5 or (
        model.certificate_.digits < 0.05
    )


def test_units_in_which_coefficients_are_alike_cost_nothing():
    random = np.random.default_rng(0)
    x, y = random.normal(size=(2000, 3)), random.normal(size=2000)
    proof = LinearRegression(solver="cholesky").fit(x, y).certificate_
    units = np.array([1e-4, 1.0, 1e5])
    scaled = LinearRegression(solver="cholesky").fit(x * units, y).certificate_
    assert scaled.digits == pytest.approx(proof.digits, abs=1.0)
