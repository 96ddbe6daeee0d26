"""Labels of a tree of merges, with scikit-learn's numbers."""

from __future__ import annotations

from heapq import heappush, heappushpop

import numpy as np

from stylobate.arrays import Indices
from stylobate.exceptions import InvalidParameterError


def cut_labels(children: Indices, n: int, n_clusters: int, owner: str) -> Indices:
    """The labels after undoing the last merges until there are so many clusters.

    Clusters are numbered as they lie in the heap of the nodes that are left, the largest number on
    top, which is how scikit-learn numbers them.

    Examples
    --------
    >>> cut_labels(np.array([[0, 1], [2, 3], [4, 5]]), 4, 2, "example")
    array([1, 1, 0, 0])
    """
    if n_clusters > n:
        raise InvalidParameterError(
            f"{owner}: Cannot extract more clusters than samples: {n_clusters} clusters were given "
            f"for a tree with {n} leaves."
        )
    nodes = [-(int(max(children[-1])) + 1)]
    for _ in range(n_clusters - 1):
        low, high = children[-nodes[0] - n].tolist()
        heappush(nodes, -low)
        heappushpop(nodes, -high)
    of_node = np.full(len(children) + n, -1, dtype=np.intp)
    of_node[[-node for node in nodes]] = np.arange(len(nodes))
    for k in range(len(children) - 1, -1, -1):
        if of_node[n + k] >= 0:
            of_node[children[k]] = of_node[n + k]
    return of_node[:n].copy()


def head_labels(parents: Indices, n: int) -> Indices:
    """The labels of a tree that was not finished: one for each node without a parent."""
    heads = parents.copy()
    for node in range(len(heads) - 1, -1, -1):
        heads[node] = heads[heads[node]]
    leaves = heads[:n]
    return np.searchsorted(np.unique(leaves), leaves).astype(np.intp)
