"""Pearson's correlations of all rows of a stream, each pair by the rows where both have a value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data.arrow import ColumnBatch
from stylobate.exploration.association import ExactCorrelations

MOST_COLUMNS = 60


class PairMoments:
    r"""Sums of products of all pairs of columns of numbers; batches come one after the other.

    Columns are centred and scaled by the first batch, so that little is lost when
    :math:`\sum xy - \sum x \sum y / n` is formed.

    Examples
    --------
    >>> from stylobate.data.arrow import column_batches
    >>> x = np.array([1.0, 2.0, 4.0, np.nan])
    >>> pairs = PairMoments()
    >>> for batch in column_batches({"x": x, "y": -x}, rows=2):
    ...     pairs.absorb(batch)
    >>> found = pairs.finish(["x", "y"])
    >>> found.r[0, 1].round(9), found.n[0, 1]
    (np.float64(-1.0), np.int64(3))
    """

    def __init__(self) -> None:
        """Begin without rows."""
        self._places: list[int] | None = None
        self._centre: Array = np.empty(0)
        self._scale: Array = np.empty(0)
        self._sums: Array | None = None

    def absorb(self, batch: ColumnBatch) -> None:
        """Take in the rows of a batch."""
        if self._places is None:
            self._places = [j for j, c in enumerate(batch.columns) if c.is_number]
        if not 1 < len(self._places) <= MOST_COLUMNS or batch.n_rows == 0:
            return
        rows = np.array([batch.columns[j].numbers() for j in self._places])
        there = np.isfinite(rows)
        if self._sums is None:
            self._sums = self._begin(rows, there)
        gaps = np.flatnonzero(~there.all(axis=1))
        with np.errstate(over="ignore", invalid="ignore"):
            rows -= self._centre[:, None]
            rows /= self._scale[:, None]
            if len(gaps):
                rows[gaps] = np.where(there[gaps], rows[gaps], 0.0)
            self._sums = self._sums + _products(rows, there, gaps)

    def _begin(self, rows: Array, there: NDArray[np.bool_]) -> Array:
        """Choose centre and scale; sums of no rows."""
        some = np.where(there, rows, 0.0)
        count = np.maximum(there.sum(axis=1), 1)
        with np.errstate(over="ignore"):
            self._centre = (some / count[:, None]).sum(axis=1)
            spread = np.abs(np.where(there, rows - self._centre[:, None], 0.0)).max(axis=1)
        self._scale = np.where((spread > 0) & np.isfinite(spread), spread, 1.0)
        return np.zeros((4, len(rows), len(rows)))

    def merge(self, other: PairMoments) -> PairMoments:
        """Of both parts' rows, by the centres and scales of the first."""
        made = PairMoments()
        known = None not in (self._places, other._places)
        if known and self._places != other._places:
            made._places = []  # a column is of numbers here and not there: the sample tells
            return made
        first = self if self._sums is not None else other
        made._places, made._sums = first._places, first._sums
        made._centre, made._scale = first._centre, first._scale
        if self._sums is not None and other._sums is not None:
            with np.errstate(over="ignore", invalid="ignore"):
                made._sums = self._sums + other._measured_as(self)
        return made

    def _measured_as(self, other: PairMoments) -> Array:
        """The sums as they would be with another's centres and scales."""
        assert self._sums is not None
        a = (self._scale / other._scale)[:, None]
        b = ((self._centre - other._centre) / other._scale)[:, None]
        n, sums, squares, products = self._sums
        return np.array(
            [
                n,
                a * sums + b * n,
                a**2 * squares + 2 * a * b * sums + b**2 * n,
                a * a.T * products + a * sums * b.T + b * (a * sums).T + b * b.T * n,
            ]
        )

    def finish(self, names: Sequence[str]) -> ExactCorrelations | None:
        """The correlations, of a table of these columns; None if there were too many or few."""
        if self._sums is None or self._places is None:
            return None
        n, sums, squares, products = self._sums
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            spread = squares - sums**2 / n
            r = (products - sums * sums.T / n) / np.sqrt(spread * spread.T)
            r[(spread <= 1e-14 * squares) | (spread.T <= 1e-14 * squares.T)] = np.nan
        listed = tuple(names[j] for j in self._places)
        return ExactCorrelations(listed, np.clip(r, -1.0, 1.0), n.astype(np.int64))


def _products(rows: Array, there: NDArray[np.bool_], gaps: NDArray[np.intp]) -> Array:
    """Counts, sums, squares and products of every column over the rows of every other.

    Over the rows of a column without gaps these are the sums of all rows: only columns with gaps
    need products with their own mask.
    """
    p, n = rows.shape
    products = rows @ rows.T
    counts = np.full((p, p), float(n))
    sums = np.repeat(rows.sum(axis=1)[:, None], p, axis=1)
    squares = np.repeat(np.diag(products)[:, None], p, axis=1)
    if len(gaps):
        known = there[gaps].astype(np.float64)
        present = known.sum(axis=1)
        counts[gaps], counts[:, gaps] = present[:, None], present
        counts[np.ix_(gaps, gaps)] = known @ known.T
        sums[:, gaps] = rows @ known.T
        squares[:, gaps] = (rows * rows) @ known.T
    return np.array([counts, sums, squares, products])
