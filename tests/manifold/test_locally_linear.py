"""Locally linear embedding against scikit-learn, dense eigenvectors and laws."""

import numpy as np
import pytest
from scipy.linalg import eigh, subspace_angles
from sklearn import manifold as sklearn_manifold
from sklearn.datasets import make_swiss_roll

from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    NumericalError,
    StylobateWarning,
)
from stylobate.manifold import LocallyLinearEmbedding, locally_linear_embedding
from stylobate.manifold.graphs.barycenters import barycenter_weights
from stylobate.manifold.graphs.neighborhood_matrices import standard_matrix

_ROLL = make_swiss_roll(260, random_state=0)[0]
_RNG = np.random.default_rng(0)


@pytest.mark.parametrize("method", ["standard", "ltsa", "hessian", "modified"])
@pytest.mark.parametrize("solver", ["dense", "arpack"])
@pytest.mark.parametrize("columns", [3, 14])
def test_spans_the_space_of_scikit_learns(method, solver, columns):
    rows = _ROLL @ _RNG.normal(size=(3, columns)) if columns > 3 else _ROLL
    rows = rows + 0.02 * _RNG.normal(size=rows.shape)
    options = {"n_neighbors": 12, "method": method, "eigen_solver": "dense"}
    theirs = sklearn_manifold.LocallyLinearEmbedding(**options).fit(rows)
    ours = LocallyLinearEmbedding(**{**options, "eigen_solver": solver}).fit(rows)
    assert np.sin(subspace_angles(ours.embedding_, theirs.embedding_)).max() < 1e-5
    assert ours.reconstruction_error_ == pytest.approx(theirs.reconstruction_error_, abs=1e-9)
    assert ours.residuals_.max() < 1e-10
    new = rows[:20] + 0.01
    signs = np.sign((ours.embedding_ * theirs.embedding_).sum(axis=0))
    np.testing.assert_allclose(ours.transform(new) * signs, theirs.transform(new), atol=1e-5)


def test_eigenvectors_of_the_matrix():
    model = LocallyLinearEmbedding(n_neighbors=10).fit(_ROLL)
    near = model.nbrs_.kneighbors(return_distance=False)
    matrix = standard_matrix(_ROLL, near, 1e-3).toarray()
    np.testing.assert_allclose(matrix.sum(axis=0), 0.0, atol=1e-12)
    values = eigh(matrix, subset_by_index=(1, 2), eigvals_only=True)
    np.testing.assert_allclose(model.eigenvalues_, values, atol=1e-12)
    np.testing.assert_allclose(model.embedding_.T @ model.embedding_, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(model.embedding_.sum(axis=0), 0.0, atol=1e-10)


def test_weights_by_hand():
    rows, near = _RNG.normal(size=(5, 4)), np.array([[0, 1, 2, 3, 4, 5]] * 5)
    others = _RNG.normal(size=(6, 4))
    found = barycenter_weights(rows, others, near, 0.01)
    for i in range(5):
        apart = others - rows[i]
        gram = apart @ apart.T
        w = np.linalg.solve(gram + 0.01 * np.trace(gram) * np.eye(6), np.ones(6))
        np.testing.assert_allclose(found[i], w / w.sum())
    np.testing.assert_allclose(found.sum(axis=1), 1.0)


def test_the_function_gives_the_same():
    found, error = locally_linear_embedding(_ROLL, n_neighbors=9, n_components=2, method="ltsa")
    model = LocallyLinearEmbedding(n_neighbors=9, method="ltsa").fit(_ROLL)
    np.testing.assert_array_equal(found, model.embedding_)
    assert error == model.reconstruction_error_


def test_rows_that_fall_apart_are_told():
    rows = np.vstack([_RNG.normal(size=(20, 3)), _RNG.normal(size=(20, 3)) + 100.0])
    with pytest.warns(StylobateWarning, match="2 components"):
        LocallyLinearEmbedding(n_neighbors=5).fit(rows)


@pytest.mark.parametrize("method", ["standard", "ltsa", "hessian", "modified"])
@pytest.mark.filterwarnings("ignore::stylobate.exceptions.StylobateWarning")
def test_equal_rows_have_finite_places(method):
    rows = np.repeat(_RNG.normal(size=(15, 3)), 2, axis=0)
    assert np.isfinite(
        LocallyLinearEmbedding(n_neighbors=8, method=method).fit(rows).embedding_
    ).all()
    same = LocallyLinearEmbedding(n_neighbors=8, method=method).fit(np.ones((20, 3)))
    assert np.isfinite(same.embedding_).all()


def test_refusals():
    with pytest.raises(InvalidParameterError, match="output dimension"):
        LocallyLinearEmbedding(n_components=4).fit(_ROLL)
    with pytest.raises(InvalidDataError, match="n_neighbors < n_samples"):
        LocallyLinearEmbedding(n_neighbors=10).fit(_ROLL[:10])
    with pytest.raises(InvalidDataError, match="n_neighbors"):
        LocallyLinearEmbedding().fit(_ROLL[:1])
    with pytest.raises(InvalidParameterError, match="hessian"):
        LocallyLinearEmbedding(method="hessian").fit(_ROLL)
    with pytest.raises(InvalidParameterError, match="modified"):
        LocallyLinearEmbedding(n_neighbors=2, n_components=3, method="modified").fit(_ROLL)
    with pytest.raises(NumericalError, match="reg"):
        LocallyLinearEmbedding(reg=0.0).fit(np.ones((20, 3)))
