"""Neighbours by looking at every row: tiles of distances, or distances the caller has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.data.sparse import is_sparse
from stylobate.distances import Function, Metric, Precomputed, measured, metric_of
from stylobate.distances.tiles import Measured
from stylobate.exceptions import InvalidDataError, ModelFileError, StylobateError

_BLOCK = 512  # queries at a time: distances to all rows are never held together


def with_metric(state: dict[str, Any]) -> dict[str, Any]:
    """The parts of an index of a model file; in earlier ones the metric was a name.

    Examples
    --------
    >>> with_metric({"metric": "minkowski", "params": {"p": 3, "w": None}})
    {'metric': Minkowski(p=3, w=None)}
    """
    metric, params = state.get("metric"), state.get("params")
    if isinstance(metric, Metric) or not (isinstance(metric, str) or callable(metric)):
        return state
    rest = {name: each for name, each in state.items() if name != "params"}
    try:
        return rest | {"metric": metric_of(metric, params)}
    except (StylobateError, TypeError, ValueError) as error:
        raise ModelFileError(
            f"Neighbours of the file have a metric that is none: {error}"
        ) from None


def check_measures(metric: Metric, columns: int) -> None:
    """Refuse a metric of a model file that does not measure rows of so many columns."""
    if isinstance(metric, Function | Precomputed):
        return
    try:
        metric.form(columns)
        metric.ball_form(columns)
    except Exception as error:
        raise ModelFileError(f"A metric of the file does not measure its rows: {error}") from None


class Lists(NamedTuple):
    """Neighbours of query i are ``rows[offsets[i]:offsets[i + 1]]``, at ``distances``."""

    offsets: Indices
    rows: Indices
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
    metric : Metric
        What is measured.
    reason : str
        Why this index.
    """

    rows: Any
    metric: Metric
    reason: str = ""
    name: str = "brute"

    _from_earlier = staticmethod(with_metric)

    def query(self, x: Any | None, k: int) -> tuple[Array, Indices]:
        """Distances and rows of the k nearest, nearest first, ties by row; x None: of the rows."""
        if isinstance(self.metric, Function):
            return _nearest_of_blocks(self._blocks(x), k, skip_self=x is None)
        distances, rows = self._measured(x).nearest(k, skip_self=x is None)
        return distances, rows.view(np.intp)

    def within(self, x: Any | None, radius: Any) -> Lists:
        """The rows at most `radius` away from each query, in order of the rows."""
        if isinstance(self.metric, Function):
            return _within_blocks(self._blocks(x), radius, skip_self=x is None)
        offsets, rows, distances = self._measured(x).within(radius, skip_self=x is None)
        return Lists(offsets.view(np.intp), rows.view(np.intp), distances)

    def count(self, x: Any, radius: Any) -> NDArray[np.int64]:
        """How many rows lie at most `radius` away from each query."""
        if isinstance(self.metric, Function):
            return np.diff(self.within(x, radius).offsets).astype(np.int64)
        return np.asarray(self._measured(x).count(radius))

    def _measured(self, x: Any | None) -> Measured:
        return measured(self.rows if x is None else x, self.rows, self.metric)

    def _blocks(self, x: Any | None) -> Iterator[Array]:
        """Distances of some queries at a time to all rows, by the caller's function."""
        left = self.rows if x is None else x
        for start in range(0, left.shape[0], _BLOCK):
            block = np.asarray(self.metric.matrix(left[start : start + _BLOCK], self.rows))
            if np.isnan(block).any():
                i, j = np.argwhere(np.isnan(block))[0]
                raise InvalidDataError(
                    f"The metric gave NaN for query {start + i} and row {j}, which is neither near "
                    "nor far; it must return a number for every two rows."
                )
            yield block


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

    def query(self, x: Any | None, k: int) -> tuple[Array, Indices]:
        """As `BruteIndex.query`."""
        given = self.own if x is None else x
        if is_sparse(given):
            return _nearest_of_graph(given.tocsr(), k, skip_self=x is None)
        return _nearest_of_blocks(_row_blocks(given), k, skip_self=x is None)

    def within(self, x: Any | None, radius: Any) -> Lists:
        """As `BruteIndex.within`."""
        given = self.own if x is None else x
        if is_sparse(given):
            return _within_graph(given.tocsr(), radius, skip_self=x is None)
        return _within_blocks(_row_blocks(given), radius, skip_self=x is None)


def checked_count(k: Any, rows: int, owner: str) -> int:
    """How many neighbours are asked for, of so many rows.

    Examples
    --------
    >>> checked_count(2.5, 9, "KDTree")
    Traceback (most recent call last):
    TypeError: KDTree: k must be an integer, got 2.5.
    """
    if not isinstance(k, Integral) or isinstance(k, bool):
        raise TypeError(f"{owner}: k must be an integer, got {k!r}.")
    count = int(k)
    if not 1 <= count <= rows:
        raise InvalidDataError(
            f"{owner}: k must be at least 1 and less than or equal to the number of training "
            f"points, {rows}; got {k!r}."
        )
    return count


def split(values: NDArray[Any], offsets: Indices) -> NDArray[np.object_]:
    """An array of arrays, one for each list."""
    lists = np.empty(len(offsets) - 1, dtype=object)
    for i in range(len(lists)):
        lists[i] = values[offsets[i] : offsets[i + 1]]
    return lists


def _row_blocks(matrix: Any) -> Iterator[Array]:
    """Some rows of a matrix at a time."""
    for start in range(0, len(matrix), _BLOCK):
        yield np.asarray(matrix[start : start + _BLOCK])


def _nearest_of_blocks(
    blocks: Iterable[Array], k: int, *, skip_self: bool
) -> tuple[Array, Indices]:
    """The k smallest of each row, ties by column; with `skip_self` row i does not see column i."""
    distances, rows, start = [], [], 0
    for block in blocks:
        if skip_self:
            block = block.copy()
            block[np.arange(len(block)), start + np.arange(len(block))] = np.inf
        order = np.argsort(block, axis=1, kind="stable")[:, :k]
        distances.append(np.take_along_axis(block, order, axis=1))
        rows.append(order)
        start += len(block)
    return np.concatenate(distances), np.concatenate(rows)


def _within_blocks(blocks: Iterable[Array], radius: Any, *, skip_self: bool) -> Lists:
    """The entries of each row that are at most `radius`, one for all rows or one each."""
    counts, rows, distances, start = [], [], [], 0
    for block in blocks:
        reach = radius if np.ndim(radius) == 0 else np.asarray(radius)[start:][: len(block), None]
        near = block <= reach
        if skip_self:
            near[np.arange(len(block)), start + np.arange(len(block))] = False
        counts.append(near.sum(axis=1))
        rows.append(np.nonzero(near)[1])
        distances.append(block[near])
        start += len(block)
    offsets = np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.intp)
    return Lists(offsets, np.concatenate(rows), np.concatenate(distances))


def _nearest_of_graph(graph: Any, k: int, *, skip_self: bool) -> tuple[Array, Indices]:
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
