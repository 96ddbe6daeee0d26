"""Which selected cluster each row belongs to, how surely, and how far outside it is."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from stylobate.arrays import Array, Integers
from stylobate.cluster.density.condensed_tree import CondensedTree


class Membership(NamedTuple):
    """Labels, -1 for noise, and the strength of membership in [0, 1]."""

    labels: Integers
    probabilities: Array


def label_of_clusters(tree: CondensedTree) -> Integers:
    """The label of every cluster: that of the selected one at or above it, -1 for none."""
    labels = np.full(len(tree.clusters), -1, dtype=np.intp)
    labels[tree.selected - tree.root] = np.arange(len(tree.selected))
    parents = (tree.parents_of_clusters - tree.root).tolist()
    own = labels.tolist()
    for cluster in range(1, len(own)):
        if own[cluster] < 0:
            own[cluster] = own[parents[cluster]]
    return np.array(own, dtype=np.intp)


def membership(tree: CondensedTree, epsilon: float) -> Membership:
    """Of the rows of the tree.

    Parameters
    ----------
    tree : CondensedTree
        With its selected clusters.
    epsilon : float
        Where the root alone is selected: rows that leave it at a larger distance are noise; 0:
        those that leave before its last ones.
    """
    rows = ~tree.is_cluster
    row, cluster, density = tree.child[rows], tree.parent[rows] - tree.root, tree.lambda_val[rows]
    labels = np.full(tree.root, -1, dtype=np.intp)
    found = label_of_clusters(tree)[cluster]
    if len(tree.selected) == 1 and tree.selected[0] == tree.root:
        enough = 1.0 / epsilon if epsilon != 0.0 else float(tree.deaths[0])
        found = np.where(density >= enough, found, -1)
    labels[row] = found
    strengths = np.zeros(tree.root)
    strengths[row] = strength(tree, found, density)
    return Membership(labels, strengths)


def strength(tree: CondensedTree, labels: Integers, density: Array) -> Array:
    r""":math:`\min(\lambda, \lambda_{max}) / \lambda_{max}` of the labelled cluster; noise 0."""
    if not len(tree.selected):
        return np.zeros(len(labels))
    most = tree.deaths[tree.selected - tree.root][labels]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.minimum(density, most) / most
    share = np.where((most == 0.0) | np.isinf(density), 1.0, share)
    return np.where(labels < 0, 0.0, share)


def outlier_scores(tree: CondensedTree) -> Array:
    r"""GLOSH: :math:`1 - \lambda_x / \lambda_{max}(C_x)`, the densest row at or below its cluster.

    References
    ----------
    Campello, Moulavi, Zimek & Sander (2015), Hierarchical density estimates for data clustering,
    visualization, and outlier detection.
    """
    deaths, parents = tree.deaths.tolist(), (tree.parents_of_clusters - tree.root).tolist()
    for cluster in range(len(deaths) - 1, 0, -1):
        deaths[parents[cluster]] = max(deaths[parents[cluster]], deaths[cluster])
    rows = ~tree.is_cluster
    most = np.array(deaths)[tree.parent[rows] - tree.root]
    density = tree.lambda_val[rows]
    with np.errstate(invalid="ignore", divide="ignore"):
        score = (most - density) / most
    scores = np.zeros(tree.root)
    scores[tree.child[rows]] = np.where(
        np.isinf(density) | (most == 0.0), 0.0, np.where(np.isinf(most), 1.0, score)
    )
    return scores


def approximate_membership(tree: CondensedTree, neighbour: Any, density: Array) -> Membership:
    """Of new rows that would hang on these rows of the tree, at these densities.

    A new row belongs to the cluster its neighbour is in at that density, and leaves it with its
    neighbour at the latest; the tree stays as it is.
    """
    rows = ~tree.is_cluster
    home = np.zeros(tree.root, dtype=np.intp)
    home[tree.child[rows]] = tree.parent[rows] - tree.root
    leaves = np.empty(tree.root)
    leaves[tree.child[rows]] = tree.lambda_val[rows]
    density = np.minimum(density, leaves[neighbour])
    cluster, births = home[neighbour], tree.births
    parents = tree.parents_of_clusters - tree.root
    while True:
        early = (births[cluster] > density) & (cluster > 0)
        if not early.any():
            break
        cluster = np.where(early, parents[cluster], cluster)
    labels = label_of_clusters(tree)[cluster]
    if len(tree.selected) == 1 and tree.selected[0] == tree.root:
        labels = np.where(density >= tree.deaths[0], labels, -1)
    return Membership(labels, strength(tree, labels, density))
