"""Metrics beyond scikit-learn's list: the angle, and a second name of Rogers & Tanimoto's."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.neighbors import BallTree as TheirBallTree

from stylobate.metrics import check_metric
from stylobate.metrics.pairwise import cosine_distances, pairwise_distances
from stylobate.neighbors import BallTree, NearestNeighbors

RNG = np.random.default_rng(11)


def test_angles_are_arc_cosines():
    x, y = RNG.normal(size=(20, 5)), RNG.normal(size=(15, 5))
    angles = pairwise_distances(x, y, "angular")
    np.testing.assert_allclose(angles, np.arccos(1.0 - cosine_distances(x, y)), rtol=1e-12)
    own = pairwise_distances(x, metric="angular")
    np.testing.assert_array_equal(np.diag(own), 0.0)
    sparse = pairwise_distances(sp.csr_array(x), sp.csr_array(y), "angular")
    np.testing.assert_allclose(sparse, angles, rtol=1e-12)


def test_small_angles_keep_their_digits_and_ends_are_exact():
    small = 1e-9
    x = np.array([[1.0, 0.0], [np.cos(small), np.sin(small)], [-2.0, 0.0], [0.0, 3.0], [0.0, 0.0]])
    angles = pairwise_distances(x[:1], x, "angular")[0]
    np.testing.assert_allclose(angles, [0.0, small, np.pi, np.pi / 2, np.pi / 2], rtol=1e-7)
    assert pairwise_distances(x, metric="angular")[4, 4] == 0.0


def test_angles_obey_the_axioms():
    report = check_metric(
        lambda a, b: float(pairwise_distances(a[None], b[None], "angular")[0, 0]),
        RNG.normal(size=(12, 3)),
    )
    assert report


def test_nearest_by_angle_are_those_by_cosine():
    x, q = RNG.normal(size=(300, 6)), RNG.normal(size=(20, 6))
    by_angle = NearestNeighbors(metric="angular").fit(x).kneighbors(q)[1]
    by_cosine = NearestNeighbors(metric="cosine").fit(x).kneighbors(q)[1]
    np.testing.assert_array_equal(by_angle, by_cosine)
    graph = NearestNeighbors(metric="angular", algorithm="hnsw").fit(x)
    distances, rows = graph.kneighbors(q)
    assert (rows == by_angle).mean() > 0.98
    np.testing.assert_allclose(
        distances, np.take_along_axis(pairwise_distances(q, x, "angular"), rows, 1), rtol=1e-9
    )


@pytest.mark.filterwarnings("ignore:Data was converted to boolean")
@pytest.mark.parametrize("metric", ["sokalmichener", "braycurtis", "jaccard", "dice"])
def test_ball_trees_take_what_scikit_learn_s_take(metric):
    x = (RNG.random((60, 9)) > 0.5).astype(float)
    q = (RNG.random((10, 9)) > 0.5).astype(float)
    theirs, ours = TheirBallTree(x, metric=metric), BallTree(x, metric=metric)
    np.testing.assert_allclose(ours.query(q, k=5)[0], theirs.query(q, k=5)[0], atol=1e-12)
    counts = theirs.query_radius(q, 0.4, count_only=True)
    np.testing.assert_array_equal(ours.query_radius(q, 0.4, count_only=True), counts)
    model = NearestNeighbors(metric=metric, algorithm="ball_tree").fit(x)
    np.testing.assert_allclose(model.kneighbors(q)[0], theirs.query(q, k=5)[0], atol=1e-12)
    assert metric in BallTree.valid_metrics


@pytest.mark.filterwarnings("ignore:Data was converted to boolean")
def test_sokal_michener_is_rogers_tanimoto():
    x = RNG.random((20, 8)) > 0.5
    np.testing.assert_array_equal(
        pairwise_distances(x, metric="sokalmichener"), pairwise_distances(x, metric="rogerstanimoto")
    )
