"""Graphs that say which rows may be joined."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import read_table
from stylobate.data.words import user_stacklevel
from stylobate.distances import Metric, Precomputed
from stylobate.exceptions import InvalidDataError, StylobateWarning


def symmetric_graph(connectivity: Any, n: int, owner: str) -> Any:
    """Which rows are neighbours, in either direction, as compressed rows without loops."""
    from scipy.sparse import csr_array

    table = read_table(connectivity, owner=f"{owner}, connectivity")
    if table.x.shape != (n, n):
        raise InvalidDataError(
            f"{owner}: Wrong shape for connectivity matrix: {table.x.shape} when there are {n} "
            f"rows; it has a row and a column for each of them."
        )
    given = csr_array(table.x)
    entries = (given + given.T).tocoo()
    apart = (entries.coords[0] != entries.coords[1]) & (entries.data != 0)
    rows, columns = (each[apart] for each in entries.coords)
    graph = csr_array((np.ones(len(rows)), (rows, columns)), shape=(n, n))
    graph.sum_duplicates()
    return graph


def connected_graph(x: Any, graph: Any, metric: Metric, owner: str) -> tuple[Any, int]:
    """The graph with its components joined by their nearest rows, and how many there were."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    count, labels = connected_components(graph, directed=False)
    if count == 1:
        return graph, 1
    warnings.warn(
        f"{owner}: the number of connected components of the connectivity matrix is {count} > 1. "
        "Completing it to avoid stopping the tree early.",
        StylobateWarning,
        stacklevel=user_stacklevel(),
    )
    links = [
        _nearest_pair(x, metric, np.flatnonzero(labels == i), np.flatnonzero(labels == j))
        for i in range(count)
        for j in range(i)
    ]
    a, b = (np.array(side) for side in zip(*links, strict=True))
    more = csr_array((np.ones(2 * len(a)), (np.r_[a, b], np.r_[b, a])), shape=graph.shape)
    return csr_array(graph + more), int(count)


def _nearest_pair(
    x: Any, metric: Metric, one: NDArray[Any], other: NDArray[Any]
) -> tuple[int, int]:
    if isinstance(metric, Precomputed):
        distances = np.asarray(x)[np.ix_(one, other)]
    else:
        distances = metric.matrix(x[one], x[other])
    at = np.unravel_index(np.argmin(distances), distances.shape)
    return int(one[at[0]]), int(other[at[1]])


def edge_distances(x: Any, graph: Any, metric: Metric, block: int = 256) -> Array:
    """The distance along every edge of a graph, in the order of its entries."""
    n = graph.shape[0]
    rows = np.repeat(np.arange(n), np.diff(graph.indptr))
    if isinstance(metric, Precomputed):
        given: Array = np.asarray(x)[rows, graph.indices].astype(np.float64)
        return given
    out = np.empty(len(rows))
    learnt = metric.learnt(x)
    for first in range(0, n, block):
        some = slice(graph.indptr[first], graph.indptr[min(first + block, n)])
        wanted, place = np.unique(graph.indices[some], return_inverse=True)
        if len(wanted) == 0:
            continue
        matrix = learnt.matrix(x[first : first + block], x[wanted])
        out[some] = matrix[rows[some] - first, place]
    return out
