"""Blocks of a kernel matrix and their products with vectors, for solvers that see no more."""

from __future__ import annotations

from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidDataError
from stylobate.kernels import Kernel, Linear, kernel_block
from stylobate.kernels.decomposition import Constant, Decomposition, Factor, Measure
from stylobate.kernels.functions import as_kernel
from stylobate.kernels.kernel import count_of
from stylobate.kernels.tiles import BLOCK_ENTRIES, kernel_pairs
from stylobate.svm.duals.duality import DualProblem, Optimality, optimality

Rows = NDArray[np.int64]

SINGLE_ERROR = 1e-5  # of exponents: single precision serves while searching, not for the answer

FEW_ENTRIES = 0.1  # of a sparse table: one step of a list takes as long as several of a pair

SINGLE_RANGE = 1e30  # of products of rows, so that sums of them are finite in single precision


class KernelSource(Protocol):
    """A kernel matrix of n rows that is asked for parts."""

    n: int
    diagonal: Array
    exact: bool  # whether blocks and products have double precision without being asked

    def block(self, queries: Rows, rows: Rows) -> NDArray[Any]:
        """Some rows and columns, in the precision that is cheap; the next one may overwrite it."""
        ...

    def exact_block(self, queries: Rows, rows: Rows) -> Array:
        """The same in double precision."""
        ...

    def symmetric_product(self, rows: Rows, v: Array) -> Array:
        """The block of these rows and columns times v, in double precision."""
        ...

    def product(self, queries: Rows, rows: Rows, v: Array, *, exact: bool = False) -> Array:
        """Such a block times v; `exact`: in double precision throughout."""
        ...


def kernel_source(kernel: Kernel | Literal["precomputed"] | Any, X: Any) -> KernelSource:
    """The source for a kernel on points; with ``"precomputed"`` X is the matrix itself."""
    if isinstance(kernel, str) and kernel == "precomputed":
        return _Stored(np.asarray(X, dtype=np.float64))
    value = as_kernel(kernel)
    if isinstance(value, Linear) and is_sparse(X):
        found = _SparseLinear(value, X)
        return found if found.diagonal.max(initial=0.0) < SINGLE_RANGE else _Linear(value, X)
    if isinstance(value, Linear) and isinstance(X, np.ndarray):
        return _Linear(value, X)
    gamma = _gaussian_width(value, X)
    return _Computed(value, X) if gamma is None else _gaussian(value, X, gamma)


def optimality_of(
    source: KernelSource, problem: DualProblem, beta: Array, residual: Array
) -> Optimality:
    """The duality of β, with the rounding of this kernel."""
    largest = float(np.abs(source.diagonal).max(initial=0.0))
    return optimality(problem, beta, residual, largest=largest)


class _Stored:
    exact = True

    def __init__(self, matrix: Array) -> None:
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise InvalidDataError(
                f"solve_dual: a precomputed kernel matrix must be square, got {matrix.shape}."
            )
        self.matrix, self.n = matrix, len(matrix)
        self.diagonal = np.ascontiguousarray(np.diagonal(matrix))

    def block(self, queries: Rows, rows: Rows) -> NDArray[Any]:
        if len(queries) == self.n == len(rows):
            return np.ascontiguousarray(self.matrix)
        return self.matrix[np.ix_(queries, rows)]

    exact_block = block

    def symmetric_product(self, rows: Rows, v: Array) -> Array:
        return self.product(rows, rows, v)

    def product(self, queries: Rows, rows: Rows, v: Array, *, exact: bool = False) -> Array:
        out = np.empty(len(queries))
        step = max(1, BLOCK_ENTRIES // max(len(rows), 1))
        for start in range(0, len(queries), step):
            some = queries[start : start + step]
            out[start : start + step] = self.matrix[np.ix_(some, rows)] @ v
        return out


class _Computed:
    """Any kernel in double precision: by tiles, or by its own blocks."""

    exact = True

    def __init__(self, kernel: Kernel, X: Any) -> None:
        self.kernel, self.n = kernel, count_of(X)
        self.points = X.tocsr() if hasattr(X, "tocsr") else X
        self.diagonal = np.ascontiguousarray(kernel.diagonal(X), dtype=np.float64)

    def exact_block(self, queries: Rows, rows: Rows) -> Array:
        whole = len(queries) == self.n == len(rows)
        some = (None, None) if whole else (queries, rows)
        values = kernel_block(self.kernel, self.points, None, *some)
        if values.shape != (len(queries), len(rows)):
            raise InvalidDataError(
                f"solve_dual: the kernel gave a block of shape {values.shape} for "
                f"{len(queries)} and {len(rows)} points."
            )
        return np.ascontiguousarray(values, dtype=np.float64)

    def block(self, queries: Rows, rows: Rows) -> NDArray[Any]:
        return self.exact_block(queries, rows)

    def symmetric_product(self, rows: Rows, v: Array) -> Array:
        if len(rows) == 0:
            return np.empty(0)
        points = _taken(self.points, rows)
        pairs = kernel_pairs(self.kernel, points, points)
        if pairs is None:
            return self.product(rows, rows, v)
        return np.asarray(pairs.multiply(v.reshape(-1, 1), symmetric=True))[:, 0]

    def product(self, queries: Rows, rows: Rows, v: Array, *, exact: bool = False) -> Array:
        if len(queries) == 0 or len(rows) == 0:
            return np.zeros(len(queries))
        pairs = kernel_pairs(self.kernel, _taken(self.points, queries), _taken(self.points, rows))
        if pairs is not None:
            return np.asarray(pairs.multiply(v.reshape(-1, 1)))[:, 0]
        out = np.empty(len(queries))
        step = max(1, BLOCK_ENTRIES // max(len(rows), 1))
        for start in range(0, len(queries), step):
            some = queries[start : start + step]
            out[start : start + step] = self.block(some, rows) @ v
        return out


class _Linear(_Computed):
    """Products of rows: a block times a vector goes through the columns, without the block."""

    def symmetric_product(self, rows: Rows, v: Array) -> Array:
        return self.product(rows, rows, v)

    def product(self, queries: Rows, rows: Rows, v: Array, *, exact: bool = False) -> Array:
        known, asked = _taken(self.points, rows), _taken(self.points, queries)
        if is_sparse(known):
            return np.asarray(asked @ (known.T @ v), dtype=np.float64)
        # threads of a BLAS would change the last bits
        weights = np.einsum("ij,i->j", known, v, dtype=np.float64)
        return np.asarray(np.einsum("ij,j->i", asked, weights, dtype=np.float64))


class _SparseLinear(_Linear):
    """The same with blocks in single precision, of which twice as many rows fit into the memory.

    Scores are never computed from a block, so that its rounding may delay an answer, but does not
    change it.
    """

    exact = False

    @property
    def few_entries(self) -> bool:
        """Whether lists of columns are quicker than pairs of rows."""
        return bool(self.points.nnz < FEW_ENTRIES * np.prod(self.points.shape, dtype=float))

    def block(self, queries: Rows, rows: Rows) -> NDArray[Any]:
        out = np.empty((len(queries), len(rows)), dtype=np.float32)
        same = np.array_equal(queries, rows)
        if same and self.few_entries:
            some = self.points[rows]
            values = np.ascontiguousarray(some.data, dtype=np.float64)
            _core.sparse_gram(values, some.indices, some.indptr, some.shape[1], out)
            return out
        step = max(1, BLOCK_ENTRIES // max(len(rows), 1))
        for start in range(0, len(queries), step):
            end = start + step
            values = self.exact_block(queries[start:end], rows[start if same else 0 :])
            out[start:end, start if same else 0 :] = values
            if same:
                out[end:, start:end] = values[:, step:].T
        return out


class _Gaussian(_Computed):
    """A Gaussian kernel in single precision, in double where it is asked for."""

    exact = False

    def __init__(self, kernel: Kernel, X: Array, single: _core.SingleGaussian) -> None:
        super().__init__(kernel, X)
        self.single = single
        self._room = np.empty(0, dtype=np.float32)

    def block(self, queries: Rows, rows: Rows) -> NDArray[Any]:
        size = len(queries) * len(rows)
        if len(self._room) < size:  # memory that was touched before is three times as quick
            self._room = np.empty(0, dtype=np.float32)
            self._room = np.empty(size, dtype=np.float32)
        out = self._room[:size].reshape(len(queries), len(rows))
        self.single.write(queries, rows, out)
        return out

    def product(self, queries: Rows, rows: Rows, v: Array, *, exact: bool = False) -> Array:
        if exact:
            return super().product(queries, rows, v)
        return self.single.multiply(queries, rows, np.ascontiguousarray(v))


def _gaussian_width(kernel: Kernel, X: Any) -> float | None:
    """γ of a plain Gaussian kernel on dense rows of doubles, else None."""
    if not isinstance(X, np.ndarray) or X.ndim != 2 or X.dtype not in (np.float64, np.float32):
        return None
    parts: Decomposition | None = kernel.decomposition(X.shape[1])
    if parts is None or len(parts.steps) != 2 or parts.steps[0] != Measure("squared"):
        return None
    last = parts.steps[1]
    if isinstance(last, str | Measure | Constant | Factor):
        return None
    kind, a, b, _ = last
    return -float(a) if kind == "exponential" and b == 0.0 and a < 0.0 else None


def _gaussian(kernel: Kernel, X: Array, gamma: float) -> KernelSource:
    single = _core.SingleGaussian(np.asarray(X, dtype=np.float64), gamma)
    if not single.error() <= SINGLE_ERROR:
        return _Computed(kernel, X)
    return _Gaussian(kernel, X, single)


def _taken(points: Any, which: Rows) -> Any:
    if isinstance(points, list | tuple):
        return [points[i] for i in which]
    return points.iloc[which] if hasattr(points, "iloc") else points[which]
