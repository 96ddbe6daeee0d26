"""Where values are missing: along the rows of a table, and in which patterns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exploration.missingness import Missingness, missingness_of
from stylobate.exploration.views.columns import read_table_columns

BLOCKS = 200  # along the rows of the map


@dataclass(frozen=True, slots=True, eq=False)
class MissingView:
    """What is missing of a table.

    Attributes
    ----------
    names : tuple of str
        Of the columns.
    n_rows : int
        Of the table.
    counts : array of shape (p,)
        Missing values of each column.
    shares : array of shape (n_blocks, p)
        Share of missing values within consecutive blocks of rows.
    patterns : Missingness
        Complete rows, and the columns missing together.
    """

    names: tuple[str, ...]
    n_rows: int
    counts: NDArray[np.int64]
    shares: Array
    patterns: Missingness

    def plot(self, **options: Any) -> Any:
        """Draw the map; see `stylobate.plot.plot_missing`."""
        from stylobate.plot import plot_missing

        return plot_missing(self, **options)


def missing_view(data: Any, *, owner: str = "missing_view") -> MissingView:
    """Which values of a table are missing.

    Parameters
    ----------
    data : table
        Values spelled as missing ("", "NA", "?" …) count as such.
    owner : str
        Who asks, for messages.

    Returns
    -------
    MissingView

    Examples
    --------
    >>> view = missing_view({"a": [1, None, 3], "b": [None, None, "x"]})
    >>> view.counts, view.patterns.complete_rows
    (array([1, 2]), 1)
    """
    columns = read_table_columns(data, owner)
    names = tuple(each.column.name for each in columns)
    gone = np.column_stack([each.codes < 0 for each in columns])
    blocks = np.array_split(gone, min(BLOCKS, len(gone)))
    shares = np.array([block.mean(axis=0) for block in blocks])
    seen, counts = np.unique(gone, axis=0, return_counts=True)
    return MissingView(
        names, len(gone), gone.sum(axis=0), shares, missingness_of(names, seen, counts)
    )
