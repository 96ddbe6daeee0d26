"""The nearest row of every row, without a matrix of distances."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.distances import Function, Precomputed, metric_of
from stylobate.exceptions import InvalidParameterError
from stylobate.metrics.pairwise.dispatch import measured_by, pairwise_distances


def pairwise_distances_argmin_min(
    X: Any,
    Y: Any,
    *,
    axis: int = 1,
    metric: str | Callable[..., float] = "euclidean",
    metric_kwargs: Mapping[str, Any] | None = None,
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """The nearest row of Y for every row of X, and its distance; the first of equal ones.

    Parameters
    ----------
    X : table-like of shape (n, p)
        Queries; sparse where the metric takes sparse tables.
    Y : table-like of shape (m, p)
        Rows.
    axis : {0, 1}, default=1
        0 looks for the nearest row of X for every row of Y.
    metric : str or callable, default="euclidean"
        As for `pairwise_distances`.
    metric_kwargs : mapping, default=None
        Parameters of the metric.

    Returns
    -------
    argmin : ndarray of int
        The nearest rows.
    distances : ndarray of float
        Their distances.

    Examples
    --------
    >>> pairwise_distances_argmin_min([[0, 0], [1, 1]], [[1, 0], [1, 1]])
    (array([0, 1]), array([1., 0.]))
    """
    owner = "pairwise_distances_argmin_min"
    if axis not in (0, 1):
        raise InvalidParameterError(f"{owner}: axis must be 0 or 1, got {axis!r}.")
    a, b = (X, Y) if axis == 1 else (Y, X)
    made = metric_of(metric, metric_kwargs, owner)
    if isinstance(made, Function | Precomputed):
        matrix = pairwise_distances(a, b, made)
        nearest = matrix.argmin(axis=1)
        return nearest, matrix[np.arange(len(nearest)), nearest]
    values, rows = measured_by(a, b, made, owner).nearest(1)
    return rows[:, 0], values[:, 0]


def pairwise_distances_argmin(
    X: Any,
    Y: Any,
    *,
    axis: int = 1,
    metric: str | Callable[..., float] = "euclidean",
    metric_kwargs: Mapping[str, Any] | None = None,
) -> NDArray[np.int64]:
    """The nearest row of Y for every row of X; the first of equal ones.

    Parameters
    ----------
    X : table-like of shape (n, p)
        Queries; sparse where the metric takes sparse tables.
    Y : table-like of shape (m, p)
        Rows.
    axis : {0, 1}, default=1
        0 looks for the nearest row of X for every row of Y.
    metric : str or callable, default="euclidean"
        As for `pairwise_distances`.
    metric_kwargs : mapping, default=None
        Parameters of the metric.

    Returns
    -------
    ndarray of int

    Examples
    --------
    >>> pairwise_distances_argmin([[0, 0], [1, 1]], [[1, 0], [1, 1]])
    array([0, 1])
    """
    return pairwise_distances_argmin_min(
        X, Y, axis=axis, metric=metric, metric_kwargs=metric_kwargs
    )[0]
