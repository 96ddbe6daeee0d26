"""Leading eigenpairs of a positive semidefinite matrix that is known by its products alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from stylobate.arrays import Array
from stylobate.interrupts import interruptible

_EPS = float(np.finfo(np.float64).eps)
_INDEPENDENT = 1e-3  # of the length of a column, at least what those before it leave of it
_COPIES = 1e-6  # of the largest eigenvalue, how near others may be that are taken for one
_CHEAP_PRODUCTS = 1500  # rows up to which a product costs less than a look at the eigenvalues
_MOSTLY = 0.1  # of a unit column, what has to be left for rounding errors to stay small
_MOST_TURNS = 5
MOST_BLOCK = 24  # directions multiplied together: more gain little, fewer read the rows too often


@dataclass(frozen=True, slots=True, eq=False)
class Eigenpairs:
    r"""Leading eigenpairs, the largest first.

    Parameters
    ----------
    values : array of shape (k,)
    vectors : array of shape (p, k)
        Orthonormal columns.
    residuals : array of shape (k,)
        :math:`\|Av - \lambda v\|` of each pair.
    following : float
        The largest value that is not among them, as far as it was seen.
    products : int
        How often the matrix was multiplied with a block.
    converged : bool
        Whether all residuals are below what was asked for.
    """

    values: Array
    vectors: Array
    residuals: Array
    following: float
    products: int
    converged: bool


class _Basis:
    """Orthonormal columns V and the projected matrix VᵀAV, which grow block by block."""

    def __init__(self, p: int, most_columns: int) -> None:
        self._room: Array = np.empty((p, min(most_columns, p)), order="F")
        self.projected: Array = np.empty((0, 0))

    @property
    def columns(self) -> Array:
        """V."""
        return self._room[:, : len(self.projected)]

    def extend(self, block: Array, image: Array) -> tuple[Array, Array]:
        """Take in a block and its image; what is left of the image: directions and sizes."""
        before, m = len(self.projected), len(self.projected) + block.shape[1]
        self._room[:, before:m] = block
        grown = np.empty((m, m))
        grown[:before, :before] = self.projected
        grown[:, before:] = overlap = self._room[:, :m].T @ image
        grown[before:, :before] = overlap[:before].T
        self.projected = (grown + grown.T) / 2.0
        return _orthonormal(image - self.columns @ overlap)

    def pairs(self) -> tuple[Array, Array]:
        """Eigenvalues of the projected matrix, the largest first, and its eigenvectors."""
        values, vectors = interruptible(np.linalg.eigh, self.projected)
        return values[::-1], vectors[:, ::-1]

    def thin(self, values: Array, vectors: Array, keep: int) -> None:
        """Keep the leading approximate eigenvectors alone."""
        self._room[:, :keep] = self.columns @ vectors[:, :keep]
        self.projected = np.diag(values[:keep])


def leading_eigenpairs(
    multiply: Callable[[Array], Array],
    start: Array,
    k: int,
    *,
    tol: float,
    most_products: int,
    indefinite: bool = False,
) -> Eigenpairs:
    r"""The k largest eigenpairs by block Krylov iteration (block Lanczos, thick restarts).

    The space spanned by :math:`Q, AQ, A^2Q, \ldots` is kept orthonormal; Rayleigh and Ritz's pairs
    of A in it are as good as any method that reads A as often. It ends once
    :math:`\|Av_j - \lambda_j v_j\| \le \text{tol}\cdot\lambda_1` for all k pairs. A space that
    grows from b directions holds at most b eigenvectors of one eigenvalue: where so many are seen
    and smaller values are wanted too, it grows again from twice as many.

    Parameters
    ----------
    multiply : callable
        :math:`Q \mapsto AQ`.
    start : array of shape (p, b), b >= 1
        First directions.
    k : int in [1, p]
        Pairs wanted.
    tol : float
        As above; never below some rounding errors.
    most_products : int
        After which the pairs are returned as they are.
    indefinite : bool, default=False
        Whether eigenvalues may be negative; else those below 0 are rounding errors of 0.

    Examples
    --------
    >>> import numpy as np
    >>> a = np.diag([5.0, 3.0, 1.0, 0.5])
    >>> start = np.random.default_rng(0).normal(size=(4, 2))
    >>> found = leading_eigenpairs(lambda q: a @ q, start, 2, tol=1e-12, most_products=9)
    >>> found.values.round(9), found.converged
    (array([5., 3.]), True)

    References
    ----------
    Musco & Musco (2015), Randomized block Krylov methods for stronger and faster approximate
    singular value decomposition, NeurIPS 28. Wu & Simon (2000), Thick-restart Lanczos method for
    large symmetric eigenvalue problems, SIAM J. Matrix Anal. Appl. 22.
    """
    found = _iterated(multiply, start, k, tol, most_products)
    products, (p, b) = found.products, start.shape
    draws = np.random.RandomState(0)
    while found.converged and b < p and _hides_copies(found.values[:-1], b):
        start = np.hstack([start, draws.normal(size=(p, min(b, p - b)))])
        found = _iterated(multiply, start, k, tol, max(most_products - products, 1))
        products, b = products + found.products, start.shape[1]
    least = -np.inf if indefinite else 0.0
    return replace(
        found,
        values=np.maximum(found.values, least),
        following=max(found.following, least),
        products=products,
    )


def _iterated(
    multiply: Callable[[Array], Array], start: Array, k: int, tol: float, most_products: int
) -> Eigenpairs:
    """The iteration from one block of directions."""
    p, b = start.shape
    tol = max(tol, 32.0 * _EPS)
    most_columns = max(4 * (k + b), 120)  # then the basis is thinned
    basis, block = _Basis(p, most_columns + b), interruptible(np.linalg.qr, start)[0]
    products, next_look = 0, 1
    while True:
        image = multiply(block)
        products += 1
        following, sizes = basis.extend(block, image)
        m = len(basis.projected)
        if products < min(next_look, most_products) and m + b <= min(most_columns, p):
            block = _fresh(following, basis.columns)
            continue
        values, vectors = basis.pairs()
        residuals = np.linalg.norm(sizes @ vectors[-block.shape[1] :], axis=0)
        small = tol * float(np.abs(values).max())
        done = m >= k and bool((residuals[:k] <= small).all())
        if done or m >= p or products >= most_products:
            break
        if m + b > most_columns:
            basis.thin(values, vectors, k + b)
        elif m >= k and p <= _CHEAP_PRODUCTS and small > 0.0:
            next_look = products + _products_to_wait(
                residuals[:k].max() * tol / small, tol, products
            )
        block = _fresh(following[:, : p - basis.columns.shape[1]], basis.columns)
    return Eigenpairs(
        values[:k],
        basis.columns @ vectors[:, :k],
        residuals[:k],
        float(values[k]) if m > k else 0.0,
        products,
        done or m >= p,
    )


def _products_to_wait(residual: float, tol: float, products: int) -> int:
    """Half of the products that are still to come, if relative residuals fall on as they did."""
    fallen = float(np.log(min(max(residual, tol), 0.5)) / np.log(tol))
    return int(np.clip(0.5 * products * (1.0 / fallen - 1.0), 1, 6))


def first_block(draws: np.random.RandomState, p: int, k: int) -> Array:
    """Random directions to start from, somewhat more than k or a block of good size."""
    return draws.normal(size=(p, min(k + 6, MOST_BLOCK, p)))


def _fresh(block: Array, columns: Array) -> Array:
    """Unit columns made orthogonal to others again, once more where little is left of one.

    What is left of a direction that lies among the others (of a matrix of low rank all do at last)
    is rounding, and rounding points anywhere: only what was mostly orthogonal stays so.
    """
    for _ in range(_MOST_TURNS):
        block, left = _orthonormal(block - columns @ (columns.T @ block))
        if np.abs(np.diagonal(left)).min(initial=1.0) > _MOSTLY:
            break
    return block


def _orthonormal(block: Array) -> tuple[Array, Array]:
    """Q and R with QR the block: by Cholesky where columns are far from dependent."""
    gram = block.T @ block
    lengths = np.sqrt(np.diagonal(gram))
    if lengths.size and lengths.min() > 0.0:
        try:
            factor = np.linalg.cholesky(gram / np.outer(lengths, lengths))
        except np.linalg.LinAlgError:
            return interruptible(np.linalg.qr, block)
        if np.diagonal(factor).min() > _INDEPENDENT:
            return np.asarray(
                block @ np.linalg.inv(factor * lengths[:, None]).T
            ), factor.T * lengths
    return interruptible(np.linalg.qr, block)


def _hides_copies(values: Array, seen: int) -> bool:
    """Whether `seen` neighbours among the values, the largest first, are one."""
    if seen > len(values):
        return False
    spreads = values[: len(values) - seen + 1] - values[seen - 1 :]
    return bool(spreads.min() <= _COPIES * float(np.abs(values).max()))


def orthonormal_completion(vectors: Array, count: int) -> Array:
    """Columns (p × count) that are orthonormal and orthogonal to those given.

    >>> import numpy as np
    >>> np.abs(orthonormal_completion(np.eye(3)[:, :2], 1)).ravel().round(12)
    array([0., 0., 1.])
    """
    start = np.random.RandomState(0).normal(size=(vectors.shape[0], count))
    for _ in range(3):
        start = _fresh(start, vectors)
    return start
