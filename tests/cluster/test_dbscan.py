"""DBSCAN: scikit-learn's labels to the last row, by every way to the neighbours."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
import sklearn.cluster
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist

from stylobate.cluster import DBSCAN, dbscan
from stylobate.exceptions import StylobateError
from stylobate.parallel import threads

METRICS = ["euclidean", "manhattan", "chebyshev", "canberra", "cosine", "braycurtis"]


def same(ours: Any, theirs: Any) -> None:
    assert np.array_equal(ours.labels_, theirs.labels_)
    assert np.array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 200),
    columns=st.integers(1, 5),
    eps=st.sampled_from([0.05, 0.2, 0.5, 1.5]),
    min_samples=st.integers(1, 8),
    grid=st.booleans(),
    weighted=st.booleans(),
)
def test_labels_are_those_of_scikit_learn(
    seed: int, n: int, columns: int, eps: float, min_samples: int, grid: bool, weighted: bool
) -> None:
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n, columns))
    X = np.round(X, 1) + 0.01 if grid else X
    weights = None
    if weighted:
        weights = generator.integers(-1, 4, n).astype(float)
        weights[0] = 1.0
    metric = METRICS[seed % 3]
    settings_ = {"eps": eps * (1 + 1e-9), "min_samples": min_samples, "metric": metric}
    theirs = sklearn.cluster.DBSCAN(**settings_).fit(X, sample_weight=weights)
    for algorithm in ("auto", "brute", "ball_tree"):
        ours = DBSCAN(**settings_, algorithm=algorithm).fit(X, sample_weight=weights)
        same(ours, theirs)


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_and_container(metric: str) -> None:
    X = np.abs(np.random.default_rng(3).normal(size=(300, 3)))
    settings_ = {"eps": {"manhattan": 0.3, "canberra": 0.3, "cosine": 0.001}.get(metric, 0.12)}
    settings_ |= {"min_samples": 4}
    theirs = sklearn.cluster.DBSCAN(**settings_, metric=metric).fit(X)
    assert theirs.labels_.max() >= 1
    same(DBSCAN(**settings_, metric=metric).fit(X), theirs)
    if metric in ("euclidean", "manhattan", "cosine"):
        same(DBSCAN(**settings_, metric=metric).fit(sparse.csr_array(X)), theirs)
    distances = cdist(X, X, {"manhattan": "cityblock"}.get(metric, metric))
    same(DBSCAN(**settings_, metric="precomputed").fit(distances), theirs)
    graph = sparse.csr_array(np.where(distances <= 0.5, distances, 0.0))
    same(DBSCAN(**settings_, metric="precomputed").fit(graph), theirs)


def test_haversine_by_balls() -> None:
    X = np.random.default_rng(5).uniform(-1.0, 1.0, (600, 2))
    settings_ = {"eps": 0.05, "min_samples": 3, "metric": "haversine"}
    same(DBSCAN(**settings_).fit(X), sklearn.cluster.DBSCAN(**settings_).fit(X))


def test_a_function_is_a_metric() -> None:
    X = np.random.default_rng(6).normal(size=(60, 2))

    def taxi(a: Any, b: Any) -> float:
        return float(np.abs(a - b).sum())

    settings_ = {"eps": 0.6, "min_samples": 3}
    same(
        DBSCAN(**settings_, metric=taxi).fit(X),
        sklearn.cluster.DBSCAN(**settings_, metric="manhattan").fit(X),
    )


def test_distances_that_differ_both_ways() -> None:
    generator = np.random.default_rng(7)
    for _ in range(20):
        distances = generator.uniform(0, 1, (40, 40))
        np.fill_diagonal(distances, 0.0)
        settings_ = {"eps": 0.04, "min_samples": 2, "metric": "precomputed"}
        same(DBSCAN(**settings_).fit(distances), sklearn.cluster.DBSCAN(**settings_).fit(distances))
        graph = sparse.csr_array(np.where(distances <= 0.1, distances, 0.0))
        same(DBSCAN(**settings_).fit(graph), sklearn.cluster.DBSCAN(**settings_).fit(graph))


def test_same_bits_for_any_number_of_threads() -> None:
    generator = np.random.default_rng(8)
    X = generator.normal(size=(6000, 3)) * generator.uniform(0.2, 2.0, (6000, 1))
    weights = generator.uniform(0.5, 1.5, 6000)
    for settings_ in ({}, {"algorithm": "brute"}, {"algorithm": "ball_tree"}):
        found = []
        for count in (1, 2, 7):
            with threads(count):
                model = DBSCAN(0.12, min_samples=6, **settings_).fit(X, sample_weight=weights)
            found.append(model.labels_)
        assert found[0].max() > 3
        assert np.array_equal(found[0], found[1])
        assert np.array_equal(found[0], found[2])


def test_neighbours_are_not_stored() -> None:
    """All rows see each other: lists of them would be 200 MB and more."""
    X = np.random.default_rng(9).normal(size=(5000, 2))
    tracemalloc.start()
    labels = DBSCAN(eps=100.0).fit(X).labels_
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (labels == 0).all()
    assert peak < 5e6


def test_odd_rows_have_an_answer() -> None:
    equal = DBSCAN(eps=0.1, min_samples=3).fit(np.ones((50, 2)))
    assert (equal.labels_ == 0).all()
    assert len(equal.core_sample_indices_) == 50
    alone = DBSCAN(min_samples=2).fit([[1.0]])
    assert alone.labels_.tolist() == [-1]
    assert alone.components_.shape == (0, 1)
    huge = DBSCAN(eps=1.0, min_samples=1).fit([[1e200], [-1e200], [1e200]])
    assert huge.labels_.tolist() == [0, 1, 0]
    nothing = DBSCAN(eps=1e-6, min_samples=2).fit(np.arange(9.0)[:, None])
    assert (nothing.labels_ == -1).all()


@pytest.mark.parametrize(
    ("X", "settings_"),
    [
        ([[np.nan]], {}),
        ([[np.inf]], {}),
        ([[0.0, -1.0], [1.0, 0.0]], {"metric": "precomputed"}),
        ([[0.0, 1.0]], {"metric": "precomputed"}),
        ([[0.0]], {"eps": 0.0}),
        ([[0.0]], {"min_samples": 0}),
    ],
)
def test_what_is_refused(X: Any, settings_: dict[str, Any]) -> None:
    with pytest.raises(StylobateError):
        DBSCAN(**settings_).fit(X)


def test_the_function() -> None:
    X = np.random.default_rng(10).normal(size=(200, 2))
    core, labels = dbscan(X, 0.3, min_samples=4)
    theirs = sklearn.cluster.dbscan(X, 0.3, min_samples=4)
    assert np.array_equal(core, theirs[0])
    assert np.array_equal(labels, theirs[1])
