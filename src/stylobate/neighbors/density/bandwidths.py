"""How wide the bumps of a kernel density are: rules, and the likelihood of points left out."""

from __future__ import annotations

from collections.abc import Callable
from math import log

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError


def rule_of_thumb(name: str, points: Array) -> float:
    r"""The width by a rule: best for normal columns.

    Parameters
    ----------
    name : {"scott", "silverman", "nrd", "nrd0"}
        As of `KernelDensity`; the first two take the columns to have standard deviation 1.
    points : array of shape (n, D)
        The points.

    Examples
    --------
    >>> round(rule_of_thumb("scott", np.zeros((32, 1))), 6)
    0.5
    """
    n, dimension = points.shape
    power = -1.0 / (dimension + 4)
    if name == "scott":
        return float(n**power)
    if name == "silverman":
        return float((n * (dimension + 2) / 4.0) ** power)
    spread = float(np.sqrt((column_spreads(points) ** 2).mean()))
    if not spread > 0.0:
        raise InvalidDataError(
            f"KernelDensity: bandwidth={name!r} needs at least two different points."
        )
    factor = 0.9 if name == "nrd0" else 1.06
    # 1.06 is (4 / 3)^(1/5) rounded, the factor of D = 1 in Silverman's rule
    share = (4.0 / (dimension + 2)) ** (1.0 / (dimension + 4))
    share = factor if dimension == 1 else share * factor / 1.06
    return float(share * spread * n**power)


def column_spreads(points: Array, *, robust: bool = True) -> Array:
    """Of each column min(standard deviation, interquartile range / 1.34), or the former alone.

    Examples
    --------
    >>> column_spreads(np.array([[0.0], [1.0], [2.0], [3.0], [1e6]])).round(4)
    array([1.4925])
    """
    if len(points) < 2:
        return np.zeros(points.shape[1])
    deviation: Array = np.asarray(points, dtype=np.float64).std(axis=0, ddof=1)
    if not robust:
        return deviation
    low, high = np.quantile(points, [0.25, 0.75], axis=0)
    quartiles = (high - low) / 1.34
    return np.asarray(np.where(quartiles > 0.0, np.minimum(deviation, quartiles), deviation))


def likeliest(log_likelihood: Callable[[float], float], points: Array) -> float:
    r"""The h that maximises :math:`\sum_i \log \hat p_{-i}(x_i)`, searched around Scott's rule.

    Parameters
    ----------
    log_likelihood : callable
        Of h.
    points : array of shape (n, D)
        The points, for where to search: from e⁻⁵ to e² times :math:`s\,n^{-1/(D+4)}`.
    """
    from scipy.optimize import minimize_scalar

    n, dimension = points.shape
    spread = float(np.sqrt(points.var(axis=0, dtype=np.float64).mean()))
    if n < 2 or spread == 0.0:
        raise InvalidDataError("KernelDensity: bandwidth='cv' needs at least two different points.")
    start = log(spread * n ** (-1.0 / (dimension + 4)))
    found = minimize_scalar(
        lambda log_width: -log_likelihood(float(np.exp(log_width))),
        bounds=(start - 5.0, start + 2.0),
        method="bounded",
    )
    return float(np.exp(found.x))
