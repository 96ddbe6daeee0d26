"""The condensed tree of HDBSCAN: clusters, and when rows leave them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.exceptions import ModelFileError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False)
class CondensedTree:
    r"""The hierarchy of density in clusters of at least so many rows.

    As density rises, a cluster loses rows one by one and sometimes splits in two. Every entry says
    that a child (a row, or a cluster) left its parent at :math:`\lambda = 1 / d`, one over the
    distance at which they come apart.

    Parameters
    ----------
    parent, child : array of shape (n_entries,)
        Rows are their numbers; clusters are numbered from the number of rows on, the root first and
        parents before their children.
    lambda_val : array of shape (n_entries,)
        At what density the child leaves.
    child_size : array of shape (n_entries,)
        How many rows the child has.
    selected : array of shape (n_clusters,)
        The clusters that became labels 0, 1, …

    Examples
    --------
    >>> from stylobate.cluster import HDBSCAN
    >>> x = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> tree = HDBSCAN(min_cluster_size=3, min_samples=2).fit(x).condensed_tree_
    >>> tree.clusters
    array([6, 7, 8])
    >>> tree.parents_of_clusters
    array([-1,  6,  6])
    """

    parent: Integers
    child: Integers
    lambda_val: Array
    child_size: Integers
    selected: Integers

    def _check_loaded(self) -> None:
        """Refuse clusters of a file that there are not."""
        if not len(self.parent) or self.parent.min() != self.root or self.child.min() < 0:
            raise ModelFileError("The condensed tree of the file has no root.")
        most = int(max(self.parent.max(), self.child.max()))
        chosen = self.selected
        if most > 4 * len(self.parent) + 4 or ((chosen < self.root) | (chosen > most)).any():
            raise ModelFileError("The condensed tree of the file has clusters that are none.")

    @property
    def root(self) -> int:
        """The cluster of all rows."""
        return int(self.parent[0])

    @property
    def clusters(self) -> Integers:
        """All clusters, the root first."""
        return np.arange(self.root, int(max(self.parent.max(), self.child.max())) + 1)

    @property
    def is_cluster(self) -> Any:
        """Which entries are of clusters; the others are of rows."""
        return self.child >= self.root

    @property
    def parents_of_clusters(self) -> Integers:
        """The parent of each cluster, -1 for the root."""
        parents = np.full(len(self.clusters), -1, dtype=np.intp)
        own = self.is_cluster
        parents[self.child[own] - self.root] = self.parent[own]
        return parents

    @property
    def births(self) -> Array:
        """At what density each cluster begins; the root at 0."""
        births = np.zeros(len(self.clusters))
        own = self.is_cluster
        births[self.child[own] - self.root] = self.lambda_val[own]
        return births

    @property
    def deaths(self) -> Array:
        """At what density the last child leaves each cluster."""
        deaths = np.zeros(len(self.clusters))
        np.maximum.at(deaths, self.parent - self.root, self.lambda_val)
        return deaths

    @property
    def sizes(self) -> Integers:
        """How many rows each cluster has."""
        sizes = np.full(len(self.clusters), int((~self.is_cluster).sum()), dtype=np.intp)
        own = self.is_cluster
        sizes[self.child[own] - self.root] = self.child_size[own]
        return sizes

    @property
    def stabilities(self) -> Array:
        r"""The excess of mass of each cluster, :math:`\sum_x (\lambda_x - \lambda_{birth})`."""
        with np.errstate(invalid="ignore"):
            mass = (self.lambda_val - self.births[self.parent - self.root]) * self.child_size
        of, count = self.parent - self.root, len(self.clusters)
        return np.bincount(of, weights=mass, minlength=count).astype(np.float64)

    def renumbered(self, rows: Integers, n_rows: int) -> CondensedTree:
        """The same tree where row i is ``rows[i]`` of `n_rows`."""
        away = n_rows - self.root
        child = np.where(
            self.is_cluster, self.child + away, rows[np.minimum(self.child, len(rows) - 1)]
        )
        return CondensedTree(
            self.parent + away, child, self.lambda_val, self.child_size, self.selected + away
        )

    def plot(self, ax: Any = None) -> Axes:
        """Draw the tree: the width of a cluster is the number of its rows, density rises downwards.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure by default.

        Returns
        -------
        matplotlib Axes
        """
        from stylobate.plot.clusters.density import draw_condensed_tree

        return draw_condensed_tree(self, ax)


def condense(merges: tuple[Any, Any, Any, Any], smallest: int) -> CondensedTree:
    """The tree of the clusters of at least `smallest` rows, none selected yet.

    Parameters
    ----------
    merges : left, right, height, size
        As `_core.single_linkage` gives them.
    smallest : int
        Parts of fewer rows are rows that leave.

    Examples
    --------
    >>> ends = np.array([0, 1, 2]), np.array([1, 2, 3])
    >>> merges = _core.single_linkage(*ends, np.array([1.0, 4.0, 1.0]))
    >>> condense(merges, 2).child_size
    array([2, 2, 1, 1, 1, 1])
    """
    parent, child, lambdas, size = _core.condensed_tree(*merges, smallest)
    return CondensedTree(
        parent.view(np.intp),
        child.view(np.intp),
        lambdas,
        size.view(np.intp),
        np.empty(0, dtype=np.intp),
    )
