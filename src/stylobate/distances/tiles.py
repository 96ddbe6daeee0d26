"""Pairs of rows under a measure of the compiled core: nearest, within, sums, whole matrices.

Everything pairwise in the library goes through `Measured`. The core holds distances in the form
that is cheapest to compare (squares, sums of powers); ``finish`` turns them into the metric's own
numbers at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.distances.maps import IDENTITY, Increasing, Map


def pairs_of(x: Any, y: Any, measure: str, p: float = 2.0, weights: Any = None) -> _core.Pairs:
    """The core's pairs of two checked tables, dense or sparse.

    Parameters
    ----------
    x, y : ndarray or csr_array
        Queries and rows, with as many columns. If one is sparse, both are compared sparse.
    measure : str
        ``squared``, ``inner``, ``manhattan`` (dense or sparse), ``chebyshev``, ``power``,
        ``canberra``, ``hamming``, ``braycurtis``, ``nan_squared``, ``chi_square``, ``haversine``.
    p : float, default=2.0
        The power of ``power``.
    weights : ndarray of shape (columns,), optional
        Of ``canberra`` and ``hamming``.

    Examples
    --------
    >>> a = np.array([[0.0, 0.0], [3.0, 4.0]])
    >>> pairs_of(a, a, "squared").nearest(1, skip_self=True)[0]
    array([[25.],
           [25.]])
    """
    if isinstance(x, np.ndarray) and isinstance(y, np.ndarray):
        return _core.Pairs.dense(*one_precision(x, y), measure, p, weights)
    a, b = _compressed(x), _compressed(y)
    wide: Any = np.int64 if np.int64 in (a.indptr.dtype, b.indptr.dtype) else np.int32
    return _core.Pairs.sparse(*_parts(a, wide), *_parts(b, wide), a.shape[1], measure)


def _parts(matrix: Any, wide: Any) -> tuple[Any, Any, Any]:
    return (
        np.ascontiguousarray(matrix.data, dtype=np.float64),
        np.ascontiguousarray(matrix.indices, dtype=wide),
        np.ascontiguousarray(matrix.indptr, dtype=wide),
    )


def one_precision(x: NDArray[Any], y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both of one precision, each row's columns side by side."""
    kind = np.float32 if x.dtype == y.dtype == np.float32 else np.float64
    return _rows(x, kind), _rows(y, kind)


def _rows(x: NDArray[Any], kind: Any) -> NDArray[Any]:
    if x.dtype == kind and x.shape[1] > 0 and x.strides[1] == x.itemsize:
        return x
    return np.ascontiguousarray(x, dtype=kind)


def _compressed(x: Any) -> Any:
    from scipy.sparse import csr_array

    matrix = csr_array(x)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    return matrix


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Queries and rows under a metric, ready to be asked.

    Parameters
    ----------
    pairs : _core.Pairs
        The core's pairs.
    shape : tuple of int
        Number of queries and of rows.
    finish : Map
        From the core's measure to the metric.
    dtype : dtype
        What a whole matrix is written in.
    same : bool
        Queries and rows are one table.
    clear_diagonal : bool
        A row's distance to itself is 0 by definition, whatever the measure says.

    Examples
    --------
    >>> from stylobate.distances.maps import ROOT
    >>> a = np.array([[0.0], [3.0], [7.0]])
    >>> near = Measured(pairs_of(a, a, "squared"), (3, 3), ROOT, same=True)
    >>> near.nearest(1, skip_self=True)[0].ravel()
    array([3., 3., 4.])
    >>> near.count(3.0)
    array([2, 2, 1])
    """

    pairs: _core.Pairs
    shape: tuple[int, int]
    finish: Map | Increasing = IDENTITY
    dtype: Any = np.float64
    same: bool = False
    clear_diagonal: bool = False

    def nearest(
        self, k: int, *, skip_self: bool = False
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Distances and rows of the k nearest of each query, nearest first, ties by row.

        ``skip_self``: query i does not see row i. The measure ``inner`` gives the largest first.
        """
        values, rows = self.nearest_measures(k, skip_self=skip_self)
        return self.finish(values), rows

    def nearest_measures(
        self, k: int, *, skip_self: bool = False
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """As `nearest`, with what the core compares in place of the metric's own numbers."""
        values, rows = self.pairs.nearest(k, skip_self)
        return values, rows.view(np.int64)  # NumPy's own name of the type

    def within(
        self, radius: Any, *, skip_self: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """Offsets, rows and distances of the rows at most ``radius`` from each query.

        Rows of query i are ``rows[offsets[i]:offsets[i + 1]]``, in order of the rows.
        """
        offsets, rows, values = self.pairs.within(self._radii(radius), skip_self)
        return offsets.view(np.int64), rows.view(np.int64), self.finish(values)

    def count(self, radius: Any, *, skip_self: bool = False) -> NDArray[np.int64]:
        """How many rows lie at most ``radius`` from each query; one radius, or one each."""
        return np.asarray(self.pairs.count(self._radii(radius), skip_self)).view(np.int64)

    def sum(self, mapping: Map, weights: Any = None) -> NDArray[np.float64]:
        """Weighted sums over all rows of ``mapping`` of the *measure* (e.g. of squares).

        ``log_exponent`` and ``log_root_exponent`` give logarithms of sums of exponentials.
        """
        w = None if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
        return np.asarray(self.pairs.sum(*mapping, w))

    def write(self, mapping: Map | None = None, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The matrix of all distances, or of ``mapping`` of the measure."""
        matrix = np.empty(self.shape, dtype=self.dtype) if out is None else out
        finish = mapping or self.finish
        inside = finish if isinstance(finish, Map) else IDENTITY
        self.pairs.write(matrix, *inside, self.same)
        if isinstance(finish, Increasing):
            matrix[...] = finish(matrix)
        if self.clear_diagonal:
            np.fill_diagonal(matrix, 0.0)
        return matrix

    def _radii(self, radius: Any) -> NDArray[np.float64]:
        radii = self.finish.inverse(np.asarray(radius, dtype=np.float64))
        return np.ascontiguousarray(np.broadcast_to(radii, (self.shape[0],)))
