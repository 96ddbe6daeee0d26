"""Rows that can be compared, and the places of those that cannot."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Integers
from stylobate.data.sparse import is_sparse


class FiniteRows(NamedTuple):
    """The finite rows of a table; of the whole table which they are, and which lack values.

    Parameters
    ----------
    rows : ndarray or csr_array
        The finite rows.
    places : array or None
        Their places; None where all rows are finite.
    missing : array of bool or None
        Which of all rows lack values; the others that are not finite are infinite.
    """

    rows: Any
    places: Integers | None
    missing: NDArray[np.bool_] | None

    def spread(self, values: NDArray[Any], *, infinite: float, missing: float) -> NDArray[Any]:
        """Values of the finite rows at their places in the table."""
        if self.places is None or self.missing is None:
            return values
        spread = np.where(self.missing, missing, infinite).astype(values.dtype)
        spread[self.places] = values
        return spread


def finite_rows(rows: Any) -> FiniteRows:
    """The rows of a table without NaN and infinity.

    Examples
    --------
    >>> finite_rows(np.array([[0.0, 1.0], [np.nan, 2.0], [np.inf, 3.0]])).places
    array([0])
    """
    if is_sparse(rows):
        row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
        broken = np.bincount(row[~np.isfinite(rows.data)], minlength=rows.shape[0]) > 0
        missing = np.bincount(row[np.isnan(rows.data)], minlength=rows.shape[0]) > 0
    else:
        broken, missing = ~np.isfinite(rows).all(axis=1), np.isnan(rows).any(axis=1)
    if not broken.any():
        return FiniteRows(rows, None, None)
    places = np.flatnonzero(~broken)
    return FiniteRows(rows[places], places, missing)
