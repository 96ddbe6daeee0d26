"""Rows of a kernel matrix on demand, those used last kept in memory."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.distances.tiles import one_precision, pairs_of
from stylobate.exceptions import InvalidParameterError
from stylobate.kernels.functions import as_kernel
from stylobate.kernels.kernel import Kernel, count_of
from stylobate.kernels.tiles import kernel_block, kernel_pairs, refuse_damaged


class KernelRows:
    r"""Rows :math:`\kappa(x_i, \cdot)` of a kernel matrix that is never whole.

    The rows of Y are packed once; a row asked for again comes from the cache if it is among those
    used last that fit into ``memory``. Several threads may ask.

    Parameters
    ----------
    kernel : Kernel, str or callable
        As `as_kernel` takes it.
    X : points, n of them
    Y : points, m of them, default=None
        None for X again.
    memory : int in [0, inf), default=200_000_000
        Bytes of the rows kept; arrays the caller holds are the caller's.
    dtype : float64 or float32, default=float64
        Of the rows; they are computed in double precision.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.kernels import RBF
    >>> x = np.random.default_rng(0).normal(size=(100, 3))
    >>> rows = KernelRows(RBF(gamma=0.1), x, memory=10 * 100 * 8)
    >>> np.allclose(rows.row(3), RBF(gamma=0.1)(x)[3])
    True
    >>> _ = rows.row(3)
    >>> rows.hits, rows.misses, rows.capacity
    (1, 1, 10)
    """

    def __init__(
        self,
        kernel: Any,
        X: Any,
        Y: Any | None = None,
        *,
        memory: int = 200_000_000,
        dtype: Any = np.float64,
    ) -> None:
        if not memory >= 0:
            raise InvalidParameterError(f"KernelRows: memory must be at least 0, got {memory!r}.")
        if np.dtype(dtype) not in (np.float64, np.float32):
            raise InvalidParameterError(
                f"KernelRows: dtype must be float64 or float32, got {np.dtype(dtype)}."
            )
        refuse_damaged("KernelRows", X, Y)
        self.kernel, self._x = as_kernel(kernel), X
        other = X if Y is None else Y
        self.shape = count_of(X), count_of(other)
        pairs = kernel_pairs(self.kernel, X, other, _packed_pairs)
        single = np.dtype(dtype) == np.float32
        self._cache: Any
        if pairs is None:
            self._cache = _EvaluatedRows(self.kernel, X, other, int(memory), np.dtype(dtype))
        else:
            cached = _core.CachedRowsSingle if single else _core.CachedRows
            self._cache = cached(pairs, int(memory))

    def row(self, i: int) -> NDArray[Any]:
        """Row i, read-only."""
        return self.rows([i])[0]

    def rows(self, indices: Any) -> list[NDArray[Any]]:
        """Several rows, read-only; those that are missing are computed together."""
        which = np.ascontiguousarray(indices, dtype=np.int64)
        n = self.shape[0]
        if ((which < -n) | (which >= n)).any():
            raise InvalidParameterError(f"KernelRows: there are {n} rows, asked for {indices!r}.")
        found: list[NDArray[Any]] = self._cache.rows(np.where(which < 0, which + n, which))
        return found

    def diagonal(self) -> Array:
        r""":math:`\kappa(x_i, x_i)` of every point of X."""
        return self.kernel.diagonal(self._x)

    @property
    def hits(self) -> int:
        """Rows that were in memory when asked for."""
        return int(self._cache.counts()["hits"])

    @property
    def misses(self) -> int:
        """Rows that had to be computed."""
        return int(self._cache.counts()["misses"])

    @property
    def capacity(self) -> int:
        """Rows that fit into the memory."""
        return int(self._cache.counts()["capacity"])


def _packed_pairs(x: Any, y: Any, measure: str) -> _core.Pairs:
    if not (isinstance(x, np.ndarray) and isinstance(y, np.ndarray)):
        return pairs_of(x, y, measure)
    left, right = one_precision(x, y)
    pack = _core.PackedRowsSingle if right.dtype == np.float32 else _core.PackedRows
    return _core.Pairs.packed(left, pack(right, measure))


class _EvaluatedRows:
    """The same for kernels that evaluate themselves."""

    def __init__(self, kernel: Kernel, X: Any, Y: Any, memory: int, dtype: np.dtype[Any]) -> None:
        self._points = kernel, X, Y
        self._capacity = memory // max(count_of(Y) * dtype.itemsize, 1)
        self._dtype = dtype
        self._kept: OrderedDict[int, NDArray[Any]] = OrderedDict()
        self._lock = Lock()
        self._hits = self._misses = 0

    def rows(self, which: NDArray[np.int64]) -> list[NDArray[Any]]:
        with self._lock:
            missing = [i for i in dict.fromkeys(which.tolist()) if i not in self._kept]
            self._misses += len(missing)
            self._hits += len(which) - len(missing)
            found = {i: self._kept[i] for i in which.tolist() if i in self._kept}
            if missing:
                kernel, x, y = self._points
                block = kernel_block(kernel, x, y, rows=missing).astype(self._dtype)
                block.flags.writeable = False
                found |= {i: row.copy() for i, row in zip(missing, block, strict=True)}
            for i in which.tolist():
                self._keep(i, found[i])
            return [found[i] for i in which.tolist()]

    def _keep(self, i: int, row: NDArray[Any]) -> None:
        row.flags.writeable = False
        self._kept[i] = row
        self._kept.move_to_end(i)
        while len(self._kept) > self._capacity:
            self._kept.popitem(last=False)

    def counts(self) -> dict[str, int]:
        return {"hits": self._hits, "misses": self._misses, "capacity": self._capacity}
