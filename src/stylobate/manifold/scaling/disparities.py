"""Disparities: the increasing function of dissimilarities that is nearest to distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError

_SAME = 1e-15  # dissimilarities no farther apart are equal


class OrderedPairs:
    r"""Pairs of points in the order of their dissimilarities.

    Sorted once; each call of `fill` is an isotonic regression of distances on that order. Equal
    dissimilarities get equal disparities. As in scikit-learn, pairs with a dissimilarity of 0 do
    not take part and keep the disparity 0.

    Parameters
    ----------
    delta : array of shape (n, n)
        Symmetric; NaN where unknown.

    Examples
    --------
    >>> delta = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 0.0]])
    >>> pairs = OrderedPairs(delta)
    >>> pairs.fill(np.array([[0.0], [2.0], [1.0]])).round(3)  # distances 2, 1, 1
    array([[0., 1., 1.],
           [1., 0., 1.],
           [1., 1., 0.]])

    References
    ----------
    Kruskal (1964), Nonmetric multidimensional scaling: a numerical method, Psychometrika 29.
    """

    def __init__(self, delta: Array) -> None:
        n = len(delta)
        first, second = (side.astype(np.int32) for side in np.triu_indices(n, 1))
        values = delta[first, second]
        known = np.flatnonzero((values != 0) & ~np.isnan(values))
        if len(known) == 0:
            raise InvalidDataError(
                "MDS: without a dissimilarity above 0 there is no order to keep; non-metric "
                "scaling needs at least one."
            )
        order = known[np.argsort(values[known], kind="stable")]
        self._values = values[order]
        self._first, self._second = first[order], second[order]
        starts = np.flatnonzero(np.diff(self._values) >= _SAME) + 1
        self._ends = np.append(starts, len(order)).astype(np.int64)
        self._matrix = np.where(np.isnan(delta), np.nan, 0.0)

    def scaled(self) -> Array:
        """The dissimilarities themselves, scaled as disparities are."""
        n = len(self._matrix)
        values = self._values * np.sqrt(0.5 * n * (n - 1) / (self._values @ self._values))
        self._matrix[self._first, self._second] = values
        self._matrix[self._second, self._first] = values
        return self._matrix

    def fill(self, z: Any) -> Array:
        """The disparities of points at z; their squares have the mean 1."""
        positions = np.ascontiguousarray(z, dtype=np.float64)
        _core.disparities(self._first, self._second, self._ends, positions, self._matrix)
        return self._matrix
