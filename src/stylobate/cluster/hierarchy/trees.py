"""Trees of merges under scikit-learn's names."""

from __future__ import annotations

import warnings
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Indices
from stylobate.cluster.hierarchy.connectivity import (
    connected_graph,
    edge_distances,
    symmetric_graph,
)
from stylobate.cluster.hierarchy.linkage import linkage_of_rows, spanning_edges
from stylobate.data import read_table
from stylobate.data.words import user_stacklevel
from stylobate.distances import Euclidean, Function, Metric, Precomputed, metric_of
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning

LINKAGES = ("complete", "average", "single")
# single linkage by these goes through SciPy there: of two children the lower number is first
_LOWER_FIRST = ("precomputed", "cosine", "correlation", "sqeuclidean", "yule")


def ward_tree(
    X: Any,
    *,
    connectivity: Any = None,
    n_clusters: int | None = None,
    return_distance: bool = False,
) -> Any:
    """The tree of Ward's merges, of all rows or of neighbours in a graph.

    Parameters
    ----------
    X : array-like of shape (n, n_features)
        Rows.
    connectivity : array-like or sparse of shape (n, n), default=None
        Entries other than 0 are pairs that may be joined; None: all.
    n_clusters : int in [1, n], default=None
        With a connectivity, where to stop.
    return_distance : bool, default=False
        Whether to return the heights.

    Returns
    -------
    children : array of shape (merges, 2)
        Merge k makes node n + k of these two.
    n_connected_components, n_leaves : int
        Of the graph, 1 without; n.
    parents : array of shape (nodes,) or None
        Of each node, itself where it has none; None without a connectivity.
    distances : array of shape (merges,), only if `return_distance`
        Heights.

    Examples
    --------
    >>> ward_tree([[0.0], [1.0], [5.0]])[0]
    array([[0, 1],
           [2, 3]])
    """
    x = _rows(X, "ward_tree")
    return _tree(x, connectivity, n_clusters, "ward", Euclidean(), return_distance, "ward_tree")


def linkage_tree(
    X: Any,
    connectivity: Any = None,
    n_clusters: int | None = None,
    linkage: str = "complete",
    affinity: Any = "euclidean",
    return_distance: bool = False,
) -> Any:
    """The tree of complete, average or single linkage, of all rows or of neighbours in a graph.

    Parameters
    ----------
    X : array-like of shape (n, n_features)
        Rows; with affinity="precomputed", the square matrix of distances.
    connectivity : array-like or sparse of shape (n, n), default=None
        Entries other than 0 are pairs that may be joined; None: all. Clusters are then compared by
        the distances along edges between them alone.
    n_clusters : int in [1, n], default=None
        With a connectivity, where to stop.
    linkage : {"complete", "average", "single"}, default="complete"
        Which distance of two clusters counts.
    affinity : str or callable, default="euclidean"
        Distances of rows; a callable takes X and returns the square matrix.
    return_distance : bool, default=False
        Whether to return the heights.

    Returns
    -------
    children, n_connected_components, n_leaves, parents, distances
        As of `ward_tree`.

    Examples
    --------
    >>> linkage_tree([[0.0], [1.0], [5.0]], return_distance=True)[-1]
    array([1., 5.])
    """
    if linkage not in LINKAGES:
        raise InvalidParameterError(
            f"linkage_tree: Unknown linkage option, linkage should be one of "
            f"{', '.join(LINKAGES)}, but {linkage} was given."
        )
    x = _rows(X, "linkage_tree")
    metric = metric_of(affinity, owner="linkage_tree")
    if isinstance(metric, Function):  # scikit-learn's are functions of the whole table
        x, metric = np.asarray(affinity(x), dtype=np.float64), Precomputed()
    if metric.name == "cosine" and not np.all(np.any(x, axis=1)):
        raise InvalidDataError(
            "linkage_tree: Cosine affinity cannot be used when X contains zero vectors."
        )
    return _tree(x, connectivity, n_clusters, linkage, metric, return_distance, "linkage_tree")


def _rows(X: Any, owner: str) -> Any:
    if isinstance(X, np.ndarray) and X.ndim == 1:
        X = X.reshape(-1, 1)
    return read_table(X, owner=owner, accept_sparse=False).x


def _tree(
    x: Any, connectivity: Any, n_clusters: int | None, linkage: str, metric: Metric,
    return_distance: bool, owner: str,
) -> Any:  # fmt: skip
    n = len(x)
    if connectivity is not None:
        out = _connected(x, connectivity, n_clusters, linkage, metric, owner)
        return out if return_distance else out[:-1]
    if n_clusters is not None:
        warnings.warn(
            f"{owner}: Partial build of the tree is implemented only for structured clustering "
            "(i.e. with explicit connectivity). The algorithm will build the full tree and only "
            "retain the lower branches required for the specified number of clusters",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    if n < 2:
        raise InvalidDataError(f"{owner}: at least 2 rows are needed to be joined; got {n}.")
    if linkage == "single" and metric.name not in _LOWER_FIRST:
        children, heights = _single_of_rows(x, metric)
    else:
        matrix = linkage_of_rows(x, linkage, metric)[0]
        children, heights = matrix[:, :2].astype(np.intp), matrix[:, 2].copy()
    return (children, 1, n, None, heights) if return_distance else (children, 1, n, None)


def _connected(
    x: Any, connectivity: Any, n_clusters: int | None, linkage: str, metric: Metric, owner: str
) -> tuple[Indices, int, int, Indices, Array]:
    n = len(x)
    if n_clusters is not None and n_clusters > n:
        raise InvalidParameterError(
            f"{owner}: Cannot provide more clusters than samples. {n_clusters} n_clusters was "
            f"asked, and there are {n} samples."
        )
    graph = symmetric_graph(connectivity, n, owner)
    graph, components = connected_graph(x, graph, metric, owner)
    values = None if linkage == "ward" else edge_distances(x, graph, metric)
    if linkage == "single":
        children, heights, parents = _spanned(graph, values, n, n_clusters)
    else:
        children, heights, parents = _core.connected_linkage(
            np.ascontiguousarray(x, dtype=np.float64),
            np.ascontiguousarray(graph.indptr, dtype=np.int64),
            np.ascontiguousarray(graph.indices, dtype=np.int64),
            values,
            linkage,
            n_clusters or 1,
        )
    return (
        np.asarray(children).astype(np.intp),
        components,
        n,
        np.asarray(parents).astype(np.intp),
        np.asarray(heights),
    )


def _spanned(
    graph: Any, values: Any, n: int, n_clusters: int | None
) -> tuple[Indices, Array, Indices]:
    """Single linkage of a graph: its shortest spanning tree, the shortest edges first."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    tiny = np.finfo(np.float64).eps  # SciPy takes an edge of length 0 for none
    lengths = np.where(values == 0.0, tiny, values)
    tree = minimum_spanning_tree(
        csr_array((lengths, graph.indices, graph.indptr), shape=graph.shape)
    ).tocoo()
    heights = np.where(tree.data == tiny, 0.0, tree.data)
    order = np.argsort(heights, kind="stable")
    ends = np.stack([tree.row[order], tree.col[order]], axis=1).astype(np.intp)
    children = _merged_ends(ends, n)
    nodes = 2 * n - (n_clusters or 1)
    parents = np.arange(nodes)
    for k in range(nodes - n):
        parents[children[k]] = n + k
    return children, heights[order], parents


def _single_of_rows(x: Any, metric: Metric) -> tuple[Indices, Array]:
    """Single linkage with children in scikit-learn's order: that in which Prim meets the rows.

    Prim's algorithm reaches row after row from the first one; the tree follows from the steps, as
    if each led from the row before (Müllner 2011, figure 6).
    """
    edges = spanning_edges(x, metric)
    met, lengths = _walk_matrix(x, metric) if edges is None else _walk_edges(*edges)
    order = np.argsort(lengths, kind="stable")
    ends = np.stack([met[:-1], met[1:]], axis=1)
    return _merged_ends(ends[order], len(x)), lengths[order]


def _walk_edges(from_: Any, to: Any, heights: Array) -> tuple[Indices, Array]:
    """The rows in the order in which Prim meets them, along a shortest spanning tree."""
    n = len(heights) + 1
    around: list[list[tuple[float, int]]] = [[] for _ in range(n)]
    for a, b, height in zip(from_.tolist(), to.tolist(), heights.tolist(), strict=True):
        around[a].append((height, b))
        around[b].append((height, a))
    met, lengths, seen = [0], [], [True] + [False] * (n - 1)
    waiting = around[0]
    heapify(waiting)
    while len(met) < n:
        height, node = heappop(waiting)
        if seen[node]:
            continue
        seen[node] = True
        met.append(node)
        lengths.append(height)
        for edge in around[node]:
            if not seen[edge[1]]:
                heappush(waiting, edge)
    return np.array(met, dtype=np.intp), np.array(lengths)


def _walk_matrix(x: Any, metric: Metric) -> tuple[Indices, Array]:
    """The same where the metric has no tree: row after row of the distances."""
    n, learnt = len(x), metric.learnt(x)
    nearest = np.full(n, np.inf)
    met, lengths = [0], []
    for _ in range(n - 1):
        nearest = np.minimum(nearest, learnt.matrix(x[met[-1] : met[-1] + 1], x)[0])
        nearest[met] = np.inf
        met.append(int(np.argmin(nearest)))
        lengths.append(float(nearest[met[-1]]))
    return np.array(met, dtype=np.intp), np.array(lengths)


def _merged_ends(ends: Indices, n: int) -> Indices:
    """The clusters that edges join, one after the other, in the order of their ends."""
    owner, number = list(range(n)), list(range(n))

    def find(i: int) -> int:
        while owner[i] != i:
            owner[i] = i = owner[owner[i]]
        return i

    children = np.empty((n - 1, 2), dtype=np.intp)
    for k, (a, b) in enumerate(ends.tolist()):
        one, other = find(a), find(b)
        children[k] = number[one], number[other]
        owner[one] = other
        number[other] = n + k
    return children
