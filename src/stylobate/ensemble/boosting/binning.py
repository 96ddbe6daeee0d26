"""Columns cut into bins: quantiles of numbers, one bin for each category."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core

SAMPLE = 200_000  # rows from which the edges are found
_NO_CODES = np.empty(0, dtype=np.uint8)


@dataclass(frozen=True, eq=False)
class Binning:
    """How the columns of a table are cut.

    Parameters
    ----------
    edges : tuple of arrays
        For every column of numbers the borders between its bins, increasing; x lies in bin b if
        ``edges[b - 1] < x <= edges[b]``.
    bin_of_code : tuple of uint8 arrays
        For every column of categories the bin of each code; empty for numbers. Beyond the number
        of bins, the rarest categories share one.

    Examples
    --------
    >>> binning = Binning.of(np.array([[1.0], [2.0], [4.0]]), categories=[0])
    >>> binning.edges[0].tolist()
    [1.5, 3.0]
    >>> binning.rows(np.array([[0.0], [3.5], [np.nan]])).column(0).tolist()
    [0, 2, 3]
    """

    edges: tuple[NDArray[np.float64], ...]
    bin_of_code: tuple[NDArray[np.uint8], ...]

    @classmethod
    def of(
        cls,
        x: NDArray[Any],
        *,
        categories: Sequence[int],
        weights: NDArray[np.float64] | None = None,
        max_bins: int = 255,
        seed: int = 0,
    ) -> Binning:
        """Bins of the columns of x; `categories` says how many each has, 0 for numbers."""
        named = [count > 0 for count in categories]
        edges = _core.find_bin_edges(x, weights, named, max_bins, SAMPLE, seed)
        seen = [code_counts(x[:, j], k) if k else _NO_CODES for j, k in enumerate(categories)]
        return cls(tuple(edges), tuple(bins_of_codes(each, max_bins) for each in seen))

    def rows(self, x: NDArray[Any]) -> _core.BinnedRows:
        """Rows as bins."""
        return _core.BinnedRows(x, list(self.edges), list(self.bin_of_code))

    def room(self, n_rows: int, folder: str) -> _core.BinnedRows:
        """Room for the bins of so many rows, in temporary files of a folder if one is named."""
        return _core.BinnedRows(n_rows, list(self.edges), list(self.bin_of_code), folder)


def code_counts(column: NDArray[Any], count: int) -> NDArray[np.intp]:
    """How often each of `count` codes stands in a column; NaN is none."""
    return np.bincount(column[~np.isnan(column)].astype(np.intp), minlength=count)


def bins_of_codes(seen: NDArray[Any], max_bins: int) -> NDArray[np.uint8]:
    """The bin of each code, by how often it was seen; beyond the bins, the rarest share one."""
    count = len(seen)
    if count <= max_bins:
        return np.arange(count, dtype=np.uint8)
    place = np.empty(count, dtype=np.intp)
    place[np.argsort(-seen, kind="stable")] = np.arange(count)
    return np.minimum(place, max_bins - 1).astype(np.uint8)
