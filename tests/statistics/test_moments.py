"""Moments against exact arithmetic and NumPy, in every layout rows can come in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError
from stylobate.statistics import Moments

RNG = np.random.default_rng(1)
X = np.round(RNG.normal(size=(60, 4)) * 64) / 64 + [0.0, 3.0, -100.0, 1e4]  # exact in float32
X[RNG.random((60, 4)) < 0.3] = 0.0
Y = RNG.normal(size=(60, 2)) + np.array([5.0, -1.0])
W = RNG.integers(0, 4, 60).astype(float)  # some are zero
BIG = np.zeros((120, 9))
BIG[::2, 1::2] = X

LAYOUTS = {
    "C": np.ascontiguousarray(X),
    "Fortran": np.asfortranarray(X),
    "strided": BIG[::2, 1::2],
    "backwards": X[::-1, ::-1][::-1, ::-1],
    "float32": X.astype(np.float32),
    "float32 Fortran": np.asfortranarray(X, dtype=np.float32),
    "csr": sparse.csr_array(X),
    "csc": sparse.csc_array(X),
    "csr float32": sparse.csr_array(X.astype(np.float32)),
    "csr matrix": sparse.csr_matrix(X),
    "coo": sparse.coo_array(X),
}


def with_long_indices(x):
    x = x.copy()
    x.indices, x.indptr = x.indices.astype(np.int64), x.indptr.astype(np.int64)
    return x


LAYOUTS["csr int64"] = with_long_indices(sparse.csr_array(X))
LAYOUTS["csc int64"] = with_long_indices(sparse.csc_array(X))


@pytest.mark.parametrize("weights", [None, W], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("y", [None, Y[:, 0], Y], ids=["no y", "one y", "two y"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout(layout, y, weights, table, agree, exact_moments):
    found = Moments.of(table(LAYOUTS[layout], y, weights))
    z = X if y is None else np.column_stack([X, y])
    agree(found, exact_moments(z, weights))
    assert found.n_rows == (60 if weights is None else np.count_nonzero(W))
    assert found.n_features == 4
    assert found.n_targets == z.shape[1] - 4
    if weights is not None:
        assert found.log_weight == pytest.approx(np.log(W[W > 0]).sum())


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 191, 193, 8191, 8193, 20_000])
@pytest.mark.parametrize("weighted", [False, True])
def test_numbers_of_rows_around_the_seams(n, weighted, table, agree, long_moments):
    rng = np.random.default_rng(n)
    x, w = rng.normal(size=(n, 5)) * [1, 10, 1e-3, 1e6, 1] + 7, rng.random(n) + 0.01
    w = w if weighted else None
    found = Moments.of(table(x, x[:, :1], w))
    agree(found, long_moments(np.column_stack([x, x[:, :1]]), w), 1e-12)


@pytest.mark.parametrize("p", [639, 640, 641, 700])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_many_columns(p, kind, table, agree):
    rng = np.random.default_rng(p)
    x = rng.integers(-8, 9, size=(250, p)) / 4 + 2.0
    w = rng.integers(1, 3, size=250).astype(float)
    z = np.column_stack([x, x[:, 0]])
    mean = np.average(z, axis=0, weights=w)
    centred = z - mean
    agree(Moments.of(table(kind(x), x[:, 0], w)), (w.sum(), mean, (centred.T * w) @ centred), 1e-12)


@pytest.mark.parametrize("offset", [1e6, 1e9, -1e12])
@pytest.mark.parametrize("n", [50, 8000, 20_000])
def test_digits_survive_a_large_mean(offset, n, table, agree, exact_moments, long_moments):
    rng = np.random.default_rng(3)
    x = offset + rng.normal(size=(n, 3))
    exact = exact_moments(x) if n < 100 else long_moments(x - offset)  # x − offset is exact
    if n >= 100:
        exact = (exact[0], (exact[1].astype(np.longdouble) + offset).astype(float), exact[2])
    # parts of the rows are merged by their means, which are known to their last bit only
    agree(Moments.of(table(x)), exact, 1e-12 if n <= 8192 else 1e-12 + 1e-17 * abs(offset))
    assert abs(np.cov(x.T, ddof=0)[0, 0] / (exact[2][0, 0] / n) - 1) < 1e-3  # the same quantity


@pytest.mark.parametrize("value", [0.0, 0.1, -1 / 3, 1e15 / 7, 1e-30])
@pytest.mark.parametrize("n", [1, 3, 70, 10_000])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_constant_column_has_no_scatter_at_all(value, n, weighted, table):
    x = np.column_stack([np.full(n, value), np.arange(n, dtype=float)])
    w = np.linspace(0.1, 2.7, n) if weighted else None
    for each in (x, np.asfortranarray(x), sparse.csr_array(x)):
        found = Moments.of(table(each, None, w))
        assert found.scatter[0, 0] == 0.0
        assert found.mean[0] == value


def test_rows_of_weight_zero_leave_no_trace(table):
    x, w = X.copy(), W.copy()
    x[:30], w[:30] = 1e14, 0.0  # nobody may centre on these
    found, clean = Moments.of(table(x, Y, w)), Moments.of(table(X[30:], Y[30:], W[30:]))
    for name, value in clean.to_arrays().items():
        assert np.array_equal(found.to_arrays()[name], value)


def test_subset_about_zero_covariance_correlation(table):
    moments = Moments.of(table(X, Y, W))
    z = np.column_stack([X, Y])
    frequency = W.astype(int)
    assert moments.covariance() == pytest.approx(np.cov(z.T, fweights=frequency), rel=1e-10)
    assert moments.covariance(0) == pytest.approx(
        np.cov(z.T, fweights=frequency, ddof=0), rel=1e-10
    )
    expected = np.corrcoef(np.repeat(z, frequency, axis=0).T)
    assert moments.correlation() == pytest.approx(expected, abs=1e-13)
    assert moments.about_zero().scatter == pytest.approx((z.T * W) @ z, rel=1e-13)
    assert not moments.about_zero().mean.any()
    for chosen in ([2, 0], np.array([True, False, True, True])):
        part = moments.subset(chosen)
        direct = Moments.of(table(X[:, chosen], Y, W))
        assert part.mean == pytest.approx(direct.mean, rel=1e-13)
        assert part.scatter == pytest.approx(direct.scatter, rel=1e-11, abs=1e-9)
        assert (part.n_features, part.n_targets) == (X[:, chosen].shape[1], 2)
    assert np.array_equal(moments.xy, moments.scatter[:4, 4:])
    assert np.array_equal(moments.yy, moments.scatter[4:, 4:])
    assert np.array_equal(np.concatenate([moments.x_mean, moments.y_mean]), moments.mean)


def test_nothing_can_be_said_of_constant_columns(table):
    found = Moments.of(table(np.column_stack([np.ones(5), np.arange(5.0)]))).correlation()
    assert np.isnan(found[0]).all()
    assert found[1, 1] == 1.0


def test_refusals(table):
    one, two = Moments.of(table(X[:5])), Moments.of(table(X[:9]))
    with pytest.raises(InvalidDataError, match="cannot take 9 rows from 5"):
        one.subtract(two)
    with pytest.raises(InvalidDataError, match="4 features and 0 targets"):
        one.merge(Moments.of(table(X[:5], Y[:5])))


@settings(max_examples=60, deadline=None)
@given(
    z=arrays(
        np.float64,
        st.tuples(st.integers(1, 12), st.integers(1, 4)),
        elements=st.floats(-1e8, 1e8, allow_subnormal=False).map(lambda v: round(v, 6)),
    ),
    seed=st.integers(0, 99),
)
def test_any_rows(z, seed, agree, exact_moments):
    w = np.random.default_rng(seed).integers(0, 3, len(z)).astype(float)
    w[0] = 1.0
    agree(Moments.of(read_table(z, None, w, owner="test")), exact_moments(z, w), 1e-12)
