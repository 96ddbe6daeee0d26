"""The approximate index: exact distances, measured recall, the same graph every time."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import stylobate
from stylobate.distances import measured
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.neighbors import (
    HNSW,
    HNSWIndex,
    KNeighborsClassifier,
    KNeighborsRegressor,
    LocalOutlierFactor,
    NearestNeighbors,
    RadiusNeighborsClassifier,
)


def table(n: int, columns: int, seed: int = 0, rank: int = 8) -> np.ndarray:
    """Rows near a plane of few dimensions, as real tables are."""
    rng = np.random.default_rng(seed)
    plane = np.random.default_rng(99).standard_normal((rank, columns))
    return rng.standard_normal((n, rank)) @ plane + 0.2 * rng.standard_normal((n, columns))


def recall(rows: np.ndarray, truth: np.ndarray) -> float:
    hits = [len(np.intersect1d(a, b)) for a, b in zip(rows, truth, strict=True)]
    return float(np.sum(hits)) / truth.size


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "manhattan", "cosine"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_finds_nearly_all_and_measures_exactly(metric, dtype):
    X, Q = table(6000, 24).astype(dtype), table(300, 24, seed=1).astype(dtype)
    index = HNSWIndex(X, metric)
    distances, rows = index.query(Q, k=10)
    true_distances, truth = measured(Q, X, metric).nearest(10)
    assert recall(rows, truth) >= 0.985
    assert index.recall_.low >= 0.99
    assert (rows.dtype, distances.dtype) == (np.intp, np.float64)
    same = rows == truth
    np.testing.assert_allclose(distances[same], true_distances[same], rtol=1e-12)
    assert (np.diff(distances, axis=1) >= 0).all()
    np.testing.assert_array_equal(index.query(Q, k=10, return_distance=False), rows)


def test_default_recall_in_many_columns():
    """Nothing but noise: the effort rises until the recall is there."""
    rng = np.random.default_rng(3)
    X, Q = rng.standard_normal((8000, 64)), rng.standard_normal((300, 64))
    index = HNSWIndex(X)
    assert recall(index.query(Q, k=10)[1], measured(Q, X).nearest(10)[1]) >= 0.985
    assert index.ef_search_ > 100


def test_inner_products_largest_first():
    X, Q = table(4000, 16), table(100, 16, seed=1)
    products, rows = HNSWIndex(X, "inner").query(Q, k=5)
    np.testing.assert_allclose(products, np.einsum("qp,qkp->qk", Q, X[rows]), rtol=1e-9)
    truth = np.argsort(-(Q @ X.T), axis=1)[:, :5]
    assert recall(rows, truth) >= 0.97
    assert (np.diff(products, axis=1) <= 1e-9).all()


def test_weighted_metrics():
    X, Q = table(2000, 5), table(50, 5, seed=1)
    V = X.var(axis=0)
    for metric, params in (("seuclidean", {"V": V}), ("mahalanobis", {"VI": np.diag(1 / V)})):
        _, rows = HNSWIndex(X, metric, **params).query(Q, k=4)
        assert recall(rows, measured(Q / np.sqrt(V), X / np.sqrt(V)).nearest(4)[1]) > 0.97


def test_the_same_index_with_any_number_of_threads():
    X = table(3000, 12)
    made = []
    for threads in (1, 4):
        with stylobate.threads(threads):
            index = HNSWIndex(X)
            made.append((index._index.links, index._index.upper, *index.query(X[:100], k=5)))
    for one, four in zip(*made, strict=True):
        np.testing.assert_array_equal(one, four)
    other = HNSWIndex(X, random_state=1)._index
    assert other.links.shape != made[0][0].shape or (other.links != made[0][0]).any()


@pytest.mark.parametrize(
    "X",
    [
        np.repeat(table(60, 4), 50, axis=0),
        np.zeros((500, 3)),
        np.full((1, 2), 7.0),
        np.array([[0.0], [1.0]]),
        np.arange(64.0)[:, None],
        1e6 + table(2000, 6),
        np.random.default_rng(0).standard_cauchy((2000, 6)),
        10.0 * table(20, 6).repeat(100, axis=0) + 1e-3 * table(2000, 6, seed=2),
    ],
    ids=["copies", "all equal", "one row", "two rows", "few", "offset", "heavy tails", "clusters"],
)
def test_awkward_tables(X):
    index = HNSWIndex(X)
    k = min(10, len(X))
    distances, _ = index.query(X[:200], k=k)
    exact, _ = measured(X[:200], X).nearest(k)
    assert (distances <= exact[:, -1:] * (1 + 1e-9) + 1e-300).mean() >= 0.98
    assert index.recall_ is None or index.recall_.estimate >= 0.99


@given(
    n=st.integers(2, 40), columns=st.integers(1, 4), k=st.integers(1, 40), seed=st.integers(0, 99)
)
def test_small_tables_with_ties_are_answered_exactly(n, columns, k, seed):
    X = np.random.default_rng(seed).integers(0, 3, (n, columns)).astype(float)
    k = min(k, n)
    distances, rows = HNSWIndex(X).query(X, k=k)
    exact, truth = measured(X, X).nearest(k)
    np.testing.assert_array_equal(distances, exact)
    np.testing.assert_array_equal(rows, truth)


def test_queries_far_outside_are_answered_exactly():
    X = table(3000, 8)
    Q = 100.0 * table(20, 8, seed=1)
    index = HNSWIndex(X)
    assert index._index.coding.bytes
    distances, rows = index.query(Q, k=3)
    exact, truth = measured(Q, X).nearest(3)
    np.testing.assert_array_equal(rows, truth)
    np.testing.assert_array_equal(distances, exact)


def test_zero_rows_have_no_direction():
    X = table(500, 4)
    X[7] = 0.0
    index = HNSWIndex(X, "cosine")
    distances, rows = index.query(np.vstack([X[:3], np.zeros((1, 4))]), k=500)
    expected = measured(X[:3], X, "cosine").write()
    np.testing.assert_allclose(distances[:3], np.sort(expected, axis=1), atol=1e-12)
    np.testing.assert_array_equal(distances[3], 1.0)
    assert sorted(rows[3]) == list(range(500))


def test_estimators_take_it():
    X, Q = table(3000, 16), table(200, 16, seed=1)
    label = X[:, 0] > 0
    near = NearestNeighbors(n_neighbors=5, algorithm="hnsw").fit(X)
    assert near.algorithm_ == "hnsw"
    assert near.recall_.low >= 0.99
    exact = NearestNeighbors(n_neighbors=5, algorithm="brute").fit(X)
    assert exact.recall_ is None
    assert recall(near.kneighbors(Q)[1], exact.kneighbors(Q)[1]) >= 0.985
    own = near.kneighbors()[1]
    assert (own != np.arange(len(X))[:, None]).all()
    assert recall(own, exact.kneighbors()[1]) >= 0.985
    model = KNeighborsClassifier(algorithm=HNSW(M=8)).fit(X, label)
    same = KNeighborsClassifier(algorithm="brute").fit(X, label)
    assert (model.predict(Q) == same.predict(Q)).mean() > 0.98
    fitted = KNeighborsRegressor(algorithm="hnsw").fit(X, X[:, 0])
    assert np.abs(fitted.predict(Q) - Q[:, 0]).mean() < 1.0
    factors = LocalOutlierFactor(algorithm="hnsw").fit(X).negative_outlier_factor_
    expected = LocalOutlierFactor(algorithm="brute").fit(X).negative_outlier_factor_
    assert np.abs(factors - expected).max() < 0.05


def test_nothing_approximate_unless_asked_for():
    for shape in ((5000, 64), (3000, 3)):
        model = NearestNeighbors().fit(np.random.default_rng(0).standard_normal(shape))
        assert model.algorithm_ != "hnsw"
        assert model.recall_ is None


def test_state_is_plain_and_travels():
    X = table(800, 6)
    model = NearestNeighbors(algorithm="hnsw").fit(X)
    again = pickle.loads(pickle.dumps(model))
    for one, other in zip(model.kneighbors(X[:50]), again.kneighbors(X[:50]), strict=True):
        np.testing.assert_array_equal(one, other)
    index = model._index
    arrays = (index.codes, index.errors, index.starts, index.members, index.links, index.upper)
    assert all(type(each) is np.ndarray for each in arrays)


def test_too_little_effort_is_said():
    X = np.random.default_rng(0).standard_normal((3000, 32))
    with pytest.warns(StylobateWarning, match=r"finds [\d.]+% of the neighbours with ef_search=2"):
        index = HNSWIndex(X, ef_search=2)
    assert index.ef_search_ == 2
    assert index.recall_.high < 0.9
    with pytest.warns(StylobateWarning, match="cannot use graph with sparse input"):
        model = NearestNeighbors(algorithm="hnsw").fit(csr_array(np.eye(9)))
    assert model.algorithm_reason_ == "rows are sparse, which a graph does not take"


def test_damaged_arrays_are_refused_or_harmless():
    X = table(300, 3)
    index = HNSWIndex(X)._index
    wild = index.links.copy()
    wild[5] = 4_000_000_000
    object.__setattr__(index, "links", wild)
    index.query(X, 3)
    object.__setattr__(index, "members", index.members + np.uint32(1000))
    with pytest.raises(ValueError, match="rows there are"):
        index.query(X, 3)


def test_refusals():
    X = table(100, 4)
    index = HNSWIndex(X)
    with pytest.raises(InvalidDataError, match=r"k must be .* 100; got 101"):
        index.query(X, k=101)
    with pytest.raises(InvalidDataError, match="4 columns, got 2"):
        index.query(X[:, :2])
    with pytest.raises(InvalidParameterError, match="never all rows within a radius"):
        index.query_radius(X, 1.0)
    with pytest.raises(InvalidParameterError, match="never all rows within a radius"):
        NearestNeighbors(algorithm="hnsw").fit(X).radius_neighbors(X)
    with pytest.raises(InvalidParameterError, match="algorithm"):
        RadiusNeighborsClassifier(algorithm="hnsw").fit(X, X[:, 0] > 0)
    with pytest.raises(InvalidParameterError, match="'chebyshev' not valid for algorithm='hnsw'"):
        HNSWIndex(X, "chebyshev")
    with pytest.raises(InvalidParameterError, match="p=3"):
        NearestNeighbors(algorithm="hnsw", p=3).fit(X)
    with pytest.raises(InvalidParameterError, match="a function"):
        HNSWIndex(X, lambda a, b: 0.0)
    for wrong in ({"M": 1}, {"ef_search": 0}, {"recall": 1.0}, {"ef_construction": 1.5}):
        with pytest.raises(InvalidParameterError, match=next(iter(wrong))):
            HNSWIndex(X, **wrong)
    with pytest.raises(ValueError, match="NaN"):
        HNSWIndex(np.full((5, 2), np.nan))
    assert not HNSWIndex(X).data.flags.writeable
