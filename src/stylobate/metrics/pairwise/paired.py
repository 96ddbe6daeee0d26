"""Distances row by row: the first row of X to the first of Y, and so on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.sparse import is_sparse
from stylobate.distances.directions import row_norms, unit_rows
from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.pairwise.arrays import check_paired_arrays


def paired_euclidean_distances(X: Any, Y: Any) -> NDArray[Any]:
    """Euclidean distances, row by row.

    Parameters
    ----------
    X, Y : table-like of shape (n, p)
        Dense or sparse.

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> paired_euclidean_distances([[0, 0], [1, 1]], [[3, 4], [1, 1]])
    array([5., 0.])
    """
    x, y = check_paired_arrays(X, Y)
    return row_norms(x - y)


def paired_manhattan_distances(X: Any, Y: Any) -> NDArray[Any]:
    """City-block distances, row by row.

    Parameters
    ----------
    X, Y : table-like of shape (n, p)
        Dense or sparse.

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> paired_manhattan_distances([[0, 0], [1, 1]], [[3, 4], [1, 1]])
    array([7., 0.])
    """
    x, y = check_paired_arrays(X, Y)
    return np.asarray(abs(x - y).sum(axis=1)).ravel()


def paired_cosine_distances(X: Any, Y: Any) -> NDArray[Any]:
    """Half the squared distances of the directions, row by row.

    Parameters
    ----------
    X, Y : table-like of shape (n, p)
        Dense or sparse.

    Returns
    -------
    ndarray of shape (n,)
        One minus the cosine; ½ where one row is zero, as in scikit-learn.

    Examples
    --------
    >>> paired_cosine_distances([[1, 0], [1, 1]], [[0, 2], [3, 3]]).round(12)
    array([1., 0.])
    """
    x, y = check_paired_arrays(X, Y)
    return np.asarray(0.5 * row_norms(unit_rows(x)[0] - unit_rows(y)[0]) ** 2)


PAIRED: dict[str, Callable[[Any, Any], NDArray[Any]]] = {
    "cityblock": paired_manhattan_distances,
    "cosine": paired_cosine_distances,
    "euclidean": paired_euclidean_distances,
    "l1": paired_manhattan_distances,
    "l2": paired_euclidean_distances,
    "manhattan": paired_manhattan_distances,
}


def paired_distances(
    X: Any, Y: Any, *, metric: str | Callable[..., float] = "euclidean", **kwds: Any
) -> NDArray[Any]:
    """Distances of the first row of X to the first of Y, and so on.

    Parameters
    ----------
    X, Y : table-like of shape (n, p)
        Dense or sparse.
    metric : str or callable, default="euclidean"
        cityblock, cosine, euclidean, l1, l2, manhattan, or a function of two rows.
    **kwds
        Accepted for compatibility.

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> paired_distances([[0, 1], [1, 1]], [[0, 1], [2, 1]])
    array([0., 1.])
    """
    if isinstance(metric, str):
        if metric not in PAIRED:
            raise InvalidParameterError(
                "paired_distances: metric must be a function or one of "
                f"{', '.join(sorted(PAIRED))}; got {metric!r}."
            )
        return PAIRED[metric](X, Y)
    x, y = check_paired_arrays(X, Y)
    rows = range(x.shape[0])
    if is_sparse(x):
        return np.array([metric(x[[i]], y[[i]]) for i in rows])
    return np.array([metric(x[i], y[i]) for i in rows])
