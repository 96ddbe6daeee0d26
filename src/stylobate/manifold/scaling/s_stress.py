"""s-stress: squared distances against squared dissimilarities."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError


class SStress:
    r"""The function of n points in k dimensions that compares *squared* distances.

    .. math:: f(Z) = \sum_{i<j} \big(\|z_i - z_j\|^2 - δ_{ij}^2\big)^2

    It is a polynomial, smooth everywhere (stress has kinks where points meet), and weighs long
    distances more. Not convex: descents from several starts may end in different minima.

    Parameters
    ----------
    delta : array-like of shape (n, n)
        Dissimilarities, symmetric, not negative.
    n_components : int in [1, inf), default=2
        k.

    Examples
    --------
    >>> from stylobate.optimize import minimize
    >>> square = np.array([[0, 1, 2**0.5, 1], [1, 0, 1, 2**0.5], [2**0.5, 1, 0, 1],
    ...                    [1, 2**0.5, 1, 0]])
    >>> f = SStress(square)
    >>> start = np.random.default_rng(0).normal(size=8)
    >>> found = minimize(f, start, method="gradient descent", max_iter=5000)
    >>> round(found.value, 6), f.points(found.x).shape
    (0.0, (4, 2))

    References
    ----------
    Takane, Young & de Leeuw (1977), Nonmetric individual differences multidimensional scaling,
    Psychometrika 42.
    """

    def __init__(self, delta: Any, n_components: int = 2) -> None:
        self.delta = np.asarray(delta, dtype=np.float64)
        n = len(self.delta)
        whole = self.delta.shape == (n, n) and n >= 2 and np.isfinite(self.delta).all()
        if not whole or (self.delta < 0.0).any() or not np.allclose(self.delta, self.delta.T):
            raise InvalidDataError(
                "SStress: delta must be a symmetric matrix of finite dissimilarities that are not "
                f"negative, got shape {self.delta.shape}."
            )
        self.n_components = int(n_components)

    def points(self, theta: Any) -> Array:
        """A vector of n · k numbers as points, (n, k)."""
        return np.asarray(theta, dtype=np.float64).reshape(len(self.delta), self.n_components)

    def value(self, theta: Any) -> float:
        """F."""
        return 0.5 * float((self._excess(self.points(theta)) ** 2).sum())

    def gradient(self, theta: Any) -> Array:
        """∇f, as a vector of n · k numbers."""
        z = self.points(theta)
        pull = self._excess(z)
        return np.asarray(4.0 * (pull.sum(axis=1)[:, None] * z - pull @ z)).reshape(-1)

    def _excess(self, z: Array) -> Array:
        squares = sum((column[:, None] - column) ** 2 for column in z.T)
        return np.asarray(squares - self.delta**2)
