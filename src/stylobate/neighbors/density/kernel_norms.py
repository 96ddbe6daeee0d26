"""The constants that make kernels densities."""

from __future__ import annotations

from math import gamma, log, pi

import numpy as np


def log_norm(kernel: str, dimension: int) -> float:
    """The logarithm of the constant that makes a kernel integrate to 1 in D dimensions.

    Examples
    --------
    >>> round(float(np.exp(log_norm("epanechnikov", 1))), 12)
    0.75
    """
    ball = pi ** (0.5 * dimension) / gamma(0.5 * dimension + 1.0)
    if kernel == "gaussian":
        return -0.5 * dimension * log(2.0 * pi)
    if kernel == "exponential":
        return -log(ball * gamma(dimension + 1.0))
    if kernel == "tophat":
        return -log(ball)
    if kernel == "epanechnikov":
        return log(0.5 * (dimension + 2.0) / ball)
    if kernel == "linear":
        return log((dimension + 1.0) / ball)
    from scipy.integrate import quad

    mass, _ = quad(lambda r: r ** (dimension - 1) * np.cos(0.5 * pi * r), 0.0, 1.0)
    return -log(ball * dimension * mass)
