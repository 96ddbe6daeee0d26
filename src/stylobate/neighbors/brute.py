"""Neighbours by looking at every row: tiles of distances, or distances the caller has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidDataError

Array = NDArray[np.float64]
Rows = NDArray[np.intp]


class Lists(NamedTuple):
    """Neighbours of query i are ``rows[offsets[i]:offsets[i + 1]]``, at ``distances``."""

    offsets: Rows
    rows: Rows
    distances: Array

    def sorted(self) -> Lists:
        """The nearest first within each list, ties by row."""
        query = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
        order = np.lexsort((self.rows, self.distances, query))
        return Lists(self.offsets, self.rows[order], self.distances[order])


@dataclass(frozen=True, slots=True, eq=False)
class BruteIndex:
    """Distances of every query to every row, tile by tile; nothing is prepared.

    Parameters
    ----------
    rows : ndarray or csr_array of shape (n, p)
        The points.
    metric : str or callable
        A name of `stylobate.metrics.pairwise`, or a function of two points.
    params : dict
        The metric's own.
    reason : str
        Why this index.
    """

    rows: Any
    metric: Any
    params: dict[str, Any] = field(default_factory=dict)
    reason: str = ""
    name: str = "brute"

    def query(self, x: Any | None, k: int) -> tuple[Array, Rows]:
        """Distances and rows of the k nearest, nearest first, ties by row; x None: of the rows."""
        if callable(self.metric):
            return _nearest_of_matrix(self._matrix(x), k, skip_self=x is None)
        distances, rows = self._measured(x).nearest(k, skip_self=x is None)
        return distances, rows.view(np.intp)

    def within(self, x: Any | None, radius: Any) -> Lists:
        """The rows at most `radius` away from each query, in order of the rows."""
        if callable(self.metric):
            return _within_matrix(self._matrix(x), radius, skip_self=x is None)
        offsets, rows, distances = self._measured(x).within(radius, skip_self=x is None)
        return Lists(offsets.view(np.intp), rows.view(np.intp), distances)

    def count(self, x: Any, radius: Any) -> NDArray[np.int64]:
        """How many rows lie at most `radius` away from each query."""
        return np.asarray(self._measured(x).count(radius))

    def _measured(self, x: Any | None) -> Any:
        from stylobate.metrics.pairwise.named import measured

        return measured(self.rows if x is None else x, self.rows, self.metric, **self.params)

    def _matrix(self, x: Any | None) -> Array:
        from stylobate.metrics.pairwise import pairwise_distances

        left = self.rows if x is None else x
        return np.asarray(pairwise_distances(left, self.rows, self.metric, **self.params))


@dataclass(frozen=True, slots=True, eq=False)
class GivenDistances:
    """Queries are rows of distances to the points, dense or a sparse graph of neighbours.

    Parameters
    ----------
    own : ndarray or csr_array of shape (n, n)
        Distances among the points.
    reason : str
        Why this index.
    """

    own: Any
    reason: str = "the distances are given"
    name: str = "brute"

    @property
    def rows(self) -> Any:
        """The distances among the points."""
        return self.own

    def query(self, x: Any | None, k: int) -> tuple[Array, Rows]:
        """As `BruteIndex.query`."""
        given = self.own if x is None else x
        if is_sparse(given):
            return _nearest_of_graph(given.tocsr(), k, skip_self=x is None)
        return _nearest_of_matrix(np.asarray(given), k, skip_self=x is None)

    def within(self, x: Any | None, radius: Any) -> Lists:
        """As `BruteIndex.within`."""
        given = self.own if x is None else x
        if is_sparse(given):
            return _within_graph(given.tocsr(), radius, skip_self=x is None)
        return _within_matrix(np.asarray(given), radius, skip_self=x is None)


def split(values: NDArray[Any], offsets: Rows) -> NDArray[np.object_]:
    """An array of arrays, one for each list."""
    lists = np.empty(len(offsets) - 1, dtype=object)
    for i in range(len(lists)):
        lists[i] = values[offsets[i] : offsets[i + 1]]
    return lists


def _nearest_of_matrix(matrix: Array, k: int, *, skip_self: bool) -> tuple[Array, Rows]:
    if skip_self:
        matrix = matrix.copy()
        np.fill_diagonal(matrix, np.inf)
    order = np.argsort(matrix, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(matrix, order, axis=1), order.astype(np.intp)


def _within_matrix(matrix: Array, radius: Any, *, skip_self: bool) -> Lists:
    near = matrix <= np.broadcast_to(radius, (len(matrix),))[:, None]
    if skip_self:
        np.fill_diagonal(near, False)
    offsets = np.concatenate([[0], np.cumsum(near.sum(axis=1))]).astype(np.intp)
    return Lists(offsets, np.nonzero(near)[1].astype(np.intp), matrix[near])


def _nearest_of_graph(graph: Any, k: int, *, skip_self: bool) -> tuple[Array, Rows]:
    lists = _graph_lists(graph, skip_self).sorted()
    counts = np.diff(lists.offsets)
    if counts.min(initial=k) < k:
        poor = int(np.argmin(counts))
        raise InvalidDataError(
            f"{k} neighbors are required for each sample, but row {poor} of the graph has only "
            f"{counts[poor]}; make the graph with more neighbours."
        )
    places = lists.offsets[:-1, None] + np.arange(k)
    return lists.distances[places], lists.rows[places]


def _within_graph(graph: Any, radius: Any, *, skip_self: bool) -> Lists:
    lists = _graph_lists(graph, skip_self)
    query = np.repeat(np.arange(graph.shape[0]), np.diff(lists.offsets))
    near = lists.distances <= np.broadcast_to(radius, (graph.shape[0],))[query]
    counts = np.bincount(query[near], minlength=graph.shape[0])
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.intp)
    return Lists(offsets, lists.rows[near], lists.distances[near])


def _graph_lists(graph: Any, skip_self: bool) -> Lists:
    """The stored entries; a point is not its own neighbour where that is asked."""
    query = np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))
    kept = graph.indices != query if skip_self else np.ones(len(query), dtype=bool)
    counts = np.bincount(query[kept], minlength=graph.shape[0])
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.intp)
    return Lists(offsets, graph.indices[kept].astype(np.intp), graph.data[kept])
