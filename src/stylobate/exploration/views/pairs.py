"""All pairs of the columns of numbers of a table, in groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.exploration.association.grams import pairwise_correlations
from stylobate.exploration.views.columns import (
    is_amount,
    labels_of,
    read_column,
    read_table_columns,
    require_numbers,
    same_length,
)
from stylobate.exploration.views.distributions import DistributionView, distribution_view

MOST = 8
_ROWS = 2000  # drawn at most


@dataclass(frozen=True, slots=True, eq=False)
class PairsView:
    """Columns of numbers against each other.

    Attributes
    ----------
    names : tuple of str
        Of the columns.
    values : array of shape (n, p)
        Rows to draw, at most 2,000 of them; NaN where missing.
    labels : tuple of str
        Of the groups; empty where there are none.
    codes : array of shape (n,)
        The group of each row.
    distributions : tuple of DistributionView
        Of each column, by group, over all rows.
    correlations : array of shape (p, p)
        Pearson's, over all rows that have both.
    n_rows : int
        Of the table.
    left_out : tuple of str
        Columns that are no amounts.
    """

    names: tuple[str, ...]
    values: Array
    labels: tuple[str, ...]
    codes: NDArray[np.intp]
    distributions: tuple[DistributionView, ...]
    correlations: Array
    n_rows: int
    left_out: tuple[str, ...]

    def plot(self, **options: Any) -> Any:
        """Draw the grid; see `stylobate.plot.plot_pairs`."""
        from stylobate.plot import plot_pairs

        return plot_pairs(self, **options)


def pairs_view(data: Any, *, by: Any = None, owner: str = "pairs_view") -> PairsView:
    """The columns of amounts of a table against each other.

    Parameters
    ----------
    data : table
        At most eight columns of amounts; others are left out.
    by : vector or column name, optional
        Groups; rows without one are left out.
    owner : str
        Who asks, for messages.

    Returns
    -------
    PairsView

    Examples
    --------
    >>> table = {"a": [1.0, 2.5, 3.0], "b": [9.0, 4.5, 1.0], "c": ["x", "y", "x"]}
    >>> view = pairs_view(table, by="c")
    >>> view.names, view.labels, round(float(view.correlations[0, 1]), 2)
    (('a', 'b'), ('x', 'y'), -0.98)
    """
    columns = read_table_columns(data, owner)
    groups = None if by is None else read_column(by, data, owner, "by")
    taken = by if isinstance(by, str) else None
    amounts = [each for each in columns if is_amount(each) and each.column.name != taken]
    if not amounts or len(amounts) > MOST:
        raise InvalidDataError(
            f"{owner}: the table has {len(amounts)} columns of amounts; a grid of pairs shows 1 to "
            f"{MOST}, so pass {'some' if amounts else 'a table with some'} of them."
        )
    for each in amounts:
        require_numbers(each, owner)
    labels: tuple[str, ...] = ()
    codes = np.zeros(len(amounts[0].codes), dtype=np.intp)
    if groups is not None:
        same_length(owner, amounts[0], groups)
        codes, labels = groups.codes, tuple(labels_of(groups))
    table = np.column_stack([each.numbers() for each in amounts])
    table[~np.isfinite(table)] = np.nan
    given = {each.column.name: table[:, k] for k, each in enumerate(amounts)}
    shared = None if groups is None else np.array([*labels, None], dtype=object)[codes]
    told = tuple(
        distribution_view(name, by=shared, data=given, density=False, owner=owner) for name in given
    )
    rows = _drawn(codes >= 0)
    skipped = tuple(c.column.name for c in columns if c not in amounts and c.column.name != taken)
    return PairsView(
        tuple(given), table[rows], labels, codes[rows], told, pairwise_correlations(table.T).r,
        len(table), skipped,
    )  # fmt: skip


def _drawn(kept: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Rows to draw: all, or a sample that is always the same."""
    rows = np.flatnonzero(kept)
    if len(rows) <= _ROWS:
        return rows
    return np.sort(np.random.default_rng(0).choice(rows, _ROWS, replace=False))
