"""Rows under a metric, ready for sums of distances to groups of them, however they are given."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data.sparse import is_sparse
from stylobate.distances import Function, Metric, Precomputed, metric_of
from stylobate.distances.maps import Map
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.pairwise.arrays import check_pairwise_arrays
from stylobate.metrics.pairwise.callables import rows_for_function
from stylobate.metrics.pairwise.dispatch import read_for

_BLOCK_NUMBERS = 1 << 22  # distances held at a time, where the core does not compute them


class ClusteredRows(ABC):
    """Rows of which clusterings are judged by their distances to each other."""

    dtype: Any

    @property
    @abstractmethod
    def count(self) -> int:
        """How many rows there are."""

    @abstractmethod
    def taken(self, rows: NDArray[np.int64]) -> ClusteredRows:
        """Only these rows."""

    @abstractmethod
    def silhouettes(self, clusterings: _core.Clusterings, count: int) -> Array:
        """Of every clustering (a row each) the silhouettes of the rows."""

    @abstractmethod
    def extents(self, clusterings: _core.Clusterings) -> tuple[Array, Array]:
        """Of every clustering the largest distance within a cluster and the least between two."""


@dataclass(frozen=True, eq=False)
class MeasuredRows(ClusteredRows):
    """Rows under a metric of the compiled core: sums are made while distances are computed."""

    metric: Metric
    x: Any

    @property
    def count(self) -> int:
        """How many rows there are."""
        return int(self.x.shape[0])

    @property
    def dtype(self) -> Any:
        """What per-row values are returned in."""
        return self.x.dtype if self.metric.keeps_single else np.float64

    def taken(self, rows: NDArray[np.int64]) -> MeasuredRows:
        """Only these rows."""
        return MeasuredRows(self.metric, self.x[rows])

    def silhouettes(self, clusterings: _core.Clusterings, count: int) -> Array:
        """The silhouettes, a row for each clustering."""
        measured = self.metric.measured(self.x, self.x)
        if not isinstance(measured.finish, Map):
            return BlockedRows(self.metric, self.x).silhouettes(clusterings, count)
        finish, cleared = measured.finish, measured.clear_diagonal
        return np.asarray(_core.silhouettes(measured.pairs, clusterings, *finish, cleared))

    def extents(self, clusterings: _core.Clusterings) -> tuple[Array, Array]:
        """Diameters and separations."""
        measured = self.metric.measured(self.x, self.x)
        wide, narrow = _core.cluster_extents(measured.pairs, clusterings)
        return measured.finish(np.maximum(wide, 0.0)), measured.finish(np.asarray(narrow))


@dataclass(frozen=True, eq=False)
class BlockedRows(ClusteredRows):
    """Rows under any metric, a matrix of their distances among them: computed block by block."""

    metric: Metric
    x: Any
    dtype: Any = np.float64

    @property
    def count(self) -> int:
        """How many rows there are."""
        return int(self.x.shape[0])

    def taken(self, rows: NDArray[np.int64]) -> BlockedRows:
        """Only these rows."""
        x = self.x[rows]
        return BlockedRows(self.metric, x[:, rows] if self._given else x, self.dtype)

    def silhouettes(self, clusterings: _core.Clusterings, count: int) -> Array:
        """The silhouettes, a row for each clustering."""
        out = np.empty((count, self.count))
        for first, block in self._blocks():
            _core.given_silhouettes(block, first, clusterings, out)
        return out

    def extents(self, clusterings: _core.Clusterings) -> tuple[Array, Array]:
        """Diameters and separations."""
        found = [_core.given_cluster_extents(d, first, clusterings) for first, d in self._blocks()]
        wide, narrow = (np.array(each) for each in zip(*found, strict=True))
        return np.maximum(wide.max(axis=0), 0.0), narrow.min(axis=0)

    @property
    def _given(self) -> bool:
        return isinstance(self.metric, Precomputed)

    def _blocks(self) -> Iterator[tuple[int, Array]]:
        """Distances of some rows to all, and the number of the first."""
        n, step = self.count, max(1, _BLOCK_NUMBERS // max(1, self.count))
        for first in range(0, n, step):
            some = self.x if step >= n else self.x[first : first + step]
            block: Any = some if self._given else self.metric.matrix(some, self.x)
            block = block.toarray() if is_sparse(block) else block
            yield first, np.asarray(block, dtype=np.float64)


def read_clustered(X: Any, metric: Any, kwds: dict[str, Any], owner: str) -> ClusteredRows:
    """Rows, or their distances, as the caller passed them, checked.

    Examples
    --------
    >>> read_clustered([[0.0], [2.0]], "euclidean", {}, "example").count
    2
    """
    made = metric_of(metric, kwds, owner)
    if made.similarity:
        raise InvalidParameterError(f"{owner}: metric must be a distance; got {made!r}.")
    if isinstance(made, Precomputed):
        x, _ = check_pairwise_arrays(X, None, precomputed=True)
        _refuse_self_distances(x)
        dtype = x.dtype if x.dtype == np.float32 else np.float64
        return BlockedRows(made, x, dtype)
    if isinstance(made, Function):
        return BlockedRows(made, rows_for_function(X, None, owner)[0])
    made, x, _ = read_for(X, None, made, owner)
    return MeasuredRows(made, x)


def _refuse_self_distances(x: Any) -> None:
    most = 100.0 * float(np.finfo(x.dtype).eps)
    if x.shape[0] and np.abs(x.diagonal()).max() > most:
        raise InvalidDataError(
            "The precomputed distance matrix contains non-zero elements on the diagonal. Use "
            "np.fill_diagonal(X, 0)."
        )
