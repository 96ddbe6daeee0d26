"""MiniBatchKMeans and BisectingKMeans against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.cluster
from scipy import sparse
from threadpoolctl import threadpool_limits

from stylobate.cluster import BisectingKMeans, KMeans, MiniBatchKMeans


def pair(name, X, weights=None, **parameters):
    ours = {"MiniBatchKMeans": MiniBatchKMeans, "BisectingKMeans": BisectingKMeans}[name]
    with threadpool_limits(1):
        theirs = getattr(sklearn.cluster, name)(**parameters).fit(X, sample_weight=weights)
    return ours(**parameters).fit(X, sample_weight=weights), theirs


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"init": "random", "n_init": 3},
        {"batch_size": 50, "tol": 1e-3},
        {"batch_size": 40, "n_clusters": 20, "reassignment_ratio": 0.3, "max_iter": 3},
        {"max_no_improvement": None, "max_iter": 2},
    ],
)
def test_the_same_seed_takes_scikit_learns_steps(blobs, parameters):
    X, _ = blobs
    given = {"n_clusters": 5, "random_state": 0} | parameters
    ours, theirs = pair("MiniBatchKMeans", X, **given)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, atol=1e-9)
    assert (ours.n_steps_, ours.n_iter_) == (theirs.n_steps_, theirs.n_iter_)
    assert np.array_equal(ours.labels_, theirs.labels_)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-10)


def test_weights_sparse_rows_and_no_labels(blobs):
    X, _ = blobs
    weights = np.random.default_rng(0).random(len(X))
    ours, theirs = pair("MiniBatchKMeans", X, weights, n_clusters=4, random_state=1)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, atol=1e-9)
    spread = MiniBatchKMeans(4, random_state=1).fit(sparse.csr_array(X), sample_weight=weights)
    np.testing.assert_allclose(ours.cluster_centers_, spread.cluster_centers_, atol=1e-9)
    given = {"n_clusters": 4, "random_state": 1, "compute_labels": False}
    ours, theirs = pair("MiniBatchKMeans", X, **given)
    assert not hasattr(ours, "labels_")
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-9)


def test_batches_one_by_one_agree_with_scikit_learn(blobs):
    X, _ = blobs
    ours = MiniBatchKMeans(5, random_state=0)
    theirs = sklearn.cluster.MiniBatchKMeans(5, random_state=0)
    for part in np.array_split(X, 7):
        ours.partial_fit(part)
        with threadpool_limits(1):
            theirs.partial_fit(part)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, atol=1e-9)
    assert ours.n_steps_ == 7
    whole = KMeans(5, init=ours.cluster_centers_).fit(X)
    assert -ours.score(X) < 1.5 * whole.inertia_


@pytest.mark.parametrize("strategy", ["biggest_inertia", "largest_cluster"])
@pytest.mark.parametrize("init", ["random", "k-means++"])
def test_bisections_agree_with_scikit_learn(blobs, strategy, init):
    X, _ = blobs
    given = {"n_clusters": 6, "random_state": 2, "bisecting_strategy": strategy, "init": init}
    ours, theirs = pair("BisectingKMeans", X, **given)
    assert np.array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, atol=1e-9)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-10)
    other = np.random.default_rng(0).uniform(-9, 9, (200, 3))
    assert np.array_equal(ours.predict(other), theirs.predict(other))
    assert np.array_equal(ours.predict(X), ours.labels_)


def test_bisections_of_duplicates_and_sparse_rows(blobs):
    X, _ = blobs
    dense = BisectingKMeans(5, random_state=0).fit(X)
    spread = BisectingKMeans(5, random_state=0).fit(sparse.csr_array(X))
    assert np.array_equal(dense.labels_, spread.labels_)
    same = BisectingKMeans(3, random_state=0).fit(np.ones((5, 2)))
    assert same.inertia_ == 0.0
    assert set(same.predict(np.ones((4, 2)))) <= {0, 1, 2}
    assert BisectingKMeans(1).fit(X).inertia_ == pytest.approx(KMeans(1).fit(X).inertia_)
