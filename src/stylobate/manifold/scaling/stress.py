"""Stress: how far distances of points are from the dissimilarities they should have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.interrupts import interruptible


@dataclass(frozen=True, slots=True, eq=False)
class StressPoint:
    """Positions of all points with the stress and its gradient there.

    Parameters
    ----------
    theta : array of shape (n · k,)
        The positions, point after point.
    value : float
        The stress.
    gradient : array of shape (n · k,)
    squares : float
        Sum of the squared distances over all pairs that count.
    """

    theta: Array
    value: float
    gradient: Array
    squares: float

    @property
    def normalized(self) -> float:
        """Kruskal's stress-1: the root of the stress by the sum of squared distances."""
        return float(np.sqrt(self.value / self.squares)) if self.squares > 0 else 0.0


class Stress:
    r"""The function of n points in k dimensions, given dissimilarities δ and weights w.

    .. math:: σ(Z) = \sum_{i<j} w_{ij}\,\big(\|z_i - z_j\| - δ_{ij}\big)^2

    Distances, stress and gradient come from one look at the dissimilarities; no other matrix of
    pairs is made. With :math:`V = \mathrm{diag}(W1) - W`, a step of majorization (the Guttman
    transform) is :math:`HZ - \frac12 V^+\nabla σ`.

    Parameters
    ----------
    delta : array of shape (n, n)
        Symmetric; NaN where unknown.
    weights : array of shape (n, n) or None
        Symmetric and not negative; None: all 1.

    Examples
    --------
    >>> delta = np.array([[0.0, 5.0], [5.0, 0.0]])
    >>> at = Stress(delta).at(np.array([0.0, 0.0, 3.0, 0.0]), 2)
    >>> at.value, at.gradient
    (4.0, array([ 4.,  0., -4.,  0.]))

    References
    ----------
    De Leeuw (1977), Applications of convex analysis to multidimensional scaling. Borg & Groenen
    (2005), Modern Multidimensional Scaling, chapter 8, Springer.
    """

    def __init__(self, delta: Array, weights: Array | None = None) -> None:
        self.delta, self.weights = delta, weights
        self.solve = _inverse(delta, weights)

    def at(self, theta: Array, k: int) -> StressPoint:
        """The stress at positions; `k` coordinates for each point."""
        z = np.ascontiguousarray(theta.reshape(-1, k))
        half, sums = _core.stress_gradient(z, z, self.delta, self.weights)
        stress, squares = (0.5 * float(total) for total in sums.sum(axis=0))  # each pair twice
        return StressPoint(z.ravel(), stress, 2.0 * np.asarray(half).ravel(), squares)

    def majorized(self, point: StressPoint, k: int) -> Array:
        """Positions that minimise the function above the stress that touches it at the point."""
        z = point.theta.reshape(-1, k)
        step = 0.5 * self.solve(point.gradient.reshape(-1, k))
        return np.asarray(z - z.mean(axis=0) - step).ravel()


def _inverse(delta: Array, weights: Array | None) -> Callable[[Array], Array]:
    """V⁺ as a function of columns that sum to 0."""
    n = len(delta)
    unknown = np.isnan(delta)
    np.fill_diagonal(unknown, False)
    if weights is None and not unknown.any():
        return lambda columns: columns / n
    counted = np.where(unknown, 0.0, 1.0 if weights is None else weights)
    np.fill_diagonal(counted, 0.0)
    _require_connected(counted)
    from scipy.linalg import cho_factor, cho_solve

    laplacian = np.diag(counted.sum(axis=1)) - counted
    scale = float(np.trace(laplacian)) / n
    factor = interruptible(
        cho_factor, laplacian + scale / n, overwrite_a=True
    )  # 1 is its only null vector

    def solve(columns: Array) -> Array:
        found = cho_solve(factor, columns)
        return np.asarray(found - found.mean(axis=0))

    return solve


def _require_connected(weights: Array) -> None:
    from scipy.sparse.csgraph import connected_components

    groups = connected_components(weights > 0, directed=False)[0]
    if groups > 1:
        raise InvalidDataError(
            f"MDS: the pairs with a known dissimilarity of positive weight leave the points in "
            f"{groups} groups with nothing between them, so their places relative to each other "
            "are not determined; scale each group by itself, or give some pairs between them."
        )
