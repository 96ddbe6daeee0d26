"""Rows under a metric, as costs of serving points by candidates."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Indices
from stylobate.data.sparse import is_sparse
from stylobate.distances import Function, Metric, Precomputed
from stylobate.distances.directions import Direction, row_norms
from stylobate.distances.maps import Map
from stylobate.distances.names import names_where
from stylobate.exceptions import InvalidParameterError, UnsupportedDataError

_FEW = 1024  # rows whose matrix is held


class Dissimilarities:
    """What it costs to serve rows by rows: d(x, y), computed by tiles when it is looked at.

    The n × n matrix is held only where the caller gave it, where the core cannot compute the metric
    (a Python function of two rows, or of the sums of Gower's dissimilarity), and for at most 1024
    rows: 8 MB that stay in the cache, so that many passes read them quicker than they compute them.

    Parameters
    ----------
    metric : Metric
        With all it learns from rows.
    rows : ndarray or csr_array of shape (n, columns)
        Checked rows; distances among them for `Precomputed`.
    matrix : ndarray of shape (n, n), default=None
        The dissimilarities, where they are known.

    Examples
    --------
    >>> from stylobate.distances import Euclidean
    >>> among = Dissimilarities(Euclidean(), np.array([[0.0], [3.0], [4.0]]))
    >>> among.costs().distances(np.array([0]))
    array([[0., 3., 4.]])
    """

    def __init__(self, metric: Metric, rows: Any, matrix: Any = None) -> None:
        self.metric, self.rows = metric, rows
        self.n_rows = int(rows.shape[0])
        self.matrix: Any = matrix
        if isinstance(metric, Precomputed):
            self.matrix = rows if matrix is None else matrix
        elif matrix is None and _needs_matrix(metric, rows.shape[1]):
            self.matrix = metric.matrix(rows, rows)
        elif matrix is None and self.n_rows <= _FEW:
            self.matrix = metric.measured(rows, rows).write(out=np.empty((self.n_rows,) * 2))
        directions = isinstance(metric, Direction) and bool((row_norms(rows) == 0.0).any())
        self._clears = metric.zero_to_itself or directions

    def part(self, which: Indices) -> Dissimilarities:
        """Those among some of the rows."""
        matrix = None if self.matrix is None else _part(self.matrix, which, which)
        return Dissimilarities(self.metric, self.rows[which], matrix)

    def distinct(self) -> tuple[Indices, Indices]:
        """The first of each set of equal rows, and for each row which of these it equals.

        Rows that are sparse or given by distances count as different.
        """
        every = np.arange(self.n_rows)
        if isinstance(self.metric, Precomputed) or is_sparse(self.rows):
            return every, every
        _, first, which = np.unique(self.rows, axis=0, return_index=True, return_inverse=True)
        order = np.argsort(first)
        return first[order], np.argsort(order)[which.ravel()]

    def costs(
        self, points: Indices | None = None, candidates: Indices | None = None
    ) -> _core.MedoidCosts:
        """The costs of all rows, or of some of them as points or as candidates."""
        if self.matrix is not None:
            return _core.MedoidCosts(_part(self.matrix, points, candidates))
        every = np.arange(self.n_rows) if self._clears else None
        if points is None and candidates is None:
            whole = self.metric.measured(self.rows, self.rows)
            return _core.MedoidCosts(whole.pairs, whole.pairs, *_map_of(whole.finish), every)
        x = self.rows if points is None else self.rows[points]
        y = self.rows if candidates is None else self.rows[candidates]
        own = None
        if every is not None:
            places = np.full(self.n_rows, -1)
            chosen = every if candidates is None else candidates
            places[chosen] = np.arange(len(chosen))
            own = places[every if points is None else points]
        return between(self.metric, x, y, own)


def between(metric: Metric, points: Any, candidates: Any, own: Any = None) -> _core.MedoidCosts:
    """Costs of serving the rows of one table by those of another.

    Examples
    --------
    >>> from stylobate.distances import Euclidean
    >>> x, y = np.array([[0.0], [3.0], [4.0]]), np.array([[0.0], [5.0]])
    >>> between(Euclidean(), x, y).serve(np.array([0, 1]))[0].tolist()
    [0, 1, 1]
    """
    if _needs_matrix(metric, points.shape[1]):
        return _core.MedoidCosts(metric.matrix(points, candidates))
    there, back = metric.measured(points, candidates), metric.measured(candidates, points)
    return _core.MedoidCosts(there.pairs, back.pairs, *_map_of(there.finish), own)


def checked_metric(metric: Metric, rows: Any, owner: str) -> Metric:
    """The metric with what it takes from the rows; refuses those it cannot compare."""
    if metric.similarity:
        raise InvalidParameterError(
            f"{owner}: metric {metric.name!r} is a similarity; a dissimilarity is needed."
        )
    if is_sparse(rows):
        if isinstance(metric, Precomputed):
            raise UnsupportedDataError(
                f"{owner}: with metric='precomputed', X must be dense: every pair has a distance."
            )
        if not metric.sparse:
            takes = names_where(lambda each: each.sparse and not each.similarity)
            raise UnsupportedDataError(
                f"{owner}: metric {metric.name!r} takes dense tables only; sparse ones can be "
                f"compared by {', '.join(takes)}."
            )
        return metric
    return metric.learnt(rows)


def _needs_matrix(metric: Metric, columns: int) -> bool:
    return isinstance(metric, Function) or not isinstance(metric.form(columns).finish, Map)


def _map_of(finish: Any) -> Map:
    assert isinstance(finish, Map)
    return finish


def _part(matrix: Any, points: Indices | None, candidates: Indices | None) -> Array:
    some = matrix if points is None else matrix[points]
    return np.asarray(some if candidates is None else some[:, candidates])
