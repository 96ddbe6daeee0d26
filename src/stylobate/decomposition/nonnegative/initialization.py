"""Where alternating fits of non-negative factors start."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.decomposition.nonnegative.table import NonnegativeTable
from stylobate.exceptions import InvalidParameterError
from stylobate.interrupts import interruptible
from stylobate.parallel import one_blas_thread
from stylobate.splits.splitter import generator

_LEAST = 1e-6  # entries of singular vectors below it are zeros
_OVERSAMPLES = 10


def initial_factors(
    table: NonnegativeTable, k: int, init: str | None, random_state: Any
) -> tuple[Array, Array]:
    """W (n × k) and F (p × k) by the method named, as scikit-learn draws them.

    Parameters
    ----------
    table : NonnegativeTable
        X.
    k : int
        Components.
    init : {"random", "nndsvd", "nndsvda", "nndsvdar"} or None
        None: "nndsvda" where X has as many rows and columns as components, else "random".
    random_state : int, RandomState or None
        Seed.

    References
    ----------
    Boutsidis & Gallopoulos (2008), SVD based initialization: a head start for nonnegative matrix
    factorization, Pattern Recognition 41.
    """
    most = min(table.shape)
    if init not in (None, "random") and k > most:
        raise InvalidParameterError(
            f"init = '{init}' can only be used when n_components <= min(n_samples, n_features); "
            f"here n_components={k} and min(n_samples, n_features)={most}."
        )
    if init is None:
        init = "nndsvda" if k <= most else "random"
    if init == "random":
        return _random(table, k, random_state)
    w, f = _nndsvd(*leading_singular_vectors(table, k, random_state))
    if init == "nndsvda":
        w[w == 0.0] = f[f == 0.0] = table.mean
    if init == "nndsvdar":
        draws = generator(random_state)
        for factor in (w, f):
            zeros = factor.T == 0.0 if factor is f else factor == 0.0
            drawn = np.abs(table.mean * draws.standard_normal(int(zeros.sum())) / 100.0)
            (factor.T if factor is f else factor)[zeros] = drawn
    return w, f


def _random(table: NonnegativeTable, k: int, random_state: Any) -> tuple[Array, Array]:
    n, p = table.shape
    size = np.sqrt(table.mean / k)
    draws = generator(random_state)
    kind = table.dtype  # rounded as the table is, so that single precision starts alike
    h = np.abs(size * draws.standard_normal((k, p)).astype(kind))
    w = np.abs(size * draws.standard_normal((n, k)).astype(kind))
    return np.ascontiguousarray(w, np.float64), np.ascontiguousarray(h.T, np.float64)


def leading_singular_vectors(
    table: NonnegativeTable, k: int, random_state: Any
) -> tuple[Array, Array, Array]:
    """U, σ and V (as columns) of the k largest singular values by randomised subspace iteration.

    The draws, the number of steps and the LU normalisation are scikit-learn's, so that starts agree
    with its starts to rounding.

    References
    ----------
    Halko, Martinsson & Tropp (2011), Finding structure with randomness, SIAM Review 53.
    """
    from scipy import linalg

    n, p = table.shape
    wide = n < p
    products = (table.row_products, table.column_products)
    times, back = products[::-1] if wide else products
    steps = 7 if k < 0.1 * min(n, p) else 4
    size = (n if wide else p, k + _OVERSAMPLES)
    block = np.asarray(generator(random_state).normal(size=size))

    def normalized(a: Array) -> Array:
        return np.ascontiguousarray(linalg.lu(a, permute_l=True, check_finite=False)[0])

    with one_blas_thread():
        for _ in range(steps):
            block = normalized(back(normalized(times(block))))
        basis = np.ascontiguousarray(
            interruptible(linalg.qr, times(block), mode="economic")[0], dtype=np.float64
        )
        right, sizes, left = interruptible(
            linalg.svd, back(basis), full_matrices=False, check_finite=False
        )
    u, v = basis @ left.T[:, :k], right[:, :k]
    return (v, sizes[:k], u) if wide else (u, sizes[:k], v)


def _nndsvd(u: Array, sizes: Array, v: Array) -> tuple[Array, Array]:
    """Of each pair of singular vectors the larger of its positive and its negative part."""
    w, f = np.zeros_like(u, order="C"), np.zeros_like(v, order="C")
    w[:, 0], f[:, 0] = np.sqrt(sizes[0]) * np.abs(u[:, 0]), np.sqrt(sizes[0]) * np.abs(v[:, 0])
    for j in range(1, len(sizes)):
        parts = []
        for sign in (1.0, -1.0):
            x, y = np.maximum(sign * u[:, j], 0.0), np.maximum(sign * v[:, j], 0.0)
            parts.append((float(np.linalg.norm(x) * np.linalg.norm(y)), x, y))
        size, x, y = parts[0] if parts[0][0] > parts[1][0] else parts[1]
        if size > 0.0:
            scale = np.sqrt(sizes[j] * size)
            w[:, j], f[:, j] = scale * x / np.linalg.norm(x), scale * y / np.linalg.norm(y)
    w[w < _LEAST] = 0.0
    f[f < _LEAST] = 0.0
    return w, f
