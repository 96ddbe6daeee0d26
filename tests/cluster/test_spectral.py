"""Spectral clustering against dense eigenvalues, brute force and scikit-learn."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.cluster import SpectralClustering as Peer
from sklearn.datasets import make_blobs, make_moons
from sklearn.manifold import spectral_embedding as peer_embedding
from sklearn.metrics.pairwise import rbf_kernel

from stylobate.cluster import (
    SpectralClustering,
    cut_values,
    eigengap,
    spectral_clustering,
    spectral_embedding,
)
from stylobate.cluster.spectral import eigenpairs
from stylobate.cluster.spectral.graph import graph_of
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics import adjusted_rand_score
from stylobate.neighbors import kneighbors_graph

# The bipartition of the notes: two triangles joined by one edge.
TRIANGLES = np.array(
    [
        [0, 1, 1, 0, 0, 0],
        [1, 0, 1, 0, 0, 0],
        [1, 1, 0, 1, 0, 0],
        [0, 0, 1, 0, 1, 1],
        [0, 0, 0, 1, 0, 1],
        [0, 0, 0, 1, 1, 0],
    ],
    dtype=float,
)


def graph_weights(n: int = 420, p: int = 4, seed: int = 0) -> Any:
    X, _ = make_blobs(n, p, centers=4, cluster_std=5.0, random_state=seed)
    A = kneighbors_graph(X, 8, include_self=True)
    return csr_array(0.5 * (A + A.T))


def dense_laplacian(W: Any, normed: bool) -> Any:
    W = np.array(W.toarray() if hasattr(W, "toarray") else W, dtype=float)
    np.fill_diagonal(W, 0.0)
    d = W.sum(axis=1)
    if not normed:
        return np.diag(d) - W
    s = 1.0 / np.sqrt(np.where(d > 0, d, 1.0))
    return np.diag((d > 0).astype(float)) - s[:, None] * W * s


def test_two_triangles_are_divided_at_the_edge_between_them() -> None:
    """x'Lx = ½ Σ w (x - x')², its minimum over balanced x of length 1 is the second eigenvalue."""
    fiedler = spectral_embedding(TRIANGLES, n_components=1, norm_laplacian=False).ravel()
    assert set(np.sign(fiedler[:3])) != set(np.sign(fiedler[3:]))
    assert fiedler.sum() == pytest.approx(0.0, abs=1e-12)
    assert fiedler @ fiedler == pytest.approx(1.0)
    L = dense_laplacian(TRIANGLES, False)
    quotient = 0.5 * (TRIANGLES * (fiedler[:, None] - fiedler) ** 2).sum()
    assert quotient == pytest.approx(fiedler @ L @ fiedler)
    assert quotient == pytest.approx(np.linalg.eigvalsh(L)[1])
    cuts = cut_values(TRIANGLES, fiedler > 0)
    assert (cuts.cut, cuts.ratio_cut) == (1.0, pytest.approx(2 / 3))
    assert cuts.normalized_cut == pytest.approx(2 / 7)
    best = min(
        cut_values(TRIANGLES, labels).normalized_cut
        for labels in itertools.product([0, 1], repeat=6)
        if 0 < sum(labels) < 6
    )
    assert cuts.normalized_cut == pytest.approx(best)


@pytest.mark.parametrize("laplacian", ["random_walk", "symmetric", "unnormalized"])
@pytest.mark.parametrize("assign_labels", ["kmeans", "discretize", "cluster_qr"])
def test_bipartition_by_every_laplacian(laplacian: str, assign_labels: str) -> None:
    model = SpectralClustering(
        2,
        affinity="precomputed",
        laplacian=laplacian,
        assign_labels=assign_labels,
        random_state=0,
    ).fit(TRIANGLES)
    assert adjusted_rand_score([0, 0, 0, 1, 1, 1], model.labels_) == 1.0
    assert model.cut_values_.cut == 1.0
    proof = model.certificate_
    assert proof.proved
    assert proof.residuals.max() < 1e-13
    assert proof.dual <= proof.primal
    values = np.linalg.eigvalsh(dense_laplacian(TRIANGLES, laplacian != "unnormalized"))
    assert proof.dual == pytest.approx(values[:2].sum(), abs=1e-12)
    assert model.eigengap_.value == pytest.approx(values[2] - values[1])


@pytest.mark.parametrize("seed", range(6))
def test_lower_bound_holds_for_every_division(seed: int) -> None:
    rng = np.random.default_rng(seed)
    W = rng.random((7, 7)) * (rng.random((7, 7)) < 0.6)
    W = W + W.T
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k, laplacian in ((2, "symmetric"), (3, "unnormalized")):
            model = SpectralClustering(
                k, affinity="precomputed", laplacian=laplacian, random_state=0
            ).fit(W)
            for labels in itertools.product(range(k), repeat=7):
                if len(set(labels)) < k:
                    continue
                cuts = cut_values(W, labels)
                value = cuts.ratio_cut if laplacian == "unnormalized" else cuts.normalized_cut
                assert value >= model.certificate_.dual - 1e-12


@pytest.mark.parametrize("normed", [True, False])
@pytest.mark.parametrize("way", ["lanczos", "inverse", "dense"])
def test_eigenpairs_by_every_solver(
    normed: bool, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    W = graph_weights()
    if way == "inverse":
        monkeypatch.setattr(eigenpairs, "_LONG", 0)
    if way == "dense":
        monkeypatch.setattr(eigenpairs, "_DENSE", 10**6)
    graph = graph_of(W)
    found = eigenpairs.smallest_eigenpairs(graph, 6, normed=normed)
    want = np.linalg.eigvalsh(dense_laplacian(W, normed))
    np.testing.assert_allclose(found.values, want[:6], atol=1e-8 * want[-1])
    assert found.residuals.max() < 1e-7 * want[-1]
    np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(6), atol=1e-8)
    left = dense_laplacian(W, normed) @ found.vectors - found.vectors * found.values
    np.testing.assert_allclose(np.linalg.norm(left, axis=0), found.residuals, atol=1e-10)


@pytest.mark.parametrize("way", ["lanczos", "inverse"])
def test_equal_eigenvalues_are_all_found(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eigenpairs, "_LONG", 0 if way == "inverse" else 10**6)
    ring = np.zeros((450, 450))
    for step in range(1, 40):  # a circle: all but the first come in pairs
        ring += np.eye(450, k=step) + np.eye(450, k=450 - step)
    ring = csr_array(ring + ring.T)
    found = eigenpairs.smallest_eigenpairs(graph_of(ring), 6)
    want = np.linalg.eigvalsh(dense_laplacian(ring, True))
    np.testing.assert_allclose(found.values, want[:6], atol=1e-9)
    assert found.following == pytest.approx(want[6], abs=1e-3)
    three = csr_array(np.kron(np.eye(3), ring.toarray()[:150, :150]))  # three components alike
    found = eigenpairs.smallest_eigenpairs(graph_of(three), 9)
    want = np.linalg.eigvalsh(dense_laplacian(three, True))
    np.testing.assert_allclose(found.values, want[:9], atol=1e-9)


@pytest.mark.parametrize("normed", [True, False])
def test_embedding_is_that_of_scikit_learn(normed: bool) -> None:
    W = graph_weights(300)
    got = spectral_embedding(W, n_components=3, norm_laplacian=normed)
    want = peer_embedding(W, n_components=3, norm_laplacian=normed, random_state=0)
    np.testing.assert_allclose(np.abs(got), np.abs(want), atol=1e-6)
    whole = spectral_embedding(W, n_components=3, norm_laplacian=normed, drop_first=False)
    assert np.ptp(whole[:, 0]) < 1e-12


@pytest.mark.parametrize("assign_labels", ["kmeans", "discretize", "cluster_qr"])
def test_cuts_are_as_small_as_those_of_scikit_learn(assign_labels: str) -> None:
    X, _ = make_blobs(400, 3, centers=4, cluster_std=2.0, random_state=1)
    options = {"assign_labels": assign_labels, "random_state": 0, "affinity": "nearest_neighbors"}
    ours, theirs = SpectralClustering(4, **options).fit(X), Peer(4, **options).fit(X)
    np.testing.assert_allclose(ours.affinity_matrix_.toarray(), theirs.affinity_matrix_.toarray())
    cut = cut_values(ours.affinity_matrix_, theirs.labels_).normalized_cut
    assert ours.cut_values_.normalized_cut <= 1.02 * cut


def test_components_are_the_clusters() -> None:
    W = np.kron(np.eye(3), np.ones((4, 4)))
    with pytest.warns(UserWarning, match="not fully connected"):
        model = SpectralClustering(3, affinity="precomputed").fit(W)
    assert adjusted_rand_score(np.repeat([0, 1, 2], 4), model.labels_) == 1.0
    assert "one for each cluster" in model.solver_reason_
    assert model.certificate_.optimal
    with pytest.warns(UserWarning, match="3 components"):
        model = SpectralClustering(2, affinity="precomputed").fit(W)
    assert model.cut_values_.cut == 0.0
    assert "no edge is cut" in model.solver_reason_
    with pytest.warns(UserWarning, match="not fully connected"):
        model = SpectralClustering(4, affinity="precomputed", random_state=0).fit(W)
    assert len(set(model.labels_)) == 4
    assert all(len({*model.labels_[i : i + 4]} - {*model.labels_[:i]}) > 0 for i in (0, 4, 8))


def test_isolated_rows_and_disconnected_embeddings() -> None:
    W = np.zeros((5, 5))
    W[0, 1] = W[1, 0] = W[2, 3] = W[3, 2] = 1.0
    with pytest.warns(UserWarning, match="3 components"):
        maps = spectral_embedding(W, n_components=3, drop_first=False)
    assert np.ptp(maps[:, 0]) < 1e-12
    assert np.isfinite(maps).all()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        labels = spectral_clustering(np.zeros((4, 4)), n_clusters=2)
    assert len(set(labels)) == 2


@pytest.mark.parametrize(
    "options",
    [
        {"affinity": "nearest_neighbors"},
        {"affinity": "gaussian_neighbors", "gamma": 30.0},
        {"affinity": "epsilon_neighbors", "radius": 0.2},
        {"affinity": "self_tuning", "n_neighbors": 3},
        {"affinity": "rbf", "gamma": 60.0},
        {"affinity": lambda a, b: np.exp(-60.0 * ((a - b) ** 2).sum())},
    ],
)
def test_graphs_follow_the_moons(options: dict[str, Any]) -> None:
    X, y = make_moons(150, noise=0.05, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = SpectralClustering(2, random_state=0, **options).fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1.0


def test_weights_of_the_graphs() -> None:
    X = np.array([[0.0], [1.0], [3.0], [3.5]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = lambda **options: SpectralClustering(2, random_state=0, **options).fit(X)  # noqa: E731
        near = fit(affinity="gaussian_neighbors", n_neighbors=1, gamma=0.5).affinity_matrix_
        ball = fit(affinity="epsilon_neighbors", radius=1.0).affinity_matrix_
    want = np.zeros((4, 4))
    for i, j in ((0, 1), (2, 3)):
        want[i, j] = want[j, i] = np.exp(-0.5 * (X[i, 0] - X[j, 0]) ** 2)
    np.testing.assert_allclose(near.toarray(), want)
    np.testing.assert_array_equal(ball.toarray(), np.abs(X - X.T) <= 1.0)
    tuned = SpectralClustering(2, affinity="self_tuning", n_neighbors=1).fit(X).affinity_matrix_
    scales = np.array([1.0, 1.0, 0.5, 0.5])
    np.testing.assert_allclose(tuned, np.exp(-((X - X.T) ** 2) / np.outer(scales, scales)))


def test_eigengap_counts_the_clusters() -> None:
    X, _ = make_blobs(200, 2, centers=[[0, 0], [6, 0], [0, 6]], random_state=0)
    found = eigengap(rbf_kernel(X, gamma=0.5), 8)
    assert found.suggested == 3
    assert found.sentence.endswith("3 clusters.")
    assert found.plot().get_xlabel() == "number of the eigenvalue"
    asked = SpectralClustering(2, gamma=0.5, random_state=0).fit(X).eigengap_
    assert len(asked.eigenvalues) == 3


def test_refusals() -> None:
    X = np.random.default_rng(0).normal(size=(6, 2))
    with pytest.raises(InvalidParameterError, match="radius"):
        SpectralClustering(2, affinity="epsilon_neighbors").fit(X)
    with pytest.raises(InvalidDataError, match="n_clusters=9"):
        SpectralClustering(9).fit(X)
    with pytest.raises(InvalidDataError, match="square"):
        SpectralClustering(2, affinity="precomputed").fit(X)
    with pytest.raises(InvalidDataError, match="less than 0"):
        spectral_clustering(-np.ones((4, 4)), n_clusters=2)
    with pytest.raises(InvalidDataError, match="NaN"):
        SpectralClustering(2).fit(np.where(X > 1, np.nan, X))
    with pytest.raises(InvalidDataError, match="labels for 6 vertices"):
        cut_values(TRIANGLES, [0, 1])
    with pytest.warns(UserWarning, match="not symmetric"):
        spectral_embedding(np.triu(np.ones((5, 5))), n_components=1)


def test_answers_do_not_depend_on_chance_but_in_kmeans() -> None:
    W = graph_weights(500)
    first, second = (
        SpectralClustering(4, affinity="precomputed", assign_labels="cluster_qr").fit(W)
        for _ in range(2)
    )
    np.testing.assert_array_equal(first.embedding_, second.embedding_)
    np.testing.assert_array_equal(first.labels_, second.labels_)
