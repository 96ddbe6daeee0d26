"""Leading eigenpairs from products: against all eigenvalues by LAPACK, and copies of one value."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.decomposition import PCA, TruncatedSVD
from stylobate.manifold import ClassicalMDS
from stylobate.metrics import pairwise_distances
from stylobate.optimize.eigenpairs import leading_eigenpairs


def _rotated(values: np.ndarray, seed: int) -> np.ndarray:
    """A symmetric matrix with these eigenvalues."""
    draws = np.random.default_rng(seed)
    turn = np.linalg.qr(draws.normal(size=(len(values), len(values))))[0]
    matrix = (turn * values) @ turn.T
    return (matrix + matrix.T) / 2.0


def _checked(matrix: np.ndarray, k: int, block: int) -> None:
    start = np.random.default_rng(1).normal(size=(len(matrix), block))
    found = leading_eigenpairs(
        lambda q: matrix @ q, start, k, tol=1e-11, most_products=400, indefinite=True
    )
    expected = np.linalg.eigvalsh(matrix)[::-1][:k]
    scale = np.abs(expected).max()
    assert found.converged
    np.testing.assert_allclose(found.values, expected, atol=1e-10 * scale)
    np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(k), atol=1e-12)
    true = np.linalg.norm(matrix @ found.vectors - found.vectors * found.values, axis=0)
    assert (true <= found.residuals + 1e-12 * scale).all()


@pytest.mark.parametrize("block", [1, 4, 8])
@pytest.mark.parametrize("k", [1, 5, 12])
def test_pairs_are_those_of_lapack(k: int, block: int) -> None:
    values = np.r_[np.geomspace(100.0, 1e-3, 130), -np.geomspace(40.0, 1e-3, 30)]
    _checked(_rotated(values, 0), k, block)


@pytest.mark.parametrize(
    ("copies", "block", "k"), [(7, 4, 12), (12, 4, 15), (11, 8, 14), (3, 2, 9)]
)
def test_more_copies_of_a_value_than_the_block_has_columns(copies: int, block: int, k: int) -> None:
    values = np.r_[20.0, 19.0, np.full(copies, 10.0), np.geomspace(5.0, 1e-3, 120)]
    _checked(_rotated(values, 2), k, block)


def test_directions_that_depend_on_each_other() -> None:
    matrix = _rotated(np.geomspace(10.0, 1e-2, 60), 3)
    one = np.random.default_rng(4).normal(size=(60, 1))
    start = np.hstack([one, one, one * 2.0, np.zeros((60, 1))])
    found = leading_eigenpairs(lambda q: matrix @ q, start, 3, tol=1e-11, most_products=200)
    np.testing.assert_allclose(found.values, np.linalg.eigvalsh(matrix)[::-1][:3], rtol=1e-10)


@pytest.mark.parametrize("rank", [1, 3, 7])
@pytest.mark.parametrize("size", [40, 110])
def test_matrices_of_low_rank(rank: int, size: int) -> None:
    """The directions are used up at once: what is left of them is rounding."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        axes = np.linalg.qr(rng.normal(size=(size, rank)))[0]
        true = np.sort(rng.uniform(0.5, 10.0, rank))[::-1]
        found = leading_eigenpairs(
            lambda q, a=axes * true @ axes.T: a @ q,
            rng.normal(size=(size, rank + 6)),
            rank,
            tol=0.0,
            most_products=100,
        )
        np.testing.assert_allclose(found.values, true, rtol=1e-12)
        np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(rank), atol=1e-12)
        assert found.converged


def test_components_of_tables_of_low_rank() -> None:
    rng = np.random.default_rng(0)
    wide = rng.normal(size=(100, 3)) * [3.0, 2.0, 1.0] @ rng.normal(size=(3, 110))
    large = rng.normal(size=(700, 4)) @ rng.normal(size=(4, 600))
    for table, k, solver in ((wide, 3, "arpack"), (large, 4, "auto"), (large, 6, "randomized")):
        model = PCA(k, svd_solver=solver, random_state=0).fit(table)
        expected = np.linalg.svd(table - table.mean(axis=0), compute_uv=False)[:k]
        np.testing.assert_allclose(model.singular_values_, expected, rtol=1e-9, atol=1e-6)
    sizes = TruncatedSVD(3, algorithm="arpack", random_state=0).fit(wide).singular_values_
    np.testing.assert_allclose(sizes, np.linalg.svd(wide, compute_uv=False)[:3], rtol=1e-12)
    places = rng.normal(size=(60, 3))
    scaled = ClassicalMDS(3, metric="precomputed").fit(pairwise_distances(places))
    np.testing.assert_allclose(pairwise_distances(scaled.embedding_), pairwise_distances(places))
