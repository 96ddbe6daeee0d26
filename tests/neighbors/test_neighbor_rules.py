"""Weights, refusals, and leave-one-out for all k: the rules of the notes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from stylobate.exceptions import (
    EfficiencyWarning,
    InvalidDataError,
    InvalidParameterError,
    StylobateWarning,
    UnsupportedDataError,
)
from stylobate.model_selection import LeaveOneOut, cross_val_predict
from stylobate.neighbors import (
    DistanceWeights,
    GeometricWeights,
    KDTree,
    KernelDensity,
    KernelWeights,
    KNeighborsClassifier,
    KNeighborsRegressor,
    LocalOutlierFactor,
    NearestCentroid,
    NearestNeighbors,
    RadiusNeighborsClassifier,
    RadiusNeighborsRegressor,
    RankWeights,
    leave_one_out_curve,
    sort_graph_by_row_values,
)


def test_weights_of_the_notes():
    """Equations 2.7 and 2.8, and a Gaussian."""
    d = np.array([0.1, 0.4, 0.5, 0.9, 2.0])
    assert_allclose(RankWeights()(d), [1, 4 / 5, 3 / 5, 2 / 5, 1 / 5])
    assert_allclose(GeometricWeights(0.3)(d), [0.3**s for s in (1, 2, 3, 4, 5)])
    assert_allclose(KernelWeights("gaussian", 0.5)(d), np.exp(-0.5 * (d / 0.5) ** 2))
    assert_allclose(DistanceWeights()(d), 1 / d)


def test_five_neighbours_of_the_notes():
    """Section 2.3: equal votes say ■ 3 to 2, votes by rank say ▲ 9/5 to 6/5."""
    X, y = np.arange(1.0, 6.0)[:, None], np.array(["▲", "▲", "■", "■", "■"])
    assert KNeighborsClassifier(5).fit(X, y).predict([[0.0]]) == "■"
    ranked = KNeighborsClassifier(5, weights="rank").fit(X, y)
    assert ranked.predict([[0.0]]) == "▲"
    assert_allclose(ranked.predict_proba([[0.0]]), [[6 / 15, 9 / 15]])  # ■ sorts first


def test_the_exercise_with_two_neighbours():
    """Section 2.5, problem 1: leave one out, ties go to the closest, else 0."""
    x = np.array([0.45, -0.1, 2, 0.3, -0.5, 0.7, 0])[:, None]
    y = np.array([1, -1, 1, 1, -1, -1, 1])
    model = KNeighborsClassifier(2, refuse="tie", refused_label=0).fit(x, y)
    answers = model.predict(None)
    # by hand, in the order of the table
    assert_array_equal(answers, [1, 1, -1, 1, -1, 1, -1])
    assert np.mean(answers == y) == pytest.approx(3 / 7)


def test_refusals():
    x, y = np.array([[-1.0], [1.0]]), np.array([-1, 1])
    model = KNeighborsClassifier(2, refuse="tie", refused_label=0).fit(x, y)
    assert_array_equal(model.predict([[0.0], [0.1], [-0.1]]), [0, 1, -1])
    careful = KNeighborsClassifier(4, refuse=0.5, refused_label="?").fit(
        np.arange(4.0)[:, None], ["a", "a", "a", "b"]
    )
    assert careful.predict([[0.0]]) == "a"  # 3/4 − 1/4 = 0.5, not less
    strict = KNeighborsClassifier(4, refuse=0.6, refused_label="?").fit(
        np.arange(4.0)[:, None], ["a", "a", "a", "b"]
    )
    assert strict.predict([[0.0]]) == "?"
    for wrong in ({"refuse": "tie"}, {"refused_label": 0}):
        with pytest.raises(InvalidParameterError, match="go together"):
            KNeighborsClassifier(**wrong).fit(x, y)


def test_nadaraya_watson():
    x = np.linspace(0, 3, 20)[:, None]
    y = np.sin(x[:, 0])
    h, at = 0.4, 1.3
    weights = np.exp(-0.5 * ((x[:, 0] - at) / h) ** 2)
    model = KNeighborsRegressor(20, weights=KernelWeights("gaussian", h)).fit(x, y)
    assert_allclose(model.predict([[at]]), (weights @ y) / weights.sum(), rtol=1e-12)
    inside = RadiusNeighborsRegressor(0.5, weights=KernelWeights("epanechnikov", 0.5)).fit(x, y)
    weights = np.maximum(1 - ((x[:, 0] - at) / 0.5) ** 2, 0)
    assert_allclose(inside.predict([[at]]), (weights @ y) / weights.sum(), rtol=1e-12)


@given(st.integers(0, 2**32 - 1), st.integers(2, 25), st.booleans())
def test_the_curve_is_leave_one_out_for_every_k(seed, n, numbers):
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, 2)).round(1)
    y = random.normal(size=n) if numbers else random.integers(0, 2, n)
    rule = [
        "uniform",
        "distance",
        "rank",
        GeometricWeights(0.7),
        KernelWeights("exponential", 1.0),
    ][random.integers(5)]
    kind = KNeighborsRegressor if numbers else KNeighborsClassifier
    if not numbers and len(np.unique(y)) == 1:
        y[0] = 1 - y[0]
    most = min(n - 1, 4)
    curve = leave_one_out_curve(kind(weights=rule), x, y, most)
    for k in range(1, most + 1):
        predicted = kind(k, weights=rule).fit(x, y).predict(None)
        expected = -np.mean((predicted - y) ** 2) if numbers else np.mean(predicted == y)
        assert curve.scores[k - 1] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_predicting_the_rows_of_the_fit_is_leave_one_out():
    random = np.random.default_rng(1)
    x, y = random.normal(size=(40, 3)), random.integers(0, 3, 40)
    model = KNeighborsClassifier(3)
    assert_array_equal(
        model.fit(x, y).predict(None), cross_val_predict(model, x, y, cv=LeaveOneOut())
    )


def test_curve_refusals_and_words():
    x, y = np.arange(6.0)[:, None], [0, 0, 0, 1, 1, 1]
    with pytest.raises(InvalidParameterError, match="from 1 to 5"):
        leave_one_out_curve(KNeighborsClassifier(), x, y, 6)
    with pytest.raises(InvalidParameterError, match="change with every k"):
        leave_one_out_curve(KNeighborsClassifier(weights="gaussian"), x, y, 3)
    assert "Leave-one-out accuracy is best with" in str(
        leave_one_out_curve(KNeighborsClassifier(), x, y, 3)
    )


def test_ties_of_distance_are_broken_by_row():
    x = np.zeros((6, 2))
    d, rows = NearestNeighbors(n_neighbors=3).fit(x).kneighbors([[0.0, 0.0]])
    assert_array_equal(rows, [[0, 1, 2]])
    assert_array_equal(d, 0)
    _, own = NearestNeighbors(n_neighbors=3).fit(x).kneighbors()
    assert_array_equal(own[0], [1, 2, 3])
    assert_array_equal(own[1], [0, 2, 3])


def test_near_duplicates_keep_their_distances():
    random = np.random.default_rng(2)
    base = 1e6 + random.normal(size=(50, 5))
    near = base + 1e-9 * random.integers(1, 5, size=base.shape)
    d, rows = NearestNeighbors(n_neighbors=1, algorithm="brute").fit(base).kneighbors(near)
    assert_array_equal(rows[:, 0], np.arange(50))
    assert_allclose(d[:, 0], np.linalg.norm(near - base, axis=1), rtol=1e-12)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda x, y: NearestNeighbors(n_neighbors=7).fit(x).kneighbors(x), ValueError, "Expected"),
        (lambda x, y: NearestNeighbors(n_neighbors=6).fit(x).kneighbors(), ValueError, "Expected"),
        (lambda x, y: NearestNeighbors().fit(x).kneighbors(x, 0), ValueError, "> 0"),
        (lambda x, y: NearestNeighbors().fit(x).kneighbors(x, 2.5), TypeError, "integer"),
        (lambda x, y: NearestNeighbors(n_neighbors=0).fit(x), InvalidParameterError, "n_neighbors"),
        (lambda x, y: NearestNeighbors(metric="nope").fit(x), InvalidParameterError, "metric"),
        (lambda x, y: NearestNeighbors(metric="precomputed").fit(x), InvalidDataError, "square"),
        (
            lambda x, y: NearestNeighbors(metric="precomputed").fit(-np.ones((3, 3))),
            InvalidDataError,
            "not negative",
        ),
        (lambda x, y: NearestNeighbors().fit(np.full((3, 2), np.nan)), InvalidDataError, "NaN"),
        (
            lambda x, y: RadiusNeighborsClassifier(0.1).fit(x, y).predict([[50.0]]),
            InvalidDataError,
            "No neighbors found",
        ),
        (
            lambda x, y: RadiusNeighborsClassifier(outlier_label=[0, 1]).fit(x, y),
            InvalidDataError,
            "outlier_label",
        ),
        (
            lambda x, y: NearestCentroid().fit(np.ones((4, 2)), [0, 0, 1, 1]),
            InvalidDataError,
            "zero",
        ),
        (lambda x, y: NearestCentroid().fit(x, np.zeros(6)), InvalidDataError, "class"),
        (
            lambda x, y: KNeighborsRegressor(weights=lambda d: d[:, :1]).fit(x, y).predict(x),
            InvalidDataError,
            "one weight for each",
        ),
        (lambda x, y: GeometricWeights(1.0), InvalidParameterError, "q must be"),
        (lambda x, y: KernelWeights("nope"), InvalidParameterError, "kernel must be"),
        (lambda x, y: KernelWeights("linear", -1.0), InvalidParameterError, "bandwidth"),
    ],
)
def test_bad_input_gets_a_sentence(make, error, words):
    x, y = np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 1, 1])
    with pytest.raises(error, match=words):
        make(x, y)


def test_nobody_near():
    x, y = np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 1, 1])
    with pytest.warns(StylobateWarning, match="no neighbors"):
        assert np.isnan(RadiusNeighborsRegressor(0.5).fit(x, y).predict([[50.0]])).all()
    most = RadiusNeighborsClassifier(0.5, outlier_label="most_frequent").fit(x, y)
    assert_array_equal(most.predict([[50.0]]), [0])
    assert_array_equal(most.predict_proba([[50.0]]), [[1.0, 0.0]])
    other = RadiusNeighborsClassifier(0.5, outlier_label=-9).fit(x, y)
    with pytest.warns(StylobateWarning, match="-9 is not in training classes"):
        assert_array_equal(other.predict([[50.0], [0.0]]), [-9, 0])
    with pytest.warns(StylobateWarning, match="positive weight"):
        KNeighborsClassifier(2, weights=KernelWeights("tophat", 0.1)).fit(x, y).predict([[50.0]])
    with pytest.warns(StylobateWarning, match="greater than the total"):
        LocalOutlierFactor(20).fit(x)


def test_missing_values_by_the_metric_that_takes_them():
    x = np.array([[0.0, np.nan], [1.0, 1.0], [np.nan, 5.0]])
    _, rows = (
        NearestNeighbors(n_neighbors=1, metric="nan_euclidean").fit(x).kneighbors([[0.9, 1.0]])
    )
    assert_array_equal(rows, [[1]])


def test_the_reason_is_recorded():
    model = NearestNeighbors().fit(np.random.default_rng(0).normal(size=(50, 3)))
    assert model.algorithm_ in ("brute", "kd_tree", "ball_tree")
    assert model.algorithm_reason_


@pytest.mark.parametrize("kernel", ["gaussian", "exponential", "epanechnikov", "linear", "cosine"])
def test_one_kernel_for_weights_and_densities(kernel):
    d = np.linspace(0, 0.99, 12)
    density = KernelDensity(kernel=kernel).fit([[0.0]])
    heights = np.exp(density.score_samples(d[:, None]) - density.score_samples([[0.0]]))
    assert_allclose(KernelWeights(kernel, 1.0)(d), heights, rtol=1e-12, atol=1e-12)


def test_the_power_p_is_minkowski_s():
    x = np.random.default_rng(0).normal(size=(50, 3))
    far = [KDTree(x, metric=name, p=3).query(x, 4)[0] for name in ("p", "minkowski")]
    assert_allclose(*far)


def test_parameters_learnt_at_fit():
    x = np.random.default_rng(0).normal(size=(50, 3)) * [1.0, 5.0, 20.0]
    model = NearestNeighbors(n_neighbors=3, metric="seuclidean").fit(x)
    want = cdist(x[:5], x, "seuclidean", V=x.var(axis=0, ddof=1))
    assert_allclose(model.kneighbors(x[:5])[0], np.sort(want, axis=1)[:, :3], atol=1e-12)
    model = NearestNeighbors(n_neighbors=3, metric="mahalanobis").fit(x)
    want = cdist(x[:5], x, "mahalanobis", VI=np.linalg.inv(np.cov(x.T)))
    assert_allclose(model.kneighbors(x[:5])[0], np.sort(want, axis=1)[:, :3], atol=1e-6)


def test_weighted_densities_look_at_the_weights():
    x = np.random.default_rng(0).normal(size=(600, 2))
    plain = KernelDensity(algorithm="brute", metric_params={"w": [1.0, 9.0]}).fit(x)
    auto = KernelDensity(metric_params={"w": [1.0, 9.0]}).fit(x)
    assert_allclose(auto.score_samples(x[:9]), plain.score_samples(x[:9]))
    want = KernelDensity(algorithm="brute").fit(x * [1.0, 3.0]).score_samples(x[:9] * [1.0, 3.0])
    assert_allclose(auto.score_samples(x[:9]), want)


@pytest.mark.parametrize("algorithm", ["brute", "kd_tree", "ball_tree"])
def test_a_radius_for_each_query_and_one_that_reaches_all(algorithm):
    rng = np.random.default_rng(3)
    rows, queries = rng.normal(size=(60, 3)), rng.normal(size=(8, 3))
    model = NearestNeighbors(algorithm=algorithm, radius=np.inf).fit(rows)
    radii = rng.uniform(0.0, 2.0, 8)
    found = model.radius_neighbors(queries, radii, return_distance=False)
    for i in range(8):
        near = np.linalg.norm(rows - queries[i], axis=1) <= radii[i]
        assert np.array_equal(found[i], np.flatnonzero(near))
    assert all(len(each) == 60 for each in model.radius_neighbors(queries)[1])
    with pytest.raises(InvalidDataError, match="one for each of the 8 rows"):
        model.radius_neighbors(queries, radii[:5])
    with pytest.raises(InvalidParameterError, match="at least 0"):
        model.radius_neighbors(queries, -radii)


def test_functions_that_weigh_exact_matches_infinitely():
    x, y = np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 1])

    def inverse(distances):
        with np.errstate(divide="ignore"):
            return 1.0 / distances

    model = RadiusNeighborsClassifier(5.0, weights=inverse).fit(x, y)
    assert_allclose(model.predict_proba([[0.0]]), [[1.0, 0.0]])
    near = 1.0 / np.array([0.5, 0.5, 1.5])
    expected = [[near[0] / near.sum(), near[1:].sum() / near.sum()]]
    assert_allclose(model.predict_proba([[0.5]]), expected)


def test_graphs_that_cannot_be_sorted_in_place():
    graph = csr_array(np.array([[0.0, 3.0, 1.0], [2.0, 0.0, 4.0], [5.0, 1.0, 0.0]]))
    with pytest.raises(InvalidDataError, match="copy=True"):
        sort_graph_by_row_values(graph.tocsc())
    with pytest.raises(UnsupportedDataError, match="format"):
        sort_graph_by_row_values(graph.tobsr(), copy=True)
    with pytest.warns(EfficiencyWarning, match="not sorted"):
        found = sort_graph_by_row_values(graph.tocsc(), copy=True)
    assert_allclose(found.data, [1.0, 3.0, 2.0, 4.0, 1.0, 5.0])


def test_metrics_of_dense_rows_refuse_sparse_ones():
    with pytest.raises(InvalidParameterError, match="not valid for sparse"):
        KNeighborsClassifier(metric="haversine").fit(csr_array(np.eye(2)), [0, 1])
