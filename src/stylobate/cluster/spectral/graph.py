"""A weighted graph of rows: its edges, degrees and connected components."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data.sparse import is_sparse
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, StylobateWarning

_SYMMETRIC = 1e-10  # largest difference of two entries that should be one


@dataclass(frozen=True)
class Graph:
    """Rows as vertices; no edge joins a vertex with itself.

    Parameters
    ----------
    weights : ndarray or csr_array of shape (n, n)
        Symmetric, with zeros on the diagonal.
    """

    weights: Any

    @property
    def vertices(self) -> int:
        """How many there are."""
        return int(self.weights.shape[0])

    @cached_property
    def degrees(self) -> Array:
        """The weights of each vertex's edges, summed."""
        return np.asarray(self.weights.sum(axis=1), dtype=np.float64).ravel()

    @cached_property
    def component_of(self) -> NDArray[np.int64]:
        """The number of each vertex's connected component, in order of their first vertices."""
        from scipy.sparse.csgraph import connected_components

        if not is_sparse(self.weights) and (self.weights[0, 1:] != 0.0).all():
            return np.zeros(self.vertices, dtype=np.int64)  # the first vertex has every edge
        return np.asarray(connected_components(self.weights, directed=False)[1], dtype=np.int64)

    @property
    def components(self) -> int:
        """How many connected components there are."""
        return int(self.component_of.max()) + 1

    def part(self, vertices: NDArray[np.intp]) -> Graph:
        """Some vertices and the edges among them."""
        return Graph(self.weights[vertices][:, vertices])


def graph_of(affinity: Any) -> Graph:
    """The graph of an affinity matrix: symmetric, its diagonal left out.

    Parameters
    ----------
    affinity : ndarray or sparse of shape (n, n)
        Checked numbers; where entries (i, j) and (j, i) differ their mean is taken, with a warning.

    Examples
    --------
    >>> graph = graph_of(np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    >>> graph.degrees, graph.component_of
    (array([2., 2., 0.]), array([0, 0, 1]))
    """
    if affinity.ndim != 2 or affinity.shape[0] != affinity.shape[1]:
        raise InvalidDataError(
            "An affinity matrix must have as many columns as rows: array must be 2-dimensional and "
            f"square; got shape {affinity.shape}."
        )
    weights = _symmetric(affinity)
    if is_sparse(weights):
        from scipy.sparse import csr_array

        weights = csr_array(weights, dtype=np.float64, copy=True)
        weights.setdiag(0.0)
        weights.eliminate_zeros()
    else:
        weights = np.array(weights, dtype=np.float64)
        np.fill_diagonal(weights, 0.0)
    graph = Graph(weights)
    if (graph.degrees < 0.0).any():
        raise InvalidDataError(
            "A row's affinities to the others sum to less than 0; spectral methods need "
            "similarities that are not negative."
        )
    return graph


def _symmetric(affinity: Any) -> Any:
    transposed = affinity.T
    difference = abs(affinity - transposed)
    if difference.shape[0] == 0 or difference.max() <= _SYMMETRIC:
        return affinity
    warnings.warn(
        "Array is not symmetric, and will be converted to symmetric by average with its transpose.",
        StylobateWarning,
        stacklevel=user_stacklevel(),
    )
    return 0.5 * (affinity + transposed)
