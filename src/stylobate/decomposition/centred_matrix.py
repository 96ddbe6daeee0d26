"""Leading eigenpairs of a symmetric matrix of points by points, both sides centred."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Indices
from stylobate.data.words import user_stacklevel
from stylobate.decomposition.certificate import ComponentCertificate
from stylobate.decomposition.spectrum import Spectrum
from stylobate.exceptions import ConvergenceWarning, joined
from stylobate.interrupts import interruptible
from stylobate.optimize.eigenpairs import Eigenpairs, leading_eigenpairs
from stylobate.parallel import blas_for, one_blas_thread

DENSE_POINTS = 300  # up to which all eigenvalues are quicker than iterations
_SHARE_DENSE = 6  # of more than one eigenpair in six, iterations save nothing
_OVERSAMPLES = 10
MOST_PRODUCTS = 400
_BLOCK = 8  # columns multiplied together: one vector of the machine, so wider blocks take longer
_SMALL_BLOCK, _FEW_POINTS = 4, 1000  # points up to which fewer columns at once take less time
_ONE_THREAD = 8000  # points up to which idle threads of BLAS cost more than they help


@dataclass(frozen=True, slots=True, eq=False)
class CentredMatrix:
    r"""The operator HAH with :math:`H = I - \frac1n 11^T`, from the products with A alone.

    Parameters
    ----------
    multiply : callable
        :math:`V \mapsto AV` for n × b arrays.
    column_means : array of shape (n,)
        Means of the columns of A.
    trace : float
        Of A.
    matrix : callable or None
        Gives A, where it or what it follows from is stored.

    Examples
    --------
    >>> import numpy as np
    >>> a = np.array([[4.0, 1.0], [1.0, 2.0]])
    >>> CentredMatrix.stored(a).times(np.array([[1.0], [-1.0]]))
    array([[ 2.],
           [-2.]])
    """

    multiply: Callable[[Array], Array]
    column_means: Array
    trace: float
    matrix: Callable[[], Array] | None = None

    @classmethod
    def stored(cls, matrix: Array) -> CentredMatrix:
        """Of a symmetric matrix in memory; what is above the diagonal is not looked at."""
        matrix = np.ascontiguousarray(matrix)
        means = _core.symmetric_product(matrix, np.full((len(matrix), 1), 1.0 / len(matrix)))[:, 0]
        return cls(
            lambda block: _core.symmetric_product(matrix, np.ascontiguousarray(block)),
            means,
            float(np.trace(matrix)),
            lambda: np.tril(matrix) + np.tril(matrix, -1).T,
        )

    @classmethod
    def of_distances(cls, distances: Array) -> CentredMatrix:
        """Of A = −½ D ∘ D, which is never made."""
        n = len(distances)
        half = np.full((n, 1), -0.5 / n)
        return cls(
            lambda block: _core.symmetric_product(
                distances, np.ascontiguousarray(-0.5 * block), squared=True
            ),
            _core.symmetric_product(distances, half, squared=True)[:, 0],
            -0.5 * float((np.diagonal(distances) ** 2).sum()),
            lambda: -0.5 * distances**2,
        )

    @property
    def order(self) -> int:
        """How many points."""
        return len(self.column_means)

    @property
    def centred_trace(self) -> float:
        """The trace of HAH: the sum of all its eigenvalues."""
        return self.trace - float(self.column_means.sum())

    def times(self, block: Array) -> Array:
        """HAH times a block."""
        image = self.multiply(block - block.mean(axis=0))
        return np.asarray(image - image.mean(axis=0))

    def dense(self) -> Array:
        """HAH itself."""
        matrix = self.multiply(np.eye(self.order)) if self.matrix is None else self.matrix()
        means = self.column_means
        return np.asarray(matrix - matrix.mean(axis=1)[:, None] - means + means.mean())


@dataclass(frozen=True, slots=True)
class EigenRequest:
    """How leading eigenpairs are to be found.

    Parameters
    ----------
    solver : {"auto", "dense", "arpack", "randomized"}
    tol : float
        Relative residual at which iterations stop; 0: 1e-10 for "auto", rounding for "arpack".
    max_iter : int or None
        Most products with a block.
    iterated_power : int or "auto"
        Products of "randomized".
    """

    solver: str = "auto"
    tol: float = 0.0
    max_iter: int | None = None
    iterated_power: Any = "auto"


@dataclass(frozen=True, slots=True, eq=False)
class LeadingPairs:
    """Leading eigenpairs, how they were found, and whether the eigenvalue that follows is known.

    Parameters
    ----------
    pairs : Eigenpairs
    reason : str
    complete : bool
        Whether all eigenvalues were computed; else the one that follows is an estimate.
    """

    pairs: Eigenpairs
    reason: str
    complete: bool = False

    def certificate(self, values: Array, order: Indices, total: float) -> ComponentCertificate:
        """What the residuals prove of the pairs kept: their values, and their places in `pairs`."""
        residuals, following = self.pairs.residuals[order], max(self.pairs.following, 0.0)
        if self.complete:
            values, residuals = np.append(values, following), np.append(residuals, 0.0)
        spectrum = Spectrum(
            values, self.pairs.vectors.T, residuals, total, following, complete=self.complete
        )
        return ComponentCertificate.of(spectrum, len(order))


def leading_pairs(
    centred: CentredMatrix, k: int, request: EigenRequest, draws: np.random.RandomState
) -> LeadingPairs:
    """The k largest eigenpairs (of largest size for "randomized")."""
    n = centred.order
    if request.solver == "dense" or n <= DENSE_POINTS or k > n // _SHARE_DENSE:
        by_size = request.solver == "randomized"
        with blas_for(n):
            found = _all_pairs(centred, k, by_size)
        return LeadingPairs(found, "dense: eigenvalues of the whole matrix", complete=True)
    if request.solver == "randomized":
        steps = request.iterated_power
        steps = (7 if k < 0.1 * n else 4) if steps == "auto" else steps
        found = _randomized(centred, k, steps, draws)
        return LeadingPairs(found, f"randomized: {steps} power steps")
    columns = max(_SMALL_BLOCK, k + 2) if n <= _FEW_POINTS else _BLOCK
    with one_blas_thread() if n <= _ONE_THREAD else nullcontext():
        found = leading_eigenpairs(
            centred.times,
            draws.normal(size=(n, min(columns, _BLOCK))),
            k,
            tol=request.tol or (1e-10 if request.solver == "auto" else 0.0),
            most_products=request.max_iter or MOST_PRODUCTS,
            indefinite=True,
        )
    return LeadingPairs(found, "block Krylov iteration: few components of many points")


def _all_pairs(centred: CentredMatrix, k: int, by_size: bool) -> Eigenpairs:
    from scipy.linalg import eigh

    dense, n = centred.dense(), centred.order
    first = 0 if by_size else max(n - k - 1, 0)
    with blas_for(n):
        values, vectors = interruptible(
            eigh, dense, subset_by_index=(first, n - 1), check_finite=False
        )
    order = np.argsort(-np.abs(values) if by_size else -values, kind="stable")
    following = float(values[order[k]]) if len(order) > k else 0.0
    values, vectors = values[order[:k]], vectors[:, order[:k]]
    residuals = np.linalg.norm(dense @ vectors - vectors * values, axis=0)
    return Eigenpairs(values, vectors, residuals, following, 1, True)


def _randomized(
    centred: CentredMatrix, k: int, steps: int, draws: np.random.RandomState
) -> Eigenpairs:
    """Power steps of a block, then Rayleigh and Ritz's pairs; the values of largest size."""
    block = draws.normal(size=(centred.order, min(k + _OVERSAMPLES, centred.order)))
    basis = interruptible(np.linalg.qr, centred.times(block))[0]
    for _ in range(steps):
        basis = interruptible(np.linalg.qr, centred.times(basis))[0]
    image = centred.times(basis)
    small = basis.T @ image
    values, rotation = interruptible(np.linalg.eigh, (small + small.T) / 2.0)
    order = np.argsort(-np.abs(values), kind="stable")
    following = float(values[order[k]]) if len(order) > k else 0.0
    values, rotation = values[order[:k]], rotation[:, order[:k]]
    vectors = basis @ rotation
    residuals = np.linalg.norm(image @ rotation - vectors * values, axis=0)
    return Eigenpairs(values, vectors, residuals, following, steps + 2, True)


def warn_slow(owner: str, found: Eigenpairs) -> None:
    """Say that iterations ended before the residuals were small."""
    scale = max(float(np.abs(found.values).max()), np.finfo(float).tiny)
    warnings.warn(
        f"{owner}: after {found.products} products the residuals are up to "
        f"{float(found.residuals.max()) / scale:.1e} of the largest eigenvalue; raise max_iter or "
        "tol, or use eigen_solver='dense'.",
        joined(ConvergenceWarning),
        stacklevel=user_stacklevel(),
    )
