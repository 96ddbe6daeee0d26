"""Neighbours by a graph that is walked towards the query: approximate, with measured recall."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array, Indices
from stylobate.distances import Metric
from stylobate.exceptions import InvalidParameterError, ModelFileError
from stylobate.metrics.intervals.interval import Interval
from stylobate.neighbors.indexes.brute import BruteIndex

Numbers = NDArray[np.uint32]

RECALL_AT = 10  # neighbours for which recall is measured
OUTSIDE = 64.0  # codes beyond 0 … 255 at which a query is too far out for them


@dataclass(frozen=True)
class HNSW:
    """How an approximate index is built and asked: a value for `algorithm`.

    Parameters
    ----------
    M : int in [2, 512], default=16
        Links of a row in each layer; twice as many in the lowest.
    ef_construction : int in [1, inf), default=96
        Candidates looked at for a row's links.
    ef_search : int in [1, inf) or "auto", default="auto"
        Candidates kept while a query is answered, for up to 10 neighbours (in proportion for
        more). "auto": as many as the wanted recall takes, found by trying.
    recall : float in (0, 1), default=0.99
        The share of the true neighbours that "auto" wants found.
    random_state : int in [0, inf), default=0
        Of the layers and the order of the rows: the same seed gives the same index.

    Examples
    --------
    >>> HNSW(M=32).ef_search
    'auto'
    >>> HNSW(M=1)
    Traceback (most recent call last):
    stylobate.exceptions.InvalidParameterError: HNSW: M must be an integer in [2, 512], got 1.
    """

    M: int = 16
    ef_construction: int = 96
    ef_search: int | str = "auto"
    recall: float = 0.99
    random_state: int = 0

    def __post_init__(self) -> None:
        for name, low, high in (
            ("M", 2, 512), ("ef_construction", 1, None), ("random_state", 0, None),
        ):  # fmt: skip
            _check_whole(name, getattr(self, name), low, high)
        if self.ef_search != "auto":
            _check_whole("ef_search", self.ef_search, 1, None, or_auto=True)
        if not 0.0 < self.recall < 1.0:
            raise InvalidParameterError(
                f"HNSW: recall must be a number in (0, 1), got {self.recall!r}."
            )


def _check_whole(
    name: str, value: Any, low: int, high: int | None, *, or_auto: bool = False
) -> None:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if whole and low <= value and (high is None or value <= high):
        return
    span = f"[{low}, {high}]" if high is not None else f"[{low}, inf)"
    raise InvalidParameterError(
        f"HNSW: {name} must be {'auto or ' if or_auto else ''}an integer in {span}, got {value!r}."
    )


class Coding(NamedTuple):
    """A column's value x has the code (x - low) · scale: a byte, or a single float."""

    low: Array
    scale: float
    bytes: bool
    manhattan: bool

    def encode(self, points: NDArray[Any]) -> Array:
        """Codes of a byte as the core has them."""
        return np.asarray(np.floor(np.clip((points - self.low) * self.scale, 0.0, 255.0) + 0.5))

    def outside(self, points: NDArray[Any]) -> NDArray[np.bool_]:
        """Which points are too far out for codes of a byte."""
        if not self.bytes:
            return np.zeros(len(points), dtype=bool)
        margin = OUTSIDE / self.scale
        most = 255.0 / self.scale + margin
        return np.asarray(
            ((points < self.low - margin) | (points > self.low + most)).any(axis=1), dtype=bool
        )


@dataclass(frozen=True, eq=False)
class HnswIndex:
    """A graph of links over rows; nothing but arrays and numbers.

    Parameters
    ----------
    rows : ndarray of shape (n, p)
        The rows as given.
    points : ndarray
        The rows as the metric's points.
    metric : Metric
        What is measured.
    coding : Coding
        How points become what walks compare. Points of one code are one node.
    codes : ndarray of uint8
        The codes of the nodes.
    errors : ndarray of shape (n,)
        How far each member is from what its code stands for.
    starts, members : ndarray
        The rows of node i are ``members[starts[i]:starts[i + 1]]``.
    sizes : ndarray of int64
        Nodes of each layer.
    links, upper : ndarray of uint32
        Links of each node in the lowest layer, and in those above one after the other.
    effort : int
        Candidates kept for up to 10 neighbours.
    recall : Interval
        Share of the 10 nearest that sampled rows found before they were inserted themselves.
    reason : str
        Why this index.
    """

    rows: NDArray[Any]
    points: NDArray[Any]
    metric: Metric
    coding: Coding
    codes: NDArray[np.uint8]
    errors: Array
    starts: NDArray[np.int64]
    members: Numbers
    sizes: NDArray[np.int64]
    links: Numbers
    upper: Numbers
    effort: int = RECALL_AT
    recall: Interval | None = None
    reason: str = ""
    name: str = "hnsw"

    def query(self, x: Any | None, k: int) -> tuple[Array, Indices]:
        """Distances and rows of the k nearest found, nearest first; x None: of the rows."""
        effort = max(k, ceil(self.effort * max(1.0, k / RECALL_AT)))
        if x is None:
            asked = self.rows
            own = np.arange(len(asked))
            values, found = self.walk(self.metric.graph_queries(asked), k, effort, own)
        else:
            asked = np.asarray(x, dtype=self.rows.dtype)
            points = self.metric.graph_queries(asked)
            values, found = self.walk(points, k, effort)
            found[self.coding.outside(points)] = -1
        distances = self.metric.graph_distances(values, asked)
        self._look_at_all(asked, distances, found, own=x is None)
        return distances, found.view(np.intp)

    def _check_loaded(self) -> None:
        """Refuse what a walk would not: points that are not those of the rows, and their metric."""
        whole = isinstance(self.effort, int | np.integer) and 1 <= self.effort < 2**48
        same = self.points.ndim == 2 == self.rows.ndim and len(self.points) == len(self.rows)
        if not whole or not same or not np.isfinite(self.points).all():
            raise ModelFileError("The graph of neighbours of the file is not one of its rows.")
        if not np.array_equal(np.sort(self.members), np.arange(len(self.rows))):
            raise ModelFileError("The graph of neighbours of the file lacks some of its rows.")

    def walk(
        self,
        points: NDArray[Any],
        k: int,
        effort: int,
        own: NDArray[np.int64] | None = None,
    ) -> tuple[Array, NDArray[np.int64]]:
        """The core's values and the rows found, -1 for none; see `_core.hnsw_nearest`."""
        arrays = (
            self.codes, self.errors, self.starts, self.members, self.sizes, self.links, self.upper
        )  # fmt: skip
        mine = None if own is None else (own, self.nodes()[own])
        return _core.hnsw_nearest(arrays, *self.coding, self.points, points, k, effort, mine)

    def nodes(self) -> Numbers:
        """The node of every row."""
        node = np.empty(len(self.members), dtype=np.uint32)
        count = len(self.starts) - 1
        node[self.members] = np.repeat(np.arange(count, dtype=np.uint32), np.diff(self.starts))
        return node

    def within(self, x: Any, radius: Any) -> NoReturn:
        """Not to be had."""
        raise InvalidParameterError(
            "algorithm='hnsw' finds about the k nearest rows, never all rows within a radius; use "
            "algorithm='auto', 'brute' or a tree for radius queries."
        )

    count = within

    def _look_at_all(self, x: Any, distances: Array, found: Any, *, own: bool) -> None:
        """The few queries the graph has no answer for: cut off from it, or far outside."""
        lost = np.flatnonzero((found < 0).any(axis=1))
        if not len(lost):
            return
        exact = BruteIndex(self.rows, self.metric)
        k = found.shape[1]
        for i in range(0, len(lost), 1024):
            some = lost[i : i + 1024]
            near, rows = exact.query(x[some], min(k + own, len(self.rows)))
            if own:
                keep = without(rows, some)
                near = np.take_along_axis(near, keep, axis=1)
                rows = np.take_along_axis(rows, keep, axis=1)
            distances[some], found[some] = near, rows


def without(rows: NDArray[Any], own: NDArray[Any]) -> NDArray[np.intp]:
    """Of each list, the places of all but its own row, or of all but the last."""
    drop = rows == own[:, None]
    drop[~drop.any(axis=1), -1] = True
    return np.nonzero(~drop)[1].reshape(len(rows), -1)
