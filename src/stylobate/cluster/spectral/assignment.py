"""From rows of eigenvectors to clusters, without starts: a rotation near to indicators."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base.randomness import stream_of
from stylobate.parallel import one_blas_thread


def cluster_qr(vectors: Any) -> NDArray[np.int64]:
    """Clusters from the rows of eigenvectors that a pivoted QR factorisation picks.

    Parameters
    ----------
    vectors : array-like of shape (n, k)
        Eigenvectors of a graph.

    Returns
    -------
    ndarray of shape (n,)

    References
    ----------
    Damle, Minden & Ying (2019), Simple, direct and efficient multi-way spectral clustering.

    Examples
    --------
    >>> cluster_qr([[1.0, 0.1], [0.9, 0.0], [0.0, 1.0]])
    array([0, 0, 1])
    """
    from scipy.linalg import qr, svd

    v = np.asarray(vectors)
    k = v.shape[1]
    with one_blas_thread():
        pivots = qr(v.T, mode="r", pivoting=True)[1]
        left, _, right = svd(v[pivots[:k]].T)
        return np.asarray(np.abs(v @ (left @ right)).argmax(axis=1))


def discretize(
    vectors: Any,
    *,
    copy: bool = True,
    max_svd_restarts: int = 30,
    n_iter_max: int = 20,
    random_state: Any = None,
) -> NDArray[np.int64]:
    """The indicators of clusters nearest to a rotation of the eigenvectors.

    Rows are scaled to length 1; indicators and the rotation are improved in turns.

    Parameters
    ----------
    vectors : array-like of shape (n, k)
        Eigenvectors of a graph.
    copy : bool, default=True
        Accepted for compatibility; the vectors are never written to.
    max_svd_restarts : int, default=30
        Starts from another row, should a decomposition fail.
    n_iter_max : int, default=20
        Most turns from a start.
    random_state : int, RandomState, Generator or None, default=None
        Of the row the first axis is taken from.

    Returns
    -------
    ndarray of shape (n,)

    References
    ----------
    Yu & Shi (2003), Multiclass spectral clustering.

    Examples
    --------
    >>> found = discretize([[1.0, 0.1], [0.9, 0.0], [0.0, 1.0]], random_state=0)
    >>> bool(found[0] == found[1] != found[2])
    True
    """
    draws = stream_of(random_state)
    rows = _unit_rows(np.asarray(vectors, dtype=np.float64))
    for _ in range(max_svd_restarts):
        try:
            return _rotated(rows, _first_axes(rows, draws.randint(len(rows))), n_iter_max)
        except np.linalg.LinAlgError:
            continue
    raise np.linalg.LinAlgError("SVD did not converge; are all eigenvectors finite?")


def _unit_rows(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=0)
    columns = vectors / np.where(lengths > 0.0, lengths, 1.0)
    signs = np.where(columns[0] > 0.0, -1.0, 1.0)
    norms = np.linalg.norm(columns, axis=1, keepdims=True)
    return np.asarray(columns * signs / np.where(norms > 0.0, norms, 1.0))


def _first_axes(rows: Array, first: int) -> Array:
    """Rows as far from each other's directions as can be, as axes."""
    k = rows.shape[1]
    axes = np.zeros((k, k))
    axes[:, 0] = rows[first]
    along = np.zeros(len(rows))
    for j in range(1, k):
        along += np.abs(rows @ axes[:, j - 1])
        axes[:, j] = rows[along.argmin()]
    return axes


def _rotated(rows: Array, rotation: Array, n_iter_max: int) -> NDArray[np.int64]:
    n, k = rows.shape
    before = 0.0
    for _ in range(n_iter_max + 1):
        labels = (rows @ rotation).argmax(axis=1)
        sums = np.zeros((k, k))
        np.add.at(sums, labels, rows)
        left, values, right = np.linalg.svd(sums)
        cost = 2.0 * (n - values.sum())
        if abs(cost - before) < np.finfo(np.float64).eps:
            break
        before, rotation = cost, right.T @ left.T
    return np.asarray(labels)
