"""Correlations of all pairs of columns, similar columns next to each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration.association.grams import pairwise_correlations
from stylobate.exploration.association.ranks import pairwise_rank_correlations, rank_column
from stylobate.exploration.cells import Cells
from stylobate.exploration.views.columns import read_table_columns


@dataclass(frozen=True, slots=True, eq=False)
class CorrelationView:
    """A matrix of correlations.

    Attributes
    ----------
    names : tuple of str
        Of the columns, in the order of the matrix.
    values : array of shape (p, p)
        The coefficients; NaN where a column does not vary.
    method : str
        "pearson" or "spearman".
    left_out : tuple of str
        Columns that hold no numbers.
    """

    names: tuple[str, ...]
    values: Array
    method: str
    left_out: tuple[str, ...] = ()

    def plot(self, **options: Any) -> Any:
        """Draw the matrix; see `stylobate.plot.plot_correlation`."""
        from stylobate.plot import plot_correlation

        return plot_correlation(self, **options)


def correlation_view(
    data: Any, *, method: str = "pearson", cluster: bool = True, owner: str = "correlation_view"
) -> CorrelationView:
    r"""Correlations of the columns of numbers of a table, each pair over the rows that have both.

    .. math:: r = \frac{\sum_i (a_i - \bar a)(b_i - \bar b)}
                       {\sqrt{\sum_i (a_i - \bar a)^2 \sum_i (b_i - \bar b)^2}}

    Parameters
    ----------
    data : table
        Columns that hold no numbers are left out.
    method : {"pearson", "spearman"}, default="pearson"
        Of the values, or of their ranks.
    cluster : bool, default=True
        Whether columns are ordered so that correlated ones are neighbours: by average linkage of
        the distances 1 - |r|, the leaves in their best order.
    owner : str
        Who asks, for messages.

    Returns
    -------
    CorrelationView

    Examples
    --------
    >>> view = correlation_view({"a": [1, 2, 3, 4], "b": [4, 1, 3, 3], "c": [2, 4, 6, 9]})
    >>> view.names, view.values.round(2)[0]
    (('b', 'a', 'c'), array([ 1.  , -0.1 , -0.07]))

    References
    ----------
    Bar-Joseph, Gifford & Jaakkola (2001), Fast optimal leaf ordering for hierarchical clustering,
    Bioinformatics 17, S22-S29.
    """
    if method not in ("pearson", "spearman"):
        raise InvalidParameterError(f"{owner}: method must be pearson or spearman, got {method!r}.")
    columns = read_table_columns(data, owner)
    numeric = [each for each in columns if each.is_numeric]
    if not numeric:
        raise InvalidDataError(f"{owner}: the table has no column of numbers to correlate.")
    values = _matrix(numeric, method)
    order = _order(values) if cluster else list(range(len(numeric)))
    names = tuple(numeric[k].column.name for k in order)
    others = tuple(each.column.name for each in columns if not each.is_numeric)
    return CorrelationView(names, values[np.ix_(order, order)], method, others)


def _matrix(columns: list[Cells], method: str) -> Array:
    table = np.array([each.numbers() for each in columns])
    table[~np.isfinite(table)] = np.nan
    if method == "spearman":
        return pairwise_rank_correlations([rank_column(row) for row in table]).r
    return pairwise_correlations(table).r


def _order(values: Array) -> list[int]:
    if len(values) < 3:
        return list(range(len(values)))
    from scipy.cluster.hierarchy import average, leaves_list, optimal_leaf_ordering

    distance = 1.0 - np.abs(np.nan_to_num(values))
    flat = distance[np.triu_indices(len(values), 1)]
    return [int(k) for k in leaves_list(optimal_leaf_ordering(average(flat), flat))]
