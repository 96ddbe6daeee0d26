"""The engine under the distances: exactness, ties, bits, nearest, radius, sums."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist
from scipy.special import logsumexp

from stylobate import _core
from stylobate.distances import METRICS, measured
from stylobate.distances.maps import Map
from stylobate.metrics.pairwise import euclidean_distances, rbf_kernel

RNG = np.random.default_rng(3)


def exact_distances(x, y):
    """In extended precision, term by term."""
    a, b = x.astype(np.longdouble), y.astype(np.longdouble)
    return np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2))


@pytest.mark.parametrize("columns", [3, 20, 60])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("offset", [0.0, 1e4, 1e7])
def test_no_digits_lost_for_near_duplicates(columns, dtype, offset):
    x = (RNG.normal(size=(40, columns)) + offset).astype(dtype)
    y = x[::-1].copy()
    y[::2] += (10.0 ** RNG.uniform(-14, 0, size=(20, 1)) * y[::2]).astype(dtype)
    want = exact_distances(x, y)
    got = measured(x.astype(np.float64), y.astype(np.float64)).write()
    np.testing.assert_allclose(got, want.astype(np.float64), rtol=1e-13)
    assert (got[want == 0] == 0).all()
    assert (want == 0).sum() >= 20
    near, rows = measured(x, y).nearest(5)  # in its own precision, yet exact
    order = np.argsort(want, axis=1, kind="stable")[:, :5]
    np.testing.assert_allclose(near, np.take_along_axis(want, order, 1).astype(float), rtol=1e-14)
    assert (np.take_along_axis(want, rows, 1) == np.take_along_axis(want, order, 1)).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_ties_go_to_the_smaller_row(dtype):
    grid = np.stack(np.meshgrid(np.arange(9.0), np.arange(9.0)), axis=-1).reshape(-1, 2)
    table = np.hstack([np.vstack([grid, grid]), np.zeros((162, 14))]).astype(dtype)
    brute = cdist(table.astype(float), table.astype(float), "sqeuclidean")
    want = np.argsort(brute, axis=1, kind="stable")[:, :20]
    assert (measured(table, table).nearest(20)[1] == want).all()
    np.fill_diagonal(brute, np.inf)
    want = np.argsort(brute, axis=1, kind="stable")[:, :20]
    assert (measured(table, table).nearest(20, skip_self=True)[1] == want).all()


def params_of(metric):
    return {
        "minkowski": {"p": 3},
        "seuclidean": {"V": np.arange(1.0, 8.0)},
        "mahalanobis": {"VI": np.diag(np.arange(1.0, 8.0))},
    }.get(metric, {})


@pytest.mark.parametrize("metric", sorted(set(METRICS) - {"inner", "gower", "precomputed"}))
def test_nearest_and_radius_agree_with_the_matrix(metric):
    x, y = RNG.normal(size=(21, 7)), RNG.normal(size=(90, 7))
    if metric == "haversine":
        x, y = x[:, :2].copy(), y[:, :2].copy()
    if metric in ("hamming", "matching", "dice", "jaccard", "rogerstanimoto", "yule"):
        x, y = np.round(x), np.round(y)
    made = measured(x, y, metric, **params_of(metric))
    matrix = made.write()
    near, rows = made.nearest(6)
    np.testing.assert_allclose(near, np.sort(matrix, axis=1)[:, :6], rtol=1e-12)
    np.testing.assert_allclose(np.take_along_axis(matrix, rows, 1), near, rtol=1e-12)
    radius = float(np.quantile(matrix, 0.3)) * (1 + 1e-9)
    offsets, found, values = made.within(radius)
    assert (np.repeat(np.arange(21), np.diff(offsets)) == np.nonzero(matrix <= radius)[0]).all()
    assert (found == np.nonzero(matrix <= radius)[1]).all()
    np.testing.assert_allclose(values, matrix[matrix <= radius], rtol=1e-12)
    assert (made.count(radius) == (matrix <= radius).sum(axis=1)).all()
    assert made.count(-1.0).sum() == 0


def test_radius_is_inclusive_and_exact():
    x = np.arange(30.0)[:, None] * np.ones((1, 16)) / 4.0  # neighbours at distance exactly 1
    for dtype in (np.float64, np.float32):
        made = measured(x.astype(dtype), x.astype(dtype))
        assert (made.count(1.0)[1:-1] == 3).all()
        assert (made.count(1.0 - 1e-12) == 1).all()
        assert (made.count(np.linspace(0, 9, 30), skip_self=True) >= 0).all()


def test_sparse_nearest():
    x = sp.random_array((40, 300), density=0.05, rng=RNG, format="csr")
    y = sp.random_array((500, 300), density=0.05, rng=RNG, format="csr")
    for metric in ("euclidean", "manhattan", "cosine"):
        matrix = measured(x, y, metric).write()
        near, rows = measured(x, y, metric).nearest(4)
        assert (rows == np.argsort(matrix, axis=1, kind="stable")[:, :4]).all()
    products = (x @ y.T).toarray()
    values, rows = measured(x, y, "inner").nearest(3)
    np.testing.assert_allclose(values, -np.sort(-products, axis=1)[:, :3], rtol=1e-12)
    near = sp.csr_array(x * (1 + 1e-12))
    got = measured(x, near).write()
    want = exact_distances(x.toarray(), near.toarray()).astype(float)
    np.testing.assert_allclose(got, want, rtol=1e-12)


def test_inner_products_are_ranked_from_the_largest():
    x, y = RNG.normal(size=(15, 33)), RNG.normal(size=(200, 33))
    for dtype in (np.float64, np.float32):
        a, b = x.astype(dtype), y.astype(dtype)
        products = a.astype(float) @ b.astype(float).T
        values, rows = measured(a, b, "inner").nearest(9)
        np.testing.assert_allclose(values, -np.sort(-products, axis=1)[:, :9], rtol=1e-12)
        np.testing.assert_allclose(np.take_along_axis(products, rows, 1), values, rtol=1e-12)


@pytest.mark.parametrize("queries", [1, 5, 300])
def test_sums_of_kernels(queries):
    x, y = RNG.normal(size=(queries, 12)), RNG.normal(size=(777, 12))
    weights = RNG.uniform(size=777)
    squares = cdist(x, y, "sqeuclidean")
    made = measured(x, y)
    sums = made.sum(Map("exponential", -0.1), weights)
    np.testing.assert_allclose(sums, np.exp(-0.1 * squares) @ weights, rtol=1e-12)
    logs = made.sum(Map("log_exponent", -400.0), weights)
    np.testing.assert_allclose(logs, logsumexp(-400 * squares, b=weights, axis=1), rtol=1e-12)
    logs = made.sum(Map("log_root_exponent", -3.0))
    np.testing.assert_allclose(logs, logsumexp(-3 * np.sqrt(squares), axis=1), rtol=1e-12)
    ratio = squares / 25.0
    for kind, value in {
        "tophat": 1.0 * (ratio < 1),
        "epanechnikov": np.maximum(1 - ratio, 0),
        "linear": np.maximum(1 - np.sqrt(ratio), 0),
        "cosine": np.where(ratio < 1, np.cos(np.pi / 2 * np.sqrt(ratio)), 0),
    }.items():
        np.testing.assert_allclose(
            made.sum(Map(kind, 1 / 25)), value.sum(axis=1), rtol=1e-10, err_msg=kind
        )


def test_same_bits_with_any_number_of_threads():
    x, y = RNG.normal(size=(333, 40)), RNG.normal(size=(2000, 40))
    before = _core.set_threads(1)
    try:
        results = []
        for threads in (1, 2, 5):
            _core.set_threads(threads)
            for q in (x, x[:3]):
                made = measured(q, y)
                results.append((*made.nearest(7), made.write(), made.sum(Map("exponential", -0.1))))
    finally:
        _core.set_threads(before)
    for k in (0, 1):
        for other in results[k + 2 :: 2]:
            for a, b in zip(results[k], other, strict=True):
                assert (a == b).all()


def test_missing_values_come_last():
    x = np.full((3, 4), np.nan)
    x[0] = 0.0
    y = RNG.normal(size=(50, 4))
    y[::2] = np.nan
    near, rows = measured(x, y, "nan_euclidean").nearest(30)
    assert np.isfinite(near[0, :25]).all()
    assert np.isnan(near[0, 25:]).all()
    assert (rows[0, 25:] == [0, 2, 4, 6, 8]).all()
    assert (rows[1] == np.arange(30)).all()


def test_ranges_where_squares_overflow():
    x = np.array([[1e200] * 12, [0.0] * 12, [-1e200] * 12])
    assert (measured(x, x).nearest(1)[1].ravel() == [0, 1, 2]).all()
    y = (RNG.normal(size=(60, 12)) * 1e25).astype(np.float32)  # squares beyond single precision
    want = np.argsort(cdist(y.astype(float), y.astype(float)), axis=1)[:, :5]
    assert (measured(y, y).nearest(5)[1] == want).all()
    tiny = (RNG.normal(size=(60, 12)) * 1e-30).astype(np.float32)
    want = np.argsort(cdist(tiny.astype(float), tiny.astype(float)), axis=1)[:, :5]
    assert (measured(tiny, tiny).nearest(5)[1] == want).all()


def test_bounds_of_k():
    x = np.zeros((4, 2))
    assert measured(x, x).nearest(4)[1].tolist() == [[0, 1, 2, 3]] * 4
    for k, skip in ((0, False), (5, False), (4, True)):
        with pytest.raises(ValueError, match="k must be in"):
            measured(x, x).nearest(k, skip_self=skip)


@given(
    arrays(np.float64, (7, 10), elements=st.floats(-1e8, 1e8)),
    arrays(np.float64, (9, 10), elements=st.sampled_from([0.0, 1.0, -1.0, 1e8, 1e-8])),
)
def test_any_numbers(x, y):
    want = exact_distances(x, y).astype(float)
    np.testing.assert_allclose(euclidean_distances(x, y), want, rtol=1e-12, atol=1e-150)
    kernel = rbf_kernel(x)
    assert (kernel == kernel.T).all()
    assert (np.diag(kernel) == 1).all()
