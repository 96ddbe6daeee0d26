"""KMeans against scikit-learn, brute force, and its own claims."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
import sklearn.cluster
from scipy import sparse
from threadpoolctl import threadpool_limits

from stylobate.cluster import KMeans, k_means, kmeans_plusplus
from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidDataError,
    InvalidParameterError,
)


def pair(X, weights=None, **parameters):
    ours = KMeans(**parameters).fit(X, sample_weight=weights)
    with threadpool_limits(1):  # threads that wait for one another on a busy machine are slow
        theirs = sklearn.cluster.KMeans(**parameters).fit(X, sample_weight=weights)
    return ours, theirs


def assert_alike(ours, theirs, tolerance=1e-10):
    assert np.array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_allclose(
        ours.cluster_centers_, theirs.cluster_centers_, rtol=tolerance, atol=tolerance
    )
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=max(tolerance, 1e-10))
    assert ours.n_iter_ == theirs.n_iter_


@pytest.mark.parametrize("init", ["k-means++", "random"])
@pytest.mark.parametrize("k", [1, 2, 5, 9])
def test_the_same_seed_gives_scikit_learns_clusters(noise, init, k):
    assert_alike(*pair(noise, n_clusters=k, init=init, random_state=3))


def test_single_precision_stays_single_and_agrees(noise):
    X = noise.astype(np.float32)
    ours, theirs = pair(X, n_clusters=4, init=X[:4], n_init=1)
    assert ours.cluster_centers_.dtype == np.float32
    assert_alike(ours, theirs, 1e-5)
    assert np.array_equal(ours.predict(X), ours.labels_)
    assert ours.transform(X).dtype == np.float32


def test_weights_agree_with_scikit_learn_and_with_repeated_rows(noise):
    weights = np.random.default_rng(0).integers(0, 4, len(noise)).astype(float)
    assert_alike(*pair(noise, weights, n_clusters=4, init=noise[:4], n_init=1, tol=0.0))
    weighted = KMeans(4, init=noise[:4]).fit(noise, sample_weight=weights)
    repeated = KMeans(4, init=noise[:4]).fit(np.repeat(noise, weights.astype(int), axis=0))
    np.testing.assert_allclose(
        weighted.cluster_centers_, repeated.cluster_centers_, rtol=0, atol=1e-12
    )
    assert weighted.inertia_ == pytest.approx(repeated.inertia_, rel=1e-12)


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_array, sparse.csr_matrix])
def test_sparse_rows_give_the_clusters_of_dense_ones(kind):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((300, 20)) * (rng.random((300, 20)) < 0.2)
    dense = KMeans(6, init=X[:6]).fit(X)
    found = KMeans(6, init=X[:6]).fit(kind(X))
    assert np.array_equal(dense.labels_, found.labels_)
    np.testing.assert_allclose(dense.cluster_centers_, found.cluster_centers_, atol=1e-12)
    assert_alike(found, sklearn.cluster.KMeans(6, init=X[:6]).fit(sparse.csr_matrix(X)))


def test_small_problems_reach_the_best_partition():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((9, 2))
    best = np.inf
    for labels in itertools.product(range(3), repeat=9):
        labels = np.array(labels)
        if len(set(labels)) == 3:
            parts = [X[labels == c] for c in range(3)]
            best = min(best, sum(((p - p.mean(axis=0)) ** 2).sum() for p in parts))
    found = KMeans(3, n_init=50, random_state=0).fit(X)
    assert found.inertia_ == pytest.approx(best, rel=1e-12)
    assert not found.certificate_.proved
    assert found.certificate_.dual <= best


def test_the_inertia_never_rises_and_the_answer_is_a_fixed_point(noise):
    model = KMeans(7, random_state=0, tol=0.0).fit(noise)
    assert (np.diff(model.trace_) <= 1e-9).all()
    assert len(model.trace_) == model.n_iter_
    means = [noise[model.labels_ == c].mean(axis=0) for c in range(7)]
    np.testing.assert_allclose(model.cluster_centers_, means, rtol=0, atol=1e-13)
    squares = ((noise[:, None] - model.cluster_centers_) ** 2).sum(axis=2)
    assert np.array_equal(squares.argmin(axis=1), model.labels_)
    assert model.inertia_ == pytest.approx(squares.min(axis=1).sum(), rel=1e-13)
    assert model.certificate_.fixed_point
    assert not model.certificate_.optimal
    assert model.score(noise) == pytest.approx(-model.inertia_, rel=1e-13)


def test_empty_clusters_go_where_scikit_learn_sends_them():
    X = np.array([[0.0], [0.5], [0.6], [6.0], [7.0], [9.5]])
    start = np.array([[0.2], [100.0], [200.0]])
    assert_alike(*pair(X, n_clusters=3, init=start, n_init=1))
    assert_alike(*pair(X, n_clusters=3, init=start, n_init=1, max_iter=1))
    weights = np.array([1.0, 2.0, 1.0, 3.0, 1.0, 2.0])
    assert_alike(*pair(X, weights, n_clusters=3, init=start, n_init=1))


@pytest.mark.parametrize("rows", [np.ones((6, 2)), np.repeat([[0.0, 1.0], [3.0, 4.0]], 4, axis=0)])
def test_fewer_distinct_rows_than_clusters_are_told(rows):
    with pytest.warns(ConvergenceWarning, match="distinct clusters"):
        model = KMeans(4, random_state=0).fit(rows)
    assert model.inertia_ == 0.0
    assert model.certificate_.optimal
    assert np.isfinite(model.cluster_centers_).all()


@pytest.mark.parametrize("n", [1, 2, 5])
def test_as_many_clusters_as_rows(n):
    X = np.arange(2.0 * n).reshape(n, 2)
    model = KMeans(n, random_state=0).fit(X)
    assert model.inertia_ == 0.0
    assert len(set(model.labels_)) == n


def test_one_cluster_is_the_mean_and_proved(noise):
    model = KMeans(1).fit(noise)
    np.testing.assert_allclose(model.cluster_centers_[0], noise.mean(axis=0), atol=1e-14)
    assert model.certificate_.optimal
    assert "mean" in model.certificate_.verdict


def test_clusters_far_from_the_origin_keep_their_digits(noise):
    near = KMeans(5, init=noise[:5]).fit(noise)
    far = KMeans(5, init=noise[:5] + 1e8).fit(noise + 1e8)
    assert np.array_equal(near.labels_, far.labels_)
    assert far.inertia_ == pytest.approx(near.inertia_, rel=1e-7)


def test_callables_and_given_starts(noise):
    def first(X, k, random_state):
        assert isinstance(random_state, np.random.RandomState)
        return X[:k]

    called = KMeans(3, init=first, n_init=2).fit(noise)
    assert np.array_equal(called.labels_, KMeans(3, init=noise[:3]).fit(noise).labels_)
    with pytest.warns(RuntimeWarning, match="only one init"):
        KMeans(3, init=noise[:3], n_init=2).fit(noise)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 900}, "n_samples=700 should be >= n_clusters=900"),
        ({"n_clusters": 3, "init": np.zeros((2, 12))}, "number of clusters 3"),
        ({"n_clusters": 3, "init": np.zeros((3, 5))}, "number of features of the data 12"),
        ({"n_clusters": 0}, "n_clusters must be"),
        ({"algorithm": "quick"}, "algorithm must be"),
    ],
)
def test_what_cannot_be_is_refused(noise, parameters, message):
    with pytest.raises((InvalidParameterError, InvalidDataError), match=message):
        KMeans(**parameters).fit(noise)


def test_huge_numbers_are_refused_in_words():
    X = np.array([[1e200, 0.0], [-1e200, 1.0], [3.0, 1e200]])
    with pytest.raises(ValueError, match=r"too large|1e308"):
        KMeans(2, init=X[:2]).fit(X)
    with pytest.raises(ValueError, match=r"too large|1e308"):
        KMeans(2, random_state=0).fit(X)


def test_functions_agree_with_scikit_learn(noise):
    ours = k_means(noise, 4, random_state=1, return_n_iter=True)
    theirs = sklearn.cluster.k_means(noise, 4, random_state=1, return_n_iter=True)
    assert np.array_equal(ours[1], theirs[1])
    assert ours[3] == theirs[3]
    weights = np.random.default_rng(0).random(len(noise))
    for options in ({}, {"sample_weight": weights}, {"n_local_trials": 1}):
        centers, chosen = kmeans_plusplus(noise, 9, random_state=4, **options)
        expected = sklearn.cluster.kmeans_plusplus(noise, 9, random_state=4, **options)
        assert np.array_equal(chosen, expected[1])
        assert np.array_equal(centers, noise[chosen])
    spread = kmeans_plusplus(sparse.csr_array(noise), 9, random_state=4)
    assert np.array_equal(spread[1], kmeans_plusplus(noise, 9, random_state=4)[1])


def test_restarts_keep_the_best(blobs):
    X, _ = blobs
    several = KMeans(5, n_init=8, init="random", random_state=0).fit(X)
    draws = np.random.RandomState(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        single = [KMeans(5, n_init=1, init="random", random_state=draws).fit(X) for _ in range(8)]
    assert several.inertia_ == min(each.inertia_ for each in single)
