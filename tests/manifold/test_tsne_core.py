"""t-SNE's parts against formulas written out: affinities, gradients, three ways of repulsion."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stylobate import _core
from stylobate.manifold.tsne.affinities import conditional_affinities, joint_affinities
from stylobate.neighbors import NearestNeighbors


def dense(edges, n):
    from scipy.sparse import csr_array

    return csr_array((edges.values, edges.columns, edges.offsets), shape=(n, n)).toarray()


def affinities_of(x, k, *perplexities):
    distances, rows = NearestNeighbors(n_neighbors=k).fit(x).kneighbors()
    conditional = conditional_affinities(distances, np.array(perplexities), "perplexity")
    return conditional, joint_affinities(rows, conditional)


def divergence(p, y, dof):
    squares = ((y[:, None] - y[None]) ** 2).sum(axis=-1)
    w = (1.0 + squares / dof) ** (-0.5 * (dof + 1.0))
    np.fill_diagonal(w, 0.0)
    q, some = w / w.sum(), p > 0
    return float((p[some] * np.log(p[some] / q[some])).sum())


def forces(y, dof):
    difference = y[:, None] - y[None]
    base = 1.0 + (difference**2).sum(axis=-1) / dof
    z = (base ** (-0.5 * (dof + 1.0))).sum() - len(y)
    return (difference * (base ** (-0.5 * (dof + 3.0)))[..., None]).sum(axis=1), z


def crowd(n, d, spread, seed=0):
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-spread, spread, (7, d))
    points = centres[rng.integers(7, size=n)] + 0.1 * spread * rng.standard_normal((n, d))
    return points.astype(np.float32)


@given(st.integers(0, 1000), st.floats(1.5, 25.0), st.sampled_from([1e-6, 1.0, 1e7]))
@settings(max_examples=25, deadline=None)
def test_rows_have_the_perplexity_asked_for(seed, perplexity, unit):
    x = np.random.default_rng(seed).standard_normal((60, 4)) * unit
    p, _ = affinities_of(x, 40, perplexity)
    entropy = -(p * np.log(np.where(p > 0, p, 1.0))).sum(axis=1)
    np.testing.assert_allclose(np.exp(entropy), perplexity, rtol=1e-8)
    np.testing.assert_allclose(p.sum(axis=1), 1.0, rtol=1e-12)


def test_joint_affinities_are_those_of_scikit_learn():
    sklearn = pytest.importorskip("sklearn.manifold._t_sne")
    x = np.random.default_rng(0).standard_normal((80, 5))
    ours = dense(affinities_of(x, 31, 10.0)[1], 80)
    graph = NearestNeighbors(n_neighbors=31).fit(x).kneighbors_graph(mode="distance")
    graph.data **= 2
    theirs = sklearn._joint_probabilities_nn(graph, 10.0, 0).toarray()
    np.testing.assert_allclose(ours, theirs, rtol=2e-4, atol=1e-8)
    np.testing.assert_allclose(ours.sum(), 1.0, rtol=1e-6)


def test_several_perplexities_are_averaged():
    x = np.random.default_rng(0).standard_normal((50, 3))
    both, _ = affinities_of(x, 40, 5.0, 15.0)
    one, _ = affinities_of(x, 40, 5.0)
    other, _ = affinities_of(x, 40, 15.0)
    np.testing.assert_allclose(both, 0.5 * (one + other), rtol=1e-12)


def test_equal_rows_share_their_affinity():
    p = conditional_affinities(np.zeros((4, 10)), np.array([3.0]), "perplexity")
    np.testing.assert_allclose(p, 0.1)


@pytest.mark.parametrize("dof", [1.0, 2.0, 0.6])
@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_the_gradient_is_that_of_the_divergence(d, dof):
    x = np.random.default_rng(0).standard_normal((30, 5))
    edges = affinities_of(x, 12, 4.0)[1]
    y = crowd(30, d, 2.0)
    descent = _core.TsneDescent(edges.offsets, edges.columns, edges.values, y, dof, "exact", 0.0)
    p, wide = dense(edges, 30).astype(float), y.astype(float)
    assert descent.divergence() == pytest.approx(divergence(p, wide, dof), rel=1e-5)
    found, step = descent.gradient(), 1e-5
    for i, c in [(0, 0), (7, d - 1), (29, 0)]:
        up, down = wide.copy(), wide.copy()
        up[i, c] += step
        down[i, c] -= step
        slope = (divergence(p, up, dof) - divergence(p, down, dof)) / (2 * step)
        assert found[i, c] == pytest.approx(slope, rel=1e-3, abs=2e-7)


@pytest.mark.parametrize(
    ("method", "d", "spread", "error"),
    [
        ("exact", 2, 20.0, 1e-5),
        ("exact", 5, 20.0, 1e-5),
        ("barnes_hut", 1, 20.0, 0.03),
        ("barnes_hut", 2, 20.0, 0.03),
        ("barnes_hut", 3, 20.0, 0.03),
        ("fft", 1, 30.0, 0.05),
        ("fft", 2, 30.0, 0.03),
        ("fft", 2, 0.3, 1e-4),
        ("fft", 2, 1e-4, 1e-4),
        ("fft", 2, 1e-12, 1e-4),
    ],
)
def test_repulsion_is_the_sum_over_pairs(method, d, spread, error):
    y = crowd(600, d, spread)
    found, z = _core.tsne_repulsion(y, 1.0, method, 0.5)
    expected, total = forces(y.astype(float), 1.0)
    assert np.linalg.norm(found - expected) <= error * np.linalg.norm(expected)
    assert z == pytest.approx(total, rel=max(error / 4, 1e-5))


def test_heavier_and_lighter_tails():
    y = crowd(500, 2, 20.0)
    for dof, error in [(0.5, 0.03), (3.0, 0.01)]:
        expected, _ = forces(y.astype(float), dof)
        for method in ("exact", "fft", "barnes_hut"):
            found, _ = _core.tsne_repulsion(y, dof, method, 0.3)
            assert np.linalg.norm(found - expected) <= error * np.linalg.norm(expected)


def test_the_core_refuses_what_does_not_fit():
    edges = affinities_of(np.random.default_rng(0).standard_normal((20, 2)), 5, 2.0)[1]
    start = np.zeros((20, 3), dtype=np.float32)
    with pytest.raises(ValueError, match="1 or 2 dimensions"):
        _core.TsneDescent(edges.offsets, edges.columns, edges.values, start, 1.0, "fft", 0.5)
    with pytest.raises(ValueError, match="differ in rows"):
        _core.TsneDescent(edges.offsets, edges.columns, edges.values, start[:5], 1.0, "exact", 0.5)
    with pytest.raises(ValueError, match="must be rows"):
        _core.TsneDescent(edges.offsets, edges.columns + 20, edges.values, start, 1.0, "exact", 0.5)
