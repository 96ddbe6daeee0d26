"""Points of two columns, in groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.exploration.views.columns import labels_of, read_column, read_numbers, same_length


@dataclass(frozen=True, slots=True, eq=False)
class ScatterView:
    """Rows that have both numbers.

    Attributes
    ----------
    names : tuple of two str
        Of the columns.
    x, y : array of shape (n,)
        The points.
    labels : tuple of str
        Of the groups; empty where there are none.
    codes : array of shape (n,)
        The group of each point.
    left_out : int
        Rows without one of the numbers, or without a group.
    """

    names: tuple[str, str]
    x: Array
    y: Array
    labels: tuple[str, ...]
    codes: NDArray[np.intp]
    left_out: int

    def plot(self, **options: Any) -> Any:
        """Draw the points; see `stylobate.plot.plot_scatter`."""
        from stylobate.plot import plot_scatter

        return plot_scatter(self, **options)


def scatter_view(
    x: Any, y: Any, *, by: Any = None, data: Any = None, owner: str = "scatter_view"
) -> ScatterView:
    """The points of two columns of numbers.

    Parameters
    ----------
    x, y : vector or column name
        Numbers.
    by : vector or column name, optional
        Groups.
    data : table, optional
        Where column names are looked up.
    owner : str
        Who asks, for messages.

    Returns
    -------
    ScatterView

    Examples
    --------
    >>> view = scatter_view([1.0, 2.0, None], [3.0, 5.0, 7.0])
    >>> view.x, view.left_out
    (array([1., 2.]), 1)
    """
    across, up = read_numbers(x, data, owner, "x"), read_numbers(y, data, owner, "y")
    same_length(owner, across, up)
    first, second = across.numbers(), up.numbers()
    kept = np.isfinite(first) & np.isfinite(second)
    labels: tuple[str, ...] = ()
    codes = np.zeros(len(first), dtype=np.intp)
    if by is not None:
        groups = read_column(by, data, owner, "by")
        same_length(owner, across, groups)
        labels, codes = tuple(labels_of(groups)), groups.codes
        kept &= codes >= 0
    if not kept.any():
        raise InvalidDataError(
            f"{owner}: no row has all of {across.column.name!r}, {up.column.name!r}"
            f"{' and a group' if by is not None else ''}; there is nothing to draw."
        )
    names = (across.column.name, up.column.name)
    return ScatterView(names, first[kept], second[kept], labels, codes[kept], int((~kept).sum()))
