"""Classical scaling against scikit-learn, principal components and the formula."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.manifold import ClassicalMDS as Peer

from stylobate.decomposition import PCA
from stylobate.decomposition.centred_matrix import CentredMatrix
from stylobate.exceptions import InvalidDataError, StylobateWarning
from stylobate.manifold import ClassicalMDS
from stylobate.manifold.scaling import negative_eigenvalues as module

rng = np.random.default_rng(5)
ROWS = rng.normal(size=(90, 5)) * [3.0, 2.0, 1.4, 1.0, 0.5] + 7.0
NEW = rng.normal(size=(11, 5)) + 7.0


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "chebyshev"])
def test_embedding_is_scikit_learns(metric):
    ours, theirs = ClassicalMDS(3, metric=metric).fit(ROWS), Peer(3, metric=metric).fit(ROWS)
    np.testing.assert_allclose(ours.embedding_, theirs.embedding_, atol=1e-8)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-9)
    np.testing.assert_allclose(ours.dissimilarity_matrix_, theirs.dissimilarity_matrix_, atol=1e-7)


def test_euclidean_distances_give_principal_components():
    scores = PCA(3).fit_transform(ROWS)
    for model, given in (
        (ClassicalMDS(3), ROWS),
        (ClassicalMDS(3, metric="precomputed"), cdist(ROWS, ROWS)),
    ):
        placed = model.fit_transform(given)
        signs = np.sign((scores * placed).sum(axis=0))
        np.testing.assert_allclose(placed * signs, scores, atol=1e-8)
        assert model.negative_share_ < 1e-9
        assert model.verdict_.startswith("Euclidean")


def test_many_points_by_products_alone():
    rows = rng.normal(size=(500, 6)) * [5.0, 4.0, 3.0, 1.0, 1.0, 1.0]
    distances = cdist(rows, rows)
    ours = ClassicalMDS(3, metric="precomputed").fit(distances)
    theirs = Peer(3, metric="precomputed").fit(distances)
    np.testing.assert_allclose(ours.embedding_, theirs.embedding_, atol=1e-8)


@pytest.mark.parametrize("matrix", ["distances", "squared_distances", "similarities"])
def test_kinds_of_matrices_and_new_points(matrix):
    all_rows = np.vstack([ROWS, NEW])
    centred = all_rows - 3.0
    full = {
        "distances": cdist(all_rows, all_rows),
        "squared_distances": cdist(all_rows, all_rows, "sqeuclidean"),
        "similarities": centred @ centred.T,
    }[matrix]
    n = len(ROWS)
    model = ClassicalMDS(3, metric="precomputed", matrix=matrix).fit(full[:n, :n])
    expected = ClassicalMDS(3).fit(ROWS)
    np.testing.assert_allclose(model.embedding_, expected.embedding_, atol=1e-6)
    np.testing.assert_allclose(model.transform(full[n:, :n]), expected.transform(NEW), atol=1e-6)
    np.testing.assert_allclose(model.transform(full[:n, :n]), model.embedding_, atol=1e-6)
    np.testing.assert_allclose(model.dissimilarity_matrix_, cdist(ROWS, ROWS), atol=1e-6)


def test_what_is_not_euclidean_has_an_answer():
    sides = np.array([[0.0, 1.0, 9.0], [1.0, 0.0, 1.0], [9.0, 1.0, 0.0]])
    with pytest.warns(StylobateWarning, match="not Euclidean"):
        model = ClassicalMDS(3, metric="precomputed").fit(sides)
    assert np.isfinite(model.embedding_).all()
    np.testing.assert_array_equal(model.embedding_[:, 2], 0.0)
    h = np.eye(3) - 1 / 3
    values = np.linalg.eigvalsh(-0.5 * h @ sides**2 @ h)
    assert model.negative_share_ == pytest.approx(-values[0] / np.abs(values).sum())
    assert "Not Euclidean" in model.verdict_


def test_negative_share_of_many_points_is_estimated(monkeypatch):
    rows = rng.normal(size=(400, 3))
    centred = CentredMatrix.stored(-0.5 * cdist(rows, rows, "cityblock") ** 2)
    exact = module.negative_share(centred)
    monkeypatch.setattr(module, "_EXACT", 10)
    assert module.negative_share(centred) == pytest.approx(exact, rel=0.1)
    assert exact > 0.01
    model = ClassicalMDS(2, metric="precomputed").fit(cdist(rows, rows, "cityblock"))
    assert model.verdict_.startswith("Not Euclidean: about ")
    assert model.verdict_.endswith("(an estimate).")


def test_nasty_inputs():
    assert ClassicalMDS(2).fit_transform([[1.0, 2.0]]).shape == (1, 1)
    np.testing.assert_array_equal(ClassicalMDS(2).fit_transform(np.ones((4, 1))), np.zeros((4, 2)))
    with pytest.raises(InvalidDataError, match="square"):
        ClassicalMDS(metric="precomputed").fit(ROWS)
    with pytest.raises(InvalidDataError, match="symmetric"):
        ClassicalMDS(metric="precomputed").fit([[0.0, 1.0], [2.0, 0.0]])
    with pytest.raises(InvalidDataError, match="negative"):
        ClassicalMDS(metric="precomputed").fit([[0.0, -1.0], [-1.0, 0.0]])
