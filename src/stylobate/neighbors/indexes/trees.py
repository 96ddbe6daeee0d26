"""Neighbours by a tree, which looks at few of the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array, Indices
from stylobate.distances import Metric
from stylobate.exceptions import ModelFileError
from stylobate.neighbors.indexes.brute import BruteIndex, Lists, with_metric


class TreeIndex:
    """A kd-tree or a ball tree of rows, with the answers of `BruteIndex`.

    Parameters
    ----------
    rows : ndarray of shape (n, p)
        The points.
    name : {"kd_tree", "ball_tree"}
        Which tree.
    metric : Metric
        A metric the tree takes.
    reason : str
        Why this index.

    Examples
    --------
    >>> from stylobate.distances import Euclidean
    >>> index = TreeIndex(np.arange(5.0)[:, None], "kd_tree", Euclidean())
    >>> index.query(np.array([[2.2]]), 2)[1]
    array([[2, 3]])
    """

    # what a model file keeps: the tree is grown again
    _rebuilt_from = ("rows", "name", "metric", "reason")
    _from_earlier = staticmethod(with_metric)

    def __init__(self, rows: Any, name: str, metric: Metric, reason: str = "") -> None:
        self.rows, self.name, self.metric, self.reason = rows, name, metric, reason
        boxes = name == "kd_tree"
        form = metric.form(rows.shape[1]) if boxes else metric.ball_form(rows.shape[1])
        self._form, points = form, np.asarray(form.points(rows), dtype=np.float64)
        if boxes:
            self._tree = _core.Tree.kd(points, form.measure, form.p)
        else:
            self._tree = _core.Tree.ball(points, form.measure, form.p, form.weights)

    @classmethod
    def _rebuilt(cls, **parts: Any) -> TreeIndex:
        """The index of a model file."""
        rows = parts["rows"]
        numbers = isinstance(rows, np.ndarray) and rows.dtype.kind in "biuf" and rows.ndim == 2
        if not numbers or parts["name"] not in ("kd_tree", "ball_tree"):
            raise ModelFileError("A tree of neighbours in the file has no rows or is of no kind.")
        if not isinstance(parts["metric"], Metric):
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
        return self._form.finish(values), rows.view(np.intp)

    def within(self, x: Any | None, radius: Any) -> Lists:
        """As `BruteIndex.within`."""
        if self._needs_all(x):
            return self._all().within(x, radius)
        radii = self._radii(x, radius)
        offsets, rows, values = self._tree.within(self._prepared(x), radii, x is None)
        return Lists(offsets.view(np.intp), rows.view(np.intp), self._form.finish(values))

    def count(self, x: Any, radius: Any) -> NDArray[np.int64]:
        """How many rows lie at most `radius` away from each query."""
        if self._needs_all(x):
            return self._all().count(x, radius)
        return np.asarray(self._tree.count(self._prepared(x), self._radii(x, radius)))

    def _needs_all(self, x: Any | None) -> bool:
        """Whether the tree could miss rows near some of these queries."""
        return x is not None and bool(self.metric.without_balls(x))

    def _all(self) -> BruteIndex:
        return BruteIndex(self.rows, self.metric)

    def _prepared(self, x: Any | None) -> Array | None:
        return None if x is None else np.asarray(self._form.points(x), dtype=np.float64)

    def _radii(self, x: Any | None, radius: Any) -> Array:
        count = (self.rows if x is None else x).shape[0]
        radii = self._form.finish.inverse(np.asarray(radius, dtype=np.float64))
        return np.ascontiguousarray(np.broadcast_to(radii, (count,)))
