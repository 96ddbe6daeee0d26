"""Kernel principal components against scikit-learn, PCA and the definition."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.decomposition import KernelPCA as Peer

import stylobate.decomposition.centred_kernel as module
from stylobate.decomposition import PCA, KernelPCA
from stylobate.exceptions import ConvergenceWarning, InvalidDataError
from stylobate.kernels import RBF, Laplacian, Linear, center_gram

rng = np.random.default_rng(3)
ROWS = rng.normal(size=(420, 4)) * [2.0, 1.5, 1.0, 0.7]
NEW = rng.normal(size=(20, 4))
KERNELS = [
    {"kernel": "linear"},
    {"kernel": "rbf"},
    {"kernel": "rbf", "gamma": 0.05},
    {"kernel": "poly", "degree": 2},
    {"kernel": "poly", "degree": 2.5, "coef0": 40.0},
    {"kernel": "sigmoid", "gamma": 0.01},
    {"kernel": "cosine"},
    {"kernel": lambda a, b: float(np.minimum(abs(a), abs(b)).sum())},
]


@pytest.mark.parametrize("solver", ["auto", "dense", "arpack"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: str(k["kernel"])[:9])
def test_scores_are_scikit_learns(kernel, solver):
    rows = ROWS[:80] if callable(kernel["kernel"]) else ROWS
    ours = KernelPCA(3, eigen_solver=solver, random_state=0, **kernel)
    theirs = Peer(3, eigen_solver="dense", **kernel)
    np.testing.assert_allclose(ours.fit_transform(rows), theirs.fit_transform(rows), atol=1e-8)
    np.testing.assert_allclose(ours.transform(NEW), theirs.transform(NEW), atol=1e-8)
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-9)


def test_linear_kernel_is_pca():
    scores = KernelPCA(3).fit_transform(ROWS)
    expected = PCA(3).fit_transform(ROWS)
    np.testing.assert_allclose(np.abs(scores), np.abs(expected), atol=1e-9)


@pytest.mark.parametrize("kernel", [RBF(0.2) + 0.5 * Linear(), Laplacian(0.1)])
def test_kernel_values(kernel):
    model = KernelPCA(4, kernel=kernel, random_state=0).fit(ROWS)
    values, vectors = np.linalg.eigh(center_gram(kernel(ROWS)))
    np.testing.assert_allclose(model.eigenvalues_, values[::-1][:4], rtol=1e-9)
    np.testing.assert_allclose(
        np.abs(model.eigenvectors_), np.abs(vectors[:, ::-1][:, :4]), atol=1e-7
    )
    shares = values[::-1][:4] / values.sum()
    np.testing.assert_allclose(model.explained_variance_ratio_, shares, rtol=1e-9)


def test_certificate_bounds_the_error():
    model = KernelPCA(3, kernel="rbf", tol=1e-3, random_state=0).fit(ROWS)
    values, vectors = np.linalg.eigh(center_gram(RBF()(ROWS)))
    errors = np.abs(model.eigenvalues_ - values[::-1][:3])
    assert (errors <= model.certificate_.residuals * 1.001).all()
    cosines = np.abs((model.eigenvectors_ * vectors[:, ::-1][:, :3]).sum(axis=0))
    sines = np.sqrt(np.maximum(1.0 - cosines**2, 0.0))
    assert (sines <= model.certificate_.angles + 1e-7).all()


def test_matrix_need_not_be_stored(monkeypatch):
    stored = KernelPCA(3, kernel="rbf", random_state=0).fit(ROWS)
    monkeypatch.setattr(module, "STORED_POINTS", 10)
    free = KernelPCA(3, kernel="rbf", random_state=0).fit(ROWS)
    np.testing.assert_allclose(free.eigenvalues_, stored.eigenvalues_, rtol=1e-10)
    np.testing.assert_allclose(free.transform(NEW), stored.transform(NEW), atol=1e-8)
    np.testing.assert_allclose(
        free.explained_variance_ratio_, stored.explained_variance_ratio_, rtol=1e-10
    )


def test_pre_images_are_scikit_learns():
    ours = KernelPCA(3, kernel="rbf", fit_inverse_transform=True, alpha=0.1).fit(ROWS[:100])
    theirs = Peer(3, kernel="rbf", fit_inverse_transform=True, alpha=0.1).fit(ROWS[:100])
    scores = theirs.transform(NEW)
    np.testing.assert_allclose(
        ours.inverse_transform(scores), theirs.inverse_transform(scores), atol=1e-9
    )


def test_precomputed_and_sparse_and_single():
    gram = RBF(0.1)(ROWS)
    expected = KernelPCA(3, kernel="rbf", gamma=0.1, random_state=0).fit(ROWS)
    given = KernelPCA(3, kernel="precomputed", random_state=0).fit(gram)
    np.testing.assert_allclose(given.eigenvalues_, expected.eigenvalues_, rtol=1e-9)
    new = RBF(0.1)(NEW, ROWS)
    np.testing.assert_allclose(given.transform(new), expected.transform(NEW), atol=1e-7)
    sparse = KernelPCA(3, kernel="rbf", gamma=0.1, random_state=0).fit(sp.csr_array(ROWS))
    np.testing.assert_allclose(
        sparse.transform(sp.csr_array(NEW)), expected.transform(NEW), atol=1e-7
    )
    assert expected.transform(NEW.astype(np.float32)).dtype == np.float32


def test_what_cannot_be_done_is_said():
    with pytest.raises(ValueError, match="significant negative eigenvalues"):
        KernelPCA(3, kernel="precomputed").fit(np.diag([3.0, 1.0, -9.0]) - np.ones((3, 3)))
    with pytest.raises(InvalidDataError, match="square"):
        KernelPCA(kernel="precomputed").fit(ROWS)
    with pytest.raises(ValueError, match="Cannot fit_inverse_transform"):
        KernelPCA(kernel="precomputed", fit_inverse_transform=True).fit(np.eye(3))
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        KernelPCA(3, kernel="rbf", max_iter=1, random_state=0).fit(ROWS)


def test_degenerate_rows():
    assert KernelPCA().fit_transform(np.ones((4, 2))).shape == (4, 0)
    np.testing.assert_array_equal(KernelPCA(2).fit_transform(np.ones((4, 2))), np.zeros((4, 2)))
    assert KernelPCA(5, kernel="rbf").fit_transform(np.ones((1, 2))).shape == (1, 1)
    twice = np.repeat(ROWS[:20], 20, axis=0)
    model = KernelPCA(8, random_state=0).fit(twice)
    np.testing.assert_allclose(model.eigenvalues_[4:], 0.0)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly"])
@pytest.mark.parametrize("value", [1.0, 1.0 / 3.0, 1e5])
def test_equal_rows_have_no_component(kernel, value):
    rows = np.full((5, 2), value)
    assert KernelPCA(kernel=kernel).fit_transform(rows).shape == (5, 0)
    model = KernelPCA(2, kernel=kernel).fit(rows)
    np.testing.assert_array_equal(model.eigenvalues_, 0.0)
    np.testing.assert_array_equal(model.transform(rows + 1.0), 0.0)


def test_components_far_from_zero_are_kept():
    rows = np.random.default_rng(0).normal(size=(30, 3)) + 1e4
    near = KernelPCA(3).fit(rows - 1e4).eigenvalues_
    np.testing.assert_allclose(KernelPCA(3).fit(rows).eigenvalues_, near, rtol=1e-6)
