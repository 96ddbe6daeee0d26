"""Bars: how often each value occurs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidParameterError
from stylobate.exploration.views.columns import labels_of, read_column


@dataclass(frozen=True, slots=True, eq=False)
class BarsView:
    """Counts of values.

    Attributes
    ----------
    name : str
        Of the column.
    labels : tuple of str
        The values shown.
    counts : array of int
        How often each occurs.
    others, other_values : int
        Rows with further values, and how many such values there are.
    missing : int
        Rows without a value.
    """

    name: str
    labels: tuple[str, ...]
    counts: NDArray[np.int64]
    others: int
    other_values: int
    missing: int

    @property
    def total(self) -> int:
        """All rows."""
        return int(self.counts.sum()) + self.others + self.missing

    def plot(self, **options: Any) -> Any:
        """Draw the bars; see `stylobate.plot.plot_bars`."""
        from stylobate.plot import plot_bars

        return plot_bars(self, **options)


def bars_view(
    values: Any,
    *,
    data: Any = None,
    order: str = "count",
    most: int = 20,
    owner: str = "bars_view",
) -> BarsView:
    """How often each value of a column occurs.

    Parameters
    ----------
    values : vector or column name
        Of anything.
    data : table, optional
        Where column names are looked up.
    order : {"count", "value"}, default="count"
        The most frequent first, or in the order of the values.
    most : int in [1, inf), default=20
        Values shown; the less frequent ones are counted together.
    owner : str
        Who asks, for messages.

    Returns
    -------
    BarsView

    Examples
    --------
    >>> view = bars_view(["male", "female", None, "male"])
    >>> view.labels, view.counts, view.missing
    (('male', 'female'), array([2, 1]), 1)
    """
    if order not in ("count", "value"):
        raise InvalidParameterError(f"{owner}: order must be count or value, got {order!r}.")
    if most < 1:
        raise InvalidParameterError(f"{owner}: most must be at least 1, got {most!r}.")
    column = read_column(values, data, owner, "values")
    counts, labels = column.counts, labels_of(column)
    first = np.argsort(-counts, kind="stable")[:most]
    if order == "value":
        first = np.sort(first)
    shown = counts[first]
    others = int(counts.sum() - shown.sum())
    return BarsView(
        column.column.name,
        tuple(labels[k] for k in first),
        shown.astype(np.int64),
        others,
        len(labels) - len(first),
        column.missing,
    )
