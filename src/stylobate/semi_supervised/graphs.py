"""The two matrices by which labels travel: chances of a random walk, and a symmetric version."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.sparse import is_sparse
from stylobate.semi_supervised.weights_of_pairs import TiledWeights


def transition_matrix(weights: Any) -> Any:
    r""":math:`D^{-1} W` with the sums of W's rows in D: chances of a walk from row to row.

    Examples
    --------
    >>> transition_matrix(np.array([[1.0, 1.0], [2.0, 6.0]]))
    array([[0.5 , 0.5 ],
           [0.25, 0.75]])
    """
    shares = _inverse(_sums(weights, axis=1))
    return _scaled(weights, shares, np.ones_like(shares))


def normalized_adjacency(weights: Any) -> Any:
    r""":math:`D^{-1/2} W D^{-1/2}` without loops: the diagonal is 0 and counts in no sum of D.

    D has sums of columns, as scikit-learn's, which matters for neighbours that are not mutual.

    Examples
    --------
    >>> normalized_adjacency(np.array([[1.0, 4.0], [4.0, 1.0]]))
    array([[0., 1.],
           [1., 0.]])
    """
    loops = _diagonal(weights)
    roots = np.sqrt(_inverse(_sums(weights, axis=0) - loops, alone=1.0))
    return _scaled(weights, roots, roots, loops)


def _sums(weights: Any, axis: int) -> Array:
    if isinstance(weights, TiledWeights):  # symmetric
        return np.ravel(weights @ np.ones(weights.shape[0]))
    return np.ravel(np.asarray(weights.sum(axis=axis), dtype=np.float64))


def _diagonal(weights: Any) -> Array:
    if isinstance(weights, TiledWeights):
        return np.ones(weights.shape[0])
    return np.asarray(weights.diagonal(), dtype=np.float64)


def _inverse(sums: Array, alone: float = 0.0) -> Array:
    """1/sums, and `alone` for rows without a neighbour."""
    some = sums > 0.0
    return np.where(some, 1.0 / np.where(some, sums, 1.0), alone)


def _scaled(weights: Any, left: Array, right: Array, loops: Array | None = None) -> Any:
    """diag(left) (W − diag(loops)) diag(right): as a matrix, or as an operator for tiles."""
    if isinstance(weights, TiledWeights):
        return _operator(weights, left, right, loops)
    from scipy.sparse import diags_array

    if is_sparse(weights):
        inner = weights if loops is None else weights - diags_array(loops)
        return (diags_array(left) @ inner @ diags_array(right)).tocsr()
    scaled: Array = weights * left[:, None] * right
    if loops is not None:
        np.fill_diagonal(scaled, 0.0)
    return scaled


def _operator(weights: TiledWeights, left: Array, right: Array, loops: Array | None) -> Any:
    from scipy.sparse.linalg import LinearOperator

    def product(values: Array) -> Array:
        columns = right[:, None] * values.reshape(len(right), -1)
        through = weights @ columns
        if loops is not None:
            through -= loops[:, None] * columns
        return np.asarray((left[:, None] * through).reshape(values.shape))

    return LinearOperator(weights.shape, matvec=product, matmat=product, dtype=np.float64)
