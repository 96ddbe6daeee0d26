"""Laplacian eigenmaps against scikit-learn and closed forms."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn import manifold as sklearn_manifold
from sklearn.datasets import make_swiss_roll
from sklearn.metrics.pairwise import rbf_kernel

from stylobate import cluster, manifold
from stylobate.exceptions import InvalidDataError, StylobateWarning
from stylobate.manifold import SpectralEmbedding
from stylobate.neighbors import kneighbors_graph

_ROLL = make_swiss_roll(300, random_state=0)[0]


def up_to_signs(a, b, atol):
    np.testing.assert_allclose(a * np.sign((a * b).sum(axis=0)), b, atol=atol)


@pytest.mark.parametrize(
    "options",
    [
        {"n_neighbors": 8},
        {},
        {"affinity": "rbf", "gamma": 0.02, "n_components": 3},
        {"affinity": lambda rows: rbf_kernel(rows, gamma=0.01)},
    ],
)
def test_is_scikit_learns(options):
    ours = SpectralEmbedding(**options).fit(_ROLL)
    theirs = sklearn_manifold.SpectralEmbedding(**options, random_state=0).fit(_ROLL)
    scale = np.abs(theirs.embedding_).max()
    up_to_signs(ours.embedding_, theirs.embedding_, 1e-6 * scale)


def test_a_given_graph():
    weights = rbf_kernel(_ROLL, gamma=0.02)
    wanted = SpectralEmbedding(affinity="rbf", gamma=0.02).fit_transform(_ROLL)
    up_to_signs(SpectralEmbedding(affinity="precomputed").fit_transform(weights), wanted, 1e-8)
    distances = kneighbors_graph(_ROLL, 12, mode="distance")
    given = SpectralEmbedding(affinity="precomputed_nearest_neighbors", n_neighbors=7)
    theirs = sklearn_manifold.SpectralEmbedding(
        affinity="precomputed_nearest_neighbors", n_neighbors=7, random_state=0
    )
    up_to_signs(given.fit_transform(distances), theirs.fit_transform(distances), 1e-7)


def test_the_function_is_the_one_of_cluster():
    assert manifold.spectral_embedding is cluster.spectral_embedding


def test_a_circle_comes_back():
    angle = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    found = SpectralEmbedding(n_neighbors=3).fit_transform(circle)
    sizes = np.linalg.norm(found, axis=1)
    np.testing.assert_allclose(sizes, sizes[0], rtol=1e-8)


def test_parts_few_rows_and_sparse_ones():
    rows = np.vstack([np.zeros((5, 2)), np.ones((5, 2)) * 9.0])
    with pytest.warns(StylobateWarning, match="not fully connected"):
        found = SpectralEmbedding(n_neighbors=3).fit_transform(rows)
    assert np.ptp(found[:5], axis=0).max() < 1e-8 or np.isfinite(found).all()
    with pytest.raises(InvalidDataError, match="minimum of 2"):
        SpectralEmbedding().fit([[1.0, 2.0]])
    sparse = SpectralEmbedding(n_neighbors=8).fit_transform(csr_array(_ROLL))
    np.testing.assert_allclose(sparse, SpectralEmbedding(n_neighbors=8).fit_transform(_ROLL))
    assert SpectralEmbedding(5, affinity="rbf").fit_transform([[0.0], [1.0], [2.0]]).shape == (3, 2)
