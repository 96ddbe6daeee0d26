"""Small computations that estimators of your own may need."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data.sparse import is_sparse


def safe_sparse_dot(a: Any, b: Any, *, dense_output: bool = False) -> Any:
    """The product of two matrices, sparse or not.

    Parameters
    ----------
    a, b : array or sparse matrix
        Factors.
    dense_output : bool, default=False
        Whether a sparse product is spread out.

    Examples
    --------
    >>> safe_sparse_dot(np.eye(2), np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[1., 2.],
           [3., 4.]])
    """
    product = a @ b
    return product.toarray() if dense_output and is_sparse(product) else product


def row_norms(X: Any, squared: bool = False) -> Array:
    """Euclidean lengths of rows.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, p)
        Rows.
    squared : bool, default=False
        Whether to give their squares.

    Examples
    --------
    >>> row_norms(np.array([[3.0, 4.0]]))
    array([5.])
    """
    if is_sparse(X):
        squares = np.asarray(X.multiply(X).sum(axis=1)).ravel()
    else:
        rows = np.asarray(X)
        squares = np.einsum("ij,ij->i", rows, rows)
    return squares if squared else np.sqrt(squares)


def squared_norm(x: Any) -> float:
    """The sum of squares of all entries.

    Parameters
    ----------
    x : array
        Numbers.

    Examples
    --------
    >>> squared_norm([3.0, 4.0])
    25.0
    """
    flat = np.ravel(np.asarray(x), order="K")
    return float(flat @ flat)


def softmax(X: Any, copy: bool = True) -> Array:
    r"""Rows as probabilities: :math:`e^{x_j} / \sum_k e^{x_k}`, without overflow.

    Parameters
    ----------
    X : array of shape (n, k)
        Scores.
    copy : bool, default=True
        False: X itself may be written to.

    Examples
    --------
    >>> softmax(np.array([[0.0, 0.0]]))
    array([[0.5, 0.5]])
    """
    kind = None if np.asarray(X).dtype.kind == "f" else np.float64
    scores = np.array(X, dtype=kind, copy=copy or None)
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=1, keepdims=True)
    return scores


def fast_logdet(A: Any) -> float:
    """The logarithm of a determinant; −∞ where it is not positive.

    Parameters
    ----------
    A : array of shape (n, n)
        A matrix.

    Examples
    --------
    >>> bool(np.isclose(fast_logdet(np.eye(3) * 2.0), 3 * np.log(2.0)))
    True
    """
    sign, value = np.linalg.slogdet(np.asarray(A))
    return float(value) if sign > 0 else float("-inf")


def density(w: Any) -> float:
    """The share of entries that are not zero.

    Parameters
    ----------
    w : array or sparse matrix
        Numbers.

    Examples
    --------
    >>> density([0.0, 1.0])
    0.5
    """
    if is_sparse(w):
        return float(w.nnz / (w.shape[0] * w.shape[1]))
    values = np.asarray(w)
    return float(np.count_nonzero(values) / values.size)


def cartesian(arrays: Any, out: Any = None) -> Array:
    """All combinations of one value of each array, the last one moving fastest.

    Parameters
    ----------
    arrays : sequence of arrays
        Values.
    out : array, optional
        Where to put them.

    Examples
    --------
    >>> cartesian([[1, 2], [4, 5]])
    array([[1, 4],
           [1, 5],
           [2, 4],
           [2, 5]])
    """
    values = [np.asarray(each) for each in arrays]
    grid = np.stack(np.meshgrid(*values, indexing="ij"), axis=-1).reshape(-1, len(values))
    if out is None:
        return grid
    out[...] = grid
    return np.asarray(out)


def stable_cumsum(
    arr: Any, axis: int | None = None, rtol: float = 1e-5, atol: float = 1e-8
) -> Array:
    """Running sums in double precision, with a warning where the last one is not the sum.

    Parameters
    ----------
    arr : array
        Numbers.
    axis : int, optional
        Along which; None: of all.
    rtol, atol : float
        How near the last one must be to the sum.

    Examples
    --------
    >>> stable_cumsum([1, 2, 3])
    array([1., 3., 6.])
    """
    import warnings

    from stylobate.exceptions import StylobateWarning

    out = np.cumsum(np.asarray(arr), axis=axis, dtype=np.float64)
    total = np.sum(np.asarray(arr), axis=axis, dtype=np.float64)
    last = out.take(-1, axis=axis) if out.size else total
    if not np.allclose(last, total, rtol=rtol, atol=atol, equal_nan=True):
        warnings.warn(
            "cumsum was found to be unstable: its last element does not correspond to sum",
            StylobateWarning,
            stacklevel=2,
        )
    return out


def weighted_mode(a: Any, w: Any, *, axis: int = 0) -> tuple[Array, Array]:
    """The value with the largest sum of weights along an axis; the smallest of several.

    Parameters
    ----------
    a : array
        Values.
    w : array or number
        Their weights.
    axis : int, default=0
        Along which.

    Returns
    -------
    values, weights : arrays

    Examples
    --------
    >>> weighted_mode([4, 1, 4, 2, 4, 2], [1, 3, 0.5, 1.5, 1, 2])
    (array([2.]), array([3.5]))
    """
    values = np.asarray(a)
    weights = np.broadcast_to(np.asarray(w, dtype=np.float64), values.shape)
    best, most = None, None
    for value in np.unique(values):
        sums = np.where(values == value, weights, 0.0).sum(axis=axis, keepdims=True)
        if best is None or most is None:
            best, most = np.full(sums.shape, value, dtype=np.float64), sums
        else:
            more = sums > most
            best, most = np.where(more, value, best), np.where(more, sums, most)
    assert best is not None
    assert most is not None
    return (best.ravel(), most.ravel()) if values.ndim == 1 else (best, most)
