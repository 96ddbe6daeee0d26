"""Neighbour estimators against scikit-learn's brute force."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.neighbors as theirs
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

import stylobate.neighbors as ours

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(120, 4))
NEW = RANDOM.normal(size=(30, 4))
LABELS = np.array(["a", "b", "c"])[RANDOM.integers(0, 3, 120)]
TWO = np.column_stack([LABELS, np.array(["u", "v"])[RANDOM.integers(0, 2, 120)]])
TARGET = X @ [1.0, -2.0, 0.5, 0.0] + RANDOM.normal(size=120)

METRICS = [
    {},
    {"p": 1},
    {"p": 3},
    {"p": np.inf},
    {"metric": "chebyshev"},
    {"metric": "cosine"},
    {"metric": "canberra"},
    {"metric": "braycurtis"},
    {"metric": "correlation"},
    {"metric": "sqeuclidean"},
    {"metric": "minkowski", "p": 3, "metric_params": {"w": np.array([1.0, 2.0, 0.5, 1.0])}},
    {"metric": "seuclidean", "metric_params": {"V": np.array([1.0, 2.0, 0.5, 1.0])}},
    {"metric": "mahalanobis", "metric_params": {"VI": np.diag([1.0, 2.0, 0.5, 1.0])}},
]


def pair(name, **parameters):
    return tuple(getattr(m, name)(algorithm="brute", **parameters) for m in (ours, theirs))


@pytest.mark.parametrize("metric", METRICS, ids=[str(i) for i in range(len(METRICS))])
def test_kneighbors(metric):
    rows, new = X, NEW
    if metric.get("metric") == "braycurtis":  # of negative numbers scikit-learn has two
        rows, new = np.abs(X), np.abs(NEW)
    mine, other = (model.fit(rows) for model in pair("NearestNeighbors", **metric))
    for queries in (new, None):
        d, i = mine.kneighbors(queries, 7)
        e, j = other.kneighbors(queries, 7)
        assert_array_equal(i, j)
        assert_allclose(d, e, rtol=1e-9, atol=1e-9)
    assert mine.effective_metric_ == other.effective_metric_
    assert set(mine.effective_metric_params_) == set(other.effective_metric_params_)
    assert mine.n_samples_fit_ == 120


@pytest.mark.parametrize("metric", [{}, {"p": 1}, {"metric": "cosine"}], ids=["l2", "l1", "cos"])
def test_radius_neighbors(metric):
    mine, other = (model.fit(X) for model in pair("NearestNeighbors", radius=0.9, **metric))
    for queries in (NEW, None):
        d, i = mine.radius_neighbors(queries, sort_results=True)
        e, j = other.radius_neighbors(queries, sort_results=True)
        for a, b, c, f in zip(d, e, i, j, strict=True):
            assert_allclose(a, b, atol=1e-9)
            assert_array_equal(c, f)
        unsorted = mine.radius_neighbors(queries, return_distance=False)
        assert [set(a.tolist()) for a in unsorted] == [set(a.tolist()) for a in j]


@pytest.mark.parametrize("kind", ["csr_matrix", "csc_matrix", "csr_array"])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine"])
def test_sparse_rows(kind, metric):
    rows = np.where(RANDOM.random(X.shape) < 0.5, X, 0.0)
    dense = ours.NearestNeighbors(metric=metric).fit(rows)
    made = ours.NearestNeighbors(metric=metric).fit(getattr(sparse, kind)(rows))
    d, i = dense.kneighbors(NEW)
    e, j = made.kneighbors(getattr(sparse, kind)(NEW))
    assert_allclose(d, e, atol=1e-9)
    if metric != "cosine":  # rows of one direction are told apart by rounding only
        assert_array_equal(i, j)


@pytest.mark.parametrize("mode", ["connectivity", "distance"])
def test_graphs(mode):
    mine, other = (model.fit(X) for model in pair("NearestNeighbors", n_neighbors=4, radius=0.8))
    for queries in (NEW, None):
        for method in ("kneighbors_graph", "radius_neighbors_graph"):
            a = getattr(mine, method)(queries, mode=mode)
            b = getattr(other, method)(queries, mode=mode)
            assert type(a) is type(b)
            assert_allclose(a.toarray(), b.toarray(), atol=1e-9)
    for include in (False, True, "auto"):
        for name, size in (("kneighbors_graph", 3), ("radius_neighbors_graph", 0.7)):
            a = getattr(ours, name)(X, size, mode=mode, include_self=include)
            b = getattr(theirs, name)(X, size, mode=mode, include_self=include)
            assert_allclose(a.toarray(), b.toarray(), atol=1e-7)
    for name in ("KNeighborsTransformer", "RadiusNeighborsTransformer"):
        a, b = (getattr(m, name)(mode=mode).fit(X) for m in (ours, theirs))
        assert_allclose(a.transform(NEW).toarray(), b.transform(NEW).toarray(), atol=1e-9)
        assert list(a.get_feature_names_out()) == list(b.get_feature_names_out())


@pytest.mark.parametrize("weights", ["uniform", "distance", None, lambda d: 1.0 / (1.0 + d)])
@pytest.mark.parametrize("y", [LABELS, TWO], ids=["one", "two"])
def test_classifiers(weights, y):
    for name, size in (("KNeighborsClassifier", 5), ("RadiusNeighborsClassifier", 3.0)):
        first = "n_neighbors" if name.startswith("K") else "radius"
        if callable(weights) and first == "radius":
            continue  # tested below: the function then gets arrays of arrays
        mine, other = (m.fit(X, y) for m in pair(name, **{first: size}, weights=weights))
        assert_array_equal(mine.predict(NEW), other.predict(NEW))
        a, b = mine.predict_proba(NEW), other.predict_proba(NEW)
        for one, two in zip(*(p if isinstance(p, list) else [p] for p in (a, b)), strict=True):
            assert_allclose(one, two, atol=1e-12)
        if y is LABELS:
            assert mine.score(NEW, y[:30]) == pytest.approx(other.score(NEW, y[:30]))


@pytest.mark.parametrize("weights", ["uniform", "distance", lambda d: np.exp(-d)])
@pytest.mark.parametrize("y", [TARGET, np.column_stack([TARGET, X[:, 0]])], ids=["one", "two"])
def test_regressors(weights, y):
    mine, other = (m.fit(X, y) for m in pair("KNeighborsRegressor", weights=weights))
    assert_allclose(mine.predict(NEW), other.predict(NEW), rtol=1e-10)
    if not callable(weights):
        mine, other = (m.fit(X, y) for m in pair("RadiusNeighborsRegressor", radius=3.0))
        assert_allclose(mine.predict(NEW), other.predict(NEW), rtol=1e-10)


def test_functions_of_lists_of_distances():
    def inverse(lists):
        out = np.empty(len(lists), dtype=object)
        for i, each in enumerate(lists):
            out[i] = 1.0 / (1.0 + each)
        return out

    mine, other = (
        m.fit(X, LABELS) for m in pair("RadiusNeighborsClassifier", radius=3.0, weights=inverse)
    )
    assert_array_equal(mine.predict(NEW), other.predict(NEW))


def test_precomputed_distances():
    d = np.linalg.norm(X[:, None] - X, axis=2)
    new = np.linalg.norm(NEW[:, None] - X, axis=2)
    given = ours.KNeighborsClassifier(metric="precomputed").fit(d, LABELS)
    plain = ours.KNeighborsClassifier().fit(X, LABELS)
    assert_array_equal(given.predict(new), plain.predict(NEW))
    assert_array_equal(given.predict(None), plain.predict(None))
    graph = ours.KNeighborsTransformer(n_neighbors=8).fit(X)
    lists = ours.KNeighborsClassifier(metric="precomputed").fit(graph.transform(X), LABELS)
    assert_array_equal(lists.predict(graph.transform(NEW)), plain.predict(NEW))
    assert_array_equal(lists.predict(None), plain.predict(None))


def test_a_function_of_two_rows_as_metric():
    def mine(x, y):
        return np.abs(x - y).max()

    a = ours.NearestNeighbors(metric=mine).fit(X).kneighbors(NEW)
    b = ours.NearestNeighbors(metric="chebyshev").fit(X).kneighbors(NEW)
    assert_allclose(a[0], b[0], rtol=1e-12)
    assert_array_equal(a[1], b[1])


@pytest.mark.parametrize("contamination", ["auto", 0.1])
def test_local_outlier_factor(contamination):
    rows = np.vstack([X, 8.0 + RANDOM.normal(size=(4, 4))])
    mine, other = pair("LocalOutlierFactor", contamination=contamination)
    assert_array_equal(mine.fit_predict(rows), other.fit_predict(rows))
    assert_allclose(mine.negative_outlier_factor_, other.negative_outlier_factor_, rtol=1e-9)
    assert mine.offset_ == pytest.approx(other.offset_)
    mine, other = (
        m.fit(X) for m in pair("LocalOutlierFactor", contamination=contamination, novelty=True)
    )
    assert_allclose(mine.score_samples(NEW), other.score_samples(NEW), rtol=1e-9)
    assert_allclose(mine.decision_function(NEW), other.decision_function(NEW), rtol=1e-7, atol=1e-9)
    assert_array_equal(mine.predict(NEW), other.predict(NEW))
    assert not hasattr(mine, "fit_predict")
    assert not hasattr(ours.LocalOutlierFactor(), "predict")


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"metric": "manhattan"},
        {"shrink_threshold": 0.5},
        {"priors": "empirical"},
        {"priors": [0.2, 0.3, 0.5]},
        {"metric": "manhattan", "shrink_threshold": 0.3},
    ],
    ids=str,
)
def test_nearest_centroid(parameters):
    mine, other = (m.NearestCentroid(**parameters).fit(X, LABELS) for m in (ours, theirs))
    assert_array_equal(mine.predict(NEW), other.predict(NEW))
    for attribute in ("centroids_", "deviations_", "within_class_std_dev_", "class_prior_"):
        assert_allclose(getattr(mine, attribute), getattr(other, attribute), rtol=1e-9, atol=1e-12)
    if "metric" not in parameters:
        assert_allclose(mine.predict_proba(NEW), other.predict_proba(NEW), rtol=1e-8)
        assert_allclose(mine.decision_function(NEW), other.decision_function(NEW), rtol=1e-8)
    rows = np.where(np.abs(X) > 0.5, X, 0.0)
    dense = ours.NearestCentroid(**parameters).fit(rows, LABELS)
    made = ours.NearestCentroid(**parameters).fit(sparse.csr_matrix(rows), LABELS)
    assert_allclose(made.centroids_, dense.centroids_, rtol=1e-12, atol=1e-12)
    assert_array_equal(made.predict(sparse.csr_matrix(NEW)), dense.predict(NEW))


def test_more_queries_than_a_block():
    rows = np.random.default_rng(5).normal(size=(1100, 2))
    d = np.linalg.norm(rows[:, None] - rows, axis=2)
    plain = ours.NearestNeighbors(n_neighbors=3, radius=0.2, algorithm="brute").fit(rows)
    given = ours.NearestNeighbors(n_neighbors=3, radius=0.2, metric="precomputed").fit(d)
    for queries, distances in ((None, None), (rows[:700], d[:700])):
        expected, found = plain.kneighbors(queries), given.kneighbors(distances)
        assert_array_equal(found[1], expected[1])
        assert_allclose(found[0], expected[0], rtol=1e-12, atol=1e-12)
        lists = plain.radius_neighbors(queries, return_distance=False)
        for a, b in zip(
            given.radius_neighbors(distances, return_distance=False), lists, strict=True
        ):
            assert_array_equal(a, b)


def test_outliers_of_the_fit_are_scikit_learn_s():
    x = np.random.default_rng(3).normal(size=(200, 3))
    found, expected = (
        library.LocalOutlierFactor(5, novelty=True, contamination=0.1).fit(x).predict()
        for library in (ours, theirs)
    )
    assert_array_equal(found, expected)


def test_density_s_tree_is_scikit_learn_s():
    x, w = np.random.default_rng(3).normal(size=(90, 2)), np.arange(1.0, 91.0)
    for metric in ("euclidean", "haversine"):
        found, expected = (
            library.KernelDensity(metric=metric).fit(x, sample_weight=w).tree_
            for library in (ours, theirs)
        )
        assert_allclose(found.query(x, 3)[0], expected.query(x, 3)[0], atol=1e-7)
        assert_allclose(found.kernel_density(x, 0.5), expected.kernel_density(x, 0.5), rtol=1e-6)
