"""Rows, blocks and products of kernels by tiles, against whole matrices."""

from __future__ import annotations

import threading
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.metrics import pairwise as reference

from stylobate import _core
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.kernels import (
    RBF,
    Constant,
    Cosine,
    FunctionKernel,
    KernelRows,
    Laplacian,
    Linear,
    Matching,
    Polynomial,
    QuadraticForm,
    Sigmoid,
    Spectrum,
    kernel_block,
    kernel_product,
)

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(301, 12)), RNG.normal(size=(207, 12))
ROOT = RNG.normal(size=(12, 12))


def of_points(x):
    return np.asarray(x)[:, 0] ** 2 + 1.0


TILED = [
    Linear(),
    Polynomial(degree=3, gamma=0.2, coef0=1.0),
    RBF(),
    RBF(gamma=0.05),
    Laplacian(gamma=0.1),
    Sigmoid(gamma=0.1, coef0=0.3),
    Cosine(),
    QuadraticForm(ROOT @ ROOT.T),
    2 * RBF(gamma=0.1) + 3 * RBF(gamma=0.01),
    RBF(gamma=0.1) * Linear() + 1.0,
    Linear() ** 3,
    (0.1 * Linear()).exp(),
    Linear().polynomial([1.0, 0.5, 0.0, 0.25]),
    Polynomial(degree=2, coef0=1.0).normalized(),
    RBF(gamma=0.1).weighted(of_points),
    RBF(gamma=0.3).on([0, 3]) * Cosine().on([1, 2, 5]),
    (RBF(gamma=0.3).weighted(of_points) + Linear()).on([4, 0]),
]


@pytest.mark.parametrize("kernel", TILED, ids=repr)
def test_tiles_give_the_matrix(kernel):
    assert kernel.decomposition(12) is not None
    for left, right in ((X, Y), (X[:1], Y[:3]), (X, None)):
        whole = kernel(left, right)
        size = np.abs(whole).max()
        block = kernel_block(kernel, left, right)
        np.testing.assert_allclose(block, whole, rtol=1e-12, atol=1e-13 * size)
    rows, columns = [5, 300, 5, 0], slice(3, 190, 7)
    some = kernel_block(kernel, X, Y, rows, columns)
    np.testing.assert_allclose(
        some, kernel(X, Y)[rows][:, columns], rtol=1e-12, atol=1e-13 * np.abs(some).max()
    )


@pytest.mark.parametrize("kernel", TILED, ids=repr)
@pytest.mark.parametrize("width", [None, 1, 3, 17])
def test_products_equal_those_of_the_matrix(kernel, width):
    v = RNG.normal(size=207 if width is None else (207, width))
    u = RNG.normal(size=301 if width is None else (301, width))
    whole = kernel(X, Y).astype(np.longdouble)
    scale = np.abs(whole)
    for found, expected, size in (
        (kernel_product(kernel, X, Y, v), whole @ v, scale @ np.abs(v)),
        (kernel_product(kernel, X, Y, u, transpose=True), whole.T @ u, scale.T @ np.abs(u)),
    ):
        assert found.shape == expected.shape
        assert (np.abs(found - expected) <= 1e-13 * size).all()


NAMED = {
    "rbf_kernel": (RBF(gamma=0.4), {"gamma": 0.4}),
    "laplacian_kernel": (Laplacian(gamma=0.4), {"gamma": 0.4}),
    "linear_kernel": (Linear(), {}),
    "cosine_similarity": (Cosine(), {}),
    "sigmoid_kernel": (Sigmoid(gamma=0.2), {"gamma": 0.2}),
    "polynomial_kernel": (
        Polynomial(degree=4, gamma=0.3, coef0=2.0), {"degree": 4, "gamma": 0.3, "coef0": 2.0},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("kind", ["dense", "single", "sparse", "frame"])
def test_they_are_those_of_scikit_learn(name, kind):
    kernel, parameters = NAMED[name]
    make = {
        "dense": np.asarray,
        "single": np.float32,
        "sparse": sparse.csr_array,
        "frame": pd.DataFrame,
    }[kind]
    x, y = make(np.round(X, 1)), make(np.round(Y, 1))
    a, b = (np.round(z, 1).astype(np.float32 if kind == "single" else float) for z in (X, Y))
    expected = getattr(reference, name)(a.astype(float), b.astype(float), **parameters)
    np.testing.assert_allclose(kernel_block(kernel, x, y), expected, rtol=1e-11, atol=1e-12)
    product = kernel_product(kernel, x, y, np.eye(207)[:, :2])
    np.testing.assert_allclose(product, expected[:, :2], rtol=1e-11, atol=1e-12)
    rows = KernelRows(kernel, x, y)
    np.testing.assert_allclose(rows.row(7), expected[7], rtol=1e-11, atol=1e-12)


def test_small_distances_keep_their_digits():
    x = 1e7 + np.random.default_rng(1).normal(size=(60, 20)) * 1e-3
    x[30:] = x[:30] + 1e-6
    exact = ((x.astype(np.longdouble)[:, None] - x) ** 2).sum(axis=2)
    gamma = 1e9
    expected = np.exp(-gamma * exact).astype(float)
    v = np.ones(60)
    np.testing.assert_allclose(kernel_block(RBF(gamma=gamma), x), expected, rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(
        kernel_product(RBF(gamma=gamma), x, None, v), expected @ v, rtol=1e-9
    )
    rows = KernelRows(RBF(gamma=gamma), x)
    np.testing.assert_allclose(rows.rows(range(60)), expected, rtol=1e-9, atol=1e-300)


DISCRETE = [
    (Spectrum(2), ["banana", "ban", "bandana", "anna"]),
    (Matching(), ["abc", "abd", "xbc", "xyz"]),
    (FunctionKernel(lambda x, y: min(x[0], y[0])), [[1.0], [3.0], [2.0], [0.5]]),
    (Constant(2.0), np.ones((4, 2))),
    (Spectrum(2) + 1.0, ["banana", "ban", "bandana", "anna"]),
]


@pytest.mark.parametrize(("kernel", "points"), DISCRETE, ids=lambda each: repr(each)[:30])
def test_kernels_without_measures_evaluate_themselves(kernel, points, monkeypatch):
    monkeypatch.setattr("stylobate.kernels.tiles.BLOCK_ENTRIES", 5)
    whole, v = kernel(points), np.arange(8.0).reshape(4, 2)
    np.testing.assert_allclose(kernel_product(kernel, points, None, v), whole @ v)
    np.testing.assert_allclose(kernel_product(kernel, points, None, v, transpose=True), whole.T @ v)
    np.testing.assert_allclose(kernel_block(kernel, points, rows=[2, 0]), whole[[2, 0]])
    rows = KernelRows(kernel, points, memory=2 * 4 * 8)
    for i in (0, 1, 1, 2, 0, -1):
        assert np.array_equal(rows.row(i), whole[i])
    assert (rows.hits, rows.misses, rows.capacity) == (1, 5, 2)


def test_a_simple_kernel_says_its_measure_and_map():
    parts = Polynomial(degree=3, gamma=None, coef0=1.0).decomposition(4)
    assert parts.measure.name == "inner"
    assert tuple(parts.map) == ("polynomial", 0.25, 1.0, 3.0)
    both = (RBF(gamma=1.0) + RBF(gamma=2.0) * Linear()).decomposition(4)
    assert both.measure is None
    assert [measure.name for measure in both.measures] == ["squared", "inner"]
    assert Spectrum().decomposition(4) is None


def test_threads_change_no_bit():
    kernel, v = RBF(gamma=0.1) * Linear() + 1.0, RNG.normal(size=(207, 3))
    before = _core.set_threads(1)
    try:
        one = kernel_product(kernel, X, Y, v), KernelRows(kernel, X, Y).row(4)
        _core.set_threads(4)
        many = kernel_product(kernel, X, Y, v), KernelRows(kernel, X, Y).row(4)
    finally:
        _core.set_threads(before)
    assert all(np.array_equal(a, b) for a, b in zip(one, many, strict=True))


def test_products_hold_no_matrix():
    import resource

    n = 12_000  # the matrix would be 1152 MB
    x = np.random.default_rng(2).normal(size=(n, 4))
    kernel_product(RBF(), x[:100], None, np.ones(100))
    tracemalloc.start()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kernel_product(RBF(), x, None, np.ones((n, 2)))
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20e6
    assert grown < 100_000  # kilobytes


def test_the_cache_keeps_the_rows_used_last():
    rows = KernelRows(RBF(), X, Y, memory=3 * 207 * 8 + 100)
    whole = RBF()(X, Y)
    for i in (0, 1, 2, 0, 3, 1, 0, 2):
        np.testing.assert_allclose(rows.row(i), whole[i], rtol=1e-13)
    # 0 1 2 | 0 hit, 3 drops 1, 1 drops 2, 0 hit, 2 drops 3
    assert (rows.hits, rows.misses, rows.capacity) == (2, 6, 3)
    held = rows.row(5)
    before = held.copy()
    for i in range(50):
        rows.row(i + 10)
    assert np.array_equal(held, before)  # an array lives on when its row is dropped
    with pytest.raises(ValueError, match="read-only"):
        held[0] = 1.0
    with pytest.raises(InvalidParameterError, match="301 rows"):
        rows.row(301)
    assert KernelRows(RBF(), X, memory=0).capacity == 0


def test_cached_rows_in_single_precision():
    rows = KernelRows(RBF(gamma=0.1), X, dtype=np.float32)
    assert rows.row(2).dtype == np.float32
    np.testing.assert_allclose(rows.row(2), RBF(gamma=0.1)(X)[2].astype(np.float32), rtol=1e-6)
    assert np.array_equal(rows.diagonal(), np.ones(301))


def test_several_threads_may_ask():
    rows, whole, wrong = KernelRows(RBF(), X, Y, memory=5 * 207 * 8), RBF()(X, Y), []

    def ask(seed):
        for i in np.random.default_rng(seed).integers(0, 301, 60):
            if not np.allclose(rows.row(int(i)), whole[i], rtol=1e-12):
                wrong.append(i)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert rows.hits + rows.misses == 240


def test_refusals():
    with pytest.raises(InvalidDataError, match="207 columns"):
        kernel_product(RBF(), X, Y, np.ones(301))
    with pytest.raises(InvalidDataError, match="301 rows"):
        kernel_product(RBF(), X, Y, np.ones(207), transpose=True)
    with pytest.raises(InvalidDataError, match="overflows"):
        kernel_product((1000 * Linear()).exp(), X, None, np.ones(301))
    with pytest.raises(InvalidParameterError, match="dtype"):
        KernelRows(RBF(), X, dtype=int)
    with pytest.raises(InvalidParameterError, match="memory"):
        KernelRows(RBF(), X, memory=-1)
