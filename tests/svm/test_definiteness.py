"""Given kernel matrices: proved to be semidefinite, seen not to be, or neither."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.kernels import RBF
from stylobate.optimize.partial_cholesky import partial_factor
from stylobate.svm import SVC
from stylobate.svm.kernel_matrix.definiteness import is_semidefinite

N = 2100
RANDOM = np.random.default_rng(0)
FEW = RANDOM.normal(size=(N, 30))
LOW = FEW @ FEW.T  # of rank 30
SMOOTH = RBF(gamma=1.0)(FEW[:, :1])  # of rank about 40 up to rounding
FULL = 0.9 * RBF(gamma=0.05)(FEW) + 0.1 * np.eye(N)  # no eigenvalue is below 0.1
EVEN = np.ones(N)


def without(matrix: np.ndarray, share: float) -> np.ndarray:
    """A matrix with one direction taken off, whose eigenvalue it makes negative."""
    v = np.ones(len(matrix)) / np.sqrt(len(matrix))
    return matrix - share * float(v @ matrix @ v) * np.outer(v, v)


@pytest.mark.parametrize("matrix", [LOW, SMOOTH, FULL], ids=["low", "smooth", "full"])
def test_semidefinite_matrices_are_proved_to_be(matrix: np.ndarray) -> None:
    """Kernels of rows are semidefinite by construction; less of the diagonal is too little."""
    assert is_semidefinite(matrix, EVEN) is True
    if matrix is not FULL:
        less = 1e-6 * np.diagonal(matrix).max()
        assert is_semidefinite(matrix - less * np.eye(N), EVEN) is False


@pytest.mark.parametrize("matrix", [LOW, SMOOTH], ids=["low", "smooth"])
def test_low_rank_is_proved_in_little_memory(matrix: np.ndarray) -> None:
    memory = 8.0 * N * 100  # a hundred columns
    assert is_semidefinite(matrix, EVEN, memory) is True
    assert is_semidefinite(without(matrix, 1.5), EVEN, memory) is False
    v = np.where(np.arange(N) % 2 == 0, 1.0, -1.0)
    off_diagonal = -1e-6 * np.diagonal(matrix).max() * (np.outer(v, v) - np.eye(N))
    assert is_semidefinite(matrix + off_diagonal, EVEN, memory) is not True


def test_a_full_matrix_needs_room() -> None:
    assert is_semidefinite(FULL, EVEN, 8.0 * N * 100) is None
    assert is_semidefinite(without(FULL, 1.01), EVEN) is False


def test_certificates_of_given_matrices() -> None:
    y = np.where(FEW[:, 0] > 0.0, 1.0, -1.0)
    for matrix in (LOW, SMOOTH, FULL):
        assert SVC(kernel="precomputed").fit(matrix, y).certificate_.optimal
    small = SVC(kernel="precomputed", cache_size=5.0).fit(FULL, y)
    assert small.certificate_.verdict.startswith("Probably optimal")


def test_partial_factors() -> None:
    factor, left = partial_factor(LOW, 100, 1e-6)
    assert len(factor) == 30
    np.testing.assert_allclose(factor.T @ factor, LOW, atol=1e-10)
    np.testing.assert_allclose(left, 0.0, atol=1e-10)
    stopped, rest = partial_factor(FULL, 70, 1e-6)
    assert len(stopped) == 70
    np.testing.assert_allclose(rest, np.diagonal(FULL) - np.square(stopped).sum(axis=0), atol=1e-12)
    assert np.linalg.eigvalsh(FULL - stopped.T @ stopped)[0] > -1e-10
