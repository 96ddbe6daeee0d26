"""Parametric rectifiers, response normalisation, dropout and embeddings against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import stylobate
from stylobate.exceptions import InvalidDataError
from stylobate.neural_network import Dropout, Embedding, LocalResponseNorm, PReLU
from stylobate.neural_network.layers.layer import Course

SHAPE = (6, 5, 4)
N = 40


def drawn(dtype: Any, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Examples, and derivatives by what becomes of them."""
    random = np.random.default_rng(seed)
    x, dy = random.normal(size=(2, N, int(np.prod(SHAPE))))
    return x.astype(dtype), dy.astype(dtype)


def close(found: Any, expected: Any, dtype: Any) -> None:
    exact = 1e-12 if dtype == "float64" else 2e-5
    assert found.dtype == dtype
    np.testing.assert_allclose(found, expected, rtol=exact, atol=exact)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("shared", [False, True])
def test_parametric_rectifiers(shared: bool, dtype: str) -> None:
    x, dy = drawn(dtype)
    x[0, :3] = 0.0
    layer = PReLU(shared=shared)
    slopes = np.linspace(-0.3, 0.4, 1 if shared else 6).astype(dtype)
    planes, pulled = x.reshape(N, 6, 20), dy.reshape(N, 6, 20)
    a = np.broadcast_to(slopes, 6)[:, None]
    y, kept = layer.forward(x, SHAPE, {"a": slopes}, Course())
    close(y, np.where(planes > 0, planes, a * planes).reshape(x.shape), dtype)
    dx, by_weights = layer.backward(dy, kept, SHAPE, {"a": slopes})
    close(dx, np.where(planes > 0, pulled, a * pulled).reshape(x.shape), dtype)
    sums = (np.minimum(planes, 0).astype(float) * pulled).sum(axis=(0, 2))
    close(by_weights["a"], sums.sum(keepdims=True) if shared else sums, dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(("size", "beta"), [(1, 0.5), (3, 0.75), (5, 0.7), (99, 0.75)])
def test_response_normalisation(size: int, beta: float, dtype: str) -> None:
    x, dy = drawn(dtype)
    layer = LocalResponseNorm(size, alpha=0.6, beta=beta, k=1.5)
    planes, pulled = (each.reshape(N, 6, 20).astype(float) for each in (x, dy))
    near = np.abs(np.subtract.outer(np.arange(6), np.arange(6))) <= size // 2
    base = 1.5 + 0.6 / size * np.einsum("cj,njk->nck", near, planes**2)
    y, kept = layer.forward(x, SHAPE, {}, Course())
    close(y, (planes * base**-beta).reshape(x.shape), dtype)
    inner = np.einsum("jc,njk->nck", near, pulled * planes * base ** (-beta - 1))
    slope = pulled * base**-beta - 2 * 0.6 * beta / size * planes * inner
    close(layer.backward(dy, kept, SHAPE, {})[0], slope.reshape(x.shape), dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_dropout(dtype: str) -> None:
    x, dy = np.ones((300, 500), dtype=dtype), np.full((300, 500), 2.0, dtype=dtype)
    for rate in (0.0, 0.2, 0.5, 0.9):
        layer = Dropout(rate)
        y, kept = layer.forward(x, (500,), {}, Course(True, np.random.default_rng(3)))
        assert y.dtype == dtype
        np.testing.assert_allclose(
            np.unique(y), sorted({1 / (1 - rate)} | ({0.0} if rate else set())), rtol=1e-6
        )
        dropped = int((y == 0).sum())
        assert stats.binomtest(dropped, y.size, rate).pvalue > 1e-4
        columns = stats.binom(300, rate)
        assert abs((y == 0).sum(axis=0) - 300 * rate).max() <= max(6 * columns.std(), 0.0)
        np.testing.assert_array_equal(layer.backward(dy, kept, (500,), {})[0], 2 * y)
        other = layer.forward(x, (500,), {}, Course(True, np.random.default_rng(4)))[0]
        assert rate == 0.0 or (other != y).any()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_embeddings(dtype: str) -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=(500, 4))
    x[:, 0], x[:, 2] = random.integers(3, size=500), random.integers(70, size=500)
    x = x.astype(dtype)
    layer = Embedding({2: 70, 0: 4}, size=3)
    tables = {"W0": random.normal(size=(4, 3)), "W2": random.normal(size=(70, 3))}
    weights = {name: table.astype(dtype) for name, table in tables.items()}
    y, kept = layer.forward(x, (4,), weights, Course())
    codes = x[:, [0, 2]].astype(int)
    vectors = [weights["W0"][codes[:, 0]], weights["W2"][codes[:, 1]]]
    np.testing.assert_array_equal(y, np.hstack([x[:, [1, 3]], *vectors]))
    dy = random.normal(size=y.shape).astype(dtype)
    dx, by_weights = layer.backward(dy, kept, (4,), weights)
    np.testing.assert_array_equal(dx[:, [1, 3]], dy[:, :2])
    assert not dx[:, [0, 2]].any()
    for name, place, column in (("W0", 0, 2), ("W2", 1, 5)):
        ones = np.equal.outer(np.arange(len(tables[name])), codes[:, place])
        close(by_weights[name], ones @ dy[:, column : column + 3].astype(float), dtype)
    assert (by_weights["W0"][3] == 0.0).all()  # a category that no row has


@pytest.mark.parametrize("value", [-1.0, 4.0, 1.5, np.nan, np.inf, 1e300])
def test_what_is_no_code_is_named(value: float) -> None:
    x = np.zeros((3, 2))
    x[1, 1] = value
    layer = Embedding({1: 4}, size=2)
    with pytest.raises(InvalidDataError, match="column 1 must hold whole codes 0 … 3"):
        layer.forward(x, (2,), {"W1": np.zeros((4, 2))}, Course())


def passes(threads: int) -> list[bytes]:
    """The bits of all layers' passes."""
    found: list[Any] = []
    layers = [PReLU(), LocalResponseNorm(3, alpha=0.5), Dropout(0.3)]
    random = np.random.default_rng(0)
    rows = np.column_stack([random.integers(50, size=(4000, 2)), random.normal(size=4000)])
    table = random.normal(size=(50, 4))
    with stylobate.threads(threads):
        x, dy = random.normal(size=(2, 700, 120))
        for layer in layers:
            weights = layer.start(SHAPE, random)
            y, kept = layer.forward(x, SHAPE, weights, Course(True, np.random.default_rng(1)))
            dx, by_weights = layer.backward(dy, kept, SHAPE, weights)
            found += [y, dx, *by_weights.values()]
        embedding = Embedding({0: 50, 1: 50}, size=4)
        weights = {"W0": table, "W1": -table}
        y, kept = embedding.forward(rows, (3,), weights, Course())
        dx, by_weights = embedding.backward(np.sin(y), kept, (3,), weights)
        found += [y, dx, *by_weights.values()]
    return [each.tobytes() for each in found]


def test_bits_do_not_depend_on_threads() -> None:
    one = passes(1)
    assert passes(2) == one
    assert passes(7) == one
