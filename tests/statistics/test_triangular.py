"""The triangular factor against NumPy's QR and exact rational least squares."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

from stylobate.exceptions import InvalidDataError
from stylobate.statistics import ExtendedTriangularFactor, TriangularFactor

RNG = np.random.default_rng(11)
X = np.round(RNG.normal(size=(50, 3)) * 64) / 64 + [0.0, 4.0, -30.0]
Y = RNG.normal(size=(50, 2))
W = RNG.integers(0, 4, 50).astype(float)
BOTH = pytest.mark.parametrize("statistic", [TriangularFactor, ExtendedTriangularFactor])

LAYOUTS = {
    "C": X,
    "Fortran": np.asfortranarray(X),
    "strided": np.repeat(X, 2, axis=1)[:, ::2],
    "float32": X.astype(np.float32),
    "csr": sparse.csr_array(X),
    "csc": sparse.csc_array(X),
}


def reference_r(x, y, w):
    stacked = np.column_stack([np.ones(len(x)), x] + ([] if y is None else [y]))
    stacked = stacked if w is None else stacked * np.sqrt(w)[:, None]
    r = np.linalg.qr(stacked, mode="r")
    full = np.zeros((stacked.shape[1], stacked.shape[1]))
    full[: len(r)] = r
    return full * np.where(np.diag(full) < 0, -1.0, 1.0)[:, None]


def positive(factor):
    return factor.r * np.where(np.diag(factor.r) < 0, -1.0, 1.0)[:, None]


@BOTH
@pytest.mark.parametrize("weights", [None, W], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("y", [None, Y], ids=["no y", "two y"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout(statistic, layout, y, weights, table):
    factor = statistic.of(table(LAYOUTS[layout], y, weights))
    assert positive(factor) == pytest.approx(reference_r(X, y, weights), rel=1e-11, abs=1e-11)
    assert not np.tril(factor.r, -1).any()
    assert factor.n_rows == (50 if weights is None else np.count_nonzero(W))
    assert factor.weight == (50.0 if weights is None else W.sum())
    assert factor.n_features == 3


@BOTH
@pytest.mark.parametrize("n", [1, 2, 255, 257, 4095, 4097, 9000])
def test_numbers_of_rows_around_the_seams(statistic, n, table):
    rng = np.random.default_rng(n)
    x, y = rng.normal(size=(n, 2)) + 5, rng.normal(size=n)
    factor = statistic.of(table(x, y))
    stacked = np.column_stack([np.ones(n), x, y])
    assert factor.r.T @ factor.r == pytest.approx(stacked.T @ stacked, rel=1e-12, abs=1e-9)


def exact_solution(x, y, *, intercept):
    rows = [[Fraction(1)] * intercept + [Fraction(v) for v in row] for row in x.tolist()]
    target = [Fraction(v) for v in y.tolist()]
    k = len(rows[0])
    system = [
        [sum(r[i] * r[j] for r in rows) for j in range(k)]
        + [sum(r[i] * t for r, t in zip(rows, target, strict=True))]
        for i in range(k)
    ]
    for i in range(k):  # Gauss–Jordan; the Gram is positive definite, so no pivoting
        system[i] = [v / system[i][i] for v in system[i]]
        for j in (j for j in range(k) if j != i):
            f = system[j][i]
            system[j] = [a - f * b for a, b in zip(system[j], system[i], strict=True)]
    coef = [row[-1] for row in system]
    fitted = [sum(a * b for a, b in zip(r, coef, strict=True)) for r in rows]
    rss = sum((t - f) ** 2 for t, f in zip(target, fitted, strict=True))
    return np.array([float(c) for c in coef]), float(rss)


@pytest.mark.parametrize("intercept", [True, False])
def test_extended_answers_are_exact(intercept, table):
    x = np.vander(np.linspace(0.3, 1.7, 15), 7, increasing=True)[:, 1:]  # condition about 1e7
    y = np.sin(9 * x[:, 0])
    expected, rss = exact_solution(x, y, intercept=intercept)
    answer = ExtendedTriangularFactor.of(table(x, y)).solve(intercept=intercept)
    assert answer.coefficients[:, 0] == pytest.approx(expected, rel=3e-16)
    assert answer.residual_squares[0] == pytest.approx(rss, rel=3e-16)
    plain = TriangularFactor.of(table(x, y)).solve(intercept=intercept)
    assert plain.coefficients[:, 0] == pytest.approx(expected, rel=1e-8)


def test_inverse_gram_is_the_inverse(table):
    answer = ExtendedTriangularFactor.of(table(X, Y[:, 0], W)).solve()
    design = np.column_stack([np.ones(50), X])
    assert answer.inverse_gram @ ((design.T * W) @ design) == pytest.approx(np.eye(4), abs=1e-10)


def test_merging_keeps_the_extended_digits(table):
    x = np.vander(np.linspace(0.3, 1.7, 20), 8, increasing=True)[:, 1:]
    y = np.cos(5 * x[:, 0])
    expected, _ = exact_solution(x, y, intercept=True)
    halves = [ExtendedTriangularFactor.of(table(x[a], y[a])) for a in (slice(0, 9), slice(9, 20))]
    merged = halves[0].merge(halves[1])
    assert isinstance(merged, ExtendedTriangularFactor)
    assert merged.solve().coefficients[:, 0] == pytest.approx(expected, rel=3e-16)
    again = ExtendedTriangularFactor.from_arrays(merged.to_arrays())
    assert np.array_equal(again.solve().coefficients, merged.solve().coefficients)


@BOTH
def test_other_columns_are_refused(statistic, table):
    with pytest.raises(InvalidDataError, match="3 features and 0 targets"):
        statistic.of(table(X)).merge(statistic.of(table(X, Y)))
