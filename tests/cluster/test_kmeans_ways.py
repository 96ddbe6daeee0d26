"""All ways of k-means give the same bits, with any number of threads, from memory and streams."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from stylobate.cluster import KMeans, kmeans
from stylobate.data.streams import Batch, Stream
from stylobate.parallel import threads

WAYS = ("full", "hamerly", "yinyang", "elkan", "lloyd", "auto")


def same(first, second):
    return (
        np.array_equal(first.labels_, second.labels_)
        and np.array_equal(first.cluster_centers_, second.cluster_centers_)
        and first.inertia_ == second.inertia_
        and first.n_iter_ == second.n_iter_
    )


def problems():
    rng = np.random.default_rng(8)
    noise = rng.standard_normal((4000, 9))
    centres = rng.standard_normal((60, 12))
    blobs = centres[rng.integers(0, 60, 3500)] + 0.3 * rng.standard_normal((3500, 12))
    lattice = rng.integers(0, 4, (3300, 4)).astype(float)  # rows at equal distances of centres
    return {
        "noise": (noise, 7),
        "blobs": (blobs, 60),
        "lattice": (lattice, 12),
        "far": (noise[:, :3] + 1e6, 30),  # single precision tells little of these
        "tiny": (noise * 1e-25, 7),
        "one column": (noise[:, :1], 5),
    }


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", problems())
def test_every_way_gives_the_same_bits(name, dtype):
    X, k = problems()[name]
    X = X.astype(dtype)
    weights = np.random.default_rng(1).integers(0, 3, len(X)).astype(float)
    for w in (None, weights):
        expected = KMeans(k, init=X[:k], algorithm="full", tol=0.0).fit(X, sample_weight=w)
        for way in WAYS[1:]:
            found = KMeans(k, init=X[:k], algorithm=way, tol=0.0).fit(X, sample_weight=w)
            assert same(expected, found), way


def test_the_number_of_threads_leaves_no_trace():
    X, k = problems()["blobs"]
    found = []
    for count in (1, 2, 7):
        with threads(count):
            found += [KMeans(k, random_state=0, algorithm=way).fit(X) for way in WAYS]
    assert all(same(found[0], each) for each in found)


def test_bounds_spare_most_distances():
    from stylobate import _core

    X, k = problems()["blobs"]
    start = np.ascontiguousarray(X[:k])
    spent = {way: _core.lloyd(X, start, None, 50, 0.0, way)[6] for way in WAYS[:4]}
    assert spent["elkan"] < spent["yinyang"] < spent["hamerly"] < spent["full"]


def test_labels_of_any_layout():
    X, k = problems()["noise"]
    expected = KMeans(k, init=X[:k]).fit(X)
    for other in (np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2], X[:, ::-1][:, ::-1]):
        assert same(expected, KMeans(k, init=X[:k]).fit(other))


def test_the_way_is_told():
    X, k = problems()["noise"]
    model = KMeans(k, init=X[:k]).fit(X)
    assert model.solver_ == "hamerly"
    assert "bound" in model.solver_reason_
    with pytest.warns(RuntimeWarning, match="single cluster"):
        assert KMeans(1, algorithm="elkan").fit(X).solver_ == "full"


@pytest.mark.parametrize("init", ["k-means++", "random"])
def test_streams_start_where_memory_does(init, monkeypatch):
    """Also where starts are drawn from a sample of the rows."""
    monkeypatch.setattr(kmeans, "START_ROWS", 100)
    X = problems()["noise"][0][:700]
    cuts = [0, 1, 300, 420, 700]
    parts = [Batch(X[a:b]) for a, b in pairwise(cuts)]
    memory = KMeans(3, init=init, random_state=0, n_init=2).fit(X)
    found = KMeans(3, init=init, random_state=0, n_init=2).fit(Stream(lambda: iter(parts)))
    assert np.array_equal(memory.labels_, found.labels_)
    np.testing.assert_allclose(memory.cluster_centers_, found.cluster_centers_, atol=1e-12)
    assert found.inertia_ == pytest.approx(memory.inertia_, rel=1e-12)
    assert found.solver_ == "passes"
    assert found.score(Stream(lambda: iter(parts))) == pytest.approx(-found.inertia_, rel=1e-12)
