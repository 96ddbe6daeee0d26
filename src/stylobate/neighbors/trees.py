"""Neighbours by a tree, which looks at few of the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array, Indices
from stylobate.exceptions import ModelFileError
from stylobate.neighbors.brute import BruteIndex, Lists
from stylobate.neighbors.tree_metric import tree_metric


class TreeIndex:
    """A kd-tree or a ball tree of rows, with the answers of `BruteIndex`.

    Parameters
    ----------
    rows : ndarray of shape (n, p)
        The points.
    name : {"kd_tree", "ball_tree"}
        Which tree.
    metric : str
        A metric the tree takes.
    params : dict
        The metric's own.
    reason : str
        Why this index.

    Examples
    --------
    >>> index = TreeIndex(np.arange(5.0)[:, None], "kd_tree", "euclidean", {})
    >>> index.query(np.array([[2.2]]), 2)[1]
    array([[2, 3]])
    """

    # what a model file keeps: the tree is grown again
    _rebuilt_from = ("rows", "name", "metric", "params", "reason")

    def __init__(
        self, rows: Any, name: str, metric: str, params: dict[str, Any], reason: str = ""
    ) -> None:
        self.rows, self.name, self.metric = rows, name, metric
        self.params, self.reason = params, reason
        self._metric = tree_metric(metric, params, rows.shape[1])
        points, p = self._metric.prepare(rows), self._metric.p
        if name == "kd_tree":
            self._tree = _core.Tree.kd(points, self._metric.measure, p)
        else:
            self._tree = _core.Tree.ball(points, self._metric.measure, p, self._metric.weights)

    @classmethod
    def _rebuilt(cls, **parts: Any) -> TreeIndex:
        """The index of a model file."""
        rows = parts["rows"]
        numbers = isinstance(rows, np.ndarray) and rows.dtype.kind in "biuf" and rows.ndim == 2
        if not numbers or parts["name"] not in ("kd_tree", "ball_tree"):
            raise ModelFileError("A tree of neighbours in the file has no rows or is of no kind.")
        if not isinstance(parts["metric"], str) or not isinstance(parts["params"], dict):
            raise ModelFileError("A tree of neighbours in the file has a metric that is none.")
        return cls(**parts)

    def __reduce__(self) -> Any:
        """Rows travel, the tree is grown again: it depends on them alone."""
        return TreeIndex, tuple(getattr(self, name) for name in self._rebuilt_from)

    def query(self, x: Any | None, k: int) -> tuple[Array, Indices]:
        """As `BruteIndex.query`."""
        if self._needs_all(x):
            return self._all().query(x, k)
        values, rows = self._tree.nearest(self._prepared(x), k, x is None)
        return self._metric.finish(values), rows.view(np.intp)

    def within(self, x: Any | None, radius: Any) -> Lists:
        """As `BruteIndex.within`."""
        if self._needs_all(x):
            return self._all().within(x, radius)
        radii = self._radii(x, radius)
        offsets, rows, values = self._tree.within(self._prepared(x), radii, x is None)
        return Lists(offsets.view(np.intp), rows.view(np.intp), self._metric.finish(values))

    def count(self, x: Any, radius: Any) -> NDArray[np.int64]:
        """How many rows lie at most `radius` away from each query."""
        if self._needs_all(x):
            return self._all().count(x, radius)
        return np.asarray(self._tree.count(self._prepared(x), self._radii(x, radius)))

    def _needs_all(self, x: Any | None) -> bool:
        """Balls of braycurtis are sure for queries without negative numbers."""
        return self.metric == "braycurtis" and x is not None and bool((np.asarray(x) < 0).any())

    def _all(self) -> BruteIndex:
        return BruteIndex(self.rows, self.metric, self.params)

    def _prepared(self, x: Any | None) -> Array | None:
        return None if x is None else self._metric.prepare(x)

    def _radii(self, x: Any | None, radius: Any) -> Array:
        count = (self.rows if x is None else x).shape[0]
        radii = self._metric.finish.inverse(np.asarray(radius, dtype=np.float64))
        return np.ascontiguousarray(np.broadcast_to(radii, (count,)))
