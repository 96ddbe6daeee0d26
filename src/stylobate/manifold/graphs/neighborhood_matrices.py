"""Matrices whose smallest eigenvectors keep what is linear in each neighbourhood.

Each is a sum over rows of a small matrix of its neighbours; all small ones are computed together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stylobate.arrays import Array, Integers
from stylobate.exceptions import InvalidParameterError
from stylobate.manifold.graphs.barycenters import barycenter_weights, row_blocks

_MODIFIED_REG = 1e-3  # of the paper, whatever `reg` is


def standard_matrix(x: Array, near: Integers, reg: float) -> Any:
    r""":math:`(I - W)^T (I - W)` with the barycentric weights W."""
    from scipy.sparse import csr_array, eye_array

    n, k = near.shape
    weights = barycenter_weights(x, x, near, reg)
    graph = csr_array((weights.ravel(), near.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
    left = csr_array(eye_array(n) - graph)
    return csr_array(left.T @ left)


def tangent_matrix(x: Array, near: Integers, d: int) -> Any:
    """Local tangent space alignment: what the d main directions of each neighbourhood leave."""
    k = near.shape[1]
    _require(k >= d, f"method='ltsa' needs n_neighbors >= n_components; got {k} and {d}.")

    def local(rows: slice) -> Array:
        basis = np.concatenate(
            [np.full((rows.stop - rows.start, k, 1), k**-0.5), _directions(x, near[rows], d)],
            axis=2,
        )
        return np.asarray(np.eye(k) - basis @ basis.transpose(0, 2, 1))

    return _assembled(near, local, x.shape[1])


def hessian_matrix(x: Array, near: Integers, d: int, tol: float) -> Any:
    """Hessian eigenmaps: estimates of the second derivatives in tangent coordinates."""
    k, squares = near.shape[1], d * (d + 1) // 2
    _require(
        k > d + squares,
        "for method='hessian', n_neighbors must be greater than [n_components * (n_components + 3) "
        f"/ 2]; got {k} and n_components={d}.",
    )
    upper = np.triu_indices(d)

    def local(rows: slice) -> Array:
        u = _directions(x, near[rows], d)
        ones = np.ones((len(u), k, 1))
        design = np.concatenate([ones, u, u[:, :, upper[0]] * u[:, :, upper[1]]], axis=2)
        q = np.linalg.qr(design, mode="complete")[0][:, :, d + 1 :]
        sums = q.sum(axis=1)
        q = q / np.where(np.abs(sums) < tol, 1.0, sums)[:, np.newaxis, :]
        return q @ q.transpose(0, 2, 1)

    return _assembled(near, local, x.shape[1])


def modified_matrix(x: Array, near: Integers, d: int, tol: float) -> Any:
    """Modified locally linear embedding: several weights of each neighbourhood, not one."""
    k, n = near.shape[1], len(near)
    _require(k >= d, "modified LLE requires n_neighbors >= n_components")
    vectors, values = np.empty((n, k, k)), np.empty((n, min(k, x.shape[1])))
    for rows in row_blocks(n, k * (k + x.shape[1])):
        apart = x[near[rows]] - x[rows, np.newaxis, :]
        vectors[rows], sizes, _ = np.linalg.svd(apart, full_matrices=True)
        values[rows] = sizes**2
    weights = _regular_weights(vectors, values)
    counts = _null_counts(values, d) + k - values.shape[1]
    block = np.zeros((n, k + 1, k + 1))  # the last is the row itself
    for s in np.unique(counts):
        some = np.flatnonzero(counts == s)
        w = _several_weights(vectors[some][:, :, k - s :], weights[some], tol)
        block[some, :k, :k] = w @ w.transpose(0, 2, 1)
        block[some, k, :k] = block[some, :k, k] = -w.sum(axis=2)
        block[some, k, k] = s
    with_itself = np.column_stack([near, np.arange(n)])
    return _assembled(with_itself, lambda rows: block[rows], x.shape[1])


def _regular_weights(vectors: Array, values: Array) -> Array:
    """The weights of locally linear embedding, from the eigenvectors of each neighbourhood."""
    n, k = vectors.shape[:2]
    spread = np.zeros((n, k))
    spread[:, : values.shape[1]] = values
    spread += _MODIFIED_REG * values.sum(axis=1, keepdims=True)
    along = vectors.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = (vectors @ (along / spread)[:, :, np.newaxis])[:, :, 0]
    weights[values.sum(axis=1) <= 0.0] = 1.0  # all neighbours are where the row is
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _null_counts(values: Array, d: int) -> Integers:
    """How many eigenvalues of each neighbourhood are almost 0, by the median of their ratios."""
    tiny = np.finfo(np.float64).tiny
    ratios = values[:, d:].sum(axis=1) / np.maximum(values[:, :d].sum(axis=1), tiny)
    limit = np.median(ratios)
    sums = np.cumsum(values, axis=1)
    tails = sums[:, -1:] / np.maximum(sums[:, :-1], tiny) - 1.0
    return np.asarray((tails < limit).sum(axis=1), dtype=np.int64)


def _several_weights(null: Array, weights: Array, tol: float) -> Array:
    """Weights of each neighbourhood, one for every vector of its null space."""
    s = null.shape[2]
    if s == 0:
        return null
    sums = null.sum(axis=1)
    alpha = np.linalg.norm(sums, axis=1) / s**0.5
    h = alpha[:, np.newaxis] - sums
    sizes = np.linalg.norm(h, axis=1, keepdims=True)
    h = np.where(sizes < tol, 0.0, h / np.where(sizes < tol, 1.0, sizes))
    turned = null - 2.0 * (null @ h[:, :, np.newaxis]) * h[:, np.newaxis, :]
    return np.asarray(turned + ((1.0 - alpha)[:, np.newaxis] * weights)[:, :, np.newaxis])


def _directions(x: Array, near: Integers, d: int) -> Array:
    """The d main directions of each neighbourhood's differences from its mean, as k-vectors."""
    rows = x[near]
    rows = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(np.linalg.svd(rows, full_matrices=False)[0][:, :, :d])


def _assembled(near: Integers, local: Callable[[slice], Array], columns: int) -> Any:
    """The sum of the small matrices, each at its neighbours' rows and columns."""
    from scipy.sparse import coo_array, csr_array

    n, k = near.shape
    total = csr_array((n, n))
    for part in row_blocks(n, k * (k + columns)):
        some = near[part]
        shape = (len(some), k, k)
        rows = np.broadcast_to(some[:, :, np.newaxis], shape).ravel()
        cols = np.broadcast_to(some[:, np.newaxis, :], shape).ravel()
        total = total + csr_array(coo_array((local(part).ravel(), (rows, cols)), shape=(n, n)))
    return total


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise InvalidParameterError(f"LocallyLinearEmbedding: {message}")
