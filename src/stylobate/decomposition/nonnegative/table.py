"""A table of non-negative numbers as the core multiplies it with factors, dense or sparse."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.exceptions import InvalidDataError, NumericalError
from stylobate.statistics.rows import csr_parts

_NARROW = 4096  # columns of strips of rows that stay in the second cache
_LARGEST = 1e300  # sum of squares that leaves room for products of it


class Sweep(NamedTuple):
    """What a sweep over the rows of a factor takes: its penalty, and the order of coordinates."""

    l1: float
    l2: float
    order: Integers


class NonnegativeTable:
    """X, of which ``X ≈ W Fᵀ`` is wanted; a sparse one is never made dense.

    Products with the columns of a sparse table read a transposed copy, made when first needed.

    Parameters
    ----------
    x : array or sparse array of shape (n, p)
        Numbers, finite.
    where : str
        Of whom a refusal of negative numbers speaks.

    Examples
    --------
    >>> import numpy as np
    >>> NonnegativeTable(np.array([[1.0, 2.0], [0.0, 3.0]]), "X").row_products(np.ones((2, 1)))
    array([[3.],
           [3.]])
    """

    def __init__(self, x: Any, where: str) -> None:
        self.x = x
        self.is_sparse = not isinstance(x, np.ndarray)
        self.shape: tuple[int, int] = x.shape
        self.dtype = x.dtype
        stored = x.data if self.is_sparse else x
        self.smallest = float(stored.min(initial=np.inf))
        if self.smallest < 0.0:
            raise InvalidDataError(
                f"Negative values in data passed to {where}: the smallest is {self.smallest:g}; "
                "factors that are not negative give no negative numbers."
            )
        largest = float(stored.max(initial=0.0))
        if largest > (_LARGEST / max(stored.size, 1)) ** 0.5:
            raise NumericalError(
                f"{where} holds {largest:g}: the squares of its entries, added up, exceed what "
                "double precision can hold (about 1e308); divide X by a constant first."
            )
        if self.is_sparse and stored.size < self.shape[0] * self.shape[1]:
            self.smallest = 0.0

    @cached_property
    def _rows(self) -> tuple[Any, Any, Any]:
        return csr_parts(self.x)[:3]

    @cached_property
    def _columns(self) -> tuple[Any, Any, Any]:
        columns = self.x.tocsc()
        return columns.data, columns.indices, columns.indptr

    @property
    def _stored(self) -> Any:
        return self._rows[0] if self.is_sparse else self.x

    @cached_property
    def mean(self) -> float:
        """The mean of all entries."""
        return float(np.sum(self._stored, dtype=np.float64)) / (self.shape[0] * self.shape[1])

    @cached_property
    def squares(self) -> float:
        """The sum of squares of all entries."""
        values = np.asarray(self._stored, dtype=np.float64).ravel()
        return float(values @ values)

    def row_products(self, f: Array) -> Array:
        """X F."""
        if self.is_sparse:
            return _core.factor_row_products(*self._rows, f)
        return _core.factor_row_products(self.x, f)

    def column_products(self, w: Array) -> Array:
        """Xᵀ W."""
        if self.is_sparse:
            return _core.factor_row_products(*self._columns, w)
        return _core.factor_column_products(self.x, w)

    def sweep(self, w: Array, f: Array, of_w: Sweep, of_f: Sweep) -> float:
        """Sweeps over the rows of W, then of F, in place; the projected gradients met, added up.

        Products are made a few rows at a time and used at once; a dense table that is not wide
        is read once.
        """
        if self.is_sparse:
            met = _core.factor_row_sweep(*self._rows, w, f, f.T @ f, *of_w)
            return met + _core.factor_row_sweep(*self._columns, f, w, w.T @ w, *of_f)
        met, cross = self.sweep_rows(w, f, f.T @ f, of_w)
        return met + _core.coordinate_sweep(f, w.T @ w, cross, *of_f)

    def sweep_rows(self, w: Array, f: Array, gram: Array, of_w: Sweep) -> tuple[float, Array]:
        """A sweep over the rows of W alone, with the Gram of F; and Xᵀ W thereafter."""
        if self.is_sparse:
            met = _core.factor_row_sweep(*self._rows, w, f, gram, *of_w)
            return met, self.column_products(w)
        if self.shape[1] <= _NARROW:
            found: tuple[float, Array] = _core.factor_row_sweep(self.x, w, f, gram, *of_w)
            return found
        met = _core.coordinate_sweep(w, gram, self.row_products(f), *of_w)
        return met, self.column_products(w)

    def row_updates(self, w: Array, f: Array, beta: float) -> tuple[Array, Array | None]:
        """(X ∘ M^(β−2)) F and, unless β is 1 or 2, M^(β−1) F, of M = W Fᵀ."""
        if self.is_sparse:
            return _core.factor_row_updates(*self._rows, w, f, beta)
        return _core.factor_row_updates(self.x, w, f, beta)

    def column_updates(self, w: Array, f: Array, beta: float) -> tuple[Array, Array | None]:
        """(X ∘ M^(β−2))ᵀ W and, unless β is 1 or 2, (M^(β−1))ᵀ W, of M = W Fᵀ."""
        if self.is_sparse:
            return _core.factor_row_updates(*self._columns, f, w, beta)
        return _core.factor_column_updates(self.x, w, f, beta)

    def divergence(self, w: Array, f: Array, beta: float) -> float:
        """The β-divergence of X from W Fᵀ; for β = 2 half the sum of squares."""
        if self.is_sparse:
            return max(_core.factor_divergence(*self._rows, w, f, beta), 0.0)
        return max(_core.factor_divergence(self.x, w, f, beta), 0.0)
