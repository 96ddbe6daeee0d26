"""Leading eigenpairs from products: against all eigenvalues by LAPACK, and copies of one value."""

from __future__ import annotations

import numpy as np
import pytest

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
