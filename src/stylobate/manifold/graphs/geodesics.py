"""Distances along a graph of neighbours."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.data.sparse import is_sparse
from stylobate.data.words import user_stacklevel
from stylobate.distances import Precomputed
from stylobate.exceptions import DisconnectedGraphError, StylobateWarning
from stylobate.manifold.row_distances import RowDistances


@dataclass(frozen=True, slots=True, eq=False)
class NeighborGraph:
    """Edges between rows, both ways, with their lengths; sorted by row and column.

    Parameters
    ----------
    offsets : ndarray of shape (n + 1,)
        Of each row's edges.
    columns, lengths : ndarray of shape (edges,)
        Where they lead; a length may be 0.
    """

    offsets: Integers
    columns: Integers
    lengths: Array

    @property
    def vertices(self) -> int:
        """How many rows there are."""
        return len(self.offsets) - 1

    @property
    def rows(self) -> Integers:
        """The row each edge starts from."""
        return np.repeat(np.arange(self.vertices), np.diff(self.offsets))

    def component_of(self) -> tuple[int, Integers]:
        """How many connected components there are, and the number of each row's."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        n = self.vertices
        # an edge of length 0 is an edge
        edges = np.ones(len(self.columns), dtype=np.int8)
        graph = csr_array((edges, self.columns, self.offsets), shape=(n, n))
        count, labels = connected_components(graph, directed=False)
        return int(count), np.asarray(labels, dtype=np.int64)

    def distances(self) -> Array:
        """Lengths of the shortest paths between all rows.

        >>> edges = np.array([0, 1]), np.array([1, 2]), np.array([2.0, 3.0])
        >>> graph_of_edges(3, *edges).distances()
        array([[0., 2., 5.],
               [2., 0., 3.],
               [5., 3., 0.]])
        """
        n = self.vertices
        out = np.empty((n, n))
        _core.geodesics(self.offsets, self.columns, self.lengths, np.arange(n), out)
        return out


def graph_of_edges(n: int, rows: Any, columns: Any, lengths: Any) -> NeighborGraph:
    """The graph with these edges, taken both ways; of several between two rows the shortest."""
    a = np.concatenate([rows, columns]).astype(np.int64)
    b = np.concatenate([columns, rows]).astype(np.int64)
    length = np.tile(np.asarray(lengths, dtype=np.float64), 2)
    order = np.lexsort((length, b, a))
    a, b, length = a[order], b[order], length[order]
    first = np.ones(len(a), dtype=bool)
    first[1:] = (a[1:] != a[:-1]) | (b[1:] != b[:-1])
    first &= a != b
    offsets = np.concatenate([[0], np.cumsum(np.bincount(a[first], minlength=n))])
    return NeighborGraph(offsets.astype(np.int64), b[first], length[first])


def graph_of_matrix(matrix: Any) -> NeighborGraph:
    """The graph of a sparse matrix of lengths, as neighbour searches return them."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    return graph_of_edges(matrix.shape[0], rows, matrix.indices, matrix.data)


def joined_graph(graph: NeighborGraph, rows: RowDistances, owner: str) -> tuple[NeighborGraph, int]:
    """The graph with an edge between the closest rows of every two components, and their number.

    It warns where there are several: distances between them follow from these edges alone.
    """
    count, component = graph.component_of()
    if count == 1:
        return graph, 1
    if isinstance(rows.metric, Precomputed) and is_sparse(rows.x):
        raise DisconnectedGraphError(
            f"{owner}: the number of connected components of the neighbors graph is {count} > 1. "
            "The graph cannot be completed with metric='precomputed' from a sparse graph: increase "
            "the number of neighbors, or pass all distances."
        )
    warnings.warn(
        f"The number of connected components of the neighbors graph is {count} > 1. Completing "
        f"the graph to fit {owner} might be slow: the closest rows of every two components were "
        "joined, and how far components lie apart means little. Increase the number of neighbors "
        "to avoid this issue.",
        StylobateWarning,
        stacklevel=user_stacklevel(),
    )
    members = [np.flatnonzero(component == c) for c in range(count)]
    added = [rows.closest(members[i], members[j]) for i in range(count) for j in range(i)]
    lengths, a, b = (np.array(each) for each in zip(*added, strict=True))
    edges = (
        np.concatenate([graph.rows, a]),
        np.concatenate([graph.columns, b]),
        np.concatenate([graph.lengths, lengths]),
    )
    return graph_of_edges(graph.vertices, *edges), count
