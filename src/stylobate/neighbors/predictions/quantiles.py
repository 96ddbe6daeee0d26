"""Weighted medians and quantiles of neighbours' targets, many rows at once."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array, Mask

_ROUNDING = 1e-12  # of a sum of weights: that share of it counts as reached


def weighted_quantiles(targets: Array, weights: Array, level: float) -> Array:
    r"""The number that minimises the weighted pinball loss of each row of targets.

    Where all numbers between two targets do, their mean: with equal weights and level ½ that is
    the usual median.

    Parameters
    ----------
    targets : array of shape (n, k)
        Targets of the k neighbours of each row.
    weights : array of shape (n, k)
        Not negative; 0 for neighbours that take no part.
    level : float in [0, 1]
        Of the quantile.

    Returns
    -------
    array of shape (n,)
        NaN where all weights are 0.

    Examples
    --------
    >>> targets = np.array([[1.0, 3.0, 10.0], [1.0, 3.0, 10.0]])
    >>> weighted_quantiles(targets, np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 2.0]]), 0.5)
    array([3. , 6.5])
    """
    order = np.argsort(targets, axis=1, kind="stable")
    values = np.take_along_axis(targets, order, axis=1)
    shares = np.take_along_axis(weights, order, axis=1)
    reached = np.cumsum(shares, axis=1)
    total = reached[:, -1]
    aim = level * total
    slack = _ROUNDING * total
    counts = shares > 0.0
    low = _first(counts & (reached >= (aim - slack)[:, None]), values)
    # the next one that takes part, where the level is reached exactly
    high = _first(counts & (reached > (aim + slack)[:, None]), values)
    high = np.where(np.isnan(high), low, high)
    return np.where(total > 0.0, 0.5 * (low + high), np.nan)


def _first(where: Mask, values: Array) -> Array:
    """The first value of each row where something holds; NaN if nowhere."""
    place = np.argmax(where, axis=1)
    rows = np.arange(len(values))
    return np.where(where[rows, place], values[rows, place], np.nan)
