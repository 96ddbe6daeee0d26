"""Kernels held to their formulas, to the closure rules and to Mercer's condition."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.kernels import (
    RBF,
    Constant,
    Cosine,
    FunctionKernel,
    Laplacian,
    Linear,
    Polynomial,
    QuadraticForm,
    Sigmoid,
    as_kernel,
    center_gram,
    check_mercer,
)

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(9, 3))
Y = RANDOM.normal(size=(5, 3))
A = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 1.0]])

FORMULAS = {
    "linear": (Linear(), lambda x, y: x @ y),
    "polynomial": (Polynomial(3, 0.5, 2.0), lambda x, y: (0.5 * (x @ y) + 2.0) ** 3),
    "rbf": (RBF(0.7), lambda x, y: np.exp(-0.7 * ((x - y) ** 2).sum())),
    "laplacian": (Laplacian(0.7), lambda x, y: np.exp(-0.7 * np.abs(x - y).sum())),
    "sigmoid": (Sigmoid(0.3, -0.1), lambda x, y: np.tanh(0.3 * (x @ y) - 0.1)),
    "cosine": (Cosine(), lambda x, y: x @ y / np.linalg.norm(x) / np.linalg.norm(y)),
    "form": (QuadraticForm(A), lambda x, y: x @ A @ y),
    "constant": (Constant(2.0), lambda x, y: 2.0),
    "sum": (RBF(1.0) + Linear(), lambda x, y: np.exp(-((x - y) ** 2).sum()) + x @ y),
    "shifted": (3 + Linear(), lambda x, y: 3 + x @ y),
    "multiple": (2.5 * Linear(), lambda x, y: 2.5 * (x @ y)),
    "product": (Linear() * Laplacian(1.0), lambda x, y: (x @ y) * np.exp(-np.abs(x - y).sum())),
    "power": (Linear() ** 3, lambda x, y: (x @ y) ** 3),
    "polynomial of": (
        Linear().polynomial([1.0, 0.0, 2.0]),
        lambda x, y: 1.0 + 2.0 * (x @ y) ** 2,
    ),
    "exp": (Linear().exp(), lambda x, y: np.exp(x @ y)),
    "weighted": (
        Linear().weighted(lambda p: np.asarray(p)[:, 0]),
        lambda x, y: x[0] * (x @ y) * y[0],
    ),
    "normalized": (
        Polynomial(2, 1.0, 1.0).normalized(),
        lambda x, y: (x @ y + 1) ** 2 / ((x @ x + 1) * (y @ y + 1)),
    ),
    "blocks": (
        RBF(1.0).on([0]) * Linear().on([1, -1]),
        lambda x, y: np.exp(-((x[0] - y[0]) ** 2)) * (x[1:] @ y[1:]),
    ),
    "function": (FunctionKernel(lambda x, y: float(x @ y)), lambda x, y: x @ y),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_a_kernel_is_its_formula(name):
    kernel, formula = FORMULAS[name]
    expected = np.array([[formula(x, y) for y in Y] for x in X])
    assert_allclose(kernel(X, Y), expected, rtol=1e-12, atol=1e-13)
    own = np.array([[formula(x, y) for y in X] for x in X])
    assert_allclose(kernel(X), own, rtol=1e-12, atol=1e-13)
    assert_allclose(kernel.diagonal(X), np.diagonal(own), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", [name for name in FORMULAS if name not in ("sigmoid", "function")])
def test_kernels_made_by_the_rules_are_mercer(name):
    kernel, _ = FORMULAS[name]
    assert kernel.is_mercer
    assert check_mercer(kernel, X).holds


def test_what_is_not_mercer_says_so():
    assert not Sigmoid().is_mercer
    assert not (Linear() + Sigmoid()).is_mercer
    assert not (2 * Sigmoid()).exp().is_mercer
    assert not FunctionKernel(lambda x, y: 0.0).is_mercer


def test_the_rbf_kernel_by_the_rules():
    """Equation 3.101 of the notes: RBF = f(x) exp(c·xᵀy) f(y)."""
    sigma = 1.3
    made = (Linear() * (1 / sigma**2)).exp()
    made = made.weighted(lambda p: np.exp(-(np.asarray(p) ** 2).sum(axis=1) / (2 * sigma**2)))
    assert_allclose(made(X, Y), RBF(0.5 / sigma**2)(X, Y), rtol=1e-12)


@pytest.mark.parametrize(
    "kernel",
    [
        Linear(),
        Polynomial(1),
        Polynomial(2),
        Polynomial(3, 0.5, 2.0),
        Polynomial(2, None, 1.0),
        Cosine(),
        QuadraticForm(A),
        2.0 * Linear() + Polynomial(2),
        Linear() * Cosine(),
        Linear() ** 3,
        Linear().weighted(lambda p: np.asarray(p)[:, 1]),
        1 + Linear().on([0, 2]),
    ],
    ids=repr,
)
def test_explicit_maps_have_the_kernel_as_inner_product(kernel):
    assert_allclose(kernel.features(X) @ kernel.features(Y).T, kernel(X, Y), rtol=1e-11, atol=1e-12)


def test_kernels_without_a_finite_map_say_what_to_use():
    with pytest.raises(InvalidParameterError, match="Nystroem"):
        RBF().features(X)
    with pytest.raises(InvalidDataError, match="coordinates"):
        Polynomial(10).features(np.ones((1, 100)))


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, sparse.csr_matrix], ids=["pd", "pl", "csr"]
)
def test_points_come_in_any_container(make):
    kernel = RBF(0.5) + Polynomial(2, None, 1.0)
    points = (
        make(X) if make is sparse.csr_matrix else make({c: X[:, k] for k, c in enumerate("abc")})
    )
    assert_allclose(kernel(points, points), kernel(X), rtol=1e-12)
    assert_allclose(kernel.diagonal(points), kernel.diagonal(X), rtol=1e-12)


def test_columns_by_name():
    frame = pd.DataFrame(X, columns=list("abc"))
    assert_allclose(Linear().on(["a", "c"])(frame), X[:, [0, 2]] @ X[:, [0, 2]].T, rtol=1e-12)
    with pytest.raises(InvalidDataError, match="no column 'z'"):
        Linear().on(["z"])(frame)
    with pytest.raises(InvalidDataError, match="have 3 columns"):
        Linear().on([3])(X)


def test_kernels_are_values():
    assert RBF(0.5) == RBF(0.5) != RBF(0.6)
    assert len({Linear() + RBF(1.0), Linear() + RBF(1.0)}) == 1
    assert repr(2 * (RBF(0.5) + 1) ** 2) == "2·(RBF(gamma=0.5) + 1)²"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: -1 * Linear(), "at least 0"),
        (lambda: Linear() + -1, "at least 0"),
        (lambda: Linear() + "rbf", "is no kernel"),
        (lambda: Linear() * [1, 2], "is no kernel"),
        (lambda: Linear() ** 0.5, "whole number"),
        (lambda: Linear() ** 0, "whole number"),
        (lambda: Linear().polynomial([1.0, -2.0]), "coefficient 1"),
        (lambda: Linear().polynomial([]), "at least one"),
        (lambda: RBF(-1.0), "gamma"),
        (lambda: RBF(float("nan")), "gamma"),
        (lambda: Polynomial(0), "degree"),
        (lambda: QuadraticForm([[0.0, 1.0], [0.0, 0.0]]), "not symmetric"),
        (lambda: QuadraticForm([[1.0, 0.0], [0.0, -1.0]]), "eigenvalue"),
        (lambda: QuadraticForm([[1.0, 2.0]]), "square"),
        (lambda: as_kernel("gaussian"), "rbf"),
        (lambda: as_kernel("rbf", width=1.0), "does not take"),
        (lambda: as_kernel(RBF(), gamma=1.0), "has its parameters"),
        (lambda: as_kernel(3), "callable"),
    ],
)
def test_what_would_be_no_kernel_is_refused(make, words):
    with pytest.raises(InvalidParameterError, match=words):
        make()


def test_values_that_break_a_kernel_are_refused():
    with pytest.raises(InvalidDataError, match="overflows"):
        (Linear() * 1e3).exp()(X * 100)
    with pytest.raises(InvalidDataError, match="points 0 and 0"):
        FunctionKernel(lambda x, y: float("nan"))(X)
    with pytest.raises(InvalidDataError, match="one number for each"):
        Linear().weighted(lambda p: 1.0)(X)
    with pytest.raises(InvalidDataError, match="negative for point"):
        Sigmoid(1.0, -10.0).normalized()(X)


def test_mercer_reports_a_witness():
    report = check_mercer(lambda x, y: -float(x @ y), X)
    assert not report.holds
    assert report.symmetric
    gram = -X @ X.T
    assert report.witness @ gram @ report.witness < 0
    assert_allclose(report.smallest, np.linalg.eigvalsh(gram)[0], rtol=1e-10)
    lopsided = check_mercer(lambda x, y: float(x[0] * y[1]), X)
    assert not lopsided.symmetric
    i, j = lopsided.asymmetric_pair
    assert abs(X[i, 0] * X[j, 1] - X[j, 0] * X[i, 1]) == pytest.approx(lopsided.asymmetry)
    assert "symmetric" in str(lopsided)


def test_mercer_takes_a_matrix_and_refuses_nonsense():
    assert check_mercer(X @ X.T).holds
    assert not check_mercer([[0.0, 1.0], [1.0, 0.0]]).positive
    with pytest.raises(InvalidDataError, match="square"):
        check_mercer(X)
    with pytest.raises(InvalidDataError, match="NaN"):
        check_mercer([[np.nan]])


def test_centring_is_that_of_the_features():
    kernel = Polynomial(2, 1.0, 1.0)
    mean = kernel.features(X).mean(axis=0)
    own = kernel.features(X) - mean
    assert_allclose(center_gram(kernel(X)), own @ own.T, atol=1e-11)
    new = kernel.features(Y) - mean
    assert_allclose(center_gram(kernel(Y, X), kernel(X)), new @ own.T, atol=1e-11)
    h = np.eye(9) - 1 / 9
    assert_allclose(center_gram(kernel(X)), h @ kernel(X) @ h, atol=1e-11)
    with pytest.raises(InvalidDataError, match="square"):
        center_gram(kernel(Y, X))
    with pytest.raises(InvalidDataError, match="points of the fit"):
        center_gram(kernel(Y), kernel(X))


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 4))
def test_gram_matrices_of_random_combinations_are_positive(seed, n, p):
    random = np.random.default_rng(seed)
    points = random.normal(size=(n, p)).round(1)  # with repeated points
    base = [Linear(), RBF(random.random()), Laplacian(random.random()), Cosine(), Polynomial(2)]
    kernel = base[random.integers(5)]
    for _ in range(3):
        other = base[random.integers(5)]
        kernel = [kernel + other, kernel * other, 0.5 * kernel, kernel.normalized()][
            random.integers(4)
        ]
    gram = kernel(points)
    assert_array_equal(gram, gram.T)
    assert np.linalg.eigvalsh(gram)[0] >= -1e-10 * max(1.0, np.abs(gram).max())
