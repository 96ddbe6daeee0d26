"""The principal components of rows, found one way or another, as one value."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.decomposition.gram_product import GramProduct
from stylobate.interrupts import interruptible
from stylobate.optimize.eigenpairs import (
    Eigenpairs,
    leading_eigenpairs,
    orthonormal_completion,
)
from stylobate.parallel import one_blas_thread
from stylobate.statistics import Moments, Source

_EPS = float(np.finfo(np.float64).eps)
_SMALL_MATRIX = 500  # columns up to which one thread of LAPACK is the faster


@dataclass(frozen=True, slots=True, eq=False)
class Spectrum:
    r"""Eigenpairs of the covariance :math:`C = X_c^\top W X_c / (\sum w - 1)`.

    Parameters
    ----------
    variances : array of shape (m,)
        Eigenvalues, the largest first.
    components : array of shape (m, p)
        Unit eigenvectors; of each the entry of largest size is positive.
    residuals : array of shape (m,)
        :math:`\|Cv - \lambda v\|`.
    total : float
        Trace of C.
    following : float
        The largest eigenvalue that is not among them, as far as known.
    complete : bool
        Whether all eigenvalues are among them.
    passes : int
        Passes over the rows.
    """

    variances: Array
    components: Array
    residuals: Array
    total: float
    following: float = 0.0
    complete: bool = True
    passes: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Centre:
    """Where the rows lie and how far they spread: what every method needs first.

    Parameters
    ----------
    mean : array of shape (p,)
    n_rows : int
        Rows of positive weight; a row of weight 3 is three rows.
    weight : float
        Sum of the weights.
    squares : array of shape (p,)
        Sum of squares of each centred column.
    """

    mean: Array
    n_rows: int
    weight: float
    squares: Array

    @classmethod
    def of(cls, mean: Array, n_rows: int, weight: float, squares: Array) -> Self:
        """Where rows lie that may be weighted."""
        return cls(mean, max(n_rows, int(weight + 1e-9)), weight, squares)

    @property
    def total(self) -> float:
        """Sum of the variances of the columns."""
        return float(self.squares.sum()) / self.divisor

    @property
    def divisor(self) -> float:
        """What sums of squares are divided by; of one row nothing varies."""
        return max(self.weight - 1.0, _EPS) if self.n_rows > 1 else 1.0


def spectrum_of_moments(moments: Moments, centre: Centre, keep: int) -> Spectrum:
    """All eigenpairs of the covariance; residuals are computed for the first `keep`."""
    covariance = moments.xx / centre.divisor
    values, vectors = _eigh(covariance)
    found = Eigenpairs(values, vectors, np.zeros(len(values)), 0.0, 1, True)
    found = _least(found, min(centre.n_rows, len(values)))
    return _checked(found, covariance, keep, centre)


def spectrum_of_rows(table: Table, centre: Centre) -> Spectrum:
    """All singular vectors of the centred rows."""
    from scipy import linalg

    rows = _centred_rows(table, centre)
    with one_blas_thread() if min(rows.shape) <= _SMALL_MATRIX else nullcontext():
        u, sizes, vt = interruptible(linalg.svd, rows, full_matrices=False, check_finite=False)
    image = np.asarray(_centred_rows(table, centre).T @ u)  # Xᵀu − σv is 0 for the exact pairs
    residuals = np.linalg.norm(image - vt.T * sizes, axis=0) * sizes
    variances, scale = sizes**2 / centre.divisor, centre.divisor
    least = (_EPS * max(rows.shape)) ** 2
    return _padded(variances, vt.T, residuals / scale, float(variances.sum()), centre, least)


def spectrum_of_wide_rows(table: Table, centre: Centre, keep: int) -> Spectrum | None:
    r"""All eigenpairs from the products of rows with rows (the Gram trick).

    From :math:`X_cX_c^\top u = \sigma^2 u` follows :math:`v = X_c^\top u/\sigma`. None where one of
    the first `keep` is so small that the squares hold too few of its digits.
    """
    rows = _centred_rows(table, centre)
    values, u = _eigh(rows @ rows.T)
    rank = int(np.count_nonzero(values > 1e-8 * max(values[0], 0.0)))
    if rank < min(keep, centre.n_rows - 1):
        return None
    sizes = np.sqrt(values[:rank])
    vectors = interruptible(np.linalg.qr, (rows.T @ u[:, :rank]) / sizes)[0]
    image = rows.T @ (rows @ vectors)
    residuals = np.linalg.norm(image - vectors * values[:rank], axis=0)
    scale = centre.divisor
    return _padded(values[:rank] / scale, vectors, residuals / scale, centre.total, centre, 0.0)


def leading_spectrum(
    source: Source,
    centre: Centre,
    k: int,
    start: Array,
    *,
    tol: float,
    most_products: int,
) -> Spectrum:
    """The k leading eigenpairs by block Krylov iteration, a pass over the rows for each product."""
    multiply = multiplication(source, centre)
    with one_blas_thread():  # the threads are ours: they multiply different rows
        found = leading_eigenpairs(multiply, start, k, tol=tol, most_products=most_products)
    return _truncated(found, centre)


def randomized_spectrum(
    source: Source, centre: Centre, k: int, start: Array, *, steps: int, normalizer: str
) -> Spectrum:
    """Halko, Martinsson and Tropp's k leading eigenpairs: subspace iteration, one pass a step."""
    multiply = multiplication(source, centre)
    with one_blas_thread():
        found = subspace_eigenpairs(multiply, start, k, steps=steps, normalizer=normalizer)
    return _truncated(found, centre)


def subspace_eigenpairs(
    multiply: Callable[[Array], Array], start: Array, k: int, *, steps: int, normalizer: str
) -> Eigenpairs:
    """The k largest eigenpairs by a fixed number of steps of subspace iteration."""
    block = start
    for _ in range(steps):
        block = multiply(normalized(block, normalizer))
    block = interruptible(np.linalg.qr, block)[0]
    image = multiply(block)
    values, turn = _eigh((block.T @ image + image.T @ block) / 2.0)
    vectors = block @ turn
    residuals = np.linalg.norm(image @ turn - vectors * values, axis=0)
    following = float(values[k]) if len(values) > k else 0.0
    kept = np.maximum(values[:k], 0.0)
    return Eigenpairs(kept, vectors[:, :k], residuals[:k], following, steps + 1, False)


def multiplication(source: Source, centre: Centre) -> Any:
    """Q ↦ X_cᵀ W X_c Q, as a function."""

    def multiply(directions: Array) -> Array:
        recipe = GramProduct(np.ascontiguousarray(directions), centre.mean)
        return source.compute(recipe).value

    return multiply


def normalized(block: Array, normalizer: str) -> Array:
    """The block with columns of comparable size, as the normaliser asked for gives them."""
    if normalizer == "QR":
        return np.asarray(interruptible(np.linalg.qr, block)[0])
    if normalizer == "LU":
        from scipy import linalg

        return np.asarray(linalg.lu(block, permute_l=True)[0])
    return block


def signed(components: Array) -> Array:
    """Rows with the signs that make their entries of largest size positive.

    >>> import numpy as np
    >>> signed(np.array([[0.6, -0.8], [0.8, 0.6]]))
    array([[-0.6,  0.8],
           [ 0.8,  0.6]])
    """
    if components.shape[1] == 0:
        return components
    at = np.argmax(np.abs(components), axis=1)
    signs = np.sign(components[np.arange(len(components)), at])
    return np.ascontiguousarray(components * np.where(signs == 0, 1.0, signs)[:, np.newaxis])


def _padded(
    variances: Array,
    vectors: Array,
    residuals: Array,
    total: float,
    centre: Centre,
    least: float,
) -> Spectrum:
    """As many components as there are rows or columns.

    Where nothing varies (variances below `least` of the largest), any directions would do: those
    taken depend on the space that is left alone, not on the method or on rounding.
    """
    count = min(centre.n_rows, len(centre.mean))
    rank = int(np.count_nonzero(variances > least * variances.max(initial=0.0)))
    if rank == count:
        return Spectrum(variances, signed(vectors.T), residuals, total)
    known = vectors[:, :rank]
    vectors = np.hstack([known, orthonormal_completion(known, count - rank)])
    padding = np.zeros(count)
    padding[: len(variances)], variances = variances, padding
    padding = np.zeros(count)
    padding[: len(residuals)] = residuals
    return Spectrum(variances, signed(vectors.T), padding, total)


def _checked(found: Eigenpairs, covariance: Array, keep: int, centre: Centre) -> Spectrum:
    residuals = np.zeros(len(found.values))
    kept = found.vectors[:, :keep]
    left = covariance @ kept - kept * found.values[:keep]
    residuals[:keep] = np.linalg.norm(left, axis=0)
    least = 4.0 * _EPS * len(covariance)
    return _padded(found.values, found.vectors, residuals, centre.total, centre, least)


def _truncated(found: Eigenpairs, centre: Centre) -> Spectrum:
    scale = centre.divisor
    return Spectrum(
        found.values / scale,
        signed(found.vectors.T),
        found.residuals / scale,
        centre.total,
        found.following / scale,
        complete=False,
        passes=found.products + 1,
    )


def _least(found: Eigenpairs, m: int) -> Eigenpairs:
    """Of m rows no more than m components are told, and none has a negative variance."""
    values = np.maximum(found.values[:m], 0.0)
    return Eigenpairs(values, found.vectors[:, :m], found.residuals[:m], 0.0, 1, True)


def _eigh(matrix: Array) -> tuple[Array, Array]:
    """Eigenvalues, the largest first, and eigenvectors of a symmetric matrix."""
    if len(matrix) > _SMALL_MATRIX:
        values, vectors = interruptible(np.linalg.eigh, matrix)
    else:
        with one_blas_thread():
            values, vectors = interruptible(np.linalg.eigh, matrix)
    return values[::-1].copy(), vectors[:, ::-1]


def _centred_rows(table: Table, centre: Centre) -> Array:
    x = table.x.toarray() if table.is_sparse else table.x  # sparse: of small tables only
    rows = np.asarray(x, dtype=np.float64) - centre.mean
    if table.weights is not None:
        rows *= np.sqrt(table.weights)[:, np.newaxis]
    return rows
