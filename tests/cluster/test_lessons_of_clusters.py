"""Boundaries, held-out error, pairwise W(C), minimum cuts and graphs of either neighbour."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from stylobate.cluster import (
    KMeans,
    SpectralClustering,
    cluster_boundaries,
    cut_values,
    held_out_curve,
    minimum_cut,
)
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.metrics import pairwise_distances, within_cluster_dissimilarity
from stylobate.model_selection import KFold

RNG = np.random.default_rng(0)
X = np.vstack([RNG.normal(c, 0.7, size=(25, 2)) for c in ((0, 0), (6, 0), (0, 6))])


def test_hyperplanes_divide_rows_as_k_means_does():
    model = KMeans(3, random_state=0, n_init=3).fit(X)
    labels = model.predict(X)
    boundaries = cluster_boundaries(model.cluster_centers_)
    assert [(b.first, b.second) for b in boundaries] == list(combinations(range(3), 2))
    for b in boundaries:
        pair = (labels == b.first) | (labels == b.second)
        second = X[pair] @ b.normal > b.offset
        np.testing.assert_array_equal(second, labels[pair] == b.second)
    with pytest.raises(InvalidDataError, match="shape"):
        cluster_boundaries([1.0, 2.0])


def test_pairwise_dissimilarity_is_the_inertia_of_k_means():
    model = KMeans(3, random_state=0, n_init=3).fit(X)
    assert within_cluster_dissimilarity(X, model.labels_) == pytest.approx(model.inertia_)
    D = pairwise_distances(X, metric="manhattan")
    by_hand = sum(
        D[np.ix_(own, own)].sum() / (2 * len(own))
        for own in (np.flatnonzero(model.labels_ == k) for k in range(3))
    )
    for given in (
        within_cluster_dissimilarity(X, model.labels_, metric="manhattan"),
        within_cluster_dissimilarity(D, model.labels_, metric="precomputed"),
    ):
        assert given == pytest.approx(by_hand)
    with pytest.raises(InvalidDataError, match="labels"):
        within_cluster_dissimilarity(X, [0, 1])


def test_the_error_on_held_out_rows_flattens_at_the_clusters():
    curve = held_out_curve(X, [1, 2, 3, 5], cv=KFold(5, shuffle=True, random_state=1))
    assert curve.elbow == 3
    assert curve.best == 5  # centres tile space: it goes on falling, slowly
    assert held_out_curve(X, [1, 3]).elbow == 3
    assert (np.diff(curve.training) < 0).all()
    assert (curve.held_out > curve.training).all()
    one = [X[test] - X[train].mean(axis=0) for train, test in
           KFold(5, shuffle=True, random_state=1).split(X)]  # fmt: skip
    assert curve.held_out[0] == pytest.approx(np.mean([(r**2).sum(axis=1).mean() for r in one]))
    with pytest.raises(InvalidParameterError, match="n_clusters"):
        held_out_curve(X, [0])


@pytest.mark.parametrize("seed", range(5))
def test_minimum_cuts_by_trying_all(seed):
    random = np.random.default_rng(seed)
    W = random.integers(0, 6, size=(7, 7)) * (random.random((7, 7)) < 0.7)
    W = np.triu(W, 1) + np.triu(W, 1).T
    found = minimum_cut(W)
    best = min(
        sum(W[i, j] for i in range(7) for j in range(7) if side[i] and not side[j])
        for side in product([0, 1], repeat=7)
        if 0 < sum(side) < 7
    )
    assert found.value == best
    assert cut_values(W, found.labels).cut == best
    assert 0 < found.labels.sum() <= 3


def test_minimum_cuts_cut_off_single_vertices_where_normalized_ones_do_not():
    line = np.concatenate([np.arange(6), np.arange(6) + 7.0, [16.0]])[:, None]
    W = np.exp(-0.3 * pairwise_distances(line) ** 2)
    assert minimum_cut(W).labels.sum() == 1
    spectral = SpectralClustering(2, affinity="precomputed", random_state=0).fit_predict(W)
    assert min(np.bincount(spectral)) >= 5
    with pytest.raises(InvalidDataError, match="symmetric"):
        minimum_cut([[0.0, 1.0], [2.0, 0.0]])


def test_graphs_of_either_neighbour():
    model = SpectralClustering(3, affinity="either_neighbors", n_neighbors=6, random_state=0)
    with pytest.warns(StylobateWarning, match="3 components"):
        graph = np.asarray(model.fit(X).affinity_matrix_.todense())
    D = pairwise_distances(X)
    np.fill_diagonal(D, np.inf)
    near = np.zeros_like(D, dtype=bool)
    near[np.arange(len(X))[:, None], np.argsort(D, axis=1)[:, :6]] = True
    np.testing.assert_array_equal(graph, (near | near.T).astype(float))


def test_the_first_eigenvector_may_be_left_out():
    options = {"affinity": "rbf", "gamma": 0.05, "random_state": 0, "laplacian": "unnormalized"}
    kept = SpectralClustering(3, n_components=3, **options).fit(X)
    dropped = SpectralClustering(3, n_components=2, drop_first=True, **options).fit(X)
    assert np.ptp(kept.embedding_[:, 0]) < 1e-6  # v₁ = 1
    np.testing.assert_allclose(
        np.abs(dropped.embedding_), np.abs(kept.embedding_[:, 1:]), atol=1e-6
    )
    np.testing.assert_allclose(dropped.eigenvalues_, kept.eigenvalues_[1:], rtol=1e-6)
