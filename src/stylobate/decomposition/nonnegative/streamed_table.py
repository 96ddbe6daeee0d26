"""A table of non-negative numbers that is passed over: the factors are in memory, its rows not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.decomposition.nonnegative.table import NonnegativeTable, Sweep
from stylobate.exceptions import InvalidDataError, NumericalError
from stylobate.statistics import Source


class StreamedNonnegativeTable(NonnegativeTable):
    """X in windows: each product, update and divergence is one pass over them.

    Parameters
    ----------
    source : Source
        The rows, as often as asked.
    where : str
        Of whom a refusal of negative numbers speaks.

    Examples
    --------
    >>> from stylobate.base.sources import memory_source
    >>> from stylobate.data import read_table
    >>> rows = memory_source(read_table([[1.0, 2.0], [0.0, 3.0]], owner="example"))
    >>> StreamedNonnegativeTable(rows, "X").column_products(np.ones((2, 1)))
    array([[1.],
           [5.]])
    """

    def __init__(self, source: Source, where: str) -> None:
        self._source, self._where = source, where
        n, total, squares, least = 0, 0.0, 0.0, np.inf
        for part in self._windows():
            n += part.shape[0]
            p, self.dtype, self.is_sparse = part.shape[1], part.dtype, part.is_sparse
            total += part.mean * part.shape[0] * p
            squares += part.squares
            least = min(least, part.smallest)
        if n == 0:
            raise InvalidDataError(f"{where}: there are no rows to learn from.")
        if not np.isfinite(squares):
            raise NumericalError(
                f"{where}: the squares of the entries, added up, exceed what double precision can "
                "hold (about 1e308); divide X by a constant first."
            )
        self.shape = n, p
        self.smallest = least
        self.mean = total / (n * p)
        self.squares = squares

    def _windows(self) -> Iterator[NonnegativeTable]:
        for window in self._source.windows():
            window.refuse_nonfinite()
            yield NonnegativeTable(window.x, self._where)

    def _parts(self, w: Array | None = None) -> Iterator[tuple[NonnegativeTable, slice, Any]]:
        """Windows with the numbers of their rows, and these rows of W."""
        first = 0
        for part in self._windows():
            rows = slice(first, first + part.shape[0])
            yield part, rows, None if w is None else w[rows]
            first = rows.stop

    def row_products(self, f: Array) -> Array:
        """X F."""
        return np.concatenate([part.row_products(f) for part in self._windows()])

    def column_products(self, w: Array) -> Array:
        """Xᵀ W."""
        total = np.zeros((self.shape[1], w.shape[1]))
        for part, _, own in self._parts(w):
            total += part.column_products(own)
        return total

    def sweep(self, w: Array, f: Array, of_w: Sweep, of_f: Sweep) -> float:
        """Sweeps over the rows of W, then of F, in place, in one pass."""
        met, cross, gram = 0.0, np.zeros_like(f), f.T @ f
        for part, _, own in self._parts(w):
            own_met, own_cross = part.sweep_rows(own, f, gram, of_w)
            met += own_met
            cross += own_cross
        return met + _core.coordinate_sweep(f, w.T @ w, cross, *of_f)

    def row_updates(self, w: Array, f: Array, beta: float) -> tuple[Array, Array | None]:
        """(X ∘ M^(β−2)) F and, unless β is 1 or 2, M^(β−1) F, of M = W Fᵀ."""
        found = [part.row_updates(own, f, beta) for part, _, own in self._parts(w)]
        up = np.concatenate([each[0] for each in found])
        down = [each[1] for each in found if each[1] is not None]
        return up, np.concatenate(down) if down else None

    def column_updates(self, w: Array, f: Array, beta: float) -> tuple[Array, Array | None]:
        """(X ∘ M^(β−2))ᵀ W and, unless β is 1 or 2, (M^(β−1))ᵀ W, of M = W Fᵀ."""
        up, down, pushed = np.zeros_like(f), np.zeros_like(f), False
        for part, _, own in self._parts(w):
            own_up, own_down = part.column_updates(own, f, beta)
            up += own_up
            if own_down is not None:
                down += own_down
                pushed = True
        return up, down if pushed else None

    def divergence(self, w: Array, f: Array, beta: float) -> float:
        """The β-divergence of X from W Fᵀ; for β = 2 half the sum of squares."""
        return sum(part.divergence(own, f, beta) for part, _, own in self._parts(w))
