"""A ball tree of a metric that is a Python function: few calls of it for a query."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array, Indices
from stylobate.distances import Function
from stylobate.exceptions import InvalidParameterError, ModelFileError
from stylobate.neighbors.indexes.brute import Lists, with_metric

LEAF = 16
SHOWN = 16  # rows that the function is tried on first
NEEDED = ("finite", "not negative", "symmetry", "triangle")


class _Ball:
    """Rows around one of them; two balls within, or a leaf."""

    __slots__ = ("centre", "halves", "radius", "rows")

    def __init__(
        self, order: Indices, leaves: int, rows: Any, distance: Callable[..., float]
    ) -> None:
        self.rows = order
        self.centre = int(order[len(order) // 2])
        self.radius = max(distance(rows[self.centre], rows[row]) for row in order)
        self.halves: tuple[_Ball, ...] = ()
        if leaves > 1:
            left = (leaves + 1) // 2
            self.halves = (
                _Ball(order[: left * LEAF], left, rows, distance),
                _Ball(order[left * LEAF :], leaves - left, rows, distance),
            )


class _Nearest:
    """The k nearest so far, (distance, row) in order."""

    def __init__(self, k: int) -> None:
        self.k = k
        self.found: list[tuple[float, int]] = []

    @property
    def reach(self) -> float:
        return self.found[-1][0] if len(self.found) == self.k else inf

    def take(self, distance: float, row: int) -> None:
        if len(self.found) < self.k or (distance, row) < self.found[-1]:
            insort(self.found, (distance, row))
            del self.found[self.k :]


class _Inside:
    """Everything within a radius."""

    def __init__(self, reach: float) -> None:
        self.reach = reach
        self.found: list[tuple[float, int]] = []

    def take(self, distance: float, row: int) -> None:
        if distance <= self.reach:
            self.found.append((distance, row))


class CallableTree:
    """A ball tree by a function of two rows that obeys the triangle inequality.

    Parameters
    ----------
    rows : ndarray of shape (n, p)
        The points.
    metric : Function
        The distance of two rows.
    reason : str
        Why this index.

    Examples
    --------
    >>> index = CallableTree(np.arange(5.0)[:, None], Function(lambda a, b: abs(a[0] - b[0])))
    >>> index.query(np.array([[2.2]]), 2)[1]
    array([[2, 3]])
    """

    name = "ball_tree"
    _rebuilt_from = ("rows", "metric", "reason")  # what a model file keeps
    _from_earlier = staticmethod(with_metric)

    def __init__(self, rows: Any, metric: Function, reason: str = "") -> None:
        self.rows, self.metric, self.reason = rows, metric, reason
        self._refuse_what_balls_cannot_hold()
        _ = self._root

    @cached_property
    def _root(self) -> _Ball:
        order = _core.leaf_order(np.asarray(self.rows, dtype=np.float64)).view(np.intp)
        return _Ball(order, -(-len(order) // LEAF), self.rows, self.metric)

    @classmethod
    def _rebuilt(cls, **parts: Any) -> CallableTree:
        """The index of a model file; its function is first called by the first query."""
        rows = parts["rows"]
        if not isinstance(rows, np.ndarray) or rows.dtype.kind not in "biuf" or rows.ndim != 2:
            raise ModelFileError("A tree of neighbours in the file has no rows.")
        if not rows.size or not np.isfinite(rows).all():
            raise ModelFileError("A tree of neighbours in the file has no rows, or NaN in them.")
        if not isinstance(parts["metric"], Function):
            raise ModelFileError("A tree of neighbours in the file has a metric that is none.")
        index = cls.__new__(cls)
        vars(index).update(parts)
        return index

    def query(self, x: Any | None, k: int) -> tuple[Array, Indices]:
        """As `BruteIndex.query`."""
        points = self.rows if x is None else x
        found = [
            self._search(point, _Nearest(k), i if x is None else -1).found
            for i, point in enumerate(points)
        ]
        pairs = np.array(found, dtype=np.float64).reshape(len(points), k, 2)
        return pairs[:, :, 0], pairs[:, :, 1].astype(np.intp)

    def within(self, x: Any | None, radius: Any) -> Lists:
        """As `BruteIndex.within`."""
        points = self.rows if x is None else x
        radii = np.broadcast_to(radius, (len(points),))
        found = [
            sorted(
                self._search(point, _Inside(float(radii[i])), i if x is None else -1).found,
                key=lambda pair: pair[1],
            )
            for i, point in enumerate(points)
        ]
        offsets = np.concatenate([[0], np.cumsum([len(each) for each in found])]).astype(np.intp)
        flat = [pair for each in found for pair in each]
        rows = np.array([row for _, row in flat], dtype=np.intp)
        return Lists(offsets, rows, np.array([distance for distance, _ in flat], dtype=np.float64))

    def count(self, x: Any, radius: Any) -> NDArray[np.int64]:
        """How many rows lie at most `radius` away from each query."""
        return np.diff(self.within(x, radius).offsets).astype(np.int64)

    def _refuse_what_balls_cannot_hold(self) -> None:
        """A few rows show a function that is no metric; with it, balls would hide neighbours."""
        from stylobate.metrics.metric_axioms import check_metric

        places = np.unique(np.linspace(0, len(self.rows) - 1, SHOWN).astype(np.intp))
        report = check_metric(self.metric.__call__, self.rows[places])
        said = [report.broken[axiom] for axiom in NEEDED if axiom in report.broken]
        if said:
            raise InvalidParameterError(
                f"A ball tree needs a metric, and the function given breaks an axiom (among the "
                f"rows {', '.join(map(str, places))}, counted from 0): {said[0]} "
                "algorithm='brute' takes any function."
            )

    def _search(self, point: Any, sink: Any, itself: int) -> Any:
        root = self._root
        self._visit(root, self.metric(point, self.rows[root.centre]), point, sink, itself)
        return sink

    def _visit(self, ball: _Ball, away: float, point: Any, sink: Any, itself: int) -> None:
        # what rounding may have done to the function's values must not hide a neighbour
        if away - ball.radius > sink.reach + 1e-9 * (away + ball.radius):
            return
        if not ball.halves:
            for row in ball.rows:
                if row != itself:
                    sink.take(self.metric(point, self.rows[row]), int(row))
            return
        near = [(self.metric(point, self.rows[half.centre]), half) for half in ball.halves]
        for distance, half in sorted(near, key=lambda pair: pair[0]):
            self._visit(half, distance, point, sink, itself)
