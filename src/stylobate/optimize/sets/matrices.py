"""The cone of positive semidefinite matrices."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.optimize.sets.convex_set import ConvexSet


@dataclass(frozen=True)
class PSDCone(ConvexSet):
    r"""Symmetric matrices with no negative eigenvalue, :math:`X \succeq 0`.

    Points are (k, k) matrices, or their k² entries in one vector, as solvers hold them; the nearest
    point keeps the shape.

    Examples
    --------
    >>> PSDCone().project([[1.0, 0.0], [0.0, -2.0]])
    array([[1., 0.],
           [0., 0.]])
    """

    def project(self, v: Any) -> Array:
        given = np.asarray(v, dtype=np.float64)
        values, vectors = np.linalg.eigh(_square(given))
        nearest = (vectors * np.maximum(values, 0.0)) @ vectors.T
        return np.asarray(nearest).reshape(given.shape)

    def excess(self, x: Any) -> float:
        given = np.asarray(x, dtype=np.float64)
        matrix = given.reshape(_square(given).shape)
        lopsided = float(np.abs(matrix - matrix.T).max(initial=0.0))
        return max(-float(np.linalg.eigvalsh(_square(given))[0]), lopsided)

    def support(self, g: Any) -> float:
        highest = float(np.linalg.eigvalsh(_square(np.asarray(g, dtype=np.float64)))[-1])
        return 0.0 if highest <= 1e-12 * float(np.abs(g).max(initial=0.0)) else np.inf


def _square(x: Array) -> Array:
    """The symmetric matrix of a point."""
    k = isqrt(x.size)
    if k * k != x.size or (x.ndim == 2 and x.shape[0] != x.shape[1]) or x.ndim > 2:
        raise InvalidDataError(
            f"PSDCone: a point has shape {x.shape}; it must be a square matrix or its k² entries."
        )
    matrix = x.reshape(k, k)
    return 0.5 * (matrix + matrix.T)
