"""The curve of memberships in the map: how near two points of it count as neighbours."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError

_POINTS = 300  # at which the curves are compared
_STEPS = 200  # of the least-squares fit, which takes about ten
_TOLERANCE = 1e-12  # relative fall of the squares at which it ends


def membership_curve(min_dist: float, spread: float = 1.0) -> tuple[float, float]:
    r"""a and b of the smooth curve nearest to "full up to ``min_dist``, then fading".

    .. math::

        \min_{a,b} \sum_d \left(\frac{1}{1 + a\,d^{2b}} - \psi(d)\right)^2, \qquad
        \psi(d) = \begin{cases} 1 & d \le \text{min\_dist} \\
        e^{-(d - \text{min\_dist}) / \text{spread}} & \text{else}\end{cases}

    over 300 distances from 0 to three times ``spread``; by Gauss and Newton's steps in the
    logarithms of a and b, shortened where the squares would grow.

    Parameters
    ----------
    min_dist : float in [0, spread]
        Distance within which points are as near as can be.
    spread : float in (0, inf), default=1.0
        Scale of the distances.

    Examples
    --------
    >>> [round(value, 3) for value in membership_curve(0.1)]
    [1.577, 0.895]

    References
    ----------
    McInnes, Healy & Melville (2018), UMAP: Uniform manifold approximation and projection for
    dimension reduction, definition 11.
    """
    if not 0.0 <= min_dist <= spread:
        raise InvalidParameterError(
            f"UMAP: min_dist must be at least 0 and at most spread; got min_dist={min_dist!r} "
            f"with spread={spread!r}."
        )
    # distances in units of spread: the answer for others follows from a d^2b = (a s^2b) (d/s)^2b
    d = np.linspace(0.0, 3.0, _POINTS)[1:]
    wanted = np.where(d <= min_dist / spread, 1.0, np.exp(-(d - min_dist / spread)))
    logs = _fitted(np.log(d), wanted, np.log([1.5, 1.0]))
    b = float(np.exp(logs[1]))
    return float(np.exp(logs[0])) * float(spread) ** (-2.0 * b), b


def _fitted(log_d: Array, wanted: Array, logs: Array) -> Array:
    """The logarithms of a and b with the least squares."""
    residuals, slopes = _curve(log_d, wanted, logs)
    damping = 1e-3
    for _ in range(_STEPS):
        squares = float(residuals @ residuals)
        gram = slopes.T @ slopes
        step = np.linalg.solve(gram + damping * np.diag(np.diag(gram)), slopes.T @ residuals)
        tried = _curve(log_d, wanted, logs - step)
        left = float(tried[0] @ tried[0])
        if left >= squares:
            damping *= 10.0
            if damping > 1e12:
                break
            continue
        logs, (residuals, slopes) = logs - step, tried
        damping /= 10.0
        if squares - left <= _TOLERANCE * squares and np.abs(step).max() < 1e-9:
            break
    return logs


def _curve(log_d: Array, wanted: Array, logs: Array) -> tuple[Array, Array]:
    """Residuals of the curve and their derivatives by the logarithms of a and b."""
    b = np.exp(logs[1])
    powers = np.exp(np.minimum(logs[0] + 2.0 * b * log_d, 700.0))
    value = 1.0 / (1.0 + powers)
    slope = -value * (1.0 - value)
    return value - wanted, np.column_stack([slope, slope * 2.0 * b * log_d])
