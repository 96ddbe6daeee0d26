"""The ill-conditioned Longley data in exact rational arithmetic: a reference without rounding."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import statsmodels.api as sm

from stylobate.inference import influence, prediction, summarize


def product(a, b):
    columns = list(zip(*b, strict=True))
    return [[sum(x * y for x, y in zip(row, c, strict=True)) for c in columns] for row in a]


def solve(a, b):
    """Gauss-Jordan; exact, so any non-zero pivot will do."""
    rows = [[*left, *right] for left, right in zip(a, b, strict=True)]
    for i in range(len(rows)):
        pivot = next(j for j in range(i, len(rows)) if rows[j][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for j in range(len(rows)):
            if j != i:
                f = rows[j][i]
                rows[j] = [x - f * y for x, y in zip(rows[j], rows[i], strict=True)]
    return [row[len(a) :] for row in rows]


def transposed(a):
    return [list(column) for column in zip(*a, strict=True)]


@pytest.fixture(scope="module")
def longley():
    data = sm.datasets.longley.load_pandas()
    return data.exog.to_numpy(float), data.endog.to_numpy(float)


@pytest.fixture(scope="module")
def exact(longley):
    """Design times inverse Gram, coefficients, residuals and leverages, as fractions."""
    X = [[Fraction(1), *map(Fraction, row)] for row in longley[0].tolist()]
    y = [[Fraction(v)] for v in longley[1].tolist()]
    identity = [[Fraction(i == j) for j in range(7)] for i in range(7)]
    inverse = solve(product(transposed(X), X), identity)
    coef = product(inverse, product(transposed(X), y))
    fitted = product(X, coef)
    e = [a[0] - b[0] for a, b in zip(y, fitted, strict=True)]
    rotated = product(X, inverse)
    h = [sum(a * b for a, b in zip(r, x, strict=True)) for r, x in zip(rotated, X, strict=True)]
    return rotated, coef, e, h


@pytest.mark.parametrize(("kind", "power"), [("HC0", 0), ("HC2", 1), ("HC3", 2)])
def test_robust_covariance_and_wald_test(kind, power, longley, exact, fit_rows):
    X, y = longley
    rotated, coef, e, h = exact
    scale = [r * r / (1 - lev) ** power for r, lev in zip(e, h, strict=True)]
    weighted = [[v * s for v in row] for row, s in zip(rotated, scale, strict=True)]
    covariance = product(transposed(rotated), weighted)
    slopes = [row[1:] for row in covariance[1:]]
    wald = product(transposed(coef[1:]), solve(slopes, coef[1:]))[0][0] / 6
    ours = summarize(fit_rows(X, y), rows=(X, y, None), covariance=kind)
    expected = [math.sqrt(covariance[j][j]) for j in range(7)]
    np.testing.assert_allclose(ours.coefficients.std_error, expected, rtol=1e-10)
    assert ours.f == pytest.approx(float(wald), rel=1e-10)


def test_influence(longley, exact, fit_rows):
    X, y = longley
    _, _, e, h = exact
    rss = sum(r * r for r in e)
    ours = influence(fit_rows(X, y), X, y)
    np.testing.assert_allclose(ours.leverage, [float(v) for v in h], rtol=1e-10)
    for i, (r, lev) in enumerate(zip(e, h, strict=True)):
        lost = r * r / (1 - lev)
        without = (rss - lost) / 8
        assert ours.press_residuals[i] == pytest.approx(float(r / (1 - lev)), rel=1e-9)
        assert ours.externally_studentized[i] ** 2 == pytest.approx(float(lost / without), rel=1e-9)
        ratio = (without / (rss / 9)) ** 7 / (1 - lev)
        assert ours.covratio[i] == pytest.approx(float(ratio), rel=1e-9)


def test_prediction_errors(longley, exact, fit_rows):
    X, y = longley
    _, _, e, h = exact
    sigma2 = sum(r * r for r in e) / 9
    ours = prediction(fit_rows(X, y), X)
    np.testing.assert_allclose(ours.std_error, [math.sqrt(sigma2 * v) for v in h], rtol=1e-10)
