"""Isotonic regression of a sequence: pool adjacent violators."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import read_table, read_weights
from stylobate.exceptions import InvalidDataError


def isotonic_regression(
    y: Any,
    *,
    sample_weight: Any = None,
    y_min: float | None = None,
    y_max: float | None = None,
    increasing: bool = True,
) -> NDArray[Any]:
    r"""The increasing (or decreasing) sequence nearest to y.

    .. math:: \min_\theta \sum_i w_i (y_i - \theta_i)^2 \quad\text{with}\quad
              \theta_1 \le \theta_2 \le … \le \theta_n,\; y_{min} \le \theta \le y_{max}

    by pooling adjacent violators, in time linear in n.

    Parameters
    ----------
    y : array-like of shape (n,)
        The sequence.
    sample_weight : array-like of shape (n,), optional
        Positive weights.
    y_min, y_max : float, optional
        Bounds of the answer.
    increasing : bool, default=True
        Whether it increases or decreases.

    Returns
    -------
    array of shape (n,)
        Single precision if y is, else double.

    Examples
    --------
    >>> isotonic_regression([5, 3, 1, 2, 8, 10, 7, 9, 6, 4]).round(2)
    array([2.75, 2.75, 2.75, 2.75, 7.33, 7.33, 7.33, 7.33, 7.33, 7.33])

    References
    ----------
    Best & Chakravarti (1990), Active set algorithms for isotonic regression, Mathematical
    Programming 47.
    """
    owner = "isotonic_regression"
    column = read_column(y, owner, "y")
    values = column.astype(np.float64)
    weights = read_weights(sample_weight, len(values), owner=owner)
    if weights is not None and not (weights > 0).all():
        raise InvalidDataError(
            f"{owner}: sample_weight must be greater than zero, and {np.sum(weights <= 0)} of "
            f"{len(weights)} are not; leave out rows of weight 0."
        )
    return nearest_increasing(values, weights, y_min, y_max, increasing=increasing).astype(
        column.dtype, copy=False
    )


def nearest_increasing(
    y: Array,
    weights: Array | None,
    low: float | None,
    high: float | None,
    *,
    increasing: bool = True,
) -> Array:
    """The answer for numbers that were checked before."""
    order = slice(None) if increasing else slice(None, None, -1)
    ordered = None if weights is None else np.ascontiguousarray(weights[order])
    fitted = np.asarray(_core.isotonic(np.ascontiguousarray(y[order]), ordered))[order]
    if low is not None or high is not None:  # the bounded answer is the free one, cut off
        fitted = np.clip(fitted, low, high)
    return np.ascontiguousarray(fitted)


def read_column(values: Any, owner: str, name: str) -> NDArray[Any]:
    """One column of finite numbers, of shape (n,) or (n, 1), in single or double precision."""
    if hasattr(values, "tocsr"):
        read_table(values, owner=owner, accept_sparse=False)  # which refuses it
    if not hasattr(values, "columns"):
        values = np.asarray(values)
        values = values.reshape(-1, 1) if values.ndim == 1 else values
    if len(np.shape(values)) != 2 or np.shape(values)[1] != 1:
        raise InvalidDataError(
            f"{owner}: Isotonic regression input {name} should be a 1d array or 2d array with 1 "
            f"feature, got shape {np.shape(values)}."
        )
    table = read_table(values, owner=owner, accept_sparse=False)
    return np.asarray(table.x)[:, 0]
