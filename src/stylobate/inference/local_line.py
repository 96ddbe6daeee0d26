"""A smooth line through points: local straight lines."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array


def local_line(
    x: Array, y: Array, *, share: float = 2 / 3, points: int = 60
) -> tuple[Array, Array] | None:
    r"""Local linear regression with tricube weights, without robustness steps.

    At each point the nearest share of the points is weighted by
    :math:`(1 - |x - x_i|^3/d^3)^3`, d being the distance of the farthest of them, and a straight
    line is fitted.

    Parameters
    ----------
    x, y : arrays of shape (n,)
        Finite numbers.
    share : float in (0, 1], default=2/3
        Of the points looked at for each one of the line.
    points : int, default=60
        Of the line.

    Returns
    -------
    tuple of two arrays, or None where x has fewer than four different values

    Examples
    --------
    >>> x = np.arange(10.0)
    >>> across, line = local_line(x, 2 * x + 1)
    >>> bool(np.allclose(line, 2 * across + 1))
    True

    References
    ----------
    Cleveland (1979), Robust locally weighted regression and smoothing scatterplots, JASA 74.
    """
    if len(x) < 5 or len(np.unique(x)) < 4:
        return None
    grid = np.linspace(x.min(), x.max(), points)
    near = max(int(np.ceil(share * len(x))), 3)
    line = np.empty(points)
    for k, at in enumerate(grid):
        distance = np.abs(x - at)
        reach = np.partition(distance, near - 1)[near - 1]
        weight = np.maximum(1.0 - (distance / max(reach, 1e-300)) ** 3, 0.0) ** 3
        weight /= max(weight.sum(), 1e-300)
        centre, height = weight @ x, weight @ y
        spread = weight @ (x - centre) ** 2
        slope = weight @ ((x - centre) * (y - height)) / spread if spread > 0 else 0.0
        line[k] = height + slope * (at - centre)
    return grid, line
