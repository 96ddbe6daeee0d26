"""How sure the clusters of a hierarchy are: found again in resampled rows, or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array, Integers
from stylobate.cluster.hierarchy.linkage import linkage_of_rows
from stylobate.cluster.hierarchy.matrix import children_of, leaf_ranges
from stylobate.data import read_table
from stylobate.distances import metric_of
from stylobate.exceptions import InvalidParameterError


@dataclass(frozen=True, slots=True, eq=False)
class NodeStability:
    """Of some clusters of a hierarchy, how well resampled hierarchies know them.

    Attributes
    ----------
    nodes : array of shape (k,)
        Numbers of the clusters, n + k for merge k; the highest merge but the last first.
    sizes : array of shape (k,)
        Their rows.
    jaccard : array of shape (k,)
        Mean similarity of the best matching cluster over the resamples.
    lower, upper : arrays of shape (k,)
        Quantiles of it over the resamples.
    recovered : array of shape (k,)
        Share of the resamples in which the similarity was above 0.75.
    n_resamples : int
        How many there were.
    """

    nodes: Integers
    sizes: Integers
    jaccard: Array
    lower: Array
    upper: Array
    recovered: Array
    n_resamples: int

    def __str__(self) -> str:
        lines = ["cluster   rows   Jaccard   interval       found again"]
        lines += [
            f"{node:7d} {size:6d}   {mean:7.2f}   {low:.2f} to {high:.2f}   {again:11.0%}"
            for node, size, mean, low, high, again in zip(
                self.nodes, self.sizes, self.jaccard, self.lower, self.upper, self.recovered,
                strict=True,
            )
        ]  # fmt: skip
        return "\n".join(lines)


def node_stability(
    X: Any,
    method: str = "ward",
    metric: Any = "euclidean",
    *,
    n_nodes: int = 20,
    n_resamples: int = 100,
    level: float = 0.9,
    random_state: Any = None,
) -> NodeStability:
    r"""How well the clusters of a hierarchy are found again when the rows are drawn anew.

    For every resample (n rows with replacement, each kept once) the hierarchy is built again; of a
    cluster C, with what of it was drawn, the best match among all its clusters counts

    .. math:: \max_D \frac{|C \cap D|}{|C \cup D|}

    Clusters near 1 do not depend on single rows; below about 0.5 a cluster dissolves (Hennig 2007).

    Parameters
    ----------
    X : array-like or data frame of shape (n, n_features)
        Rows.
    method, metric
        As of `linkage`.
    n_nodes : int in [1, inf), default=20
        How many clusters to judge: those that end in the highest merges.
    n_resamples : int in [2, inf), default=100
        How often rows are drawn.
    level : float in (0, 1), default=0.9
        Share of the resamples in an interval.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the draws.

    Returns
    -------
    NodeStability

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = np.r_[rng.normal(size=(30, 2)), rng.normal(size=(30, 2)) + 8.0]
    >>> found = node_stability(X, n_nodes=2, n_resamples=20, random_state=0)
    >>> bool((found.jaccard > 0.95).all())
    True

    References
    ----------
    Hennig (2007), Cluster-wise assessment of cluster stability, CSDA 52.
    """
    if n_nodes < 1 or n_resamples < 2 or not 0.0 < level < 1.0:
        raise InvalidParameterError(
            "node_stability: n_nodes must be at least 1, n_resamples at least 2 and level within "
            f"(0, 1); got {n_nodes}, {n_resamples} and {level}."
        )
    distance = metric_of(metric, owner="node_stability")
    x = read_table(X, owner="node_stability", accept_sparse=False, min_rows=3).x
    n = len(x)
    merges = linkage_of_rows(x, method, distance)[0]
    nodes, belongs = _highest_clusters(merges, n_nodes)
    rng = np.random.default_rng(random_state)
    found = np.full((n_resamples, len(nodes)), np.nan)
    for b in range(n_resamples):
        drawn = np.unique(rng.integers(0, n, size=n))
        if len(drawn) < 3:
            continue
        again = linkage_of_rows(np.ascontiguousarray(x[drawn]), method, distance)[0]
        found[b] = _best_matches(again, belongs[:, drawn])
    tails = [50.0 * (1.0 - level), 50.0 * (1.0 + level)]
    lower, upper = np.nanpercentile(found, tails, axis=0)
    return NodeStability(
        nodes,
        belongs.sum(axis=1).astype(np.int64),
        np.nanmean(found, axis=0),
        lower,
        upper,
        np.nanmean(found > 0.75, axis=0),
        n_resamples,
    )


def _highest_clusters(merges: Array, n_nodes: int) -> tuple[Integers, Array]:
    """Clusters of two rows or more that the highest merges join, and their members as 0 and 1."""
    n = len(merges) + 1
    order, begin, end = leaf_ranges(merges)
    children = children_of(merges)[::-1].ravel()
    nodes = children[children >= n][:n_nodes]
    if len(nodes) == 0:
        nodes = np.array([2 * n - 2])
    belongs = np.zeros((len(nodes), n))
    for k, node in enumerate(nodes.tolist()):
        belongs[k, order[begin[node] : end[node]]] = 1.0
    return nodes.astype(np.int64), belongs


def _best_matches(merges: Array, belongs: Array) -> Array:
    """The largest Jaccard similarity of each set of leaves with a cluster of the hierarchy."""
    order, begin, end = leaf_ranges(merges)
    counted = np.concatenate(
        [np.zeros((len(belongs), 1)), np.cumsum(belongs[:, order], axis=1)], axis=1
    )
    both = counted[:, end] - counted[:, begin]
    sizes = belongs.sum(axis=1, keepdims=True)
    union = sizes + (end - begin) - both
    best: Array = (both / union).max(axis=1)
    return np.where(sizes[:, 0] > 0, best, np.nan)
