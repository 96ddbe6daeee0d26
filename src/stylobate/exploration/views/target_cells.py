"""A target by groups of two features: the cells of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.exploration.views.columns import is_amount, labels_of, read_column, same_length
from stylobate.exploration.views.groups import group_rows
from stylobate.exploration.views.targets import target_values


@dataclass(frozen=True, slots=True, eq=False)
class TargetCellsView:
    """A target by two features.

    Attributes
    ----------
    first, second, target : str
        Names; `first` runs down, `second` across.
    rows, columns : tuple of str
        Labels of the groups.
    n : array of shape (n_rows, n_columns)
        Rows of the table in each cell.
    values : array of shape (n_rows, n_columns)
        Mean of the target, or share of the class; NaN in empty cells.
    label : str or None
        The class whose shares are given; None for means.
    overall : float
        The same of all rows.
    """

    first: str
    second: str
    target: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    n: NDArray[np.int64]
    values: Array
    label: str | None
    overall: float

    def plot(self, **options: Any) -> Any:
        """Draw it; see `stylobate.plot.plot_target_pair`."""
        from stylobate.plot import plot_target_pair

        return plot_target_pair(self, **options)


def target_cells_view(
    first: Any,
    second: Any,
    target: Any,
    *,
    data: Any = None,
    label: Any = None,
    bins: int = 5,
    most: int = 12,
    owner: str = "target_cells_view",
) -> TargetCellsView:
    """Means of an amount, or shares of a class, in the cells of two features.

    Parameters
    ----------
    first, second, target : vector or column name
        Numbers or categories.
    data : table, optional
        Where column names are looked up.
    label : value of the target, optional
        The class whose shares are given; the last one by default.
    bins : int in [1, inf), default=5
        Of features that are amounts, with as many rows each.
    most : int in [2, inf), default=12
        Groups of other features.
    owner : str
        Who asks, for messages.

    Returns
    -------
    TargetCellsView

    Examples
    --------
    >>> view = target_cells_view(["a", "a", "b"], ["x", "y", "x"], ["no", "yes", "yes"])
    >>> view.label, view.values.tolist()
    ('yes', [[0.0, 1.0], [1.0, nan]])
    """
    if bins < 1 or most < 2:
        raise InvalidParameterError(
            f"{owner}: bins must be at least 1 and most at least 2, got {bins!r} and {most!r}."
        )
    a = read_column(first, data, owner, "first")
    b = read_column(second, data, owner, "second")
    y = read_column(target, data, owner, "target")
    same_length(owner, a, b, y)
    down, across = group_rows(a, bins, most), group_rows(b, bins, most)
    values, shown = target_values(y, owner), None
    place = 0
    if not is_amount(y):
        names = labels_of(y)
        place = _class(label, names, y.column.name, owner)
        shown = names[place]
    chosen = values[:, place]
    known = ~np.isnan(chosen)
    shape = (len(down.labels), len(across.labels))
    cell = np.ravel_multi_index((down.codes[known], across.codes[known]), shape)
    n = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
    sums = np.bincount(cell, chosen[known], shape[0] * shape[1]).reshape(shape)
    means = np.divide(sums, n, out=np.full(shape, np.nan), where=n > 0)
    return TargetCellsView(
        down.name, across.name, y.column.name, down.labels, across.labels, n, means, shown,
        float(chosen[known].mean()),
    )  # fmt: skip


def _class(label: Any, names: list[str], target: str, owner: str) -> int:
    if label is None:
        return len(names) - 1
    for text in (str(label), f"{label:g}" if isinstance(label, int | float) else str(label)):
        if text in names:
            return names.index(text)
    raise InvalidParameterError(
        f"{owner}: label={label!r} is no value of {target!r}; there are {', '.join(names[:12])}."
    )
