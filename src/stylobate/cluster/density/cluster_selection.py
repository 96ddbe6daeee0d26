"""Which clusters of a condensed tree become labels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Integers
from stylobate.cluster.density.condensed_tree import CondensedTree


class Selection(NamedTuple):
    """How clusters are chosen: the parameters of `HDBSCAN` of these names."""

    method: str = "eom"
    allow_single_cluster: bool = False
    epsilon: float = 0.0
    max_cluster_size: int | None = None


def select_clusters(tree: CondensedTree, selection: Selection) -> Integers:
    """The clusters chosen, in order.

    Parameters
    ----------
    tree : CondensedTree
        The hierarchy.
    selection : Selection
        By excess of mass ("eom") or the leaves of the tree ("leaf"); clusters born below the
        distance `epsilon` are merged into the first one above it.

    Examples
    --------
    >>> from stylobate.cluster.density.condensed_tree import condense
    >>> from stylobate import _core
    >>> ends = np.array([0, 1, 2]), np.array([1, 2, 3])
    >>> tree = condense(_core.single_linkage(*ends, np.array([1.0, 4.0, 1.0])), 2)
    >>> select_clusters(tree, Selection())
    array([5, 6])
    """
    if len(tree.clusters) == 1:
        single = selection.method == "eom" and selection.allow_single_cluster
        return tree.clusters[:1] if single else np.empty(0, dtype=np.intp)
    chosen = _largest_mass(tree, selection) if selection.method == "eom" else _leaves(tree)
    if selection.epsilon != 0.0:
        alone = bool(chosen[0]) and int(chosen.sum()) == 1
        if not alone:
            chosen = _above(tree, chosen, selection)
    return np.asarray(tree.root + np.flatnonzero(chosen))


def _largest_mass(tree: CondensedTree, selection: Selection) -> NDArray[np.bool_]:
    """The clusters, none within another, whose excesses of mass add up to the most."""
    mass, parents = tree.stabilities.tolist(), tree.parents_of_clusters - tree.root
    sizes, most = tree.sizes.tolist(), selection.max_cluster_size
    if selection.allow_single_cluster:  # as scikit-learn counts the root: rows of its clusters
        sizes[0] = int(tree.child_size[tree.is_cluster & (tree.parent == tree.root)].sum())
    below = [0.0] * len(mass)
    chosen = np.zeros(len(mass), dtype=bool)
    last = 0 if selection.allow_single_cluster else 1
    for cluster in range(len(mass) - 1, last - 1, -1):
        if below[cluster] > mass[cluster] or (most is not None and sizes[cluster] > most):
            mass[cluster] = below[cluster]
        else:
            chosen[cluster] = True
        if cluster:
            below[parents[cluster]] += mass[cluster]
    inside = np.zeros(len(mass), dtype=bool)  # a chosen one is above
    for cluster in range(1, len(mass)):
        inside[cluster] = inside[parents[cluster]] or chosen[parents[cluster]]
    return chosen & ~inside


def _leaves(tree: CondensedTree) -> NDArray[np.bool_]:
    leaves = np.ones(len(tree.clusters), dtype=bool)
    leaves[tree.parents_of_clusters[1:] - tree.root] = False
    return leaves


def _above(
    tree: CondensedTree, chosen: NDArray[np.bool_], selection: Selection
) -> NDArray[np.bool_]:
    """Chosen clusters that are born at less than epsilon give way to one above them."""
    parents = (tree.parents_of_clusters - tree.root).tolist()
    with np.errstate(divide="ignore"):
        distances = (1.0 / tree.births).tolist()
    moved = np.zeros_like(chosen)
    for cluster in np.flatnonzero(chosen).tolist():
        if cluster and distances[cluster] < selection.epsilon:
            while parents[cluster] and not distances[parents[cluster]] > selection.epsilon:
                cluster = parents[cluster]
            if parents[cluster] or selection.allow_single_cluster:
                cluster = parents[cluster]
        moved[cluster] = True
    return moved
