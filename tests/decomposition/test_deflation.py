"""Components one by one, best approximations of a rank, and a signal under noise."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.datasets import load_iris
from stylobate.decomposition import PCA, best_rank_k, pca_by_deflation
from stylobate.exceptions import InvalidParameterError


def test_deflation_finds_the_components_of_pca():
    X = load_iris(return_X_y=True)[0]
    found, pca = pca_by_deflation(X, 3), PCA(3).fit(X)
    np.testing.assert_allclose(np.abs(found.components), np.abs(pca.components_), atol=1e-6)
    np.testing.assert_allclose(found.variances, pca.explained_variance_, rtol=1e-9)
    # what is left has nothing along the directions taken away
    np.testing.assert_allclose(found.residuals[3] @ found.components.T, 0.0, atol=1e-6)
    squares = (found.residuals**2).sum(axis=(1, 2))
    np.testing.assert_allclose(-np.diff(squares), found.variances * 149, rtol=1e-9)
    with pytest.raises(InvalidParameterError, match="n_components"):
        pca_by_deflation(X, 5)


def test_no_matrix_of_the_rank_is_nearer():
    random = np.random.default_rng(0)
    X = random.normal(size=(9, 6))
    best = best_rank_k(X, 2)
    assert np.linalg.matrix_rank(best.matrix) == 2
    assert best.error == pytest.approx(((X - best.matrix) ** 2).sum())
    assert best.spectral_error == pytest.approx(np.linalg.norm(X - best.matrix, 2))
    for _ in range(200):
        near = best.matrix + 0.0
        u, s, vt = np.linalg.svd(near + 0.1 * random.normal(size=X.shape), full_matrices=False)
        other = (u[:, :2] * s[:2]) @ vt[:2]
        assert ((X - other) ** 2).sum() >= best.error
    assert best_rank_k(X, 6).error == 0.0
    assert best_rank_k(X, 0).error == pytest.approx((X**2).sum())
    with pytest.raises(InvalidParameterError, match="rank"):
        best_rank_k(X, 7)


def test_a_signal_of_rank_k_comes_out_of_the_noise_at_rank_k():
    random = np.random.default_rng(1)
    signal = random.normal(size=(100, 3)) @ random.normal(size=(3, 40))
    seen = signal + 0.5 * random.normal(size=signal.shape)
    errors = [((best_rank_k(seen, k).matrix - signal) ** 2).mean() for k in range(12)]
    assert int(np.argmin(errors)) == 3
    assert errors[3] < 0.2 * ((seen - signal) ** 2).mean()
