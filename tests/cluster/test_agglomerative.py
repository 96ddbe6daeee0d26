"""Agglomerative, feature and divisive clustering against scikit-learn and their definitions."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
import sklearn.cluster as theirs
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import kneighbors_graph

from stylobate.cluster import (
    AgglomerativeClustering,
    Dendrogram,
    DivisiveClustering,
    FeatureAgglomeration,
    linkage_tree,
    ward_tree,
)
from stylobate.exceptions import InvalidParameterError, StylobateWarning

LINKAGES = ["ward", "complete", "average", "single"]


def assert_same_tree(ours, expected):
    assert np.array_equal(ours.labels_, expected.labels_)
    assert np.array_equal(ours.children_, expected.children_)
    assert ours.n_clusters_ == expected.n_clusters_
    assert ours.n_leaves_ == expected.n_leaves_
    assert ours.n_connected_components_ == expected.n_connected_components_
    if hasattr(expected, "distances_"):
        np.testing.assert_allclose(ours.distances_, expected.distances_, rtol=1e-9)


@settings(max_examples=30, deadline=None)
@given(
    linkage=st.sampled_from(LINKAGES),
    n=st.integers(3, 80),
    share=st.floats(0, 1),
    graph=st.booleans(),
    full=st.sampled_from(["auto", True, False]),
    seed=st.integers(0, 2**32 - 1),
)
def test_labels_and_trees_are_scikit_learns(linkage, n, share, graph, full, seed):
    x = np.random.default_rng(seed).normal(size=(n, 3))
    options = {
        "linkage": linkage,
        "n_clusters": 1 + int(share * (n - 1)),
        "compute_full_tree": full,
        "compute_distances": True,
    }
    if graph:
        options["connectivity"] = kneighbors_graph(x, min(n - 1, 12))
    expected = theirs.AgglomerativeClustering(**options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_same_tree(AgglomerativeClustering(**options).fit(x), expected.fit(x))


@pytest.mark.parametrize("linkage", LINKAGES)
def test_parts_of_a_graph_are_joined_with_a_warning(linkage):
    x = np.r_[np.random.default_rng(0).normal(size=(30, 2)), [[50.0, 50.0], [51.0, 50.0]]]
    graph = kneighbors_graph(x, 1)
    options = {"linkage": linkage, "connectivity": graph, "compute_distances": True}
    with pytest.warns(StylobateWarning, match="connected components"):
        ours = AgglomerativeClustering(**options).fit(x)
    with pytest.warns(UserWarning, match="connected components"):
        expected = theirs.AgglomerativeClustering(**options).fit(x)
    assert_same_tree(ours, expected)


@pytest.mark.parametrize("metric", ["manhattan", "cosine", "precomputed", "function"])
@pytest.mark.parametrize("linkage", LINKAGES[1:])
def test_metrics_are_scikit_learns(linkage, metric):
    from sklearn.metrics import pairwise_distances

    x = np.random.default_rng(1).normal(size=(40, 4))
    data = pairwise_distances(x) if metric == "precomputed" else x
    asked = pairwise_distances if metric == "function" else metric
    options = {"linkage": linkage, "metric": asked, "distance_threshold": 0.9, "n_clusters": None}
    expected = theirs.AgglomerativeClustering(**options).fit(data)
    assert_same_tree(AgglomerativeClustering(**options).fit(data), expected)


def test_trees_are_scikit_learns():
    x = np.random.default_rng(2).normal(size=(25, 2))
    graph = kneighbors_graph(x, 8)
    for one, other in (
        (ward_tree(x, return_distance=True), theirs.ward_tree(x, return_distance=True)),
        (
            ward_tree(x, connectivity=graph, n_clusters=4, return_distance=True),
            theirs.ward_tree(x, connectivity=graph, n_clusters=4, return_distance=True),
        ),
        (
            linkage_tree(x, graph, 3, "average", return_distance=True),
            theirs.linkage_tree(x, graph, 3, "average", return_distance=True),
        ),
    ):
        for a, b in zip(one, other, strict=True):
            if b is None:
                assert a is None
            else:
                np.testing.assert_allclose(a, b)


def test_columns_are_pooled_as_scikit_learn_does():
    x = np.random.default_rng(3).normal(size=(20, 9))
    for options in ({"n_clusters": 3}, {"n_clusters": 4, "pooling_func": np.median}):
        ours = FeatureAgglomeration(**options).fit(x)
        expected = theirs.FeatureAgglomeration(**options).fit(x)
        np.testing.assert_allclose(ours.transform(x), expected.transform(x))
        pooled = expected.transform(x)
        np.testing.assert_allclose(
            ours.inverse_transform(pooled), expected.inverse_transform(pooled)
        )
        assert list(ours.get_feature_names_out()) == list(expected.get_feature_names_out())


def test_refusals():
    x = [[0.0], [1.0], [2.0]]
    with pytest.raises(InvalidParameterError, match="Exactly one"):
        AgglomerativeClustering(n_clusters=2, distance_threshold=1.0).fit(x)
    with pytest.raises(InvalidParameterError, match="Ward can only"):
        AgglomerativeClustering(metric="manhattan").fit(x)
    with pytest.raises(InvalidParameterError, match="more clusters than samples"):
        AgglomerativeClustering(n_clusters=5).fit(x)
    with pytest.raises(InvalidParameterError, match="compute_full_tree"):
        AgglomerativeClustering(None, distance_threshold=1.0, compute_full_tree=False).fit(x)


def brute_split(distances, rows):
    """DIANA's split by its definition: means written out."""
    rest, party = list(rows), []
    while len(rest) > 1:
        gains = []
        for i in rest:
            others = [j for j in rest if j != i]
            away = np.mean([distances[i, j] for j in party]) if party else 0.0
            gains.append(np.mean([distances[i, j] for j in others]) - away)
        if party and max(gains) <= 0:
            break
        party.append(rest.pop(int(np.argmax(gains))))
    return set(rest), set(party)


@pytest.mark.parametrize("seed", range(5))
def test_splits_follow_dianas_definition(seed):
    x = np.random.default_rng(seed).normal(size=(14, 2))
    distances = np.linalg.norm(x[:, None] - x[None], axis=2)
    model = DivisiveClustering(n_clusters=3).fit(x)
    tree = Dendrogram(model.linkage_matrix_)
    n = len(x)
    for k, (a, b, height, _) in enumerate(model.linkage_matrix_):
        rows = tree.members(n + k)
        assert height == pytest.approx(distances[np.ix_(rows, rows)].max())
        parts = {frozenset(tree.members(int(a))), frozenset(tree.members(int(b)))}
        assert parts == set(map(frozenset, brute_split(distances, rows)))
    assert tree.is_monotone
    assert model.n_clusters_ == 3
    by_height = DivisiveClustering(None, distance_threshold=2.0).fit(x)
    for label in range(by_height.n_clusters_):
        rows = np.flatnonzero(by_height.labels_ == label)
        assert distances[np.ix_(rows, rows)].max() < 2.0
    for one, other in itertools.combinations(range(n), 2):
        together = by_height.labels_[one] == by_height.labels_[other]
        assert not together or distances[one, other] < 2.0
