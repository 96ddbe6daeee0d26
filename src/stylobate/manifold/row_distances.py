"""Distances of some rows to all, some at a time, whatever the metric."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array, Integers
from stylobate.data.sparse import is_sparse
from stylobate.distances import Function, Metric, Precomputed, metric_of
from stylobate.metrics.pairwise.arrays import check_pairwise_arrays
from stylobate.metrics.pairwise.callables import rows_for_function
from stylobate.metrics.pairwise.dispatch import read_for

_BLOCK_NUMBERS = 1 << 21  # distances held at a time


@dataclass(frozen=True, eq=False)
class RowDistances:
    """Rows under a metric, or their distances.

    Parameters
    ----------
    metric : Metric
        With what it learns from the rows.
    x : ndarray or csr_array
        The rows; for ``precomputed`` their distances.

    Examples
    --------
    >>> rows = read_rows([[0.0], [3.0], [4.0]], "euclidean", "example")
    >>> rows.seen_from(np.array([0, 2]))
    array([[0., 3., 4.],
           [4., 1., 0.]])
    """

    metric: Metric
    x: Any

    @property
    def count(self) -> int:
        """How many rows there are."""
        return int(self.x.shape[0])

    def seen_from(self, rows: Integers) -> Array:
        """Distances of these rows to all."""
        return self._between(rows, None)

    def among(self, rows: Integers) -> Array:
        """Distances of these rows to each other."""
        return self._between(rows, rows)

    def reordered(self, order: Integers) -> RowDistances:
        """The rows in another order."""
        x = self.x[order]
        return RowDistances(self.metric, x[:, order] if self._given else x)

    def nearest(self, k: int) -> Integers:
        """The k nearest other rows of each, nearest first, of equal ones the first."""
        if not self._given and not isinstance(self.metric, Function):
            return self.metric.measured(self.x, self.x).nearest(k, skip_self=True)[1]
        near = np.empty((self.count, k), dtype=np.int64)
        for part, rows in self.blocks(np.arange(self.count)):
            seen = self.seen_from(rows)
            seen[np.arange(len(rows)), rows] = np.inf
            near[part] = np.argsort(seen, axis=1, kind="stable")[:, :k]
        return near

    def blocks(self, rows: Integers) -> Iterator[tuple[slice, Integers]]:
        """Parts of a list of rows whose distances are held at a time."""
        step = max(1, _BLOCK_NUMBERS // max(1, self.count))
        for first in range(0, len(rows), step):
            part = slice(first, min(first + step, len(rows)))
            yield part, rows[part]

    @property
    def _given(self) -> bool:
        return isinstance(self.metric, Precomputed)

    def _between(self, rows: Integers, columns: Integers | None) -> Array:
        some = self.x[rows]
        if self._given:
            some = some if columns is None else some[:, columns]
            return np.array(
                some.toarray() if is_sparse(some) else some, dtype=np.float64, order="C"
            )
        others = self.x if columns is None else self.x[columns]
        if isinstance(self.metric, Function):
            return np.asarray(self.metric.matrix(some, others), dtype=np.float64)
        out = np.empty((len(rows), others.shape[0]))
        return self.metric.measured(some, others).write(out=out)


def read_rows(X: Any, metric: Any, owner: str) -> RowDistances:
    """Rows, or their distances, as the caller passed them, checked."""
    made = metric_of(metric, None, owner)
    if isinstance(made, Precomputed):
        return RowDistances(made, check_pairwise_arrays(X, None, precomputed=True)[0])
    if isinstance(made, Function):
        return RowDistances(made, rows_for_function(X, None, owner)[0])
    made, x, _ = read_for(X, None, made, owner)
    return RowDistances(made, x)
