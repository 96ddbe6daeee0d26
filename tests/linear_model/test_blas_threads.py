"""The same bits whatever number of threads BLAS may use, and factors by our own threads."""

from __future__ import annotations

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from stylobate.linear_model import (
    LinearRegression,
    LogisticRegression,
    PoissonRegressor,
    Ridge,
    RidgeCV,
)
from stylobate.optimize.blocked_cholesky import upper_factor
from stylobate.parallel import one_blas_thread, threads

RNG = np.random.default_rng(0)
X = RNG.normal(size=(1500, 300))
Y = X @ RNG.normal(size=300) + RNG.normal(size=1500)
WIDE = RNG.normal(size=(1400, 620))


@pytest.mark.parametrize(
    ("model", "x", "y"),
    [
        (LinearRegression(), X, Y),
        (LinearRegression(), WIDE, WIDE[:, 0] + RNG.normal(size=1400)),
        (Ridge(), X, Y),
        (Ridge(solver="svd"), X, Y),
        (RidgeCV(), X, Y),
        (LogisticRegression(), X, Y > 0),
        (PoissonRegressor(), X / 10, np.exp(X[:, 0])),
    ],
    ids=lambda each: str(each) if hasattr(each, "fit") else "",
)
def test_bits_do_not_depend_on_the_threads_of_blas(model, x, y):
    found = []
    for count in (1, 2, 2):
        with threadpool_limits(count, "blas"):
            model.fit(x, y)
        found.append((model.coef_.tobytes(), np.asarray(model.intercept_).tobytes()))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("p", [3, 512, 513, 641, 900])
def test_the_factor_by_blocks(p):
    a = RNG.normal(size=(p, p + 20))
    matrix = a @ a.T / p + np.eye(p)
    r = np.triu(upper_factor(matrix))
    np.testing.assert_allclose(r.T @ r, matrix, rtol=0, atol=1e-12)
    with threads(1):
        assert (np.triu(upper_factor(matrix)) == r).all()
    matrix[p - 1, p - 1] = -1.0
    assert upper_factor(matrix) is None


@pytest.mark.parametrize("p", [3, 512, 513, 900])
def test_a_factor_in_place_leaves_what_is_below_the_diagonal(p):
    a = RNG.normal(size=(p, p + 20))
    matrix = a @ a.T / p + np.eye(p)
    held = np.asfortranarray(matrix)
    r = upper_factor(held, overwrite=True)
    assert r is held
    assert (np.tril(held, -1) == np.tril(matrix, -1)).all()
    np.testing.assert_allclose(np.triu(r).T @ np.triu(r), matrix, rtol=0, atol=1e-12)


def test_threads_of_blas_come_back_when_the_last_block_ends():
    from concurrent.futures import ThreadPoolExecutor
    from threading import Barrier

    from threadpoolctl import threadpool_info

    def counts():
        return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]

    both = Barrier(2, timeout=20)

    def inside(_):
        with one_blas_thread():
            both.wait()  # two Python threads are inside at once: neither waits for the other
            seen = counts()
            both.wait()
        return seen

    with threadpool_limits(2, "blas"), ThreadPoolExecutor(2) as pool:
        before = counts()
        assert list(pool.map(inside, range(2))) == [[1] * len(before)] * 2
        assert counts() == before


def test_blocks_of_numpy_alone_do_not_load_scipy_and_full_ones_within_limit_all():
    import subprocess
    import sys

    code = """
import sys
import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits
from stylobate.decomposition import FastICA
from stylobate.parallel import one_blas_thread

def counts():
    return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]

FastICA(2, random_state=0).fit(np.random.default_rng(0).laplace(size=(300, 2)))
assert "scipy.linalg" not in sys.modules
import scipy.linalg
with threadpool_limits(2, "blas"):
    before = counts()
    assert set(before) == {2}
    with one_blas_thread(of_numpy=True), one_blas_thread():
        assert set(counts()) == {1}
    assert counts() == before
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
