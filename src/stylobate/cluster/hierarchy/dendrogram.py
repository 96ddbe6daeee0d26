"""A hierarchy as a value: its merges, leaves, cuts and picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices, Integers
from stylobate.cluster.hierarchy.cophenetic import cophenet
from stylobate.cluster.hierarchy.cuts import cut_tree
from stylobate.cluster.hierarchy.linkage import linkage
from stylobate.cluster.hierarchy.matrix import leaf_ranges, read_linkage
from stylobate.exceptions import InvalidDataError


@dataclass(frozen=True, slots=True, eq=False)
class Dendrogram:
    """The tree of a hierarchy.

    Parameters
    ----------
    merges : array of shape (n − 1, 4)
        Of `linkage`.
    names : sequence of str, default=None
        Of the rows; their numbers where None.

    Examples
    --------
    >>> tree = Dendrogram.of([[0.0], [1.0], [5.0], [7.0]], "average", names=list("abcd"))
    >>> tree.leaves, tree.cut(n_clusters=2)
    (array([0, 1, 2, 3]), array([0, 0, 1, 1]))
    >>> tree.heights
    array([1. , 2. , 5.5])
    """

    merges: Array
    names: Sequence[str] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "merges", read_linkage(self.merges, "Dendrogram"))
        if self.names is not None and len(self.names) != self.n_leaves:
            raise InvalidDataError(
                f"Dendrogram: {len(self.names)} names for {self.n_leaves} rows; give one each."
            )

    @classmethod
    def of(
        cls,
        X: Any,
        method: str = "ward",
        metric: Any = "euclidean",
        names: Sequence[str] | None = None,
    ) -> Dendrogram:
        """The dendrogram of rows or dissimilarities, as of `linkage`."""
        return cls(linkage(X, method, metric), names)

    @property
    def n_leaves(self) -> int:
        """How many rows there are."""
        return len(self.merges) + 1

    @property
    def heights(self) -> Array:
        """Of the merges."""
        return self.merges[:, 2]

    @property
    def leaves(self) -> Indices:
        """The rows from left to right."""
        return leaf_ranges(self.merges)[0]

    @property
    def is_monotone(self) -> bool:
        """Whether no merge is lower than one it contains (centroid and median may have such)."""
        n = self.n_leaves
        own = np.concatenate([np.zeros(n), self.heights])
        below = own[self.merges[:, :2].astype(np.intp)].max(axis=1)
        return bool(np.all(self.heights >= below))

    def members(self, node: int) -> Indices:
        """The rows of cluster ``node``, n + k for that of merge k."""
        order, begin, end = leaf_ranges(self.merges)
        return np.sort(order[begin[node] : end[node]])

    def cut(
        self,
        *,
        n_clusters: int | None = None,
        height: float | None = None,
        inconsistency: float | None = None,
    ) -> Integers:
        """Labels from a cut, as of `cut_tree`."""
        return cut_tree(
            self.merges, n_clusters=n_clusters, height=height, inconsistency=inconsistency
        )

    def cophenetic(self, distances: Any = None) -> Any:
        """Cophenetic distances, and their correlation with those given, as of `cophenet`."""
        return cophenet(self.merges, distances)

    def plot(self, **options: Any) -> Any:
        """Draw it, as of `plot.plot_dendrogram`."""
        from stylobate.plot import plot_dendrogram

        return plot_dendrogram(self.merges, names=self.names, **options)
