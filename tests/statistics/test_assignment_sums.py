"""Assign-and-sum against plain NumPy in extended precision, and its laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from stylobate import _core
from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.statistics import AssignmentSums, AssignTo, packed_rows
from stylobate.testing import check_merge_laws


def long_assignment(x, centers, weights=None):
    """Labels, two smallest squares, weights, deviations and inertia by the definition."""
    x, c = np.asarray(x, np.longdouble), centers.astype(np.longdouble)
    w = np.ones(len(x), np.longdouble) if weights is None else weights.astype(np.longdouble)
    squares = ((x[:, None, :] - c[None]) ** 2).sum(axis=2)
    labels = squares.argmin(axis=1)
    two = np.sort(np.hstack([squares, np.full((len(x), 1), np.inf)]), axis=1)[:, :2]
    weight, deviations = np.zeros(len(c), np.longdouble), np.zeros(c.shape, np.longdouble)
    np.add.at(weight, labels, w)
    np.add.at(deviations, labels, w[:, None] * (x - c[labels]))
    return labels, two, weight, deviations, (w * two[:, 0]).sum()


def agrees(rows, sums, x, centers, weights=None, tolerance=1e-12):
    labels, two, weight, deviations, inertia = long_assignment(x, centers, weights)
    assert np.array_equal(rows.labels, labels)
    np.testing.assert_allclose(rows.nearest, two[:, 0].astype(float), rtol=tolerance, atol=0)
    np.testing.assert_allclose(rows.second, two[:, 1].astype(float), rtol=tolerance, atol=0)
    np.testing.assert_allclose(sums.weight, weight.astype(float), rtol=1e-14)
    size = np.abs(x - centers[labels]).max() * max(float(weight.max()), 1.0)
    np.testing.assert_allclose(sums.deviations, deviations.astype(float), rtol=0, atol=1e-13 * size)
    assert sums.inertia == pytest.approx(float(inertia), rel=tolerance)


@pytest.mark.parametrize("kind", ["f8", "f4", "fortran", "csr"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("n", "p", "k"), [(1, 1, 1), (50, 3, 4), (1000, 20, 10), (4000, 9, 130)])
def test_it_equals_the_definition(n, p, k, weighted, kind):
    rng = np.random.default_rng(n + p)
    x = rng.normal(size=(n, p)) + rng.integers(0, 3, (n, 1)) * 2.0
    x[rng.random(x.shape) < 0.3] = 0.0
    centers = rng.normal(size=(k, p)) + 1.0
    weights = rng.integers(0, 4, n).astype(float) + 0.5 if weighted else None
    given_x = {
        "f8": lambda: x,
        "f4": lambda: x.astype(np.float32),
        "fortran": lambda: np.asfortranarray(x),
        "csr": lambda: sparse.csr_array(x),
    }[kind]()
    table = read_table(given_x, None, weights, owner="test")
    rows, sums = AssignTo(centers).rows(table)
    exact = x.astype(np.float32).astype(float) if kind == "f4" else x
    agrees(rows, sums, exact, centers, weights)
    if kind != "csr":
        packed = AssignTo(centers).of_packed(packed_rows(table), weights)
        assert packed.inertia == sums.inertia
        assert np.array_equal(packed.deviations, sums.deviations)


@pytest.mark.parametrize("p", [4, 30])
def test_tight_clusters_far_away_keep_their_digits(p):
    rng = np.random.default_rng(3)
    far = 1e6 * rng.normal(size=(3, p))
    labels = rng.integers(0, 3, 3000)
    x = far[labels] + 1e-6 * rng.normal(size=(3000, p))
    rows, sums = AssignTo(far).rows(read_table(x, owner="test"))
    exact = ((x.astype(np.longdouble) - far[labels]) ** 2).sum(axis=1)
    assert np.array_equal(rows.labels, labels)
    np.testing.assert_allclose(rows.nearest, exact.astype(float), rtol=1e-13)
    assert sums.inertia == pytest.approx(float(exact.sum()), rel=1e-13)


def test_of_equally_near_centres_the_first_counts():
    centers = np.array([[1.0] * 12, [0.0] * 12, [0.0] * 12, [0.0] * 12])
    rows, sums = AssignTo(centers).rows(read_table(np.zeros((5, 12)), owner="test"))
    assert rows.labels.tolist() == [1] * 5
    assert rows.second.tolist() == [0.0] * 5
    assert sums.rows.tolist() == [0.0, 5.0, 0.0, 0.0]
    assert np.array_equal(sums.means(), centers)


@pytest.mark.parametrize("kind", [np.asarray, np.float32, sparse.csr_array])
def test_threads_change_no_bit(kind):
    rng = np.random.default_rng(4)
    x = rng.normal(size=(30_000, 17))
    table = read_table(kind(x), None, rng.random(30_000), owner="test")
    recipe = AssignTo(rng.normal(size=(7, 17)))
    before = _core.set_threads(1)
    try:
        one = recipe.of(table).to_arrays()
        for threads in (2, 5):
            _core.set_threads(threads)
            many = recipe.of(table).to_arrays()
            assert all(np.array_equal(one[name], many[name]) for name in one)
    finally:
        _core.set_threads(before)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_laws_of_merging(kind, weighted):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(7000, 11)) + 3.0
    w = rng.integers(0, 3, 7000).astype(float) if weighted else None
    recipe = AssignTo(x[:6] + 0.1)

    class Sums(AssignmentSums):
        of = recipe.of

    parts = [slice(0, 1), slice(1, 3500), slice(3500, 7000)]
    tables = [
        read_table(kind(x[a]), None, None if w is None else w[a], owner="test") for a in parts
    ]
    check_merge_laws(Sums, tables)


@settings(max_examples=30, deadline=None)
@given(n=st.integers(1, 60), p=st.integers(1, 12), k=st.integers(1, 9), seed=st.integers(0, 2**31))
def test_lloyd_never_raises_the_inertia(n, p, k, seed):
    rng = np.random.default_rng(seed)
    table = read_table(rng.normal(size=(n, p)), owner="test")
    sums = AssignTo(rng.normal(size=(k, p))).of(table)
    for _ in range(5):
        following = AssignTo(sums.means()).of(table)
        assert following.inertia <= sums.inertia * (1 + 1e-12)
        sums = following


def test_one_iteration_is_that_of_scikit_learn():
    cluster = pytest.importorskip("sklearn.cluster")
    rng = np.random.default_rng(6)
    x = rng.normal(size=(2000, 8))
    fitted = cluster.KMeans(5, init=x[:5], n_init=1, max_iter=1, algorithm="lloyd")
    fitted.fit(x)
    sums = AssignTo(x[:5]).of(read_table(x, owner="test"))
    np.testing.assert_allclose(sums.means(), fitted.cluster_centers_, rtol=1e-10)


def test_refusals():
    table = read_table([[1.0, 2.0]], owner="test")
    with pytest.raises(InvalidParameterError, match="at least one row"):
        AssignTo(np.empty((0, 2)))
    with pytest.raises(InvalidParameterError, match="finite"):
        AssignTo(np.array([[np.nan, 1.0]]))
    with pytest.raises(InvalidDataError, match="2 features"):
        AssignTo(np.zeros((1, 3))).of(table)
    with pytest.raises(InvalidDataError, match="same centres"):
        AssignTo(np.zeros((1, 2))).of(table).merge(AssignTo(np.ones((1, 2))).of(table))
    bad = read_table([[1.0], [np.nan]], check_finite="allow-nan", owner="test")
    assert not AssignTo(np.zeros((2, 1))).of(bad).is_finite()
