"""The tree of a join: a root of facts, joined with what breaks its cycles, and tables below it."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from stylobate.joins.assembly import Assembly
from stylobate.joins.layout import Layout
from stylobate.joins.prepared import Prepared


class JoinTree:
    """Which tables are of the root, and which hang below which.

    An edge that starts at several tables closes a cycle. The smallest set of tables that contains
    these and all between them and the facts is joined first, a window at a time; what is left is a
    tree.

    Parameters
    ----------
    prepared : Prepared

    Attributes
    ----------
    bag : set of int
        The links that are of the root.
    """

    def __init__(self, prepared: Prepared) -> None:
        self.prepared = prepared
        self.bag: set[int] = set()
        for link in prepared.links:
            if len(set(link.parents)) > 1:
                for place in link.parents:
                    self._take_in(place)

    def _take_in(self, place: int) -> None:
        if place and place - 1 not in self.bag:
            self.bag.add(place - 1)
            for above in self.prepared.links[place - 1].parents:
                self._take_in(above)

    @cached_property
    def root(self) -> Assembly:
        """The rows of the root."""
        return Assembly(self.prepared.links, self.prepared.dimension_codes, self.bag)

    @cached_property
    def n_root(self) -> int:
        """How many rows the root has."""
        if not self.bag:
            return self.prepared.n_facts
        return sum(
            rows.count
            for facts in self.prepared.fact_batches(())
            for rows in self.root.assemble(facts.codes, facts.n_rows, 1 << 20)
        )

    def below(self, place: int) -> list[int]:
        """The links whose tables hang below a table of the tree, or (0) below the root."""
        return [
            k
            for k, link in enumerate(self.prepared.links)
            if k not in self.bag and self._above(k) == place
        ]

    def _above(self, k: int) -> int:
        places = set(self.prepared.links[k].parents)
        place = places.pop()
        return 0 if places or place == 0 or place - 1 in self.bag else place

    def is_root(self, place: int) -> bool:
        """Whether a table is of the root."""
        return place == 0 or place - 1 in self.bag

    def own(self, layout: Layout) -> dict[int, list[int]]:
        """Of each table of the tree (0: the root) which of the columns asked for are its own."""
        found: dict[int, list[int]] = {0: []}
        for k in range(len(self.prepared.links)):
            if k not in self.bag:
                found[k + 1] = []
        for j, (place, _) in enumerate((*layout.features, *layout.target)):
            found[0 if self.is_root(place) else place].append(j)
        return found

    def subtree(self, layout: Layout) -> dict[int, list[int]]:
        """Of each table of the tree its own columns and those of all below, in this order."""
        found = self.own(layout)
        for k in reversed(range(len(self.prepared.links))):
            if k not in self.bag:
                found[self._above(k)] += found[k + 1]
        return {place: sorted(columns) for place, columns in found.items()}

    def sizes(self, layout: Layout) -> list[tuple[int, int]]:
        """Rows and columns of each table of the tree, with the columns below it."""
        columns = self.subtree(layout)
        return [
            (self.n_root if place == 0 else self.prepared.links[place - 1].n_rows, len(each))
            for place, each in columns.items()
        ]


def grouped_mean(
    codes: np.ndarray, size: int, weights: np.ndarray, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Sums of weights and weighted means of the rows of each code; 0 where there is no weight.

    Parameters
    ----------
    codes : array of shape (n,)
        Numbers below `size`.
    size : int
    weights : array of shape (n,)
    values : array of shape (n, q)

    Examples
    --------
    >>> codes, ones = np.array([0, 0, 2]), np.ones(3)
    >>> total, mean = grouped_mean(codes, 3, ones, np.array([[1.0], [3.0], [5.0]]))
    >>> total.tolist(), mean[:, 0].tolist()
    ([2.0, 0.0, 1.0], [2.0, 0.0, 5.0])
    """
    total = np.bincount(codes, weights, minlength=size)
    mean = np.empty((size, values.shape[1]))
    share = weights / np.where(total > 0, total, 1.0)[codes]
    for j in range(values.shape[1]):
        mean[:, j] = np.bincount(codes, share * values[:, j], minlength=size)
    return total, mean
